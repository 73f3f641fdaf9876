//! The options of a sample to be drawn.

use crate::StudyError;
use crate::analyse::sizes::PageSampler;
use dejaview_evaluation::sample::{Allocation, Design, Sample, StratifyBy};

/// A sample, as asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleDraw {
    pub name: String,
    /// The configurations whose pairs are drawn from, together.
    pub configurations: Vec<String>,
    /// Pairs, or documents, to draw.
    pub size: u64,
    /// Seed of the choice.
    pub seed: u64,
    /// What the pairs are divided by.
    pub by: StratifyBy,
    /// The edges of its strata, where they are chosen.
    pub bounds: Vec<f64>,
    /// How the strata share the sample.
    pub allocation: Allocation,
    /// Whether documents are drawn, and of each one pair.
    pub documents: bool,
    /// Which pairs are drawn more often than others.
    pub importance: Option<Importance>,
    /// Pairs to draw beside, that none of the configurations found.
    pub audit: u64,
    /// How source pages are drawn as if nobody had a list of them; of each one pair. `size` is then the number of draws.
    pub from: Option<PageSampler>,
    /// Among whom it is shared out; those that are there already keep their pairs.
    pub assignment: Assignment,
    /// Pairs to draw of some strata (their names) at least: those that a shorter sample has, or more.
    pub least: Vec<(String, u64)>,
}

impl SampleDraw {
    /// A simple random sample of 100 pairs of one configuration, seed 1.
    pub fn simple(name: &str, configuration: &str) -> Self {
        Self {
            name: name.to_owned(),
            configurations: vec![configuration.to_owned()],
            size: 100,
            seed: 1,
            by: StratifyBy::None,
            bounds: Vec::new(),
            allocation: Allocation::Proportional,
            documents: false,
            importance: None,
            audit: 0,
            from: None,
            assignment: Assignment::default(),
            least: Vec::new(),
        }
    }

    /// The options of `dejaview sample` that draw this sample, of a study with these configurations.
    pub fn options(&self, all: &[String]) -> Vec<String> {
        let configurations = if self.configurations == all { "all".to_owned() } else { self.configurations.join(",") };
        let mut options = vec!["--configuration".to_owned(), configurations];
        let mut add = |option: &str, value: String| options.extend([option.to_owned(), value]);
        add("--size", self.size.to_string());
        add("--seed", self.seed.to_string());
        if self.by != StratifyBy::None {
            add("--by", self.by.name().to_owned());
        }
        if self.audit > 0 {
            add("--audit", self.audit.to_string());
        }
        add("--name", self.name.clone());
        options.extend(self.documents.then(|| "--documents".to_owned()));
        options.extend(self.importance.map(|importance| importance.option().to_owned()));
        options
    }

    /// What a sample was drawn by, so that a longer one can be. One of pages drawn without a list has no longer one: further
    /// draws would change the weights of all.
    pub fn from_sample(sample: &Sample) -> Result<Self, StudyError> {
        if sample.transfer.is_some() {
            let why = format!("{} is of the pairs that a transfer takes, and serves no configuration", sample.name);
            return Err(StudyError::Sample { why });
        }
        if !sample.drawn_here() {
            let why =
                format!("{} was drawn elsewhere, from pairs that are not all here; import a longer one", sample.name);
            return Err(StudyError::Sample { why });
        }
        if sample.design.of_pages() {
            let why =
                format!("{} is of pages drawn without a list, and cannot be made longer; draw another", sample.name);
            return Err(StudyError::Sample { why });
        }
        Ok(Self {
            name: sample.name.clone(),
            configurations: sample.configurations.clone(),
            size: sample.size,
            seed: sample.seed,
            by: sample.by,
            bounds: sample.bounds.clone(),
            allocation: sample.allocation,
            documents: sample.design == Design::Documents,
            importance: Importance::of_design(&sample.design),
            audit: sample.audit,
            from: None,
            assignment: Assignment::default(),
            least: sample.pool().map(|stratum| (stratum.name.clone(), stratum.drawn)).collect(),
        })
    }

    pub(crate) fn design(&self) -> Design {
        match (self.from, self.documents, self.by, self.audit) {
            (Some(PageSampler::Query), ..) => Design::Query,
            (Some(PageSampler::Walk(_)), ..) => Design::Walk,
            (None, true, ..) => Design::Documents,
            _ if self.importance == Some(Importance::Truth) => Design::Importance,
            _ if self.importance == Some(Importance::Doubt) => Design::Uncertain,
            (None, false, StratifyBy::None, 0) => Design::Simple,
            _ => Design::Stratified,
        }
    }

    /// Pages drawn without a list go with nothing that needs one; importance takes the place of strata.
    pub(crate) fn fits(&self) -> Result<(), StudyError> {
        self.bounds_fit()?;
        let plain = self.by == StratifyBy::None && !self.documents;
        let why = match (self.from, self.importance.is_some()) {
            (Some(_), false) if plain && self.audit == 0 => return Ok(()),
            (None, true) if plain && self.audit == 0 => return Ok(()),
            (None, false) => return Ok(()),
            (None, true) => {
                "importance takes the place of strata: leave out --by, --documents and --audit, or --importance and --uncertain"
            }
            _ => {
                "pages are drawn without strata, lists and audit: leave out --by, --documents, --importance, --uncertain and --audit, \
                 or --from"
            }
        };
        Err(StudyError::Sample { why: why.to_owned() })
    }

    /// Edges are numbers that ascend, of strata that have any.
    fn bounds_fit(&self) -> Result<(), StudyError> {
        let ascend = self.bounds.iter().all(|x| x.is_finite()) && self.bounds.windows(2).all(|two| two[0] < two[1]);
        let why = match (self.bounds.is_empty(), self.by.has_bounds()) {
            (true, _) => return Ok(()),
            (false, false) => "bounds divide a number: add --by score, jaccard or length, or leave out --bounds",
            (false, true) if ascend => return Ok(()),
            (false, true) => "each of --bounds must be a number greater than the one before",
        };
        Err(StudyError::Sample { why: why.to_owned() })
    }
}

/// Which pairs are drawn more often than others, where not all are drawn alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Importance {
    /// Those that are probably true.
    Truth,
    /// Those that the model of the study is least sure of.
    Doubt,
}

impl Importance {
    fn option(self) -> &'static str {
        match self {
            Self::Truth => "--importance",
            Self::Doubt => "--uncertain",
        }
    }

    fn of_design(design: &Design) -> Option<Self> {
        match design {
            Design::Importance => Some(Self::Truth),
            Design::Uncertain => Some(Self::Doubt),
            _ => None,
        }
    }
}

/// Among whom a sample is shared out, as asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assignment {
    /// Their names; none: everyone is asked about every pair.
    pub annotators: Vec<String>,
    /// Pairs that all of them are asked about.
    pub overlap: u64,
}

impl Assignment {
    /// An error unless there are several, each named once, and no more pairs are shared than drawn.
    pub(crate) fn fits(&self, size: u64) -> Result<(), StudyError> {
        let wrong = |why: String| Err(StudyError::Sample { why });
        let names = &self.annotators;
        if names.len() == 1 {
            return wrong(format!("a sample is shared out among two annotators or more, not to {} alone", names[0]));
        }
        if let Some(name) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)).map(|(_, name)| name)
        {
            return wrong(format!("{name} is named twice in --assign"));
        }
        if names.iter().any(|name| name.trim().is_empty() || name.trim() != name) {
            return wrong("every name in --assign needs letters, and no blanks around them".to_owned());
        }
        if !names.is_empty() && self.overlap > size {
            return wrong(format!("{} pairs cannot be given to all where {size} are drawn", self.overlap));
        }
        Ok(())
    }
}
