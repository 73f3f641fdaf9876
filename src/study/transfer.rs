//! The judgments of a study carried over to its target: links from its pairs, labels from its people.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use super::StudyError;
use super::pair_table::PairTable;
use super::session::Session;
use crate::corpus::qrels::Judgments;
use crate::evaluation::estimates::Proportion;
use crate::evaluation::intervals::Interval;
use crate::evaluation::sample::Sample;
use crate::evaluation::transfer::{Accept, Labelled, Link, Measure, Outcome, Policy, transfer};
use crate::index::{Index, KeptSide};
use crate::labels::{Label, Standing};
use crate::methods::edit::edit_ratio;

/// How judgments are carried over.
#[derive(Debug, Clone, Default)]
pub struct TransferOrder {
    /// Which of several pairs a judgment takes.
    pub policy: Policy,
    /// Which pairs are accepted.
    pub accept: Accept,
    /// What pairs are scored by; by default what they are accepted by, else the score of imported pairs where all are
    /// imported, else the headline Jaccard.
    pub by: Option<Measure>,
    /// Only pairs that one of these configurations found; all when empty.
    pub configurations: Vec<String>,
}

/// A transfer with everything that its numbers refer to.
#[derive(Debug)]
pub struct Transfer {
    /// The judgments.
    pub judgments: Judgments,
    /// Ids of the targets, by number.
    pub targets: Vec<String>,
    /// What pairs were scored by.
    pub by: Measure,
    /// How it was ordered.
    pub order: TransferOrder,
    /// Names of the configurations whose pairs took part.
    pub configurations: Vec<String>,
    /// What it comes to.
    pub outcome: Outcome,
    /// How many of the pairs may be wrong, as far as labels tell.
    pub wrong: Option<Wrong>,
}

/// The share of pairs that carry judgments and are no near-duplicates.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Wrong {
    /// The share; 95 %, Wilson. None when no labelled sample was drawn from all of the pairs: labels that came about in
    /// another way do not stand for the rest.
    #[serde(flatten)]
    pub share: Option<Interval>,
    /// Labelled pairs that it rests on.
    pub labelled: u64,
    /// Of these, labelled not a near-duplicate.
    pub not: u64,
    /// Pairs that it stands for: those that the policy takes when it looks at no label.
    pub pool: u64,
    /// The sample whose weights were used.
    pub sample: Option<String>,
}

/// How often the interval covers.
const CONFIDENCE: f64 = 0.95;

impl Session {
    /// Carries the judgments over.
    pub fn transfer(&self, order: &TransferOrder) -> Result<Transfer, StudyError> {
        let judgments = self.judgments()?.ok_or_else(|| StudyError::NoJudgments { path: self.folder().to_owned() })?;
        let configurations = self.chosen(&order.configurations)?;
        let table = self.pair_table()?;
        let by = order.by.unwrap_or_else(|| self.measure_for(order.accept, &configurations));
        let (links, targets) = self.links(&judgments, &table, &configurations, by)?;
        let outcome = transfer(&judgments, &links, order.policy, order.accept);
        let configurations: Vec<String> =
            configurations.iter().map(|&c| self.recipe().configurations[c].name.clone()).collect();
        let wrong = self.wrong(order, &configurations, &judgments, &links, &targets)?;
        Ok(Transfer { judgments, targets, by, order: order.clone(), configurations, outcome, wrong })
    }

    /// Numbers of the configurations of these names; of all when there is none.
    pub(super) fn chosen(&self, names: &[String]) -> Result<Vec<usize>, StudyError> {
        let all = &self.recipe().configurations;
        if names.is_empty() {
            return Ok((0..all.len()).collect());
        }
        let number = |name: &String| {
            let known = || all.iter().map(|c| c.name.as_str()).collect::<Vec<_>>().join(", ");
            let found = all.iter().position(|c| c.name == *name);
            found.ok_or_else(|| StudyError::NoConfiguration { name: name.clone(), known: known() })
        };
        names.iter().map(number).collect()
    }

    fn measure_for(&self, accept: Accept, configurations: &[usize]) -> Measure {
        match accept {
            Accept::Least(measure, _) => measure,
            _ => self.default_measure(configurations),
        }
    }

    /// The score of imported pairs where all configurations import theirs, else the headline Jaccard.
    pub(super) fn default_measure(&self, configurations: &[usize]) -> Measure {
        let imports = |c: &usize| self.recipe().configurations[*c].pairs.is_some();
        if configurations.iter().all(imports) { Measure::Score } else { Measure::Jaccard }
    }

    /// Pairs of judged documents that one of the configurations found, and the ids of their targets.
    fn links(
        &self,
        judgments: &Judgments,
        table: &PairTable,
        configurations: &[usize],
        by: Measure,
    ) -> Result<(Vec<Link>, Vec<String>), StudyError> {
        let mut labels = self.labelled()?;
        let mut scorer = Scorer::new(self, by);
        let (mut links, mut targets, mut numbers) = (Vec::new(), Vec::new(), HashMap::new());
        let found = table.found_by_any(configurations);
        for row in (0..table.len()).filter(|&row| found(row)) {
            let pair = table.pair(row);
            let Some(source) = judgments.document(pair.source) else { continue };
            let imported = table.imported(row);
            let target = *numbers.entry(pair.target.to_owned()).or_insert_with(|| {
                targets.push(pair.target.to_owned());
                targets.len() as u32 - 1
            });
            let label = labels.remove(&(pair.source.to_owned(), pair.target.to_owned())).unwrap_or_default();
            // Pairs without a place of their own stand behind imported ones, by source and target.
            let rank = imported.map_or((1 << 32) + row as u64, |imported| u64::from(imported.rank));
            links.push(Link { source, target, score: scorer.score(table, row)?, rank, label });
        }
        Ok((links, targets))
    }

    /// What holds for each pair that somebody labelled.
    pub(super) fn labelled(&self) -> Result<BTreeMap<(String, String), Labelled>, StudyError> {
        let journals = self.journals()?;
        let said = |(source, target): (&str, &str)| {
            let said = match journals.standing(source, target) {
                Standing::Decided(Label::NearDuplicate, _) => Labelled::NearDuplicate,
                Standing::Decided(Label::Not, _) => Labelled::Not,
                Standing::Decided(Label::Unsure, _) | Standing::Disputed(_) => Labelled::Undecided,
                Standing::Open => Labelled::Nobody,
            };
            ((source.to_owned(), target.to_owned()), said)
        };
        Ok(journals.pairs(None).into_iter().map(said).collect())
    }

    /// The share of wrong pairs among those that the policy takes without looking at labels; none when labels decide
    /// what is accepted, or when none of those pairs is labelled.
    fn wrong(
        &self,
        order: &TransferOrder,
        configurations: &[String],
        judgments: &Judgments,
        links: &[Link],
        targets: &[String],
    ) -> Result<Option<Wrong>, StudyError> {
        if order.accept == Accept::Labels {
            return Ok(None);
        }
        let blind: Vec<Link> = links.iter().map(|link| Link { label: Labelled::Nobody, ..*link }).collect();
        let taken = transfer(judgments, &blind, order.policy, order.accept);
        let taken: BTreeSet<(u32, u32)> =
            taken.entries.iter().filter_map(|entry| entry.link).map(|link| (link.source, link.target)).collect();
        let mut said = BTreeMap::new();
        for link in links.iter().filter(|link| taken.contains(&(link.source, link.target))) {
            let pair = (judgments.documents()[link.source as usize].as_str(), targets[link.target as usize].as_str());
            match link.label {
                Labelled::NearDuplicate => said.insert(pair, false),
                Labelled::Not => said.insert(pair, true),
                _ => None,
            };
        }
        let samples = self.samples_of(configurations)?;
        let drawn: Vec<Drawn<'_>> = samples.iter().map(Drawn::of).collect();
        Ok(estimate(&said, &drawn, taken.len() as u64))
    }

    /// The samples drawn from the pairs of all these configurations: those of some of them do not stand for the rest.
    fn samples_of(&self, configurations: &[String]) -> Result<Vec<Sample>, StudyError> {
        let mut samples = Vec::new();
        for name in Sample::names(self.folder())? {
            samples.extend(Sample::read(self.folder(), &name)?);
        }
        samples.retain(|sample| configurations.iter().all(|name| sample.serves.contains(name)));
        Ok(samples)
    }
}

/// A sample as an estimate sees it.
struct Drawn<'a> {
    name: &'a str,
    /// Source, target, weight.
    pairs: Vec<(&'a str, &'a str, f64)>,
}

impl<'a> Drawn<'a> {
    fn of(sample: &'a Sample) -> Self {
        let pairs = sample.pairs.iter().map(|pair| (pair.source.as_str(), pair.target.as_str(), pair.weight));
        Self { name: &sample.name, pairs: pairs.collect() }
    }
}

/// The share of wrong pairs, by the weights of the sample that holds most labelled pairs. `None` without labels.
fn estimate(said: &BTreeMap<(&str, &str), bool>, samples: &[Drawn<'_>], pool: u64) -> Option<Wrong> {
    let weighted = |sample: &Drawn<'_>| -> Vec<(f64, bool)> {
        let pairs = sample.pairs.iter();
        pairs.filter_map(|(source, target, weight)| Some((*weight, *said.get(&(*source, *target))?))).collect()
    };
    let count = |labels: &mut dyn Iterator<Item = bool>| {
        labels.fold((0, 0), |(all, not), wrong| (all + 1, not + u64::from(wrong)))
    };
    let drawn = samples.iter().map(|s| (s.name.to_owned(), weighted(s))).filter(|(_, labels)| !labels.is_empty());
    let Some((name, labels)) = drawn.reduce(|a, b| if b.1.len() > a.1.len() { b } else { a }) else {
        let (labelled, not) = count(&mut said.values().copied());
        return (labelled > 0).then_some(Wrong { share: None, labelled, not, pool, sample: None });
    };
    let (labelled, not) = count(&mut labels.iter().map(|label| label.1));
    let share = Proportion::weighted(&labels, pool, CONFIDENCE).and_then(|share| share.headline);
    Some(Wrong { share, labelled, not, pool, sample: Some(name) })
}

/// Scores pairs by a measure; texts are opened only where it needs them, each once.
pub(super) struct Scorer<'a> {
    session: &'a Session,
    by: Measure,
    index: Option<Index>,
    words: HashMap<(bool, String), Vec<u64>>,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(session: &'a Session, by: Measure) -> Self {
        Self { session, by, index: None, words: HashMap::new() }
    }

    /// The score of a pair; none where there is nothing to compute it from.
    pub(super) fn score(&mut self, table: &PairTable, row: usize) -> Result<Option<f64>, StudyError> {
        let pair = table.pair(row);
        Ok(match self.by {
            Measure::Score => table.imported(row).and_then(|imported| imported.score),
            _ if !pair.compared() => None,
            Measure::Jaccard => Some(table.jaccard(row)),
            Measure::S3 => Some(pair.scores().s3),
            Measure::Edit => {
                let a = self.words(KeptSide::Source, pair.source)?;
                let b = self.words(KeptSide::Target, pair.target)?;
                Some(edit_ratio(&a, &b))
            }
        })
    }

    fn words(&mut self, side: KeptSide, id: &str) -> Result<Vec<u64>, StudyError> {
        let key = (side == KeptSide::Source, id.to_owned());
        if let Some(words) = self.words.get(&key) {
            return Ok(words.clone());
        }
        let index = match self.index.take() {
            Some(index) => index,
            None => self.session.index()?,
        };
        let words = self.session.words_of(&index, side, id)?;
        self.index = Some(index);
        self.words.insert(key, words.clone());
        Ok(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_count_where_a_sample_has_them() {
        let said = BTreeMap::from([(("a", "x"), true), (("b", "x"), false), (("c", "x"), false), (("d", "x"), false)]);
        let plain = estimate(&said, &[], 40).unwrap();
        assert_eq!((plain.share, plain.labelled, plain.not, plain.pool), (None, 4, 1, 40), "no sample, no estimate");
        let pairs = vec![("a", "x", 1.0), ("b", "x", 9.0), ("z", "x", 5.0)];
        let sample = Drawn { name: "s", pairs };
        let weighted = estimate(&said, &[sample], 40).unwrap();
        let share = weighted.share.unwrap();
        assert_eq!((share.value, weighted.labelled, weighted.sample.as_deref()), (0.1, 2, Some("s")));
        assert!(share.high > 0.6, "two unequal labels tell little");
        assert_eq!(estimate(&BTreeMap::new(), &[], 40), None);
    }
}
