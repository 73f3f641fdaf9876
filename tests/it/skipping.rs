//! What whoever runs the tests asks for: real data, and the slow tests. A test that checks nothing without one of these
//! says so in a line of its own, and `.ci/run` counts these lines. All tests ask here: the explorer's and the
//! unit tests of the crates name this file by `#[path]`.

#![allow(dead_code, reason = "not every crate has tests of every kind")]

use std::io::Write;
use std::path::PathBuf;

/// Says that the test at hand checks nothing, or nothing more, past the test harness, which swallows what a passing test
/// prints.
pub fn skipped(why: &str) {
    let thread = std::thread::current();
    let line = format!("skipped: {} ({why})\n", thread.name().unwrap_or("a test"));
    std::io::stderr().write_all(line.as_bytes()).expect("standard error can be written");
}

/// The folder of real data that `DEJAVIEW_DATA` names. The test is skipped without it.
pub fn data() -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("DEJAVIEW_DATA") else {
        skipped("DEJAVIEW_DATA is not set");
        return None;
    };
    Some(PathBuf::from(folder).canonicalize().expect("DEJAVIEW_DATA names a folder"))
}

/// The virtual environment with PySpark that `DEJAVIEW_SPARK` names. The test is skipped without it.
pub fn spark() -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("DEJAVIEW_SPARK") else {
        skipped("DEJAVIEW_SPARK is not set");
        return None;
    };
    Some(PathBuf::from(folder).canonicalize().expect("DEJAVIEW_SPARK names a folder"))
}

/// Whether `DEJAVIEW_SLOW=1` asks for more rounds than the few that always run.
pub fn slow() -> bool {
    std::env::var_os("DEJAVIEW_SLOW").is_some_and(|value| value == "1")
}

/// Whether a test may run that is too slow for every day. It is skipped otherwise.
pub fn only_when_slow() -> bool {
    if !slow() {
        skipped("DEJAVIEW_SLOW is not 1");
    }
    slow()
}

/// Whether `DEJAVIEW_ALL_FAULTS=1` asks for every call of the system to fail in turn: thousands of runs, by hand.
pub fn all_faults() -> bool {
    std::env::var_os("DEJAVIEW_ALL_FAULTS").is_some_and(|value| value == "1")
}

/// How many pages a test of large corpora makes: what `DEJAVIEW_PAGES` says, or as many as every run of the slow tests has
/// time for.
pub fn pages() -> u64 {
    std::env::var("DEJAVIEW_PAGES").ok().and_then(|pages| pages.parse().ok()).unwrap_or(20_000)
}
