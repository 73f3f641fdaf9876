//! Document pairs by the bundle: those between two classes of documents, which have the same scores and the same finders.
//!
//! Whoever counts asks for bundles, and pays for the classes and not for the document pairs between them: 2,000 × 2,000
//! copies of one page are one bundle. Source documents that have as many pairs of each bundle are one kind; where
//! documents stand on both sides, each of these is a kind of its own.

use std::collections::{BTreeSet, HashMap};

use super::PairTable;
use super::finders::FinderSet;
use super::folded::Folded;
use super::row::TableRow;
use dejaview_matching::DocumentNumber;
use dejaview_matching::pairs::Pair;
use dejaview_methods::Side;

/// Pairs that are looked at before the memory for them is given back.
const HELD: usize = 1 << 20;

/// A source document that has a pair.
#[derive(Debug, Clone, Copy)]
pub struct Source<'t> {
    /// Its number among all that have one, in the order of their ids.
    pub number: u32,
    pub id: &'t str,
    /// Whether it stands on both sides.
    pub both: bool,
    /// Its number in the table.
    document: DocumentNumber,
}

/// Source documents that have the same bundles.
#[derive(Debug)]
pub struct Kind<'t> {
    /// Its documents, by id.
    pub sources: Vec<Source<'t>>,
    /// What each of them has.
    pub bundles: Vec<Bundle<'t>>,
    /// TableRow and target of each pair that stands by itself, where the table has classes.
    alone: Vec<(u32, DocumentNumber)>,
    /// Whether no pair is left out because it stands the other way round.
    free: bool,
}

/// Pairs of each source document of a kind that differ in their documents alone.
#[derive(Debug, Clone, Copy)]
pub struct Bundle<'t> {
    /// The first of them. The others have other ids, and it may be different whether the URL is the same and which of the
    /// documents stands on both sides.
    pub first_pair: Pair<'t>,
    /// Segment of their targets.
    pub segment: &'t str,
    /// How many each source document has.
    pub pairs: u64,
    /// The number of the pair, where it is one of those that were asked to stand by themselves, and where a table has no
    /// classes.
    pub number: Option<usize>,
    /// The row of the table that stands for them, and its number.
    row: TableRow,
    at: u32,
}

impl Bundle<'_> {
    /// Headline Jaccard; none where no texts were compared.
    pub fn jaccard(&self, n: usize) -> Option<f64> {
        self.first_pair.compared().then(|| self.first_pair.scores().jaccard(n).unwrap_or_default())
    }

    /// The row of the table that stands for them.
    pub(super) fn row(&self) -> TableRow {
        self.row
    }

    /// The configurations that found them.
    pub fn finders(&self) -> FinderSet {
        self.row.finders
    }
}

impl Kind<'_> {
    pub fn documents(&self) -> u64 {
        self.sources.len() as u64
    }
}

/// Chooses few pairs of bundles that connect documents as all pairs do: the same documents are connected, and the same pairs
/// are bridges, without which two of them would not be.
///
/// Of each two classes the first two source documents keep all their pairs, every other two of its own. That is enough: the
/// targets of a later document are also targets of those two, so two pairs tie it to them in two ways, and one where it has
/// only one. Documents that stand on both sides, whose later ones have ever fewer targets, are counted apart from others.
#[derive(Debug, Default)]
pub struct SpanningPairs {
    begun: HashMap<(u32, bool), usize>,
}

impl SpanningPairs {
    /// How many of the source documents of a kind, from the first on, keep all their pairs of a bundle. Each other keeps the
    /// first two.
    pub fn whole(&mut self, kind: &Kind<'_>, bundle: &Bundle<'_>) -> usize {
        let all = kind.sources.len();
        if !kind.alone.is_empty() || bundle.number.is_some() {
            return all;
        }
        let begun = self.begun.entry((bundle.at, kind.free)).or_default();
        let whole = all.min(2usize.saturating_sub(*begun));
        *begun += all;
        whole
    }
}

impl PairTable {
    /// All kinds of source documents, by the first of each.
    pub fn kinds(&self) -> Box<dyn Iterator<Item = Kind<'_>> + Send + '_> {
        self.kinds_with_single_pairs(&BTreeSet::new())
    }

    /// The same, with each pair of these numbers as a bundle of its own.
    pub fn kinds_with_single_pairs<'t>(
        &'t self,
        alone: &BTreeSet<usize>,
    ) -> Box<dyn Iterator<Item = Kind<'t>> + Send + 't> {
        match &self.folded {
            None => Box::new(self.plain_kinds()),
            Some(folded) => Box::new(self.folded_kinds(folded, alone)),
        }
    }

    /// One kind for each source document. Going through all pairs of large files shall not hold all of them in memory.
    fn plain_kinds(&self) -> impl Iterator<Item = Kind<'_>> {
        let single = |i: usize| {
            if i % HELD == HELD - 1 {
                self.files.iter().for_each(|open| open.file.give_back());
            }
            self.single(i)
        };
        let mut bundles = (0..self.len()).map(single).peekable();
        let mut number = 0..;
        std::iter::from_fn(move || {
            let first = bundles.next()?;
            let (id, both, mut mine) = (first.first_pair.source, first.first_pair.both[0], vec![first]);
            while let Some(next) = bundles.next_if(|next| next.first_pair.source == id) {
                mine.push(next);
            }
            let number = number.next()?;
            let sources = vec![Source { number, id, both, document: DocumentNumber::from(number) }];
            Some(Kind { sources, bundles: mine, alone: Vec::new(), free: true })
        })
    }

    fn folded_kinds<'t>(&'t self, folded: &'t Folded, alone: &BTreeSet<usize>) -> impl Iterator<Item = Kind<'t>> + 't {
        let fold = &folded.fold;
        let mut numbers = 0..;
        let number = |source: DocumentNumber| match fold.pairs_of_source(source).is_empty() {
            true => None,
            false => numbers.next(),
        };
        let numbers: Vec<Option<u32>> = DocumentNumber::all(fold.sources()).map(number).collect();
        let mut beside: HashMap<DocumentNumber, Vec<(u32, usize)>> = HashMap::new();
        for &i in alone {
            let at = fold.at(i as u64);
            beside.entry(at.source).or_default().push((at.row, i));
        }
        let mut shown = vec![false; fold.sources()];
        DocumentNumber::all(fold.sources()).filter_map(move |first| {
            if shown[first.index()] || numbers[first.index()].is_none() {
                return None;
            }
            let is_like_others = |source: &DocumentNumber| fold.is_free(*source) && !beside.contains_key(source);
            let documents: Vec<DocumentNumber> = match is_like_others(&first) {
                true => folded.side(Side::Source).class_members(first).iter().copied().filter(is_like_others).collect(),
                false => vec![first],
            };
            documents.iter().for_each(|document| shown[document.index()] = true);
            let source = |document: DocumentNumber| {
                let id = self.id_of(folded, Side::Source, document);
                let both = folded.side(Side::Source).is_both(document);
                Some(Source { number: numbers[document.index()]?, id, both, document })
            };
            let mine = beside.get(&first).map_or(&[][..], Vec::as_slice);
            Some(Kind {
                sources: documents.into_iter().filter_map(source).collect(),
                bundles: self.bundles_of(folded, first, mine),
                alone: mine.iter().map(|(row, i)| (*row, fold.at(*i as u64).target)).collect(),
                free: fold.is_free(first),
            })
        })
    }

    /// The bundles of a source document by the first pair of each, given its pairs that stand by themselves, each with its row.
    fn bundles_of<'t>(&'t self, folded: &'t Folded, source: DocumentNumber, alone: &[(u32, usize)]) -> Vec<Bundle<'t>> {
        let single = |(_, i): &(u32, usize)| (folded.fold.at(*i as u64).target, self.single(*i));
        let mut bundles: Vec<(DocumentNumber, Bundle<'_>)> = alone.iter().map(single).collect();
        for (at, targets) in folded.fold.rows_of(source) {
            let mine: Vec<u64> = alone.iter().filter(|(row, _)| *row == at).map(|(_, i)| *i as u64).collect();
            let pairs = targets.iter().map(|targets| targets.len()).sum::<usize>() - mine.len();
            let like = |target: &&DocumentNumber| {
                mine.is_empty() || folded.fold.find(source, **target).is_some_and(|(i, _)| !mine.contains(&i))
            };
            let first = targets.into_iter().filter_map(|targets| targets.iter().find(like)).min();
            let Some(&target) = first else { continue };
            let row = self.rows[at as usize];
            let file = &self.files[row.file as usize];
            let numbers = folded.in_file(row.file, source, target);
            let first_pair = file.file.pair_of(row.row as usize, numbers[0], numbers[1]);
            let bundle = Bundle { first_pair, segment: &file.segment, pairs: pairs as u64, number: None, row, at };
            bundles.push((target, bundle));
        }
        bundles.sort_by_key(|(target, _)| *target);
        bundles.into_iter().map(|(_, bundle)| bundle).collect()
    }

    /// A pair as a bundle of its own.
    fn single(&self, i: usize) -> Bundle<'_> {
        let (row, source, target) = self.locate(i);
        let file = &self.files[row.file as usize];
        let first_pair = file.file.pair_of(row.row as usize, source, target);
        Bundle { first_pair, segment: &file.segment, pairs: 1, number: Some(i), row, at: 0 }
    }

    /// Shows every document pair with its bundle; those of one source document stand together.
    pub fn each<'t, E>(&'t self, mut visit: impl FnMut(&Bundle<'t>, Pair<'t>) -> Result<(), E>) -> Result<(), E> {
        for kind in self.kinds() {
            let targets: Vec<Vec<DocumentNumber>> =
                kind.bundles.iter().map(|bundle| self.targets_of(&kind, bundle)).collect();
            for source in &kind.sources {
                for (bundle, targets) in kind.bundles.iter().zip(&targets) {
                    let pair = self.pair_with(bundle, source);
                    targets.iter().try_for_each(|target| visit(bundle, pair(*target)))?;
                }
            }
        }
        Ok(())
    }

    /// The document pairs of a bundle, those of one source document together.
    pub fn pairs_of<'k, 't>(
        &'t self,
        kind: &'k Kind<'t>,
        bundle: &'k Bundle<'t>,
    ) -> impl Iterator<Item = Pair<'t>> + 'k {
        let targets = self.targets_of(kind, bundle);
        let all = kind.sources.len() * targets.len();
        let mut last = None;
        (0..all).map(move |i| {
            let (source, target) = (i / targets.len(), targets[i % targets.len()]);
            let pair = match last.take() {
                Some((known, pair)) if known == source => pair,
                _ => self.pair_with(bundle, &kind.sources[source]),
            };
            let like = pair(target);
            last = Some((source, pair));
            like
        })
    }

    /// The document pairs that the first source document of a kind has of a bundle.
    pub fn pairs_of_first_source<'k, 't>(
        &'t self,
        kind: &'k Kind<'t>,
        bundle: &'k Bundle<'t>,
    ) -> impl Iterator<Item = Pair<'t>> + 'k {
        let pair = kind.sources.first().map(|source| self.pair_with(bundle, source));
        let targets = self.targets_of(kind, bundle);
        pair.into_iter().flat_map(move |pair| targets.clone().into_iter().map(pair))
    }

    /// The targets of a source document of a kind in the order of their ids, each with the number of its bundle.
    pub fn targets_by_id<'t>(&'t self, kind: &Kind<'t>) -> Vec<(usize, &'t str)> {
        let targets =
            |(number, bundle)| self.pairs_of_first_source(kind, bundle).map(move |pair| (number, pair.target));
        let mut targets: Vec<(usize, &str)> = kind.bundles.iter().enumerate().flat_map(targets).collect();
        targets.sort_by_key(|(_, target)| *target);
        targets
    }

    /// The bundles of a source document, by its id.
    pub fn kind_of_source(&self, id: &str) -> Option<Kind<'_>> {
        match &self.folded {
            None => {
                let bundles: Vec<Bundle<'_>> = self.rows_of_source(id).map(|i| self.single(i)).collect();
                let (id, both) = bundles.first().map(|first| (first.first_pair.source, first.first_pair.both[0]))?;
                let sources = vec![Source { number: 0, id, both, document: DocumentNumber::default() }];
                Some(Kind { sources, bundles, alone: Vec::new(), free: true })
            }
            Some(folded) => {
                let document = self.number_of(folded, Side::Source, id)?;
                let id = self.id_of(folded, Side::Source, document);
                let both = folded.side(Side::Source).is_both(document);
                let bundles = self.bundles_of(folded, document, &[]);
                let sources = vec![Source { number: 0, id, both, document }];
                Some(Kind { sources, bundles, alone: Vec::new(), free: folded.fold.is_free(document) })
            }
        }
    }

    /// The number of the first pair of a source document of a kind.
    pub fn first_pair_number(&self, kind: &Kind<'_>, source: &Source<'_>) -> usize {
        let plain = || kind.bundles.first().and_then(|bundle| bundle.number).unwrap_or_default();
        self.folded.as_ref().map_or_else(plain, |folded| folded.fold.pairs_of_source(source.document).start as usize)
    }

    /// The pair of a source document with a target of a bundle, by the target's number in its file.
    fn pair_with<'k, 't>(
        &'t self,
        bundle: &'k Bundle<'t>,
        source: &Source<'t>,
    ) -> impl Fn(DocumentNumber) -> Pair<'t> + use<'k, 't> {
        let file = &self.files[bundle.row.file as usize].file;
        let number = |folded: &Folded| folded.side(Side::Source).in_file(bundle.row.file, source.document);
        let number = self.folded.as_ref().map(number).filter(|_| bundle.number.is_none());
        move |target: DocumentNumber| {
            number.map_or(bundle.first_pair, |number| file.like(&bundle.first_pair, number, target))
        }
    }

    /// Numbers of the targets of a bundle in its file. A pair that stands by itself has the one it is with.
    fn targets_of(&self, kind: &Kind<'_>, bundle: &Bundle<'_>) -> Vec<DocumentNumber> {
        let (Some(folded), Some(first), None) = (&self.folded, kind.sources.first(), bundle.number) else {
            return vec![DocumentNumber::default()];
        };
        let targets = folded.fold.targets_of(first.document, bundle.at).into_iter().flatten();
        let targets = targets.filter(|target| kind.alone.is_empty() || !kind.alone.contains(&(bundle.at, **target)));
        targets.map(|target| folded.side(Side::Target).in_file(bundle.row.file, *target)).collect()
    }
}
