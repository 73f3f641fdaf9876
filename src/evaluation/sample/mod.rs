//! Samples: pairs drawn with known probability, in a fixed random order, to be labelled.
//!
//! Labels refer to samples, so they are kept like labels: `samples/<name>.jsonl`, one line with the design, then one line
//! for each pair in its order.

mod allocation;
mod design;
mod documents;
mod draw;
mod file;
mod origin;
mod pages;
mod placing;
mod priority;
mod sharing;
mod sound;
mod tally;

pub use allocation::{Need, allocate, allocate_more, neyman, share_out};
pub use design::{
    Allocation, Design, JACCARD_EDGES, LENGTH_EDGES, StratifyBy, Stratum, agreement_band, band, score_band,
};
pub use documents::DocumentDrawer;
pub use draw::{Candidate, Drawer, draw_simple, order, rank, rank_of_tokens};
pub use file::Written;
pub use origin::{ConfigurationAtDraw, DrawnFrom, KeptSample, PairsAtDraw};
pub use pages::{PageDrawer, PageSample};
pub use priority::{PriorityDrawer, doubt, importance};
pub use sharing::{share, share_rest};
pub use tally::Tally;

use serde::{Deserialize, Serialize};

use dejaview_base::numbers::count;

/// A pair of a sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SampledPair {
    /// Id of the source document.
    pub source: String,
    /// Id of the target document.
    pub target: String,
    /// The part of the population it was drawn from; `all` when that is not divided.
    pub stratum: String,
    /// Pairs of the population that it stands for: 1 / `probability`. Of pages drawn without a list it is known up to a
    /// factor: there it is scaled so that all add up to the population.
    pub weight: f64,
    /// Probability with which it came into the sample.
    pub probability: f64,
    /// Those of the configurations that the sample serves that found it; all there is when it serves one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<String>,
    /// In a sample of documents: how many pairs the source document has, from which this one was drawn.
    #[serde(rename = "of", default, skip_serializing_if = "Option::is_none")]
    pub document_pairs: Option<u64>,
    /// The annotators who are asked about it; empty: everyone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assigned: Vec<String>,
}

/// The order of a transfer, as a sample of its pairs keeps it: two of the same words take the same pairs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferFrame {
    /// Which of several accepted pairs a judgment takes.
    pub policy: String,
    /// Which pairs are accepted.
    pub accept: String,
    /// What tells the best pair.
    pub by: String,
    /// The configurations whose pairs took part, in the order of the study.
    pub configurations: Vec<String>,
    /// Digest of the pairs that it took; earlier versions did not keep it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pairs: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Its name, and that of its file.
    pub name: String,
    /// How pairs were chosen.
    pub design: Design,
    /// Seed of the choice.
    pub seed: u64,
    /// The configuration whose pairs it was drawn from; of several, all with commas between.
    pub configuration: String,
    /// The configurations whose pairs together were drawn from.
    pub configurations: Vec<String>,
    /// The configurations that it serves, in the order of the study: no pair of theirs lies outside of what was drawn
    /// from, so that every one of them can be estimated. Those that were drawn from are among them.
    pub serves: Vec<String>,
    /// What the pairs are divided by.
    pub by: StratifyBy,
    /// The edges of its strata, where they were chosen.
    pub bounds: Vec<f64>,
    /// How the strata share the sample.
    pub allocation: Allocation,
    /// Pairs (or documents) asked for.
    pub size: u64,
    /// Pairs asked for that none of the configurations drawn from found.
    pub audit: u64,
    /// Pairs there were to choose from, without those that none of the configurations drawn from found.
    pub population: u64,
    /// The transfer whose pairs it was drawn from; such a sample serves that transfer and no configuration.
    pub transfer: Option<TransferFrame>,
    /// The strata, those of the audit last. Files of earlier versions name none: then there is one.
    pub strata: Vec<Stratum>,
    /// The pairs, in the order in which they are labelled.
    pub pairs: Vec<SampledPair>,
    /// What it was drawn from; earlier versions did not keep it.
    pub drawn_from: Option<DrawnFrom>,
    /// What became of it when the pairs changed and it was kept.
    pub kept: Option<KeptSample>,
    /// Whether its pairs came in two draws, so that those without a label differ from those with one: it was redrawn, or it
    /// was drawn with probabilities of their own and made longer.
    pub mixed: bool,
}

impl Default for Sample {
    fn default() -> Self {
        Self {
            name: String::new(),
            design: Design::Simple,
            seed: 1,
            configuration: String::new(),
            configurations: Vec::new(),
            serves: Vec::new(),
            by: StratifyBy::None,
            bounds: Vec::new(),
            allocation: Allocation::Proportional,
            size: 0,
            audit: 0,
            population: 0,
            transfer: None,
            strata: Vec::new(),
            pairs: Vec::new(),
            drawn_from: None,
            kept: None,
            mixed: false,
        }
    }
}

/// Configurations that a description names one by one.
const NAMED: usize = 6;

impl Sample {
    /// The same sample under a name, of the pairs of some configurations. Unless it says otherwise it serves those.
    pub fn named(mut self, name: &str, configurations: &[String]) -> Self {
        (self.name, self.configuration) = (name.to_owned(), configurations.join(","));
        self.configurations = configurations.to_vec();
        if self.serves.is_empty() && self.transfer.is_none() && !self.is_of_a_pack() {
            self.serves.clone_from(&self.configurations);
        }
        self
    }

    /// Whether its pairs came in a pack: they stand for nothing here, and it serves no configuration.
    pub fn is_of_a_pack(&self) -> bool {
        self.design == Design::Pack
    }

    /// How it was drawn, in words: `100 pairs of simhash-3+5, by jaccard, equal, seed 7`.
    pub fn described(&self) -> String {
        let unit = match self.design {
            Design::Documents => "documents, one pair of each,",
            Design::Query | Design::Walk => "pages, one pair of each,",
            _ if self.pairs.len() as u64 - self.audited() == 1 => "pair",
            _ => "pairs",
        };
        let by = match (&self.design, self.by) {
            (Design::Query, _) => "by random searches".to_owned(),
            (Design::Walk, _) => "by a walk along links".to_owned(),
            (Design::Importance, _) => "by importance".to_owned(),
            (Design::Uncertain, _) => "by how unsure a model is".to_owned(),
            (Design::Imported, _) => return self.imported_in_words(),
            (Design::Pack, _) => {
                let pairs = self.pairs.len() as u64;
                return format!("{} {} of a pack", count(pairs), if pairs == 1 { "pair" } else { "pairs" });
            }
            (_, StratifyBy::None) => "simple random".to_owned(),
            (_, by) => format!("by {}, {}", by.name(), self.allocation.name()),
        };
        let audit =
            if self.audit == 0 { String::new() } else { format!(" and {} that none of these found", self.audit) };
        let drawn = self.pairs.len() as u64 - self.audited();
        let of = match &self.transfer {
            Some(TransferFrame { policy, accept, .. }) => {
                format!("that a transfer takes (policy {policy}, accepted {accept}) from {}", self.drawn_from_whom())
            }
            None => format!("of {}", self.drawn_from_whom()),
        };
        let kept = self.kept.as_ref().map_or(String::new(), |kept| format!("; {}", kept.sentence(self.population)));
        format!("{drawn} {unit} {of}{audit}, {by}, seed {}{kept}", self.seed)
    }

    /// The configurations drawn from: by name, or how many where there are more than a reader wants to see.
    fn drawn_from_whom(&self) -> String {
        match self.configurations.len() {
            n if n > NAMED => format!("{n} configurations"),
            _ => self.configurations.join(", "),
        }
    }

    /// How many pairs it stands for, or of one of its strata, as tables show it: an estimate says so.
    pub fn population_in_words(&self, population: u64) -> String {
        format!("{}{}", if self.populations_are_estimates() { "about " } else { "" }, count(population))
    }

    /// Whether the numbers of pairs that it stands for are estimates: it was kept when the pairs changed.
    pub fn populations_are_estimates(&self) -> bool {
        self.kept.as_ref().is_some_and(KeptSample::is_estimate)
    }

    /// Whether it stands for old pairs alone: it was kept when the pairs changed, and some are new.
    pub fn of_old_pairs(&self) -> bool {
        self.kept.as_ref().is_some_and(KeptSample::misses_some)
    }

    fn imported_in_words(&self) -> String {
        let strata = match self.strata.len() {
            1 => "1 stratum".to_owned(),
            n => format!("{n} strata"),
        };
        let of = self.drawn_from_whom();
        let pairs = |n: u64| format!("{} {}", count(n), if n == 1 { "pair" } else { "pairs" });
        let (drawn, all) = (pairs(self.pairs.len() as u64), pairs(self.population));
        format!("{drawn} of {of}, drawn elsewhere from {all} in {strata}")
    }

    /// Pairs in it that none of the configurations drawn from found.
    pub fn audited(&self) -> u64 {
        self.strata.iter().filter(|stratum| !self.drew_from(stratum)).map(|stratum| stratum.drawn).sum()
    }

    /// Whether the pairs of a stratum are of the configurations drawn from. Others are of the audit.
    pub fn drew_from(&self, stratum: &Stratum) -> bool {
        stratum.is_drawn_from(|c| self.serves.get(c).is_some_and(|name| self.configurations.contains(name)))
    }

    /// Whether those of its pairs that are still found go on standing for something when the pairs have changed.
    pub fn can_be_kept(&self) -> bool {
        matches!(self.design, Design::Simple | Design::Stratified) && self.audit == 0
    }

    /// Whether it was drawn from pairs of its study. Otherwise its file said what it stands for, and no more pairs can be drawn.
    pub fn drawn_here(&self) -> bool {
        !matches!(self.design, Design::Imported | Design::Pack)
    }

    /// Whether it is `shorter` with more pairs behind: then labels of the one count for the other.
    pub fn extends(&self, shorter: &Self) -> bool {
        let pair = |pair: &SampledPair| (pair.source.clone(), pair.target.clone());
        self.name == shorter.name
            && self.design == shorter.design
            && !self.design.of_pages()
            && self.seed == shorter.seed
            && self.configuration == shorter.configuration
            && (self.by, self.allocation) == (shorter.by, shorter.allocation)
            && self.bounds == shorter.bounds
            && self.population == shorter.population
            && self.transfer == shorter.transfer
            && self.kept == shorter.kept
            && self.same_pairs(shorter)
            && self.pairs.len() >= shorter.pairs.len()
            && self.pairs.iter().zip(&shorter.pairs).all(|(a, b)| pair(a) == pair(b))
    }

    /// The strata of the configurations drawn from: all but those of the audit.
    pub fn pool(&self) -> impl Iterator<Item = &Stratum> {
        self.strata.iter().filter(|stratum| self.drew_from(stratum))
    }

    /// Whether the strata have the sizes that the allocation gives; extending single strata changes that.
    pub fn follows_allocation(&self) -> bool {
        let strata: Vec<&Stratum> = self.pool().collect();
        let sizes: Vec<(&str, u64)> = strata.iter().map(|s| (s.name.as_str(), s.population)).collect();
        let drawn: Vec<u64> = strata.iter().map(|stratum| stratum.drawn).collect();
        allocate(&sizes, self.size, self.allocation, self.seed) == drawn
    }

    /// Whether both were drawn from the same pairs, as far as both tell.
    fn same_pairs(&self, other: &Self) -> bool {
        let digests = self.drawn_from.as_ref().zip(other.drawn_from.as_ref());
        let pairs = |of: &DrawnFrom| {
            of.pairs_of(&self.configurations).into_iter().map(|d| d.map(str::to_owned)).collect::<Vec<_>>()
        };
        digests.is_none_or(|(one, other)| pairs(one) == pairs(other))
    }
}
