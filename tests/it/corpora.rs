//! Two corpora neither of which fits in memory: sketches on disk find the documents that have a pair, and the result is that of
//! a source in memory.

use std::collections::BTreeMap;
use std::fs;
use std::time::Instant;

use crate::recrawl::whole;
use crate::support::{Study, assert_same, data, dejaview, only_when_slow, page, pages, response};

/// The configurations that are fitted to nothing.
pub fn configured(study: Study) -> Study {
    let simhash = study.simhash("ngrams = [3]").simhash("ngrams = [1]\ndistance = 5\nblocks = 6");
    simhash.configuration("supershingles", "").configuration("minhash", "")
}

/// The study with a join of two corpora, and further lines about the join.
pub fn corpora(study: Study, lines: &str) -> Study {
    study.rest(&format!("\n[join]\nmode = \"corpora\"\nmemory = 1\n{lines}\n"))
}

/// Everything that must be the same: the file of the source has the titles of documents with a pair only.
pub fn results(study: &Study) -> BTreeMap<String, Vec<u8>> {
    let mut results = study.results();
    assert!(results.remove("index/source.texts").is_some());
    results
}

fn record(id: &str, seed: u64) -> Vec<u8> {
    response(id, &format!("http://a.example/{id}"), page(seed, 80))
}

/// Both sides with pages of their own, copies of others, repeated ids and the same pages.
pub fn two_sides() -> Study {
    let old = (0..60).flat_map(|n| record(&format!("old-{}", n % 50), n % 40)).collect::<Vec<u8>>();
    let new = (0..80).flat_map(|n| record(&format!("new-{}", n % 70), 25 + n % 55)).collect::<Vec<u8>>();
    let both = (0..5).flat_map(|n| record(&format!("both-{n}"), n)).collect::<Vec<u8>>();
    let study = Study::new().file("old.warc", [old, both.clone()].concat()).file("new.warc", [new, both].concat());
    study.source("old.warc").target("00", "new.warc")
}

#[test]
fn two_corpora_are_joined_as_in_memory() {
    let expected = configured(two_sides());
    let summary = expected.run();
    let study = corpora(configured(two_sides()), "");
    let joined = study.run();
    for part in ["documents", "pairs", "skipped"] {
        assert_eq!(joined[part], summary[part], "{part}");
    }
    assert!(joined["source_bytes"].as_u64() < summary["source_bytes"].as_u64(), "not all of the source is in memory");
    assert_same(&results(&expected), &results(&study));
    assert!(!study.path(".dejaview/sketches.part").exists());
}

#[test]
fn a_collection_is_joined_with_itself() {
    for itself in ["", "self = true", "self = false"] {
        let told = || {
            let records = (0..90).flat_map(|n| record(&format!("page-{n}"), n % 60)).collect::<Vec<u8>>();
            configured(Study::new().file("all.warc", records).source("all.warc").target("00", "all.warc"))
        };
        let expected = told().rest(&format!("\n[join]\n{itself}\n"));
        expected.run();
        let study = corpora(told(), itself);
        study.run();
        let pairs = |study: &Study| study.dejaview(["pairs"]).ok().to_owned();
        assert_eq!(pairs(&study), pairs(&expected), "{itself}");
    }
}

/// A study some of whose keys are shared by so many pages that they are capped, joined as `lines` say.
pub fn capped_study(lines: &str) -> Study {
    let told = two_sides().simhash("ngrams = [1]\nbits = 16\ndistance = 3\nblocks = 4").configuration("minhash", "");
    told.rest(&format!("\n[join]\n{lines}\n"))
}

/// The list of capped keys.
pub fn capped(study: &Study) -> String {
    fs::read_to_string(study.path(".dejaview/capped.tsv")).unwrap()
}

#[test]
fn keys_are_capped_alike_in_memory_and_on_disk() {
    let free = capped_study("");
    let all = free.run();
    assert!(all["capped"].is_null() && !free.path(".dejaview/capped.tsv").exists(), "{all}");
    let (in_memory, on_disk) =
        (capped_study("most-sketches = 2"), capped_study("most-sketches = 2\nmode = \"corpora\"\nmemory = 1"));
    let (expected, joined) = (in_memory.run(), on_disk.run());
    assert!(expected["capped"].as_u64() > Some(0), "{expected}");
    assert_eq!((&expected["capped"], &expected["pairs"]), (&joined["capped"], &joined["pairs"]));
    assert_eq!(capped(&in_memory), capped(&on_disk));
    let again = in_memory.dejaview(["run"]);
    let line = format!("capped  {} keys, each of which more than 2 different sketches", expected["capped"]);
    assert!(again.ok().contains(&line), "a run that has nothing to do says it, too: {}", again.ok());
    assert_same(&results(&in_memory), &results(&on_disk));
    let name = all["pairs"].as_object().unwrap().keys().next().unwrap();
    assert!(expected["pairs"][name].as_u64() < all["pairs"][name].as_u64(), "{all} {expected}");
    let equal = |study: &Study| {
        let pairs = study.dejaview(["pairs", "--configuration", name]).ok().to_owned();
        pairs.lines().filter(|line| line.split('\t').nth(4) == Some("0")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(equal(&free), equal(&in_memory), "the same sketch is found whatever is capped");
    // What a kit carries is capped, too.
    let by_workers = capped_study("most-sketches = 2");
    let [kit, parts] = ["study.kit", "parts"].map(|name| by_workers.path(name).to_str().unwrap().to_owned());
    by_workers.dejaview(["run", "--prepare", &kit]).ok();
    dejaview(["match", &kit, "--parts", &parts, "new.warc"]).ok();
    by_workers.dejaview(["run", "--parts", &parts]).ok();
    assert_same(&in_memory.results(), &by_workers.results());
}

#[test]
fn the_recrawl_is_joined_as_in_memory() {
    let Some(data) = data() else { return };
    let expected = whole(Study::new(), &data);
    expected.run();
    let study = corpora(whole(Study::new(), &data), "");
    study.run();
    assert_same(&results(&expected), &results(&study));
}

/// Which documents of the source are held rests on the target: what workers found with a kit from before a segment came says
/// nothing of the source as it is then.
#[test]
fn what_workers_found_before_a_segment_came_is_not_taken() {
    let told = || {
        let old = (0..40).flat_map(|n| record(&format!("old-{n:02}"), n)).collect::<Vec<u8>>();
        let new = (30..40).flat_map(|n| record(&format!("new-{n:02}"), n)).collect::<Vec<u8>>();
        let more = (0..20).flat_map(|n| record(&format!("more-{n:02}"), n)).collect::<Vec<u8>>();
        let study = Study::new().file("old.warc", old).file("new.warc", new).file("more.warc", more);
        corpora(configured(study.source("old.warc").target("00", "new.warc")), "")
    };
    let study = told();
    let [kit, parts] = ["study.kit", "parts"].map(|name| study.path(name).to_str().unwrap().to_owned());
    study.dejaview(["run", "--prepare", &kit]).ok();
    dejaview(["match", &kit, "--parts", &parts, "new.warc"]).ok();
    let study = study.target("01", "more.warc");
    study.dejaview(["run", "--parts", &parts]).ok();
    let fresh = told().target("01", "more.warc");
    assert!(fresh.run()["pairs"]["simhash-3"].as_u64() >= Some(30));
    assert_same(&fresh.results(), &study.results());
}

/// Sketches that take many times the memory for them: runs on disk are merged.
#[test]
fn sketches_that_do_not_fit_in_memory_are_sorted_on_disk() {
    let told = || {
        let old = (0..3_000).flat_map(|n| record(&format!("old-{n:05}"), n)).collect::<Vec<u8>>();
        let new = (0..3_000).flat_map(|n| record(&format!("new-{n:05}"), 2_000 + n)).collect::<Vec<u8>>();
        let study =
            Study::new().file("old.warc", old).file("new.warc", new).source("old.warc").target("00", "new.warc");
        configured(study)
    };
    let (expected, study) = (told(), corpora(told(), ""));
    let (in_memory, joined) = (expected.run(), study.run());
    let spilled = joined["spilled"].as_u64().unwrap();
    assert!(spilled > 4 << 20, "four runs of a mebibyte at least: {spilled}");
    assert!(joined["source_bytes"].as_u64() < in_memory["source_bytes"].as_u64());
    assert_same(&results(&expected), &results(&study));
}

/// A template with many members, in a collection that is joined with itself: copies are one group, whatever their number.
#[test]
fn many_copies_of_a_page_cost_no_more_than_their_rows() {
    if !only_when_slow() {
        return;
    }
    let seconds = [pages() / 16, pages() / 4].map(|members| {
        let pages = (0..members).map(|n| (n, 1)).chain((members..4 * members).map(|n| (n, n)));
        let records = pages.flat_map(|(n, seed)| record(&format!("page-{n:06}"), seed)).collect::<Vec<u8>>();
        let study = Study::new().file("all.warc", records).source("all.warc").target("00", "all.warc");
        let study = corpora(study.simhash("ngrams = [3]"), "self = true");
        let start = Instant::now();
        let summary = study.run();
        assert_eq!(summary["pairs"]["simhash-3"], members * (members - 1) / 2, "{summary}");
        (members, start.elapsed().as_secs_f64(), summary["peak_memory"].as_f64().unwrap_or_default() / 1e6)
    });
    println!("members, seconds, MB: {seconds:?}");
}

#[test]
fn what_cannot_be_joined_so_is_said() {
    let told = |top: &str, lines: &str| {
        let study = two_sides().top(top);
        let study = if lines.is_empty() { study } else { study.configuration(lines, "") };
        corpora(study, "").dejaview(["run"]).failed().to_owned()
    };
    let fitted = told("", "imatch");
    assert!(fitted.contains("`join.mode` is \"corpora\", and these configurations are fitted"), "{fitted}");
    assert!(fitted.contains("`imatch`; leave them out, or name statistics"), "{fitted}");
    assert!(told("keep = \"all\"", "simhash").contains("leave `keep` out"));
    let wrong = two_sides().rest("\n[join]\nmode = \"disk\"\n").dejaview(["run"]);
    assert!(wrong.failed().contains("\"memory\", \"corpora\""), "{}", wrong.stderr);
}
