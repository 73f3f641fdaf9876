//! What the list of pairs keeps for later: the person's own list, and what a search has read.

use std::collections::HashSet;
use std::sync::Arc;

use super::duel::Duel;
use crate::pair_ids::PairIds;

/// The ids of the source and of the target whose title or URL has the words searched for.
pub(super) type TitledIds = Arc<[HashSet<String>; 2]>;

/// What a list is restricted to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Restrictions {
    pub(super) filter: String,
    pub(super) document: Option<String>,
    pub(super) configuration: Option<usize>,
    pub(super) duel: Option<Duel>,
}

/// The person's own list of pairs, while another is shown.
#[derive(Debug)]
pub(super) struct OwnList {
    pub(super) restrictions: Restrictions,
    /// The pair under the cursor.
    pub(super) pair: Option<PairIds>,
    /// What is shown in its place.
    pub(super) replaced_by: Restrictions,
}
