//! The figures, counted again from the pairs that the program prints.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dejaview::study::{Filter, Names, Snapshot, Sort};
use serde_json::Value;

use crate::recrawl;
use crate::support::{Study, data, page, response};

/// Pages with fewer and fewer words of the source's, spread over two segments; the third page is copied often.
fn study() -> Study {
    let old: Vec<u8> =
        (0..6).flat_map(|n| response(&format!("old-{n}"), &format!("http://a.org/{n}"), page(n, 60))).collect();
    let mut new: [Vec<u8>; 3] = Default::default();
    for n in 0..6 {
        for copy in 0..if n == 2 { 9 } else { n } {
            // Words of another page in front: the more, the less alike.
            let text = page(n, 60).replace("<body>", &format!("<body>{}", page(100 + n, (copy as usize) * 8)));
            new[((n + copy) % 3) as usize].extend(response(
                &format!("new-{n}-{copy}"),
                &format!("http://b.org/{n}/{copy}"),
                text,
            ));
        }
    }
    let mut study = Study::new().file("old.warc", old).source("old.warc");
    for (segment, bytes) in ["00", "01", "02"].iter().zip(new) {
        study = study.file(&format!("{segment}.warc"), bytes).target(segment, format!("{segment}.warc"));
    }
    study.simhash("ngrams = [1]\ndistance = 8\nblocks = 10").simhash("ngrams = [2]").configuration("tf", "")
}

/// A row of `pairs`.
struct Row {
    configuration: String,
    segment: String,
    source: String,
    target: String,
    jaccard: f64,
}

fn rows(study: &Study) -> Vec<Row> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let row = |row: Value| Row {
        configuration: text(&row["configuration"]),
        segment: text(&row["segment"]),
        source: text(&row["source"]),
        target: text(&row["target"]),
        jaccard: row["jaccard"].as_f64().unwrap(),
    };
    study.dejaview(["pairs", "--json"]).jsonl().into_iter().map(row).collect()
}

fn figure<'a>(figures: &'a Value, name: &str) -> &'a Value {
    figures["figures"].as_array().unwrap().iter().find(|f| f["name"] == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Values of a figure by configuration.
fn values(figures: &Value, name: &str) -> BTreeMap<String, Vec<u64>> {
    let numbers = |series: &Value| -> Vec<u64> {
        series["bars"].as_array().unwrap().iter().map(|bar| bar["value"].as_u64().unwrap()).collect()
    };
    let series = figure(figures, name)["series"].as_array().unwrap();
    series.iter().map(|s| (s["name"].as_str().unwrap().to_owned(), numbers(s))).collect()
}

impl Row {
    /// The documents of the source that it is a pair of, given those that stand on both sides.
    fn documents<'a>(&'a self, both: &BTreeMap<String, String>) -> impl Iterator<Item = &'a str> + use<'a> {
        let target = both.contains_key(&self.source) && both.contains_key(&self.target);
        [&self.source].into_iter().chain(target.then_some(&self.target)).map(String::as_str)
    }

    /// The documents of the source that have it as a pair with a document of a segment. `both` tells the segment of each
    /// document that stands on both sides.
    fn documents_in<'a>(&'a self, segment: &str, both: &BTreeMap<String, String>) -> Vec<&'a str> {
        let mut documents = Vec::new();
        if self.segment == segment {
            documents.push(self.source.as_str());
        }
        if both.contains_key(&self.target) && both.get(&self.source).is_some_and(|home| home == segment) {
            documents.push(self.target.as_str());
        }
        documents
    }
}

/// Every number of the figures, from the rows.
fn recount(study: &Study, both: &BTreeMap<String, String>) {
    let figures = study.dejaview(["figures", "--json"]).json();
    let rows = rows(study);
    assert!(rows.len() > 20);
    let segments: Vec<&str> = figures["segments"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
    for (configuration, pairs) in values(&figures, "pairs") {
        let own: Vec<&Row> = rows.iter().filter(|row| row.configuration == configuration).collect();
        let of = |segment: &&str| own.iter().filter(|row| row.segment == *segment).count() as u64;
        assert_eq!(pairs, segments.iter().map(of).collect::<Vec<_>>(), "pairs of {configuration}");
        let mut all = BTreeSet::new();
        let (mut found, mut accumulated) = (Vec::new(), Vec::new());
        for segment in &segments {
            let here: BTreeSet<&str> = own.iter().flat_map(|row| row.documents_in(segment, both)).collect();
            found.push(here.len() as u64);
            all.extend(here);
            accumulated.push(all.len() as u64);
        }
        assert_eq!(values(&figures, "found")[&configuration], found);
        assert_eq!(values(&figures, "accumulated")[&configuration], accumulated);
        let mut best: BTreeMap<&str, f64> = BTreeMap::new();
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for (row, document) in own.iter().flat_map(|row| row.documents(both).map(move |document| (row, document))) {
            let highest = best.entry(document).or_default();
            *highest = highest.max(row.jaccard);
            *counts.entry(document).or_default() += 1;
        }
        recount_opened(&figures, &configuration, &own, both);
        let tenth = |jaccard: f64| (0..9).take_while(|i| jaccard >= f64::from(i + 1) / 10.0).count();
        let mut bins = [[0u64; 10]; 2];
        own.iter().for_each(|row| bins[0][tenth(row.jaccard)] += 1);
        best.values().for_each(|jaccard| bins[1][tenth(*jaccard)] += 1);
        assert_eq!(values(&figures, "jaccard")[&configuration], bins[0]);
        assert_eq!(values(&figures, "best")[&configuration], bins[1]);
        assert_eq!(values(&figures, "candidates")[&configuration].iter().sum::<u64>(), counts.len() as u64);
        let row =
            figures["candidates"].as_array().unwrap().iter().find(|r| r["configuration"] == configuration).unwrap();
        assert_eq!(row["pairs"].as_u64().unwrap(), own.len() as u64);
        assert_eq!(row["max"].as_u64(), counts.values().max().copied().or(Some(0)));
        assert_eq!(row["documents"].as_u64().unwrap(), counts.len() as u64);
        let mean = counts.values().sum::<u64>() as f64 / counts.len().max(1) as f64;
        assert!((row["mean"].as_f64().unwrap() - mean).abs() < 1e-9, "{row}");
        if let Some(who) = row["max_document"].as_str() {
            assert_eq!(Some(counts[who]), row["max"].as_u64());
        }
        let quality =
            figures["quality"].as_array().unwrap().iter().find(|r| r["configuration"] == configuration).unwrap();
        assert_eq!(quality["alike"].as_u64().unwrap(), bins[1][9]);
    }
    recount_differences(&figures, &rows);
}

/// The pairs that the bars of documents open: a pair is the top one of either document, and has as many candidates as the
/// one of its documents that has more.
fn recount_opened(figures: &Value, configuration: &str, own: &[&Row], both: &BTreeMap<String, String>) {
    let opened = |name: &str| -> Vec<u64> {
        let series = figure(figures, name)["series"].as_array().unwrap();
        let series = series.iter().find(|series| series["name"] == configuration).unwrap();
        series["bars"].as_array().unwrap().iter().map(|bar| bar["pairs"].as_u64().unwrap()).collect()
    };
    let mut of: BTreeMap<&str, Vec<(&Row, &str)>> = BTreeMap::new();
    for row in own {
        for document in row.documents(both) {
            let other = if document == row.source { &row.target } else { &row.source };
            of.entry(document).or_default().push((row, other));
        }
    }
    let better = |a: &(&Row, &str), b: &(&Row, &str)| a.0.jaccard.total_cmp(&b.0.jaccard).then(b.1.cmp(a.1));
    let tops = of.values().map(|rows| rows.iter().copied().max_by(better).unwrap().0);
    let tops: BTreeMap<(&str, &str), f64> = tops.map(|row| ((&*row.source, &*row.target), row.jaccard)).collect();
    let mut bins = [0u64; 10];
    let tenth = |jaccard: f64| (0..9).take_while(|i| jaccard >= f64::from(i + 1) / 10.0).count();
    tops.values().for_each(|jaccard| bins[tenth(*jaccard)] += 1);
    assert_eq!(opened("best"), bins, "{configuration}");
    let mut bins = vec![0u64; opened("candidates").len()];
    for row in own {
        let most = row.documents(both).map(|document| of[document].len()).max().unwrap();
        let bin = [1, 2, 3, 6, 11, 31, 101, 1_001, 10_001].iter().take_while(|least| most >= **least).count() - 1;
        bins[bin] += 1;
    }
    assert_eq!(opened("candidates"), bins, "{configuration}");
}

fn recount_differences(figures: &Value, rows: &[Row]) {
    let columns: Vec<&str> =
        figure(figures, "differences")["categories"].as_array().unwrap().iter().map(|c| c.as_str().unwrap()).collect();
    let alike = |configuration: &str| -> BTreeSet<(&str, &str)> {
        let of = rows.iter().filter(|row| row.configuration == configuration && row.jaccard >= 0.9);
        of.map(|row| (row.source.as_str(), row.target.as_str())).collect()
    };
    for (configuration, numbers) in values(figures, "differences") {
        let own = alike(&configuration);
        for (column, number) in columns.iter().zip(numbers) {
            assert_eq!(number, own.difference(&alike(column)).count() as u64, "{configuration} less {column}");
        }
    }
}

/// The expression of every bar admits the pairs that the bar counts; where documents share pairs, not as many as these.
fn bars_open_their_pairs(folder: &Path, share: bool) {
    let snapshot = Snapshot::open(folder).unwrap();
    let table = snapshot.table().unwrap();
    let figures = dejaview::study::figures(&snapshot, &Default::default()).unwrap();
    for figure in &figures.figures {
        for bar in figure.series.iter().flat_map(|series| &series.bars) {
            let filter = Filter::parse(&bar.filter, Names::of_pairs(table.configurations())).unwrap();
            let rows = table.select(&filter, Sort::Source);
            let sources: BTreeSet<&str> = rows.iter().map(|row| table.pair(*row as usize).source).collect();
            let counted = match figure.name {
                "pairs" | "jaccard" | "differences" | "cosine" | "hamming" => rows.len(),
                _ => sources.len(),
            };
            assert!(share || counted as u64 == bar.value, "{}: {}", figure.name, bar.filter);
            assert_eq!(rows.len() as u64, bar.pairs, "{}: {}", figure.name, bar.filter);
        }
    }
}

#[test]
fn figures_are_those_of_a_recount() {
    let study = study();
    study.run();
    recount(&study, &BTreeMap::new());
    bars_open_their_pairs(study.folder(), false);
}

/// Pages of a collection against itself: those up to the eighth stand on both sides, and four on each side alone. With
/// copies some have the same text.
fn itself(copies: bool) -> (Study, BTreeMap<String, String>) {
    let text = |n: u64| {
        let (family, changed) = (n % 3, if copies { n / 6 } else { n });
        page(family, 60).replace("<body>", &format!("<body>{}", page(100 + n, 2 * changed as usize)))
    };
    let id = |n: u64| format!("p{:02}", (n * 7) % 16);
    let write = |numbers: &[u64]| -> Vec<u8> {
        numbers.iter().flat_map(|n| response(&id(*n), &format!("http://a.org/{n}"), text(*n))).collect()
    };
    let study = Study::new()
        .file("old.warc", write(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]))
        .file("0.warc", write(&[0, 2, 4, 6, 12, 13]))
        .file("1.warc", write(&[1, 3, 5, 7, 14, 15]))
        .source("old.warc")
        .target("00", "0.warc")
        .target("01", "1.warc");
    let study = study.simhash("ngrams = [1]\ndistance = 8\nblocks = 10").configuration("md5", "");
    let both = (0..8).map(|n| (id(n), format!("0{}", n % 2))).collect();
    (study.configuration("exact-jaccard", "threshold = 0.3"), both)
}

#[test]
fn figures_of_a_collection_against_itself_count_both_documents_of_a_pair() {
    for copies in [false, true] {
        let (study, both) = itself(copies);
        assert_eq!(study.run()["both"], 8);
        recount(&study, &both);
        bars_open_their_pairs(study.folder(), true);
    }
}

#[test]
fn figures_of_a_crawl_against_itself_are_those_of_a_recount() {
    let Some(data) = data() else { return };
    let crawl = data.join("recrawl/old.warc.gz");
    let study = Study::new().source(&crawl).target("00", &crawl).target("01", data.join("recrawl/new-00.warc.gz"));
    let study = study.simhash("ngrams = [2]").configuration("exact-jaccard", "").configuration("decomposition", "");
    study.run();
    let snapshot = Snapshot::open(study.folder()).unwrap();
    let both = snapshot.both_sides().unwrap();
    assert_eq!(both.len(), 733);
    // All of them are of the first target, which is the source itself.
    recount(&study, &both.iter().map(|id| (id.to_owned(), "00".to_owned())).collect());
    bars_open_their_pairs(study.folder(), true);
}

#[test]
fn figures_of_a_real_crawl_are_those_of_a_recount() {
    let Some(data) = data() else { return };
    let study = recrawl::whole(Study::new(), &data);
    study.run();
    recount(&study, &BTreeMap::new());
    bars_open_their_pairs(study.folder(), false);
}

/// Configurations may be called nearly like words of filters, segments may differ in case alone, and pairs that were imported
/// need not have texts: the bars open what they say all the same.
#[test]
fn bars_open_their_pairs_whatever_things_are_called() {
    let old: Vec<u8> = (0..4).flat_map(|n| response(&format!("o{n}"), "http://a.org/", page(n, 60))).collect();
    let new = |to: u64| -> Vec<u8> {
        (0..to).flat_map(|n| response(&format!("n{to}-{n}"), "http://b.org/", page(n, 60))).collect()
    };
    let mut study = Study::new().file("old.warc", old).source("old.warc");
    for (segment, to) in [("a", 2), ("A", 3), ("b.c", 4)] {
        let file = format!("{to}.warc");
        study = study.file(&file, new(to)).target(segment, &file);
    }
    study = study.file(
        "pairs.tsv",
        "source\ttarget\tscore\no0\tn2-0\t1\no0\tn3-2\t0.5\no1\tnobody-1\t0.9\nnobody-2\tn4-0\t0.1\n",
    );
    for name in [
        "best",
        "top-1",
        "candidates.2",
        "disputed",
        "jaccard4",
        "segments",
        "0.9",
        "near-duplicate",
        "pair",
        "Sources",
    ] {
        study = study.simhash(&format!("name = {name:?}\nngrams = [1]"));
    }
    let study = study.configuration("import", "name = \"targets\"\npairs = \"pairs.tsv\"");
    study.run();
    bars_open_their_pairs(study.folder(), false);
    let snapshot = Snapshot::open(study.folder()).unwrap();
    let table = snapshot.table().unwrap();
    assert!((0..table.len()).any(|row| !table.compared(row)), "pairs without texts");
    assert!(table.segments().len() >= 3);
}

#[test]
fn accumulated_counts_are_carried_on() {
    let study = study();
    study.run();
    let figures = study.dejaview(["figures", "--json", "--segments", "5"]).json();
    let series = &figure(&figures, "accumulated")["series"][0];
    for way in ["linear", "saturating"] {
        let forecasts = series["extrapolation"][way].as_array().unwrap();
        let segments: Vec<u64> = forecasts.iter().map(|f| f["segments"].as_u64().unwrap()).collect();
        assert_eq!(segments, [3, 4, 5], "{way}");
        let last = &forecasts[2];
        assert!(last["interval"]["low"].as_f64() <= last["value"].as_f64(), "{last}");
    }
    let saturating = series["extrapolation"]["saturating"].as_array().unwrap().last().unwrap();
    assert!(saturating["value"].as_f64().unwrap() <= 6.0, "no more than the source holds: {saturating}");
}

#[test]
fn charts_fit_and_need_no_more_than_ascii() {
    let study = study();
    study.run();
    let text = study.dejaview(["figures"]);
    assert!(text.ok().contains("Figs 5.1 and 5.7 of the thesis") && text.ok().contains('█'), "{}", text.ok());
    assert!(text.ok().lines().all(|line| line.chars().count() <= 200));
    let plain = crate::support::Answer::of(study.command(["figures"]).env("LC_ALL", "C"));
    assert!(plain.ok().is_ascii(), "{}", plain.ok());
    let one = study.dejaview(["figures", "--figure", "best", "--format", "csv", "--configuration", "tf"]);
    assert!(one.ok().starts_with("configuration,0–0.1,"), "{}", one.ok());
    assert_eq!(one.ok().lines().count(), 2);
    assert!(study.dejaview(["figures", "--figure", "pie"]).failed().contains("there is no figure “pie”"));
    assert!(study.dejaview(["figures", "--segment", "09"]).failed().contains("there are 00, 01, 02"));
    assert!(study.dejaview(["figures", "--configuration", "x"]).failed().contains("no configuration `x`"));
    let part = study.dejaview(["figures", "--json", "--segment", "01"]).json();
    assert_eq!(part["segments"], serde_json::json!(["01"]));
}

/// An imported pair of a document that is nowhere in the target makes no segment more: nothing was read there.
#[test]
fn imported_pairs_are_no_segment_that_was_read() {
    let page = |id: &str| format!("{{\"id\": \"{id}\", \"text\": \"one two three four five six seven\"}}\n");
    let study = |pairs: &str| {
        let study = Study::new()
            .file("old.jsonl", page("a") + &page("b"))
            .file("0.jsonl", page("x"))
            .file("1.jsonl", page("y"))
            .file("pairs.tsv", pairs)
            .source("old.jsonl")
            .target("00", "0.jsonl")
            .target("01", "1.jsonl")
            .configuration("md5", "")
            .configuration("import", "pairs = \"pairs.tsv\"");
        let segments = study.run()["segments"].clone();
        (segments, study.dejaview(["figures", "--json"]).json())
    };
    let figure = |all: &Value, name: &str| {
        all["figures"].as_array().unwrap().iter().find(|figure| figure["name"] == name).unwrap().clone()
    };
    for (pairs, bars) in [("a\tx\t0.9\n", 2), ("a\tnowhere\t0.9\n", 3)] {
        let (segments, figures) = study(pairs);
        assert_eq!((segments, &figures["segments"].as_array().unwrap().len()), (2.into(), &bars), "{pairs}");
        assert_eq!(figure(&figures, "pairs")["categories"].as_array().unwrap().len(), bars, "{pairs}");
        let accumulated = figure(&figures, "accumulated");
        assert_eq!(accumulated["categories"], serde_json::json!(["1", "2"]), "{pairs}");
        let last = accumulated["series"][0]["extrapolation"]["saturating"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(last["segments"], 4, "{pairs}: {last}");
    }
}
