//! What leaves the explorer: copies to the clipboard, texts for the pager, files.

use std::path::{Path, PathBuf};

use super::action::Action;
use super::contract::{Effect, Job, Request, Screen, Screens, Stop};
use super::jobs::Backend;
use super::logbook::LogLine;
use super::pane::OpenPair;
use super::shared::Shared;
use super::widgets::paragraph::wrapped;
use dejaview_base::escaping::escape_id;
use dejaview_evaluation::estimates::Unsure;
use dejaview_index::KeptSide;
use dejaview_study::{Outputs, Session};
use dejaview_text::diff::RowKind;
use dejaview_text::printable;

/// Columns of a paragraph at most: longer lines are hard to read.
const WIDEST_PROSE: u16 = 100;

/// Commands of the program that people look for here, each with what it is for.
pub const COMMANDS: [(&str, &str); 4] = [
    ("evaluate", "precision and recall of each configuration"),
    ("labels", "import, export and check labels"),
    ("report", "every table and figure on one page"),
    ("transfer", "new judgments for the target"),
];

/// The line that runs one of these, with what it cannot do without.
pub fn command_line(name: &str) -> String {
    match name {
        "labels" => "dejaview labels --help".to_owned(),
        "transfer" => "dejaview transfer STUDY -o new.qrels --accept labels".to_owned(),
        _ => format!("dejaview {name} STUDY"),
    }
}

/// Copies a part of the pair at hand through the terminal.
pub fn copy(part: Action, screen: &dyn Screen, shared: &mut Shared) -> Vec<Request> {
    let Some(ids) = screen.pair_at_hand(shared) else {
        shared.message = Some("Nothing copied: no pair is selected".to_owned());
        return Vec::new();
    };
    let (what, text) = match part {
        Action::CopySource => ("the id of A", escape_id(&ids.source).into_owned()),
        Action::CopyTarget => ("the id of B", escape_id(&ids.target).into_owned()),
        Action::CopyPair => ("both ids", format!("{}\t{}", escape_id(&ids.source), escape_id(&ids.target))),
        Action::CopyTargetUrl => ("the URL of B", url(KeptSide::Target, &ids.target, shared)),
        _ => ("the URL of A", url(KeptSide::Source, &ids.source, shared)),
    };
    if text.is_empty() {
        shared.message = Some("Nothing copied: the run did not learn a URL of this document".to_owned());
        return Vec::new();
    }
    let text = printable(&text).into_owned();
    let hint = "Nothing pasted? :write FILE, or `set-clipboard on` in tmux";
    shared.message = Some(format!("Copied {what}. {hint}"));
    vec![Effect::Copy(text).into()]
}

/// Empty when unknown.
fn url(side: KeptSide, id: &str, shared: &Shared) -> String {
    let document = shared.data.as_ref().and_then(|data| data.study.titles().get(side, id));
    document.map_or(String::new(), |document| document.url.clone())
}

/// Both texts as they are compared, for a pager or a file.
fn texts(screen: &dyn Screen, shared: &mut Shared) -> Option<String> {
    let Some(Some(Ok(open))) = screen.pane().map(|pane| pane.open.as_ref()) else {
        shared.message = Some("No texts are open here".to_owned());
        return None;
    };
    Some(unified(open))
}

/// Shows both texts in the person's pager.
pub fn page_texts(screen: &dyn Screen, shared: &mut Shared) -> Vec<Request> {
    texts(screen, shared).map(|text| Effect::Page(text).into()).into_iter().collect()
}

/// Writes both texts into a file.
pub fn write_texts(file: &str, screen: &dyn Screen, shared: &mut Shared) -> Vec<Request> {
    if file.is_empty() {
        shared.message = Some("Name a file: :write FILE".to_owned());
        return Vec::new();
    }
    texts(screen, shared).map(|text| Request::job(WriteFile { path: file.into(), text })).into_iter().collect()
}

/// Both texts in one: what only the source has after `-`, what only the target has after `+`.
fn unified(open: &OpenPair) -> String {
    let mut out = format!("--- {}\n+++ {}\n", open.source.id, open.target.id);
    let texts = &open.texts;
    let mut line = |mark: char, text: &str| {
        out.push(mark);
        out.push_str(text);
        out.push('\n');
    };
    for row in &texts.diff.rows {
        if let (RowKind::Equal, Some(both)) = (row.kind, &row.source) {
            line(' ', &texts.source[both.span.clone()]);
            continue;
        }
        if let Some(old) = &row.source {
            line('-', &texts.source[old.span.clone()]);
        }
        if let Some(new) = &row.target {
            line('+', &texts.target[new.span.clone()]);
        }
    }
    printable(&out).into_owned()
}

/// Writes a text into a file.
#[derive(Debug)]
pub struct WriteFile {
    /// Which file; one that is there is not written over.
    pub path: PathBuf,
    pub text: String,
}

impl Job for WriteFile {
    /// What to tell the person.
    type Output = String;
    const NAME: &'static str = "write a file";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(if backend.only_looks { not_written_words(&self.path) } else { self.write_new_file(&backend.session()) })
    }

    fn line(said: &Self::Output) -> Option<LogLine> {
        Some(LogLine::Said(said.clone()))
    }

    fn deliver(said: Self::Output, _: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        shared.message = Some(said);
        Vec::new()
    }
}

fn not_written_words(path: &Path) -> String {
    format!("{} is not written: this is only a picture", path.display())
}

impl WriteFile {
    /// Writes a new file, whole or not at all, and none of the study's own; returns what to tell the person.
    fn write_new_file(&self, session: &Session) -> String {
        let shown = self.path.display();
        if self.path.exists() {
            return format!("{shown} was not written: there is such a file already. Name another one");
        }
        match Outputs::new(Some(session), "the explorer", false).write(&self.path, self.text.as_bytes()) {
            Ok(()) => format!("Wrote {} bytes to {shown}", self.text.len()),
            Err(why) => format!("{shown} was not written: {why}"),
        }
    }
}

/// Writes the paragraph for a paper about a sample, for the pager.
#[derive(Debug)]
pub struct WriteParagraph {
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
        LogLine::from_result(output, |_| "wrote the paragraph".to_owned())
    }

    fn deliver(output: Self::Output, _: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        match output {
            Ok(text) => {
                shared.message = Some("The paragraph, in $PAGER. `dejaview labels paragraph` prints it".to_owned());
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
