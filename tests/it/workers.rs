//! Workers beside a run: whoever searches the files, and however often, the result is that of one process.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::recrawl::crawl;
use crate::support::{Answer, Study, assert_same, data, dejaview, gzip, page, program, response};

/// A study of many small files in two segments: copies within and across files, repeated ids, a file that is damaged, one
/// that is empty, and one of no known kind.
fn many_files() -> Study {
    let record = |id: String, seed: u64| response(&id, &format!("http://a.example/{id}"), page(seed, 80));
    let records = |side: &str, seeds: std::ops::Range<u64>| -> Vec<u8> {
        seeds.clone().flat_map(|seed| record(format!("{side}-{seed}"), seed % 17)).collect()
    };
    let mut study = Study::new().file("old.warc", records("old", 0..12)).source("old.warc");
    for file in 0..5u64 {
        let bytes = records("new", file * 6..file * 6 + 8);
        study = study.file(&format!("new/00/{file}.warc.gz"), gzip(&bytes));
    }
    let bytes = gzip(&records("later", 0..9));
    study = study.file("new/01/a.warc.gz", &bytes).file("new/01/b.warc.gz", &bytes[..bytes.len() / 2]);
    // Ids of the first segment come again in the second.
    study = study.file("new/01/c.warc", records("new", 3..9)).file("new/01/empty.warc", "");
    study.target("00", "new/00/*").target("01", "new/01/*")
}

/// Has the files of a study searched by workers, a few of them each, and gathers what they found.
fn run_by_workers(study: &Study, threads: &str) -> Vec<Answer> {
    let (kit, parts) = (study.path("study.kit"), study.path("parts"));
    let listed = study.dejaview(["run", "--prepare", kit.to_str().unwrap()]);
    let files: Vec<String> = listed.ok().lines().map(str::to_owned).collect();
    let shares = files.chunks(3).map(|share| search(&kit, &parts, share, threads));
    shares.collect()
}

fn search(kit: &Path, parts: &Path, files: &[String], threads: &str) -> Answer {
    let words = ["match", kit.to_str().unwrap(), "--parts", parts.to_str().unwrap(), "--threads", threads];
    dejaview(words.into_iter().chain(files.iter().map(String::as_str)))
}

fn gather(study: &Study) -> Answer {
    study.dejaview(["run", "--json", "--parts", study.path("parts").to_str().unwrap()])
}

#[test]
fn what_workers_find_is_what_a_run_finds() {
    let expected = many_files();
    let summary = expected.run();
    assert!(summary["pairs"]["simhash-3+5"].as_u64().unwrap() > 30, "{summary}");
    for threads in ["1", "3"] {
        let study = many_files();
        for answer in run_by_workers(&study, threads) {
            answer.ok();
        }
        let gathered = gather(&study).json();
        assert_eq!((&gathered["pairs"], &gathered["skipped"]), (&summary["pairs"], &summary["skipped"]));
        assert_same(&expected.results(), &study.results());
    }
}

/// The statistics that a run has stored, without the digest of its plan.
fn statistics(study: &Study) -> Vec<u8> {
    let bytes = fs::read(study.path(".dejaview/statistics")).unwrap();
    let magic = b"dejastat";
    let start = bytes.windows(magic.len()).position(|word| word == magic).unwrap();
    bytes[start..].to_vec()
}

#[test]
fn what_workers_count_is_what_a_run_counts() {
    let told =
        || many_files().configuration("imatch", "").configuration("lex-rand", "").configuration("descr-words", "");
    let expected = told();
    expected.run();
    let study = told();
    let (kit, parts) = (study.path("study.kit"), study.path("parts"));
    let [kit_name, parts_name] = [&kit, &parts].map(|path| path.to_str().unwrap());
    let listed = study.dejaview(["run", "--prepare", kit_name, "--stage", "statistics"]);
    let files: Vec<String> = listed.ok().lines().map(str::to_owned).collect();
    // Two files nobody counts but the run, and one is counted twice.
    for share in [&files[..4], &files[3..files.len() - 2]] {
        let answer = search(&kit, &parts, share, "2");
        let rows = answer.rows("segment\tfile\tdocuments\tkept\tskipped\tstate");
        assert!(rows.iter().all(|row| row[5].starts_with("counted")), "{rows:?}");
    }
    assert!(!study.path(".dejaview/statistics").exists());
    study.dejaview(["run", "--prepare", kit_name, "--parts", parts_name]).ok();
    assert!(statistics(&expected) == statistics(&study), "other statistics");
    search(&kit, &parts, &files, "1").ok();
    gather(&study).json();
    assert_same(&expected.results(), &study.results());
    let again = study.dejaview(["run", "--prepare", kit_name, "--stage", "statistics"]);
    assert!(again.failed().contains("no words of the target"), "{}", again.stderr);
}

#[test]
fn all_texts_are_kept_where_that_is_asked_for() {
    let [expected, study] = [(); 2].map(|()| many_files().top("keep = \"all\""));
    expected.run();
    run_by_workers(&study, "2").iter().for_each(|answer| _ = answer.ok());
    gather(&study).json();
    assert_same(&expected.results(), &study.results());
}

#[test]
fn a_file_is_searched_once_and_what_nobody_searched_is_searched_here() {
    let expected = many_files();
    expected.run();
    let study = many_files();
    let kit = study.path("study.kit");
    let listed = study.dejaview(["run", "--prepare", kit.to_str().unwrap()]);
    let files: Vec<String> = listed.ok().lines().map(str::to_owned).collect();
    assert_eq!(dejaview(["match", kit.to_str().unwrap(), "--list"]).ok(), listed.ok());
    // Two workers at a time on the same files, by names on standard input; some files nobody searches.
    let start = || {
        let words =
            ["match", kit.to_str().unwrap(), "--parts", study.path("parts").to_str().unwrap()].map(str::to_owned);
        let names = study.path("names.txt");
        fs::write(&names, files[..5].join("\n")).unwrap();
        let input = Stdio::from(fs::File::open(names).unwrap());
        let mut command: Command = program();
        command.args(words).stdin(input).stdout(Stdio::null()).spawn().unwrap()
    };
    let workers = [start(), start(), start()];
    workers.into_iter().for_each(|mut worker| assert!(worker.wait().unwrap().success()));
    let folders = fs::read_dir(study.path("parts")).unwrap().count();
    assert_eq!(folders, 5, "one part a file, and nothing half written");
    let again = search(&kit, &study.path("parts"), &files[..5], "1");
    let rows = again.rows("segment\tfile\tdocuments\tkept\tskipped\tstate");
    assert!(rows.iter().all(|row| row[5] == "searched before"), "{rows:?}");
    let parts = study.path("parts");
    let gathered = study.dejaview(["run", "--parts", parts.to_str().unwrap()]);
    let here = files.len() - 5;
    let said = format!("workers searched 5 of {} files; {here} were searched here", files.len());
    assert!(gathered.ok().lines().any(|line| line == said), "{said}: {}", gathered.ok());
    assert_same(&expected.results(), &study.results());
}

#[test]
fn a_file_that_workers_do_not_survive_costs_itself() {
    let study = many_files();
    let (kit, parts) = (study.path("study.kit"), study.path("parts"));
    study.dejaview(["run", "--prepare", kit.to_str().unwrap()]).ok();
    let words = ["match", kit.to_str().unwrap(), "--parts", parts.to_str().unwrap(), "new/00/2.warc.gz", "--give-up"];
    dejaview(words.into_iter().chain(["signal 11"])).ok();
    let summary = gather(&study).json();
    assert_eq!(summary["skipped"]["file given up"], 1, "{summary}");
    let table = fs::read_to_string(study.path(".dejaview/skipped.tsv")).unwrap();
    assert!(table.contains("target\t00\tnew/00/2.warc.gz\t0\tfile given up\tsignal 11\n"), "{table}");
    assert!(study.dejaview(["pairs"]).ok().contains("new-6\t"), "the other files are there");
}

/// A study that is named by a path that begins where one stands.
#[test]
fn what_is_not_read_is_listed_alike() {
    let run = |study: &Study, words: &[&str]| {
        let mut command = program();
        Answer::of(command.current_dir(study.folder()).args(words)).ok().to_owned()
    };
    let [expected, study] = [(); 2].map(|()| many_files().file("new/00/page.warc", "no record begins here"));
    run(&expected, &["run", "."]);
    let files = run(&study, &["run", ".", "--prepare", "kit"]);
    let words: Vec<&str> = ["match", "kit", "--parts", "parts"].into_iter().chain(files.lines()).collect();
    run(&study, &words);
    run(&study, &["run", ".", "--parts", "parts"]);
    let table = fs::read_to_string(study.path(".dejaview/skipped.tsv")).unwrap();
    assert!(table.contains("new/00/page.warc"), "{table}");
    assert_same(&expected.results(), &study.results());
}

#[test]
fn parts_of_another_plan_are_not_taken() {
    let study = many_files();
    run_by_workers(&study, "1").iter().for_each(|answer| _ = answer.ok());
    let [expected, study] = [many_files(), study].map(|study| study.simhash("ngrams = [2]\ndistance = 5"));
    expected.run();
    gather(&study).json();
    assert_same(&expected.results(), &study.results());
}

/// Whatever becomes of the files of a part, the run says so or finds the same.
#[test]
fn damaged_parts_are_refused_or_searched_again() {
    let expected = many_files();
    expected.run();
    let study = many_files();
    run_by_workers(&study, "1").iter().for_each(|answer| _ = answer.ok());
    let part = fs::read_dir(study.path("parts")).unwrap().next().unwrap().unwrap().path();
    let mut refused = 0;
    for entry in fs::read_dir(&part).unwrap() {
        let path = entry.unwrap().path();
        let whole = fs::read(&path).unwrap();
        let mut flipped = whole.clone();
        if let Some(byte) = flipped.last_mut() {
            *byte ^= 1;
        }
        for bytes in [&whole[..whole.len() / 2], &flipped, &[]] {
            if bytes == whole {
                continue;
            }
            fs::write(&path, bytes).unwrap();
            let folder = study.path("parts");
            let answer = study.dejaview(["run", "--fresh", "--json", "--parts", folder.to_str().unwrap()]);
            if answer.code == Some(0) {
                assert_same(&expected.results(), &study.results());
            } else {
                let said = &answer.stderr;
                assert_eq!(answer.code, Some(1), "{said}");
                refused += 1;
                assert!(said.contains(part.file_name().unwrap().to_str().unwrap()), "{said}");
                assert!(["damaged", "again"].iter().any(|word| said.contains(word)), "{}: {said}", path.display());
            }
        }
        fs::write(&path, &whole).unwrap();
    }
    assert!(refused > 0, "what was found is checked");
    let folder = study.path("parts");
    study.dejaview(["run", "--fresh", "--parts", folder.to_str().unwrap()]).ok();
    assert_same(&expected.results(), &study.results());
}

/// What a worker did not read is listed by the run, or the run says that the list is lost.
#[test]
fn a_part_that_lost_a_list_or_a_file_is_refused() {
    let study = many_files();
    run_by_workers(&study, "1").iter().for_each(|answer| _ = answer.ok());
    let folder = study.path("parts").to_str().unwrap().to_owned();
    let refused = |path: &std::path::Path, change: &dyn Fn()| {
        let whole = fs::read(path).unwrap();
        change();
        let answer = study.dejaview(["run", "--fresh", "--parts", &folder]);
        let said = &answer.stderr;
        assert!(said.contains("is damaged; remove its folder and search that file again"), "{said}");
        assert_eq!(answer.code, Some(1), "{said}");
        fs::write(path, whole).unwrap();
    };
    let parts: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let lists: Vec<_> = parts.iter().map(|part| part.join("skipped")).collect();
    let lost = lists.iter().filter(|list| fs::read(list).is_ok_and(|bytes| !bytes.is_empty()));
    let lost = lost.inspect(|list| refused(list, &|| fs::write(list, "").unwrap())).count();
    assert!(lost > 0, "something is not read");
    let found = parts[0].join("found");
    refused(&found, &|| fs::remove_file(&found).unwrap());
    let nowhere = study.dejaview(["run", "--parts", "nowhere"]);
    assert!(nowhere.misused().contains("is no folder"), "{}", nowhere.stderr);
    study.dejaview(["run", "--fresh", "--parts", &folder]).ok();
}

#[test]
fn damaged_kits_are_refused() {
    let study = many_files();
    let kit = study.path("study.kit");
    study.dejaview(["run", "--prepare", kit.to_str().unwrap()]).ok();
    let whole = fs::read(&kit).unwrap();
    for at in [0, 20, whole.len() / 3, whole.len() - 1] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        for bytes in [&bytes[..], &whole[..at]] {
            fs::write(&kit, bytes).unwrap();
            let answer = dejaview(["match", kit.to_str().unwrap(), "--list"]);
            assert!(answer.failed().contains("is no kit for workers"), "{}", answer.stderr);
        }
    }
}

#[test]
fn what_is_wrong_with_a_kit_or_a_name_is_said() {
    let study = many_files().file("no.kit", "nothing");
    let kit = study.path("study.kit");
    study.dejaview(["run", "--prepare", kit.to_str().unwrap()]).ok();
    let words = |kit: &Path, file: &str| {
        let parts = study.path("parts");
        dejaview(["match", kit.to_str().unwrap(), "--parts", parts.to_str().unwrap(), file].map(str::to_owned))
    };
    assert!(words(&study.path("no.kit"), "x").failed().contains("is no kit for workers"));
    let answer = words(&kit, "new/00/none.warc");
    assert!(answer.failed().contains("new/00/none.warc is no file that this kit is for"), "{}", answer.stderr);
    fs::remove_file(study.path("new/00/1.warc.gz")).unwrap();
    let words: Vec<String> = vec!["new/00/0.warc.gz".into(), "new/00/1.warc.gz".into(), "new/00/2.warc.gz".into()];
    let answer = search(&kit, &study.path("parts"), &words, "1");
    assert!(answer.stderr.contains("1.warc.gz: cannot be opened") && answer.stderr.contains("1 of 3 files"));
    assert_eq!((answer.code, fs::read_dir(study.path("parts")).unwrap().count()), (Some(1), 2));
}

#[test]
fn the_recrawl_searched_by_workers_is_the_same() {
    let Some(data) = data() else { return };
    let [expected, study] = [(); 2].map(|()| crawl(Study::new(), &data));
    expected.run();
    run_by_workers(&study, "2").iter().for_each(|answer| _ = answer.ok());
    gather(&study).json();
    assert_same(&expected.results(), &study.results());
}
