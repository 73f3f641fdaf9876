//! Label: the dialog that draws a sample, the list of decided pairs, and that nothing guides a decision.

use std::fs;
use std::path::Path;
use std::process::Command;

use dejaview::labels::{EventKind, Label};
use dejaview::study::{SampleDraw, Snapshot};
use dejaview::tui::headless::Headless;
use dejaview::tui::screens::judgments::Judgments;
use dejaview::tui::screens::label::Label as LabelScreen;

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
    let label = |event: &std::sync::Arc<dejaview::labels::Event>| match event.kind {
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

/// Draws a sample as another process does it.
fn drawn_by_command(study: &Copy, options: &[&str]) {
    let drawn =
        Command::new(env!("CARGO_BIN_EXE_dejaview")).arg("sample").arg(study.path()).args(options).output().unwrap();
    assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
}

#[test]
fn a_sample_that_somebody_else_draws_again_or_makes_longer_is_opened_anew() {
    let study = without_sample();
    let draw = ["--configuration", "exact-jaccard", "--name", "s", "--size", "20", "--seed"];
    drawn_by_command(&study, &[&draw[..], &["1"]].concat());
    let mut screen = open(study.path(), (120, 32));
    screen.keys("5 a x");
    assert!(!screen.text().contains("meanwhile"), "{}", screen.text());
    drawn_by_command(&study, &["--name", "s", "--extend", "30"]);
    screen.keys("i").look_at_files();
    assert!(screen.text().contains("Sample s was made longer meanwhile: it has 50 pairs"), "{}", screen.text());
    screen.keys("a");
    assert!(!screen.text().contains("meanwhile"), "{}", screen.text());
    fs::remove_file(study.path().join("samples/s.jsonl")).unwrap();
    drawn_by_command(&study, &[&draw[..], &["2"]].concat());
    screen.keys("x").look_at_files();
    assert!(screen.text().contains("Sample s was drawn again meanwhile: it has 20 pairs"), "{}", screen.text());
    assert_eq!(labels(&study).len(), 5);
    screen.keys("a");
    let sample = dejaview::evaluation::sample::Sample::read(study.path(), "s").unwrap().unwrap();
    let (last, _) = labels(&study).pop().unwrap();
    assert!(sample.pairs.iter().any(|pair| last == format!("{} {}", pair.source, pair.target)), "{last}");
    fs::remove_file(study.path().join("samples/s.jsonl")).unwrap();
    screen.keys("x").look_at_files();
    assert!(screen.text().contains("The sample cannot be read any more"), "{}", screen.text());
    assert_eq!(labels(&study).len(), 7);
}

/// Who only looks hears of it as well: on the end card, on the calibration deck, and on Home, whose rows follow.
#[test]
fn a_sample_that_somebody_else_makes_longer_is_said_without_a_label() {
    for (keys, shown) in [("5", "pair 4 "), ("5 : \"calibrate\" enter", "calibration"), ("5 q 1", "3/7")] {
        let study = without_sample();
        drawn_by_command(&study, &["--configuration", "exact-jaccard", "--name", "s", "--size", "3"]);
        let mut screen = open(study.path(), (120, 32));
        screen.keys("5 a x i");
        assert!(screen.text().contains("s finished"), "{}", screen.text());
        screen.keys(keys);
        drawn_by_command(&study, &["--name", "s", "--extend", "4"]);
        screen.look_at_files();
        let text = screen.text();
        assert!(text.contains("Sample s was made longer meanwhile: it has 7 pairs"), "{keys}: {text}");
        assert!(text.contains(shown), "{keys}: {text}");
        screen.keys(": \"label\" enter");
        assert_eq!(screen.app.screens.get::<LabelScreen>().sample().unwrap().pairs.len(), 7);
    }
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
fn a_correction_of_a_pair_that_came_again_is_the_label_of_the_pair() {
    let study = support::copy(support::sample());
    let mut screen = open(study.path(), (120, 32));
    screen.keys(&format!("5 {}", "x ".repeat(105)));
    assert!(screen.text().contains("5 of 5 repeated pairs decided alike"), "{}", screen.text());
    let events = study.reading("ann").events;
    let again = events.iter().position(|event| event.circumstances.repeat == Some(true)).unwrap();
    let (source, target) = (events[again].source.clone(), events[again].target.clone());
    let from_newest = events.len() - 1 - again;
    screen.keys(&format!("tab {} enter a", "j ".repeat(from_newest)));
    let text = screen.text();
    assert!(text.contains("Was not, now near-duplicate") && text.contains("5 of 5 repeated pairs"), "{text}");
    let reading = study.reading("ann");
    assert_eq!(reading.events.last().unwrap().circumstances.repeat, None);
    assert_eq!(reading.decisions.label(&source, &target, None), Some(Label::NearDuplicate));
    assert_eq!(reading.decisions.said_twice(&source, &target, None), Some([Label::Not; 2]));
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
            "Precision by all annotators' labels",
            "repeated pairs decided alike",
            "labels/ann.jsonl",
            "new sample",
        ] {
            assert!(text.contains(part), "{part} at {size:?}:\n{text}");
        }
        // The list of decided pairs takes the place of the card.
        screen.keys("tab");
        let text = screen.text();
        assert!(text.contains("Decided pairs") && text.contains("just now"), "{size:?}:\n{text}");
        assert!(!text.contains("default finished"), "{size:?}:\n{text}");
        screen.keys("j tab");
        assert!(screen.text().contains("default finished"), "{size:?}:\n{}", screen.text());
        screen.keys("tab enter");
        assert!(screen.text().contains("Scores are hidden until you decide"), "{size:?}:\n{}", screen.text());
    }
}

#[test]
fn the_end_card_shows_the_highest_precisions_and_counts_the_others() {
    for size in [(80, 24), (120, 32), (200, 60)] {
        let study = without_sample();
        let mut screen = open(study.path(), size);
        screen.keys(&format!("5 enter {}", "a x i a ".repeat(27)));
        let text = screen.text();
        let value = |line: &str| line.split_once(" (0.")?.0.split_whitespace().last()?.parse::<f64>().ok();
        let values: Vec<f64> = text.lines().filter_map(value).collect();
        assert!(values.len() >= 4 && values.is_sorted_by(|a, b| a >= b), "{size:?}:\n{text}");
        assert_eq!(text.contains("more on Methods (:methods)"), size.1 < 60, "{size:?}:\n{text}");
    }
}

/// Draws a sample of five pairs of a configuration.
fn draw(study: &Path, name: &str) {
    let snapshot = Snapshot::open(study).unwrap();
    let draw = SampleDraw { size: 5, ..SampleDraw::simple(name, "simhash-2") };
    dejaview::study::draw_sample(&snapshot, &draw, None).unwrap();
}

#[test]
fn a_finished_sample_makes_way_for_the_next_one_as_home_says() {
    let study = without_sample();
    draw(study.path(), "one");
    draw(study.path(), "two");
    let mut screen = open(study.path(), (120, 32));
    let sample = |screen: &Headless| screen.app.shared.sample.clone().unwrap_or_default();
    screen.keys(":").keys("\"sample_one\" enter").keys("5 a q");
    screen.keys(":").keys("\"sample_two\" enter").keys("5 a x a x a");
    assert!(screen.text().contains("two finished"), "{}", screen.text());
    screen.keys("q 1");
    assert!(screen.text().contains("5 Label the next pair of one"), "{}", screen.text());
    assert!(screen.text().contains("4 pairs left"), "{}", screen.text());
    screen.keys("5");
    assert_eq!(sample(&screen), "one");
    assert!(screen.text().contains("one, from") && screen.text().contains("1/5 decided"), "{}", screen.text());
    // The samples of Home open what is finished, too.
    screen.keys("q 1");
    let row = |screen: &Headless| support::selected_text(&screen.buffer()).unwrap_or_default();
    for key in ["tab", "j", "j", "tab", "j", "j", "tab", "j", "j"] {
        if !row(&screen).contains("5/5") {
            screen.keys(key);
        }
    }
    assert!(row(&screen).contains("two") && row(&screen).contains("5/5"), "{}", screen.text());
    screen.keys("enter");
    assert_eq!(sample(&screen), "two");
    assert!(screen.text().contains("two finished"), "{}", screen.text());
}

#[test]
fn home_and_label_count_alike() {
    let study = support::copy(support::sample());
    let mut screen = open(study.path(), (120, 32));
    screen.keys("5 a x i u");
    let text = screen.text();
    assert!(text.contains("2/105 decided") && text.contains("saved ✓ 2"), "{text}");
    screen.keys("q 1");
    let text = screen.text();
    assert!(text.contains(" 2/105") && text.contains("103 pairs left"), "{text}");
}

#[test]
fn while_a_sample_is_chosen_nothing_asks_for_a_pair() {
    let study = without_sample();
    draw(study.path(), "one");
    draw(study.path(), "two");
    let mut screen = open(study.path(), (120, 32));
    screen.keys("5");
    let text = screen.text();
    assert!(text.contains("which one do you want to label") && !text.contains("No pair is open"), "{text}");
}

#[test]
fn the_dialog_says_one_half_width_where_all_are_alike() {
    let study = without_sample();
    let mut screen = open(study.path(), (120, 32));
    // simhash-2 and simhash-3.
    screen.keys("5 up space n space j space enter");
    let text = screen.text();
    let line = text.lines().find(|line| line.contains("precision to about ±")).unwrap_or_else(|| panic!("{text}"));
    let points: Vec<&str> = line.split_whitespace().filter(|word| word.starts_with('±')).collect();
    assert!(points.len() == 1 || points[0] != points[1], "{line}");
    screen.keys("down down backspace backspace backspace \"6\"");
    assert!(!screen.text().contains("±100"), "{}", screen.text());
}

#[test]
fn home_leads_to_the_grade_conflicts_alone() {
    for key in ["enter", "2"] {
        let mut screen = headless(support::sample(), (120, 32), None);
        screen.keys("tab");
        let row = |screen: &Headless| support::selected_text(&screen.buffer()).unwrap_or_default();
        for _ in 0..4 {
            if !row(&screen).contains("grade conflict") {
                screen.keys("j");
            }
        }
        assert!(row(&screen).contains("⏎ Look at "), "{}", screen.text());
        screen.keys(key);
        let judgments = screen.app.screens.get::<Judgments>();
        assert_eq!((screen.app.shared.screen, judgments.filter.as_str()), (Judgments::ID, "conflict"));
        assert!(screen.text().contains("& conflict"), "{}", screen.text());
        screen.keys("esc");
        assert!(screen.app.screens.get::<Judgments>().filter.is_empty(), "Esc removes it");
    }
    let mut screen = headless(support::sample(), (120, 32), None);
    screen.keys("2");
    assert!(screen.app.screens.get::<Judgments>().filter.is_empty(), "the key alone opens all judgments");
}

#[test]
fn home_names_the_cases_of_review_once_the_sample_is_finished() {
    let study = support::copy(support::sample());
    let mut screen = open(study.path(), (120, 32));
    screen.keys("5 i i i q 1");
    assert!(!screen.text().contains("6 Settle"), "{}", screen.text());
    screen.keys(&format!("5 {} q 1", "i ".repeat(102)));
    let text = screen.text();
    assert!(text.contains("6 Settle 100 cases") && text.contains("unsure"), "{text}");
}

#[test]
fn what_was_finished_the_day_before_can_be_taken_back() {
    let study = without_sample();
    draw(study.path(), "one");
    open(study.path(), (120, 32)).keys("5 a x a x a");
    assert_eq!(labels(&study).len(), 5);
    let mut screen = open(study.path(), (120, 32));
    screen.keys(":").keys("\"sample_one\" enter").keys("5");
    assert!(screen.text().contains("one finished"), "{}", screen.text());
    screen.wait(std::time::Duration::from_secs(2));
    screen.keys("backspace");
    assert!(screen.text().contains("Undone: “near-duplicate”"), "{}", screen.text());
    assert!(screen.text().contains("4/5 decided"), "{}", screen.text());
    let last = study.reading("ann").events.last().unwrap().kind.clone();
    assert!(matches!(last, EventKind::Undo(_)), "{last:?}");
}
