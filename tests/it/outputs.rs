//! Files that commands write: whole or not at all, and never over what people made.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::skipping::skipped;
use crate::support::{Answer, Study, program, small_crawls};

/// A study that has been run, with judgments, a run of a system, a sample and labels.
fn study() -> Study {
    let study = small_crawls()
        .file("runs/a.run", (0..6).map(|seed| format!("1 Q0 new-{seed} {seed} {} a\n", 10 - seed)).collect::<String>())
        .file("labels.tsv", "source\ttarget\tlabel\nold-1\tnew-1\tnear-duplicate\nold-2\tnew-2\tnot\n")
        .configuration("exact-jaccard", "name = \"exact\"\nthreshold = 0.8");
    study.run();
    study.dejaview(["sample", "--configuration", "exact", "--name", "few", "--size", "3"]).ok();
    labels(&study, "import", &["labels.tsv", "--annotator", "ann"]).ok();
    study
}

/// Runs a command in the folder of the study, so that paths are relative to it.
fn dejaview(study: &Study, words: &[&str], more: &[&str]) -> Answer {
    Answer::of(program().current_dir(study.folder()).args(words).arg(".").args(more))
}

fn labels(study: &Study, command: &str, more: &[&str]) -> Answer {
    dejaview(study, &["labels", command], more)
}

/// Every command that writes a file, with `-o` last.
const COMMANDS: [(&[&str], &[&str]); 7] = [
    (&["pairs"], &["-o"]),
    (&["pairs"], &["--format", "parquet", "-o"]),
    (&["labels", "export"], &["-o"]),
    (&["labels", "pack"], &["--sample", "few", "-o"]),
    (&["report"], &["-o"]),
    (&["transfer"], &["--accept", "jaccard:0.8", "-o"]),
    (&["judgments"], &["--groups", "--patch"]),
];

fn write(study: &Study, (words, more): (&[&str], &[&str]), path: &str, last: &[&str]) -> Answer {
    dejaview(study, words, &[more, &[path], last].concat())
}

/// Files below a folder with their bytes, but for notes and drafts of the program.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true if path.ends_with(".dejaview") => {}
            true => found.extend(contents(&path)),
            false => found.push((path.display().to_string(), fs::read(&path).unwrap())),
        }
    }
    found.sort();
    found
}

#[test]
fn no_command_writes_over_a_file_of_the_study() {
    let study = study();
    symlink(study.path("web.qrels"), study.path("link.txt")).unwrap();
    let before = contents(study.folder());
    let own = ["study.toml", "labels/ann.jsonl", "labels/new.jsonl", "samples/few.jsonl", "web.qrels", "old.warc"];
    let own = own.into_iter().chain(["new.warc", ".dejaview/manifest.json", "link.txt", "runs/../web.qrels"]);
    for path in own {
        for command in COMMANDS {
            for force in [&[][..], &["--force"]] {
                let said = write(&study, command, path, force).failed().to_owned();
                assert!(said.contains(path) && said.contains("is not written"), "{command:?}: {said}");
            }
        }
    }
    assert_eq!(contents(study.folder()), before);
}

/// A kit is written by the rules of all results; parts of workers and studies have no place among labels.
#[test]
fn kits_parts_and_studies_keep_off_the_files_of_a_study() {
    let study = study();
    fs::write(study.path("mine.txt"), "mine").unwrap();
    let before = contents(study.folder());
    let owned = [
        "study.toml",
        "labels/ann.jsonl",
        "labels/new",
        "samples/few.jsonl",
        "web.qrels",
        "old.warc",
        ".dejaview/manifest.json",
        ".dejaview/new",
        "mine.txt",
    ];
    for path in owned {
        let said = Answer::of(program().current_dir(study.folder()).args(["run", ".", "--fresh", "--prepare", path]));
        assert!(said.failed().contains("is not written"), "{path}: {}", said.stderr);
    }
    let prepare =
        |path: &str| Answer::of(program().current_dir(study.folder()).args(["run", ".", "--fresh", "--prepare", path]));
    for _ in 0..2 {
        prepare("study.kit").ok();
    }
    let kit = fs::read(study.path("study.kit")).unwrap();
    fs::write(study.path("other.kit"), &kit).unwrap();
    prepare("other.kit").ok();
    for parts in ["labels", "samples/parts"] {
        let words = ["match", "study.kit", "--parts", parts, "old.warc"];
        let said = Answer::of(program().current_dir(study.folder()).args(words));
        assert!(said.failed().contains("where only the program writes"), "{parts}: {}", said.stderr);
    }
    for folder in [".dejaview", "labels/other", "samples"] {
        let words = ["new", folder, "--source", "old.warc", "--target", "old.warc"];
        let said = Answer::of(program().current_dir(study.folder()).args(words));
        assert!(said.failed().contains("where only the program writes"), "{folder}: {}", said.stderr);
    }
    study.run();
    symlink(study.path("nowhere"), study.path("link.qrels")).unwrap();
    let said = write(&study, COMMANDS[5], "link.qrels", &[]).failed().to_owned();
    assert!(said.contains("a link to a file that is not there"), "{said}");
    fs::remove_file(study.path("link.qrels")).unwrap();
    for name in ["study.kit", "other.kit"] {
        fs::remove_file(study.path(name)).unwrap();
    }
    assert_eq!(contents(study.folder()), before);
}

#[test]
fn thin_writes_over_neither_its_runs_nor_the_qrels() {
    let study = study();
    let before = contents(study.folder());
    for (runs, folder) in [("runs/a.run", "."), ("runs/a.run", "runs")] {
        for force in [&[][..], &["--force"]] {
            let said =
                dejaview(&study, &["thin"], &[&["--runs", runs, "-o", folder], force].concat()).failed().to_owned();
            assert!(said.contains("is not written"), "{said}");
            assert_eq!(contents(study.folder()), before, "{folder}: nothing of it is written");
        }
    }
    dejaview(&study, &["thin"], &["--runs", "runs/a.run", "-o", "thinned"]).ok();
    dejaview(&study, &["thin"], &["--runs", "runs/a.run", "-o", "thinned"]).ok();
    assert!(study.path("thinned/a.run").is_file() && study.path("thinned/web.qrels").is_file());
}

#[test]
fn a_file_is_replaced_by_the_command_that_wrote_it_or_with_force() {
    let study = study();
    for command in COMMANDS {
        write(&study, command, "out", &[]).ok();
        let written = fs::read(study.path("out")).unwrap();
        assert!(!written.is_empty() || command.0 == ["judgments"], "{command:?}");
        write(&study, command, "out", &[]).ok();
        assert_eq!(fs::read(study.path("out")).unwrap(), written, "{command:?}");

        fs::write(study.path("out"), "by hand").unwrap();
        let said = write(&study, command, "out", &[]).failed().to_owned();
        assert!(said.contains("it was changed since") && said.contains("--force"), "{said}");
        write(&study, command, "out", &["--force"]).ok();
        assert_eq!(fs::read(study.path("out")).unwrap(), written, "{command:?}");

        fs::write(study.path("mine"), "mine").unwrap();
        let said = write(&study, command, "mine", &[]).failed().to_owned();
        assert!(said.contains("there is such a file already") && said.contains("--force"), "{said}");
        assert_eq!(fs::read(study.path("mine")).unwrap(), b"mine");
        for name in ["out", "out.ledger.tsv", "mine"] {
            let _ = fs::remove_file(study.path(name));
        }
    }
    write(&study, COMMANDS[0], "out", &[]).ok();
    let said = write(&study, COMMANDS[2], "out", &[]).failed().to_owned();
    assert!(said.contains("`dejaview pairs` wrote it"), "{said}");
    // What a report is measured by is no place for it.
    let truth = "source\ttarget\tlabel\nold-1\tnew-1\tnear-duplicate\n";
    fs::write(study.path("truth.tsv"), truth).unwrap();
    let said = dejaview(&study, &["report"], &["--truth", "file:truth.tsv", "-o", "truth.tsv", "--force"]);
    assert!(said.failed().contains("this command reads it"), "{}", said.stderr);
    assert_eq!(fs::read_to_string(study.path("truth.tsv")).unwrap(), truth);
    // What another study is made of is replaced by nobody.
    let other = self::study();
    for (name, what) in [("old.warc", "documents"), ("web.qrels", "judgments")] {
        let (place, before) = (other.path(name).display().to_string(), fs::read(other.path(name)).unwrap());
        let said = write(&study, COMMANDS[0], &place, &["--force"]).failed().to_owned();
        assert!(said.contains(&format!("this is a file of {what} of the study in ")), "{said}");
        assert_eq!(fs::read(other.path(name)).unwrap(), before);
    }
    let left = |name: &str| name.ends_with(".part");
    assert!(!contents(study.folder()).iter().any(|(name, _)| left(name)), "nothing half written stays");
}

#[test]
fn a_full_disk_leaves_the_old_file() {
    let study = study();
    write(&study, COMMANDS[0], "out", &[]).ok();
    let before = contents(study.folder());
    // A limit on the size of files stands for a full disk: a write beyond it fails.
    let limited = format!("ulimit -f 0; trap '' XFSZ; exec {} pairs . -o out", env!("CARGO_BIN_EXE_dejaview"));
    let answer = Answer::of(std::process::Command::new("sh").args(["-c", &limited]).current_dir(study.folder()));
    assert_ne!(answer.code, Some(0));
    assert!(answer.stderr.contains("out"), "{}", answer.stderr);
    assert_eq!(contents(study.folder()), before);
}

#[test]
fn pipes_links_and_permissions_stay_what_they_are() {
    let study = study();
    let expected = dejaview(&study, &["pairs"], &[]);
    assert_eq!(dejaview(&study, &["pairs"], &["-o", "/dev/stdout"]).ok(), expected.ok());
    fs::write(study.path("real"), "").unwrap();
    fs::set_permissions(study.path("real"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real", study.path("link")).unwrap();
    dejaview(&study, &["pairs"], &["-o", "link", "--force"]).ok();
    assert!(study.path("link").is_symlink());
    assert_eq!(fs::read_to_string(study.path("real")).unwrap(), expected.ok());
    assert_eq!(fs::metadata(study.path("real")).unwrap().permissions().mode() & 0o777, 0o640);
    let said = dejaview(&study, &["pairs"], &["-o", "runs"]).failed().to_owned();
    assert!(said.contains("it is a folder"), "{said}");
}

#[test]
fn a_pack_is_not_unpacked_over_files() {
    let study = study();
    labels(&study, "pack", &["--sample", "few", "-o", "pack"]).ok();
    let folder = study.path("for-bob");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("source.jsonl"), "mine").unwrap();
    let pack = study.path("pack");
    let unpack = || Answer::of(program().args(["labels", "unpack"]).args([&pack, &folder]));
    let said = unpack().failed().to_owned();
    assert!(said.contains("source.jsonl is not written"), "{said}");
    assert_eq!(fs::read(folder.join("source.jsonl")).unwrap(), b"mine");
    fs::remove_file(folder.join("source.jsonl")).unwrap();
    unpack().ok();
}

#[test]
fn man_pages_are_replaced_with_force() {
    let folder = tempfile::tempdir().unwrap();
    let man = |more: &[&str]| Answer::of(program().args(["man", "--folder"]).arg(folder.path()).args(more));
    man(&[]).ok();
    assert!(man(&[]).failed().contains("add --force"));
    man(&["--force"]).ok();
}

/// A pack that loses lines on its way, or comes with others, is no sample of fewer pairs.
#[test]
fn a_pack_that_was_cut_or_changed_is_refused() {
    let study = study();
    labels(&study, "pack", &["--sample", "few", "-o", "pack"]).ok();
    let whole = fs::read_to_string(study.path("pack")).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let first_pair = lines.iter().position(|line| !line.contains("\"text\"") && line.contains("\"target\"")).unwrap();
    let joined = |lines: &[&str]| lines.join("\n") + "\n";
    let with = |at: usize, line: &str| joined(&[&lines[..at], &[line], &lines[at..]].concat());
    let older = lines[0].replace("\"pack\":2", "\"pack\":1");
    let without_end = |more: &str| joined(&[&[&*older], &lines[1..lines.len() - 1], &[more]].concat());
    let changed = "cut short or changed on its way";
    let cases = [
        (joined(&lines[..lines.len() - 1]), changed),
        (joined(&[&lines[..first_pair], &lines[first_pair + 1..]].concat()), changed),
        (whole.replacen("\"text\":\"", "\"text\":\"other ", 1), changed),
        (whole.clone() + lines[first_pair] + "\n", changed),
        (with(first_pair, lines[0]), "no line of a pack"),
        (with(1, lines[1]), "this document stands before"),
        (without_end(lines[first_pair]), "this pair stands before"),
        (without_end(r#"{"source":"nowhere","target":"nowhere"}"#), "a document of this pair is not in the pack"),
        (without_end(r#"{"side":"both","id":"x","url":"","text":"y"}"#), "it is of no side"),
        (lines[1..].join("\n"), "this is no pack"),
    ];
    let unpack = |text: &str| {
        fs::write(study.path("sent"), text).unwrap();
        Answer::of(program().args(["labels", "unpack"]).args([study.path("sent"), study.path("for-bob")]))
    };
    for (text, why) in cases {
        let said = unpack(&text).failed().to_owned();
        assert!(said.contains(why), "{why}: {said}");
        assert!(!study.path("for-bob").exists(), "{why}");
    }
    unpack(&without_end("")).ok();
}

/// A limit on the size of files is an error like a full disk, and does not end the process.
#[test]
fn a_file_that_may_not_grow_is_said() {
    let study = study();
    let limited = "ulimit -f 1; exec \"$0\" run \"$1\" --fresh";
    let mut command = Command::new("sh");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_dejaview")]).arg(study.folder());
    let answer = Answer::of(&mut command);
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
    assert!(answer.stderr.contains("File too large"), "{}", answer.stderr);
    study.dejaview(["run"]).ok();
}

/// The ledger lies beside the qrels, and beside a device there is no place.
#[test]
fn nothing_is_written_beside_a_device() {
    let study = study();
    let said = dejaview(&study, &["transfer"], &["--accept", "jaccard:0.8", "-o", "/dev/null"]).failed().to_owned();
    assert!(said.contains("/dev/null is no file") && said.contains("--ledger"), "{said}");
    let named = ["--accept", "jaccard:0.8", "-o", "/dev/null", "--ledger", "ledger.tsv"];
    dejaview(&study, &["transfer"], &named).ok();
    assert!(study.path("ledger.tsv").is_file());
    assert!(!std::path::Path::new("/dev/null.ledger.tsv").exists());
}

/// Memory that is mounted beside devices holds files like any other folder.
#[test]
fn a_folder_in_memory_takes_files() {
    let Ok(folder) = tempfile::tempdir_in("/dev/shm") else { return skipped("there is no /dev/shm") };
    let study = study();
    let path = folder.path().join("new.qrels");
    dejaview(&study, &["transfer"], &["--accept", "jaccard:0.8", "-o", path.to_str().unwrap()]).ok();
    assert!(path.is_file() && fs::read_dir(folder.path()).unwrap().count() == 2, "the qrels and the ledger");
}

/// What cannot be made again is not cleared.
#[test]
fn a_fresh_run_clears_nothing_where_nothing_can_be_written() {
    let study = study();
    let before = contents(&study.path(".dejaview/pairs"));
    assert!(!before.is_empty());
    fs::create_dir(study.path(".dejaview/probe.part")).unwrap();
    let said = dejaview(&study, &["run"], &["--fresh"]).failed().to_owned();
    assert!(said.contains("probe.part"), "{said}");
    assert_eq!(contents(&study.path(".dejaview/pairs")), before);
    fs::remove_dir(study.path(".dejaview/probe.part")).unwrap();
    dejaview(&study, &["run"], &["--fresh"]).ok();
    assert_eq!(contents(&study.path(".dejaview/pairs")), before);
}

#[test]
fn two_files_of_one_command_have_two_places() {
    let study = study();
    for ledger in ["new.qrels", "./labels/../new.qrels"] {
        let said = dejaview(&study, &["transfer"], &["--accept", "jaccard:0.8", "-o", "new.qrels", "--ledger", ledger]);
        assert!(said.failed().contains("this command writes another of its files there"), "{}", said.stderr);
        assert!(!study.path("new.qrels").exists());
    }
    dejaview(&study, &["report"], &["-o", "report.html", "--tables", "others"]).ok();
    let table = fs::read_dir(study.path("others")).unwrap().next().unwrap().unwrap().file_name();
    fs::create_dir(study.path("tables")).unwrap();
    let page = format!("tables/{}", table.to_str().unwrap());
    let said = dejaview(&study, &["report"], &["-o", &page, "--tables", "tables"]);
    assert!(said.failed().contains("this command writes another of its files there"), "{}", said.stderr);
    assert_eq!(fs::read_dir(study.path("tables")).unwrap().count(), 0, "all or none");
    fs::copy(study.path("web.qrels"), study.path("runs/web.qrels")).unwrap();
    let said = dejaview(&study, &["thin"], &["--qrels", "runs/web.qrels", "-o", "thinned"]).failed().to_owned();
    assert!(said.contains("a file of --qrels is of track web") && said.contains("rename"), "{said}");
    assert_eq!(fs::read_dir(study.path("thinned")).unwrap().count(), 0, "all or none");
}

/// A file that the study would read from then on is not written.
#[test]
fn nothing_is_written_where_the_study_reads() {
    let study = study();
    let toml = fs::read_to_string(study.path("study.toml")).unwrap();
    fs::create_dir(study.path("judged")).unwrap();
    fs::copy(study.path("web.qrels"), study.path("judged/web.qrels")).unwrap();
    fs::write(study.path("study.toml"), toml.replace("web.qrels", "judged/*.qrels")).unwrap();
    study.run();
    let said = write(&study, COMMANDS[5], "judged/new.qrels", &[]).failed().to_owned();
    assert!(said.contains("study.toml reads \"judged/*.qrels\""), "{said}");
    write(&study, COMMANDS[5], "judged/new.txt", &["--ledger", "new.ledger"]).ok();
    write(&study, COMMANDS[5], "new.qrels", &[]).ok();
    fs::create_dir(study.path("pages")).unwrap();
    fs::write(study.path("pages/a.html"), "<p>a page of the folder").unwrap();
    let toml = fs::read_to_string(study.path("study.toml")).unwrap();
    let more = "[[target]]\nsegment = \"pages\"\ndocuments = [\"pages\"]\n";
    fs::write(study.path("study.toml"), format!("{toml}\n{more}")).unwrap();
    study.run();
    let said = write(&study, COMMANDS[4], "pages/report.html", &[]).failed().to_owned();
    assert!(said.contains("study.toml reads \"pages\""), "{said}");
}

#[test]
fn notes_come_back_with_their_line_breaks() {
    let study = study();
    let note = "one\ntwo\tthree \\ four";
    let row = serde_json::json!({"source": "old-3", "target": "new-3", "label": "not", "note": note, "flag": "yes"});
    fs::write(study.path("in.jsonl"), format!("{row}\n")).unwrap();
    labels(&study, "import", &["in.jsonl", "--annotator", "bob"]).ok();
    labels(&study, "export", &["--format", "tsv", "-o", "out.tsv"]).ok();
    let other = self::study();
    fs::copy(study.path("out.tsv"), other.path("in.tsv")).unwrap();
    labels(&other, "import", &["in.tsv"]).ok();
    let journal = fs::read_to_string(other.path("labels/bob.jsonl")).unwrap();
    assert!(journal.contains(&serde_json::json!(note).to_string()), "{journal}");
    assert!(journal.contains("\"event\":\"flag\""), "{journal}");
}

/// The label counts; what stands beside it and is no time or number is left out and said with its line.
#[test]
fn what_an_import_leaves_out_is_said() {
    let study = study();
    let rows = "source\ttarget\tlabel\ttime\tdwell_ms\nold-3\tnew-3\tnot\tyesterday\t-5\n";
    fs::write(study.path("more.tsv"), rows).unwrap();
    let answer = labels(&study, "import", &["more.tsv", "--annotator", "bob"]);
    let told = format!("{}{}", answer.ok(), answer.stderr);
    for words in [
        "1 label of bob added, 2 values beside labels left out",
        "line 2: time “yesterday” was left out: expected a moment in UTC",
        "dwell_ms “-5” was left out: expected a whole number of milliseconds",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let row = |more: &str| format!("{{\"source\":\"old-4\",\"target\":\"new-4\",\"label\":\"not\",{more}}}\n");
    let rows = row("\"note\":{\"a\":1},\"flag\":\"perhaps\",\"foo\":1")
        + &row("\"note\":\"two\",\"sample\":\"none\",\"also_in\":[\"nowhere\"]")
        + &row("\"label\":\"near-duplicate\"")
        + &row("\"note\":\"three\",\"class\":\"other\"")
        + "{\"source\":\"old-5\",\"target\":\"new-5\",\"note\":\"no label\",\"flag\":true}\n";
    fs::write(study.path("more.jsonl"), rows).unwrap();
    let answer = labels(&study, "import", &["more.jsonl", "--annotator", "bob"]);
    let told = format!("{}{}", answer.ok(), answer.stderr);
    for words in [
        "were not read: foo",
        "line 1: flag “perhaps” was left out",
        "line 1: note “{\"a\":1}” was left out",
        "line 2: the pair is not in a sample called \"none\"",
        "line 2: the pair is not in a sample called \"nowhere\"",
        "line 4: the note was left out: line 1 has a label of the same pair",
        "line 4: how the label came about was left out",
        "line 5: the note was left out: the row has no label",
        "line 5: the flag was left out: the row has no label",
        "2 duplicates, 1 without a label, 1 not understood, 1 outside the samples that they name",
        "line 3: expected one JSON object a line: the key “label” stands twice",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    fs::write(study.path("twice.tsv"), "source\ttarget\tlabel\tlabel\nold-3\tnew-3\tnot\tnear-duplicate\n").unwrap();
    let answer = labels(&study, "import", &["twice.tsv", "--annotator", "eve"]);
    assert!(answer.code == Some(1) && answer.stderr.contains("“label” twice"), "{}", answer.stderr);
    assert!(!study.path("labels/eve.jsonl").exists());
}

/// What an annotator says of a pair in several rows counts in every sample that one of them names.
#[test]
fn a_repeated_row_keeps_its_sample_its_flag_and_its_note() {
    let study = study();
    let sample = |name: &str| format!("sample --configuration exact --size 100 --name {name}");
    for name in ["one", "two"] {
        study.dejaview(sample(name).split(' ')).ok();
    }
    let rows = "source\ttarget\tlabel\tsample\tflag\tnote\n\
                old-3\tnew-3\tnot\tone\t\t\nold-3\tnew-3\tnot\ttwo\ttrue\tseen twice\n";
    fs::write(study.path("rows.tsv"), rows).unwrap();
    let said = labels(&study, "import", &["rows.tsv", "--annotator", "bob"]).ok().to_owned();
    assert!(said.contains("1 label of bob added, 1 duplicate; 2 rows read"), "{said}");
    let journal = fs::read_to_string(study.path("labels/bob.jsonl")).unwrap();
    for words in ["\"sample\":\"one\"", "\"sample\":\"two\"", "\"event\":\"flag\"", "seen twice"] {
        assert!(journal.contains(words), "{words}: {journal}");
    }
    let said = labels(&study, "import", &["rows.tsv", "--annotator", "bob"]).ok().to_owned();
    assert!(said.contains("1 known before"), "{said}");
    assert_eq!(fs::read_to_string(study.path("labels/bob.jsonl")).unwrap(), journal, "a second time changes nothing");
}

#[test]
fn a_name_with_control_characters_is_refused() {
    let study = study();
    let mut command = program();
    command.arg("label").arg(study.folder()).args(["--annotator", "a\u{1b}[2Jb"]);
    let said = Answer::of(&mut command).failed().to_owned();
    assert!(said.contains("holds a control character") && !said.contains('\u{1b}'), "{said}");
}

#[test]
fn nobody_labels_under_the_name_of_adjudications() {
    let study = study();
    for name in ["adjudication", "adjudication.zed"] {
        let mut command = program();
        command.arg("label").arg(study.folder()).args(["--annotator", name]);
        let said = Answer::of(&mut command).failed().to_owned();
        assert!(said.contains(&format!("nobody can label as {name}")), "{said}");
    }
}
