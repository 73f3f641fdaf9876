//! Compares the words of two documents by a lexicon: which are in both signatures, which in one only, how near these are to
//! a bound of the lexicon, and where they are, or are missing, in the texts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use super::{FEWEST, Lexicon, Rarity, Selection};
use crate::explanation::{Explanation, Side};
use crate::method::Piece;
use crate::prepared::{Prepared, Term};

/// Most entries of a list.
pub const LISTED: usize = 20;
/// Words named in a clause.
const NAMED: usize = 3;
/// Tokens on either side of a missing word within which its neighbours are looked for.
const REACH: usize = 5;
/// Places of a missing word that are looked for.
const GAPS: usize = 5;
/// The two documents, as they are called.
const SIDES: [(Side, &str); 2] = [(Side::Source, "source"), (Side::Target, "target")];

/// A word of either document.
#[derive(Debug, Clone)]
pub struct Word {
    pub hash: u64,
    pub text: String,
    /// Number of documents of the collection with the word.
    pub documents: u32,
    pub rarity: Rarity,
    /// Whether it is in the source and in the target.
    pub occurs: [bool; 2],
    /// Whether it counts for the signature of the source and of the target.
    pub counts: [bool; 2],
}

impl Word {
    /// Whether it counts on one side only.
    pub fn differs(&self) -> bool {
        self.counts[0] != self.counts[1]
    }

    /// Whether it counts on both sides.
    pub fn shared(&self) -> bool {
        self.counts == [true, true]
    }
}

/// Two documents compared by a lexicon.
#[derive(Debug)]
pub struct Contrast<'d> {
    lexicon: &'d Lexicon,
    documents: [&'d Prepared<'d>; 2],
    selections: [Selection<'d>; 2],
    rarer: [Vec<&'d Term>; 2],
}

impl<'d> Contrast<'d> {
    pub fn new(lexicon: &'d Lexicon, source: &'d Prepared<'d>, target: &'d Prepared<'d>) -> Self {
        let documents = [source, target];
        Self {
            lexicon,
            documents,
            selections: documents.map(|document| lexicon.selection(document)),
            rarer: documents.map(|document| lexicon.rarer(document)),
        }
    }

    /// Why a document has no signature; `None` when both have one.
    pub fn missing_signatures(&self) -> Option<String> {
        let lacks: Vec<String> = (0..2).filter_map(|side| self.missing_signature(side)).collect();
        (!lacks.is_empty()).then(|| lacks.join("; "))
    }

    fn missing_signature(&self, side: usize) -> Option<String> {
        let Selection { unique, needed, within } = &self.selections[side];
        let usable = within.len() + self.rarer[side].len();
        let name = SIDES[side].1;
        if *unique < FEWEST {
            return Some(format!("the {name} has {unique} different words that count, {FEWEST} are needed"));
        }
        let claim = || format!("{usable} of the {unique} words of the {name} can be used, {needed} are needed");
        (usable < *needed).then(claim)
    }

    /// All words of both documents under a lexicon that keeps some words of L, rarest first.
    pub fn words(&self, keeps: impl Fn(u64) -> bool) -> Vec<Word> {
        let mut words: BTreeMap<u64, Word> = BTreeMap::new();
        for side in 0..2 {
            for (term, documents) in self.lexicon.counted_words(self.documents[side]) {
                let word = words.entry(term.hash).or_insert_with(|| Word {
                    hash: term.hash,
                    text: self.documents[side].word(term).into_owned(),
                    documents,
                    rarity: self.lexicon.rarity(documents),
                    occurs: [false; 2],
                    counts: [false; 2],
                });
                word.occurs[side] = true;
            }
            for term in self.selections[side].chosen(&self.rarer[side], &keeps).unwrap_or_default() {
                if let Some(word) = words.get_mut(&term.hash) {
                    word.counts[side] = true;
                }
            }
        }
        let mut words: Vec<Word> = words.into_values().collect();
        words.sort_by(|a, b| (a.documents, &a.text).cmp(&(b.documents, &b.text)));
        words
    }

    /// What the lexicon is and what it has of both documents; then the words that both signatures have, those that
    /// only one has, and those that differ without counting.
    pub fn parts(&self, words: &[Word]) -> Vec<Explanation> {
        let of = |keep: &dyn Fn(&Word) -> bool| words.iter().filter(|word| keep(word)).collect::<Vec<_>>();
        let mut parts = vec![self.bounds()];
        parts.extend((0..2).map(|side| self.side(side, words)));
        parts.push(self.list("counted in both", &of(&Word::shared)));
        parts.push(self.list("counted in the source alone", &of(&|word| word.counts == [true, false])));
        parts.push(self.list("counted in the target alone", &of(&|word| word.counts == [false, true])));
        let unseen = of(&|word| word.counts == [false, false] && word.occurs[0] != word.occurs[1]);
        parts.push(self.list("in one of the two and not counted", &unseen));
        parts
    }

    fn bounds(&self) -> Explanation {
        let Lexicon { bounds: [low, high], documents: [fewest, most], statistics, .. } = self.lexicon;
        let claim = if fewest > most || *most == 0 {
            format!("the collection has no words of normalised idf {low} to {high}")
        } else {
            let all = statistics.documents();
            format!("the lexicon: words of normalised idf {low} to {high}, in {fewest} to {most} of {all} documents")
        };
        Explanation::new(claim, None)
    }

    fn side(&self, side: usize, words: &[Word]) -> Explanation {
        let Selection { unique, needed, within } = &self.selections[side];
        let added = words.iter().filter(|word| word.counts[side] && word.rarity == Rarity::Rare).count();
        let mut claim = format!(
            "the {}: {} of {unique} words stand in the lexicon, {needed} are needed",
            SIDES[side].1,
            within.len()
        );
        if added > 0 {
            let _ = write!(claim, "; added from the rarer ones: {added}");
        }
        Explanation::new(claim, within.len() as f64)
    }

    /// Words with their places; long lists end with how many more there are.
    pub fn list(&self, title: &str, words: &[&Word]) -> Explanation {
        let mut parts: Vec<Explanation> = words.iter().take(LISTED).map(|word| self.named(word)).collect();
        if words.len() > LISTED {
            let more = words.len() - LISTED;
            parts.push(Explanation::new(format!("and {more} more, less rare"), more as f64));
        }
        Explanation::new(format!("{title}: {}", words.len()), words.len() as f64).with(parts)
    }

    /// A word with its nidf, the bound that it is near, and its places.
    fn named(&self, word: &Word) -> Explanation {
        let nidf = self.lexicon.nidf(word.documents);
        let mut claim = format!("“{}”: {}", word.text, self.rarity_text(word));
        if word.differs() && word.occurs == [true, true] {
            let full = if word.counts[0] { "target" } else { "source" };
            let _ = write!(claim, "; the {full} has it too, and has enough words without it");
        }
        let mut explanation = Explanation::new(claim, (word.rarity != Rarity::Unknown).then_some(nidf));
        for (document, (side, _)) in self.documents.iter().zip(SIDES) {
            for span in document.places(word.hash).into_iter().take(LISTED) {
                explanation = explanation.at(side, span);
            }
        }
        explanation
    }

    /// How rare a word is, and how far from the bound that is nearest.
    fn rarity_text(&self, word: &Word) -> String {
        let [low, high] = self.lexicon.bounds;
        let nidf = self.lexicon.nidf(word.documents);
        let (above_low, below_high) = (nidf - low, high - nidf);
        let bound = match word.rarity {
            Rarity::Unknown => return "not in the collection".to_owned(),
            Rarity::Common => format!("{:.3} below the lower bound", -above_low),
            Rarity::Rare => format!("{:.3} above the upper bound", -below_high),
            Rarity::Within if above_low <= below_high => format!("{:.3} above the lower bound", above_low.max(0.0)),
            Rarity::Within => format!("{:.3} below the upper bound", below_high.max(0.0)),
        };
        let documents = if word.documents == 1 { "document" } else { "documents" };
        format!("nidf {nidf:.3}, in {} {documents}, {bound}", word.documents)
    }

    /// All places of a word, as what may carry a match.
    pub fn piece(&self, word: &Word) -> Piece {
        let [source, target] = self.documents.map(|document| document.places(word.hash));
        Piece { claim: format!("“{}”", word.text), source, target }
    }

    /// The places in the target of the words that only it has, and those where words are missing that only the source has.
    pub fn decisive(&self, words: &[Word]) -> Vec<Range<usize>> {
        let places = |words: &mut dyn Iterator<Item = &Word>| -> Vec<Range<usize>> {
            words.take(LISTED).flat_map(|word| self.differences(word)).collect()
        };
        let mut spans = places(&mut words.iter().filter(|word| word.differs()));
        if spans.is_empty() {
            // Signatures that were filled up differ in words of both documents because others are more or fewer.
            spans = places(&mut words.iter());
        }
        spans.sort_unstable_by_key(|span| (span.start, span.end));
        spans.dedup();
        spans
    }

    fn differences(&self, word: &Word) -> Vec<Range<usize>> {
        let [source, target] = self.documents;
        match word.occurs {
            [false, true] => target.places(word.hash),
            [true, false] => gaps(source, target, word.hash),
            _ => Vec::new(),
        }
    }
}

/// The first words of a list in quotation marks, and how many more there are.
pub fn clause(words: &[&Word]) -> String {
    let mut clause = words.iter().take(NAMED).map(|word| format!("“{}”", word.text)).collect::<Vec<_>>().join(", ");
    if words.len() > NAMED {
        let _ = write!(clause, " and {} more", words.len() - NAMED);
    }
    clause
}

/// What the target has in the place of a word of the source: the tokens between the nearest neighbours of the word that
/// are near each other in the target, or these two where nothing is between them.
fn gaps(source: &Prepared<'_>, target: &Prepared<'_>, word: u64) -> Vec<Range<usize>> {
    // The places before the first and after the last token are neighbours, too, and equal in both texts.
    let bordered = |document: &Prepared<'_>| [&[0], document.tokens().hashes(), &[0]].concat();
    let (from, to) = (bordered(source), bordered(target));
    let places = (0..from.len()).filter(|&i| from[i] == word).take(GAPS);
    places.filter_map(|i| gap(&from, &to, i)).filter_map(|(before, behind)| between(target, before, behind)).collect()
}

/// The places in `to` of the nearest neighbours of place `i` in `from`.
fn gap(from: &[u64], to: &[u64], i: usize) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize, usize)> = None;
    for back in 1..=REACH.min(i) {
        for before in (0..to.len()).filter(|&j| to[j] == from[i - back]) {
            for ahead in 1..=REACH.min(from.len() - 1 - i) {
                let window = to.iter().enumerate().take(before + 1 + 2 * REACH).skip(before + 1);
                let Some((behind, _)) = window.into_iter().find(|(_, hash)| **hash == from[i + ahead]) else {
                    continue;
                };
                if best.is_none_or(|(distance, ..)| back + ahead < distance) {
                    best = Some((back + ahead, before, behind));
                }
            }
        }
    }
    best.map(|(_, before, behind)| (before, behind))
}

/// The text between two places, counted with the one before the first token; with their tokens if none is between.
fn between(target: &Prepared<'_>, before: usize, behind: usize) -> Option<Range<usize>> {
    let tokens = target.tokens();
    let (first, last) = if behind == before + 1 { (before, behind) } else { (before + 1, behind - 1) };
    let (first, last) = (first.max(1), last.min(tokens.len()));
    (first <= last).then(|| tokens.span(first - 1).start..tokens.span(last - 1).end)
}
