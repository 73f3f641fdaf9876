//! Jobs that no screen waits for: what comes of them is said.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::contract::{Effect, Job, LogLine, Request, Screens, Stop};
use crate::jobs::Backend;
use crate::shared::Shared;
use crate::widgets::paragraph::wrapped;
use dejaview_evaluation::estimates::Unsure;
use dejaview_labels::Draft;

/// Columns of a paragraph that is to be read.
const WIDEST_PROSE: u16 = 100;

/// Keeps what was begun.
#[derive(Debug)]
pub struct KeepDraft {
    /// What was.
    pub draft: Draft,
}

impl Job for KeepDraft {
    /// Why it could not be kept; nothing comes back when it was.
    type Output = String;
    const NAME: &'static str = "keep a draft";
    const LISTED: bool = false;

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let kept = self.draft.write(backend.session().folder(), backend.drafts_of.as_deref()?);
        kept.err().map(|why| why.to_string())
    }

    fn line(why: &Self::Output) -> Option<LogLine> {
        Some(LogLine::Wrong(format!("the draft is not kept: {why}")))
    }

    fn deliver(why: Self::Output, _: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        shared.message = Some(format!("what you begin is not kept: {why}"));
        Vec::new()
    }
}

/// Writes a text into a file.
#[derive(Debug)]
pub struct WriteFile {
    /// Which file; one that is there is not written over.
    pub path: PathBuf,
    /// The text.
    pub text: String,
}

impl Job for WriteFile {
    /// What came of it, in words.
    type Output = String;
    const NAME: &'static str = "write a file";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(if backend.only_looks { unwritten(&self.path) } else { write(&self.path, &self.text) })
    }

    fn line(said: &Self::Output) -> Option<LogLine> {
        Some(LogLine::Said(said.clone()))
    }

    fn deliver(said: Self::Output, _: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        shared.message = Some(said);
        Vec::new()
    }
}

/// What is said of a file that those who only look do not write.
fn unwritten(path: &Path) -> String {
    format!("{} is not written: this is only a picture", path.display())
}

/// Writes a new file; says what came of it.
fn write(path: &Path, text: &str) -> String {
    let shown = path.display();
    let put = File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    match put {
        Ok(()) => format!("{} bytes written to {shown}", text.len()),
        Err(why) => format!("writing {shown}: {why}"),
    }
}

/// Writes the paragraph for a paper, about a sample.
#[derive(Debug)]
pub struct WriteParagraph {
    /// Name of the sample.
    pub sample: String,
}

impl Job for WriteParagraph {
    type Output = Result<String, String>;
    const NAME: &'static str = "write the paragraph";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let paragraph = dejaview_study::paragraph(&backend.study(), Some(&self.sample), Unsure::Out);
        Some(paragraph.map(|paragraph| paragraph.text).map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::of(output, |_| "wrote the paragraph".to_owned())
    }

    fn deliver(output: Self::Output, _: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        match output {
            Ok(text) => {
                shared.message = Some("the paragraph, in $PAGER; `dejaview labels paragraph` prints it".to_owned());
                let lines = wrapped(&text, usize::from(shared.size.0.min(WIDEST_PROSE)));
                vec![Effect::Page(lines.join("\n") + "\n").into()]
            }
            Err(why) => {
                shared.message = Some(why);
                Vec::new()
            }
        }
    }
}
