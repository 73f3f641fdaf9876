//! What was found where: the study's figures.

use super::parts::{Block, Material, Section};
use crate::charts::svg;
use crate::figures;
use dejaview_study::{FigureOptions, Kind, StudyError};

pub fn section(material: &Material<'_>) -> Result<Option<Section>, StudyError> {
    let options = FigureOptions { segments: material.options.segments, ..FigureOptions::default() };
    let made = dejaview_study::figures(material.study, &options)?;
    let mut blocks = Vec::new();
    for figure in &made.figures {
        let numbers = match figure.kind {
            Kind::Matrix => figures::differences(&made),
            _ => figures::table(figure),
        };
        blocks.push(Block::Chart { svg: svg::figure(figure), table: numbers });
        blocks.extend(figures::forecasts(figure).map(Block::Table));
        if figure.name == "best" {
            blocks.push(Block::Table(figures::quality(&made)));
        }
        if figure.name == "candidates" {
            blocks.push(Block::Table(figures::candidates(&made)));
        }
    }
    Ok(Some(Section { id: "found", title: "Pairs and documents found", blocks }))
}
