//! Systems before and after, topic by topic: differences and orders of systems, with intervals over topics.
//!
//! Only topics with a judgment before and after count: the mean over others would compare other topics, not other judgments.
//! Topics are what a test collection draws, so intervals come from drawing them again, all systems together (Sakai,
//! *Laboratory Experiments in Information Retrieval*, 2018; Smucker, Allan & Carterette, CIKM 2007).

use super::tau_b;
use dejaview_base::interval::Interval;
use dejaview_base::random::Bootstrap;

/// For each system its values before and after on each topic; none where a run has nothing for the topic.
pub type ByTopic = [Vec<Option<[f64; 2]>>];

/// The means of a system before and after, over the drawn topics that it has.
fn means(values: &[Option<[f64; 2]>], topics: &[usize]) -> Option<[f64; 2]> {
    let has: Vec<[f64; 2]> = topics.iter().filter_map(|topic| values[*topic]).collect();
    let mean = |side: usize| has.iter().map(|value| value[side]).sum::<f64>() / has.len() as f64;
    (!has.is_empty()).then(|| [mean(0), mean(1)])
}

/// Kendall's tau-b between before and after over some topics.
fn tau(systems: &ByTopic, topics: &[usize]) -> Option<f64> {
    let both: Vec<[f64; 2]> = systems.iter().filter_map(|values| means(values, topics)).collect();
    let (before, after): (Vec<f64>, Vec<f64>) = both.iter().map(|mean| (mean[0], mean[1])).unzip();
    tau_b(&before, &after)
}

/// What topics say about systems before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Paired {
    /// Means before and after of each system; none without a topic.
    pub means: Vec<Option<[f64; 2]>>,
    /// After minus before of each system; none with fewer than two topics, of which nothing can be drawn again.
    pub differences: Vec<Option<Interval>>,
    /// Kendall's tau-b between before and after; none when there is nothing to order.
    pub tau: Option<f64>,
    /// Its interval; none with fewer than two topics.
    pub tau_interval: Option<Interval>,
}

impl Paired {
    /// Compares all systems before and after on this many topics.
    pub fn new(systems: &ByTopic, topics: usize, bootstrap: &Bootstrap) -> Self {
        let all: Vec<usize> = (0..topics).collect();
        let draws: Vec<Vec<usize>> = match topics {
            0 | 1 => Vec::new(),
            _ => bootstrap.replicates(|random| all.iter().map(|_| random.below(topics as u64) as usize).collect()),
        };
        let difference = |values: &Vec<Option<[f64; 2]>>| {
            let of = |topics: &[usize]| means(values, topics).map(|[before, after]| after - before);
            let several = values.iter().flatten().count() > 1;
            bootstrap.interval(of(&all)?, draws.iter().map(|topics| of(topics))).filter(|_| several)
        };
        let middle = tau(systems, &all);
        Self {
            means: systems.iter().map(|values| means(values, &all)).collect(),
            differences: systems.iter().map(difference).collect(),
            tau: middle,
            tau_interval: middle
                .and_then(|middle| bootstrap.interval(middle, draws.iter().map(|topics| tau(systems, topics)))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_over_the_topics_that_both_have() {
        let one = vec![Some([0.2, 0.4]), Some([0.4, 0.4]), None, Some([0.6, 0.4])];
        let two = vec![Some([0.1, 0.1]), Some([0.2, 0.3]), Some([0.3, 0.5]), Some([0.2, 0.3])];
        let found = Paired::new(&[one, two], 4, &Bootstrap::default());
        let [before, after] = found.means[0].unwrap();
        assert!((before - 0.4).abs() < 1e-12 && (after - 0.4).abs() < 1e-12);
        let difference = found.differences[1].unwrap();
        assert!((difference.value - 0.1).abs() < 1e-12 && difference.low >= 0.0 && difference.high <= 0.2);
        assert!(found.differences[0].unwrap().low < 0.0 && found.differences[0].unwrap().high > 0.0);
        assert_eq!(found.tau, Some(1.0));
        assert!(found.tau_interval.unwrap().low < 1.0, "on some draws the second is ahead: {found:?}");
    }

    #[test]
    fn one_topic_has_no_interval() {
        let found = Paired::new(&[vec![Some([0.2, 0.4])], vec![Some([0.3, 0.6])]], 1, &Bootstrap::default());
        assert_eq!((found.tau, found.tau_interval, found.differences), (Some(1.0), None, vec![None, None]));
        let none = Paired::new(&[vec![]], 0, &Bootstrap::default());
        assert_eq!((none.tau, none.means), (None, vec![None]));
    }
}
