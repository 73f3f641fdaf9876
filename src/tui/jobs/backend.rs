//! What jobs work on: the study, and what is kept between two of them.

use std::path::PathBuf;
use std::sync::Arc;

use crate::explainer::Explainer;
use dejaview_labels::{adjudication_journal, file_stem};
use dejaview_study::{LiveStudy, Session, Snapshot, Stamp, StudyError};

/// What jobs work on.
#[derive(Debug)]
pub struct Backend {
    study: LiveStudy,
    /// Whose drafts are kept.
    pub drafts_of: Option<String>,
    /// Whether nothing may be written: no sample, no file.
    pub only_looks: bool,
    /// The program that runs the study; none where no run may be started.
    pub program: Option<PathBuf>,
    /// What was found out about a pair.
    pub explainer: Explainer,
}

impl Backend {
    /// For a study.
    pub fn new(session: Session) -> Self {
        Self {
            study: LiveStudy::new(session),
            drafts_of: None,
            only_looks: false,
            program: None,
            explainer: Explainer::default(),
        }
    }

    /// The open study.
    pub fn session(&self) -> Session {
        self.study.session()
    }

    /// The study as it is now: a run may have gone on since the last job.
    pub fn study(&self) -> Arc<Snapshot> {
        self.study.snapshot()
    }

    /// The same; an error while `study.toml` cannot be read as it is now.
    pub fn renewed_study(&self) -> Result<Arc<Snapshot>, StudyError> {
        self.study.renewed()
    }

    /// What the files of the study are like now, its samples and labels among them.
    pub fn stamp(&self) -> Stamp {
        self.study.stamp()
    }

    /// Names of the journals that are written here.
    pub fn own_journals(&self) -> Vec<String> {
        let names = self.drafts_of.iter().flat_map(|name| [name.clone(), adjudication_journal(name)]);
        names.filter_map(|name| Some(format!("{}.jsonl", file_stem(&name).ok()?))).collect()
    }

    /// The same, which keeps what this annotator begins.
    #[must_use]
    pub fn keeping_drafts_of(self, annotator: &str) -> Self {
        Self { drafts_of: Some(annotator.to_owned()), ..self }
    }

    /// The same, which starts runs with this program.
    #[must_use]
    pub fn running_with(self, program: PathBuf) -> Self {
        Self { program: Some(program), ..self }
    }

    /// The same, which writes nothing.
    #[must_use]
    pub fn only_looking(self) -> Self {
        Self { only_looks: true, ..self }
    }
}
