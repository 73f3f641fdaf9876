//! What can go wrong with labels. Faults inside a journal are [`crate::Problem`]s instead.

use std::io;
use std::path::PathBuf;

use super::Holder;

/// Something that was not done, and why.
#[derive(Debug, thiserror::Error)]
pub enum LabelsError {
    /// The system refused. What was to be saved is not saved; the lines that were there before are.
    #[error("{doing} {path}: {why}", path = .path.display())]
    File {
        doing: &'static str,
        path: PathBuf,
        #[source]
        why: io::Error,
    },
    /// The journal may be read but not written by this process.
    #[error("{path} can only be read here: {}; nothing was written", reason(.holder.as_ref(), .why), path = .path.display())]
    ReadOnly {
        path: PathBuf,
        /// Who writes it, when that is known.
        holder: Option<Holder>,
        /// Why it cannot be written, in words.
        why: String,
    },
    /// The disk does not answer. It may yet save what was to be saved.
    #[error("saving in {path}: the disk does not answer", path = .path.display())]
    Stuck { path: PathBuf },
    /// An annotator without a name.
    #[error("an annotator needs a name; give one with --annotator")]
    NoName,
    /// A name that would do something to a terminal.
    #[error("the annotator's name {name:?} holds a control character; name one without it, with --annotator")]
    ControlInName { name: String },
    /// A name that no command could be given.
    #[error(
        "the annotator's name {name:?} begins with -, so commands would take it for an option; give another one with \
         --annotator"
    )]
    LikeAnOption { name: String },
    /// A name that is another one where file systems ignore case.
    #[error(
        "the annotator's name {name} differs from that of {other} in case alone, and some file systems have one journal for \
         both; give another one with --annotator, or {other} where it is the same person"
    )]
    SameButForCase { name: String, other: String },
    /// A name that reads like one by which disagreements are settled, and is none.
    #[error(
        "the annotator's name {name} differs in case alone from names by which disagreements are settled (adjudication, or \
         adjudication. with a name behind): write it in small letters where that is meant, or give another one with --annotator"
    )]
    LikeAdjudication { name: String },
    /// A name by which disagreements are settled, and that names nobody who does.
    #[error(
        "the annotator's name {name} does not say who settles disagreements: put a name behind the dot (adjudication.ann), or \
         leave the dot out"
    )]
    NobodyAdjudicates { name: String },
    /// The thread that writes is gone.
    #[error("the thread that writes labels has ended; this one was not saved")]
    Stopped,
}

impl LabelsError {
    /// The same for a line that may be cut at its end: why comes before where.
    pub fn cause_first(&self) -> String {
        match self {
            Self::File { doing, path, why } => format!("{why}, {doing} {}", path.display()),
            Self::Stuck { path } => format!("the disk does not answer, saving in {}", path.display()),
            other => other.to_string(),
        }
    }
}

fn reason(holder: Option<&Holder>, why: &str) -> String {
    match holder {
        Some(holder) => format!("{why} ({holder}); end that process, or use another name with --annotator"),
        None => format!(
            "{why}; see that no other dejaview labels under this name and that you may write in the study's folder, or use \
             another name with --annotator"
        ),
    }
}
