//! Rows in the order of their bytes, more of them than memory holds: sorted runs on disk, merged when they are read.
//!
//! Memory is what is asked for while rows are added, and 64 KiB a run while they are read.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Bytes of a run that are read at once.
const BUFFER: usize = 64 << 10;
/// Bytes that a row takes in memory beside its own.
const ROW: usize = 16;

/// Rows that are being sorted.
#[derive(Debug)]
pub struct SortedRuns {
    folder: PathBuf,
    /// Bytes that rows may take in memory.
    memory: usize,
    bytes: Vec<u8>,
    /// Where each row in `bytes` begins, and its length.
    rows: Vec<(u64, u32)>,
    runs: Vec<PathBuf>,
    /// Bytes that were written to disk.
    pub written: u64,
}

impl SortedRuns {
    /// Rows that take at most so many bytes of memory; runs are written into a folder, which is made and removed.
    pub fn new(folder: &Path, memory: usize) -> io::Result<Self> {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder)?;
        Ok(Self {
            folder: folder.to_owned(),
            memory,
            bytes: Vec::new(),
            rows: Vec::new(),
            runs: Vec::new(),
            written: 0,
        })
    }

    pub fn add(&mut self, row: &[u8]) -> io::Result<()> {
        self.rows.push((self.bytes.len() as u64, row.len() as u32));
        self.bytes.extend_from_slice(row);
        if self.bytes.len() + ROW * self.rows.len() > self.memory { self.spill() } else { Ok(()) }
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        self.rows.sort_unstable_by(|a, b| slice(bytes, *a).cmp(slice(bytes, *b)));
    }

    /// Writes the rows in memory as a run.
    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        let path = self.folder.join(self.runs.len().to_string());
        let mut file = BufWriter::new(File::create(&path)?);
        for row in &self.rows {
            file.write_all(&row.1.to_le_bytes())?;
            file.write_all(slice(&self.bytes, *row))?;
        }
        file.flush()?;
        self.written += (self.bytes.len() + 4 * self.rows.len()) as u64;
        self.bytes.clear();
        self.rows.clear();
        self.runs.push(path);
        Ok(())
    }

    /// Shows all rows in order.
    pub fn each(mut self, mut show: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        self.sort();
        let mut runs = Vec::new();
        for path in &self.runs {
            runs.push(BufReader::with_capacity(BUFFER, File::open(path)?));
        }
        let mut heap = BinaryHeap::new();
        for (number, run) in runs.iter_mut().enumerate() {
            let mut row = Vec::new();
            if read_row(run, &mut row)? {
                heap.push(Reverse((row, number)));
            }
        }
        let mut held = self.rows.iter().map(|row| slice(&self.bytes, *row)).peekable();
        loop {
            let Some(mut first) = heap.peek_mut() else {
                return held.try_for_each(show);
            };
            let Reverse((row, number)) = &mut *first;
            if let Some(own) = held.next_if(|own| *own <= &row[..]) {
                show(own)?;
                continue;
            }
            show(row)?;
            if !read_row(&mut runs[*number], row)? {
                PeekMut::pop(first);
            }
        }
    }
}

impl Drop for SortedRuns {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn slice(bytes: &[u8], (start, length): (u64, u32)) -> &[u8] {
    &bytes[start as usize..][..length as usize]
}

/// Reads the next row of a run; false at its end.
fn read_row(run: &mut impl Read, row: &mut Vec<u8>) -> io::Result<bool> {
    let mut length = [0; 4];
    match run.read_exact(&mut length) {
        Err(why) if why.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
        read => read?,
    }
    row.resize(u32::from_le_bytes(length) as usize, 0);
    run.read_exact(row)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_come_sorted_whatever_the_memory(
            rows in proptest::collection::vec(proptest::collection::vec(0u8..4, 0..6), 0..200),
            memory in 1usize..4_000,
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut runs = SortedRuns::new(&folder.path().join("runs"), memory).unwrap();
            rows.iter().try_for_each(|row| runs.add(row)).unwrap();
            let mut seen = Vec::new();
            runs.each(|row| { seen.push(row.to_vec()); Ok(()) }).unwrap();
            let mut expected = rows;
            expected.sort();
            prop_assert_eq!(seen, expected);
            prop_assert!(!folder.path().join("runs").exists(), "nothing is left behind");
        }
    }
}
