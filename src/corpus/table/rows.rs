//! The rows of a table in order, a stretch at a time.

use std::fs::File;
use std::io;

use dejaview_base::panics::catch_panic;

use ::parquet::data_type::ByteArray;
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::{FileReader, SerializedFileReader};

use crate::splitter::Piece;
use crate::table::columns::{Column, Columns};
use crate::table::row::Row;
use crate::{CorpusError, Input, SkipReason, SkippedRecord};

/// Rows that are read at a time from each column.
const AT_ONCE: usize = 64;

/// A table that is read from its first row to its last.
pub(crate) struct Table {
    /// `None` once the table has ended, or if it could not be understood.
    open: Option<Open>,
    /// What is reported next.
    fault: Option<SkippedRecord>,
    /// Rows that were handed out.
    at: u64,
    /// Rows of the table.
    rows: u64,
}

struct Open {
    file: SerializedFileReader<File>,
    columns: Columns,
    /// The row group that is read next.
    next_group: usize,
    group: Option<Group>,
}

/// The columns of a row group.
struct Group {
    id: Option<Column>,
    url: Option<Column>,
    date: Option<Column>,
    body: Column,
    /// Rows left in it.
    left: usize,
}

impl Table {
    /// Opens a table. One that cannot be understood has a fault and no rows; an error is one of the disk.
    pub(crate) fn open(input: &Input) -> Result<Self, CorpusError> {
        let file = File::open(&input.path).map_err(|source| CorpusError::Open { path: input.path.clone(), source })?;
        let none = Self { open: None, fault: None, at: 0, rows: 0 };
        let damaged = |detail: String| {
            let fault = SkippedRecord { offset: 0, reason: SkipReason::NoRecord, detail };
            Ok(Self { fault: Some(fault), ..none })
        };
        if input.size == 0 {
            return Ok(Self { open: None, fault: None, at: 0, rows: 0 });
        }
        let file = match guarded(|| SerializedFileReader::new(file)) {
            Ok(file) => file,
            Err(Failure::Disk(source)) => return Err(CorpusError::Read { path: input.path.clone(), source }),
            Err(Failure::Data(why)) => return damaged(format!("no Parquet table: {why}")),
        };
        let about = file.metadata().file_metadata();
        let rows = u64::try_from(about.num_rows()).unwrap_or(0);
        let columns = match Columns::find(about.schema_descr()) {
            Ok(columns) => columns,
            Err(why) => return damaged(why),
        };
        Ok(Self { open: Some(Open { file, columns, next_group: 0, group: None }), fault: None, at: 0, rows })
    }

    /// How much of the table was handed out, as bytes of a file of `size`.
    pub(crate) fn consumed(&self, size: u64) -> u64 {
        let part = u128::from(size) * u128::from(self.at) / u128::from(self.rows.max(1));
        if self.open.is_none() { size } else { u64::try_from(part).unwrap_or(size).min(size) }
    }

    /// The next rows, about `size` bytes of them, and what is wrong with the table; nothing at its end.
    pub(crate) fn next(&mut self, size: usize) -> io::Result<(Vec<u8>, Vec<Piece>)> {
        let (mut bytes, mut pieces) = (Vec::new(), Vec::new());
        while bytes.len() < size && self.fault.is_none() {
            let Some(open) = &mut self.open else { break };
            match open.stretch() {
                Ok(Some(stretch)) => stretch.write(&mut self.at, open.columns.is_html, &mut bytes, &mut pieces),
                Ok(None) => self.open = None,
                Err(Failure::Disk(error)) => return Err(error),
                Err(Failure::Data(why)) => {
                    self.open = None;
                    let detail = format!("Parquet: {why}; the rest of the table is not read");
                    self.fault = Some(SkippedRecord { offset: self.at, reason: SkipReason::CompressedDamage, detail });
                }
            }
        }
        if let Some(fault) = self.fault.take() {
            let (at, offset) = (bytes.len(), fault.offset);
            pieces.push(Piece { start: at, end: at, offset, skip: Some(fault), clipped: false });
        }
        Ok((bytes, pieces))
    }
}

/// Values of the same rows.
struct Stretch {
    id: Option<Vec<ByteArray>>,
    url: Option<Vec<ByteArray>>,
    date: Option<Vec<ByteArray>>,
    body: Vec<ByteArray>,
}

impl Stretch {
    fn write(&self, at: &mut u64, is_html: bool, bytes: &mut Vec<u8>, pieces: &mut Vec<Piece>) {
        let value = |column: &'_ Option<Vec<ByteArray>>, row: usize| {
            column.as_ref().and_then(|values| values.get(row)).cloned().unwrap_or_else(|| ByteArray::from(Vec::new()))
        };
        for (row, body) in self.body.iter().enumerate() {
            let (id, url, date) = (value(&self.id, row), value(&self.url, row), value(&self.date, row));
            let start = bytes.len();
            Row { id: id.data(), url: url.data(), date: date.data(), body: body.data(), is_html }.write(bytes);
            pieces.push(Piece { start, end: bytes.len(), offset: *at, skip: None, clipped: false });
            *at += 1;
        }
    }
}

impl Open {
    /// The next rows, all of one row group; `None` at the end.
    fn stretch(&mut self) -> Result<Option<Stretch>, Failure> {
        loop {
            if let Some(group) = self.group.as_mut().filter(|group| group.left > 0) {
                return guarded(|| group.stretch()).map(Some);
            }
            if self.next_group >= self.file.num_row_groups() {
                return Ok(None);
            }
            let (file, columns, number) = (&self.file, self.columns, self.next_group);
            self.group = Some(guarded(|| Group::open(file, columns, number))?);
            self.next_group += 1;
        }
    }
}

impl Group {
    fn open(file: &SerializedFileReader<File>, columns: Columns, number: usize) -> Result<Self, ParquetError> {
        let group = file.get_row_group(number)?;
        let open = |at: Option<usize>| at.map(|at| Column::open(&*group, at)).transpose();
        Ok(Self {
            id: open(columns.id)?,
            url: open(columns.url)?,
            date: open(columns.date)?,
            body: Column::open(&*group, columns.body)?,
            left: usize::try_from(group.metadata().num_rows()).unwrap_or(0),
        })
    }

    fn stretch(&mut self) -> Result<Stretch, ParquetError> {
        let most = self.left.min(AT_ONCE);
        let read = |column: &mut Option<Column>| column.as_mut().map(|column| column.read(most)).transpose();
        let stretch = Stretch {
            id: read(&mut self.id)?,
            url: read(&mut self.url)?,
            date: read(&mut self.date)?,
            body: self.body.read(most)?,
        };
        let rows = stretch.body.len();
        let columns = [&stretch.id, &stretch.url, &stretch.date];
        if rows == 0 || columns.iter().any(|column| column.as_ref().is_some_and(|values| values.len() != rows)) {
            return Err(ParquetError::General("columns of a row group have different numbers of rows".to_owned()));
        }
        self.left -= rows.min(self.left);
        Ok(stretch)
    }
}

/// Why nothing more can be read.
enum Failure {
    Disk(io::Error),
    Data(String),
}

/// Runs the reader of tables, which may panic on damaged data.
fn guarded<T>(work: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, Failure> {
    match catch_panic(work) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(ParquetError::External(error))) => match error.downcast::<io::Error>() {
            // Decompressors fail with errors of the same type, which no system has numbered.
            Ok(error) if error.raw_os_error().is_some() => Err(Failure::Disk(*error)),
            Ok(error) => Err(Failure::Data(error.to_string())),
            Err(error) => Err(Failure::Data(error.to_string())),
        },
        Ok(Err(error)) => Err(Failure::Data(error.to_string())),
        Err(panic) => Err(Failure::Data(panic.to_string())),
    }
}
