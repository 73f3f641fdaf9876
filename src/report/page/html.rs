//! Sections as HTML, without scripts and without anything loaded from elsewhere: the page's own policy forbids both.

use std::fmt::Write as _;

use super::parts::{Block, Section};
use crate::Table;
use crate::charts::svg::escape;

const STYLE: &str = include_str!("../../../assets/report.css");

pub fn page(title: &str, sections: &[Section]) -> String {
    let mut body = format!("<header><h1>{}</h1>", escape(title));
    body.push_str("<nav><ol>");
    for section in sections {
        let _ = write!(body, "<li><a href=\"#{}\">{}</a></li>", section.id, escape(section.title));
    }
    body.push_str("</ol></nav></header>\n<main>\n");
    for section in sections {
        let _ = writeln!(body, "<section id=\"{}\"><h2>{}</h2>", section.id, escape(section.title));
        section.blocks.iter().for_each(|block| write_block(block, &mut body));
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

/// A chart as a file of its own, with the style of the page.
pub fn alone(svg: &str) -> String {
    let style = format!("<style>\n{STYLE}</style>");
    let head = svg.find('>').map_or(0, |at| at + 1);
    format!("{}{style}{}\n", &svg[..head], &svg[head..])
}

fn write_block(block: &Block, out: &mut String) {
    match block {
        Block::Text(text) => {
            let _ = writeln!(out, "<p>{}</p>", escape(text));
        }
        Block::Table(table) => {
            let _ = writeln!(out, "<figure class=\"table\"><figcaption>{}</figcaption>", escape(&table.title));
            if !table.is_unavailable() {
                write_table(table, out);
            }
            write_notes(table, out);
            out.push_str("</figure>\n");
        }
        Block::Chart { svg, table } => {
            let _ = writeln!(out, "<figure><figcaption>{}</figcaption>\n{svg}", escape(&table.title));
            write_notes(table, out);
            out.push_str("<details><summary>the numbers</summary>");
            write_table(table, out);
            out.push_str("</details></figure>\n");
        }
        Block::Markup(markup) => out.push_str(markup),
    }
}

fn write_notes(table: &Table, out: &mut String) {
    for note in &table.notes {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escape(note));
    }
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
                0 => write!(out, "<th scope=\"row\">{}</th>", escape(cell)),
                _ => write!(out, "<td{}>{}</td>", class(c), escape(cell)),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}
