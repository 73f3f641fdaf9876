//! No label, flag, note or adjudication is written of texts that are not on the screen, or that no frame has shown: not by
//! their keys, by their names or by the editor, whatever covers the texts, and however soon the keys come.

use crossterm::event::KeyCode;
use dejaview::tui::event::Event;
use dejaview::tui::headless::Headless;
use dejaview::tui::screens::compare::Compare;
use dejaview::tui::screens::home::Home;

use crate::support::{Copy, Slow, char, copy, disputed, headless, key, sample};

const SIZES: [(u16, u16); 3] = [(80, 24), (100, 30), (160, 45)];

fn message(explorer: &Headless) -> String {
    explorer.app.shared.message.clone().unwrap_or_default()
}

/// What writes of the pair on the screen: keys, and the names of what they do.
const WRITING: [&str; 8] = ["a", "x", "i", "f", "c", "e", ": \"flag\" enter", ": \"note\" enter"];

/// Asks in every way that something be written; nothing is, and why is said.
fn writes_nothing(explorer: &mut Headless, study: &Copy, keys: &[&str], why: &str) {
    let before = study.reading("ann").events.len();
    for keys in keys {
        explorer.keys(keys);
        assert!(message(explorer).contains(why), "{keys}: {}\n{}", message(explorer), explorer.text());
        assert!(explorer.app.overlays.is_empty(), "{keys}: {}", explorer.text());
    }
    explorer.send(Event::Edited(Ok("a note".to_owned())));
    explorer.settle();
    assert!(message(explorer).starts_with("Not saved: the pair is not on the screen"), "{}", message(explorer));
    assert_eq!(study.reading("ann").events.len(), before);
}

#[test]
fn nothing_is_written_of_a_pair_behind_about() {
    for size in SIZES {
        let study = copy(sample());
        let mut explorer = headless(study.path(), size, Some("ann"));
        explorer.keys("3 enter m");
        writes_nothing(&mut explorer, &study, &WRITING, "Label keys are off while About covers the texts");
        explorer.keys("J");
        writes_nothing(&mut explorer, &study, &WRITING, "Label keys are off while About covers the texts");
        explorer.keys("m a f");
        assert_eq!(study.reading("ann").events.len(), 2, "{}", explorer.text());
    }
}

#[test]
fn nothing_is_written_of_a_pair_behind_a_why_that_has_the_screen_to_itself() {
    for size in SIZES {
        let study = copy(sample());
        let mut explorer = headless(study.path(), size, Some("ann"));
        explorer.keys("3 enter w +");
        writes_nothing(
            &mut explorer,
            &study,
            &WRITING[3..],
            "Label keys are off while Why covers the texts. Press _ to",
        );
        explorer.keys("_ f");
        assert_eq!(study.reading("ann").events.len(), 1, "beside Why both texts can be read: {}", explorer.text());
        explorer.keys("w a");
        assert_eq!(study.labels("ann"), 1, "{}", explorer.text());
    }
}

/// A pair that loads behind something has not been seen when that is closed: the keys that come with the one that closes it
/// write nothing.
#[test]
fn texts_count_as_seen_once_a_frame_has_shown_them() {
    for (cover, uncover) in [("m", "m"), ("m", "q"), ("w+", "_w"), ("w+", "qqq")] {
        let mut slow = Slow::open(sample(), Home::ID);
        slow.settle();
        slow.send(char('3')).settle();
        slow.send(key(KeyCode::Enter)).settle();
        for c in cover.chars() {
            slow.wait(500).send(char(c)).settle();
        }
        slow.wait(500).send(char('J')).settle();
        slow.wait(500);
        for c in uncover.chars().chain("axifc".chars()) {
            slow.send(char(c));
        }
        for c in "note".chars() {
            slow.send(char(c));
        }
        slow.send(key(KeyCode::Enter));
        assert!(slow.written.is_empty(), "{cover} {uncover}: {:?}", slow.written);
        assert_eq!(slow.app.shared.screen, Compare::ID);
        slow.settle();
        slow.wait(119).send(char('a'));
        assert!(slow.written.is_empty(), "{cover} {uncover}: too fast");
        slow.draw();
        slow.wait(120).send(char('a'));
        assert_eq!(slow.labels(), 1, "{cover} {uncover}: {}", slow.text());
    }
}

/// A note may be opened before its pair is there; it is written when both texts were to be read beside it.
#[test]
fn a_note_is_written_once_its_texts_were_to_be_read_beside_it() {
    for is_drawn in [false, true] {
        let mut slow = Slow::open(sample(), Home::ID);
        slow.settle();
        slow.send(char('3')).settle();
        slow.send(key(KeyCode::Enter)).settle();
        slow.wait(500).send(char('J')).send(char('c')).send(char('n'));
        while !slow.wishes.is_empty() {
            slow.answer();
        }
        if is_drawn {
            slow.draw();
        }
        slow.wait(500).send(key(KeyCode::Enter));
        assert_eq!(slow.written.len(), usize::from(is_drawn), "{:?}", slow.written);
    }
}

/// The terminal was made larger while the person's editor had it, and no frame has been drawn since: the note is of texts that had
/// been shown. One that was begun before its texts were shown is not.
#[test]
fn a_note_of_the_editor_is_saved_though_the_terminal_was_resized_meanwhile() {
    for is_shown in [true, false] {
        let mut slow = Slow::labelling(sample());
        if is_shown {
            slow.draw();
        } else {
            slow.send(Event::Resize(90, 30));
        }
        slow.wait(500).send(char('e')).send(Event::Resize(120, 40)).send(Event::Edited(Ok("a note".to_owned())));
        assert_eq!(slow.written.len(), usize::from(is_shown), "{:?}", slow.written);
    }
}

/// The terminal has become so small that nothing but this is said, and the news of it is still to come.
#[test]
fn nothing_is_written_on_a_terminal_that_is_too_small() {
    let mut slow = Slow::labelling(sample());
    slow.app.shared.size = (50, 10);
    slow.draw();
    slow.wait(500).send(char('a')).send(char('f'));
    assert!(slow.written.is_empty(), "{:?}", slow.written);
    slow.app.shared.size = (100, 30);
    slow.draw();
    slow.wait(500).send(char('a'));
    assert_eq!(slow.labels(), 1);
}

#[test]
fn no_case_is_settled_while_its_texts_are_covered_or_have_no_room() {
    let study = copy(disputed());
    let settled = || study.reading("adjudication.eve").events.len();
    let mut explorer = headless(study.path(), (100, 12), Some("eve"));
    explorer.keys("6 enter a");
    assert_eq!(message(&explorer), "Not saved: the texts are not on the screen", "{}", explorer.text());
    assert_eq!(settled(), 0);
    explorer.keys("+ a");
    assert_eq!(settled(), 1, "{}", explorer.text());
    drop(explorer);

    let mut explorer = headless(study.path(), (160, 45), Some("eve"));
    explorer.keys("6 ] ] ] enter w a x i");
    assert!(
        message(&explorer).starts_with("Label keys are off while the contradiction is shown"),
        "{}",
        explorer.text()
    );
    assert_eq!(settled(), 1);
    explorer.keys("w i");
    assert_eq!(settled(), 2, "{}", explorer.text());
}
