//! What tasks of a cluster tell of the rows that they joined, as lines of a file, and how the run reads them.
//!
//! Lines are `pair HASH` for a document of the source that may have a pair, and `capped CONFIGURATION TABLE KEY SKETCHES`, apart
//! by tabs.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::StudyError;
use crate::run::kit::Kit;
use dejaview_base::system;
use dejaview_matching::capped::CappedKey;
use dejaview_matching::corpora::{Joined, Joiner};

/// Joins rows, each after its length in four bytes, that come sorted; writes what they tell.
pub fn join_rows(kit: &Kit, mut rows: impl Read, mut out: impl Write) -> io::Result<()> {
    let mut joiner = Joiner::new(&kit.configurations, kit.recipe.most_sketches);
    let (mut length, mut row) = ([0; 4], Vec::new());
    while !is_at_end(rows.read(&mut length[..1]))? {
        rows.read_exact(&mut length[1..])?;
        // A length that is not one must not ask for memory that no bytes fill.
        row.clear();
        let wanted = u64::from(u32::from_le_bytes(length));
        let read = rows.by_ref().take(wanted).read_to_end(&mut row)? as u64;
        let taken = if read == wanted { joiner.add(&row) } else { None };
        taken.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the rows of sketches are damaged"))?;
    }
    let Joined { hashes, capped } = joiner.finish();
    for hash in hashes {
        writeln!(out, "pair\t{hash:016x}")?;
    }
    for CappedKey { configuration, table, key, sketches } in capped {
        writeln!(out, "capped\t{configuration}\t{table}\t{key:016x}\t{sketches}")?;
    }
    out.flush()
}

fn is_at_end(read: io::Result<usize>) -> io::Result<bool> {
    match read {
        Err(why) if why.kind() == io::ErrorKind::Interrupted => Ok(false),
        read => Ok(read? == 0),
    }
}

/// Reads what all tasks have told, from the files of a folder.
pub(crate) fn read_joined(folder: &Path, configurations: usize) -> Result<Joined, StudyError> {
    let failed = |path: &Path, why| StudyError::File { doing: "reading", path: path.to_owned(), why };
    let mut joined = Joined::default();
    for entry in fs::read_dir(folder).map_err(|why| failed(folder, why))? {
        let path: PathBuf = entry.map_err(|why| failed(folder, why))?.path();
        if path.extension().is_some_and(|ending| ending == "tsv") {
            let text = system::read_text(&path).map_err(|why| failed(&path, why))?;
            let damaged = || StudyError::DamagedPart { path: path.clone() };
            text.lines().try_for_each(|line| read_line(line, configurations, &mut joined)).ok_or_else(damaged)?;
        }
    }
    Ok(joined)
}

fn read_line(line: &str, configurations: usize, joined: &mut Joined) -> Option<()> {
    let cells: Vec<&str> = line.split('\t').collect();
    match cells[..] {
        ["pair", hash] => _ = joined.hashes.insert(u64::from_str_radix(hash, 16).ok()?),
        ["capped", configuration, table, key, sketches] => {
            let configuration = configuration.parse().ok().filter(|number| *number < configurations)?;
            let (table, key) = (table.parse().ok()?, u64::from_str_radix(key, 16).ok()?);
            joined.capped.push(CappedKey { configuration, table, key, sketches: sketches.parse().ok()? });
        }
        _ => return None,
    }
    Some(())
}
