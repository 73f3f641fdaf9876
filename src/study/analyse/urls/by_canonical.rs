//! What canonical links add to the URLs themselves.

use serde::Serialize;

use super::interest::Interest;
use super::order::UrlsOptions;
use super::reading::Origin;
use crate::analyse::urls::order::new_join;
use crate::analyse::urls::reading::{each_url, spilling_failed};
use crate::run::watch::Watch;
use crate::{Snapshot, StudyError};
use dejaview_evaluation::overlap::Overlap;

/// What canonical links add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Canonical {
    /// Pages of the source with such a link to another URL than their own.
    pub source: u64,
    /// The same of the target.
    pub target: u64,
    /// Documents of interest that meet a page of the target by their URL or canonical link, or by its.
    pub documents: u64,
    /// Those of them that the URLs alone do not bring together.
    pub added: u64,
}

pub(super) fn same_canonical(
    study: &Snapshot,
    order: &UrlsOptions,
    sides: &[Origin; 2],
    overlap: &Overlap,
    interest: &mut Interest<'_>,
    watch: &dyn Watch,
) -> Result<Canonical, StudyError> {
    let mut join = new_join(study, order, "canonical");
    let mut counts = [0u64; 2];
    each_url(study, &sides[0], order.threads, watch, &mut |seen| {
        let number = interest.number(seen.id);
        counts[0] += u64::from(seen.canonical.is_some());
        seen.canonical.map_or(Ok(()), |url| join.source.push(url, number))?;
        join.source.push(seen.url, number)
    })?;
    each_url(study, &sides[1], order.threads, watch, &mut |seen| {
        counts[1] += u64::from(seen.canonical.is_some());
        seen.canonical.map_or(Ok(()), |url| join.target.push(url, None))?;
        join.target.push(seen.url, None)
    })?;
    let both = join.finish().map_err(|why| spilling_failed(study, why))?;
    let added = both.documents.iter().filter(|document| overlap.documents.binary_search(document).is_err());
    Ok(Canonical {
        source: counts[0],
        target: counts[1],
        documents: both.documents.len() as u64,
        added: added.count() as u64,
    })
}
