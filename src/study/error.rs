//! The errors of a study and of its runs.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use crate::label::changed::ChangedSample;
use dejaview_base::shell::{quoted, quoted_path};
use dejaview_corpus::CorpusError;
use dejaview_evaluation::EvaluationError;
use dejaview_index::IndexError;
use dejaview_labels::LabelsError;
use dejaview_matching::MatchingError;

/// Says what was being done, to what, why it failed, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The system starts no thread.
    #[error(
        "starting threads: {0}; end other programs, or let this user have more of them: `ulimit -u` says how many processes and \
         threads there may be"
    )]
    Threads(io::Error),
    /// There is nothing here at all.
    #[error("there is no folder {path} (`dejaview new {folder}` makes a study)", path = .path.display(), folder = quoted_path(.path))]
    NoFolder { path: PathBuf },
    /// There is no study here.
    #[error("{path} is no study: there is no study.toml in it (`dejaview new` writes one)")]
    NoStudy { path: PathBuf },
    /// `study.toml` is not TOML.
    #[error("{path}, line {line}: {message}")]
    Syntax {
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What the parser says.
        message: String,
    },
    /// A key of `study.toml` is wrong.
    #[error("{path}, line {line}: `{key}` {problem}")]
    Key {
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// The key with its table, `source.documents` for one.
        key: String,
        /// What is wrong, and what was expected.
        problem: String,
    },
    /// A file of the study could not be read or written.
    #[error("{doing} {path}: {why}")]
    File {
        /// "reading", "writing" and the like.
        doing: &'static str,
        path: PathBuf,
        /// What the system said.
        #[source]
        why: io::Error,
    },
    /// A file that must not be written over.
    #[error("{path} is not written: {why}", path = .path.display())]
    Refused {
        path: PathBuf,
        /// Why, and what to do.
        why: String,
    },
    /// Another run is at work in this study.
    #[error("another run is at work in {path}; wait for it, or stop it")]
    Busy { path: PathBuf },
    /// Asked for something that only a run makes.
    #[error("{path} has not been run{why}; `dejaview run {folder}` does it", path = .path.display(), folder = quoted_path(.path))]
    NotRun {
        path: PathBuf,
        /// " to its end", " since study.toml changed", or nothing.
        why: &'static str,
    },
    /// A file of truth is not what it should be.
    #[error("{path}: line {line}: {why}", path = .path.display())]
    Truth {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        why: String,
    },
    /// A file of labels that cannot be taken in.
    #[error("{path}: {why}; nothing was imported", path = .path.display())]
    Import {
        path: PathBuf,
        /// What is wrong, and what to do.
        why: String,
    },
    /// A file that is no kit for workers.
    #[error("{path} is no kit for workers ({why}); `dejaview run STUDY --prepare FILE` writes one", path = .path.display())]
    Kit {
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Workers shall count words, and none are to be counted.
    #[error(
        "no words of the target of {path} are to be counted: no configuration is fitted to both sides, or they were counted \
         before; leave --stage out to prepare the search",
        path = .path.display()
    )]
    NothingToCount { path: PathBuf },
    /// A worker was asked for a file that its kit does not know.
    #[error(
        "{name} is no file that this kit is for; `dejaview match KIT --list` names them, and `dejaview run STUDY --prepare` \
         writes a new kit when files were added"
    )]
    NotInKit { name: String },
    /// Bytes are handed to a worker of a file that it can read itself.
    #[error("{name} has no address but a path, which workers read themselves; leave --stream out")]
    NoAddress { name: String },
    /// What a worker found is not as it was written.
    #[error("{path} is damaged; remove its folder and search that file again", path = .path.display())]
    DamagedPart { path: PathBuf },
    /// Spark could not be started, or its job failed.
    #[error("{doing}: {why}")]
    Spark {
        /// "starting Spark" and the like.
        doing: &'static str,
        /// What happened, and what to do.
        why: String,
    },
    /// A method that rests on statistics which no run has made yet.
    #[error(
        "{configuration} is fitted to a collection, which only a run does, and {path} has not been run so; `dejaview run {folder}` does it",
        path = .path.display(),
        folder = quoted_path(.path)
    )]
    NotFitted { path: PathBuf, configuration: String },
    /// Asked for something that only judgments make.
    #[error("{path} has no judgments; add `judgments = [\"…\"]` to [source] in its study.toml", path = .path.display())]
    NoJudgments { path: PathBuf },
    /// No track of that name, or none named where there are several.
    #[error("there is no track `{name}`; name one of {known} with --track")]
    NoTrack {
        /// What was asked for.
        name: String,
        known: String,
    },
    /// A system without a run over the target.
    #[error("no run over the target has the tag `{tag}`; runs of one system are told by the tag in their last column")]
    NoRun { tag: String },
    /// The source cannot be matched against itself so.
    #[error("the source cannot be compared with itself: {problem}")]
    JudgedGroups { problem: String },
    /// More configurations than can be compared at once.
    #[error("{what} compare at most 64 configurations; this study has {count}: {way}")]
    TooMany {
        /// "figures" and the like.
        what: &'static str,
        /// Those there are, or were named.
        count: usize,
        /// What to do.
        way: &'static str,
    },
    /// No configuration of that name.
    #[error("there is no configuration `{name}`; there are {known}")]
    NoConfiguration {
        /// What was asked for.
        name: String,
        known: String,
    },
    /// No segment of that name.
    #[error("there is no segment `{name}`; there are {known}")]
    NoSegment {
        /// What was asked for.
        name: String,
        known: String,
    },
    /// No sample of that name.
    #[error("there is no sample `{name}`; {known} (`dejaview sample` draws one)")]
    NoSample {
        /// What was asked for.
        name: String,
        known: String,
    },
    /// There are no labels to describe.
    #[error("{}", no_labels(.path, .sample.as_deref()))]
    NoLabels {
        path: PathBuf,
        /// The sample that was named.
        sample: Option<String>,
    },
    /// Labels that no model can be fitted to.
    #[error("no model can be fitted to the labels of {path}: {why}")]
    TooFewLabels {
        path: PathBuf,
        /// What is missing, and what to do.
        why: String,
    },
    /// Features need to know which shingles are a page's own.
    #[error(
        "{path} does not know which shingles belong to frames and forms, which the model looks at; add a configuration with method = \"best\" (common = 10 and shingle = 3, its defaults) to its study.toml and run it"
    )]
    NoOwnShingles { path: PathBuf },
    /// A list of words or a log of queries that cannot be used.
    #[error("{path} cannot be searched by: {why}; a line is a word, or a query of words", path = .path.display())]
    Searches { path: PathBuf, why: &'static str },
    /// Results of searches are asked for without a log of them.
    #[error("results of searches are counted for the queries of a log: name one with --log")]
    NoLog,
    /// Something that rests on the words of one study is asked of several.
    #[error("searches depend on the words of a study: name one study, or draw pages by a walk or from the list")]
    OneStudy,
    /// Both sides are one corpus, of which there is no relative size.
    #[error("both sides are one collection, so there is no other size to compare with; name a study of two corpora")]
    OneCorpus,
    /// Counts are to be carried on to fewer segments than there are.
    #[error("`--segments` names how many segments there are in all, and {read} are read already; name no fewer")]
    FewerSegments { read: usize },
    /// A sample that cannot be drawn as asked for.
    #[error("no sample can be drawn so: {why}")]
    Sample {
        /// What does not fit.
        why: String,
    },
    /// A sample that stands for nothing in this study.
    #[error(
        "sample {sample} came in a pack, which does not tell how its pairs were drawn; the paragraph is written by the study that \
         made the pack, once the labels are back there"
    )]
    OfAPack { sample: String },
    /// A sample that is no longer of the pairs there are.
    #[error("{0}")]
    Changed(Box<ChangedSample>),
    /// Searching needs texts that are not kept.
    #[error(
        "{path} keeps only the texts of documents with a pair, so a search tells nothing about the corpora; write keep = \"all\" into its study.toml and run it again"
    )]
    NotKept { path: PathBuf },
    /// No document of that id.
    #[error("there is no document `{id}` on the {side} side of this study")]
    NoDocument {
        /// What was asked for.
        id: String,
        /// "source", "target", or "source or target".
        side: &'static str,
    },
    /// The record of that id is no document.
    #[error("`{id}` was skipped: {why} ({place}); {advice}")]
    Skipped {
        /// What was asked for.
        id: String,
        /// The reason, and what was seen.
        why: String,
        /// File and offset.
        place: String,
        /// What it means, and what to do.
        advice: &'static str,
    },
    /// An id has fewer records.
    #[error("no record number {number} has the id `{id}`; the last of them is number {there}")]
    NoRecord {
        id: String,
        /// What was asked for, from 1.
        number: usize,
        /// Records with this id.
        there: usize,
    },
    /// Reading documents or judgments failed.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    #[error(transparent)]
    Matching(#[from] MatchingError),
    /// Drawing or keeping a sample failed.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    #[error(transparent)]
    Labels(#[from] LabelsError),
    #[error(transparent)]
    Index(#[from] IndexError),
}

impl StudyError {
    /// Whether the disk, or the system, failed: then nobody knows what a file says, and what rests on it must not be shown. A file
    /// that is not there is no such failure.
    pub fn is_of_disk(&self) -> bool {
        let mut cause: Option<&(dyn Error + 'static)> = Some(self);
        while let Some(error) = cause {
            if let Some(why) = error.downcast_ref::<io::Error>() {
                return why.raw_os_error().is_some() && why.kind() != io::ErrorKind::NotFound;
            }
            cause = error.source();
        }
        false
    }
}

/// What to do where nobody has labelled a sample.
fn no_labels(path: &Path, sample: Option<&str>) -> String {
    let folder = quoted_path(path);
    match sample {
        Some(name) => {
            let named = quoted(name);
            format!("sample {name} has no labels; `dejaview label {folder} --sample {named}` begins with it")
        }
        None => format!(
            "no sample of {} has labels; draw one with `dejaview sample {folder}` and label it with `dejaview label {folder}`",
            path.display()
        ),
    }
}
