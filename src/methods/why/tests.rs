use std::collections::BTreeMap;

use proptest::prelude::*;

use super::claims::replacement_claim;
use super::search::minimal;
use super::*;
use crate::algorithm::Values;
use crate::explanation::{Role, Side};
use crate::method::{Evidence, Reasons, Shape};
use crate::parameters::Value;
use crate::simhash;
use crate::statistics::Statistics;
use dejaview_text::Tokens;

/// A text with its tokens.
pub(super) struct Text {
    text: String,
    pub(super) tokens: Tokens,
}

impl Text {
    pub(super) fn new(text: &str) -> Self {
        let mut tokens = Tokens::new();
        tokens.read(text);
        Self { text: text.to_owned(), tokens }
    }

    pub(super) fn prepared(&self) -> Prepared<'_> {
        Prepared::new(&self.text, &self.tokens)
    }
}

/// Words that a random text is made of.
const WORDS: [&str; 12] =
    ["the", "red", "The", "house", "old", "stands", "by", "sea", "and", "light", "keeper", "東京都"];
const SEPARATORS: [&str; 7] = [" ", " ", " ", ", ", ". ", "\n", "\n\n"];

fn written() -> impl Strategy<Value = Vec<(usize, usize)>> {
    prop::collection::vec((0..WORDS.len(), 0..SEPARATORS.len()), 0..40)
}

fn joined(words: &[(usize, usize)]) -> String {
    words.iter().map(|&(word, separator)| [WORDS[word], SEPARATORS[separator]].concat()).collect()
}

/// A text and one that is more or less like it.
pub(super) fn mixed() -> impl Strategy<Value = (String, String)> {
    let edit = (0usize..40, 0usize..4, written().prop_map(|mut words| words.split_off(words.len() - words.len() / 8)));
    (written(), prop::collection::vec(edit, 0..5), any::<bool>(), written()).prop_map(
        |(source, edits, related, other)| {
            let mut target = if related { source.clone() } else { other };
            for (at, gone, added) in edits {
                let from = at.min(target.len());
                let to = (from + gone).min(target.len());
                target.splice(from..to, added);
            }
            (joined(&source), joined(&target))
        },
    )
}

fn simhash(ngrams: &[u64], bits: u64, distance: u64) -> Box<dyn Method> {
    let mut values = Values::new(&simhash::ALGORITHM);
    values.set("ngrams", Value::Wholes(ngrams.to_vec())).unwrap();
    values.set("bits", Value::Whole(bits)).unwrap();
    values.set("distance", Value::Whole(distance)).unwrap();
    values.fit(&Statistics::default()).unwrap()
}

/// Methods as unlike SimHash as can be.
#[derive(Debug)]
enum Rule {
    /// The three most frequent words are the same.
    Frequent,
    /// Two of four keys agree: the smallest hash of each of four kinds.
    Keys,
    /// Any word matches any other.
    Any,
    /// At most two words of each side are missing on the other.
    AllButTwo,
    /// The longest line is the same to the byte; an empty text has one too.
    LongestLine,
}

#[derive(Debug)]
struct Toy {
    rule: Rule,
    /// For what a toy has no opinion on.
    other: Box<dyn Method>,
}

impl Method for Toy {
    fn shape(&self) -> Shape<'_> {
        self.other.shape()
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let hashes = document.tokens().hashes();
        match self.rule {
            Rule::Frequent => {
                let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
                hashes.iter().for_each(|&hash| *counts.entry(hash).or_default() += 1);
                let mut order: Vec<_> = counts.into_iter().map(|(hash, count)| (Reverse(count), hash)).collect();
                order.sort_unstable();
                out.extend(order.iter().take(3).map(|&(_, hash)| hash));
                out.sort_unstable();
            }
            Rule::Keys => {
                let kind = |kind: u64| hashes.iter().map(move |hash| hash.rotate_left(16 * kind as u32)).min();
                out.extend((0..4).filter_map(kind));
            }
            Rule::Any => out.extend(hashes.first().map(|_| 1)),
            Rule::AllButTwo => out.extend(hashes),
            Rule::LongestLine => {
                let longest = document.text().lines().max_by_key(|line| line.len()).unwrap_or_default();
                out.push(dejaview_base::hash::token(longest.as_bytes()));
                return true;
            }
        }
        !hashes.is_empty()
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let missing = |a: &[u64], b: &[u64]| a.iter().filter(|word| !b.contains(word)).count();
        let enough = match self.rule {
            Rule::AllButTwo => missing(a, b) <= 2 && missing(b, a) <= 2,
            Rule::Keys => a.iter().zip(b).filter(|(a, b)| a == b).count() >= 2,
            Rule::Frequent | Rule::Any | Rule::LongestLine => a == b,
        };
        self.other.compare(&[0], &[0]).filter(|_| enough)
    }

    fn reasons(&self, _: &Prepared<'_>, _: &Prepared<'_>) -> Reasons {
        Reasons::default()
    }

    fn print(&self, sketch: &[u64]) -> String {
        format!("{sketch:?}")
    }
}

fn toy(rule: Rule) -> Box<dyn Method> {
    Box::new(Toy { rule, other: simhash(&[1], 64, 3) })
}

fn methods() -> Vec<Box<dyn Method>> {
    vec![
        simhash(&[1], 64, 3),
        simhash(&[1], 64, 20),
        simhash(&[2], 8, 2),
        simhash(&[3, 5], 64, 10),
        simhash(&[1, 2], 128, 40),
        simhash(&[1], 8, 7),
        toy(Rule::Frequent),
        toy(Rule::Keys),
        toy(Rule::Any),
        toy(Rule::AllButTwo),
        toy(Rule::LongestLine),
    ]
}

/// The verdict as anyone would get it.
fn agree(method: &dyn Method, source: &str, target: &str) -> bool {
    let sketch = |text: &str| {
        let mut out = Vec::new();
        method.sketch(&Text::new(text).prepared(), &mut out).then_some(out)
    };
    let (Some(a), Some(b)) = (sketch(source), sketch(target)) else { return false };
    method.compare(&a, &b).is_some()
}

fn all_but<T: Clone>(items: &[T], left_out: usize) -> Vec<T> {
    items.iter().enumerate().filter(|(i, _)| *i != left_out).map(|(_, item)| item.clone()).collect()
}

/// Both demands, on the explanation as a screen gets it.
fn check(method: &dyn Method, source: &str, target: &str, first: &[Range<usize>]) -> Result<(), TestCaseError> {
    let (s, t) = (Text::new(source), Text::new(target));
    let (a, b) = (s.prepared(), t.prepared());
    let (matched, has_sketch) = (agree(method, source, target), agree(method, source, source));
    let carried = evidence_claim(method, &a, &b, Vec::new());
    let evidence: Vec<Vec<_>> =
        carried.claims_with(Role::Evidence).iter().map(|part| part.spans_in(Side::Target).collect()).collect();
    let ends = !agree(method, source, &cut(target, &[0..target.len()]));
    prop_assert_eq!(evidence.is_empty(), !(matched && ends), "{:?} {:?}", method, &carried);
    if matched && ends {
        prop_assert!(!agree(method, source, &cut(target, &evidence.concat())));
        for i in 0..evidence.len() {
            prop_assert!(agree(method, source, &cut(target, &all_but(&evidence, i).concat())), "{:?}", method);
        }
    }
    let wanted = change_claim(method, &a, &b, first);
    let changes: Vec<Replacement> = wanted
        .claims_with(Role::Change)
        .iter()
        .map(|part| Replacement {
            target: part.spans_in(Side::Target).next().unwrap(),
            source: part.spans_in(Side::Source).next().unwrap(),
        })
        .collect();
    prop_assert_eq!(changes.is_empty(), matched || !has_sketch, "{:?}", method);
    if !changes.is_empty() {
        prop_assert!(agree(method, source, &replaced(target, source, &changes)));
        for i in 0..changes.len() {
            prop_assert!(!agree(method, source, &replaced(target, source, &all_but(&changes, i))), "{:?}", method);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn both_demands_hold((source, target) in mixed(), first in prop::collection::vec((0usize..200, 0usize..20), 0..3)) {
        let first: Vec<_> = first.iter().map(|&(start, len)| start..start + len).collect();
        for method in methods() {
            check(&*method, &source, &target, &first)?;
            check(&*method, &source, &source, &first)?;
        }
    }

    /// A method's own pieces: each word of the target, with all its places.
    #[test]
    fn own_pieces_are_minimal((source, target) in mixed()) {
        let (s, t) = (Text::new(&source), Text::new(&target));
        let mut pieces: BTreeMap<u64, Piece> = BTreeMap::new();
        for (i, &hash) in t.tokens.hashes().iter().enumerate() {
            let new = || Piece { claim: String::new(), source: Vec::new(), target: Vec::new() };
            pieces.entry(hash).or_insert_with(new).target.push(t.tokens.span(i));
        }
        let pieces: Vec<Piece> = pieces.into_values().collect();
        for method in methods() {
            let found = evidence(&*method, &s.prepared(), &t.prepared(), pieces.clone()).ok();
            let spans = |pieces: &[Piece]| pieces.iter().flat_map(|piece| piece.target.clone()).collect::<Vec<_>>();
            let ends = !agree(&*method, &source, &cut(&target, &spans(&pieces)));
            prop_assert_eq!(found.is_some(), agree(&*method, &source, &target) && ends);
            let Some(found) = found else { continue };
            prop_assert!(!found.is_empty() && found.iter().all(|piece| pieces.contains(piece)));
            prop_assert!(!agree(&*method, &source, &cut(&target, &spans(&found))));
            for i in 0..found.len() {
                prop_assert!(agree(&*method, &source, &cut(&target, &spans(&all_but(&found, i)))));
            }
        }
    }

    /// Any rule at all, monotone or not: what is returned is minimal, and nothing only where all together do not hold.
    #[test]
    fn minimal_is_minimal(items in 1usize..12, seed: u64, rare in 1u64..5) {
        let truth = |taken: &[bool]| {
            let set = taken.iter().fold(1u64, |set, &one| set << 1 | u64::from(one));
            taken.contains(&true) && dejaview_base::hash::fmix64(set ^ seed).is_multiple_of(rare)
        };
        match minimal(items, |taken| Ok(truth(taken))) {
            Ok(taken) => {
                prop_assert!(truth(&taken));
                for i in (0..items).filter(|&i| taken[i]) {
                    let mut without = taken.clone();
                    without[i] = false;
                    prop_assert!(!truth(&without));
                }
            }
            Err(stop) => {
                prop_assert_eq!(stop, Stop::Never);
                prop_assert!(!truth(&vec![true; items]));
            }
        }
    }
}

fn explained(method: &dyn Method, source: &str, target: &str, first: &[Range<usize>]) -> [Vec<String>; 2] {
    let (s, t) = (Text::new(source), Text::new(target));
    let (a, b) = (s.prepared(), t.prepared());
    [evidence_claim(method, &a, &b, Vec::new()).lines(), change_claim(method, &a, &b, first).lines()]
}

#[test]
fn claims_by_example() {
    let method = toy(Rule::LongestLine);
    let source = "Title\nThe keeper of the light lived here alone.\nEnd";
    let [carries, matches] = explained(&*method, source, source, &[]);
    assert_eq!(
        carries,
        [
            "the match rests on 1 place; without it the match is gone",
            "  “The keeper of the light lived here alone” (8 words)"
        ]
    );
    assert_eq!(matches, ["matches as it is"]);
    let target = source.replace("lived here", "lived  here").replace("Title", "Other").replace("The keeper", "A cat");
    let [carries, matches] = explained(&*method, source, &target, &[]);
    assert_eq!(carries, ["there is no match that anything could carry"]);
    assert_eq!(
        matches,
        [
            "would match if these 2 places of the target read as in the source",
            "  “Other A cat” would read “Title The keeper”",
            "  the white space would be as in the source"
        ]
    );
    let [_, nothing] = explained(&*simhash(&[3], 64, 3), "two words", "three words are", &[]);
    assert_eq!(nothing, ["no change of the target would make a match: the source has no sketch"]);
    let empty = explained(&*method, "", "", &[]);
    assert_eq!(empty[0], ["the match stays whatever is cut out of the target"]);
}

#[test]
fn readings() {
    let read =
        |old: &str, new: &str| replacement_claim(new, old, &Replacement { target: 0..old.len(), source: 0..new.len() });
    assert_eq!(read("", "new word "), "“new word” would be added");
    assert_eq!(read(" old", "\n"), "“old” would be left out");
    assert_eq!(read("a\n b", "a b"), "“a b” would have the white space of the source");
    assert_eq!(read("a", "b"), "“a” would read “b”");
}

#[test]
fn places_that_touch_the_first_spans_are_tried_first() {
    let (source, target) = (Text::new("a b c d e f long h"), Text::new("1 b 2 d 3 f 4 h"));
    let tried = |first: &[Range<usize>]| -> Vec<usize> {
        let found = change(&*toy(Rule::AllButTwo), &source.prepared(), &target.prepared(), first).unwrap();
        found.into_iter().map(|place| place.target.start).collect()
    };
    // Any two of the four places suffice: the largest, then the first.
    assert_eq!(tried(&[]), [0, 12]);
    assert_eq!(tried(&[8..9]), [8, 12]);
    assert_eq!(tried(&[8..9, 2..4]), [4, 8]);
}

#[test]
fn the_budget_ends_a_search() {
    let text = Text::new(&"word and word\n".repeat(500));
    let method = simhash(&[1], 64, 3);
    let mut trial = Trial::new(&*method, &text.prepared()).unwrap();
    trial.left = 4000;
    assert_eq!(trial.matches(&text.prepared()), Ok(true));
    assert_eq!(trial.matches_text(|out| out.push_str("word and word")), Ok(true));
    assert_eq!(trial.left, 4000 - 1501 - 4);
    assert_eq!(trial.matches(&text.prepared()), Ok(true));
    assert_eq!(trial.matches(&text.prepared()), Err(Stop::Budget));
    assert_eq!(minimal(3, |_| Err(Stop::Budget)), Err(Stop::Budget));
    assert_eq!(minimal_groups(vec![vec![0, 1]], 2, |_| Err(Stop::Budget)), Err(Stop::Budget));
}

#[test]
fn pieces_are_returned_as_one_where_looking_at_each_costs_too_much() {
    // All 9,000 pieces are needed, and each would have to be put back once to see it.
    let page = Text::new(&((0..9_000).map(|i| format!("w{i} ")).collect::<String>() + &".".repeat(100_000)));
    let one = |i| Piece { claim: format!("w{i}"), source: Vec::new(), target: vec![page.tokens.span(i)] };
    let pieces = (0..9_000).map(one).collect();
    let found = evidence(&*toy(Rule::Any), &page.prepared(), &page.prepared(), pieces).unwrap();
    assert_eq!((found.len(), found[0].target.len(), found[0].claim.as_str()), (273, 33, "w0 and 32 more"));
    assert_eq!(found.iter().map(|piece| piece.target.len()).sum::<usize>(), 9_000);
}

/// A page of 20,000 words in lines of about ten, some of them changed.
fn page(seed: u64, changed: u64) -> String {
    let random = |i: u64| dejaview_base::hash::fmix64(i.wrapping_mul(0x9E37_79B9) ^ seed);
    let mut page = String::new();
    for i in 0..20_000 {
        let word = if random(i) % 1000 < changed { random(i + 1_000_000) % 5000 } else { fixed(i) % 5000 };
        page.push_str(&format!("w{word}{}", if fixed(i + 7).is_multiple_of(10) { ".\n" } else { " " }));
    }
    page
}

fn fixed(i: u64) -> u64 {
    dejaview_base::hash::fmix64(i)
}

#[test]
fn long_pages_stay_within_the_budget() {
    for (changed, distance) in [(0, 3), (100, 24), (20, 3), (1000, 3)] {
        let (source, target) = (page(1, 0), page(2, changed));
        let method = simhash(&[3, 5], 64, distance);
        check(&*method, &source, &target, &[]).unwrap();
    }
}
