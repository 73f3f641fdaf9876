//! One folder for two users of a group: each reads what the other wrote, and both label at the same time.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{Answer, PROGRAM, Study, skipped, small_crawls};

/// Numbers that no user and no group of this system has, as far as one can tell.
const USERS: [u32; 2] = [61_001, 61_002];
const GROUP: u32 = 61_000;

/// A command of one of the users. What it writes may be changed by the group, as shared folders are set up.
fn as_user(user: u32, program: &Path, words: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "umask 002; exec \"$@\"", "sh"]).arg(program).args(words);
    let nowhere = program.with_file_name("nowhere");
    command.env("HOME", &nowhere).env("XDG_DATA_HOME", &nowhere).stdin(Stdio::null());
    command.uid(user).gid(GROUP);
    command
}

/// Gives a folder, and all that is in it, to the first user and the group; what is made in it belongs to the group, too.
fn give(path: &Path) {
    chown(path, Some(USERS[0]), Some(GROUP)).unwrap();
    let mode = if path.is_dir() { 0o2770 } else { 0o660 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    if path.is_dir() {
        fs::read_dir(path).unwrap().for_each(|entry| give(&entry.unwrap().path()));
    }
}

/// The program where both users can start it: the folder of the tests may be closed to them.
fn reachable_program(study: &Study) -> PathBuf {
    let program = study.path("dejaview-program");
    fs::copy(PROGRAM, &program).unwrap();
    program
}

#[test]
fn two_users_of_a_group_run_and_label_one_folder() {
    let study = small_crawls().configuration("exact-jaccard", "threshold = 0.8");
    if fs::metadata(study.folder()).unwrap().uid() != 0 {
        return skipped("only root can become two other users");
    }
    let program = reachable_program(&study);
    give(study.folder());
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let folder = study.folder().to_str().unwrap();
    let answer = |user: u32, words: &[&str]| Answer::of(&mut as_user(user, &program, words));
    let [first, second] = USERS;

    answer(first, &["run", folder]).ok();
    answer(second, &["sample", folder, "--configuration", "all", "--size", "6", "--name", "shared"]).ok();
    answer(second, &["show", folder, "new-1"]).ok();
    // What the second user changes, the first one runs again.
    answer(second, &["run", folder, "--fresh"]).ok();
    answer(first, &["run", folder]).ok();

    let table = |label: &str| {
        let rows: String = (0..6).map(|n| format!("old-{n}\tnew-{n}\t{label}\n")).collect();
        format!("source\ttarget\tlabel\n{rows}")
    };
    let mut at_once = Vec::new();
    for (user, name, label) in [(first, "ann", "near-duplicate"), (second, "bob", "not")] {
        let file = study.path(&format!("{name}.tsv"));
        fs::write(&file, table(label)).unwrap();
        for _ in 0..4 {
            let words = ["labels", "import", folder, file.to_str().unwrap(), "--annotator", name, "--sample", "shared"];
            let mut command = as_user(user, &program, &words);
            at_once.push(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap());
        }
    }
    let mut imported = 0;
    for child in at_once {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // Of one person's journal there is one writer at a time; the others are told so.
        assert!(output.status.success() || said.contains("ann") || said.contains("bob"), "{said}");
        imported += usize::from(output.status.success());
    }
    assert!(imported >= 2, "each user's labels are written at least once");
    for (user, name, label) in [(first, "ann", "near-duplicate"), (second, "bob", "not")] {
        let exported = answer(user, &["labels", "export", folder, "--annotator", name]);
        assert_eq!(exported.ok().matches(&format!("\t{label}\t")).count(), 6, "{name}: {}", exported.text());
    }
    for path in ["labels/ann.jsonl", "labels/bob.jsonl", ".dejaview/manifest.json", "samples/shared.jsonl"] {
        let facts = fs::metadata(study.path(path)).unwrap();
        assert_eq!(facts.gid(), GROUP, "{path}");
        assert_eq!(facts.permissions().mode() & 0o060, 0o060, "{path} may be read and changed by the group");
    }
    answer(second, &["evaluate", folder, "--truth", "labels"]).ok();
    answer(first, &["evaluate", folder, "--truth", "labels"]).ok();
}
