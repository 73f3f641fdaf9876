//! Blocks to HTML, in the manner of 2009 (tables, `<b>`, entities) or of 2012 (classes, `<strong>`).

use std::fmt::Write as _;

use crate::work::{Block, slug};

/// How the markup is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Presentational markup, upper-case tags here and there.
    Old,
    /// Classes and semantic tags.
    New,
    /// A directory listing of Apache, in `<pre>`.
    Listing,
}

/// The body of a page.
pub fn body(blocks: &[Block], manner: Manner) -> String {
    let mut out = String::new();
    let mut open = Open::Nothing;
    let mut in_post = false;
    for block in blocks {
        let wanted = Open::for_block(block);
        if wanted != open {
            out.push_str(open.end(manner));
            out.push_str(wanted.start(manner));
            open = wanted;
        }
        if let Block::Post(user, time) = block {
            if in_post {
                out.push_str(post_end(manner));
            }
            in_post = true;
            post_start(&mut out, user, time, manner);
        } else {
            write_block(&mut out, block, manner);
        }
    }
    out.push_str(open.end(manner));
    if in_post {
        out.push_str(post_end(manner));
    }
    out
}

/// The element that several blocks share.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    List,
    Numbers,
    Table,
}

impl Open {
    fn for_block(block: &Block) -> Self {
        match block {
            Block::Item(false, _) => Self::List,
            Block::Item(true, _) => Self::Numbers,
            Block::Row(..) => Self::Table,
            _ => Self::Nothing,
        }
    }

    fn start(self, manner: Manner) -> &'static str {
        match (self, manner) {
            (Self::Nothing, _) => "",
            (Self::List, _) => "<ul>\n",
            (Self::Numbers, _) => "<ol>\n",
            (Self::Table, Manner::Old) => "<table border=\"1\" cellpadding=\"3\" cellspacing=\"0\">\n",
            (Self::Table, Manner::New) => "<table class=\"data\">\n",
            (Self::Table, Manner::Listing) => "<pre>",
        }
    }

    fn end(self, manner: Manner) -> &'static str {
        match (self, manner) {
            (Self::Nothing, _) => "",
            (Self::List, _) => "</ul>\n",
            (Self::Numbers, _) => "</ol>\n",
            (Self::Table, Manner::Listing) => "<hr></pre>\n",
            (Self::Table, _) => "</table>\n",
        }
    }
}

fn write_block(out: &mut String, block: &Block, manner: Manner) {
    match block {
        Block::Heading(text) => {
            let text = inline(text, manner);
            let _ = match manner {
                Manner::New => writeln!(out, "<h2 id=\"{}\">{text}</h2>", slug(&text)),
                _ => writeln!(out, "<h3>{text}</h3>"),
            };
        }
        Block::Paragraph(text) => {
            let _ = writeln!(out, "<p>{}</p>", inline(text, manner));
        }
        Block::Item(_, text) => {
            let _ = writeln!(out, "<li>{}</li>", inline(text, manner));
        }
        Block::Row(head, cells) if manner == Manner::Listing => listing_row(out, *head, cells),
        Block::Row(head, cells) => {
            let tag = if *head { "th" } else { "td" };
            let cells: String = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", inline(cell, manner))).collect();
            let _ = writeln!(out, "<tr>{cells}</tr>");
        }
        Block::Rule => out.push_str(if manner == Manner::New { "<hr />\n" } else { "<HR>\n" }),
        Block::Post(..) => {}
    }
}

/// Name, date, size and description in columns.
fn listing_row(out: &mut String, head: bool, cells: &[String]) {
    let cell = |i: usize| cells.get(i).map_or("", String::as_str);
    let name = escape(cell(0), Manner::Listing);
    let (date, size, about) = (cell(1), cell(2), cell(3));
    let gap = " ".repeat(26_usize.saturating_sub(cell(0).len()).max(1));
    let icon = match (head, cell(0)) {
        (true, _) => "<img src=\"/icons/blank.gif\" alt=\"     \">",
        (_, "Parent Directory") => "<img src=\"/icons/back.gif\" alt=\"[DIR]\">",
        (_, n) if n.ends_with('/') => "<img src=\"/icons/folder.gif\" alt=\"[DIR]\">",
        _ => "<img src=\"/icons/unknown.gif\" alt=\"[   ]\">",
    };
    let _ = writeln!(out, "{icon} <a href=\"{name}\">{name}</a>{gap}{date:17} {size:>5}  {about}");
    if head {
        out.push_str("<hr>");
    }
}

fn post_start(out: &mut String, user: &str, time: &str, manner: Manner) {
    let _ = match manner {
        Manner::New => writeln!(
            out,
            "<div class=\"post\"><p class=\"author\">by <strong>{user}</strong> &raquo; {time}</p><div class=\"content\">"
        ),
        _ => writeln!(
            out,
            "<tr><td class=\"row1\" width=\"150\" valign=\"top\"><b>{user}</b></td>\n<td class=\"row1\"><span class=\"postdetails\">Posted: {time}</span><hr>"
        ),
    };
}

fn post_end(manner: Manner) -> &'static str {
    if manner == Manner::New { "</div></div>\n" } else { "</td></tr>\n" }
}

/// `*emphasis*`, `[[Title|link]]`, and the backslash codes of the page that tries to upset terminals.
fn inline(text: &str, manner: Manner) -> String {
    let text = escape(text, manner);
    let (open, close) = if manner == Manner::New { ("<em>", "</em>") } else { ("<i>", "</i>") };
    let mut out = String::new();
    for (i, part) in text.split('*').enumerate() {
        if i > 0 {
            out.push_str(if i % 2 == 1 { open } else { close });
        }
        out.push_str(part);
    }
    links(&codes(&out))
}

fn links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[[") {
        let Some((link, end)) = after.split_once("]]") else { break };
        let (target, words) = link.split_once('|').unwrap_or((link, link));
        let _ = write!(out, "{before}<a href=\"{}\" title=\"{words}\">{words}</a>", target.replace(' ', "_"));
        rest = end;
    }
    out + rest
}

fn codes(text: &str) -> String {
    text.replace("\\e", "\u{1b}")
        .replace("\\a", "\u{7}")
        .replace("\\u202E", "\u{202e}")
        .replace("\\u202C", "\u{202c}")
        .replace("\\u00AD", "\u{ad}")
        .replace("\\u200B", "\u{200b}")
}

/// Escapes what HTML needs; in the old manner also what typewriters lacked.
pub fn escape(text: &str, manner: Manner) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    if manner == Manner::New {
        return text;
    }
    text.replace('—', "&mdash;").replace('–', "&ndash;").replace('°', "&deg;").replace('"', "&quot;")
}
