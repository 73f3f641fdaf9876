//! A disk that fails at any one call of the system: what is done is whole, or it is said what failed, and the next try makes up
//! for it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::failing::{FAULTS, Fault, counted, failing_calls};
use crate::skipping::{all_faults, slow};
use crate::support::{Answer, Study, copy_each, program, small_crawls};

/// A command on the study in the current folder, and what it makes.
struct Work {
    command: &'static [&'static str],
    /// Whether the study was run before.
    on_finished: bool,
    /// Files and folders that hold what it makes.
    made: &'static [&'static str],
}

const WORKS: [Work; 6] = [
    Work { command: &["run", ".", "--threads", "1"], on_finished: false, made: &[".dejaview"] },
    Work {
        command: &["sample", ".", "--configuration", "exact", "--name", "drawn", "--size", "3"],
        on_finished: true,
        made: &["samples"],
    },
    Work {
        command: &["labels", "import", ".", "labels.tsv", "--annotator", "bob"],
        on_finished: true,
        made: &["labels"],
    },
    Work {
        command: &["labels", "pack", ".", "--sample", "few", "-o", "few.pack"],
        on_finished: true,
        made: &["few.pack"],
    },
    Work { command: &["report", ".", "-o", "report.html"], on_finished: true, made: &["report.html"] },
    Work {
        command: &["transfer", ".", "--accept", "jaccard:0.8", "-o", "new.qrels"],
        on_finished: true,
        made: &["new.qrels", "new.ledger.tsv"],
    },
];

/// Files of a folder, by name; what differs from run to run of the same input is left out.
type Files = BTreeMap<String, Vec<u8>>;

fn files(folder: &Path, name: &str, all: &mut Files) {
    let path = folder.join(name);
    if path.is_dir() {
        for entry in fs::read_dir(&path).unwrap() {
            files(folder, &format!("{name}/{}", entry.unwrap().file_name().to_str().unwrap()), all);
        }
    } else if path.is_file() && !is_transient(name) {
        all.insert(name.to_owned(), fs::read(&path).unwrap());
    }
}

/// The index of words, whose names are random, locks, notes about outputs, and facts with times of files.
fn is_transient(name: &str) -> bool {
    let kept = ["pairs/", "index/segments/", "index/source.texts", "manifest.json", "skipped", "both/", "statistics"];
    name.starts_with(".dejaview/") && !kept.iter().any(|kept| name[".dejaview/".len()..].starts_with(kept))
}

/// Copies a folder; files keep their times, by which a study knows them.
fn copy(from: &Path, to: &Path) {
    copy_each(from, to, &|path, there| {
        fs::copy(path, there).unwrap();
        let modified = path.metadata().unwrap().modified().unwrap();
        fs::File::options().write(true).open(there).unwrap().set_modified(modified).unwrap();
    });
}

/// A place where one command is tried again and again, each time on the same study.
struct Bench<'a> {
    library: &'a Path,
    work: &'a Work,
    /// The study as it is before the command.
    before: &'a Path,
    /// Where the command runs.
    folder: &'a Path,
}

impl Bench<'_> {
    fn reset(&self) {
        fs::remove_dir_all(self.folder).unwrap();
        copy(self.before, self.folder);
    }

    fn made(&self) -> Files {
        let mut all = Files::new();
        self.work.made.iter().for_each(|name| files(self.folder, name, &mut all));
        all
    }

    fn undisturbed(&self) -> Answer {
        Answer::of(program().current_dir(self.folder).args(self.work.command))
    }

    /// Runs the command while one call fails.
    fn disturbed(&self, fault: Fault) -> Answer {
        let environment = fault.environment(self.library, self.folder);
        Answer::of(program().current_dir(self.folder).args(self.work.command).envs(environment))
    }

    /// Tries one fault. What is wrong with what came of it, if something is.
    fn wrong(&self, fault: Fault, expected: &Files) -> Option<String> {
        self.reset();
        let answer = self.disturbed(fault);
        let said = answer.stderr.lines().last().unwrap_or_default().to_owned();
        match answer.code {
            Some(0) if self.made() != *expected => return Some(format!("done, but not the same: {}", answer.stderr)),
            Some(0) => {}
            Some(1) if fault.is_harmless() => return Some(format!("it failed: {said}")),
            Some(1) if !answer.stderr.contains(self.folder.to_str().unwrap()) && !names_a_file(&answer.stderr) => {
                return Some(format!("no file is named: {}", answer.stderr));
            }
            Some(1) => {}
            other => return Some(format!("ended with {other:?}: {}", answer.stderr)),
        }
        let again = self.undisturbed();
        // What is done already may be refused a second time, but nothing of it may differ.
        if again.code != Some(0) && answer.code != Some(0) {
            return Some(format!("after {said:?} the next try fails: {}", again.stderr));
        }
        (self.made() != *expected).then(|| format!("after {said:?} the next try makes something else"))
    }
}

/// Whether a message names a file of the study by its path in it.
fn names_a_file(message: &str) -> bool {
    [".dejaview/", "labels", "samples", ".warc", ".qrels", ".toml", ".tsv", ".pack", ".html"]
        .iter()
        .any(|name| message.contains(name))
}

/// The study before each command, run or not.
fn prepare(finished: bool) -> Study {
    let study = small_crawls()
        .file(
            "labels.tsv",
            "source\ttarget\tlabel\ttime\nold-1\tnew-1\tnear-duplicate\t2012-03-04T05:06:07.000Z\n\
             old-2\tnew-2\tnot\t2012-03-04T05:06:08.000Z\n",
        )
        .simhash("name = \"words\"")
        .configuration("exact-jaccard", "name = \"exact\"\nthreshold = 0.8");
    if finished {
        study.run();
        study.dejaview(["sample", "--configuration", "exact", "--name", "few", "--size", "3"]).ok();
        let import = ["labels", "import", ".", "labels.tsv", "--annotator", "ann"];
        Answer::of(program().current_dir(study.folder()).args(import)).ok();
    }
    study
}

/// Tries every fault on a command. How often, and what went wrong.
fn try_all(library: &Path, work: &Work, few: u64) -> (usize, Vec<String>) {
    let (prepared, place) = (prepare(work.on_finished), tempfile::tempdir().unwrap());
    let folder = place.path().canonicalize().unwrap().join("study");
    copy(prepared.folder(), &folder);
    let bench = Bench { library, work, before: prepared.folder(), folder: &folder };
    bench.undisturbed().ok();
    let expected = bench.made();
    assert!(!expected.is_empty(), "{:?} makes nothing", work.command);
    let (mut tried, mut wrong) = (0, Vec::new());
    let most = if all_faults() { u64::MAX } else { few * if slow() { 3 } else { 1 } };
    for (call, hows) in FAULTS {
        bench.reset();
        bench.disturbed(Fault::none(call)).ok();
        let calls = counted(&folder);
        for fault in Fault::each(call, hows, calls, most) {
            tried += 1;
            let found = bench.wrong(fault, &expected);
            wrong.extend(found.map(|why| format!("{:?}: {fault:?} of {calls}: {why}", work.command)));
        }
    }
    (tried, wrong)
}

fn no_call_that_fails_does_harm(works: &[Work], few: u64) {
    let Some(library) = failing_calls() else { return };
    let mut wrong = Vec::new();
    for work in works {
        let (tried, found) = try_all(&library, work, few);
        println!("{:?}: {tried} faults, {} wrong", work.command, found.len());
        wrong.extend(found);
    }
    fs::remove_file(library).unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_call_that_fails_harms_a_run() {
    no_call_that_fails_does_harm(&WORKS[..1], 4);
}

#[test]
fn no_call_that_fails_harms_what_commands_write() {
    no_call_that_fails_does_harm(&WORKS[1..], 2);
}
