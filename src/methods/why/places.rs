//! The places where two texts differ, as replacements; all of them together make the target equal to the source.
//!
//! Myers' diff over words, without a clock: the same texts give the same places on every machine. `similar` bounds its
//! search by the size of the input, so that unrelated texts cost about n^1.5. Texts of very many words are compared
//! line by line, and texts of very many lines not at all: they are one place.

use std::cmp::Reverse;
use std::convert::Infallible;
use std::ops::Range;

use similar::Algorithm;
use similar::algorithms::{DiffHook, diff_slices};

use super::replacement::Replacement;
use crate::prepared::Prepared;
use dejaview_base::hash;

/// Words, or else lines, of both texts together that are compared one by one.
const COMPARED: usize = 200_000;

/// The places where the texts differ, in the order of the text.
pub(super) fn places(source: &Prepared<'_>, target: &Prepared<'_>) -> Vec<Replacement> {
    let (a, b) = units(source, target);
    between(source.text(), target.text(), &a, &b)
}

/// At most `most` groups of neighbouring places: the widest stretches of equal text part them.
pub(super) fn neighbours(places: &[Replacement], most: usize) -> Vec<Range<usize>> {
    let mut borders: Vec<usize> = (1..places.len()).collect();
    borders.sort_by_key(|&i| Reverse(places[i].target.start - places[i - 1].target.end));
    borders.truncate(most.max(1) - 1);
    borders.push(places.len());
    borders.sort_unstable();
    let mut start = 0;
    let groups = borders.into_iter().map(|end| std::mem::replace(&mut start, end)..end);
    groups.filter(|group| !group.is_empty()).collect()
}

/// Neighbouring places and the equal text between them as one place; `group` is never empty.
pub(super) fn merge(places: &[Replacement], group: &[usize]) -> Replacement {
    let (mut first, mut last) = (group[0], group[0]);
    for &i in group {
        (first, last) = (first.min(i), last.max(i));
    }
    Replacement {
        target: places[first].target.start..places[last].target.end,
        source: places[first].source.start..places[last].source.end,
    }
}

/// What is compared one by one: words of both texts, or lines, or nothing.
fn units(source: &Prepared<'_>, target: &Prepared<'_>) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    if source.tokens().len() + target.tokens().len() <= COMPARED {
        return (words(source), words(target));
    }
    let (a, b) = (lines(source.text()), lines(target.text()));
    if a.len() + b.len() <= COMPARED { (a, b) } else { (Vec::new(), Vec::new()) }
}

/// The tokens; where they overlap, as pairs of ideographs do, cut so that they no longer do. Two ideographs that stand
/// alone stay one word.
fn words(document: &Prepared<'_>) -> Vec<Range<usize>> {
    let tokens = document.tokens();
    let mut words: Vec<Range<usize>> = Vec::with_capacity(tokens.len());
    for i in 0..tokens.len() {
        let token = tokens.span(i);
        match words.last_mut() {
            Some(last) if token.start < last.end => {
                let end = last.end;
                if last.start < token.start {
                    last.end = token.start;
                    words.push(token.start..end);
                }
                words.extend(Some(end..token.end).filter(|rest| !rest.is_empty()));
            }
            _ => words.push(token),
        }
    }
    words
}

/// The lines with their line breaks.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut end = 0;
    text.split_inclusive('\n')
        .map(|line| {
            end += line.len();
            end - line.len()..end
        })
        .collect()
}

/// The stretches between equal units that are not equal themselves.
fn between(source: &str, target: &str, a: &[Range<usize>], b: &[Range<usize>]) -> Vec<Replacement> {
    let hashes = |text: &str, units: &[Range<usize>]| -> Vec<u64> {
        units.iter().map(|unit| hash::token(&text.as_bytes()[unit.clone()])).collect()
    };
    let mut equal = Equal(Vec::new());
    let Ok(()) = diff_slices(Algorithm::Myers, &mut equal, &hashes(source, a), &hashes(target, b));
    let anchors = equal.0.iter().map(|&(i, j)| (a[i].clone(), b[j].clone()));
    // Equal hashes are all but certainly equal bytes; nothing here rests on the rest of that certainty.
    let anchors = anchors.filter(|(a, b)| source[a.clone()] == target[b.clone()]);
    let end = (source.len()..source.len(), target.len()..target.len());
    let mut places = Vec::new();
    let mut done = (0, 0);
    for (a, b) in anchors.chain([end]) {
        let place = Replacement { source: done.0..a.start, target: done.1..b.start };
        if source[place.source.clone()] != target[place.target.clone()] {
            places.push(trimmed(source, target, place));
        }
        done = (a.end, b.end);
    }
    places
}

/// The place without the blanks and punctuation that both sides begin or end with.
fn trimmed(source: &str, target: &str, mut place: Replacement) -> Replacement {
    let (a, b) = (&source[place.source.clone()], &target[place.target.clone()]);
    let head = common(a.chars(), b.chars());
    let tail = common(a[head..].chars().rev(), b[head..].chars().rev());
    (place.source.start, place.target.start) = (place.source.start + head, place.target.start + head);
    (place.source.end, place.target.end) = (place.source.end - tail, place.target.end - tail);
    place
}

fn common(a: impl Iterator<Item = char>, b: impl Iterator<Item = char>) -> usize {
    let separates = |c: char| c.is_whitespace() || c.is_ascii_punctuation();
    a.zip(b).take_while(|&(a, b)| a == b && separates(a)).map(|(a, _)| a.len_utf8()).sum()
}

/// Pairs of units that Myers finds equal, ascending on both sides.
struct Equal(Vec<(usize, usize)>);

impl DiffHook for Equal {
    type Error = Infallible;

    fn equal(&mut self, a: usize, b: usize, len: usize) -> Result<(), Infallible> {
        self.0.extend((a..a + len).zip(b..b + len));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::{Text, mixed};
    use super::super::text::replaced;
    use super::*;

    fn differing(source: &str, target: &str) -> Vec<Replacement> {
        let (source, target) = (Text::new(source), Text::new(target));
        places(&source.prepared(), &target.prepared())
    }

    fn joined(places: &[Replacement], most: usize) -> Vec<Replacement> {
        neighbours(places, most).into_iter().map(|group| merge(places, &group.collect::<Vec<_>>())).collect()
    }

    fn read(source: &str, target: &str) -> Vec<String> {
        let quote = |p: &Replacement| format!("{}>{}", &target[p.target.clone()], &source[p.source.clone()]);
        differing(source, target).iter().map(quote).collect()
    }

    #[test]
    fn places_by_example() {
        assert_eq!(read("the red house", "the blue house"), ["blue>red"]);
        assert_eq!(read("the house", "the red house"), ["red >"]);
        assert_eq!(read("the red, old house.", "The red house."), ["The>the", ">, old"]);
        assert_eq!(read("one\ntwo", "one two"), [" >\n"]);
        assert_eq!(read("東京都に", "東都に"), [">京"]);
        assert_eq!(read("same", "same"), [""; 0]);
        assert_eq!(read("", ""), [""; 0]);
        assert_eq!(read("all", ""), [">all"]);
    }

    #[test]
    fn ideographs_are_compared_one_by_one() {
        let text = Text::new("a 東京都に b");
        let cut: Vec<_> = words(&text.prepared()).into_iter().map(|w| &"a 東京都に b"[w]).collect();
        assert_eq!(cut, ["a", "東", "京", "都", "に", "b"]);
    }

    #[test]
    fn neighbours_are_parted_by_the_widest_equal_stretches() {
        let (source, target) = ("x b c d e f x h i x", "a b c d e f g h i j");
        let all = differing(source, target);
        assert_eq!((all.len(), joined(&all, 3)), (3, all.clone()));
        let two = joined(&all, 2);
        assert_eq!(two.iter().map(|p| &target[p.target.clone()]).collect::<Vec<_>>(), ["a", "g h i j"]);
        assert_eq!(joined(&all, 0).len(), 1);
        assert_eq!(joined(&[], 3), []);
    }

    #[test]
    fn very_many_words_are_compared_by_lines() {
        let page = |odd: &str| {
            (0..2_100).map(|i| format!("{}{i}\n", if i % 700 == 3 { odd } else { "w " }.repeat(50))).collect::<String>()
        };
        let (source, target) = (page("v "), page("u "));
        let found = differing(&source, &target);
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|p| target[p.target.clone()].starts_with("u u")));
        assert_eq!(replaced(&target, &source, &found), source);
        let (source, target) = ("a\n".repeat(COMPARED), "a\n".repeat(COMPARED - 1));
        let found = differing(&source, &target);
        assert_eq!(found, [Replacement { target: 0..target.len() - 1, source: 0..source.len() - 1 }]);
    }

    proptest! {
        #[test]
        fn all_of_them_make_the_source((source, target) in mixed(), most in 1usize..20) {
            let all = differing(&source, &target);
            for found in [joined(&all, most), all.clone()] {
                prop_assert!(found.windows(2).all(|p| p[0].target.end <= p[1].target.start));
                prop_assert_eq!(&replaced(&target, &source, &found), &source);
            }
            prop_assert_eq!(joined(&all, most).len(), most.min(all.len()));
        }
    }
}
