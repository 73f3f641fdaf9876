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

/// The pairs of a study as a sample sees them.
pub(crate) struct Framing {
    /// The configurations that are looked at, in the order of the study: all of them, up to 64.
    names: Vec<String>,
    /// Places of those whose pairs are drawn from, in the order in which they were asked for.
    drawn: Vec<usize>,
    table: PairTable,
    /// Whether some pairs were imported, and so may have scores of their own.
    imports: bool,
    /// Pairs a document that each configuration found, counted when it is first asked for.
    plenty: OnceLock<Vec<f64>>,
}

/// Pairs that some configuration found.
pub(crate) struct Framed<'f, 'a> {
    /// One of them; those that are shown together differ in their documents alone.
    pub(crate) pair: Pair<'a>,
    /// Segment of their targets.
    pub(crate) segment: &'a str,
    /// Bit c: the configuration in place c found them.
    pub(crate) found: u64,
    /// Source documents that have them.
    pub(crate) documents: u64,
    /// How many each of these has.
    pub(crate) each: u64,
    /// Where they are from, unless it is a pair by itself.
    bundle: Option<(&'f Kind<'a>, &'f Bundle<'a>)>,
}

impl Framed<'_, '_> {
    /// How many they are.
    pub(crate) fn pairs(&self) -> u64 {
        self.documents * self.each
    }
}

/// Which pairs are shown one by one.
pub(crate) enum Apart<'i> {
    /// All: who asks looks at ids, URLs or hosts.
    All,
    /// These, by their ids. Of others those that differ in their documents alone are shown together.
    These(Vec<(&'i str, &'i str)>),
}

impl Apart<'_> {
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
        let all = study.recipe().configurations.iter().map(|configuration| configuration.name.clone());
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
        let imports = study.recipe().configurations.iter().any(|configuration| configuration.pairs.is_some());
        Ok(Self { names, drawn, table, imports, plenty: OnceLock::new() })
    }

    /// The configurations that are looked at.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether some documents stand on both sides.
    pub(crate) fn joins_itself(&self) -> bool {
        self.table.joins_itself()
    }

    /// How many they are.
    pub(crate) fn configurations(&self) -> usize {
        self.names.len()
    }

    /// The files of pairs.
    pub(crate) fn open(&self) -> &[OpenPairs] {
        self.table.files()
    }

    /// Place of a configuration among those that are looked at.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// Whether one of the configurations that are drawn from found a pair.
    pub(crate) fn holds(&self, found: u64) -> bool {
        self.drawn.iter().any(|c| found >> c & 1 == 1)
    }

    /// Those that are drawn from and found a pair: bit i stands for the one that was asked for in place i.
    pub(crate) fn asked(&self, found: u64) -> u64 {
        self.drawn.iter().enumerate().fold(0, |bits, (i, c)| bits | (found >> c & 1) << i)
    }

    /// Pairs that the most selective of the configurations that found a pair found, for each source document with a pair. A
    /// page has few near-duplicates, so a configuration that finds many for each is mostly wrong.
    pub(crate) fn plenty(&self, found: u64) -> Result<f64, StudyError> {
        let plenty = read_once(&self.plenty, || {
            let (mut pairs, mut documents, mut last) = (vec![0u64; self.names.len()], 0u64, None);
            self.each(&Apart::NONE, |one| {
                documents += if last == Some(one.pair.source) { 0 } else { one.documents };
                last = Some(one.pair.source);
                (0..pairs.len()).filter(|c| one.found >> c & 1 == 1).for_each(|c| pairs[c] += one.pairs());
                Ok(())
            })?;
            let share = |pairs: u64| pairs as f64 / documents.max(1) as f64;
            Ok(pairs.into_iter().map(share).collect())
        })?;
        let finders = plenty.iter().enumerate().filter(|(c, _)| found >> c & 1 == 1);
        Ok(finders.map(|(_, pairs)| *pairs).fold(f64::INFINITY, f64::min))
    }

    /// Shows all pairs that any configuration found. Those of one source document, or of several that have the same, stand
    /// together.
    pub(crate) fn each<'a>(
        &'a self,
        apart: &Apart<'_>,
        mut visit: impl FnMut(Framed<'_, 'a>) -> Result<(), StudyError>,
    ) -> Result<(), StudyError> {
        let all: Vec<usize> = (0..self.names.len()).collect();
        let found = self.table.found_among(&all, "samples", "name some with --configuration")?;
        let imported = |pair: Pair<'a>, segment: &str| {
            let imported = if self.imports { self.table.imported_of(&pair, segment) } else { None };
            Pair { imported, ..pair }
        };
        let Apart::These(ids) = apart else {
            return self.table.each(|bundle, pair| {
                let (pair, segment) = (imported(pair, bundle.segment), bundle.segment);
                visit(Framed { pair, segment, found: found(bundle.finders()), documents: 1, each: 1, bundle: None })
            });
        };
        let alone: BTreeSet<usize> =
            ids.iter().filter_map(|(source, target)| self.table.find(source, target)).collect();
        for kind in self.table.kinds_with_single_pairs(&alone) {
            for bundle in &kind.bundles {
                let (pair, segment) = (imported(bundle.first_pair, bundle.segment), bundle.segment);
                let (documents, each) = (kind.documents(), bundle.pairs);
                visit(Framed {
                    pair,
                    segment,
                    found: found(bundle.finders()),
                    documents,
                    each,
                    bundle: Some((&kind, bundle)),
                })?;
            }
        }
        Ok(())
    }

    /// The single pairs of those that are shown together.
    pub(crate) fn singles<'f, 'a>(&'a self, one: &'f Framed<'f, 'a>) -> impl Iterator<Item = Pair<'a>> + 'f {
        let alone = one.bundle.is_none().then_some(one.pair);
        let many = one.bundle.into_iter().flat_map(|(kind, bundle)| self.table.pairs_of(kind, bundle));
        alone.into_iter().chain(many)
    }

    /// Shows all pairs that are drawn from in the same way. What it returns are the configurations, as bits, that found
    /// pairs beside those.
    pub(crate) fn each_inside<'a>(
        &'a self,
        apart: &Apart<'_>,
        mut visit: impl FnMut(Framed<'_, 'a>) -> Result<(), StudyError>,
    ) -> Result<u64, StudyError> {
        let mut beside = 0;
        self.each(apart, |one| {
            if self.holds(one.found) {
                return visit(one);
            }
            beside |= one.found;
            Ok(())
        })?;
        Ok(beside)
    }

    /// Places of the configurations that found nothing beside what was drawn from.
    pub(crate) fn served(&self, beside: u64) -> Vec<usize> {
        (0..self.names.len()).filter(|c| beside >> c & 1 == 0).collect()
    }

    pub(crate) fn named(&self, served: &[usize]) -> Vec<String> {
        served.iter().map(|c| self.names[*c].clone()).collect()
    }

    /// Strata and pairs as a file keeps them: of the configurations that are served alone, by name.
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
