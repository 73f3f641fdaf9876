//! Two texts and why they match.

use crossterm::event::KeyCode;
use dejaview::tui::contract::Effect;
use dejaview::tui::event::Event;
use dejaview::tui::headless::Headless;
use dejaview::tui::screens::compare::Compare;
use dejaview::tui::screens::home::Home;
use dejaview::tui::screens::pairs::Pairs;
use ratatui::style::Modifier;

use super::scene::Scene;
use super::screens::{BELOW, PAIR, SHORT, comparison, unsafe_cell};
use super::support::{Slow, char, copy, headless, hostile, key, many, sample};

const SIZE: (u16, u16) = (100, 40);

fn open(keys: &str) -> Headless {
    let mut headless = headless(sample(), SIZE, None);
    headless.keys(PAIR).keys(keys);
    headless
}

/// The line of Why under the cursor.
fn row(headless: &Headless) -> String {
    let text = headless.text();
    text.lines().rev().find(|line| line.contains('▌')).expect("a row under the cursor").to_owned()
}

/// Goes down in Why to the first row that says this.
fn go(headless: &mut Headless, wanted: &str) {
    headless.keys("g");
    for _ in 0..80 {
        if row(headless).contains(wanted) {
            return;
        }
        headless.keys("j");
    }
    panic!("no row says “{wanted}”:\n{}", headless.text());
}

/// The numbers that rows of Why begin with, by what they say.
fn share(text: &str, name: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.contains(name) && line.contains('━'))?;
    line.split_whitespace().find_map(|word| word.parse().ok())
}

/// The letters that are highlighted as a search result or as evidence.
fn highlighted(headless: &Headless) -> String {
    let marked = |cell: &&ratatui::buffer::Cell| cell.modifier.contains(Modifier::BOLD | Modifier::REVERSED);
    headless.buffer().content.iter().filter(marked).map(|cell| cell.symbol()).collect()
}

fn last(headless: &Headless, from_end: usize) -> String {
    let text = headless.text();
    text.lines().rev().nth(from_end - 1).unwrap_or_default().to_owned()
}

#[test]
fn the_waterfall_adds_up_to_the_jaccard() {
    let text = open("w +").text();
    let head = text.lines().find(|line| line.contains("Jaccard ") && line.contains("(n = ")).unwrap();
    let jaccard: f64 = head.split_whitespace().find_map(|word| word.parse().ok()).unwrap();
    let shared: f64 = ["content:", "boilerplate:", "shared outside"].iter().filter_map(|name| share(&text, name)).sum();
    assert!((shared - jaccard).abs() < 0.002, "{shared} is not {jaccard}:\n{text}");
    let only: f64 = ["only in A", "only in B"].iter().filter_map(|name| share(&text, name)).sum();
    assert!((shared + only - 1.0).abs() < 0.003, "{text}");
    assert!(text.contains("of the content alone the Jaccard is 0."), "{text}");
}

#[test]
fn what_if_there_and_back() {
    let mut headless = open("w");
    let before = headless.text();
    go(&mut headless, "content:");
    headless.keys("x");
    let text = headless.text();
    assert!(text.contains("OFF content") && text.contains(" → ") && text.contains("without "), "{text}");
    let scores = |text: &str| text.lines().find(|line| line.contains(" match  ")).unwrap_or_default().to_owned();
    assert!(scores(&text).contains(" off  ") && !scores(&before).contains(" off  "), "{text}");
    assert_ne!(scores(&text), scores(&before), "the scores above are those of the texts that are left");
    headless.keys("x g");
    assert_eq!(headless.text(), before, "all of it is there again");
}

/// The reasons beside the verdicts are those of the texts that are left, and all names stand in one column.
#[test]
fn what_if_gives_the_reasons_of_the_new_verdicts() {
    let mut headless = open("w +");
    go(&mut headless, "content:");
    let before = headless.text();
    headless.keys("x");
    let text = headless.text();
    assert!(text.contains("✓ → ✗ decomposition "), "{text}");
    let parts = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned();
        let (signs, reason) = line.split_once(name).unwrap_or_default();
        (signs.chars().count(), reason.to_owned())
    };
    assert_ne!(parts(&text, "decomposition ").1, parts(&before, "decomposition ").1, "{text}");
    assert_eq!(parts(&text, "decomposition ").0, parts(&text, "simhash-2 ").0, "{text}");
}

/// Only the newest answer counts, and none once all is switched on again.
#[test]
fn late_answers_to_what_if_are_dropped() {
    let mut slow = Slow::open(sample(), Home::ID);
    slow.settle();
    slow.send(char('3')).settle();
    slow.send(key(KeyCode::Enter)).settle();
    slow.send(char('w')).settle();
    slow.send(char('j')).send(char('x')).send(char('x'));
    let text = slow.text();
    assert!(!text.contains("OFF"), "{text}");
    let mut wishes: Vec<Effect> = slow.wishes.drain(..).collect();
    assert_eq!(wishes.len(), 1, "{wishes:?}");
    let answer = slow.perform(wishes.remove(0)).unwrap();
    slow.send(Event::Done(answer));
    assert_eq!(slow.text(), text);
    slow.send(char('x'));
    assert!(slow.text().contains("→ …"), "{}", slow.text());
    slow.settle();
    assert!(!slow.text().contains("→ …") && slow.text().contains("OFF"), "{}", slow.text());
}

#[test]
fn nothing_is_labelled_in_why() {
    let study = copy(sample());
    let mut headless = headless(study.path(), SIZE, Some("ann"));
    headless.keys(PAIR).keys("w a");
    assert!(last(&headless, 2).contains("Label keys are off while Why is open"), "{}", last(&headless, 2));
    headless.keys("i x x j x");
    assert_eq!(study.labels("ann"), 0);
    headless.keys("tab a");
    assert_eq!(study.labels("ann"), 0, "the texts have the keys, but Why is still there");
    let keys = last(&headless, 1);
    assert!(keys.contains("close why") && !keys.contains("near-duplicate"), "keys that are off: {keys}");
    headless.keys("tab q");
    assert_eq!(headless.app.shared.screen, Compare::ID, "back closes Why first");
    headless.keys("a");
    assert_eq!(study.labels("ann"), 1, "now it labels");
    headless.keys("q");
    assert_eq!(headless.app.shared.screen, Pairs::ID);
}

#[test]
fn evidence_leads_to_its_place_in_both_texts() {
    let mut headless = open("w");
    go(&mut headless, "content:");
    headless.keys("right j enter");
    assert!(row(&headless).contains('“'), "{}", row(&headless));
    let quote: String = row(&headless).split('“').nth(1).unwrap().chars().take(20).collect();
    assert!(highlighted(&headless).contains(&quote), "{quote} is marked:\n{}", headless.styled());
    // From the rendered page it leads to the text that was compared.
    headless.keys("r enter");
    assert!(highlighted(&headless).contains(&quote), "{}", headless.text());
    assert!(!headless.text().contains("html2text"));
}

#[test]
fn the_tree_folds_and_explains_one_configuration_at_a_time() {
    let mut headless = open("w +");
    go(&mut headless, "simhash-3+5");
    headless.keys("right");
    assert!(headless.text().contains("bits differ"), "{}", headless.text());
    go(&mut headless, "the 64 bits");
    headless.keys("enter");
    let text = headless.text();
    assert!(text.contains("margin  ") && text.contains("differ  "), "{text}");
    go(&mut headless, "simhash-3+5");
    headless.keys("left");
    assert!(!headless.text().contains("margin  "));
    go(&mut headless, "megashingles");
    headless.keys("right");
    go(&mut headless, "with probability");
    headless.keys("right");
    assert!(headless.text().contains('▲'), "the place on the curve:\n{}", headless.text());
    go(&mut headless, "edit ratio:");
    headless.keys("enter");
    assert!(headless.text().contains("edit ratio: words 0."), "{}", headless.text());
}

#[test]
fn the_next_pair_is_explained_too() {
    let mut headless = headless(sample(), SIZE, None);
    headless.keys("3 enter w +");
    let before = headless.text();
    headless.keys("J");
    let text = headless.text();
    assert!(text.contains("what the score is made of") && text != before, "{text}");
}

#[test]
fn blinking_changes_the_text_and_not_the_place() {
    let mut headless = open("z");
    let one = headless.text();
    assert!(one.contains("A alone"), "{one}");
    headless.keys("z");
    let other = headless.text();
    assert_ne!(one, other);
    let equal = |text: &str| {
        let rows = text.lines().enumerate().skip(5).filter(|(_, line)| line.starts_with("│    "));
        rows.map(|(y, line)| (y, line.to_owned())).collect::<Vec<_>>()
    };
    assert!(!equal(&one).is_empty());
    assert_eq!(equal(&one), equal(&other), "what is equal stays where it is");
    headless.keys("z");
    assert_eq!(headless.text(), one);
    headless.keys("j");
    assert!(!headless.text().contains(" alone"), "any other key shows both sides again:\n{}", headless.text());
    headless.keys("z J");
    assert!(!headless.text().contains(" alone"), "so does the next pair");
}

#[test]
fn sides_scroll_apart_and_come_together() {
    let mut headless = open("o =");
    let column = |headless: &Headless, right: bool| -> Vec<String> {
        let half = |line: &str| line.split('│').nth(1 + usize::from(right)).unwrap_or_default().to_owned();
        headless.text().lines().filter(|line| line.starts_with('│')).map(half).collect()
    };
    let (left, right) = (column(&headless, false), column(&headless, true));
    headless.keys("j j");
    assert_ne!(column(&headless, false), left);
    assert_eq!(column(&headless, true), right, "only A moves");
    headless.keys("tab j j j");
    assert_ne!(column(&headless, true), right);
    headless.keys("=");
    assert!(!headless.text().contains("scrolls alone"));
}

#[test]
fn only_differences_and_all_again() {
    let mut headless = open("o o");
    let numbered = |line: &&str| line.starts_with("│ ") && line.chars().take(7).any(|c| c.is_ascii_digit());
    let equal = |text: &str| text.lines().skip(5).filter(numbered).count();
    assert!(headless.text().contains("only differences"), "{}", headless.text());
    assert_eq!(equal(&headless.text()), 0, "{}", headless.text());
    headless.keys("o");
    assert!(equal(&headless.text()) > 0);
}

#[test]
fn results_are_counted_in_both_texts() {
    let mut headless = open("/ \"the\" enter");
    let text = headless.text();
    assert!(text.contains("result 1/") && text.contains(" in A, ") && text.contains(" in B"), "{text}");
    headless.keys("n");
    assert!(!headless.text().contains("result 1/"), "{}", headless.text());
    headless.keys("N");
    assert!(headless.text().contains("result 1/"), "{}", headless.text());
    headless.keys("/ \"nowhere-at-all\" enter");
    assert!(last(&headless, 2).contains("is in neither text"), "{}", last(&headless, 2));
    headless.keys("g *");
    assert!(headless.text().contains("result "), "the word that differs:\n{}", headless.text());
}

#[test]
fn sides_forms_and_facts() {
    let mut headless = open("");
    let plain = headless.text();
    headless.keys("s");
    let swapped = headless.text();
    let first = |text: &str| text.lines().find(|line| line.starts_with('│')).unwrap_or_default().to_owned();
    assert!(first(&plain).starts_with("│-") && first(&swapped).starts_with("│+"), "{swapped}");
    headless.keys("s r r");
    assert!(headless.text().contains("<title>") || headless.text().contains("<html"), "{}", headless.text());
    headless.keys("r");
    assert_eq!(headless.text(), plain);
    headless.keys("m");
    let text = headless.text();
    for wanted in ["URL", "crawled", "charset", "segment", "judged", "grade "] {
        assert!(text.contains(wanted), "{wanted} in\n{text}");
    }
    headless.keys("esc");
    assert_eq!(headless.text(), plain);
}

#[test]
fn shared_runs_one_after_the_other() {
    let mut headless = open("o");
    let before = headless.text();
    headless.keys("}");
    let next = headless.text();
    assert_ne!(before, next);
    headless.keys("} {");
    assert_eq!(headless.text(), next);
}

#[test]
fn zoom_gives_the_texts_and_why_more_room() {
    let mut headless = open("+");
    let shows = |headless: &Headless, words: &str| headless.text().contains(words);
    assert!(!shows(&headless, " match  ") && shows(&headless, " Texts "), "without the header:\n{}", headless.text());
    headless.keys("w");
    assert!(!shows(&headless, " Texts ") && shows(&headless, " Why "), "Why alone:\n{}", headless.text());
    headless.keys("tab");
    assert!(shows(&headless, " Texts ") && !shows(&headless, " Why "), "the texts alone:\n{}", headless.text());
    headless.keys("_");
    assert!([" match  ", " Texts ", " Why "].iter().all(|words| shows(&headless, words)), "{}", headless.text());
}

#[test]
fn every_configuration_has_its_answer_at_eighty_columns() {
    let mut headless = headless(many(), (80, 24), None);
    let text = headless.keys("3 & \"agreement>3_&_agreement<20\" enter enter").text();
    let all = super::support::MANY.len();
    assert!(text.contains(&format!(" of {all} match")), "{text}");
    // About says what each of them says.
    let mut seen = std::collections::BTreeSet::new();
    headless.keys("m +");
    for _ in 0..20 {
        let text = headless.text();
        let rows = text.lines().filter(|line| line.contains(['✓', '✗']));
        seen.extend(rows.map(|line| line.split_whitespace().next().unwrap_or_default().to_owned()));
        headless.keys("pgdn");
    }
    assert_eq!(seen.len(), all, "{seen:?}");
}

/// Faces of Compare and Why, and the same of pages that would harm a terminal.
#[test]
fn faces() {
    comparison("compare-why-content", "w j right j enter")
        .abbreviates(&["*…”", "SB”"])
        .abbreviates(&BELOW)
        .shows(&["what the score is made of", "“The application and plans may be"])
        .check();
    Scene::new("compare-what-if", format!("{PAIR} w j x"))
        .texts()
        .abbreviates(&SHORT)
        .abbreviates(&BELOW)
        .shows(&["J 0.900 → 0.771 with 8 off", "OFF content: 8 shared runs, 258 words"])
        .large_only(&["A⊂B 0.88", "cosine 0.83 length 0.98"])
        .with_cursor()
        .check();
    let about = &["A source document", "id sample09-en0000-00-00125"];
    Scene::new("compare-about", format!("{PAIR} m")).abbreviates(&SHORT).shows(about).check();
    // An address may be wrapped inside.
    comparison("compare-raw", "r r").abbreviates(&["\"http:*", "*.dtd\">"]).check();
    comparison("compare-blink", "z z").shows(&["B alone · z shows A, any other key both"]).check();
    comparison("compare-apart", "o = j j").apart().check();
    comparison("compare-only", "o o s").shows(&["swapped: B first · only differences"]).check();
}

/// What pages hold that would harm a terminal fits, wide glyphs and all, where there is least room.
#[test]
fn hostile_faces() {
    let scene = |name, keys| Scene::new(name, keys).of(hostile()).pictured_small().abbreviates(&SHORT);
    scene("hostile-compare", "3 enter o").texts().shows(&["wide 漢字とひらがな 한국어", "escape ␛[31mred␛[0m"]).check();
    // Stacked at some sizes, side by side at others.
    scene("hostile-stacked", "3 enter o v pgdn").check();
    scene("hostile-cut", "3 enter o W right").texts().shows(&["とひらがな 한국어"]).check();
    scene("hostile-why", "3 enter w j right")
        .first_text()
        .abbreviates(&BELOW)
        .abbreviates(&["*…”"])
        .shows(&["content: 1 shared run, 10073 words"])
        .check();
    scene("hostile-raw", "3 j enter r r o").first_text().abbreviates(&["<html>*"]).check();
    scene("hostile-about", "3 enter m").shows(&["id old-2", "digest c1a9b455f214a65642994b4ef09b8a93"]).check();
}

#[test]
fn no_face_lets_a_page_reach_the_terminal() {
    for size in [(60, 12), (100, 30)] {
        let mut headless = headless(hostile(), size, None);
        headless.keys("3 enter");
        for keys in [
            "w", "j right", "j enter", "x", "+ +", "_ _", "w", "z", "z", "=", "j tab j", "=", "m", "m", "*", "r r",
            "s", "o", "o",
        ] {
            headless.keys(keys);
            assert_eq!(unsafe_cell(&headless.buffer()), None, "{size:?} after {keys}:\n{}", headless.text());
        }
    }
}

/// While Why is open no key labels, wherever the keys go; what is switched off is said beside every number that follows.
#[test]
fn what_if_is_marked_and_labels_nothing() {
    let study = copy(sample());
    let mut driven = headless(study.path(), (80, 24), Some("ann"));
    driven.keys("3 & \"jaccard<0.8_&_simhash-2\" enter enter w j l j x");
    let text = driven.text();
    assert!(text.contains(" → 0.") && text.contains(" with 1 off"), "{text}");
    driven.keys("tab x");
    assert!(last(&driven, 2).contains("Label keys are off while Why is open"), "{}", last(&driven, 2));
    driven.keys("tab g x");
    assert!(last(&driven, 2).contains("Only shared runs"), "{}", last(&driven, 2));
    driven.keys("w");
    assert!(!driven.text().contains(" off  "), "{}", driven.text());
    driven.keys("x");
    assert!(last(&driven, 2).contains("Saved: not  "), "closed, it labels: {}", last(&driven, 2));
    driven.keys("a");
    assert!(last(&driven, 2).contains("Saved: near-duplicate (was not)"), "{}", last(&driven, 2));
}
