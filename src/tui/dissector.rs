//! Questions about one pair, answered on a worker: what its Jaccard is made of, why a configuration says what it says,
//! and what all would say without some of the text. What was read for one question is kept for the next.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::pair_ids::PairIds;
use dejaview_methods::why::Waterfall;
use dejaview_study::{Anatomy, ConfigurationVerdict, Snapshot, Standing, StudyError};

/// Spans of source and target.
pub type Spans = [Vec<Range<usize>>; 2];

/// A question about a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// What it is made of, and what every configuration says.
    Apart,
    /// Why one configuration says what it says.
    Tree(String),
    /// The edit ratios.
    Edit,
}

#[derive(Debug)]
pub enum Answer {
    /// To [`Question::Apart`].
    Apart(Box<Apart>),
    /// To [`Question::Tree`].
    Tree(Box<ConfigurationVerdict>),
    /// To [`Question::Edit`]: over words, and over characters unless the texts are very long.
    Edit(f64, Option<f64>),
}

impl Answer {
    /// What was done, in a few words.
    pub fn name(&self) -> String {
        match self {
            Self::Apart(_) => "took a pair apart".to_owned(),
            Self::Tree(tree) => format!("explained what {} says", tree.name),
            Self::Edit(..) => "computed the edit ratios of a pair".to_owned(),
        }
    }
}

/// A pair taken apart.
#[derive(Debug)]
pub struct Apart {
    /// What its Jaccard is made of.
    pub waterfall: Waterfall,
    /// What every configuration says.
    pub standing: Standing,
    /// How boilerplate is told apart.
    pub told: String,
}

/// Ids of a pair, and its texts.
type Kept = (PairIds, Arc<Anatomy>);

/// Answers questions.
#[derive(Debug, Default)]
pub struct Dissector {
    kept: Mutex<Option<Kept>>,
}

impl Dissector {
    /// Answers one question about a pair.
    pub fn answer(&self, study: &Snapshot, ids: &PairIds, question: Question) -> Result<Answer, StudyError> {
        let anatomy = self.anatomy(study, ids)?;
        Ok(match question {
            Question::Apart => Answer::Apart(Box::new(Apart {
                waterfall: anatomy.waterfall(study.recipe().jaccard),
                standing: anatomy.standing(&Default::default(), study.configurations()?),
                told: anatomy.told.clone(),
            })),
            Question::Tree(name) => {
                let all = study.configurations()?;
                match all.iter().find(|configuration| configuration.name == name) {
                    Some(configuration) => Answer::Tree(Box::new(anatomy.explain(configuration))),
                    None => Answer::Tree(Box::new(anatomy.explain(&study.configuration(&name)?))),
                }
            }
            Question::Edit => {
                let (words, characters) = anatomy.edit_ratios();
                Answer::Edit(words, characters)
            }
        })
    }

    /// What every configuration says of a pair without some of its text.
    pub fn without(&self, study: &Snapshot, ids: &PairIds, off: &Spans) -> Result<Standing, StudyError> {
        Ok(self.anatomy(study, ids)?.standing(off, study.configurations()?))
    }

    fn anatomy(&self, study: &Snapshot, ids: &PairIds) -> Result<Arc<Anatomy>, StudyError> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, anatomy)) = kept.filter(|(known, _)| known == ids) {
            return Ok(anatomy);
        }
        let anatomy = Arc::new(dejaview_study::anatomy(study, &ids.source, &ids.target)?);
        let kept = (ids.clone(), anatomy.clone());
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
        Ok(anatomy)
    }
}
