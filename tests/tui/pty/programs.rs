//! The terminal is lent and comes back.

use std::fs;

use super::terminal::{Open, Terminal, count};
use crate::support::{copy, sample};

/// The state of a process: T when it is stopped.
fn state(terminal: &Terminal) -> String {
    let stat = fs::read_to_string(format!("/proc/{}/stat", terminal.pid())).unwrap_or_default();
    stat.rsplit(") ").next().unwrap_or_default().chars().take(1).collect()
}

fn wait_state(terminal: &Terminal, wanted: &str) {
    for _ in 0..3000 {
        if state(terminal) == wanted {
            return;
        }
        terminal.pause(20);
    }
    panic!("waited for state {wanted}, it is {}", state(terminal));
}

#[test]
fn control_z_gives_the_terminal_back_and_waking_takes_it_again() {
    for by in ["key", "TSTP"] {
        let study = copy(sample());
        let terminal = Open::label(study.path()).start();
        terminal.label("a");
        if by == "key" {
            terminal.send("\x1a");
        } else {
            terminal.signal("TSTP");
        }
        wait_state(&terminal, "T");
        terminal.restored();
        terminal.signal("CONT");
        terminal
            .wait("the explorer again", |screen| screen.alternate_screen() && screen.contents().starts_with(" Label"));
        terminal.wait_pair();
        terminal.label("x");
        terminal.quit();
        assert_eq!(study.labels("ann"), 2, "{by}");
    }
}

#[test]
fn stopped_from_outside_it_comes_back_whole() {
    let study = copy(sample());
    let terminal = Open::label(study.path()).start();
    terminal.wait_pair();
    terminal.signal("STOP");
    wait_state(&terminal, "T");
    let before = terminal.raw().len();
    terminal.signal("CONT");
    terminal.wait_raw("all of the screen again", |raw| raw.len() > before + 500);
    terminal.wait_pair();
    terminal.label("a");
    terminal.quit();
}

#[test]
fn the_pager_has_the_terminal_while_it_runs() {
    let study = copy(sample());
    let terminal =
        Open::label(study.path()).environment("PAGER", "sed -n 1,2p; echo 'then a key'; read -r x < /dev/tty").start();
    terminal.wait_pair();
    terminal.send("|");
    terminal.wait("the pager", |screen| !screen.alternate_screen() && screen.contents().contains("then a key"));
    assert!(terminal.text().contains("--- ") && terminal.text().contains("+++ "), "{}", terminal.text());
    // What is typed at the pager is the pager's.
    terminal.send("aaa\n");
    terminal.wait("the explorer again", vt100::Screen::alternate_screen);
    terminal.wait_pair();
    terminal.label("a");
    terminal.quit();
    assert_eq!(study.reading("ann").events.len(), 1);
}

#[test]
fn a_pager_that_fails_is_said() {
    let study = copy(sample());
    let terminal = Open::label(study.path()).environment("PAGER", "no-such-pager").start();
    terminal.wait_pair();
    terminal.send("|");
    terminal.wait_for("the pager “no-such-pager” ended");
    terminal.quit();
}

#[test]
fn a_note_is_written_in_the_editor() {
    let study = copy(sample());
    let terminal = Open::label(study.path()).environment("EDITOR", "printf 'two\\nlines\\n' >>").start();
    terminal.wait_pair();
    terminal.pause(200);
    terminal.send("e");
    terminal.wait_for("note: two / lines");
    terminal.wait_for("saved ✓ 0");
    terminal.quit();
    let reading = study.reading("ann");
    assert!(reading.decisions.pairs(None).any(|(_, _, standing)| standing.note == Some("two\nlines")));
}

#[test]
fn copies_go_through_the_terminal_raw() {
    let study = copy(sample());
    let terminal = Open::home(study.path()).start();
    terminal.wait_home();
    terminal.send("3");
    terminal.wait_pairs(1);
    terminal.send("y");
    terminal.wait_for("a  id of A (source)");
    terminal.send("a");
    terminal.wait_for("Copied the id of A");
    let raw = terminal.raw();
    assert_eq!(count(&raw, b"\x1b]52;c;"), 1);
    assert_eq!(count(&raw, b"\x1bPtmux"), 0, "not wrapped");
    terminal.quit();
}

#[test]
fn the_mouse_is_the_terminals_until_asked_for() {
    let study = copy(sample());
    let terminal = Open::home(study.path()).start();
    terminal.wait_home();
    assert_eq!(count(&terminal.raw(), b"\x1b[?1000h"), 0);
    terminal.send(":set mouse\r");
    terminal.wait_for("the wheel scrolls");
    terminal.send("3");
    terminal.wait_pairs(1);
    terminal.send("\x1b[<65;10;10M");
    terminal.wait_pairs(4);
    assert_eq!(count(&terminal.raw(), b"\x1b[?1000h"), 1);
    terminal.quit();
}

#[test]
fn settings_are_read_and_what_is_wrong_with_them_is_said() {
    let study = copy(sample());
    let home = study.path().join("settings");
    fs::create_dir_all(home.join("dejaview")).unwrap();
    let text = "annotator = \"ada\"\ntheme = \"mono\"\nmous = true\n[keys]\nquit = \"C-q\"\n";
    fs::write(home.join("dejaview").join("config.toml"), text).unwrap();
    let home: &'static str = Box::leak(home.to_string_lossy().into_owned().into_boxed_str());
    let mut terminal = Open::unnamed(study.path()).environment("XDG_CONFIG_HOME", home).size(200, 30).start();
    terminal.wait_for("line 3: `mous`");
    terminal.send("5");
    terminal
        .wait("the annotator", |screen| screen.contents().lines().next().is_some_and(|title| title.contains("  ada ")));
    terminal.send("\x11");
    let status = terminal.ended();
    assert!(status.success());
    terminal.restored();
}

/// The first frame does not wait for the study.
#[test]
fn the_first_frame_comes_before_the_study() {
    let study = copy(sample());
    // The colours are given: asking the terminal for its own takes as long as reading a small study.
    let terminal = Open::home(study.path()).arguments(["--theme", "dark"]).start();
    terminal.wait_home();
    let raw = terminal.raw();
    let skeleton = b"reading the study";
    let first = raw.windows(skeleton.len()).position(|window| window == skeleton);
    assert!(first.is_some_and(|at| at < 4000), "a frame without the study comes first: {first:?}");
    terminal.quit();
}
