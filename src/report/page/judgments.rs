//! The section of judgments: counts by track and grade.

use super::parts::{Block, Material, Section};
use crate::Report;
use crate::charts::svg;
use crate::judgments::JudgmentsReport;
use dejaview_corpus::qrels::Judgments;
use dejaview_study::{Bar, Figure, Kind, Series, StudyError};

pub fn section(material: &Material<'_>) -> Result<Option<Section>, StudyError> {
    let Some(judgments) = material.study.judgments()? else { return Ok(None) };
    Ok(Some(Section { id: "judgments", title: "Judgments", blocks: blocks(judgments) }))
}

/// The tables of judgments, with the chart of grades.
pub(crate) fn blocks(judgments: &Judgments) -> Vec<Block> {
    let tables = JudgmentsReport::new(judgments).tables().into_iter();
    tables.map(|table| Block::Chart { svg: svg::figure(&grades(judgments)), table }).collect()
}

/// Lines of each grade, track by track.
fn grades(judgments: &Judgments) -> Figure {
    let all = judgments.grade_counts();
    let series = judgments.track_summaries().into_iter().map(|track| {
        let lines = |grade: &String| track.grades.iter().find(|(other, _)| other == grade).map_or(0, |(_, n)| *n);
        let bars = all.iter().map(|(grade, _)| Bar { value: lines(grade), pairs: 0, filter: String::new() }).collect();
        Series { name: track.name, bars, extrapolation: None }
    });
    Figure {
        name: "grades",
        title: "Judgments by track and grade".to_owned(),
        kind: Kind::Bars,
        x: "grade".to_owned(),
        y: "judgments".to_owned(),
        categories: all.iter().map(|(grade, _)| grade.clone()).collect(),
        series: series.collect(),
        notes: Vec::new(),
    }
}
