//! Rows: what is kept of a document for each of its keys, in bytes whose order brings together what is compared.

use dejaview_base::hash;

/// Words of the longest sketch that is part of a row; a longer one would be written once for each of its keys.
const LONG: usize = 16;
/// Stands in place of the number of words before the digest of a long sketch.
const DIGEST: u8 = u8::MAX;

/// A document, by hashes. Two places are equal where the document of the target is that of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub id: u64,
    pub content: u64,
}

/// The side of the join that a document is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Source,
    Target,
}

/// A key of a document, as it is sorted: by table, key, sketch and side.
#[derive(Debug)]
pub struct Row<'a> {
    /// Number of the configuration and of its table.
    pub table: u32,
    pub key: u64,
    /// The number of words and the words, or the digest of a long one: the same for the same sketches alone.
    pub sketch: &'a [u8],
    pub side: Side,
    pub place: Place,
}

impl<'a> Row<'a> {
    /// Appends a row after its length.
    pub(super) fn write(table: u32, key: u64, sketch: &[u64], side: Side, place: Place, out: &mut Vec<u8>) {
        let is_long = sketch.len() > LONG;
        let length = 4 + 8 + 1 + if is_long { 16 } else { 8 * sketch.len() } + 1 + 16;
        out.extend((length as u32).to_le_bytes());
        out.extend(table.to_be_bytes());
        out.extend(key.to_be_bytes());
        // Before the words, so that rows with the same sketch come one after another whatever the lengths of others.
        out.push(if is_long { DIGEST } else { sketch.len() as u8 });
        if is_long {
            let bytes: Vec<u8> = sketch.iter().flat_map(|word| word.to_be_bytes()).collect();
            out.extend(hash::digest_bits(&bytes).to_be_bytes());
        } else {
            sketch.iter().for_each(|word| out.extend(word.to_be_bytes()));
        }
        out.push(side as u8);
        out.extend(place.id.to_be_bytes());
        out.extend(place.content.to_be_bytes());
    }

    /// Reads a row without its length.
    pub fn read(row: &'a [u8]) -> Option<Self> {
        let (table, rest) = row.split_first_chunk()?;
        let (key, rest) = rest.split_first_chunk()?;
        let (rest, content) = rest.split_last_chunk()?;
        let (rest, id) = rest.split_last_chunk()?;
        let (&side, sketch) = rest.split_last()?;
        let side = if side == Side::Source as u8 { Side::Source } else { Side::Target };
        let place = Place { id: u64::from_be_bytes(*id), content: u64::from_be_bytes(*content) };
        Some(Self { table: u32::from_be_bytes(*table), key: u64::from_be_bytes(*key), sketch, side, place })
    }

    /// The sketch; empty where only its digest is known.
    pub(super) fn words(&self) -> Vec<u64> {
        match self.sketch.split_first() {
            Some((&count, words)) if count != DIGEST => {
                words.as_chunks().0.iter().map(|word| u64::from_be_bytes(*word)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The rows in bytes, each after its length.
pub fn each_row(mut rows: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, rest) = rows.split_first_chunk()?;
        let (row, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        rows = rest;
        Some(row)
    })
}

/// One number for a configuration and one of its tables.
pub(super) fn table_number(configuration: usize, table: u32) -> u32 {
    (configuration as u32) << 16 | table
}

pub(super) fn split_table(number: u32) -> (usize, u32) {
    ((number >> 16) as usize, number & 0xffff)
}
