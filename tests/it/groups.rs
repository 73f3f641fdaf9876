use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Study, data};

/// A page as JSONL.
fn page(id: &str, text: &str) -> String {
    format!("{}\n", json!({ "id": id, "text": text, "url": format!("http://example.org/{id}") }))
}

/// Words that are all different.
fn words(from: usize, count: usize) -> String {
    (from..from + count).map(|i| format!("word{i}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn near_duplicates_inside_the_source_judged_differently() {
    // a and b differ in one of 40 words, c in none from b; d is another page.
    let text = words(0, 40);
    let other = format!("{} other", words(0, 39));
    let pages = page("a", &text) + &page("b", &other) + &page("c", &other) + &page("d", &words(100, 40));
    let judged = "1 0 a 2\n1 0 b 0\n1 0 c 0\n1 0 d 1\n2 0 a 1\n2 0 b 1\n2 0 d 0";
    let study =
        Study::new().file("old.jsonl", pages).file("q/web.qrels", judged).source("old.jsonl").judgments("q/*.qrels");
    let patch = study.path("judged.patch");
    let found = study.dejaview(["judgments", "--groups", "--patch", patch.to_str().unwrap(), "--json"]).json();
    assert_eq!((&found["groups"], &found["pairs"], &found["changes"]), (&json!(1), &json!(3), &json!(1)), "{found}");
    let group = &found["inconsistent"][0];
    assert_eq!((&group["documents"], &group["possible"]), (&json!(["a", "b", "c"]), &json!(3)));
    assert!((group["weakest"].as_f64().unwrap() - 39.0 / 41.0).abs() < 1e-9);
    assert_eq!(group["topics"].as_array().unwrap().len(), 1, "topic 2 has one grade");
    let written = std::fs::read_to_string(&patch).unwrap();
    assert_eq!(written, "--- q/web.qrels\n+++ q/web.qrels\n@@ -1 +1 @@\n-1 0 a 2\n+1 0 a 0\n");
    // By the highest grade, two lines change.
    let found =
        study.dejaview(["judgments", "--groups", "--rule", "highest", "--patch", patch.to_str().unwrap(), "--json"]);
    assert_eq!(found.json()["changes"], 2);
    if Command::new("patch").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success()) {
        let applied =
            Command::new("patch").args(["-p0", "-i"]).arg(&patch).current_dir(study.folder()).output().unwrap();
        assert!(applied.status.success(), "{}", String::from_utf8_lossy(&applied.stdout));
        let now = std::fs::read_to_string(study.path("q/web.qrels")).unwrap();
        assert_eq!(now, judged.replace("1 0 b 0", "1 0 b 2").replace("1 0 c 0", "1 0 c 2"));
    }
    let table = study.dejaview(["judgments", "--groups", "--least", "0.99"]);
    assert!(table.ok().contains("judged differently: 0 of 1 group"), "{}", table.text());
}

/// A line that is there twice is one judgment of its document, however its grade is written.
#[test]
fn the_majority_is_of_documents() {
    let text = words(0, 40);
    let pages = page("a", &text) + &page("b", &text) + &page("c", &text);
    let judged = "1 0 a 2\n1 0 a 2\n1 0 a 02\n1 0 b 0\n1 0 c 0\n";
    let study =
        Study::new().file("old.jsonl", pages).file("web.qrels", judged).source("old.jsonl").judgments("web.qrels");
    let patch = study.path("judged.patch");
    let found = study.dejaview(["judgments", "--groups", "--patch", patch.to_str().unwrap(), "--json"]).json();
    assert_eq!(found["changes"], 3, "{found}");
    let written = std::fs::read_to_string(&patch).unwrap();
    assert_eq!(written.matches("\n+1 0 a 0").count(), 3, "{written}");
    assert!(!written.contains("+1 0 b") && !written.contains("+1 0 c"), "{written}");
}

#[test]
fn without_documents_a_target_in_common_is_what_there_is() {
    let study = Study::new()
        .file("q.qrels", "1 0 a 2\n1 0 b 0\n1 0 c 1\n")
        .judgments("q.qrels")
        .file("pairs.tsv", "a\tx\t0.9\nb\tx\t0.8\nb\ty\t0.7\nc\tz\t0.9\n")
        .configuration("import", "pairs = \"pairs.tsv\"");
    study.dejaview(["run"]).ok();
    let found = study.dejaview(["judgments", "--groups", "--json"]).json();
    assert_eq!(found["inconsistent"][0]["documents"], json!(["a", "b"]));
    assert_eq!(found["inconsistent"][0]["weakest"], json!(0.8));
    assert!(found["counted"].as_str().unwrap().contains("their texts were not compared"), "{found}");
}

#[test]
fn groups_say_what_they_hang_by() {
    let study = Study::new()
        .file("pairs.tsv", "a\tx\t0.9\na\ty\t0.8\nb\ty\t0.7\nb\tz\t0.95\nc\tw\t1\n")
        .configuration("import", "pairs = \"pairs.tsv\"");
    study.dejaview(["run"]).ok();
    let found = study.dejaview(["groups", "--json"]).json();
    let groups = found["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 2);
    let first = &groups[0];
    let brief = [&first["sources"], &first["targets"], &first["pairs"], &first["direct"]];
    assert_eq!(brief, [&json!(2), &json!(3), &json!(4), &json!(4.0 / 6.0)]);
    assert_eq!(first["weakest"], json!({ "source": "b", "target": "y", "score": 0.7 }));
    assert_eq!(first["bridges"].as_array().unwrap().len(), 4, "a chain");
    assert_eq!(first["representative"], json!({ "side": "source", "id": "a" }), "0.9 + 0.8 is more than 0.7 + 0.95");
    let apart = study.dejaview(["groups", "--least", "score:0.75", "--json"]).json();
    let sizes: Vec<&Value> = apart["groups"].as_array().unwrap().iter().map(|group| &group["size"]).collect();
    assert_eq!(sizes, [3, 2, 2], "the weakest link is gone");
    let text = study.dejaview(["groups"]);
    assert!(
        text.ok().contains("0.700 b – y") && text.text().contains("over all groups 5 of 7 (71 %)"),
        "{}",
        text.text()
    );
    study.dejaview(["groups", "--representative", "loudest"]).misused();
}

#[test]
fn a_template_is_named_by_what_its_pages_share() {
    let navigation = words(500, 30);
    let own = |i: usize| format!("Standings and box scores of the league\n{navigation}\n{}", words(1000 + 10 * i, 3));
    let old: String = (0..3).map(|i| page(&format!("s{i}"), &own(i))).collect();
    let new: String = (3..6).map(|i| page(&format!("t{i}"), &own(i))).collect();
    let study = Study::new()
        .file("old.jsonl", old)
        .file("new.jsonl", new)
        .source("old.jsonl")
        .target("00", "new.jsonl")
        .configuration("exact-jaccard", "threshold = 0.5");
    study.dejaview(["run"]).ok();
    let found = study.dejaview(["groups", "--least", "jaccard:0.8", "--json"]).json();
    let group = &found["groups"][0];
    assert_eq!((&group["size"], &group["direct"]), (&json!(6), &json!(1.0)));
    assert_eq!(
        (&group["kind"], &group["shared_text"]),
        (&json!("copies"), &json!(navigation)),
        "37 of 40 words are shared"
    );
    let longer = |i: usize| format!("{}\n{}", own(i), words(2000 + 40 * i, 4));
    let study = study
        .file("old.jsonl", (0..3).map(|i| page(&format!("s{i}"), &longer(i))).collect::<String>())
        .file("new.jsonl", (3..6).map(|i| page(&format!("t{i}"), &longer(i))).collect::<String>());
    study.dejaview(["run"]).ok();
    let found = study.dejaview(["groups", "--least", "jaccard:0.6", "--json"]).json();
    assert_eq!(
        found["groups"][0]["kind"], "template",
        "37 of 44 words are shared: {}",
        found["groups"][0]["shared_share"]
    );
}

/// The judgments of eight files, grade by grade, against a script.
#[test]
fn judgments_are_recounted_by_a_script() {
    let Some(data) = data() else { return };
    let mut files: Vec<_> = std::fs::read_dir(data.join("qrels")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/qrels.py");
    let answer = Command::new("python3").arg(script).args(&files).output().expect("python3 starts");
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    let counted: Value = serde_json::from_slice(&answer.stdout).unwrap();
    let found = Study::new().judgments(data.join("qrels/*.gz")).dejaview(["judgments", "--json"]).json();
    let same = |a: &Value, b: &Value, what: &str| {
        let grades = |value: &Value| -> BTreeMap<String, u64> {
            value["grades"].as_object().unwrap().iter().map(|(k, n)| (k.clone(), n.as_u64().unwrap())).collect()
        };
        assert_eq!((&a["lines"], &a["documents"], grades(a)), (&b["lines"], &b["documents"], grades(b)), "{what}");
    };
    assert_eq!((&counted["lines"], &counted["documents"]), (&json!(273_129), &json!(155_419)));
    same(&found, &counted, "all");
    for track in found["tracks"].as_array().unwrap() {
        let name = track["name"].as_str().unwrap();
        same(track, &counted["tracks"][name], name);
    }
    let text = Study::new().judgments(data.join("qrels/*.gz")).dejaview(["judgments"]);
    assert!(text.ok().contains("grade 0  ████"), "a chart of grades: {}", text.text());
}
