//! What a sample was drawn from, and how: the words of its first line.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use dejaview_base::choice::{Choice, Choices};

/// How pairs were chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr)]
#[serde(from = "String", into = "String")]
#[strum(serialize_all = "kebab-case")]
pub enum Design {
    /// Simple random, without replacement: every set of `size` pairs is equally probable.
    Simple,
    /// Simple random without replacement within each stratum.
    Stratified,
    /// Documents of the source, simple random without replacement; of each document one of its pairs.
    Documents,
    /// Source documents by random searches, each as probable as its weight says; of each one of its pairs.
    Query,
    /// Source documents by a walk along links; of each one of its pairs.
    Walk,
    /// Pairs with unequal probabilities: those that are probably true come more often.
    Importance,
    /// Pairs with unequal probabilities: those that a model is least sure of come more often.
    Uncertain,
    /// Drawn elsewhere, within each stratum simple random: its file said how many pairs each stratum has.
    Imported,
    /// The pairs of a pack: how they were drawn is known where they were packed, and estimates are made there.
    Pack,
    /// A design of another version; its weights hold all the same.
    #[strum(default)]
    Other(String),
}

impl From<String> for Design {
    fn from(name: String) -> Self {
        name.as_str().into()
    }
}

impl From<Design> for String {
    fn from(design: Design) -> Self {
        design.name().to_owned()
    }
}

impl Design {
    pub fn name(&self) -> &str {
        match self {
            Self::Other(name) => name,
            known => known.into(),
        }
    }

    /// Whether pairs were drawn with probabilities of their own.
    pub fn weighted(&self) -> bool {
        matches!(self, Self::Importance | Self::Uncertain)
    }

    /// Whether pages were drawn without a list of them: weights are then relative, and another draw finds others.
    pub fn of_pages(&self) -> bool {
        matches!(self, Self::Query | Self::Walk)
    }
}

/// What the pairs are divided by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum StratifyBy {
    #[default]
    None,
    /// Headline Jaccard.
    Jaccard,
    /// How many of the configurations found the pair; with two or three, which.
    Agreement,
    /// Segment of the target.
    Segment,
    /// Whether both pages are of one host.
    Host,
    /// Whether both pages have one URL.
    Url,
    /// Words of the shorter by words of the longer.
    Length,
    /// The score that the file of an imported pair gives.
    Score,
}

impl Choice for StratifyBy {
    const CHOICES: Choices<Self> = &[
        (Self::Jaccard, "Headline Jaccard"),
        (Self::Agreement, "How many of the configurations found the pair; of two or three, which"),
        (Self::Segment, "Segment of the target"),
        (Self::Host, "Same host or not; looks up every document"),
        (Self::Url, "Same URL or not"),
        (Self::Length, "Length ratio"),
        (Self::Score, "The score that the file of imported pairs gives"),
        (Self::None, "Nothing: simple random"),
    ];
}

impl StratifyBy {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether strata are bands of a number, and so have edges that can be chosen.
    pub fn has_bounds(self) -> bool {
        matches!(self, Self::Jaccard | Self::Length | Self::Score)
    }

    /// The edges between its strata: those chosen, else the usual ones.
    pub fn edges(self, bounds: &[f64]) -> &[f64] {
        match self {
            _ if !bounds.is_empty() => bounds,
            Self::Length => &LENGTH_EDGES,
            _ => &JACCARD_EDGES,
        }
    }
}

/// How the pairs of a sample are shared out among the strata.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Allocation {
    /// By the number of their pairs, at least two to each.
    #[default]
    Proportional,
    /// The same number to each; the weights make up for it.
    Equal,
}

impl Allocation {
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A part of what was drawn from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stratum {
    pub name: String,
    /// Its pairs (of a sample of documents: its documents).
    pub population: u64,
    pub drawn: u64,
    /// Its pairs that each configuration found that the sample serves, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<u64>,
    /// Row i, column j < i: its pairs that configurations i and j both found. Files of earlier versions do not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<Vec<u64>>,
    /// Whether no configuration of the study found any of its pairs: it is there so that recall is not blind.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub audit: bool,
    /// Whether it is all that is left when every place has been searched where true pairs may be expected: so many pairs,
    /// and so few of them true, that labels alone cannot tell their number.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub far: bool,
}

impl Stratum {
    /// Whether its pairs are of the configurations drawn from, given by their numbers, so that more of them can be drawn.
    pub(crate) fn is_drawn_from(&self, configurations: impl Fn(usize) -> bool) -> bool {
        let mut drawn = self.found.iter().enumerate().filter(|(c, _)| configurations(*c));
        !self.audit && (self.found.is_empty() || drawn.any(|(_, pairs)| *pairs > 0))
    }
}

/// The edges between strata of a similarity, and the names of what lies between them.
pub const JACCARD_EDGES: [f64; 5] = [0.5, 0.7, 0.8, 0.9, 0.95];
/// The same for the length ratio.
pub const LENGTH_EDGES: [f64; 3] = [0.5, 0.8, 0.95];

/// The stratum of a value between edges: its place and name, `jaccard 0.7-0.8` for one.
pub fn band(what: &str, value: f64, edges: &[f64]) -> (u32, String) {
    let place = edges.partition_point(|edge| *edge <= value);
    let low = place.checked_sub(1).map_or(0.0, |below| edges[below]);
    let high = edges.get(place).copied().unwrap_or(1.0);
    (place as u32, format!("{what} {low}-{high}"))
}

/// The same for a score that an import gives, which may be any number, or none.
pub fn score_band(score: Option<f64>, edges: &[f64]) -> (u32, String) {
    let Some(score) = score else { return (edges.len() as u32 + 1, "no score".to_owned()) };
    let place = edges.partition_point(|edge| *edge <= score);
    let name = match (place.checked_sub(1).map(|below| edges[below]), edges.get(place)) {
        (Some(low), Some(high)) => format!("score {low}-{high}"),
        (Some(low), None) => format!("score {low} or more"),
        (None, Some(high)) => format!("score under {high}"),
        (None, None) => "score".to_owned(),
    };
    (place as u32, name)
}

/// The stratum of how many configurations found a pair: each number up to 3, then bands.
pub fn agreement_band(found: u32) -> (u32, String) {
    match found {
        0..=3 => (found, format!("found by {found}")),
        4..=6 => (4, "found by 4-6".to_owned()),
        7..=12 => (5, "found by 7-12".to_owned()),
        _ => (6, "found by 13 or more".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_a_stratum() {
        let name = |value| band("jaccard", value, &JACCARD_EDGES).1;
        assert_eq!([0.0, 0.4999].map(name), ["jaccard 0-0.5", "jaccard 0-0.5"]);
        assert_eq!([0.5, 0.9, 1.0].map(name), ["jaccard 0.5-0.7", "jaccard 0.9-0.95", "jaccard 0.95-1"]);
        assert_eq!([1, 3, 4, 7, 22].map(|n| agreement_band(n).0), [1, 3, 4, 5, 6]);
    }

    #[test]
    fn scores_may_be_any_number() {
        let name = |score| score_band(score, &[0.5, 12.0]).1;
        let names = [Some(-3.0), Some(0.5), Some(11.9), Some(12.0), Some(400.0), None].map(name);
        assert_eq!(
            names,
            ["score under 0.5", "score 0.5-12", "score 0.5-12", "score 12 or more", "score 12 or more", "no score"]
        );
        assert_eq!((StratifyBy::Length.edges(&[]), StratifyBy::Length.edges(&[0.3])), (&LENGTH_EDGES[..], &[0.3][..]));
    }

    #[test]
    fn designs_of_other_versions_stay() {
        for name in
            ["simple", "stratified", "documents", "query", "walk", "importance", "uncertain", "imported", "adaptive"]
        {
            assert_eq!(String::from(Design::from(name.to_owned())), name);
        }
        for by in StratifyBy::ALL {
            assert_eq!(serde_json::to_value(by).unwrap(), by.name());
        }
    }
}
