//! The URLs of a study: what source and target have in common, and how alike the pages behind the same URL are.
//!
//! URLs come from the lists that `urls` names; a side without lists is read from its documents. Lists stream through a join
//! of bounded memory. The documents of interest are the judged ones; without judgments all of the source, where the
//! study has documents.

mod against;
mod by_canonical;
mod interest;
mod reading;
mod same_url;

pub use against::Against;
pub use by_canonical::Canonical;
pub use same_url::SameUrl;

use crate::run::Watch;
use crate::{Session, StudyError};
use dejaview_corpus::Input;
use dejaview_corpus::urls::Rules;
use dejaview_evaluation::overlap::{Join, JoinOrder, Overlap};
use interest::Interest;
use reading::{Origin, Seen};

/// What is asked about URLs.
#[derive(Debug, Clone)]
pub struct UrlsOrder {
    /// When two URLs count as the same.
    pub rules: Rules,
    /// Only URLs of this domain and those below it.
    pub domain: Option<String>,
    /// Whether canonical links are read too.
    pub canonical: bool,
    /// Whether documents with the same URL are compared.
    pub content: bool,
    /// Bytes of records that stay in memory.
    pub memory: usize,
    /// At least 1.
    pub threads: usize,
}

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
    /// How alike pages with the same URL are.
    pub same_url: Option<SameUrl>,
    /// What canonical links add.
    pub canonical: Option<Canonical>,
    /// URL against content, where the study was run.
    pub against: Vec<Against>,
}

impl Session {
    /// What source and target have in common by their URLs.
    pub fn urls(&self, order: &UrlsOrder, watch: &dyn Watch) -> Result<Urls, StudyError> {
        let judgments = self.judgments()?;
        let corpora = self.corpora()?;
        let targets: Vec<Input> = corpora.segments.iter().flat_map(|segment| segment.inputs.clone()).collect();
        let sides = [
            self.url_source(&self.recipe().source.urls, &corpora.source)?,
            self.url_source(&self.recipe().targets.iter().flat_map(|t| t.urls.clone()).collect::<Vec<_>>(), &targets)?,
        ];
        let readable = !corpora.source.is_empty() && !targets.is_empty();
        let mut interest = Interest {
            judgments: judgments.as_ref(),
            ids: (judgments.is_none() && !corpora.source.is_empty()).then(Default::default),
        };
        let (overlap, without) = self.join(order, &sides, &mut interest, watch)?;
        let same_url = match order.content && readable {
            true => Some(self.same_url(order, &sides[1], &overlap, &interest, watch)?),
            false => None,
        };
        let canonical = match order.canonical && readable {
            true => {
                let sides = [Origin::Documents(corpora.source.clone()), Origin::Documents(targets)];
                Some(self.by_canonical(order, &sides, &overlap, &mut interest, watch)?)
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
            without,
            same_url,
            canonical,
            against: self.against(&overlap, &interest),
            overlap,
        })
    }

    fn new_join(&self, order: &UrlsOrder, name: &str) -> Join {
        Join::new(&JoinOrder {
            rules: order.rules,
            domain: order.domain.clone(),
            memory: order.memory,
            folder: self.folder().join(format!(".dejaview/{name}-{}", std::process::id())),
        })
    }

    fn join(
        &self,
        order: &UrlsOrder,
        sides: &[Origin; 2],
        interest: &mut Interest<'_>,
        watch: &dyn Watch,
    ) -> Result<(Overlap, u64), StudyError> {
        let mut join = self.new_join(order, "urls");
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
                    rayon::join(|| self.each_listed(old, &mut push_source), || self.each_listed(new, &mut push_target));
                a? + b?
            }
            [old, new] => {
                let without = self.each_url(old, order.threads, watch, &mut push_source)?;
                without + self.each_url(new, order.threads, watch, &mut push_target)?
            }
        };
        Ok((join.finish().map_err(|why| self.spilling(why))?, without))
    }
}
