//! The columns of a table that make a document, and how a stretch of one is read.

use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::{ByteArray, ByteArrayType, DataType};
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::RowGroupReader;
use ::parquet::schema::types::SchemaDescriptor;

/// Names of each kind of column, the better one first, in any case.
const ID: &[&str] = &["id", "docid", "_id", "docno", "doc_id"];
const URL: &[&str] = &["url", "uri", "article_url"];
const DATE: &[&str] = &["date", "timestamp", "published_date"];
const HTML: &[&str] = &["html"];
const TEXT: &[&str] = &["text", "contents", "content", "body", "raw_content"];

/// Which columns hold what, by their number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Columns {
    pub(super) id: Option<usize>,
    pub(super) url: Option<usize>,
    pub(super) date: Option<usize>,
    pub(super) body: usize,
    pub(super) is_html: bool,
}

impl Columns {
    /// The columns of a table; `Err` names those it has when none holds a page.
    pub(super) fn find(schema: &SchemaDescriptor) -> Result<Self, String> {
        // Lists and parts of structures have other paths, or more than one value a row.
        let whole =
            |at: &usize| schema.column(*at).path().parts().len() == 1 && schema.column(*at).max_rep_level() == 0;
        let find = |names: &[&str]| {
            names.iter().find_map(|name| {
                (0..schema.num_columns()).filter(whole).find(|&at| schema.column(at).name().eq_ignore_ascii_case(name))
            })
        };
        let (html, text) = (find(HTML), find(TEXT));
        let Some(body) = html.or(text) else {
            let names: Vec<&str> = schema.columns().iter().map(|column| column.name()).collect();
            return Err(format!("no column html or text; there are {}", names.join(", ")));
        };
        Ok(Self { id: find(ID), url: find(URL), date: find(DATE), body, is_html: html.is_some() })
    }
}

/// A column of a row group, while its rows are read.
pub(super) struct Column {
    reader: ColumnReader,
    /// The level at which a value is there; below it is a null.
    present: i16,
}

impl Column {
    pub(super) fn open(group: &dyn RowGroupReader, at: usize) -> Result<Self, ParquetError> {
        let present = group.metadata().schema_descr().column(at).max_def_level();
        Ok(Self { reader: group.get_column_reader(at)?, present })
    }

    /// The values of the next rows as text, at most `most` of them. Nulls, and values that are neither text nor whole
    /// numbers, are empty.
    pub(super) fn read(&mut self, most: usize) -> Result<Vec<ByteArray>, ParquetError> {
        match &mut self.reader {
            ColumnReader::ByteArrayColumnReader(reader) => {
                read::<ByteArrayType>(reader, self.present, most, ByteArray::clone)
            }
            ColumnReader::Int32ColumnReader(reader) => {
                read(reader, self.present, most, |n| ByteArray::from(n.to_string().into_bytes()))
            }
            ColumnReader::Int64ColumnReader(reader) => {
                read(reader, self.present, most, |n| ByteArray::from(n.to_string().into_bytes()))
            }
            _ => Ok(vec![ByteArray::from(Vec::new()); most]),
        }
    }
}

fn read<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    present: i16,
    most: usize,
    text: impl Fn(&T::T) -> ByteArray,
) -> Result<Vec<ByteArray>, ParquetError> {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let (rows, ..) = reader.read_records(most, Some(&mut levels), None, &mut values)?;
    if present == 0 {
        return Ok(values.iter().map(text).collect());
    }
    let mut values = values.iter();
    let mut value = || values.next().map_or_else(|| ByteArray::from(Vec::new()), &text);
    Ok(levels
        .iter()
        .take(rows)
        .map(|&level| if level == present { value() } else { ByteArray::from(Vec::new()) })
        .collect())
}
