//! The files that a study names by addresses, `hdfs://host/crawl/*.warc.gz` for one, as Spark has listed them.
//!
//! Only a run on Spark can list them. What it saw is kept, so that everybody else knows the files of the study, too.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Pattern, Recipe};
use crate::StudyError;
use dejaview_base::{own_folder, system};
use dejaview_corpus::Input;
use dejaview_corpus::addresses::is_address;

/// A file with an address.
#[derive(Debug, Deserialize)]
struct ListedFile {
    address: String,
    size: u64,
}

/// Where the list is.
pub(crate) fn list_path(folder: &Path) -> PathBuf {
    own_folder::of(folder).join("addresses.json")
}

/// The patterns of documents that are addresses.
pub(crate) fn address_patterns(recipe: &Recipe) -> Vec<&Pattern> {
    let targets = recipe.targets.iter().flat_map(|target| &target.documents);
    recipe.source.documents.iter().chain(targets).filter(|pattern| is_pattern(pattern)).collect()
}

/// Whether a pattern is an address.
pub(super) fn is_pattern(pattern: &Pattern) -> bool {
    is_address(Path::new(&pattern.glob))
}

/// The files of a pattern, as they were listed last.
pub(super) fn listed_inputs(folder: &Path, recipe: &Recipe, pattern: &Pattern) -> Result<Vec<Input>, StudyError> {
    let wrong = |problem: String| StudyError::Key {
        path: Recipe::file(folder),
        line: pattern.line,
        key: pattern.key.clone(),
        problem,
    };
    let list = system::read_file(&list_path(folder)).ok();
    let list: BTreeMap<String, Vec<ListedFile>> =
        list.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    let glob = &pattern.glob;
    let files = list.get(glob).ok_or_else(|| {
        wrong(format!("\"{glob}\" is an address, and only Spark can list it: `dejaview run STUDY --engine spark`"))
    })?;
    if files.is_empty() {
        return Err(wrong(format!("\"{glob}\" matches no file that Spark sees")));
    }
    let input = |file: &ListedFile| Input {
        path: PathBuf::from(&file.address),
        name: file.address.clone(),
        format: pattern.format,
        status: recipe.status,
        size: file.size,
    };
    Ok(files.iter().map(input).collect())
}
