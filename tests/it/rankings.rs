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
    let answer = study.dejaview(["transfer", "-o", &out, "--json", "--measures", "ap,p@2", "--runs", &one, &two]);
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
    assert_eq!(
        systems[0],
        json!({ "tag": "one", "before": systems[0]["before"], "after": 0.5 }),
        "1 of 2 relevant, at rank 1"
    );
    assert_eq!(systems[1]["after"], 0.25);
    let missing = study.dejaview(["transfer", "-o", &out, "--runs", &one, &two, "--runs-after", &after_two]);
    assert!(missing.failed().contains("has the tag `one`"), "{}", missing.stderr);
    let text = study.dejaview(["transfer", "-o", &out, "--runs", &one, &two]);
    assert!(text.ok().contains("Kendall's tau-b between before and after: ap 1.0000"), "{}", text.text());
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
    assert_eq!((&qrels["removed"], &qrels["conflicts"], &qrels["renamed"]), (&json!(1), &json!(1), &json!(1)));
    let text = study.dejaview(["thin", "-o", folder.to_str().unwrap()]);
    assert!(text.ok().contains("rule: of each group one document of a side is left"), "{}", text.text());
}
