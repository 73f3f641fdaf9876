//! Rows of sketches as a Parquet file, for a cluster that joins them.
//!
//! The columns are those of a [`Row`]: `table` (32-bit integer), `key` (64-bit), `sketch` (bytes), `side` (0 the source, 1 the
//! target), `id` and `content` (64-bit), none of them nullable. Numbers of 64 bits keep their bits and lose their sign.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use ::parquet::basic::{Compression, Repetition, Type as Physical};
use ::parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use ::parquet::errors::ParquetError as Failure;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::Type;

use super::{GROUP_ROWS, write_column};
use crate::MatchingError;
use crate::corpora::{Row, RowSink, each_row};

const COLUMNS: [(&str, Physical); 6] = [
    ("table", Physical::INT32),
    ("key", Physical::INT64),
    ("sketch", Physical::BYTE_ARRAY),
    ("side", Physical::INT32),
    ("id", Physical::INT64),
    ("content", Physical::INT64),
];

/// Writes the rows of all threads into one file.
pub struct SketchRows {
    writer: Mutex<Result<Writer, Failure>>,
}

impl SketchRows {
    /// Begins a file.
    pub fn create(path: &Path) -> Result<Self, MatchingError> {
        let writer = Writer::create(path).map_err(|why| failed(path, why))?;
        Ok(Self { writer: Mutex::new(Ok(writer)) })
    }

    /// Ends the file; fails where a row could not be written.
    pub fn finish(self, path: &Path) -> Result<(), MatchingError> {
        let writer = self.writer.into_inner().unwrap_or_else(PoisonError::into_inner);
        writer.and_then(Writer::finish).map_err(|why| failed(path, why))
    }
}

impl RowSink for SketchRows {
    fn take(&self, rows: &[u8]) -> bool {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(open) = &mut *writer else { return false };
        match each_row(rows).filter_map(Row::read).try_for_each(|row| open.push(&row)) {
            Ok(()) => true,
            Err(why) => {
                *writer = Err(why);
                false
            }
        }
    }
}

fn failed(path: &Path, why: Failure) -> MatchingError {
    MatchingError::File { doing: "writing", path: path.to_owned(), why: std::io::Error::other(why) }
}

struct Writer {
    file: SerializedFileWriter<BufWriter<File>>,
    tables: Vec<i32>,
    keys: Vec<i64>,
    sketches: Vec<ByteArray>,
    sides: Vec<i32>,
    ids: Vec<i64>,
    contents: Vec<i64>,
}

impl Writer {
    fn create(path: &Path) -> Result<Self, Failure> {
        let column = |(name, physical)| -> Result<_, Failure> {
            let column = Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED);
            Ok(Arc::new(column.build()?))
        };
        let columns = COLUMNS.into_iter().map(column).collect::<Result<Vec<_>, _>>()?;
        let schema = Type::group_type_builder("sketches").with_fields(columns).build()?;
        // Hashes and fingerprints hardly shrink, and not every Java has the library for each way to pack them.
        let properties = WriterProperties::builder().set_compression(Compression::UNCOMPRESSED).build();
        let out = BufWriter::new(File::create(path)?);
        Ok(Self {
            file: SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?,
            tables: Vec::new(),
            keys: Vec::new(),
            sketches: Vec::new(),
            sides: Vec::new(),
            ids: Vec::new(),
            contents: Vec::new(),
        })
    }

    fn push(&mut self, row: &Row<'_>) -> Result<(), Failure> {
        self.tables.push(row.table.cast_signed());
        self.keys.push(row.key.cast_signed());
        self.sketches.push(ByteArray::from(row.sketch.to_vec()));
        self.sides.push(row.side as i32);
        self.ids.push(row.place.id.cast_signed());
        self.contents.push(row.place.content.cast_signed());
        if self.tables.len() < GROUP_ROWS { Ok(()) } else { self.write_group() }
    }

    fn write_group(&mut self) -> Result<(), Failure> {
        let mut group = self.file.next_row_group()?;
        write_column::<Int32Type, _>(&mut group, &mut self.tables)?;
        write_column::<Int64Type, _>(&mut group, &mut self.keys)?;
        write_column::<ByteArrayType, _>(&mut group, &mut self.sketches)?;
        write_column::<Int32Type, _>(&mut group, &mut self.sides)?;
        write_column::<Int64Type, _>(&mut group, &mut self.ids)?;
        write_column::<Int64Type, _>(&mut group, &mut self.contents)?;
        group.close()?;
        Ok(())
    }

    fn finish(mut self) -> Result<(), Failure> {
        if !self.tables.is_empty() {
            self.write_group()?;
        }
        let file = self.file.into_inner()?.into_inner().map_err(|why| Failure::from(why.into_error()))?;
        file.sync_all()?;
        Ok(())
    }
}
