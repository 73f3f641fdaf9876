//! The URLs of a study: what source and target have in common, and how alike the pages behind the same URL are.
//!
//! URLs come from the lists that `urls` names; a side without lists is read from its documents. Lists stream through a join
//! of bounded memory. The documents of interest are the judged ones; without judgments all of the source, where the
//! study has documents.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

use serde::Serialize;

use super::StudyError;
use super::corpora::matches;
use super::recipe::Pattern;
use super::run::{Stage, Watch};
use super::session::Session;
use crate::corpus::qrels::Judgments;
use crate::corpus::urls::{self, Rules};
use crate::corpus::{Document, Input};
use crate::evaluation::overlap::{Join, JoinOrder, Overlap};
use crate::matching::MatchingError;
use crate::matching::import::Named;
use crate::matching::pass::pass_named;
use crate::matching::reading::{Visitor, visit};
use crate::matching::source::{Order, Source};
use crate::methods::measures::Scores;
use crate::text::canonical;

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
    /// Share of pairs with a Jaccard of 0.9 or more.
    pub at_least_90: f64,
    /// Pairs by Jaccard: below 0.1, below 0.2, …, the last 0.9 to 1.
    pub tenths: [u64; 10],
    /// Pairs one of whose documents was not there to be read.
    pub unread: u64,
}

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

/// URL against content for one configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Against {
    /// The configuration.
    pub name: String,
    /// Documents of interest that it found.
    pub found: u64,
    /// Of these, with their URL in the target.
    pub common_url: u64,
    /// Of these, with a pair of the same URL.
    pub same_url: u64,
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

/// One document or line with its URL.
struct Seen<'a> {
    id: &'a str,
    url: &'a str,
    canonical: Option<&'a str>,
}

/// What is done with each.
type Visit<'a> = dyn FnMut(&Seen<'_>) -> std::io::Result<()> + 'a;

/// Where the URLs of a side come from.
enum Origin {
    Lists(Vec<PathBuf>),
    Documents(Vec<Input>),
}

impl Origin {
    fn name(&self) -> &'static str {
        if matches!(self, Self::Lists(_)) { "lists" } else { "documents" }
    }
}

/// Numbers of the documents of interest.
struct Interest<'a> {
    judgments: Option<&'a Judgments>,
    /// Without judgments: documents of the source in the order they come; none when they are not wanted.
    ids: Option<(Vec<String>, HashMap<String, u32>)>,
}

impl Interest<'_> {
    fn number(&mut self, id: &str) -> Option<u32> {
        if let Some(judgments) = self.judgments {
            return judgments.document(id);
        }
        let (ids, numbers) = self.ids.as_mut()?;
        if let Some(&number) = numbers.get(id) {
            return Some(number);
        }
        ids.push(id.to_owned());
        numbers.insert(id.to_owned(), ids.len() as u32 - 1);
        Some(ids.len() as u32 - 1)
    }

    fn id(&self, number: u32) -> &str {
        match (self.judgments, &self.ids) {
            (Some(judgments), _) => &judgments.documents()[number as usize],
            (None, Some((ids, _))) => &ids[number as usize],
            _ => "",
        }
    }

    fn len(&self) -> usize {
        self.judgments.map_or_else(|| self.ids.as_ref().map_or(0, |(ids, _)| ids.len()), |j| j.documents().len())
    }
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

    fn url_source(&self, lists: &[Pattern], documents: &[Input]) -> Result<Origin, StudyError> {
        if lists.is_empty() {
            return Ok(Origin::Documents(documents.to_vec()));
        }
        let mut paths = Vec::new();
        for pattern in lists {
            paths.extend(matches(self.folder(), pattern)?);
        }
        Ok(Origin::Lists(paths))
    }

    fn new_join(&self, order: &UrlsOrder, name: &str) -> Join {
        Join::new(&JoinOrder {
            rules: order.rules,
            domain: order.domain.clone(),
            memory: order.memory,
            folder: self.folder().join(format!(".dejaview/{name}-{}", std::process::id())),
        })
    }

    fn spilling(&self, why: std::io::Error) -> StudyError {
        StudyError::File { doing: "joining URLs in", path: self.folder().join(".dejaview"), why }
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

    /// Shows every URL of a side in the order of its files; returns how many lines have none.
    fn each_url(
        &self,
        from: &Origin,
        threads: usize,
        watch: &dyn Watch,
        show: &mut Visit<'_>,
    ) -> Result<u64, StudyError> {
        match from {
            Origin::Lists(paths) => self.each_listed(paths, show),
            Origin::Documents(inputs) => {
                watch.stage(Stage::Statistics { bytes: inputs.iter().map(|input| input.size).sum() });
                self.each_document(inputs, threads, watch, show)
            }
        }
    }

    fn each_listed(&self, paths: &[PathBuf], show: &mut Visit<'_>) -> Result<u64, StudyError> {
        let (mut without, mut failure) = (0, None);
        for path in paths {
            without += urls::each(path, &mut |line| {
                if failure.is_none() {
                    failure = show(&Seen { id: line.id, url: line.url, canonical: None }).err();
                }
            })?;
        }
        failure.map_or(Ok(without), |why| Err(self.spilling(why)))
    }

    /// One file after another, so that memory holds the URLs of one.
    fn each_document(
        &self,
        inputs: &[Input],
        threads: usize,
        watch: &dyn Watch,
        show: &mut Visit<'_>,
    ) -> Result<u64, StudyError> {
        let mut without = 0;
        for input in inputs {
            let visited = visit(std::slice::from_ref(input), threads, watch.progress(), Gatherer::default)?;
            let mut rows: Vec<_> = visited.visitors.into_iter().flat_map(|gatherer| gatherer.rows).collect();
            rows.sort_unstable();
            for (_, id, url, canonical) in &rows {
                without += u64::from(url.is_empty());
                let seen = Seen { id, url, canonical: canonical.as_deref() };
                show(&seen).map_err(|why| self.spilling(why))?;
            }
        }
        if watch.progress().cancelled() { Err(MatchingError::Cancelled.into()) } else { Ok(without) }
    }

    /// Compares the documents of interest with the pages of the target that have the same URL.
    fn same_url(
        &self,
        order: &UrlsOrder,
        target: &Origin,
        overlap: &Overlap,
        interest: &Interest<'_>,
        watch: &dyn Watch,
    ) -> Result<SameUrl, StudyError> {
        let wanted: HashSet<u32> = overlap.pairs.iter().map(|pair| pair.1).collect();
        let (mut ids, mut number) = (HashMap::new(), 0u32);
        self.each_url(target, order.threads, watch, &mut |seen| {
            if wanted.contains(&number) {
                ids.insert(number, seen.id.to_owned());
            }
            number = number.saturating_add(1);
            Ok(())
        })?;
        let pairs: BTreeSet<(&str, &str)> =
            overlap.pairs.iter().filter_map(|(d, t)| Some((interest.id(*d), ids.get(t)?.as_str()))).collect();
        self.compared(order, &pairs, watch)
    }

    /// The Jaccard of named pairs, read from both corpora.
    fn compared(
        &self,
        order: &UrlsOrder,
        pairs: &BTreeSet<(&str, &str)>,
        watch: &dyn Watch,
    ) -> Result<SameUrl, StudyError> {
        let (corpora, content, progress) = (self.corpora()?, self.content()?, watch.progress());
        let sources: HashSet<&str> = pairs.iter().map(|pair| pair.0).collect();
        let read = |inputs: &'_ [Input]| {
            watch.stage(Stage::Statistics { bytes: inputs.iter().map(|input| input.size).sum() });
        };
        let base = Order {
            inputs: &corpora.source,
            content: &content,
            configurations: &[],
            threads: order.threads,
            progress,
            keep: &|_| {},
            keep_all: false,
        };
        read(&corpora.source);
        let source = Source::read(base, &|id| sources.contains(id))?;
        let mut named = Named::default();
        for (a, b) in pairs {
            if let Ok(number) = source.documents.binary_search_by(|document| (*document.id).cmp(a)) {
                named.add(b, number as u32, NO_CONFIGURATION, 0);
            }
        }
        let n = self.recipe().jaccard;
        let mut seen: BTreeMap<(u32, String), f64> = BTreeMap::new();
        for segment in &corpora.segments {
            read(&segment.inputs);
            let passed = pass_named(Order { inputs: &segment.inputs, ..base }, &source, &named)?;
            for pair in &passed.found {
                let (one, other) = (&source.documents[pair.source as usize], &passed.targets[pair.target as usize]);
                let scores = Scores::new(&one.profile(), &other.profile, &pair.common);
                seen.entry((pair.source, other.id.to_string())).or_insert(scores.jaccard(n).unwrap_or_default());
            }
        }
        let unread = (pairs.len() - seen.len().min(pairs.len())) as u64;
        Ok(SameUrl::of(seen.into_values().collect(), n, unread))
    }

    fn by_canonical(
        &self,
        order: &UrlsOrder,
        sides: &[Origin; 2],
        overlap: &Overlap,
        interest: &mut Interest<'_>,
        watch: &dyn Watch,
    ) -> Result<Canonical, StudyError> {
        let mut join = self.new_join(order, "canonical");
        let mut counts = [0u64; 2];
        self.each_url(&sides[0], order.threads, watch, &mut |seen| {
            let number = interest.number(seen.id);
            counts[0] += u64::from(seen.canonical.is_some());
            seen.canonical.map_or(Ok(()), |url| join.source.push(url, number))?;
            join.source.push(seen.url, number)
        })?;
        self.each_url(&sides[1], order.threads, watch, &mut |seen| {
            counts[1] += u64::from(seen.canonical.is_some());
            seen.canonical.map_or(Ok(()), |url| join.target.push(url, None))?;
            join.target.push(seen.url, None)
        })?;
        let both = join.finish().map_err(|why| self.spilling(why))?;
        let added = both.documents.iter().filter(|document| overlap.documents.binary_search(document).is_err());
        Ok(Canonical {
            source: counts[0],
            target: counts[1],
            documents: both.documents.len() as u64,
            added: added.count() as u64,
        })
    }

    /// For each configuration, how many of the documents of interest that it found have a common URL; empty before a
    /// run.
    fn against(&self, overlap: &Overlap, interest: &Interest<'_>) -> Vec<Against> {
        let Ok(table) = self.pair_table() else { return Vec::new() };
        let common: HashSet<&str> = overlap.documents.iter().map(|&document| interest.id(document)).collect();
        let of = |(c, name): (usize, &String)| {
            let (mut found, mut same) = (BTreeSet::new(), BTreeSet::new());
            for row in (0..table.len()).filter(|&row| table.found_by(row, c)) {
                let pair = table.pair(row);
                found.insert(pair.source);
                if pair.same_url {
                    same.insert(pair.source);
                }
            }
            let common_url = found.iter().filter(|id| common.contains(*id)).count() as u64;
            Against { name: name.clone(), found: found.len() as u64, common_url, same_url: same.len() as u64 }
        };
        table.configurations().iter().enumerate().map(of).collect()
    }
}

/// Pairs of no configuration: nothing counts them.
const NO_CONFIGURATION: u32 = u32::MAX;

impl SameUrl {
    fn of(mut jaccards: Vec<f64>, n: usize, unread: u64) -> Self {
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

/// Offset, id, URL and canonical link of every document; the link only where it names another URL.
#[derive(Default)]
struct Gatherer {
    rows: Vec<(u64, String, String, Option<String>)>,
}

impl Visitor for Gatherer {
    fn document(&mut self, _: usize, document: &Document<'_>) {
        let link = canonical(document.body).and_then(|link| urls::resolve(document.url, &link));
        let link = link.filter(|link| !urls::same(link, document.url));
        self.rows.push((document.offset, document.id.to_owned(), document.url.to_owned(), link));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_medians_and_shares() {
        let found = SameUrl::of(vec![0.95, 0.1, 1.0, 0.5], 1, 2);
        assert_eq!((found.pairs, found.median, found.at_least_90, found.unread), (4, 0.725, 0.5, 2));
        assert!((found.mean - 0.6375).abs() < 1e-12);
        assert_eq!(found.tenths, [0, 1, 0, 0, 0, 1, 0, 0, 0, 2]);
        let none = SameUrl::of(Vec::new(), 1, 0);
        assert_eq!((none.pairs, none.mean, none.median), (0, 0.0, 0.0));
    }
}
