//! What `study.toml` says, checked: plain values with every default filled in. No file is touched but the TOML itself.

pub(crate) mod addresses;
mod configurations;
mod corpora;
pub mod files;
mod finding;
pub mod keys;
mod labels;
mod read;
pub mod sample_study;
pub mod settings;
mod standard;
pub mod template;

pub use standard::standard_set;

use strum::{EnumString, VariantNames};

use dejaview_corpus::{AcceptedStatus, Format};
use dejaview_labels::SettledBy;
use dejaview_matching::source::Join;
use dejaview_methods::parameters::Value;
use dejaview_methods::{Algorithm, Values};

/// A pattern for files, and where the study gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Relative to the study, or absolute.
    pub glob: String,
    /// The format, when it is not to be told from the content.
    pub format: Option<&'static Format>,
    /// The track, for judgments.
    pub track: Option<String>,
    /// Line of `study.toml`.
    pub line: usize,
    pub key: String,
}

/// The documents whose near-duplicates are looked for.
#[derive(Debug, Clone, Default)]
pub struct SourceRecipe {
    pub documents: Vec<Pattern>,
    /// Files of judgments; with them only judged documents are kept.
    pub judgments: Vec<Pattern>,
    /// Files of topic texts.
    pub topics: Vec<Pattern>,
    /// Lists `id<TAB>url`.
    pub urls: Vec<Pattern>,
}

/// Documents that are searched.
#[derive(Debug, Clone)]
pub struct TargetRecipe {
    /// Its name; none for a folder that makes one segment of each of its folders.
    pub segment: Option<String>,
    pub documents: Vec<Pattern>,
    /// Lists `id<TAB>url`.
    pub urls: Vec<Pattern>,
    /// Line of `study.toml`.
    pub line: usize,
}

/// A method with its parameters and a name.
#[derive(Debug, Clone)]
pub struct ConfigurationRecipe {
    /// Unique in the study.
    pub name: String,
    /// Its method and parameters.
    pub values: Values,
    /// The files that its pairs are read from, when they are not found but imported.
    pub pairs: Option<Pattern>,
}

impl ConfigurationRecipe {
    /// The file of the model that it decides by, relative to the study; none where it finds pairs itself.
    pub fn model(&self) -> Option<String> {
        let named = self.values.in_force().into_iter().find(|(name, _)| *name == "model");
        match named {
            Some((_, Value::Word(path))) if self.algorithm().decides => Some(path),
            _ => None,
        }
    }

    pub fn algorithm(&self) -> &'static Algorithm {
        self.values.algorithm()
    }
}

/// How a person is asked for labels.
#[derive(Debug, Clone)]
pub struct LabelsRecipe {
    /// Finer classes beside near-duplicate, not and unsure.
    pub classes: Vec<String>,
    /// Reasons to choose from.
    pub reasons: Vec<String>,
    /// A text that is one key away while labelling.
    pub guidelines: Option<String>,
    /// Whether scores are hidden until the decision.
    pub blind: bool,
    /// Pairs of a hundred that come again unannounced.
    pub repeats: u64,
    /// What decides a pair on which annotators differ.
    pub settled_by: SettledBy,
}

impl Default for LabelsRecipe {
    fn default() -> Self {
        Self {
            classes: Vec::new(),
            reasons: Vec::new(),
            guidelines: None,
            blind: true,
            repeats: REPEATS,
            settled_by: SettledBy::default(),
        }
    }
}

/// Which texts are stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Keep {
    /// Those of documents with a pair.
    #[default]
    Hits,
    All,
}

/// Where the documents of the source are while the target is searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum JoinMode {
    /// All of them in memory.
    #[default]
    Memory,
    /// Sketches of both sides on disk; in memory are the documents that have a pair.
    Corpora,
}

/// What of a page is its canonical text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum ContentRecipe {
    /// All that a reader sees.
    #[default]
    All,
    /// The main content, told from the page itself.
    Main,
    /// All but the lines that stand on many pages of its host: one reading more.
    Own,
}

/// Where document frequencies, lexicons and support words come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum StatisticsFrom {
    /// The documents of the source that take part, where the target is a stream that is read once.
    Source,
    /// The whole collection, as in the papers: the source, and all targets that are there when methods are first
    /// fitted. One reading more.
    #[default]
    Both,
    /// Other documents, or the statistics that another study has stored.
    Path(Pattern),
}

#[derive(Debug, Clone)]
pub struct Recipe {
    /// What the study is called.
    pub name: String,
    /// Seed of everything random.
    pub seed: u64,
    /// Which texts are stored.
    pub keep: Keep,
    /// What methods are fitted to.
    pub statistics: StatisticsFrom,
    /// What of a page counts.
    pub content: ContentRecipe,
    /// n of the headline Jaccard.
    pub jaccard: usize,
    /// Which answers of web servers are documents.
    pub status: AcceptedStatus,
    /// What makes a document of the target one of the source.
    pub join: Join,
    /// Where two corpora are joined neither of which fits in memory: bytes of memory for it. None where the source is held
    /// in memory.
    pub corpora: Option<usize>,
    /// Different sketches of the source that may share a key before it says nothing.
    pub most_sketches: u64,
    pub source: SourceRecipe,
    /// The targets, in order.
    pub targets: Vec<TargetRecipe>,
    /// The configurations, in order.
    pub configurations: Vec<ConfigurationRecipe>,
    /// How labels are asked for.
    pub labels: LabelsRecipe,
}

impl Recipe {
    /// Whether there are documents on both sides, and not lists of URLs alone.
    pub fn has_documents(&self) -> bool {
        !self.source.documents.is_empty() && self.targets.iter().any(|target| !target.documents.is_empty())
    }

    /// Whether the pairs of some configuration depend on what it is fitted to. One that finds all pairs of a kind only
    /// finds them faster.
    pub fn rests_on_statistics(&self) -> bool {
        self.configurations.iter().any(|c| c.algorithm().fitted && c.values.finds_all().is_none())
    }

    /// Names of the configurations that find pairs themselves, in the order of the study: those that `all` stands for. What
    /// others decide on is among their pairs.
    pub fn finding_configurations(&self) -> Vec<String> {
        let finding = self.configurations.iter().filter(|c| !c.algorithm().decides);
        finding.map(|c| c.name.clone()).collect()
    }

    /// Names of the configurations, in the order of the study.
    pub fn configuration_names(&self) -> Vec<String> {
        self.configurations.iter().map(|c| c.name.clone()).collect()
    }
}

/// Pairs of a hundred that come again when the study does not say.
pub(crate) const REPEATS: u64 = 5;
