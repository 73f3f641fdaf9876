//! Chapter 3 of the thesis: SimHash by n-grams and distance, against Jaccard and against cosine, and MinHash.

use super::beside::Beside;
use super::lexicons::LEXICONS;
use super::material::{Material, experiment_blocks};
use super::published;
use crate::experiments::known;
use crate::page::Block;
use dejaview_study::StudyError;

/// Table 3.1 for every choice of n-grams and k = 1 to 8, and Figure 3.3.
pub fn chapter(material: &Material<'_>) -> Result<Vec<Block>, StudyError> {
    let experiments = material.experiments()?;
    // The lexicons have a chapter of their own.
    let mut blocks = experiment_blocks(experiments, |name| !LEXICONS.contains(&name));
    let title = "SimHash of single words, 64 bits (Table 3.1)";
    let mut beside = Beside::of_measures("published-simhash", title, &["precision", "recall"]);
    for (distance, precision, recall) in published::SIMHASH {
        let found = experiments.simhash.iter().find(|row| row.ngrams == "1" && row.distance == distance);
        let measures = [(precision, found.map(|row| row.precision)), (recall, found.map(|row| row.recall))];
        let numbers = measures.map(|(published, here)| [Some(format!("{published:.2}")), here.map(known)]);
        beside.numbers(format!("k = {distance}"), numbers.into_iter().flatten());
    }
    blocks.push(beside.block(
        "the thesis compared the newest revision of each Wikipedia page with its older ones, 1.2 million pairs, of which most are \
         alike; here every document of the source is compared with every one of the target. The table of pairs with the same \
         address is nearer to it",
    ));
    Ok(blocks)
}
