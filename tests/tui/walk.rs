//! A person at work, key by key.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use dejaview::index::KeptSide;
use dejaview::study::{Evaluation, Reading, Session, Snapshot, Sort, Truth};
use dejaview::tui::action::{Action, ScreenId};
use dejaview::tui::event::Event;
use dejaview::tui::headless::Headless;
use dejaview::tui::key::Key;
use dejaview::tui::keymap::{Bound, Keymap};
use dejaview::tui::screens::compare::Compare;
use dejaview::tui::screens::judgments::Judgments;
use dejaview::tui::screens::keys;
use dejaview::tui::screens::label::Label;
use dejaview::tui::screens::methods::Methods;
use dejaview::tui::screens::pairs::Pairs;
use dejaview::tui::screens::review::Review;

use super::lists;
use super::support::{
    MANY, copy, disputed, headless, many, position, reversed, sample, screens, selected_row, selected_text,
};

const SIZE: (u16, u16) = (120, 40);

fn open() -> Headless {
    headless(sample(), SIZE, None)
}

/// A line of the screen, counted from the end: 1 is the keys, 2 the message.
fn line(headless: &Headless, from_end: usize) -> String {
    let text = headless.text();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len() - from_end].to_owned()
}

fn message(headless: &Headless) -> String {
    line(headless, 2)
}

/// The text of the row under the cursor.
fn selected(headless: &Headless) -> String {
    selected_text(&headless.buffer()).expect("a row under the cursor")
}

#[test]
fn from_a_judgment_to_a_labelled_pair_and_back() {
    let study = copy(sample());
    let mut headless = headless(study.path(), SIZE, Some("ann"));
    headless.keys("2 j j j j");
    let judgment = selected(&headless);
    let document = headless.app.screens.get::<Judgments>().current().unwrap().document.id.clone();
    assert!(headless.text().contains(&document), "its candidates are beside it:\n{}", headless.text());
    headless.keys("enter enter");
    assert_eq!(headless.app.shared.screen, Compare::ID);
    assert_eq!(headless.app.screens.get::<Compare>().pane.ids.source, document);
    headless.keys("5");
    assert_eq!(headless.app.shared.screen, Label::ID);
    let ids = headless.app.screens.get::<Label>().ids().unwrap();
    headless.keys("a");
    assert_eq!(study.labels("ann"), 1);
    headless.keys("q");
    assert_eq!(headless.app.shared.screen, Compare::ID);
    headless.keys("q q");
    assert_eq!(headless.app.shared.screen, Judgments::ID);
    assert_eq!(selected(&headless), judgment, "the same row, and the list has the keys again");
    // The sample is of the first configuration: its table holds the pair.
    headless.keys("1 g enter").keys(&format!("& \"{}_&_{}\" enter", ids.source, ids.target));
    assert!(selected(&headless).trim_start().starts_with('●'), "the label is in the table:\n{}", headless.text());
}

/// From a judgment the next pairs on Compare are the other candidates of its document, and no others.
#[test]
fn candidates_one_after_the_other() {
    let mut headless = open();
    headless.keys("2 j j j j");
    let judgment = headless.app.screens.get::<Judgments>().current().unwrap().clone();
    let candidates = judgment.document.candidates.len();
    assert!(candidates > 1, "{}", headless.text());
    headless.keys("enter enter");
    let mut targets = vec![headless.app.screens.get::<Compare>().pane.ids.target.clone()];
    for _ in 1..candidates {
        headless.keys("J");
        let ids = headless.app.screens.get::<Compare>().pane.ids.clone();
        assert_eq!(ids.source, judgment.document.id);
        targets.push(ids.target);
    }
    headless.keys("J");
    assert!(message(&headless).contains("This is the last candidate of the document"), "{}", headless.text());
    targets.sort();
    targets.dedup();
    assert_eq!(targets.len(), candidates);
}

/// The preview is of the pair under the cursor, wherever the cursor goes, and can be switched off.
#[test]
fn the_preview_follows_the_cursor() {
    let mut headless = open();
    headless.keys("3");
    let preview = |headless: &Headless| {
        let text = headless.text();
        let border = text.lines().find(|line| line.contains("Preview")).unwrap_or_default().to_owned();
        let ids: Vec<String> =
            border.split_whitespace().filter(|word| word.starts_with("sample")).map(str::to_owned).collect();
        ids
    };
    let table = headless.app.shared.data.clone().unwrap().table.clone();
    for keys in ["g", "j", "j", "pgdn", "G", "k"] {
        headless.keys(keys);
        let pair = table.pair(headless.app.screens.get::<Pairs>().current().unwrap());
        assert_eq!(preview(&headless), [pair.source, pair.target], "{keys}:\n{}", headless.text());
    }
    headless.keys("g tab");
    let before = headless.text();
    headless.keys("pgdn");
    assert_ne!(headless.text(), before, "the texts scroll once they have the keys");
    headless.keys("J");
    assert_eq!(headless.app.screens.get::<Pairs>().cursor.at, 1, "J moves the list from the texts");
    let with_texts = headless.text();
    headless.keys(": \"set preview off\" enter J K");
    assert_ne!(headless.text(), with_texts);
}

#[test]
fn a_judgment_without_pairs_says_so() {
    let mut headless = open();
    // A page of the old crawl without a word.
    headless.keys("2 / \"00205\" enter");
    let judgment = headless.app.screens.get::<Judgments>().current().unwrap();
    assert!(judgment.document.id.contains("00205") && judgment.document.candidates.is_empty());
    headless.keys("enter");
    assert_eq!(headless.app.shared.screen, Judgments::ID);
    assert!(message(&headless).contains("No configuration found"));
    headless.keys("j");
    assert!(!message(&headless).contains("No configuration found"), "the message goes with the next key");
}

#[test]
fn back_finds_the_place_that_was_left() {
    for (list, away) in [("3 s pgdn j j", "enter"), ("2 o pgdn j j", "1"), ("j j", "2"), ("3 j j", "5")] {
        let mut headless = open();
        headless.keys(list);
        let (screen, row) = (headless.app.shared.screen, selected(&headless));
        headless.keys(away);
        assert_ne!(headless.app.shared.screen, screen);
        headless.keys("q");
        assert_eq!((headless.app.shared.screen, selected(&headless)), (screen, row), "{list} {away} q");
    }
}

#[test]
fn the_next_pairs_on_compare_move_the_cursor_of_the_table() {
    let mut headless = open();
    headless.keys("3 enter");
    for step in 1..80 {
        headless.keys("J");
        let ids = headless.app.screens.get::<Compare>().pane.ids.clone();
        headless.keys("q");
        let row = selected_row(&headless.buffer());
        assert!(row.is_some(), "after {step} pairs the row under the cursor is not on the screen");
        let preview = format!("{}  {}", ids.source, ids.target);
        assert!(headless.text().contains(&preview), "{}", headless.text());
        headless.keys("enter");
    }
    headless.keys("K K q");
    assert_eq!(position(&headless).map(|(at, _)| at), Some(78), "{}", headless.text());
    headless.keys("G enter J");
    assert!(message(&headless).contains("This is the last pair of the table"));
}

#[test]
fn back_after_many_screens_leads_to_the_last_one() {
    let mut headless = open();
    for _ in 0..40 {
        headless.keys("2 3");
    }
    headless.keys("1 q");
    assert_eq!(headless.app.shared.screen, Pairs::ID);
    headless.keys("q");
    assert_eq!(headless.app.shared.screen, Judgments::ID);
}

#[test]
fn back_from_home_leaves() {
    let mut headless = open();
    headless.keys("q");
    assert!(headless.left);
    let mut headless = open();
    headless.keys("3 Q");
    assert!(headless.left);
    let mut headless = open();
    headless.keys("5 C-c");
    assert!(headless.left);
}

#[test]
fn the_place_in_a_text_is_kept_while_one_looks_elsewhere() {
    let mut headless = open();
    headless.keys("5 o pgdn j");
    let before = headless.text();
    headless.keys(": \"pairs\" enter");
    assert_eq!(headless.app.shared.screen, Pairs::ID);
    headless.keys("q");
    assert_eq!(headless.text(), before, "Label");
    headless.keys("? q");
    assert_eq!(headless.text(), before, "after the help");
    let mut headless = open();
    headless.keys("3 enter o pgdn j");
    let before = headless.text();
    headless.keys("3 4");
    assert_eq!(headless.text(), before, "Compare");
}

#[test]
fn search_goes_through_all_hits_and_around() {
    let mut headless = open();
    headless.keys("2 / \"00030\" enter");
    let judged = |headless: &Headless| headless.app.screens.get::<Judgments>().current().unwrap().document.id.clone();
    assert!(judged(&headless).contains("00030"));
    let first = headless.app.screens.get::<Judgments>().cursor.at;
    headless.keys("n");
    assert!(judged(&headless).contains("00030"));
    headless.keys("N");
    assert_eq!(headless.app.screens.get::<Judgments>().cursor.at, first);
    headless.keys("3 / \"03-00082\" enter");
    let shows_it = |headless: &Headless| {
        let text = headless.text();
        text.lines().any(|line| line.contains("Preview") && line.contains("03-00082"))
    };
    assert!(shows_it(&headless), "{}", headless.text());
    let at = position(&headless);
    let mut results = 0;
    loop {
        headless.keys("n");
        results += 1;
        assert!(shows_it(&headless), "{}", headless.text());
        if position(&headless) == at {
            break;
        }
        assert!(results < 500);
    }
    headless.keys("/ \"nowhere-at-all\" enter");
    assert!(
        message(&headless).contains("“nowhere-at-all” is in no id, title or URL of these pairs"),
        "{}",
        message(&headless)
    );
    assert_eq!(position(&headless), at, "the cursor stays where it was");
}

/// The list shows titles, so they are searched as well.
#[test]
fn search_in_pairs_finds_titles_and_urls() {
    let mut headless = open();
    headless.keys("3");
    for words in ["sourdough", "comes sourdough", "bluesaucepan.example.com/recipes"] {
        headless.keys(&format!("/ \"{}\" enter", words.replace(' ', "_")));
        assert!(!message(&headless).contains("is in no id"), "{words}: {}", headless.text());
        let data = headless.app.shared.data.clone().unwrap();
        let row = headless.app.screens.get::<Pairs>().current().unwrap();
        let (source, target) = data.table.ids(row);
        let titles = [(KeptSide::Source, source), (KeptSide::Target, target)].map(|(side, id)| {
            let document = data.study.titles().get(side, id).unwrap();
            format!("{} {}", document.title, document.url).to_lowercase()
        });
        let has = |title: &String| words.split(' ').all(|word| title.contains(word));
        assert!(titles.iter().any(has), "{words}: {titles:?}");
    }
}

/// The first lines of the first pair of the sample, but for its title, lie in a fold at the top of the screen.
#[test]
fn search_in_texts_opens_folds_and_marks_the_hits() {
    let mut headless = open();
    headless.keys("5");
    assert!(headless.text().contains("equal lines") && !headless.text().contains("Blankets"));
    headless.keys("/ \"blankets\" enter");
    assert!(headless.text().contains("Blankets"), "still in its fold:\n{}", headless.text());
    headless.keys("/ \"torch\" enter");
    assert!(headless.text().contains("torch"));
    assert!(headless.styled().contains("bold+reversed"), "marked:\n{}", headless.styled());
}

#[test]
fn hits_in_texts_one_after_the_other() {
    let mut headless = open();
    headless.keys("5 o / \"fathom\" enter n");
    let first = headless.text();
    headless.keys("n");
    assert_ne!(headless.text(), first, "another hit");
    headless.keys("N");
    assert_eq!(headless.text(), first);
}

#[test]
fn filters() {
    let mut headless = open();
    headless.keys("3");
    let total = lists::shown(&headless);
    let filtered = |headless: &mut Headless, filter: &str| {
        headless.keys("& C-u").keys(&format!("\"{filter}\" enter"));
        lists::shown(headless)
    };
    let near = filtered(&mut headless, "jaccard>=0.9");
    let far = filtered(&mut headless, "jaccard<0.9");
    assert_eq!(near + far, total);
    assert!(near > 0 && far > 0);
    let found = filtered(&mut headless, "simhash-5");
    assert_eq!(found + filtered(&mut headless, "!simhash-5"), total);
    assert!(filtered(&mut headless, "simhash-5_&_jaccard<0.9_&_same-url") <= far);
    assert_eq!(filtered(&mut headless, "no-such-id-anywhere"), 0);
    headless.keys("j k G g n enter s");
    for wrong in ["jaccard>", "jaccard>x", "nonsense>1", "distance=", ">", "jaccard>0.9_&_cosine<y"] {
        filtered(&mut headless, "simhash-5");
        headless.keys("& C-u").keys(&format!("\"{wrong}\" enter"));
        assert!(headless.text().contains(&format!("& {}", wrong.replace('_', " "))), "{}", headless.text());
        assert_eq!(headless.app.overlays.len(), 1, "{wrong}: {}", headless.text());
        headless.keys("esc esc j");
        assert_eq!(lists::shown(&headless), found, "{wrong}: the filter before stays");
    }
    headless.keys("& C-u enter");
    assert_eq!(lists::shown(&headless), total);
    headless.keys("& \"jaccard>2\" esc esc");
    assert_eq!(lists::shown(&headless), total, "given up");
    headless.keys("2 & \"00030\" enter");
    assert!(headless.app.screens.get::<Judgments>().current().unwrap().document.id.contains("00030"));
    headless.keys("& C-u enter");
    assert!(headless.text().contains("· 388 in all"), "{}", headless.text());
}

#[test]
fn sorts_and_configurations_go_around() {
    let mut headless = open();
    headless.keys("3");
    let first = headless.text();
    let border = |headless: &Headless| headless.text().lines().nth(1).unwrap_or_default().to_owned();
    let mut seen = vec![border(&headless)];
    // All but the distance, which is of one configuration.
    let orders = Sort::ALL.len() - 1;
    for _ in 1..orders {
        headless.keys("s");
        seen.push(border(&headless));
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), orders, "{seen:?}");
    headless.keys("s");
    assert_eq!(headless.text(), first);
    for configuration in Session::open(sample()).unwrap().recipe().configurations.iter() {
        headless.keys("]");
        assert!(border(&headless).contains(&format!(" {} ", configuration.name)), "{}", border(&headless));
    }
    headless.keys("]");
    assert_eq!(headless.text(), first);
    headless.keys("[");
    assert_ne!(headless.text(), first);
    headless.keys("] s s");
    let jaccards: Vec<f64> = headless
        .text()
        .lines()
        .skip(3)
        .take(20)
        .filter_map(|line| line.split_whitespace().find_map(|word| word.parse().ok()))
        .collect();
    assert!(jaccards.len() > 10 && jaccards.is_sorted_by(|a, b| a >= b), "{jaccards:?}");
}

#[test]
fn folds_open_one_by_one_and_all_at_once() {
    let mut headless = open();
    headless.keys("5");
    let folded = headless.text();
    assert!(folded.contains("equal lines"));
    headless.keys("o");
    assert!(!headless.text().contains("equal lines"));
    // All lines, only those that differ, folds again.
    headless.keys("o o g");
    assert_eq!(headless.text(), folded);
    let folds = |headless: &Headless| headless.text().matches("equal lines").count();
    let before = folds(&headless);
    headless.keys("enter g");
    assert_eq!(folds(&headless), before - 1, "{}", headless.text());
}

#[test]
fn changes_one_after_the_other() {
    let mut headless = open();
    headless.keys("3 s s s G");
    let changes = |headless: &Headless| -> Option<(usize, usize)> {
        let text = headless.text();
        let (at, rest) = text.split("change ").nth(1)?.split_once('/')?;
        Some((at.parse().ok()?, rest.split(' ').next()?.parse().ok()?))
    };
    headless.keys("enter");
    while changes(&headless).is_none_or(|(_, all)| all < 4) {
        headless.keys("K");
    }
    let (_, all) = changes(&headless).unwrap();
    headless.keys("g");
    let mut places = vec![changes(&headless).unwrap().0];
    for _ in 0..all + 2 {
        headless.keys("]");
        places.extend(changes(&headless).map(|(at, _)| at));
    }
    assert!(message(&headless).contains("This is the last change"), "{}", message(&headless));
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(places.last(), Some(&all), "the last change is reached: {places:?}");
    let mut seen = places.clone();
    seen.dedup();
    assert_eq!(seen, (1..=all).collect::<Vec<_>>(), "none is passed over");
    for _ in 0..all + 2 {
        headless.keys("[");
        places.extend(changes(&headless).map(|(at, _)| at));
    }
    assert!(message(&headless).contains("This is the first change"), "{}", message(&headless));
    assert_eq!(places.last(), Some(&1), "and the first again: {places:?}");
}

#[test]
fn the_palette_knows_every_action_but_labels() {
    let mut headless = open();
    headless.keys(": \"pairs\" enter");
    assert_eq!(headless.app.shared.screen, Pairs::ID);
    headless.keys(": \"page\"");
    assert!(headless.text().contains("page-up") && headless.text().contains("page-down"), "{}", headless.text());
    headless.keys("esc");
    headless.keys(": \"judg\" enter");
    assert_eq!(headless.app.shared.screen, Judgments::ID);
    let actions: Vec<Action> = headless.app.shared.keymap.actions().collect();
    for action in actions {
        if matches!(action, Action::Quit | Action::Back | Action::Clear | Action::Palette) {
            continue;
        }
        let mut headless = open();
        headless.keys(&format!(": \"{}\" enter", action.name()));
        assert!(!headless.text().contains("Unknown command"), "{}", action.name());
        assert!(
            headless.app.overlays.iter().all(|overlay| !format!("{overlay:?}").starts_with("Palette")),
            "{}",
            action.name()
        );
    }
    for label in Action::LABELS {
        let mut headless = open();
        headless.keys("5").keys(&format!(": \"{}\" enter", label.name()));
        assert!(headless.text().contains("0/105 decided"), "{}", label.name());
    }
    let mut headless = open();
    headless.keys(": enter");
    headless.keys(": \"up\" enter");
    assert!(!message(&headless).contains("which"));
}

/// How many pairs the table shows, from the line below it.
fn shown(headless: &Headless) -> u64 {
    lists::shown(headless) as u64
}

fn figures(truth: &Truth) -> Evaluation {
    dejaview::study::evaluate(&Snapshot::open(sample()).unwrap(), truth, &Reading::default()).unwrap()
}

#[test]
fn from_a_configuration_to_its_pairs_and_back() {
    let figures = figures(&"jaccard:0.9".parse().unwrap());
    let mut headless = open();
    headless.keys("8 j j");
    let row = selected(&headless);
    let quality = &figures.comparison.configurations[2];
    for estimate in [quality.precision, quality.recall, quality.f1].map(Option::unwrap) {
        assert!(row.contains(&format!("{:.3} ", estimate.value)), "{} in {row}", estimate.value);
        let wanted = format!("{:.3} ({:.3}–{:.3})", estimate.value, estimate.low, estimate.high);
        assert!(headless.text().contains(&wanted), "{wanted} in {}", headless.text());
    }
    assert!(row.contains(&quality.name), "{row}");
    headless.keys("enter");
    assert_eq!(headless.app.shared.screen, Pairs::ID);
    assert!(headless.text().contains(&format!(" {} {} ", quality.name, quality.pairs)), "{}", headless.text());
    assert_eq!(shown(&headless), quality.pairs);
    headless.keys("q");
    assert_eq!((headless.app.shared.screen, selected(&headless)), (Methods::ID, row));
    assert_eq!(quality.only, 0);
    headless.keys("o");
    assert_eq!(headless.app.shared.screen, Methods::ID, "there is nothing to show");
    let first = &figures.comparison.configurations[0];
    headless.keys("g o");
    assert_eq!(headless.app.shared.screen, Pairs::ID);
    assert_eq!(headless.app.screens.get::<Pairs>().filter, format!("by:{} & agreement=1", first.name));
    assert!(first.only > 0 && shown(&headless) == first.only, "{}", headless.text());
}

#[test]
fn configurations_sort_by_each_column() {
    let figures = figures(&"jaccard:0.9".parse().unwrap());
    let mut headless = open();
    headless.keys("8");
    let first = headless.text();
    headless.keys("s s s s s");
    assert!(headless.text().contains("1/22 · F"), "{}", headless.text());
    let mut best: Vec<(f64, &str)> = figures
        .comparison
        .configurations
        .iter()
        .map(|quality| (quality.f1.unwrap().value, quality.name.as_str()))
        .collect();
    best.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, name) in best {
        assert_eq!(selected(&headless).split_whitespace().next(), Some(name));
        headless.keys("j");
    }
    headless.keys("s s s");
    assert_eq!(headless.text(), first);
    headless.keys("/ \"3+5\" enter");
    assert!(selected(&headless).contains("simhash-3+5"));
}

#[test]
fn truths_go_around_and_labels_are_counted_anew() {
    let study = copy(sample());
    // Who labels blind would see nothing of it before the sample is finished.
    let file = study.path().join("study.toml");
    let recipe = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, recipe.replace("[labels]", "[labels]\nblind = false")).unwrap();
    let mut headless = headless(study.path(), SIZE, Some("ann"));
    headless.keys("8");
    let first = headless.text();
    assert!(first.contains("truth: Jaccard ≥ 0.9") && first.contains("recall is of all pairs of the"), "{first}");
    headless.keys("t");
    let edit = headless.text();
    assert!(edit.contains("truth: edit ratio ≥ 0.8") && edit.contains("edit ratio over words of 0.8"), "{edit}");
    headless.keys("t");
    assert!(headless.text().contains(", 0 of known truth, 0 true"), "{}", headless.text());
    for (labels, known) in [("a x", ", 2 of known truth, 1 true"), ("a i", ", 3 of known truth, 2 true")] {
        headless.keys("5").keys(labels).keys("q");
        assert_eq!(headless.app.shared.screen, Methods::ID);
        assert!(headless.text().contains(known), "{}", headless.text());
    }
    for further in ["cosine ≥ 0.9", "binary cosine ≥ 0.9", "S3 ≥ 0.8", "edit ratio of content characters ≥ 0.8"]
    {
        headless.keys("t");
        assert!(headless.text().contains(&format!("truth: {further}")), "{}", headless.text());
    }
    headless.keys("t");
    let last = headless.text();
    let table =
        |text: &str| text.lines().take_while(|line| !line.contains("─ simhash-2 ─")).collect::<Vec<_>>().join("\n");
    assert_eq!(table(&last), table(&first));
    // Beside it stands what the labels say that were given since.
    assert!(
        !first.contains("by labels:") && last.contains("by labels: ") && last.contains("of sample default"),
        "{last}"
    );
}

#[test]
fn what_is_under_the_cursor_is_seen_among_many_configurations() {
    for size in [(60, 12), (80, 24), (200, 60)] {
        let mut driven = headless(many(), size, None);
        driven.keys("8");
        for name in MANY {
            assert_eq!(selected(&driven).split_whitespace().next(), Some(name), "{size:?}");
            driven.keys("j");
        }
        driven.keys("] g");
        for (step, name) in MANY.iter().chain(MANY.iter()).enumerate() {
            let row = selected_row(&driven.buffer()).expect("a row under the cursor");
            let cells = reversed(&driven.buffer()).into_iter().filter(|&(x, y)| y == row && x > 8).count();
            assert!((1..12).contains(&cells), "{size:?}, step {step}: one cell of the row\n{}", driven.text());
            assert!(driven.text().contains(name) || size.0 == 60, "{name} in {}", driven.text());
            driven.keys(if step < MANY.len() - 1 { "l" } else { "j" });
            if step == MANY.len() - 1 {
                driven.keys("g");
            }
        }
    }
}

/// Which configurations found a pair can be told though there is no room for all of them.
#[test]
fn a_pair_says_who_found_it_among_many_configurations() {
    let snapshot = Snapshot::open(many()).unwrap();
    let table = snapshot.table().unwrap();
    for size in [(80, 24), (200, 60)] {
        let mut driven = headless(many(), size, None);
        driven.keys("3");
        for row in 0..8 {
            let line = selected(&driven);
            let count = line.split_whitespace().find_map(|word| word.strip_suffix(&format!("/{}", MANY.len())));
            assert_eq!(count.and_then(|n| n.parse().ok()), Some(table.agreement(row)), "{size:?}: {line}");
            if size.0 == 200 {
                assert_eq!(line.matches('•').count() as u32, table.agreement(row), "{line}");
            }
            assert!(driven.text().contains("found by "), "{}", driven.text());
            driven.keys("enter");
            let text = driven.text();
            let (found, all) = (table.agreement(row) as usize, MANY.len());
            let strip = text.lines().find(|line| line.contains(" match")).unwrap_or_default();
            assert!(strip.contains(&format!("{found} of {all} match")), "{size:?}: {strip}");
            let dots = strip.matches('•').count();
            assert!(dots == found || dots == 0 && size.0 == 80, "all of them or none: {strip}");
            driven.keys("q j");
        }
    }
}

/// The event of a key of the table.
fn event(key: Key) -> KeyEvent {
    let (code, modifiers) = match key {
        Key::Char(c) => (KeyCode::Char(c), KeyModifiers::NONE),
        Key::Ctrl(c) => (KeyCode::Char(c), KeyModifiers::CONTROL),
        Key::Enter => (KeyCode::Enter, KeyModifiers::NONE),
        Key::Esc => (KeyCode::Esc, KeyModifiers::NONE),
        Key::Backspace => (KeyCode::Backspace, KeyModifiers::NONE),
        Key::Tab => (KeyCode::Tab, KeyModifiers::NONE),
        Key::BackTab => (KeyCode::BackTab, KeyModifiers::SHIFT),
        Key::Up => (KeyCode::Up, KeyModifiers::NONE),
        Key::Down => (KeyCode::Down, KeyModifiers::NONE),
        Key::Left => (KeyCode::Left, KeyModifiers::NONE),
        Key::Right => (KeyCode::Right, KeyModifiers::NONE),
        Key::PageUp => (KeyCode::PageUp, KeyModifiers::NONE),
        Key::PageDown => (KeyCode::PageDown, KeyModifiers::NONE),
        Key::Home => (KeyCode::Home, KeyModifiers::NONE),
        Key::End => (KeyCode::End, KeyModifiers::NONE),
    };
    KeyEvent::new(code, modifiers)
}

/// A study in which a screen has something to show.
fn open_for(screen: ScreenId, size: (u16, u16)) -> Headless {
    let study = if screen == Review::ID { disputed() } else { sample() };
    headless(study, size, None)
}

/// A place for each screen in which its keys have something to do.
fn place(screen: ScreenId) -> &'static str {
    match screen.name() {
        "home" => "j j",
        "judgments" => "2 o ] / \"000\" enter j j j j",
        "pairs" => "3 d enter / \"0000\" enter pgdn pgdn j",
        "compare" => "3 & \"jaccard<0.9\" enter s s enter / \"a\" enter o g j j j j j j j",
        "label" => "5 a J K x K / \"a\" enter o ] j",
        "methods" => "8 ] / \"3\" enter j l l l h",
        "review" => "6 enter / \"a\" enter o g ] j j",
        "figures" => "7 / \"simhash\" enter j l l",
        "corpus" => "9 / \"the\" enter pgdn pgdn j",
        "log" => "3 s s s s s s s s s 2 0 / \"arranged\" enter j j j",
        other => panic!("no place for {other}"),
    }
}

/// What keys do on a screen, unless a person says otherwise.
fn bindings(screen: ScreenId) -> Vec<Bound> {
    Keymap::built_in(&keys()).on(screen).cloned().collect()
}

#[test]
fn every_binding_does_something_where_it_holds() {
    let mut idle = Vec::new();
    for screen in screens() {
        for binding in bindings(screen) {
            let mut driven = open_for(screen, SIZE);
            driven.keys(place(screen));
            assert_eq!(driven.app.shared.screen, screen);
            // Something to redo, to make small again, to remove, a side to go to.
            driven.keys(match binding.action {
                Action::Redo => "u",
                Action::ZoomOut => "+",
                Action::RemoveChip if screen == Judgments::ID => "& \"grade>0\" enter",
                Action::PreviousPane if screen == Label::ID => "=",
                _ => "",
            });
            let before = driven.styled();
            for &key in &binding.keys {
                driven.wait(std::time::Duration::from_secs(2));
                driven.send(Event::Key(event(key)));
                driven.settle();
            }
            let same = driven.styled() == before && !driven.left;
            let here = binding.action == Action::Go(screen);
            // What these do happens outside of the screen.
            let outside = matches!(binding.action, Action::Pager | Action::EditNote | Action::Redraw | Action::Suspend);
            if same && !here && !outside {
                idle.push(format!("{:?} on {}", binding.action, screen.name()));
            }
        }
    }
    // Home has nothing to search, and its few rows nothing to page through.
    idle.retain(|name| !name.ends_with("on home"));
    assert!(idle.is_empty(), "{idle:#?}");
}

#[test]
fn every_key_is_harmless_everywhere() {
    let keymap = Keymap::built_in(&keys());
    let keys: Vec<Key> = keymap.all().flat_map(|(bound, _)| bound.keys.clone()).collect();
    for screen in screens() {
        for ready in [place(screen), ""] {
            let mut driven = open_for(screen, SIZE);
            driven.keys(ready);
            for &key in &keys {
                driven.wait(std::time::Duration::from_millis(300));
                driven.send(Event::Key(event(key)));
                driven.settle();
                let _ = driven.buffer();
            }
        }
    }
}

#[test]
fn the_help_lists_every_key_of_its_screen() {
    for screen in screens() {
        let mut driven = headless(sample(), (100, 120), None);
        driven.keys(place(screen)).keys("?");
        let text = driven.text();
        let words: Vec<&str> = text.split_whitespace().collect();
        for binding in bindings(screen).iter().filter(|binding| !matches!(binding.action, Action::Go(_))) {
            let key = binding.keys.first().map(|key| Keymap::built_in(&keys()).written(*key)).unwrap_or_default();
            assert!(words.contains(&key.as_str()), "{key} on {screen:?}:\n{text}");
        }
        assert!(text.contains("1 … 0") || text.contains("Keys   on Label"), "{text}");
        driven.keys("q");
        assert_eq!(driven.app.shared.screen, screen, "q closes the help and nothing else");
    }
}

#[test]
fn the_keys_that_label_are_always_on_the_screen() {
    for width in [60, 80, 100, 200] {
        let mut driven = headless(sample(), (width, 24), None);
        driven.keys("5");
        let bar = line(&driven, 1);
        for key in ["a near-duplicate", "x not", "i unsure", "undo", "? help"] {
            assert!(bar.contains(key), "{key} at {width}: {bar}");
        }
    }
}

/// All documents of a contradiction are looked at beside each other; nothing is settled there.
#[test]
fn the_way_of_a_contradiction_is_shown_and_settles_nothing() {
    let study = copy(disputed());
    let mut driven = headless(study.path(), (200, 40), Some("eve"));
    driven.keys("6 w");
    assert!(message(&driven).contains("Press Enter to open a contradiction first"), "{}", message(&driven));
    driven.keys("enter w");
    assert!(message(&driven).contains("not a contradiction"), "{}", message(&driven));
    driven.keys("q ] ] ] enter w");
    let text = driven.text();
    assert!(["1 of 4 ", "2 of 4 ", "3 of 4 ", "4 of 4 "].iter().all(|place| text.contains(place)), "{text}");
    driven.keys("j j");
    assert_ne!(driven.text(), text, "all of them scroll");
    driven.keys("a");
    assert!(message(&driven).contains("Label keys are off while the contradiction is shown"), "{}", message(&driven));
    assert!(!driven.app.shared.adjudications.has_begun(), "something was settled");
    driven.keys("w");
    assert!(driven.text().contains("who said what is hidden"), "{}", driven.text());
    driven.keys("w q");
    assert!(driven.text().contains("who said what is hidden"), "the case is still open: {}", driven.text());
    // Where few fit, the others are beside them.
    let mut narrow = headless(study.path(), (80, 24), Some("eve"));
    narrow.keys("6 ] ] ] enter w");
    assert!(narrow.text().contains("2 of 4 ") && !narrow.text().contains("3 of 4 "), "{}", narrow.text());
    narrow.keys("l l l");
    assert!(narrow.text().contains("4 of 4 ") && !narrow.text().contains("2 of 4 "), "{}", narrow.text());
}

/// Nothing on the screen tells a pair that comes again from one that comes first.
#[test]
fn the_counter_goes_on_with_every_answer() {
    let mut driven = headless(sample(), SIZE, None);
    driven.keys("5");
    for answered in 0..105 {
        let title = driven.text().lines().next().unwrap_or_default().to_owned();
        assert!(title.contains(&format!("pair {} · {answered}/105 decided", answered + 1)), "{title}");
        driven.keys("a");
    }
    assert!(driven.text().contains("100 pairs decided"), "{}", driven.text());
}

/// Beside the list one reads; only an open case can be settled, and nobody's answer is shown before.
#[test]
fn a_case_is_shown_beside_the_list_and_settled_only_when_it_is_open() {
    for size in [(120, 32), (200, 60)] {
        let study = copy(disputed());
        let mut driven = headless(study.path(), size, Some("eve"));
        driven.keys("6");
        assert!(driven.text().contains("Case 1 of 15"), "{}", driven.text());
        driven.keys("j a");
        assert!(driven.text().contains("Case 2 of 15"), "{}", driven.text());
        assert!(message(&driven).contains("Press Enter to open a case"), "{}", message(&driven));
        assert!(!driven.app.shared.adjudications.has_begun(), "something was settled");
        for who in ["ann near", "ann not", "ann unsure", "bob near", "bob not", "bob unsure"] {
            assert!(!driven.text().contains(who), "{who}:\n{}", driven.text());
        }
        driven.keys("tab");
        assert!(driven.text().contains("disagreement · who said what is hidden"), "{}", driven.text());
        driven.keys("tab ]");
        assert!(driven.text().contains("Case 1 of 11"), "the disagreements alone:\n{}", driven.text());
        driven.keys("[ enter x");
        assert!(message(&driven).contains("Settled: not (ann "), "{}", message(&driven));
        driven.keys("u");
        assert!(message(&driven).contains("Undone: “not”"), "{}", message(&driven));
    }
}

/// After a restart the pair is as it was left: its equal lines folded, its change on the screen.
#[test]
fn a_restart_unfolds_nothing() {
    let study = copy(sample());
    let mut first = headless(study.path(), (80, 24), Some("ann"));
    first.keys("5");
    let before = first.text();
    assert!(before.contains("equal lines"), "{before}");
    first.keys("j k q");
    let mut again = headless(study.path(), (80, 24), Some("ann"));
    again.keys("5");
    assert_eq!(again.text(), before);
}
