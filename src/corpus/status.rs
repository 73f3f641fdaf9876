//! Which answers of web servers are documents.

use strum::{EnumString, VariantNames};

/// Which answers of web servers are documents, by their HTTP status. A record without one always is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum AcceptedStatus {
    /// Pages that the server delivered: 200 to 299.
    #[default]
    Ok,
    /// Redirects and errors, too.
    All,
}
