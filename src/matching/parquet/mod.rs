//! Pairs as a Parquet file: the only place that names parquet.
//!
//! The columns are `configuration`, `segment`, `source`, `target` (strings), `distance` (32-bit integer), one double for
//! each further number, and `same_url` (boolean), none of them nullable; strings in dictionaries while these stay small, pages compressed
//! with Snappy. Rows are held back until they fill a row group: memory is bounded by `GROUP_ROWS` and
//! `GROUP_BYTES` whatever the number of rows, and nothing needs to be sought in the output. The same rows give the
//! same bytes. [`read_pairs`] reads pairs that others wrote so.

mod sketches;

pub use sketches::SketchRows;

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type};
use ::parquet::errors::ParquetError as Failure;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::record::{Field, Row as Record};
use ::parquet::schema::types::{Type, TypePtr};

use crate::MatchingError;

/// Rows of a full row group.
const GROUP_ROWS: usize = 1 << 18;
/// Bytes of strings that end a row group early.
const GROUP_BYTES: usize = 64 << 20;
/// The columns of strings, in the order of [`Row::strings`].
const STRINGS: [&str; 4] = ["configuration", "segment", "source", "target"];
/// The column after them.
const DISTANCE: &str = "distance";
const SAME_URL: &str = "same_url";

/// Why a Parquet file could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ParquetError {
    /// Two columns would have the same name.
    #[error("a Parquet file cannot have two columns {0:?}")]
    Name(String),
    /// A row has more or fewer numbers than there are columns for them.
    #[error("a row with {found} numbers for {expected} columns of a Parquet file")]
    Numbers {
        /// Columns named when the file was begun.
        expected: usize,
        /// Numbers of the row.
        found: usize,
    },
    /// The file could not be encoded or written.
    #[error("a Parquet file cannot be written")]
    Write(#[from] Failure),
}

/// One pair under one configuration.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// Name of the configuration that found the pair.
    pub configuration: &'a str,
    /// Segment of the target document.
    pub segment: &'a str,
    /// Id of the source document.
    pub source: &'a str,
    /// Id of the target document.
    pub target: &'a str,
    /// Distance of the sketches.
    pub distance: u16,
    /// The further numbers, one for each name given to [`ParquetWriter::new`].
    pub numbers: &'a [f64],
    /// Whether both documents have the same URL.
    pub same_url: bool,
}

impl<'a> Row<'a> {
    fn strings(&self) -> [&'a str; 4] {
        [self.configuration, self.segment, self.source, self.target]
    }
}

/// Writes rows into a Parquet file as they come.
pub struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    strings: [Vec<ByteArray>; 4],
    distances: Vec<i32>,
    numbers: Vec<Vec<f64>>,
    same_urls: Vec<bool>,
    /// Bytes of the strings held back, equal neighbours counted once.
    bytes: usize,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins a file whose rows end in these numbers.
    pub fn new(out: W, numbers: &[&str]) -> Result<Self, ParquetError> {
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let file = SerializedFileWriter::new(out, schema(numbers)?, Arc::new(properties))?;
        let numbers = vec![Vec::new(); numbers.len()];
        Ok(Self { file, strings: Default::default(), distances: Vec::new(), numbers, same_urls: Vec::new(), bytes: 0 })
    }

    pub fn push(&mut self, row: &Row<'_>) -> Result<(), ParquetError> {
        let (expected, found) = (self.numbers.len(), row.numbers.len());
        if expected != found {
            return Err(ParquetError::Numbers { expected, found });
        }
        for (column, value) in self.strings.iter_mut().zip(row.strings()) {
            // Rows come sorted, so most values repeat the one above: they share its memory.
            let value = match column.last() {
                Some(last) if last.data() == value.as_bytes() => last.clone(),
                _ => {
                    self.bytes += value.len();
                    ByteArray::from(value)
                }
            };
            column.push(value);
        }
        self.distances.push(i32::from(row.distance));
        for (column, &value) in self.numbers.iter_mut().zip(row.numbers) {
            column.push(value);
        }
        self.same_urls.push(row.same_url);
        if self.distances.len() >= GROUP_ROWS || self.bytes >= GROUP_BYTES {
            self.write_group()?;
        }
        Ok(())
    }

    /// Writes what is held back and the footer, and gives the output back, flushed.
    pub fn finish(mut self) -> Result<W, ParquetError> {
        if !self.distances.is_empty() {
            self.write_group()?;
        }
        let mut out = self.file.into_inner()?;
        out.flush().map_err(Failure::from)?;
        Ok(out)
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        for column in &mut self.strings {
            write_column::<ByteArrayType, W>(&mut group, column)?;
        }
        write_column::<Int32Type, W>(&mut group, &mut self.distances)?;
        for column in &mut self.numbers {
            write_column::<DoubleType, W>(&mut group, column)?;
        }
        write_column::<BoolType, W>(&mut group, &mut self.same_urls)?;
        group.close()?;
        self.bytes = 0;
        Ok(())
    }
}

/// A pair read from a Parquet file.
#[derive(Debug, Clone, PartialEq)]
pub struct ParquetPair {
    /// Id of the first document.
    pub first: String,
    /// Id of the second.
    pub second: String,
    /// The first column by name that is a score and has a value, if there is one.
    pub score: Option<f64>,
}

/// Reads pairs from a Parquet file, as NeMo Curator writes its edges: the ids stand in columns that end in `_x` and
/// `_y`, or are called `source` and `target`. A cell that is no id gives an empty one.
pub fn read_pairs(path: &Path, scores: &[&str]) -> Result<Vec<ParquetPair>, MatchingError> {
    let failed = |why: std::io::Error| MatchingError::File { doing: "reading", path: path.to_owned(), why };
    let file = File::open(path).map_err(failed)?;
    let broken = |why: Failure| failed(std::io::Error::other(why.to_string()));
    let reader = SerializedFileReader::new(file).map_err(broken)?;
    let names: Vec<String> =
        reader.metadata().file_metadata().schema().get_fields().iter().map(|field| field.name().to_owned()).collect();
    let find = |fits: &dyn Fn(&str) -> bool| names.iter().position(|name| fits(name));
    let first = find(&|name| name == "source" || name.ends_with("_x"));
    let second = find(&|name| name == "target" || name.ends_with("_y"));
    let (Some(first), Some(second)) = (first, second) else {
        let why = format!("no columns source and target, or …_x and …_y; there are {}", names.join(", "));
        return Err(failed(std::io::Error::other(why)));
    };
    let scores: Vec<usize> = scores.iter().filter_map(|score| find(&|name| name == *score)).collect();
    let score = match scores[..] {
        [] | [_] => scores.first().copied(),
        _ => first_with_number(&reader, &scores).map_err(broken)?,
    };
    let mut edges = Vec::new();
    for record in reader.get_row_iter(None).map_err(broken)? {
        let record = record.map_err(broken)?;
        let id = |at: usize| cell(&record, at).map_or_else(String::new, printed_id);
        let score = score.and_then(|at| cell(&record, at)).and_then(number);
        edges.push(ParquetPair { first: id(first), second: id(second), score });
    }
    Ok(edges)
}

/// The first of some columns that has a number in any row.
fn first_with_number(reader: &SerializedFileReader<File>, columns: &[usize]) -> Result<Option<usize>, Failure> {
    let mut first = columns.len();
    for record in reader.get_row_iter(None)? {
        let record = record?;
        let has_number = |at: &usize| cell(&record, *at).and_then(number).is_some();
        first = columns[..first].iter().position(has_number).unwrap_or(first);
        if first == 0 {
            break;
        }
    }
    Ok(columns.get(first).copied())
}

fn cell(record: &Record, at: usize) -> Option<&Field> {
    record.get_column_iter().nth(at).map(|(_, field)| field)
}

fn printed_id(field: &Field) -> String {
    match field {
        Field::Str(text) => text.clone(),
        Field::Int(n) => n.to_string(),
        Field::Long(n) => n.to_string(),
        Field::UInt(n) => n.to_string(),
        Field::ULong(n) => n.to_string(),
        _ => String::new(),
    }
}

fn number(field: &Field) -> Option<f64> {
    let number = match field {
        Field::Float(x) => f64::from(*x),
        Field::Double(x) => *x,
        Field::Int(x) => f64::from(*x),
        Field::Long(x) => *x as f64,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// Writes the next column of a row group and empties it.
fn write_column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &mut Vec<T::T>,
) -> Result<(), Failure> {
    if let Some(mut column) = group.next_column()? {
        column.typed::<T>().write_batch(values, None, None)?;
        column.close()?;
    }
    values.clear();
    Ok(())
}

fn schema(numbers: &[&str]) -> Result<TypePtr, ParquetError> {
    let mut columns: Vec<TypePtr> = Vec::new();
    let strings = STRINGS.map(|name| (name, Physical::BYTE_ARRAY, Some(LogicalType::String)));
    let numbers = numbers.iter().map(|&name| (name, Physical::DOUBLE, None));
    let distance = [(DISTANCE, Physical::INT32, None)];
    let same_url = [(SAME_URL, Physical::BOOLEAN, None)];
    for (name, physical, logical) in strings.into_iter().chain(distance).chain(numbers).chain(same_url) {
        if columns.iter().any(|column| column.name() == name) {
            return Err(ParquetError::Name(name.to_owned()));
        }
        let column = Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(logical)
            .build()?;
        columns.push(Arc::new(column));
    }
    Ok(Arc::new(Type::group_type_builder("pairs").with_fields(columns).build()?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    // Read from outside on 2026-11-15: with pyarrow 26.0.1, pandas 3.1.1 and duckdb 2.0.0 a file of 600,000 rows in
    // three row groups (ids beyond ASCII, NaN and infinities among the numbers) and a file without rows had the
    // columns, types and values that were pushed.

    fn write(rows: &[Row<'_>], numbers: &[&str]) -> File {
        let mut writer = ParquetWriter::new(tempfile::tempfile().unwrap(), numbers).unwrap();
        for row in rows {
            writer.push(row).unwrap();
        }
        writer.finish().unwrap()
    }

    /// Names of the columns, and the rows with every value printed, doubles by their bits.
    fn read(file: File) -> (Vec<String>, Vec<Vec<String>>) {
        let reader = SerializedFileReader::new(file).unwrap();
        let names = reader.metadata().file_metadata().schema().get_fields().iter().map(|f| f.name().to_owned());
        let print = |field: &Field| match field {
            Field::Str(text) => text.clone(),
            Field::Int(number) => number.to_string(),
            Field::Double(number) => number.to_bits().to_string(),
            Field::Bool(flag) => flag.to_string(),
            other => panic!("{other:?}"),
        };
        let rows = reader.get_row_iter(None).unwrap();
        let rows = rows.map(|row| row.unwrap().get_column_iter().map(|(_, field)| print(field)).collect());
        (names.collect(), rows.collect())
    }

    fn printed(row: &Row<'_>) -> Vec<String> {
        let strings = row.strings().map(str::to_owned).into_iter();
        let numbers = row.numbers.iter().map(|number| number.to_bits().to_string());
        strings.chain([row.distance.to_string()]).chain(numbers).chain([row.same_url.to_string()]).collect()
    }

    #[test]
    fn a_file_without_rows_has_its_columns() {
        let (names, rows) = read(write(&[], &["jaccard", "s3"]));
        assert_eq!(names, ["configuration", "segment", "source", "target", "distance", "jaccard", "s3", "same_url"]);
        assert!(rows.is_empty());
    }

    #[test]
    fn rows_fill_groups() {
        let targets: Vec<String> = (0..GROUP_ROWS + 3).map(|i| format!("t{i}")).collect();
        let row = |(i, target)| Row {
            configuration: "simhash-3+5",
            segment: "00",
            source: if i < 7 { "a" } else { "b" },
            target,
            distance: (i % 4) as u16,
            numbers: &[],
            same_url: false,
        };
        let rows: Vec<Row<'_>> = targets.iter().map(String::as_str).enumerate().map(row).collect();
        let file = write(&rows, &[]);
        let groups = SerializedFileReader::new(file.try_clone().unwrap()).unwrap();
        let sizes: Vec<i64> = groups.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
        assert_eq!(sizes, [GROUP_ROWS as i64, 3]);
        assert!(read(file).1.into_iter().eq(rows.iter().map(printed)));
    }

    #[test]
    fn long_strings_end_a_group_early() {
        let long = "x".repeat(GROUP_BYTES / 2);
        let longer = format!("{long}y");
        let row = |target| Row {
            configuration: "",
            segment: "",
            source: "",
            target,
            distance: u16::MAX,
            numbers: &[],
            same_url: false,
        };
        let file = write(&[row(&long), row(&long), row(&longer), row("")], &[]);
        let reader = SerializedFileReader::new(file).unwrap();
        assert_eq!(reader.metadata().row_groups().iter().map(|group| group.num_rows()).collect::<Vec<_>>(), [3, 1]);
    }

    #[test]
    fn edges_come_back() {
        let row = |source, target, numbers| Row {
            configuration: "",
            segment: "",
            source,
            target,
            distance: 0,
            numbers,
            same_url: false,
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("edges.parquet");
        let mut writer = ParquetWriter::new(File::create(&path).unwrap(), &["jaccard"]).unwrap();
        writer.push(&row("a", "b", &[0.75])).unwrap();
        writer.finish().unwrap();
        let edge = ParquetPair { first: "a".to_owned(), second: "b".to_owned(), score: Some(0.75) };
        assert_eq!(read_pairs(&path, &["score", "jaccard"]).unwrap(), [edge]);
        std::fs::write(&path, "PAR1 and nothing more").unwrap();
        assert!(matches!(read_pairs(&path, &[]), Err(MatchingError::File { .. })));
    }

    #[test]
    fn columns_must_fit() {
        assert!(matches!(ParquetWriter::new(Vec::new(), &["source"]), Err(ParquetError::Name(_))));
        assert!(matches!(ParquetWriter::new(Vec::new(), &["a", "a"]), Err(ParquetError::Name(_))));
        let mut writer = ParquetWriter::new(Vec::new(), &["jaccard"]).unwrap();
        let row =
            Row { configuration: "", segment: "", source: "", target: "", distance: 0, numbers: &[], same_url: false };
        assert!(matches!(writer.push(&row), Err(ParquetError::Numbers { expected: 1, found: 0 })));
    }

    #[test]
    fn the_same_rows_give_the_same_bytes() {
        let row = Row {
            configuration: "c",
            segment: "0",
            source: "a",
            target: "b",
            distance: 3,
            numbers: &[0.5],
            same_url: true,
        };
        let write = || {
            let mut writer = ParquetWriter::new(Vec::new(), &["jaccard"]).unwrap();
            writer.push(&row).unwrap();
            writer.finish().unwrap()
        };
        assert_eq!(write(), write());
    }

    proptest! {
        #[test]
        fn rows_come_back(rows in proptest::collection::vec(
            (any::<[String; 4]>(), any::<u16>(), proptest::num::f64::ANY), 0..20,
        )) {
            let rows: Vec<Row<'_>> = rows.iter().map(|([configuration, segment, source, target], distance, number)| Row {
                configuration, segment, source, target, distance: *distance, numbers: std::slice::from_ref(number), same_url: *distance == 0,
            }).collect();
            let (_, found) = read(write(&rows, &["jaccard"]));
            prop_assert_eq!(found, rows.iter().map(printed).collect::<Vec<_>>());
        }
    }
}
