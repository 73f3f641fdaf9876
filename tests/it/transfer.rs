use std::fs;
use std::path::Path;
use std::process::Command;

use dejaview::labels::line::encode;
use dejaview::labels::{Event, EventKind, Label};
use serde_json::{Value, json};

use crate::support::{Answer, Study, data, program};

/// Pairs in every format of text, and what they come to.
#[test]
fn pairs_of_other_tools_are_browsed_and_carried() {
    let study = Study::new()
        .file("judged.qrels", "1 0 a 2\n1 0 b 0\n2 0 c 1\n2 0 d 1\n")
        .judgments("judged.qrels")
        .file("pairs/one.tsv", "source\ttarget\tscore\na\tx\t0.75\na\ty\t0.5\na\tx\t0.875\nbroken\n")
        .file(
            "pairs/two.jsonl",
            "{\"firstId\":\"y\",\"secondId\":\"b\",\"hemmingDistance\":2}\n{\"equivalentDocuments\":[\"c\",\"z\"]}\n",
        )
        .configuration("import", "name = \"others\"\npairs = \"pairs/*\"");
    let run = study.dejaview(["run", "--json"]).json();
    assert_eq!(run["pairs"]["others"], 4);
    assert_eq!(run["skipped"], json!({ "not a pair": 1, "repeated pair": 1 }));
    let skipped = std::fs::read_to_string(study.path(".dejaview/skipped.tsv")).unwrap();
    assert!(skipped.contains("one.tsv\t4\trepeated pair\tline 4: a x, as in line 2"), "{skipped}");
    assert!(skipped.contains("one.tsv\t5\tnot a pair\tline 5: 1 columns"), "{skipped}");
    let again = study.dejaview(["run", "--json"]).json();
    assert_eq!((&again["resumed"], &again["pairs"]["others"]), (&json!(1), &json!(4)));

    let pairs = study.dejaview(["pairs", "--json"]).jsonl();
    let brief: Vec<Value> = pairs
        .iter()
        .map(|p| json!([p["source"], p["target"], p["distance"], p["score"], p["rank"], p["jaccard"]]))
        .collect();
    let expected = [
        json!(["a", "x", 0, 0.875, 1.0, null]),
        json!(["a", "y", 0, 0.5, 2.0, null]),
        json!(["b", "y", 2, null, 4.0, null]),
        json!(["c", "z", 0, null, 5.0, null]),
    ];
    assert_eq!(brief, expected, "the place in the files, the highest score, judged documents as the source");
    assert_eq!(
        study.dejaview(["pairs"]).ok().lines().nth(1).unwrap(),
        "others\timported\ta\tx\t0\t\t\t\t\t\t\t\t\t\t\t\t\t\t0.875000\t1.000000\t0"
    );

    nothing_compared_is_no_jaccard(&study);
    let out = study.path("new.qrels");
    let found = study.dejaview(["transfer", "-o", out.to_str().unwrap(), "--accept", "all", "--json"]).json();
    assert_eq!((&found["transferred"], &found["judgments"]), (&json!(3), &json!(4)));
    assert_eq!(found["left_behind"], json!({ "no pair": 1 }));
    assert_eq!(found["conflicting"][0]["target"], "y", "a and b meet at y with grades 2 and 0: {found}");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "1 0 x 2\n1 0 y 0\n2 0 z 1\n");
    let ledger = std::fs::read_to_string(study.path("new.ledger.tsv")).unwrap();
    let line = ledger.lines().nth(1).unwrap();
    assert_eq!(line, "judged\t1\t\ta\t2\tx\t0.875\t1\t\tcarried\tthe best accepted pair of its document");
    assert!(ledger.ends_with("\tleft\tno pair\n"), "{ledger}");
    let least = study.dejaview(["transfer", "-o", out.to_str().unwrap(), "--accept", "score:0.6", "--json"]).json();
    assert_eq!(least["left_behind"], json!({ "no pair": 1, "no score by this measure": 2 }));
    study.dejaview(["transfer", "-o", out.to_str().unwrap(), "--accept", "luck"]).misused();
}

/// Pairs without texts have no Jaccard; nobody is told that it is 0.
fn nothing_compared_is_no_jaccard(study: &Study) {
    for keys in ["2 l", "3", "3 enter"] {
        let screen = study.dejaview(["screen", "--keys", keys]);
        assert!(screen.ok().contains('–') && !screen.ok().contains("0.000"), "{keys}: {}", screen.ok());
    }
    let figures = study.dejaview(["figures", "--json"]).json();
    for figure in figures["figures"].as_array().unwrap() {
        let bars = figure["series"][0]["bars"].as_array().unwrap();
        let sum: u64 = bars.iter().map(|bar| bar["value"].as_u64().unwrap()).sum();
        match figure["name"].as_str().unwrap() {
            "jaccard" | "best" => {
                assert!(sum == 0 && figure["notes"].to_string().contains("4 imported pairs without texts"), "{figure}");
            }
            "pairs" => assert_eq!(sum, 4),
            _ => {}
        }
    }
}

#[test]
fn labels_decide_and_estimate() {
    let study = Study::new()
        .file("judged.qrels", "1 0 a 2\n1 0 b 0\n1 0 c 1\n")
        .judgments("judged.qrels")
        .file("pairs.tsv", "a\tx\t0.9\nb\ty\t0.8\nc\tz\t0.7\n")
        .configuration("import", "pairs = \"pairs.tsv\"");
    study.dejaview(["run"]).ok();
    let line = |seq: u64, source: &str, target: &str, label: Label| {
        let mut event = Event::new(EventKind::Label(label), source, target, "2026-01-01T00:00:00Z");
        event.seq = seq;
        format!("{}\n", encode(&event).0.trim_end())
    };
    let journal = line(1, "a", "x", Label::NearDuplicate) + &line(2, "b", "y", Label::Not);
    let study = study.file("labels/ada.jsonl", journal);
    let out = study.path("new.qrels");
    let out = out.to_str().unwrap();
    let found = study.dejaview(["transfer", "-o", out, "--accept", "all", "--json"]).json();
    assert_eq!(found["left_behind"], json!({ "labelled not a near-duplicate": 1 }), "{found}");
    let wrong = &found["wrong"];
    // Labels of no sample stand for themselves alone.
    assert_eq!((&wrong["value"], &wrong["labelled"], &wrong["pool"]), (&Value::Null, &json!(2), &json!(3)));
    let text = study.dejaview(["transfer", "-o", out, "--accept", "all"]);
    assert!(text.ok().contains("how many of all pairs are wrong is not known"), "{}", text.text());
    // A sample that holds their pairs does not make them its own: they were not given in it.
    study.dejaview(["sample", "--configuration", "import", "--name", "all", "--size", "3"]).ok();
    let wrong = &study.dejaview(["transfer", "-o", out, "--accept", "all", "--json"]).json()["wrong"];
    assert_eq!((&wrong["value"], &wrong["sample"]), (&Value::Null, &Value::Null), "{wrong}");
    let found = study.dejaview(["transfer", "-o", out, "--accept", "labels", "--json"]).json();
    assert_eq!((&found["transferred"], &found["wrong"]), (&json!(1), &Value::Null));
    assert_eq!(std::fs::read_to_string(out).unwrap(), "1 0 x 2\n");
}

#[test]
fn what_is_accepted_must_be_said() {
    let study = Study::new()
        .file("judged.qrels", "1 0 a 2\n")
        .judgments("judged.qrels")
        .file("pairs.tsv", "a\tx\t0.9\n")
        .configuration("import", "pairs = \"pairs.tsv\"");
    study.dejaview(["run"]).ok();
    let out = study.path("new.qrels");
    let said = study.dejaview(["transfer", "-o", out.to_str().unwrap()]);
    for choice in ["labels", "all", "jaccard:0.9"] {
        assert!(said.misused().contains(choice), "{choice}: {}", said.stderr);
    }
    assert!(!out.exists(), "nothing is written");
    study.dejaview(["sample", "--from", "transfer"]).misused();
    study.dejaview(["sample", "--from", "query", "--configuration", "import", "--accept", "all"]).misused();
    study.dejaview(["sample", "--from", "query"]).misused();
}

/// A study of judged documents and pairs of others, run.
fn judged(qrels: &str, pairs: &str) -> Study {
    let study = Study::new()
        .file("judged.qrels", qrels)
        .judgments("judged.qrels")
        .file("pairs.tsv", pairs)
        .configuration("import", "pairs = \"pairs.tsv\"");
    study.dejaview(["run"]).ok();
    study
}

/// Labels the pairs of sample `transfer`: those with targets `u…` are not near-duplicates. How many those are.
fn label_as_named(study: &Study, pairs: &[Value]) -> u64 {
    let id = |pair: &Value, key: &str| pair[key].as_str().unwrap().to_owned();
    let is_wrong = |pair: &Value| id(pair, "target").starts_with('u');
    let mut table = "source\ttarget\tlabel\n".to_owned();
    for pair in pairs {
        let label = if is_wrong(pair) { "not" } else { "near-duplicate" };
        table += &format!("{}\t{}\t{label}\n", id(pair, "source"), id(pair, "target"));
    }
    let file = study.path("labels.tsv");
    std::fs::write(&file, table).unwrap();
    let mut import = crate::support::program();
    import.args(["labels", "import"]).arg(study.folder()).arg(&file);
    crate::support::Answer::of(import.args(["--annotator", "ada", "--sample", "transfer"])).ok();
    pairs.iter().filter(|pair| is_wrong(pair)).count() as u64
}

/// Labels of a sample of the pairs that a transfer takes say how many of these are wrong, exactly for their number; for
/// another order they say nothing.
#[test]
fn a_sample_of_what_a_transfer_takes_says_how_much_of_it_is_wrong() {
    let qrels: String = (0..30).map(|i| format!("1 0 s{i:02} 1\n")).collect();
    let pairs: String = (0..30)
        .map(|i| format!("s{i:02}\tt{i:02}\t0.9\ns{i:02}\tu{i:02}\t0.{}\n", if i < 20 { 8 } else { 3 }))
        .collect();
    let study = judged(&qrels, &pairs);
    let drawn = ["sample", "--from", "transfer", "--policy", "all", "--accept", "score:0.5", "--size", "10", "--json"];
    let sample = study.dejaview(drawn).json();
    assert_eq!(
        (&sample["population"], &sample["design"], &sample["name"]),
        (&json!(50), &json!("simple"), &json!("transfer"))
    );
    let mut from = sample["transfer"].clone();
    let digest = from.as_object_mut().unwrap().remove("pairs");
    assert_eq!(digest.and_then(|digest| digest.as_str().map(str::len)), Some(32), "{sample}");
    assert_eq!(from, json!({ "policy": "all", "accept": "score:0.5", "by": "score", "configurations": ["import"] }));
    assert_eq!(sample["serves"], json!([]), "it says nothing of a configuration");
    let head = std::fs::read_to_string(study.path("samples/transfer.jsonl")).unwrap();
    assert!(head.lines().next().unwrap().contains("\"transfer\":{"), "{head}");
    let longer = study.dejaview(["sample", "--name", "transfer", "--extend", "10", "--json"]).json();
    assert_eq!(longer["pairs"].as_array().unwrap().len(), 20);
    let wrong = label_as_named(&study, longer["pairs"].as_array().unwrap());
    let out = study.path("new.qrels");
    let transfer = |policy: &str, accept: &str| {
        let asked = ["transfer", "-o", out.to_str().unwrap(), "--policy", policy, "--accept", accept, "--json"];
        study.dejaview(asked).json()["wrong"].clone()
    };
    let found = transfer("all", "score:0.5");
    assert_eq!(
        (&found["sample"], &found["interval"], &found["pool"]),
        (&json!("transfer"), &json!("exact"), &json!(50))
    );
    assert_eq!((&found["labelled"], &found["not"]), (&json!(20), &json!(wrong)));
    let (low, high) = (found["low"].as_f64().unwrap(), found["high"].as_f64().unwrap());
    assert!(low <= 0.4 && 0.4 <= high && high - low < 0.4, "20 of 50 are wrong: {found}");
    for (policy, accept) in [("best", "score:0.5"), ("all", "score:0.2"), ("all", "all")] {
        assert_eq!(transfer(policy, accept)["value"], Value::Null, "{policy} {accept}");
    }
    // The paragraph says what these pairs are, and how many of them are true.
    let mut paragraph = crate::support::program();
    let paragraph = crate::support::Answer::of(paragraph.args(["labels", "paragraph"]).arg(study.folder()));
    for words in [
        "From the 50 document pairs along which relevance judgments are transferred (all accepted pairs, accepting pairs found \
         by import with a score of 0.5 or more), we drew a simple random sample of 20 pairs",
        "The share of near-duplicates among the transferred pairs, with an exact 95 % interval for the finite population, is",
    ] {
        assert!(paragraph.ok().contains(words), "{words}: {}", paragraph.text());
    }
    // Such a sample serves no configuration, and evaluation goes on beside it.
    study.dejaview(["evaluate", "--truth", "labels", "--json"]).json();
    study.dejaview(["sample", "--from", "transfer", "--accept", "labels", "--name", "none"]).failed();
}

/// Two configurations import the same pairs with other scores: what is asked of one goes by its own.
#[test]
fn scores_are_those_of_the_configurations_asked_for() {
    let study = Study::new()
        .file("judged.qrels", "1 0 d1 2\n1 0 d2 1\n")
        .judgments("judged.qrels")
        .file("f.tsv", "source\ttarget\tscore\nd1\te1\t0.99\nd2\te2\t0.81\n")
        .file("g.tsv", "source\ttarget\tscore\nd2\te2\t0.95\nd1\te1\t0.2\n")
        .configuration("import", "name = \"f\"\npairs = \"f.tsv\"")
        .configuration("import", "name = \"g\"\npairs = \"g.tsv\"");
    study.dejaview(["run", "--json"]).json();
    let carried = |names: &[&str]| {
        let out = study.path("new.qrels");
        let asked = ["transfer", "-o", out.to_str().unwrap(), "--force", "--accept", "score:0.9", "--json"];
        let names = names.iter().flat_map(|name| ["--configuration", *name]);
        study.dejaview(asked.into_iter().chain(names)).json();
        std::fs::read_to_string(&out).unwrap()
    };
    assert_eq!(carried(&["g"]), "1 0 e2 1\n", "g gives d1 and e1 0.2");
    assert_eq!(carried(&["f"]), "1 0 e1 2\n");
    assert_eq!(carried(&["f", "g"]), "1 0 e1 2\n1 0 e2 1\n", "of both the highest");
    let ledger = std::fs::read_to_string(study.path("new.ledger.tsv")).unwrap();
    assert!(ledger.contains("\te1\t0.99\t1\t"), "the first place of both: {ledger}");
    let strata = |name: &str| {
        let asked =
            ["sample", "--configuration", name, "--by", "score", "--bounds", "0.9", "--size", "2", "--name", name];
        let sample = study.dejaview(asked.into_iter().chain(["--json"])).json();
        let mut all: Vec<String> =
            sample["pairs"].as_array().unwrap().iter().map(|pair| pair["stratum"].to_string()).collect();
        all.sort();
        all.dedup();
        let first = |pair: &&Value| pair["source"] == "d1";
        (all.len(), sample["pairs"].as_array().unwrap().iter().find(first).unwrap()["stratum"].clone())
    };
    assert_eq!(strata("f"), (2, json!("score 0.9 or more")));
    assert_eq!(strata("g"), (2, json!("score under 0.9")));
}

/// A sample of all pairs by strata says of those that a transfer takes what a recount by stratum says: pairs of the stratum
/// that are taken, times the share of wrong ones among its labels.
#[test]
fn a_sample_by_strata_counts_the_pairs_of_each_stratum_that_are_taken() {
    let qrels: String = (0..120).map(|i| format!("1 0 s{i:03} 1\n")).collect();
    let score = |i: u32| if i < 90 { 95 } else { 72 };
    let wrong = |i: u32| i.is_multiple_of(7) || i >= 90 && i.is_multiple_of(2);
    let pairs: String = (0..120)
        .map(|i| {
            let target = if wrong(i) { "u" } else { "t" };
            format!("s{i:03}\t{target}{i:03}\t0.{}\ns{i:03}\tv{i:03}\t0.3\n", score(i))
        })
        .collect();
    let study = judged(&qrels, &pairs);
    let asked = ["sample", "--configuration", "import", "--by", "score", "--bounds", "0.5,0.9", "--name", "transfer"];
    let sample = study.dejaview(asked.into_iter().chain(["--allocation", "equal", "--size", "60", "--json"])).json();
    let drawn = sample["pairs"].as_array().unwrap();
    label_as_named(&study, drawn);
    let out = study.path("new.qrels");
    let asked = ["transfer", "-o", out.to_str().unwrap(), "--policy", "best", "--accept", "score:0.5", "--json"];
    let found = study.dejaview(asked).json()["wrong"].clone();
    let number = |pair: &Value| pair["source"].as_str().unwrap()[1..].parse::<u32>().unwrap();
    let taken = |pair: &&Value| !pair["target"].as_str().unwrap().starts_with('v');
    let mut expected = 0.0;
    for (population, high) in [(90.0, true), (30.0, false)] {
        let mine = || drawn.iter().filter(taken).filter(|pair| (number(pair) < 90) == high);
        assert!(mine().count() >= 10, "{sample}");
        let share = mine().filter(|pair| wrong(number(pair))).count() as f64 / mine().count() as f64;
        expected += population / 120.0 * share;
    }
    let value = found["value"].as_f64().unwrap();
    assert!((value - expected).abs() < 1e-9, "{value} {expected}: {found}");
    assert_eq!((&found["interval"], &found["pool"]), (&json!("weighted"), &json!(120)));
}

#[test]
fn imported_pairs_are_scored_where_texts_are() {
    let page = |id: &str, text: &str| format!("{}\n", json!({ "id": id, "text": text }));
    let text = "one two three four five six seven eight nine ten";
    let study = Study::new()
        .file("old.jsonl", page("a", text) + &page("b", "other words stand here and nobody finds them again"))
        .file("new.jsonl", page("x", &format!("{text} eleven")))
        .source("old.jsonl")
        .target("00", "new.jsonl")
        .file("pairs.tsv", "a\tx\nb\tx\nb\tgone\n")
        .configuration("import", "pairs = \"pairs.tsv\"")
        .simhash("ngrams = [1]");
    let run = study.dejaview(["run", "--json"]).json();
    assert_eq!(run["pairs"]["import"], 3);
    let pairs = study.dejaview(["pairs", "--configuration", "import", "--json"]).jsonl();
    let brief: Vec<Value> = pairs.iter().map(|p| json!([p["segment"], p["source"], p["target"]])).collect();
    let expected = [json!(["00", "a", "x"]), json!(["imported", "b", "gone"]), json!(["00", "b", "x"])];
    assert_eq!(brief, expected);
    assert!((pairs[0]["jaccard"].as_f64().unwrap() - 10.0 / 11.0).abs() < 1e-9);
    assert_eq!(pairs[1]["jaccard"], Value::Null);
    study.dejaview(["explain", "b", "x"]).ok();
    let truth = study.dejaview(["evaluate", "--truth", "jaccard:0.9", "--json"]).json();
    assert_eq!(truth["configurations"][0]["pairs"], 3);
}

#[test]
fn what_cannot_be_imported_is_said() {
    let study = Study::new().configuration("import", "");
    assert!(study.dejaview(["run"]).failed().contains("`configuration.pairs` is missing"));
    let study = Study::new().configuration("import", "pairs = \"nothing/*.tsv\"");
    assert!(study.dejaview(["run"]).failed().contains("matches no file"));
    let study = Study::new().file("p.tsv", "a\tb\n").configuration("import", "pairs = \"p.tsv\"");
    study.dejaview(["run"]).ok();
    let message = study.dejaview(["transfer", "-o", "x", "--accept", "all"]).failed().to_owned();
    assert!(message.contains("has no judgments"), "{message}");
}

/// The transfer that others published, against a script that counts from the files alone.
#[test]
fn a_published_transfer_is_recounted() {
    let Some(data) = data() else { return };
    let (qrels, pairs) = (
        data.join("transfer/source-topics-1-50.qrels"),
        data.join("transfer/copycat-cw09-to-cw12.topics-1-50.jsonl.gz"),
    );
    let study =
        Study::new().judgments(&qrels).configuration("import", &format!("name = \"copycat\"\npairs = {pairs:?}"));
    study.dejaview(["run"]).ok();
    let (out, ledger) = (study.path("new.qrels"), study.path("new.ledger.tsv"));
    for policy in ["first", "best"] {
        let found = study
            .dejaview(["transfer", "-o", out.to_str().unwrap(), "--accept", "all", "--policy", policy, "--json"])
            .json();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/transfer.py");
        let answer =
            Command::new("python3").arg(script).args([&qrels, &pairs, &out, &ledger]).output().expect("python3 starts");
        assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
        let counted: Value = serde_json::from_slice(&answer.stdout).unwrap();
        for key in ["judgments", "transferred", "first_not_best"] {
            assert_eq!(found[key], counted[key], "{key}");
        }
        assert_eq!(found["unused"], counted[format!("unused_{policy}")], "unused by {policy}");
        let conflicting: Vec<Value> =
            found["conflicting"].as_array().unwrap().iter().map(|c| json!([c["topic"], c["target"]])).collect();
        let mut conflicting: Vec<String> = conflicting.iter().map(Value::to_string).collect();
        conflicting.sort();
        let expected: Vec<String> = counted["conflicting"].as_array().unwrap().iter().map(Value::to_string).collect();
        assert_eq!(conflicting, expected);
        assert_eq!(found["fan_out"]["max"], counted["fan_out_max"]);
        assert_eq!(counted["written"], counted[format!("qrels_{policy}")], "the lines of the new qrels");
        assert_eq!((&counted["ledger_judgments"], &counted["wrong_grades"]), (&found["judgments"], &json!(0)));
        // What is known of this transfer.
        let known = [&found["judgments"], &found["transferred"], &found["first_not_best"], &found["conflicts"]];
        assert_eq!(known, [&json!(11_237), &json!(1_189), &json!(29), &json!(4)]);
        if policy == "first" {
            assert_eq!(found["unused"], 1_322, "topics and targets that taking the first leaves unused");
        }
    }
}

/// Whether a pair is accepted does not depend on what orders those that are.
#[test]
fn pairs_are_accepted_by_the_measure_that_is_named_whatever_orders_them() {
    let study = crate::damaged::study();
    let lines = |by: &[&str]| {
        let words = ["transfer", ".", "--accept", "jaccard:0.9", "--policy", "all", "-o", "by.qrels", "--force"];
        Answer::of(program().current_dir(study.folder()).args(words).args(by)).ok();
        fs::read_to_string(study.path("by.qrels")).unwrap()
    };
    let expected = lines(&[]);
    for by in ["jaccard", "s3", "edit", "score"] {
        let sorted = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&lines(&["--by", by])), sorted(&expected), "{by}");
    }
}
