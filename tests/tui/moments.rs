//! Bad moments, made exactly: answers that come late, keys that nobody typed, sizes that changed unseen.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use dejaview::labels::{Event as Entry, EventKind, Label, Reading, line};
use dejaview::tui::contract::{Effect, Job, Slot, Started, Ticket};
use dejaview::tui::event::Event;
use dejaview::tui::kept::Kept;
use dejaview::tui::pane::ReadPair;
use dejaview::tui::screens::compare::Compare;
use dejaview::tui::screens::home::Home;
use dejaview::tui::screens::judgments::Judgments;
use dejaview::tui::screens::label::{Label as LabelScreen, ReadSample};
use dejaview::tui::screens::log::Log;
use dejaview::tui::screens::methods::{Measure, Methods};
use dejaview::tui::screens::pairs::Pairs;
use dejaview::tui::screens::pairs::opening::{ReadFirstPairs, ReadStudy};
use dejaview::tui::view;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::support::{Slow, char, copy, key, sample, screens};

fn on_label(event: &Entry) -> bool {
    matches!(event.kind, EventKind::Label(_))
}

/// The pair of a wish for two documents.
fn pair(wish: &Effect) -> Option<(String, String)> {
    let Effect::Run(job) = wish else { return None };
    let compare = job.job::<ReadPair<Compare>>().map(|job| &job.wanted);
    let wanted = compare.or(job.job::<ReadPair<LabelScreen>>().map(|job| &job.wanted))?;
    Some((wanted.ids.source.clone(), wanted.ids.target.clone()))
}

/// Whether a wish is for a job of a type.
fn is<J: Job>(wish: &Effect) -> bool {
    matches!(wish, Effect::Run(job) if job.job::<J>().is_some())
}

/// The documents on Label are those that are labelled, whatever was asked for on Compare just before.
#[test]
fn a_late_answer_for_compare_is_not_shown_on_label() {
    let mut slow = Slow::open(sample(), Home::ID);
    slow.settle();
    slow.send(char('3')).settle();
    slow.wait(50).send(key(KeyCode::Enter));
    let late = slow.wishes.pop_front().unwrap();
    let (source, target) = pair(&late).unwrap();
    // Off to Label before the answer is there.
    slow.wait(50).send(char('5'));
    slow.answer();
    let own = slow.wishes.back().and_then(pair).unwrap();
    assert_ne!(own, (source.clone(), target), "the test needs two different pairs");
    let answer = slow.perform(late).unwrap();
    slow.send(Event::Done(answer));
    if let Some(Ok(open)) = &slow.app.screens.get::<LabelScreen>().pane.open {
        assert_eq!(open.source.id, own.0, "the text of {source} stands on Label under the name of {}", own.0);
    }
    slow.draw();
    slow.wait(500).send(char('a'));
    assert_eq!(slow.labels(), 0, "a label on a pair whose texts were never shown");
}

/// Coming back to Compare shows the pair, though its answer came while one was elsewhere.
#[test]
fn an_answer_for_compare_that_comes_on_another_screen_is_kept() {
    let mut slow = Slow::open(sample(), Home::ID);
    slow.settle();
    slow.send(char('3')).settle();
    slow.send(key(KeyCode::Enter));
    let wish = slow.wishes.pop_front().unwrap();
    slow.send(char('5'));
    let answer = slow.perform(wish).unwrap();
    slow.send(Event::Done(answer));
    slow.settle();
    slow.send(char('q')).settle();
    assert_eq!(slow.app.shared.screen, Compare::ID);
    assert!(!slow.text().contains("Reading…"), "{}", slow.text());
}

#[test]
fn an_answer_for_an_older_pair_is_dropped() {
    let mut slow = Slow::open(sample(), Home::ID);
    slow.settle();
    slow.send(char('3')).settle();
    slow.send(key(KeyCode::Enter)).send(char('J')).send(char('J'));
    let wishes: Vec<Effect> = slow.wishes.drain(..).collect();
    let wanted = wishes.last().and_then(pair).unwrap();
    for wish in wishes.into_iter().rev() {
        let answer = slow.perform(wish).unwrap();
        slow.send(Event::Done(answer));
    }
    let Some(Ok(open)) = &slow.app.screens.get::<Compare>().pane.open else { panic!("no pair") };
    assert_eq!((&open.source.id, &open.target.id), (&wanted.0, &wanted.1));
}

/// Enter behind a new filter means the first pair that passes it, though the rows are not there yet.
#[test]
fn enter_before_the_rows_are_arranged_opens_a_pair_of_the_new_rows() {
    for leave in [false, true] {
        let mut slow = Slow::open(sample(), Home::ID);
        slow.settle();
        slow.send(char('3')).settle();
        slow.send(char('&'));
        for c in "jaccard<0.5".chars() {
            slow.send(char(c));
        }
        slow.send(key(KeyCode::Enter)).send(key(KeyCode::Enter));
        assert_eq!(slow.app.shared.screen, Compare::ID);
        assert!(slow.text().contains("Reading…"), "{}", slow.text());
        if leave {
            slow.send(char('1'));
        }
        slow.settle();
        let data = slow.app.shared.data.clone().unwrap();
        let ids = slow.app.screens.get::<Compare>().pane.ids.clone();
        let row = data.table.find(&ids.source, &ids.target).expect("a pair is open");
        assert!(data.table.jaccard(row) < 0.5, "a pair that the filter does not admit");
        assert_eq!(slow.app.shared.screen, if leave { Home::ID } else { Compare::ID });
    }
}

/// All pairs are asked for once the first have come, or failed, or were given up: once, and whatever happened.
#[test]
fn whatever_becomes_of_the_first_pairs_the_study_is_read_once() {
    fn studies(slow: &Slow) -> usize {
        slow.wishes.iter().filter(|wish| is::<ReadStudy>(wish)).count()
    }
    let opened = || {
        let slow = Slow::open(sample(), Log::ID);
        assert!(slow.wishes.front().is_some_and(is::<ReadFirstPairs>) && studies(&slow) == 0, "{:?}", slow.wishes);
        slow
    };
    for fails in [false, true] {
        let mut slow = opened();
        let wish = slow.wishes.pop_front().unwrap();
        match (fails, &wish) {
            (false, Effect::Run(job)) => drop(slow.send(Event::Done(job.done::<ReadFirstPairs>(None)))),
            _ => drop(slow.fail(wish)),
        }
        assert_eq!(studies(&slow), 1);
        let study = slow.wishes.iter().position(is::<ReadStudy>).and_then(|at| slow.wishes.remove(at)).unwrap();
        slow.fail(study);
        assert_eq!(studies(&slow), 0, "a study that cannot be read is not tried for ever");
    }
    let mut slow = opened();
    slow.send(char('x'));
    assert!(slow.text().contains("Cancelled: read the first pairs"), "{}", slow.text());
    assert_eq!(studies(&slow), 1);
}

/// What is typed ahead of a list is done when the list is there, whatever was still to be read.
#[test]
fn keys_for_a_list_that_is_still_made_are_not_lost() {
    let typed = |slow: &mut Slow| {
        slow.send(char('j')).send(char('j'));
    };
    let mut patient = Slow::open(sample(), Judgments::ID);
    patient.settle();
    typed(patient.settle());
    let wanted = patient.app.screens.get::<Judgments>().current().map(|judged| judged.document.id.clone());
    assert!(wanted.is_some(), "{}", patient.text());
    // Before the study, before the tree, before its order.
    for answers in 0..4 {
        let mut hasty = Slow::open(sample(), Judgments::ID);
        for _ in 0..answers {
            hasty.answer();
        }
        typed(&mut hasty);
        assert!(hasty.app.screens.get::<Judgments>().current().is_none(), "it came before {answers} answers");
        hasty.settle();
        assert_eq!(
            hasty.app.screens.get::<Judgments>().current().map(|judged| judged.document.id.clone()),
            wanted,
            "{}",
            hasty.text()
        );
    }
    // Whoever leaves takes nothing along.
    let mut left = Slow::open(sample(), Judgments::ID);
    left.send(char('j')).send(char('1')).settle();
    left.send(char('2')).settle();
    assert_eq!(left.app.screens.get::<Judgments>().cursor.at, 1);
    left.send(char('1')).settle();
    assert!(left.text().contains("1/22"), "{}", left.text());
}

/// Whether figures are on the screen.
fn measured(slow: &mut Slow) -> bool {
    slow.text().contains("pool: ")
}

/// Methods is there and can be used before anything is measured.
#[test]
fn methods_does_not_wait_for_its_figures() {
    let mut slow = Slow::open(sample(), Home::ID);
    slow.settle();
    slow.send(char('8'));
    let text = slow.text();
    assert!(text.contains("measuring…") && text.contains("simhash-3+5") && !measured(&mut slow), "{text}");
    for c in "jjs]lh".chars() {
        slow.send(char(c));
    }
    assert!(slow.text().contains("measuring…"));
    slow.send(char('l')).send(key(KeyCode::Enter));
    assert_eq!(slow.app.shared.screen, Pairs::ID);
    assert!(slow.app.screens.get::<Pairs>().filter.contains(" & !"), "{}", slow.app.screens.get::<Pairs>().filter);
    // What comes while one is elsewhere is kept; nothing is asked twice.
    slow.settle();
    slow.send(char('8'));
    assert!(slow.wishes.is_empty());
    // Unions, and the table again.
    slow.send(char(']')).send(char(']'));
    assert!(measured(&mut slow), "{}", slow.text());
}

/// Figures for a truth that was left behind do not stand under the name of another.
#[test]
fn late_figures_are_dropped() {
    let mut slow = Slow::open(sample(), Methods::ID);
    // The first rows, then the study.
    slow.answer().answer();
    slow.send(char('t')).send(char('t'));
    let wishes: Vec<Effect> = slow.wishes.drain(..).filter(is::<Measure>).collect();
    let [jaccard, edit, labels] = <[Effect; 3]>::try_from(wishes).expect("three truths were asked for");
    for late in [jaccard, edit] {
        let answer = slow.perform(late).unwrap();
        slow.send(Event::Done(answer));
        assert!(!measured(&mut slow) && slow.text().contains("measuring…"), "{}", slow.text());
    }
    let answer = slow.perform(labels).unwrap();
    slow.send(Event::Done(answer));
    assert!(measured(&mut slow) && slow.text().contains("truth: labels"), "{}", slow.text());
    slow.send(char('t'));
    assert!(slow.wishes.front().is_some_and(is::<Measure>), "asked for again");
}

/// A worker that failed leaves no “measuring…” for ever.
#[test]
fn after_a_failure_figures_are_asked_for_again() {
    let mut slow = Slow::open(sample(), Methods::ID);
    slow.answer().answer();
    let wish = slow.wishes.pop_back().unwrap();
    assert!(is::<Measure>(&wish));
    slow.send(char('1')).send(char('8'));
    assert!(!slow.wishes.iter().any(is::<Measure>), "it is on its way");
    slow.fail(wish);
    assert!(!slow.text().contains("measuring…"));
    slow.send(char('8')).settle();
    assert!(measured(&mut slow), "{}", slow.text());
    slow.send(char('t'));
    let Some(Effect::Run(job)) = slow.wishes.pop_back() else { panic!("nothing is asked for") };
    slow.send(Event::Done(job.done::<Measure>((1, Err("no such \u{1b}[31mfile".to_owned())))));
    assert!(slow.text().contains("no such ␛[31mfile"), "{}", slow.text());
    slow.send(char('8')).settle();
    assert!(measured(&mut slow), "{}", slow.text());
}

/// A sample that is read a second time moves on to another pair; a note begun before stays with its own.
#[test]
fn a_note_belongs_to_the_pair_it_was_begun_on() {
    let mut slow = Slow::labelling(sample());
    let again = ReadSample { name: "default".to_owned() };
    let again = Started::new(Ticket { slot: Slot::of::<ReadSample>(), number: 0 }, Box::new(again));
    let second = slow.perform(Effect::Run(again)).unwrap();
    slow.send(char('J')).settle();
    slow.wait(500);
    let begun = slow.app.screens.get::<LabelScreen>().ids().unwrap();
    slow.send(char('c'));
    slow.send(Event::Done(second));
    slow.settle();
    slow.send(char('n')).send(key(KeyCode::Enter));
    assert!(slow.written.iter().any(|event| matches!(event.kind, EventKind::Note(_))), "the note is written");
    for event in &slow.written {
        assert_eq!((&event.source, &event.target), (&begun.source, &begun.target));
    }
}

/// The journal was read again while a label was still on its way to the disk: the label still holds.
#[test]
fn reading_the_journal_again_forgets_no_label_on_its_way() {
    let mut slow = Slow::labelling(sample());
    slow.send(char('a')).settle();
    let saved = slow.written.clone();
    slow.wait(500).send(char('x'));
    assert_eq!(slow.labels(), 2);
    let bytes: String = saved.iter().map(|event| line::encode(event).0 + "\n").collect();
    let reading = Box::new(Reading::parse(bytes.as_bytes()));
    slow.send(Event::Labels(Kept::Reread { reading, restored: 0 }));
    let second = slow.written.last().unwrap().clone();
    assert_eq!(slow.app.shared.book.decisions().label(&second.source, &second.target, None), Some(Label::Not));
}

/// Sequences as crossterm 0.29 delivers them when they are split after their Escape.
const TAILS: [&str; 8] = ["[A", "[6~", "Ox", "Oa", "Oi", "[<0;12;4m", "[200~aax[201~", "[12;40R"];

#[test]
fn the_rest_of_a_sequence_over_an_overlay_writes_nothing() {
    for over in ['?', ':', '/', 'c'] {
        for tail in TAILS {
            for gap in [0, 5, 30, 120] {
                let mut slow = Slow::labelling(sample());
                slow.send(char(over));
                slow.draw();
                slow.wait(2000).send(key(KeyCode::Esc));
                slow.draw();
                slow.wait(gap);
                for c in tail.chars() {
                    slow.wait(1).send(char(c));
                    slow.draw();
                }
                assert!(slow.written.is_empty(), "ESC {tail} over {over} after {gap} ms: {:?}", slow.written);
            }
        }
    }
}

/// Escape on Compare goes back to Label: the rest of the sequence arrives there.
#[test]
fn the_rest_of_a_sequence_that_led_to_label_writes_nothing() {
    for tail in TAILS {
        for gap in [0, 5, 30, 120, 400] {
            let mut slow = Slow::labelling(sample());
            for c in ":compare".chars() {
                slow.send(char(c));
            }
            slow.send(key(KeyCode::Enter)).settle();
            assert_eq!(slow.app.shared.screen, Compare::ID);
            slow.wait(2000).send(key(KeyCode::Esc)).settle();
            assert_eq!(slow.app.shared.screen, LabelScreen::ID);
            slow.wait(gap);
            for c in tail.chars() {
                slow.wait(1).send(char(c)).settle();
            }
            assert!(slow.written.is_empty(), "ESC {tail} after {gap} ms: {:?}", slow.written);
        }
    }
}

/// A note that is being typed is not lost to an arrow key that was split on the way.
#[test]
fn a_split_arrow_does_not_throw_a_note_away() {
    let mut slow = Slow::labelling(sample());
    slow.send(char('c'));
    for c in "a long thought".chars() {
        slow.wait(80).send(char(c));
    }
    slow.wait(300).send(key(KeyCode::Esc)).wait(2).send(char('[')).send(char('D'));
    slow.wait(300).send(key(KeyCode::Enter));
    let noted = slow
        .written
        .iter()
        .any(|event| matches!(&event.kind, EventKind::Note(note) if note.contains("a long thought")));
    // Escape gives a note up; then at least it is there again when the note is opened next.
    let text = slow.wait(2000).send(char('c')).text();
    assert!(noted || text.contains("a long thought"), "{text}");
}

/// The end of a paste never comes: crossterm drops it. Whoever goes on working is not locked out, and can always leave.
#[test]
fn a_paste_without_an_end_does_not_lock_the_keys() {
    let mut slow = Slow::labelling(sample());
    slow.send(key(KeyCode::Esc));
    for c in "[200~aax".chars() {
        slow.wait(1).send(char(c));
    }
    // A person who wonders why nothing happens presses a key a second.
    for _ in 0..10 {
        slow.wait(1000).send(char('?'));
        slow.draw();
    }
    assert!(!slow.app.overlays.is_empty() || slow.app.shared.message.is_some(), "ten keys, and not a word");
    let mut slow = Slow::labelling(sample());
    slow.send(key(KeyCode::Esc));
    for c in "[200~aax".chars() {
        slow.wait(1).send(char(c));
    }
    slow.wait(500).send(Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)));
    assert!(slow.left, "C-c leaves, always");
}

#[test]
fn held_and_released_keys_write_nothing() {
    for kind in [KeyEventKind::Repeat, KeyEventKind::Release] {
        for c in ['a', 'x', 'i', 'u', 'f', 'c'] {
            let mut slow = Slow::labelling(sample());
            let event = KeyEvent::new_with_kind(KeyCode::Char(c), KeyModifiers::NONE, kind);
            slow.send(Event::Key(event));
            assert!(slow.written.is_empty() && slow.app.overlays.is_empty(), "{c} {kind:?}");
        }
    }
}

#[test]
fn keys_with_modifiers_write_nothing() {
    for modifiers in
        [KeyModifiers::ALT, KeyModifiers::CONTROL, KeyModifiers::SUPER, KeyModifiers::META, KeyModifiers::HYPER]
    {
        for c in ['a', 'x', 'i'] {
            let mut slow = Slow::labelling(sample());
            slow.send(Event::Key(KeyEvent::new(KeyCode::Char(c), modifiers)));
            assert!(slow.written.is_empty(), "{modifiers:?} {c}");
        }
    }
}

/// A key read before the frame with its pair, or too soon after it, or with something over the pair.
#[test]
fn a_label_needs_a_pair_that_was_seen() {
    let mut slow = Slow::labelling(sample());
    slow.send(char('a'));
    assert_eq!(slow.labels(), 1);
    slow.wait(5000).send(char('a'));
    assert_eq!(slow.labels(), 1, "the next pair is not even there");
    slow.settle();
    slow.wait(119).send(char('a'));
    assert_eq!(slow.labels(), 1, "too fast");
    assert!(slow.text().contains("too fast"));
    slow.wait(119).send(char('a'));
    assert_eq!(slow.labels(), 1, "a key that is held down holds itself off");
    slow.wait(120).send(char('a'));
    assert_eq!(slow.labels(), 2);
    slow.settle();
    slow.wait(1000).send(char('?'));
    slow.draw();
    slow.wait(1000).send(char('a'));
    assert_eq!(slow.labels(), 2, "it closed the help");
    slow.wait(5).send(char('a'));
    assert_eq!(slow.labels(), 2, "the pair has not been seen since the help lay over it");
}

#[test]
fn the_end_card_takes_no_flag_and_no_note() {
    let mut slow = Slow::labelling(sample());
    // Five of the hundred come again.
    for _ in 0..105 {
        slow.send(char('i')).settle();
        slow.wait(500);
    }
    assert!(slow.text().contains("100 pairs decided"), "{}", slow.text());
    let before = slow.written.len();
    slow.send(char('f')).settle();
    slow.send(char('c'));
    for c in "note".chars() {
        slow.send(char(c));
    }
    slow.send(key(KeyCode::Enter)).settle();
    slow.wait(500).send(char('a'));
    let more = &slow.written[before..];
    assert!(more.is_empty(), "written on a pair that nobody sees: {more:?}");
    slow.wait(500).send(char('u'));
    assert_eq!(slow.written.len(), before + 1, "undo works there");
    assert_eq!(slow.written.iter().filter(|event| on_label(event)).count(), 105);
}

/// A document that cannot be read: the reason stands there, and a key does not say that one was too fast.
#[test]
fn an_unreadable_pair_can_be_passed_over() {
    let mut slow = Slow::open(sample(), LabelScreen::ID);
    slow.answer();
    while let Some(wish) = slow.wishes.pop_front() {
        match wish {
            Effect::Run(job) if job.job::<ReadPair<LabelScreen>>().is_some() => {
                slow.send(Event::Done(job.done::<ReadPair<LabelScreen>>(Err("the file is gone".to_owned()))));
            }
            other => {
                let answer = slow.perform(other).unwrap();
                slow.send(Event::Done(answer));
            }
        }
    }
    assert!(slow.text().contains("the file is gone"));
    slow.wait(5000).send(char('a'));
    assert_eq!(slow.labels(), 0);
    assert!(!slow.text().contains("too fast"), "{}", slow.text());
    slow.send(char('J')).settle();
    assert!(slow.text().contains("pair 2 "), "{}", slow.text());
}

/// The terminal changed its size, a frame is drawn, and the news of it comes only afterwards.
#[test]
fn a_frame_of_another_size_than_the_last_news_does_not_panic() {
    for screen in screens() {
        let mut slow = Slow::open(sample(), Home::ID);
        slow.settle();
        slow.send(char('3')).settle();
        slow.send(key(KeyCode::Enter)).settle();
        for c in format!(":{}", screen.name()).chars() {
            slow.send(char(c));
        }
        slow.send(key(KeyCode::Enter)).settle();
        for over in [None, Some('?'), Some(':')] {
            over.map(|c| slow.send(char(c)));
            for size in
                [(100, 30), (80, 24), (100, 29), (99, 30), (60, 12), (10, 4), (100, 1), (1, 1), (0, 0), (300, 90)]
            {
                let mut buffer = Buffer::empty(Rect::new(0, 0, size.0, size.1));
                let drawn =
                    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| view::draw(&slow.app, &mut buffer)));
                assert!(drawn.is_ok(), "{screen:?} under {over:?}, told 100x30, drawn on {size:?}");
            }
            slow.send(key(KeyCode::Esc));
        }
    }
}

/// A study that was never run has nothing to show, and says so whatever one presses.
#[test]
fn a_study_that_was_not_run_is_harmless() {
    let study = copy(sample());
    std::fs::remove_dir_all(study.path().join(".dejaview")).unwrap();
    let keys = "\rj\r2\r3\rs\t4wr8\tlts\ror8\ro8r5aJ".chars();
    for first in ["", "1", "2", "3d", "4", "5", "6", "7", "8", "9", "0"] {
        let mut slow = Slow::open(study.path(), Home::ID);
        slow.settle();
        for c in first.chars().chain(keys.clone()) {
            let code = match c {
                '\r' => KeyCode::Enter,
                '\t' => KeyCode::Tab,
                c => KeyCode::Char(c),
            };
            slow.wait(500).send(key(code)).settle();
        }
    }
    let mut slow = Slow::open(study.path(), Home::ID);
    slow.settle();
    assert!(slow.text().contains("dejaview run"), "{}", slow.text());
}
