//! Results that are not those of `study.toml` and its files as they are now: whoever uses them says so.

use std::fs;

use crate::damaged::{dejaview, labels, records, study};
use crate::support::{Answer, Study};

/// Commands whose numbers rest on pairs, with what makes them do so.
const USE_PAIRS: [(&[&str], &[&str]); 5] = [
    (&["pairs"], &[]),
    (&["evaluate"], &[]),
    (&["groups"], &[]),
    (&["transfer"], &["--accept", "all", "-o", "new.qrels", "--force"]),
    (&["report"], &["-o", "report.html", "--force"]),
];

fn edit(study: &Study, from: &str, to: &str) {
    let path = study.path("study.toml");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn a_segment_that_changed_after_its_run_is_said_by_every_command_that_uses_its_pairs() {
    let study = study();
    let study = study.file("01.warc", records("new", 2..6));
    let says = |answer: &Answer| {
        answer.stderr.contains("segment 01 changed after it was run") && answer.stderr.contains("`dejaview run ")
    };
    for (words, more) in [
        (&["pairs"][..], &[][..]),
        (&["groups"], &[]),
        (&["figures"], &[]),
        (&["evaluate"], &[]),
        (&["transfer"], &["--accept", "all", "-o", "new.qrels"]),
        (&["report"], &["-o", "report.html"]),
        (&["reproduce"], &["--no-run", "-o", "reproduced"]),
    ] {
        let answer = dejaview(&study, words, more);
        assert!(says(&answer) || answer.stderr.contains("has not been run since"), "{words:?}: {}", answer.stderr);
    }
    assert!(fs::read_to_string(study.path("report.html")).unwrap().contains("segment 01 changed after it was run"));
    let verify = labels(&study, "verify", &[]);
    let said =
        "segment 01 changed after it was run: its pairs are of the former files; whether labelled pages are among them";
    assert!(verify.ok().contains(said), "{}", verify.text());
    let caveats = &dejaview(&study, &["evaluate"], &["--json"]).json()["caveats"];
    assert!(caveats[0].as_str().is_some_and(|caveat| caveat.starts_with("segment 01 changed")), "{caveats}");
    study.run();
    assert!(dejaview(&study, &["evaluate"], &["--json"]).json().get("caveats").is_none());
    assert!(!says(&study.dejaview(["pairs"])));
    dejaview(&study, &["report"], &["-o", "report.html"]).ok();
    assert!(!fs::read_to_string(study.path("report.html")).unwrap().contains("in doubt"));
}

/// Segment 01 is still that of the `study.toml` of before, as after a run that was killed before it came to it.
#[test]
fn a_run_that_was_killed_after_study_toml_changed_is_not_taken_for_complete() {
    let study = study();
    let of_before = ["segments/01.json", "pairs/exact/01.pairs"].map(|file| study.path(&format!(".dejaview/{file}")));
    let bytes = of_before.clone().map(|file| fs::read(file).unwrap());
    edit(&study, "threshold = 0.8", "threshold = 0.7");
    study.run();
    of_before.iter().zip(bytes).for_each(|(file, bytes)| fs::write(file, bytes).unwrap());
    let said = "not run to its end: segment 01 is missing here";
    for (words, more) in USE_PAIRS {
        let answer = dejaview(&study, words, more);
        assert!(answer.code == Some(0) && answer.stderr.contains(said), "{words:?}: {}", answer.stderr);
    }
    let evaluated = dejaview(&study, &["evaluate"], &["--json"]).json();
    assert_eq!(evaluated["caveats"][0], said);
    assert!(fs::read_to_string(study.path("report.html")).unwrap().contains(said));
    let home = dejaview(&study, &["screen"], &["--size", "120x30"]);
    assert!(home.ok().contains("! segment 01 not run") && !home.text().contains("complete"), "{}", home.text());
    study.run();
    assert!(dejaview(&study, &["evaluate"], &["--json"]).json().get("caveats").is_none());
}

/// Archives may be kept elsewhere once they were read; what else changes is seen all the same.
#[test]
fn archives_that_are_gone_hide_no_other_change() {
    let study = study();
    for gone in [&["01.warc"][..], &["old.warc"], &["old.warc", "00.warc", "01.warc"]] {
        gone.iter().for_each(|file| fs::rename(study.path(file), study.path(&format!("kept-{file}"))).unwrap());
        for (words, more) in USE_PAIRS {
            let answer = dejaview(&study, words, more);
            assert!(answer.code == Some(0) && !answer.stderr.contains("run"), "{gone:?} {words:?}: {}", answer.stderr);
        }
        let is_refused = |answer: &Answer| answer.failed().contains("has not been run since study.toml");
        edit(&study, "threshold = 0.8", "threshold = 0.7");
        for (words, more) in USE_PAIRS {
            assert!(is_refused(&dejaview(&study, words, more)), "{gone:?} {words:?}");
        }
        let draw = ["--configuration", "exact", "--size", "3", "--name", "new"];
        assert!(is_refused(&dejaview(&study, &["sample"], &draw)), "{gone:?}");
        edit(&study, "threshold = 0.7", "threshold = 0.8");
        let judged = fs::read(study.path("web.qrels")).unwrap();
        fs::write(study.path("web.qrels"), "1 0 old-1 1\n").unwrap();
        assert!(is_refused(&dejaview(&study, &["transfer"], &["--accept", "all", "-o", "new.qrels", "--force"])));
        fs::write(study.path("web.qrels"), judged).unwrap();
        gone.iter().for_each(|file| fs::rename(study.path(&format!("kept-{file}")), study.path(file)).unwrap());
    }
    fs::rename(study.path("01.warc"), study.path("kept-01.warc")).unwrap();
    let study = study.file("00.warc", records("new", 1..3));
    let answer = dejaview(&study, &["evaluate"], &[]);
    assert!(
        answer.code == Some(0) && answer.stderr.contains("segment 00 changed after it was run"),
        "{}",
        answer.stderr
    );
}

/// What samples were drawn from is no more what a run would find.
#[test]
fn samples_of_results_of_before_are_said() {
    let study = study();
    labels(&study, "paragraph", &[]).ok();
    let study = study.file("old.warc", records("old", 0..5));
    let said = "not run since study.toml or its files changed: all results are those of before";
    for (words, more) in
        [(&["labels", "paragraph"][..], &[][..]), (&["labels", "verify"], &[]), (&["sample"], &["--list"])]
    {
        let answer = dejaview(&study, words, more);
        let all = format!("{}{}", answer.text(), answer.stderr);
        assert!(answer.code == Some(0) && all.contains(said), "{words:?}: {all}");
    }
    assert_eq!(labels(&study, "paragraph", &["--json"]).json()["caveats"][0], said);
    assert_eq!(labels(&study, "verify", &["--json"]).json()["changed_segments"], said);
}
