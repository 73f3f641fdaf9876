//! The canonical text of an HTML page.
//!
//! The title stands first on a line of its own; then the text in the order of the page: a line for each block, a tab
//! between table cells, runs of white space (no-break spaces among them) as one space, line breaks kept inside `pre`
//! and `textarea`, no empty lines and no blanks at the ends of a line. Scripts, styles, templates, comments, embedded
//! frames and declarations are left out; what stands in `noscript` is text, as for any reader without scripts.
//!
//! Tags are read as the HTML standard's tokenizer reads them, but no tree is built: there is no stack, a few counters
//! replace it, so time and memory are linear in the page whatever its nesting or brokenness. That is why it is our own:
//! html5ever's tree takes 44 seconds for a page of 1 MB that is nested deeply enough, and html2text, the rendered view,
//! forty times as long for a usual one. Hashes rest on this text, so it may only change when we say so.

#[cfg(test)]
mod tests;

use std::ops::Range;

use dejaview_base::wide::{self, Work};
use memchr::memchr;

use super::entities;
use super::flow::{Flow, Pending, Text};
use super::raw;
use super::tags::{self, Tag};

/// Writes the canonical text of `html` into `out`, which is cleared first.
pub fn extract(html: &str, out: &mut String) {
    extract_with(html, out, &mut ());
}

/// Is told of each tag while a page is read, and so learns where the text stands.
///
/// A tag is told before the text that follows it; `written` is the length of the text before it. What stands in a
/// template is not told. The page is handed over whole, so that telling nobody costs nothing.
pub(super) trait TagListener {
    /// A start tag: its name is `html[name]`, its attributes stand between the name and `end`.
    fn start(&mut self, html: &[u8], name: Range<usize>, end: usize, written: usize);
    fn end(&mut self, html: &[u8], name: Range<usize>, written: usize);
}

impl TagListener for () {
    #[inline(always)]
    fn start(&mut self, _: &[u8], _: Range<usize>, _: usize, _: usize) {}
    #[inline(always)]
    fn end(&mut self, _: &[u8], _: Range<usize>, _: usize) {}
}

/// Where the title was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Titled {
    /// Whether the first line is the title.
    pub(super) first: bool,
    /// How many bytes were put before the text at the end, because the title came late.
    pub(super) shift: usize,
}

/// Like [`extract`], and tells a listener of each tag.
pub(super) fn extract_with<W: TagListener>(html: &str, out: &mut String, watch: &mut W) -> Titled {
    out.clear();
    match wide::run(Page::new(html, out, watch)) {
        Title::Awaited => Titled { first: false, shift: 0 },
        Title::Written => Titled { first: true, shift: 0 },
        Title::Late(mut title) => {
            title.push('\n');
            out.insert_str(0, &title);
            Titled { first: true, shift: title.len() }
        }
    }
}

enum Title {
    Awaited,
    Written,
    /// Came after other text; goes to the front at the end.
    Late(String),
}

struct Page<'a, W> {
    html: &'a str,
    text: Text<'a>,
    /// Place in the page; only ever grows, so that every byte is read once.
    at: usize,
    flow: Flow<'a>,
    /// How many elements are open that keep line breaks.
    pre: u32,
    /// How many templates are open.
    template: u32,
    /// How many elements of another vocabulary are open.
    foreign: u32,
    title: Title,
    watch: &'a mut W,
}

/// What is done for each tag and each run of text is inlined always, as [`Work`] asks.
impl<W: TagListener> Work for Page<'_, W> {
    type Output = Title;

    #[inline(always)]
    fn run(mut self) -> Title {
        self.read();
        self.title
    }
}

impl<'a, W: TagListener> Page<'a, W> {
    fn new(html: &'a str, out: &'a mut String, watch: &'a mut W) -> Self {
        Self {
            html,
            text: Text::new(html),
            at: 0,
            flow: Flow { out, pending: Pending::Nothing },
            pre: 0,
            template: 0,
            foreign: 0,
            title: Title::Awaited,
            watch,
        }
    }

    /// Reads the page; the number of turns is at most its length, since every turn moves on.
    #[inline(always)]
    fn read(&mut self) -> usize {
        let mut turns = 0;
        while self.at < self.html.len() {
            let before = self.at;
            if self.html.as_bytes()[self.at] != b'<' {
                self.text(self.html.len(), true);
            }
            if self.at < self.html.len() {
                self.markup();
            }
            debug_assert!(self.at > before);
            turns += 1;
        }
        turns
    }

    /// Reads text up to the next `<`, at most to `to`.
    #[inline(always)]
    fn text(&mut self, to: usize, references: bool) {
        if self.template > 0 {
            let hidden = memchr(b'<', &self.html.as_bytes()[self.at..to]);
            self.at = hidden.map_or(to, |len| self.at + len);
            return;
        }
        loop {
            self.at = self.flow.words(&self.text, self.at, to, self.pre > 0);
            if self.html.as_bytes()[..to].get(self.at) != Some(&b'&') {
                return;
            }
            let rest = &self.html.as_bytes()[self.at + 1..to];
            match entities::reference(rest).filter(|_| references) {
                Some(((first, second), len)) => {
                    self.at += 1 + len;
                    self.flow.character(first, self.pre > 0);
                    if let Some(second) = second {
                        self.flow.character(second, self.pre > 0);
                    }
                }
                None => self.literal("&"),
            }
        }
    }

    /// Reads a character of markup that is none.
    fn literal(&mut self, text: &str) {
        self.at += text.len();
        if self.template == 0 {
            self.flow.write(text);
        }
    }

    /// Reads what begins with `<`.
    #[inline(always)]
    fn markup(&mut self) {
        let html = self.html.as_bytes();
        let Some(&next) = html.get(self.at + 1) else { return self.literal(&self.html[self.at..]) };
        match next {
            b'a'..=b'z' | b'A'..=b'Z' => self.start_tag(),
            b'/' => match html.get(self.at + 2) {
                Some(b'a'..=b'z' | b'A'..=b'Z') => self.end_tag(),
                Some(_) => self.at = raw::bogus_end(html, self.at + 2),
                None => self.literal("</"),
            },
            b'!' if html[self.at..].starts_with(b"<!--") => self.at = raw::comment_end(html, self.at + 4),
            b'!' if self.foreign > 0 && html[self.at..].starts_with(b"<![CDATA[") => self.cdata(),
            b'!' | b'?' => self.at = raw::bogus_end(html, self.at + 2),
            _ => self.literal("<"),
        }
    }

    #[inline(always)]
    fn start_tag(&mut self) {
        let html = self.html.as_bytes();
        let from = self.at + 1;
        let (tag, to) = tags::name(html, from);
        let (end, closes_itself) = match html.get(to) {
            Some(b'>') => (to + 1, false),
            _ => tags::skip_attributes_with(html, to, &self.text),
        };
        self.at = end;
        if self.template == 0 {
            self.watch.start(html, from..to, end, self.flow.out.len());
        }
        match tag {
            Tag::Inline => return,
            Tag::Gap => return self.ask(Pending::Space),
            Tag::Cell => return self.ask(Pending::Tab),
            Tag::Block => {
                // Blocks break out of pictures and formulas.
                self.foreign = 0;
                return self.ask(Pending::Line);
            }
            _ => {}
        }
        if self.foreign > 0 && (closes_itself || !matches!(tag, Tag::Script | Tag::Hidden | Tag::Foreign)) {
            return self.ask(Pending::Line);
        }
        self.special(tag, &html[from..to], closes_itself);
    }

    /// Begins an element whose contents are read in another way.
    fn special(&mut self, tag: Tag, name: &[u8], closes_itself: bool) {
        let html = self.html.as_bytes();
        match tag {
            Tag::Inline | Tag::Gap | Tag::Cell | Tag::Block => {}
            Tag::Pre => {
                self.pre += 1;
                self.ask(Pending::Line);
            }
            Tag::Template => self.template += 1,
            Tag::Foreign => self.foreign += u32::from(!closes_itself),
            Tag::Script => self.close(raw::script_end(html, self.at).1),
            Tag::Hidden => {
                self.ask(Pending::Space);
                self.close(raw::end_tag(html, self.at, name).1);
            }
            Tag::Title => {
                let (to, after) = raw::end_tag(html, self.at, name);
                self.title(to);
                self.close(after);
            }
            Tag::Textarea | Tag::Xmp => {
                let (to, after) = raw::end_tag(html, self.at, name);
                self.ask(Pending::Line);
                self.pre += 1;
                self.verbatim(to, tag == Tag::Textarea);
                self.pre -= 1;
                self.ask(Pending::Line);
                self.close(after);
            }
            Tag::Plaintext => {
                self.ask(Pending::Line);
                self.pre += 1;
                self.verbatim(html.len(), false);
            }
        }
    }

    #[inline(always)]
    fn end_tag(&mut self) {
        let html = self.html.as_bytes();
        let from = self.at + 2;
        let (tag, to) = tags::name(html, from);
        if self.template == 0 {
            self.watch.end(html, from..to, self.flow.out.len());
        }
        match tag {
            Tag::Inline => {}
            Tag::Gap => self.ask(Pending::Space),
            Tag::Cell => self.ask(Pending::Tab),
            Tag::Block | Tag::Title | Tag::Textarea | Tag::Xmp => self.ask(Pending::Line),
            Tag::Pre => {
                self.pre = self.pre.saturating_sub(1);
                self.ask(Pending::Line);
            }
            Tag::Template => self.template = self.template.saturating_sub(1),
            Tag::Foreign => self.foreign = self.foreign.saturating_sub(1),
            Tag::Script | Tag::Hidden | Tag::Plaintext => {}
        }
        self.close(to);
    }

    /// Skips the rest of an end tag after its name.
    #[inline(always)]
    fn close(&mut self, after_name: usize) {
        self.at = match self.html.as_bytes().get(after_name) {
            Some(b'>') => after_name + 1,
            _ => tags::skip_attributes(self.html.as_bytes(), after_name).0,
        };
    }

    fn title(&mut self, to: usize) {
        if self.template > 0 || !matches!(self.title, Title::Awaited) {
            self.at = to;
            return self.ask(Pending::Line);
        }
        let pending = std::mem::replace(&mut self.flow.pending, Pending::Nothing);
        if self.flow.out.is_empty() {
            self.verbatim(to, true);
            if !self.flow.out.is_empty() {
                self.title = Title::Written;
            }
        } else {
            let before = std::mem::take(self.flow.out);
            self.verbatim(to, true);
            let title = std::mem::replace(self.flow.out, before);
            if !title.is_empty() {
                self.title = Title::Late(title);
            }
        }
        self.flow.pending = pending.max(Pending::Line);
    }

    /// Reads text without markup up to `to`.
    fn verbatim(&mut self, to: usize, references: bool) {
        while self.at < to {
            self.text(to, references);
            if self.at < to {
                self.literal("<");
            }
        }
    }

    fn cdata(&mut self) {
        self.at += "<![CDATA[".len();
        let len = memchr::memmem::find(&self.html.as_bytes()[self.at..], b"]]>");
        let to = len.map_or(self.html.len(), |len| self.at + len);
        self.verbatim(to, false);
        self.at = (to + "]]>".len()).min(self.html.len());
    }

    #[inline(always)]
    fn ask(&mut self, pending: Pending) {
        if self.template == 0 {
            self.flow.ask(pending);
        }
    }
}
