//! The words of filters. A configuration that is called like one of them is written `by:NAME`; the words that join terms are
//! no names at all.

use super::term::{Number, TextField};

pub(super) const AND: &str = "and";
pub(super) const OR: &str = "or";
pub(super) const NOT: &str = "not";
/// Begins the name of a configuration, as in `by:simhash-2`.
pub(super) const BY: &str = "by";
pub(super) const TOP: &str = "top";
/// What `top` was called once: still read where no configuration has this name.
pub(super) const FORMERLY_TOP: &str = "best";
pub(super) const CANDIDATES: &str = "candidates";
pub(super) const LABEL: &str = "label";
pub(super) const SAME_URL: &str = "same-url";
pub(super) const CONFLICT: &str = "conflict";
/// The number that only a configuration has.
pub(super) const DISTANCE: &str = "distance";

/// Values of `label` beside the labels themselves.
pub(super) const DISPUTED: &str = "disputed";

/// Before a word of filters, as in `pair:jaccard`: how filters were written where a configuration had the name of the word.
pub(super) const FORMERLY_OF_PAIR: &str = "pair";

/// Whether a configuration must not be called so, since the word joins terms.
pub fn joins_terms(name: &str) -> bool {
    [AND, OR, NOT, BY].contains(&name.to_lowercase().as_str())
}

/// Whether filters have a meaning of their own for the word: a configuration of this name is written `by:NAME`.
pub fn is_filter_word(name: &str) -> bool {
    let name = name.to_lowercase();
    let fixed = [AND, OR, NOT, BY, TOP, CANDIDATES, LABEL, SAME_URL, CONFLICT, DISTANCE];
    fixed.contains(&name.as_str()) || Number::named(&name).is_some() || TextField::named(&name).is_some()
}
