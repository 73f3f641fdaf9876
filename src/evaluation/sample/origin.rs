//! What a sample was drawn from, as its first line keeps it; and what was left of that when the pairs changed and the sample
//! was kept all the same.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use dejaview_base::numbers::{count, percent};

/// A configuration at the time a sample was drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigurationAtDraw {
    pub name: String,
    pub method: String,
    /// Its parameters as text, every default among them, in the order of the method.
    pub parameters: Map<String, Value>,
}

/// The pairs of a configuration at the time a sample was drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairsAtDraw {
    #[serde(flatten)]
    pub configuration: ConfigurationAtDraw,
    /// Digest of the checksums of their files. As long as it is the same, no pair has to be read.
    pub files: String,
    /// Digest of the pairs.
    pub pairs: String,
}

/// What a sample was drawn from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawnFrom {
    /// Version of the program that drew it.
    pub version: String,
    /// What of a page was its text.
    pub content: String,
    /// n of the headline Jaccard.
    pub jaccard: usize,
    /// The configurations that the sample serves, those that were drawn from among them.
    pub configurations: Vec<PairsAtDraw>,
}

impl DrawnFrom {
    /// Digests of the pairs of some configurations.
    pub fn pairs_of(&self, names: &[String]) -> Vec<Option<&str>> {
        let of = |name: &String| self.configurations.iter().find(|then| then.configuration.name == *name);
        names.iter().map(|name| of(name).map(|then| then.pairs.as_str())).collect()
    }
}

/// A sample that was kept when the pairs changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptSample {
    /// Its pairs that no configuration of the sample finds any more: source and target. They are no longer in it.
    pub left: Vec<[String; 2]>,
    /// Pairs of now that would have been drawn, had they been there.
    pub new: u64,
    /// Those, and the pairs of the sample that are still there: of so many it is known whether they are new.
    pub known: u64,
    /// Pairs there are now beyond those there were: so many at least are new, whatever the order of the draw tells.
    #[serde(default)]
    pub more: u64,
    /// Pairs that it was drawn from at first; files of earlier versions do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn_of: Option<u64>,
    /// Whether it is an estimate how many of these are still found: the pairs that were not drawn are not known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub about: bool,
}

impl KeptSample {
    /// Whether there are new pairs that the sample does not stand for.
    pub fn misses_some(&self) -> bool {
        self.new > 0 || self.more > 0
    }

    /// Whether the number of pairs that it stands for is an estimate. Files of earlier versions have estimates wherever some
    /// pairs are new.
    pub fn is_estimate(&self) -> bool {
        self.about || self.drawn_of.is_none() && self.misses_some()
    }

    /// What the sample stands for now, in words: so many pairs.
    pub fn sentence(&self, population: u64) -> String {
        let left = match self.left.len() {
            0 => "all of its pairs are still found".to_owned(),
            1 => "1 of its pairs is no longer found and left out".to_owned(),
            n => format!("{n} of its pairs are no longer found and left out"),
        };
        let share = match self.new {
            0 if self.more > 0 => format!("there are {} more than there were", self.more),
            0 => format!("none of the {} pairs that would show it is new", self.known),
            new => format!("about {} of the pairs now are new", percent(new as f64 / self.known as f64, 0)),
        };
        let about = if self.is_estimate() { "about " } else { "" };
        format!(
            "kept when the pairs changed: {left}; it stands for the {about}{} pairs there were that are still found, not for \
             new ones ({share})",
            count(population)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_kept_sample_stands_for() {
        let none = KeptSample { known: 40, drawn_of: Some(400), ..KeptSample::default() };
        let said = none.sentence(400);
        assert!(said.contains("none of the 40 pairs that would show it is new"), "{said}");
        assert!(said.contains("it stands for the 400 pairs"), "{said}");
        let left = vec![["a".to_owned(), "b".to_owned()]];
        let some = KeptSample { left, new: 10, about: true, ..none };
        let said = some.sentence(1_200);
        assert!(said.contains("1 of its pairs is no longer found"), "{said}");
        assert!(said.contains("about 25 % of the pairs now are new"), "{said}");
        assert!(said.contains("it stands for the about 1,200 pairs"), "{said}");
        let of_before = KeptSample { drawn_of: None, about: false, ..some };
        assert!(of_before.is_estimate());
    }
}
