//! Why two documents share a list or not: the words of each list, and those that only one side has.

use std::collections::BTreeMap;
use std::ops::Range;

use super::lists::{PughLists, agree, survival};
use crate::explanation::{Explanation, Side};
use crate::method::{Method, Piece, Reasons};
use crate::prepared::{Prepared, Term};
use crate::wording::{LISTED, count, listed, marked, sides};

/// One list on both sides, words by their names.
#[derive(Debug, Default)]
struct List {
    number: usize,
    both: Vec<Word>,
    source: Vec<Word>,
    target: Vec<Word>,
    fingerprints: [u64; 2],
}

#[derive(Debug)]
struct Word {
    name: String,
    hash: u64,
}

impl List {
    fn agrees(&self) -> bool {
        agree(self.fingerprints[0], self.fingerprints[1])
    }

    /// Words that only one side has.
    fn differing(&self) -> usize {
        self.source.len() + self.target.len()
    }
}

pub(super) fn reasons(method: &PughLists, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
    let missing = [source, target].map(|document| !method.sketch(document, &mut Vec::new()));
    if let Some(who) = sides(missing) {
        let verb = if who.contains(" and ") { "have" } else { "has" };
        let claim =
            format!("{who} {verb} fewer than {} content words in each of {} lists", method.minimum, method.lists);
        return Reasons { claim, ..Reasons::default() };
    }
    let lists = lists(method, source, target);
    let equal: Vec<&List> = lists.iter().filter(|list| list.agrees()).collect();
    let value = lists.iter().filter(|list| list.fingerprints[0] != list.fingerprints[1]).count() as f64;
    let mut parts: Vec<Explanation> = lists.iter().map(|list| part(list, method.minimum, source, target)).collect();
    parts.push(chance(&lists, method));
    if equal.is_empty() {
        return Reasons {
            claim: nearest(&lists),
            value: Some(value),
            parts,
            pieces: Vec::new(),
            decisive: decisive(&lists, target),
        };
    }
    let numbers: Vec<String> = equal.iter().map(|list| format!("list {}", list.number)).collect();
    let claim = format!("{} of {} lists have the same words: {}", equal.len(), lists.len(), listed(&numbers));
    let pieces = equal.iter().filter_map(|list| piece(list, source, target)).collect();
    Reasons { claim, value: Some(value), parts, pieces, decisive: Vec::new() }
}

fn lists(method: &PughLists, source: &Prepared<'_>, target: &Prepared<'_>) -> Vec<List> {
    let prints = [source, target].map(|document| method.fingerprints(document));
    let mut lists: Vec<List> = (0..method.lists)
        .map(|i| List { number: i + 1, fingerprints: [prints[0][i], prints[1][i]], ..List::default() })
        .collect();
    let words = |document: &Prepared<'_>| -> BTreeMap<String, Term> {
        let content = document.terms().iter().filter(|term| term.content);
        content.map(|term| (document.word(term).into_owned(), *term)).collect()
    };
    let (mut left, right) = (words(source), words(target));
    for (name, term) in right {
        let list = &mut lists[method.list_of(&term)];
        let word = Word { hash: term.hash, name };
        if left.remove(&word.name).is_some() { list.both.push(word) } else { list.target.push(word) }
    }
    for (name, term) in left {
        lists[method.list_of(&term)].source.push(Word { hash: term.hash, name });
    }
    lists
}

fn names(words: &[Word]) -> String {
    listed(&words.iter().map(|word| word.name.as_str()).collect::<Vec<_>>())
}

/// First places of some words, in the order of the words.
fn first_places(document: &Prepared<'_>, words: &[Word]) -> Vec<Range<usize>> {
    let first = |word: &Word| document.terms().iter().find(|term| term.hash == word.hash).map(|term| term.first);
    words.iter().take(LISTED).filter_map(first).map(|token| document.tokens().span(token as usize)).collect()
}

fn part(list: &List, minimum: usize, source: &Prepared<'_>, target: &Prepared<'_>) -> Explanation {
    let (number, same) = (list.number, list.both.len());
    if list.fingerprints == [0, 0] {
        let claim = format!("list {number} has fewer than {minimum} words on both sides and does not count");
        return Explanation::new(claim, None);
    }
    if list.agrees() {
        let claim = format!("list {number}: the same {}: {}", count(same, "word"), names(&list.both));
        let explanation = marked(Explanation::new(claim, 0.0), Side::Source, &first_places(source, &list.both));
        return marked(explanation, Side::Target, &first_places(target, &list.both));
    }
    let only = |words: &[Word], whose: &str| {
        if words.is_empty() { String::new() } else { format!("; only in the {whose}: {}", names(words)) }
    };
    let mut claim = format!("list {number}: {} in both", count(same, "word"));
    claim.push_str(&only(&list.source, "source"));
    claim.push_str(&only(&list.target, "target"));
    let explanation = Explanation::new(claim, list.differing() as f64);
    let explanation = marked(explanation, Side::Source, &first_places(source, &list.source));
    marked(explanation, Side::Target, &first_places(target, &list.target))
}

/// What was to be expected of so many changes.
fn chance(lists: &[List], method: &PughLists) -> Explanation {
    let changed = lists.iter().map(List::differing).sum();
    let survival = survival(method.lists, changed);
    let claim = format!(
        "{} in one text only; so many in lists of chance leave one whole with probability {survival:.3}",
        count(changed, "content word")
    );
    Explanation::new(claim, survival)
}

/// The list that takes the fewest changes in the target to be the source's.
fn nearest_list(lists: &[List]) -> Option<&List> {
    let counted = lists.iter().filter(|list| list.fingerprints[0] != 0);
    counted.min_by_key(|list| (list.differing(), list.number))
}

fn nearest(lists: &[List]) -> String {
    let Some(list) = nearest_list(lists) else { return "no list has the same words".to_owned() };
    let first = match (list.target.first(), list.source.first()) {
        (Some(word), _) => format!("first “{}” in the target", word.name),
        (None, Some(word)) => format!("first “{}” in the source", word.name),
        (None, None) => String::new(),
    };
    let differing = count(list.differing(), "word");
    format!("no list has the same words; list {} comes nearest with {differing} in one text only, {first}", list.number)
}

/// The word of a list that takes the fewest cuts to be gone from the target.
fn piece(list: &List, source: &Prepared<'_>, target: &Prepared<'_>) -> Option<Piece> {
    let places = list.both.iter().map(|word| (target.places(word.hash), word));
    let (places, word) = places.min_by_key(|(places, word)| (places.len(), word.name.clone()))?;
    let claim = format!("“{}” of list {}", word.name, list.number);
    Some(Piece { claim, source: source.places(word.hash), target: places })
}

/// The places of words that only the target has: those of the nearest list first, then those of the others, which may have
/// taken the place of what the nearest list misses.
fn decisive(lists: &[List], target: &Prepared<'_>) -> Vec<Range<usize>> {
    let nearest = nearest_list(lists).map_or(0, |list| list.number);
    let mut order: Vec<&List> = lists.iter().collect();
    order.sort_by_key(|list| (list.number != nearest, list.number));
    let words = order.into_iter().flat_map(|list| &list.target).take(LISTED);
    words.flat_map(|word| target.places(word.hash)).collect()
}
