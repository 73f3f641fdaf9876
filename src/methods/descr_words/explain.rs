//! Why two documents have the same support words set or not: the words with their frequencies on both sides, and how near
//! each is to its threshold.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use similar::{Algorithm, capture_diff_slices};

use super::frequency::{is_over, tf_max};
use super::supports::DescrWords;
use crate::explanation::{Explanation, Side};
use crate::method::{Piece, Reasons};
use crate::prepared::{Prepared, Term};

/// Most words of a list.
const LISTED: usize = 20;
/// Words named in a clause.
const NAMED: usize = 3;
/// Words listed that are set on neither side.
const UNSET: usize = 5;
/// Words of both texts together up to which they are compared word by word.
const COMPARED: usize = 200_000;
/// The two documents, as they are called.
const SIDES: [(Side, &str); 2] = [(Side::Source, "source"), (Side::Target, "target")];

/// A support word of either document.
struct Word {
    hash: u64,
    name: String,
    /// In hundredths.
    threshold: u8,
    /// How often it occurs in source and target.
    tf: [u32; 2],
    set: [bool; 2],
    /// How far the nearer of the two frequencies is from the threshold.
    margin: f64,
}

/// Two documents compared by their support words.
struct Contrast<'d> {
    method: &'d DescrWords,
    documents: [&'d Prepared<'d>; 2],
    most: [u32; 2],
    /// By margin, the smallest first.
    words: Vec<Word>,
}

pub(super) fn reasons(method: &DescrWords, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
    let contrast = Contrast::new(method, [source, target]);
    let mut reasons = contrast.verdict();
    reasons.parts = contrast.parts();
    reasons
}

impl<'d> Contrast<'d> {
    fn new(method: &'d DescrWords, documents: [&'d Prepared<'d>; 2]) -> Self {
        let most = documents.map(|document| tf_max(document.terms()));
        let mut found: BTreeMap<u64, ([u32; 2], String)> = BTreeMap::new();
        for (side, document) in documents.into_iter().enumerate() {
            for term in support_terms(method, document) {
                let entry = found.entry(term.hash).or_insert_with(|| ([0, 0], document.word(term).into_owned()));
                entry.0[side] = term.tf;
            }
        }
        let mut words: Vec<Word> = Vec::with_capacity(found.len());
        for (hash, (tf, name)) in found {
            let threshold = method.supports.threshold(hash);
            let set = [0, 1].map(|side| is_over(tf[side], most[side], threshold));
            let away = [0, 1].map(|side| (frequency(tf[side], most[side]) - f64::from(threshold) / 100.0).abs());
            words.push(Word { hash, name, threshold, tf, set, margin: away[0].min(away[1]) });
        }
        words.sort_by(|a, b| a.margin.total_cmp(&b.margin).then_with(|| a.name.cmp(&b.name)));
        Self { method, documents, most, words }
    }

    /// The words that are set on exactly these sides.
    fn set_on(&self, set: [bool; 2]) -> Vec<&Word> {
        self.words.iter().filter(|word| word.set == set).collect()
    }

    /// Everything but the parts.
    fn verdict(&self) -> Reasons {
        if let Some(claim) = self.missing_sketch() {
            return Reasons { claim, ..Reasons::default() };
        }
        let both = self.set_on([true, true]);
        let (value, claim) = (self.differing().count(), self.difference());
        if value > 0 {
            return Reasons { claim, value: Some(value as f64), decisive: self.decisive(), ..Reasons::default() };
        }
        let claim = format!("the same {} support words over their thresholds: {}", both.len(), clause(&both));
        let pieces = both.iter().take(LISTED).map(|word| self.piece(word)).collect();
        Reasons { claim, value: Some(0.0), pieces, ..Reasons::default() }
    }

    fn differing(&self) -> impl Iterator<Item = &Word> {
        self.words.iter().filter(|word| word.set[0] != word.set[1])
    }

    /// Why a document has no sketch; `None` when both have one.
    fn missing_sketch(&self) -> Option<String> {
        let rule = &self.method.rule;
        if self.method.supports.is_empty() {
            return Some(format!(
                "no support words were chosen: too few words stand in {} or more documents of the collection",
                rule.minimum
            ));
        }
        let lacks: Vec<String> = (0..2)
            .map(|side| (side, self.words.iter().filter(|word| word.set[side]).count()))
            .filter(|(_, count)| *count < rule.least_set)
            .map(|(side, count)| {
                let verb = if count == 1 { "word is over its threshold" } else { "words are over their thresholds" };
                format!("{count} support {verb} in the {}, {} are needed", SIDES[side].1, rule.least_set)
            })
            .collect();
        (!lacks.is_empty()).then(|| lacks.join("; "))
    }

    /// How the sets differ, with the word of the smallest margin first.
    fn difference(&self) -> String {
        let differing: Vec<&Word> = self.differing().collect();
        let Some(first) = differing.first() else { return String::new() };
        let [has, lacks] = if first.set[0] { [0, 1] } else { [1, 0] };
        let away = |side: usize| {
            let away = frequency(first.tf[side], self.most[side]) - f64::from(first.threshold) / 100.0;
            let how = match side == has {
                true => format!("{away:.2} over"),
                false if away == 0.0 => "just at it".to_owned(),
                false => format!("{:.2} short", -away),
            };
            format!("{how} in the {}", SIDES[side].1)
        };
        let mut claim = format!(
            "support words over their thresholds: {} in both, {} on one side only; “{}” is {}, {}",
            self.set_on([true, true]).len(),
            differing.len(),
            first.name,
            away(has),
            away(lacks)
        );
        if differing.len() > 1 {
            claim.push_str(&format!("; also {}", clause(&differing[1..])));
        }
        claim
    }

    /// Cutting all places of a set word unsets it.
    fn piece(&self, word: &Word) -> Piece {
        let [source, target] = self.documents.map(|document| document.places(word.hash));
        Piece { claim: format!("“{}”", word.name), source, target }
    }

    fn parts(&self) -> Vec<Explanation> {
        let count = self.method.supports.len();
        let mut parts =
            vec![Explanation::new(format!("{count} support words were chosen from the collection"), count as f64)];
        parts.extend((0..2).map(|side| self.side(side)));
        let lists = [
            (self.differing().collect(), LISTED, "over the threshold on one side only"),
            (self.set_on([true, true]), LISTED, "over the threshold on both sides"),
            (self.set_on([false, false]), UNSET, "below the threshold on both sides"),
        ];
        parts.extend(
            lists
                .iter()
                .filter(|(words, ..)| !words.is_empty())
                .map(|(words, most, what)| self.list(words, *most, what)),
        );
        parts
    }

    /// What one document has of the support words.
    fn side(&self, side: usize) -> Explanation {
        let document = self.documents[side];
        let different = document.terms().iter().filter(|term| term.content).count();
        let support = self.words.iter().filter(|word| word.tf[side] > 0).count();
        let set = self.words.iter().filter(|word| word.set[side]).count();
        let claim = format!(
            "the {}: {support} of {different} content words are support words, {set} over their thresholds; the most frequent word occurs {}×",
            SIDES[side].1, self.most[side]
        );
        Explanation::new(claim, set as f64)
    }

    /// Words with their frequencies, by margin.
    fn list(&self, words: &[&Word], most: usize, what: &str) -> Explanation {
        let mut parts: Vec<Explanation> = words.iter().take(most).map(|word| self.word_part(word)).collect();
        if words.len() > most {
            let more = words.len() - most;
            parts.push(Explanation::new(format!("{more} more, further from turning"), more as f64));
        }
        Explanation::new(format!("{} {what}, nearest to turning first", words.len()), words.len() as f64).with(parts)
    }

    fn word_part(&self, word: &Word) -> Explanation {
        let [a, b] = [0, 1].map(|side| {
            let (tf, most) = (word.tf[side], self.most[side]);
            format!("{:.2} ({tf} of {most}) in the {}", frequency(tf, most), SIDES[side].1)
        });
        let threshold = f64::from(word.threshold) / 100.0;
        let claim = format!("“{}”: {a}, {b}; threshold {threshold:.2}", word.name);
        let mut part = Explanation::new(claim, word.margin);
        for (document, (side, _)) in self.documents.iter().zip(SIDES) {
            for place in document.places(word.hash) {
                part = part.at(side, place);
            }
        }
        part
    }

    /// Where the target differs in the words that are set on one side only, or in those that all frequencies are
    /// measured by.
    fn decisive(&self) -> Vec<Range<usize>> {
        let [source, target] = self.documents;
        let mut words: BTreeSet<u64> = self.differing().map(|word| word.hash).collect();
        if self.most[0] != self.most[1] {
            for (document, most) in self.documents.iter().zip(self.most) {
                let terms = document.terms().iter();
                words.extend(terms.filter(|term| term.content && term.tf == most).map(|term| term.hash));
            }
        }
        let (a, b) = (source.tokens().hashes(), target.tokens().hashes());
        if a.len() + b.len() > COMPARED {
            return words.iter().flat_map(|&word| target.places(word)).collect();
        }
        let mut spans = Vec::new();
        for operation in capture_diff_slices(Algorithm::Myers, a, b) {
            let (old, new) = (operation.old_range(), operation.new_range());
            let concerns_words = a[old.clone()].iter().chain(&b[new.clone()]).any(|hash| words.contains(hash));
            if a[old] != b[new.clone()] && concerns_words {
                spans.extend(span(target, new));
            }
        }
        spans
    }
}

/// The support words of a document.
fn support_terms<'d>(method: &'d DescrWords, document: &'d Prepared<'_>) -> impl Iterator<Item = &'d Term> {
    document.terms().iter().filter(|term| term.content && method.supports.threshold(term.hash) != 0)
}

fn frequency(tf: u32, most: u32) -> f64 {
    f64::from(tf) / f64::from(most.max(1))
}

/// The bytes of some tokens; of none, those of their neighbours.
fn span(document: &Prepared<'_>, tokens: Range<usize>) -> Option<Range<usize>> {
    let all = document.tokens();
    let Range { start, end } =
        if tokens.is_empty() { tokens.start.saturating_sub(1)..(tokens.end + 1).min(all.len()) } else { tokens };
    (start < end).then(|| all.span(start).start..all.span(end - 1).end)
}

/// The first words by name, and how many more there are.
fn clause(words: &[&Word]) -> String {
    let names: Vec<String> = words.iter().take(NAMED).map(|word| format!("“{}”", word.name)).collect();
    let more = words.len().saturating_sub(NAMED);
    if more > 0 { format!("{} and {more} more", names.join(", ")) } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descr_words::tests::{learned, page};
    use crate::parameters::Value;
    use crate::testing;

    fn reasons_of(source: &str, target: &str) -> Reasons {
        let method = learned(&[]);
        testing::reasons(&*method, source, target)
    }

    fn lines(reasons: &Reasons) -> Vec<String> {
        reasons.parts.iter().flat_map(Explanation::lines).collect()
    }

    #[test]
    fn a_match_lists_what_is_set_nearest_to_turning_first() {
        let source = page(&[("harbour", 10), ("tide", 7), ("mill", 9), ("grain", 1)]);
        let target = page(&[("mill", 8), ("tide", 8), ("harbour", 10), ("basin", 3)]);
        let reasons = reasons_of(&source, &target);
        assert_eq!(reasons.claim, "the same 3 support words over their thresholds: “tide”, “mill”, “harbour”");
        assert_eq!((reasons.value, reasons.pieces.len(), reasons.decisive.len()), (Some(0.0), 3, 0));
        assert_eq!(
            lines(&reasons),
            [
                "5 support words were chosen from the collection",
                "the source: 4 of 4 content words are support words, 3 over their thresholds; the most frequent word occurs 10×",
                "the target: 3 of 4 content words are support words, 3 over their thresholds; the most frequent word occurs 10×",
                "3 over the threshold on both sides, nearest to turning first",
                "  “tide”: 0.70 (7 of 10) in the source, 0.80 (8 of 10) in the target; threshold 0.50",
                "  “mill”: 0.90 (9 of 10) in the source, 0.80 (8 of 10) in the target; threshold 0.50",
                "  “harbour”: 1.00 (10 of 10) in the source, 1.00 (10 of 10) in the target; threshold 0.50",
                "1 below the threshold on both sides, nearest to turning first",
                "  “grain”: 0.10 (1 of 10) in the source, 0.00 (0 of 10) in the target; threshold 0.50",
            ]
        );
        let tide = &reasons.parts[3].parts[0];
        assert!((tide.value.unwrap() - 0.2).abs() < 1e-9);
        let of = |side| tide.spans.iter().filter(|(other, _)| *other == side).count();
        assert_eq!((of(Side::Source), of(Side::Target)), (7, 8), "all places");
        assert!(reasons.pieces[0].target.iter().all(|span| &target[span.clone()] == "tide"));
    }

    #[test]
    fn a_miss_names_what_differs_and_where() {
        let source = page(&[("harbour", 6), ("tide", 5), ("mill", 5)]) + "wheel wheel wheel wheel basin";
        let target = source.replace("wheel wheel basin", "wheel basin");
        let reasons = reasons_of(&source, &target);
        assert_eq!(
            reasons.claim,
            "support words over their thresholds: 3 in both, 1 on one side only; “wheel” is 0.17 over in the source, just at it in the target"
        );
        assert_eq!((reasons.value, reasons.pieces.len()), (Some(1.0), 0));
        let spans: Vec<&str> = reasons.decisive.iter().map(|span| &target[span.clone()]).collect();
        assert!(spans.len() == 1 && spans[0].contains("wheel"), "{spans:?}");
        assert_eq!(reasons.parts[3].claim, "1 over the threshold on one side only, nearest to turning first");
    }

    #[test]
    fn a_miss_may_lie_in_the_most_frequent_word() {
        let source = page(&[("harbour", 7), ("tide", 9), ("mill", 10), ("wheel", 10), ("sluice", 10)]);
        let target = source.clone() + "sluice sluice sluice sluice sluice";
        let reasons = reasons_of(&source, &target);
        assert!(reasons.claim.contains("“harbour” is 0.20 over in the source, 0.03 short in"), "{}", reasons.claim);
        let spans: Vec<&str> = reasons.decisive.iter().map(|span| &target[span.clone()]).collect();
        assert_eq!(spans, ["sluice sluice sluice sluice sluice"]);
    }

    #[test]
    fn no_sketch_says_why() {
        let (full, two) = (page(&[("harbour", 2), ("tide", 2), ("mill", 2)]), page(&[("harbour", 2), ("tide", 2)]));
        assert_eq!(
            reasons_of(&full, &two).claim,
            "2 support words are over their thresholds in the target, 3 are needed"
        );
        let both = reasons_of("tide", "");
        assert_eq!(
            both.claim,
            "1 support word is over its threshold in the source, 3 are needed; 0 support words are over their thresholds in the target, 3 are needed"
        );
        assert!(both.value.is_none() && both.pieces.is_empty() && both.decisive.is_empty());
        let method = learned(&[("minimum", Value::Whole(41))]);
        let nothing = testing::reasons(&*method, &full, &full);
        assert_eq!(
            nothing.claim,
            "no support words were chosen: too few words stand in 41 or more documents of the collection"
        );
    }
}
