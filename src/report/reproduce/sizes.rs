//! Sizes of corpora: by what they have in common, by strong queries, and pages drawn by random queries and walks.

use super::material::Material;
use crate::numbers::count;
use crate::page::Block;
use crate::{Report, Table};
use dejaview_index::KeptSide;
use dejaview_study::{AskedBy, BACKWARDS, PageDraw, PageSampler, SearchedFor, SizeBy, SizeOptions, StudyError};

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
    let (seed, threads) = (material.study.recipe().seed, material.options.threads);
    let queries = |drawn| SizeOptions { by: SizeBy::Queries, drawn, seed, threads, ..SizeOptions::default() };
    let ways = [
        (["sizes", "overlaps"], "the pairs of the study", SizeOptions { seed, ..SizeOptions::default() }),
        (
            ["sizes-strong-queries", "overlaps-strong-queries"],
            "strong queries, searches for the 8 rarest words of a page",
            queries(AskedBy::List),
        ),
        (
            ["sizes-random-queries", "overlaps-random-queries"],
            "strong queries for pages drawn by random queries",
            queries(AskedBy::Drawn(PageSampler::Query)),
        ),
        (
            ["sizes-walk", "overlaps-walk"],
            "strong queries for pages drawn by a walk along links",
            queries(AskedBy::Drawn(PageSampler::Walk(BACKWARDS))),
        ),
    ];
    let mut last_reason: Option<String> = None;
    for (names, how, options) in ways {
        material.watch.remark(&format!("  sizes by {how}"));
        match dejaview_study::sizes(&[material.study], &options) {
            Ok(found) => {
                blocks.push(Block::Text(format!("By {how}:")));
                let named = found.tables().into_iter().zip(names).map(|(table, name)| Table { name, ..table });
                blocks.extend(named.map(Block::Table));
            }
            Err(why) => {
                let why = why.to_string();
                let known = last_reason.replace(why.clone()).as_ref() == Some(&why);
                material.watch.remark(&if known {
                    "  not made, either".to_owned()
                } else {
                    format!("  not made: {why}")
                });
                blocks.push(Block::Text(format!("No sizes by {how}: {why}")));
            }
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
        let searched_for = SearchedFor::Lexicon;
        let seed = material.study.recipe().seed;
        let order = PageDraw { sampler, side: KeptSide::Target, size: DRAWN, start: None, searched_for, seed };
        match dejaview_study::draw_pages(material.study, &order, material.options.threads) {
            Ok(pages) => table.row([
                name.to_owned(),
                count(pages.pages.len() as u64),
                count(pages.population as u64),
                pages.reached.map_or("–".to_owned(), |reached| count(reached as u64)),
                format!("{:.1}", pages.unevenness),
            ]),
            Err(why) => table.note(format!("{name}: {why}")),
        }
    }
    table.note("`dejaview size --draw` lists the pages; a page may be drawn more than once, and is asked for once");
    table.note("reached: pages that the walk came to; where these are few, it says nothing of the others, and intervals from it are too narrow");
    Block::Table(table)
}
