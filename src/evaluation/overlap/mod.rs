//! Which URLs do two lists have in common, when neither fits into memory?
//!
//! Every URL is reduced to the 128-bit XXH3 hash of the form it is compared in (two of 10¹⁰ different URLs collide with a
//! probability of 10⁻¹⁸), with a few bits beside: number of its host and top-level domain, and of its document. Records go
//! into partitions by their hash; what exceeds a budget of memory goes to disk; each partition is then sorted and merged by
//! itself. Both lists can be read at once. Costs 24 bytes a line on disk, and in memory the budget plus the largest pair of partitions.
//!
//! Top-level domains are counted for four sets: the lines of the source, its documents of interest (the judged ones), those of
//! them whose URL is in the target, and the common URLs, each once. Hosts are counted exactly as long as there are
//! no more than [`MOST_HOSTS`]; lines of hosts that first appear later are counted together.

mod names;
mod partitions;

use std::io;
use std::path::PathBuf;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use dejaview_corpus::urls::{Rules, host_of, top_level};

use names::{COMMON, JUDGED, JUDGED_COMMON, MOST_TOP_LEVELS, Names, SOURCE, TARGET};
pub use names::{MOST_HOSTS, NameCounts};
use partitions::{Partitions, Record};

/// Options of a join of two lists of URLs.
#[derive(Debug, Clone)]
pub struct JoinOptions {
    /// When two URLs count as the same.
    pub rules: Rules,
    /// Only URLs of this domain and those below it.
    pub domain: Option<String>,
    /// Bytes of records that stay in memory.
    pub memory: usize,
    /// Folder for what does not; made when needed, removed in the end.
    pub folder: PathBuf,
}

/// Counts of one list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Lines {
    /// Lines with a URL (of the domain, where one is asked for).
    pub lines: u64,
    /// Different URLs, by the rules.
    pub distinct: u64,
}

/// What two lists have in common.
#[derive(Debug, Clone, Default)]
pub struct Overlap {
    pub source: Lines,
    pub target: Lines,
    /// URLs in both, each once.
    pub common: u64,
    /// Documents of interest with a URL.
    pub judged: u64,
    /// Those of them whose URL is in the target.
    pub judged_common: u64,
    /// By top-level domain, the most frequent of the source first.
    pub top_levels: Vec<NameCounts>,
    /// By host, the most frequent of the source first.
    pub hosts: Vec<NameCounts>,
    /// Lines whose hosts were too many to be counted apart.
    pub other_hosts: u64,
    /// Common URLs of such hosts.
    pub other_common: u64,
    /// Documents of interest whose URL is in the target, each once; ascending.
    pub documents: Vec<u32>,
    /// Same-URL pairs of documents of interest: number of the document, number of the target's line; ascending.
    pub pairs: Vec<(u32, u32)>,
}

impl Overlap {
    /// Hosts of common URLs; at least so many where [`Self::other_common`] is not 0.
    pub fn common_hosts(&self) -> u64 {
        self.hosts.iter().filter(|host| host.common > 0).count() as u64
    }

    /// Top-level domains of common URLs.
    pub fn common_top_levels(&self) -> u64 {
        self.top_levels.iter().filter(|domain| domain.common > 0).count() as u64
    }
}

/// One of the two lists, while its URLs are read.
#[derive(Debug)]
pub struct UrlList {
    rules: Rules,
    domain: Option<String>,
    partitions: Partitions,
    hosts: Names,
    top_levels: Names,
    url: String,
    lines: u64,
}

impl UrlList {
    fn new(order: &JoinOptions, name: &str) -> Self {
        Self {
            rules: order.rules,
            domain: order.domain.clone(),
            partitions: Partitions::new(order.folder.join(name), order.memory / 2),
            hosts: Names::new(MOST_HOSTS),
            top_levels: Names::new(MOST_TOP_LEVELS),
            url: String::new(),
            lines: 0,
        }
    }

    /// A URL, with the number of its document: of the source when that is of interest, of the target its line.
    pub fn push(&mut self, url: &str, number: Option<u32>) -> io::Result<()> {
        self.rules.write(url, &mut self.url);
        let host = host_of(&self.url);
        if self.url.is_empty() || self.domain.as_deref().is_some_and(|domain| !below(host, domain)) {
            return Ok(());
        }
        let key = xxh3_128(self.url.as_bytes());
        let record = Record::new(key, self.hosts.number(host), self.top_levels.number(top_level(host)), number);
        self.lines += 1;
        self.partitions.push(record)
    }
}

/// A join under way: first every line of both lists, in any order or at once, then the result.
#[derive(Debug)]
pub struct Join {
    pub source: UrlList,
    pub target: UrlList,
}

impl Join {
    pub fn new(order: &JoinOptions) -> Self {
        let half = |name: &str| UrlList::new(order, name);
        Self { source: half("source"), target: half("target") }
    }

    /// Joins what was read.
    pub fn finish(self) -> io::Result<Overlap> {
        let Self { mut source, target } = self;
        let hosts = source.hosts.merge(&target.hosts);
        let top_levels = source.top_levels.merge(&target.top_levels);
        let mut tally = Tally {
            overlap: Overlap::default(),
            hosts: vec![[0; 5]; source.hosts.numbers()],
            top_levels: vec![[0; 5]; source.top_levels.numbers()],
            renumbered: [hosts, top_levels],
        };
        source.partitions.join(target.partitions, &mut |a, b| tally.meet(a, b))?;
        let Tally { mut overlap, hosts, top_levels, .. } = tally;
        (overlap.source.lines, overlap.target.lines) = (source.lines, target.lines);
        overlap.other_hosts = hosts.last().map_or(0, |other| other[SOURCE] + other[TARGET]);
        overlap.other_common = hosts.last().map_or(0, |other| other[COMMON]);
        overlap.hosts = source.hosts.counted(&hosts);
        overlap.top_levels = source.top_levels.counted(&top_levels);
        overlap.documents.sort_unstable();
        overlap.documents.dedup();
        overlap.pairs.sort_unstable();
        Ok(overlap)
    }
}

fn below(host: &str, domain: &str) -> bool {
    let host = host.rsplit_once(':').map_or(host, |(name, _)| name);
    host.strip_suffix(domain).is_some_and(|front| front.is_empty() || front.ends_with('.'))
}

/// Counts as they grow, partition by partition.
struct Tally {
    overlap: Overlap,
    hosts: Vec<[u64; 5]>,
    top_levels: Vec<[u64; 5]>,
    /// For the target's numbers of hosts and top-level domains those of the source.
    renumbered: [Vec<u32>; 2],
}

impl Tally {
    /// All records of one URL.
    fn meet(&mut self, source: &[Record], target: &[Record]) {
        let common = !source.is_empty() && !target.is_empty();
        self.overlap.source.distinct += u64::from(!source.is_empty());
        self.overlap.target.distinct += u64::from(!target.is_empty());
        self.overlap.common += u64::from(common);
        for record in source {
            self.count(record, SOURCE);
            if let Some(document) = record.number() {
                self.count(record, JUDGED);
                self.overlap.judged += 1;
                if common {
                    self.count(record, JUDGED_COMMON);
                    self.overlap.judged_common += 1;
                    self.overlap.documents.push(document);
                    let pairs = target.iter().filter_map(|other| Some((document, other.number()?)));
                    self.overlap.pairs.extend(pairs);
                }
            }
        }
        for record in target {
            let [hosts, top_levels] = &self.renumbered;
            self.hosts[hosts[record.host()] as usize][TARGET] += 1;
            self.top_levels[top_levels[record.top_level()] as usize][TARGET] += 1;
        }
        if common {
            self.count(&source[0], COMMON);
        }
    }

    /// Counts a record of the source.
    fn count(&mut self, record: &Record, set: usize) {
        self.hosts[record.host()][set] += 1;
        self.top_levels[record.top_level()][set] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn join(source: &[(&str, Option<u32>)], target: &[&str], memory: usize, rules: Rules) -> Overlap {
        let folder = tempfile::tempdir().unwrap();
        let order = JoinOptions { rules, domain: None, memory, folder: folder.path().join("spill") };
        let mut join = Join::new(&order);
        source.iter().for_each(|(url, document)| join.source.push(url, *document).unwrap());
        (0u32..).zip(target).for_each(|(i, url)| join.target.push(url, Some(i)).unwrap());
        let overlap = join.finish().unwrap();
        assert!(!folder.path().join("spill").exists(), "nothing is left behind");
        overlap
    }

    #[test]
    fn four_sets_by_top_level_domain() {
        let source = [
            ("http://www.a.org/x", Some(0)),
            ("http://a.org/x/", None),
            ("http://a.org/y", Some(1)),
            ("http://b.com/", None),
            ("http://b.com/z", Some(2)),
            ("", None),
        ];
        let target = ["https://a.org/x", "http://b.com", "http://b.com/other", "https://A.ORG/x#top"];
        let found = join(&source, &target, usize::MAX, Rules::default());
        assert_eq!((found.source, found.target), (Lines { lines: 5, distinct: 4 }, Lines { lines: 4, distinct: 3 }));
        assert_eq!((found.common, found.judged, found.judged_common), (2, 3, 1));
        let rows: Vec<_> = found
            .top_levels
            .iter()
            .map(|n| (&*n.name, n.source, n.judged, n.judged_common, n.common, n.target))
            .collect();
        assert_eq!(rows, [("org", 3, 2, 1, 1, 2), ("com", 2, 1, 0, 1, 2)]);
        assert_eq!(found.hosts[0].name, "a.org");
        assert_eq!(found.pairs, [(0, 0), (0, 3)]);
        let exact = join(&source, &target, usize::MAX, Rules::EXACT);
        assert_eq!((exact.common, exact.source.distinct), (0, 5));
    }

    #[test]
    fn a_domain_and_those_below_it() {
        for (host, inside) in [("wikipedia.org", true), ("en.wikipedia.org:80", true), ("notwikipedia.org", false)] {
            assert_eq!(below(host, "wikipedia.org"), inside, "{host}");
        }
    }

    #[test]
    fn what_goes_to_disk_comes_back() {
        let url = |i: u64| format!("http://h{}.org/{}", i % 50, dejaview_base::hash::fmix64(i) % 3000);
        let source: Vec<String> = (0..5000).map(url).collect();
        let target: Vec<String> = (3000..9000).map(url).collect();
        let borrowed: Vec<(&str, Option<u32>)> =
            (0u32..).zip(&source).map(|(i, url)| (url.as_str(), (i % 3 == 0).then_some(i))).collect();
        let targets: Vec<&str> = target.iter().map(String::as_str).collect();
        let [a, b]: [BTreeSet<&String>; 2] = [&source, &target].map(|list| list.iter().collect());
        for memory in [usize::MAX, 4096, 0] {
            let found = join(&borrowed, &targets, memory, Rules::EXACT);
            assert_eq!(found.common, a.intersection(&b).count() as u64, "memory {memory}");
            assert_eq!((found.source.distinct, found.target.distinct), (a.len() as u64, b.len() as u64));
            let judged = borrowed.iter().filter(|(url, d)| d.is_some() && b.contains(&(*url).to_owned())).count();
            assert_eq!(found.judged_common, judged as u64);
            let hosts: u64 = found.hosts.iter().map(|named| named.source).sum();
            assert_eq!((hosts, found.other_hosts), (5000, 0));
        }
    }
}
