//! Which sentences of a document stand for it, what is their signature, and why do two documents choose differently?
//!
//! Shared by [`super::long_sent`] and [`super::heavy_sent`], which differ only in what a sentence is worth;
//! [`super::sentences_words`] uses the choosing and the reasons. Choosing is one pass that keeps the few best, so the
//! order of the alphabet is asked for only between sentences of equal worth, and nothing is allocated for the others.
//!
//! The signature is a hash of the chosen sentences in alphabetical order: the n-gram hash of [`crate::base::hash`] over
//! the n-gram hashes of their content words, or CRC-32 over these words in case folding, one space between words, one
//! line feed between sentences. The alphabet is that of code points. A sentence without a content word is empty after
//! the paper's preprocessing and is not chosen; a sentence that stands twice is chosen twice.

use std::cmp::Ordering;
use std::ops::Range;

use flate2::Crc;

use super::catalogue::{Evidence, Reasons};
use super::explanation::{Explanation, Side};
use super::parameters::{Allowed, Parameter, Preset, Values};
use super::prepared::{Prepared, Sentence, Term};
use super::why::Piece;
use crate::base::hash::{Roll, fmix64};
use crate::text::fold;

/// The parameter that says how many sentences are chosen.
pub const SENTENCES: Parameter = Parameter {
    name: "sentences",
    about: "sentences in the signature; more of them find fewer and truer pairs, and leave out pages with fewer",
    default: Preset::Whole(2),
    allowed: Allowed::Whole(1, 16),
};

/// The parameter that says what is computed of them.
pub const HASH: Parameter = Parameter {
    name: "hash",
    about: "hash of the sentences: 64 bits, or the paper's CRC-32, which collides in collections of millions",
    default: Preset::Word("xxh3"),
    allowed: Allowed::Words(&["xxh3", "crc32"]),
};

/// Steps in which weights are counted: sums are exact, the same in any order, and cannot overflow (a weight is below
/// 2^6, a sentence has fewer than 2^32 words).
pub const STEPS: f64 = (1u64 << 24) as f64;

/// Characters of a sentence that an explanation quotes.
const QUOTED: usize = 60;

/// How many sentences are chosen, and what is computed of them.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    sentences: usize,
    crc32: bool,
}

impl Rule {
    /// As [`SENTENCES`] and [`HASH`] say.
    pub fn new(values: &Values) -> Self {
        Self { sentences: values.whole(SENTENCES.name).unwrap_or(1) as usize, crc32: values.word(HASH.name) == "crc32" }
    }

    /// Appends the signature of the sentences of highest worth; false when there are fewer than the rule asks for.
    pub fn sketch(&self, document: &Prepared<'_>, worth: impl Fn(usize) -> i64, out: &mut Vec<u64>) -> bool {
        let mut chosen = foremost(candidates(document), self.sentences, |a, b| by_worth(document, &worth, a, b));
        if chosen.len() < self.sentences {
            return false;
        }
        out.push(self.signature(document, &mut chosen));
        true
    }

    fn signature(&self, document: &Prepared<'_>, chosen: &mut [usize]) -> u64 {
        let sentences = document.sentences();
        chosen.sort_by(|&a, &b| alphabetical(document, &sentences[a], &sentences[b]));
        if self.crc32 {
            return u64::from(crc32(document, chosen));
        }
        let hashes: Vec<u64> = chosen.iter().map(|&i| sentences[i].hash).collect();
        Roll::new(&hashes, hashes.len()).next().unwrap_or_default()
    }

    /// Appends the key of a sketch: the signature, with its 32 bits spread over 64.
    pub fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        out.extend(sketch.iter().map(|&word| if self.crc32 { fmix64(word) } else { word }));
    }

    /// Signatures are equal or not.
    pub fn compare(a: &[u64], b: &[u64]) -> Option<Evidence> {
        (a == b).then_some(Evidence { distance: 0 })
    }

    /// 16 hex digits, 8 of a CRC-32.
    pub fn print(&self, sketch: &[u64]) -> String {
        let digits = if self.crc32 { 8 } else { 16 };
        sketch.iter().map(|word| format!("{word:0digits$x}")).collect()
    }

    /// The sentences of a document by worth.
    pub fn ranking<'d>(&self, side: Side, document: &'d Prepared<'d>, worth: impl Fn(usize) -> i64) -> Ranking<'d> {
        let mut order: Vec<usize> = candidates(document).collect();
        order.sort_by(|&a, &b| by_worth(document, &worth, a, b));
        let worth = (0..document.sentences().len()).map(worth).collect();
        Ranking { side, document, worth, order, take: self.sentences }
    }

    /// What decided between two rankings, in this unit.
    pub fn reasons(&self, source: &Ranking<'_>, target: &Ranking<'_>, unit: Unit) -> Reasons {
        let short: Vec<String> = [source, target]
            .into_iter()
            .filter(|ranking| ranking.order.len() < self.sentences)
            .map(|ranking| format!("the {} has {}", name(ranking.side), ranking.order.len()))
            .collect();
        if !short.is_empty() {
            let wanted = counted(self.sentences, "sentence");
            let claim = format!("the signature takes {wanted} with content words, {}", short.join(" and "));
            return Reasons { claim, value: f64::NAN, ..Reasons::default() };
        }
        let [a, b] = [source, target].map(|r| self.signature(r.document, &mut r.chosen().to_vec()));
        let lacking = lacks(source, target, unit);
        let common = self.sentences - lacking.len();
        let mut parts = vec![choice(source, target, unit), choice(target, source, unit)];
        let claim = match lacking.first() {
            None => {
                let quotes: Vec<String> = source.chosen().iter().map(|&i| source.quoted(i)).collect();
                let of = if self.sentences == 1 { "sentence" } else { "sentences" };
                format!("the same {} {} {of}: {}", self.sentences, unit.highest(), quotes.join(", "))
            }
            Some(_) if a == b => format!("the checksums agree by chance, {common} of {} sentences do", self.sentences),
            Some(first) => format!("{common} of {} sentences are the same; {}", self.sentences, first.claim),
        };
        if !lacking.is_empty() {
            parts.push(differences(lacking, lacks(target, source, unit)));
        }
        if a == b {
            return Reasons { claim, value: 0.0, parts, pieces: pieces(source, target), decisive: Vec::new() };
        }
        let value = (self.sentences - common) as f64;
        Reasons { claim, value, parts, pieces: Vec::new(), decisive: decisive(source, target, unit) }
    }
}

/// What the worth of a sentence is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Content words.
    Words,
    /// Weight of them, in [`STEPS`].
    Weight,
}

impl Unit {
    fn highest(self) -> &'static str {
        match self {
            Self::Words => "longest",
            Self::Weight => "heaviest",
        }
    }

    fn number(self, worth: i64) -> f64 {
        match self {
            Self::Words => worth as f64,
            Self::Weight => worth as f64 / STEPS,
        }
    }

    fn amount(self, worth: i64) -> String {
        match self {
            Self::Words => counted(worth as usize, "word"),
            Self::Weight => format!("weight {:.2}", self.number(worth)),
        }
    }

    /// How far `worth` is below the last that was chosen.
    fn below(self, cut: i64, worth: i64) -> String {
        match (self, cut - worth) {
            (_, 0) => "level with the cut and behind it in order".to_owned(),
            (Self::Words, gap) => format!("{} below the cut", counted(gap as usize, "word")),
            // A gap is never shown as none.
            (Self::Weight, gap) if self.number(gap) < 0.005 => "less than 0.01 below the cut".to_owned(),
            (Self::Weight, gap) => format!("{:.2} below the cut", self.number(gap)),
        }
    }
}

/// The sentences of a document in the order in which a method would take them.
#[derive(Debug)]
pub struct Ranking<'d> {
    /// Which of the two documents.
    pub side: Side,
    document: &'d Prepared<'d>,
    /// Of each sentence of the document.
    worth: Vec<i64>,
    /// Numbers of sentences, the first the best.
    order: Vec<usize>,
    take: usize,
}

impl<'d> Ranking<'d> {
    /// The longest sentences first, ties by signature; all sentences take part.
    pub fn by_length(side: Side, document: &'d Prepared<'d>, take: usize) -> Self {
        let sentences = document.sentences();
        let mut order: Vec<usize> = (0..sentences.len()).collect();
        order.sort_by(|&a, &b| by_length(&sentences[a], &sentences[b]));
        let worth = sentences.iter().map(|sentence| i64::from(sentence.words)).collect();
        Self { side, document, worth, order, take }
    }

    /// Numbers of the sentences that are chosen, best first.
    pub fn chosen(&self) -> &[usize] {
        &self.order[..self.take.min(self.order.len())]
    }

    fn sentence(&self, i: usize) -> &'d Sentence {
        &self.document.sentences()[i]
    }

    fn hash(&self, i: usize) -> u64 {
        self.sentence(i).hash
    }

    fn span(&self, i: usize) -> Range<usize> {
        self.document.sentence_span(self.sentence(i))
    }

    fn quoted(&self, i: usize) -> String {
        quoted(&self.document.text()[self.span(i)])
    }

    /// Worth of the last that is chosen.
    fn cut(&self) -> i64 {
        self.chosen().last().map_or(0, |&i| self.worth[i])
    }

    /// All places of the sentences that are the same as number `i` of `whose`.
    fn places(&self, whose: &Ranking<'_>, i: usize) -> Vec<Range<usize>> {
        let sentences = self.document.sentences().iter();
        sentences.filter(|s| s.hash == whose.hash(i)).map(|s| self.document.sentence_span(s)).collect()
    }
}

/// The first `take` of some numbers in an order, without sorting the others; of equal ones the earlier first.
pub fn foremost(
    numbers: impl Iterator<Item = usize>,
    take: usize,
    mut order: impl FnMut(usize, usize) -> Ordering,
) -> Vec<usize> {
    let mut best: Vec<usize> = Vec::with_capacity(take + 1);
    for number in numbers {
        let mut at = best.len();
        while at > 0 && order(number, best[at - 1]) == Ordering::Less {
            at -= 1;
        }
        if at < take {
            best.insert(at, number);
            best.truncate(take);
        }
    }
    best
}

/// More content words first, then the smaller signature.
pub fn by_length(a: &Sentence, b: &Sentence) -> Ordering {
    b.words.cmp(&a.words).then(a.hash.cmp(&b.hash))
}

/// Sentences with a content word.
fn candidates(document: &Prepared<'_>) -> impl Iterator<Item = usize> {
    let sentences = document.sentences().iter().enumerate();
    sentences.filter(|(_, sentence)| sentence.words > 0).map(|(i, _)| i)
}

/// Higher worth first, then alphabetical.
fn by_worth(document: &Prepared<'_>, worth: impl Fn(usize) -> i64, a: usize, b: usize) -> Ordering {
    let sentences = document.sentences();
    worth(b).cmp(&worth(a)).then_with(|| alphabetical(document, &sentences[a], &sentences[b]))
}

/// The content words of a sentence, in order.
fn content<'d>(document: &'d Prepared<'_>, sentence: &Sentence) -> impl Iterator<Item = &'d Term> {
    let (terms, of) = (document.terms(), document.term_of());
    let words = &of[sentence.tokens.start as usize..sentence.tokens.end as usize];
    words.iter().map(|&term| &terms[term as usize]).filter(|term| term.content)
}

/// The order of the joined content words; since a space sorts before any letter or digit, that of word by word.
fn alphabetical(document: &Prepared<'_>, a: &Sentence, b: &Sentence) -> Ordering {
    if a.hash == b.hash {
        return Ordering::Equal;
    }
    let (mut left, mut right) = (content(document, a), content(document, b));
    loop {
        match (left.next(), right.next()) {
            (Some(x), Some(y)) if x.hash == y.hash => {}
            (Some(x), Some(y)) => return spelling(document, x, y),
            (x, y) => return x.is_some().cmp(&y.is_some()),
        }
    }
}

fn spelling(document: &Prepared<'_>, a: &Term, b: &Term) -> Ordering {
    let [x, y] = [a, b].map(|term| document.text()[document.tokens().span(term.first as usize)].as_bytes());
    if x.is_ascii() && y.is_ascii() {
        return x.iter().map(u8::to_ascii_lowercase).cmp(y.iter().map(u8::to_ascii_lowercase));
    }
    document.word(a).cmp(&document.word(b))
}

/// CRC-32 of the chosen sentences, joined.
fn crc32(document: &Prepared<'_>, chosen: &[usize]) -> u32 {
    let (mut joined, mut folded) = (String::new(), String::new());
    for (i, &number) in chosen.iter().enumerate() {
        if i > 0 {
            joined.push('\n');
        }
        push_words(document, &document.sentences()[number], &mut joined, &mut folded);
    }
    let mut crc = Crc::new();
    crc.update(joined.as_bytes());
    crc.sum()
}

/// Appends the content words of a sentence in case folding, one space between them.
fn push_words(document: &Prepared<'_>, sentence: &Sentence, joined: &mut String, folded: &mut String) {
    for (i, term) in content(document, sentence).enumerate() {
        if i > 0 {
            joined.push(' ');
        }
        let word = &document.text()[document.tokens().span(term.first as usize)];
        if word.is_ascii() {
            let start = joined.len();
            joined.push_str(word);
            joined[start..].make_ascii_lowercase();
        } else {
            fold(word, folded);
            joined.push_str(folded);
        }
    }
}

/// A chosen sentence that the other side did not choose.
#[derive(Debug)]
pub struct Lack {
    /// Where it stands there, or what stands there instead.
    pub claim: String,
    /// How far from being chosen there; not a number where it does not stand there at all.
    value: f64,
    here: (Side, Range<usize>),
    there: Option<(Side, Range<usize>)>,
    /// Whether the place there is of another, similar sentence.
    similar: bool,
}

/// What `mine` chose and `other` did not, one to one, best first.
pub fn lacks(mine: &Ranking<'_>, other: &Ranking<'_>, unit: Unit) -> Vec<Lack> {
    unmatched(mine, other).into_iter().map(|i| lack(mine, i, other, unit)).collect()
}

fn unmatched(mine: &Ranking<'_>, other: &Ranking<'_>) -> Vec<usize> {
    let mut left: Vec<u64> = other.chosen().iter().map(|&i| other.hash(i)).collect();
    let mut alone = Vec::new();
    for &i in mine.chosen() {
        match left.iter().position(|hash| *hash == mine.hash(i)) {
            Some(at) => drop(left.swap_remove(at)),
            None => alone.push(i),
        }
    }
    alone
}

fn lack(mine: &Ranking<'_>, i: usize, other: &Ranking<'_>, unit: Unit) -> Lack {
    let (quote, there) = (mine.quoted(i), name(other.side));
    let here = (mine.side, mine.span(i));
    let chosen = other.chosen().len();
    let lower = other.order[chosen..].iter().position(|&j| other.hash(j) == mine.hash(i));
    if let Some(at) = lower {
        let j = other.order[chosen + at];
        let below = unit.below(other.cut(), other.worth[j]);
        let claim = format!("{quote} stands {} in the {there}, {below}", ordinal(chosen + at + 1));
        let value = unit.number(other.cut() - other.worth[j]);
        return Lack { claim, value, here, there: Some((other.side, other.span(j))), similar: false };
    }
    if let Some(&j) = other.chosen().iter().find(|&&j| other.hash(j) == mine.hash(i)) {
        let claim = format!("{quote} stands more often in the {}", name(mine.side));
        return Lack { claim, value: f64::NAN, here, there: Some((other.side, other.span(j))), similar: false };
    }
    let Some((j, common)) = nearest(mine, i, other) else {
        let claim = format!("{quote} is not in the {there}, nor anything like it");
        return Lack { claim, value: f64::NAN, here, there: None, similar: false };
    };
    let [here_words, there_words] = [(mine, i), (other, j)].map(|(r, i)| words(r.document, r.sentence(i)).len());
    let alike = format!("{}, {}", other.quoted(j), counted(common, "word"));
    let claim = format!("{quote} is not in the {there}; nearest is {alike} the same of {here_words} and {there_words}");
    Lack { claim, value: f64::NAN, here, there: Some((other.side, other.span(j))), similar: true }
}

/// The sentence of the other document that is most like one of mine, with the words they share; at least half of them.
fn nearest(mine: &Ranking<'_>, i: usize, other: &Ranking<'_>) -> Option<(usize, usize)> {
    let wanted = words(mine.document, mine.sentence(i));
    let mut best = None;
    for (j, sentence) in other.document.sentences().iter().enumerate() {
        let found = words(other.document, sentence);
        let (common, both) = (common(&wanted, &found), wanted.len() + found.len());
        // Dice, compared without dividing.
        if 4 * common >= both && best.is_none_or(|(_, c, b)| common * b > c * both) {
            best = Some((j, common, both));
        }
    }
    best.map(|(j, common, _)| (j, common))
}

/// Hashes of what a sentence is hashed from, ascending.
fn words(document: &Prepared<'_>, sentence: &Sentence) -> Vec<u64> {
    let mut words: Vec<u64> = content(document, sentence).map(|term| term.hash).collect();
    if words.is_empty() {
        let tokens = sentence.tokens.start as usize..sentence.tokens.end as usize;
        words.extend_from_slice(&document.tokens().hashes()[tokens]);
    }
    words.sort_unstable();
    words
}

/// How many two ascending lists have in common, one to one.
fn common(a: &[u64], b: &[u64]) -> usize {
    let (mut i, mut j, mut both) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => (i, j, both) = (i + 1, j + 1, both + 1),
        }
    }
    both
}

/// What one side chose, and by how much.
pub fn choice(mine: &Ranking<'_>, other: &Ranking<'_>, unit: Unit) -> Explanation {
    let chosen = mine.chosen();
    let alone = unmatched(mine, other);
    let (rest, value) = match mine.order.get(chosen.len()) {
        Some(&next) => {
            let below = unit.below(mine.cut(), mine.worth[next]);
            let gap = unit.number(mine.cut() - mine.worth[next]);
            (format!("the next has {}, {below}", unit.amount(mine.worth[next])), gap)
        }
        None => ("there are no others".to_owned(), f64::NAN),
    };
    let (count, all) = (chosen.len(), counted(mine.order.len(), "sentence"));
    let claim = format!("{}: the {count} {} of {all}; {rest}", name(mine.side), unit.highest());
    let parts = chosen
        .iter()
        .map(|&i| {
            let only = if alone.contains(&i) { "only here" } else { "chosen on both sides" };
            let claim = format!("{}, {}, {only}", mine.quoted(i), unit.amount(mine.worth[i]));
            let part = Explanation::new(claim, unit.number(mine.worth[i])).at(mine.side, mine.span(i));
            other.places(mine, i).into_iter().take(1).fold(part, |part, span| part.at(other.side, span))
        })
        .collect();
    Explanation::new(claim, value).with(parts)
}

/// The sentences that only one side chose, the first that differs first.
pub fn differences(source: Vec<Lack>, target: Vec<Lack>) -> Explanation {
    let parts: Vec<Explanation> = source
        .into_iter()
        .chain(target)
        .map(|lack| {
            let part = Explanation::new(lack.claim, lack.value).at(lack.here.0, lack.here.1);
            lack.there.into_iter().fold(part, |part, (side, span)| part.at(side, span))
        })
        .collect();
    Explanation::new("sentences that only one side chose, the first that differs first", parts.len() as f64).with(parts)
}

/// The sentences that both sides chose, best first, with all their places.
pub fn pieces(source: &Ranking<'_>, target: &Ranking<'_>) -> Vec<Piece> {
    let alone = unmatched(source, target);
    let mut pieces: Vec<Piece> = Vec::new();
    for &i in source.chosen().iter().filter(|i| !alone.contains(i)) {
        let piece = Piece {
            claim: format!("the sentence {}", source.quoted(i)),
            source: source.places(source, i),
            target: target.places(source, i),
        };
        if !pieces.contains(&piece) {
            pieces.push(piece);
        }
    }
    pieces
}

/// Where in the target the sentences differ: those that stand in place of the source's, then those that only it chose.
pub fn decisive(source: &Ranking<'_>, target: &Ranking<'_>, unit: Unit) -> Vec<Range<usize>> {
    let replaced = lacks(source, target, unit).into_iter().filter(|lack| lack.similar);
    let instead = replaced.filter_map(|lack| lack.there).map(|(_, span)| span);
    let own = lacks(target, source, unit).into_iter().map(|lack| lack.here.1);
    let mut spans: Vec<Range<usize>> = Vec::new();
    for span in instead.chain(own) {
        if !spans.contains(&span) {
            spans.push(span);
        }
    }
    spans
}

/// A passage between quotation marks, on one line and cut when it is long.
pub fn quoted(passage: &str) -> String {
    let line = passage.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("“{}…”", line[..end].trim_end()),
        None => format!("“{line}”"),
    }
}

/// As prose names a side.
pub fn name(side: Side) -> &'static str {
    match side {
        Side::Source => "source",
        Side::Target => "target",
    }
}

/// 1 word, 2 words.
pub fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// 1st, 2nd, 3rd, 4th, 11th, 21st.
pub fn ordinal(number: usize) -> String {
    let end = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}

#[cfg(test)]
pub mod testing {
    //! What the tests of both methods share.

    use crate::base::hash::{M, S, fmix64, token};

    fn ngram(parts: &[u64]) -> u64 {
        let sum = parts.iter().fold(0u64, |sum, part| sum.wrapping_mul(M).wrapping_add(*part));
        fmix64(sum.wrapping_add((parts.len() as u64).wrapping_mul(S)))
    }

    /// The signature of some sentences by its definition; their content words in case folding, one space between them.
    pub fn signature(sentences: &[&str]) -> u64 {
        let words = |sentence: &str| sentence.split(' ').map(|word| token(word.as_bytes())).collect::<Vec<u64>>();
        ngram(&sentences.iter().map(|sentence| ngram(&words(sentence))).collect::<Vec<u64>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::testing::{prose, with};
    use proptest::prelude::*;

    #[test]
    fn small_words() {
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 21, 103].map(ordinal),
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "21st", "103rd"]
        );
        assert_eq!([counted(0, "word"), counted(1, "word")], ["0 words", "1 word"]);
        assert_eq!(quoted("two\n lines"), "“two lines”");
        assert_eq!(quoted(&"é".repeat(61)), format!("“{}…”", "é".repeat(60)));
    }

    proptest! {
        #[test]
        fn foremost_is_the_front_of_sorting(numbers in proptest::collection::vec(0u8..9, 0..40), take in 0usize..6) {
            let order = |a: usize, b: usize| numbers[b].cmp(&numbers[a]);
            let mut sorted: Vec<usize> = (0..numbers.len()).collect();
            sorted.sort_by(|&a, &b| order(a, b));
            sorted.truncate(take);
            prop_assert_eq!(foremost(0..numbers.len(), take, order), sorted);
        }

        #[test]
        fn the_alphabet_is_that_of_the_joined_words(text in prose()) {
            with(&text, |document| {
                let joined = |sentence: &Sentence| {
                    let words: Vec<String> =
                        content(document, sentence).map(|term| document.word(term).into_owned()).collect();
                    words.join(" ")
                };
                for a in document.sentences() {
                    let mut pushed = String::new();
                    push_words(document, a, &mut pushed, &mut String::new());
                    assert_eq!(pushed, joined(a));
                    for b in document.sentences().iter().filter(|b| a.words > 0 && b.words > 0) {
                        assert_eq!(alphabetical(document, a, b), joined(a).cmp(&joined(b)));
                    }
                }
            });
        }
    }
}
