//! What a run kept is shown while it fits `study.toml`, and no longer; names that a file system or a command would mistake;
//! files that two processes make at the same time.

use std::collections::BTreeSet;
use std::fs;
use std::process::Child;

use crate::support::{Answer, Study, page, program, response, small_crawls};

const STALE: &str =
    "has not been run since study.toml or its files changed (their dates count, so a copied study is run once more)";

/// Pages of an article with links before it.
fn article(side: &str, seed: u64) -> Vec<u8> {
    let links: String = (0..9).map(|i| format!("<li><a href=\"/{i}\">navigation {i}</a></li>")).collect();
    let html = page(seed, 300).replacen("<body>", &format!("<body><nav><ul>{links}</ul></nav>"), 1);
    response(&format!("{side}-{seed}"), &format!("http://{side}.example/{seed}"), html)
}

/// A study of whole pages that has been run, with a sample.
fn study() -> Study {
    let side = |name: &str| (0..6).flat_map(|seed| article(name, seed)).collect::<Vec<u8>>();
    let study = Study::new()
        .top("keep = \"all\"")
        .file("old.warc", side("old"))
        .file("new.warc", side("new"))
        .source("old.warc")
        .target("00", "new.warc")
        .rest("[text]\ncontent = \"all\"")
        .configuration("exact-jaccard", "name = \"exact\"\nthreshold = 0.5");
    study.run();
    study.dejaview(["sample", "--configuration", "exact", "--name", "few", "--size", "3"]).ok();
    study
}

fn set_content(study: &Study, content: &str) {
    let text = fs::read_to_string(study.path("study.toml")).unwrap();
    let (before, after) = text.split_once("content = \"").unwrap();
    let (_, after) = after.split_once('"').unwrap();
    fs::write(study.path("study.toml"), format!("{before}content = \"{content}\"{after}")).unwrap();
}

/// Runs a command of two words in the study.
fn labels(study: &Study, command: &str, more: &[&str]) -> Answer {
    Answer::of(program().args(["labels", command]).arg(study.folder()).args(more))
}

#[test]
fn texts_kept_for_another_study_toml_are_not_shown() {
    let study = study();
    let text = |id: &str| study.dejaview(["show", id]).ok().to_owned();
    let whole = [text("old-1"), text("new-1")];
    assert!(whole.iter().all(|text| text.contains("navigation 3")), "{whole:?}");
    assert!(study.dejaview(["search", "navigation"]).ok().contains("old-1"));
    set_content(&study, "main");
    let main = [text("old-1"), text("new-1")];
    assert!(main.iter().all(|text| !text.contains("navigation 3") && text.contains(" w")), "{main:?}");
    let pack = study.path("few.pack");
    let pack = ["--sample", "few", "-o", pack.to_str().unwrap()];
    let said = [
        study.dejaview(["search", "navigation"]),
        study.dejaview(["search", "navigation", "--terms"]),
        study.dejaview(["size"]),
        labels(&study, "pack", &pack),
    ];
    for answer in &said {
        assert!(answer.failed().contains(STALE) && answer.stderr.contains("`dejaview run "), "{}", answer.stderr);
    }
    assert!(!study.path("few.pack").exists());
    study.run();
    assert_eq!([text("old-1"), text("new-1")], main, "a run shows the same");
    let found = study.dejaview(["search", "navigation"]);
    assert!(!found.ok().contains("old-1"), "{}", found.text());
    let of_others = labels(&study, "pack", &pack);
    let other = "sample few is of other pairs ([text] content all -> main";
    assert!(of_others.failed().contains(other), "{}", of_others.stderr);
    set_content(&study, "all");
    study.run();
    labels(&study, "pack", &pack).ok();
}

/// The text is that of the pairs there are; that its file has changed is said.
#[test]
fn a_text_of_a_file_that_changed_is_said() {
    let study = study();
    let said = "segment 00 changed after it was run";
    for command in [["show", "new-1"], ["search", "w1"]] {
        assert!(!study.dejaview(command).stderr.contains(said));
    }
    let study = study.file("new.warc", (1..7).flat_map(|seed| article("new", seed)).collect::<Vec<u8>>());
    for command in [["show", "new-1"], ["search", "w1"]] {
        let answer = study.dejaview(command);
        answer.ok();
        assert!(answer.stderr.contains(said) && answer.stderr.contains("`dejaview run "), "{}", answer.stderr);
    }
}

/// A small study, run, that labels can be imported into.
fn small() -> Study {
    let study = small_crawls().configuration("exact-jaccard", "name = \"exact\"\nthreshold = 0.8");
    study.run();
    study.file("labels.tsv", "source\ttarget\tlabel\nold-1\tnew-1\tnear-duplicate\nold-2\tnew-2\tnot\n")
}

fn import(study: &Study, annotator: &str) -> Answer {
    let file = study.path("labels.tsv");
    labels(study, "import", &[file.to_str().unwrap(), &format!("--annotator={annotator}")])
}

#[test]
fn names_that_would_be_mistaken_are_refused() {
    let study = small();
    let draw =
        |name: &str| study.dejaview(["sample", "--configuration", "exact", "--size", "3", &format!("--name={name}")]);
    draw("first").ok();
    let said = draw("First").failed().to_owned();
    assert!(said.contains("the sample's name First differs from that of sample first in case alone"), "{said}");
    let said = draw("-x").failed().to_owned();
    assert!(said.contains("begins with -, so commands would take it for an option"), "{said}");
    import(&study, "eve").ok();
    let said = import(&study, "Eve").failed().to_owned();
    assert!(said.contains("the annotator's name Eve differs from that of eve in case alone"), "{said}");
    // Neither of two has a journal yet.
    let both = "source\ttarget\tlabel\tannotator\nold-1\tnew-1\tnot\tZoe\nold-1\tnew-1\tnot\tzoe\n";
    let study = study.file("both.tsv", both);
    let said = labels(&study, "import", &[study.path("both.tsv").to_str().unwrap()]).failed().to_owned();
    assert!(said.contains("the annotator's name zoe differs from that of Zoe in case alone"), "{said}");
    assert!(!study.path("labels/Zoe.jsonl").exists());
    let said = import(&study, "-x").failed().to_owned();
    assert!(said.contains("begins with -, so commands would take it for an option"), "{said}");
    import(&study, "eve").ok();
    // Settlements that were made elsewhere come in under the name of their journal.
    import(&study, "adjudication.eve").ok();
    let files = |folder: &str| {
        let entries = fs::read_dir(study.path(folder)).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<BTreeSet<_>>()
    };
    assert_eq!(files("samples"), BTreeSet::from(["first.jsonl".to_owned()]));
    assert_eq!(files("labels"), ["adjudication.eve.jsonl", "eve.jsonl"].map(str::to_owned).into());
    let study = Study::new().source("a").target("00", "b").configuration("md5", "name = \"-x\"");
    let said = study.dejaview(["pairs"]).failed().to_owned();
    assert!(said.contains("`configuration.name` is \"-x\", which commands would take for an option"), "{said}");
}

#[test]
fn an_unpacking_that_is_refused_leaves_nothing() {
    let study = small();
    study.dejaview(["sample", "--configuration", "exact", "--name", "few", "--size", "3"]).ok();
    let pack = study.path("few.pack");
    labels(&study, "pack", &["--sample", "few", "-o", pack.to_str().unwrap()]).ok();
    let unpack = |folder: &str| Answer::of(program().args(["labels", "unpack"]).arg(&pack).arg(study.path(folder)));
    let said = unpack("labels/y").failed().to_owned();
    assert!(said.contains("where only the program writes"), "{said}");
    assert!(!study.path("labels").exists());
    fs::create_dir(study.path("taken")).unwrap();
    fs::write(study.path("taken/source.jsonl"), "mine").unwrap();
    let said = unpack("taken").failed().to_owned();
    assert!(said.contains("there is such a file already; name a new folder") && !said.contains("--force"), "{said}");
    assert_eq!(fs::read_dir(study.path("taken")).unwrap().count(), 1);
    let limited = "ulimit -f 0; exec \"$0\" labels unpack \"$1\" \"$2\"";
    let mut full = std::process::Command::new("sh");
    full.args(["-c", limited, crate::support::PROGRAM]).arg(&pack).arg(study.path("full/inner"));
    assert!(Answer::of(&mut full).failed().contains("File too large"));
    assert!(!study.path("full").exists(), "folders in which nothing came to lie are gone");
    unpack("new/inner").ok();
}

/// Starts many processes at once and says what became of them.
fn at_once(commands: impl Iterator<Item = std::process::Command>) -> Vec<bool> {
    let children: Vec<Child> = commands
        .map(|mut command| {
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    children.into_iter().map(|mut child| child.wait().unwrap().success()).collect()
}

#[test]
fn of_samples_drawn_at_once_under_one_name_none_is_lost() {
    let pairs: String = (0..40).map(|i| format!("s{i:02}\tt{i:02}\t0.9\n")).collect();
    let study = Study::new()
        .file("judged.qrels", (0..40).map(|i| format!("1 0 s{i:02} 1\n")).collect::<String>())
        .judgments("judged.qrels")
        .file("pairs.tsv", pairs)
        .configuration("import", "name = \"theirs\"\npairs = \"pairs.tsv\"");
    study.run();
    for round in 0..4 {
        let name = format!("race{round}");
        let draw = |size: usize| {
            let words = ["sample", "--configuration", "theirs", "--name", &name, "--size", &size.to_string()]
                .map(str::to_owned);
            study.command(words)
        };
        let succeeded = at_once((5..13).rev().map(draw));
        let sample = fs::read_to_string(study.path(&format!("samples/{name}.jsonl"))).unwrap();
        let longest = (5..13).rev().zip(&succeeded).filter(|(_, done)| **done).map(|(size, _)| size).max();
        assert_eq!(
            Some(sample.lines().count() - 1),
            longest,
            "{succeeded:?}: the longest that was said to be drawn is there"
        );
    }
}

#[test]
fn of_results_written_at_once_into_one_new_file_one_is_kept() {
    let study = small();
    for round in 0..4 {
        let path = study.path(&format!("{round}.tsv"));
        let write = |threshold: usize| {
            let jaccard = format!("0.{threshold}");
            study.command(["pairs", "--min-jaccard", &jaccard, "-o", path.to_str().unwrap()].map(str::to_owned))
        };
        let succeeded = at_once((1..6).map(write));
        let written = fs::read_to_string(&path).unwrap();
        let said = (1..6).zip(&succeeded).filter(|(_, done)| **done).map(|(threshold, _)| {
            study.dejaview(["pairs", "--min-jaccard", &format!("0.{threshold}")]).ok().to_owned()
        });
        assert!(said.collect::<Vec<_>>().contains(&written), "{succeeded:?}: {written}");
    }
    let new = |_| {
        let mut command = program();
        command.arg("new").arg(study.path("fresh")).args(["--source", "a", "--target", "b"]);
        command
    };
    let succeeded = at_once((0..6).map(new));
    assert_eq!(succeeded.iter().filter(|done| **done).count(), 1, "{succeeded:?}");
}

#[test]
fn a_folder_that_is_gone_is_said() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("gone");
    fs::create_dir(&folder).unwrap();
    let gone = "cd \"$1\" && rmdir \"$1\" && exec \"$0\" new x --source a --target b";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", gone, crate::support::PROGRAM]).arg(&folder);
    let said = Answer::of(&mut command).failed().to_owned();
    assert!(said.contains("the folder that this command was started in is gone"), "{said}");
}

/// 0 is 0, and what decides the truth is why there is no union.
#[test]
fn what_a_single_configuration_tells() {
    let study = study();
    let evaluated = study.dejaview(["evaluate"]).ok().to_owned();
    assert!(evaluated.contains("exact decides what is true, and there is no other configuration"), "{evaluated}");
    assert!(!evaluated.contains("is known to be true"), "{evaluated}");
    let apart = (100..106).flat_map(|seed| article("new", seed)).collect::<Vec<u8>>();
    let study = study.file("new.warc", apart);
    study.run();
    let sizes = study.dejaview(["size", "--json"]);
    assert!(!sizes.ok().contains("-0.0") && !study.dejaview(["size"]).ok().contains("-0.0"), "{}", sizes.text());
}
