//! A file system that is really full: a small one in memory, mounted where the labels are, for the program alone to see.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use dejaview::labels::Reading;

use super::terminal::{Open, Terminal};
use crate::skipping::skipped;
use crate::support::{copy, sample};

/// Mounts 24 KiB on a folder, fills all but 4 KiB, and becomes the program behind.
const SMALL: &str = r#"mount -t tmpfs -o size=24k tmpfs "$0" && head -c 20480 /dev/zero > "$0/filler" && exec "$@""#;

/// A shell of its own name space that runs [`SMALL`].
fn small(folder: &Path) -> Vec<OsString> {
    let words = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", SMALL];
    words.into_iter().map(OsString::from).chain([folder.into()]).collect()
}

/// Whether this machine lets a process mount something for itself.
fn possible(folder: &Path) -> bool {
    let words = small(folder);
    let tried = Command::new(&words[0]).args(&words[1..]).arg("true").output();
    let possible = tried.is_ok_and(|output| output.status.success());
    if !possible {
        skipped("unshare cannot mount a file system here");
    }
    possible
}

/// The folder of labels as the program sees it.
fn seen(terminal: &Terminal, folder: &Path) -> PathBuf {
    let root = format!("/proc/{}/root", terminal.pid());
    Path::new(&root).join(folder.strip_prefix("/").unwrap())
}

fn reading(folder: &Path) -> Reading {
    Reading::parse(&fs::read(folder.join("ann.jsonl")).unwrap_or_default())
}

#[test]
fn a_full_file_system_is_said_loses_nothing_and_is_written_to_when_there_is_room() {
    let study = copy(sample());
    let folder = study.path().join("labels");
    fs::create_dir_all(&folder).unwrap();
    if !possible(&folder) {
        return;
    }
    let terminal = Open::label(study.path()).through(small(&folder)).start();
    terminal.wait_pair();
    let there = seen(&terminal, &folder);
    let mut pressed = 0;
    while !terminal.text().contains("NOT SAVED") {
        assert!(pressed < 60, "4 KiB are never full:\n{}", terminal.text());
        terminal.press(["a", "x", "i"][pressed % 3]);
        pressed += 1;
        let settled = |screen: &vt100::Screen| {
            let text = screen.contents();
            text.contains("NOT SAVED") || text.contains(&format!("saved ✓ {pressed}"))
        };
        terminal.wait("saved or not", settled);
    }
    let full = reading(&there);
    assert_eq!(full.problems, [], "no torn line stays in the file");
    assert_eq!(full.events.len(), pressed - 1, "all that was shown as saved is there, and no more");
    // Labelling goes on; what waits is kept.
    terminal.press("a");
    terminal.wait_for("NOT SAVED (2 waiting)");
    assert!(terminal.title().contains("No space left"), "{}", terminal.title());
    fs::remove_file(there.join("filler")).unwrap();
    terminal.wait_for(&format!("saved ✓ {}", pressed + 1));
    let after = reading(&there);
    assert_eq!((after.problems.len(), after.events.len()), (0, pressed + 1), "nothing is lost, nothing doubled");
    terminal.quit();
}
