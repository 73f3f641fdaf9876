//! Reads how a person is asked for labels.

use super::LabelsRecipe;
use super::keys::one_of;
use crate::StudyError;
use crate::recipe::REPEATS;
use crate::recipe::keys::{Item, Section};

/// More of a hundred would leave too little between a question and its repetition.
const MOST_REPEATS: u64 = 25;

pub(super) fn labels_recipe(section: &Section<'_>) -> Result<LabelsRecipe, StudyError> {
    let strings = |key: &'static str| -> Result<Vec<String>, StudyError> {
        let items = section.item(key).map(|i| i.list()).unwrap_or_default();
        items.iter().map(word).collect()
    };
    let recipe = LabelsRecipe {
        classes: strings("classes")?,
        reasons: strings("reasons")?,
        guidelines: section.item("guidelines").map(|i| i.string().map(str::to_owned)).transpose()?,
        blind: section.item("blind").map_or(Ok(true), |i| i.boolean())?,
        repeats: section.item("repeats").map_or(Ok(REPEATS), |i| repeats(&i))?,
        settled_by: one_of(section, "settled_by")?,
    };
    section.finish()?;
    Ok(recipe)
}

/// A word to choose: written into journals, so it may not be empty.
fn word(item: &Item<'_>) -> Result<String, StudyError> {
    let word = item.string()?.trim();
    if word.is_empty() {
        Err(item.wrong("holds an empty text, expected words to choose from"))
    } else {
        Ok(word.to_owned())
    }
}

fn repeats(item: &Item<'_>) -> Result<u64, StudyError> {
    let repeats = item.whole()?;
    if repeats > MOST_REPEATS {
        return Err(item.wrong(format!("is {repeats}, expected at most {MOST_REPEATS} of each 100 pairs")));
    }
    Ok(repeats)
}
