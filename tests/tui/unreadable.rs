//! A study whose files change while the explorer is open, or that cannot be read: every screen says so, nothing is labelled
//! whose texts are not on the screen, and the explorer follows once the study can be read.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use dejaview::index::KeptSide;
use dejaview::labels::{self, EventKind, Label, line, questions};
use dejaview::study::{Snapshot, drawn_sample, find_document};
use dejaview::tui::event::Event;
use dejaview::tui::headless::Headless;
use dejaview::tui::pane::PairPane;
use dejaview::tui::screens::compare::Compare;
use dejaview::tui::screens::label::Label as LabelScreen;
use dejaview::tui::screens::pairs::Pairs;

use crate::support::{Copy, copy, disputed, headless, sample, selected_text};

const SIZES: [(u16, u16); 2] = [(80, 24), (160, 45)];

fn explorer(study: &Path, size: (u16, u16)) -> Headless {
    headless(study, size, Some("ann")).running_with(env!("CARGO_BIN_EXE_dejaview").into())
}

/// Adds lines to `study.toml`; what it was before.
fn add(study: &Path, lines: &str) -> String {
    let file = study.join("study.toml");
    let before = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{before}{lines}")).unwrap();
    before
}

fn dejaview(arguments: &[&str], study: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dejaview"));
    command.arg(arguments[0]).arg(study).args(&arguments[1..]).output().unwrap()
}

/// The sample study with two configurations, run.
fn two_configurations() -> Copy {
    let study = copy(sample());
    let file = study.path().join("study.toml");
    let text = fs::read_to_string(&file).unwrap();
    let (rest, _) = text.split_once("[[configuration]]").unwrap();
    fs::write(&file, format!("{rest}[[configuration]]\nmethod = \"md5\"\n[[configuration]]\nmethod = \"best\"\n"))
        .unwrap();
    let run = dejaview(&["run"], study.path());
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    study
}

/// The words of a screen, whatever the lines they stand on.
fn words(explorer: &Headless) -> String {
    explorer.text().split([' ', '\n', '│', '┃']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn message(explorer: &Headless) -> String {
    explorer.app.shared.message.clone().unwrap_or_default()
}

/// Presses every key that would write of the pair on the screen, and names them behind `:`; nothing may be written.
fn writes_nothing(explorer: &mut Headless, study: &Copy) {
    let before = study.reading("ann").events.len();
    for keys in ["a", "x", "i", "f", "c", "e", ": \"flag\" enter", "a"] {
        explorer.keys(keys);
        assert!(message(explorer).starts_with("Not saved: this pair cannot be shown"), "{keys}: {}", message(explorer));
    }
    explorer.keys(": \"near-duplicate\" enter");
    assert_eq!(message(explorer), "Labels can only be given with their keys");
    assert_eq!(study.reading("ann").events.len(), before);
}

#[test]
fn no_pair_is_labelled_whose_texts_are_not_on_the_screen() {
    for size in SIZES {
        let study = copy(sample());
        let mut explorer = explorer(study.path(), size);
        explorer.keys("5 a");
        let (labels, at) = (study.labels("ann"), explorer.app.screens.get::<LabelScreen>().at);
        assert!(labels > 0 && explorer.text().contains("Texts"), "{}", explorer.text());

        let former = add(study.path(), "\n[[configuration]]\nname = \"one-more\"\nmethod = \"md5\"\n");
        explorer.look_at_files();
        assert!(words(&explorer).contains("has not been run since study.toml"), "{}", explorer.text());
        writes_nothing(&mut explorer, &study);

        // The very bytes of before: the pair is back, in its place.
        fs::write(study.path().join("study.toml"), former).unwrap();
        explorer.look_at_files();
        assert_eq!(explorer.app.screens.get::<LabelScreen>().at, at);
        explorer.keys("a");
        assert_eq!(study.labels("ann"), labels + 1, "{}", explorer.text());
    }
}

#[test]
fn after_a_run_the_explorer_follows_the_study_toml_that_was_edited() {
    for size in SIZES {
        let study = two_configurations();
        let mut explorer = explorer(study.path(), size);
        explorer.keys("3 ] enter");
        let pair = explorer.app.screens.get::<Pairs>().current().map(|row| {
            let table = &explorer.app.shared.data.as_ref().unwrap().table;
            table.ids(row).0.to_owned()
        });
        assert!(explorer.text().contains("of 2 match") || explorer.text().contains("● "), "{}", explorer.text());

        // One more before those that were there: their numbers are others now.
        let text = fs::read_to_string(study.path().join("study.toml")).unwrap();
        let more = text.replacen("[[configuration]]", "[[configuration]]\nmethod = \"simhash\"\n[[configuration]]", 1);
        fs::write(study.path().join("study.toml"), more).unwrap();
        explorer.look_at_files();
        let compare = explorer.text();
        assert!(!compare.contains("Not found by any") && compare.contains("Results are out of date"), "{compare}");
        explorer.keys("J");
        assert!(message(&explorer).contains("has not been run since"), "{}", message(&explorer));
        explorer.keys("1");
        assert!(words(&explorer).contains("Results are out of date"), "{}", explorer.text());

        explorer.keys("R");
        let home = words(&explorer);
        assert!(!home.contains("out of date") && home.contains("simhash"), "{}", explorer.text());
        let names = explorer.app.shared.data.as_ref().unwrap().table.configurations().to_vec();
        assert_eq!(names.len(), 3);
        explorer.keys("3");
        assert!(explorer.text().contains("md5"), "the configuration that was chosen: {}", explorer.text());
        let now = explorer.app.screens.get::<Pairs>().current().map(|row| {
            let table = &explorer.app.shared.data.as_ref().unwrap().table;
            table.ids(row).0.to_owned()
        });
        assert!(pair.is_some() && now == pair);
        explorer.keys("4");
        assert!(explorer.text().contains("of 3 match"), "{}", explorer.text());
        explorer.keys("x");
        assert_eq!(study.labels("ann"), 1, "labels go on: {}", explorer.text());
    }
}

#[test]
fn a_study_toml_that_cannot_be_read_is_said_on_every_screen_and_mended() {
    for size in SIZES {
        let study = copy(sample());
        let mut explorer = explorer(study.path(), size);
        explorer.keys("3 j j enter 5");
        let former = add(study.path(), "\n[[configuration]]\nname = \"one-more\"\nmethod = \"md5\"\nnonsense = 3\n");
        explorer.look_at_files();
        writes_nothing(&mut explorer, &study);
        for screen in ["home", "judgments", "pairs", "compare", "label", "review", "figures", "methods", "corpus"] {
            explorer.keys(&format!(": \"{screen}\" enter"));
            let text = words(&explorer);
            assert!(
                text.contains("The study cannot be read: ") && text.contains("nonsense"),
                "{screen}: {}",
                explorer.text()
            );
            assert!(text.contains("read again as soon as its files change"), "{}", explorer.text());
        }
        explorer.keys(": \"compare\" enter");
        writes_nothing(&mut explorer, &study);
        explorer.keys(": \"label\" enter d");
        assert_eq!(message(&explorer), "No sample can be drawn while the study cannot be read");
        explorer.keys(": \"log\" enter e");
        assert!(words(&explorer).contains("nonsense") && explorer.text().contains("✗"), "{}", explorer.text());

        fs::write(study.path().join("study.toml"), former).unwrap();
        explorer.look_at_files();
        explorer.keys(": \"compare\" enter");
        assert!(explorer.text().contains("Texts"), "{}", explorer.text());
        explorer.keys("x : \"label\" enter a");
        assert_eq!(study.labels("ann"), 2, "{}", explorer.text());
    }
}

/// Breaks a study.
type Breaking = fn(&Path);

/// What the study needs and cannot be read: how it is broken, and a word of what is said.
const BROKEN: [(&str, Breaking); 5] = [
    ("topics.txt", |study| drop(named(study, "topics", "topics.txt", Some("")))),
    ("topics.txt", |study| drop(named(study, "topics", "topics.txt", Some("no topic\nis here\n")))),
    ("topics.txt", |study| drop(named(study, "topics", "topics.txt", None))),
    ("a.qrels", |study| drop(named(study, "judgments", "a.qrels", Some("1 0\n")))),
    (".pairs", |study| {
        let folder = study.join(".dejaview/pairs/md5");
        let file = fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
        let bytes = fs::read(&file).unwrap();
        fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
    }),
];

/// Lets `study.toml` name one file in place of those that it named; the text that it had before.
fn named(study: &Path, key: &str, file: &str, text: Option<&str>) -> String {
    let recipe = study.join("study.toml");
    let before = fs::read_to_string(&recipe).unwrap();
    let others = before.lines().filter(|line| !line.trim_start().starts_with(key));
    let lines: Vec<String> = others
        .flat_map(|line| {
            let named = (line.trim() == "[source]").then(|| format!("{key} = [\"{file}\"]"));
            [Some(line.to_owned()), named].into_iter().flatten()
        })
        .collect();
    fs::write(recipe, lines.join("\n")).unwrap();
    if let Some(text) = text {
        fs::write(study.join(file), text).unwrap();
    }
    before
}

#[test]
fn why_a_study_cannot_be_read_is_said_and_screen_fails_with_it() {
    for (word, break_it) in BROKEN {
        for size in SIZES {
            let study = two_configurations();
            let former = fs::read_to_string(study.path().join("study.toml")).unwrap();
            break_it(study.path());
            let mut explorer = explorer(study.path(), size);
            let home = words(&explorer);
            assert!(home.contains("The study cannot be read: ") && home.contains(word), "{word}: {}", explorer.text());
            assert!(!home.contains("reading the study"), "{home}");
            explorer.keys("0");
            assert!(words(&explorer).contains(word) && explorer.text().contains("✗"), "{}", explorer.text());

            let shown = dejaview(&["screen", "--keys", "3"], study.path());
            let said = String::from_utf8_lossy(&shown.stderr);
            assert!(shown.status.code() == Some(1) && said.contains(word) && shown.stdout.is_empty(), "{said}");
            let log = dejaview(&["screen", "--keys", "0"], study.path());
            assert!(log.status.success() && String::from_utf8_lossy(&log.stdout).contains(word));

            fs::write(study.path().join("study.toml"), former).unwrap();
            match word {
                ".pairs" => explorer.keys("1 R"),
                _ => explorer.look_at_files().keys("1"),
            };
            assert!(words(&explorer).contains("Configurations"), "{word}: {}", explorer.text());
            assert_eq!(explorer.app.trouble(), None);
        }
    }
}

/// Numbers on every screen rest on the labels of all: who looks at them sees as long as these are damaged.
#[test]
fn damage_to_the_labels_of_others_is_said_while_the_explorer_is_open() {
    let study = copy(sample());
    let event = |seq, target: &str| {
        let event = labels::Event::new(EventKind::Label(Label::Not), "s", target, "2012-01-01T00:00:00.000Z");
        line::encode(&labels::Event { seq, ..event }).0 + "\n"
    };
    let journal = study.path().join("labels/bob.jsonl");
    fs::create_dir_all(journal.parent().unwrap()).unwrap();
    fs::write(&journal, event(1, "a") + &event(2, "b")).unwrap();
    for size in SIZES {
        let mut explorer = explorer(study.path(), size);
        assert!(!explorer.keys("1").text().contains("damaged"), "{}", explorer.text());
        let whole = fs::read_to_string(&journal).unwrap();
        fs::write(&journal, whole.replacen("\"a\"", "\"c\"", 1)).unwrap();
        explorer.look_at_files();
        assert!(message(&explorer).contains("line 1: its checksum is wrong"), "{}", message(&explorer));
        for keys in ["0", "1", "3 j", "8", "5"] {
            explorer.keys(keys);
            assert!(explorer.text().lines().next().unwrap().contains("! labels"), "{keys}: {}", explorer.text());
        }
        let screen = dejaview(&["screen", "--keys", "1"], study.path());
        assert!(String::from_utf8_lossy(&screen.stderr).contains("bob.jsonl, line 1: its checksum is wrong"));
        let damaged = fs::read_to_string(&journal).unwrap();
        fs::write(&journal, &whole).unwrap();
        explorer.look_at_files().keys("3");
        assert!(!explorer.text().lines().next().unwrap().contains("! labels"), "{}", explorer.text());
        // What comes back is said again. A blank line, so that the file has another size.
        fs::write(&journal, damaged + "\n").unwrap();
        explorer.look_at_files();
        assert!(message(&explorer).contains("line 1: its checksum is wrong"), "{}", message(&explorer));
        fs::write(&journal, whole).unwrap();
    }
}

/// Gives everybody's labels of a pair anew, as another process does.
fn relabel(study: &Copy, (annotator, seq): (&str, u64), pair: (&str, &str), label: Label) {
    let path = study.path().join(format!("labels/{annotator}.jsonl"));
    let event = labels::Event::new(EventKind::Label(label), pair.0, pair.1, "2012-03-01T00:00:00.000Z");
    let event = labels::Event { seq, ..event.in_sample("default") };
    let before = fs::read_to_string(&path).unwrap();
    fs::write(path, before + &line::encode(&event).0 + "\n").unwrap();
}

fn next_seq(study: &Copy, annotator: &str) -> u64 {
    study.reading(annotator).events.last().unwrap().seq + 1
}

/// The pair of the open case, by what was written when it was settled.
fn settlements(study: &Copy) -> Vec<(String, String)> {
    let reading = study.reading("adjudication.carl");
    reading.events.iter().map(|event| (event.source.clone(), event.target.clone())).collect()
}

/// The first case of disagreement of the study with disputes.
fn first_case(study: &Copy) -> (String, String) {
    let review = dejaview::study::review(&Snapshot::open(study.path()).unwrap()).unwrap();
    (review.cases[0].source.clone(), review.cases[0].target.clone())
}

/// Review follows what others label while it is open, and its cursor stays on its case.
#[test]
fn review_follows_the_labels_of_others() {
    let study = copy(disputed());
    let (source, target) = first_case(&study);
    let mut explorer = headless(study.path(), SIZES[1], Some("carl"));
    explorer.keys("6 j j");
    let row = |explorer: &Headless| selected_text(&explorer.buffer()).unwrap();
    let before = row(&explorer);
    assert!(explorer.text().contains("disagree 11"), "{}", explorer.text());
    for annotator in ["ann", "bob"] {
        relabel(&study, (annotator, next_seq(&study, annotator)), (&source, &target), Label::Not);
    }
    explorer.look_at_files();
    assert!(explorer.text().contains("disagree 10"), "{}", explorer.text());
    assert_eq!(row(&explorer), before, "{}", explorer.text());
    let (source, target) = first_case(&study);
    explorer.keys("g enter");
    for annotator in ["ann", "bob"] {
        relabel(&study, (annotator, next_seq(&study, annotator)), (&source, &target), Label::Not);
    }
    explorer.look_at_files();
    assert_eq!(message(&explorer), "The case that was open is gone: nothing is left to settle on its pair");
    explorer.keys("a");
    assert!(message(&explorer).starts_with("Press Enter to open a case"), "{}", message(&explorer));
    assert!(settlements(&study).is_empty());
}

/// Labels of others may have changed since the screen was drawn: nothing is settled that nobody saw as it is.
#[test]
fn a_case_that_has_changed_since_it_was_shown_is_not_settled() {
    let study = copy(disputed());
    let mut explorer = headless(study.path(), SIZES[1], Some("carl"));
    explorer.keys("6 enter");
    let (source, target) = first_case(&study);
    relabel(&study, ("ann", next_seq(&study, "ann")), (&source, &target), Label::Unsure);
    explorer.keys("a");
    let said = "Not settled, the case is no longer as it was shown: 1 label of it changed";
    assert_eq!(message(&explorer), said);
    assert!(settlements(&study).is_empty());
    explorer.keys("enter");
    for annotator in ["ann", "bob"] {
        relabel(&study, (annotator, next_seq(&study, annotator)), (&source, &target), Label::Not);
    }
    explorer.keys("a");
    let said = "Not settled, the case is no longer as it was shown: all say “not” now, and nothing is left to settle";
    assert_eq!(message(&explorer), said);
    assert!(explorer.text().contains("disagree 10") && settlements(&study).is_empty(), "{}", explorer.text());
    explorer.keys("g enter");
    let (source, target) = first_case(&study);
    let eve = study.path().join("labels/adjudication.eve.jsonl");
    let settled = labels::Event::new(EventKind::Label(Label::Not), &source, &target, "2012-03-01T00:00:00.000Z");
    fs::write(&eve, line::encode(&labels::Event { seq: 1, ..settled }).0 + "\n").unwrap();
    explorer.keys("a");
    let said = "Not settled, the case is no longer as it was shown: eve settled it as “not” meanwhile";
    assert_eq!(message(&explorer), said);
    assert!(settlements(&study).is_empty());
    explorer.keys("enter a");
    assert!(message(&explorer).starts_with("Settled: near-duplicate"), "{}", message(&explorer));
    assert_eq!(settlements(&study), [(source, target)]);
}

/// The editor was left when the pair was no longer on the screen: what was written waits there as a draft.
#[test]
fn a_note_of_the_editor_that_cannot_be_saved_is_kept() {
    let study = copy(sample());
    let mut explorer = explorer(study.path(), SIZES[0]);
    explorer.keys("5 e");
    let former = add(study.path(), "\nname = 3");
    explorer.look_at_files();
    explorer.send(Event::Said("The note is no UTF-8".to_owned()));
    explorer.send(Event::Edited(Ok("words of a person\n".to_owned())));
    explorer.settle();
    assert!(message(&explorer).starts_with("Not saved: the pair is not on the screen"), "{}", message(&explorer));
    fs::write(study.path().join("study.toml"), former).unwrap();
    explorer.look_at_files();
    explorer.keys("c enter");
    let notes: Vec<String> = study.reading("ann").events.iter().map(|event| format!("{:?}", event.kind)).collect();
    assert!(notes.iter().any(|note| note.contains("words of a person")), "{notes:?}");
    explorer.keys("e");
    explorer.send(Event::Said("The note is no UTF-8".to_owned()));
    explorer.send(Event::Edited(Ok("other words".to_owned())));
    explorer.settle();
    assert_eq!(message(&explorer), "The note is no UTF-8", "what was said of a note that is saved stays");
}

/// A run brings the study anew with every segment; what is doubtful about its labels is said once.
#[test]
fn a_doubt_about_labels_is_logged_once() {
    let study = copy(sample());
    let mut explorer = explorer(study.path(), SIZES[1]);
    explorer.keys("5 a");
    let first = study.reading("ann").events[0].clone();
    let later = |seq, label, time: &str| {
        let kind = EventKind::Label(label);
        line::encode(&labels::Event { seq, ..labels::Event::new(kind, &first.source, &first.target, time) }).0 + "\n"
    };
    let joined =
        later(1, Label::NearDuplicate, "2012-03-06T09:00:00.000Z") + &later(2, Label::Not, "2012-03-05T09:00:00.000Z");
    fs::write(study.path().join("labels/eve.jsonl"), joined).unwrap();
    let said = |explorer: &Headless| {
        let entries = explorer.app.shared.log.entries();
        entries.iter().filter(|entry| entry.line.text().contains("eve.jsonl: of 1 pair a label holds")).count()
    };
    for name in ["name ", "name  ", "name   "] {
        edit(&study, &mut explorer, "name", name);
        assert_eq!(said(&explorer), 1, "{}", explorer.text());
    }
}

/// Replaces words of `study.toml`, which the explorer follows.
fn edit(study: &Copy, explorer: &mut Headless, from: &str, to: &str) {
    let file = study.path().join("study.toml");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(from));
    fs::write(file, text.replacen(from, to, 1)).unwrap();
    explorer.look_at_files();
}

/// The texts of a pane, the source first.
fn shown(pane: &PairPane) -> [String; 2] {
    let Some(Ok(open)) = &pane.open else { panic!("{:?}", pane.open) };
    let texts = [open.texts.source.clone(), open.texts.target.clone()];
    if pane.swapped {
        let [a, b] = texts;
        [b, a]
    } else {
        texts
    }
}

/// Why points at bytes of the texts as `study.toml` asks for them now, and labels are of what was read.
#[test]
fn texts_that_study_toml_asks_for_otherwise_are_read_again() {
    let study = copy(sample());
    let mut explorer = explorer(study.path(), SIZES[1]);
    explorer.keys("5 q 3 enter w");
    let panes = |explorer: &Headless| {
        let screens = &explorer.app.screens;
        [&screens.get::<Compare>().pane, &screens.get::<LabelScreen>().pane].map(|pane| (pane.ids.clone(), shown(pane)))
    };
    let before = panes(&explorer);
    edit(&study, &mut explorer, "content = \"all\"", "content = \"main\"");
    let now = panes(&explorer);
    let snapshot = Snapshot::open(study.path()).unwrap();
    for ((ids, texts), (_, former)) in now.iter().zip(&before) {
        for (side, id, text) in [(KeptSide::Source, &ids.source, &texts[0]), (KeptSide::Target, &ids.target, &texts[1])]
        {
            let wanted = find_document(&snapshot, id, Some(side)).unwrap().document.text;
            assert_eq!(*text, wanted, "{id}");
        }
        assert_ne!(texts, former, "the test needs a page with more than its main content");
    }
    assert_eq!(before.map(|(ids, _)| ids), now.map(|(ids, _)| ids));
}

/// The person stays on the question, be it one that is looked at again or behind the list of decided pairs.
#[test]
fn other_repeats_in_study_toml_lead_to_no_other_question() {
    let study = copy(sample());
    let drawn = drawn_sample(&Snapshot::open(study.path()).unwrap(), "default").unwrap();
    let repeated = |repeats: u64| -> Vec<usize> {
        let all = questions(drawn.pairs.len(), repeats, drawn.seed).into_iter();
        all.filter(|question| question.repeat).map(|question| question.pair).collect()
    };
    let pair = repeated(25).into_iter().filter(|pair| !repeated(5).contains(pair)).min().unwrap();
    let first = |repeats: u64| {
        let all = questions(drawn.pairs.len(), repeats, drawn.seed);
        all.iter().position(|question| question.pair == pair && !question.repeat).unwrap()
    };
    let mut explorer = explorer(study.path(), SIZES[1]);
    explorer.keys(&format!("5 {} tab enter", "a ".repeat(first(5) + 1)));
    let title = |explorer: &Headless| explorer.text().lines().next().unwrap_or_default().to_owned();
    assert!(title(&explorer).contains(&format!("again {} ", first(5) + 1)), "{}", title(&explorer));
    edit(&study, &mut explorer, "repeats    = 5", "repeats    = 25");
    assert!(title(&explorer).contains(&format!("again {} ", first(25) + 1)), "{}", title(&explorer));
    explorer.keys("x");
    let last = study.reading("ann").events.last().unwrap().clone();
    assert_eq!((&last.source, &last.target), (&drawn.pairs[pair].source, &drawn.pairs[pair].target));
    assert_eq!(last.circumstances.repeat, None, "a correction of the first answer");

    explorer.keys("J J tab");
    let passed = |explorer: &Headless| explorer.app.screens.get::<LabelScreen>().ids();
    let before = passed(&explorer);
    edit(&study, &mut explorer, "repeats    = 25", "repeats    = 10");
    assert!(explorer.text().contains("Decided pairs"), "{}", explorer.text());
    assert_eq!(passed(&explorer), before);
}

/// What cannot be read outside of the files that a run reads: how it is damaged and mended, and a word of what is said.
const DAMAGED: [(&str, Breaking, Breaking); 2] = [
    (
        "default.jsonl",
        |study| fs::write(study.join("samples/default.jsonl"), "no sample\n").unwrap(),
        |study| {
            fs::copy(sample().join("samples/default.jsonl"), study.join("samples/default.jsonl")).unwrap();
        },
    ),
    (
        "bob.jsonl",
        |study| fs::create_dir_all(study.join("labels/bob.jsonl")).unwrap(),
        |study| fs::remove_dir(study.join("labels/bob.jsonl")).unwrap(),
    ),
];

#[test]
fn a_sample_or_a_journal_that_is_mended_is_read_again() {
    for (word, damage, mend) in DAMAGED {
        let study = copy(sample());
        let mut explorer = explorer(study.path(), SIZES[1]);
        damage(study.path());
        edit(&study, &mut explorer, "name", "name");
        let home = words(&explorer);
        assert!(home.contains("The study cannot be read: ") && home.contains(word), "{word}: {}", explorer.text());
        explorer.look_at_files();
        assert!(explorer.app.trouble().is_some());
        mend(study.path());
        explorer.look_at_files();
        assert_eq!(explorer.app.trouble(), None, "{word}");
        explorer.keys("5 a");
        assert_eq!(study.labels("ann"), 1, "{word}: {}", explorer.text());
    }
}
