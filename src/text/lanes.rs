#![allow(unsafe_code, reason = "AVX2 loads and stores, and the call that the run-time check of the CPU makes sound")]
//! Byte classes of 64 bytes at once: for tokens, which are ASCII letters or digits, which are not ASCII, and their lower
//! case; for markup, which are white space and which end a run of text.
//!
//! With AVX2 when the CPU has it, found at run time; otherwise a scalar loop. Both give the same, by a property test.

use dejaview_base::hash;

/// What one block of 64 bytes is; bit `i` speaks of byte `i`.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mask {
    /// ASCII letters and digits.
    pub(super) word: u64,
    /// Bytes of characters beyond ASCII.
    pub(super) high: u64,
}

/// Bytes of a block.
pub(super) const BLOCK: usize = 64;

/// Fills `masks` with one [`Mask`] for each started block of `text`, and `lower` with `text` in ASCII lower case,
/// filled up to whole blocks, and with what [`hash::token_within`] reads ahead.
pub(super) fn classify(text: &[u8], lower: &mut Vec<u8>, masks: &mut Vec<Mask>) {
    let blocks = text.len().div_ceil(BLOCK);
    masks.resize(blocks, Mask::default());
    lower.resize(blocks * BLOCK + hash::AHEAD, 0);
    let (whole, rest) = text.as_chunks::<BLOCK>();
    let (lower, _) = lower.as_chunks_mut::<BLOCK>();
    run(whole, lower, masks);
    if !rest.is_empty() {
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        run(&[last], &mut lower[whole.len()..], &mut masks[whole.len()..]);
    }
}

fn run(text: &[[u8; BLOCK]], lower: &mut [[u8; BLOCK]], masks: &mut [Mask]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has AVX2.
        return unsafe { avx2(text, lower, masks) };
    }
    scalar(text, lower, masks);
}

fn scalar(text: &[[u8; BLOCK]], lower: &mut [[u8; BLOCK]], masks: &mut [Mask]) {
    for ((text, lower), mask) in text.iter().zip(lower).zip(masks) {
        *mask = Mask::default();
        for (i, (&byte, low)) in text.iter().zip(lower).enumerate() {
            mask.word |= u64::from(byte.is_ascii_alphanumeric()) << i;
            mask.high |= u64::from(!byte.is_ascii()) << i;
            *low = byte.to_ascii_lowercase();
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(text: &[[u8; BLOCK]], lower: &mut [[u8; BLOCK]], masks: &mut [Mask]) {
    use std::arch::x86_64::*;
    let case = _mm256_set1_epi8(0x20);
    // A byte lies in a range of `n` from `first` when, moved so that `first` is the least signed value, it is below least + n.
    let (letter, letters) = (_mm256_set1_epi8((b'a' ^ 0x80) as i8), _mm256_set1_epi8(i8::MIN + 26));
    let (digit, digits) = (_mm256_set1_epi8((b'0' ^ 0x80) as i8), _mm256_set1_epi8(i8::MIN + 10));
    for ((text, lower), mask) in text.iter().zip(lower).zip(masks) {
        let mut half = |at: usize| {
            let from: &[u8; 32] = text[at..].first_chunk().expect("half a block");
            // SAFETY: `from` is 32 readable bytes; an unaligned load asks no more.
            let bytes = unsafe { _mm256_loadu_si256(from.as_ptr().cast()) };
            let is_letter = _mm256_cmpgt_epi8(letters, _mm256_sub_epi8(_mm256_or_si256(bytes, case), letter));
            let is_digit = _mm256_cmpgt_epi8(digits, _mm256_sub_epi8(bytes, digit));
            let low = _mm256_or_si256(bytes, _mm256_and_si256(is_letter, case));
            let to: &mut [u8; 32] = lower[at..].first_chunk_mut().expect("half a block");
            // SAFETY: `to` is 32 writable bytes; an unaligned store asks no more.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), low) };
            let word = _mm256_movemask_epi8(_mm256_or_si256(is_letter, is_digit)) as u32;
            (u64::from(word), u64::from(_mm256_movemask_epi8(bytes) as u32))
        };
        let (first, second) = (half(0), half(32));
        *mask = Mask { word: first.0 | second.0 << 32, high: first.1 | second.1 << 32 };
    }
}

/// Where text is more than text in one block of HTML; bit `i` speaks of byte `i`.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stops {
    /// White space of HTML.
    pub(super) blank: u64,
    /// Bytes that end a run of text: `<`, `&`, NUL, white space, and 0xC2, with which a no-break space begins. A single
    /// space between two ordinary bytes of the same block does not count.
    pub(super) stop: u64,
    /// Double quotes.
    pub(super) quote: u64,
}

impl Stops {
    /// Takes the single spaces out of the stops. Apart from the lanes: inside them the compiler would undo the masks.
    fn join_words(&mut self) {
        let spaces = self.blank & !self.stop;
        let next = (self.blank | self.stop) >> 1 | 1 << 63;
        self.stop |= spaces & next;
    }
}

/// Fills `stops` with one entry for each started block of `html`; what follows the end counts as NUL.
pub(super) fn stops(html: &[u8], stops: &mut Vec<Stops>) {
    stops.resize(html.len().div_ceil(BLOCK), Stops::default());
    let (whole, rest) = html.as_chunks::<BLOCK>();
    run_stops(whole, stops);
    if !rest.is_empty() {
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        run_stops(&[last], &mut stops[whole.len()..]);
    }
    stops.iter_mut().for_each(Stops::join_words);
}

/// Masks of white space, and of all stops but spaces.
fn run_stops(html: &[[u8; BLOCK]], stops: &mut [Stops]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has AVX2.
        return unsafe { avx2_stops(html, stops) };
    }
    scalar_stops(html, stops);
}

fn scalar_stops(html: &[[u8; BLOCK]], stops: &mut [Stops]) {
    for (html, stops) in html.iter().zip(stops) {
        *stops = Stops::default();
        for (i, byte) in html.iter().enumerate() {
            stops.blank |= u64::from(byte.is_ascii_whitespace()) << i;
            stops.stop |= u64::from(matches!(byte, b'<' | b'&' | 0 | 0xC2 | b'\t' | b'\n' | b'\r' | b'\x0C')) << i;
            stops.quote |= u64::from(*byte == b'"') << i;
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2_stops(html: &[[u8; BLOCK]], stops: &mut [Stops]) {
    use std::arch::x86_64::*;
    // White space by its lower half: each of these bytes differs from the others there.
    let others = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 10, 0, 12, 13, 0, 0));
    for (html, stops) in html.iter().zip(stops) {
        let half = |at: usize| {
            let from: &[u8; 32] = html[at..].first_chunk().expect("half a block");
            // SAFETY: `from` is 32 readable bytes; an unaligned load asks no more.
            let bytes = unsafe { _mm256_loadu_si256(from.as_ptr().cast()) };
            let is = |byte: u8| _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte as i8));
            // The zeros of the table meet the byte zero alone, which is a stop, but not white space.
            let other = _mm256_cmpeq_epi8(bytes, _mm256_shuffle_epi8(others, bytes));
            let markup = _mm256_or_si256(_mm256_or_si256(is(b'<'), is(b'&')), is(0xC2));
            let blank = _mm256_andnot_si256(is(0), _mm256_or_si256(other, is(b' ')));
            let bits = |lanes: __m256i| u64::from(_mm256_movemask_epi8(lanes) as u32);
            [bits(blank), bits(_mm256_or_si256(markup, other)), bits(is(b'"'))]
        };
        let (first, second) = (half(0), half(32));
        let [blank, stop, quote] = std::array::from_fn(|i| first[i] | second[i] << 32);
        *stops = Stops { blank, stop, quote };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn both(text: &[u8]) {
        let (mut lower, mut masks) = (Vec::new(), Vec::new());
        classify(text, &mut lower, &mut masks);
        let mut padded = text.to_vec();
        padded.resize(masks.len() * BLOCK, 0);
        assert_eq!(lower.len(), padded.len() + hash::AHEAD);
        lower.truncate(padded.len());
        let (mut lower_scalar, mut masks_scalar) = (vec![0; lower.len()], vec![Mask::default(); masks.len()]);
        scalar(padded.as_chunks().0, lower_scalar.as_chunks_mut().0, &mut masks_scalar);
        assert_eq!((&lower, &masks), (&lower_scalar, &masks_scalar));
        assert_eq!(lower[..text.len()], text.to_ascii_lowercase());
    }

    fn both_stops(html: &[u8]) {
        let mut found = Vec::new();
        stops(html, &mut found);
        let mut padded = html.to_vec();
        padded.resize(found.len() * BLOCK, 0);
        let mut found_scalar = vec![Stops::default(); found.len()];
        scalar_stops(padded.as_chunks().0, &mut found_scalar);
        found_scalar.iter_mut().for_each(Stops::join_words);
        assert_eq!(found, found_scalar);
    }

    #[test]
    fn runs_of_text_end_at_what_is_more_than_text() {
        let mut found = Vec::new();
        stops(b"a b  c\td<p>&amp;\0", &mut found);
        assert_eq!(found[0].blank, 0b101_1010);
        assert_eq!(found[0].stop & 0x1_FFFF, 1 << 3 | 1 << 6 | 1 << 8 | 1 << 11 | 1 << 16);
    }

    #[test]
    fn every_byte_is_the_same_in_both() {
        both_stops(&(0..=255u8).collect::<Vec<_>>());
        both(&(0..=255u8).collect::<Vec<_>>());
        both(b"");
    }

    proptest! {
        #[test]
        fn lanes_equal_the_scalar_loop(text in prop::collection::vec(any::<u8>(), 0..300)) {
            both(&text);
            both_stops(&text);
        }

        #[test]
        fn stops_equal_the_scalar_loop(html in "[ a\n\t<&\"\u{A0}\0]{0,200}") {
            both_stops(html.as_bytes());
        }
    }
}
