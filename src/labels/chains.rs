//! The transitivity alarm: labels that cannot all be right if being a near-duplicate passes on.
//!
//! Pairs lead from the source to the target, so three documents are seldom all compared with each other; but A~B, C~B and
//! C~D say that A and D are the same page, and a label "not" on A and D contradicts them. So: documents are joined by the
//! pairs labelled near-duplicate, and every pair labelled "not" whose documents are joined is told, with the shortest way
//! between them. Cost: a search among the joined documents for each pair labelled "not".

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::Label;

/// A pair with the label that holds for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LabelledPair<'a> {
    /// Id of the source document.
    pub source: &'a str,
    /// Id of the target document.
    pub target: &'a str,
    pub label: Label,
}

/// For each pair labelled "not" whose documents are joined by near-duplicates: its place among the pairs, and the ids of
/// the documents on the way from its source to its target.
pub fn chains<'a>(pairs: &[LabelledPair<'a>]) -> BTreeMap<usize, Vec<&'a str>> {
    let mut joined: HashMap<&str, Vec<&str>> = HashMap::new();
    for pair in pairs.iter().filter(|pair| pair.label == Label::NearDuplicate) {
        joined.entry(pair.source).or_default().push(pair.target);
        joined.entry(pair.target).or_default().push(pair.source);
    }
    for near in joined.values_mut() {
        near.sort_unstable();
    }
    let apart = pairs.iter().enumerate().filter(|(_, pair)| pair.label == Label::Not);
    apart.filter_map(|(at, pair)| Some((at, way(&joined, pair.source, pair.target)?))).collect()
}

/// The shortest way from one document to another.
fn way<'a>(joined: &HashMap<&'a str, Vec<&'a str>>, from: &'a str, to: &'a str) -> Option<Vec<&'a str>> {
    if !joined.contains_key(from) || !joined.contains_key(to) {
        return None;
    }
    let mut before = HashMap::from([(from, from)]);
    let mut waiting = VecDeque::from([from]);
    while let Some(here) = waiting.pop_front() {
        if here == to {
            break;
        }
        for &next in joined.get(here).into_iter().flatten() {
            before.entry(next).or_insert_with(|| {
                waiting.push_back(next);
                here
            });
        }
    }
    let mut way = vec![to];
    while let Some(&step) = way.last().and_then(|last| before.get(last)) {
        if Some(&step) == way.last() {
            way.reverse();
            return Some(way);
        }
        way.push(step);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged<'a>(rows: &[(&'a str, &'a str, Label)]) -> Vec<LabelledPair<'a>> {
        rows.iter().map(|&(source, target, label)| LabelledPair { source, target, label }).collect()
    }

    #[test]
    fn a_contradiction_is_told_with_its_way() {
        use Label::{NearDuplicate as Near, Not, Unsure};
        let rows = judged(&[
            ("a", "B", Near),
            ("c", "B", Near),
            ("c", "D", Near),
            ("a", "D", Not),
            ("a", "E", Not),
            ("f", "D", Unsure),
            ("f", "B", Not),
        ]);
        assert_eq!(chains(&rows), BTreeMap::from([(3, vec!["a", "B", "c", "D"])]));
    }

    #[test]
    fn the_shortest_way_and_direct_contradictions() {
        use Label::{NearDuplicate as Near, Not};
        let rows = judged(&[("a", "B", Near), ("a", "C", Near), ("d", "B", Near), ("d", "C", Near), ("d", "C", Not)]);
        assert_eq!(chains(&rows), BTreeMap::from([(4, vec!["d", "C"])]));
        assert!(chains(&judged(&[("a", "B", Not)])).is_empty());
        assert!(chains(&[]).is_empty());
    }

    /// A document compared with itself joins nothing new and ends.
    #[test]
    fn circles_end() {
        use Label::{NearDuplicate as Near, Not};
        let rows = judged(&[("a", "a", Near), ("a", "b", Near), ("b", "a", Near), ("c", "c", Near), ("a", "c", Not)]);
        assert!(chains(&rows).is_empty());
    }
}
