//! An export of a wiki against a crawl, reproduced by one command: every count of its chapters computed again the slow way.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::naive::{self, Document};
use crate::recrawl::{CONFIGURATIONS, show_all, trec_ids};
use crate::support::{Study, data, response};

/// An export with these titles and texts, as its public description has it
/// (<https://www.mediawiki.org/wiki/Help:Export>).
fn export(pages: &[(String, String)]) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let page = |(number, (title, text)): (usize, &(String, String))| {
        format!(
            "<page>\n<title>{}</title>\n<ns>0</ns>\n<id>{number}</id>\n<revision><id>{number}</id>\
             <timestamp>2012-01-01T00:00:00Z</timestamp><model>wikitext</model>\
             <text xml:space=\"preserve\">{}</text></revision>\n</page>\n",
            escaped(title),
            escaped(text)
        )
    };
    let pages: String = pages.iter().enumerate().map(page).collect();
    format!(
        "<mediawiki xml:lang=\"en\">\n<siteinfo><sitename>W</sitename><base>https://w.org/wiki/Main_Page</base></siteinfo>\n\
         {pages}</mediawiki>\n"
    )
}

fn text(seed: usize, changed: usize) -> String {
    let word = |i: usize| match i * 7 % 100 < changed {
        true => format!("other{seed}x{i}"),
        false => format!("word{}", (seed * 131 + i * 17) % 2_000),
    };
    (0..120).map(word).collect::<Vec<_>>().join(" ")
}

/// The rows of a table of the page, the head left out; numbers without their commas.
fn table(out: &Path, name: &str) -> Vec<Vec<String>> {
    let path = out.join(format!("tables/{name}.csv"));
    let csv = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{name}: {why}"));
    let cells = |line: &str| {
        let (mut cells, mut quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                ',' => {}
                c => cells.last_mut().unwrap().push(c),
            }
        }
        cells
    };
    csv.lines().skip(1).map(cells).collect()
}

fn row<'a>(rows: &'a [Vec<String>], name: &str) -> &'a [String] {
    &rows.iter().find(|row| row[0] == name).unwrap_or_else(|| panic!("no row {name}"))[1..]
}

fn numbers(cells: &[String]) -> Vec<u64> {
    cells.iter().map(|cell| cell.parse().unwrap_or_else(|_| panic!("{cell}"))).collect()
}

/// Both sides, each document with its fingerprints at every choice of n-grams.
struct Sides {
    source: Vec<(Document, Prints)>,
    /// With the number of the segment.
    target: Vec<(usize, Document, Prints)>,
}

type Prints = BTreeMap<&'static str, u64>;

/// The choices of chapter 3, by the names of its table; those of the study are among them.
const CHOICES: [(&str, &[usize]); 6] =
    [("1", &[1]), ("2", &[2]), ("3", &[3]), ("5", &[5]), ("2+3", &[2, 3]), ("3+5", &[3, 5])];

fn prints(document: &Document) -> Prints {
    let votes = [1, 2, 3, 5].map(|n| (n, naive::votes(&document.tokens, n)));
    let print = |(name, lengths): &(&'static str, &[usize])| {
        let chosen: Vec<_> = votes.iter().filter(|(n, _)| lengths.contains(n)).map(|(n, v)| (*n, v)).collect();
        Some((*name, naive::sketch(document.tokens.len(), &chosen)?))
    };
    CHOICES.iter().filter_map(print).collect()
}

fn words(document: &Document) -> BTreeMap<&str, f64> {
    let mut words = BTreeMap::new();
    document.tokens.iter().for_each(|token| *words.entry(token.as_str()).or_default() += 1.0);
    words
}

/// What the naive comparison says of a pair.
struct Compared {
    source: usize,
    segment: usize,
    jaccard: f64,
    cosine: f64,
    /// Differing bits by choice.
    bits: BTreeMap<&'static str, u32>,
}

fn compared(sides: &Sides) -> Vec<Compared> {
    let targets: Vec<_> = sides.target.iter().map(|(_, document, _)| words(document)).collect();
    let norm = |words: &BTreeMap<&str, f64>| words.values().map(|n| n * n).sum::<f64>().sqrt();
    let mut all = Vec::new();
    for (source, (document, mine)) in sides.source.iter().enumerate() {
        let a = words(document);
        for ((segment, _, theirs), b) in sides.target.iter().zip(&targets) {
            let common = a.keys().filter(|word| b.contains_key(*word)).count() as f64;
            let dot: f64 = a.iter().map(|(word, n)| n * b.get(word).copied().unwrap_or_default()).sum();
            let bits =
                mine.iter().filter_map(|(name, x)| Some((*name, (x ^ theirs.get(name)?).count_ones()))).collect();
            let jaccard = common / (a.len() as f64 + b.len() as f64 - common).max(1.0);
            let cosine = dot / (norm(&a) * norm(b)).max(1e-300);
            all.push(Compared { source, segment: *segment, jaccard, cosine, bits });
        }
    }
    all
}

fn tenth(value: f64) -> usize {
    (0..10).rev().find(|i| value >= *i as f64 / 10.0).unwrap_or_default()
}

/// Reproduces the study and holds chapters 3 and 5 against the naive comparison of everyone with everyone.
fn check(study: &Study, sides: &Sides, segments: usize) {
    let out = study.path("out");
    study.dejaview(["reproduce", "-o", out.to_str().unwrap()]).ok();
    let all = compared(sides);
    check_chapter_3(&out, &all);
    CONFIGURATIONS.iter().for_each(|(name, _)| check_chapter_5(&out, &all, name, segments));
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("section 5.2") && page.contains("3,318") && !page.contains("Not made"), "all chapters");
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn near(pair: &Compared, choice: &str, k: u32) -> bool {
    pair.bits.get(choice).is_some_and(|bits| *bits <= k)
}

fn check_chapter_3(out: &Path, all: &[Compared]) {
    let alike = all.iter().filter(|pair| pair.jaccard >= 0.9).count();
    let rows = table(out, "chapter-3-simhash");
    let mut checked = 0;
    for row in rows.iter().filter(|row| CHOICES.iter().any(|(name, _)| *name == row[0])) {
        let k: u32 = row[1].parse().unwrap();
        let found: Vec<_> = all.iter().filter(|pair| near(pair, &row[0], k)).collect();
        let right = found.iter().filter(|pair| pair.jaccard >= 0.9).count();
        let expected = [format!("{:.3}", share(right, found.len())), format!("{:.3}", share(right, alike))];
        assert_eq!(numbers(&row[2..4]), [found.len() as u64, right as u64], "{row:?}");
        assert_eq!(row[4..6], expected, "{row:?}");
        checked += 1;
    }
    assert_eq!(checked, 48, "six choices at k = 1 to 8");
    for row in table(out, "chapter-3-cosine") {
        let from: f64 = row[0].parse().unwrap();
        let positive: Vec<_> = all.iter().filter(|pair| pair.cosine >= from - 1e-9).collect();
        assert_eq!(row[1], positive.len().to_string());
        for (k, cells) in [1, 3, 5].into_iter().zip(row[2..].chunks(2)) {
            let found = all.iter().filter(|pair| near(pair, "1", k)).count();
            let right = positive.iter().filter(|pair| near(pair, "1", k)).count();
            assert_eq!(cells, [format!("{:.3}", share(right, found)), format!("{:.3}", share(right, positive.len()))]);
        }
    }
}

fn check_chapter_5(out: &Path, all: &[Compared], name: &str, segments: usize) {
    let choice = name.strip_prefix("simhash-").unwrap();
    let found: Vec<&Compared> = all.iter().filter(|pair| near(pair, choice, 3)).collect();
    let in_segment = |segment: usize| found.iter().filter(move |pair| pair.segment == segment);
    let sources = |upto: usize| found.iter().filter(|p| p.segment <= upto).map(|p| p.source).collect::<BTreeSet<_>>();
    let pairs: Vec<u64> = (0..segments).map(|s| in_segment(s).count() as u64).collect();
    let own: Vec<u64> =
        (0..segments).map(|s| in_segment(s).map(|p| p.source).collect::<BTreeSet<_>>().len() as u64).collect();
    let accumulated: Vec<u64> = (0..segments).map(|s| sources(s).len() as u64).collect();
    let figure = |figure: &str| numbers(row(&table(out, &format!("chapter-5-{figure}")), name));
    assert_eq!(figure("pairs"), pairs, "{name}");
    assert_eq!(figure("found"), own, "{name}");
    assert_eq!(figure("accumulated"), accumulated, "{name}");
    let (mut each, mut best) = (vec![0u64; 10], vec![0u64; 10]);
    found.iter().for_each(|pair| each[tenth(pair.jaccard)] += 1);
    let mut tops: BTreeMap<usize, f64> = BTreeMap::new();
    for pair in &found {
        let top = tops.entry(pair.source).or_default();
        *top = top.max(pair.jaccard);
    }
    tops.values().for_each(|jaccard| best[tenth(*jaccard)] += 1);
    assert_eq!(figure("jaccard"), each, "{name}");
    assert_eq!(figure("best"), best, "{name}");
    let with_twin = tops.values().filter(|jaccard| **jaccard >= 0.9).count();
    let rows = table(out, "chapter-5-documents");
    assert_eq!(numbers(&row(&rows, name)[..2]), [tops.len() as u64, with_twin as u64], "{name}");
    let rows = table(out, "chapter-5-candidates-per-document");
    let mean = share(found.len(), tops.len());
    assert_eq!(row(&rows, name)[..3], [tops.len().to_string(), found.len().to_string(), format!("{mean:.1}")]);
}

/// The sides as `show` gives them.
fn sides(study: &Study, titles: &[String], targets: &[(usize, String)]) -> Sides {
    let mut ids: Vec<(&'static str, String)> = titles.iter().map(|title| ("source", title.clone())).collect();
    ids.extend(targets.iter().map(|(_, id)| ("target", id.clone())));
    let mut shown = show_all(study, &ids);
    let mut take = |side, id: &String| shown.remove(&(side, id.clone())).unwrap();
    let with_prints = |document: Document| (prints(&document), document);
    let source = titles.iter().map(|id| with_prints(take("source", id))).map(|(p, d)| (d, p)).collect();
    let mut of = |(segment, id): &(usize, String)| {
        let (prints, document) = with_prints(take("target", id));
        (*segment, document, prints)
    };
    Sides { source, target: targets.iter().map(&mut of).collect() }
}

fn with_simhash(study: Study) -> Study {
    CONFIGURATIONS.iter().fold(study, |study, (_, lengths)| study.simhash(&format!("ngrams = {lengths:?}")))
}

/// Pages of which a third stand in the crawl as they are, a third with some words changed, and a third not at all.
#[test]
fn a_small_export_against_a_crawl() {
    let pages: Vec<(String, String)> = (0..24).map(|i| (format!("Page {i}"), text(i, 0))).collect();
    let segments = [0usize, 1].map(|segment| {
        let one = |i: usize| {
            let seed = if i % 3 == 2 { 1_000 + 50 * segment + i } else { i };
            let changed = if i % 3 == 1 { 2 + i / 2 + 4 * segment } else { 0 };
            let html =
                format!("<html><head><title>Page {i}</title></head><body><p>{}</body></html>", text(seed, changed));
            response(&format!("new-{segment}-{i}"), &format!("http://c{segment}.org/{i}"), html)
        };
        (0..24)
            .filter(|i| i % 2 == segment || i % 5 == 0)
            .map(|i| (format!("new-{segment}-{i}"), one(i)))
            .collect::<Vec<_>>()
    });
    let bytes = |segment: usize| segments[segment].iter().flat_map(|(_, bytes)| bytes.clone()).collect::<Vec<u8>>();
    let study = Study::new()
        .top("keep = \"all\"")
        .file("wiki.xml", export(&pages))
        .file("00.warc", bytes(0))
        .file("01.warc", bytes(1))
        .source("wiki.xml")
        .target("00", "00.warc")
        .target("01", "01.warc");
    let study = with_simhash(study);
    assert_eq!(study.run()["documents"]["source"], 24);
    let titles: Vec<String> = (0..24).map(|i| format!("Page_{i}")).collect();
    let ids = |segment: usize| segments[segment].iter().map(move |(id, _)| (segment, id.clone()));
    let targets: Vec<(usize, String)> = ids(0).chain(ids(1)).collect();
    check(&study, &sides(&study, &titles, &targets), 2);
}

/// The pages of a real crawl as the pages of a wiki, against the crawl of later years.
#[test]
fn an_export_against_a_real_crawl() {
    let Some(data) = data() else { return };
    let crawl = data.join("recrawl");
    let old = Study::new()
        .top("keep = \"all\"")
        .source(crawl.join("old.warc.gz"))
        .target("00", crawl.join("new-00.warc.gz"))
        .configuration("md5", "");
    old.run();
    let ids: Vec<(&'static str, String)> =
        trec_ids(&crawl.join("old.warc.gz")).into_iter().step_by(9).map(|id| ("source", id)).collect();
    let shown = show_all(&old, &ids);
    let pages: Vec<(String, String)> =
        shown.values().enumerate().map(|(i, document)| (format!("Old page {i}"), document.text.clone())).collect();
    let study = Study::new().top("keep = \"all\"").file("wiki.xml", export(&pages)).source("wiki.xml");
    let mut study = study;
    let mut targets = Vec::new();
    for segment in 0..4 {
        let path = crawl.join(format!("new-0{segment}.warc.gz"));
        targets.extend(trec_ids(&path).into_iter().map(|id| (segment, id)));
        study = study.target(&format!("0{segment}"), path);
    }
    let study = with_simhash(study);
    let read = study.run()["documents"]["source"].as_u64().unwrap() as usize;
    assert_eq!(read, pages.len());
    let titles: Vec<String> = (0..pages.len()).map(|i| format!("Old_page_{i}")).collect();
    check(&study, &sides(&study, &titles, &targets), 4);
}
