//! Labels of other people and tools on their way into a study: whose they are, and what becomes of every row.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use crate::labels::study;
use crate::support::{Answer, Study, page, program, response};

/// A source and a target document that some configuration found, and the same of other pairs.
fn pairs(study: &Study, n: usize) -> Vec<(String, String)> {
    let found = study.dejaview(["pairs", "--configuration", "simhash-2", "--json"]).jsonl();
    let id = |pair: &Value, key: &str| pair[key].as_str().unwrap().to_owned();
    found.iter().map(|pair| (id(pair, "source"), id(pair, "target"))).take(n).collect()
}

fn import(study: &Study, text: &str, more: &[&str]) -> Answer {
    let file = study.path("labels.txt");
    fs::write(&file, text).unwrap();
    Answer::of(program().args(["labels", "import"]).arg(study.folder()).arg(file).args(more))
}

/// Bytes of every journal, by name.
fn journals(study: &Study) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(study.path("labels")).into_iter().flatten();
    let one = |path: std::path::PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, fs::read(path).unwrap())
    };
    entries.map(|entry| one(entry.unwrap().path())).collect()
}

fn row(cells: &[&str]) -> String {
    cells.join("\t") + "\n"
}

#[test]
fn every_label_goes_into_the_journal_of_the_annotator_it_names() {
    let study = study();
    let [(s, t), (u, v)] = &pairs(&study, 2)[..] else { panic!() };
    let tsv =
        ["source\ttarget\tlabel\tannotator\n", &row(&[s, t, "not", "ann"]), &row(&[s, t, "unsure", "bob"])].concat();
    let report = import(&study, &tsv, &["--json"]).json();
    assert_eq!((&report["rows"], &report["added"]), (&2.into(), &2.into()));
    assert_eq!(report["annotators"][1], json!({"annotator": "bob", "added": 1, "known": 0, "changed": 0}));
    let csv = format!("annotator,source,target,label\nann,{u},{v},not\n,{u},{v},not\n");
    let answer = import(&study, &csv, &[]);
    assert!(answer.failed().contains("line 3 does not say whose label it is"), "{}", answer.stderr);
    let text = import(&study, &csv.replace("ann,", "eve,"), &["--annotator", "eve"]);
    assert!(text.ok().starts_with("1 label of eve added, 1 duplicate; 2 rows read"), "{}", text.text());
    let json = format!("{{\"source\":\"{u}\",\"target\":\"{v}\",\"label\":\"not\",\"annotator\":\"zoë b\"}}\n");
    assert!(import(&study, &json, &[]).ok().starts_with("1 label of zoë b added"));
    let names: Vec<String> = journals(&study).into_keys().collect();
    assert_eq!(names, ["ann.jsonl", "bob.jsonl", "eve.jsonl", "zoë%20b.jsonl"]);
}

#[test]
fn a_name_that_differs_from_the_one_given_is_an_error_that_says_what_to_do() {
    let study = study();
    let [(s, t), (u, v)] = &pairs(&study, 2)[..] else { panic!() };
    let rows = [row(&[s, t, "not", ""]), row(&[u, v, "not", "ann"])].concat();
    let answer = import(&study, &format!("source\ttarget\tlabel\tannotator\n{rows}"), &["--annotator", "bob"]);
    for words in ["line 3 is a label of ann, not of bob", "leave out --annotator", "nothing was imported"] {
        assert!(answer.failed().contains(words), "{}", answer.stderr);
    }
    assert!(journals(&study).is_empty());
}

#[test]
fn contradictions_are_refused_with_their_lines_and_change_nothing() {
    let study = study();
    let [(s, t), (u, v)] = &pairs(&study, 2)[..] else { panic!() };
    import(&study, &format!("{s} 0 {t} 0\n"), &["--annotator", "ann"]).ok();
    let before = journals(&study);
    let tsv = [
        "source\ttarget\tlabel\tannotator\n",
        &row(&[u, v, "near-duplicate", "ann"]),
        &row(&[u, v, "not", "bob"]),
        &row(&[s, t, "near-duplicate", "ann"]),
        &row(&[v, u, "not", "ann"]),
    ]
    .concat();
    let answer = import(&study, &tsv, &[]);
    let said = format!("ann on {u} {v}: near-duplicate in line 2, not in line 5");
    for words in [&said, "gives 1 pair different labels of one annotator; nothing was imported"] {
        assert_eq!((answer.code, answer.text()), (Some(1), ""));
        assert!(answer.stderr.contains(words), "{}", answer.stderr);
    }
    let answer = import(&study, &tsv, &["--json"]);
    assert_eq!(answer.code, Some(1));
    let report: Value = serde_json::from_str(answer.text()).unwrap();
    let contradiction = json!({
        "annotator": "ann", "source": u, "target": v, "lines": [2, 5], "labels": ["near-duplicate", "not"],
    });
    assert_eq!((&report["contradictions"], &report["added"]), (&json!([contradiction]), &0.into()));
    assert_eq!(journals(&study), before);
}

#[test]
fn every_row_is_counted_once() {
    let study = study();
    study.dejaview(["sample", "--configuration", "simhash-3+5", "--size", "8", "--name", "eight"]).ok();
    let sample = fs::read_to_string(study.path("samples/eight.jsonl")).unwrap();
    let drawn: Vec<Value> = sample.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    let id = |n: usize, key: &str| drawn[n][key].as_str().unwrap();
    let outside = pairs(&study, 400).into_iter();
    let is_drawn = |(s, t): &(String, String)| drawn.iter().any(|pair| pair["source"] == *s && pair["target"] == *t);
    let (s, t) = outside.into_iter().find(|pair| !is_drawn(pair)).unwrap();
    let pair = |n: usize, label: &str| row(&[id(n, "source"), id(n, "target"), label]);
    let head = "source\ttarget\tlabel\n";
    let to = ["--annotator", "ann", "--sample", "eight", "--json"];
    assert_eq!(import(&study, &[head, &pair(0, "not"), &pair(1, "not")].concat(), &to).json()["added"], 2);
    let table = [
        head,
        &pair(0, "not"),
        &pair(1, "near-duplicate"),
        &pair(2, "not"),
        "\n",
        &pair(2, "not"),
        &row(&[id(3, "target"), id(3, "source"), "unsure"]),
        &row(&[&s, &t, "not"]),
        &row(&["nobody", id(3, "target"), "not"]),
        &row(&[id(4, "source"), id(4, "target")]),
    ]
    .concat();
    let answer = import(&study, &table, &to);
    let report = answer.json();
    let counts = ["rows", "added", "known", "changed", "duplicates", "unknown", "not_in_sample", "not_understood"];
    assert_eq!(counts.map(|key| report[key].as_u64().unwrap()), [8, 3, 1, 1, 1, 1, 1, 1], "{report}");
    assert_eq!(report["swapped"], 1);
    let changed = &report["changes"][0];
    assert_eq!(
        (&changed["line"], &changed["old"], &changed["new"]),
        (&3.into(), &"not".into(), &"near-duplicate".into())
    );
    for words in [
        "line 3: ",
        "was not and is now near-duplicate (ann)",
        &format!("line 8: {s} {t} is not in the sample, so the label is kept without it"),
        "line 9: nobody is not a source document that this study knows",
        "line 10: there are fewer columns than in the header",
    ] {
        assert!(answer.stderr.contains(words), "{words}: {}", answer.stderr);
    }
    let exported = Answer::of(program().args(["labels", "export"]).arg(study.folder()));
    let swapped = format!("{}\t{}\tunsure\tann\teight", id(3, "source"), id(3, "target"));
    assert!(exported.ok().contains(&swapped), "{}", exported.text());
    let text = import(&study, &table, &to[..4]);
    let words = "0 labels of ann added, 5 known before, 1 duplicate, 1 with unknown ids left out, \
                 1 not in the sample kept without it, 1 not understood, 1 with source and target swapped put right; 8 rows read";
    let values = "  near-duplicate: “near-duplicate” (1 row)\n  not: “not” (5 rows)\n  unsure: “unsure” (1 row)";
    assert_eq!(text.ok().trim_end(), format!("{words}\n{values}"));
    // A value that is not known refuses the whole file: nobody knows what the others are worth without it.
    let before = journals(&study);
    let refused = import(&study, &[head, &pair(5, "not"), &pair(6, "nit")].concat(), &to[..4]);
    assert!(refused.failed().contains("line 3: “nit” is no label that is known here (1 row)"), "{}", refused.stderr);
    let named = [&to[..4], &["--positive", "copy", "--negative", "other"]].concat();
    let refused = import(&study, &[head, &pair(5, "copy"), &pair(6, "No Match")].concat(), &named);
    let why = "line 3: “No Match” is not among the values named (1 row); where --positive or --negative names values, only those";
    assert!(refused.failed().contains(why) && !refused.stderr.contains("--positive 'No"), "{}", refused.stderr);
    assert_eq!(journals(&study), before);
}

#[test]
fn ids_are_looked_up_without_a_sample_too_and_in_journals() {
    let study = study();
    let [(s, t), (u, v)] = &pairs(&study, 2)[..] else { panic!() };
    let answer = import(&study, &format!("{t} 0 {s} 1\n{u} 0 {v} 1\nx 0 y 1\n"), &["--annotator", "ann"]);
    let said = "x is not a source document that this study knows, and y is not a target document that this study knows";
    assert!(answer.stderr.contains(&format!("line 3: {said}")), "{}", answer.stderr);
    assert!(answer.ok().starts_with("2 labels of ann added, 1 with unknown ids left out, 1 with source"));
    let none = import(&study, "x 0 y 1\n", &["--annotator", "bob"]);
    assert!(none.code == Some(1) && none.stderr.contains("dejaview: no label of"), "{}", none.stderr);
    assert_eq!(journals(&study).into_keys().collect::<Vec<_>>(), ["ann.jsonl"]);

    // A study without any documents knows none, and takes everything.
    let empty =
        Study::new().file("pairs.tsv", "source\ttarget\na\tb\n").configuration("import", "pairs = \"pairs.tsv\"");
    empty.run();
    assert!(import(&empty, "x 0 y 1\n", &["--annotator", "bob"]).ok().starts_with("1 label of bob added"));
    let journal = fs::read_to_string(empty.path("labels/bob.jsonl")).unwrap();
    let there = import(&study, &journal, &["--annotator", "bob"]);
    assert!(there.code == Some(1) && there.stderr.contains("1 with unknown ids left out"), "{}", there.stderr);
    let whose = import(&study, &journal, &[]);
    assert!(whose.failed().contains("whose journal is it"), "{}", whose.stderr);
}

#[test]
fn no_sample_is_drawn_for_an_import() {
    let study = study();
    let answer = import(&study, "a 0 b 1\n", &["--annotator", "ann", "--sample", "default"]);
    assert!(answer.failed().contains("no sample `default`"), "{}", answer.stderr);
    assert!(!study.path("samples").exists());
}

#[test]
fn ids_are_known_without_the_archives() {
    let archive = |side: &str| {
        let one = |n: u64| response(&format!("{side}-{n}"), &format!("http://{side}.example/{n}"), page(n % 4, 60));
        (0..6).flat_map(one).collect::<Vec<u8>>()
    };
    let study = Study::new()
        .file("old.warc", archive("a"))
        .file("new.warc", archive("b"))
        .source("old.warc")
        .target("00", "new.warc")
        .simhash("ngrams = [2]");
    study.run();
    fs::write(study.path("old.warc"), "gone").unwrap();
    fs::write(study.path("new.warc"), "gone").unwrap();
    let answer = import(&study, "a-1 0 b-1 1\nb-2 0 a-2 1\na-1 0 c-1 0\n", &["--annotator", "ann"]);
    let words = "2 labels of ann added, 1 with unknown ids left out, 1 with source and target swapped put right";
    assert!(answer.ok().starts_with(words), "{}{}", answer.text(), answer.stderr);
}

#[test]
fn labels_outside_the_sample_are_kept_without_it() {
    let study = study();
    let draw = |seed: &str| {
        let asked =
            ["sample", "--configuration", "simhash-3+5", "--size", "20", "--name", "tt", "--seed", seed, "--json"];
        crate::labels::ids(&study.dejaview(asked).json())
    };
    let drawn = draw("1");
    let rows: String = drawn.iter().map(|(s, t)| row(&[s, t, "not", "2012-03-05T09:00:00.000Z"])).collect();
    let table = format!("source\ttarget\tlabel\ttime\n{rows}");
    let to = ["--annotator", "ann", "--sample", "tt"];
    import(&study, &table, &to).ok();
    let journal = fs::read_to_string(study.path("labels/ann.jsonl")).unwrap();
    fs::remove_file(study.path("samples/tt.jsonl")).unwrap();
    let again = draw("2");
    let outside = drawn.iter().filter(|pair| !again.contains(pair)).count();
    assert!(outside > 1, "the two samples differ");
    // Bob's journal from elsewhere, and carl's table: both were labelled in the sample as it was.
    for (annotator, text) in [("bob", &journal), ("carl", &table)] {
        let to = ["--annotator", annotator, "--sample", "tt"];
        let answer = import(&study, text, &to);
        let words =
            format!("20 labels of {annotator} added, {outside} not in the sample kept without it; 20 rows read");
        assert!(answer.ok().starts_with(&words), "{}", answer.text());
        for words in ["is not in the sample, so the label is kept without it", "that sample tt does not have"] {
            assert!(answer.stderr.contains(words), "{words}: {}", answer.stderr);
        }
        let before = journals(&study);
        let twice = import(&study, text, &to);
        assert!(twice.ok().starts_with(&format!("0 labels of {annotator} added, 20 known before")), "{}", twice.text());
        assert_eq!(journals(&study), before, "{annotator}");
        let file = format!("labels/{annotator}.jsonl");
        let inside = fs::read_to_string(study.path(&file)).unwrap().matches("\"sample\":\"tt\"").count();
        assert_eq!(inside, 20 - outside, "{annotator}");
    }
    // Ann's labels name the sample already: her own journal changes nothing.
    let before = journals(&study);
    assert!(import(&study, &journal, &to).ok().starts_with("0 labels of ann added, 20 known before"));
    assert_eq!(journals(&study), before);
}

#[test]
fn an_old_export_overrules_nothing_that_was_decided_since() {
    let study = study();
    let [(s, t), (u, v)] = &pairs(&study, 2)[..] else { panic!() };
    let [monday, tuesday, wednesday] = [5, 6, 7].map(|day| format!("2012-03-0{day}T09:00:00.000Z"));
    let table = |label: &str, time: &str, note: &str| {
        ["source\ttarget\tlabel\ttime\tnote\n", &row(&[s, t, label, time, note])].concat()
    };
    let bob = ["--annotator", "bob"];
    let other = row(&[u, v, "unsure", &monday, ""]);
    let old = table("near-duplicate", &monday, "seen") + &other;
    import(&study, &old, &bob).ok();
    let laptop = fs::read_to_string(study.path("labels/bob.jsonl")).unwrap();
    import(&study, &table("not", &tuesday, "looked again"), &bob).ok();
    let home = fs::read_to_string(study.path("labels/bob.jsonl")).unwrap();

    let answer = import(&study, &old, &bob);
    let words = "0 labels of bob added, 1 known before, 1 overruled by later decisions left out; 2 rows read";
    assert!(answer.ok().starts_with(words), "{}", answer.text());
    let why = format!("line 2: {s} {t}: near-duplicate of {monday} was left out, because bob said not at {tuesday}");
    assert!(answer.stderr.contains(&why), "{}", answer.stderr);
    assert_eq!(fs::read_to_string(study.path("labels/bob.jsonl")).unwrap(), home);
    let report = import(&study, &table("near-duplicate", &monday, "a third note"), &["--annotator", "bob", "--json"]);
    assert!(report.stderr.contains("the note was left out with its label"), "{}", report.stderr);
    let report = report.json();
    assert_eq!((&report["rows"], &report["overruled"], &report["changed"]), (&1.into(), &1.into(), &0.into()));

    // The same from a journal: of a copy that went on elsewhere only what is later counts.
    let elsewhere = Study::new()
        .file("pairs.tsv", format!("source\ttarget\n{s}\t{t}\n{u}\t{v}\n"))
        .configuration("import", "pairs = \"pairs.tsv\"");
    elsewhere.run();
    import(&elsewhere, &laptop, &bob).ok();
    import(&elsewhere, &table("unsure", "2012-03-05T10:00:00.000Z", ""), &bob).ok();
    import(
        &elsewhere,
        &row(&[u, v, "not", &wednesday]).replacen(u, &format!("source\ttarget\tlabel\ttime\n{u}"), 1),
        &bob,
    )
    .ok();
    let copy = fs::read_to_string(elsewhere.path("labels/bob.jsonl")).unwrap();
    let answer = import(&study, &copy, &bob);
    let words = "0 labels of bob added, 2 known before, 1 changed, 1 overruled by later decisions left out";
    assert!(answer.ok().starts_with(words), "{}{}", answer.text(), answer.stderr);
    let exported = Answer::of(program().args(["labels", "export"]).arg(study.folder()));
    for (pair, label) in [((s, t), "not"), ((u, v), "not")] {
        assert!(exported.ok().contains(&format!("{}\t{}\t{label}\tbob", pair.0, pair.1)), "{}", exported.text());
    }

    // Without a time a label counts as given now.
    let answer = import(&study, &format!("{s} 0 {t} 1\n"), &bob);
    assert!(answer.ok().starts_with("0 labels of bob added, 1 changed"), "{}", answer.text());
}

#[test]
fn a_note_that_was_changed_since_does_not_come_back() {
    let study = study();
    let (s, t) = &pairs(&study, 1)[0];
    let table = |note: &str, flag: &str| {
        let cells = row(&[s, t, "not", "2012-03-05T09:00:00.000Z", note, flag]);
        ["source\ttarget\tlabel\ttime\tnote\tflag\n", &cells].concat()
    };
    let bob = ["--annotator", "bob"];
    import(&study, &table("first", "true"), &bob).ok();
    let answer = import(&study, &table("second", ""), &bob);
    answer.ok();
    assert!(answer.stderr.contains("1 pair has a note or a flag here and none in"), "the flag: {}", answer.stderr);
    let before = journals(&study);
    let answer = import(&study, &table("first", "true"), &bob);
    assert!(answer.ok().starts_with("0 labels of bob added, 1 known before, 1 value beside labels left out"));
    assert!(answer.stderr.contains("line 2: the note was left out: bob changed it since"), "{}", answer.stderr);
    assert!(!answer.stderr.contains("a note or a flag here and none"), "the file has both: {}", answer.stderr);
    assert_eq!(journals(&study), before);
}
