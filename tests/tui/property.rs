//! Random events.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use dejaview::evaluation::sample::SampledPair;
use dejaview::labels::{Reading, line};
use dejaview::tui::action::ScreenId;
use dejaview::tui::event::Event;
use dejaview::tui::headless::Headless;
use dejaview::tui::screens::home::Home;
use dejaview::tui::screens::label::Label;
use proptest::prelude::*;
use ratatui::buffer::Buffer;

use super::support::{Slow, char, copy, headless, hostile, key, reopened, sample, screens};

/// Something that happens.
#[derive(Debug, Clone)]
enum Step {
    Key(KeyEvent),
    Paste(String),
    Resize(u16, u16),
    Redraw,
    Trouble,
    /// The answer to one of the wishes that wait, in any order.
    Answer(usize),
    /// A wish is forgotten, as when a newer one takes its place.
    Forget(usize),
    Wait(u64),
    Draw,
}

fn any_key() -> impl Strategy<Value = KeyEvent> {
    let bound = "axiucfJK]&svWorwjkhltgGnN/:?q 123458[";
    let code = prop_oneof![
        8 => proptest::sample::select(bound.chars().collect::<Vec<_>>()).prop_map(KeyCode::Char),
        2 => any::<char>().prop_map(KeyCode::Char),
        4 => proptest::sample::select(vec![
            KeyCode::Enter, KeyCode::Esc, KeyCode::Tab, KeyCode::BackTab, KeyCode::Backspace, KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right,
            KeyCode::PageUp, KeyCode::PageDown, KeyCode::Home, KeyCode::End, KeyCode::Delete, KeyCode::Null, KeyCode::F(5),
        ]),
    ];
    let modifiers = prop_oneof![
        6 => Just(KeyModifiers::NONE),
        1 => any::<u8>().prop_map(KeyModifiers::from_bits_truncate),
        1 => Just(KeyModifiers::CONTROL),
    ];
    let kind =
        prop_oneof![8 => Just(KeyEventKind::Press), 1 => Just(KeyEventKind::Repeat), 1 => Just(KeyEventKind::Release)];
    (code, modifiers, kind).prop_map(|(code, modifiers, kind)| KeyEvent::new_with_kind(code, modifiers, kind))
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => any_key().prop_map(Step::Key),
        1 => any::<String>().prop_map(Step::Paste),
        2 => (0u16..300, 0u16..100).prop_map(|(width, height)| Step::Resize(width, height)),
        1 => Just(Step::Redraw),
        1 => Just(Step::Trouble),
        6 => (0usize..8).prop_map(Step::Answer),
        1 => (0usize..8).prop_map(Step::Forget),
        3 => (0u64..1500).prop_map(Step::Wait),
        2 => Just(Step::Draw),
    ]
}

impl Slow {
    fn step(&mut self, step: Step) {
        match step {
            Step::Key(event) => drop(self.send(Event::Key(event))),
            Step::Paste(text) => drop(self.send(Event::Paste(text))),
            Step::Resize(width, height) => drop(self.send(Event::Resize(width, height))),
            Step::Redraw => drop(self.send(Event::Redraw)),
            Step::Trouble => {
                if let Some(wish) = self.wishes.pop_front() {
                    self.fail(wish);
                }
            }
            Step::Answer(n) if !self.wishes.is_empty() => {
                let at = n % self.wishes.len();
                let answer = self.wishes.remove(at).and_then(|wish| self.perform(wish));
                if let Some(answer) = answer {
                    self.send(Event::Done(answer));
                }
            }
            Step::Forget(n) if !self.wishes.is_empty() => drop(self.wishes.remove(n % self.wishes.len())),
            Step::Answer(_) | Step::Forget(_) => {}
            Step::Wait(milliseconds) => drop(self.wait(milliseconds)),
            Step::Draw => drop(self.draw()),
        }
    }

    /// What a process that reads the journal later would have.
    fn replayed(&self) -> dejaview::labels::Decisions {
        let bytes: String = self.written.iter().map(|event| line::encode(event).0 + "\n").collect();
        let reading = Reading::parse(bytes.as_bytes());
        assert_eq!(reading.problems, []);
        assert_eq!(reading.decisions.unmatched(), [] as [u64; 0]);
        reading.decisions
    }
}

fn safe(buffer: &Buffer) -> bool {
    buffer.content().iter().all(|cell| !cell.symbol().chars().any(char::is_control))
}

fn any_screen() -> impl Strategy<Value = ScreenId> {
    proptest::sample::select(screens())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 3, failure_persistence: None, max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_happens_panics(screen in any_screen(), ready in any::<bool>(), steps in proptest::collection::vec(step(), 1..60)) {
        let mut slow = Slow::open(sample(), screen);
        if ready {
            slow.settle();
        }
        for step in steps {
            slow.step(step);
            prop_assert!(safe(&slow.draw()));
        }
        prop_assert_eq!(&slow.replayed(), slow.app.shared.book.decisions());
    }

    #[test]
    fn the_journal_says_what_the_screen_says(steps in proptest::collection::vec((any_label_key(), 0u64..400), 1..60)) {
        let mut slow = Slow::labelling(sample());
        for (keys, wait) in steps {
            for event in keys {
                slow.send(event);
            }
            slow.settle();
            slow.wait(wait);
        }
        let replayed = slow.replayed();
        prop_assert_eq!(&replayed, slow.app.shared.book.decisions());
        let sample = slow.app.screens.get::<Label>().sample().unwrap();
        let answered = |pair: &SampledPair, repeat: bool| {
            replayed.answer(&pair.source, &pair.target, &sample.name, repeat).is_some()
        };
        let decided: usize =
            sample.pairs.iter().map(|pair| [false, true].iter().filter(|repeat| answered(pair, **repeat)).count()).sum();
        prop_assert_eq!(slow.app.screens.get::<Label>().decided(&slow.app.shared.book), decided);
        let title = format!("{decided}/105 decided");
        prop_assert!(slow.app.screens.get::<Label>().finished || slow.text().contains(&title));
    }

    #[test]
    fn one_frame_sees_one_label_at_most(frames in proptest::collection::vec((proptest::collection::vec(any_key(), 0..12), 0u64..300), 1..12)) {
        let mut slow = Slow::labelling(sample());
        for (keys, wait) in frames {
            let before = slow.labels();
            for event in keys {
                slow.send(Event::Key(event));
            }
            prop_assert!(slow.labels() <= before + 1);
            slow.settle();
            slow.wait(wait);
        }
        // A pair is never labelled while another one's texts are open.
        for event in slow.written.iter().filter(|event| matches!(event.kind, dejaview::labels::EventKind::Label(_))) {
            prop_assert!(event.circumstances.source_digest.is_some());
        }
    }

    #[test]
    fn undo_after_a_label_is_as_if_nothing_had_been(before in 0usize..5, label in proptest::sample::select(vec!['a', 'x', 'i'])) {
        let mut slow = Slow::labelling(sample());
        for _ in 0..before {
            slow.send(char('i')).settle();
            slow.wait(500);
        }
        let at = slow.app.screens.get::<Label>().at;
        let standing = |slow: &Slow| slow.app.screens.get::<Label>().decided(&slow.app.shared.book);
        let decided = standing(&slow);
        slow.send(char(label)).settle();
        slow.wait(500).send(key(KeyCode::Backspace)).settle();
        prop_assert_eq!((slow.app.screens.get::<Label>().at, standing(&slow)), (at, decided));
        slow.wait(500).send(Event::Key(KeyEvent::new(KeyCode::Char('r'), KeyModifiers::CONTROL))).settle();
        prop_assert_eq!(standing(&slow), decided + 1);
        prop_assert_eq!(&slow.replayed(), slow.app.shared.book.decisions());
    }
}

/// Keys that write, mostly.
fn any_label_key() -> impl Strategy<Value = Vec<Event>> {
    let control = |c| Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL));
    prop_oneof![
        6 => proptest::sample::select(vec!['a', 'x', 'i', 'f', 'J', 'K', 'u', 'u']).prop_map(|c| vec![char(c)]),
        1 => Just(()).prop_map(move |()| vec![control('r')]),
        2 => "[a-z\u{e9}\u{202e}\n\"]{0,12}".prop_map(|note| {
            let mut events = vec![char('c'), Event::Paste(note)];
            events.push(key(KeyCode::Enter));
            events
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 20, failure_persistence: None, max_shrink_iters: 50, ..ProptestConfig::default() })]

    /// The same through a real journal on a disk, and after a restart.
    #[test]
    fn a_restart_finds_every_decision(keys in proptest::collection::vec(proptest::sample::select(vec!["a", "x", "i", "u", "C-r", "f", "J", "K", "c \"no\" enter"]), 1..40)) {
        let study = copy(sample());
        let mut driven: Headless = headless(study.path(), (100, 30), Some("ann"));
        driven.keys("5").keys(&keys.join(" "));
        let decisions = driven.app.shared.book.decisions().clone();
        prop_assert_eq!(driven.app.shared.book.pending(), 0);
        drop(driven);
        prop_assert_eq!(reopened(study.path(), "ann"), decisions.clone());
        let again = headless(study.path(), (100, 30), Some("ann"));
        prop_assert_eq!(again.app.shared.book.decisions(), &decisions);
    }

    #[test]
    fn hostile_pages_survive_anything(steps in proptest::collection::vec(step(), 1..25)) {
        let mut slow = Slow::open(hostile(), Home::ID);
        slow.settle();
        slow.send(char('3')).settle();
        slow.send(key(KeyCode::Enter)).settle();
        for step in steps {
            slow.step(step);
            prop_assert!(safe(&slow.draw()));
        }
    }
}
