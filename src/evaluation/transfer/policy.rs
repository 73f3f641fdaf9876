//! Which links are accepted, and which of them a judgment takes.

use std::fmt;
use std::str::FromStr;

use strum::{EnumString, IntoStaticStr, VariantArray};

use super::links::{Fan, Labelled, Link};
use dejaview_base::choice::Expected;

/// Which of the accepted links of its document a judgment takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case", parse_err_ty = Expected, parse_err_fn = no_policy)]
pub enum Policy {
    /// The one with the highest score; of equal ones the first.
    #[default]
    Best,
    /// The first, as the pairs stand.
    First,
    All,
    /// All; where several judgments meet, the grade that most of them have.
    Vote,
}

impl Policy {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Chooses among accepted links, the best of which is the first.
    pub(super) fn choose(self, accepted: &[Fan]) -> Vec<Link> {
        let first = |fan: Option<&Fan>| fan.into_iter().flat_map(|fan| fan.links().take(1)).collect();
        match self {
            Self::Best => first(accepted.first()),
            Self::First => first(accepted.iter().min_by_key(|fan| fan.first().0)),
            Self::All | Self::Vote => {
                let same = accepted.chunk_by(|a, b| a.score().total_cmp(&b.score()).is_eq());
                let by_rank = |fans: &[Fan]| {
                    let mut links: Vec<Link> = fans.iter().flat_map(Fan::links).collect();
                    links.sort_by_key(|link| (link.rank, link.target));
                    links
                };
                same.flat_map(by_rank).collect()
            }
        }
    }
}

fn no_policy(_: &str) -> Expected {
    Expected("best, first, all or vote")
}

/// What a pair is scored by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case", parse_err_ty = Expected, parse_err_fn = no_measure)]
pub enum Measure {
    /// Headline Jaccard.
    Jaccard,
    /// S3, as CopyCat has it.
    S3,
    /// Edit ratio over words.
    Edit,
    /// The score of an imported pair.
    Score,
}

impl Measure {
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// A value that pairs can have by this measure: scores of imported pairs are any numbers.
    fn value(self, text: &str) -> Result<f64, NoAccept> {
        let number = text.parse::<f64>().ok().filter(|x| x.is_finite());
        match self {
            Self::Score => number.ok_or_else(|| NoAccept::NotANumber(text.to_owned())),
            Self::Jaccard | Self::S3 | Self::Edit => {
                number.filter(|x| (0.0..=1.0).contains(x)).ok_or_else(|| NoAccept::NotAShare(text.to_owned()))
            }
        }
    }
}

fn no_measure(_: &str) -> Expected {
    Expected("jaccard, s3, edit or score")
}

/// Which links are accepted. A pair labelled “not” never is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Accept {
    /// Pairs labelled near-duplicate.
    Labels,
    All,
    /// Pairs that have at least so much by this measure, whatever they are scored by.
    Least(Measure, f64),
}

impl Accept {
    /// Whether links are accepted; those labelled “not” never are.
    pub fn accepts(self, link: &Fan) -> bool {
        link.label != Labelled::Not && self.accepts_unlabelled(link)
    }

    /// Whether links would be accepted if nobody had labelled them “not”.
    pub fn accepts_unlabelled(self, link: &Fan) -> bool {
        match self {
            Self::Labels => link.label == Labelled::NearDuplicate,
            Self::All => true,
            Self::Least(_, least) => link.accepted_by.is_some_and(|measured| measured >= least),
        }
    }

    /// Why a judgment is left behind whose document has only these links, all of them refused.
    pub(super) fn why_left(self, refused: &[Fan]) -> &'static str {
        if refused.is_empty() {
            return "no pair";
        }
        if refused.iter().all(|link| link.label == Labelled::Not) {
            return "labelled not a near-duplicate";
        }
        match self {
            Self::Labels => "no pair labelled near-duplicate",
            Self::All => "labelled not a near-duplicate",
            Self::Least(..) if refused.iter().all(|link| link.accepted_by.is_none()) => "no score by this measure",
            Self::Least(..) => "below the threshold",
        }
    }
}

impl fmt::Display for Accept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Labels => f.write_str("labels"),
            Self::All => f.write_str("all"),
            Self::Least(measure, least) => write!(f, "{}:{least}", measure.name()),
        }
    }
}

/// Words that do not say which links are accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAccept {
    #[error("“{0}” is not a number")]
    NotANumber(String),
    #[error("“{0}” is not a number from 0 to 1")]
    NotAShare(String),
    #[error(transparent)]
    Unknown(#[from] Expected),
}

impl FromStr for Accept {
    type Err = NoAccept;

    fn from_str(text: &str) -> Result<Self, NoAccept> {
        match (text, text.split_once(':')) {
            ("labels", _) => Ok(Self::Labels),
            ("all", _) => Ok(Self::All),
            (_, Some((measure, least))) => {
                let measure: Measure = measure.parse()?;
                Ok(Self::Least(measure, measure.value(least)?))
            }
            _ => {
                let measures = "labels, all, or a measure and a number: jaccard:0.9, s3:0.8, edit:0.8, score:0.5";
                Err(Expected(measures).into())
            }
        }
    }
}
