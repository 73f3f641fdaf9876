//! Sections as HTML, without scripts and without anything loaded from elsewhere: the page's own policy forbids both.

use std::fmt::Write as _;

use super::parts::{Block, Section};
use crate::Table;
use crate::charts::svg::escape;

const STYLE: &str = include_str!("../../../assets/report.css");

/// A name of more characters than this is broken into lines.
const LONG: usize = 32;

/// A page; `files` has the names of the files of its tables, where it is to have links to them.
pub fn page(title: &str, sections: &[Section], files: &[String]) -> String {
    let mut files = files.iter();
    let mut body = format!("<header><h1>{}</h1>", escape(title));
    body.push_str("<nav><ol>");
    for section in sections {
        let _ = write!(body, "<li><a href=\"#{}\">{}</a></li>", section.id, escape(section.title));
    }
    body.push_str("</ol></nav></header>\n<main>\n");
    for section in sections {
        let _ = writeln!(body, "<section id=\"{}\"><h2>{}</h2>", section.id, escape(section.title));
        for block in &section.blocks {
            let name = block.table().and_then(|_| files.next());
            write_block(block, name, &mut body);
        }
        body.push_str("</section>\n");
    }
    let _ = write!(body, "</main>\n<footer>dejaview {}</footer>", env!("CARGO_PKG_VERSION"));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n",
        escape(title)
    )
}

/// A chart as a file of its own, on white.
pub fn alone(svg: &str) -> String {
    let style = format!("<style>\n{}</style><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>", chart_style());
    let head = svg.find('>').map_or(0, |at| at + 1);
    format!("{}{style}{}\n", &svg[..head], &svg[head..])
}

/// The style of charts in plain words, for programs that know neither variables nor media queries.
fn chart_style() -> String {
    let settings = |block: &str| -> Vec<(String, String)> {
        let pairs = block.split(';').filter_map(|setting| setting.trim().split_once(": "));
        pairs
            .filter(|(name, _)| name.starts_with("--"))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    };
    let inside =
        |rule: &str| rule.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(block, _)| block.to_owned());
    let light = settings(&inside(STYLE).unwrap_or_default());
    let plain = |text: &str| {
        light.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("var({name})"), value))
    };
    let mut style = String::new();
    for rule in STYLE.lines().filter(|line| line.starts_with("svg")).flat_map(|line| line.split_inclusive('}')) {
        let class = rule.trim().trim_start_matches("svg").split('{').next().unwrap_or_default().trim();
        match settings(&inside(rule).unwrap_or_default()).first() {
            // A colour of a series stands for that of marks.
            Some((_, colour)) => {
                let colour = plain(colour);
                let _ = writeln!(style, "{class}.curve {{ stroke: {colour}; }} {class}.fill {{ fill: {colour}; }}");
            }
            None => _ = writeln!(style, "{}", plain(rule.trim())),
        }
    }
    style
}

fn write_block(block: &Block, files: Option<&String>, out: &mut String) {
    match block {
        Block::Text(text) => {
            let _ = writeln!(out, "<p>{}</p>", prose(text));
        }
        Block::Table(table) => {
            let _ = writeln!(out, "<figure class=\"table\"><figcaption>{}</figcaption>", escape(&table.title));
            if !table.is_unavailable() {
                write_table(table, out);
            }
            write_notes(table, out);
            write_links(files, false, out);
            out.push_str("</figure>\n");
        }
        Block::Chart { svg, table } => {
            let _ = writeln!(out, "<figure><figcaption>{}</figcaption>\n{svg}", escape(&table.title));
            write_notes(table, out);
            out.push_str("<details><summary>the numbers</summary>");
            write_table(table, out);
            out.push_str("</details>\n");
            write_links(files, true, out);
            out.push_str("</figure>\n");
        }
        Block::Markup(markup) => out.push_str(markup),
    }
}

/// Links to the files of a table, and to that of its chart.
fn write_links(name: Option<&String>, is_chart: bool, out: &mut String) {
    let Some(name) = name.map(|name| escape(name)) else { return };
    let _ = write!(
        out,
        "<p class=\"note\"><a href=\"tables/{name}.csv\">CSV</a> · <a href=\"tables/{name}.tex\">LaTeX</a>"
    );
    if is_chart {
        let _ = write!(out, " · <a href=\"figures/{name}.svg\">SVG</a>");
    }
    out.push_str("</p>\n");
}

fn write_notes(table: &Table, out: &mut String) {
    for note in &table.notes {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", prose(note));
    }
}

/// Text whose words between backticks are code.
fn prose(text: &str) -> String {
    let mut out = String::new();
    for (i, part) in escape(text).split('`').enumerate() {
        match i % 2 {
            0 => out.push_str(part),
            _ => _ = write!(out, "<code>{part}</code>"),
        }
    }
    out
}

fn write_table(table: &Table, out: &mut String) {
    let class = |c: usize| if table.right.contains(&c) { " class=\"n\"" } else { "" };
    let kind = if table.right.is_empty() { " class=\"wide\"" } else { "" };
    let _ = write!(out, "<div class=\"scroll\"><table{kind}><thead><tr>");
    for (c, name) in table.head.iter().enumerate() {
        let _ = write!(out, "<th scope=\"col\"{}>{}</th>", class(c), escape(name));
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (c, cell) in row.iter().enumerate() {
            let _ = match c {
                0 if cell.chars().count() > LONG => {
                    write!(out, "<th scope=\"row\" class=\"long\">{}</th>", escape(cell))
                }
                0 => write!(out, "<th scope=\"row\">{}</th>", escape(cell)),
                _ => write!(out, "<td{}>{}</td>", class(c), escape(cell)),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_alone_need_no_variables() {
        let style = chart_style();
        assert!(!style.contains("var(") && !style.contains("--"), "{style}");
        assert!(style.contains(".s1.curve { stroke: #d55e00; }") && style.contains("svg .axis"), "{style}");
        assert!(style.contains(".s7.fill { fill: #667; }"), "{style}");
        assert!(alone("<svg x=\"1\"><g/></svg>").starts_with("<svg x=\"1\"><style>"));
    }

    #[test]
    fn words_between_backticks_are_code() {
        assert_eq!(prose("a `b < c` d"), "a <code>b &lt; c</code> d");
    }
}
