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

/// The names in a hash table without collisions: a name as a number, 0 for none, and its meaning.
static TABLE: [(u64, Tag); SLOTS] = {
    let mut table = [(0, Tag::Inline); SLOTS];
    let mut kind = 0;
    while kind < NAMES.len() {
        let (tag, names) = NAMES[kind];
        let mut i = 0;
        while i < names.len() {
            let packed = pack(names[i].as_bytes());
            let at = slot(packed);
            assert!(table[at].0 == 0, "two names have one slot: look for another multiplier");
            table[at] = (packed, tag);
            i += 1;
        }
        kind += 1;
    }
    table
};

/// Meaning of the tag whose name begins at `from`, in any case, and where the name ends.
#[inline(always)]
pub(super) fn name(html: &[u8], from: usize) -> (Tag, usize) {
    let Some(&head) = html.get(from..from + 8).and_then(<[u8]>::first_chunk) else { return any_name(html, from) };
    let head = u64::from_le_bytes(head);
    // The usual name is shorter than that and ends at a byte that is no letter and no digit.
    let others = others(head);
    let len = others.trailing_zeros() / 8;
    if others == 0 || KIND[usize::from((head >> (8 * len)) as u8)] & NAME_END == 0 {
        return any_name(html, from);
    }
    (short((head | CASES) & !(!0 << (8 * len))), from + len as usize)
}

/// The same byte by byte, for names that are longer, hold other characters, or stand at the end of the page.
#[inline(never)]
fn any_name(html: &[u8], from: usize) -> (Tag, usize) {
    let ends = |&byte: &u8| KIND[byte as usize] & NAME_END != 0;
    let len = html[from..].iter().position(ends).unwrap_or(html.len() - from);
    let name = &html[from..from + len];
    (if len <= 8 { short(pack(name)) } else { long(name) }, from + len)
}

/// One bit, the seventh, in each of eight bytes that is neither letter nor digit; among what is beyond ASCII and what
/// stands beside letters and digits it finds only some.
#[inline(always)]
fn others(bytes: u64) -> u64 {
    // Letters have the seventh bit. Digits have the fifth, and of the third and fourth only one, unlike `>`.
    !bytes & (!(bytes << 2) | (bytes << 3 & bytes << 4)) & SEVENTH
}

#[inline(always)]
fn short(packed: u64) -> Tag {
    let (known, tag) = TABLE[slot(packed)];
    if known == packed { tag } else { Tag::Inline }
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

const CASES: u64 = u64::from_ne_bytes([CASE; 8]);

/// A bit in which letters and most punctuation differ, in each of eight bytes.
const SEVENTH: u64 = u64::from_ne_bytes([0x40; 8]);

/// A name of at most eight bytes as one number, the first byte the lowest.
const fn pack(name: &[u8]) -> u64 {
    let (mut packed, mut i) = (0, 0);
    while i < name.len() {
        packed |= ((name[i] | CASE) as u64) << (8 * i);
        i += 1;
    }
    packed
}

/// The multiplier is one of those, about one in 1,400, that give each of [`NAMES`] a slot of its own.
#[inline(always)]
const fn slot(packed: u64) -> usize {
    (packed.wrapping_mul(0xF299_414D_8D5C_64D7) >> 55) as usize
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
pub(super) fn skip_attributes(html: &[u8], at: usize) -> (usize, bool) {
    skip_attributes_with(html, at, html)
}

/// Knows where quotes are.
pub(super) trait Quotes {
    /// The first quote of this kind at or after `from`; the end of the page, or beyond, when there is none.
    fn find_quote(&self, quote: u8, from: usize) -> usize;
}

impl Quotes for [u8] {
    fn find_quote(&self, quote: u8, from: usize) -> usize {
        memchr(quote, &self[from..]).map_or(self.len(), |len| from + len)
    }
}

/// [`skip_attributes`], where quotes are known from elsewhere.
#[inline(always)]
pub(super) fn skip_attributes_with(html: &[u8], mut at: usize, quotes: &(impl Quotes + ?Sized)) -> (usize, bool) {
    let kind = |at: usize| html.get(at).map_or(!0, |&b| KIND[b as usize]);
    loop {
        match html.get(at) {
            None => return (html.len(), false),
            Some(b'>') => return (at + 1, html[at - 1] == b'/'),
            Some(&b) if b == b'/' || KIND[b as usize] & BLANK != 0 => {
                at += 1;
                continue;
            }
            Some(_) => at = skip_letters(html, at + 1),
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
            Some(&quote @ (b'"' | b'\'')) => at = quotes.find_quote(quote, at + 1) + 1,
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

/// Place of the first byte at or after `at` that is below the letters in ASCII; at the end of the page perhaps before it.
#[inline(always)]
fn skip_letters(html: &[u8], mut at: usize) -> usize {
    while let Some(&head) = html.get(at..at + 8).and_then(<[u8]>::first_chunk) {
        let below = !u64::from_le_bytes(head) & SEVENTH;
        if below != 0 {
            return at + below.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::flow::Text;
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

    proptest! {
        #[test]
        fn names_are_the_same_eight_bytes_at_once(html in "[a-zA-Z]{0,9}[a-z0-9>/ <=\\-\t\u{7F}é]{1,24}") {
            prop_assert_eq!(name(html.as_bytes(), 0), any_name(html.as_bytes(), 0));
        }

        #[test]
        fn letters_that_are_skipped_end_no_name(html in prop::collection::vec(any::<u8>(), 0..40)) {
            let to = skip_letters(&html, 0);
            prop_assert!(html[..to].iter().all(|&b| KIND[b as usize] & ATTRIBUTE_END == 0));
        }

        #[test]
        fn tags_end_alike_where_quotes_are_known(html in "<[ a=\"'>/]{0,40}([ a=\"'>/]|[a-z]{9}|é){0,40}") {
            let known = skip_attributes_with(html.as_bytes(), 1, &Text::new(&html));
            prop_assert_eq!(skip_attributes(html.as_bytes(), 1), known);
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
