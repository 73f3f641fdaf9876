//! The judgments: how many, of what, by whom.

use super::{Block, Material, Section};
use crate::Table;
use crate::charts::svg;
use crate::numbers::{count, plural};
use dejaview_corpus::qrels::Judgments;
use dejaview_study::{Bar, Figure, Kind, Series, StudyError};

pub fn section(material: &Material<'_>) -> Result<Option<Section>, StudyError> {
    let Some(judgments) = material.study.judgments()? else { return Ok(None) };
    let table = tracks(judgments);
    let blocks = vec![Block::Chart { svg: svg::figure(&grades(judgments)), table }];
    Ok(Some(Section { id: "judgments", title: "Judgments", blocks }))
}

fn tracks(judgments: &Judgments) -> Table {
    let all = judgments.grade_counts();
    let mut head = vec!["track", "lines", "documents", "topics"];
    head.extend(all.iter().map(|(grade, _)| grade.as_str()));
    let mut table = Table::new("tracks", "Judgments by track and grade", &head).right(1..head.len());
    let row = |name: &str, numbers: [u64; 3], grades: &[(String, u64)]| {
        let of = |grade: &String| grades.iter().find(|(other, _)| other == grade).map_or(0, |(_, n)| *n);
        let cells = numbers.into_iter().chain(all.iter().map(|(grade, _)| of(grade)));
        std::iter::once(name.to_owned()).chain(cells.map(count)).collect::<Vec<_>>()
    };
    for track in judgments.track_summaries() {
        table.row(row(&track.name, [track.lines, track.documents, track.topics], &track.grades));
    }
    let totals = [judgments.rows().len() as u64, judgments.documents().len() as u64, judgments.topic_count()];
    table.row(row("all", totals, &all));
    let (within, across) = judgments.judged_differently();
    table.note(format!(
        "documents are distinct ids; judged differently: {} (a document within one topic), {} across tracks",
        plural(within, "topic–document pair"),
        plural(across, "document")
    ));
    table
}

/// Lines of each grade, track by track.
fn grades(judgments: &Judgments) -> Figure {
    let all = judgments.grade_counts();
    let series = judgments.track_summaries().into_iter().map(|track| {
        let of = |grade: &String| track.grades.iter().find(|(other, _)| other == grade).map_or(0, |(_, n)| *n);
        let bars = all.iter().map(|(grade, _)| Bar { value: of(grade), pairs: 0, filter: String::new() }).collect();
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
