//! The index through its public door: kept, found, forgotten, reopened.

use std::fs;

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

fn index_of(documents: &[KeptDocument<'_>]) -> (TempDir, Index) {
    let dir = TempDir::new().unwrap();
    let index = Index::open(dir.path()).unwrap();
    let mut writer = index.writer(1).unwrap();
    for document in documents {
        writer.add(document).unwrap();
    }
    writer.commit().unwrap();
    writer.finish().unwrap();
    (dir, index)
}

fn ids(index: &Index, query: &str) -> Vec<String> {
    index.search(query, None, 100).unwrap().into_iter().map(|result| result.id).collect()
}

#[test]
fn kept_documents_come_back_after_reopening() {
    let (dir, index) = index_of(&[source("a", "Öl und Wasser"), target("a", ""), target("b\u{0}\n", "x")]);
    assert_eq!(index.documents(), 3);
    drop(index);
    let index = Index::open(dir.path()).unwrap();
    assert!(!index.was_remade());
    let stored = index.document(KeptSide::Source, "a").unwrap().unwrap();
    assert_eq!(stored.as_kept(), source("a", "Öl und Wasser"));
    assert_eq!(index.document(KeptSide::Target, "a").unwrap().unwrap().as_kept(), target("a", ""));
    assert!(index.contains(KeptSide::Target, "b\u{0}\n").unwrap());
    assert!(!index.contains(KeptSide::Source, "b\u{0}\n").unwrap());
    assert_eq!(index.document(KeptSide::Target, "A").unwrap(), None);
}

#[test]
fn a_document_added_again_is_replaced() {
    let (_dir, index) = index_of(&[target("a", "one"), target("a", "two"), source("a", "three")]);
    let mut writer = index.writer(2).unwrap();
    writer.add(&target("a", "four")).unwrap();
    writer.commit().unwrap();
    assert_eq!(index.documents(), 2);
    assert_eq!(index.document(KeptSide::Target, "a").unwrap().unwrap().text, "four");
    assert_eq!(index.document(KeptSide::Source, "a").unwrap().unwrap().text, "three");
    assert!(ids(&index, "two").is_empty());
}

#[test]
fn threads_adding_the_same_documents_add_them_once() {
    let (_dir, index) = index_of(&[]);
    let mut writer = index.writer(2).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for i in 0..200 {
                    writer.add(&target(&format!("d{i}"), "same words")).unwrap();
                }
            });
        }
    });
    writer.commit().unwrap();
    assert_eq!(index.documents(), 200);
    assert_eq!(index.term_statistics("words").unwrap().target, Occurrences { documents: 200, occurrences: 200 });
}

#[test]
fn a_segment_is_forgotten_and_run_again() {
    let other = kept(KeptSide::Target, "01", "c", "green");
    let (_dir, index) = index_of(&[source("s", "green"), target("a", "green"), target("b", "green"), other]);
    let mut writer = index.writer(1).unwrap();
    writer.remove_segment(KeptSide::Target, "00");
    writer.add(&target("b", "green again")).unwrap();
    assert_eq!(ids(&index, "green").len(), 4);
    writer.commit().unwrap();
    let mut found = ids(&index, "green");
    found.sort();
    assert_eq!(found, ["b", "c", "s"]);
    assert_eq!(index.documents(), 3);
    writer.remove_segment(KeptSide::Source, "");
    writer.commit().unwrap();
    assert!(!index.contains(KeptSide::Source, "s").unwrap());
    assert_eq!(index.documents(), 2);
}

#[test]
fn what_is_not_committed_is_not_there() {
    let (dir, index) = index_of(&[target("a", "kept")]);
    let writer = index.writer(1).unwrap();
    writer.add(&target("b", "lost")).unwrap();
    writer.remove_segment(KeptSide::Target, "00");
    assert!(matches!(index.writer(1), Err(IndexError::Busy { .. })));
    drop(writer);
    let index = Index::open(dir.path()).unwrap();
    assert!(index.contains(KeptSide::Target, "a").unwrap());
    assert!(!index.contains(KeptSide::Target, "b").unwrap());
}

#[test]
fn another_process_sees_commits_when_it_refreshes() {
    let (dir, index) = index_of(&[target("a", "x")]);
    let other = Index::open(dir.path()).unwrap();
    let mut writer = index.writer(1).unwrap();
    writer.add(&target("b", "x")).unwrap();
    writer.commit().unwrap();
    assert_eq!((index.documents(), other.documents()), (2, 1));
    other.refresh().unwrap();
    assert_eq!(other.documents(), 2);
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
    let dir = TempDir::new().unwrap();
    let index = Index::open(dir.path()).unwrap();
    let mut writer = index.writer(1).unwrap();
    for id in ["d", "b", "e", "a", "c"] {
        writer.add(&target(id, "one two three four")).unwrap();
        writer.commit().unwrap();
    }
    writer.add(&source("z", "one two three four")).unwrap();
    writer.commit().unwrap();
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
fn an_index_of_another_layout_is_made_anew() {
    let (dir, index) = index_of(&[target("a", "x")]);
    drop(index);
    let meta = dir.path().join("meta.json");
    fs::write(dir.path().join("notes.txt"), "mine").unwrap();
    let text = fs::read_to_string(&meta).unwrap();
    for broken in [text.replace(layout::WORDS, "older-words"), "not json".to_owned()] {
        fs::write(&meta, broken).unwrap();
        let index = Index::open(dir.path()).unwrap();
        assert!(index.was_remade());
        assert_eq!(index.documents(), 0);
        let mut writer = index.writer(1).unwrap();
        writer.add(&target("b", "y")).unwrap();
        writer.commit().unwrap();
        assert_eq!(index.documents(), 1);
    }
    assert_eq!(fs::read_to_string(dir.path().join("notes.txt")).unwrap(), "mine");
    assert!(!Index::open(dir.path()).unwrap().was_remade());
}

#[test]
fn lengths_without_limit() {
    let long = "i".repeat(200_000);
    let (word, words) = ("w".repeat(10 << 20), "Wort für Wort ".repeat(4 << 20));
    let mut documents = [target(&long, &word), target("many", &words), target("edge", &long[..65_530])];
    documents[0].url = &long;
    documents[0].segment = &long;
    let (_dir, index) = index_of(&documents);
    for document in &documents {
        let stored = index.document(KeptSide::Target, document.id).unwrap().unwrap();
        assert!(stored.as_kept() == *document);
    }
    assert_eq!(ids(&index, &format!("id:{long}")), [&*long]);
    assert_eq!(ids(&index, &long[..65_530]), ["edge"]);
    assert!(ids(&index, &long[..65_531]).is_empty());
    assert_eq!(index.term_statistics("wort").unwrap().target.occurrences, 8 << 20);
    let mut writer = index.writer(1).unwrap();
    writer.remove_segment(KeptSide::Target, &long);
    writer.commit().unwrap();
    assert_eq!(index.documents(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_field_comes_back_equal(
        texts in proptest::collection::vec("\\PC{0,80}|[\\s\\S]{0,400}", 8),
        numbers in any::<(u64, u64)>(),
    ) {
        let document = KeptDocument {
            side: KeptSide::Target,
            segment: &texts[0],
            id: &texts[1],
            url: &texts[2],
            date: &texts[3],
            charset: &texts[4],
            media: "text",
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
