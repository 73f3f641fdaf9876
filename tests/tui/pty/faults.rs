//! A disk that fails at any one call of the system while somebody labels: what was shown as saved is in the journal, what could
//! not be saved is said, and nothing ends without a word.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;

use dejaview::base::panics::catch_panic;
use dejaview::labels::Reading;
use portable_pty::ExitStatus;

use super::terminal::{Open, Terminal, barred, count, saved, shows_pair};
use crate::failing::{FAULTS, Fault, counted, failing_calls};
use crate::skipping::all_faults;
use crate::support::{MadePage, copy_into, made};

/// Keys that write, one after the other: two labels, and one taken back.
const KEYS: [&str; 3] = ["a", "x", "u"];

/// Sessions at a time: each mostly waits for a person who looks at a pair.
const AT_ONCE: usize = 6;

/// Calls of a kind that fail, unless all of them are asked for (`DEJAVIEW_ALL_FAULTS=1`): thousands of sessions.
const FEW: u64 = 4;

/// A small study, since every session reads all of it.
fn study() -> &'static Path {
    static STUDY: OnceLock<PathBuf> = OnceLock::new();
    STUDY.get_or_init(|| {
        let text = |n: usize| (0..60).map(|word| format!("w{} ", word * (n + 3))).collect::<String>();
        let pages = |ids: [&'static str; 4]| -> Vec<MadePage<'static>> {
            ids.into_iter().enumerate().map(|(n, id)| (id, "text", text(n))).collect()
        };
        made("faults", &pages(["old-0", "old-1", "old-2", "old-3"]), &pages(["new-0", "new-1", "new-2", "new-3"]))
    })
}

/// Somebody labels on a disk that may fail.
struct Session {
    terminal: Terminal,
    /// Keys that the program took.
    taken: usize,
    /// The most that it said to be saved.
    most_saved: u64,
}

impl Session {
    fn start(library: &Path, place: &Path, fault: Fault) -> Self {
        let (folder, elsewhere) = (place.join("study"), place.join("elsewhere"));
        copy_into(study(), &folder);
        fs::create_dir(&elsewhere).unwrap();
        let mut open = Open::label(&folder).size(200, 40).environment("TMPDIR", elsewhere);
        for (name, value) in fault.environment(library, &folder) {
            open = open.environment(name, value);
        }
        Self { terminal: open.start(), taken: 0, most_saved: 0 }
    }

    /// Waits until something is so; false when the program has ended.
    fn wait(&mut self, what: &str, so: impl Fn(&str) -> bool) -> bool {
        let runs = self.terminal.wait_or_end(what, |screen| so(&screen.contents()));
        self.most_saved = self.terminal.saved().unwrap_or_default().max(self.most_saved);
        runs
    }

    /// Presses all keys, as far as there is a pair and labels can be given.
    fn label(&mut self) {
        for key in KEYS {
            let is_ready = |text: &str| shows_pair(text) || says_a_failure(text);
            let runs = self.wait("a pair, or why there is none", is_ready);
            if !runs || !shows_pair(&self.terminal.text()) || !self.press(key) {
                return;
            }
            self.taken += 1;
            self.wait("saved or not", |text| saved(text).is_some() || text.contains("NOT SAVED"));
        }
    }

    /// Presses a key that writes; false when it writes nothing.
    fn press(&mut self, key: &str) -> bool {
        loop {
            self.terminal.pause(200);
            let before = place(&self.terminal.text());
            self.terminal.send(key);
            let answered = |text: &str| place(text) != before || barred(text) || text.contains("Not saved: ");
            if !self.wait("an answer to the key", answered) {
                return false;
            }
            let text = self.terminal.text();
            if !barred(&text) {
                return !text.contains("Not saved: ");
            }
            self.terminal.send("g");
            self.wait("no message", |text| !barred(text));
        }
    }

    /// Leaves, though something may not be saved.
    fn leave(&mut self) -> ExitStatus {
        self.terminal.send("Q");
        let asked = |text: &str| text.contains("could not be saved: ") || text.contains("has been saved by now");
        if self.wait("the end, or a question", asked) {
            self.terminal.send("Q");
        }
        let status = self.terminal.ended();
        self.terminal.restored();
        status
    }
}

/// Which pair is on the screen, and how many are decided.
fn place(text: &str) -> Option<String> {
    Some(text.lines().next()?.split_once(" decided")?.0.to_owned())
}

fn says_a_failure(text: &str) -> bool {
    text.contains("os error") || text.contains("read only")
}

/// Labels while a call fails. What is wrong with what came of it, if something is.
fn wrong(library: &Path, fault: Fault) -> Option<String> {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let mut session = Session::start(library, &root, fault);
    session.label();
    let status = session.leave();
    let Session { terminal, taken, most_saved } = session;
    let (folder, elsewhere) = (root.join("study"), root.join("elsewhere"));
    let reading = Reading::parse(&fs::read(folder.join("labels/ann.jsonl")).unwrap_or_default());
    // What is not in the journal is in a file elsewhere.
    let lines = |file: &Path| fs::read_to_string(file).unwrap().lines().count();
    let rescued: usize = fs::read_dir(elsewhere).unwrap().map(|entry| lines(&entry.unwrap().path())).sum();
    let there = reading.events.len();
    if !status.success() {
        let what = if rescued > 0 { "could not be written to" } else { folder.to_str().unwrap() };
        terminal.wait_raw("what failed", |raw| count(raw, what.as_bytes()) > 0);
    }
    if count(&terminal.raw(), b"panicked") > 0 || !matches!((status.exit_code(), status.signal()), (0 | 1, None)) {
        return Some(format!("ended with {status:?}: {}", terminal.text()));
    }
    if !reading.problems.is_empty() {
        return Some(format!("{:?}", reading.problems));
    }
    if most_saved > there as u64 {
        return Some(format!("{most_saved} were shown as saved, {there} are there"));
    }
    if there + rescued != taken || (rescued > 0 && status.success()) {
        return Some(format!("{taken} keys were taken, {there} events are there and {rescued} elsewhere"));
    }
    let is_whole = status.success() && taken == KEYS.len();
    (fault.is_harmless() && !is_whole).then(|| format!("{taken} keys were taken: {}", terminal.text()))
}

/// How many calls of a kind a session makes.
fn calls(library: &Path, call: &'static str) -> u64 {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().canonicalize().unwrap();
    let mut session = Session::start(library, &root, Fault::none(call));
    session.label();
    assert_eq!(session.taken, KEYS.len(), "{}", session.terminal.text());
    assert!(session.leave().success());
    counted(&root.join("study"))
}

#[test]
fn no_call_that_fails_loses_a_label() {
    let Some(library) = failing_calls() else { return };
    let most = if all_faults() { u64::MAX } else { FEW };
    let faults: Vec<Fault> =
        FAULTS.iter().flat_map(|(call, hows)| Fault::each(call, hows, calls(&library, call), most)).collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(&fault) = faults.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let why = catch_panic(|| wrong(&library, fault)).unwrap_or_else(|panic| Some(panic.to_string()));
                    found.lock().unwrap().extend(why.map(|why| format!("{fault:?}: {why}")));
                }
            });
        }
    });
    fs::remove_file(library).unwrap();
    let found = found.into_inner().unwrap();
    println!("{} faults, {} wrong", faults.len(), found.len());
    assert!(found.is_empty(), "{}", found.join("\n"));
}
