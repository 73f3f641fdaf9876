//! One small web crawled twice: everything that a run says of it, computed again the slow way.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::naive::{self, Document};
use crate::support::{Answer, Study, data};

/// The SimHash configurations of the standard set, and the lengths of their n-grams.
pub const CONFIGURATIONS: [(&str, &[usize]); 5] =
    [("simhash-2", &[2]), ("simhash-3", &[3]), ("simhash-5", &[5]), ("simhash-2+3", &[2, 3]), ("simhash-3+5", &[3, 5])];

const HEADER: &str = "configuration\tsegment\tsource\ttarget\tdistance\tjaccard";

/// The study of the whole crawl with SimHash, told but not run.
pub fn whole(study: Study, data: &Path) -> Study {
    let configurations = CONFIGURATIONS.map(|(_, lengths)| format!("ngrams = {lengths:?}"));
    configurations.iter().fold(crawl(study, data), |study, lines| study.simhash(lines))
}

/// The study of the whole crawl with no configuration named, told but not run.
pub fn crawl(study: Study, data: &Path) -> Study {
    let crawl = data.join("recrawl");
    let mut study = study.source(crawl.join("old.warc.gz")).judgments(crawl.join("judged.qrels"));
    for segment in ["00", "01", "02", "03"] {
        study = study.target(segment, crawl.join(format!("new-{segment}.warc.gz")));
    }
    study
}

/// A finished run and every document of it, by side and id.
struct Recrawl {
    data: PathBuf,
    study: Study,
    summary: Value,
    documents: BTreeMap<(&'static str, String), Document>,
}

/// Runs the study once for all tests that ask.
fn recrawl() -> Option<&'static Recrawl> {
    static SHARED: OnceLock<Recrawl> = OnceLock::new();
    let data = data()?;
    let make = || {
        let study = whole(Study::shared("recrawl").top("keep = \"all\""), &data);
        let summary = study.run();
        let mut ids: Vec<(&'static str, String)> = Vec::new();
        ids.extend(trec_ids(&data.join("recrawl/old.warc.gz")).into_iter().map(|id| ("source", id)));
        for segment in 0..4 {
            let path = data.join(format!("recrawl/new-0{segment}.warc.gz"));
            ids.extend(trec_ids(&path).into_iter().map(|id| ("target", id)));
        }
        let documents = show_all(&study, &ids);
        Recrawl { data, study, summary, documents }
    };
    Some(SHARED.get_or_init(make))
}

/// The ids in an archive, found without any reader of ours.
pub fn trec_ids(path: &Path) -> Vec<String> {
    let mut bytes = Vec::new();
    flate2::read::MultiGzDecoder::new(fs::File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    let lines = bytes.split(|&b| b == b'\n').filter_map(|line| line.strip_prefix(b"WARC-TREC-ID: "));
    lines.map(|id| String::from_utf8(id.trim_ascii().to_vec()).unwrap()).collect()
}

fn show(study: &Study, side: &str, id: &str) -> Document {
    let shown = study.dejaview(["show", id, "--side", side, "--json", "--tokens"]).json();
    let token = |token: &Value| token.as_str().unwrap().to_owned();
    Document {
        text: shown["text"].as_str().unwrap().to_owned(),
        tokens: shown["tokens"].as_array().unwrap().iter().map(token).collect(),
    }
}

/// Shows every document, on all cores, since each is a process of its own.
pub fn show_all(study: &Study, ids: &[(&'static str, String)]) -> BTreeMap<(&'static str, String), Document> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut shown = Vec::new();
        while let Some((side, id)) = ids.get(next.fetch_add(1, Ordering::Relaxed)) {
            shown.push(((*side, id.clone()), show(study, side, id)));
        }
        shown
    };
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

/// Side, id and sketch of every row.
fn sketches(study: &Study, configuration: &str) -> BTreeMap<(String, String), u64> {
    let answer = study.dejaview(["sketches", "--configuration", configuration]);
    let rows = answer.rows("side\tid\tsketch");
    let count = rows.len();
    let parsed = rows.into_iter().map(|row| {
        assert_eq!(row[2].len(), 16, "{row:?}");
        ((row[0].to_owned(), row[1].to_owned()), u64::from_str_radix(row[2], 16).unwrap())
    });
    let sketches: BTreeMap<_, _> = parsed.collect();
    assert_eq!(sketches.len(), count, "no id twice");
    sketches
}

fn pairs(study: &Study, configuration: &str) -> Answer {
    study.dejaview(["pairs", "--configuration", configuration])
}

#[test]
fn everything_is_read_and_nothing_skipped() {
    let Some(recrawl) = recrawl() else { return };
    assert_eq!(recrawl.summary["documents"], serde_json::json!({ "source": 733, "target": 900 }));
    assert_eq!(recrawl.summary["skipped"], serde_json::json!({}));
    assert_eq!(recrawl.documents.len(), 733 + 900, "and every one can be shown");
    let skipped = fs::read_to_string(recrawl.study.path(".dejaview/skipped.tsv")).unwrap();
    assert_eq!(skipped.lines().count(), 1, "{skipped}");
}

#[test]
fn sketches_are_those_of_the_published_hash() {
    let Some(recrawl) = recrawl() else { return };
    let mut expected: BTreeMap<&str, BTreeMap<(String, String), u64>> = BTreeMap::new();
    for ((side, id), document) in &recrawl.documents {
        let votes = [2, 3, 5].map(|n| (n, naive::votes(&document.tokens, n)));
        for (name, lengths) in CONFIGURATIONS {
            let chosen: Vec<_> = votes.iter().filter(|(n, _)| lengths.contains(n)).map(|(n, v)| (*n, v)).collect();
            if let Some(sketch) = naive::sketch(document.tokens.len(), &chosen) {
                expected.entry(name).or_default().insert(((*side).to_owned(), id.clone()), sketch);
            }
        }
    }
    for (name, _) in CONFIGURATIONS {
        let found = sketches(&recrawl.study, name);
        assert_eq!(found.len(), expected[name].len(), "documents with a sketch of {name}");
        for (document, sketch) in &expected[name] {
            assert_eq!(found.get(document), Some(sketch), "{name} of {document:?}");
        }
    }
}

#[test]
fn pairs_are_those_of_brute_force() {
    let Some(recrawl) = recrawl() else { return };
    for (name, _) in CONFIGURATIONS {
        let sketches = sketches(&recrawl.study, name);
        let side = |wanted: &str| -> Vec<(&str, u64)> {
            let of_side = sketches.iter().filter(|((side, _), _)| side == wanted);
            of_side.map(|((_, id), sketch)| (id.as_str(), *sketch)).collect()
        };
        let mut expected = BTreeSet::new();
        for (source, a) in side("source") {
            for (target, b) in side("target") {
                let distance = (a ^ b).count_ones();
                if distance <= 3 {
                    expected.insert((source.to_owned(), target.to_owned(), distance.to_string()));
                }
            }
        }
        let answer = pairs(&recrawl.study, name);
        let rows = answer.rows(HEADER);
        let found: BTreeSet<_> =
            rows.iter().map(|row| (row[2].to_owned(), row[3].to_owned(), row[4].to_owned())).collect();
        assert_eq!(found.len(), rows.len(), "{name}: no pair twice");
        assert!(found.len() > 50, "{name}: {} pairs", found.len());
        assert_eq!(found, expected, "{name}");
        assert_eq!(recrawl.summary["pairs"][name], found.len(), "{name}");
        assert!(rows.iter().all(|row| row[0] == name));
    }
}

#[test]
fn measures_are_those_of_plain_sets() {
    let Some(recrawl) = recrawl() else { return };
    let mut seen = BTreeSet::new();
    for row in recrawl.study.dejaview(["pairs", "--format", "jsonl"]).jsonl() {
        let [source, target] = ["source", "target"].map(|side| row[side].as_str().unwrap().to_owned());
        assert_eq!(row["jaccard"], row["jaccard_1"], "the headline at n = 1");
        if !seen.insert((source.clone(), target.clone())) {
            continue;
        }
        let (a, b) = (&recrawl.documents[&("source", source)], &recrawl.documents[&("target", target)]);
        for (name, expected) in naive::measures(a, b) {
            let found = row[&name].as_f64().unwrap();
            assert!((found - expected).abs() < 1e-12, "{name} of {row}: expected {expected}");
        }
    }
    assert!(seen.len() > 100, "{} pairs", seen.len());
}

#[test]
fn explanations_say_what_pairs_say() {
    let Some(recrawl) = recrawl() else { return };
    let rows = recrawl.study.dejaview(["pairs", "--format", "jsonl"]).jsonl();
    let mut by_pair: BTreeMap<(String, String), BTreeMap<String, &Value>> = BTreeMap::new();
    for row in &rows {
        let name = |key: &str| row[key].as_str().unwrap().to_owned();
        by_pair.entry((name("source"), name("target"))).or_default().insert(name("configuration"), row);
    }
    for ((source, target), found) in by_pair.iter().step_by(12) {
        let verdict = recrawl.study.dejaview(["explain", source, target, "--json"]).json();
        assert_eq!(
            (&verdict["source"], &verdict["target"]),
            (&Value::from(source.as_str()), &Value::from(target.as_str()))
        );
        for answer in verdict["configurations"].as_array().unwrap() {
            let row = found.get(answer["name"].as_str().unwrap());
            assert_eq!(answer["match"], row.is_some(), "{source} {target} {}", answer["name"]);
            if let Some(row) = row {
                assert_eq!(answer["evidence"], row["distance"], "{source} {target}");
            }
        }
        let row = found.values().next().unwrap();
        for name in ["jaccard_1", "jaccard_8", "cosine", "s3", "length_ratio"] {
            assert_eq!(verdict["scores"][name], row[name], "{name} of {source} {target}");
        }
        let [a, b] = [("source", source), ("target", target)].map(|(side, id)| &recrawl.documents[&(side, id.clone())]);
        let words = verdict["scores"]["edit_words"].as_f64().unwrap();
        assert!((words - naive::edit_ratio(&a.tokens, &b.tokens)).abs() < 1e-12, "{source} {target}: {words}");
    }
}

#[test]
fn pairs_come_sorted_with_a_header_and_six_decimals() {
    let Some(recrawl) = recrawl() else { return };
    let answer = recrawl.study.dejaview(["pairs"]);
    let rows = answer.rows(HEADER);
    let keys: Vec<(&str, &str)> = rows.iter().map(|row| (row[2], row[3])).collect();
    assert!(keys.is_sorted(), "by source, then target");
    for row in &rows {
        let (whole, decimals) = row[5].split_once('.').unwrap();
        assert!(["0", "1"].contains(&whole) && decimals.len() == 6, "{row:?}");
    }
    let one = recrawl.study.dejaview(["pairs", "--segment", "02", "--configuration", "simhash-2"]);
    let expected: Vec<_> = rows.iter().filter(|row| row[0] == "simhash-2" && row[1] == "02").cloned().collect();
    assert!(!expected.is_empty());
    assert_eq!(one.rows(HEADER), expected);
}

#[test]
fn a_least_jaccard_keeps_what_is_at_or_above_it() {
    let Some(recrawl) = recrawl() else { return };
    let all = recrawl.study.dejaview(["pairs", "--json"]).jsonl();
    let exact = all.iter().filter_map(|row| row["jaccard"].as_f64()).find(|jaccard| *jaccard < 0.95).unwrap();
    for least in [0.0, 0.5, 0.9, exact, 1.0] {
        let expected: Vec<&Value> = all.iter().filter(|row| row["jaccard"].as_f64().unwrap() >= least).collect();
        let found = recrawl.study.dejaview(["pairs", "--json", "--min-jaccard", &least.to_string()]).jsonl();
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{least}");
    }
}

#[test]
fn every_format_holds_the_same_rows() {
    let Some(recrawl) = recrawl() else { return };
    let tsv = recrawl.study.dejaview(["pairs"]);
    let lines: Vec<Vec<&str>> = tsv.ok().lines().map(|line| line.split('\t').collect()).collect();
    let csv = recrawl.study.dejaview(["pairs", "--format", "csv"]);
    assert_eq!(csv.ok().lines().map(|line| line.split(',').collect::<Vec<_>>()).collect::<Vec<_>>(), lines);

    let json = recrawl.study.dejaview(["pairs", "--format", "jsonl"]);
    assert_eq!(json.stdout, recrawl.study.dejaview(["pairs", "--json"]).stdout);
    let jsonl: Vec<Vec<String>> = json.jsonl().iter().map(|row| as_tsv(row.as_object().unwrap())).collect();
    assert_eq!(jsonl, lines[1..].to_vec());
    assert!(json.jsonl()[0].as_object().unwrap().keys().eq(&lines[0]), "the keys are the header");

    let parquet = recrawl.study.path("pairs.parquet");
    recrawl.study.dejaview(["pairs", "--format", "parquet", "-o", parquet.to_str().unwrap()]).ok();
    let (columns, rows) = read_parquet(&parquet);
    // Every column that Parquet has holds what the TSV does, and it has all of them.
    let places: Vec<usize> = columns
        .iter()
        .map(|name| lines[0].iter().position(|other| other == name).expect("a column of the TSV"))
        .collect();
    let expected: Vec<Vec<&str>> = lines[1..].iter().map(|row| places.iter().map(|&at| row[at]).collect()).collect();
    assert_eq!(rows, expected);
    assert_eq!(columns, lines[0], "columns of Parquet");
}

fn as_tsv(row: &serde_json::Map<String, Value>) -> Vec<String> {
    let print = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Bool(flag) => u8::from(*flag).to_string(),
        Value::Number(number) if number.is_u64() => number.to_string(),
        Value::Number(number) => format!("{:.6}", number.as_f64().unwrap()),
        other => panic!("{other}"),
    };
    row.values().map(print).collect()
}

fn read_parquet(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    let columns = reader.metadata().file_metadata().schema().get_fields().iter().map(|f| f.name().to_owned()).collect();
    let print = |field: &Field| match field {
        Field::Str(text) => text.clone(),
        Field::Bool(flag) => u8::from(*flag).to_string(),
        Field::Int(number) => number.to_string(),
        Field::Double(number) => format!("{number:.6}"),
        other => panic!("{other:?}"),
    };
    let rows = reader.get_row_iter(None).unwrap();
    (columns, rows.map(|row| row.unwrap().get_column_iter().map(|(_, field)| print(field)).collect()).collect())
}

#[test]
fn a_file_gets_what_standard_output_gets() {
    let Some(recrawl) = recrawl() else { return };
    for format in ["tsv", "csv", "jsonl", "parquet"] {
        let path = recrawl.study.path(&format!("out.{format}"));
        let written = recrawl.study.dejaview(["pairs", "--format", format, "-o", path.to_str().unwrap()]);
        assert_eq!(written.ok(), "");
        let piped = recrawl.study.dejaview(["pairs", "--format", format]);
        assert_eq!(piped.code, Some(0));
        assert!(fs::read(&path).unwrap() == piped.stdout, "{format}");
    }
}

#[test]
fn the_headline_jaccard_is_the_one_asked_for() {
    let Some(recrawl) = recrawl() else { return };
    let crawl = recrawl.data.join("recrawl");
    let study = Study::new().source(crawl.join("old-few.jsonl")).target("00", crawl.join("new-00.warc.gz"));
    let toml = fs::read_to_string(study.path("study.toml")).unwrap();
    let study = study.file("study.toml", format!("{toml}\n[text]\njaccard = 3\n"));
    study.run();
    let rows = study.dejaview(["pairs", "--json"]).jsonl();
    assert!(!rows.is_empty());
    for row in rows {
        assert_eq!(row["jaccard"], row["jaccard_3"]);
        assert_ne!(row["jaccard_1"], Value::Null);
    }
}

/// Ids of the pages that are there in three formats. Two of them say ISO-8859-1 and are UTF-8; whoever made the JSONL
/// believed them, so it holds other characters than the archive does. These are told by `true`.
fn few(crawl: &Path) -> Vec<(String, bool)> {
    let trec = fs::read(crawl.join("old-few.trecweb")).unwrap();
    let holds = |html: &str| trec.windows(html.len()).any(|window| window == html.as_bytes());
    let few: Vec<(String, bool)> = fs::read_to_string(crawl.join("old-few.jsonl"))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|page| (page["id"].as_str().unwrap().to_owned(), !holds(page["html"].as_str().unwrap())))
        .collect();
    assert_eq!((few.len(), few.iter().filter(|(_, other)| *other).count()), (41, 2));
    few
}

#[test]
fn a_page_is_the_same_page_in_every_format() {
    let Some(recrawl) = recrawl() else { return };
    let crawl = recrawl.data.join("recrawl");
    let few = few(&crawl);
    let judged: String = few.iter().map(|(id, _)| format!("1 0 {id} 1\n")).collect();
    let with_targets = |study: Study| -> Study {
        let study = study.top("keep = \"all\"");
        (0..4).fold(study, |study, n| study.target(&format!("0{n}"), crawl.join(format!("new-0{n}.warc.gz"))))
    };
    let warc = Study::new().source(crawl.join("old.warc.gz")).file("few.qrels", judged).judgments("few.qrels");
    let warc = with_targets(warc);
    let expected = warc.run();
    assert_eq!(expected["documents"]["source"], 41);
    assert!(expected["pairs"]["simhash-2"].as_u64().unwrap() > 0);
    for (name, decoded) in [("old-few.trecweb", false), ("old-few.jsonl", true)] {
        let other = with_targets(Study::new().source(crawl.join(name)));
        let found = other.run();
        assert_eq!(found["documents"], expected["documents"], "{name}");
        assert_eq!(found["skipped"], serde_json::json!({}), "{name}");
        let same: Vec<&String> = few.iter().filter(|(_, odd)| !(*odd && decoded)).map(|(id, _)| id).collect();
        let rows = |study: &Study| -> Vec<String> {
            let mut rows = study.dejaview(["pairs", "--json"]).jsonl();
            rows.retain(|row| same.iter().any(|id| row["source"] == **id));
            rows.iter().map(Value::to_string).collect()
        };
        assert_eq!(rows(&other), rows(&warc), "{name}");
        for id in &same {
            let expected = &recrawl.documents[&("source", (*id).clone())];
            assert_eq!(&show(&other, "source", id), expected, "{id} in {name}");
        }
        if !decoded {
            let pairs_of = |study: &Study| -> BTreeMap<String, Vec<u8>> {
                study.results().into_iter().filter(|(name, _)| name.ends_with(".pairs")).collect()
            };
            crate::support::assert_same(&pairs_of(&warc), &pairs_of(&other));
        }
    }
}

#[test]
fn what_show_prints_is_what_its_json_holds() {
    let Some(recrawl) = recrawl() else { return };
    for ((side, id), document) in recrawl.documents.iter().step_by(27) {
        let tokens = recrawl.study.dejaview(["show", id, "--side", side, "--tokens"]);
        assert!(tokens.ok().lines().eq(&document.tokens), "tokens of {id}");
        let text = recrawl.study.dejaview(["show", id, "--side", side]);
        assert_eq!(text.ok(), format!("{}\n", document.text), "text of {id}");
    }
}

#[test]
fn a_kept_text_is_the_text_in_the_corpus() {
    let Some(recrawl) = recrawl() else { return };
    // A study that was never run has no index: what it shows comes from the archive.
    let unread = whole(Study::new(), &recrawl.data);
    for ((side, id), document) in recrawl.documents.iter().step_by(60) {
        assert_eq!(&show(&unread, side, id), document, "{id}");
    }
}

/// Results of a strong query that are compared.
const COMPARED: usize = 20;

/// Whether a strong query must find a page on the other side, and whether it may: where it has more results than are
/// compared, the order of the search decides.
fn found_by_strong_query(
    words: &HashSet<&str>,
    others: &[HashSet<&str>],
    frequencies: &HashMap<&str, usize>,
) -> (bool, bool) {
    let mut rarest: Vec<(usize, &str)> =
        words.iter().map(|word| (frequencies[word], *word)).filter(|(documents, _)| *documents > 1).collect();
    rarest.sort_unstable();
    rarest.truncate(8);
    if rarest.is_empty() {
        return (false, false);
    }
    let results: Vec<_> = others.iter().filter(|other| rarest.iter().all(|(_, word)| other.contains(word))).collect();
    let alike = |other: &&&HashSet<&str>| {
        let both = words.intersection(other).count();
        10 * both >= 9 * (words.len() + other.len() - both)
    };
    let found = results.iter().any(|other| alike(&other));
    (found && results.len() <= COMPARED, found)
}

#[test]
fn strong_queries_find_the_pages_of_a_recount() {
    let Some(recrawl) = recrawl() else { return };
    let sets = |wanted: &str| -> Vec<HashSet<&str>> {
        let of_side = recrawl.documents.iter().filter(|((side, _), _)| *side == wanted);
        of_side.map(|(_, document)| document.tokens.iter().map(String::as_str).collect()).collect()
    };
    let [source, target] = ["source", "target"].map(sets);
    let mut frequencies = HashMap::new();
    source.iter().chain(&target).flatten().for_each(|word| *frequencies.entry(*word).or_default() += 1);
    let answer = recrawl.study.dejaview(["size", "--json", "--by", "queries", "--size", "100000"]).json();
    for (side, pages, others) in [(0, &source, &target), (1, &target, &source)] {
        let counted: Vec<(bool, bool)> =
            pages.iter().map(|words| found_by_strong_query(words, others, &frequencies)).collect();
        let (must, may) = (counted.iter().filter(|page| page.0).count(), counted.iter().filter(|page| page.1).count());
        let overlap = &answer["overlaps"][side];
        let found = overlap["found"].as_u64().unwrap() as usize;
        assert_eq!(overlap["asked"], pages.len(), "{overlap}");
        assert!(must <= found && found <= may && may <= must + 3, "{must} to {may}: {overlap}");
    }
}
