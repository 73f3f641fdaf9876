//! Samples of the pairs that a transfer takes: what they say of wrong pairs is about these very pairs.

use std::fmt::Display;
use std::str::FromStr;

use crate::StudyError;
use crate::analyse::transfer_material::{TransferOptions, transfer_material};
use crate::snapshot::Snapshot;
use dejaview_evaluation::sample::{Allocation, Candidate, Drawer, Sample, rank};
use dejaview_evaluation::transfer::Accept;

/// A simple random sample of the pairs that a transfer takes, as asked for.
#[derive(Debug, Clone)]
pub struct TransferDraw {
    pub name: String,
    pub size: u64,
    /// Seed of the choice.
    pub seed: u64,
    pub order: TransferOptions,
}

impl TransferDraw {
    /// What a sample was drawn by, so that a longer one can be; none where it is not of a transfer.
    pub fn from_sample(sample: &Sample) -> Result<Option<Self>, StudyError> {
        let Some(frame) = &sample.transfer else { return Ok(None) };
        let order = TransferOptions {
            policy: parse_word(sample, &frame.policy)?,
            accept: parse_word(sample, &frame.accept)?,
            by: Some(parse_word(sample, &frame.by)?),
            configurations: frame.configurations.clone(),
        };
        Ok(Some(Self { name: sample.name.clone(), size: sample.size, seed: sample.seed, order }))
    }
}

/// What a word of a sample's file names.
fn parse_word<T: FromStr<Err: Display>>(sample: &Sample, word: &str) -> Result<T, StudyError> {
    word.parse().map_err(|why| StudyError::Sample { why: format!("{}: {why}", sample.name) })
}

/// Draws a sample of the different pairs that a transfer takes, and keeps it; one that was there before becomes longer.
pub fn draw_from_transfer(
    study: &Snapshot,
    draw: &TransferDraw,
    before: Option<&Sample>,
) -> Result<Sample, StudyError> {
    let wrong = |why: &str| Err(StudyError::Sample { why: why.to_owned() });
    if draw.order.accept == Accept::Labels {
        return wrong("labels say of each pair whether it carries a judgment: accept pairs by a measure, or all");
    }
    study.must_be_run_to_its_end()?;
    let material = transfer_material(study, &draw.order)?;
    let taken = material.taken_pairs(&draw.order);
    let frame = material.frame(&draw.order, &taken);
    if taken.is_empty() {
        return wrong("this transfer takes no pair");
    }
    let mut drawer = Drawer::new(draw.seed, draw.size as usize, Allocation::Proportional, 0);
    for (source, target) in &taken {
        let rank = rank(draw.seed, source, target);
        drawer.offer((0, "all".to_owned()), Candidate { rank, source, target, found: 0, document_pairs: 1 });
    }
    let (strata, drawn) = drawer.finish();
    let mut pairs: Vec<_> = drawn.into_iter().map(|(pair, _)| pair).collect();
    pairs.sort_by_cached_key(|p| (rank(draw.seed, &p.source, &p.target), p.source.clone(), p.target.clone()));
    let configurations = frame.configurations.clone();
    let sample = Sample {
        seed: draw.seed,
        size: draw.size,
        population: taken.len() as u64,
        transfer: Some(frame),
        strata,
        pairs,
        ..Sample::default()
    };
    let sample = sample.named(&draw.name, &configurations);
    match before {
        Some(before) => sample.lengthen(study.folder(), before)?,
        None => {
            sample.write(study.folder())?;
        }
    }
    Ok(sample)
}
