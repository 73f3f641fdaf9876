//! What the palette finds: commands, and places of the study.

use super::widgets::fuzzy::{FuzzyMatch, fuzzy_match};
use dejaview_base::ignoring_case;

/// Choices that are remembered.
const REMEMBERED: usize = 30;

/// The kind of a choice that is a document.
pub const DOCUMENT: &str = "document";

/// What a choice leads to. It never labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// A line as it is typed.
    Command(String),
    /// Judgments that pass a filter.
    Judgments(String),
    /// Pairs that pass a filter.
    Pairs(String),
    /// Pairs of a source document.
    PairsOfDocument(String),
    /// Pairs of a configuration, by its number.
    PairsOfConfiguration(usize),
    /// Documents whose text has these words.
    Search(String),
}

/// Something that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// In one word.
    pub kind: &'static str,
    pub text: String,
    /// What explains it.
    pub detail: String,
    /// The key that leads there as well.
    pub key: String,
    pub goal: Goal,
}

/// A choice that matches what was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    pub choice: Choice,
    /// Bytes of its text where matched letters begin.
    pub letters: Vec<usize>,
}

/// What was chosen before, and the documents that were found for what is being typed.
#[derive(Debug, Clone, Default)]
pub struct FinderMemory {
    /// The latest last.
    recent: Vec<Choice>,
    documents: Vec<Choice>,
}

impl FinderMemory {
    pub fn remember(&mut self, choice: Choice) {
        self.recent.retain(|recent| recent.goal != choice.goal);
        self.recent.push(choice);
        if self.recent.len() > REMEMBERED {
            self.recent.remove(0);
        }
    }

    /// The latest first.
    pub fn recent(&self) -> impl Iterator<Item = &Choice> {
        self.recent.iter().rev()
    }

    pub fn documents_found(&mut self, documents: Vec<Choice>) {
        self.documents = documents;
    }

    /// The documents that were found for this line. Those of an earlier line still show until newer ones are there, as far
    /// as they match.
    pub fn documents(&self) -> &[Choice] {
        &self.documents
    }
}

/// Those that match, the best first: those with the typed words in them, documents last since there are so many; then
/// `between`, then those that only have the letters. Of equal ones the shorter comes first, then the one given first.
pub fn matching(choices: impl Iterator<Item = Choice>, between: Vec<Choice>, typed: &str) -> Vec<Match> {
    let words: Vec<String> = typed.split_whitespace().map(str::to_lowercase).collect();
    let mut found: Vec<(bool, FuzzyMatch, Choice)> = choices
        .filter_map(|choice| {
            let shown = format!("{} {}", choice.text, choice.detail);
            let has_words = words.iter().all(|word| ignoring_case::contains(&shown, word));
            match fuzzy_match(&choice.text, typed) {
                Some(found) => Some((has_words, found, choice)),
                // A word of a URL counts, stray letters of it do not.
                None if has_words => Some((true, FuzzyMatch { score: 0, letters: Vec::new() }, choice)),
                None => None,
            }
        })
        .collect();
    let is_document = |choice: &Choice| choice.kind == DOCUMENT;
    found.sort_by_key(|(has_words, found, choice)| {
        (!has_words, is_document(choice), -found.score, choice.text.chars().count())
    });
    let with_words = found.iter().take_while(|(has_words, ..)| *has_words).count();
    let mut matches: Vec<Match> =
        found.into_iter().map(|(_, found, choice)| Match { letters: found.letters, choice }).collect();
    let between = between.into_iter().map(|choice| Match { choice, letters: Vec::new() });
    matches.splice(with_words..with_words, between);
    matches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(text: &str) -> Choice {
        let goal = Goal::Command(text.to_owned());
        Choice { kind: "command", text: text.to_owned(), detail: String::new(), key: String::new(), goal }
    }

    #[test]
    fn words_come_before_stray_letters() {
        let all = ["label next sample", "1 lighthouse fresnel lens", "lens", "pairs"].map(choice);
        let found = matching(all.into_iter(), vec![choice("search")], "lens");
        let texts: Vec<&str> = found.iter().map(|found| found.choice.text.as_str()).collect();
        assert_eq!(texts, ["lens", "1 lighthouse fresnel lens", "search", "label next sample"]);
        assert_eq!(found[1].letters, [21, 22, 23, 24]);
    }

    #[test]
    fn what_was_chosen_again_is_the_latest() {
        let mut memory = FinderMemory::default();
        for text in ["a", "b", "a"] {
            memory.remember(choice(text));
        }
        assert_eq!(memory.recent().map(|choice| choice.text.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    }
}
