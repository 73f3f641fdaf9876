//! The section of the study's figures: pairs and documents found.

use super::parts::{Block, Material, Section};
use crate::charts::svg;
use crate::figures;
use dejaview_study::{FigureOptions, Figures, Kind, StudyError};

pub fn section(material: &Material<'_>) -> Result<Option<Section>, StudyError> {
    let options = FigureOptions { segments: material.options.segments, ..FigureOptions::default() };
    let all = dejaview_study::figures(material.study, &options)?;
    Ok(Some(Section { id: "found", title: "Pairs and documents found", blocks: blocks(&all) }))
}

/// Every figure with its numbers, and the tables that accompany them.
pub(crate) fn blocks(all: &Figures) -> Vec<Block> {
    let mut blocks = Vec::new();
    for figure in &all.figures {
        let numbers = match figure.kind {
            Kind::Matrix => figures::differences(all),
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
