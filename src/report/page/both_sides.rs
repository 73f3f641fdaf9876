//! The sections about both sides together: groups, judgments carried over, URLs and sizes.

use super::parts::{Block, Material, Section};
use crate::groups::GroupsReport;
use crate::result::Report;
use crate::transfer::TransferReport;
use dejaview_evaluation::transfer::{Accept, Measure, Policy};
use dejaview_study::{GroupsOptions, SizeOptions, StudyError, TransferOptions, sizes as estimate_sizes};

/// Most groups that the page lists.
const MOST_GROUPS: usize = 30;

/// Least Jaccard of pairs that carry judgments on this page; `dejaview transfer` offers other rules.
const ACCEPTED: f64 = 0.9;

/// The largest groups. The text that their members share is shown only where the page may contain texts.
pub fn groups(material: &Material<'_>) -> Result<Option<Section>, StudyError> {
    let groups = dejaview_study::groups(material.study, &GroupsOptions::default())?;
    let mut listed = Vec::new();
    for group in groups.groups.iter().take(MOST_GROUPS) {
        let shared = match material.options.with_text {
            true => dejaview_study::shared_text(material.study, &groups, group)?,
            false => None,
        };
        listed.push((group, shared));
    }
    let tables = GroupsReport::new(&groups, listed).tables();
    let blocks = tables.into_iter().map(Block::Table).collect();
    Ok(Some(Section { id: "groups", title: "Groups of near-duplicates", blocks }))
}

/// What a transfer would carry over.
pub fn transfer(material: &Material<'_>) -> Result<Option<Section>, StudyError> {
    if material.study.recipe().source.judgments.is_empty() {
        return Ok(None);
    }
    let order = TransferOptions {
        policy: Policy::Best,
        accept: Accept::Least(Measure::Jaccard, ACCEPTED),
        by: None,
        configurations: Vec::new(),
    };
    let carried = dejaview_study::transfer(material.study, &order)?;
    let mut tables = TransferReport::new(&carried).tables();
    let accepted = format!(
        "this page accepts pairs of Jaccard {ACCEPTED} or more, and of several the best; `dejaview transfer --accept` takes \
         others"
    );
    tables.iter_mut().take(1).for_each(|table| table.note(accepted.clone()));
    let blocks = tables.into_iter().map(Block::Table).collect();
    Ok(Some(Section { id: "transfer", title: "Judgments carried over", blocks }))
}

/// The URLs that both sides share, where they were asked for: that takes one more reading of the documents.
pub fn urls(material: &Material<'_>) -> Result<Option<Section>, StudyError> {
    let blocks: Vec<Block> = material.options.urls.iter().cloned().map(Block::Table).collect();
    Ok((!blocks.is_empty()).then_some(Section { id: "urls", title: "URLs", blocks }))
}

/// How large the two sides are beside each other.
pub fn sizes(material: &Material<'_>) -> Result<Option<Section>, StudyError> {
    let found = estimate_sizes(&[material.study], &SizeOptions::default())?;
    let blocks = found.tables().into_iter().map(Block::Table).collect();
    Ok(Some(Section { id: "sizes", title: "Sizes of the corpora", blocks }))
}
