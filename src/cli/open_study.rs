//! A study that a command looks at, and what must be said about what its numbers rest on.

use std::cell::Cell;
use std::ops::Deref;
use std::path::Path;

use anyhow::{Result, bail};

use serde::Serialize;

use super::output::{Output, say, say_first};
use dejaview_base::shell::quoted_path;
use dejaview_report::{Report, TableFormat};
use dejaview_study::{Snapshot, StudyError};

/// When the command is done, it is said which lines of labels did not count, which journals are copies, and which segments are not up to
/// date, if it asked for labels or pairs.
pub struct OpenStudy {
    study: Snapshot,
    /// Whether damaged lines were named already.
    is_said: Cell<bool>,
}

impl OpenStudy {
    pub fn open(path: &Path) -> Result<Self, StudyError> {
        Ok(Self { study: Snapshot::open(path)?, is_said: Cell::new(false) })
    }

    /// Fails when lines of labels did not count, unless that is allowed: a number would rest on less than people said.
    pub fn must_have_whole_labels(&self, allow_damaged: bool) -> Result<()> {
        let damaged = self.study.damaged_labels();
        let Some(first) = damaged.first().filter(|_| !allow_damaged) else { return Ok(()) };
        self.is_said.set(true);
        let more = if damaged.len() > 1 { format!(" (and {} more)", damaged.len() - 1) } else { String::new() };
        let folder = quoted_path(self.study.folder());
        bail!(
            "{first}{more}; `dejaview labels verify {folder}` lists all such lines, and --allow-damaged goes on without them"
        )
    }
}

impl OpenStudy {
    /// Prints a result of this study, as [`Output::report`] does; see [`OpenStudy::report_as`].
    pub fn report(&self, output: &mut Output, result: &impl Report) -> Result<()> {
        self.report_as(output, result, TableFormat::Text, None)
    }

    /// Prints a result of this study, as [`Output::report_as`] does. A JSON document says what its numbers lack: what is said on
    /// standard error is not there for whoever reads it later.
    pub fn report_as(
        &self,
        output: &mut Output,
        result: &impl Report,
        format: TableFormat,
        table: Option<&str>,
    ) -> Result<()> {
        match self.study.caveats() {
            caveats if output.json && !caveats.is_empty() => output.json(&WithCaveats { result, caveats }),
            _ => output.report_as(result, format, table),
        }
    }
}

/// A document, and what its numbers lack or may rest on wrongly.
#[derive(Serialize)]
struct WithCaveats<'a, R> {
    #[serde(flatten)]
    result: &'a R,
    caveats: Vec<String>,
}

impl Deref for OpenStudy {
    type Target = Snapshot;

    fn deref(&self) -> &Snapshot {
        &self.study
    }
}

impl Drop for OpenStudy {
    fn drop(&mut self) {
        if !self.is_said.get() {
            say_first(self.study.damaged_labels().into_iter());
        }
        say_first(self.study.label_doubts().into_iter());
        let stale = self.study.stale_segments();
        if let Some(missing) = stale.missing() {
            say(&missing);
        }
        for renewed in stale.outdated().into_iter().chain(stale.changed()) {
            say(&format!("{renewed}; `dejaview run {}` renews them", quoted_path(self.study.folder())));
        }
    }
}
