//! What a sample is drawn from: the pairs of some configurations, and beside them those of all others of the study, so that
//! every configuration whose pairs lie inside can be estimated.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::StudyError;
use crate::label::draw::SampleDraw;
use crate::once::read_once;
use crate::query::pair_files::{OpenPairs, PairFilter};
use crate::query::pair_table::{Bundle, Kind, PairTable};
use crate::snapshot::Snapshot;
use dejaview_evaluation::sample::{SampledPair, Stratum};
use dejaview_matching::pairs::Pair;

/// Configurations that fit into one set of bits.
const MOST: usize = 64;

/// The pairs that a sample is drawn from, and those of all other configurations.
pub(crate) struct Framing {
    /// The configurations that are looked at, in the order of the study: all of them, up to 64.
    names: Vec<String>,
    /// Numbers of the configurations whose pairs are drawn from, in the order in which they were asked for.
    drawn: Vec<usize>,
    table: PairTable,
    /// Pairs that each configuration found per source document with a pair; counted when first asked for.
    pairs_per_document: OnceLock<Vec<f64>>,
}

/// Pairs that some configuration found; those that differ only in their documents are together.
pub(crate) struct FramedPairs<'f, 'a> {
    /// One of them.
    pub(crate) pair: Pair<'a>,
    /// Segment of their targets.
    pub(crate) segment: &'a str,
    /// Bit c says whether configuration c found them.
    pub(crate) found: u64,
    /// How many source documents have such pairs.
    pub(crate) documents: u64,
    /// How many each of these has.
    pub(crate) each: u64,
    /// The bundle that they are from, unless it is a single pair.
    bundle: Option<(&'f Kind<'a>, &'f Bundle<'a>)>,
}

impl FramedPairs<'_, '_> {
    /// How many pairs there are in all.
    pub(crate) fn pairs(&self) -> u64 {
        self.documents * self.each
    }
}

/// Which pairs are visited one by one.
pub(crate) enum OneByOne<'i> {
    /// All of them, where ids, URLs or hosts matter.
    All,
    /// Those of these ids. Other pairs that differ only in their documents are visited together.
    These(Vec<(&'i str, &'i str)>),
}

impl OneByOne<'_> {
    pub(crate) const NONE: Self = Self::These(Vec::new());
}

impl Framing {
    pub(crate) fn new(study: &Snapshot, draw: &SampleDraw) -> Result<Self, StudyError> {
        let asked = &draw.configurations;
        let wrong = |why: String| Err(StudyError::Sample { why });
        for (i, name) in asked.iter().enumerate() {
            study.known_configuration(name)?;
            if asked[..i].contains(name) {
                return wrong(format!("{name} is named twice"));
            }
        }
        if asked.is_empty() {
            return wrong("a sample needs a configuration".to_owned());
        }
        if asked.len() > MOST {
            return wrong(format!("a sample serves at most {MOST} configurations"));
        }
        let mut others = MOST - asked.len();
        let all = study.recipe().configurations.iter();
        // What a configuration decides on is among the pairs of others; the sample shall not depend on its model.
        let all = all.filter(|c| !c.algorithm().decides || asked.contains(&c.name)).map(|c| c.name.clone());
        let fits = |name: &String| {
            let asked = asked.contains(name);
            let fits = asked || others > 0;
            others -= usize::from(fits && !asked);
            fits
        };
        let names: Vec<String> = all.filter(fits).collect();
        let drawn = asked.iter().filter_map(|name| names.iter().position(|known| known == name)).collect();
        let mut open = study.pairs(PairFilter::default())?;
        open.retain(|open| names.contains(&open.configuration));
        let table = PairTable::new(open, names.clone(), study.recipe().jaccard);
        Ok(Self { names, drawn, table, pairs_per_document: OnceLock::new() })
    }

    /// The configurations that are looked at.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether some documents stand on both sides.
    pub(crate) fn joins_itself(&self) -> bool {
        self.table.joins_itself()
    }

    pub(crate) fn configurations(&self) -> usize {
        self.names.len()
    }

    /// The files of pairs.
    pub(crate) fn open(&self) -> &[OpenPairs] {
        self.table.files()
    }

    /// Place of a configuration among those that are looked at.
    pub(crate) fn number_of(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// Whether one of the configurations that are drawn from found a pair.
    pub(crate) fn is_drawn_from(&self, found: u64) -> bool {
        self.drawn.iter().any(|c| found >> c & 1 == 1)
    }

    /// Which of the configurations that are drawn from found a pair: bit i stands for the i-th that was asked for.
    pub(crate) fn asked(&self, found: u64) -> u64 {
        self.drawn.iter().enumerate().fold(0, |bits, (i, c)| bits | (found >> c & 1) << i)
    }

    /// The score that the configurations drawn from give imported pairs: the highest, where several have one.
    pub(crate) fn score(&self, one: &FramedPairs<'_, '_>) -> Option<f64> {
        self.table.imported_by(&self.drawn, &one.pair, one.segment).and_then(|imported| imported.score)
    }

    /// Pairs per source document of the most selective configuration among those that found a pair. A document has few
    /// near-duplicates, so a configuration that finds many for each is mostly wrong.
    pub(crate) fn pairs_per_document(&self, found: u64) -> Result<f64, StudyError> {
        let pairs_per_document = read_once(&self.pairs_per_document, || {
            let (mut pairs, mut documents, mut last) = (vec![0u64; self.names.len()], 0u64, None);
            self.each(&OneByOne::NONE, |one| {
                documents += if last == Some(one.pair.source) { 0 } else { one.documents };
                last = Some(one.pair.source);
                (0..pairs.len()).filter(|c| one.found >> c & 1 == 1).for_each(|c| pairs[c] += one.pairs());
                Ok(())
            })?;
            let share = |pairs: u64| pairs as f64 / documents.max(1) as f64;
            Ok(pairs.into_iter().map(share).collect())
        })?;
        let finders = pairs_per_document.iter().enumerate().filter(|(c, _)| found >> c & 1 == 1);
        Ok(finders.map(|(_, pairs)| *pairs).fold(f64::INFINITY, f64::min))
    }

    /// Visits all pairs that any configuration found; those of one source document, or of several that have the same pairs,
    /// follow each other.
    pub(crate) fn each<'a>(
        &'a self,
        one_by_one: &OneByOne<'_>,
        mut visit: impl FnMut(FramedPairs<'_, 'a>) -> Result<(), StudyError>,
    ) -> Result<(), StudyError> {
        let all: Vec<usize> = (0..self.names.len()).collect();
        let found = self.table.found_among(&all, "samples", "name some with --configuration")?;
        let OneByOne::These(ids) = one_by_one else {
            return self.table.each(|bundle, pair| {
                visit(FramedPairs {
                    pair,
                    segment: bundle.segment,
                    found: found(bundle.finders()),
                    documents: 1,
                    each: 1,
                    bundle: None,
                })
            });
        };
        let alone: BTreeSet<usize> =
            ids.iter().filter_map(|(source, target)| self.table.find(source, target)).collect();
        for kind in self.table.kinds_with_single_pairs(&alone) {
            for bundle in &kind.bundles {
                visit(FramedPairs {
                    pair: bundle.first_pair,
                    segment: bundle.segment,
                    found: found(bundle.finders()),
                    documents: kind.documents(),
                    each: bundle.pairs,
                    bundle: Some((&kind, bundle)),
                })?;
            }
        }
        Ok(())
    }

    /// The single pairs of those that are shown together.
    pub(crate) fn single_pairs<'f, 'a>(&'a self, one: &'f FramedPairs<'f, 'a>) -> impl Iterator<Item = Pair<'a>> + 'f {
        let alone = one.bundle.is_none().then_some(one.pair);
        let many = one.bundle.into_iter().flat_map(|(kind, bundle)| self.table.pairs_of(kind, bundle));
        alone.into_iter().chain(many)
    }

    /// Visits only the pairs that are drawn from. Returns, as bits, the configurations that found other pairs too.
    pub(crate) fn each_inside<'a>(
        &'a self,
        one_by_one: &OneByOne<'_>,
        mut visit: impl FnMut(FramedPairs<'_, 'a>) -> Result<(), StudyError>,
    ) -> Result<u64, StudyError> {
        let mut beside = 0;
        self.each(one_by_one, |one| {
            if self.is_drawn_from(one.found) {
                return visit(one);
            }
            beside |= one.found;
            Ok(())
        })?;
        Ok(beside)
    }

    /// Numbers of the configurations that found no pair beyond those that were drawn from.
    pub(crate) fn served(&self, beside: u64) -> Vec<usize> {
        (0..self.names.len()).filter(|c| beside >> c & 1 == 0).collect()
    }

    pub(crate) fn named(&self, served: &[usize]) -> Vec<String> {
        served.iter().map(|c| self.names[*c].clone()).collect()
    }

    /// Strata and pairs as the file of a sample has them: only the configurations that it serves, by name.
    pub(crate) fn written(
        &self,
        strata: Vec<Stratum>,
        drawn: Vec<(SampledPair, u64)>,
        served: &[usize],
    ) -> (Vec<Stratum>, Vec<SampledPair>) {
        let strata = strata.into_iter().map(|stratum| stratum.of_configurations(served)).collect();
        let named = |(mut pair, found): (SampledPair, u64)| {
            if served.len() > 1 {
                let finders: Vec<usize> = served.iter().copied().filter(|c| found >> c & 1 == 1).collect();
                pair.found = self.named(&finders);
            }
            pair
        };
        (strata, drawn.into_iter().map(named).collect())
    }
}
