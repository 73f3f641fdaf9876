//! One URL cut in the middle, and two URLs with their equal parts under each other.

use super::cells::{CUT, clean, columns, cut_end, cut_line, cut_middle, cut_start, halves, tail};
use super::{Compared, ONLY, Role, Span, push};
use crate::diff::{Run, shared_runs};
use crate::graphemes;

/// A scheme that most URLs have, and that therefore says nothing.
const SCHEME: &str = "http://";
/// How narrow parts become, in this order, until a line fits: equal parts first, down to a few letters of both ends.
const NARROWER: [(bool, usize); 5] = [(true, 9), (false, 12), (true, 3), (false, 5), (true, 1)];

/// A URL without `http://`, or its beginning and its end.
pub fn shorten_url(url: &str, columns: usize) -> String {
    cut_middle(without_scheme(&clean(url)), columns)
}

/// An id, or as much of its end as fits: ids of one collection begin alike.
pub fn shorten_id(id: &str, columns: usize) -> String {
    cut_start(&clean(id), columns)
}

/// Two URLs in at most so many columns each, split at `/ ? & =` and padded so that equal parts are under each other.
/// Where they are too long equal parts are cut first, and parts that differ around what differs in them.
pub fn compare_urls(a: &str, b: &str, columns: usize) -> Compared {
    let texts = [clean(a), clean(b)];
    let [a, b] = [0, 1].map(|side: usize| without_scheme(&texts[side]));
    if a == b {
        return Compared::Same(cut_middle(a, columns));
    }
    let parts = aligned(&pieces(a), &pieces(b));
    let mut widths: Vec<usize> = parts.iter().map(Part::columns).collect();
    for (equal, least) in NARROWER {
        narrow(&mut widths, &parts, equal, least, columns);
    }
    let mut lines = [Vec::new(), Vec::new()];
    for (part, width) in parts.iter().zip(widths) {
        part.draw(width, &mut lines);
    }
    Compared::Different(lines.map(|line| cut_line(without_padding(line), columns)))
}

fn without_scheme(url: &str) -> &str {
    let (scheme, rest) = url.split_at_checked(SCHEME.len()).unwrap_or(("", url));
    if scheme.eq_ignore_ascii_case(SCHEME) { rest } else { url }
}

/// The parts of a URL, each but the first with the sign that it begins with. A scheme is one part.
fn pieces(url: &str) -> Vec<&str> {
    let scheme = url.find("://").filter(|at| *at < 10 && !url[..*at].contains('/')).map_or(0, |at| at + 3);
    let mut pieces: Vec<&str> = Some(&url[..scheme]).filter(|scheme| !scheme.is_empty()).into_iter().collect();
    let mut rest = &url[scheme..];
    while !rest.is_empty() {
        let end = rest.char_indices().skip(1).find(|(_, sign)| matches!(sign, '/' | '?' | '&' | '='));
        let (piece, behind) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

/// Neighbouring parts of both URLs that are equal, or that differ; a side may have nothing there.
struct Part {
    texts: [String; 2],
    equal: bool,
}

/// All of both URLs, part by part.
fn aligned(a: &[&str], b: &[&str]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut done = (0, 0);
    for run in shared_runs(a, b).into_iter().chain([Run { a: a.len(), b: b.len(), len: 0 }]) {
        let differs = [a[done.0..run.a].concat(), b[done.1..run.b].concat()];
        if differs.iter().any(|text| !text.is_empty()) {
            parts.push(Part { texts: differs, equal: false });
        }
        let equal = a[run.a..run.a + run.len].concat();
        if !equal.is_empty() {
            parts.push(Part { texts: [equal.clone(), equal], equal: true });
        }
        done = (run.a + run.len, run.b + run.len);
    }
    parts
}

/// Narrows the widest of the equal parts, or of those that differ, to as little as `least` columns until all fit.
fn narrow(widths: &mut [usize], parts: &[Part], equal: bool, least: usize, room: usize) {
    let total = |limit: usize| -> usize {
        let width = |(width, part): (&usize, &Part)| if part.equal == equal { *width.min(&limit) } else { *width };
        widths.iter().zip(parts).map(width).sum()
    };
    let widest = widths.iter().copied().max().unwrap_or_default();
    if total(widest) <= room {
        return;
    }
    // The widest limit within which all fit, by halving what is in question.
    let (mut fits, mut over) = (least, widest);
    while over > fits + 1 {
        let middle = fits.midpoint(over);
        if total(middle) <= room { fits = middle } else { over = middle }
    }
    // What is left of the room goes to the first of those that were narrowed.
    let mut spare = room.saturating_sub(total(fits));
    for (width, part) in widths.iter_mut().zip(parts) {
        if part.equal == equal && *width > fits {
            let more = spare.min(1);
            spare -= more;
            *width = fits + more;
        }
    }
}

impl Part {
    fn columns(&self) -> usize {
        columns(&self.texts[0]).max(columns(&self.texts[1]))
    }

    /// Adds the part to both lines in at most so many columns, and blanks to the shorter one.
    fn draw(&self, width: usize, lines: &mut [Vec<Span>; 2]) {
        if self.equal {
            let text = cut_middle(&self.texts[0], width);
            lines.iter_mut().for_each(|line| push(line, &text, Role::Equal));
            return;
        }
        let around = self.common_columns();
        let texts = [0, 1].map(|side: usize| cut_around(&self.texts[side], around, width));
        let widths = [columns(&texts[0]), columns(&texts[1])];
        for (side, line) in lines.iter_mut().enumerate() {
            push(line, &texts[side], ONLY[side]);
            push(line, &" ".repeat(widths[1 - side].saturating_sub(widths[side])), Role::Equal);
        }
    }

    /// Columns at the beginning and at the end in which the two texts are equal.
    fn common_columns(&self) -> [usize; 2] {
        let [a, b] =
            [0, 1].map(|side: usize| graphemes(&self.texts[side]).map(|(_, grapheme)| grapheme).collect::<Vec<_>>());
        let first = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
        let last = a[first..].iter().rev().zip(b[first..].iter().rev()).take_while(|(a, b)| a == b).count();
        [columns(&a[..first].concat()), columns(&a[a.len() - last..].concat())]
    }
}

/// A part that differs from another, cut in the middle; where that would hide what differs, at the beginning and at the end.
fn cut_around(text: &str, [first, last]: [usize; 2], width: usize) -> String {
    let [start, end] = halves(width);
    // A letter may take two columns.
    if columns(text) <= width || start >= first + 2 || end >= last + 2 {
        return cut_middle(text, width);
    }
    let differing = tail(text, columns(text).saturating_sub(first));
    match width.checked_sub(1) {
        None => String::new(),
        Some(room) if columns(differing) <= room => cut_start(text, width),
        Some(room) => CUT.to_owned() + &cut_end(differing, room),
    }
}

/// The line without blanks at its end.
fn without_padding(mut line: Vec<Span>) -> Vec<Span> {
    while let Some(last) = line.last_mut() {
        last.text.truncate(last.text.trim_end_matches(' ').len());
        if !last.text.is_empty() {
            break;
        }
        line.pop();
    }
    line
}
