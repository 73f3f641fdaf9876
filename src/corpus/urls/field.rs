//! The fields of a line of a list of URLs: how they are separated, and what a field looks like.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    Tab,
    Blank,
    Comma,
}

impl Separator {
    /// The separator of a line in which no field is known yet: a tab if there is one, else a blank that does not only pad a
    /// comma, else a comma.
    pub fn detect(line: &str) -> Option<Self> {
        if line.contains('\t') {
            return Some(Self::Tab);
        }
        let comma = line.contains(',');
        let pads = |at: usize| line[..at].trim_end().ends_with(',') || line[at..].trim_start().starts_with(',');
        match line.match_indices(' ').any(|(at, _)| !comma || !pads(at)) {
            true => Some(Self::Blank),
            false => comma.then_some(Self::Comma),
        }
    }

    fn character(self) -> char {
        match self {
            Self::Tab => '\t',
            Self::Blank => ' ',
            Self::Comma => ',',
        }
    }

    /// The first field, and what follows it unless it is the last one.
    pub fn first(self, text: &str) -> (&str, Option<&str>) {
        let quoted = if self == Self::Comma { quoted_end(text) } else { None };
        let end = quoted.or_else(|| text.find(self.character()));
        match end.filter(|end| *end < text.len()) {
            Some(end) => (text[..end].trim_matches(' '), Some(text[end + 1..].trim_start_matches(' '))),
            None => (text, None),
        }
    }

    pub fn fields(self, text: &str) -> impl Iterator<Item = &str> + Clone {
        let mut rest = Some(text);
        std::iter::from_fn(move || {
            let (field, following) = self.first(rest?);
            rest = following;
            Some(field)
        })
    }

    pub fn count(self, text: &str) -> usize {
        self.fields(text).count() - 1
    }

    /// Splits a text before its last `last` fields; the first field always stays in front.
    pub fn split_before(self, text: &str, last: usize) -> (&str, Option<&str>) {
        let mut keep = (self.count(text) + 1).saturating_sub(last).max(1);
        let mut rest = text;
        while let (_, Some(following)) = self.first(rest) {
            keep -= 1;
            if keep == 0 {
                let front = text[..text.len() - following.len()].trim_end_matches(' ');
                let front = front.strip_suffix(self.character()).unwrap_or(front);
                return (front.trim_end_matches(' '), Some(following));
            }
            rest = following;
        }
        (text, None)
    }
}

/// Where a quoted field at the start of a text ends, just after its closing quote; a quote within is doubled.
pub(super) fn quoted_end(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('"')?;
    let mut at = 0;
    loop {
        at += inner[at..].find('"')? + 1;
        match inner[at..].trim_start_matches(' ').chars().next() {
            None => return Some(text.len()),
            Some(',' | '\t') => {
                let blanks = inner[at..].len() - inner[at..].trim_start_matches(' ').len();
                return Some(1 + at + blanks);
            }
            Some('"') if inner[at..].starts_with('"') => at += 1,
            Some(_) => {}
        }
    }
}

pub(super) fn unquoted(field: &str) -> &str {
    let field = field.trim();
    field.strip_prefix('"').and_then(|field| field.strip_suffix('"')).unwrap_or(field)
}

/// Whether a text begins with a URL beyond doubt: with a scheme or `www.`.
pub(super) fn begins_with_url(text: &str) -> bool {
    let text = text.trim_start_matches('<');
    if text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www.")) && text.len() > 4 {
        return true;
    }
    let scheme = text.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))).unwrap_or(text.len());
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text[scheme..]
            .strip_prefix("://")
            .is_some_and(|rest| !rest.starts_with([' ', '\t', ',']) && !rest.is_empty())
}

/// Whether a text begins with a host or an address, as a URL without its scheme does.
pub(super) fn begins_with_host(text: &str) -> bool {
    let text = text.trim_start_matches('<');
    let host = &text[..text.find(['/', ':', '?', '#', ' ', '\t', ',']).unwrap_or(text.len())];
    let mut labels = host.split('.').rev();
    let is_label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    let is_top = |top: &str| top.starts_with("xn--") || (top.len() >= 2 && top.chars().all(char::is_alphabetic));
    let is_address = host.parse::<std::net::Ipv4Addr>().is_ok();
    is_address || host.contains('.') && labels.next().is_some_and(is_top) && labels.all(is_label)
}

/// Whether a field says that there is no value.
pub(super) fn is_missing(field: &str) -> bool {
    ["", "-", "n/a", "na", "nan", "nil", "none", "null", "\\n"].contains(&field.to_ascii_lowercase().as_str())
}

/// Whether a field is one of those that lists often have beside ids and URLs: a missing value, an HTTP status, a year, a
/// date or time, a media type.
pub(super) fn is_common_metadata(field: &str) -> bool {
    let digits = !field.is_empty() && field.bytes().all(|b| b.is_ascii_digit());
    let number = if digits { field.parse::<u64>().unwrap_or(u64::MAX) } else { u64::MAX };
    let date = |text: &str| {
        let bytes = text.as_bytes();
        (text.starts_with("19") || text.starts_with("20"))
            && bytes.len() >= 10
            && bytes[..10]
                .iter()
                .enumerate()
                .all(|(i, b)| if i == 4 || i == 7 { *b == b'-' } else { b.is_ascii_digit() })
    };
    let stamp = digits && [8, 14].contains(&field.len()) && (field.starts_with("19") || field.starts_with("20"));
    let media = ["text/", "application/", "image/", "audio/", "video/", "multipart/", "message/"];
    is_missing(field)
        || field.len() == 3 && (100..600).contains(&number)
        || field.len() == 4 && (1900..2100).contains(&number)
        || stamp
        || date(field)
        || media.iter().any(|kind| field.starts_with(kind))
}

/// Whether a field may be an id or another value, and does not look like the end of a URL such as `00.html` or `b?c=d`.
pub(super) fn is_plain(field: &str) -> bool {
    let is_file_name = field
        .rsplit_once('.')
        .is_some_and(|(_, kind)| (2..=5).contains(&kind.len()) && kind.starts_with(|c: char| c.is_ascii_alphabetic()));
    !field.is_empty() && !is_file_name && field.chars().all(|c| c.is_alphanumeric() || "-_.:+@<>".contains(c))
}
