//! A scene is a screen in some state, reached by keys. One picture of it is kept whole; at all sizes it is drawn and the
//! drawings are held against each other, so that a change of wording touches one file and a broken layout is still found.

use std::fs;
use std::path::Path;

use dejaview::tui::event::Event;
use dejaview::tui::headless::Headless;

use super::drawing::{
    Abbreviations, Drawing, beyond_the_border, broken_boxes, broken_frame, broken_words, lost_cursor, other_texts,
    wrong_bars, wrong_parts,
};
use super::support::{headless, sample};

/// The smallest size that everything must fit on.
pub(super) const SMALL: (u16, u16) = (80, 24);
/// The size of most pictures.
const MIDDLE: (u16, u16) = (100, 30);
const LARGE: (u16, u16) = (200, 60);
/// Larger still: shows whole what a large screen may have to cut.
const VAST: (u16, u16) = (220, 80);
/// The most room that the layouts of the small and of the middle size have: what only they show is whole there.
const SMALL_GROWN: (u16, u16) = (99, 60);
const MIDDLE_GROWN: (u16, u16) = (159, 60);

/// What stands between title and keys, and must therefore be the same at all sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Body {
    /// Words, in another layout at each size.
    Prose,
    /// Both texts of a pair.
    Texts {
        both: bool,
    },
    Chart,
}

/// A screen, the way there, and what it shows at the sizes that are not pictured.
#[derive(Clone, Debug)]
pub(super) struct Scene<'a> {
    name: &'a str,
    keys: String,
    study: &'a Path,
    pictured: (u16, u16),
    body: Body,
    cursor: bool,
    boxed: bool,
    abbreviations: Vec<&'a str>,
    everywhere: &'a [&'a str],
    small_only: &'a [&'a str],
    large_only: &'a [&'a str],
}

impl<'a> Scene<'a> {
    /// Of the sample study.
    pub(super) fn new(name: &'a str, keys: impl Into<String>) -> Self {
        Self {
            name,
            keys: keys.into(),
            study: sample(),
            pictured: MIDDLE,
            body: Body::Prose,
            cursor: false,
            boxed: false,
            abbreviations: Vec::new(),
            everywhere: &[],
            small_only: &[],
            large_only: &[],
        }
    }

    pub(super) fn of(self, study: &'a Path) -> Self {
        Self { study, ..self }
    }

    /// Pictured where there is least room.
    pub(super) fn pictured_small(self) -> Self {
        Self { pictured: SMALL, ..self }
    }

    /// Rows of cells, of which one is under the cursor.
    pub(super) fn list(self) -> Self {
        Self { cursor: true, ..self }
    }

    pub(super) fn chart(self) -> Self {
        Self { body: Body::Chart, ..self }
    }

    /// Both texts of a pair. What is found in them is marked as often as there is room for.
    pub(super) fn texts(self) -> Self {
        Self { body: Body::Texts { both: true }, cursor: false, ..self }
    }

    /// Texts of which the second begins below the border of a small screen.
    pub(super) fn first_text(self) -> Self {
        Self { body: Body::Texts { both: false }, cursor: false, ..self }
    }

    /// A box lies over the screen: what it covers in part does not count.
    pub(super) fn boxed(self) -> Self {
        Self { boxed: true, ..self }
    }

    /// Both texts move on their own, so that equal lines stand twice.
    pub(super) fn apart(self) -> Self {
        Self { body: Body::Prose, ..self }
    }

    /// Words that were searched for are marked as often as there is room for.
    pub(super) fn without_cursor(self) -> Self {
        Self { cursor: false, ..self }
    }

    /// Checks what is under the cursor beside two texts, too.
    pub(super) fn with_cursor(self) -> Self {
        Self { cursor: true, ..self }
    }

    /// Words that a smaller screen writes where there is no room for longer ones; with `*` at an end, all like it.
    pub(super) fn abbreviates(mut self, words: &[&'a str]) -> Self {
        self.abbreviations.extend(words);
        self
    }

    /// What stands on the screen at every size, blanks between columns aside.
    pub(super) fn shows(self, everywhere: &'a [&'a str]) -> Self {
        Self { everywhere, ..self }
    }

    /// What 80 columns show and 200 do not.
    pub(super) fn small_only(self, small_only: &'a [&'a str]) -> Self {
        Self { small_only, ..self }
    }

    /// What 200 columns show and 80 do not.
    pub(super) fn large_only(self, large_only: &'a [&'a str]) -> Self {
        Self { large_only, ..self }
    }

    pub(super) fn check(self) {
        let study = self.study;
        self.check_with(|size| headless(study, size, None));
    }

    /// Checks what is reached from an explorer that is opened, at a size, by `open`.
    pub(super) fn check_with(&self, open: impl Fn((u16, u16)) -> Headless) {
        let [(small, small_grown), (middle, middle_grown), (large, vast)] =
            [(SMALL, SMALL_GROWN), (MIDDLE, MIDDLE_GROWN), (LARGE, VAST)].map(|(size, grown)| {
                let mut driven = open(size);
                driven.keys(&self.keys);
                if size == self.pictured {
                    check_picture(&format!("{}-{}x{}", self.name, size.0, size.1), &driven.styled());
                }
                let drawing = Drawing::of(&driven.buffer());
                driven.send(Event::Resize(grown.0, grown.1));
                driven.settle();
                (drawing, Drawing::of(&driven.buffer()))
            });

        let short = Abbreviations(&self.abbreviations);
        let broken = |one: &Drawing, larger: [&Drawing; 4]| match self.boxed {
            true => {
                let larger = larger.map(|drawing| drawing.clone().uncovered());
                broken_words(&one.clone().uncovered(), &larger.each_ref(), short)
            }
            false => broken_words(one, &larger, short),
        };
        for (drawing, larger) in [(&small, &large), (&middle, &large), (&large, &vast)] {
            let parts = match drawing {
                _ if std::ptr::eq(drawing, &small) => wrong_parts(drawing, self.small_only, self.large_only),
                _ if std::ptr::eq(drawing, &large) => wrong_parts(drawing, self.large_only, self.small_only),
                _ => Vec::new(),
            };
            let others = match drawing {
                _ if std::ptr::eq(drawing, &small) => [&small_grown, &middle, &large, &vast],
                _ => [&middle_grown, &large, &vast, &vast],
            };
            let words = if std::ptr::eq(drawing, &large) { Vec::new() } else { broken(drawing, others) };
            self.report(drawing, [words, broken_frame(drawing, larger), self.wrong_body(drawing, larger), parts]);
        }
    }

    fn wrong_body(&self, drawing: &Drawing, larger: &Drawing) -> Vec<String> {
        let mut faults = match self.body {
            Body::Prose => Vec::new(),
            Body::Texts { both } => other_texts(drawing, larger, both),
            Body::Chart => wrong_bars(drawing, larger),
        };
        if self.cursor {
            faults.extend(lost_cursor(drawing, larger));
        }
        faults.extend(broken_boxes(drawing, self.boxed));
        faults
    }

    fn report(&self, drawing: &Drawing, faults: [Vec<String>; 4]) {
        let mut faults = faults.concat();
        faults.extend(beyond_the_border(drawing));
        faults.extend(wrong_parts(drawing, self.everywhere, &[]));
        assert!(faults.is_empty(), "{}:\n{}\n{}", self.name, faults.join("\n"), drawing.text());
    }
}

/// Compares with `snapshots/<name>.txt`; with `DEJAVIEW_UPDATE` set, writes it.
fn check_picture(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tui/snapshots").join(format!("{name}.txt"));
    if std::env::var_os("DEJAVIEW_UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        return fs::write(&path, text).unwrap();
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    if there != text {
        let line = there.lines().zip(text.lines()).position(|(a, b)| a != b);
        let line = line.unwrap_or(there.lines().count().min(text.lines().count()));
        let at = |text: &str| text.lines().nth(line).unwrap_or("(no line)").to_owned();
        panic!("{name}, line {}:\n- {}\n+ {}\nDEJAVIEW_UPDATE=1 accepts it", line + 1, at(&there), at(text));
    }
}
