//! Random bytes, keys, sizes, answers and moments: nothing panics, and of what is drawn only places, styles and visible text
//! reach the terminal. `DEJAVIEW_EVENTS` says how many events, `DEJAVIEW_SEED` which ones.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dejaview::base::random::Random;
use dejaview::tui::event::Event;
use dejaview::tui::input::decoder::Decoder;
use dejaview::tui::painter::Painter;
use ratatui::backend::Backend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::skipping::slow;
use super::split::SEQUENCES;
use super::stream::{harmless, pieces};
use super::support::{Slow, hostile, sample, screens};

/// Events of a run that nobody asked to be longer.
const FEW: u64 = 8_000;
/// Events on one opening of a study: then another one, so that states are many.
const STRETCH: u64 = 1_000;

pub fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|value| value.replace('_', "").parse().ok())
}

fn wanted() -> u64 {
    number("DEJAVIEW_EVENTS").unwrap_or(if slow() { 200_000 } else { FEW })
}

fn one<T: Copy>(random: &mut Random, all: &[T]) -> T {
    all[random.below(all.len() as u64) as usize]
}

/// The explorer, what reads the terminal, and what was drawn last.
pub struct Fuzzed {
    pub slow: Slow,
    decoder: Decoder,
    drawn: Buffer,
    /// How many were drawn.
    pub screens: u64,
    random: Random,
}

const KEYS: &[u8] = b"axiucfJK]&svWorwjkhltgGnN/:?q 1234567890[=*zvyYdbpe|+_H{}\t\r\x7f\x0c\x12\x15\x04";
const WORDS: [&str; 8] = [
    "jaccard>0.9",
    "map\r",
    "set profile digits\r",
    "theme dark\r",
    "help a\r",
    "set hud\r",
    "pairs\r",
    "!simhash-2\r",
];

impl Fuzzed {
    pub fn new(round: u64, random: Random) -> Self {
        Self::on(if round % 3 == 2 { hostile() } else { sample() }, random)
    }

    pub fn on(study: &Path, mut random: Random) -> Self {
        let mut slow = Slow::open(study, one(&mut random, &screens()));
        if random.below(4) > 0 {
            slow.settle();
        }
        Self { slow, decoder: Decoder::new(false), drawn: Buffer::empty(Rect::ZERO), screens: 0, random }
    }

    fn bytes(&mut self) -> Vec<u8> {
        match self.random.below(20) {
            0 => {
                let sequence = SEQUENCES[self.random.below(SEQUENCES.len() as u64) as usize].1.as_bytes();
                sequence[..self.random.below(sequence.len() as u64 + 1) as usize].to_vec()
            }
            1 => (0..self.random.below(6)).map(|_| self.random.below(256) as u8).collect(),
            2 => one(&mut self.random, &WORDS).as_bytes().to_vec(),
            3 => "é漢\u{202e}😀".bytes().collect(),
            _ => vec![one(&mut self.random, KEYS)],
        }
    }

    pub fn step(&mut self) {
        match self.random.below(24) {
            0 => {
                let size = (self.random.below(140) as u16, self.random.below(50) as u16);
                self.slow.send(Event::Resize(size.0, size.1));
            }
            1 => drop(self.slow.wait(2000)),
            2..=4 => self.pass(200),
            5 => {
                if let Some(wish) = self.slow.wishes.pop_front() {
                    self.slow.fail(wish);
                }
            }
            6 => drop(self.slow.send(Event::Scroll(self.random.below(2) == 0))),
            7 => drop(self.slow.send(Event::Edited(Ok("a note \u{1b}[31m\n".to_owned())))),
            8..=11 => drop(self.slow.answer()),
            12 => drop(self.slow.wishes.pop_front()),
            _ => {
                let bytes = self.bytes();
                let events = self.decoder.feed(&bytes, self.slow.at);
                for event in events {
                    self.slow.send(event);
                }
            }
        }
    }

    fn pass(&mut self, milliseconds: u64) {
        let time = self.random.below(milliseconds);
        self.slow.wait(time);
        let mut out = Vec::new();
        self.decoder.expire(self.slow.at, &mut out);
        for event in out {
            self.slow.send(event);
        }
    }

    /// Draws as the loop does, and looks at the bytes.
    pub fn draw(&mut self) {
        let next = self.slow.draw();
        let before = if self.drawn.area() == next.area() { self.drawn.clone() } else { Buffer::empty(*next.area()) };
        let mut bytes = Vec::new();
        Painter::new(&mut bytes).draw(before.diff(&next).into_iter()).unwrap();
        for piece in pieces(&bytes) {
            assert!(harmless(&piece), "{:.200}", format!("{piece:?}"));
        }
        self.drawn = next;
        self.screens += 1;
    }
}

/// A stretch of events on one opening of a study: how many events it took, and how many screens were drawn.
fn stretch(seed: u64, round: u64) -> [u64; 2] {
    println!("DEJAVIEW_SEED={seed}, round {round}");
    let mut fuzzed = Fuzzed::new(round, Random::new(seed, round));
    let mut taken = 0;
    for step in 0..STRETCH {
        fuzzed.step();
        taken += 1;
        if fuzzed.slow.left {
            break;
        }
        if step % 6 == 0 {
            fuzzed.draw();
        }
    }
    fuzzed.slow.wait(Duration::from_secs(3).as_millis() as u64);
    fuzzed.draw();
    [taken, fuzzed.screens]
}

#[test]
fn nothing_panics_and_no_control_byte_reaches_the_terminal() {
    let rounds = wanted().div_ceil(STRETCH);
    let seed = number("DEJAVIEW_SEED").unwrap_or(1);
    let next = AtomicU64::new(0);
    let work = || {
        let mut sum = [0; 2];
        loop {
            let round = next.fetch_add(1, Ordering::Relaxed);
            if round >= rounds {
                return sum;
            }
            let [taken, screens] = stretch(seed, round);
            sum = [sum[0] + taken, sum[1] + screens];
        }
    };
    let [taken, screens] = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        let sums = threads.into_iter().map(|thread| thread.join().unwrap());
        sums.fold([0; 2], |[a, b], [c, d]| [a + c, b + d])
    });
    println!("{taken} events, {screens} screens, seed {seed}");
}
