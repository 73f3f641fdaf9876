//! What two lists have in common, and ratios that are defined for every input, the empty one included.

/// How many numbers two ascending lists have in common; one that stands several times counts one to one.
#[inline]
pub fn common(a: &[u64], b: &[u64]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        common += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    common
}

/// What two lists of different words have in common, each ascending and with the times that a word occurs: how many,
/// and the sum of the products of their times.
#[inline]
pub fn common_times(a: (&[u64], &[u32]), b: (&[u64], &[u32])) -> (u32, u64) {
    let (mut i, mut j, mut common, mut dot) = (0, 0, 0, 0);
    while i < a.0.len() && j < b.0.len() {
        let (x, y) = (a.0[i], b.0[j]);
        if x == y {
            common += 1;
            dot += u64::from(a.1[i]) * u64::from(b.1[j]);
        }
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    (common, dot)
}

/// `part / whole`, and 0 when there is no whole: an empty document resembles nothing.
#[inline]
pub fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Jaccard of two sets, from their sizes and the size of their intersection. Sizes that contradict each other, as a file that
/// somebody changed may have them, give some number, too.
#[inline]
pub fn jaccard(common: u32, a: u32, b: u32) -> f64 {
    let common = u64::from(common);
    ratio(common, (u64::from(a) + u64::from(b)).saturating_sub(common))
}

/// Dice of two sets, from their sizes and the size of their intersection.
#[inline]
pub fn dice(common: u64, a: u64, b: u64) -> f64 {
    ratio(2 * common, a + b)
}

/// `dot / √(a·b)`, and 0 when either norm is 0. `a` and `b` are squared norms.
///
/// One root of the product, not a product of two roots: √(a·a) is `a` whatever is rounded, so equal texts have exactly 1 and
/// no texts have more.
#[inline]
pub fn cosine(dot: f64, a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { dot / (a * b).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_is_a_case() {
        assert_eq!(ratio(0, 0), 0.0);
        assert_eq!(jaccard(0, 0, 0), 0.0);
        assert_eq!(dice(0, 0, 0), 0.0);
        assert_eq!(cosine(0.0, 0.0, 4.0), 0.0);
    }

    #[test]
    fn by_hand() {
        assert_eq!([common(&[1, 3, 3, 5], &[3, 3, 3, 5, 8]), common(&[], &[1]), common(&[2], &[1, 3])], [3, 0, 0]);
        assert_eq!(common_times((&[1, 3, 5], &[2, 3, 1]), (&[3, 4, 5], &[2, 9, 7])), (2, 13));
        assert_eq!(jaccard(1, 2, 2), 1.0 / 3.0);
        assert_eq!(dice(1, 2, 2), 0.5);
        assert_eq!(cosine(1.0, 2.0, 2.0), 0.5);
    }

    #[test]
    fn equal_texts_have_a_cosine_of_exactly_one() {
        for norm in (1..10_000).chain([(1 << 53) - 1, 1u64 << 60]) {
            let norm = norm as f64;
            assert_eq!(cosine(norm, norm, norm), 1.0, "{norm}");
            assert!(cosine(norm, norm, norm + 1.0) <= 1.0, "{norm}");
        }
    }
}
