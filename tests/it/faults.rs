//! A disk that fails at any one call of the system: what is done is whole, or it is said what failed, and the next try makes up
//! for it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::{Answer, Study, copy_each, failing_calls, program, slow, small_crawls};

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

/// Kinds of calls and how each may fail.
const FAULTS: [(&str, &[&str]); 6] = [
    ("read", &["EIO", "EINTR", "short"]),
    ("write", &["EIO", "ENOSPC", "EINTR", "short", "full"]),
    ("sync", &["EIO", "EINTR"]),
    ("rename", &["EIO", "ENOSPC"]),
    ("open", &["EIO", "EINTR", "full"]),
    ("map", &["EIO"]),
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

    /// Runs the command while one call fails; how many calls there were.
    fn disturbed(&self, call: &str, how: &str, number: u64) -> (Answer, u64) {
        let count = self.folder.with_extension("count");
        let mut command = program();
        command.current_dir(self.folder).args(self.work.command).env("LD_PRELOAD", self.library);
        command.env("FAULT_FOLDER", self.folder).env("FAULT_CALL", call).env("FAULT_HOW", how);
        command.env("FAULT_NUMBER", number.to_string()).env("FAULT_COUNT", &count);
        let answer = Answer::of(&mut command);
        let calls = fs::read_to_string(&count).ok().and_then(|text| text.parse().ok()).unwrap_or_default();
        (answer, calls)
    }

    /// Tries one fault. What is wrong with what came of it, if something is.
    fn wrong(&self, (call, how, number): (&str, &str, u64), expected: &Files) -> Option<String> {
        self.reset();
        let (answer, _) = self.disturbed(call, how, number);
        let said = answer.stderr.lines().last().unwrap_or_default().to_owned();
        let is_harmless = how == "EINTR" || how == "short";
        match answer.code {
            Some(0) if self.made() != *expected => return Some(format!("done, but not the same: {}", answer.stderr)),
            Some(0) => {}
            Some(1) if is_harmless => return Some(format!("it failed: {said}")),
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

/// Which of so many calls fail: all, or when there is little time the first, the last and some between.
fn numbers(calls: u64, few: u64) -> Vec<u64> {
    if slow() || calls <= few {
        return (1..=calls).collect();
    }
    (0..few).map(|i| 1 + i * (calls - 1) / (few - 1)).collect()
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
    for (call, hows) in FAULTS {
        bench.reset();
        let (answer, calls) = bench.disturbed(call, "EIO", 0);
        answer.ok();
        for (how, number) in hows.iter().flat_map(|how| numbers(calls, few).into_iter().map(move |n| (*how, n))) {
            tried += 1;
            let found = bench.wrong((call, how, number), &expected);
            wrong.extend(found.map(|why| format!("{:?}: {call} {number} of {calls}, {how}: {why}", work.command)));
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
