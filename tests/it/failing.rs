//! Calls of the system that fail: the library that makes them fail (`tests/fixtures/faults`), and which of them are tried. No
//! tests; those of the explorer name this file by `#[path]`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::skipping::skipped;

/// Kinds of calls and how each may fail.
pub const FAULTS: [(&str, &[&str]); 6] = [
    ("read", &["EIO", "EINTR", "short"]),
    ("write", &["EIO", "ENOSPC", "EINTR", "short", "full"]),
    ("sync", &["EIO", "EINTR"]),
    ("rename", &["EIO", "ENOSPC"]),
    ("open", &["EIO", "EINTR", "full"]),
    ("map", &["EIO"]),
];

/// One call that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// The kind of call.
    pub call: &'static str,
    pub how: &'static str,
    /// Which of its kind, from 1; 0 for none, when they are only counted.
    pub number: u64,
}

impl Fault {
    /// Calls of a kind, none of which fails.
    pub fn none(call: &'static str) -> Self {
        Self { call, how: "EIO", number: 0 }
    }

    /// Faults of a kind of calls, of which there are so many: all of them, or when there are more than `most` the first, the
    /// last and some between.
    pub fn each(call: &'static str, hows: &'static [&'static str], calls: u64, most: u64) -> Vec<Self> {
        let numbers: Vec<u64> = match calls <= most {
            true => (1..=calls).collect(),
            false => (0..most).map(|i| 1 + i * (calls - 1) / (most - 1)).collect(),
        };
        hows.iter().flat_map(|&how| numbers.iter().map(move |&number| Self { call, how, number })).collect()
    }

    /// Whether a program must not mind.
    pub fn is_harmless(&self) -> bool {
        self.how == "EINTR" || self.how == "short"
    }

    /// The environment of a program in which it happens to files below a folder. The program leaves beside the folder how many
    /// calls there were.
    pub fn environment(&self, library: &Path, folder: &Path) -> [(&'static str, OsString); 6] {
        [
            ("LD_PRELOAD", library.into()),
            ("FAULT_FOLDER", folder.into()),
            ("FAULT_CALL", self.call.into()),
            ("FAULT_HOW", self.how.into()),
            ("FAULT_NUMBER", self.number.to_string().into()),
            ("FAULT_COUNT", count_file(folder).into()),
        ]
    }
}

fn count_file(folder: &Path) -> PathBuf {
    folder.with_extension("count")
}

/// How many calls the last program made that ended by itself.
pub fn counted(folder: &Path) -> u64 {
    fs::read_to_string(count_file(folder)).ok().and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// The library that makes calls of the system fail (`tests/fixtures/faults`); none, said, where it cannot be made. The caller
/// removes it.
pub fn failing_calls() -> Option<PathBuf> {
    static MADE: AtomicU32 = AtomicU32::new(0);
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        skipped("the library that makes calls fail is written for Linux with glibc");
        return None;
    }
    let name = format!("failing_calls-{}-{}.so", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/faults/failing_calls.rs");
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let mut command = Command::new(compiler);
    command.args(["--edition=2024", "--crate-type=cdylib", "-Copt-level=1", "-o"]).arg(&library).arg(source);
    if !command.status().is_ok_and(|status| status.success()) {
        skipped("the library that makes calls fail could not be compiled");
        return None;
    }
    Some(library)
}
