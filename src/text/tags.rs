//! What an HTML tag does to the text around it, and where a tag ends.

use memchr::memchr;

/// What a tag means for the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// Nothing: the words on both sides stay together.
    Inline,
    /// Stands between words: a picture, a button.
    Gap,
    /// Begins and ends a line.
    Block,
    Cell,
    /// A block whose line breaks are kept.
    Pre,
    /// Its contents are text without markup, with character references, and line breaks are kept.
    Textarea,
    /// The same, and the first goes to the front.
    Title,
    /// Contents skipped, by the rules for scripts.
    Script,
    /// Contents skipped up to the end tag.
    Hidden,
    /// Contents are text as it stands.
    Xmp,
    /// All the rest is text as it stands.
    Plaintext,
    /// Contents are markup that is not shown.
    Template,
    /// Begins another vocabulary, in which `title` and CDATA mean something else.
    Foreign,
}

/// Names of at most eight bytes by meaning; the three longer ones are in `meaning`.
const NAMES: [(Tag, &[&str]); 12] = [
    (
        Tag::Block,
        &[
            "address", "article", "aside", "body", "br", "caption", "center", "dd", "details", "dialog", "dir", "div",
            "dl", "dt", "fieldset", "figure", "footer", "form", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head",
            "header", "hgroup", "hr", "html", "isindex", "legend", "li", "main", "marquee", "menu", "nav", "ol",
            "optgroup", "option", "p", "search", "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul",
        ],
    ),
    (Tag::Cell, &["td", "th"]),
    (Tag::Gap, &["audio", "button", "canvas", "embed", "img", "input", "object", "select", "video"]),
    (Tag::Pre, &["pre", "listing"]),
    (Tag::Textarea, &["textarea"]),
    (Tag::Title, &["title"]),
    (Tag::Script, &["script"]),
    (Tag::Hidden, &["style", "iframe", "noembed", "noframes"]),
    (Tag::Xmp, &["xmp"]),
    (Tag::Template, &["template"]),
    (Tag::Foreign, &["svg", "math"]),
    (Tag::Inline, &["a", "b", "i", "em", "span", "strong", "code"]),
];

const SLOTS: usize = 512;

/// The names in a hash table: a name as a number, 0 for none, and its meaning. Collisions go to the next slot.
static TABLE: [(u64, Tag); SLOTS] = {
    let mut table = [(0, Tag::Inline); SLOTS];
    let mut kind = 0;
    while kind < NAMES.len() {
        let (tag, names) = NAMES[kind];
        let mut i = 0;
        while i < names.len() {
            let packed = pack(names[i].as_bytes());
            let mut at = slot(packed);
            while table[at].0 != 0 {
                at = (at + 1) % SLOTS;
            }
            table[at] = (packed, tag);
            i += 1;
        }
        kind += 1;
    }
    table
};

/// Meaning of the tag whose name begins at `from`, in any case, and where the name ends.
#[inline]
pub(super) fn name(html: &[u8], from: usize) -> (Tag, usize) {
    let (mut packed, mut at) = (0u64, from);
    while let Some(&byte) = html.get(at) {
        if KIND[byte as usize] & NAME_END != 0 {
            break;
        }
        packed = packed << 8 | (byte | CASE) as u64;
        at += 1;
    }
    (if at - from <= 8 { short(packed) } else { long(&html[from..at]) }, at)
}

#[inline]
fn short(packed: u64) -> Tag {
    let mut at = slot(packed);
    loop {
        match TABLE[at] {
            (known, tag) if known == packed => return tag,
            (0, _) => return Tag::Inline,
            _ => at = (at + 1) % SLOTS,
        }
    }
}

#[cold]
fn long(name: &[u8]) -> Tag {
    let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
    if is("blockquote") || is("figcaption") {
        Tag::Block
    } else if is("plaintext") {
        Tag::Plaintext
    } else {
        Tag::Inline
    }
}

/// The bit that makes a letter lower case; digits have it.
const CASE: u8 = 0x20;

/// A name of at most eight bytes as one number.
const fn pack(name: &[u8]) -> u64 {
    let (mut packed, mut i) = (0, 0);
    while i < name.len() {
        packed = packed << 8 | (name[i] | CASE) as u64;
        i += 1;
    }
    packed
}

#[inline]
const fn slot(packed: u64) -> usize {
    (packed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 55) as usize
}

const BLANK: u8 = 1;
const NAME_END: u8 = 2;
const ATTRIBUTE_END: u8 = 4;
const VALUE_END: u8 = 8;

/// What a byte may end inside a tag.
static KIND: [u8; 256] = {
    let mut kind = [0; 256];
    let mut i = 0;
    let blanks = *b" \t\n\r\x0C";
    while i < blanks.len() {
        kind[blanks[i] as usize] = BLANK | NAME_END | ATTRIBUTE_END | VALUE_END;
        i += 1;
    }
    kind[b'>' as usize] = NAME_END | ATTRIBUTE_END | VALUE_END;
    kind[b'/' as usize] = NAME_END | ATTRIBUTE_END;
    kind[b'=' as usize] = ATTRIBUTE_END;
    kind
};

/// Skips the attributes that follow a tag's name: where the tag ends, and whether it closes itself. A tag that never
/// ends reaches to the end of the page, as in browsers. Quotes count only around values.
#[inline]
pub(super) fn skip_attributes(html: &[u8], mut at: usize) -> (usize, bool) {
    let kind = |at: usize| html.get(at).map_or(!0, |&b| KIND[b as usize]);
    loop {
        match html.get(at) {
            None => return (html.len(), false),
            Some(b'>') => return (at + 1, html[at - 1] == b'/'),
            Some(&b) if b == b'/' || KIND[b as usize] & BLANK != 0 => {
                at += 1;
                continue;
            }
            Some(_) => at += 1,
        }
        while kind(at) & ATTRIBUTE_END == 0 {
            at += 1;
        }
        while at < html.len() && kind(at) & BLANK != 0 {
            at += 1;
        }
        if html.get(at) != Some(&b'=') {
            continue;
        }
        at += 1;
        while at < html.len() && kind(at) & BLANK != 0 {
            at += 1;
        }
        match html.get(at) {
            Some(&quote @ (b'"' | b'\'')) => match memchr(quote, &html[at + 1..]) {
                Some(len) => at += len + 2,
                None => return (html.len(), false),
            },
            _ => {
                while kind(at) & VALUE_END == 0 {
                    at += 1;
                }
                if html.get(at) == Some(&b'>') {
                    return (at + 1, false);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_their_meaning() {
        let meaning = |tag: &str| name(tag.as_bytes(), 0).0;
        for (tag, names) in NAMES {
            for name in names {
                assert!(name.len() <= 8);
                assert_eq!(meaning(name), tag, "{name}");
                assert_eq!(meaning(&format!("{}/", name.to_uppercase())), tag, "{name}");
            }
        }
        for (name, tag) in [("blockQuote", Tag::Block), ("plaintext", Tag::Plaintext), ("figcaption", Tag::Block)] {
            assert_eq!(meaning(name), tag);
        }
        for unknown in ["x", "p<b", "my-element", "foreignObject", "é"] {
            assert_eq!(meaning(unknown), Tag::Inline, "{unknown}");
        }
    }

    #[test]
    fn tags_end_where_browsers_end_them() {
        for (tag, rest) in [
            ("<a>b", "b"),
            ("<a href='x>y' title=\"a > b\">b", "b"),
            ("<a title=it's>b", "b"),
            ("<a \"x>b", "b"),
            ("<a x=y=\"z>b", "b"),
            ("<a x= y=\"z>b\">", "b\">"),
            ("<a ='x>b", "b"),
            ("<a x='1'y='>'>b", "b"),
            ("<a x = 'b>c' / >b", "b"),
            ("<a x=\"never closed > <p>", ""),
            ("<a x=>b", "b"),
            ("<a", ""),
        ] {
            let (end, _) = skip_attributes(tag.as_bytes(), name(tag.as_bytes(), 1).1);
            assert_eq!(&tag[end..], rest, "{tag}");
        }
        let closes = |tag: &str| skip_attributes(tag.as_bytes(), name(tag.as_bytes(), 1).1).1;
        assert!(closes("<svg/>") && closes("<svg x='1' />") && !closes("<svg x=1/>") && !closes("<svg>"));
    }
}
