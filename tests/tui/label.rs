//! Label: the dialog that draws a sample, the list of decided pairs, and that nothing guides a decision.

use std::fs;
use std::path::Path;
use std::process::Command;

use dejaview::labels::{EventKind, Label};
use dejaview::tui::headless::Headless;

use crate::support::{self, Copy, headless};

/// The sample study without a sample.
fn without_sample() -> Copy {
    let study = support::copy(support::sample());
    fs::remove_dir_all(study.path().join("samples")).unwrap();
    study
}

fn open(study: &Path, size: (u16, u16)) -> Headless {
    headless(study, size, Some("ann"))
}

/// The command in the last line of the dialog, which is cut only on narrow terminals.
fn command_shown(screen: &Headless) -> String {
    let text = screen.text();
    let line = text.lines().find(|line| line.contains("same as dejaview")).unwrap_or_else(|| panic!("{text}"));
    line.to_owned()
}

/// Labels of the journal in order, with the pairs they are of.
fn labels(study: &Copy) -> Vec<(String, Label)> {
    let events = study.reading("ann").events;
    let label = |event: &dejaview::labels::Event| match event.kind {
        EventKind::Label(label) => Some((format!("{} {}", event.source, event.target), label)),
        _ => None,
    };
    events.iter().filter_map(label).collect()
}

#[test]
fn without_a_sample_label_asks_and_writes_nothing() {
    let study = without_sample();
    let mut screen = open(study.path(), (100, 30));
    screen.keys("5");
    let text = screen.text();
    for line in ["New sample", "Pairs of", "all configurations", "Size", "Design", "Audit", "Seed", "Name"] {
        assert!(text.contains(line), "{line}:\n{text}");
    }
    assert!(text.contains("5,688 pairs") || text.contains("of 5,688 found by any"), "{text}");
    assert!(text.contains("precision to about ±"), "{text}");
    assert!(!study.path().join("samples").exists());
    screen.keys("esc");
    assert!(screen.text().contains("No sample yet."), "{}", screen.text());
    screen.keys("d");
    assert!(screen.text().contains("New sample"), "{}", screen.text());
    assert!(!study.path().join("samples").exists());
    let shown = Command::new(env!("CARGO_BIN_EXE_dejaview"))
        .arg("screen")
        .arg(study.path())
        .args(["--keys", "5 enter"])
        .output()
        .unwrap();
    assert!(shown.status.success());
    assert!(!study.path().join("samples").exists(), "who only looks writes nothing");
}

/// Keys of the dialog, and the options that draw the same sample.
const DRAWS: [(&str, &[&str]); 5] = [
    ("5 enter", &["--configuration", "all", "--name", "s1"]),
    (
        "5 backspace backspace backspace \"40\" tab right tab tab \"2\" tab \"x\" enter",
        &["--configuration", "all", "--size", "40", "--by", "agreement", "--seed", "12", "--name", "s1x"],
    ),
    (
        "5 up space n space j space enter tab tab right right enter",
        &["--configuration", "simhash-2,simhash-3", "--by", "jaccard", "--name", "s1"],
    ),
    (
        "5 up space n j j space esc tab tab left left enter",
        &["--configuration", "simhash-5", "--documents", "--name", "s1"],
    ),
    ("5 up space n G space g enter enter", &["--configuration", "exact-jaccard", "--name", "s1"]),
];

#[test]
fn the_dialog_and_the_command_draw_the_same_sample() {
    for (keys, options) in DRAWS {
        let (by_dialog, by_command) = (without_sample(), without_sample());
        let mut screen = open(by_dialog.path(), (100, 30));
        screen.keys(keys);
        assert!(screen.text().contains("pair 1 ·"), "{keys}:\n{}", screen.text());
        let drawn = Command::new(env!("CARGO_BIN_EXE_dejaview"))
            .arg("sample")
            .arg(by_command.path())
            .args(options)
            .output()
            .unwrap();
        assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
        let name = format!("samples/{}.jsonl", options.last().unwrap());
        let read = |study: &Copy| fs::read_to_string(study.path().join(&name)).unwrap();
        assert_eq!(read(&by_dialog), read(&by_command), "{keys}");
    }
}

#[test]
fn the_last_line_is_the_command_that_does_the_same() {
    let study = without_sample();
    let mut screen = open(study.path(), (200, 60));
    screen.keys("5");
    let before = command_shown(&screen);
    assert!(before.contains("dejaview sample"), "{before}");
    screen.keys("backspace");
    assert_ne!(command_shown(&screen), before, "every field shows its effect at once");
}

#[test]
fn what_cannot_be_drawn_is_said_and_not_drawn() {
    let study = support::copy(support::sample());
    let mut screen = open(study.path(), (100, 30));
    screen.keys("5 d backspace backspace backspace enter");
    assert!(screen.text().contains("Size must be a whole number"), "{}", screen.text());
    screen.keys("\"5\" tab tab tab tab backspace backspace \"default\" enter");
    assert!(screen.text().contains("There is a sample default already"), "{}", screen.text());
    assert_eq!(fs::read_dir(study.path().join("samples")).unwrap().count(), 1);
}

#[test]
fn nothing_guides_a_decision() {
    let study = support::copy(support::disputed());
    let mut screen = headless(study.path(), (120, 32), Some("eve"));
    screen.keys("5");
    let study_data = screen.app.shared.data.clone().unwrap();
    let configurations = study_data.recipe.configuration_names();
    let others = ["ann", "bob", "grade", "decided:", "near-duplicate", "unsure"].map(str::to_owned);
    for pair in 0..30 {
        let text = screen.text();
        // Titles and URLs of the documents may have any words; what the screen itself says has none of these.
        let said = [0, 3].map(|line| text.lines().nth(line).unwrap_or_default());
        let words = said.iter().flat_map(|line| line.split_whitespace()).map(str::to_lowercase);
        let words: Vec<String> = words.collect();
        for name in configurations.iter().filter(|name| name.contains('-')).chain(&others) {
            assert!(!words.contains(name), "{name} at pair {pair}:\n{text}");
        }
        let is_score = |word: &String| word.contains('.') && word.trim_matches(',').parse::<f64>().is_ok();
        assert!(!words.iter().any(is_score), "{text}");
        assert!(said[1].contains("Scores are hidden until you decide"), "{text}");
        screen.keys(["a", "x", "i"][pair % 3]);
    }
}

#[test]
fn a_decided_pair_is_decided_again_blind() {
    let study = support::copy(support::sample());
    let mut screen = open(study.path(), (120, 32));
    screen.keys("5 a x i tab");
    let text = screen.text();
    assert!(text.contains("Decided pairs") && text.contains("labels stay hidden"), "{text}");
    let list: Vec<&str> = text.lines().filter(|line| line.contains("just now")).collect();
    assert_eq!(list.len(), 3, "{text}");
    for word in ["near-duplicate", "unsure", "Jaccard", "●", "○", "◐"] {
        assert!(!text.contains(word), "{word} in\n{text}");
    }
    // Label keys are off while the list covers the pair.
    screen.keys("a x i u");
    assert_eq!(labels(&study).len(), 3);
    assert!(screen.text().contains("Label keys are off"), "{}", screen.text());
    // The oldest, which was decided as a near-duplicate.
    screen.keys("G enter");
    let text = screen.text();
    assert!(text.contains("again 1") && text.contains("Scores are hidden until you decide"), "{text}");
    assert!(!text.contains("Decided:"), "{text}");
    screen.keys("w");
    assert!(screen.text().contains("Scores are hidden until you decide."), "{}", screen.text());
    screen.keys("x");
    let text = screen.text();
    assert!(text.contains("Was near-duplicate, now not") && text.contains("pair 4 ·"), "{text}");
    let written = labels(&study);
    assert_eq!(written.len(), 4, "a new decision is a new event");
    assert_eq!((&written[3].0, written[3].1), (&written[0].0, Label::Not));
    assert_eq!(written[0].1, Label::NearDuplicate, "and the first one stays in the journal");
    screen.keys("tab tab");
    assert!(screen.text().contains("pair 4 ·"), "{}", screen.text());
}

#[test]
fn a_pair_that_comes_again_counts_like_any_other() {
    let study = support::copy(support::sample());
    let mut screen = open(study.path(), (120, 32));
    screen.keys("5");
    for decided in 1..=105 {
        let line = screen.text().lines().next().unwrap().to_owned();
        assert!(line.contains(&format!("pair {decided} · {}/105 decided", decided - 1)), "{line}");
        screen.keys(["a", "x"][decided % 2]);
    }
    assert!(screen.text().contains("finished"), "{}", screen.text());
}

#[test]
fn the_end_card_says_how_it_went() {
    let study = support::copy(support::sample());
    for size in [(80, 24), (120, 32), (200, 60)] {
        let study = support::copy(study.path());
        let mut screen = open(study.path(), size);
        screen.keys(&format!("5 {}", "a x i a ".repeat(27)));
        let text = screen.text();
        for part in [
            "default finished",
            "100 pairs decided in",
            "s a pair (median)",
            "● near-duplicate",
            "○ not",
            "◐ unsure",
            "simhash-2",
            "repeated pairs decided alike",
            "labels/ann.jsonl",
            "new sample",
        ] {
            assert!(text.contains(part), "{part} at {size:?}:\n{text}");
        }
    }
}
