//! Questions about one pair, answered on a worker: what its Jaccard is made of, why a configuration says what it says,
//! and what all would say without some of the text. What was read for one question is kept for the next.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use dejaview_matching::Configuration;
use dejaview_methods::why::Waterfall;
use dejaview_study::{Anatomy, ConfigurationVerdict, Snapshot, Standing, StudyError};

/// A question about a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    /// What it is made of, and what every configuration says.
    Apart,
    /// Why one configuration says what it says.
    Tree(String),
    /// The edit ratios.
    Edit,
    /// What every configuration says without these spans of source and target.
    Without {
        /// Of the question: only the newest answer counts.
        number: u64,
        /// What is cut out.
        off: [Vec<Range<usize>>; 2],
    },
}

/// An answer.
#[derive(Debug)]
pub enum Told {
    /// To [`Ask::Apart`].
    Apart(Box<Apart>),
    /// To [`Ask::Tree`].
    Tree(Box<ConfigurationVerdict>),
    /// To [`Ask::Edit`]: over words, and over characters unless the texts are very long.
    Edit(f64, Option<f64>),
    /// To [`Ask::Without`].
    Without {
        /// Of the question.
        number: u64,
        /// What is said then.
        standing: Box<Standing>,
    },
}

impl Told {
    /// What was done, in a few words.
    pub fn name(&self) -> String {
        match self {
            Self::Apart(_) => "took a pair apart".to_owned(),
            Self::Tree(tree) => format!("explained what {} says", tree.name),
            Self::Edit(..) => "computed the edit ratios of a pair".to_owned(),
            Self::Without { .. } => "compared a pair without some of its text".to_owned(),
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
type Kept = ([String; 2], Arc<Anatomy>);

/// Answers questions.
#[derive(Debug, Default)]
pub struct Dissector {
    kept: Mutex<Option<Kept>>,
    configurations: OnceLock<Vec<Configuration>>,
}

impl Dissector {
    /// Answers one question about a pair.
    pub fn tell(&self, study: &Snapshot, ids: [&str; 2], ask: Ask) -> Result<Told, StudyError> {
        let anatomy = self.anatomy(study, ids)?;
        Ok(match ask {
            Ask::Apart => Told::Apart(Box::new(Apart {
                waterfall: anatomy.waterfall(study.recipe().jaccard),
                standing: anatomy.standing(&Default::default(), self.configurations(study)?),
                told: anatomy.told.clone(),
            })),
            Ask::Tree(name) => {
                let all = self.configurations(study)?;
                match all.iter().find(|configuration| configuration.name == name) {
                    Some(configuration) => Told::Tree(Box::new(anatomy.explain(configuration))),
                    None => Told::Tree(Box::new(anatomy.explain(&study.configuration(&name)?))),
                }
            }
            Ask::Edit => {
                let (words, characters) = anatomy.edit_ratios();
                Told::Edit(words, characters)
            }
            Ask::Without { number, off } => {
                let standing = Box::new(anatomy.standing(&off, self.configurations(study)?));
                Told::Without { number, standing }
            }
        })
    }

    fn anatomy(&self, study: &Snapshot, ids: [&str; 2]) -> Result<Arc<Anatomy>, StudyError> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, anatomy)) = kept.filter(|(known, _)| known[0] == ids[0] && known[1] == ids[1]) {
            return Ok(anatomy);
        }
        let anatomy = Arc::new(dejaview_study::anatomy(study, ids[0], ids[1])?);
        let kept = (ids.map(str::to_owned), anatomy.clone());
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
        Ok(anatomy)
    }

    /// The configurations as the last run fitted them, read once.
    fn configurations(&self, study: &Snapshot) -> Result<&[Configuration], StudyError> {
        if let Some(known) = self.configurations.get() {
            return Ok(known);
        }
        let fitted = study.configurations()?;
        Ok(self.configurations.get_or_init(|| fitted))
    }
}
