//! The judgments of a study carried over to its target: links from its pairs, labels from its people.

use std::sync::Arc;

use crate::StudyError;
use crate::analyse::transfer_material::{Material, TransferOptions, transfer_material};
use crate::analyse::wrong::{WrongPairs, wrong_links};
use crate::snapshot::Snapshot;
use dejaview_corpus::qrels::Judgments;
use dejaview_evaluation::transfer::{self as evaluation, Measure, Outcome};

/// A transfer with everything that its numbers refer to.
#[derive(Debug)]
pub struct Transfer {
    pub judgments: Arc<Judgments>,
    /// Ids of the targets, by number.
    pub targets: Vec<String>,
    /// What pairs were scored by.
    pub by: Measure,
    /// How it was ordered.
    pub order: TransferOptions,
    /// Names of the configurations whose pairs took part.
    pub configurations: Vec<String>,
    /// What it comes to.
    pub outcome: Outcome,
    /// How many of the pairs may be wrong, as far as labels tell.
    pub wrong: Option<WrongPairs>,
    /// Judged documents that stand on both sides, whose judgments hold in the target as they are.
    pub both: u64,
}

/// Carries the judgments over.
pub fn transfer(study: &Snapshot, order: &TransferOptions) -> Result<Transfer, StudyError> {
    let material = transfer_material(study, order)?;
    let outcome = evaluation::transfer(&material.judgments, &material.links, &material.own, order.policy, order.accept);
    let wrong = wrong_links(study, order, &material)?;
    let Material { judgments, targets, own, by, configurations, .. } = material;
    let both = own.len() as u64;
    Ok(Transfer { judgments, targets, by, order: order.clone(), configurations, outcome, wrong, both })
}
