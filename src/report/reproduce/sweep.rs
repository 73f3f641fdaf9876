//! Chapter 3 of the thesis: SimHash by n-grams and distance, against Jaccard and against cosine, and MinHash.

use super::beside::Beside;
use super::material::Material;
use super::published;
use crate::charts::svg::{self, Line};
use crate::page::Block;
use crate::{Report, Table};
use dejaview_study::{Experiments, StudyError};

/// Table 3.1 for every choice of n-grams and k = 1 to 8, and Figure 3.3.
pub fn chapter(material: &Material<'_>) -> Result<Vec<Block>, StudyError> {
    let experiments = material.experiments()?;
    // The lexicons have a chapter of their own.
    let tables = experiments.tables().into_iter().filter(|table| table.name != "lexicons");
    let mut blocks: Vec<Block> = tables.map(|table| block(experiments, table)).collect();
    let mut beside = Beside::new("SimHash of single words, 64 bits (Table 3.1)");
    for (distance, precision, recall) in published::SIMHASH {
        let found = experiments.simhash.iter().find(|row| row.ngrams == "1" && row.distance == distance);
        let here = found.map(|row| format!("{:.3} / {:.3}", row.precision, row.recall));
        beside.row(format!("k = {distance}: precision / recall"), format!("{precision:.2} / {recall:.2}"), here);
    }
    blocks.push(beside.block(
        "the thesis compared the newest revision of each Wikipedia page with its older ones, 1.2 million pairs, of which most are \
         alike; here every document of the source is compared with every one of the target. The table of pairs with the same \
         address is nearer to it",
    ));
    Ok(blocks)
}

fn block(experiments: &Experiments, table: Table) -> Block {
    match table.name {
        "cosine" => Block::Chart { svg: by_cosine(experiments, &table.title), table },
        _ => Block::Table(table),
    }
}

/// Precision and recall at each distance against the cosine from which on a pair is true.
fn by_cosine(experiments: &Experiments, title: &str) -> String {
    let mut lines = Vec::new();
    for (column, distance) in [1, 3, 5].into_iter().enumerate() {
        for (side, name) in ["precision", "recall"].into_iter().enumerate() {
            let point = |row: &dejaview_study::CosineRow| Some((row.threshold, row.at.get(column)?[side]));
            let points = experiments.cosine.iter().filter_map(point).collect();
            lines.push(Line { name: format!("{name}, k = {distance}"), points });
        }
    }
    svg::lines(&lines, "a pair is true from this cosine on", title)
}
