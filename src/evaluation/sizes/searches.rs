//! The sizes of two corpora by random searches of a log (Lawrence and Giles 1998): for each query the ratio of the numbers of
//! results, and its mean.
//!
//! The mean of ratios is not the ratio of sizes: queries with few results count as much as others, and a query that one
//! corpus does not answer has no ratio. So the ratio of all results together stands beside it. Neither is corrected for what
//! people ask. Intervals are the middle 95 % when the queries are drawn anew.

use serde::Serialize;

use dejaview_base::interval::Interval;
use dejaview_base::random::{Bootstrap, Random};

/// What the searches of a log say of two corpora.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SearchRatios {
    /// Queries of the log.
    pub queries: u64,
    /// Those that one of the corpora answers, at least.
    pub answered: u64,
    /// Those that both answer.
    pub by_both: u64,
    /// Mean over the latter of the results of the second corpus over those of the first.
    pub mean: Option<Interval>,
    /// All results of the second corpus over all of the first.
    pub together: Option<Interval>,
}

impl SearchRatios {
    /// `results` are the numbers of results of each query in the two corpora.
    pub fn new(results: &[[u64; 2]], bootstrap: &Bootstrap) -> Self {
        let answered: Vec<[u64; 2]> = results.iter().copied().filter(|[a, b]| a + b > 0).collect();
        let by_both = answered.iter().filter(|[a, b]| a.min(b) > &0).count() as u64;
        let interval = |estimate: fn(&[[u64; 2]]) -> Option<f64>| {
            let drawn = bootstrap.replicates(|random: &mut Random| estimate(&again(&answered, random)));
            bootstrap.interval(estimate(&answered)?, drawn)
        };
        Self {
            queries: results.len() as u64,
            answered: answered.len() as u64,
            by_both,
            mean: interval(mean),
            together: interval(together),
        }
    }
}

fn again(results: &[[u64; 2]], random: &mut Random) -> Vec<[u64; 2]> {
    (0..results.len()).map(|_| results[random.below(results.len() as u64) as usize]).collect()
}

fn mean(results: &[[u64; 2]]) -> Option<f64> {
    let ratios: Vec<f64> = results.iter().filter(|[a, b]| a.min(b) > &0).map(|[a, b]| *b as f64 / *a as f64).collect();
    (!ratios.is_empty()).then(|| ratios.iter().sum::<f64>() / ratios.len() as f64)
}

fn together(results: &[[u64; 2]]) -> Option<f64> {
    let sum = |side: usize| results.iter().map(|found| found[side]).sum::<u64>();
    (sum(0) > 0 && sum(1) > 0).then(|| sum(1) as f64 / sum(0) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_by_hand() {
        let found = SearchRatios::new(&[[1, 3], [2, 2], [0, 0], [4, 0], [1, 5]], &Bootstrap::default());
        assert_eq!((found.queries, found.answered, found.by_both), (5, 4, 3));
        assert!((found.mean.unwrap().value - 3.0).abs() < 1e-12, "(3 + 1 + 5) / 3: {found:?}");
        assert!((found.together.unwrap().value - 10.0 / 8.0).abs() < 1e-12, "{found:?}");
        let wide = found.together.unwrap();
        assert!(wide.low < 1.25 && wide.high > 1.25, "{wide:?}");
    }

    #[test]
    fn a_log_that_one_side_never_answers_says_nothing() {
        let found = SearchRatios::new(&[[0, 3], [0, 0]], &Bootstrap::default());
        assert_eq!((found.mean, found.together, found.answered), (None, None, 1));
        assert_eq!(SearchRatios::new(&[], &Bootstrap::default()).queries, 0);
    }
}
