//! The options of the comparison of URLs.

use crate::Snapshot;
use dejaview_base::own_folder;
use dejaview_corpus::urls::Rules;
use dejaview_evaluation::overlap::{Join, JoinOptions};

/// What is asked about URLs.
#[derive(Debug, Clone)]
pub struct UrlsOptions {
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

pub(crate) fn new_join(study: &Snapshot, order: &UrlsOptions, name: &str) -> Join {
    Join::new(&JoinOptions {
        rules: order.rules,
        domain: order.domain.clone(),
        memory: order.memory,
        folder: own_folder::of(study.folder()).join(format!("{name}-{}", std::process::id())),
    })
}
