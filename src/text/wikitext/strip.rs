//! Takes out what is not text and may span lines: comments, references, formulas, templates.

use memchr::memmem;

/// Elements whose content goes with them.
const DROPPED: [&str; 10] =
    ["ref", "math", "chem", "timeline", "gallery", "score", "graph", "mapframe", "imagemap", "templatestyles"];

/// The text without comments and without elements that hold no text.
pub fn tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut unclosed = [false; DROPPED.len()];
    // Behind here no tag ends.
    let last = memchr::memrchr(b'>', text.as_bytes()).map_or(0, |at| at + 1);
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'<', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            // A comment that is not closed goes to the end of the page.
            rest = memmem::find(comment.as_bytes(), b"-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        let ends = text.len() - rest.len() < last;
        rest = match DROPPED.iter().position(|name| ends && opens(rest, name)) {
            Some(which) => behind_element(rest, DROPPED[which], &mut unclosed[which]),
            None => {
                out.push('<');
                &rest[1..]
            }
        };
    }
    out.push_str(rest);
    out
}

/// Whether `text` begins with the start tag of an element.
fn opens(text: &str, name: &str) -> bool {
    let bytes = &text.as_bytes()[1..];
    let named = bytes.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()));
    named && !bytes.get(name.len()).is_some_and(u8::is_ascii_alphanumeric)
}

/// What follows an element; only its tag is left out where it is not closed. Once a closing tag is not found it is never
/// looked for again, so that a page of opening tags costs no more than any other.
fn behind_element<'a>(text: &'a str, name: &str, unclosed: &mut bool) -> &'a str {
    let Some(end) = memchr::memchr(b'>', text.as_bytes()) else { return &text[1..] };
    let (tag, rest) = text.split_at(end + 1);
    if tag.ends_with("/>") || *unclosed {
        return rest;
    }
    let close = format!("</{name}");
    let Some(at) = memmem::find(rest.as_bytes(), close.as_bytes()) else {
        *unclosed = true;
        return rest;
    };
    let behind = &rest[at..];
    memchr::memchr(b'>', behind.as_bytes()).map_or("", |end| &behind[end + 1..])
}

/// The text without templates and parameters. Braces without counterpart stay; the reader of lines drops them.
pub fn templates(text: &str) -> String {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    let bytes = text.as_bytes();
    let run = |at: usize, brace: u8| bytes[at..].iter().take(3).take_while(|b| **b == brace).count();
    let mut at = 0;
    while let Some(next) = memchr::memchr2(b'{', b'}', &bytes[at..]) {
        at += next;
        let braces = run(at, bytes[at]);
        if bytes[at] == b'{' && braces >= 2 {
            open.push((at, braces));
            at += braces;
        } else if bytes[at] == b'}' && braces >= 2 {
            at += close(&mut open, &mut ranges, at, braces);
        } else {
            at += 1;
        }
    }
    without(text, ranges)
}

/// Closes the innermost template with so many braces; how many of them it took.
fn close(open: &mut Vec<(usize, usize)>, ranges: &mut Vec<(usize, usize)>, at: usize, braces: usize) -> usize {
    let Some((start, opened)) = open.pop() else { return braces };
    let taken = opened.min(braces);
    if opened > taken {
        // `{{{a}}`: a template behind a brace.
        ranges.push((start + opened - taken, at + taken));
    } else {
        ranges.push((start, at + taken));
    }
    taken
}

fn without(text: &str, mut ranges: Vec<(usize, usize)>) -> String {
    ranges.sort_unstable();
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (start, end) in ranges {
        if start >= done {
            out.push_str(&text[done..start]);
            done = end;
        }
    }
    out.push_str(&text[done..]);
    out
}
