//! Titles are at hand without texts, and say the same as the texts.

use std::collections::BTreeSet;

use dejaview::index::{KeptSide, TitledDocument};
use dejaview::study::{ShownTitle, Snapshot};
use dejaview::text::shorten::title;
use serde_json::Value;

use crate::support::{Study, page, response};

/// Pages of one site, of which the last is in neither segment.
const PAGES: u64 = 6;

fn titled(seed: u64, site: &str) -> String {
    page(seed, 60).replace(&format!("<title>Page {seed}"), &format!("<title>Page {seed} - {site}"))
}

fn study() -> Study {
    let record = |side: &str, site: &str, seed: u64| {
        response(&format!("{side}-{seed}"), &format!("http://{side}.example/p/{seed}?x=1"), titled(seed, site))
    };
    let records =
        |side, site, seeds: std::ops::Range<u64>| seeds.flat_map(|seed| record(side, site, seed)).collect::<Vec<u8>>();
    let untitled = response("new-9", "http://new.example/nine.html", "<html></html>");
    let judgments: String = (0..PAGES).map(|seed| format!("1 0 old-{seed} 1\n")).collect();
    Study::new()
        .file("old.warc", records("old", "The old site", 0..PAGES))
        .file("00.warc", records("new", "The new site", 0..3))
        .file("01.warc", [records("new", "The new site", 3..PAGES - 1), untitled].concat())
        .file("web.qrels", judgments)
        .source("old.warc")
        .judgments("web.qrels")
        .target("00", "00.warc")
        .target("01", "01.warc")
        .configuration("exact-jaccard", "threshold = 0.8")
}

/// The title of every document that has a pair, as its text has it.
fn by_texts(study: &Study) -> Vec<(KeptSide, String, TitledDocument)> {
    let pairs = study.dejaview(["pairs"]);
    let rows = pairs.rows("configuration");
    let ids =
        rows.iter().flat_map(|row| [(KeptSide::Source, row[2].to_owned()), (KeptSide::Target, row[3].to_owned())]);
    let ids: BTreeSet<(KeptSide, String)> = ids.collect();
    let document = |(side, id): (KeptSide, String)| {
        let shown: Value = study.dejaview(["show", &id, "--json"]).json();
        let text = |key: &str| shown[key].as_str().unwrap().to_owned();
        let titled = TitledDocument { url: text("url"), title: title(&text("text")).to_owned() };
        (side, id, titled)
    };
    ids.into_iter().map(document).collect()
}

#[test]
fn titles_are_those_of_the_texts() {
    let study = study();
    study.run_with_threads(1);
    let expected = by_texts(&study);
    assert_eq!(expected.len() as u64, 2 * (PAGES - 1), "{expected:?}");
    let snapshot = Snapshot::open(study.folder()).unwrap();
    for (side, id, titled) in &expected {
        assert_eq!(snapshot.titles().get(*side, id).as_deref(), Some(titled), "{id}");
    }
    let judged = snapshot.titles().get(KeptSide::Source, "old-5").unwrap();
    assert_eq!(judged.title, "Page 5 - The old site", "judged, without a pair");
    assert_eq!(snapshot.titles().get(KeptSide::Source, "new-1"), None);
}

#[test]
fn lists_leave_out_the_names_of_sites() {
    let study = study();
    study.run_with_threads(2);
    let snapshot = Snapshot::open(study.folder()).unwrap();
    let (titles, title) = (snapshot.titles(), |text: &str| ShownTitle::Title(text.to_owned()));
    assert_eq!(titles.shown(KeptSide::Source, "old-1"), title("Page 1 - The old site"), "before they are known");
    titles.find_site_names();
    assert_eq!(titles.shown(KeptSide::Source, "old-1"), title("Page 1"));
    assert_eq!(titles.shown(KeptSide::Target, "new-4"), title("Page 4"));
    assert_eq!(titles.shown(KeptSide::Source, "nobody"), ShownTitle::Name("nobody".to_owned()));
    let [old, new] =
        [(KeptSide::Source, "old-1"), (KeptSide::Target, "new-1")].map(|(s, id)| titles.get(s, id).unwrap());
    assert_eq!(titles.shown_pair(&old, &new), ["Page 1 - The old site", "Page 1 - The new site"]);
}

#[test]
fn a_document_without_a_title_is_called_by_its_path() {
    let study = study().top("keep = \"all\"");
    study.run_with_threads(2);
    let snapshot = Snapshot::open(study.folder()).unwrap();
    let shown = snapshot.titles().shown(KeptSide::Target, "new-9");
    assert_eq!(shown, ShownTitle::Name("nine.html".to_owned()));
}
