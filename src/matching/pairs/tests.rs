//! What is written is read again, and every damage is noticed.

use std::fs;

use super::*;
use crate::source::SourceDocument;
use crate::{DocumentNumber, ExtractedText, MatchingError};
use dejaview_corpus::{Document, Media};
use dejaview_methods::Side;
use dejaview_methods::measures::{Counts, place_of};
use dejaview_text::Tokens;

fn source(id: &str) -> SourceDocument {
    let text = "four words are here";
    let mut tokens = Tokens::new();
    tokens.read(text);
    let document =
        Document { id, url: "", date: "", media: Media::Text, charset: None, body: text.as_bytes(), offset: 0 };
    SourceDocument::new(0, &document, &ExtractedText { text, tokens: &tokens, charset: "UTF-8" })
}

fn example() -> (Vec<SourceDocument>, Vec<Target>, Vec<FoundPair<DocumentNumber>>) {
    let profile = |words| Profile { words, sizes: [words; 5], spaced: 3, norm: 9 };
    let sources = ["a", "ü", "z"].iter().map(|id| source(id)).collect();
    let targets = ["p", "q"]
        .iter()
        .map(|id| Target { id: (*id).into(), file: 0, offset: 0, profile: profile(5), same_source: None, url: 0 })
        .collect();
    let pair = |source: u32, target: u32, same_url| FoundPair {
        source: source.into(),
        target: target.into(),
        same_url,
        common: Common { grams: [3, 2, 1, 0, 0], spaced: 1, dot: 8 },
    };
    (sources, targets, vec![pair(0, 1, false), pair(1, 0, true), pair(1, 1, false)])
}

#[test]
fn what_was_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("00.pairs");
    let (sources, targets, found) = example();
    write(&path, &sources, &targets, PairRows::found(&found, &[(1, 3), (2, 0)])).unwrap();
    let file = PairsFile::open(&path).unwrap();
    assert_eq!((file.len(), file.sources(), file.targets()), (2, 1, 2), "only documents with a pair here");
    let pair = file.pair(0);
    assert_eq!((pair.source, pair.target, pair.distance, pair.same_url), ("ü", "p", 3, true));
    assert_eq!(pair.common, found[1].common);
    assert_eq!(pair.source_profile, sources[1].profile());
    assert_eq!(pair.target_profile, targets[0].profile);
    assert_eq!(pair.scores().jaccard_1, 3.0 / 6.0, "3 of 4 and 5");
    let (source, target) = file.numbers(0);
    for n in 0..10 {
        let jaccard = place_of(n).map(|place| file.counts_of(0, source, target).jaccard(place));
        assert_eq!(jaccard, pair.scores().jaccard(n), "{n}");
    }
    let (counts, scores) = (file.counts_of(0, source, target), pair.scores());
    assert_eq!([counts.cosine(), counts.cosine_binary()], [scores.cosine, scores.cosine_binary]);
    assert_eq!([counts.s3(), counts.dice_8(), counts.length_ratio()], [scores.s3, scores.dice_8, scores.length_ratio]);
    let containments = [Side::Source, Side::Target].map(|side| counts.containment(side));
    assert_eq!(containments, [scores.containment_source, scores.containment_target]);
    assert_eq!(counts.compared(), pair.compared());
    assert_eq!(file.rows_of_source("ü"), 0..2);
    assert_eq!(file.rows_of_source("a"), 0..0);
    assert!(!folder.path().join("00.part").exists());
}

#[test]
fn imported_pairs_need_no_texts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("imported.pairs");
    let pair = |source: u32, target: u32| FoundPair {
        source: source.into(),
        target: target.into(),
        same_url: false,
        common: Common::default(),
    };
    let imported = [Imported { score: Some(0.25), rank: 7 }, Imported { score: None, rank: 2 }];
    let found = [pair(0, 1), pair(1, 0)];
    let rows = PairRows { imported: &imported, ..PairRows::found(&found, &[(0, 3), (1, 0)]) };
    write_ids(&path, &["a", "b"], &["p", "q"], rows).unwrap();
    let file = PairsFile::open(&path).unwrap();
    let first = file.pair(0);
    assert_eq!((first.source, first.target, first.distance, first.imported), ("a", "q", 3, Some(imported[0])));
    assert_eq!(file.pair(1).imported, Some(imported[1]));
    assert!(!first.compared());
}

#[test]
fn the_ends_of_a_file_are_its_first_and_last_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("00.pairs");
    let (sources, targets, found) = example();
    write(&path, &sources, &targets, PairRows::found(&found, &[(0, 1), (1, 3), (2, 0)])).unwrap();
    let whole = PairsFile::open(&path).unwrap();
    for (most, rows) in [(0, &[][..]), (1, &[0, 2]), (2, &[0, 1, 2]), (3, &[0, 1, 2]), (9, &[0, 1, 2])] {
        let ends = PairsFile::ends(&path, most).unwrap();
        assert_eq!((ends.rows, ends.file.len(), ends.first), (3, rows.len(), if most > 1 { 3 } else { most }));
        for (i, row) in rows.iter().enumerate() {
            assert_eq!(ends.file.pair(i), whole.pair(*row));
        }
    }
    let bytes = fs::read(&path).unwrap();
    for length in 0..bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        let _ = PairsFile::ends(&path, 3);
    }
    assert!(PairsFile::ends(folder.path(), 3).is_none());
}

#[test]
fn no_pairs_is_a_file_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("00.pairs");
    write(&path, &[], &[], PairRows::found(&[], &[])).unwrap();
    assert!(PairsFile::open(&path).unwrap().is_empty());
}

#[test]
fn every_damage_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("00.pairs");
    let (sources, targets, found) = example();
    write(&path, &sources, &targets, PairRows::found(&found, &[(0, 1)])).unwrap();
    let whole = fs::read(&path).unwrap();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(matches!(PairsFile::open(&path), Err(MatchingError::Damaged { .. })), "cut at {length}");
    }
    for place in 0..whole.len() {
        let mut broken = whole.clone();
        broken[place] ^= 0x10;
        fs::write(&path, &broken).unwrap();
        assert!(matches!(PairsFile::open(&path), Err(MatchingError::Damaged { .. })), "flipped at {place}");
    }
}

#[test]
fn a_forged_number_of_rows_is_no_place_in_the_file() {
    let header: Vec<u8> = [&b"dejaview"[..], &[2, 0, 0, 0], &[0; 8], &[0xff; 8], &[0; 4], &[0; 8]].concat();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("00.pairs");
    std::fs::write(&path, header).unwrap();
    assert!(PairsFile::ends(&path, 2).is_none());
    assert!(PairsFile::open(&path).is_err());
}
