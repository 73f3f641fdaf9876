//! Where the text of a page stands: in links, headings, lists and tables, and in parts that frame the content.
//!
//! The open elements are kept on a stack; there is no tree. An end tag closes what is open inside its element, but
//! nothing beyond the table cell it stands in, as in browsers. It looks at most [`REACH`] elements back and the stack
//! holds at most [`DEEPEST`], so time is linear in the page and memory in its tags, however they nest.

use std::ops::Range;

use super::hints::{self, Hint};
use super::html::Watch;

/// How many open elements an end tag looks back.
const REACH: usize = 64;
/// How many elements may be open; as many as in browsers. What is deeper stands in the last of them.
const DEEPEST: usize = 512;

/// What a line of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text that stands in no such element.
    Text,
    /// A paragraph.
    Paragraph,
    /// A heading of the first order.
    Title,
    /// Another heading.
    Heading,
    /// An item of a list.
    Item,
    /// Of a table.
    Row,
    /// A button or a choice.
    Control,
}

/// Where a run of text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The innermost zone: its number in [`Outline::zones`].
    pub(super) zone: u32,
    /// Changes wherever a block begins or ends: lines of the same block are broken by `br` or in `pre`.
    pub(super) block: u32,
    pub(super) kind: Kind,
    /// Whether it is in a link.
    pub(super) link: bool,
}

/// Text up to a place, beginning where the run before it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) end: usize,
    pub(super) place: Place,
}

/// An element that holds lines, and in which there is text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Zone {
    /// The zone around it, with a smaller number; zone 0, the page, stands in itself.
    pub(super) outer: u32,
    pub(super) sort: Sort,
}

/// What a zone is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Any container.
    Plain,
    /// A list or a table.
    Group,
    /// A table cell.
    Cell,
    /// What the page is about, by its tag or name.
    Content,
    /// What readers added, by its name.
    Comments,
    /// On the edge of the content, by its tag or name.
    Edge,
    /// Around the content, by its name.
    Named,
    /// Around the content, by its tag.
    Frame,
}

/// What an element does to the outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Nothing,
    Link,
    Paragraph,
    Heading,
    List,
    Item,
    Table,
    Row,
    Cell,
    Content,
    Edge,
    Frame,
    Control,
    Block,
}

/// An open element.
#[derive(Debug, Clone, Copy)]
struct Open {
    name: Name,
    role: Role,
    /// Of the text inside.
    kind: Kind,
    /// What zone it makes, if any.
    sort: Option<Sort>,
    /// Its zone or the one around it, once there is text in it.
    zone: u32,
}

/// A name in lower case, with zeros after it.
type Name = [u8; 10];

/// Looks on while a page is read.
#[derive(Debug)]
pub(super) struct Outline {
    runs: Vec<Run>,
    zones: Vec<Zone>,
    open: Vec<Open>,
    /// How many of the open elements, from the outermost, have got their zone.
    zoned: usize,
    /// How many elements are open beyond the deepest.
    beyond: usize,
    block: u32,
    link: bool,
    /// Length of the text that the runs cover.
    covered: usize,
}

impl Outline {
    /// Nothing is open, nothing is written.
    pub(super) fn new() -> Self {
        let page = Zone { outer: 0, sort: Sort::Plain };
        Self {
            runs: Vec::new(),
            zones: vec![page],
            open: Vec::new(),
            zoned: 0,
            beyond: 0,
            block: 0,
            link: false,
            covered: 0,
        }
    }

    /// The runs of a text of `written` bytes, and its zones.
    pub(super) fn finish(mut self, written: usize) -> (Vec<Run>, Vec<Zone>) {
        self.cover(written);
        (self.runs, self.zones)
    }

    /// Ends the run that reaches to here, if there is text in it.
    fn cover(&mut self, written: usize) {
        if written <= self.covered {
            return;
        }
        self.covered = written;
        let place = Place {
            zone: self.zone(),
            block: self.block,
            kind: self.open.last().map_or(Kind::Text, |open| open.kind),
            link: self.link,
        };
        match self.runs.last_mut() {
            Some(last) if last.place == place => last.end = written,
            _ => self.runs.push(Run { end: written, place }),
        }
    }

    /// The innermost zone. Only now that there is text in it does it get a number.
    fn zone(&mut self) -> u32 {
        let mut zone = self.zoned.checked_sub(1).map_or(0, |last| self.open[last].zone);
        for open in &mut self.open[self.zoned..] {
            if let Some(sort) = open.sort {
                self.zones.push(Zone { outer: zone, sort });
                zone = (self.zones.len() - 1) as u32;
            }
            open.zone = zone;
        }
        self.zoned = self.open.len();
        zone
    }

    /// Closes the innermost open element that is `wanted`, unless a `barrier` stands before it.
    fn close(&mut self, wanted: impl Fn(&Open) -> bool, barrier: impl Fn(Role) -> bool) {
        for at in (self.open.len().saturating_sub(REACH)..self.open.len()).rev() {
            if wanted(&self.open[at]) {
                return self.truncate(at);
            }
            if barrier(self.open[at].role) {
                return;
            }
        }
    }

    fn truncate(&mut self, open: usize) {
        self.open.truncate(open);
        self.zoned = self.zoned.min(open);
    }

    /// Closes what ends by itself where an element of this role begins.
    fn make_room(&mut self, role: Role) {
        let last = self.open.last().map_or(Role::Nothing, |open| open.role);
        if role != Role::Control && matches!(last, Role::Paragraph | Role::Heading) {
            self.truncate(self.open.len() - 1);
        }
        match role {
            Role::Item => self.close(|open| open.role == Role::Item, ends_items),
            Role::Row | Role::Cell => self.close(|open| open.role == role, |role| role == Role::Table),
            _ => {}
        }
    }
}

impl Watch for Outline {
    fn start(&mut self, html: &[u8], name: Range<usize>, end: usize, written: usize) {
        let (name, attributes) = (lower(&html[name.clone()]), &html[name.end..end]);
        let role = role(&name);
        match role {
            Role::Nothing => return,
            Role::Link => {
                self.cover(written);
                self.link = hints::has_href(attributes);
                return;
            }
            _ => self.cover(written),
        }
        self.make_room(role);
        self.block = self.block.wrapping_add(1);
        self.link &= !is_tabular(role);
        if self.open.len() == DEEPEST {
            self.beyond += 1;
            return;
        }
        let around = self.open.last().map_or(Kind::Text, |open| open.kind);
        let kind = match role {
            Role::Paragraph => Kind::Paragraph,
            Role::Heading if name.starts_with(b"h1") => Kind::Title,
            Role::Heading => Kind::Heading,
            Role::Item => Kind::Item,
            Role::Row | Role::Cell => Kind::Row,
            Role::Control => Kind::Control,
            _ => around,
        };
        self.open.push(Open { name, role, kind, sort: sort(role, attributes), zone: 0 });
    }

    fn end(&mut self, html: &[u8], name: Range<usize>, written: usize) {
        let name = lower(&html[name]);
        let role = role(&name);
        match role {
            Role::Nothing => return,
            Role::Link => {
                self.cover(written);
                self.link = false;
                return;
            }
            _ => self.cover(written),
        }
        self.block = self.block.wrapping_add(1);
        self.link &= !is_tabular(role);
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        let named = |open: &Open| open.name == name;
        match role {
            Role::Table => self.close(named, |_| false),
            Role::Row | Role::Cell => self.close(named, |role| role == Role::Table),
            Role::Item => self.close(named, ends_items),
            _ => self.close(named, |role| matches!(role, Role::Table | Role::Cell)),
        }
    }
}

fn ends_items(role: Role) -> bool {
    matches!(role, Role::List | Role::Table | Role::Cell)
}

/// No link goes on from one table cell to the next.
fn is_tabular(role: Role) -> bool {
    matches!(role, Role::Table | Role::Row | Role::Cell)
}

/// Names that are longer than any known are none.
fn lower(name: &[u8]) -> Name {
    let mut lower = Name::default();
    if let Some(place) = lower.get_mut(..name.len()) {
        place.copy_from_slice(name);
        place.make_ascii_lowercase();
    }
    lower
}

fn role(name: &Name) -> Role {
    let len = name.iter().position(|b| *b == 0).unwrap_or(name.len());
    match &name[..len] {
        b"a" => Role::Link,
        b"p" => Role::Paragraph,
        b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => Role::Heading,
        b"ul" | b"ol" | b"dl" | b"dir" | b"menu" => Role::List,
        b"li" | b"dt" | b"dd" => Role::Item,
        b"table" => Role::Table,
        b"tr" => Role::Row,
        b"td" | b"th" | b"caption" => Role::Cell,
        b"main" | b"article" => Role::Content,
        b"header" => Role::Edge,
        b"nav" | b"aside" | b"footer" | b"noscript" | b"dialog" | b"address" => Role::Frame,
        b"select" | b"button" | b"label" => Role::Control,
        b"div" | b"section" | b"center" | b"form" | b"fieldset" | b"figure" | b"figcaption" | b"blockquote"
        | b"pre" | b"details" => Role::Block,
        _ => Role::Nothing,
    }
}

/// What zone an element makes.
fn sort(role: Role, attributes: &[u8]) -> Option<Sort> {
    let hint = match role {
        Role::Heading => return None,
        Role::Control => return Some(Sort::Frame),
        _ => hints::hint(attributes),
    };
    match (role, hint) {
        (Role::Frame | Role::Edge, Hint::Content) => Some(Sort::Plain),
        (Role::Frame, _) => Some(Sort::Frame),
        (Role::Content, Hint::Comments) => Some(Sort::Comments),
        (Role::Content, _) => Some(Sort::Content),
        (Role::Edge, _) | (_, Hint::Edge) => Some(Sort::Edge),
        (_, Hint::Frame) => Some(Sort::Named),
        (Role::Paragraph | Role::Row, _) => None,
        (_, Hint::Comments) => Some(Sort::Comments),
        (Role::Item, _) => None,
        (Role::List | Role::Table, _) => Some(Sort::Group),
        (Role::Cell, _) => Some(Sort::Cell),
        (_, Hint::Content) => Some(Sort::Content),
        _ => Some(Sort::Plain),
    }
}

#[cfg(test)]
mod tests {
    use super::super::html::watched;
    use super::*;

    /// The text of each run, its kind, whether it is a link, and the sorts of the zones around it, the innermost first.
    fn outline(html: &str) -> Vec<(String, Kind, bool, Vec<Sort>)> {
        let mut text = String::new();
        let mut outline = Outline::new();
        let titled = watched(html, &mut text, &mut outline);
        let (runs, zones) = outline.finish(text.len() - titled.shift);
        let mut from = titled.shift;
        let mut found = Vec::new();
        for run in runs {
            let mut sorts = Vec::new();
            let mut at = run.place.zone as usize;
            while at != 0 {
                sorts.push(zones[at].sort);
                assert!((zones[at].outer as usize) < at);
                at = zones[at].outer as usize;
            }
            let to = run.end + titled.shift;
            found.push((text[from..to].trim().to_owned(), run.place.kind, run.place.link, sorts));
            from = to;
        }
        assert_eq!(from, text.len());
        found
    }

    /// Only the texts and their kinds.
    fn kinds(html: &str) -> Vec<(String, Kind)> {
        outline(html).into_iter().map(|(text, kind, ..)| (text, kind)).collect()
    }

    /// Only the texts and the sorts of their zones.
    fn sorts(html: &str) -> Vec<(String, Vec<Sort>)> {
        outline(html).into_iter().map(|(text, _, _, sorts)| (text, sorts)).collect()
    }

    fn pairs<T: Clone>(expected: &[(&str, T)]) -> Vec<(String, T)> {
        expected.iter().map(|(text, value)| ((*text).to_owned(), value.clone())).collect()
    }

    #[test]
    fn kinds_by_example() {
        use Kind::*;
        for (html, expected) in [
            ("a<p>b<p>c</p>d", &[("a", Text), ("b", Paragraph), ("c", Paragraph), ("d", Text)][..]),
            ("<h1>a</h1>b<h2>c<p>d", &[("a", Title), ("b", Text), ("c", Heading), ("d", Paragraph)]),
            ("<ul><li>a<li>b<ul><li>c</ul>d</ul>e", &[("a", Item), ("b", Item), ("c", Item), ("d", Item), ("e", Text)]),
            ("<dl><dt>a<dd><p>b</dl>c", &[("a", Item), ("b", Paragraph), ("c", Text)]),
            ("<table><tr><td>a<td><div>b</div></table>c", &[("a", Row), ("b", Row), ("c", Text)]),
            ("<p>a <select><option>b<option>c</select> d", &[("a", Paragraph), ("b\nc", Control), ("d", Paragraph)]),
            ("<p>a<b>b</b><br>c", &[("ab\nc", Paragraph)]),
            ("a<template><p>x</template>b", &[("ab", Text)]),
            ("<p>a<title>T</title>b", &[("a\nb", Paragraph)]),
        ] {
            assert_eq!(kinds(html), pairs(expected), "{html}");
        }
    }

    #[test]
    fn zones_by_example() {
        use Sort::*;
        for (html, expected) in [
            ("<div><div></div>a</div>b", &[("a", vec![Plain]), ("b", vec![])][..]),
            ("<nav><ul><li>a</ul></nav>b", &[("a", vec![Group, Frame]), ("b", vec![])]),
            ("<div id=nav><div>a</div></div>b", &[("a", vec![Plain, Named]), ("b", vec![])]),
            ("<div id=nav><ul><li>a</div>b", &[("a", vec![Group, Named]), ("b", vec![])]),
            ("<article><header>a</header><p>b", &[("a", vec![Edge, Content]), ("b", vec![Content])]),
            ("<header class=entry-header>a</header>", &[("a", vec![Plain])]),
            ("<div id=comments><article>a", &[("a", vec![Content, Comments])]),
            ("<p class=menu>a<p>b", &[("a", vec![Named]), ("b", vec![])]),
            ("<h2 class=nav>a", &[("a", vec![])]),
            (
                "<table><tr><td class=side>a<td>b</div>c</table>d",
                &[("a", vec![Named, Group]), ("b", vec![Cell, Group]), ("c", vec![Cell, Group]), ("d", vec![])],
            ),
            ("<div><table><tr><td></div>a</table>b", &[("a", vec![Cell, Group, Plain]), ("b", vec![Plain])]),
        ] {
            assert_eq!(sorts(html), pairs(expected), "{html}");
        }
    }

    #[test]
    fn links_end() {
        let links = |html| -> Vec<String> {
            outline(html).into_iter().filter(|(_, _, link, _)| *link).map(|(text, ..)| text).collect()
        };
        assert_eq!(links("a<a href=x>b</a>c<a name=y>d<a href=z>e<p>f</a>g"), ["b", "e", "f"]);
        assert_eq!(links("<table><tr><td><a href=x>a<td>b<td><a href=y>c</table>d"), ["a", "c"]);
    }

    #[test]
    fn zones_are_made_for_text_alone() {
        let mut outline = Outline::new();
        let html = format!("{}{}a", "<div></div>".repeat(1000), "<ul class=nav>".repeat(100_000));
        watched(&html, &mut String::new(), &mut outline);
        assert_eq!((outline.open.len(), outline.beyond), (DEEPEST, 100_000 - DEEPEST));
        let (runs, zones) = outline.finish(1);
        assert_eq!((runs.len(), zones.len()), (1, DEEPEST + 1));
    }

    #[test]
    fn what_is_too_deep_ends_where_it_should() {
        let deep = 2 * DEEPEST;
        let html = format!("<nav>{}a{}</nav>b", "<div>".repeat(deep), "</div>".repeat(deep));
        assert_eq!(sorts(&html).last(), Some(&("b".to_owned(), vec![])));
    }
}
