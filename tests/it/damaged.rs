//! Damage that numbers rest on: lines of labels, files of samples.

use std::fs;

use dejaview::labels::{Event, EventKind, Label, line};

use crate::support::{Answer, Study, page, program, response};

pub fn records(side: &str, seeds: std::ops::Range<u64>) -> Vec<u8> {
    let record = |seed| response(&format!("{side}-{seed}"), &format!("http://{side}.example/{seed}"), page(seed, 60));
    seeds.flat_map(record).collect()
}

/// A study that has been run, with a sample that ann and bob have labelled.
pub fn study() -> Study {
    let rows: String = (0..6).map(|seed| format!("old-{seed}\tnew-{seed}\tnear-duplicate\n")).collect();
    let study = Study::new()
        .file("old.warc", records("old", 0..6))
        .file("00.warc", records("new", 0..3))
        .file("01.warc", records("new", 3..6))
        .file("web.qrels", (0..6).map(|seed| format!("1 0 old-{seed} 1\n")).collect::<String>())
        .file("labels.tsv", format!("source\ttarget\tlabel\n{rows}"))
        .source("old.warc")
        .judgments("web.qrels")
        .target("00", "00.warc")
        .target("01", "01.warc")
        .configuration("exact-jaccard", "name = \"exact\"\nthreshold = 0.8");
    study.run();
    study.dejaview(["sample", "--configuration", "exact", "--name", "all", "--size", "6"]).ok();
    for annotator in ["ann", "bob"] {
        labels(&study, "import", &["labels.tsv", "--annotator", annotator, "--sample", "all"]).ok();
    }
    study
}

pub fn dejaview(study: &Study, words: &[&str], more: &[&str]) -> Answer {
    Answer::of(program().current_dir(study.folder()).args(words).arg(".").args(more))
}

pub fn labels(study: &Study, command: &str, more: &[&str]) -> Answer {
    dejaview(study, &["labels", command], more)
}

/// Changes one label of somebody's journal, on its third line.
fn damage(study: &Study, annotator: &str) {
    let path = study.path(&format!("labels/{annotator}.jsonl"));
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[2] = lines[2].replacen("near-duplicate", "not", 1);
    fs::write(path, lines.join("\n") + "\n").unwrap();
}

#[test]
fn a_damaged_line_of_anybody_is_said_by_every_command_that_uses_labels() {
    let study = study();
    let before = dejaview(&study, &["evaluate"], &["--truth", "labels"]);
    assert!(!before.stderr.contains("line 3"), "{}", before.stderr);
    damage(&study, "bob");
    let says = |answer: &Answer| answer.stderr.contains("bob.jsonl, line 3: its checksum is wrong; it does not count");
    for (words, more) in [
        (&["labels", "export"][..], &[][..]),
        (&["labels", "agreement"], &["--allow-damaged"]),
        (&["labels", "paragraph"], &["--allow-damaged"]),
        (&["transfer"], &["--accept", "labels", "-o", "new.qrels", "--allow-damaged"]),
        (&["report"], &["-o", "report.html", "--allow-damaged"]),
        (&["reproduce"], &["-o", "reproduced", "--allow-damaged"]),
        (&["evaluate"], &["--truth", "labels", "--allow-damaged"]),
    ] {
        let answer = dejaview(&study, words, more);
        answer.ok();
        assert!(says(&answer), "{words:?}: {}", answer.stderr);
    }
    let screen = dejaview(&study, &["screen"], &["--size", "160x40"]);
    assert!(screen.ok().contains("bob.jsonl, line 3"), "{}", screen.text());
    let verify = labels(&study, "verify", &[]);
    assert!(verify.text().contains("line 3"), "{}", verify.text());
}

#[test]
fn numbers_that_rest_on_damaged_labels_fail_unless_that_is_allowed() {
    let study = study();
    damage(&study, "bob");
    for (words, more) in [
        (&["evaluate"][..], &["--truth", "labels"][..]),
        (&["transfer"], &["--accept", "labels", "-o", "new.qrels"]),
        (&["report"], &["-o", "report.html"]),
        (&["labels", "agreement"], &[]),
        (&["labels", "paragraph"], &[]),
    ] {
        let answer = dejaview(&study, words, more);
        let said = answer.failed();
        assert!(said.contains("bob.jsonl, line 3") && said.contains("--allow-damaged"), "{words:?}: {said}");
        assert!(answer.text().is_empty(), "{words:?}: no number is printed");
    }
    assert!(!study.path("new.qrels").exists() && !study.path("report.html").exists());
    // It tells its chapters before.
    let answer = dejaview(&study, &["reproduce"], &["-o", "reproduced"]);
    let said = answer.stderr.lines().last().unwrap_or_default();
    assert!(said.contains("bob.jsonl, line 3") && said.contains("--allow-damaged"), "{}", answer.stderr);
    assert!(answer.code == Some(1) && answer.text().is_empty());
    assert!(!study.path("reproduced/index.html").exists());
    dejaview(&study, &["evaluate"], &["--truth", "jaccard:0.9"]).ok();
    // Whoever is sent the page does not see what was said when it was made.
    dejaview(&study, &["report"], &["-o", "report.html", "--allow-damaged"]).ok();
    let page = fs::read_to_string(study.path("report.html")).unwrap();
    assert!(page.contains("What is missing or in doubt") && page.contains("bob.jsonl, line 3: its checksum is wrong"));
}

/// Numbers are read where nobody sees what was said when they were made.
#[test]
fn what_numbers_lack_stands_beside_them_in_json_and_under_the_paragraph() {
    let study = study();
    damage(&study, "bob");
    let said = "bob.jsonl, line 3: its checksum is wrong";
    for (words, more) in [
        (&["evaluate"][..], &["--truth", "labels"][..]),
        (&["transfer"], &["--accept", "labels", "-o", "new.qrels"]),
        (&["labels", "agreement"], &[]),
        (&["labels", "paragraph"], &[]),
        (&["report"], &["-o", "report.html"]),
    ] {
        let answer = dejaview(&study, words, &[more, &["--allow-damaged", "--json"]].concat());
        let caveats = &answer.json()["caveats"];
        assert!(caveats[0].as_str().is_some_and(|caveat| caveat.contains(said)), "{words:?}: {}", answer.text());
    }
    let paragraph = labels(&study, "paragraph", &["--allow-damaged"]);
    let (_, below) = paragraph.ok().split_once("\n\nWhat these numbers lack or may rest on wrongly:\n- ").unwrap();
    assert!(below.contains(said), "{below}");
}

/// The name of a journal says whether it settles what others decided differently.
#[test]
fn a_journal_that_decides_otherwise_by_a_new_name_is_said() {
    let study = study();
    let [own, settling] = ["labels/bob.jsonl", "labels/adjudication.bob.jsonl"].map(|file| study.path(file));
    fs::rename(&own, &settling).unwrap();
    let said = "adjudication.bob.jsonl settles disagreements, and its labels were saved as those of an annotator, in bob.jsonl";
    assert!(labels(&study, "verify", &[]).ok().contains(said));
    for (words, more) in [(&["evaluate"][..], &["--truth", "labels"][..]), (&["report"], &["-o", "report.html"])] {
        let answer = dejaview(&study, words, more);
        assert!(answer.stderr.contains(said), "{words:?}: {}", answer.stderr);
    }
    fs::rename(&settling, &own).unwrap();
    let verify = labels(&study, "verify", &[]);
    assert!(!verify.ok().contains("settles"), "{}", verify.text());
    // A copy under such a name decides as well, whatever it was made of.
    fs::copy(&own, &settling).unwrap();
    let said = "two people agreed, or it is a copy, and settles what annotators said";
    for (words, more) in [(&["evaluate"][..], &["--truth", "labels"][..]), (&["labels", "paragraph"], &[])] {
        let answer = dejaview(&study, words, more);
        assert!(answer.stderr.contains(said), "{words:?}: {}", answer.stderr);
    }
}

/// What was cut off took labels with it; a journal that is somewhere else took all of them.
#[test]
fn a_journal_that_is_cut_or_not_there_is_said_and_fails() {
    let study = study();
    let path = study.path("labels/bob.jsonl");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() * 2 / 3 - 10]).unwrap();
    for (words, more) in [
        (&["evaluate"][..], &["--truth", "labels"][..]),
        (&["transfer"], &["--accept", "labels", "-o", "new.qrels"]),
        (&["report"], &["-o", "report.html"]),
        (&["labels", "verify"], &[]),
    ] {
        let answer = dejaview(&study, words, more);
        let said = format!("{}{}", answer.text(), answer.stderr);
        assert!(answer.code == Some(1) && said.contains("bytes are there; it does not count"), "{words:?}: {said}");
    }
    assert!(labels(&study, "export", &[]).stderr.contains("bob.jsonl, line"), "said where it fails nothing, too");
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/nowhere/bob.jsonl", &path).unwrap();
    for (words, more) in
        [(&["evaluate"][..], &["--truth", "labels"][..]), (&["labels", "verify"], &[]), (&["labels", "export"], &[])]
    {
        let said = dejaview(&study, words, more).failed().to_owned();
        assert!(said.contains("bob.jsonl") && said.contains("a link to a file that is not there"), "{words:?}: {said}");
    }
    fs::remove_file(&path).unwrap();
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    fs::write(&path, [&lines[..2], &lines[4..]].concat().concat()).unwrap();
    let verify = labels(&study, "verify", &[]);
    assert!(verify.ok().contains("line 3: 2 numbers are missing before it: lines were removed"), "{}", verify.text());
    // A part of a journal may have been imported, so it fails nothing.
    for (words, more) in [(&["evaluate"][..], &["--truth", "labels"][..]), (&["labels", "export"], &[])] {
        let answer = dejaview(&study, words, more);
        assert!(
            answer.code == Some(0) && answer.stderr.contains("bob.jsonl, line 3: 2 numbers are missing"),
            "{}",
            answer.stderr
        );
    }
}

/// Nothing in what stays shows it.
#[test]
fn labels_that_are_gone_from_the_end_of_a_journal_are_said_and_fail() {
    let study = study();
    let path = study.path("labels/bob.jsonl");
    let whole = fs::read_to_string(&path).unwrap();
    let earlier: String = whole.split_inclusive('\n').take(whole.lines().count() - 2).collect();
    fs::write(&path, &earlier).unwrap();
    for (words, more) in [
        (&["evaluate"][..], &["--truth", "labels"][..]),
        (&["transfer"], &["--accept", "labels", "-o", "new.qrels"]),
        (&["report"], &["-o", "report.html"]),
        (&["labels", "verify"], &[]),
    ] {
        let answer = dejaview(&study, words, more);
        let said = format!("{}{}", answer.text(), answer.stderr);
        assert!(answer.code == Some(1) && said.contains("was saved here and is gone"), "{words:?}: {said}");
    }
    assert!(labels(&study, "export", &[]).stderr.contains("bob.jsonl, event"), "said where it fails nothing, too");
    let screen = dejaview(&study, &["screen"], &["--size", "160x40"]);
    assert!(screen.ok().contains("bob.jsonl, event "), "{}", screen.text());
    // All of it is gone, and then it has another name.
    fs::remove_file(&path).unwrap();
    for (words, more) in [
        (&["evaluate"][..], &["--truth", "labels"][..]),
        (&["report"], &["-o", "report.html"]),
        (&["labels", "verify"], &[]),
    ] {
        let answer = dejaview(&study, words, more);
        let said = format!("{}{}", answer.text(), answer.stderr);
        let is_said = said.contains("bob.jsonl is gone with the labels that were saved in it");
        assert!(answer.code == Some(1) && is_said && !said.contains("no journal yet"), "{words:?}: {said}");
    }
    fs::write(study.path("labels/rob.jsonl"), &whole).unwrap();
    assert_eq!(labels(&study, "verify", &[]).code, Some(0));
    fs::remove_file(study.path("labels/rob.jsonl")).unwrap();
    fs::write(&path, &earlier).unwrap();
    fs::remove_file(study.path(".dejaview/journals/bob.last")).unwrap();
    dejaview(&study, &["evaluate"], &["--truth", "labels"]).ok();
    fs::write(&path, &whole).unwrap();
    assert_eq!(labels(&study, "verify", &[]).code, Some(0));
}

#[test]
fn a_damaged_sample_fails_the_report() {
    let study = study();
    let path = study.path("samples/all.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.lines().take(4).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let said = dejaview(&study, &["report"], &["-o", "report.html"]).failed().to_owned();
    assert!(said.contains("all.jsonl") && said.contains("--allow-damaged"), "{said}");
    assert!(!study.path("report.html").exists());
    dejaview(&study, &["report"], &["-o", "report.html", "--allow-damaged"]).ok();
    assert!(labels(&study, "verify", &[]).failed().contains("all.jsonl"));
}

/// What a run noted has a checksum: a number that somebody changed is not told as a result, and a run makes it again.
#[test]
fn changed_facts_of_a_run_are_said_and_made_again() {
    let study = study();
    for (file, said) in [
        ("source.json", "what it noted of the source is missing or damaged here"),
        ("segments/01.json", "segment 01 is missing here"),
    ] {
        let path = study.path(&format!(".dejaview/{file}"));
        let facts = fs::read_to_string(&path).unwrap();
        let documents = facts.lines().find(|line| line.contains("\"documents\"")).unwrap();
        fs::write(&path, facts.replacen(documents, "  \"documents\": 915,", 1)).unwrap();
        let answer = dejaview(&study, &["report"], &["-o", "report.html"]);
        assert!(answer.stderr.contains(said), "{file}: {}", answer.stderr);
        assert!(!fs::read_to_string(study.path("report.html")).unwrap_or_default().contains("915"), "{file}");
        study.run();
        assert_eq!(fs::read_to_string(&path).unwrap(), facts, "{file} is as it was");
        assert_eq!(dejaview(&study, &["report"], &["-o", "report.html"]).stderr, "", "{file}");
    }
    fs::remove_file(study.path(".dejaview/source.json")).unwrap();
    let answer = dejaview(&study, &["evaluate"], &[]);
    assert!(answer.stderr.contains("what it noted of the source is missing"), "{}", answer.stderr);
}

#[test]
fn a_pipe_in_the_place_of_a_file_is_no_wait_without_end() {
    let study = study();
    let report = ["report", "-o", "report.html", "--force"];
    let run = ["run"];
    let pipe = "it is a pipe, and a file is wanted";
    // Files that the program can make again or do without are missing for it; others are errors.
    let of_the_run = "what it noted of the source is missing";
    for (place, words, said) in [
        ("samples/all.jsonl", &report[..], pipe),
        ("study.toml", &run, pipe),
        ("study.toml", &report, pipe),
        (".dejaview/run.lock", &run, pipe),
        ("web.qrels", &run, pipe),
        (".dejaview/pairs/exact/01.pairs", &report, pipe),
        (".dejaview/source.json", &report, of_the_run),
        (".dejaview/index/segments/01.texts", &["show", "new-4"], pipe),
        (".dejaview/index/words/seal", &["search", "915"], pipe),
    ] {
        let path = study.path(place);
        let there = fs::read(&path).unwrap_or_else(|why| panic!("{place}: {why}"));
        fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let answer = dejaview(&study, &words[..1], &words[1..]);
        assert!(answer.stderr.contains(said), "{place}: {}", answer.stderr);
        fs::remove_file(&path).unwrap();
        fs::write(&path, there).unwrap();
    }
    // An archive that is a pipe is one of the files that were not read.
    let archive = study.path("00.warc");
    fs::remove_file(&archive).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&archive).status().unwrap().success());
    let answer = dejaview(&study, &run, &[]);
    let listed = fs::read_to_string(study.path(".dejaview/skipped.tsv")).unwrap();
    assert!(listed.lines().any(|line| line.contains("00.warc") && line.contains("pipe")), "{}{listed}", answer.stderr);
}

/// What stands behind a pipe may be a terminal.
#[test]
fn text_for_people_has_no_control_characters_in_a_pipe_either() {
    let study = study();
    let toml = fs::read_to_string(study.path("study.toml")).unwrap();
    let named = toml.lines().find(|line| line.starts_with("name")).unwrap();
    fs::write(study.path("study.toml"), toml.replacen(named, "name = \"h\\u001b[31m\"", 1)).unwrap();
    let mut told = String::new();
    for words in [&["run"][..], &["size"], &["figures"], &["run", "--dry-run"]] {
        let answer = dejaview(&study, words, &[]);
        told += &format!("{}{}", answer.text(), answer.stderr);
        assert!(!told.contains('\u{1b}'), "{words:?}");
    }
    assert!(told.contains("h␛[31m"), "{told}");
}

/// An unmounted share leaves links that lead nowhere.
#[test]
fn folders_that_lead_nowhere_and_samples_under_another_name_are_said() {
    let study = study();
    let evaluate = || dejaview(&study, &["evaluate"], &["--truth", "labels"]);
    evaluate().ok();
    for place in ["labels", "samples", "samples/all.jsonl"] {
        let (path, kept) = (study.path(place), study.path("kept"));
        fs::rename(&path, &kept).unwrap();
        std::os::unix::fs::symlink("/nowhere", &path).unwrap();
        let said = evaluate().failed().to_owned();
        assert!(said.contains(place) && said.contains("it is a link to a f"), "{place}: {said}");
        fs::remove_file(&path).unwrap();
        fs::rename(&kept, &path).unwrap();
    }
    fs::rename(study.path("samples/all.jsonl"), study.path("samples/other.jsonl")).unwrap();
    let Answer { code, stderr: said, .. } = evaluate();
    assert!(code == Some(1) && said.contains("other.jsonl, line 1: it is sample all under another name"), "{said}");
}

#[test]
fn a_copy_of_a_journal_is_named() {
    let study = study();
    assert!(!labels(&study, "verify", &[]).ok().contains("a copy"));
    fs::copy(study.path("labels/bob.jsonl"), study.path("labels/bob (copy).jsonl")).unwrap();
    let said = labels(&study, "verify", &[]).ok().to_owned();
    assert!(
        said.contains("events of bob (copy).jsonl are in bob.jsonl, too: two people agreed, or it is a copy; remove"),
        "{said}"
    );
}

/// A file of pairs that is whole, and not the one that the run wrote.
#[test]
fn pairs_of_another_configuration_or_an_earlier_run_are_not_used() {
    // A page and one that has more words.
    let longer = response("new-9", "http://new.example/9", page(1, 64));
    let study = study().file("02.warc", longer).target("02", "02.warc");
    let study = study.configuration("exact-jaccard", "name = \"close\"\nthreshold = 0.99");
    study.run();
    let expected = study.results();
    let pairs = |configuration: &str| study.path(&format!(".dejaview/pairs/{configuration}/02.pairs"));
    let evaluate = || dejaview(&study, &["evaluate"], &["--truth", "jaccard:0.9", "--json"]);
    let before = evaluate().ok().to_owned();
    let [exact, close] = ["exact", "close"].map(pairs);
    assert!(fs::read(&exact).unwrap() != fs::read(&close).unwrap());
    let mend = || {
        study.run();
        crate::support::assert_same(&expected, &study.results());
        assert_eq!(evaluate().ok(), before);
    };
    fs::copy(&exact, study.path("aside")).unwrap();
    fs::rename(&close, &exact).unwrap();
    fs::rename(study.path("aside"), &close).unwrap();
    for words in ["evaluate", "pairs", "figures"] {
        let said = dejaview(&study, &[words], &[]).failed().to_owned();
        assert!(
            said.contains("it is not the one that the last run wrote") && said.contains("`dejaview run`"),
            "{said}"
        );
    }
    mend();
    fs::remove_file(&close).unwrap();
    let said = evaluate().failed().to_owned();
    assert!(
        said.contains("close/02.pairs") && said.contains("it is not there") && said.contains("`dejaview run`"),
        "{said}"
    );
    mend();
}

/// Labels tell of samples that are not there any more, and of pages that nothing is kept of.
#[test]
fn samples_and_texts_that_are_gone_are_said() {
    let study = study();
    // As the explorer writes them: labels of tables know nothing of the pages.
    let mut event = Event::new(EventKind::Label(Label::Not), "old-1", "new-1", "2012-01-01T00:00:00.000Z");
    (event.seq, event.circumstances.source_digest) = (1, Some("another".to_owned()));
    fs::write(study.path("labels/eve.jsonl"), line::encode(&event).0 + "\n").unwrap();
    assert!(labels(&study, "verify", &[]).ok().contains("old-1 new-1: a page has changed since it was labelled"));
    fs::remove_dir_all(study.path(".dejaview/index")).unwrap();
    assert!(labels(&study, "verify", &[]).ok().contains("of 1 label it is not known whether the pages have changed"));
    study.run();
    fs::remove_file(study.path("samples/all.jsonl")).unwrap();
    let said = "12 labels name the sample all, which is not there";
    assert!(labels(&study, "verify", &[]).ok().contains(said));
    for (words, more) in [(&["labels", "export"][..], &[][..]), (&["report"], &["-o", "report.html"])] {
        let answer = dejaview(&study, words, more);
        assert!(answer.code == Some(0) && answer.stderr.contains(said), "{words:?}: {}", answer.stderr);
    }
    assert!(dejaview(&study, &["evaluate"], &["--truth", "labels"]).stderr.contains(said));
    assert!(fs::read_to_string(study.path("report.html")).unwrap().contains(said));
}

/// A program that keeps folders alike leaves a copy with a name of its own, and both go on.
#[test]
fn a_copy_of_a_journal_that_went_on_is_said_by_all_that_use_labels() {
    let mut table = "source\ttarget\tlabel\ttime\n".to_owned();
    for i in 1..6 {
        table += &format!("old-{i}\tnew-{i}\tnot\t2026-11-19T08:00:0{i}Z\n");
    }
    let study = study().file("timed.tsv", table);
    labels(&study, "import", &[study.path("timed.tsv").to_str().unwrap(), "--annotator=cid"]).ok();
    let [journal, copy] = ["labels/cid.jsonl", "labels/cid.sync-conflict-1.jsonl"].map(|file| study.path(file));
    let lines = fs::read_to_string(&journal).unwrap();
    fs::write(&copy, lines.split_inclusive('\n').take(4).collect::<String>()).unwrap();
    // What is copied from elsewhere was not saved here.
    fs::remove_dir_all(study.path(".dejaview/journals")).unwrap();
    let study = study.file("one.tsv", "source\ttarget\tlabel\nold-1\tnew-1\tunsure\n");
    let one = study.path("one.tsv");
    labels(&study, "import", &[one.to_str().unwrap(), "--annotator=cid.sync-conflict-1"]).ok();
    let said =
        "4 of the 5 events of cid.sync-conflict-1.jsonl are in cid.jsonl, too: it is a copy that went on by itself";
    let verify = labels(&study, "verify", &[]).ok().to_owned();
    assert!(verify.contains(said) && verify.contains("--annotator cid` joins them"), "{verify}");
    for (words, more) in [
        (&["evaluate"][..], &["--truth", "labels"][..]),
        (&["labels", "agreement"], &[]),
        (&["labels", "paragraph"], &[]),
        (&["transfer"], &["--accept", "labels", "-o", "new.qrels"]),
        (&["report"], &["-o", "report.html"]),
    ] {
        let answer = dejaview(&study, words, more);
        assert!(answer.stderr.contains(said), "{words:?}: {}", answer.stderr);
    }
    let screen = dejaview(&study, &["screen"], &["--size", "160x40"]);
    assert!(screen.ok().contains("4 of the 5 events of cid.sync-conflict-1.jsonl"), "{}", screen.text());
    // However far each of them went on, the name tells which is the copy. Once they are joined nothing is said any more.
    fs::write(&journal, lines.split_inclusive('\n').take(4).collect::<String>()).unwrap();
    let verify = labels(&study, "verify", &[]).ok().to_owned();
    assert!(
        verify.contains("of cid.sync-conflict-1.jsonl are in cid.jsonl") && !verify.contains("of cid.jsonl are"),
        "{verify}"
    );
    let joined = labels(&study, "import", &[copy.to_str().unwrap(), "--annotator=cid"]);
    assert!(
        joined.ok().contains("cid") && fs::read_to_string(&journal).unwrap().lines().count() == 5,
        "{}",
        joined.text()
    );
    fs::remove_file(&copy).unwrap();
    let verify = labels(&study, "verify", &[]);
    assert!(!verify.ok().contains("copy") && !verify.stderr.contains("copy"), "{}{}", verify.text(), verify.stderr);
}

/// Git joins two copies line by line, in whatever order: the label of the morning may stand behind that of the evening.
#[test]
fn a_label_that_holds_by_its_place_alone_is_said_by_all_that_use_labels() {
    let study = study().file("base.tsv", "source\ttarget\tlabel\ttime\nold-2\tnew-2\tnot\t2026-11-17T08:00:00Z\n");
    let import = |study: &Study, file: &str| {
        labels(study, "import", &[study.path(file).to_str().unwrap(), "--annotator=eve"]).ok();
        fs::read_to_string(study.path("labels/eve.jsonl")).unwrap()
    };
    let base = import(&study, "base.tsv");
    let mut joined = base.clone();
    let mut study = study;
    for (label, time) in [("unsure", "2026-11-18T20:00:00Z"), ("near-duplicate", "2026-11-18T08:00:00Z")] {
        // On another machine, which does not know what was saved here.
        fs::write(study.path("labels/eve.jsonl"), &base).unwrap();
        fs::remove_file(study.path(".dejaview/journals/eve.last")).unwrap();
        study = study.file("more.tsv", format!("source\ttarget\tlabel\ttime\nold-1\tnew-1\t{label}\t{time}\n"));
        joined += import(&study, "more.tsv").strip_prefix(&base).unwrap();
    }
    fs::write(study.path("labels/eve.jsonl"), joined).unwrap();
    let verify = labels(&study, "verify", &[]).ok().to_owned();
    let named = "old-1 new-1: near-duplicate of 2026-11-18T08:00:00Z holds, because it stands last, though unsure of \
                 2026-11-18T20:00:00Z is later";
    assert!(verify.contains(named) && verify.contains("has the number 2 too"), "{verify}");
    let said = "eve.jsonl: of 1 pair a label holds though another one is later";
    for (words, more) in [(&["evaluate"][..], &["--truth", "labels"][..]), (&["labels", "paragraph"], &[])] {
        let answer = dejaview(&study, words, more);
        assert!(answer.stderr.contains(said), "{words:?}: {}", answer.stderr);
    }
}

/// Two people answer the same questions, at the same time for all that their table tells: neither is a copy of the other.
#[test]
fn people_who_differ_are_no_copies() {
    let study = study();
    let mut table = "source\ttarget\tlabel\tannotator\ttime\n".to_owned();
    for (annotator, label) in [("cid", "near-duplicate"), ("dot", "not")] {
        for i in 1..5 {
            table += &format!("old-{i}\tnew-{i}\t{label}\t{annotator}\t2026-11-19T08:00:00Z\n");
        }
    }
    let study = study.file("rated.tsv", table);
    labels(&study, "import", &[study.path("rated.tsv").to_str().unwrap()]).ok();
    let said = labels(&study, "verify", &[]).ok().to_owned();
    assert!(said.contains("cid") && said.contains("dot") && !said.contains("a copy"), "{said}");
}

/// Two who say the same in one table are not called copies where numbers are told; `verify` leaves it open.
#[test]
fn people_who_agree_are_called_copies_nowhere() {
    let study = study();
    let mut table = "source\ttarget\tlabel\tannotator\n".to_owned();
    for annotator in ["cid", "dot"] {
        for i in 1..5 {
            table += &format!("old-{i}\tnew-{i}\tnot\t{annotator}\n");
        }
    }
    let study = study.file("rated.tsv", table);
    labels(&study, "import", &[study.path("rated.tsv").to_str().unwrap()]).ok();
    let agreement = labels(&study, "agreement", &[]);
    assert!(!agreement.stderr.contains("copy"), "{}", agreement.stderr);
    let verify = labels(&study, "verify", &[]);
    assert!(
        verify.ok().contains("two people agreed, or it is a copy") && !verify.stderr.contains("copy"),
        "{}",
        verify.stderr
    );
}

#[test]
fn a_sample_that_was_changed_is_refused_and_an_old_one_is_read() {
    let study = study();
    let path = study.path("samples/all.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let changed = text.replacen("\"seed\":1", "\"seed\":2", 1);
    assert_ne!(changed, text);
    fs::write(&path, changed).unwrap();
    let said = dejaview(&study, &["evaluate"], &["--truth", "labels"]).failed().to_owned();
    assert!(said.contains("all.jsonl") && said.contains("the checksum of the file is wrong"), "{said}");
    let (_, old) = text.split_once("\",").unwrap();
    fs::write(&path, format!("{{{old}")).unwrap();
    dejaview(&study, &["evaluate"], &["--truth", "labels"]).ok();
}
