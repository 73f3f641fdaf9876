//! How sure the model of a study is of each pair.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::StudyError;
use crate::analyse::truth_measures::with_document;
use crate::label::framing::{Framing, OneByOne};
use crate::snapshot::Snapshot;
use dejaview_index::KeptSide;
use dejaview_matching::pairs::Pair;
use dejaview_methods::Prepared;
use dejaview_text::Tokens;

/// The probability that the model gives to a pair of each bundle.
pub(crate) struct Probabilities {
    of: HashMap<(String, String), f64>,
}

impl Probabilities {
    /// Of pairs without texts nobody knows anything.
    pub(crate) fn of(&self, pair: &Pair<'_>) -> f64 {
        self.of.get(&(pair.source.to_owned(), pair.target.to_owned())).copied().unwrap_or(0.5)
    }
}

/// What the first configuration with a model says of all pairs that are drawn from.
pub(crate) fn model_probabilities(study: &Snapshot, framing: &Framing) -> Result<Probabilities, StudyError> {
    let decides = study.recipe().configurations.iter().find(|c| c.algorithm().decides);
    let name = decides.map(|configuration| configuration.name.clone()).ok_or_else(|| StudyError::Sample {
        why: "no configuration has a model that could be unsure; fit one with `dejaview learn` and add a configuration with \
              method = \"learned\""
            .to_owned(),
    })?;
    let configuration = study.configuration(&name)?;
    let mut pairs: Vec<(String, String)> = Vec::new();
    let mut texts: [HashMap<String, String>; 2] = Default::default();
    framing.each_inside(&OneByOne::NONE, |one| {
        if !one.pair.compared() {
            return Ok(());
        }
        let ids = [one.pair.source, one.pair.target];
        for ((side, id), known) in [KeptSide::Source, KeptSide::Target].into_iter().zip(ids).zip(&mut texts) {
            if !known.contains_key(id) {
                known.insert(id.to_owned(), with_document(study, side, id, |document| document.text().to_owned())?);
            }
        }
        pairs.push((ids[0].to_owned(), ids[1].to_owned()));
        Ok(())
    })?;
    let probability = |(source, target): &(String, String)| {
        let texts = [&texts[0][source], &texts[1][target]];
        let tokens = texts.map(|text| {
            let mut tokens = Tokens::new();
            tokens.read(text);
            tokens
        });
        let [a, b] = [0, 1].map(|i| Prepared::new(texts[i], &tokens[i]));
        // The distance of its pairs counts the thousandths that a probability is short of 1, on a miss too.
        let short = configuration.method.reasons(&a, &b).value.unwrap_or(1_000.0);
        ((source.clone(), target.clone()), (1.0 - short / 1_000.0).clamp(0.0, 1.0))
    };
    Ok(Probabilities { of: pairs.par_iter().map(probability).collect() })
}
