//! A disk that fails in the middle of a file, and files that are only cut short.

use std::fs;
use std::path::Path;

use crate::failing::failing_calls;
use crate::support::{Answer, Study, assert_same, gzip, page, response};

/// Two segments; the second has two files.
fn study() -> Study {
    let records = |from: u64| -> Vec<u8> {
        (from..from + 300).flat_map(|n| response(&format!("d{n}"), "", page(n % 50, 300))).collect()
    };
    let members: Vec<u8> = (900..1500).flat_map(|n| gzip(&response(&format!("d{n}"), "", page(n % 50, 300)))).collect();
    Study::new()
        .source("old.warc")
        .file("old.warc", records(0))
        .target("00", "new/0.warc")
        .file("new/0.warc", records(2000))
        .target("01", "new/1*")
        .file("new/1-members.warc.gz", members)
        .file("new/1-plain.warc", records(3000))
        .simhash("name = \"words\"\nngrams = [1]")
}

fn run_with_failure(study: &Study, library: &Path, file: &str, from: u64, threads: usize) -> Answer {
    let mut command = study.command(["run", "--threads", &threads.to_string()]);
    command.env("LD_PRELOAD", library).env("FAILING_FILE", file).env("FAILING_FROM", from.to_string());
    Answer::of(&mut command)
}

#[test]
fn a_read_error_finishes_nothing_and_the_next_run_reads_again() {
    let Some(library) = failing_calls() else { return };
    let whole = study();
    whole.run();
    let expected = whole.results();
    for file in ["new/1-members.warc.gz", "new/1-plain.warc", "new/0.warc", "old.warc"] {
        let study = study();
        let size = fs::metadata(study.path(file)).unwrap().len();
        for (from, threads) in [(0, 1), (1, 2), (size / 2, 1), (size / 2 + 1, 2), (size - 1, 1)] {
            let answer = run_with_failure(&study, &library, file, from, threads);
            let said = answer.stderr.lines().last().unwrap_or_default();
            assert_eq!(answer.code, Some(1), "{file} from {from}: {}", answer.stderr);
            assert!(said.contains(file) && said.contains("Input/output error"), "{file} from {from}: {said}");
            let segment = format!(".dejaview/segments/{}.json", if file == "new/0.warc" { "00" } else { "01" });
            assert!(!study.path(&segment).exists(), "{file} from {from}: its segment is finished");
            let later = run_with_failure(&study, &library, file, from, threads);
            assert_eq!(later.code, Some(1), "{file} from {from}: the second run read it again");
        }
        study.run();
        assert_same(&expected, &study.results());
    }
    fs::remove_file(library).unwrap();
}

#[test]
fn an_archive_that_is_cut_short_is_counted_and_no_error() {
    for file in ["new/1-members.warc.gz", "new/1-plain.warc"] {
        let study = study();
        let bytes = fs::read(study.path(file)).unwrap();
        // Not between two records, where nobody can see that more should follow.
        fs::write(study.path(file), &bytes[..bytes.len() / 2 + 100]).unwrap();
        let summary = study.run();
        let skipped: u64 = summary["skipped"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
        assert_eq!(skipped, 1, "{summary}");
        assert!(study.path(".dejaview/segments/01.json").exists());
    }
}
