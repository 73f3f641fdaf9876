//! The pairs of one document, wherever it stands in them.
//!
//! Two documents that stand on both sides are one pair, whose source is the one that comes first by id, and which is a pair
//! of the other all the same. Who asks what a document has must look for it at both ends, as [`PairTable::documents`] does.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::PairTable;
use super::finders::FinderSet;
use super::folded::Folded;
use dejaview_matching::DocumentNumber;
use dejaview_methods::Side;

/// Pairs of a document that have the same scores and the same finders.
#[derive(Debug, Clone, Copy)]
pub struct DocumentBundle<'t> {
    pub pairs: u64,
    /// Whether the document is the target of these pairs, not their source.
    pub turned: bool,
    /// The other document of the first of them by id.
    pub other: &'t str,
    /// Segment of their targets.
    pub segment: &'t str,
    /// Segment that holds the other documents.
    pub found_in: &'t str,
    /// Headline Jaccard; none where no texts were compared.
    pub jaccard: Option<f64>,
    /// The configurations that found them.
    pub finders: FinderSet,
}

/// Documents of the source that have the same pairs, at either end.
#[derive(Debug)]
pub struct DocumentKind<'t> {
    pub ids: Vec<&'t str>,
    /// The pairs that each of them has.
    pub bundles: Vec<DocumentBundle<'t>>,
}

impl<'t> DocumentKind<'t> {
    /// The bundle with the highest Jaccard of those that pass; of equal ones the first by the other id. An unknown Jaccard
    /// is less than any number.
    pub fn top(&self, passes: impl Fn(&DocumentBundle<'t>) -> bool) -> Option<&DocumentBundle<'t>> {
        let rank = |bundle: &&DocumentBundle<'t>| (bundle.jaccard.unwrap_or(-1.0), Reverse(bundle.other));
        let higher = |a: &&DocumentBundle<'t>, b: &&DocumentBundle<'t>| {
            let (a, b) = (rank(a), rank(b));
            a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1))
        };
        self.bundles.iter().filter(|bundle| passes(bundle)).max_by(higher)
    }
}

/// The document pairs that one row stands for, where documents stand on both sides.
#[derive(Debug)]
pub struct RowPairs<'t> {
    /// Its source documents that stand on one side alone: every target is a pair of each.
    pub alone: Vec<&'t str>,
    /// Its source documents that stand on both sides, by id, each with the number from which on targets that do so too are
    /// its pairs.
    pub sources: Vec<(&'t str, DocumentNumber)>,
    /// Targets that stand on one side alone: pairs of every source.
    pub free: u64,
    /// Targets that stand on both sides, each with its number.
    pub both: Vec<(&'t str, DocumentNumber)>,
    /// Segment of the targets.
    pub segment: &'t str,
    /// Headline Jaccard; none where no texts were compared.
    pub jaccard: Option<f64>,
    /// The configurations that found them.
    pub finders: FinderSet,
}

impl RowPairs<'_> {
    /// How many pairs there are all of whose documents of the source pass.
    pub fn pairs(&self, passes: impl Fn(&str) -> bool) -> u64 {
        let alone = self.alone.iter().filter(|id| passes(id)).count() as u64 * (self.free + self.both.len() as u64);
        let sources = self.sources.iter().filter(|(id, _)| passes(id));
        let mut from: Vec<DocumentNumber> = sources.map(|(_, from)| *from).collect();
        from.sort_unstable();
        let with = |number: DocumentNumber| from.partition_point(|from| *from <= number) as u64;
        let both = self.both.iter().filter(|(id, _)| passes(id)).map(|(_, number)| with(*number)).sum::<u64>();
        alone + self.free * from.len() as u64 + both
    }
}

impl PairTable {
    /// Whether some documents stand on both sides.
    pub fn joins_itself(&self) -> bool {
        self.files.iter().any(|open| open.file.joins_itself())
    }

    /// Numbers of the pairs whose target a document of the source is.
    pub fn turned(&self, id: &str) -> &[u32] {
        let rows = self.turned.get_or_init(|| {
            let mut turned: BTreeMap<Box<str>, Vec<u32>> = BTreeMap::new();
            let all = if self.joins_itself() { self.len() } else { 0 };
            for (row, pair) in (0..all).map(|row| (row, self.pair(row))) {
                for target in pair.documents().skip(1) {
                    turned.entry(target.into()).or_default().push(row as u32);
                }
            }
            turned
        });
        rows.get(id).map_or(&[], Vec::as_slice)
    }

    /// All documents of the source that have a pair, at either end, by the first id of those that have the same. `home`
    /// tells the segment of a document that stands on both sides.
    pub fn documents<'t>(&'t self, home: impl Fn(&str) -> Option<&'t str>) -> impl Iterator<Item = DocumentKind<'t>> {
        let mut turned = self.turned_bundles(home);
        let mut kinds = self.kinds().peekable();
        std::iter::from_fn(move || {
            let next = kinds.peek().and_then(|kind| kind.sources.first()).map(|source| source.id);
            // Documents that are never the source of a pair.
            let first = turned.first_key_value().map(|(id, _)| *id);
            if let Some(id) = first.filter(|id| next.is_none_or(|next| *id < next)) {
                let bundles = turned.remove(id)?;
                return Some(DocumentKind { ids: vec![id], bundles });
            }
            let kind = kinds.next()?;
            let mut bundles: Vec<DocumentBundle<'_>> = Vec::with_capacity(kind.bundles.len());
            bundles.extend(kind.bundles.iter().map(|bundle| DocumentBundle {
                pairs: bundle.pairs,
                turned: false,
                other: bundle.first_pair.target,
                segment: bundle.segment,
                found_in: bundle.segment,
                jaccard: bundle.jaccard(self.n()),
                finders: bundle.finders(),
            }));
            // A document that stands on both sides is a kind of its own.
            bundles.extend(next.and_then(|id| turned.remove(id)).into_iter().flatten());
            Some(DocumentKind { ids: kind.sources.iter().map(|source| source.id).collect(), bundles })
        })
    }

    /// The pairs of documents that stand on both sides, where they are the target.
    fn turned_bundles<'t>(
        &'t self,
        home: impl Fn(&str) -> Option<&'t str>,
    ) -> BTreeMap<&'t str, Vec<DocumentBundle<'t>>> {
        let mut turned: BTreeMap<&str, Vec<DocumentBundle<'_>>> = BTreeMap::new();
        for link in self.links() {
            let RowPairs { segment, jaccard, finders, .. } = link;
            // Its sources by their own segment.
            let mut by_segment: BTreeMap<&str, Vec<(&str, DocumentNumber)>> = BTreeMap::new();
            for &(id, from) in &link.sources {
                by_segment.entry(home(id).unwrap_or(segment)).or_default().push((id, from));
            }
            for (found_in, sources) in by_segment {
                let mut begins: Vec<DocumentNumber> = sources.iter().map(|(_, from)| *from).collect();
                begins.sort_unstable();
                for (id, number) in &link.both {
                    let pairs = begins.partition_point(|from| from <= number) as u64;
                    if let Some((other, _)) = sources.iter().find(|(_, from)| from <= number) {
                        let bundle = DocumentBundle { pairs, turned: true, other, segment, found_in, jaccard, finders };
                        turned.entry(id).or_default().push(bundle);
                    }
                }
            }
        }
        turned
    }

    /// The rows, where documents stand on both sides; else none.
    pub fn links(&self) -> Box<dyn Iterator<Item = RowPairs<'_>> + '_> {
        match &self.folded {
            _ if !self.joins_itself() => Box::new(std::iter::empty()),
            None => Box::new((0..self.len()).map(|row| self.link(row))),
            Some(folded) => Box::new(self.folded_links(folded)),
        }
    }

    fn link(&self, row: usize) -> RowPairs<'_> {
        let pair = self.pair(row);
        let [source, target] = pair.both;
        RowPairs {
            alone: if source { Vec::new() } else { vec![pair.source] },
            sources: if source { vec![(pair.source, DocumentNumber::default())] } else { Vec::new() },
            free: u64::from(!target),
            both: if target { vec![(pair.target, DocumentNumber::default())] } else { Vec::new() },
            segment: self.segment(row),
            jaccard: self.shown_jaccard(row),
            finders: self.row(row).finders,
        }
    }

    fn folded_links<'t>(&'t self, folded: &'t Folded) -> impl Iterator<Item = RowPairs<'t>> {
        let fold = &folded.fold;
        let mut sources: Vec<Vec<DocumentNumber>> = vec![Vec::new(); self.rows.len()];
        for source in DocumentNumber::all(fold.sources()) {
            fold.rows_of(source).for_each(|(row, _)| sources[row as usize].push(source));
        }
        sources.into_iter().enumerate().filter(|(_, sources)| !sources.is_empty()).map(move |(at, sources)| {
            let (row, [free, both]) = (self.rows[at], fold.members_of(at as u32));
            let open = &self.files[row.file as usize];
            let target = free.first().or(both.first()).copied().unwrap_or_default();
            let numbers = folded.in_file(row.file, sources[0], target);
            let like = open.file.pair_of(row.row as usize, numbers[0], numbers[1]);
            let (joined, alone): (Vec<DocumentNumber>, Vec<DocumentNumber>) =
                sources.into_iter().partition(|source| folded.side(Side::Source).is_both(*source));
            let source = |source: DocumentNumber| self.id_of(folded, Side::Source, source);
            RowPairs {
                alone: alone.into_iter().map(source).collect(),
                sources: joined.into_iter().map(|joined| (source(joined), fold.begin_of(joined))).collect(),
                free: free.len() as u64,
                both: both.iter().map(|&target| (self.id_of(folded, Side::Target, target), target)).collect(),
                segment: &open.segment,
                jaccard: like.compared().then(|| like.scores().jaccard(self.n).unwrap_or_default()),
                finders: row.finders,
            }
        })
    }
}
