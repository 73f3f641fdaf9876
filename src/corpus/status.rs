//! Which answers of web servers count.

/// Which answers of web servers are documents, by their HTTP status. A record without one always is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Status {
    /// Pages that the server delivered: 200 to 299.
    #[default]
    Ok,
    /// Redirects and errors, too.
    All,
}
