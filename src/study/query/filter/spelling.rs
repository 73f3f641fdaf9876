//! How the program itself writes filters, so that they are read as they are meant whatever the configurations of a study
//! are called.

use super::term::{NUMBERS, Text};

/// What stands before the name of a configuration.
pub(super) const BY: &str = "by:";
/// What stands before a word of filters that a configuration has for its name.
pub(super) const OF_PAIR: &str = "pair:";

pub(super) const TOP: &str = "top";
/// What `top` was called once. Filters of that time are read, unless a configuration has the name.
pub(super) const TOP_ONCE: &str = "best";
pub(super) const CANDIDATES: &str = "candidates";
pub(super) const LABEL: &str = "label";
pub(super) const SAME_URL: &str = "same-url";

/// The words of filters.
fn words() -> impl Iterator<Item = &'static str> {
    let of_pairs = NUMBERS.iter().map(|(name, _)| *name).chain(Text::ALL.iter().map(|(name, _)| *name));
    [TOP, CANDIDATES, LABEL, SAME_URL].into_iter().chain(of_pairs)
}

/// Writes the terms of filters for a study with these configurations.
#[derive(Debug, Clone, Copy)]
pub struct Spelling<'a> {
    configurations: &'a [String],
}

impl<'a> Spelling<'a> {
    pub fn of(configurations: &'a [String]) -> Self {
        Self { configurations }
    }

    /// Holds for pairs that a configuration found. A comparison may follow it: that of its distance.
    pub fn found_by(self, configuration: &str) -> String {
        format!("{BY}{configuration}")
    }

    /// Holds for the pair of each source with the highest Jaccard of those that a configuration found.
    pub fn top(self, configuration: &str) -> String {
        format!("{}({configuration})", self.word(TOP))
    }

    /// The number of pairs of a pair's source that a configuration found; a comparison must follow.
    pub fn candidates(self, configuration: &str) -> String {
        format!("{}({configuration})", self.word(CANDIDATES))
    }

    /// A number of a pair, as `jaccard`, or `label`; a comparison must follow a number.
    pub fn word(self, word: &str) -> String {
        debug_assert!(words().any(|known| known == word), "{word} is no word of filters");
        let taken = self.configurations.iter().any(|name| name.to_lowercase() == word);
        if taken { format!("{OF_PAIR}{word}") } else { word.to_owned() }
    }

    /// Configurations that are called like a word of filters, which means the configuration for that reason, each with how to
    /// write the word.
    pub fn taken(self) -> Vec<(&'a str, String)> {
        let word = |name: &&'a String| words().find(|word| *word == name.to_lowercase());
        let taken = self.configurations.iter().filter_map(|name| Some((name.as_str(), word(&name)?)));
        taken.map(|(name, word)| (name, format!("{OF_PAIR}{word}"))).collect()
    }

    /// Holds where a text, as `segment` or `source`, is exactly this.
    pub fn exactly(self, field: &str, value: &str) -> String {
        let sign = if value.chars().any(char::is_alphabetic) { "==" } else { "=" };
        let plain = !value.is_empty() && !value.contains(|c: char| c.is_whitespace() || "&|()=\"".contains(c));
        let value = if plain { value.to_owned() } else { format!("\"{}\"", value.replace('"', "\"\"")) };
        format!("{}{sign}{value}", self.word(field))
    }
}
