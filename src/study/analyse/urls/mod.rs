//! The URLs of a study: what source and target have in common, and how alike the pages behind the same URL are.
//!
//! URLs come from the lists that `urls` names; a side without lists is read from its documents. Lists stream through a join
//! of bounded memory. The documents of interest are the judged ones; without judgments all of the source, where the
//! study has documents.

mod against;
mod by_canonical;
mod interest;
pub mod order;
mod reading;
mod same_url;

pub use against::Against;
pub use by_canonical::Canonical;
pub use same_url::{AlikeGroup, AlikePages, SameUrl};

use std::sync::Arc;

use crate::analyse::urls::against::against_methods;
use crate::analyse::urls::by_canonical::same_canonical;
use crate::analyse::urls::order::{UrlsOptions, new_join};
use crate::analyse::urls::reading::{WithoutUrls, each_listed, each_url, spilling_failed, url_source};
use crate::analyse::urls::same_url::same_url;
use crate::run::watch::Watch;
use crate::{Snapshot, StudyError};
use dejaview_corpus::Input;
use dejaview_corpus::urls::Rules;
use dejaview_evaluation::overlap::{Join, Overlap};
use interest::Interest;
use reading::{Origin, Seen};

/// The URLs of a study.
#[derive(Debug)]
pub struct Urls {
    /// What two lists have in common.
    pub overlap: Overlap,
    /// When two URLs count as the same.
    pub rules: Rules,
    /// The domain asked for.
    pub domain: Option<String>,
    /// Where the URLs of source and target come from: "lists" or "documents".
    pub from: [&'static str; 2],
    /// Documents of interest: "judged", "source", or nothing.
    pub interest: &'static str,
    /// How many there are.
    pub documents: u64,
    /// Lines of lists without a URL.
    pub without: u64,
    /// Lines of lists that were not read, each with its file and why, in words.
    pub unread: Vec<String>,
    /// How alike pages with the same URL are.
    pub same_url: Option<SameUrl>,
    /// What canonical links add.
    pub canonical: Option<Canonical>,
    /// URL against content, where the study was run.
    pub against: Vec<Against>,
}

/// What source and target have in common by their URLs.
pub fn urls(study: &Snapshot, order: &UrlsOptions, watch: &dyn Watch) -> Result<Urls, StudyError> {
    let judgments = study.judgments()?;
    let corpora = study.session().corpora()?;
    let targets: Vec<Input> = corpora.segments.iter().flat_map(|segment| segment.inputs.clone()).collect();
    let sides = [
        url_source(study, &study.recipe().source.urls, &corpora.source)?,
        url_source(study, &study.recipe().targets.iter().flat_map(|t| t.urls.clone()).collect::<Vec<_>>(), &targets)?,
    ];
    let readable = !corpora.source.is_empty() && !targets.is_empty();
    let mut interest = Interest {
        judgments: judgments.map(Arc::as_ref),
        ids: (judgments.is_none() && !corpora.source.is_empty()).then(Default::default),
    };
    let (overlap, without) = join_urls(study, order, &sides, &mut interest, watch)?;
    let same_url = match order.content && readable {
        true => Some(same_url(study, order, &sides[1], &overlap, &interest, watch)?),
        false => None,
    };
    let canonical = match order.canonical && readable {
        true => {
            let sides = [Origin::Documents(corpora.source.clone()), Origin::Documents(targets)];
            Some(same_canonical(study, order, &sides, &overlap, &mut interest, watch)?)
        }
        false => None,
    };
    Ok(Urls {
        rules: order.rules,
        domain: order.domain.clone(),
        from: [sides[0].name(), sides[1].name()],
        interest: match (&judgments, interest.len()) {
            (Some(_), _) => "judged",
            (None, 0) => "",
            _ => "source",
        },
        documents: interest.len() as u64,
        without: without.count,
        unread: without.unread,
        same_url,
        canonical,
        against: against_methods(study, &overlap, &interest),
        overlap,
    })
}

fn join_urls(
    study: &Snapshot,
    order: &UrlsOptions,
    sides: &[Origin; 2],
    interest: &mut Interest<'_>,
    watch: &dyn Watch,
) -> Result<(Overlap, WithoutUrls), StudyError> {
    let mut join = new_join(study, order, "urls");
    let Join { source, target } = &mut join;
    let mut number = 0u32;
    let mut push_source = |seen: &Seen<'_>| source.push(seen.url, interest.number(seen.id));
    let mut push_target = |seen: &Seen<'_>| {
        number = number.saturating_add(1);
        target.push(seen.url, Some(number - 1))
    };
    let without = match sides {
        // Lists need no more than a thread each, so both are read at once.
        [Origin::Lists(old), Origin::Lists(new)] => {
            let (a, b) =
                rayon::join(|| each_listed(study, old, &mut push_source), || each_listed(study, new, &mut push_target));
            a?.and(b?)
        }
        [old, new] => {
            let without = each_url(study, old, order.threads, watch, &mut push_source)?;
            without.and(each_url(study, new, order.threads, watch, &mut push_target)?)
        }
    };
    Ok((join.finish().map_err(|why| spilling_failed(study, why))?, without))
}
