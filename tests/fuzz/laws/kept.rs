//! Files that a run keeps. Their checksums find damage, so these laws put the right ones in: what lies behind them must hold, too.

use std::collections::BTreeSet;
use std::fs;

use dejaview::base::hash;
use dejaview::index::{Index, KeptSide, texts_path};
use dejaview::matching::DocumentNumber;
use dejaview::matching::pairs::PairsFile;
use dejaview::methods::Side;
use dejaview::methods::learned::model::Model;
use dejaview::methods::statistics::Statistics;
use dejaview::text::Recurring;
use xxhash_rust::xxh3::xxh3_64;

use super::scratch;

/// Pairs of a file that are looked at: a few bytes may stand for billions of them.
const LOOKED_AT: usize = 1_000;

/// A file of pairs: each pair is found by its documents, and by its source.
pub fn pairs(bytes: &[u8]) {
    let body = &bytes[..bytes.len().saturating_sub(8)];
    let sealed = [body, &xxh3_64(body).to_le_bytes()].concat();
    for bytes in [bytes, &sealed] {
        let path = scratch::file("00.pairs", bytes);
        let ends = PairsFile::ends(&path, 2);
        let Ok(file) = PairsFile::open(&path) else { continue };
        assert!(ends.is_none_or(|ends| ends.rows <= file.rows() as u64), "more pairs at the ends than in all");
        let ascend = |side: Side| {
            let ids: Vec<&str> = DocumentNumber::all(file.documents(side)).map(|n| file.id(side, n)).collect();
            ids.is_sorted_by(|a, b| a < b)
        };
        let rows: Vec<_> = (0..file.rows()).map(|row| file.row(row)).collect();
        let is_sound = ascend(Side::Source) && ascend(Side::Target) && rows.is_sorted_by(|a, b| a < b);
        for side in [Side::Source, Side::Target] {
            assert_eq!(file.all_groups(side).len(), file.groups(side));
        }
        for (i, pair) in file.pairs().enumerate().take(LOOKED_AT) {
            pair.scores();
            assert!(!is_sound || file.find(pair.source, pair.target) == Some(pair) || pair.imported.is_some());
            assert!(!is_sound || file.rows_of_source(pair.source).contains(&i), "pair {i} among those of its source");
        }
        file.find("a", "b");
        file.rows_of_source("a");
    }
}

/// A file of texts: what it lists is there or said to be damaged.
pub fn texts(bytes: &[u8]) {
    for bytes in [bytes.to_vec(), with_checksums(bytes)] {
        let folder = scratch::empty_folder("index");
        let path = texts_path(&folder, "00");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &bytes).unwrap();
        let damage = Index::damage(&folder, &["00"]);
        let index = Index::open(&folder, &["00"]);
        let mut titles = BTreeSet::new();
        let listed =
            index.for_each_title(0, |side, id, _, _| titles.insert((side, id.to_owned())) || titles.len() < 100);
        for (side, id) in &titles {
            let _ = index.titled(*side, id, None);
            let _ = index.document(*side, id);
        }
        let _ = index.list(Some(KeptSide::Target), 0, 10);
        assert!(damage.is_empty() || !damage[0].why.is_empty());
        assert!(!damage.is_empty() || listed.is_ok(), "whole, and still not read");
    }
}

/// Puts the right checksums into a file of texts, as far as it has the parts of one.
fn with_checksums(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    // What has no such parts stays as it is.
    seal(&mut bytes);
    bytes
}

fn seal(bytes: &mut [u8]) -> Option<()> {
    let last = bytes.len().checked_sub(32)?;
    let place = usize::try_from(number(bytes, last)?).ok()?;
    let mut at = place;
    while at < last {
        let id = usize::try_from(number(bytes, at + 1)?).ok()?;
        at = at.checked_add(9)?.checked_add(id)?;
        let (from, length) = (usize::try_from(number(bytes, at)?).ok()?, usize::try_from(number(bytes, at + 8)?).ok()?);
        if let Some(block) = bytes.get(from..from.checked_add(length)?) {
            let checksum = hash::token(block);
            put(bytes, at + 24, checksum)?;
        }
        at += 40;
    }
    let directory = hash::token(bytes.get(place..last)?);
    put(bytes, last + 16, directory)?;
    let end = hash::token(bytes.get(last..last + 24)?);
    put(bytes, last + 24, end)
}

fn number(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn put(bytes: &mut [u8], at: usize, number: u64) -> Option<()> {
    bytes.get_mut(at..)?.get_mut(..8)?.copy_from_slice(&number.to_le_bytes());
    Some(())
}

/// What methods were fitted to, lines of hosts, a learned rule: what is read is what was written.
pub fn fitted(bytes: &[u8]) {
    let body = &bytes[..bytes.len().saturating_sub(8)];
    let sealed = [body, &hash::token(body).to_le_bytes()].concat();
    for bytes in [bytes, &sealed] {
        if let Some(statistics) = Statistics::from_bytes(bytes) {
            let again = Statistics::from_bytes(&statistics.to_bytes()).unwrap();
            assert_eq!(again.to_bytes(), statistics.to_bytes());
            statistics.average_length();
            for (word, frequency) in statistics.words().iter().take(10) {
                statistics.frequency(*word);
                statistics.idf(*frequency);
            }
        }
        if let Ok(lines) = Recurring::from_bytes(bytes) {
            assert_eq!(lines.to_bytes(), bytes);
            lines.strip("host", "a line\nanother", &mut String::new());
        }
    }
    if let Some(model) = std::str::from_utf8(bytes).ok().and_then(|text| Model::read(text).ok()) {
        assert_eq!(Model::read(&model.written()).unwrap().written(), model.written());
        model.rule_for("a", "b");
    }
}
