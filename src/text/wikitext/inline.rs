//! What stands inside a line: links, quotes, tags, references to characters.

use crate::entities;

/// Links inside links that are followed; deeper ones keep their text and lose their brackets.
const DEEPEST: usize = 16;

/// Tags that break a line.
const BREAKS: [&str; 12] = ["br", "p", "div", "li", "ul", "ol", "tr", "table", "blockquote", "center", "hr", "dd"];

/// Namespaces of files: what is shown of them is the caption.
const FILES: [&str; 4] = ["file", "image", "media", "video"];

/// Longest tag; what is longer is text.
const LONGEST_TAG: usize = 2_000;

/// Adds the text of a line to `out`.
pub fn read(line: &str, out: &mut String) {
    let mut links: Vec<usize> = Vec::new();
    let mut too_deep = 0usize;
    let mut rest = line;
    while let Some(at) = rest.find(['[', ']', '\'', '<', '&', '{', '}', '_']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let taken = if rest.starts_with("[[") {
            if links.len() < DEEPEST {
                links.push(out.len())
            } else {
                too_deep += 1
            }
            2
        } else if rest.starts_with("]]") {
            if too_deep > 0 {
                too_deep -= 1;
            } else if let Some(start) = links.pop() {
                link(start, out);
            }
            2
        } else {
            mark(rest, out)
        };
        rest = &rest[taken..];
    }
    out.push_str(rest);
}

/// One mark that is no link between pages; how many bytes it took.
fn mark(text: &str, out: &mut String) -> usize {
    match text.as_bytes()[0] {
        b'[' => address(text, out),
        b'\'' => quotes(text, out),
        b'<' => tag(text, out),
        b'&' => match entities::reference(&text.as_bytes()[1..]) {
            Some(((first, second), length)) => {
                out.push(first);
                out.extend(second);
                length + 1
            }
            None => keep(out, '&'),
        },
        b'{' | b'}' if text.starts_with("{{") || text.starts_with("}}") => 2,
        b'_' if text.starts_with("__") => magic_word(text, out),
        first => keep(out, char::from(first)),
    }
}

fn keep(out: &mut String, c: char) -> usize {
    out.push(c);
    1
}

/// `[http://… text]`: the text; `[1]` stays as it is.
fn address(text: &str, out: &mut String) -> usize {
    let inside = &text[1..];
    let scheme = ["http://", "https://", "//", "ftp://", "mailto:"].iter().any(|scheme| inside.starts_with(scheme));
    if !scheme {
        return keep(out, '[');
    }
    // What is not closed within the length of a long tag is text.
    let near = &inside.as_bytes()[..inside.len().min(LONGEST_TAG)];
    let Some(end) = memchr::memchr(b']', near) else { return keep(out, '[') };
    if let Some(blank) = memchr::memchr2(b' ', b'\t', &near[..end]) {
        read(&inside[blank + 1..end], out);
    }
    end + 2
}

/// Two are italic, three bold, five both; the rest are apostrophes.
fn quotes(text: &str, out: &mut String) -> usize {
    let run = text.bytes().take_while(|b| *b == b'\'').count();
    let marks = match run {
        1 => 0,
        4 => 3,
        2 | 3 | 5 => run,
        _ => 5,
    };
    out.extend(std::iter::repeat_n('\'', run - marks));
    run
}

fn tag(text: &str, out: &mut String) -> usize {
    let inside = &text[1..];
    let named = inside.strip_prefix('/').unwrap_or(inside);
    let name = named.len() - named.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).len();
    let near = &inside.as_bytes()[..inside.len().min(LONGEST_TAG)];
    let tagged = named.starts_with(|c: char| c.is_ascii_alphabetic());
    let Some(end) = tagged.then(|| memchr::memchr(b'>', near)).flatten() else { return keep(out, '<') };
    if BREAKS.iter().any(|tag| tag.eq_ignore_ascii_case(&named[..name])) {
        out.push('\n');
    }
    end + 2
}

/// `__TOC__` and the like, which stand in capitals.
fn magic_word(text: &str, out: &mut String) -> usize {
    let word = text[2..].bytes().take_while(u8::is_ascii_uppercase).count();
    if word > 0 && text[2 + word..].starts_with("__") { 4 + word } else { keep(out, '_') }
}

/// Puts the text of a link in the place of what stands between its brackets.
fn link(start: usize, out: &mut String) {
    let inside = out.split_off(start);
    let (target, shown) = match inside.rsplit_once('|') {
        Some((before, shown)) => (before.split('|').next().unwrap_or_default(), shown),
        None => (inside.as_str(), ""),
    };
    let piped = inside.contains('|');
    let prefix = target.split_once(':').map(|(prefix, _)| prefix.trim().to_lowercase()).unwrap_or_default();
    if FILES.contains(&prefix.as_str()) {
        if piped && !is_setting(shown) {
            out.push_str(shown);
            out.push(' ');
        }
    } else if prefix == "category" || is_language(&prefix) {
        // Nothing is shown where they stand.
    } else if piped && !shown.trim().is_empty() {
        out.push_str(shown);
    } else {
        out.push_str(target.trim_start_matches(':'));
    }
}

/// `thumb`, `200px`, `alt=…`: how a file is shown, not what is said about it.
fn is_setting(shown: &str) -> bool {
    let word = shown.trim();
    let size = word.strip_suffix("px").is_some_and(|n| n.chars().all(|c| c.is_ascii_digit() || c == 'x'));
    size || ["thumb", "thumbnail", "frame", "frameless", "left", "right", "center", "none", "upright"].contains(&word)
}

/// The prefix of a link to the same page in another language.
fn is_language(prefix: &str) -> bool {
    let parts: Vec<&str> = prefix.split('-').collect();
    let lower = |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase());
    parts.iter().all(lower) && matches!(parts[0].len(), 2 | 3) && prefix.len() <= 12
}
