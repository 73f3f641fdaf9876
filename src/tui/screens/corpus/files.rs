//! What the last run read: documents and files of each side and segment, and the records that it skipped.

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::contract::Request;
use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::empty;
use crate::widgets::frame::{Frame, Scroll};
use crate::widgets::table::{self, Column, Line};
use dejaview_report::numbers::{bytes, count, plural};
use dejaview_study::{InputSummary, SkippedRecord};

#[derive(Debug)]
pub struct ListFiles;

#[derive(Debug, Default)]
pub(super) struct Files {
    parts: Option<Vec<InputSummary>>,
    requested: bool,
    /// A part and one of its files; no file on the line of the part itself.
    lines: Vec<(usize, Option<usize>)>,
    cursor: Cursor,
    /// The first skipped records, and how many there are of each reason.
    skipped: Vec<SkippedRecord>,
    reasons: BTreeMap<String, u64>,
    skipped_cursor: Cursor,
}

/// The files of the study, and the first records that were skipped.
#[derive(Debug, Default)]
pub struct FileList {
    pub parts: Vec<InputSummary>,
    pub skipped: Vec<SkippedRecord>,
}

impl Files {
    pub(super) fn request(&mut self) -> Vec<Request> {
        if std::mem::replace(&mut self.requested, true) { Vec::new() } else { vec![Request::job(ListFiles)] }
    }

    pub(super) fn no_answer(&mut self) {
        self.requested = self.parts.is_some();
    }

    pub(super) fn listed(&mut self, FileList { parts, skipped }: FileList) {
        self.lines = parts
            .iter()
            .enumerate()
            .flat_map(|(p, part)| {
                std::iter::once((p, None)).chain((0..part.files.len()).map(move |file| (p, Some(file))))
            })
            .collect();
        self.reasons.clear();
        for (reason, records) in parts.iter().flat_map(|part| &part.skipped) {
            *self.reasons.entry(reason.clone()).or_default() += records;
        }
        self.skipped = skipped;
        self.parts = Some(parts);
    }

    pub(super) fn update(&mut self, action: Action, area: Rect, skipped: bool) -> Vec<Request> {
        let page = table::page(area);
        if skipped {
            self.skipped_cursor.go(action, self.skipped.len(), page);
        } else {
            self.cursor.go(action, self.lines.len(), page);
        }
        Vec::new()
    }

    /// How many files there are, and how many skipped records.
    pub(super) fn counts(&self) -> [u64; 2] {
        let files = self.parts.iter().flatten().map(|part| part.files.len() as u64).sum();
        [files, self.reasons.values().sum()]
    }

    /// What the list is about, and where the cursor is.
    pub(super) fn frame(&self, area: Rect, skipped: bool) -> Frame {
        let (cursor, len) =
            if skipped { (self.skipped_cursor, self.skipped.len()) } else { (self.cursor, self.lines.len()) };
        let (mut cursor, page) = (cursor, table::page(area));
        cursor.keep(len, page);
        let size: u64 = self.parts.iter().flatten().flat_map(|part| &part.files).map(|(_, size)| size).sum();
        Frame {
            qualifier: if skipped { self.reasons() } else { bytes(size) },
            position: if len == 0 { String::new() } else { format!("{}/{}", cursor.at + 1, count(len as u64)) },
            scroll: Scroll { top: cursor.top, page, len },
            ..Frame::default()
        }
    }

    /// How many records were skipped for each reason, and whether not all are shown.
    fn reasons(&self) -> String {
        let kinds = self.reasons.iter().map(|(reason, n)| format!("{reason} {}", count(*n)));
        let shown = self.skipped.len() as u64;
        let rest = (shown < self.reasons.values().sum()).then(|| format!("the first {} are shown", count(shown)));
        kinds.chain(rest).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn draw(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let Some(parts) = &self.parts else {
            return empty::draw(buffer, area, &["Reading the list of files"], theme);
        };
        let columns = [Column::left("   file", 0), Column::right("size", 12)];
        let line = |line: usize| match self.lines[line] {
            (p, Some(file)) => {
                let (name, size) = &parts[p].files[file];
                Line::Cells(vec![(format!("     {name}"), theme.text), (bytes(*size), theme.text)])
            }
            (p, None) => {
                let part = &parts[p];
                let name =
                    if part.segment.is_empty() { "source".to_owned() } else { format!("target {}", part.segment) };
                let size = part.files.iter().map(|(_, size)| size).sum();
                let skipped = match part.skipped.values().sum() {
                    0 => String::new(),
                    n => format!("{} skipped, ", count(n)),
                };
                let counts = format!("{skipped}{}  {:>9}", plural(part.documents, "document"), bytes(size));
                Line::Whole(vec![(format!(" {name}"), theme.strong)], (counts, theme.strong))
            }
        };
        table::draw_lines(buffer, area, &columns, (self.cursor, self.lines.len()), theme, line);
    }

    pub(super) fn draw_skipped(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        if self.skipped.is_empty() {
            return empty::draw(buffer, area, &["No record was skipped: every one was read."], theme);
        }
        let columns = [
            Column::left(" segment", 9),
            Column::left("reason", 16),
            Column::right("offset", 12),
            Column::ids("file"),
            Column::left("detail", 0),
        ];
        let cells = |row: usize| {
            let record = &self.skipped[row];
            let segment = if record.segment.is_empty() { "source" } else { &record.segment };
            [
                format!(" {segment}"),
                record.reason.clone(),
                record.offset.to_string(),
                record.file.clone(),
                record.detail.clone(),
            ]
            .map(|cell| (cell, theme.text))
            .into()
        };
        table::draw(buffer, area, &columns, (self.skipped_cursor, self.skipped.len()), theme, cells);
    }
}
