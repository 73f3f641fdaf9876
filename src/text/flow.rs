//! Text as it is written: white space between words is asked for, and only the strongest asked for is written.

use super::lanes::{self, BLOCK, Stops};
use super::tags::Quotes;

/// White space that will be written before the next character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pending {
    Nothing,
    /// Between words.
    Space,
    /// Between table cells.
    Tab,
    /// Between blocks.
    Line,
}

/// A text under construction.
pub(super) struct Flow<'o> {
    pub(super) out: &'o mut String,
    pub(super) pending: Pending,
}

/// Second byte of the no-break space.
const NO_BREAK: u8 = 0xA0;

/// A page with its [`Stops`].
pub(super) struct Text<'h> {
    pub(super) html: &'h str,
    stops: Vec<Stops>,
}

impl<'h> Text<'h> {
    /// Looks for the stops of a page: one pass, an eighth of the page in memory for each of three masks.
    pub(super) fn new(html: &'h str) -> Self {
        let mut stops = Vec::new();
        lanes::stops(html.as_bytes(), &mut stops);
        Self { html, stops }
    }

    /// First place at or after `at` where a run of text stops, perhaps behind the page.
    #[inline(always)]
    fn stop(&self, at: usize) -> usize {
        self.first(at, |stops| stops.stop)
    }

    /// First place at or after `at` that is not white space, perhaps behind the page.
    #[inline(always)]
    fn nonblank(&self, at: usize) -> usize {
        self.first(at, |stops| !stops.blank)
    }

    #[inline(always)]
    fn first(&self, at: usize, mask: impl Fn(&Stops) -> u64) -> usize {
        let mut block = at / BLOCK;
        let mut bits = self.stops.get(block).map_or(0, &mask) & (!0 << (at % BLOCK));
        while bits == 0 {
            block += 1;
            match self.stops.get(block) {
                Some(stops) => bits = mask(stops),
                None => return self.html.len(),
            }
        }
        block * BLOCK + bits.trailing_zeros() as usize
    }
}

impl Quotes for Text<'_> {
    #[inline(always)]
    fn find_quote(&self, quote: u8, from: usize) -> usize {
        match quote {
            b'"' => self.first(from, |stops| stops.quote),
            _ => self.html.as_bytes().find_quote(quote, from),
        }
    }
}

impl Flow<'_> {
    /// Asks for white space.
    #[inline]
    pub(super) fn ask(&mut self, pending: Pending) {
        self.pending = self.pending.max(pending);
    }

    /// Writes text from `at` to the next `<` or `&`, at most to `to`, and returns where that is. With `lines`, line
    /// breaks are kept.
    #[inline(always)]
    pub(super) fn words(&mut self, page: &Text<'_>, mut at: usize, to: usize, lines: bool) -> usize {
        let bytes = &page.html.as_bytes()[..to];
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'<' | b'&' => return at,
                b' ' | b'\t' | b'\n' | b'\r' | b'\x0C' => {
                    let end = page.nonblank(at).min(to);
                    let line = lines && bytes[at..end].iter().any(|b| matches!(b, b'\n' | b'\r'));
                    self.ask(if line { Pending::Line } else { Pending::Space });
                    at = end;
                }
                // Browsers drop it.
                0 => at += 1,
                0xC2 if page.html.as_bytes().get(at + 1) == Some(&NO_BREAK) => {
                    self.ask(Pending::Space);
                    at += 2;
                }
                first => {
                    let end = page.stop(at + if first == 0xC2 { 2 } else { 1 }).min(to);
                    self.write(&page.html[at..end]);
                    at = end;
                }
            }
        }
        self.trim(to)
    }

    /// Takes back a space that came before a limit which is no stop by itself.
    fn trim(&mut self, at: usize) -> usize {
        if self.out.ends_with(' ') {
            self.out.pop();
            self.ask(Pending::Space);
        }
        at
    }

    /// Writes one character that came as a reference.
    pub(super) fn character(&mut self, c: char, lines: bool) {
        match c {
            '\n' | '\r' if lines => self.ask(Pending::Line),
            ' ' | '\t' | '\n' | '\r' | '\x0C' | '\u{A0}' => self.ask(Pending::Space),
            _ => self.write(c.encode_utf8(&mut [0; 4])),
        }
    }

    /// Writes text that holds no white space at its ends.
    #[inline(always)]
    pub(super) fn write(&mut self, text: &str) {
        if self.pending != Pending::Nothing {
            if !self.out.is_empty() {
                // One arm each, so that each writes one known byte.
                match self.pending {
                    Pending::Line => self.out.push('\n'),
                    Pending::Tab => self.out.push('\t'),
                    _ => self.out.push(' '),
                }
            }
            self.pending = Pending::Nothing;
        }
        self.out.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(html: &str, lines: bool) -> String {
        let mut out = String::new();
        let mut flow = Flow { out: &mut out, pending: Pending::Nothing };
        assert_eq!(flow.words(&Text::new(html), 0, html.len(), lines), html.len());
        out
    }

    #[test]
    fn white_space_runs_become_one_space() {
        assert_eq!(written("  a b  c\n\t d\u{A0}\u{A0}e\u{A0} f g", false), "a b c d e f g");
        assert_eq!(written("a \u{B5}\u{A0}¿b? \0c\0d", false), "a µ ¿b? cd");
        for fill in 0..130 {
            let html = format!("{} b  c", "a".repeat(fill));
            assert_eq!(written(&html, false), format!("{} b c", "a".repeat(fill)).trim_start());
        }
    }

    #[test]
    fn line_breaks_are_kept_where_they_mean_something() {
        assert_eq!(written("\n a \n  b\r\n\r\nc  d", true), "a\nb\nc d");
        assert_eq!(written("a\nb", false), "a b");
    }

    #[test]
    fn text_ends_at_markup_and_where_it_is_told() {
        let mut out = String::new();
        let mut flow = Flow { out: &mut out, pending: Pending::Nothing };
        let page = Text::new("ab <p>&amp; cd ]]>");
        assert_eq!((flow.words(&page, 0, 15, false), flow.words(&page, 6, 15, false)), (3, 6));
        assert_eq!((flow.words(&page, 0, 1, false), flow.words(&page, 11, 15, false)), (1, 15));
        flow.character('&', false);
        flow.ask(Pending::Tab);
        flow.ask(Pending::Space);
        flow.character('\u{A0}', false);
        flow.character('é', false);
        assert_eq!(out, "ab a cd &\té");
    }
}
