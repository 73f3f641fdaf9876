//! The sections about the quality of the configurations, against the chosen truth and against labels.

use super::parts::{Block, Material, Section};
use crate::charts::svg::{self, Cell, Grid, ScatterPoint};
use crate::{Report, Table};
use dejaview_evaluation::comparison::Quality;
use dejaview_study::{AgreementOn, Evaluation, StudyError, Truth};

pub fn section(material: &Material<'_>) -> Result<Option<Section>, StudyError> {
    let evaluation = dejaview_study::evaluate(material.study, &material.options.truth, &Default::default())?;
    Ok(Some(Section { id: "quality", title: "Quality of the configurations", blocks: blocks(&evaluation) }))
}

/// The same against labels, once there are any.
pub fn by_labels(material: &Material<'_>) -> Result<Option<Section>, StudyError> {
    if material.options.truth == Truth::Labels {
        return Ok(None);
    }
    let evaluation = dejaview_study::evaluate(material.study, &Truth::Labels, &Default::default())?;
    if evaluation.comparison.pool.known == 0 {
        return Ok(None);
    }
    let mut blocks = blocks(&evaluation);
    blocks.extend(evaluation.estimates.iter().flat_map(Report::tables).map(Block::Table));
    match dejaview_study::agreement(material.study, AgreementOn::MostShared) {
        Ok(found) => blocks.extend(found.tables().into_iter().map(Block::Table)),
        Err(StudyError::Changed(changed)) => blocks.push(Block::Text(changed.to_string())),
        Err(error) => return Err(error),
    }
    Ok(Some(Section { id: "labels", title: "Quality by labels, and how far people agree", blocks }))
}

/// The tables of an evaluation, with charts where there is one.
pub(crate) fn blocks(evaluation: &Evaluation) -> Vec<Block> {
    let block = |table: Table| match table.name {
        "quality" => Block::Chart { svg: precision_recall(evaluation, &table.title), table },
        "dice" => Block::Chart { svg: dice(evaluation, &table.title), table },
        _ => Block::Table(table),
    };
    evaluation.tables().into_iter().map(block).collect()
}

fn precision_recall(evaluation: &Evaluation, title: &str) -> String {
    let point = |c: &Quality| ScatterPoint { name: c.name.clone(), x: c.recall, y: c.precision };
    let points: Vec<ScatterPoint> = evaluation.comparison.configurations.iter().map(point).collect();
    svg::scatter(&points, title)
}

fn dice(evaluation: &Evaluation, title: &str) -> String {
    let names = &evaluation.comparison.names;
    let cell = |row: &str, column: &str, value: f64| Cell {
        shade: value,
        text: if row == column { "·".to_owned() } else { format!("{value:.2}").trim_start_matches('0').to_owned() },
        hint: format!("{row} and {column}: {value:.3}"),
    };
    let rows = names.iter().zip(&evaluation.comparison.dice);
    let cells = rows.map(|(row, values)| names.iter().zip(values).map(|(column, x)| cell(row, column, *x)).collect());
    svg::grid(&Grid { rows: names.clone(), columns: names.clone(), cells: cells.collect() }, title)
}
