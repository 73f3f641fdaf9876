//! The statistics and lines that methods were fitted to, as the last run stored them.

use std::sync::Arc;

use crate::session::Session;
use dejaview_base::{hash, system};
use dejaview_methods::Statistics;
use dejaview_text::Recurring;

/// Statistics with their digest.
#[derive(Debug, Default)]
pub(crate) struct Fitted {
    pub(crate) statistics: Statistics,
    /// Empty when no configuration needs any.
    pub(crate) digest: String,
}

/// The statistics that the last run stored, if it was of this plan.
pub(crate) fn read_statistics(session: &Session, plan: &str) -> Option<Fitted> {
    let bytes = system::read_file(&session.workspace().statistics()).ok()?;
    let bytes = bytes.strip_prefix(plan.as_bytes())?;
    Some(Fitted { statistics: Statistics::from_bytes(bytes)?, digest: hash::digest(bytes) })
}

/// The lines that recur on a host, as the last run found them, if it was of this plan.
pub(crate) fn read_lines(session: &Session, plan: &str) -> Option<Arc<Recurring>> {
    let bytes = system::read_file(&session.workspace().lines()).ok()?;
    Some(Arc::new(Recurring::from_bytes(bytes.strip_prefix(plan.as_bytes())?).ok()?))
}
