//! What the words of a filter may mean: it depends on the list that is filtered and on the study's configurations.

/// A list that can be filtered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    Pairs,
    Judgments,
}

impl List {
    /// One row of it, and several.
    pub fn rows(self) -> [&'static str; 2] {
        match self {
            Self::Pairs => ["pair", "pairs"],
            Self::Judgments => ["judgment", "judgments"],
        }
    }
}

/// What the words of a filter may mean.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    pub list: List,
    pub configurations: &'a [String],
    /// The configuration whose distance `distance` is.
    pub chosen: Option<usize>,
}

impl<'a> Names<'a> {
    /// Of the list of pairs. The only configuration of a study is always chosen.
    pub fn of_pairs(configurations: &'a [String]) -> Self {
        Self { list: List::Pairs, configurations, chosen: (configurations.len() == 1).then_some(0) }
    }

    pub fn of_judgments(configurations: &'a [String]) -> Self {
        Self { list: List::Judgments, configurations, chosen: None }
    }

    #[must_use]
    pub fn choosing(self, configuration: Option<usize>) -> Self {
        Self { chosen: configuration.or(self.chosen), ..self }
    }

    /// The configuration of this name; in another case only where one alone can be meant.
    pub(super) fn configuration(&self, word: &str) -> Option<usize> {
        let exactly = self.configurations.iter().position(|name| name == word);
        let mut nearly =
            (0..self.configurations.len()).filter(|&c| self.configurations[c].to_lowercase() == word.to_lowercase());
        exactly.or_else(|| nearly.next().filter(|_| nearly.next().is_none()))
    }
}
