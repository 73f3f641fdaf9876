//! A screen for terminals that know no more than ASCII: every sign as what comes nearest, a cell for a cell. This is the
//! last thing done to a frame, so no screen can forget it.

use ratatui::buffer::Buffer;

/// What stands for a letter of a page that ASCII does not have.
const UNKNOWN: &str = "?";

/// Replaces everything beyond ASCII.
pub fn replace(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if !cell.symbol().is_ascii() {
            let plain = cell.symbol().chars().next().map_or(UNKNOWN, nearest);
            cell.set_symbol(plain);
        }
    }
}

/// The sign of ASCII that comes nearest.
fn nearest(sign: char) -> &'static str {
    match sign {
        '\u{a0}' => " ",
        '·' | '▁' | '▂' => ".",
        '○' => "o",
        '◐' => "?",
        '…' | '≈' | '±' => "~",
        '⋯' => ".",
        '–' | '—' | '−' | '─' | '┄' | '╸' | '▃' | '▄' => "-",
        '━' => "=",
        '▀' => "^",
        '┃' => "#",
        '✗' => "x",
        '“' | '”' => "\"",
        '‘' | '’' => "'",
        '▌' | '»' | '›' | '→' | '▸' | '≥' | '⟩' => ">",
        '«' | '‹' | '←' | '⌫' | '≤' | '⟨' | '⊂' => "<",
        '↑' | '▴' | '▲' | '␀'..='␡' => "^",
        '↓' | '▾' | '⏎' => "v",
        '•' | '●' | '\u{2801}'..='\u{28ff}' => "*",
        '¼' | '½' | '¾' => "-",
        '×' => "x",
        '⇄' => "/",
        '≠' => "!",
        '✓' | '▒' => "+",
        '│' | '┊' | '▎' | '▍' | '▏' => "|",
        '┌'..='╿' => "+",
        '▅' | '▆' | '▋' | '▊' => "=",
        '▇' | '█' | '▓' | '▉' | '■' => "#",
        '░' => ":",
        _ => UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    #[test]
    fn signs_become_ascii_and_so_do_letters() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 34, 1));
        buffer.set_string(0, 0, "▾ größe · 1–2 █▄→ A⊂B 漢字 ⟨RLO⟩", Style::new());
        replace(&mut buffer);
        let text: String = buffer.content.iter().map(|cell| cell.symbol()).collect();
        assert_eq!(text.trim_end(), "v gr??e . 1-2 #-> A<B ? ?  <RLO>");
        assert_eq!(text.len(), 34, "a cell for a cell");
    }
}
