//! Sizes of corpora: by what they have in common, by strong queries, and pages drawn by random queries and walks.

use super::material::Material;
use crate::page::Block;
use crate::{Report, Table};
use dejaview_index::KeptSide;
use dejaview_study::{BACKWARDS, PageDraw, PageSampler, SizeBy, SizeOptions, StudyError};

/// Pages that are drawn in each way.
const DRAWN: usize = 200;

/// Bharat and Broder's relative sizes, and the two ways of drawing pages without a list.
pub fn chapter(material: &Material<'_>) -> Result<Vec<Block>, StudyError> {
    let mut blocks = vec![Block::Text(
        "Relative sizes follow from how much of each corpus stands in the other (Bharat and Broder 1998: if half of A is in B and a \
         sixth of B in A, A is a third of B). The lectures' own numbers are of search engines of 1998 to 2005 and have no \
         counterpart here."
            .to_owned(),
    )];
    for by in [SizeBy::Pairs, SizeBy::Queries] {
        let options = SizeOptions { by, ..SizeOptions::default() };
        let how = match by {
            SizeBy::Pairs => "By the pairs of the study:",
            SizeBy::Queries => "By strong queries, searches for the 8 rarest words of a page:",
        };
        match dejaview_study::sizes(&[material.study], &options) {
            Ok(found) => {
                blocks.push(Block::Text(how.to_owned()));
                blocks.extend(found.tables().into_iter().map(Block::Table));
            }
            Err(why) => blocks.push(Block::Text(format!("No sizes by {}: {why}", by.name()))),
        }
    }
    blocks.push(drawn(material));
    Ok(blocks)
}

/// How even the two ways of drawing pages are on this study.
fn drawn(material: &Material<'_>) -> Block {
    let title = "Pages of the target, drawn by random queries and by a walk along links (weights make them even)";
    let head = ["drawn by", "pages", "of", "reached", "highest weight / lowest"];
    let mut table = Table::new("drawn", title, &head).right(1..5);
    for (name, sampler) in [("query", PageSampler::Query), ("walk", PageSampler::Walk(BACKWARDS))] {
        let order = PageDraw { sampler, side: KeptSide::Target, size: DRAWN, start: None, seed: 1 };
        match dejaview_study::draw_pages(material.study, &order, material.options.threads) {
            Ok(pages) => table.row([
                name.to_owned(),
                pages.pages.len().to_string(),
                pages.population.to_string(),
                pages.reached.map_or("–".to_owned(), |reached| reached.to_string()),
                format!("{:.1}", pages.unevenness),
            ]),
            Err(why) => table.note(format!("{name}: {why}")),
        }
    }
    table.note("`dejaview size --draw` lists the pages");
    Block::Table(table)
}
