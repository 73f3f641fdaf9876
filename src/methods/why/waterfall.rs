//! Splits the Jaccard similarity of two texts into the contributions of the runs of words that they share.
//!
//! The words that are in both texts form runs. Every n-gram that both have is credited to one run, the longest that
//! holds it, so the credits of all runs and of the few n-grams that no run holds add up to the intersection; with the
//! n-grams of one side alone they add up to the union. Runs are parted into content and boilerplate: boilerplate is what
//! stands outside the main content of both pages. Cost: that of finding the runs, and a hash table of the n-grams.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use super::Prepared;
use super::shared::{counterparts, span};
use crate::wording::quoted;
use dejaview_base::hash::Roll;
use dejaview_base::similarity::ratio;

/// Words in a row that both texts have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub words: usize,
    /// Distinct n-grams credited to it.
    pub mass: usize,
    /// Whether it is boilerplate.
    pub framed: bool,
    /// Its bytes in the source.
    pub source: Range<usize>,
    /// Its bytes in the target.
    pub target: Range<usize>,
    /// How it begins, in quotation marks.
    pub quote: String,
}

/// The Jaccard similarity of word n-grams by its contributions. Masses are counts of distinct n-grams.
#[derive(Debug, Clone, PartialEq)]
pub struct Waterfall {
    /// Words of an n-gram.
    pub n: usize,
    /// Runs that carry something, the heaviest first.
    pub runs: Vec<Run>,
    /// Shared n-grams that are not part of any run.
    pub scattered: usize,
    /// N-grams of the source alone.
    pub only_source: usize,
    /// N-grams of the target alone.
    pub only_target: usize,
    /// The Jaccard of the two main contents; `None` without frames.
    pub without_frame: Option<f64>,
}

impl Waterfall {
    /// `frames` are the spans of each document that are not its main content, ascending.
    pub fn new(source: &Prepared<'_>, target: &Prepared<'_>, n: usize, frames: [&[Range<usize>]; 2]) -> Self {
        let (a, b) = (distinct(source.grams(n)), distinct(target.grams(n)));
        let shared = a.iter().filter(|gram| b.contains(gram)).count();
        let mut runs = runs(source, target, frames);
        credit(&mut runs, target, n);
        runs.retain(|(_, run)| run.mass > 0);
        let mut runs: Vec<Run> = runs.into_iter().map(|(_, run)| run).collect();
        runs.sort_by_key(|run| (Reverse(run.mass), run.target.start));
        let credited: usize = runs.iter().map(|run| run.mass).sum();
        let has_frames = frames.iter().any(|frame| !frame.is_empty());
        Self {
            n,
            runs,
            scattered: shared - credited,
            only_source: a.len() - shared,
            only_target: b.len() - shared,
            without_frame: has_frames.then(|| main_jaccard(source, target, n, frames)),
        }
    }

    /// N-grams that both have.
    pub fn shared(&self) -> usize {
        self.runs.iter().map(|run| run.mass).sum::<usize>() + self.scattered
    }

    /// N-grams that either has.
    pub fn union(&self) -> usize {
        self.shared() + self.only_source + self.only_target
    }

    /// What so many n-grams contribute to the Jaccard.
    pub fn share(&self, mass: usize) -> f64 {
        ratio(mass as u64, self.union() as u64)
    }

    /// The Jaccard: the sum of all shares that are shared.
    pub fn jaccard(&self) -> f64 {
        self.share(self.shared())
    }

    /// The bytes of these runs in the source and in the target.
    pub fn places(&self, runs: impl Iterator<Item = usize> + Clone) -> [Vec<Range<usize>>; 2] {
        let all = || runs.clone().filter_map(|i| self.runs.get(i));
        [all().map(|run| run.source.clone()).collect(), all().map(|run| run.target.clone()).collect()]
    }
}

fn distinct(grams: &[u64]) -> HashSet<u64> {
    grams.iter().copied().collect()
}

/// Whether a place lies in one of these spans.
fn within(spans: &[Range<usize>], at: usize) -> bool {
    let after = spans.partition_point(|span| span.start <= at);
    after.checked_sub(1).is_some_and(|i| at < spans[i].end)
}

/// All shared runs, cut where boilerplate begins or ends, with the words of each in the target. Nothing is credited yet.
fn runs(source: &Prepared<'_>, target: &Prepared<'_>, frames: [&[Range<usize>]; 2]) -> Vec<(Range<usize>, Run)> {
    let counterparts = counterparts(source.tokens().hashes(), target.tokens().hashes());
    let framed = |t: usize, s: usize| {
        within(frames[1], target.tokens().span(t).start) && within(frames[0], source.tokens().span(s).start)
    };
    let mut stretches: Vec<(Range<usize>, usize, bool)> = Vec::new();
    for (t, counterpart) in counterparts.iter().enumerate() {
        let Some(s) = *counterpart else { continue };
        let frame = framed(t, s);
        match stretches.last_mut() {
            Some((words, first, same)) if words.end == t && *first + words.len() == s && *same == frame => {
                words.end = t + 1;
            }
            _ => stretches.push((t..t + 1, s, frame)),
        }
    }
    let run = |(words, first, framed): (Range<usize>, usize, bool)| {
        let place = span(target, &words);
        let run = Run {
            words: words.len(),
            mass: 0,
            framed,
            source: span(source, &(first..first + words.len())),
            quote: quoted(&target.text()[place.clone()]),
            target: place,
        };
        (words, run)
    };
    stretches.into_iter().map(run).collect()
}

/// Credits every n-gram that lies in a run to the longest, and of equally long ones to the first.
fn credit(runs: &mut [(Range<usize>, Run)], target: &Prepared<'_>, n: usize) {
    let grams = target.grams(n);
    let mut order: Vec<usize> = (0..runs.len()).collect();
    order.sort_by_key(|&i| (Reverse(runs[i].0.len()), runs[i].0.start));
    let mut credited: HashSet<u64> = HashSet::new();
    for i in order {
        let (words, run) = &mut runs[i];
        if words.len() >= n {
            let inside = &grams[words.start..=words.end - n];
            run.mass = inside.iter().filter(|gram| credited.insert(**gram)).count();
        }
    }
}

/// The Jaccard of what is outside the frames.
fn main_jaccard(source: &Prepared<'_>, target: &Prepared<'_>, n: usize, frames: [&[Range<usize>]; 2]) -> f64 {
    let [a, b] = [(source, frames[0]), (target, frames[1])].map(|(document, frame)| {
        let tokens = document.tokens();
        let outside = (0..tokens.len()).filter(|&i| !within(frame, tokens.span(i).start));
        let hashes: Vec<u64> = outside.map(|i| tokens.hashes()[i]).collect();
        Roll::new(&hashes, n).collect::<HashSet<u64>>()
    });
    let shared = a.intersection(&b).count() as u64;
    ratio(shared, (a.len() + b.len()) as u64 - shared)
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "lists of spans, some of them of one")]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::{Text, mixed};
    use super::*;
    use crate::measures::{LENGTHS, Scores};

    fn waterfall(source: &str, target: &str, n: usize, frames: [&[Range<usize>]; 2]) -> Waterfall {
        let (source, target) = (Text::new(source), Text::new(target));
        Waterfall::new(&source.prepared(), &target.prepared(), n, frames)
    }

    /// The Jaccard as a run computes it, of each of [`LENGTHS`].
    fn jaccards(source: &str, target: &str) -> [f64; 5] {
        let [a, b] = [source, target].map(Text::new);
        let scores = Scores::of(&a.prepared(), &b.prepared());
        [scores.jaccard_1, scores.jaccard_2, scores.jaccard_3, scores.jaccard_5, scores.jaccard_8]
    }

    #[test]
    fn runs_by_example() {
        let (source, target) = ("menu news\nthe red house by the sea", "menu news\nan old house by the sea");
        let all = waterfall(source, target, 1, [&[0..9], &[0..9]]);
        let runs: Vec<(&str, usize, bool)> =
            all.runs.iter().map(|run| (run.quote.as_str(), run.mass, run.framed)).collect();
        assert_eq!(runs, [("“house by the sea”", 4, false), ("“menu news”", 2, true)]);
        assert_eq!((all.scattered, all.only_source, all.only_target), (0, 1, 2));
        assert_eq!(all.jaccard(), 6.0 / 9.0);
        assert_eq!(all.without_frame, Some(4.0 / 7.0));
        let places = all.places([1].into_iter());
        assert_eq!(places, [vec![0..9], vec![0..9]]);
        assert_eq!(waterfall(source, target, 1, [&[], &[]]).without_frame, None);
    }

    #[test]
    fn what_is_framed_on_one_side_only_is_content() {
        let all = waterfall("a b c d", "a b c d", 1, [&[0..3], &[]]);
        assert!(all.runs.iter().all(|run| !run.framed));
        let all = waterfall("a b c d", "a b c d", 1, [&[0..3], &[0..3]]);
        assert_eq!(all.runs.iter().map(|run| (run.words, run.framed)).collect::<Vec<_>>(), [(2, true), (2, false)]);
    }

    #[test]
    fn nothing_is_a_case() {
        for n in LENGTHS {
            let all = waterfall("", "", n, [&[], &[]]);
            assert_eq!((all.union(), all.jaccard()), (0, 0.0));
            assert_eq!(waterfall("a b", "", n, [&[], &[]]).jaccard(), 0.0);
        }
    }

    proptest! {
        /// The shares of all runs add up to the Jaccard that every run of a study computes; all shares add up to 1.
        #[test]
        fn the_shares_add_up((source, target) in mixed(), from in 0usize..60, to in 0usize..60) {
            let frame = [from.min(to)..from.max(to)];
            let wanted = jaccards(&source, &target);
            for (n, wanted) in LENGTHS.into_iter().zip(wanted) {
                let all = waterfall(&source, &target, n, [&frame, &frame]);
                let runs: usize = all.runs.iter().map(|run| run.mass).sum();
                let sum: f64 = all.runs.iter().map(|run| all.share(run.mass)).sum::<f64>() + all.share(all.scattered);
                prop_assert!((sum - wanted).abs() < 1e-12, "{} is not {}", sum, wanted);
                prop_assert_eq!(all.jaccard(), wanted);
                prop_assert_eq!(runs + all.scattered + all.only_source + all.only_target, all.union());
                prop_assert!(n > 1 || all.scattered == 0, "a word that both have stands in a run");
            }
        }

        /// The words of a run are the same on both sides, and no place of the target is in two runs.
        #[test]
        fn runs_say_the_same_on_both_sides((source, target) in mixed()) {
            let all = waterfall(&source, &target, 1, [&[], &[]]);
            let words = |text: &str| Text::new(text).tokens.hashes().to_vec();
            for run in &all.runs {
                prop_assert_eq!(words(&source[run.source.clone()]), words(&target[run.target.clone()]));
            }
            let mut places: Vec<Range<usize>> = all.runs.iter().map(|run| run.target.clone()).collect();
            places.sort_by_key(|place| place.start);
            prop_assert!(places.windows(2).all(|pair| pair[0].end <= pair[1].start));
        }
    }
}
