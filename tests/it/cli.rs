//! The commands as a user meets them.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{Answer, PROGRAM, Study, dejaview, page, program, response, skipped};

const COMMANDS: [&str; 11] =
    ["new", "run", "pairs", "show", "explain", "sketches", "compare", "judgments", "search", "completions", "man"];

/// A study of a few pages with judgments, not yet run.
fn small() -> Study {
    let old: Vec<u8> =
        (0..4).flat_map(|n| response(&format!("old-{n}"), &format!("http://a.org/{n}"), page(n, 200))).collect();
    let new: Vec<u8> = (0..4)
        .flat_map(|n| {
            let text = page(n, 200).replacen("w1", "changed", 1);
            response(&format!("new-{n}"), &format!("http://a.org/{n}"), text)
        })
        .collect();
    Study::new()
        .file("old.warc", old)
        .file("new.warc", new)
        .file("web.qrels", "1 0 old-0 1\n1 0 old-1 0\n2 0 old-1 2\n2 0 old-2 -2\n1 0 old-3 0\n1 0 old-1 1\n")
        .source("old.warc")
        .judgments("web.qrels")
        .target("00", "new.warc")
}

fn ran() -> Study {
    let study = small();
    study.run();
    study
}

/// The commands that the program itself lists.
fn listed() -> Vec<String> {
    let help = dejaview(["--help"]);
    let commands = help.ok().lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    commands
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn help_of_every_command_has_an_example() {
    let listed = listed();
    for command in COMMANDS {
        assert!(listed.iter().any(|name| name == command), "{command} is not listed");
    }
    for command in listed {
        let answer = dejaview([&command, "--help"]);
        let help = answer.ok();
        assert!(help.contains(&format!("Example: dejaview {command}")), "{help}");
        assert!(help.contains("--json"), "{help}");
        assert_eq!(answer.stderr, "");
        let short = dejaview([&command, "-h"]);
        assert!(short.ok().contains("Usage: dejaview"), "{command}");
    }
    assert!(dejaview(["--help"]).ok().contains("Example: dejaview new"));
    assert!(dejaview(["--version"]).ok().starts_with(&format!("dejaview {}", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn wrong_usage_is_exit_code_2_and_says_how() {
    let study = small();
    let folder = study.folder().to_str().unwrap();
    let wrong: [&[&str]; 11] = [
        &["run"],
        &["run", folder, "--threads", "0"],
        &["run", folder, "--threads", "many"],
        &["run", folder, "--no-such-option"],
        &["pairs", folder, "--min-jaccard", "high"],
        &["pairs", folder, "--format", "xml"],
        &["show", folder],
        &["show", folder, "old-0", "--tokens", "--raw"],
        &["sketches", folder],
        &["new", folder, "--source", "x"],
        &["completions", "tcsh"],
    ];
    for args in wrong {
        let answer = dejaview(args);
        let message = answer.misused();
        assert!(message.starts_with("error: ") && message.contains("--help"), "{args:?}: {message}");
        assert_eq!(answer.text(), "", "{args:?}");
    }
}

#[test]
fn failures_are_exit_code_1_and_speak() {
    let study = ran();
    let failures: [(&[&str], &[&str]); 9] = [
        (&["show", "nobody"], &["no document `nobody`", "source or target"]),
        (&["show", "new-0", "--side", "source"], &["no document `new-0`", "source side"]),
        (&["show", "nobody", "--raw"], &["no document `nobody`"]),
        (&["explain", "old-0", "nobody"], &["no document `nobody`", "target side"]),
        (&["explain", "old-0", "new-0", "--configuration", "x"], &["no configuration `x`", "simhash-3+5"]),
        (&["pairs", "--configuration", "x"], &["no configuration `x`", "simhash-3+5"]),
        (&["pairs", "--segment", "99"], &["no segment `99`", "00"]),
        (&["pairs", "-o", "/no/such/folder/file"], &["writing /no/such/folder/file", "No such file"]),
        (&["sketches", "--configuration", "x"], &["no configuration `x`"]),
    ];
    for (args, fragments) in failures {
        let answer = study.dejaview(args.iter().copied());
        for fragment in fragments {
            assert!(answer.failed().contains(fragment), "{args:?}: {}", answer.stderr);
        }
        assert_eq!(answer.stderr.lines().count(), 1, "{args:?}: {}", answer.stderr);
    }
    let message = small().dejaview(["pairs"]).failed().to_owned();
    assert!(message.contains("has not been run") && message.contains("dejaview run"), "{message}");
    let message = Study::new().source("nothing.warc").dejaview(["judgments"]).failed().to_owned();
    assert!(message.contains("no judgments"), "{message}");
    let message = dejaview(["compare", "--plain", "/no/such/a", "/no/such/b"]).failed().to_owned();
    assert!(message.contains("/no/such/a"), "{message}");
}

/// Commands that print, on a study that was run.
const PRINTING: [&[&str]; 11] = [
    &["run"],
    &["run", "--dry-run"],
    &["pairs"],
    &["pairs", "--format", "parquet"],
    &["pairs", "--json"],
    &["show", "old-0"],
    &["show", "old-0", "--raw"],
    &["explain", "old-0", "new-0"],
    &["sketches", "--configuration", "simhash-2"],
    &["judgments", "--list"],
    &["search", "page"],
];

#[test]
fn a_reader_that_left_is_no_failure() {
    let study = ran();
    for args in PRINTING {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = study.command(args.iter().copied());
        let output = command.stdout(writer).stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
        assert!(!stderr.contains("panicked") && !stderr.contains("dejaview:"), "{args:?}: {stderr}");
    }
    for args in [&["--help"][..], &["pairs", "--help"], &["man"], &["completions", "zsh"], &["--version"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = program().args(args).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        let output = output.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_reader_that_leaves_after_a_line_is_no_failure() {
    let same = page(1, 100);
    let archive = |side: &str| -> Vec<u8> {
        (0..60).flat_map(|n| response(&format!("{side}-{n:02}"), &format!("http://{side}.org/{n}"), &same)).collect()
    };
    let study = Study::new().file("old.warc", archive("old")).file("new.warc", archive("new"));
    let study = study.source("old.warc").target("00", "new.warc").simhash("");
    assert_eq!(study.run()["pairs"]["simhash-3+5"], 3600);
    for format in ["tsv", "csv", "jsonl"] {
        let mut child = study.command(["pairs", "--format", format]);
        let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(line.contains("configuration"), "{line}");
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    }
}

#[track_caller]
fn has_keys(value: &Value, keys: &[&str]) {
    for key in keys {
        assert!(value.get(key).is_some(), "{key} is missing in {value}");
    }
}

#[test]
fn json_has_the_keys_that_others_read() {
    let study = small();
    let plan = study.dejaview(["run", "--dry-run", "--json"]).json();
    has_keys(&plan, &["name", "judged", "source", "segments", "expected"]);
    assert!(!study.path(".dejaview/manifest.json").exists(), "a dry run makes nothing");

    let run = study.run();
    has_keys(&run, &["documents", "skipped", "pairs", "seconds"]);
    assert_eq!(run["documents"], serde_json::json!({ "source": 4, "target": 4 }));
    assert!(run["seconds"].is_f64() && run["pairs"]["simhash-2"].is_u64() && run["skipped"].is_object());

    let judgments = study.dejaview(["judgments", "--json"]).json();
    has_keys(&judgments, &["lines", "documents", "topics", "grades", "tracks"]);
    assert_eq!((&judgments["lines"], &judgments["documents"], &judgments["topics"]), (&6.into(), &4.into(), &2.into()));
    assert_eq!(judgments["grades"], serde_json::json!({ "-2": 1, "0": 2, "1": 2, "2": 1 }));
    has_keys(&judgments["tracks"][0], &["name", "lines", "documents"]);
    assert_eq!(judgments["tracks"][0]["name"], "web");

    let explain = study.dejaview(["explain", "old-0", "new-0", "--json"]).json();
    has_keys(&explain, &["source", "target", "scores", "configurations"]);
    let scores =
        ["jaccard_1", "jaccard_2", "jaccard_3", "jaccard_5", "jaccard_8", "cosine", "dice_8", "s3", "length_ratio"];
    has_keys(&explain["scores"], &scores);
    assert!(explain["configurations"].as_array().unwrap().len() >= 20);
    for configuration in explain["configurations"].as_array().unwrap() {
        has_keys(configuration, &["name", "match", "evidence", "tree"]);
        assert!(configuration["match"].is_boolean());
    }

    let show = study.dejaview(["show", "old-0", "--json"]).json();
    has_keys(&show, &["side", "id", "url", "text", "words", "file", "offset"]);
    assert_eq!(show["url"], "http://a.org/0");
    for sketch in study.dejaview(["sketches", "--configuration", "simhash-2", "--json"]).jsonl() {
        has_keys(&sketch, &["side", "id", "sketch"]);
    }
    for pair in study.dejaview(["pairs", "--json"]).jsonl() {
        has_keys(&pair, &["configuration", "segment", "source", "target", "distance", "jaccard"]);
    }
    let hits = study.dejaview(["search", "page", "--json"]).jsonl();
    assert_eq!(hits.len(), 8);
    has_keys(&hits[0], &["side", "id", "score"]);
    let listed = study.dejaview(["judgments", "--list", "--json"]).jsonl();
    assert_eq!(listed.len(), 6);
    has_keys(&listed[0], &["track", "topic", "subtopic", "document", "grade"]);
    let inconsistent = study.dejaview(["judgments", "--inconsistent", "--json"]).jsonl();
    assert_eq!(inconsistent.len(), 1, "{inconsistent:?}");
    assert_eq!(inconsistent[0]["document"], "old-1");
}

#[test]
fn judgments_need_no_run_and_no_documents() {
    let study = Study::new().file("web.qrels", "1 0 a 1\n1 0 b 0\n").source("gone/*.warc.gz").judgments("web.qrels");
    assert_eq!(study.dejaview(["judgments", "--json"]).json()["documents"], 2);
    let table = study.dejaview(["judgments"]);
    assert!(table.ok().starts_with("track"), "{}", table.text());
    assert!(!study.path(".dejaview").exists(), "and leave nothing behind");
}

#[test]
fn only_judged_documents_take_part() {
    let study = small().file("web.qrels", "1 0 old-2 1\n1 0 elsewhere 1\n");
    assert_eq!(study.run()["documents"]["source"], 1);
    let answer = study.dejaview(["sketches", "--configuration", "simhash-2"]);
    let rows = answer.rows("side\tid\tsketch");
    assert_eq!(rows.iter().filter(|row| row[0] == "source").map(|row| row[1]).collect::<Vec<_>>(), ["old-2"]);
    assert_eq!(rows.iter().filter(|row| row[0] == "target").count(), 4);
}

#[test]
fn completions_and_the_man_page_know_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let script = dejaview(["completions", shell]);
        for command in listed() {
            assert!(script.ok().contains(&command), "{shell} does not know {command}");
        }
    }
    let man = dejaview(["man"]);
    assert!(man.ok().contains(".TH") && man.text().contains("dejaview"), "{}", man.text());
    let folder = tempfile::tempdir().unwrap();
    dejaview(["man", "--folder", folder.path().to_str().unwrap()]).ok();
    for command in listed() {
        let page = fs::read_to_string(folder.path().join(format!("dejaview-{command}.1"))).unwrap();
        assert!(page.contains("Example"), "{command}");
    }
}

#[test]
fn show_raw_gives_the_bytes_of_the_page() {
    let html = b"<html><meta charset=latin1><p>caf\xe9 \x1b[31m \r\n\t\r\n</html>\n";
    let study = Study::new()
        .file("old.warc", response("a", "http://a.org/", html))
        .file("new/b.html", html)
        .file("new/c.txt", "plain\r\ntext \u{202e}x")
        .source("old.warc")
        .target("00", "new");
    assert_eq!(study.dejaview(["show", "a", "--raw"]).stdout, html, "before a run");
    study.run();
    assert_eq!(study.dejaview(["show", "a", "--raw"]).stdout, html);
    assert_eq!(study.dejaview(["show", "new/b.html", "--raw"]).stdout, html);
    assert_eq!(study.dejaview(["show", "new/c.txt", "--raw"]).stdout, "plain\r\ntext \u{202e}x".as_bytes());
    assert!(study.dejaview(["show", "new/b.html"]).ok().starts_with("café"), "its text is decoded");
}

#[test]
fn compare_needs_no_study() {
    let study = Study::new()
        .file("a.html", "<title>One</title><p>a b c d e f g h i")
        .file("b.txt", "One\n\na b c d e f g h j\n")
        .file("a.warc", response("x", "http://x.org/", "<title>One</title><p>a b c d e f g h i"));
    let file = |name: &str| study.path(name).to_str().unwrap().to_owned();
    let plain = dejaview(["compare", "--plain", &file("a.html"), &file("b.txt")]);
    for word in ["jaccard_1", "0.818182", "edit_words", "simhash-3+5: ", "differ"] {
        assert!(plain.ok().contains(word), "{word}: {}", plain.text());
    }
    let json = dejaview(["compare", "--json", &file("a.html"), &file("a.warc")]).json();
    assert_eq!(json["scores"]["jaccard_8"], 1.0);
    assert_eq!(json["scores"]["edit_characters"], 1.0);
    for c in json["configurations"].as_array().unwrap() {
        let tree = c["tree"]["claim"].as_str().unwrap();
        // Too short for 8-word shingles' sentences and the like, or fitted to a collection that is not there.
        let silent = tree.starts_with("needs a study") || tree.starts_with("no sketch");
        assert!(silent || (c["match"] == true && c["evidence"] == 0), "{c}");
    }
    assert!(json["configurations"].as_array().unwrap().iter().filter(|c| c["match"] == true).count() >= 6);
}

#[test]
fn pages_too_short_for_a_sketch_say_so() {
    let study = Study::new().file("a.html", "<p>one").file("b.html", "<p>one");
    let file = |name: &str| study.path(name).to_str().unwrap().to_owned();
    let json = dejaview(["compare", "--json", &file("a.html"), &file("b.html")]).json();
    for configuration in json["configurations"].as_array().unwrap() {
        assert_eq!((&configuration["match"], &configuration["evidence"]), (&Value::Bool(false), &Value::Null));
    }
    assert_eq!(json["scores"]["jaccard_1"], 1.0);
    assert_eq!(json["scores"]["jaccard_2"], 0.0);
}

#[test]
fn new_writes_a_study_that_runs_and_never_writes_over_one() {
    let study = small();
    let folder = study.path("made");
    let make = |source: &str| {
        let folder = folder.to_str().unwrap();
        dejaview(["new", folder, "--source", source, "--target", "../new.warc", "--judgments", "../web.qrels"])
    };
    let path = folder.join("study.toml");
    assert_eq!(make("../old.warc").ok().trim_end(), path.to_str().unwrap());
    let written = fs::read_to_string(&path).unwrap();
    assert!(written.lines().filter(|line| line.contains('#')).count() >= 5, "it is commented:\n{written}");
    let message = make("../other.warc").failed().to_owned();
    assert!(message.contains("study.toml") && message.contains("exists"), "{message}");
    assert_eq!(fs::read_to_string(&path).unwrap(), written);
    let run = dejaview(["run", folder.to_str().unwrap(), "--json"]).json();
    assert_eq!(run["documents"], serde_json::json!({ "source": 4, "target": 4 }));
    // A pattern is relative to the study; whoever takes it for one from here learns so at once.
    let elsewhere = study.path("elsewhere");
    let wrong = dejaview(["new", elsewhere.to_str().unwrap(), "--source", "old.warc", "--target", "../new.warc"]);
    assert_eq!(wrong.ok().trim_end(), elsewhere.join("study.toml").to_str().unwrap());
    assert!(
        wrong.stderr.contains("not ready to be run") && wrong.stderr.contains("matches no file"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn results_go_to_standard_output_and_progress_to_standard_error() {
    let study = small();
    let answer = study.dejaview(["run"]);
    assert!(answer.ok().contains("source  4 documents (judged)"), "{}", answer.text());
    assert!(answer.stderr.contains("segment 00"), "{}", answer.stderr);
    assert!(!answer.text().contains("segment 00 ("), "{}", answer.text());
    for (name, value) in [("NO_COLOR", "1"), ("CI", "true"), ("TERM", "dumb"), ("CLICOLOR_FORCE", "1")] {
        let answer = Answer::of(study.command(["run", "--fresh"]).env(name, value));
        assert!(!answer.ok().contains('\u{1b}') && !answer.stderr.contains(['\u{1b}', '\r']), "{name}: {answer:?}");
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    let study = ran();
    for args in PRINTING.iter().filter(|args| args[0] != "run") {
        let first = study.dejaview(args.iter().copied());
        assert_eq!(first.code, Some(0), "{args:?}: {}", first.stderr);
        assert!(!first.stdout.is_empty(), "{args:?}");
        assert!(first.stdout == study.dejaview(args.iter().copied()).stdout, "{args:?}");
    }
}

/// A study whose ids, addresses and texts try to steer a terminal.
fn steering() -> Study {
    let html =
        "<title>\u{1b}]0;owned\u{7}</title><p>some \u{1b}[31mred\u{1b}[0m words \u{202e}turned\u{202c} here and now";
    Study::new()
        .file("old.warc", response("a\u{1b}[2J\tb", "http://a.org/\u{1b}[2J\u{7}\tx", html))
        .file(
            "new.jsonl",
            serde_json::json!({ "id": "c\u{1b}[2J\td\ne\u{9b}f", "url": "u\u{1b}[2J\n", "html": html }).to_string(),
        )
        .source("old.warc")
        .target("00", "new.jsonl")
}

#[test]
fn ids_and_addresses_hold_no_control_characters() {
    let study = steering();
    study.run();
    let pairs = study.dejaview(["pairs"]);
    let rows = pairs.rows("configuration\tsegment\tsource\ttarget\tdistance\tjaccard").len();
    assert!(rows >= 5);
    let sketches = study.dejaview(["sketches", "--configuration", "simhash-2"]);
    assert_eq!(sketches.rows("side\tid\tsketch").len(), 2);
    for answer in [&pairs, &sketches] {
        assert!(!answer.text().chars().any(|c| c.is_control() && c != '\t' && c != '\n'), "{:?}", answer.text());
    }
    let row = study.dejaview(["pairs", "--json"]).jsonl()[0].clone();
    for side in ["source", "target"] {
        let id = row[side].as_str().unwrap();
        let shown = study.dejaview(["show", id, "--json"]).json();
        assert_eq!(shown["id"], id, "the id leads back to the document");
        assert!(!shown["url"].as_str().unwrap().chars().any(char::is_control), "{shown}");
    }
    let csv = study.dejaview(["pairs", "--format", "csv"]);
    assert_eq!(csv.ok().lines().count(), rows + 1);
}

#[test]
fn a_pipe_gets_the_text_as_it_is_and_a_terminal_what_is_harmless() {
    let study = steering();
    study.run();
    let id = study.dejaview(["pairs", "--json"]).jsonl()[0]["source"].as_str().unwrap().to_owned();
    let piped = study.dejaview(["show", &id]);
    assert!(piped.ok().contains("\u{1b}[31mred") && piped.text().contains('\u{202e}'), "{:?}", piped.text());
    if Command::new("script").arg("--version").output().is_err() {
        return skipped("there is no `script` to make a terminal with");
    }
    let raw = format!("show {id:?} --raw");
    for args in [&format!("show {id:?}"), &raw, "pairs", "explain", "search words"] {
        let (command, rest) = args.split_once(' ').unwrap_or((args, ""));
        let rest = if command == "explain" { "missing-\u{1b}[31m missing" } else { rest };
        let line = format!("'{PROGRAM}' {command} '{}' {}", study.folder().display(), rest.replace("\\\"", "\""));
        let output = Command::new("script").args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").output().unwrap();
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(!shown.is_empty(), "{line}");
        let steers = |c: char| c.is_control() && !"\r\n\t".contains(c) || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!shown.chars().any(steers), "{line}: {shown:?}");
    }
}

/// Whatever is typed, or pasted, as an argument: what is wrong with it is said without a control character.
#[test]
fn wrong_arguments_are_shown_without_control_characters() {
    let red = "\u{1b}[31mred\u{7}\u{9b}2J";
    let study = Study::new();
    for arguments in [
        vec!["--no-such\u{1b}[2J"],
        vec![red, "more", "and more"],
        vec!["pairs", ".", "--format", red],
        vec!["run", ".", "--threads", red],
        vec!["show", ".", "a", "--side", red],
    ] {
        let answer = dejaview(&arguments);
        let said = answer.misused();
        assert!(!said.chars().any(|c| c.is_control() && c != '\n'), "{arguments:?}: {said:?}");
    }
    let answer = study.dejaview(["show", red]);
    assert!(!answer.failed().chars().any(|c| c.is_control() && c != '\n'), "{:?}", answer.stderr);
}

/// A terminal that cannot show the explorer, and a size that no terminal has.
#[test]
fn what_no_terminal_can_show_ends_with_a_word() {
    let study = Study::new();
    let answer = Answer::of(program().arg(study.folder()).env("TERM", "dumb"));
    assert!(answer.failed().contains("TERM=dumb"), "{}", answer.stderr);
    for size in ["65535x65535", "1001x30", "100x401"] {
        let answer = study.dejaview(["screen", "--size", size]);
        assert!(answer.misused().contains("1000x400 at most"), "{}", answer.stderr);
    }
}

/// A user who may have no more threads is told so, in words.
#[test]
fn a_system_that_starts_no_threads_is_said() {
    // The limit holds for nobody who may do anything.
    let limited = "exec setpriv --reuid 65534 --regid 65534 --clear-groups prlimit --nproc=1 \"$0\" doctor";
    let answer = Answer::of(Command::new("sh").args(["-c", limited, PROGRAM]));
    if answer.code == Some(127) || !answer.stderr.starts_with("dejaview: ") {
        return eprintln!(
            "skipped: there is no setpriv or prlimit here, or this user may not use it: {}",
            answer.stderr
        );
    }
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
    assert!(answer.stderr.contains("starting threads: ") && answer.stderr.contains("`ulimit -u`"), "{}", answer.stderr);
}
