//! Kept texts that are damaged or missing: said by whoever needs them, and made again by a run.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use dejaview::base::hash::fmix64;

use crate::support::{Answer, Study, assert_same, page, response};

fn study() -> Study {
    let records = |side: &str, seeds: std::ops::Range<u64>| {
        let record =
            |seed| response(&format!("{side}-{seed}"), &format!("http://{side}.example/{seed}"), page(seed, 60));
        seeds.flat_map(record).collect::<Vec<u8>>()
    };
    let study = Study::new()
        .file("old.warc", records("old", 0..8))
        .file("00.warc", records("new", 0..4))
        .file("01.warc", records("new", 4..8))
        .source("old.warc")
        .target("00", "00.warc")
        .target("01", "01.warc")
        .configuration("exact-jaccard", "threshold = 0.8");
    study.run_with_threads(2);
    study
}

/// Every file of the index, by name.
fn files_of_index(study: &Study) -> Vec<PathBuf> {
    let folders = ["index", "index/segments", "index/words"].map(|folder| study.path(".dejaview").join(folder));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()));
    let mut files: Vec<PathBuf> = files.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// What commands that read texts answer.
fn answers(study: &Study) -> Vec<Answer> {
    vec![
        study.dejaview(["show", "old-1"]),
        study.dejaview(["show", "new-1"]),
        study.dejaview(["explain", "old-5", "new-5", "--json"]),
        study.dejaview(["search", "id:new", "--json"]),
        study.dejaview(["search", "the", "--terms"]),
    ]
}

fn change_bit(path: &Path, bit: u64) {
    let mut bytes = fs::read(path).unwrap();
    let bit = (bit % (8 * bytes.len() as u64)) as usize;
    bytes[bit / 8] ^= 1 << (bit % 8);
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_changed_bit_never_shows_another_text_and_a_run_makes_it_again() {
    let study = study();
    let (expected, results) = (answers(&study), study.results());
    assert!(expected.iter().all(|answer| !answer.ok().is_empty()));
    let files: Vec<PathBuf> = files_of_index(&study).into_iter().filter(|p| p.metadata().unwrap().len() > 0).collect();
    for round in 0..20 {
        let path = &files[round as usize % files.len()];
        let whole = fs::read(path).unwrap();
        change_bit(path, fmix64(round));
        for (found, expected) in answers(&study).iter().zip(&expected) {
            match found.code {
                Some(0) => assert_eq!(found.text(), expected.text(), "{}", path.display()),
                _ => assert!(found.failed().contains("`dejaview run`"), "{}", found.stderr),
            }
        }
        fs::write(path, whole).unwrap();
    }
    // Files of the index of words have other names each time it is made.
    for number in 0..files.len() {
        let Some(path) = &files_of_index(&study).into_iter().filter(|p| p.metadata().unwrap().len() > 0).nth(number)
        else {
            break;
        };
        change_bit(path, 1_000);
        let run = study.dejaview(["run", "--json"]);
        run.json();
        if path.extension().is_some_and(|extension| extension == "texts") {
            let name = path.file_name().unwrap().to_str().unwrap();
            assert!(run.stderr.contains(name) && run.stderr.contains("it is made again"), "{}", run.stderr);
        }
        assert_same(&results, &study.results());
        for (found, expected) in answers(&study).iter().zip(&expected) {
            assert_eq!(found.ok(), expected.text(), "{}", path.display());
        }
    }
}

#[test]
fn a_missing_index_is_said_and_made_again() {
    let study = study();
    let (expected, results) = (answers(&study), study.results());
    fs::remove_dir_all(study.path(".dejaview/index/words")).unwrap();
    assert_eq!(study.dejaview(["show", "old-1"]).ok(), expected[0].text(), "texts need no words");
    let said = study.dejaview(["search", "the"]).failed().to_owned();
    assert!(said.contains("their words are not indexed yet") && said.contains("`dejaview run`"), "{said}");
    assert_eq!(study.run()["resumed"], 2, "no segment is read again");
    assert_eq!(study.dejaview(["search", "the", "--terms"]).ok(), expected[4].text());
    fs::remove_dir_all(study.path(".dejaview/index")).unwrap();
    for answer in answers(&study) {
        assert!(answer.failed().contains("the file is missing; `dejaview run`"), "{}", answer.stderr);
    }
    let run = study.dejaview(["run", "--json"]);
    assert_eq!(run.json()["resumed"], 0);
    assert!(run.stderr.contains("the kept texts are missing"), "{}", run.stderr);
    assert_same(&results, &study.results());
}

#[test]
fn a_segment_whose_files_changed_keeps_the_texts_that_others_need() {
    let study = study();
    // The pages of the first segment move to the second, and no pair is left in the first.
    let [first, second] = ["00.warc", "01.warc"].map(|name| fs::read(study.path(name)).unwrap());
    let study = study.file("01.warc", [first, second].concat()).file("00.warc", response("new-9", "", page(99, 60)));
    study.run();
    let expected = study.dejaview(["explain", "old-1", "new-1", "--json"]);
    expected.ok();
    study.dejaview(["run", "--fresh"]).ok();
    assert_eq!(study.dejaview(["explain", "old-1", "new-1", "--json"]).ok(), expected.text());
}

#[test]
fn files_of_a_run_have_the_permissions_that_the_umask_gives() {
    let study = study();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let expected = mode(&study.path("study.toml"));
    for path in files_of_index(&study) {
        assert_eq!(mode(&path), expected, "{}", path.display());
    }
}
