//! What does an element do to the outline, by its name and its attributes?

use crate::hints::{self, Hint};

/// What an element does to the outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ZoneKind {
    /// Any container.
    Plain,
    /// A list or a table.
    Group,
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

/// A name in lower case, with zeros after it.
pub(super) type Name = [u8; 10];

pub(super) fn ends_items(role: Role) -> bool {
    matches!(role, Role::List | Role::Table | Role::Cell)
}

/// No link goes on from one table cell to the next.
pub(super) fn is_tabular(role: Role) -> bool {
    matches!(role, Role::Table | Role::Row | Role::Cell)
}

/// Names that are longer than any known are none.
pub(super) fn lower(name: &[u8]) -> Name {
    let mut lower = Name::default();
    if let Some(place) = lower.get_mut(..name.len()) {
        place.copy_from_slice(name);
        place.make_ascii_lowercase();
    }
    lower
}

pub(super) fn role(name: &Name) -> Role {
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
pub(super) fn zone_kind(role: Role, attributes: &[u8]) -> Option<ZoneKind> {
    let hint = match role {
        Role::Heading => return None,
        Role::Control => return Some(ZoneKind::Frame),
        _ => hints::hint(attributes),
    };
    match (role, hint) {
        (Role::Frame | Role::Edge, Hint::Content) => Some(ZoneKind::Plain),
        (Role::Frame, _) => Some(ZoneKind::Frame),
        (Role::Content, Hint::Comments) => Some(ZoneKind::Comments),
        (Role::Content, _) => Some(ZoneKind::Content),
        (Role::Edge, _) | (_, Hint::Edge) => Some(ZoneKind::Edge),
        (_, Hint::Frame) => Some(ZoneKind::Named),
        (Role::Paragraph | Role::Row, _) => None,
        (_, Hint::Comments) => Some(ZoneKind::Comments),
        (Role::Item, _) => None,
        (Role::List | Role::Table, _) => Some(ZoneKind::Group),
        (Role::Cell, _) => Some(ZoneKind::Cell),
        (_, Hint::Content) => Some(ZoneKind::Content),
        _ => Some(ZoneKind::Plain),
    }
}
