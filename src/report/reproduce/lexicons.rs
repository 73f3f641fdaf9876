//! Kołcz, Chowdhury and Alspector: I-Match with and without random lexicons.

use super::beside::Beside;
use super::material::Material;
use super::published;
use crate::charts::svg::{self, Line};
use crate::page::Block;
use crate::{Report, Table};
use dejaview_methods::curves::stability;
use dejaview_study::StudyError;

/// Words inserted or deleted at most in their Figure 1.
const MOST_CHANGES: usize = 8;

/// Their Figure 1 (theory), Figures 2 and 3 and Table 1 (this study's documents).
pub fn chapter(material: &Material<'_>) -> Result<Vec<Block>, StudyError> {
    let experiments = material.experiments()?;
    let mut blocks = vec![figure_1()];
    for table in experiments.tables().into_iter().filter(|table| table.name == "lexicons") {
        let points = experiments.lexicons.iter().map(|row| (row.lexicons as f64, row.recall)).collect();
        let recall = Line { name: "recall".to_owned(), points };
        let svg = svg::lines(&[recall], "lexicons beside the first (Figures 2 and 3)", &table.title);
        blocks.push(Block::Chart { svg, table });
    }
    let mut beside = Beside::new("Recall by number of lexicons (Table 1)");
    for (lexicons, honeypot, cluster) in published::LEXICONS {
        let found = experiments.lexicons.iter().find(|row| row.lexicons == lexicons);
        let what = if lexicons == 0 { "1 lexicon".to_owned() } else { format!("1+{lexicons} lexicons") };
        let published = format!("{honeypot:.2} / {cluster:.2}");
        beside.row(format!("{what}: honeypot / cluster"), published, found.map(|row| format!("{:.3}", row.recall)));
    }
    blocks.push(beside.block(
        "the paper's collections are spam (8,703 and 10,039 messages), its lexicon is that of newspapers; here they are this study's \
         pages, and the lexicon is fitted to them unless `statistics` names another collection",
    ));
    Ok(blocks)
}

/// How probably an extended signature survives so many changed words.
fn figure_1() -> Block {
    let title =
        "Probability that a signature survives insertions and deletions, p = 0.33 (Figure 1, theory: 1 − (1 − pⁿ)ᴷ)";
    let mut head = vec!["words changed".to_owned()];
    head.extend(published::BAGS.iter().map(|bag| format!("bag {bag}")));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table = Table::new("stability", title, &head).right(0..head.len());
    for changes in 0..=MOST_CHANGES {
        let values = published::BAGS.iter().map(|bag| stability(published::DROPPED, changes, *bag));
        table.row(std::iter::once(changes.to_string()).chain(values.map(|value| format!("{value:.3}"))));
    }
    let line = |bag: &usize| Line {
        name: format!("bag {bag}"),
        points: (0..=MOST_CHANGES).map(|n| (n as f64, stability(published::DROPPED, n, *bag))).collect(),
    };
    let lines: Vec<Line> = published::BAGS.iter().map(line).collect();
    Block::Chart { svg: svg::lines(&lines, "words inserted or deleted", title), table }
}
