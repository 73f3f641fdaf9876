//! A run of some documents of a study, in a folder of its own, to see what it takes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::StudyError;
use crate::recipe::{Pattern, Recipe, SourceRecipe, StatisticsFrom, TargetRecipe};
use crate::run::manifest::Summary;
use crate::run::runner::{RunOptions, run};
use crate::run::watch::Unwatched;
use crate::session::Session;
use dejaview_base::system::{peak_memory, processor_seconds};
use dejaview_index::Index;

/// Name of the only segment of a trial.
const TRIED: &str = "tried";

/// What a run of some documents took.
#[derive(Debug)]
pub(super) struct Trial {
    /// On both sides.
    pub(super) documents: u64,
    /// Documents whose texts went into the index.
    pub(super) kept: u64,
    pub(super) index_bytes: u64,
    pub(super) summary: Summary,
    /// Processor time, where the system tells.
    pub(super) processor: Option<f64>,
    /// The most memory that the process has held up to its end, without the documents of the trial, where the system tells.
    pub(super) peak: Option<u64>,
}

impl Trial {
    /// Runs these documents, given as lines of JSON, by the recipe of a study.
    pub(super) fn run(study: &Session, source: &str, target: &str, threads: usize) -> Result<Self, StudyError> {
        let folder = Folder::new()?;
        folder.write("source.jsonl", source)?;
        folder.write("target.jsonl", target)?;
        let session = Session::new(&folder.0, trial_recipe(study));
        let before = processor_seconds();
        let summary = run(&session, RunOptions { threads, fresh: false }, &Unwatched::default())?;
        Ok(Self {
            documents: summary.documents.source + summary.documents.target,
            kept: Index::open(&session.workspace().index(), &["", TRIED]).texts(),
            index_bytes: bytes_in(&session.workspace().index()),
            summary,
            processor: processor_seconds().zip(before).map(|(after, before)| after - before),
            // The documents of the trial are held beside it; a run reads its own from disk.
            peak: peak_memory().map(|peak| peak.saturating_sub((source.len() + target.len()) as u64)),
        })
    }

    /// Seconds of a stage, summed over threads.
    pub(super) fn stage(&self, name: &str) -> f64 {
        self.summary.timings.iter().filter(|timing| timing.stage == name).map(|timing| timing.seconds).sum()
    }
}

/// The recipe of a study, for the documents of a trial. Judgments chose them, and imported pairs are about others.
fn trial_recipe(study: &Session) -> Recipe {
    let mut recipe = Recipe::clone(study.recipe());
    let file = |name: &str| Pattern { glob: name.to_owned(), format: None, track: None, line: 0, key: String::new() };
    recipe.source = SourceRecipe { documents: vec![file("source.jsonl")], ..SourceRecipe::default() };
    let documents = vec![file("target.jsonl")];
    recipe.targets = vec![TargetRecipe { segment: Some(TRIED.to_owned()), documents, urls: Vec::new(), line: 0 }];
    recipe.configurations.retain(|configuration| configuration.pairs.is_none());
    if let StatisticsFrom::Path(pattern) = &mut recipe.statistics {
        pattern.glob = study.folder().join(&pattern.glob).to_string_lossy().into_owned();
    }
    recipe
}

/// Bytes of the files in a folder and below it.
fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|file| Some((file.path(), file.metadata().ok()?)));
    entries.map(|(path, entry)| if entry.is_dir() { bytes_in(&path) } else { entry.len() }).sum()
}

/// A temporary folder that is removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, StudyError> {
        let base = std::env::temp_dir();
        let free = |n: u32| base.join(format!("dejaview-tried-{}-{n}", std::process::id()));
        let mut n = 0;
        loop {
            let path = free(n);
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(why) if why.kind() == std::io::ErrorKind::AlreadyExists && n < 1000 => n += 1,
                Err(why) => return Err(StudyError::File { doing: "making", path, why }),
            }
        }
    }

    fn write(&self, name: &str, text: &str) -> Result<(), StudyError> {
        let path: &Path = &self.0.join(name);
        fs::write(path, text).map_err(|why| StudyError::File { doing: "writing", path: path.to_owned(), why })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
