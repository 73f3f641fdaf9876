//! What the attributes of a tag say about the part of the page that it begins.
//!
//! Class and id are cut into words where letters end and where capitals begin (`siteNotice` is site, notice), and the
//! words are looked up. Sites of every language name their parts in English. A word is a hint and no more: names of
//! frames that hold most of a page's text are not believed ([`super::main_content`]).

/// What a tag is said to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hint {
    Nothing,
    /// What the page is about.
    Content,
    /// What its readers added.
    Comments,
    /// Something on the edge, which at times holds text: of its contents only short lines are doubted.
    Edge,
    /// Menus, lists of other pages, notices: what stands around.
    Frame,
}

/// Words that name what stands around.
const FRAME: [&str; 49] = [
    "blogroll",
    "breadcrumb",
    "breadcrumbs",
    "catlinks",
    "colophon",
    "consent",
    "cookie",
    "cookies",
    "crumb",
    "crumbs",
    "foot",
    "footer",
    "footerlinks",
    "footnav",
    "jump",
    "login",
    "masthead",
    "menu",
    "menubar",
    "nav",
    "navbar",
    "navi",
    "navigation",
    "newsletter",
    "pager",
    "pagination",
    "paging",
    "portlet",
    "printfooter",
    "rating",
    "ratings",
    "related",
    "search",
    "searchbox",
    "searchform",
    "side",
    "sidebar",
    "sidenav",
    "signin",
    "signup",
    "similar",
    "sitemap",
    "skip",
    "skiplink",
    "submenu",
    "subnav",
    "tagcloud",
    "topnav",
    "upsell",
];

/// Words that name what is on the edge; long paragraphs stand there, too.
const EDGE: [&str; 44] = [
    "actions",
    "ad",
    "ads",
    "adsense",
    "advert",
    "advertisement",
    "advertising",
    "adverts",
    "banner",
    "bookmark",
    "bookmarks",
    "branding",
    "categories",
    "copyright",
    "disclaimer",
    "feedback",
    "follow",
    "hidden",
    "imprint",
    "legal",
    "logo",
    "modal",
    "noprint",
    "popular",
    "popup",
    "promo",
    "promotion",
    "recommendations",
    "recommended",
    "register",
    "share",
    "sharing",
    "social",
    "sponsor",
    "sponsored",
    "sponsors",
    "subscribe",
    "subscription",
    "teaser",
    "toc",
    "toolbar",
    "toolbox",
    "tools",
    "trending",
];

/// Words that name a frame, unless a word of [`CONTENT`] stands beside them: an `article-header` holds a title.
const BESIDE: [&str; 7] = ["bottom", "head", "header", "meta", "tags", "top", "topbar"];

/// Words that name what readers added.
const COMMENTS: [&str; 7] = ["comment", "commentlist", "comments", "disqus", "kommentare", "respond", "responses"];

/// Words that name what the page is about.
const CONTENT: [&str; 8] = ["article", "body", "content", "entry", "main", "post", "story", "text"];

/// Reads the attributes that stand between a tag's name and its end.
pub(super) fn hint(attributes: &[u8]) -> Hint {
    let mut found = [false; 5];
    for (name, value) in pairs(attributes) {
        if name.eq_ignore_ascii_case(b"class") || name.eq_ignore_ascii_case(b"id") {
            words(value, |word| {
                let lists: [&[&str]; 5] = [&FRAME, &EDGE, &BESIDE, &COMMENTS, &CONTENT];
                for (found, list) in found.iter_mut().zip(lists) {
                    *found |= list.binary_search_by(|known| known.as_bytes().cmp(word)).is_ok();
                }
            });
        } else if name.eq_ignore_ascii_case(b"role") {
            match value {
                b"main" | b"article" => return Hint::Content,
                b"banner" | b"complementary" | b"contentinfo" | b"dialog" | b"menu" | b"menubar" | b"navigation"
                | b"search" => return Hint::Frame,
                _ => {}
            }
        } else if name.eq_ignore_ascii_case(b"itemprop") && value == b"articleBody" {
            return Hint::Content;
        }
    }
    match found {
        [true, ..] | [_, false, true, _, false] => Hint::Frame,
        [_, true, ..] => Hint::Edge,
        [_, _, _, true, _] => Hint::Comments,
        [.., true] => Hint::Content,
        _ => Hint::Nothing,
    }
}

/// Whether there is an attribute `href`: only then is an `a` a link.
pub(super) fn has_href(attributes: &[u8]) -> bool {
    pairs(attributes).any(|(name, _)| name.eq_ignore_ascii_case(b"href"))
}

/// Names and values, ended where [`super::tags::skip_attributes`] ends them.
fn pairs(attributes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = attributes;
    std::iter::from_fn(move || {
        let begin = rest.iter().position(|b| !is_blank(b) && !matches!(b, b'/' | b'>'))?;
        let (name, after) = split(&rest[begin..], 1, |b| is_blank(b) || matches!(b, b'/' | b'>' | b'='));
        rest = after;
        let equals = rest.iter().position(|b| !is_blank(b)).filter(|&at| rest[at] == b'=');
        let Some(value) = equals.and_then(|at| rest[at + 1..].iter().position(|b| !is_blank(b)).map(|b| at + 1 + b))
        else {
            return Some((name, &b""[..]));
        };
        let (value, after) = match rest[value] {
            quote @ (b'"' | b'\'') => split(&rest[value + 1..], 0, |b| *b == quote),
            _ => split(&rest[value..], 0, |b| is_blank(b) || *b == b'>'),
        };
        // A closing quote begins no attribute.
        rest = after.get(usize::from(matches!(after.first(), Some(b'"' | b'\'')))..).unwrap_or_default();
        Some((name, value))
    })
}

/// What stands before the first byte at or after `from` that `ends`, and the rest.
fn split(bytes: &[u8], from: usize, ends: impl Fn(&u8) -> bool) -> (&[u8], &[u8]) {
    let at = bytes.iter().skip(from).position(ends).map_or(bytes.len(), |at| from + at);
    bytes.split_at(at)
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0C')
}

/// Longest word that is looked up.
const LONGEST: usize = 15;

/// Calls `tell` with each word of a value, in lower case.
fn words(value: &[u8], mut tell: impl FnMut(&[u8])) {
    let mut word = [0; LONGEST];
    let mut len = 0;
    let mut before = b' ';
    for &byte in value.iter().chain(b" ") {
        let begins = byte.is_ascii_uppercase() && before.is_ascii_lowercase();
        if begins || !byte.is_ascii_alphabetic() {
            if (1..=LONGEST).contains(&len) {
                tell(&word[..len]);
            }
            len = 0;
        }
        if byte.is_ascii_alphabetic() {
            if let Some(place) = word.get_mut(len) {
                *place = byte.to_ascii_lowercase();
            }
            len += 1;
        }
        before = byte;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_and_short_enough() {
        for list in [&FRAME[..], &EDGE, &BESIDE, &COMMENTS, &CONTENT] {
            assert!(list.is_sorted() && list.iter().all(|word| word.len() <= LONGEST), "{list:?}");
        }
    }

    #[test]
    fn hints_by_example() {
        for (attributes, expected) in [
            ("", Hint::Nothing),
            (" class=wrapper>", Hint::Nothing),
            (" class=\"left side-bar\" >", Hint::Frame),
            (" id='siteNav' class=x>", Hint::Frame),
            (" CLASS = Main-Menu />", Hint::Frame),
            (" class=page-header>", Hint::Frame),
            (" class=article-header>", Hint::Content),
            (" class=\"entry-content\">", Hint::Content),
            (" id=comments class=content>", Hint::Comments),
            (" class='has-ads article'>", Hint::Edge),
            (" role=main class=nav>", Hint::Content),
            (" role=\"navigation\">", Hint::Frame),
            (" itemprop=\"articleBody\">", Hint::Content),
            (" title='class=nav'>", Hint::Nothing),
            (" data-class=nav>", Hint::Nothing),
            (" class=navy id=\"headerless\">", Hint::Nothing),
            (" class=\"unended nav", Hint::Frame),
            (" class=", Hint::Nothing),
            (" class='", Hint::Nothing),
            (" =class=nav>", Hint::Nothing),
            (" class=overlonghintwordsnav>", Hint::Nothing),
        ] {
            assert_eq!(hint(attributes.as_bytes()), expected, "{attributes}");
        }
    }

    #[test]
    fn only_a_reference_makes_a_link() {
        for (attributes, link) in
            [(" href>", true), (" name=top>", false), (" class=x HREF='y'>", true), (" title=\"href=x\">", false)]
        {
            assert_eq!(has_href(attributes.as_bytes()), link, "{attributes}");
        }
    }
}
