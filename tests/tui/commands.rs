//! The line behind `:`, the help, profiles and themes, as a person meets them.

use std::path::Path;

use crossterm::event::KeyCode;
use dejaview::study::settings::Settings;
use dejaview::tui::action::Action;
use dejaview::tui::contract::Effect;
use dejaview::tui::headless::Headless;
use dejaview::tui::preferences::Preferences;
use dejaview::tui::screens::home::Home;
use dejaview::tui::screens::judgments::Judgments;
use dejaview::tui::screens::keys;
use dejaview::tui::screens::label::Label;
use dejaview::tui::screens::pairs::Pairs;

use super::support::{Slow, char, copy, headless, key, sample, text};

fn open() -> Headless {
    headless(sample(), (100, 30), None)
}

#[test]
fn every_action_can_be_named() {
    let mut driven = open();
    let actions: Vec<Action> = driven.app.shared.keymap.actions().collect();
    for action in actions {
        driven.keys("C-g C-g : \"home\" enter :").keys(&format!("\"{}\"", action.name())).keys("enter");
        let text = driven.text();
        assert!(!text.contains("Unknown command") && !text.contains("Which one"), "{}:\n{text}", action.name());
    }
}

#[test]
fn a_label_cannot_be_named() {
    let mut slow = Slow::labelling(sample());
    for c in ":near-duplicate".chars() {
        slow.send(char(c));
    }
    slow.send(key(KeyCode::Enter)).settle();
    assert_eq!(slow.written.len(), 0);
    assert!(slow.text().contains("Labels can only be given with their keys"), "{}", slow.text());
}

#[test]
fn tab_completes_and_arrows_remember() {
    let mut driven = open();
    driven.keys(": \"judg\"");
    assert!(driven.text().contains("judgments"), "candidates are listed:\n{}", driven.text());
    driven.keys("tab enter");
    assert_eq!(driven.app.shared.screen, Judgments::ID);
    driven.keys(": \"theme_m\" tab");
    assert!(driven.text().contains(": theme mono"), "{}", driven.text());
    driven.keys("enter");
    assert!(!driven.styled().contains("cyan"), "mono has no colours");
    driven.keys(": down tab");
    assert!(driven.text().contains(": judgments"), "the one before the latest:\n{}", driven.text());
    driven.keys("C-u up tab");
    assert!(driven.text().contains(": theme mono"), "{}", driven.text());
    driven.keys("esc");
    assert_eq!(driven.app.shared.screen, Judgments::ID, "Escape leaves the line and nothing else");
}

#[test]
fn help_on_a_key_and_who_says_so() {
    let mut driven = open();
    driven.keys(": \"help_j\" enter");
    assert!(driven.text().contains("j: down (down, built in)"), "{}", driven.text());
    driven.keys(": \"help_quit\" enter");
    assert!(driven.text().contains("quit is on Q"), "{}", driven.text());
    driven.keys(": \"map\" enter");
    assert!(driven.text().contains("All keys") && driven.text().contains("built in"), "{}", driven.text());
}

#[test]
fn the_help_is_narrowed_by_typing() {
    let mut driven = open();
    driven.keys("? \"pal\"");
    let text = driven.text();
    assert!(text.contains("commands and places") && !text.contains("half a page down"), "{text}");
    driven.keys("enter");
    assert!(driven.app.overlays.is_empty());
}

#[test]
fn profiles_change_the_keys_that_decide_and_nothing_is_lost() {
    for (profile, near, undo) in [("dedupe", 'y', 'p'), ("hical", 'r', 'u'), ("digits", '1', 'u')] {
        let mut slow = Slow::labelling(sample());
        for c in format!(":set profile {profile}").chars() {
            slow.send(char(c));
        }
        slow.send(key(KeyCode::Enter)).settle();
        slow.wait(1000).send(char(near)).settle();
        assert_eq!(slow.labels(), 1, "{profile}");
        slow.wait(1000).send(char(undo)).settle();
        assert_eq!(slow.written.len(), 2, "{profile}");
        let bar = slow.text().lines().last().unwrap_or_default().to_owned();
        assert!(bar.contains(&format!("{near} near-duplicate")), "{profile}: {bar}");
    }
}

#[test]
fn digits_do_not_decide_without_the_guard() {
    let parse = |text| Preferences::new(&Settings::parse(Path::new("config.toml"), text), &keys());
    let (preferences, problems) = parse("[keys]\nprofile = \"digits\"\n[input]\nguard = false\n");
    assert_eq!(problems.len(), 1, "{problems:?}");
    let keymap = preferences.keymap(&keys()).0;
    assert_eq!(keymap.resolve(dejaview::tui::key::Key::Char('1'), Label::ID), None);
}

#[test]
fn y_copies_and_says_what() {
    let mut slow = Slow::open(sample(), Home::ID);
    slow.settle();
    slow.send(char('3')).settle();
    let parts = [('a', false, "the id of A"), ('b', false, "the id of B"), ('p', true, "both ids")];
    for (what, separated, said) in parts {
        slow.send(char('y')).send(char(what));
        let copied = slow.wishes.pop_back();
        let Some(Effect::Copy(copied)) = copied else { panic!("{copied:?}") };
        assert_eq!(copied.contains('\t') || copied.contains('␉'), separated, "{copied}");
        assert!(text(&slow.draw()).contains(&format!("Copied {said}. ")));
    }
    // The URL is known to the list, though no text is open.
    slow.send(char('y')).send(char('u'));
    let copied = slow.wishes.pop_back();
    assert!(matches!(&copied, Some(Effect::Copy(url)) if url.contains("://")), "{copied:?}");
}

#[test]
fn y_then_a_on_label_copies_and_does_not_decide() {
    let mut slow = Slow::labelling(sample());
    slow.send(char('y')).send(char('a'));
    assert!(matches!(slow.wishes.pop_back(), Some(Effect::Copy(_))));
    assert_eq!(slow.written.len(), 0);
}

#[test]
fn the_pager_gets_both_texts() {
    let mut slow = Slow::labelling(sample());
    slow.send(char('|'));
    let Some(Effect::Page(page)) = slow.wishes.pop_back() else { panic!() };
    assert!(page.starts_with("--- ") && page.contains("\n+++ "), "{page:.200}");
    assert!(page.lines().skip(2).all(|line| line.starts_with([' ', '-', '+'])));
}

#[test]
fn the_wheel_scrolls() {
    let mut slow = Slow::open(sample(), Home::ID);
    slow.settle();
    slow.send(char('3')).settle();
    slow.send(dejaview::tui::event::Event::Scroll(true)).settle();
    assert_eq!(slow.app.screens.get::<Pairs>().cursor.at, 3);
    slow.send(dejaview::tui::event::Event::Scroll(false)).settle();
    assert_eq!(slow.app.screens.get::<Pairs>().cursor.at, 0);
}

#[test]
fn a_file_is_written_whole_and_never_over_another_or_among_those_of_the_study() {
    let study = copy(sample());
    let mut driven = headless(study.path(), (100, 30), Some("ann"));
    driven.keys("3 enter");
    let write = |driven: &mut Headless, name: &str| {
        driven.keys(&format!(": \"write {}\" enter", study.path().join(name).display()));
        driven.app.shared.message.clone().unwrap_or_default()
    };
    let said = write(&mut driven, "texts.txt");
    assert!(said.starts_with("Wrote "), "{said}");
    let text = std::fs::read(study.path().join("texts.txt")).unwrap();
    let said = write(&mut driven, "texts.txt");
    assert!(said.contains("there is such a file already"), "{said}");
    assert_eq!(std::fs::read(study.path().join("texts.txt")).unwrap(), text);
    for own in ["labels/new.jsonl", "samples/new.jsonl", ".dejaview/new"] {
        let said = write(&mut driven, own);
        assert!(said.contains("was not written") && !study.path().join(own).exists(), "{own}: {said}");
    }
}

#[test]
fn a_misspelled_command_is_offered_before_a_search() {
    let mut driven = open();
    let text = driven.keys("8 : \"tuor\"").text();
    assert!(text.contains("tour") && text.contains("did you mean this?"), "{text}");
    driven.keys("enter");
    assert!(driven.app.shared.tour.is_some() && driven.app.shared.screen == Home::ID, "{}", driven.text());
    let text = driven.keys(": \"harbour\"").text();
    assert!(!text.contains("did you mean this?"), "{text}");
}
