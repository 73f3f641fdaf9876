//! What the last run read: documents and files of each side and segment, and the records that it skipped.

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::contract::Request;
use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::glyphs::draw_text;
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
    skipped: Vec<SkippedRecord>,
    skipped_cursor: Cursor,
}

impl Files {
    pub(super) fn request(&mut self) -> Vec<Request> {
        if std::mem::replace(&mut self.requested, true) { Vec::new() } else { vec![Request::job(ListFiles)] }
    }

    pub(super) fn no_answer(&mut self) {
        self.requested = self.parts.is_some();
    }

    pub(super) fn listed(&mut self, parts: Vec<InputSummary>) {
        self.lines = parts
            .iter()
            .enumerate()
            .flat_map(|(p, part)| {
                std::iter::once((p, None)).chain((0..part.files.len()).map(move |file| (p, Some(file))))
            })
            .collect();
        self.skipped = parts.iter().flat_map(|part| part.skipped.iter().cloned()).collect();
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

    fn size(&self) -> (usize, u64) {
        let files = self.parts.iter().flatten().flat_map(|part| &part.files);
        (files.clone().count(), files.map(|(_, size)| size).sum())
    }

    pub(super) fn header(&self) -> String {
        let (files, size) = self.size();
        format!("{}, {} as they lie on disk", plural(files as u64, "file"), bytes(size))
    }

    /// How many records were skipped for each reason.
    pub(super) fn skipped_header(&self) -> String {
        let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
        for record in &self.skipped {
            *reasons.entry(&record.reason).or_default() += 1;
        }
        let reasons: Vec<String> = reasons.iter().map(|(reason, n)| format!("{reason} {}", count(*n))).collect();
        if reasons.is_empty() { "every record was read".to_owned() } else { reasons.join(" · ") }
    }

    pub(super) fn draw(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let Some(parts) = &self.parts else {
            draw_text(buffer, (area.x + 1, area.y + 1), area.width.saturating_sub(2), "reading…", theme.dim);
            return;
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
                let skipped = match part.skipped.len() as u64 {
                    0 => String::new(),
                    n => format!("{} not read · ", count(n)),
                };
                let counts = format!("{skipped}{} · {:>9}", plural(part.documents, "document"), bytes(size));
                Line::Whole(vec![(format!(" {name}"), theme.title)], (counts, theme.title))
            }
        };
        table::draw_lines(buffer, area, &columns, (self.cursor, self.lines.len()), theme, line);
    }

    pub(super) fn draw_skipped(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
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

    pub(super) fn status(&self) -> String {
        format!("{} of {} lines · Tab goes on to records that were not read", self.cursor.at + 1, self.lines.len())
    }

    pub(super) fn skipped_status(&self) -> String {
        match self.skipped.get(self.skipped_cursor.at) {
            Some(record) => format!(
                "{} of {} · {} at {} · {} {}",
                self.skipped_cursor.at + 1,
                self.skipped.len(),
                record.file,
                record.offset,
                record.reason,
                record.detail
            ),
            None => "nothing was left out".to_owned(),
        }
    }
}
