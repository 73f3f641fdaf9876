//! Start, work, end.

use dejaview::labels::Label;

use super::terminal::Open;
use crate::support::{copy, headless, sample};

#[test]
fn open_a_study_go_to_a_pair_label_undo_note_quit() {
    let study = copy(sample());
    let terminal = Open::home(study.path()).start();
    terminal.wait_home();
    terminal.send("3");
    terminal.wait_pairs(1);
    terminal.send("\r");
    terminal.wait_for(" of 22 match");
    terminal.wait_for("% of B equal");
    terminal.send("q");
    terminal.wait_pairs(1);
    terminal.send("5");
    terminal.wait_pair();
    terminal.label("a");
    terminal.label("x");
    terminal.wait_for("pair 3 · 2/105");
    terminal.press("u");
    terminal.wait_for("Undone: “not” of “");
    terminal.wait_for("pair 2 · 1/105");
    terminal.send("j");
    terminal.wait_pair();
    terminal.pause(200);
    terminal.send("c");
    terminal.wait_for("note: ");
    terminal.send("same template");
    terminal.wait_for("note: same template");
    terminal.send("\r");
    // What is decided, not what was undone or noted.
    terminal.wait_for("saved ✓ 1");
    terminal.quit();
    let reading = study.reading("ann");
    assert_eq!(reading.events.len(), 4);
    assert!(reading.problems.is_empty());
    let labels: Vec<Option<Label>> = reading.decisions.pairs(None).map(|(_, _, standing)| standing.label()).collect();
    assert_eq!(labels.iter().flatten().collect::<Vec<_>>(), [&Label::NearDuplicate]);
    assert!(reading.decisions.pairs(None).any(|(_, _, standing)| standing.note == Some("same template")));
}

/// What was pressed is written down, and pressed again without a terminal shows the same; nothing is labelled by that.
#[test]
fn recorded_keys_are_pressed_again() {
    let study = copy(sample());
    let keys = study.path().join("keys.txt");
    let record = keys.display().to_string();
    let terminal = Open::home(study.path()).arguments(["--record", &record]).size(100, 30).start();
    terminal.wait_home();
    terminal.send("3");
    terminal.wait_pairs(1);
    terminal.send("&");
    terminal.wait_for("Filter pairs");
    terminal.send("jaccard<0.9 & simhash-2\r");
    terminal.wait_for("any 27   & jaccard<0.9 & simhash-2 ─");
    terminal.send("jj");
    terminal.wait_pairs(3);
    // The preview comes after the row.
    let mut headless = headless(study.path(), (100, 30), None);
    let shown = headless.keys("3 & \"jaccard<0.9_&_simhash-2\" enter j j").text();
    for line in shown.lines().take(28) {
        terminal.wait_for(line);
    }
    let seen = terminal.text();
    terminal.quit();
    let written = std::fs::read_to_string(&keys).unwrap();
    let words: Vec<&str> = written.lines().collect();
    assert_eq!(words[..4], ["3", "&", "j", "a"], "{written}");
    assert!(words.contains(&"space") && words.contains(&"enter"), "{written}");
    let screen = std::process::Command::new(env!("CARGO_BIN_EXE_dejaview"))
        .args(["screen", "--size", "100x30", "--replay", &record])
        .arg(study.path())
        .output()
        .unwrap();
    let again = String::from_utf8(screen.stdout).unwrap();
    let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).take(28).collect::<Vec<_>>();
    assert_eq!(lines(&again), lines(&seen));
    let mut second = Open::home(study.path()).arguments(["--record", &record]).start();
    assert!(!second.ended().success(), "the record of before is not written over");
    let said = second.text().replace("\r\n", "").replace('\n', "");
    assert!(!said.contains("--force"), "{said}");
    let page = study.path().join("crawl-2012/04.warc.gz");
    std::fs::remove_file(&page).unwrap_or_default();
    let text = std::fs::read_to_string(study.path().join("study.toml")).unwrap();
    let wider = text.replace("crawl-2012/03.warc.gz", "crawl-2012/0[34].warc.gz");
    assert_ne!(text, wider);
    std::fs::write(study.path().join("study.toml"), wider).unwrap();
    let mut third = Open::home(study.path()).arguments(["--record", page.to_str().unwrap()]).start();
    assert!(!third.ended().success(), "the study would read it");
    assert!(!page.exists());
}

/// The figures come from a worker of their own.
#[test]
fn from_the_figures_of_methods_to_pairs() {
    let study = copy(sample());
    let terminal = Open::home(study.path()).start();
    terminal.wait_home();
    terminal.send("8");
    terminal.wait_for("pool: ");
    terminal.send("]l");
    terminal.wait_for("Dice 0.");
    terminal.send("\r");
    terminal.wait_for("& simhash-2 & !simhash-3 ─");
    terminal.quit();
}

#[test]
fn a_signal_saves_and_restores() {
    for signal in ["TERM", "HUP", "INT", "QUIT"] {
        let study = copy(sample());
        let mut terminal = Open::label(study.path()).start();
        terminal.label("a");
        // One more, and no waiting for it: what was accepted must be saved on the way out.
        terminal.press("x");
        terminal.signal(signal);
        let status = terminal.ended();
        terminal.restored();
        assert_eq!(status.signal(), None, "{signal}: leaves by itself");
        assert_eq!(study.labels("ann"), 2, "{signal}");
    }
}

#[test]
fn a_process_that_dies_at_once_leaves_the_terminal_as_it_was() {
    for signal in ["ABRT", "KILL"] {
        let study = copy(sample());
        let mut terminal = Open::label(study.path()).start();
        terminal.label("a");
        terminal.signal(signal);
        assert!(terminal.ended().signal().is_some(), "{signal}: runs no code of its own any more");
        terminal.restored();
        terminal.wait_for("the explorer was killed");
        assert_eq!(study.labels("ann"), 1, "{signal}");
    }
}

#[test]
fn a_signal_during_a_note_keeps_the_labels() {
    let study = copy(sample());
    let mut terminal = Open::label(study.path()).start();
    terminal.label("a");
    terminal.wait_pair();
    terminal.pause(200);
    terminal.send("c");
    terminal.wait_for("note: ");
    terminal.send("half a th");
    terminal.signal("HUP");
    terminal.ended();
    terminal.restored();
    assert_eq!(study.labels("ann"), 1);
}

#[test]
fn the_size_may_change_at_any_time() {
    let study = copy(sample());
    let mut terminal = Open::label(study.path()).start();
    terminal.wait_pair();
    let sizes = [(80, 24), (200, 60), (60, 12), (20, 5), (1, 1), (120, 40), (59, 11), (100, 30)];
    for (columns, lines) in sizes {
        terminal.resize(columns, lines);
        terminal.send("jk]");
        if columns > 40 && columns < 60 {
            terminal.wait_for("too small");
        } else if columns >= 60 {
            terminal.wait(&format!("{columns}x{lines} to be drawn"), |screen| {
                let text = screen.contents();
                text.starts_with(" Label") && text.lines().count() == usize::from(lines) && text.contains("? help")
            });
        }
        assert!(terminal.runs(), "{columns}x{lines}");
    }
    // As fast as a window is dragged, while a screen is drawn for every key.
    for step in 0..60u16 {
        terminal.resize(61 + step, 13 + step % 30);
        terminal.send(["j", "?", "q"][usize::from(step % 3)]);
    }
    terminal.resize(100, 30);
    terminal.wait("the last size to be drawn", |screen| screen.contents().lines().count() == 30);
    assert!(terminal.runs());
    terminal.send("g");
    terminal.wait_pair();
    terminal.label("a");
    terminal.quit();
}

#[test]
fn focus_coming_back_draws_anew() {
    let study = copy(sample());
    let terminal = Open::label(study.path()).start();
    terminal.wait_pair();
    let before = terminal.raw().len();
    terminal.send("\x1b[O\x1b[I");
    terminal.wait_raw("all of the screen again", |raw| raw.len() > before + 500);
    terminal.wait_pair();
    terminal.label("a");
    terminal.quit();
}

#[test]
fn every_usual_terminal_starts_and_quits() {
    let study = copy(sample());
    for (name, value) in [
        ("TERM", "screen"),
        ("TERM", "tmux-256color"),
        ("TERM", "xterm-256color"),
        ("TERM", "linux"),
        ("TERM", ""),
        ("LANG", "C"),
        ("SSH_CONNECTION", "192.0.2.1 5000 192.0.2.2 22"),
    ] {
        let terminal = Open::home(study.path()).environment(name, value).start();
        terminal.wait_home();
        terminal.send("5");
        terminal.wait_pair();
        terminal.quit();
    }
}

#[test]
fn a_second_process_of_the_same_annotator_can_only_read() {
    let study = copy(sample());
    let first = Open::label(study.path()).start();
    first.label("a");
    let second = Open::label(study.path()).size(160, 30).start();
    second.wait_for("read only");
    second.wait("the pid of the first", |screen| screen.contents().contains(&first.pid().to_string()));
    second.wait_pair();
    second.pause(200);
    second.send("a");
    second.wait_for("Not saved: ");
    second.quit();
    first.label("x");
    first.quit();
    assert_eq!(study.reading("ann").events.len(), 2);
}

#[test]
fn two_annotators_do_not_disturb_each_other() {
    let study = copy(sample());
    let first = Open::label(study.path()).start();
    first.wait_pair();
    let second = Open::label_as(study.path(), "bob").start();
    second.label("x");
    first.label("a");
    first.quit();
    second.quit();
    assert_eq!((study.labels("ann"), study.labels("bob")), (1, 1));
}

#[test]
fn without_a_terminal_it_says_so() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_dejaview"))
        .arg(sample())
        .args(["--annotator", "nobody"])
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert!(!output.stderr.is_empty());
    assert!(!sample().join("labels").join("nobody.jsonl").exists());
}

#[test]
fn the_second_explorer_writes_labels_once_the_first_has_ended() {
    let study = copy(sample());
    let first = Open::label(study.path()).start();
    first.label("a");
    let second = Open::label(study.path()).start();
    second.wait_pair();
    second.pause(200);
    second.send("x");
    second.wait_for("another process writes it");
    assert_eq!(study.labels("ann"), 1);
    first.quit();
    second.wait_for("labels can be given here now");
    second.wait_pair();
    second.label("x");
    second.quit();
    assert_eq!(study.labels("ann"), 2);
}
