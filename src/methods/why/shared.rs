//! Finds the runs of words that are in both texts, wherever they are.
//!
//! Every word of the target gets a counterpart in the source: first as part of the longest run of words that begins with
//! four equal ones, then, for the remaining words, of any run. Of many places in the source those near the end of the last
//! run are tried. A moved paragraph is found as well as one that stayed. Cost: sorting the source's words.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::{Piece, Prepared};
use crate::wording;
use dejaview_base::hash::{Roll, fmix64};

/// Words that a run must begin with to be found first.
const ANCHOR: usize = 4;
/// Places in the source that are tried on either side of where the last run ended.
const TRIED: usize = 4;
/// Words after which a sentence is cut.
const LONGEST: usize = 40;

/// The words that both texts have as pieces of at most a sentence, the longest first. Equal ones are one piece.
pub fn shared_pieces(source: &Prepared<'_>, target: &Prepared<'_>) -> Vec<Piece> {
    let counterparts = counterparts(source.tokens().hashes(), target.tokens().hashes());
    pieces(source, target, stretches(target, |t| counterparts[t].map(Counterpart::At)))
}

/// The words that only the target has, in the same manner.
pub(super) fn lone_pieces(source: &Prepared<'_>, target: &Prepared<'_>) -> Vec<Piece> {
    let counterparts = counterparts(source.tokens().hashes(), target.tokens().hashes());
    pieces(source, target, stretches(target, |t| counterparts[t].is_none().then_some(Counterpart::None)))
}

/// For each word of the target, its counterpart in the source.
pub(super) fn counterparts(source: &[u64], target: &[u64]) -> Vec<Option<usize>> {
    let mut counterparts = vec![None; target.len()];
    for n in [ANCHOR, 1] {
        let mut grams: Vec<(u64, usize)> = Roll::new(source, n).enumerate().map(|(i, gram)| (gram, i)).collect();
        grams.sort_unstable();
        let mut next = 0;
        let mut behind = 0;
        for (at, gram) in Roll::new(target, n).enumerate() {
            if at < behind {
                continue;
            }
            let known = counterparts[at];
            let expected = next + at - behind;
            if let Some(counterpart) = known {
                (next, behind) = (counterpart + 1, at + 1);
            } else if let Some((first, len)) = longest(source, target, &counterparts, at, near(&grams, gram, expected))
            {
                for k in 0..len {
                    counterparts[at + k] = Some(first + k);
                }
                (next, behind) = (first + len, at + len);
            }
        }
    }
    counterparts
}

/// The places of an n-gram in the source around the expected one, nearest first.
fn near(grams: &[(u64, usize)], gram: u64, expected: usize) -> Vec<usize> {
    let place = |at: usize| grams.partition_point(|&known| known < (gram, at));
    let (first, middle, end) = (place(0), place(expected), place(usize::MAX));
    let window = middle.saturating_sub(TRIED).max(first)..(middle + TRIED).min(end);
    let mut places: Vec<usize> = grams[window].iter().map(|&(_, i)| i).collect();
    places.sort_by_key(|i| i.abs_diff(expected));
    places
}

/// The first of the longest runs that begin at word `at` of the target and at one of these words of the source.
fn longest(
    source: &[u64],
    target: &[u64],
    counterparts: &[Option<usize>],
    at: usize,
    places: Vec<usize>,
) -> Option<(usize, usize)> {
    let length = |i: usize| {
        let pairs = source[i..].iter().zip(target[at..].iter().zip(&counterparts[at..]));
        pairs.take_while(|(s, (t, counterpart))| s == t && counterpart.is_none()).count()
    };
    let runs = places.into_iter().map(|i| (i, length(i))).filter(|&(_, len)| len > 0);
    runs.reduce(|best, run| if run.1 > best.1 { run } else { best })
}

/// The counterpart of a word that belongs to a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counterpart {
    At(usize),
    None,
}

impl Counterpart {
    /// The counterpart that the next word of the stretch must have.
    fn next(self) -> Self {
        match self {
            Self::At(i) => Self::At(i + 1),
            Self::None => Self::None,
        }
    }
}

/// Consecutive words of the target, and the counterpart of the first.
#[derive(Debug)]
struct Stretch {
    words: Range<usize>,
    counterpart: Counterpart,
}

/// Consecutive words whose counterparts are consecutive, too, cut where a line or a sentence ends.
fn stretches(target: &Prepared<'_>, counterpart: impl Fn(usize) -> Option<Counterpart>) -> Vec<Stretch> {
    let tokens = target.tokens();
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut open: Option<Counterpart> = None;
    for at in 0..tokens.len() {
        let here = counterpart(at);
        let goes_on = at > 0 && open.map(Counterpart::next) == here && {
            let gap = target.text().get(tokens.span(at - 1).end..tokens.span(at).start);
            !gap.is_some_and(ends)
        };
        match (here, stretches.last_mut()) {
            (Some(_), Some(last)) if goes_on && last.words.len() < LONGEST => last.words.end = at + 1,
            (Some(counterpart), _) => stretches.push(Stretch { words: at..at + 1, counterpart }),
            (None, _) => {}
        }
        open = here;
    }
    stretches
}

/// Whether a line or a sentence ends between two words.
fn ends(gap: &str) -> bool {
    let stop = gap.find(['.', '!', '?']).is_some_and(|at| gap[at..].contains(char::is_whitespace));
    stop || gap.contains(['\n', '。', '！', '？'])
}

/// The stretches as pieces, the longest first, equal ones joined.
fn pieces(source: &Prepared<'_>, target: &Prepared<'_>, stretches: Vec<Stretch>) -> Vec<Piece> {
    let mut groups = equal(target.tokens().hashes(), stretches);
    groups.sort_by_key(|group| Reverse(group[0].words.len()));
    let piece = |group: Vec<Stretch>| {
        let counterparts = group.iter().filter_map(|stretch| match stretch.counterpart {
            Counterpart::At(first) => Some(span(source, &(first..first + stretch.words.len()))),
            Counterpart::None => None,
        });
        let mut source: Vec<Range<usize>> = counterparts.collect();
        source.sort_unstable_by_key(|span| (span.start, span.end));
        source.dedup();
        let places: Vec<Range<usize>> = group.iter().map(|stretch| span(target, &stretch.words)).collect();
        Piece { claim: claim(&target.text()[places[0].clone()], &group), source, target: places }
    };
    groups.into_iter().map(piece).collect()
}

/// Groups of stretches with equal words, in the order of the first of each.
fn equal(hashes: &[u64], stretches: Vec<Stretch>) -> Vec<Vec<Stretch>> {
    let mut known: HashMap<u64, usize> = HashMap::new();
    let mut groups: Vec<Vec<Stretch>> = Vec::new();
    for stretch in stretches {
        let hash = hashes[stretch.words.clone()].iter().fold(0, |hash, word| fmix64(hash ^ word));
        let group = *known.entry(hash).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(stretch);
    }
    groups
}

pub(super) fn span(document: &Prepared<'_>, words: &Range<usize>) -> Range<usize> {
    document.tokens().span(words.start).start..document.tokens().span(words.end - 1).end
}

fn claim(quoted: &str, group: &[Stretch]) -> String {
    let words = group[0].words.len();
    let times = if group.len() > 1 { format!(", {} times", group.len()) } else { String::new() };
    let alone = if group[0].counterpart == Counterpart::None { ", only in the target" } else { "" };
    format!("{} ({words} {}{times}){alone}", wording::quoted(quoted), if words == 1 { "word" } else { "words" })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::{Text, mixed};
    use super::*;

    fn found(source: &str, target: &str) -> Vec<Piece> {
        let (source, target) = (Text::new(source), Text::new(target));
        shared_pieces(&source.prepared(), &target.prepared())
    }

    fn claims(source: &str, target: &str) -> Vec<String> {
        found(source, target).into_iter().map(|piece| piece.claim).collect()
    }

    #[test]
    fn moved_and_repeated_text_is_found_longest_first() {
        let source = "Home\nThe quick brown fox jumps. It sleeps now.\nContact us today";
        let target = "Contact us TODAY\nNews\nHome\nthe quick brown fox jumps; it sleeps. Home";
        assert_eq!(
            claims(source, target),
            [
                "“the quick brown fox jumps; it sleeps” (7 words)",
                "“Contact us TODAY” (3 words)",
                "“Home” (1 word, 2 times)"
            ]
        );
        let home = &found(source, target)[2];
        assert_eq!((home.source.len(), home.source[0].clone(), home.target.len()), (1, 0..4, 2));
    }

    #[test]
    fn sentences_lines_and_long_runs_are_cut() {
        assert_eq!(
            claims("a b. c d\ne 3.14 f", "a b. c d\ne 3.14 f"),
            ["“e 3.14 f” (4 words)", "“a b” (2 words)", "“c d” (2 words)"]
        );
        let long: String = (0..100).map(|i| format!("w{i} ")).collect();
        let lengths: Vec<usize> =
            found(&long, &long).iter().map(|p| long[p.target[0].clone()].split(' ').count()).collect();
        assert_eq!(lengths, [40, 40, 20]);
        assert_eq!(claims("東京都に。行く", "東京都に。行く").len(), 2);
    }

    #[test]
    fn words_of_the_target_alone() {
        let (source, target) = (Text::new("red green"), Text::new("red blue. Red blue\nold"));
        let lone = lone_pieces(&source.prepared(), &target.prepared());
        let claims: Vec<_> = lone.iter().map(|piece| piece.claim.as_str()).collect();
        assert_eq!(claims, ["“blue” (1 word, 2 times), only in the target", "“old” (1 word), only in the target"]);
        assert!(lone.iter().all(|piece| piece.source.is_empty()));
    }

    proptest! {
        /// Each piece says the same on both sides, and the pieces of both kinds are all words of the target, once each.
        #[test]
        fn pieces_are_shared_and_complete((source, target) in mixed()) {
            let (source, target) = (Text::new(&source), Text::new(&target));
            let (source, target) = (source.prepared(), target.prepared());
            let words = |text: &str| Text::new(text).tokens.hashes().to_vec();
            let shared = shared_pieces(&source, &target);
            for piece in &shared {
                let first = words(&target.text()[piece.target[0].clone()]);
                let all = piece.source.iter().map(|s| &source.text()[s.clone()]).chain(piece.target.iter().map(|s| &target.text()[s.clone()]));
                for side in all {
                    prop_assert_eq!(words(side), first.clone());
                }
            }
            let (hashes, counterparts) = (source.tokens().hashes(), counterparts(source.tokens().hashes(), target.tokens().hashes()));
            for (hash, counterpart) in target.tokens().hashes().iter().zip(counterparts) {
                prop_assert_eq!(counterpart.is_some(), hashes.contains(hash));
            }
            let lone = lone_pieces(&source, &target);
            let spans = shared.iter().chain(&lone).flat_map(|piece| &piece.target);
            prop_assert_eq!(spans.map(|s| words(&target.text()[s.clone()]).len()).sum::<usize>(), target.tokens().len());
        }
    }
}
