//! Finished parts of long work, so that what was stopped goes on where it was.
//!
//! A part is JSON in `.dejaview/parts/`, with a digest of what it rests on: the study file, all files that it names (their
//! names, sizes and dates), what runs have finished, and the program. A part whose digest differs is made again.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::recipe::files::{judgment_files, matches, topic_files};
use crate::run::manifest::FileFacts;
use crate::run::workspace::{Workspace, read_json, write_json};
use crate::{Snapshot, StudyError};
use dejaview_base::{hash, own_folder};
use dejaview_corpus::{AcceptedStatus, Input};

/// Where parts are kept, and what they must rest on to be used.
#[derive(Debug)]
pub struct KeptParts<'a> {
    workspace: &'a Workspace,
    digest: String,
}

/// A part on disk.
#[derive(Serialize, Deserialize)]
struct Part {
    digest: String,
    value: Value,
}

impl<'a> KeptParts<'a> {
    /// Parts of some work on a study; `work` names it and its options.
    pub fn new(study: &'a Snapshot, work: &str) -> Result<Self, StudyError> {
        let digest = hash::digest(rests_on(study, work)?.as_bytes());
        Ok(Self { workspace: study.workspace(), digest })
    }

    /// A part that was finished before and rests on the same; none otherwise.
    pub fn read(&self, name: &str) -> Option<Value> {
        let part: Part = read_json(&self.workspace.part(name))?;
        (part.digest == self.digest).then_some(part.value)
    }

    /// Keeps a finished part.
    pub fn write(&self, name: &str, value: &Value) -> Result<(), StudyError> {
        let path = self.workspace.part(name);
        let failed = |why| StudyError::File { doing: "making the folder of", path: path.clone(), why };
        if let Some(folder) = path.parent() {
            own_folder::make(folder).map_err(failed)?;
        }
        write_json(&path, &Part { digest: self.digest.clone(), value: value.clone() })
    }
}

/// Everything that a part may rest on, in words.
fn rests_on(study: &Snapshot, work: &str) -> Result<String, StudyError> {
    let (session, recipe, folder) = (study.session(), study.recipe(), study.folder());
    let corpora = session.corpora()?;
    let mut inputs: Vec<Input> = corpora.source.iter().cloned().chain(corpora.targets()).collect();
    let lists = recipe.source.urls.iter().chain(recipe.targets.iter().flat_map(|target| &target.urls));
    let mut others = topic_files(folder, recipe)?;
    others.extend(judgment_files(folder, recipe)?.into_iter().map(|file| file.path));
    for pattern in lists {
        others.extend(matches(folder, pattern)?);
    }
    inputs.extend(others.into_iter().map(|path| Input {
        name: path.display().to_string(),
        size: std::fs::metadata(&path).map_or(0, |about| about.len()),
        path,
        format: None,
        status: AcceptedStatus::All,
    }));
    let toml = std::fs::read_to_string(folder.join("study.toml")).unwrap_or_default();
    let mut words = vec![program(), work.to_owned(), toml];
    let facts = inputs.iter().map(|input| FileFacts::new(input, 0));
    words.extend(facts.filter_map(|facts| serde_json::to_string(&facts).ok()));
    for (name, facts) in study.finished_segments()? {
        words.push(format!("{name} {}", serde_json::to_string(facts).unwrap_or_default()));
    }
    Ok(words.join("\n"))
}

/// Which program this is: its version, and the size and date of its file, which differ from build to build.
fn program() -> String {
    let about = std::env::current_exe().and_then(std::fs::metadata);
    let file = about.map(|about| (about.len(), about.modified().ok()));
    format!("{} {file:?}", env!("CARGO_PKG_VERSION"))
}
