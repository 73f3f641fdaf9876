//! Where the text of a page stands: in links, headings, lists and tables, and in parts that frame the content.
//!
//! The open elements are kept on a stack; there is no tree. An end tag closes what is open inside its element, but
//! nothing beyond the table cell it stands in, as in browsers. It looks at most [`REACH`] elements back and the stack
//! holds at most [`DEEPEST`], so time is linear in the page and memory in its tags, however they nest.

mod roles;
#[cfg(test)]
mod tests;

use std::ops::Range;

use super::hints;
use super::html::TagListener;
pub(super) use roles::ZoneKind;
use roles::{Name, Role, ends_items, is_tabular, lower, role, zone_kind};

/// How many open elements an end tag looks back.
const REACH: usize = 64;
/// How many elements may be open; as many as in browsers. What is deeper stands in the last of them.
const DEEPEST: usize = 512;

/// What a line of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text that stands in no such element.
    Text,
    Paragraph,
    /// A heading of the first order.
    Title,
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
    pub(super) kind: ZoneKind,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    name: Name,
    role: Role,
    /// Kind of the text inside the element.
    kind: Kind,
    /// What zone it makes, if any.
    zone_kind: Option<ZoneKind>,
    /// Its zone or the one around it, once there is text in it.
    zone: u32,
}

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
        let page = Zone { outer: 0, kind: ZoneKind::Plain };
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
            if let Some(kind) = open.zone_kind {
                self.zones.push(Zone { outer: zone, kind });
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

impl TagListener for Outline {
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
        self.open.push(Open { name, role, kind, zone_kind: zone_kind(role, attributes), zone: 0 });
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
