//! Bytes on their way to the terminal.

use super::terminal::{Open, Terminal};
use crate::stream::{Piece, harmless, pieces};
use crate::support::{copy, hostile, sample};

/// Whether a sequence sets a colour; 39 and 49, the terminal's own, set none.
fn colours(parameters: &str) -> bool {
    parameters
        .split([';', ':'])
        .any(|number| number.parse::<u32>().is_ok_and(|n| matches!(n, 30..=38 | 40..=48 | 58 | 90..=97 | 100..=107)))
}

/// The one question that the program asks the terminal: which colour is behind the text.
const QUESTION: &[u8] = b"\x1b]11;?\x1b\\";

/// What ends a frame: everything up to it is shown at once.
const FRAME_END: &[u8] = b"\x1b[?2026l";

/// Everything that the program wrote but that question. A frame may be on its way still: what is there ends with a whole one.
fn written(terminal: &Terminal) -> Vec<u8> {
    without_question(terminal.raw_when("a whole frame", |raw| raw.ends_with(FRAME_END)))
}

/// The question comes before the first word and not again.
fn without_question(raw: Vec<u8>) -> Vec<u8> {
    let Some(at) = raw.windows(QUESTION.len()).position(|window| window == QUESTION) else { return raw };
    let (start, rest) = (&raw[..at], &raw[at + QUESTION.len()..]);
    assert!(!pieces(start).iter().any(|piece| matches!(piece, Piece::Text(_))), "asked after the first frame");
    [start, rest].concat()
}

/// Bytes that keys cost, with all that follows from them.
fn cost(terminal: &Terminal, keys: &str) -> usize {
    let before = terminal.raw().len();
    terminal.send(keys);
    let mut last = before;
    loop {
        terminal.pause(400);
        let now = terminal.raw().len();
        if now > before && now == last {
            return now - before;
        }
        last = now;
    }
}

/// Pages through the texts of a pair and back to their top; each page is drawn. A key that does nothing says so.
fn page_through(terminal: &Terminal) {
    for keys in [" Z", " Y", " Z", " Y", " Z", " Y", " Z", " Y", " Z", " Y", "gZ"] {
        terminal.send(keys);
        terminal.wait_for(&format!("{} does nothing here", &keys[1..]));
    }
}

/// Goes through all screens.
fn tour(terminal: &Terminal) {
    terminal.wait_home();
    terminal.send("2");
    terminal.wait_tab("Judgments");
    terminal.send("3");
    terminal.wait_pairs(1);
    terminal.send("\r");
    terminal.wait_for("% of B equal");
    terminal.send("w");
    terminal.wait_for("what the score is made of");
    terminal.send("w");
    terminal.wait("the text alone", |screen| !screen.contents().contains("what the score is made of"));
    terminal.send("r");
    terminal.wait_for("rendered by");
    terminal.send("r");
    terminal.wait_for("as sent");
    terminal.send("r");
    terminal.wait("the text again", |screen| {
        let text = screen.contents();
        text.contains("% of B equal") && !text.contains("as sent")
    });
    page_through(terminal);
    terminal.send("?");
    terminal.wait_help("Compare");
    terminal.send("q5");
    terminal.wait_pair();
    page_through(terminal);
}

#[test]
fn no_color_means_no_colour_and_keeps_the_emphasis() {
    let study = copy(sample());
    let terminal = Open::home(study.path()).environment("NO_COLOR", "1").start();
    tour(&terminal);
    terminal.send(":pairs\r");
    terminal.wait_pairs(1);
    let reversed = |screen: &vt100::Screen| (0..30).any(|y| screen.cell(y, 1).is_some_and(vt100::Cell::inverse));
    assert!(terminal.ask(reversed), "the row under the cursor stands out");
    let raw = terminal.raw();
    for piece in pieces(&raw) {
        if let Piece::Csi(parameters, 'm') = &piece {
            assert!(!colours(parameters), "{piece:?}");
        }
    }
    assert!(pieces(&raw).contains(&Piece::Csi("1".to_owned(), 'm')), "bold");
    terminal.quit();
}

#[test]
fn with_colours_there_are_some() {
    let study = copy(sample());
    let terminal = Open::home(study.path()).arguments(["--theme", "dark"]).start();
    terminal.wait_home();
    let coloured = |piece: &Piece| matches!(piece, Piece::Csi(parameters, 'm') if colours(parameters));
    assert!(pieces(&terminal.raw()).iter().any(coloured), "the check of NO_COLOR would find none otherwise");
    terminal.quit();
}

#[test]
fn colours_fit_the_background_that_the_terminal_has() {
    let study = copy(sample());
    for (background, accent, other) in [("1c1c/1f1f/2626", "141", "61"), ("ffff/ffff/ffff", "61", "141")] {
        let terminal = Open::home(study.path()).background(background).start();
        terminal.wait_home();
        // An answer that comes late waits until everything is drawn again.
        terminal.send("\x0c");
        let accented = |raw: &[u8], number: &str| {
            let wanted = format!("38;5;{number}");
            pieces(raw).iter().any(|piece| matches!(piece, Piece::Csi(parameters, 'm') if parameters.contains(&wanted)))
        };
        terminal.wait_raw("the accent", |raw| accented(raw, accent));
        assert!(!accented(&terminal.raw(), other), "{background}");
        terminal.quit();
    }
}

#[test]
fn nothing_is_written_while_nothing_happens() {
    let study = copy(sample());
    let terminal = Open::label(study.path()).start();
    terminal.label("a");
    terminal.wait_pair();
    terminal.pause(300);
    let before = terminal.raw().len();
    terminal.pause(2000);
    assert_eq!(terminal.raw().len(), before);
    terminal.quit();
}

/// One row down costs the row that is left and the one that is reached; a preview costs what it shows, once.
#[test]
fn a_row_down_costs_next_to_nothing() {
    let study = copy(sample());
    let terminal = Open::home(study.path()).start();
    terminal.wait_home();
    terminal.send("3");
    terminal.wait_pairs(1);
    terminal.pause(500);
    for row in 2..9 {
        let bytes = cost(&terminal, "j");
        terminal.wait_pairs(row);
        assert!(bytes < 2500, "{bytes} bytes for row {row} and its preview");
    }
    cost(&terminal, "g");
    let bytes = cost(&terminal, "jjjjjjjj");
    terminal.wait_pairs(9);
    assert!(bytes < 8 * 600, "{bytes} bytes for eight rows: a preview for each");
    terminal.send(":set preview off\r");
    terminal.wait("the line to close", |screen| !screen.contents().contains("Commands and places"));
    cost(&terminal, "g");
    for row in 2..9 {
        let bytes = cost(&terminal, "j");
        terminal.wait_pairs(row);
        assert!(bytes < 600, "{bytes} bytes for row {row} alone");
    }
    terminal.quit();
}

/// What the program itself sends, and nothing else: a page cannot add to it.
#[test]
fn no_control_byte_of_a_page_reaches_the_terminal() {
    let study = copy(hostile());
    let terminal = Open::home(study.path()).start();
    tour(&terminal);
    for piece in pieces(&written(&terminal)) {
        let own = harmless(&piece) || matches!(&piece, Piece::Csi(_, 'h' | 'l' | 'J'));
        let shown: String = format!("{piece:?}").chars().take(200).collect();
        assert!(own, "{shown}");
    }
    terminal.quit();
}

/// What is printed after the screen was given back is as safe as the screen.
#[test]
fn what_is_printed_outside_the_explorer_is_safe_too() {
    let study = copy(hostile());
    // Styles that the program has none of: red alone is one of its own.
    let foreign = "9;31;46";
    let source = format!("no\u{1b}[{foreign}msuch\u{202e}");
    let mut terminal = Open::home(study.path()).arguments(["--at", source.as_str(), "neither\u{9b}m"]).start();
    terminal.wait_tab("Compare");
    terminal.wait_for("there is no document");
    terminal.send("jZ");
    terminal.wait_for("Z does nothing here");
    let shown = written(&terminal);
    terminal.send("Q");
    assert!(terminal.ended().success());
    terminal.restored();
    for piece in pieces(&shown).into_iter().chain(pieces(&without_question(terminal.raw()))) {
        assert!(!matches!(piece, Piece::Csi(ref parameters, 'm') if parameters == foreign), "{piece:?}");
        assert!(!matches!(piece, Piece::Control(_) | Piece::Other(_)), "{piece:?}");
    }
}

#[test]
fn pages_of_the_manual_are_laid_out_for_the_terminal() {
    for columns in [60, 200] {
        let terminal = Open::help("labelling").size(columns, 24).start();
        terminal.wait_raw("the end of the page", |raw| raw.ends_with(b"understood.\r\n"));
        let raw = String::from_utf8(terminal.raw()).unwrap();
        assert!(raw.contains("\u{1b}[1mLabelling: from a sample"), "headings are set off:\n{raw}");
        let plain = raw.replace("\u{1b}[1m", "").replace("\u{1b}[22m", "").replace("\u{1b}[0m", "");
        assert!(!plain.contains('\u{1b}') && !plain.contains("```") && !plain.contains("<!--"), "{plain}");
        let widest = plain.lines().map(|line| line.trim_end().chars().count()).max().unwrap();
        assert!(
            (usize::from(columns.min(100)) - 5..=usize::from(columns.min(100))).contains(&widest),
            "{widest} of {columns}:\n{plain}"
        );
    }
}
