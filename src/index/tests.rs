//! The index through its public door: kept, found, forgotten, reopened.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use dejaview_base::both::BothSides;
use dejaview_base::hash::fmix64;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

fn kept<'a>(side: KeptSide, segment: &'a str, id: &'a str, text: &'a str) -> KeptDocument<'a> {
    KeptDocument {
        side,
        segment,
        id,
        url: "https://www.example.org/about/us.html?q=1",
        date: "2009-03-01T00:00:00Z",
        charset: "UTF-8",
        media: "html",
        file: "00.warc.gz",
        offset: 12,
        bytes: 345,
        digest: "ab",
        text,
    }
}

fn source<'a>(id: &'a str, text: &'a str) -> KeptDocument<'a> {
    kept(KeptSide::Source, "", id, text)
}

fn target<'a>(id: &'a str, text: &'a str) -> KeptDocument<'a> {
    kept(KeptSide::Target, "00", id, text)
}

/// The parts of the studies of these tests.
const PARTS: [&str; 3] = ["", "00", "01"];

/// Writes the file of each part. Documents of the source are in that of the source.
fn write(folder: &Path, documents: &[KeptDocument<'_>]) {
    fs::create_dir_all(segments_folder(folder)).unwrap();
    for part in PARTS {
        write_part(folder, part, documents);
    }
}

/// Writes the file of one part; of documents that are there twice the last counts.
fn write_part(folder: &Path, part: &str, documents: &[KeptDocument<'_>]) {
    let queue = TextQueue::new(&texts_path(folder, part)).unwrap();
    let mut places = BTreeMap::new();
    for document in documents.iter().filter(|document| document.segment == part) {
        places.insert((document.side, document.id), queue.add(document).unwrap());
    }
    queue.finish(places.into_iter().map(|((side, id), place)| (side, id, place)).collect()).unwrap();
}

fn index_of(documents: &[KeptDocument<'_>]) -> (TempDir, Index) {
    let dir = TempDir::new().unwrap();
    write(dir.path(), documents);
    index_words(dir.path(), &PARTS, 1, &|| false).unwrap();
    let index = Index::open(dir.path(), &PARTS);
    (dir, index)
}

fn ids(index: &Index, query: &str) -> Vec<String> {
    index.search(query, None, 100).unwrap().into_iter().map(|result| result.id).collect()
}

#[test]
fn kept_documents_come_back_after_reopening() {
    let (dir, index) = index_of(&[source("a", "Öl und Wasser"), target("a", ""), target("b\u{0}\n", "x")]);
    assert_eq!(index.texts(), 3);
    drop(index);
    let index = Index::open(dir.path(), &PARTS);
    let stored = index.document(KeptSide::Source, "a").unwrap().unwrap();
    assert_eq!(stored.as_kept(), source("a", "Öl und Wasser"));
    assert_eq!(index.document(KeptSide::Target, "a").unwrap().unwrap().as_kept(), target("a", ""));
    assert!(index.contains(KeptSide::Target, "b\u{0}\n").unwrap());
    assert!(!index.contains(KeptSide::Source, "b\u{0}\n").unwrap());
    assert_eq!(index.document(KeptSide::Target, "A").unwrap(), None);
}

#[test]
fn the_same_documents_give_the_same_bytes_in_any_order_from_any_thread() {
    let ids: Vec<String> = (0..200).map(|i| format!("d{i}")).collect();
    let texts: Vec<String> = (0..200).map(|i| format!("text {i} ").repeat(i)).collect();
    let documents: Vec<KeptDocument<'_>> = ids.iter().zip(&texts).map(|(id, text)| target(id, text)).collect();
    let (dir, index) = index_of(&documents);
    assert_eq!(index.texts(), 200);
    let again = TempDir::new().unwrap();
    fs::create_dir_all(segments_folder(again.path())).unwrap();
    let queue = TextQueue::new(&texts_path(again.path(), "00")).unwrap();
    let places: Vec<(KeptSide, &str, u64)> = std::thread::scope(|scope| {
        let halves = [&documents[100..], &documents[..100]];
        let added = halves.map(|half| {
            let queue = &queue;
            scope.spawn(move || half.iter().rev().map(|d| (d.side, d.id, queue.add(d).unwrap())).collect::<Vec<_>>())
        });
        added.into_iter().flat_map(|added| added.join().unwrap()).collect()
    });
    queue.finish(places).unwrap();
    let files = [dir, again].map(|dir| fs::read(texts_path(dir.path(), "00")).unwrap());
    assert!(files[0] == files[1]);
}

#[test]
fn what_was_written_again_is_indexed_again_and_the_rest_is_kept() {
    let other = kept(KeptSide::Target, "01", "c", "green");
    let documents = [source("s", "green"), target("a", "green"), target("b", "green"), other];
    let (dir, index) = index_of(&documents);
    assert_eq!(ids(&index, "green"), ["s", "a", "b", "c"]);
    write_part(dir.path(), "00", &[target("b", "green again"), target("b", "green again twice")]);
    assert_eq!(ids(&index, "green").len(), 4, "what is open does not change");
    let index = Index::open(dir.path(), &PARTS);
    assert_eq!(index.document(KeptSide::Target, "b").unwrap().unwrap().text, "green again twice");
    let why = index.search("green", None, 9).unwrap_err().to_string();
    assert!(why.contains("of other texts") && why.contains("`dejaview run`"), "{why}");
    index_words(dir.path(), &PARTS, 2, &|| true).unwrap();
    let why = Index::open(dir.path(), &PARTS).search("green", None, 9).unwrap_err().to_string();
    assert!(why.contains("not indexed yet"), "it was cancelled: {why}");
    index_words(dir.path(), &PARTS, 2, &|| false).unwrap();
    assert_eq!(ids(&Index::open(dir.path(), &PARTS), "green"), ["s", "c", "b"]);
}

#[test]
fn another_segment_is_added_to_the_index() {
    let dir = TempDir::new().unwrap();
    write(dir.path(), &[source("s", "green"), target("a", "green"), kept(KeptSide::Target, "01", "c", "green")]);
    index_words(dir.path(), &PARTS[..2], 1, &|| false).unwrap();
    let words = dir.path().join("words");
    let files = || fs::read_dir(&words).unwrap().map(|file| file.unwrap().file_name()).collect::<BTreeSet<_>>();
    let before = files();
    assert_eq!(ids(&Index::open(dir.path(), &PARTS[..2]), "green"), ["s", "a"]);
    index_words(dir.path(), &PARTS, 1, &|| false).unwrap();
    assert!(files().is_superset(&before), "what was indexed stays");
    let index = Index::open(dir.path(), &PARTS);
    assert_eq!(ids(&index, "green"), ["s", "a", "c"]);
    assert_eq!(index.term_statistics("green").unwrap().target, Occurrences { documents: 2, occurrences: 2 });
}

#[test]
fn titles_are_kept_without_texts() {
    let dir = TempDir::new().unwrap();
    fs::create_dir_all(segments_folder(dir.path())).unwrap();
    let mut file = TextsWriter::create(&texts_path(dir.path(), "")).unwrap();
    file.add_title(&source("a", "Öl\nund Wasser")).unwrap();
    file.add(&source("b", "Feuer")).unwrap();
    file.finish().unwrap();
    write_part(dir.path(), "00", &[target("a", "Erde")]);
    let index = Index::open(dir.path(), &["", "00"]);
    assert_eq!(index.titled(KeptSide::Source, "a", None).unwrap().unwrap().title, "Öl");
    assert_eq!(index.document(KeptSide::Source, "a").unwrap(), None);
    assert!(!index.contains(KeptSide::Source, "a").unwrap() && index.contains(KeptSide::Source, "b").unwrap());
    assert_eq!((index.texts(), index.list(None, 0, 9).unwrap().total), (2, 2));
    let mut titles = Vec::new();
    for part in 0..index.parts() {
        let read = index.for_each_title(part, |side, id, _, title| {
            titles.push((side, id.to_owned(), title.to_owned()));
            true
        });
        read.unwrap();
    }
    let titled = |side, id: &str, title: &str| (side, id.to_owned(), title.to_owned());
    let (source, target) = (KeptSide::Source, KeptSide::Target);
    assert_eq!(titles, [titled(source, "a", "Öl"), titled(source, "b", "Feuer"), titled(target, "a", "Erde")]);
}

#[test]
fn lists_are_in_the_order_of_side_and_id() {
    let names: Vec<String> = (0..150).map(|i| format!("{:03}", i * 7 % 150)).collect();
    let part = |i: usize| if i.is_multiple_of(3) { "00" } else { "01" };
    let mut documents: Vec<_> =
        names.iter().enumerate().map(|(i, id)| kept(KeptSide::Target, part(i), id, "x")).collect();
    documents.extend([source("zz", "x"), source("007", "x")]);
    let (_dir, index) = index_of(&documents);
    let listed = |side, from, count| {
        let listing = index.list(side, from, count).unwrap();
        (listing.total, listing.documents.into_iter().map(|d| d.id).collect::<Vec<_>>())
    };
    assert_eq!(listed(None, 0, 4), (152, ["007", "zz", "000", "001"].map(str::to_owned).to_vec()));
    let mut sorted = names.clone();
    sorted.sort();
    assert_eq!(listed(Some(KeptSide::Target), 0, 1_000), (150, sorted));
    assert_eq!(listed(Some(KeptSide::Source), 1, 5), (2, vec!["zz".to_owned()]));
    assert_eq!(listed(None, 152, 5), (152, Vec::new()));
    let once =
        index.clone().with_shared_documents_once(&BothSides::new(["007".to_owned(), "nowhere".to_owned()])).unwrap();
    assert_eq!(once.list(None, 0, 0).unwrap().total, 151);
    assert_eq!(once.list(Some(KeptSide::Target), 7, 1).unwrap().documents[0].id, "007");
    assert_eq!(once.search("id:007", None, 9).unwrap().len(), 1);
}

#[test]
fn a_document_of_the_source_in_several_parts_is_one() {
    let in_segment = |segment| KeptDocument { side: KeptSide::Source, ..kept(KeptSide::Target, segment, "s", "green") };
    let dir = TempDir::new().unwrap();
    write(
        dir.path(),
        &[in_segment("00"), in_segment("01"), target("a", "green"), kept(KeptSide::Target, "01", "c", "x")],
    );
    for parts in [2, 3] {
        index_words(dir.path(), &PARTS[..parts], 1, &|| false).unwrap();
    }
    let index = Index::open(dir.path(), &PARTS);
    assert_eq!(ids(&index, "green"), ["s", "a"]);
    assert_eq!(index.term_statistics("green").unwrap().source, Occurrences { documents: 1, occurrences: 1 });
    assert_eq!(index.list(None, 0, 9).unwrap().total, 3);
    assert_eq!(index.document(KeptSide::Source, "s").unwrap().unwrap().segment, "");
    fs::write(texts_path(dir.path(), "00"), "broken").unwrap();
    let index = Index::open(dir.path(), &PARTS);
    assert_eq!(index.document(KeptSide::Source, "s").unwrap().unwrap().text, "green", "the other part has it too");
}

/// Everything that an index says, or the words in which it says that it cannot.
fn everything(index: &Index) -> Vec<Result<String, String>> {
    let said = |result: Result<String, IndexError>| result.map_err(|why| why.to_string());
    let mut all = Vec::new();
    for side in KeptSide::ALL {
        for id in (0..40).map(|i| format!("d{i}")) {
            all.push(said(index.document(side, &id).map(|document| format!("{document:?}"))));
            all.push(said(index.titled(side, &id, None).map(|document| format!("{document:?}"))));
        }
        all.push(said(index.ids_with_url("example", side).map(|ids| format!("{:?}", BTreeSet::from_iter(ids)))));
    }
    all.push(said(index.list(None, 0, 100).map(|listing| format!("{listing:?}"))));
    for query in ["word1", "\"word1 word2\"", "id:d3", "url:about"] {
        all.push(said(index.search(query, None, 50).map(|results| format!("{results:?}"))));
    }
    all.push(said(index.term_statistics("word2").map(|statistics| format!("{statistics:?}"))));
    let mut words = Vec::new();
    let vocabulary = index.vocabulary(|word, documents| words.push((word.to_owned(), documents)));
    all.push(said(vocabulary.map(|()| format!("{words:?}"))));
    all
}

#[test]
fn a_changed_bit_is_said_and_never_shows_another_text() {
    let texts: Vec<String> = (0..40).map(|i| format!("Title {i}\nword{i} word{} ", i + 1).repeat(i % 7 + 1)).collect();
    let names: Vec<String> = (0..40).map(|i| format!("d{i}")).collect();
    let documents: Vec<_> = names
        .iter()
        .zip(&texts)
        .enumerate()
        .map(|(i, (id, text))| if i.is_multiple_of(4) { source(id, text) } else { target(id, text) })
        .collect();
    let (dir, index) = index_of(&documents);
    let expected = everything(&index);
    assert!(expected.iter().all(Result::is_ok), "{expected:?}");
    let mut files: Vec<PathBuf> = vec![texts_path(dir.path(), ""), texts_path(dir.path(), "00")];
    files.extend(fs::read_dir(dir.path().join("words")).unwrap().map(|file| file.unwrap().path()));
    files.sort();
    let (mut said, mut tried) = (0, 0);
    for (number, path) in files.iter().enumerate() {
        let whole = fs::read(path).unwrap();
        for round in 0..if whole.is_empty() { 0 } else { 100 } {
            let bit = fmix64(number as u64 * 1_000 + round) as usize % (8 * whole.len());
            let mut changed = whole.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            fs::write(path, &changed).unwrap();
            let found = everything(&Index::open(dir.path(), &PARTS));
            for (found, expected) in found.iter().zip(&expected) {
                match found {
                    Ok(_) => assert_eq!(found, expected, "bit {bit} of {}", path.display()),
                    Err(why) => assert!(why.contains("`dejaview run`"), "{why}"),
                }
            }
            said += usize::from(found.iter().any(Result::is_err));
            tried += 1;
        }
        fs::write(path, &whole).unwrap();
    }
    assert_eq!(said, tried, "every changed bit is said");
    assert_eq!(everything(&Index::open(dir.path(), &PARTS)), expected);
}

#[test]
fn what_is_damaged_is_named_and_the_rest_can_be_read() {
    let (dir, _) =
        index_of(&[source("s", "one"), target("a", "two two two"), kept(KeptSide::Target, "01", "c", "three")]);
    assert_eq!(Index::damage(dir.path(), &PARTS), []);
    let path = texts_path(dir.path(), "00");
    let whole = fs::read(&path).unwrap();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let damaged = Index::damage(dir.path(), &PARTS);
        assert_eq!(damaged.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["00"], "{length} bytes");
    }
    let mut changed = whole.clone();
    let at = whole.windows(3).position(|bytes| bytes == b"two").unwrap();
    changed[at] ^= 1;
    fs::write(&path, &changed).unwrap();
    let index = Index::open(dir.path(), &PARTS);
    let why = index.document(KeptSide::Target, "a").unwrap_err().to_string();
    assert!(why.starts_with("the text of a is damaged: its checksum in ") && why.contains("00.texts"), "{why}");
    assert_eq!(index.document(KeptSide::Target, "c").unwrap().unwrap().text, "three");
    assert_eq!(Index::damage(dir.path(), &PARTS)[0].why, "the checksum of the text of a is wrong");
    fs::remove_file(&path).unwrap();
    let index = Index::open(dir.path(), &PARTS);
    assert_eq!(index.document(KeptSide::Source, "s").unwrap().unwrap().text, "one");
    assert_eq!(index.document(KeptSide::Target, "c").unwrap().unwrap().text, "three");
    for why in [
        index.document(KeptSide::Target, "a").map(drop),
        index.list(None, 0, 1).map(drop),
        index.search("one", None, 1).map(drop),
    ] {
        let why = why.unwrap_err().to_string();
        assert!(why.contains("00.texts: the kept texts cannot be read: the file is missing;"), "{why}");
    }
    assert!(!index.is_empty() && Index::open::<&str>(dir.path(), &[]).is_empty());
}

#[test]
fn files_have_the_permissions_of_new_files() {
    let (dir, _) = index_of(&[target("a", "x")]);
    let new = dir.path().join("new");
    fs::write(&new, "").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for folder in [dir.path().to_owned(), segments_folder(dir.path()), dir.path().join("words")] {
        for file in fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).filter(|path| path.is_file()) {
            assert_eq!(mode(&file), mode(&new), "{}", file.display());
        }
    }
}

#[test]
fn words_phrases_ids_and_urls_are_found() {
    let mut solar = target("gov-12-34", "Solar power: the panel on the roof.\nCafé");
    solar.url = "http://news.example.com/solar/roof.html";
    let (_dir, index) = index_of(&[solar, source("gov-12-35", "Power of the solar wind, panel discussion")]);
    assert_eq!(ids(&index, "PANEL solar").len(), 2);
    assert_eq!(ids(&index, "solar roof"), ["gov-12-34"]);
    assert_eq!(ids(&index, "\"solar power\""), ["gov-12-34"]);
    assert_eq!(ids(&index, "café -"), ["gov-12-34"]);
    assert_eq!(ids(&index, "id:gov-12-35"), ["gov-12-35"]);
    assert_eq!(ids(&index, "id:gov-12"), ["gov-12-35", "gov-12-34"]);
    assert_eq!(ids(&index, "url:example.com"), ["gov-12-34"]);
    assert_eq!(ids(&index, "url:https://www.example.org/about"), ["gov-12-35"]);
    assert!(ids(&index, "url:example.com panel wind").is_empty());
    assert!(ids(&index, "").is_empty() && ids(&index, "?!").is_empty() && ids(&index, "nowhere").is_empty());
    assert_eq!(ids(&index, "\"solar panel").len(), 2);
    let results = index.search("solar", Some(KeptSide::Source), 10).unwrap();
    assert_eq!((results.len(), results[0].side, results[0].segment.as_str()), (1, KeptSide::Source, ""));
    assert_eq!(results[0].excerpt.marks, vec![13..18]);
    assert!(results[0].score > 0.0);
}

#[test]
fn equal_scores_are_ordered_by_side_and_id() {
    let text = "one two three four";
    let mut documents: Vec<_> = ["d", "b", "e", "a"].iter().map(|id| target(id, text)).collect();
    documents.extend([kept(KeptSide::Target, "01", "c", text), source("z", text)]);
    let dir = TempDir::new().unwrap();
    write(dir.path(), &documents);
    for parts in 1..=PARTS.len() {
        index_words(dir.path(), &PARTS[..parts], 1, &|| false).unwrap();
    }
    let index = Index::open(dir.path(), &PARTS);
    assert_eq!(ids(&index, "four two three one"), ["z", "a", "b", "c", "d", "e"]);
    let best: Vec<String> = index.search("two", None, 2).unwrap().into_iter().map(|result| result.id).collect();
    assert_eq!(best, ["z", "a"]);
    assert!(index.search("two", None, 0).unwrap().is_empty());
    assert_eq!(index.search("two", None, usize::MAX).unwrap().len(), 6);
}

#[test]
fn terms_are_counted_by_side() {
    let (_dir, index) =
        index_of(&[source("a", "Tee tee tea"), target("b", "TEE"), target("c", "tea"), target("d", "")]);
    let tee = index.term_statistics("Tee").unwrap();
    assert_eq!(tee.source, Occurrences { documents: 1, occurrences: 2 });
    assert_eq!(tee.target, Occurrences { documents: 1, occurrences: 1 });
    assert_eq!(tee.all(), Occurrences { documents: 2, occurrences: 3 });
    assert_eq!(index.term_statistics("two words").unwrap(), TermStatistics::default());
    assert_eq!(index.term_statistics("none").unwrap().all().documents, 0);
    let mut words = Vec::new();
    index.vocabulary(|word, documents| words.push((word.to_owned(), documents))).unwrap();
    assert_eq!(words, [("tea".to_owned(), 2), ("tee".to_owned(), 2)]);
}

#[test]
fn lengths_without_limit() {
    let long = "i".repeat(200_000);
    let (word, words) = ("w".repeat(10 << 20), "Wort für Wort ".repeat(4 << 20));
    let mut documents = [target(&long, &word), target("many", &words), target("edge", &long[..65_530])];
    documents[0].url = &long;
    let (_dir, index) = index_of(&documents);
    for document in &documents {
        let stored = index.document(KeptSide::Target, document.id).unwrap().unwrap();
        assert!(stored.as_kept() == *document);
    }
    assert_eq!(ids(&index, &format!("id:{long}")), [&*long]);
    assert_eq!(ids(&index, &long[..65_530]), ["edge"]);
    assert!(ids(&index, &long[..65_531]).is_empty());
    assert_eq!(index.term_statistics("wort").unwrap().target.occurrences, 8 << 20);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 10))]
    #[test]
    fn every_field_comes_back_equal(
        texts in proptest::collection::vec("\\PC{0,80}|[\\s\\S]{0,400}", 8),
        numbers in any::<(u64, u64)>(),
    ) {
        let document = KeptDocument {
            side: KeptSide::Target,
            segment: "01",
            id: &texts[1],
            url: &texts[0],
            date: &texts[2],
            charset: &texts[3],
            media: &texts[4],
            file: &texts[5],
            offset: numbers.0,
            bytes: numbers.1,
            digest: &texts[6],
            text: &texts[7],
        };
        let (_dir, index) = index_of(&[source("other", "other"), document]);
        let stored = index.document(KeptSide::Target, document.id).unwrap().unwrap();
        prop_assert_eq!(stored.as_kept(), document);
        let found = index.search(&format!("id:\"{}\"", document.id.replace('"', "")), None, 9).unwrap();
        prop_assert!(document.id.is_empty() || document.id.contains('"') || found.iter().any(|result| result.id == document.id));
        index.search(document.text, None, 3).unwrap();
        for (_, word) in words::words(document.text) {
            prop_assert!(index.search(&word, None, 9).unwrap().iter().any(|result| result.id == document.id), "{:?}", word);
        }
    }
}
