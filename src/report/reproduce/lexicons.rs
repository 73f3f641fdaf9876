//! Kołcz, Chowdhury and Alspector: I-Match with and without random lexicons.

use super::beside::Beside;
use super::material::{Material, experiment_blocks};
use super::published;
use crate::experiments::known;
use crate::page::Block;
use dejaview_study::StudyError;

/// The tables of the experiments that are theirs.
pub const LEXICONS: [&str; 3] = ["lexicons", "other-lexicons", "stability"];

/// Their Figures 1 to 3 and Table 1 on this study's documents.
pub fn chapter(material: &Material<'_>) -> Result<Vec<Block>, StudyError> {
    let experiments = material.experiments()?;
    let mut blocks = experiment_blocks(experiments, |name| LEXICONS.contains(&name));
    let columns = ["published, honeypots", "published, clusters", "here"];
    let mut beside = Beside::of_columns("published-recall", "Recall by number of lexicons (Table 1)", &columns);
    for (lexicons, honeypot, cluster) in published::LEXICONS {
        let found = experiments.lexicons.iter().find(|row| row.lexicons == lexicons);
        let what = if lexicons == 0 { "1 lexicon".to_owned() } else { format!("1+{lexicons} lexicons") };
        let [honeypot, cluster] = [honeypot, cluster].map(|recall: f64| Some(format!("{recall:.2}")));
        beside.numbers(what, [honeypot, cluster, found.map(|row| known(row.recall))]);
    }
    blocks.push(beside.block(
        "the paper's collections are spam (10,039 messages of honeypots, 8,703 in clusters: this study's number stands beside both), its lexicon is that of newspapers; here they are this study's \
         pages, and the lexicon is fitted to them unless `statistics` names another collection",
    ));
    Ok(blocks)
}
