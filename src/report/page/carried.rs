//! Groups, judgments carried over, and sizes of the corpora.

use super::parts::{Block, Material, Section};
use crate::groups::GroupsReport;
use crate::result::Report;
use crate::transfer::TransferReport;
use dejaview_evaluation::transfer::{Accept, Measure, Policy};
use dejaview_study::{GroupsOrder, SizeOptions, StudyError, TransferOrder, sizes as sizes_of};

/// Groups that are listed.
const MOST_GROUPS: usize = 30;

/// From this Jaccard on a pair carries a judgment on the page; `dejaview transfer` offers other ways.
const ACCEPTED: f64 = 0.9;

/// The largest groups. What their members share is text of a page, and said only where that may be.
pub fn groups(material: &Material<'_>) -> Result<Option<Section>, StudyError> {
    let groups = dejaview_study::groups(material.study, &GroupsOrder::default())?;
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

/// What would be carried over.
pub fn transfer(material: &Material<'_>) -> Result<Option<Section>, StudyError> {
    if material.study.recipe().source.judgments.is_empty() {
        return Ok(None);
    }
    let order = TransferOrder {
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

/// What both sides have in common by their URLs, where somebody asked for it: the documents are read once more.
pub fn urls(material: &Material<'_>) -> Result<Option<Section>, StudyError> {
    let blocks: Vec<Block> = material.options.urls.iter().cloned().map(Block::Table).collect();
    Ok((!blocks.is_empty()).then_some(Section { id: "urls", title: "URLs", blocks }))
}

/// How large the two sides are beside each other.
pub fn sizes(material: &Material<'_>) -> Result<Option<Section>, StudyError> {
    let found = sizes_of(&[material.study], &SizeOptions::default())?;
    let blocks = found.tables().into_iter().map(Block::Table).collect();
    Ok(Some(Section { id: "sizes", title: "Sizes of the corpora", blocks }))
}
