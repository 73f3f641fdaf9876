//! Texts measured and cut by the columns of a terminal.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::{Span, push};
use crate::{graphemes, printable};

/// What stands for what was cut out.
pub(super) const CUT: &str = "…";

/// A text as one line that may reach a terminal: white space is one blank, and there is none at the ends.
pub(super) fn clean(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    printable(&words.join(" ")).into_owned()
}

/// Columns that a cleaned text takes. A grapheme takes at least one, so that no mark is drawn over its neighbour.
pub fn columns(text: &str) -> usize {
    graphemes(text).map(|(_, grapheme)| width(grapheme)).sum()
}

fn width(grapheme: &str) -> usize {
    grapheme.width().max(1)
}

/// The bytes at the beginning of a text that fit so many columns.
pub(super) fn head(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let end = graphemes(text).find(|(_, grapheme)| {
        used += width(grapheme);
        used > columns
    });
    end.map_or(text, |(at, _)| &text[..at])
}

/// The bytes at the end of a text that fit so many columns.
pub(super) fn tail(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let start = text.grapheme_indices(true).rev().find(|(_, grapheme)| {
        used += width(grapheme);
        used > columns
    });
    start.map_or(text, |(at, grapheme)| &text[at + grapheme.len()..])
}

fn fits(text: &str, columns: usize) -> bool {
    head(text, columns).len() == text.len()
}

/// The text, or as much of its beginning as fits, and a sign that there is more.
pub(super) fn cut_end(text: &str, columns: usize) -> String {
    match columns {
        _ if fits(text, columns) => text.to_owned(),
        0 => String::new(),
        _ => head(text, columns - 1).to_owned() + CUT,
    }
}

/// The text, or as much of its end as fits.
pub(super) fn cut_start(text: &str, columns: usize) -> String {
    match columns {
        _ if fits(text, columns) => text.to_owned(),
        0 => String::new(),
        _ => CUT.to_owned() + tail(text, columns - 1),
    }
}

/// The text, or as much of its beginning and end as fits.
pub(super) fn cut_middle(text: &str, columns: usize) -> String {
    match columns {
        _ if fits(text, columns) => text.to_owned(),
        0 => String::new(),
        _ => {
            let [first, last] = halves(columns);
            [head(text, first), CUT, tail(text, last)].concat()
        }
    }
}

/// The columns of the beginning and of the end of a text that is cut in the middle.
pub(super) fn halves(columns: usize) -> [usize; 2] {
    let room = columns.saturating_sub(1);
    [room.div_ceil(2), room / 2]
}

/// The line, or as much of its beginning as fits.
pub(super) fn cut_line(line: Vec<Span>, room: usize) -> Vec<Span> {
    if line.iter().map(|span| columns(&span.text)).sum::<usize>() <= room {
        return line;
    }
    // The last column says that there is more.
    let mut left = room.saturating_sub(1);
    let mut cut = Vec::new();
    for span in line {
        let kept = head(&span.text, left);
        left -= columns(kept);
        push(&mut cut, kept, span.role);
        if kept.len() < span.text.len() {
            push(&mut cut, if room == 0 { "" } else { CUT }, span.role);
            break;
        }
    }
    cut
}
