//! What a worker found in one file of the target, in a folder of its own.
//!
//! The folder is written under another name and renamed, so that one of this name is always whole. Two workers that search
//! the same file, one of them started anew or on speculation, leave it once: the second finds the folder there.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use crate::StudyError;
use crate::run::ids::ids_from_bytes;
use crate::run::keeping::KeptRecord;
use crate::run::skips::SkippedFacts;
use crate::run::stage::KitStage;
use crate::run::workspace::{read_stored, write_json};
use dejaview_base::{hash, system};
use dejaview_corpus::{Input, SkipReason};
use dejaview_index::TextsFile;
use dejaview_matching::fitting::Collection;
use dejaview_matching::pass::Found;
use dejaview_matching::source::{GatheredSource, Source};

/// The folder in which workers leave what they find.
#[derive(Debug, Clone)]
pub(crate) struct Parts {
    folder: PathBuf,
    stage: KitStage,
}

/// What is noted about a part.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PartFacts {
    /// What it rests on, as the kit says.
    pub(crate) rests_on: String,
    pub(crate) segment: String,
    pub(crate) file: String,
    /// Of the file, in bytes.
    pub(crate) size: u64,
    pub(crate) documents: u64,
    pub(crate) skipped: SkippedFacts,
    /// Documents whose texts are kept.
    pub(crate) kept: Vec<KeptRecord>,
}

impl PartFacts {
    /// Whether workers did not survive the file.
    pub(crate) fn is_given_up(&self) -> bool {
        self.skipped.counts().contains_key(SkipReason::GivenUp.as_str())
    }
}

/// A part on disk.
#[derive(Debug)]
pub(crate) struct Part {
    folder: PathBuf,
    pub(crate) facts: PartFacts,
}

impl Parts {
    /// What workers of a stage leave in a folder; those of another may leave theirs beside it.
    pub(crate) fn new(folder: PathBuf, stage: KitStage) -> Self {
        Self { folder, stage }
    }

    pub(crate) const fn stage(&self) -> KitStage {
        self.stage
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the part of a file is.
    fn path(&self, segment: &str, input: &Input) -> PathBuf {
        let name = hash::digest(format!("{segment}\t{}", input.name).as_bytes());
        match self.stage {
            KitStage::Search => self.folder.join(name),
            stage => self.folder.join(format!("{stage}-{name}")),
        }
    }

    /// The part of a file; none when there is none that rests on this and is of a file of this size.
    pub(crate) fn open(&self, segment: &str, input: &Input, rests_on: &str) -> Result<Option<Part>, StudyError> {
        let folder = self.path(segment, input);
        let facts: Option<PartFacts> = read_stored(&facts_path(&folder))?;
        let is_right = |facts: &PartFacts| {
            (&*facts.rests_on, &*facts.segment, &facts.file, facts.size) == (rests_on, segment, &input.name, input.size)
        };
        Ok(facts.filter(is_right).map(|facts| Part { folder, facts }))
    }

    /// The part of a file that a job has just made.
    pub(crate) fn open_made(&self, segment: &str, input: &Input, rests_on: &str) -> Result<Part, StudyError> {
        let lost = || StudyError::DamagedPart { path: facts_path(&self.path(segment, input)) };
        self.open(segment, input, rests_on)?.ok_or_else(lost)
    }

    /// Whether there is a part of a file by its name, given the names that [`Parts::names`] returned.
    pub(crate) fn is_named(&self, names: &HashSet<OsString>, segment: &str, input: &Input) -> bool {
        self.path(segment, input).file_name().is_some_and(|name| names.contains(name))
    }

    /// Where the rows of sketches of a file are, once it has its part.
    pub(crate) fn rows(&self, segment: &str, input: &Input) -> PathBuf {
        rows_path(&self.path(segment, input))
    }

    /// The names of all parts that are there: one look, however many they are.
    pub(crate) fn names(&self) -> HashSet<OsString> {
        fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|entry| entry.file_name()).collect()
    }

    /// Removes the part of a file.
    pub(crate) fn remove(&self, segment: &str, input: &Input) -> Result<(), StudyError> {
        let folder = self.path(segment, input);
        match fs::remove_dir_all(&folder) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => Err(failed("removing", &folder, why)),
            _ => Ok(()),
        }
    }

    /// Begins the part of a file, in a folder that nobody else writes to.
    pub(crate) fn begin(&self, segment: &str, input: &Input) -> Result<PartDraft, StudyError> {
        static DRAFTS: AtomicU64 = AtomicU64::new(0);
        let place = self.path(segment, input);
        // Two machines may have processes of one number.
        let host = dejaview_base::system::host_name().unwrap_or_default();
        let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
        let folder =
            place.with_extension(format!("{}-{}-{number}.part", hash::digest(host.as_bytes()), std::process::id()));
        fs::create_dir_all(&folder).map_err(|why| failed("making the folder", &folder, why))?;
        Ok(PartDraft { folder, place })
    }
}

impl Part {
    fn bytes(&self) -> Result<Vec<u8>, StudyError> {
        let path = found_path(&self.folder);
        system::read_file(&path).map_err(|why| match why.kind() {
            io::ErrorKind::NotFound => self.damaged(),
            _ => failed("reading", &path, why),
        })
    }

    fn damaged(&self) -> StudyError {
        StudyError::DamagedPart { path: found_path(&self.folder) }
    }

    /// What was found in the file.
    pub(crate) fn found(&self, source: &Source, configurations: usize) -> Result<Found, StudyError> {
        Found::from_bytes(&self.bytes()?, source, configurations).ok_or_else(|| self.damaged())
    }

    /// Adds what was counted in the file.
    pub(crate) fn add_counts(&self, collection: &mut Collection) -> Result<(), StudyError> {
        collection.add_bytes(&self.bytes()?).ok_or_else(|| self.damaged())
    }

    /// Adds the documents that were read, as those of the file of this number.
    pub(crate) fn add_documents(&self, file: usize, gathered: &mut GatheredSource) -> Result<(), StudyError> {
        gathered.add_file(file, &self.bytes()?).ok_or_else(|| self.damaged())
    }

    /// Hashes of the ids of the documents that were sketched.
    pub(crate) fn ids(&self) -> Result<Vec<u64>, StudyError> {
        ids_from_bytes(&self.bytes()?).ok_or_else(|| self.damaged())
    }

    /// The kept texts.
    pub(crate) fn texts(&self) -> Result<TextsFile, StudyError> {
        Ok(TextsFile::open(&self.folder, "")?)
    }

    /// The list of records that were not read.
    pub(crate) fn skipped(&self) -> PathBuf {
        skipped_path(&self.folder)
    }
}

/// A part that is being written.
#[derive(Debug)]
pub(crate) struct PartDraft {
    folder: PathBuf,
    place: PathBuf,
}

impl PartDraft {
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn found(&self) -> PathBuf {
        found_path(&self.folder)
    }

    pub(crate) fn skipped(&self) -> PathBuf {
        skipped_path(&self.folder)
    }

    pub(crate) fn rows(&self) -> PathBuf {
        rows_path(&self.folder)
    }

    /// Puts the part in its place, unless another worker was faster.
    pub(crate) fn commit(self, facts: &PartFacts) -> Result<(), StudyError> {
        write_json(&facts_path(&self.folder), facts)?;
        let renamed = match fs::rename(&self.folder, &self.place) {
            Err(why) if is_there(&why) => self.replace_other(facts),
            renamed => renamed,
        };
        renamed.map_err(|why| failed("putting a part in its place at", &self.place, why))
    }

    /// Removes a part that rests on something else, and leaves one that is the same.
    fn replace_other(&self, facts: &PartFacts) -> io::Result<()> {
        let other: Option<PartFacts> = read_stored(&facts_path(&self.place)).ok().flatten();
        if other.is_some_and(|other| (other.rests_on, other.size) == (facts.rests_on.clone(), facts.size)) {
            return Ok(());
        }
        fs::remove_dir_all(&self.place)?;
        fs::rename(&self.folder, &self.place)
    }
}

impl Drop for PartDraft {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn is_there(why: &io::Error) -> bool {
    matches!(why.kind(), io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists)
}

fn facts_path(folder: &Path) -> PathBuf {
    folder.join("facts.json")
}

fn found_path(folder: &Path) -> PathBuf {
    folder.join("found")
}

fn rows_path(folder: &Path) -> PathBuf {
    folder.join("rows.parquet")
}

fn skipped_path(folder: &Path) -> PathBuf {
    folder.join("skipped")
}

fn failed(doing: &'static str, path: &Path, why: io::Error) -> StudyError {
    StudyError::File { doing, path: path.to_owned(), why }
}
