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
use dejaview_corpus::{Input, urls};
use dejaview_evaluation::overlap::Overlap;
use dejaview_matching::import::{NamedPair, NamedPairs};
use dejaview_matching::pass::pass;
use dejaview_matching::source::{ReadOptions, Source};
use dejaview_matching::{ConfigurationNumber, DocumentNumber};
use dejaview_methods::measures::Scores;

/// How alike pages with the same URL are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SameUrl {
    /// n of the Jaccard.
    pub n: usize,
    /// All pairs that were compared.
    #[serde(flatten)]
    pub all: AlikePages,
    /// Pairs by Jaccard: below 0.1, below 0.2, …, the last 0.9 to 1.
    pub tenths: [u64; 10],
    /// Pairs one of whose documents was not there to be read.
    pub unread: u64,
    /// The same by top-level domain of the source document, those with most pairs first.
    pub domains: Vec<AlikeGroup>,
    /// By host.
    pub hosts: Vec<AlikeGroup>,
    /// By the number of parts of the path, ascending.
    pub depths: Vec<AlikeGroup>,
}

/// How alike some pairs of pages are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AlikePages {
    pub pairs: u64,
    /// Of their Jaccard.
    pub mean: f64,
    /// Of their Jaccard.
    pub median: f64,
    /// Share of pairs with a Jaccard of 0.9 or more.
    pub at_least_90: f64,
}

/// Pairs of one domain, host or depth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AlikeGroup {
    pub name: String,
    #[serde(flatten)]
    pub alike: AlikePages,
}

impl AlikePages {
    fn new(mut jaccards: Vec<f64>) -> Self {
        jaccards.sort_by(f64::total_cmp);
        let count = jaccards.len();
        let share = |part: f64| if count == 0 { 0.0 } else { part / count as f64 };
        let median = match count {
            0 => 0.0,
            n if n % 2 == 1 => jaccards[n / 2],
            n => f64::midpoint(jaccards[n / 2 - 1], jaccards[n / 2]),
        };
        Self {
            pairs: count as u64,
            mean: share(jaccards.iter().sum()),
            median,
            at_least_90: share(jaccards.iter().filter(|jaccard| **jaccard >= 0.9).count() as f64),
        }
    }
}

impl SameUrl {
    /// From the URL and the Jaccard of each pair.
    fn new(pairs: &[(&str, f64)], n: usize, unread: u64) -> Self {
        let mut tenths = [0; 10];
        for (_, jaccard) in pairs {
            tenths[((jaccard * 10.0) as usize).min(9)] += 1;
        }
        let mut domains = groups(pairs, |url| urls::top_level(&urls::host(url)).to_owned());
        let mut hosts = groups(pairs, urls::host);
        for found in [&mut domains, &mut hosts] {
            found.sort_by(|a, b| (b.alike.pairs, &a.name).cmp(&(a.alike.pairs, &b.name)));
        }
        let mut depths = groups(pairs, |url| urls::depth(url).to_string());
        depths.sort_by_key(|group| group.name.parse::<usize>().unwrap_or_default());
        let all = AlikePages::new(pairs.iter().map(|pair| pair.1).collect());
        Self { n, all, tenths, unread, domains, hosts, depths }
    }
}

/// The pairs by what a URL says.
fn groups(pairs: &[(&str, f64)], name: impl Fn(&str) -> String) -> Vec<AlikeGroup> {
    let mut groups: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for (url, jaccard) in pairs {
        groups.entry(name(url)).or_default().push(*jaccard);
    }
    groups.into_iter().map(|(name, jaccards)| AlikeGroup { name, alike: AlikePages::new(jaccards) }).collect()
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
    let sides = &sides_of(study.session(), &corpora);
    let base = ReadOptions { sides, ..ReadOptions::of_inputs(&corpora.source, content, order.threads, progress) };
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
    let jaccards = seen.iter().map(|((number, _), jaccard)| (&*source.documents[number.index()].url, *jaccard));
    Ok(SameUrl::new(&jaccards.collect::<Vec<_>>(), n, unread))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_medians_and_shares() {
        let pairs =
            [("http://x.org/a", 0.95), ("http://y.com", 0.1), ("http://x.org/a/b", 1.0), ("http://www.y.com/", 0.5)];
        let found = SameUrl::new(&pairs, 1, 2);
        assert_eq!((found.all.pairs, found.all.median, found.all.at_least_90, found.unread), (4, 0.725, 0.5, 2));
        assert!((found.all.mean - 0.6375).abs() < 1e-12);
        assert_eq!(found.tenths, [0, 1, 0, 0, 0, 1, 0, 0, 0, 2]);
        let names =
            |groups: &[AlikeGroup]| groups.iter().map(|g| format!("{} {}", g.name, g.alike.pairs)).collect::<Vec<_>>();
        assert_eq!(names(&found.domains), ["com 2", "org 2"]);
        assert_eq!(names(&found.hosts), ["x.org 2", "y.com 2"]);
        assert_eq!(names(&found.depths), ["0 2", "1 1", "2 1"]);
        assert_eq!(found.depths[0].alike.median, 0.3);
        let none = SameUrl::new(&[], 1, 0);
        assert_eq!((none.all.pairs, none.all.mean, none.all.median), (0, 0.0, 0.0));
    }
}
