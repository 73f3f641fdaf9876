//! The section of the study's figures: pairs and documents found.

use super::parts::{Block, Material, Section};
use crate::charts::svg;
use crate::figures;
use dejaview_study::{FigureOptions, Figures, StudyError};

pub fn section(material: &Material<'_>) -> Result<Option<Section>, StudyError> {
    let options = FigureOptions { segments: material.options.segments, ..FigureOptions::default() };
    let all = dejaview_study::figures(material.study, &options)?;
    Ok(Some(Section { id: "found", title: "Pairs and documents found", blocks: blocks(&all) }))
}

/// Every figure with its numbers, and the tables that accompany them.
pub(crate) fn blocks(all: &Figures) -> Vec<Block> {
    let mut blocks = Vec::new();
    for figure in &all.figures {
        // What one finds and another misses has two numbers in each cell.
        let numbers = match figure.name {
            "differences" => figures::differences(all),
            _ => figures::numbers(figure),
        };
        blocks.push(Block::Chart { svg: svg::figure(figure), table: numbers });
        blocks.extend(figures::forecasts(figure).map(Block::Table));
        if figure.name == "best" {
            blocks.push(Block::Table(figures::quality(all)));
        }
        if figure.name == "candidates" {
            blocks.push(Block::Table(figures::candidates(all)));
        }
    }
    blocks
}
