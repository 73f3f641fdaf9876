//! What every method must obey, whoever wrote it: the catalogue is walked with random collections of small pages.

use proptest::prelude::*;

use super::algorithm::{Algorithm, Values};
use super::catalogue::CATALOGUE;
use super::explain;
use super::explanation::{Explanation, Role, Side};
use super::method::{Method, Shape};
use super::parameters::{Preset, Value};
use super::testing::{fitted, sketch, verdict, with};
use super::why::{Replacement, cut, replaced};
use dejaview_base::hash;

/// Content words, stop words and short words, in three scripts.
const WORDS: [&str; 30] = [
    "harbour",
    "lantern",
    "gannet",
    "ledger",
    "tide",
    "keeper",
    "granite",
    "herring",
    "bollard",
    "the",
    "with",
    "of",
    "mooring",
    "Lighthouse",
    "signal",
    "weather",
    "captain",
    "seventeen",
    "1911",
    "barometer",
    "gallery",
    "storm",
    "and",
    "Straße",
    "гавань",
    "東京都港区",
    "ballast",
    "compass",
    "anchor",
    "pilot",
];

/// A page: sentences of word numbers, a line each or several in a line.
type Page = Vec<Vec<usize>>;

fn written(page: &Page) -> String {
    let mut text = String::new();
    for (i, sentence) in page.iter().enumerate() {
        let words: Vec<&str> = sentence.iter().map(|&word| WORDS[word % WORDS.len()]).collect();
        text.push_str(&words.join(" "));
        text.push_str(if i % 2 == 0 { ". " } else { ".\n" });
    }
    text
}

fn page() -> impl Strategy<Value = Page> {
    proptest::collection::vec(proptest::collection::vec(0usize..WORDS.len(), 3..12), 3..8)
}

/// A page and a copy of it with a few words changed.
fn alike() -> impl Strategy<Value = (Page, Page)> {
    (page(), proptest::collection::vec((0usize..8, 0usize..12, 0usize..WORDS.len()), 0..4)).prop_map(
        |(page, changes)| {
            let mut copy = page.clone();
            for (sentence, word, other) in changes {
                let sentence = sentence % copy.len();
                let word = word % copy[sentence].len();
                copy[sentence][word] = other;
            }
            (page, copy)
        },
    )
}

/// Values with which pages of a few dozen words have sketches and sometimes match.
fn small(algorithm: &'static Algorithm) -> Vec<(&'static str, Value)> {
    let mut set = Vec::new();
    for (name, value) in [
        ("shingle", Value::Whole(2)),
        ("group_size", Value::Whole(2)),
        ("rows", Value::Whole(2)),
        ("keep", Value::Whole(24)),
        ("modulus", Value::Whole(2)),
        ("words", Value::Whole(4)),
        ("lists", Value::Whole(3)),
        ("length", Value::Whole(12)),
        ("common", Value::Whole(3)),
    ] {
        // Thousands of support words are another matter than six words of a signature.
        let known = algorithm
            .parameters()
            .iter()
            .any(|p| p.name == name && !matches!(p.default, Preset::Fixed(Value::Whole(1000..))));
        if known && Values::new(algorithm).set(name, value.clone()).is_ok() {
            set.push((name, value));
        }
    }
    set
}

fn methods(collection: &[String]) -> Vec<(&'static str, Box<dyn Method>)> {
    let texts: Vec<&str> = collection.iter().map(String::as_str).collect();
    CATALOGUE.iter().map(|algorithm| (algorithm.name, fitted(algorithm, &small(algorithm), &texts))).collect()
}

fn explained(method: &dyn Method, source: &str, target: &str) -> Explanation {
    with(source, |a| with(target, |b| explain(method, a, b)))
}

/// The target without the named evidence; all of it, or all but one piece.
fn without(target: &str, evidence: &[&Explanation], left_in: Option<usize>) -> String {
    let gone = evidence.iter().enumerate().filter(|(i, _)| Some(*i) != left_in);
    let spans: Vec<_> = gone.flat_map(|(_, piece)| piece.spans_in(Side::Target)).collect();
    cut(target, &spans)
}

fn changed(source: &str, target: &str, changes: &[&Explanation]) -> String {
    let replacements: Vec<Replacement> = changes
        .iter()
        .filter_map(|change| {
            let target = change.spans_in(Side::Target).next()?;
            Some(Replacement { target, source: change.spans_in(Side::Source).next()? })
        })
        .collect();
    replaced(target, source, &replacements)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 10, ..ProptestConfig::default() })]

    #[test]
    fn symmetric_deterministic_and_equal_pages_are_equal(pages in proptest::collection::vec(page(), 2..12), (a, b) in alike()) {
        let mut texts: Vec<String> = pages.iter().map(written).collect();
        texts.extend([written(&a), written(&b)]);
        let (first, again) = (methods(&texts), methods(&texts));
        for ((name, method), (_, same)) in first.iter().zip(&again) {
            for x in &texts {
                prop_assert_eq!(sketch(&**method, x), sketch(&**same, x), "{}", name);
                if sketch(&**method, x).is_some() {
                    let evidence = verdict(&**method, x, x);
                    prop_assert_eq!(evidence.map(|e| e.distance), Some(0), "{} of itself: {:?}", name, x);
                }
                for y in &texts {
                    prop_assert_eq!(verdict(&**method, x, y), verdict(&**method, y, x), "{}", name);
                }
            }
        }
    }

    #[test]
    fn keys_find_what_all_pairs_find(pages in proptest::collection::vec(alike(), 1..8)) {
        let texts: Vec<String> = pages.iter().flat_map(|(a, b)| [written(a), written(b)]).collect();
        for (name, method) in methods(&texts) {
            if matches!(method.shape(), Shape::Fingerprint(_)) {
                continue;
            }
            let sketched: Vec<Option<(Vec<u64>, Vec<u64>)>> = texts
                .iter()
                .map(|text| {
                    let sketch = sketch(&*method, text)?;
                    let mut keys = Vec::new();
                    method.keys(&sketch, &mut keys);
                    Some((sketch, keys))
                })
                .collect();
            for (x, p) in sketched.iter().flatten() {
                for (y, q) in sketched.iter().flatten() {
                    if method.compare(x, y).is_some() {
                        prop_assert!(p.iter().any(|key| q.contains(key)), "{}: no key in common", name);
                    }
                }
            }
        }
    }

    #[test]
    fn explanations_are_true((a, b) in alike(), others in proptest::collection::vec(page(), 2..6)) {
        let (source, target) = (written(&a), written(&b));
        let mut texts: Vec<String> = others.iter().map(written).collect();
        texts.extend([source.clone(), target.clone()]);
        for (name, method) in methods(&texts) {
            let method = &*method;
            let tree = explained(method, &source, &target);
            let sketched = sketch(method, &source).is_some() && sketch(method, &target).is_some();
            let evidence = verdict(method, &source, &target);
            if !sketched {
                prop_assert!(tree.claim.starts_with("no sketch: ") && tree.value.is_none(), "{}: {}", name, tree.claim);
                continue;
            }
            if let Some(evidence) = evidence {
                prop_assert!(tree.claim.starts_with("match: "), "{}: {}", name, tree.claim);
                prop_assert_eq!(tree.value, Some(f64::from(evidence.distance)), "{}: {}", name, tree.claim);
                let pieces = tree.claims_with(Role::Evidence);
                prop_assert!(!pieces.is_empty(), "{} names no evidence\n{}", name, tree.lines().join("\n"));
                let bare = without(&target, &pieces, None);
                prop_assert!(verdict(method, &source, &bare).is_none(), "{}: {:?} matches still", name, bare);
                for i in 0..pieces.len() {
                    let most = without(&target, &pieces, Some(i));
                    prop_assert!(verdict(method, &source, &most).is_some(), "{}: not minimal, piece {}", name, i);
                }
            } else {
                prop_assert!(tree.claim.starts_with("no match: "), "{}: {}", name, tree.claim);
                let changes = tree.claims_with(Role::Change);
                prop_assert!(!changes.is_empty(), "{} names no change\n{}", name, tree.lines().join("\n"));
                let better = changed(&source, &target, &changes);
                prop_assert!(verdict(method, &source, &better).is_some(), "{}: {:?} does not match", name, better);
            }
            check_spans(&tree, &source, &target);
        }
    }
}

/// Spans lie in their texts, on characters.
fn check_spans(tree: &Explanation, source: &str, target: &str) {
    for (side, span) in &tree.spans {
        let text = if *side == Side::Source { source } else { target };
        assert!(text.get(span.clone()).is_some(), "{}: {span:?}", tree.claim);
    }
    for part in &tree.parts {
        check_spans(part, source, target);
    }
}

#[test]
fn a_page_of_one_word_matches_no_other() {
    let texts =
        ["harbour", "harbour lantern", "lantern", "harbour. lantern keeper tide of the storm"].map(str::to_owned);
    for (name, method) in methods(&texts) {
        for other in &texts[1..] {
            assert_eq!(verdict(&*method, &texts[0], other), None, "{name}: {other}");
        }
    }
}

/// A larger collection, so that methods with the papers' values have something to choose from.
#[test]
fn every_method_finds_a_copy_and_not_everything() {
    let word = |n: usize| format!("{}{}", WORDS[n % WORDS.len()], n / WORDS.len());
    let text = |seed: usize| -> String {
        let number =
            |s: usize, w: usize| hash::fmix64((seed * 1000 + s * 40 + w) as u64) as usize % (60 + 12 * (w % 30));
        let sentence = |s: usize| (0..14 + s).map(|w| word(number(s, w))).collect::<Vec<_>>().join(" ");
        (0..9).map(|s| sentence(s) + ".\n").collect()
    };
    let mut texts: Vec<String> = (0..90).map(text).collect();
    texts.push(texts[3].clone());
    let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
    for algorithm in CATALOGUE {
        let (name, method) = (algorithm.name, fitted(algorithm, &[], &borrowed));
        assert!(verdict(&*method, &texts[3], &texts[90]).is_some(), "{name} does not find a copy");
        assert!(
            texts[..3].iter().all(|other| verdict(&*method, &texts[3], other).is_none()),
            "{name} finds everything"
        );
    }
}
