//! The similarity of pages with the same URL.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::Serialize;

use super::interest::Interest;
use super::order::UrlsOptions;
use super::reading::Origin;
use crate::analyse::urls::reading::each_url;
use crate::run::plan::sides_of;
use crate::run::watch::{Stage, Watch};
use crate::{Snapshot, StudyError};
use dejaview_corpus::Input;
use dejaview_evaluation::overlap::Overlap;
use dejaview_matching::import::{NamedPair, NamedPairs};
use dejaview_matching::pass::pass;
use dejaview_matching::reading::Unlisted;
use dejaview_matching::source::{ReadOptions, Source};
use dejaview_matching::{ConfigurationNumber, DocumentNumber};
use dejaview_methods::measures::Scores;

/// How alike pages with the same URL are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SameUrl {
    /// Pairs that were compared.
    pub pairs: u64,
    /// n of the Jaccard.
    pub n: usize,
    /// Of their Jaccard.
    pub mean: f64,
    /// Of their Jaccard.
    pub median: f64,
    /// DocumentBundle of pairs with a Jaccard of 0.9 or more.
    pub at_least_90: f64,
    /// Pairs by Jaccard: below 0.1, below 0.2, …, the last 0.9 to 1.
    pub tenths: [u64; 10],
    /// Pairs one of whose documents was not there to be read.
    pub unread: u64,
}

impl SameUrl {
    fn new(mut jaccards: Vec<f64>, n: usize, unread: u64) -> Self {
        jaccards.sort_by(f64::total_cmp);
        let count = jaccards.len();
        let mut tenths = [0; 10];
        for jaccard in &jaccards {
            tenths[((jaccard * 10.0) as usize).min(9)] += 1;
        }
        let share = |part: f64| if count == 0 { 0.0 } else { part / count as f64 };
        let median = match count {
            0 => 0.0,
            n if n % 2 == 1 => jaccards[n / 2],
            n => f64::midpoint(jaccards[n / 2 - 1], jaccards[n / 2]),
        };
        Self {
            pairs: count as u64,
            n,
            mean: share(jaccards.iter().sum()),
            median,
            at_least_90: share(jaccards.iter().filter(|jaccard| **jaccard >= 0.9).count() as f64),
            tenths,
            unread,
        }
    }
}

/// Compares the documents of interest with the pages of the target that have the same URL.
pub(super) fn same_url(
    study: &Snapshot,
    order: &UrlsOptions,
    target: &Origin,
    overlap: &Overlap,
    interest: &Interest<'_>,
    watch: &dyn Watch,
) -> Result<SameUrl, StudyError> {
    let wanted: HashSet<u32> = overlap.pairs.iter().map(|pair| pair.1).collect();
    let (mut ids, mut number) = (HashMap::new(), 0u32);
    each_url(study, target, order.threads, watch, &mut |seen| {
        if wanted.contains(&number) {
            ids.insert(number, seen.id.to_owned());
        }
        number = number.saturating_add(1);
        Ok(())
    })?;
    let pairs: BTreeSet<(&str, &str)> =
        overlap.pairs.iter().filter_map(|(d, t)| Some((interest.id(*d), ids.get(t)?.as_str()))).collect();
    compare_texts(study, order, &pairs, watch)
}

/// The Jaccard of named pairs, read from both corpora.
fn compare_texts(
    study: &Snapshot,
    order: &UrlsOptions,
    pairs: &BTreeSet<(&str, &str)>,
    watch: &dyn Watch,
) -> Result<SameUrl, StudyError> {
    let (corpora, content, progress) = (study.session().corpora()?, study.content()?, watch.progress());
    let sources: HashSet<&str> = pairs.iter().map(|pair| pair.0).collect();
    let read = |inputs: &'_ [Input]| {
        watch.stage(Stage::Statistics { bytes: inputs.iter().map(|input| input.size).sum() });
    };
    let base = ReadOptions {
        inputs: &corpora.source,
        content,
        configurations: &[],
        threads: order.threads,
        progress,
        keep: &|_| {},
        keep_all: false,
        sides: &sides_of(study.session(), &corpora),
        skips: &Unlisted,
        elsewhere: &|_| false,
    };
    read(&corpora.source);
    let source = Source::read(base, &|id| sources.contains(id))?;
    let mut named = NamedPairs::default();
    for (a, b) in pairs {
        if let Ok(number) = source.documents.binary_search_by(|document| (*document.id).cmp(a)) {
            let configuration = ConfigurationNumber::NONE;
            named.add(b, NamedPair { source: DocumentNumber::at(number), configuration, distance: 0 });
        }
    }
    let n = study.recipe().jaccard;
    let mut seen: BTreeMap<(DocumentNumber, String), f64> = BTreeMap::new();
    let mut itself = HashSet::new();
    for segment in &corpora.segments {
        read(&segment.inputs);
        let passed = pass(ReadOptions { inputs: &segment.inputs, ..base }, &source, &named)?;
        itself.extend(passed.itself);
        for pair in &passed.named {
            let (one, other) = (&source.documents[pair.source.index()], &passed.targets[pair.target.index()]);
            let scores = Scores::new(&one.profile(), &other.profile, &pair.common);
            seen.entry((pair.source, other.id.to_string())).or_insert(scores.jaccard(n).unwrap_or_default());
        }
    }
    // A document that stands on both sides is not its own pair, and two of them are one pair.
    let read: HashSet<(&str, &str)> =
        seen.keys().map(|(number, target)| (&*source.documents[number.index()].id, target.as_str())).collect();
    let missing = |&&(a, b): &&(&str, &str)| {
        !(read.contains(&(a, b)) || read.contains(&(b, a)) || (a == b && itself.contains(a)))
    };
    let unread = pairs.iter().filter(missing).count() as u64;
    Ok(SameUrl::new(seen.into_values().collect(), n, unread))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_medians_and_shares() {
        let found = SameUrl::new(vec![0.95, 0.1, 1.0, 0.5], 1, 2);
        assert_eq!((found.pairs, found.median, found.at_least_90, found.unread), (4, 0.725, 0.5, 2));
        assert!((found.mean - 0.6375).abs() < 1e-12);
        assert_eq!(found.tenths, [0, 1, 0, 0, 0, 1, 0, 0, 0, 2]);
        let none = SameUrl::new(Vec::new(), 1, 0);
        assert_eq!((none.pairs, none.mean, none.median), (0, 0.0, 0.0));
    }
}
