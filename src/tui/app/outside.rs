//! What leaves the explorer: copies, the pager, the editor, files.

use super::App;
use super::jobs::WriteFile;
use crate::action::{Action, ScreenId};
use crate::contract::{Effect, Request};
use crate::pair_ids::PairIds;
use crate::screens::compare::OpenPair;
use crate::screens::pairs::Pairs;
use dejaview_labels::EventKind;
use dejaview_text::diff::RowKind;
use dejaview_text::printable;

impl App {
    /// The pair that a copy is of.
    fn pair_at_hand(&self) -> Option<PairIds> {
        if self.shared.screen != ScreenId::Pairs {
            return self.looked_at();
        }
        let (data, row) = (self.shared.data.as_ref()?, self.screens.get::<Pairs>().current()?);
        let pair = data.table.pair(row);
        Some(PairIds::new(pair.source, pair.target))
    }

    /// Copies a part of the pair through the terminal.
    pub(super) fn copy(&mut self, action: Action) -> Vec<Request> {
        let Some(ids) = self.pair_at_hand() else {
            self.shared.message = Some("nothing copied: there is no pair here".to_owned());
            return Vec::new();
        };
        let text = match action {
            Action::CopySource => ids.source,
            Action::CopyTarget => ids.target,
            Action::CopyPair => format!("{}\t{}", ids.source, ids.target),
            _ => match self.pane().and_then(|pane| pane.open.as_ref()) {
                Some(Ok(open)) => open.source.url.clone(),
                _ => String::new(),
            },
        };
        if text.is_empty() {
            self.shared.message = Some("nothing copied: the URL is known once the pair is open (4)".to_owned());
            return Vec::new();
        }
        let text = printable(&text).into_owned();
        let hint = "if pasting gives nothing: :write FILE, or in tmux set-clipboard on";
        self.shared.message = Some(format!("{} bytes to the clipboard · {hint}", text.len()));
        vec![Effect::Copy(text).into()]
    }

    /// Both texts as they are compared, for a pager or a file.
    fn texts(&mut self) -> Option<String> {
        let Some(Some(Ok(open))) = self.pane().map(|pane| pane.open.as_ref()) else {
            self.shared.message = Some("there are no texts here".to_owned());
            return None;
        };
        Some(unified(open))
    }

    pub(super) fn page_texts(&mut self) -> Vec<Request> {
        self.texts().map(|text| Effect::Page(text).into()).into_iter().collect()
    }

    pub(super) fn write_texts(&mut self, file: &str) -> Vec<Request> {
        if file.is_empty() {
            self.shared.message = Some("write where? :write FILE".to_owned());
            return Vec::new();
        }
        self.texts().map(|text| Request::job(WriteFile { path: file.into(), text })).into_iter().collect()
    }

    /// Opens the note on the pair in the person's editor.
    pub(super) fn edit_note(&mut self) -> Vec<Request> {
        let Some(note) = self.note_at_hand() else { return Vec::new() };
        vec![Effect::Edit(note).into()]
    }

    /// The editor was left with this text.
    pub(super) fn edited(&mut self, result: Result<String, String>) -> Vec<Request> {
        self.shared.hide();
        match result {
            Ok(text) if self.noted.is_some() && self.noted == self.looked_at() => {
                let note = EventKind::Note(text.trim_end().to_owned());
                self.noted = None;
                if self.holds(&note) { Vec::new() } else { self.record(note, None) }
            }
            Ok(_) => Vec::new(),
            Err(why) => {
                self.shared.message = Some(why);
                Vec::new()
            }
        }
    }
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
