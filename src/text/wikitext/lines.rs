//! What the front of a line says: headings, lists, tables.

use super::inline;

/// Writes the lines of a page whose templates are out.
pub fn read(text: &str, out: &mut String) {
    let mut tables = 0usize;
    let mut row = String::new();
    for line in text.lines() {
        let trimmed = line.trim();
        let front = trimmed.trim_start_matches(':').trim_start();
        if front.starts_with("{|") {
            end_row(&mut row, out);
            tables += 1;
        } else if tables > 0 && front.starts_with("|}") {
            end_row(&mut row, out);
            tables -= 1;
            plain(&front[2..], out);
        } else if tables > 0 && front.starts_with("|-") {
            end_row(&mut row, out);
        } else if let Some(caption) = front.strip_prefix("|+").filter(|_| tables > 0) {
            end_row(&mut row, out);
            plain(content(caption), out);
        } else if tables > 0 && front.starts_with(['|', '!']) {
            cells(front, &mut row);
        } else if row.is_empty() {
            plain(trimmed, out);
        } else {
            // A line of a cell that goes on.
            row.push(' ');
            inline::read(trimmed, &mut row);
        }
    }
    end_row(&mut row, out);
}

/// Adds the cells of a line to the row.
fn cells(line: &str, row: &mut String) {
    let head = line.starts_with('!');
    let rest = &line[1..];
    let mut from = 0;
    loop {
        let next = rest[from..].find("||").into_iter().chain(rest[from..].find("!!").filter(|_| head)).min();
        let end = next.map_or(rest.len(), |at| from + at);
        if !row.is_empty() {
            row.push('\t');
        }
        inline::read(content(&rest[from..end]), row);
        if next.is_none() {
            return;
        }
        from = end + 2;
    }
}

/// A cell without its attributes: `align=right | text`.
fn content(cell: &str) -> &str {
    match cell.split_once('|') {
        Some((attributes, text)) if !attributes.contains("[[") => text,
        _ => cell,
    }
}

fn end_row(row: &mut String, out: &mut String) {
    if !row.is_empty() {
        let row = std::mem::take(row);
        push_line(&row, out);
    }
}

/// A line outside of tables: without the marks of headings, lists and rules.
fn plain(line: &str, out: &mut String) {
    let mut text = line.trim();
    if text.starts_with("----") {
        text = text.trim_start_matches('-');
    }
    let listed = text.trim_start_matches(['*', '#', ':', ';']);
    let headed = listed.trim_start_matches('=');
    let text = match listed.len() - headed.len() {
        1..=6 if listed.ends_with('=') && text.len() == listed.len() => headed.trim_end_matches('='),
        _ => listed,
    };
    if text.trim().is_empty() {
        return;
    }
    let mut read = String::with_capacity(text.len());
    inline::read(text, &mut read);
    push_line(&read, out);
}

/// Writes what was read, line by line, white space in runs of one, tabs between cells kept.
fn push_line(read: &str, out: &mut String) {
    for line in read.split('\n') {
        let before = out.len();
        for cell in line.split('\t') {
            let words = cell.split(|c: char| c.is_whitespace() || c == '\u{A0}').filter(|word| !word.is_empty());
            let mut first = true;
            for word in words {
                if first && out.len() > before {
                    out.push('\t');
                } else if first {
                    if before > 0 {
                        out.push('\n');
                    }
                } else {
                    out.push(' ');
                }
                out.push_str(word);
                first = false;
            }
        }
    }
}
