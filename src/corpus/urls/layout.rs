//! How the lines of a list are laid out: which field is the URL, and where it ends.
//!
//! Where the URL begins can be seen in each line: at a scheme or `www.` that begins a field, else at a host in the field
//! where the other lines have it. Where it ends can only be seen in many lines, since a comma may belong to it. A field after
//! the URL is a column of its own if nearly all lines have it and it is common metadata (a status, a date) or repeats; a field
//! that differs from line to line is the id of a line that begins with its URL. Where it could be either, the list is
//! refused. All decisions are by counting, so that the order of the lines does not matter.

use std::borrow::Cow;
use std::collections::HashSet;

use super::field::{
    Separator, begins_with_host, begins_with_url, is_common_metadata, is_missing, is_plain, quoted_end, unquoted,
};

/// Which of the first two fields is the URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    IdFirst,
    UrlFirst,
}

/// The columns that a header names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Header {
    order: Order,
    columns: usize,
}

impl Header {
    /// The columns of a line, if it is a header.
    pub fn parse(line: &str) -> Option<Self> {
        let is_url = |name: &&str| ["url", "uri"].contains(&unquoted(name).to_ascii_lowercase().as_str());
        let line = line.trim();
        let fields: Vec<&str> = match Separator::detect(line) {
            Some(separator) => separator.fields(line).collect(),
            None => vec![line],
        };
        let order = match (is_url(&fields[0]), fields.get(1).is_some_and(is_url)) {
            (false, true) => Order::IdFirst,
            (true, false) => Order::UrlFirst,
            _ => return None,
        };
        Some(Self { order, columns: fields.len() })
    }
}

/// How the URL ends in lines of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Line,
    /// Before this many fields, the first of which is the id if the URL comes first.
    Fields(Separator, usize),
    /// Before columns in which no id is.
    Columns(Separator, usize),
    /// At the first blank, after which a text of any length follows.
    Blank,
}

/// The URL of a line could end in several places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ambiguous<'a>(pub &'a str);

/// How the lines of a list are laid out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    order: Order,
    /// How URLs end in lines `id,url`, in lines `id url`, and in lines that begin with the URL; `None` if there are no such
    /// lines.
    ends: [Option<End>; 3],
}

impl Layout {
    /// The layout of the first lines of a list; `None` when none of them has a URL.
    pub fn detect<'a>(lines: &[&'a str], header: Option<Header>) -> Result<Option<Self>, Ambiguous<'a>> {
        let Some(order) = header.map(|header| header.order).or_else(|| order(lines)) else { return Ok(None) };
        let mut kinds: [Vec<Located<'a>>; 3] = Default::default();
        for line in lines {
            let located = Located::find(line, order);
            if let Some((located, kind)) = located.and_then(|located| Some((located, located.kind()?))) {
                kinds[kind].push(located);
            }
        }
        let mut ends = [None; 3];
        for (end, lines) in ends.iter_mut().zip(&kinds) {
            if let Some(first) = lines.first() {
                *end = Some(url_end(lines, header).ok_or(Ambiguous(first.line))?);
            }
        }
        Ok(Some(Self { order, ends }))
    }

    /// The id and the URL of a line; `None` if it has no URL.
    pub fn split<'a>(&self, line: &'a str) -> Option<(&'a str, Cow<'a, str>)> {
        let located = Located::find(line, self.order)?;
        let (id, url) = match located.kind() {
            None => located.split_at_tab_or_quote(),
            Some(kind) => located.split(self.ends[kind].or_else(|| url_end(&[located], None))?),
        };
        let inner = unquoted(url);
        let url = match inner.len() < url.len() && inner.contains("\"\"") {
            true => Cow::Owned(inner.replace("\"\"", "\"")),
            false => Cow::Borrowed(inner),
        };
        (!url.is_empty()).then_some((unquoted(id), url))
    }
}

/// Whether a line by itself has a URL.
pub(super) fn has_url(line: &str) -> bool {
    Located::by_scheme(line).is_some() || order_by_hosts(line).is_some()
}

/// Which field most lines have their URL in. Only where no line has a scheme do hosts decide.
fn order(lines: &[&str]) -> Option<Order> {
    let most = |orders: &mut dyn Iterator<Item = Order>| {
        let [mut id_first, mut url_first] = [0, 0];
        orders.for_each(|order| *if order == Order::IdFirst { &mut id_first } else { &mut url_first } += 1);
        match (id_first, url_first) {
            (0, 0) => None,
            _ if id_first >= url_first => Some(Order::IdFirst),
            _ => Some(Order::UrlFirst),
        }
    };
    most(&mut lines.iter().filter_map(|line| Located::by_scheme(line)).map(Located::order))
        .or_else(|| most(&mut lines.iter().filter_map(|line| order_by_hosts(line))))
}

/// The order of fields in a line without a scheme. A name such as `page.html` is no URL where the other field is missing.
fn order_by_hosts(line: &str) -> Option<Order> {
    let line = line.trim();
    let Some(separator) = Separator::detect(line) else { return begins_with_host(line).then_some(Order::UrlFirst) };
    let mut fields = separator.fields(line).map(unquoted);
    let (first, second) = (fields.next()?, fields.next()?);
    match (begins_with_host(first), begins_with_host(second)) {
        (false, true) if !is_missing(first) => Some(Order::IdFirst),
        (true, false) if !is_missing(second) => Some(Order::UrlFirst),
        _ => None,
    }
}

/// A line whose URL is known to begin at `rest`.
#[derive(Debug, Clone, Copy)]
struct Located<'a> {
    line: &'a str,
    /// The id before the URL, and what separates them; `None` if the URL comes first.
    id: Option<(&'a str, Separator)>,
    /// The URL and everything after it.
    rest: &'a str,
}

impl<'a> Located<'a> {
    fn find(line: &'a str, order: Order) -> Option<Self> {
        Self::by_scheme(line).or_else(|| Self::by_host(line, order))
    }

    /// Finds the first field that begins with a scheme; of two URLs beside each other neither is known to be the id.
    fn by_scheme(line: &'a str) -> Option<Self> {
        let trimmed = line.trim_matches([' ', '\r']);
        let begins = |text: &str| begins_with_url(text.strip_prefix('"').unwrap_or(text));
        let tabs = trimmed.contains('\t');
        if begins(trimmed) {
            let separator = if tabs { Separator::Tab } else { Separator::Blank };
            let second = separator.first(trimmed).1.map(|following| separator.first(following).0);
            let located = Self { line, id: None, rest: trimmed };
            return (!second.is_some_and(begins)).then_some(located);
        }
        let separates = |c: char| if tabs { c == '\t' } else { c == ' ' || c == ',' };
        for (at, _) in trimmed.match_indices(separates) {
            let rest = trimmed[at + 1..].trim_start_matches(' ');
            if begins(rest) {
                return Self::after_id(line, &trimmed[..trimmed.len() - rest.len()], rest);
            }
        }
        None
    }

    /// Finds a host in the field where the list has its URLs.
    fn by_host(line: &'a str, order: Order) -> Option<Self> {
        let trimmed = line.trim_matches([' ', '\r']);
        let begins = |text: &str| begins_with_host(text.strip_prefix('"').unwrap_or(text));
        let fields = Separator::detect(trimmed).map(|separator| separator.first(trimmed));
        match (order, fields) {
            (Order::UrlFirst, _) => begins(trimmed).then_some(Self { line, id: None, rest: trimmed }),
            (Order::IdFirst, Some((_, Some(rest)))) if begins(rest) => {
                Self::after_id(line, &trimmed[..trimmed.len() - rest.len()], rest)
            }
            _ => None,
        }
    }

    /// A line whose URL follows exactly one field.
    fn after_id(line: &'a str, before: &'a str, rest: &'a str) -> Option<Self> {
        let gap = &before[before.trim_end_matches([' ', '\t', ',']).len()..];
        let separator = match (gap.contains('\t'), gap.contains(',')) {
            (true, _) => Separator::Tab,
            (_, true) => Separator::Comma,
            _ => Separator::Blank,
        };
        let before = before.trim_end_matches(' ');
        let id = match separator {
            Separator::Tab => before.strip_suffix('\t')?,
            Separator::Comma => before.strip_suffix(',')?,
            Separator::Blank => before,
        };
        (separator.count(id) == 0).then_some(Self { line, id: Some((id.trim(), separator)), rest })
    }

    fn order(self) -> Order {
        if self.id.is_some() { Order::IdFirst } else { Order::UrlFirst }
    }

    /// The index into [`Layout::ends`]; `None` where a tab or a quote ends the URL.
    fn kind(self) -> Option<usize> {
        if self.rest.contains('\t') || quoted_end(self.rest).is_some() {
            return None;
        }
        match self.id {
            Some((_, Separator::Tab)) => None,
            Some((_, Separator::Comma)) => Some(0),
            Some((_, Separator::Blank)) => Some(1),
            None => Some(2),
        }
    }

    /// The id and the URL where a tab or a quote ends the URL.
    fn split_at_tab_or_quote(self) -> (&'a str, &'a str) {
        let separator = match self.id {
            Some((_, separator)) => separator,
            None if self.rest.contains('\t') => Separator::Tab,
            None => Separator::Comma,
        };
        let (url, following) = match quoted_end(self.rest) {
            Some(end) => (&self.rest[..end], self.rest[end..].strip_prefix([',', '\t'])),
            None => separator.first(self.rest),
        };
        (self.id_or(following.map(|following| separator.first(following.trim_start_matches(' ')).0)), url)
    }

    fn split(self, end: End) -> (&'a str, &'a str) {
        match end {
            End::Line => (self.id_or(None), self.rest),
            End::Columns(separator, last) => (self.id_or(None), separator.split_before(self.rest, last).0),
            End::Fields(separator, last) => {
                let (url, following) = separator.split_before(self.rest, last);
                (self.id_or(following.map(|following| separator.first(following).0)), url)
            }
            End::Blank => {
                let (url, following) = Separator::Blank.first(self.rest);
                (self.id_or(following.map(|following| Separator::Blank.first(following).0)), url)
            }
        }
    }

    fn id_or(self, following: Option<&'a str>) -> &'a str {
        self.id.map_or(following.unwrap_or_default(), |(id, _)| id)
    }
}

/// Where the URLs end in lines of one kind; `None` if that could be in several places.
fn url_end(lines: &[Located<'_>], header: Option<Header>) -> Option<End> {
    let columns = header.map(|header| header.columns);
    match lines[0].id {
        Some((_, Separator::Blank)) => Some(end_by_blanks(lines)),
        Some(_) => end_before_columns(lines, columns.map(|columns| columns.saturating_sub(2))),
        None if columns == Some(1) => Some(End::Line),
        None => {
            let by_commas = end_before_id(lines, columns.map(|columns| columns.saturating_sub(1)));
            let apart = |line: &&Located<'_>| Separator::detect(line.rest) == Some(Separator::Blank);
            let blanks = 2 * lines.iter().filter(apart).count() > lines.len();
            let regular = |separator: Separator| {
                let first = separator.count(lines[0].rest);
                first > 0 && lines.iter().all(|line| separator.count(line.rest) == first)
            };
            let commas = regular(Separator::Comma) && !regular(Separator::Blank);
            match by_commas {
                Some(End::Fields(..)) if blanks && commas => by_commas,
                _ if blanks => Some(end_by_blanks(lines)),
                _ => by_commas,
            }
        }
    }
}

/// The end of URLs that blanks follow. Blanks are rare in URLs, so that as many fields follow as in most lines; if no number
/// of fields is that frequent, a text follows.
fn end_by_blanks(lines: &[Located<'_>]) -> End {
    let mut counts: Vec<usize> = lines.iter().map(|line| Separator::Blank.count(line.rest)).collect();
    counts.sort_unstable();
    let frequency = |count: usize| counts.iter().filter(|other| **other == count).count();
    // Of equally frequent numbers, the least.
    let most = counts.iter().copied().rev().max_by_key(|count| frequency(*count)).unwrap_or_default();
    if 2 * frequency(most) >= counts.len() { End::Fields(Separator::Blank, most) } else { End::Blank }
}

/// What the fields at the same distance from the ends of lines are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    /// A column, but not of ids.
    Other,
    /// Each line has a value of its own: ids, or the ends of URLs.
    Distinct,
    /// At least some of the fields belong to the URL.
    Url,
}

/// The end of URLs that come second, before further columns. `named` is how many of these a header names.
fn end_before_columns(lines: &[Located<'_>], named: Option<usize>) -> Option<End> {
    let others = (1..).take_while(|place| column(lines, *place) == Column::Other).count();
    match named {
        Some(named) => Some(End::Columns(Separator::Comma, others.max(named))),
        None if column(lines, others + 1) == Column::Distinct => None,
        None => Some(End::Columns(Separator::Comma, others)),
    }
}

/// The end of URLs that come first, before the id and further columns. `named` is how many fields a header names after the
/// URL.
fn end_before_id(lines: &[Located<'_>], named: Option<usize>) -> Option<End> {
    let others = (1..).take_while(|place| column(lines, *place) == Column::Other).count();
    if let Some(named) = named {
        return Some(End::Fields(Separator::Comma, named.max(others + 1)));
    }
    if column(lines, others + 1) != Column::Distinct {
        let two_urls = (1..=others).any(|place| field_from_end(lines[0].rest, place).is_some_and(begins_with_url));
        return (!two_urls).then_some(End::Columns(Separator::Comma, others));
    }
    // URLs alone that differ only after their last comma are nearly always the same before it.
    let different: HashSet<&str> =
        lines.iter().map(|line| Separator::Comma.split_before(line.rest, others + 1).0).collect();
    if 2 * different.len() <= lines.len() {
        return Some(End::Line);
    }
    let plain = |line: &Located<'_>| field_from_end(line.rest, others + 2).is_some_and(is_plain);
    (!lines.iter().all(plain)).then_some(End::Fields(Separator::Comma, others + 1))
}

/// The field at a place from the end, the last one at 1; `None` where that is the URL itself.
fn field_from_end(rest: &str, place: usize) -> Option<&str> {
    let fields = Separator::Comma.count(rest);
    (place <= fields).then(|| Separator::Comma.fields(rest).nth(fields + 1 - place)).flatten().map(unquoted)
}

fn column(lines: &[Located<'_>], place: usize) -> Column {
    let fields: Vec<&str> = lines.iter().filter_map(|line| field_from_end(line.rest, place)).collect();
    let all = |holds: &dyn Fn(&str) -> bool| fields.iter().all(|field| holds(field));
    if fields.is_empty() || 10 * fields.len() < 9 * lines.len() {
        return Column::Url;
    }
    let different = fields.iter().collect::<HashSet<_>>().len();
    let repeated = 2 * different <= fields.len();
    let is_text = 2 * fields.iter().filter(|field| field.contains(' ')).count() > fields.len();
    if all(&is_common_metadata)
        || is_text
        || all(&begins_with_url)
        || repeated && all(&|field| is_plain(field) || is_common_metadata(field))
    {
        return Column::Other;
    }
    if fields.len() == lines.len() && all(&is_plain) { Column::Distinct } else { Column::Url }
}
