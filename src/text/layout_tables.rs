//! Tables that lay out a page, told from tables of data.
//!
//! Old pages put menus, columns and whole articles into the cells of tables. Rendered as tables these become columns of
//! unrelated text side by side. So before a page is rendered, tables with a table or with long text inside a cell become
//! plain blocks, and only tables of data are left. One pass over the tags; the page need not be well-formed.

use std::borrow::Cow;
use std::ops::Range;

/// Letters of a cell beyond which its table is not one of data.
const LONGEST_CELL: usize = 80;
/// Elements whose content is not text.
const OPAQUE: [&str; 3] = ["script", "style", "textarea"];

/// A table that is not closed yet.
#[derive(Default)]
struct Table {
    /// Where the names of its tags are, and of those of its rows and cells.
    names: Vec<Range<usize>>,
    /// Letters of the current cell.
    letters: usize,
    lays_out: bool,
}

/// The page with blocks in place of tables that lay it out.
pub(super) fn flatten(html: &str) -> Cow<'_, str> {
    let mut replaced: Vec<Range<usize>> = Vec::new();
    let mut open: Vec<Table> = Vec::new();
    let mut at = 0;
    while let Some(tag) = next_tag(html, at) {
        if let Some(table) = open.last_mut() {
            table.letters += html[at..tag.start].chars().filter(|c| !c.is_whitespace()).count();
            table.lays_out |= table.letters > LONGEST_CELL;
        }
        at = tag.end;
        let name = html[tag.name.clone()].to_ascii_lowercase();
        match name.as_str() {
            "table" if !tag.closes => {
                if let Some(outer) = open.last_mut() {
                    outer.lays_out = true;
                }
                open.push(Table { names: vec![tag.name], ..Table::default() });
            }
            "table" => {
                if let Some(mut table) = open.pop() {
                    table.names.push(tag.name);
                    replaced.extend(table.names.into_iter().filter(|_| table.lays_out));
                }
            }
            "tr" | "td" | "th" | "tbody" | "thead" | "tfoot" | "caption" => {
                if let Some(table) = open.last_mut() {
                    table.names.push(tag.name);
                    table.letters = 0;
                }
            }
            opaque if OPAQUE.contains(&opaque) && !tag.closes => at = closing_tag(html, at, opaque),
            _ => {}
        }
    }
    replaced.extend(open.into_iter().filter(|table| table.lays_out).flat_map(|table| table.names));
    if replaced.is_empty() {
        return Cow::Borrowed(html);
    }
    replaced.sort_by_key(|name| name.start);
    let (mut out, mut done) = (String::with_capacity(html.len()), 0);
    for name in replaced {
        out.push_str(&html[done..name.start]);
        out.push_str("div");
        done = name.end;
    }
    out.push_str(&html[done..]);
    Cow::Owned(out)
}

struct Tag {
    start: usize,
    name: Range<usize>,
    closes: bool,
    /// After its `>`, or the end of the page.
    end: usize,
}

/// The next tag with a name; comments are passed over.
fn next_tag(html: &str, mut from: usize) -> Option<Tag> {
    loop {
        let start = from + html[from..].find('<')?;
        let rest = &html[start + 1..];
        if rest.starts_with("!--") {
            from = rest.find("-->").map_or(html.len(), |end| start + 1 + end + 3);
            continue;
        }
        let closes = rest.starts_with('/');
        let first = start + 1 + usize::from(closes);
        let length = html[first..].bytes().take_while(u8::is_ascii_alphanumeric).count();
        if length == 0 {
            from = start + 1;
            continue;
        }
        let end = html[first..].find('>').map_or(html.len(), |end| first + end + 1);
        return Some(Tag { start, name: first..first + length, closes, end });
    }
}

/// Where the content of an element that holds no text ends.
fn closing_tag(html: &str, from: usize, name: &str) -> usize {
    let mut at = from;
    while let Some(found) = html[at..].find("</") {
        let rest = &html[at + found + 2..];
        if rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)) {
            return at + found;
        }
        at += found + 2;
    }
    html.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tables_of_data_stay_and_others_become_blocks() {
        let data = "<TABLE class=x><tr><td>Club<td>W<tr><td>Port Ansel<td>41</table>";
        assert_eq!(flatten(data), data);
        let nested = format!("<table><tr><td>menu<td>{data}</table>after");
        assert_eq!(flatten(&nested), format!("<div><div><div>menu<div>{data}</div>after"));
        let long = format!("<table><tr><td>{}</td></tr></table>", "word ".repeat(30));
        assert_eq!(flatten(&long), long.replace("table", "div").replace("tr>", "div>").replace("td>", "div>"));
        let script = format!("<table><tr><td>a<script>{}</script><td>b</table>", "x<td>".repeat(90));
        assert_eq!(flatten(&script), script);
        assert_eq!(flatten("<!-- <table><tr><td><table> --><p>"), "<!-- <table><tr><td><table> --><p>");
    }

    proptest! {
        #[test]
        fn any_page(html in "(<(/?(table|tr|td|th|p|script|!--)|[a-z<])[ >]?|-->|é漢|[a-z ]{0,30}|>){0,40}") {
            let flat = flatten(&html);
            let text = |html: &str| -> String {
                let mut out = html.to_owned();
                for name in ["table", "tr", "td", "th", "div"] {
                    out = out.replace(name, "");
                }
                out
            };
            prop_assert_eq!(text(&flat), text(&html));
            prop_assert_eq!(flatten(&flat).into_owned(), flat.into_owned(), "nothing is left to flatten");
        }
    }
}
