//! The judgments of a study carried over to its target: links from its pairs, labels from its people.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::StudyError;
use super::pair_table::PairTable;
use super::session::Session;
use super::wrong::Wrong;
use crate::corpus::qrels::Judgments;
use crate::evaluation::sample::TransferFrame;
use crate::evaluation::transfer::{Accept, Labelled, Link, Measure, Outcome, Policy, transfer};
use crate::index::{Index, KeptSide};
use crate::labels::{Label, Standing};
use crate::methods::edit::edit_ratio;

/// How judgments are carried over.
#[derive(Debug, Clone)]
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

/// What judgments may be carried along, before a policy chooses.
pub(super) struct Material {
    judgments: Judgments,
    links: Vec<Link>,
    targets: Vec<String>,
    by: Measure,
    configurations: Vec<String>,
}

impl Material {
    /// The different pairs that an order takes when it looks at no label: what people say of some cannot move what the
    /// rest of them stand for.
    pub(super) fn taken(&self, order: &TransferOrder) -> BTreeSet<(&str, &str)> {
        let blind: Vec<Link> = self.links.iter().map(|link| Link { label: Labelled::Nobody, ..*link }).collect();
        let taken = transfer(&self.judgments, &blind, order.policy, order.accept);
        let pair = |link: Link| {
            let source = self.judgments.documents()[link.source as usize].as_str();
            (source, self.targets[link.target as usize].as_str())
        };
        taken.entries.iter().filter_map(|entry| entry.link).map(pair).collect()
    }

    /// The order in the words that a sample of its pairs keeps.
    pub(super) fn frame(&self, order: &TransferOrder) -> TransferFrame {
        TransferFrame {
            policy: order.policy.name().to_owned(),
            accept: order.accept.to_string(),
            by: self.by.name().to_owned(),
            configurations: self.configurations.clone(),
        }
    }
}

impl Session {
    /// Carries the judgments over.
    pub fn transfer(&self, order: &TransferOrder) -> Result<Transfer, StudyError> {
        let material = self.material(order)?;
        let outcome = transfer(&material.judgments, &material.links, order.policy, order.accept);
        let wrong = self.wrong(order, &material)?;
        let Material { judgments, targets, by, configurations, .. } = material;
        Ok(Transfer { judgments, targets, by, order: order.clone(), configurations, outcome, wrong })
    }

    /// What an order may carry judgments along.
    pub(super) fn material(&self, order: &TransferOrder) -> Result<Material, StudyError> {
        let judgments = self.judgments()?.ok_or_else(|| StudyError::NoJudgments { path: self.folder().to_owned() })?;
        let mut configurations = self.chosen(&order.configurations)?;
        configurations.sort_unstable();
        let table = self.pair_table()?;
        let by = order.by.unwrap_or_else(|| self.measure_for(order.accept, &configurations));
        let (links, targets) = self.links(&judgments, &table, &configurations, by)?;
        let configurations = configurations.iter().map(|&c| self.recipe().configurations[c].name.clone()).collect();
        Ok(Material { judgments, links, targets, by, configurations })
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
                Standing::Decided(Label::Unsure, _) => Labelled::Unsure,
                Standing::Disputed(_) => Labelled::Disputed,
                Standing::Open => Labelled::Nobody,
            };
            ((source.to_owned(), target.to_owned()), said)
        };
        Ok(journals.pairs(None).into_iter().map(said).collect())
    }
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
