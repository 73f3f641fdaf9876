//! A screen for terminals that know no more than ASCII: our own signs as what comes nearest, a cell for a cell.

use ratatui::buffer::Buffer;

/// Our signs, and what stands for them.
const SIGNS: [(&str, &str); 41] = [
    ("·", "."),
    ("•", "*"),
    ("…", "~"),
    ("–", "-"),
    ("—", "-"),
    ("“", "\""),
    ("”", "\""),
    ("»", ">"),
    ("«", "<"),
    ("›", ">"),
    ("‹", "<"),
    ("≠", "!"),
    ("≈", "~"),
    ("×", "x"),
    ("✓", "+"),
    ("✗", "x"),
    ("⋯", "~"),
    ("⌫", "<"),
    ("⏎", "^"),
    ("▾", "v"),
    ("▴", "^"),
    ("▸", ">"),
    ("│", "|"),
    ("─", "-"),
    ("┼", "+"),
    ("├", "+"),
    ("└", "+"),
    ("┌", "+"),
    ("▌", "|"),
    ("█", "#"),
    ("▓", "#"),
    ("▒", "+"),
    ("░", ":"),
    ("▁", "."),
    ("▂", "."),
    ("▃", "-"),
    ("▄", "-"),
    ("▅", "="),
    ("▆", "="),
    ("▇", "#"),
    ("←", "<"),
];

/// Replaces them. Texts of documents stay as they are: they are what is looked at.
pub fn replace(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let symbol = cell.symbol();
        if symbol.is_ascii() {
            continue;
        }
        let plain = match symbol {
            "→" => Some(">"),
            "↑" => Some("^"),
            "↓" => Some("v"),
            _ => SIGNS.iter().find(|(sign, _)| *sign == symbol).map(|(_, plain)| *plain),
        };
        if let Some(plain) = plain {
            cell.set_symbol(plain);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    #[test]
    fn signs_become_ascii_and_words_stay() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 20, 1));
        buffer.set_string(0, 0, "▾ größe · 1–2 █▄→", Style::new());
        replace(&mut buffer);
        let text: String = buffer.content.iter().map(|cell| cell.symbol()).collect();
        assert_eq!(text.trim_end(), "v größe . 1-2 #->");
        assert!(SIGNS.iter().all(|(_, plain)| plain.len() == 1 && plain.is_ascii()));
    }
}
