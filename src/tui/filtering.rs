//! What a list that can be filtered says about itself, and the filters that a person used.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::data::StudyData;
use dejaview_study::{Filter, List, StudyNames};

/// Earlier filters that are remembered.
const REMEMBERED: usize = 100;
/// The file of saved filters, in the folder where the explorer keeps what it knows of a person.
const FILE: &str = "filters.toml";

/// The rows of a list, to be counted by a worker while a filter is typed.
pub trait FilteredRows: fmt::Debug + Send + Sync {
    /// How many rows pass, and how many there are; none when it was stopped.
    fn count(&self, filter: &Filter, stop: &(dyn Fn() -> bool + Sync)) -> Option<Result<[u64; 2], String>>;
}

/// A list that can be filtered, as it is now.
#[derive(Debug, Clone)]
pub struct Filtering {
    /// The filter that holds.
    pub text: String,
    /// What may be named in it.
    pub names: StudyNames,
    pub rows: Arc<dyn FilteredRows>,
}

/// What filters on a list of a study can name.
pub fn study_names(data: &StudyData, list: List, chosen: Option<usize>) -> StudyNames {
    let judgments = data.judgments.as_ref();
    let topic = |topic: &str| {
        let text = data.topic(topic).map(|topic| topic.query.clone()).unwrap_or_default();
        (topic.to_owned(), text)
    };
    let mut topics: Vec<(String, String)> = judgments
        .map(|judgments| judgments.topics().iter().map(|one| topic(&one.number)).collect())
        .unwrap_or_default();
    topics.dedup();
    StudyNames {
        list,
        configurations: data.table.configurations().to_vec(),
        chosen,
        segments: data.table.segments().into_iter().map(str::to_owned).collect(),
        tracks: judgments.map(|judgments| judgments.tracks().to_vec()).unwrap_or_default(),
        topics,
        grades: judgments.map(|judgments| judgments.grades().to_vec()).unwrap_or_default(),
    }
}

/// Filters that were used and those that have a name, and how many rows pass the ones that are being typed.
#[derive(Debug, Clone, Default)]
pub struct FilterMemory {
    /// The latest last.
    earlier: Vec<String>,
    saved: BTreeMap<String, String>,
    /// By expression. They hold while one line is typed.
    counts: HashMap<String, Result<[u64; 2], String>>,
    /// Where saved filters are kept; nowhere when there is no such folder.
    file: Option<PathBuf>,
}

impl FilterMemory {
    /// With the filters that were saved in a folder. A file that cannot be read is as good as none.
    pub fn read(folder: &Path) -> Self {
        let file = folder.join(FILE);
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let saved = toml::from_str(&text).unwrap_or_default();
        Self { saved, file: Some(file), ..Self::default() }
    }

    /// The text of the file of saved filters, and where it belongs.
    pub fn to_be_kept(&self) -> Option<(PathBuf, String)> {
        Some((self.file.clone()?, toml::to_string(&self.saved).ok()?))
    }

    pub fn earlier(&self) -> &[String] {
        &self.earlier
    }

    /// Remembers a filter that was applied, as the latest.
    pub fn remember(&mut self, filter: &str) {
        let filter = filter.trim();
        self.earlier.retain(|earlier| earlier != filter);
        if !filter.is_empty() {
            self.earlier.push(filter.to_owned());
        }
        if self.earlier.len() > REMEMBERED {
            self.earlier.remove(0);
        }
    }

    /// Saved filters with their names, by name.
    pub fn saved(&self) -> impl Iterator<Item = (&str, &str)> {
        self.saved.iter().map(|(name, filter)| (name.as_str(), filter.as_str()))
    }

    pub fn named(&self, name: &str) -> Option<&str> {
        self.saved.get(name).map(String::as_str)
    }

    pub fn save(&mut self, name: &str, filter: &str) {
        self.saved.insert(name.to_owned(), filter.to_owned());
    }

    /// Forgets a saved filter; false when there is none of this name.
    pub fn drop_saved(&mut self, name: &str) -> bool {
        self.saved.remove(name).is_some()
    }

    /// A line begins to be typed: what was counted before may have changed.
    pub fn forget_counts(&mut self) {
        self.counts.clear();
    }

    pub fn counted(&self, expression: &str) -> Option<&Result<[u64; 2], String>> {
        self.counts.get(expression.trim())
    }

    pub fn count_is(&mut self, expression: &str, count: Result<[u64; 2], String>) {
        self.counts.insert(expression.trim().to_owned(), count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_filters_come_back_and_earlier_ones_are_there_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut memory = FilterMemory::read(folder.path());
        assert_eq!(memory.saved().count(), 0);
        memory.save("near misses", "jaccard>0.9 & \"a b\"");
        memory.save("x", "top");
        assert!(memory.drop_saved("x") && !memory.drop_saved("x"));
        let (path, text) = memory.to_be_kept().unwrap();
        std::fs::write(&path, text).unwrap();
        let again = FilterMemory::read(folder.path());
        assert_eq!(again.saved().collect::<Vec<_>>(), [("near misses", "jaccard>0.9 & \"a b\"")]);
        std::fs::write(&path, "not [ toml").unwrap();
        assert_eq!(FilterMemory::read(folder.path()).saved().count(), 0);
        for filter in ["a", "b", " a ", ""] {
            memory.remember(filter);
        }
        assert_eq!(memory.earlier(), ["b", "a"]);
    }
}
