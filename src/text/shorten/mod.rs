//! Titles and URLs in the columns that there are, so that what differs between two of them stays visible.
//!
//! Nothing here knows colours. A line is a list of [`Span`]s, each with what it is to the other line; a screen gives
//! every [`Role`] its style and draws them one after the other:
//!
//! ```text
//! let sites = study.site_names();
//! let [a, b] = sites.shorten_both([(host_a, title_a), (host_b, title_b)]);
//! match compare_titles(a, b, columns) {
//!     Compared::Same(title) => …,             // once, and `= same title` below
//!     Compared::Different([a, b]) => for span in a { draw(&span.text, style_of(span.role)) } …
//! }
//! compare_urls(url_a, url_b, columns)         // the same, with equal parts under each other
//! shorten_title(title, columns)               // one title of a list
//! shorten_url(url, columns)                   // one URL, cut in the middle
//! shorten_id(id, columns)                     // the end of an id
//! ```
//!
//! All texts are cleaned for the terminal first, and no line ever takes more columns than it is given.

mod cells;
mod sites;
#[cfg(test)]
mod tests;
mod titles;
mod urls;

pub use cells::columns;
pub use sites::SiteNames;
pub use titles::{compare_titles, shorten_title, title};
pub use urls::{compare_urls, shorten_id, shorten_url};

/// What a stretch of one line is to the other line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Both lines have it. Cuts of such a stretch and the blanks that align the lines have this role, too.
    Equal,
    OnlyA,
    OnlyB,
}

/// The roles of what only the first and only the second of two lines has.
const ONLY: [Role; 2] = [Role::OnlyA, Role::OnlyB];

/// A stretch of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Safe to print.
    pub text: String,
    pub role: Role,
}

/// Two titles or two URLs beside each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compared {
    /// Both are the same, which is shown once.
    Same(String),
    /// The lines of A and of B.
    Different([Vec<Span>; 2]),
}

/// Adds text to a line; what continues the last span becomes part of it.
fn push(line: &mut Vec<Span>, text: &str, role: Role) {
    match line.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.role == role => last.text.push_str(text),
        _ => line.push(Span { text: text.to_owned(), role }),
    }
}
