use std::fs;

use serde_json::{Value, json};

use crate::support::Study;

fn judged() -> Study {
    Study::new()
        .file("web.qrels", "1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 0\n2 0 d 1\n")
        .judgments("web.qrels")
        .file("pairs.tsv", "a\tx\t0.9\nb\tx\t0.8\nc\ty\t0.7\nd\tw\t0.9\nd\tz\t0.9\n")
        .configuration("import", "pairs = \"pairs.tsv\"")
        .file("one.run", "1 Q0 a 1 3 one\n1 Q0 b 2 2 one\n1 Q0 c 3 1 one\n2 Q0 d 1 1 one\n")
        .file("two.run", "1 Q0 b 1 3 two\n1 Q0 q 2 2 two\n1 Q0 a 3 1 two\n2 Q0 d 1 1 two\nbroken\n")
        .file("after-one.run", "1 Q0 y 1 1 one\n")
        .file("after-two.run", "1 Q0 q 1 2 two\n1 Q0 y 2 1 two\n")
}

#[test]
fn systems_before_and_after() {
    let study = judged();
    study.dejaview(["run"]).ok();
    let path = |name: &str| study.path(name).to_str().unwrap().to_owned();
    let (one, two, out) = (path("one.run"), path("two.run"), path("new.qrels"));
    let answer = study.dejaview([
        "transfer",
        "-o",
        &out,
        "--accept",
        "all",
        "--json",
        "--measures",
        "ap,p@2",
        "--runs",
        &one,
        &two,
    ]);
    assert!(answer.stderr.contains("two.run, line 5: 1 columns"), "{}", answer.stderr);
    let effect = &answer.json()["effect"];
    let ap = &effect["measures"][0];
    let near = |value: &Value, expected: f64| assert!((value.as_f64().unwrap() - expected).abs() < 1e-9, "{ap}");
    near(&ap["systems"][0]["before"], f64::midpoint(f64::midpoint(1.0, 2.0 / 3.0), 1.0));
    near(&ap["systems"][1]["before"], f64::midpoint(0.5 / 3.0, 1.0));
    assert_eq!((&ap["measure"], &ap["tau"]), (&json!("ap"), &json!(1.0)));
    // Over the target: x has the grade of a, the better pair; y that of c.
    let (after_one, after_two) = (path("after-one.run"), path("after-two.run"));
    let answer = study.dejaview([
        "transfer",
        "-o",
        &out,
        "--accept",
        "all",
        "--json",
        "--measures",
        "ap",
        "--runs",
        &one,
        &two,
        "--runs-after",
        &after_two,
        &after_one,
    ]);
    let systems = answer.json()["effect"]["measures"][0]["systems"].clone();
    // The runs over the target have topic 1 alone: before is that topic's too, and one topic has no interval.
    near(&systems[0]["before"], f64::midpoint(1.0, 2.0 / 3.0));
    assert_eq!(
        systems[0],
        json!({ "tag": "one", "before": systems[0]["before"], "after": 0.5, "difference": null, "topics": 1 }),
        "1 of 2 relevant, at rank 1"
    );
    assert_eq!(systems[1]["after"], 0.25);
    let missing =
        study.dejaview(["transfer", "-o", &out, "--accept", "all", "--runs", &one, &two, "--runs-after", &after_two]);
    assert!(missing.failed().contains("has the tag `one`"), "{}", missing.stderr);
    let text = study.dejaview(["transfer", "-o", &out, "--accept", "all", "--runs", &one, &two]);
    assert!(text.ok().contains("Kendall's tau-b between before and after: ap 1.0000"), "{}", text.text());
}

/// Two relevant documents have a better pair with a document that is not relevant as their rival: their grades are overruled,
/// and a run that finds them is not measured as if they had been carried.
#[test]
fn overruled_grades_are_not_carried() {
    let study = Study::new()
        .file("web.qrels", "1 0 a 0\n1 0 b 2\n1 0 c 1\n1 0 c 0\n")
        .judgments("web.qrels")
        .file("pairs.tsv", "a\tx\t0.99\nb\tx\t0.95\nc\ty\t0.95\n")
        .configuration("import", "pairs = \"pairs.tsv\"")
        .file("one.run", "1 Q0 b 1 3 one\n1 Q0 c 2 2 one\n");
    study.dejaview(["run"]).ok();
    let path = |name: &str| study.path(name).to_str().unwrap().to_owned();
    let (one, out) = (path("one.run"), path("new.qrels"));
    let asked = ["transfer", "-o", &out, "--accept", "all", "--json", "--measures", "p@2", "--runs", &one];
    let carried = study.dejaview(asked).json();
    assert_eq!((&carried["transferred"], &carried["standing"], &carried["lines"]), (&json!(4), &json!(2), &json!(2)));
    let ledger = fs::read_to_string(study.path("new.ledger.tsv")).unwrap_or_default();
    let qrels = fs::read_to_string(&out).unwrap();
    let kept = qrels.lines().filter(|line| line.ends_with(" 1") || line.ends_with(" 2")).count() as f64;
    let system = &carried["effect"]["measures"][0]["systems"][0];
    assert_eq!(system["after"], kept / 2.0, "only what stands in the new qrels counts: {qrels}{ledger}{carried}");
}

/// Twelve topics, of which two lose every judgment: on those the systems cannot be compared, and all means and orders are over
/// the other ten.
#[test]
fn only_common_topics_are_compared() {
    let mut qrels = String::new();
    let (mut pairs, mut good, mut bad) = (String::new(), String::new(), String::new());
    for topic in 1..=12 {
        qrels += &format!("{topic} 0 a{topic} 1\n{topic} 0 b{topic} 0\n");
        if topic <= 10 {
            pairs += &format!("a{topic}\tx{topic}\t0.9\nb{topic}\ty{topic}\t0.9\n");
        }
        // The good one is right on the common topics and wrong on the others.
        let order = if (topic <= 10) == (topic % 5 != 0) { ["a", "b"] } else { ["b", "a"] };
        for (run, order, name) in [(&mut good, order, "good"), (&mut bad, [order[1], order[0]], "bad")] {
            *run += &format!("{topic} Q0 {}{topic} 1 2 {name}\n{topic} Q0 {}{topic} 2 1 {name}\n", order[0], order[1]);
        }
    }
    let study = Study::new()
        .file("web.qrels", qrels)
        .judgments("web.qrels")
        .file("pairs.tsv", pairs)
        .configuration("import", "pairs = \"pairs.tsv\"")
        .file("good.run", good)
        .file("bad.run", bad);
    study.dejaview(["run"]).ok();
    let path = |name: &str| study.path(name).to_str().unwrap().to_owned();
    let (one, two, out) = (path("good.run"), path("bad.run"), path("new.qrels"));
    let asked = ["transfer", "-o", &out, "--accept", "all", "--measures", "p@1", "--runs", &one, &two];
    let effect = &study.dejaview(asked.into_iter().chain(["--json"])).json()["effect"];
    assert_eq!((&effect["topics"], &effect["common"]), (&json!([12, 10]), &json!(10)));
    let measure = &effect["measures"][0];
    let good = &measure["systems"][0];
    let value = |value: &Value| value.as_f64().unwrap();
    assert!((value(&good["before"]) - 0.8).abs() < 1e-9 && (value(&good["after"]) - 0.8).abs() < 1e-9, "{good}");
    assert_eq!((value(&good["difference"]["value"]), &good["topics"]), (0.0, &json!(10)));
    assert_eq!(value(&measure["tau"]), 1.0);
    assert!(value(&measure["tau_interval"]["low"]) <= 1.0);
    let text = study.dejaview(asked);
    assert!(text.ok().contains("10 of the 12 topics judged before and 10 after are common"), "{}", text.text());
}

#[test]
fn near_duplicates_are_taken_out_of_runs_and_judgments() {
    let study = judged();
    study.dejaview(["run"]).ok();
    let folder = study.path("thin");
    let (run, new) = (study.path("two.run"), study.path("target.run"));
    fs::write(&new, "2 Q0 z 1 9 t\n2 Q0 v 2 8 t\n2 Q0 w 3 7 t\n").unwrap();
    let arguments =
        ["thin", "--json", "-o", folder.to_str().unwrap(), "--runs", run.to_str().unwrap(), new.to_str().unwrap()];
    let found = study.dejaview(arguments).json();
    assert_eq!(found["grouped"], json!({ "source": 2, "target": 2 }), "a and b by x; w and z by d");
    // a stands for b: its pair is the better one.
    assert_eq!(fs::read_to_string(folder.join("two.run")).unwrap(), "1 Q0 a 1 3 two\n1 Q0 q 2 2 two\n2 Q0 d 1 1 two\n");
    assert_eq!(fs::read_to_string(folder.join("target.run")).unwrap(), "2 Q0 w 1 9 t\n2 Q0 v 2 8 t\n");
    assert_eq!(fs::read_to_string(folder.join("web.qrels")).unwrap(), "1 0 a 2\n1 0 c 1\n2 0 a 0\n2 0 d 1\n");
    let qrels = &found["files"][2];
    assert_eq!((&qrels["removed"], &qrels["conflicts"], &qrels["renamed"]), (&json!(1), &json!(1), &json!(0)));
    let renamed = |file: usize| &found["files"][file]["renamed"];
    assert_eq!((renamed(0), renamed(1)), (&json!(1), &json!(1)), "b is kept as a, and z as w");
    // However a grade is written, it is one: 01 and 1.0 contradict nothing, and 10 is more than 9.
    let study = study.file("web.qrels", "1 0 a 01\n1 0 b 1.0\n1 0 c 1\n2 0 a 9\n2 0 b 10\n");
    study.dejaview(["run"]).ok();
    let again = study.dejaview(["thin", "--json", "--force", "-o", folder.to_str().unwrap()]).json();
    assert_eq!(fs::read_to_string(folder.join("web.qrels")).unwrap(), "1 0 a 01\n1 0 c 1\n2 0 a 10\n");
    assert_eq!((&again["files"][0]["removed"], &again["files"][0]["conflicts"]), (&json!(2), &json!(1)), "{again}");
    let text = study.dejaview(["thin", "--force", "-o", folder.to_str().unwrap()]);
    assert!(text.ok().contains("rule: of each group one document of a side is left"), "{}", text.text());
}
