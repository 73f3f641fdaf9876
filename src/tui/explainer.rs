//! Questions about one pair, answered on a worker: what its Jaccard is made of, why a configuration matches it or not,
//! and what all would say without some of the text. The texts read for one question are kept for the next.

use std::sync::{Arc, Mutex, PoisonError};

use super::pair_ids::PairIds;
use super::widgets::diff_view::Spans;
use dejaview_methods::why::Waterfall;
use dejaview_study::{Anatomy, ConfigurationVerdict, PairVerdicts, Recipe, Snapshot, StudyError};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    Breakdown,
    /// Why each configuration matches the pair or not.
    Reasons,
    EditRatios,
}

#[derive(Debug)]
pub enum Answer {
    Breakdown(Box<Breakdown>),
    /// In the order of the study.
    Reasons(Vec<ConfigurationVerdict>),
    /// Over words, and over characters unless the texts are very long.
    EditRatios(f64, Option<f64>),
}

impl Answer {
    /// What was done, for the log.
    pub fn name(&self) -> String {
        match self {
            Self::Breakdown(_) => "explained the Jaccard of a pair".to_owned(),
            Self::Reasons(verdicts) => format!("explained {} configurations", verdicts.len()),
            Self::EditRatios(..) => "computed the edit ratios of a pair".to_owned(),
        }
    }
}

/// What the Jaccard of a pair is made of, and the verdict of every configuration.
#[derive(Debug)]
pub struct Breakdown {
    pub waterfall: Waterfall,
    pub verdicts: PairVerdicts,
    /// How boilerplate was recognised.
    pub boilerplate_rule: String,
}

/// What every configuration says of a pair without some of its text.
#[derive(Debug)]
pub struct Without {
    pub verdicts: PairVerdicts,
    /// In the order of the study. Their spans are those of the texts that are left.
    pub reasons: Vec<ConfigurationVerdict>,
}

/// The pair that was asked about last.
#[derive(Debug, Clone)]
struct LastPair {
    ids: PairIds,
    /// What its texts were read by.
    recipe: Arc<Recipe>,
    anatomy: Arc<Anatomy>,
}

/// Answers questions and keeps the texts of the pair asked about last.
#[derive(Debug, Default)]
pub struct Explainer {
    last_pair: Mutex<Option<LastPair>>,
}

impl Explainer {
    pub fn answer(&self, study: &Snapshot, ids: &PairIds, question: Question) -> Result<Answer, StudyError> {
        let anatomy = self.anatomy(study, ids)?;
        Ok(match question {
            Question::Breakdown => Answer::Breakdown(Box::new(Breakdown {
                waterfall: anatomy.waterfall(study.recipe().jaccard),
                verdicts: anatomy.verdicts(&Default::default(), study.configurations()?),
                boilerplate_rule: anatomy.boilerplate_note.clone(),
            })),
            Question::Reasons => Answer::Reasons(anatomy.explain(&Default::default(), study.configurations()?)),
            Question::EditRatios => {
                let (words, characters) = anatomy.edit_ratios();
                Answer::EditRatios(words, characters)
            }
        })
    }

    /// What every configuration says of a pair without some of its text.
    pub fn without(&self, study: &Snapshot, ids: &PairIds, off: &Spans) -> Result<Without, StudyError> {
        let (anatomy, all) = (self.anatomy(study, ids)?, study.configurations()?);
        Ok(Without { verdicts: anatomy.verdicts(off, all), reasons: anatomy.explain(off, all) })
    }

    fn anatomy(&self, study: &Snapshot, ids: &PairIds) -> Result<Arc<Anatomy>, StudyError> {
        let last = self.last_pair.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let recipe = study.recipe();
        if let Some(last) = last.filter(|last| last.ids == *ids && Arc::ptr_eq(&last.recipe, recipe)) {
            return Ok(last.anatomy);
        }
        let anatomy = Arc::new(dejaview_study::anatomy(study, &ids.source, &ids.target)?);
        let read = LastPair { ids: ids.clone(), recipe: recipe.clone(), anatomy: anatomy.clone() };
        *self.last_pair.lock().unwrap_or_else(PoisonError::into_inner) = Some(read);
        Ok(anatomy)
    }
}
