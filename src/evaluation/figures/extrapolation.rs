//! How many source documents would be found if more segments were read?
//!
//! Two answers, side by side. [`linear`] is the study's: a straight line through the accumulated counts. The curve bends,
//! since a document is found only once however often it stands in the target, so the line promises too much. [`saturating`]
//! is ours: it fits the chances of the documents to the numbers of segments in which they were found, whatever their
//! spread, and promises what such documents would show ([`super::mixture`]). Neither exceeds the documents there are.
//!
//! Both take the segments for random parts of the target; where they are ordered by time or host, they can miss on either
//! side. How often the interval of [`saturating`] covers is simulated below ([`COVERAGE`]).

use serde::Serialize;

use super::mixture::Mixture;
use crate::distributions::{incomplete_beta, student_deviations};
use crate::intervals::first_where;
use dejaview_base::interval::Interval;

/// How sure the intervals are.
const CONFIDENCE: f64 = 0.95;

/// How often the interval of [`saturating`] covered at least, at twice and at four times the segments read, whatever the
/// spread of chances (`simulation.rs`): with 1,000 documents and 400 rounds of each population 0.940 at the lowest (all 0.06
/// at four times 10 segments; 0.950 with all 0.2 at twice 4), 0.985 and more elsewhere.
pub const COVERAGE: f64 = 0.94;

/// What is expected after so many segments.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Forecast {
    /// Segments, those that were read included.
    pub segments: usize,
    pub value: f64,
    /// The same with its 95 % interval; none where there are too few segments to say.
    pub interval: Option<Interval>,
}

/// The straight line through the accumulated counts (least squares), at `segments`, cut off at the `documents` there are.
/// Its interval is that of a prediction by regression and takes the points for independent, which accumulated counts are
/// not. None with fewer than 2 points; no interval with fewer than 3.
pub fn linear(accumulated: &[u64], segments: usize, documents: u64) -> Option<Forecast> {
    let n = accumulated.len();
    if n < 2 {
        return None;
    }
    let points = || accumulated.iter().enumerate().map(|(i, &y)| ((i + 1) as f64, y as f64));
    let (count, at) = (n as f64, segments as f64);
    let mean_x = points().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = points().map(|(_, y)| y).sum::<f64>() / count;
    let square: f64 = points().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let slope = points().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / square;
    let line = |x: f64| mean_y + slope * (x - mean_x);
    let most = documents.max(accumulated[n - 1]) as f64;
    let value = line(at).min(most);
    let interval = (n > 2).then(|| {
        let left = points().map(|(x, y)| (y - line(x)).powi(2)).sum::<f64>() / (count - 2.0);
        let error = (left * (1.0 + 1.0 / count + (at - mean_x).powi(2) / square)).sqrt();
        let reach = student_deviations(CONFIDENCE, count - 2.0) * error;
        Interval::new(value, (line(at) - reach).clamp(0.0, most), (line(at) + reach).min(most))
    });
    Some(Forecast { segments, value, interval: interval.flatten() })
}

/// What documents with unequal chances would show after each of these numbers of segments. `recurring[k−1]` of the
/// `documents` of the source have pairs in exactly k of the `recurring.len()` segments read, the others in none. Empty
/// with fewer than 2 segments. The interval holds what no refuted spread of chances promises, and the luck of the draw.
pub fn saturating(recurring: &[u64], segments: &[usize], documents: u64) -> Vec<Forecast> {
    let (read, found) = (recurring.len(), recurring.iter().sum::<u64>());
    if read < 2 {
        return Vec::new();
    }
    let unfound = documents.saturating_sub(found);
    let counts: Vec<u64> = std::iter::once(unfound).chain(recurring.iter().copied()).collect();
    let fitted = Mixture::fit(&counts);
    let forecast = |&segments: &usize| {
        let later = fitted.shown_later(segments.saturating_sub(read), CONFIDENCE);
        let [value, least, most] = [later.value, later.least, later.most].map(|share| share * unfound as f64);
        // The luck of the draw is added at each end, not squared and added: where all chances are equal, the truth is
        // itself an end.
        let tail = (1.0 - CONFIDENCE) / 2.0;
        let (low, high) = (shown(unfound, least, tail), shown(unfound, most, 1.0 - tail));
        let from = found as f64;
        let interval = Interval::new(from + value, from + low as f64, from + high as f64);
        Forecast { segments, value: from + value, interval }
    };
    segments.iter().map(forecast).collect()
}

/// The least number of documents, of so many that are shown with equal chance and `mean` of them on average, that is not
/// exceeded with this probability.
fn shown(documents: u64, mean: f64, probability: f64) -> u64 {
    let (n, chance) = (documents as f64, mean / (documents as f64).max(1.0));
    first_where(0..documents, |x| 1.0 - incomplete_beta(x as f64 + 1.0, n - x as f64, chance) >= probability)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_carried_on() {
        let forecast = linear(&[10, 20, 30, 40], 20, 1_000).unwrap();
        assert!((forecast.value - 200.0).abs() < 1e-9);
        assert!(forecast.interval.unwrap().half_width() < 1e-6);
        // Worked by hand: y = 2.2 + 0.6 x through (1,3) (2,3) (3,4) (4,5) (5,5) … at 10: 8.2.
        let bent = linear(&[3, 3, 4, 5, 5], 10, 1_000).unwrap();
        assert!((bent.value - 8.2).abs() < 1e-9, "{bent:?}");
        // s² = 0.4/3, 1 + 1/5 + 49/10 = 6.1, t = 3.182446: ± 2.870.
        assert!((bent.interval.unwrap().half_width() - 2.870).abs() < 1e-3, "{bent:?}");
        assert_eq!(linear(&[3, 4], 10, 1_000).unwrap().interval, None);
        assert_eq!(linear(&[3], 10, 1_000), None);
    }

    #[test]
    fn no_more_documents_than_there_are() {
        let line = linear(&[10, 20, 30, 41], 20, 60).unwrap();
        assert_eq!((line.value, line.interval.unwrap().high), (60.0, 60.0));
        for (recurring, documents) in
            [(vec![30, 10, 0, 0, 5], 60), (vec![9, 0, 0], 10), (vec![0, 0], 4), (vec![3, 1], 4)]
        {
            let found: u64 = recurring.iter().sum();
            for forecast in saturating(&recurring, &[recurring.len(), 10, 1_000], documents) {
                let interval = forecast.interval.unwrap();
                assert!(interval.low >= found as f64 && interval.high <= documents as f64, "{forecast:?}");
            }
        }
        assert!(saturating(&[4], &[3], 10).is_empty());
    }

    #[test]
    fn what_is_expected_does_not_depend_on_how_far_one_looks() {
        let (near, far) =
            (saturating(&[40, 22, 17, 60], &[8], 400), saturating(&[40, 22, 17, 60], &[8, 20, 1_000], 400));
        assert_eq!(near[0], far[0]);
    }

    #[test]
    fn what_was_read_is_known_and_what_was_not_is_open() {
        let read = saturating(&[30, 10, 0, 0, 5], &[5, 6], 1_000);
        let now = read[0].interval.unwrap();
        assert_eq!((now.value, now.low, now.high), (45.0, 45.0, 45.0));
        assert!(read[1].interval.unwrap().high > read[1].value && read[1].value > 45.0);
        // Nothing found in three segments of documents: more may be, but not many.
        let none = saturating(&[0, 0, 0], &[6], 500)[0].interval.unwrap();
        assert!(none.value < 0.5 && none.high > 1.0 && none.high < 20.0, "{none:?}");
    }
}
