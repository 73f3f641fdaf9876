//! What the study is, and chapter 2 of the thesis: tracks, topics and grades.

use super::beside::Beside;
use super::material::Material;
use super::published;
use crate::numbers::count;
use crate::page::{Block, judgments as section, overview};
use dejaview_study::StudyError;

/// What the numbers of the page rest on.
pub fn study(material: &Material<'_>) -> Result<Vec<Block>, StudyError> {
    let pool =
        "these are the pool of chapter 5 and of what Zelenkov and Segalovich count. Every table says what it rests on.";
    overview::blocks(material.study, material.study.table()?, pool)
}

/// What was published, and where.
pub fn references(_: &Material<'_>) -> Result<Vec<Block>, StudyError> {
    Ok(published::REFERENCES.iter().map(|reference| Block::Text((*reference).to_owned())).collect())
}

/// Judgments by track and grade: Table 2.2 and Figure 2.1.
pub fn judgments(material: &Material<'_>) -> Result<Vec<Block>, StudyError> {
    let Some(judgments) = material.study.judgments()? else {
        let none =
            "No judgments: `judgments` in [source] of the study file names them. Table 2.2 and Figure 2.1 count them.";
        return Ok(vec![Block::Text(none.to_owned())]);
    };
    let mut blocks = section::blocks(judgments);
    let tracks = judgments.track_summaries();
    let mut beside = Beside::new("published-tracks", "Judged documents by track (Table 2.2)");
    for (name, documents) in published::TRACKS {
        let here = match name {
            "all" => Some(judgments.documents().len() as u64),
            _ => tracks.iter().find(|track| track.name == name).map(|track| track.documents),
        };
        beside.row(name, count(documents), here.map(count));
    }
    blocks.push(beside.block(
        "tracks are known by the names of their files. The published rows add up to 139,449, not to the total below them; NIST's files \
         hold 155,419 different documents, but other numbers by track",
    ));
    Ok(blocks)
}
