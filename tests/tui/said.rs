//! What is said and shown must be true: messages, the keys at the bottom, what was written.

use crossterm::event::KeyCode;
use dejaview::labels::EventKind;
use dejaview::study::{AgreementOn, Snapshot};
use dejaview::tui::event::Event;
use dejaview::tui::headless::Headless;
use dejaview::tui::screens::compare::Compare;
use dejaview::tui::screens::corpus::Corpus;
use dejaview::tui::screens::keys;
use dejaview::tui::screens::label::Label;

use super::screens::PAIR;
use super::support::{Copy, copy, disputed, headless, hostile, key, many, position, sample};

fn line(headless: &Headless, from_end: usize) -> String {
    headless.text().lines().rev().nth(from_end - 1).unwrap_or_default().to_owned()
}

/// Events in the journal of `ann` that are of a kind.
fn written(study: &Copy, of: impl Fn(&EventKind) -> bool) -> usize {
    study.reading("ann").events.iter().filter(|event| of(&event.kind)).count()
}

#[test]
fn a_peek_at_a_decided_pair_is_none() {
    let study = copy(sample());
    let mut driven = headless(study.path(), (100, 30), Some("ann"));
    driven.keys("5 a u C-r");
    assert!(driven.text().contains("Decided: near-duplicate · Jaccard "), "{}", driven.text());
    driven.keys(": \"peek\" enter");
    assert!(line(&driven, 2).contains("shown already"), "{}", line(&driven, 2));
    assert_eq!(written(&study, |what| *what == EventKind::Peek), 0);
    // Who decides anew has seen the scores.
    driven.keys("x");
    let last = study.reading("ann").events.pop().unwrap();
    assert_eq!(
        (last.circumstances.peeked, last.kind.clone()),
        (Some(true), EventKind::Label(dejaview::labels::Label::Not))
    );
}

#[test]
fn after_a_peek_scores_and_why_are_shown() {
    let study = copy(sample());
    let mut driven = headless(study.path(), (80, 24), Some("ann"));
    driven.keys("5 w");
    let said = driven.text().lines().rev().take(4).collect::<Vec<_>>().concat();
    assert!(said.contains("hidden until you decide") && said.contains("recorded"), "{said}");
    assert!(driven.text().contains("Scores are hidden until you decide"), "{}", driven.text());
    driven.keys(": \"peek\" enter");
    assert!(driven.text().contains("Undecided · Jaccard "), "{}", driven.text());
    let ids = driven.app.screens.get::<Label>().pane.ids.clone();
    driven.keys("w");
    assert_eq!((driven.app.shared.screen, &driven.app.screens.get::<Compare>().pane.ids), (Compare::ID, &ids));
    assert!(driven.text().contains("what the score is made of"), "{}", driven.text());
    // Coming back, and from the next pair too, they are still there and nothing more is recorded.
    driven.keys("q q J K : \"peek\" enter");
    assert!(driven.text().contains("Undecided · Jaccard "), "{}", driven.text());
    assert_eq!(written(&study, |what| *what == EventKind::Peek), 1);
    driven.keys("J");
    assert!(driven.text().contains("Scores are hidden until you decide"), "of that pair alone:\n{}", driven.text());
}

#[test]
fn while_one_types_the_bar_shows_the_keys_of_the_line() {
    for (keys, more) in [("5 c", "C-j"), ("3 &", "Tab"), ("3 d", "C-u"), ("3 /", "C-u"), ("5 /", "C-u"), ("5 :", "Tab")]
    {
        let mut driven = headless(sample(), (80, 24), None);
        driven.keys(keys);
        let bar = line(&driven, 1);
        assert!(bar.contains("Enter ") && bar.contains("Esc closes") && bar.contains(more), "{keys}: {bar}");
        assert!(!bar.contains("near-duplicate") && !bar.contains("? help"), "{keys}: {bar}");
        driven.keys("C-g");
        assert!(line(&driven, 1).contains("? help"), "{keys}: {}", line(&driven, 1));
    }
    for (keys, wanted) in
        [("5 H", "q closes"), ("5 y", "b id of B (target)"), ("5 ?", "q closes"), ("5 r", "Enter chooses")]
    {
        let mut driven = headless(sample(), (80, 24), None);
        driven.keys(keys);
        assert!(line(&driven, 1).contains(wanted), "{keys}: {}", line(&driven, 1));
    }
}

#[test]
fn guidelines_are_read_not_deciphered() {
    let mut driven = headless(sample(), (80, 24), None);
    driven.keys("5 H");
    let mut pages = String::new();
    for _ in 0..6 {
        pages.push_str(&driven.text());
        driven.keys("space");
    }
    assert!(
        !pages.contains('*') && !pages.contains("| ") && !pages.contains("|--") && !pages.contains("# "),
        "{pages}"
    );
    let column = |row: &str, word: &str| {
        let line = pages.lines().find(|line| line.contains(row)).unwrap_or_else(|| panic!("{row} in\n{pages}"));
        line.find(word).unwrap_or_else(|| panic!("{word} in {line}"))
    };
    let label = column("you see", "label");
    assert_eq!(column("the same text, at the same address", "near-duplicate"), label, "{pages}");
    assert_eq!(column("the same recipe for twice", "near-duplicate"), label, "{pages}");
}

#[test]
fn a_key_without_meaning_is_named_and_the_keys_that_decide_are_those_of_the_profile() {
    for (profile, key, wanted) in [
        ("prodigy", "m", "m does nothing here. a x i decide"),
        ("prodigy", "7", "7 does nothing here. a x i decide"),
        ("digits", "5", "5 does nothing here. 1 2 3 decide"),
        ("dedupe", "5", "5 does nothing here. y n u decide"),
        ("hical", "M", "M does nothing here. r s i decide"),
    ] {
        let mut driven = headless(sample(), (100, 30), None);
        driven.keys(&format!("5 : \"set_profile_{profile}\" enter {key}"));
        let text = driven.text();
        assert!(text.contains(wanted) && !text.contains("digits do nothing"), "{profile}: {text}");
    }
}

#[test]
fn messages_name_the_keys_of_the_profile() {
    let study = copy(sample());
    let profiles = [("prodigy", "a", "u", Some("i")), ("dedupe", "y", "p", None), ("hical", "r", "u", Some("i"))];
    for (profile, near, undo, hint) in profiles.into_iter().chain([("digits", "1", "u", Some("3"))]) {
        let mut driven = headless(study.path(), (100, 30), None);
        driven.keys(&format!("5 : \"set_profile_{profile}\" enter {near} {undo}"));
        let said = line(&driven, 2);
        assert!(said.contains("Undone: “near-duplicate”"), "{profile}: {said}");
        let unsure = hint.map(|key| format!("({key} is unsure)"));
        assert_eq!(said.contains("is unsure"), unsure.is_some(), "{profile}: {said}");
        assert!(unsure.is_none_or(|unsure| said.contains(&unsure)), "{profile}: {said}");
        driven.keys(": \"calibrate\" enter");
        let asked = driven.text();
        assert!(asked.contains(&format!("{near} near-duplicate · ")), "{profile}: {asked}");
    }
}

#[test]
fn lines_of_the_end_card_stay_behind_their_names() {
    for size in [(80, 24), (100, 30)] {
        let study = copy(sample());
        let mut driven = headless(study.path(), size, Some("ann"));
        driven.keys(&format!("5 {} a", "a x i a ".repeat(26)));
        let text = driven.text();
        let card: Vec<&str> = text.lines().filter(|line| line.contains('│')).collect();
        let precision = card.iter().position(|line| line.contains("Precision by all annotators' labels"));
        let first = card[precision.unwrap_or_else(|| panic!("{text}")) + 1];
        assert!(first.contains("simhash-2 ") && first.contains('●') && first.contains('├'), "{text}");
        assert!(card.iter().all(|line| !line.contains('…')), "nothing is cut:\n{text}");
        assert!(text.contains("points") && text.contains("q leave"), "the whole card is there:\n{text}");
    }
}

#[test]
fn the_end_card_says_how_far_two_annotators_agree_and_on_what() {
    let study = copy(sample());
    let mut driven = headless(study.path(), (80, 24), Some("ann"));
    driven.keys(&format!("5 {} a", "a x i a ".repeat(26)));
    assert!(!driven.text().contains("sample default:"), "{}", driven.text());
    let mut driven = headless(study.path(), (80, 24), Some("bob"));
    driven.keys(&format!("5 {} a", "a x i x ".repeat(26)));
    let text = driven.text();
    let snapshot = Snapshot::open(study.path()).unwrap();
    let found = dejaview::study::agreement(&snapshot, AgreementOn::Sample("default")).unwrap().pool;
    let said = format!("sample default: {} of {} pairs", found.unanimous, found.pairs);
    assert!(found.pairs == 100 && text.contains(&said), "{said}:\n{text}");
    assert!(text.contains("Precision") && text.contains("q leave"), "the whole card is there:\n{text}");
}

#[test]
fn swapped_sides_say_so_and_their_heads_follow() {
    let mut driven = headless(sample(), (100, 30), None);
    driven.keys(PAIR);
    let plain = driven.text();
    let head = |text: &str| -> Vec<String> { text.lines().skip(1).take(2).map(str::to_owned).collect() };
    let first = |text: &str| text.lines().find(|line| line.starts_with('│')).unwrap_or_default().to_owned();
    assert!(head(&plain)[0].starts_with("A ") && first(&plain).starts_with("│-"), "{plain}");
    driven.keys("s");
    let swapped = driven.text();
    assert_eq!(head(&swapped), [head(&plain)[1].clone(), head(&plain)[0].clone()], "{swapped}");
    assert!(first(&swapped).starts_with("│+") && first(&swapped).contains("│-"), "{swapped}");
    assert!(swapped.contains("swapped: B first"), "{swapped}");
    driven.keys("s");
    assert_eq!(driven.text(), plain);
}

#[test]
fn a_note_on_compare_is_shown_with_its_state() {
    let study = copy(sample());
    let mut driven = headless(study.path(), (80, 24), Some("ann"));
    driven.keys(PAIR).keys("c \"hi_there\" enter");
    assert!(driven.text().contains("note: hi there  ·"), "{}", driven.text());
    driven.keys("c enter");
    assert_eq!(written(&study, |what| matches!(what, EventKind::Note(_))), 1, "the same note is not written again");
    driven.keys("f");
    assert!(driven.text().contains("note: hi there  flagged  · no label"), "{}", driven.text());
    // Until the disk has it.
    let mut unsaved = headless(study.path(), (80, 24), Some("ben"));
    unsaved.keys(PAIR).keys("c \"hi\"").send(key(KeyCode::Enter));
    assert!(unsaved.text().contains("note: hi  saving…  · no label"), "{}", unsaved.text());
    unsaved.settle();
    assert!(unsaved.text().contains("note: hi  · no label"), "{}", unsaved.text());
}

#[test]
fn the_same_label_twice_is_one_event_and_one_undo() {
    let study = copy(sample());
    let mut driven = headless(study.path(), (100, 30), Some("ann"));
    driven.keys(PAIR).keys("a a");
    assert!(line(&driven, 2).contains("Already near-duplicate"), "{}", line(&driven, 2));
    assert_eq!(written(&study, |what| matches!(what, EventKind::Label(_))), 1);
    assert!(driven.text().contains("● near-duplicate"), "{}", driven.text());
    driven.keys("u");
    assert!(!driven.text().contains("● near-duplicate"), "{}", driven.text());
    assert_eq!(study.labels("ann"), 0);
    driven.keys("x a u");
    assert!(driven.text().contains("○ not"), "{}", driven.text());
    // On Label it goes on all the same.
    driven.keys("5 a u C-r a");
    assert!(driven.text().contains("pair 2 "), "{}", driven.text());
    assert!(!driven.text().contains("already"), "{}", driven.text());
    assert_eq!(study.labels("ann"), 2);
}

/// All results are counted, also those that are not listed, and Escape ends the search before it leaves.
#[test]
fn a_search_says_what_it_found_and_where() {
    let mut driven = headless(sample(), (120, 40), None);
    driven.keys("9 / \"the\" enter G");
    let text = driven.text();
    for wanted in ["500/991 · both sides", "the best 500", "of 1,058 kept documents"] {
        assert!(text.contains(wanted), "{wanted}:\n{text}");
    }
    driven.keys("/ C-u \"lens_keeper\" enter");
    assert!(driven.text().contains("1/14 · both sides"), "{}", driven.text());
    assert!(driven.text().contains("best first"), "{}", driven.text());
    driven.keys("enter esc");
    assert!(driven.text().contains("/ lens keeper"), "from the text to the list:\n{}", driven.text());
    driven.keys("esc");
    assert_eq!(driven.app.shared.screen, Corpus::ID);
    assert_eq!(position(&driven), Some((1, 1058)), "{}", driven.text());
    driven.keys("esc");
    assert_ne!(driven.app.shared.screen, Corpus::ID);
}

/// On Compare only what was decided on the pair at hand is taken back.
#[test]
fn undo_on_compare_is_of_the_pair_at_hand() {
    let study = copy(sample());
    let mut driven = headless(study.path(), (100, 30), Some("ann"));
    driven.keys("3 enter a J u");
    assert!(line(&driven, 2).contains("You have not decided this pair. On Label"), "{}", line(&driven, 2));
    assert_eq!(study.labels("ann"), 1);
    driven.keys("K u");
    assert!(line(&driven, 2).contains("Undone: “near-duplicate” of “"), "{}", line(&driven, 2));
    assert_eq!(study.labels("ann"), 0);
    driven.keys("C-r");
    assert_eq!(study.labels("ann"), 1);
}

#[test]
fn settling_a_case_twice_alike_is_one_event() {
    let study = copy(disputed());
    let mut driven = headless(study.path(), (100, 30), Some("cat"));
    driven.keys("6 enter x u C-r x");
    assert!(line(&driven, 2).contains("Settled: not"), "{}", line(&driven, 2));
    driven.keys("u");
    assert!(!driven.text().contains("Settled by"), "one undo is enough:\n{}", driven.text());
}

/// Before an adjudicator decides what another has settled, the screen says who that was and that the decision overrides it.
#[test]
fn an_earlier_adjudicator_is_named_before_they_are_overridden() {
    let study = copy(disputed());
    let mut cat = headless(study.path(), (80, 24), Some("cat"));
    cat.keys("6 enter x K");
    assert!(cat.text().contains("Settled by you: not · disagreement"), "{}", cat.text());
    let mut dan = headless(study.path(), (80, 24), Some("dan"));
    dan.keys("6 k enter");
    assert!(dan.text().contains("Settled by cat: not · your decision overrides theirs"), "{}", dan.text());
    dan.keys("a");
    let mut eve = headless(study.path(), (80, 24), Some("eve"));
    eve.keys("6 k enter");
    assert!(eve.text().contains("Settled by dan: near-duplicate · your decision overrides"), "{}", eve.text());
}

#[test]
fn a_long_message_takes_the_lines_it_needs() {
    let mut driven = headless(sample(), (80, 24), None);
    driven.keys("3 enter");
    let before = driven.text();
    driven.keys("y a");
    let text = driven.text();
    assert!(text.contains("Copied the id of A. Nothing pasted?") && text.contains("set-clipboard on"), "{text}");
    let rows: Vec<&str> = text.lines().rev().skip(1).take(2).collect();
    assert!(rows.iter().all(|row| !row.contains('…')), "{rows:?}");
    driven.send(Event::Said("word ".repeat(100)));
    let text = driven.text();
    let rows: Vec<&str> = text.lines().rev().skip(1).take(3).collect();
    assert!(rows.iter().all(|row| row.starts_with("word ")) && rows[0].ends_with('…'), "{text}");
    driven.keys("j k");
    assert_eq!(driven.text(), before, "what it covered comes back");
}

#[test]
fn the_size_that_is_needed_can_be_read() {
    for size in [(20, 6), (30, 10), (12, 5), (59, 12)] {
        let text = headless(sample(), size, None).text().replace('\n', " ");
        assert!(text.contains("60×12") && text.contains("too small") && !text.contains('…'), "{size:?}:\n{text}");
    }
}

/// What is pressed on the way through all screens, a step between two semicolons.
const EVERYWHERE: &str = r#"
    1 ; 2 o j ; 3 s s ; 3 d enter ; 3 & "jacard" enter ; 3 enter ; w ; j right ; j x ; + ; _ w ; m ; m ; s ;
    z ; = j ; = ; / "the" enter ; r ; r ; r ; c "größe" ; enter ; a ; u ; ? ; q ; 5 ; w ; H ; q ; c ; C-g ;
    : "peek" enter ; m ; a ; r ; q ; y a ; : "calibrate" enter ; a ; enter ; x ; q ; q ; 6 ; enter ; x ;
    7 j l ; tab tab l ; [ [ [ j l ; 8 ; tab ; tab ; tab ; t ; 9 ; tab ; tab ; tab ; 0 ; : ; C-g ;
    : "map" enter ; q ;
"#;

/// Where the terminal knows no more than ASCII, nothing else reaches it: neither our own signs nor those of pages.
#[test]
fn ascii_only() {
    for (study, size) in [
        (disputed(), (80, 24)),
        (disputed(), (200, 60)),
        (hostile(), (100, 30)),
        (many(), (80, 24)),
        (sample(), (20, 6)),
    ] {
        let mut driven = headless(study, size, None);
        driven.app.shared.preferences.ascii = true;
        driven.app.shared.preferences.hud = true;
        driven.app.shared.keymap = driven.app.shared.preferences.keymap(&keys()).0;
        for keys in EVERYWHERE.split(';') {
            driven.keys(keys);
            let strange: String = driven.text().chars().filter(|c| !c.is_ascii()).collect();
            assert!(strange.is_empty(), "{keys}: {strange}\n{}", driven.text());
        }
    }
}

#[test]
fn ascii_is_readable() {
    let mut driven = headless(sample(), (80, 24), None);
    driven.app.shared.preferences.ascii = true;
    driven.app.shared.keymap = driven.app.shared.preferences.keymap(&keys()).0;
    assert!(line(&driven, 1).contains("Enter open"), "{}", line(&driven, 1));
    let text = driven.keys(PAIR).text();
    assert!(text.contains("J 0.900 =") && text.contains("4 of 22 match  ..... .. .. ..... ** ..** .."), "{text}");
    assert!(driven.keys("5").text().contains("Bksp undo"), "{}", driven.text());
}

#[test]
fn every_result_in_its_turn() {
    for keys in [PAIR, "5"] {
        let mut driven = headless(sample(), (100, 30), None);
        driven.keys(keys).keys("/ \"the\" enter");
        let said = |driven: &Headless| -> (usize, usize) {
            let text = driven.text();
            let rest = text.split("result ").nth(1).unwrap_or_else(|| panic!("{text}"));
            let (at, all) = rest.split(':').next().and_then(|counts| counts.split_once('/')).unwrap();
            (at.parse().unwrap(), all.parse().unwrap())
        };
        let (_, all) = said(&driven);
        assert!(all > 3, "{keys}");
        for wanted in 1..=all {
            assert_eq!(said(&driven), (wanted, all), "{keys}");
            driven.keys("n");
        }
        assert_eq!(said(&driven), (1, all), "around the end");
        for wanted in (1..=all).rev() {
            driven.keys("N");
            assert_eq!(said(&driven), (wanted, all), "{keys}");
        }
    }
}

#[test]
fn review_says_how_precise_the_sample_is_after_every_decision() {
    let study = copy(disputed());
    let mut review = headless(study.path(), (120, 40), Some("eve"));
    let points = |headless: &Headless| -> String {
        let text = headless.text();
        text.lines().find(|line| line.contains(" points; ")).expect(&text).trim().to_owned()
    };
    review.keys("6");
    let before = points(&review);
    review.keys("enter x x esc");
    let after = points(&review);
    assert_ne!(before, after, "two disputed pairs count now");
    review.keys("1 6");
    assert_eq!(points(&review), after, "as one who comes later sees it");
}
