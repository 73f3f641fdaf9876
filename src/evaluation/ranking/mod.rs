//! How good is a ranking, and do two sets of judgments rank systems alike?
//!
//! Measures as trec_eval defines them (checked against pytrec_eval, see `tests/outside`): a grade of 1 or more is relevant,
//! documents without a judgment are not; gains of nDCG are the grades, discounted by log2(rank + 1), negative grades
//! count nothing. Values are of the topics that both the run and the judgments have.

mod paired;
mod tau;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::str::FromStr;

use dejaview_base::choice::Expected;
use dejaview_corpus::qrels::Grade;
use dejaview_corpus::runs::Run;

pub use paired::{ByTopic, Paired};
pub use tau::tau_b;

/// Grades of documents by topic.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grades {
    topics: BTreeMap<String, HashMap<String, i64>>,
}

impl Grades {
    /// Adds a judgment, with its grade as written; of several for one topic and document the highest counts, as over subtopics.
    pub fn add(&mut self, topic: &str, document: &str, grade: &str) {
        let grade = grade.parse::<Grade>().map_or(0, |grade| grade.whole);
        let documents = self.topics.entry(topic.to_owned()).or_default();
        let entry = documents.entry(document.to_owned()).or_insert(grade);
        *entry = grade.max(*entry);
    }

    /// Topics with a judgment.
    pub fn topics(&self) -> usize {
        self.topics.len()
    }

    /// Topics with a judgment here and there, in order.
    pub fn in_common(&self, other: &Self) -> Vec<&str> {
        self.topics.keys().filter(|topic| other.topics.contains_key(*topic)).map(String::as_str).collect()
    }
}

/// What a ranking is measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// Average precision; its mean is MAP.
    Ap,
    /// Normalised discounted cumulated gain of the first k.
    Ndcg(usize),
    /// Precision of the first k.
    P(usize),
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ap => f.write_str("ap"),
            Self::Ndcg(k) => write!(f, "ndcg@{k}"),
            Self::P(k) => write!(f, "p@{k}"),
        }
    }
}

impl FromStr for Metric {
    type Err = Expected;

    fn from_str(word: &str) -> Result<Self, Expected> {
        let cut = |k: &str| k.parse::<usize>().ok().filter(|k| *k > 0);
        let found = match (word, word.split_once('@')) {
            ("ap" | "map", _) => Some(Self::Ap),
            (_, Some(("ndcg", k))) => cut(k).map(Self::Ndcg),
            (_, Some(("p", k))) => cut(k).map(Self::P),
            _ => None,
        };
        found.ok_or(Expected("ap, ndcg@K or p@K, p@10 for one"))
    }
}

impl Metric {
    /// Value for one ranking, given the grades of its documents in order (0 for unjudged ones) and all grades of the topic.
    pub fn value(self, ranking: &[i64], judged: &[i64]) -> f64 {
        match self {
            Self::Ap => average_precision(ranking, judged),
            Self::Ndcg(k) => ndcg(ranking, judged, k),
            Self::P(k) => ranking.iter().take(k).filter(|grade| **grade >= 1).count() as f64 / k as f64,
        }
    }

    /// The value on each topic that the run and the judgments share.
    pub fn by_topic(self, run: &Run, grades: &Grades) -> BTreeMap<String, f64> {
        let mut values = BTreeMap::new();
        for (topic, retrieved) in &run.topics {
            let Some(judged) = grades.topics.get(topic) else { continue };
            let ranking: Vec<i64> = retrieved.iter().map(|r| judged.get(&r.document).copied().unwrap_or(0)).collect();
            let all: Vec<i64> = judged.values().copied().collect();
            values.insert(topic.clone(), self.value(&ranking, &all));
        }
        values
    }
}

fn average_precision(ranking: &[i64], judged: &[i64]) -> f64 {
    let relevant = judged.iter().filter(|grade| **grade >= 1).count();
    let (mut found, mut sum) = (0u32, 0.0);
    for (place, _) in ranking.iter().enumerate().filter(|(_, grade)| **grade >= 1) {
        found += 1;
        sum += f64::from(found) / (place + 1) as f64;
    }
    if relevant == 0 { 0.0 } else { sum / relevant as f64 }
}

fn ndcg(ranking: &[i64], judged: &[i64], k: usize) -> f64 {
    let gain = |grades: &[i64]| -> f64 {
        grades
            .iter()
            .take(k)
            .enumerate()
            .map(|(place, grade)| (*grade).max(0) as f64 / ((place + 2) as f64).log2())
            .sum()
    };
    let mut ideal = judged.to_vec();
    ideal.sort_unstable_by(|a, b| b.cmp(a));
    let best = gain(&ideal);
    if best == 0.0 { 0.0 } else { gain(ranking) / best }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_corpus::runs::parse;

    #[test]
    fn worked_by_hand() {
        let run = parse("1 Q0 a 1 4 s\n1 Q0 b 2 3 s\n1 Q0 c 3 2 s\n1 Q0 d 4 1 s\n2 Q0 a 1 1 s\n");
        let mut grades = Grades::default();
        for (document, grade) in [("a", "1"), ("c", "2"), ("e", "1"), ("d", "-2")] {
            grades.add("1", document, grade);
        }
        let near = |metric: Metric, expected: f64| {
            let values = metric.by_topic(&run, &grades);
            let found = values.values().sum::<f64>() / values.len() as f64;
            assert!((found - expected).abs() < 1e-12, "{metric}: {found}");
        };
        near(Metric::Ap, (1.0 + 2.0 / 3.0) / 3.0);
        near(Metric::P(2), 0.5);
        near(Metric::P(10), 0.2);
        let ideal = 2.0 + 1.0 / 3f64.log2() + 0.5;
        near(Metric::Ndcg(10), (1.0 + 2.0 / 2.0) / ideal);
        assert!(Metric::Ap.by_topic(&run, &Grades::default()).is_empty());
        assert_eq!(grades.in_common(&Grades::default()).len(), 0);
        assert_eq!(grades.in_common(&grades), ["1"]);
    }

    #[test]
    fn grades_and_names() {
        let whole = |grade: &str| grade.parse::<Grade>().map_or(0, |grade| grade.whole);
        assert_eq!(["2", "-2", "0.-1", "1.5", "x", "+3"].map(whole), [2, -2, 0, 1, 0, 3]);
        for word in ["ap", "ndcg@10", "p@5"] {
            assert_eq!(word.parse::<Metric>().unwrap().to_string(), word);
        }
        for word in ["p", "p@0", "ndcg@x", "luck"] {
            assert!(word.parse::<Metric>().is_err(), "{word}");
        }
        let mut grades = Grades::default();
        grades.add("1", "a", "0");
        grades.add("1", "a", "2");
        grades.add("1", "a", "1");
        assert_eq!(grades.topics["1"]["a"], 2, "the highest over subtopics");
    }
}
