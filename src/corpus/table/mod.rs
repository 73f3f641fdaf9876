//! Parquet tables of documents, as data sets for language models are published: a row is a document.
//!
//! Columns are chosen by their names: `id` (or `docid`, `_id`, `docno`, `doc_id`), `url`, `date` (or `timestamp`), and the
//! page as `html`, or its text as `text`, `contents`, `content`, `body` or `raw_content`. Without an id a row is called after
//! its file and number. The footer of a table is at its end, so a table cannot be compressed as a whole, and one that is cut
//! short cannot be read at all: both are reported. Pages may be plain or packed with Snappy, gzip or zstd.
//!
//! This file and `matching`'s exports are the places that name parquet.

mod columns;
mod row;
mod rows;

pub(crate) use crate::table::rows::Table;

use crate::cut::{Cut, Cutter, Edge};
use crate::format::{Format, Sign};
use crate::item::push_line;
use crate::record::{Buffers, Record};
use crate::table::row::Row;
use crate::{CorpusItem, Document, LARGEST_BODY, Media, SkipReason, SkippedRecord};

pub(crate) static FORMAT: Format = Format {
    sniff: |first| first.starts_with(b"PAR1").then_some(Sign::FirstTag),
    is_table: true,
    ..Format::new("parquet", || Box::new(NoCutter), read)
};

/// Rows are not cut out of bytes.
#[derive(Debug)]
struct NoCutter;

impl Cutter for NoCutter {
    fn cut(&mut self, bytes: &[u8], _: Edge) -> Cut {
        Cut::Drop(bytes.len())
    }
}

fn read(record: &Record<'_>, buffers: &mut Buffers, visit: &mut dyn FnMut(CorpusItem<'_>)) {
    let Record { bytes, name, offset, .. } = *record;
    let mut skip = |reason, detail| visit(CorpusItem::Skipped(SkippedRecord { offset, reason, detail }));
    let Some(row) = Row::read(bytes) else { return skip(SkipReason::NoRecord, String::new()) };
    for (text, value) in [(&mut buffers.id, row.id), (&mut buffers.url, row.url), (&mut buffers.date, row.date)] {
        text.clear();
        push_line(text, value);
    }
    if buffers.id.is_empty() {
        buffers.id = format!("{name}@{offset}");
    }
    let id = &buffers.id;
    if row.body.trim_ascii().is_empty() {
        return skip(SkipReason::Empty, id.clone());
    }
    if row.body.len() > LARGEST_BODY {
        return skip(SkipReason::TooLarge, id.clone());
    }
    let media = if row.is_html { Media::Html } else { Media::Text };
    // Strings of a table are UTF-8; pages in a column of bytes may be anything.
    let charset = std::str::from_utf8(row.body).is_ok().then_some("utf-8");
    let (url, date, body) = (&buffers.url, &buffers.date, row.body);
    visit(CorpusItem::Document(Document { id, url, date, media, charset, body, offset }));
}
