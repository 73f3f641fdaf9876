use std::time::{Duration, Instant};

use proptest::prelude::*;
use ratatui::buffer::Buffer;

use super::*;
use crate::theme::{Palette, Theme};
use dejaview_text::diff::{diff, refine_change};

const ACTIONS: [Action; 22] = [
    Action::Up,
    Action::Down,
    Action::HalfUp,
    Action::PageDown,
    Action::PageUp,
    Action::Top,
    Action::Bottom,
    Action::NextChange,
    Action::PreviousChange,
    Action::NextRun,
    Action::PreviousRun,
    Action::NextResult,
    Action::PreviousResult,
    Action::SearchHere,
    Action::Open,
    Action::View,
    Action::Wrap,
    Action::Right,
    Action::Swap,
    Action::Blink,
    Action::Unlock,
    Action::Fold,
];

fn texts(source: &str, target: &str) -> Texts {
    let diff = diff(source, target, Instant::now() + Duration::from_secs(60));
    Texts::new(source.to_owned(), target.to_owned(), diff)
}

fn page(words: &[usize]) -> String {
    let pieces = ["one ", "two\n", "\n", "漢字 ", "a\tb ", "\u{202e}x", "e\u{301}", "👩‍👧 ", "مرحبا "];
    words.iter().map(|&word| pieces[word % pieces.len()]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 4))]
    /// Whatever one does at whatever size, something is drawn and nothing is drawn outside.
    #[test]
    fn any_way_of_looking_at_any_texts(
        a in prop::collection::vec(0usize..9, 0..60),
        b in prop::collection::vec(0usize..9, 0..60),
        steps in prop::collection::vec((0usize..ACTIONS.len() + 2, 0u16..120, 0u16..12), 1..40),
    ) {
        let texts = texts(&page(&a), &page(&b));
        let theme = Theme::new(Palette::Mono);
        let mut view = DiffView::default().for_texts(&texts);
        for (action, width, height) in steps {
            let area = Rect::new(2, 1, width, height);
            match ACTIONS.get(action) {
                Some(action) => drop(view.update(*action, &texts, area)),
                None if action == ACTIONS.len() => view.search("o", &texts, area),
                None => {
                    let spans = |text: &str| (0..text.len().min(3)).map(|at| at..at + 1).collect();
                    view.jump([spans(&texts.source), spans(&texts.target)], &texts, area);
                }
            }
            let mut buffer = Buffer::empty(Rect::new(0, 0, 130, 20));
            view.draw(&mut buffer, area, &texts, &theme);
            let touched = |x: u16, y: u16| buffer[(x, y)].symbol() != " ";
            let outside = (0..20).flat_map(|y| (0..130).map(move |x| (x, y)));
            let mut outside = outside.filter(|&(x, y)| !area.contains((x, y).into()));
            prop_assert!(!outside.any(|(x, y)| touched(x, y)));
            view.notes(&|action| action.name().to_owned());
        }
    }
}

#[test]
fn words_come_on_demand_where_only_lines_were_compared() {
    let (source, target) = ("same\nthe red house by the sea\nend", "same\nthe old house by the sea\nend");
    let coarse = diff(source, target, Instant::now());
    let mut texts = Texts::new(source.to_owned(), target.to_owned(), coarse);
    let mut view = DiffView::default().for_texts(&texts);
    let change = view.unrefined_change(&texts).expect("its words are still to be compared");
    let deadline = Instant::now() + Duration::from_secs(60);
    let hunk = refine_change(&texts.diff, source, target, change, deadline).expect("there is time");
    texts.refine(change, hunk);
    view.rebuild(&texts);
    assert_eq!(view.unrefined_change(&texts), None);
    let line = texts.line(1, 0).expect("a line");
    assert_eq!(line.changed.iter().map(|span| &source[span.clone()]).collect::<Vec<_>>(), ["red"]);
}

#[test]
fn a_jump_parts_the_sides_where_text_has_moved() {
    let lines = |moved: usize| {
        let mut lines: Vec<String> = (0..40).map(|i| format!("line number {i} of the page")).collect();
        let line = lines.remove(30);
        lines.insert(moved, line);
        lines.join("\n")
    };
    let (source, target) = (lines(2), lines(35));
    let texts = texts(&source, &target);
    let mut view = DiffView::default().for_texts(&texts);
    let area = Rect::new(0, 0, 120, 10);
    let span = |first: usize, length: usize| std::iter::once(first..first + length).collect::<Vec<_>>();
    let place = |text: &str| span(text.find("line number 30 ").expect("it is there"), 14);
    view.jump([place(&source), place(&target)], &texts, area);
    let mut buffer = Buffer::empty(area);
    view.draw(&mut buffer, area, &texts, &Theme::new(Palette::Mono));
    let row = |cells: &[ratatui::buffer::Cell]| cells.iter().map(|cell| cell.symbol()).collect::<String>();
    let shown: Vec<String> = buffer.content().chunks(120).map(row).collect();
    let half = |n: usize| shown.iter().any(|line| line.split('│').nth(n).is_some_and(|l| l.contains("number 30")));
    assert!(half(0) && half(1), "{shown:#?}");
    assert!(view.notes(&|action| action.name().to_owned()).iter().any(|note| note.contains("scrolls alone")));
    // Text that stands in one row of both puts the sides together again.
    view.jump([span(0, 4), span(0, 4)], &texts, area);
    assert!(!view.notes(&|action| action.name().to_owned()).iter().any(|note| note.contains("scrolls alone")));
}

#[test]
fn a_very_long_line_is_laid_out_once() {
    let long = "word ".repeat(20_000);
    let texts = texts(&long, &long);
    let mut view = DiffView::default().for_texts(&texts);
    let area = Rect::new(0, 0, 80, 24);
    view.search("word", &texts, area);
    for _ in 0..3 {
        view.update(Action::NextResult, &texts, area);
    }
    view.update(Action::Bottom, &texts, area);
    assert!(view.top.1 > 1_000 && view.reaches_end(&texts, area));
}

fn drawn(view: &DiffView, texts: &Texts, area: Rect) -> Vec<String> {
    let mut buffer = Buffer::empty(area);
    view.draw(&mut buffer, area, texts, &Theme::new(Palette::Mono));
    let row = |cells: &[ratatui::buffer::Cell]| cells.iter().map(|cell| cell.symbol()).collect::<String>();
    buffer.content().chunks(usize::from(area.width)).map(row).collect()
}

#[test]
fn nothing_is_folded_that_fits_and_the_context_fills_the_screen() {
    let page = |changed: usize| {
        (0..40).map(|i| format!("{} line {i}\n", if i == changed { "new" } else { "old" })).collect::<String>()
    };
    let texts = texts(&page(100), &page(20));
    let view = DiffView::default().for_texts(&texts);
    let folds = |height: u16| {
        let rows = drawn(&view, &texts, Rect::new(0, 0, 60, height));
        let blank = rows.iter().filter(|row| row.trim().is_empty()).count();
        (rows.iter().filter(|row| row.contains("equal lines")).count(), blank, rows)
    };
    assert_eq!(folds(41).0, 0, "40 rows, one of them with two lines");
    for height in 10..41 {
        let (folds, blank, rows) = folds(height);
        // One more line of context at both ends of both folds would not fit, and a fold of four lines opens at once.
        assert!(folds > 0 && blank <= 7, "{height}: {rows:#?}");
        assert!(rows[0].contains("old line 0"), "the first line is never folded: {rows:#?}");
    }
}

#[test]
fn blinking_ends_with_any_other_action_and_with_the_pair() {
    let texts = texts("one\ntwo", "one\nthree");
    let area = Rect::new(0, 0, 120, 10);
    let blinks = |view: &DiffView| view.notes(&|action| action.name().to_owned()).iter().any(|n| n.contains("alone"));
    for action in ACTIONS.into_iter().filter(|action| *action != Action::Blink && *action != Action::Unlock) {
        let mut view = DiffView::default().for_texts(&texts);
        view.update(Action::Blink, &texts, area);
        assert!(blinks(&view) && !blinks(&view.for_texts(&texts)));
        view.update(action, &texts, area);
        assert!(!blinks(&view), "{action:?}");
    }
}

#[test]
fn an_underscore_is_never_underlined() {
    use ratatui::style::Modifier;
    let texts = texts("see net_loft and more", "see slip_way now and more");
    let area = Rect::new(0, 0, 60, 4);
    let mut buffer = Buffer::empty(area);
    DiffView::default().for_texts(&texts).draw(&mut buffer, area, &texts, &Theme::new(Palette::Mono));
    let style = |sign: &str| buffer.content().iter().find(|cell| cell.symbol() == sign).map(|cell| cell.modifier);
    let underscore = style("_").expect("it is on the screen");
    assert!(underscore.contains(Modifier::REVERSED) && !underscore.contains(Modifier::UNDERLINED));
    // A changed word without one is underlined.
    let now = buffer.content().iter().rfind(|cell| cell.symbol() == "w").expect("of “now”");
    assert!(now.modifier.contains(Modifier::UNDERLINED));
}

#[test]
fn the_border_says_which_side_differs() {
    let texts = texts("same\nonly A\nsame too\nred\nend", "same\nsame too\nold\nend\nonly B");
    let area = Rect::new(0, 0, 120, 8);
    let theme = Theme::new(Palette::Dark);
    let mut buffer = Buffer::empty(area);
    DiffView::default().for_texts(&texts).draw(&mut buffer, area, &texts, &theme);
    let mark = |y: u16| (buffer[(119, y)].symbol(), buffer[(119, y)].fg);
    let colour = |style: ratatui::style::Style| style.fg.expect("a colour");
    let marks: Vec<(&str, ratatui::style::Color)> = (0..6).map(mark).filter(|(sign, _)| *sign == "┃").collect();
    assert_eq!(marks, [theme.a, theme.warning, theme.b].map(|style| ("┃", colour(style))));
}
