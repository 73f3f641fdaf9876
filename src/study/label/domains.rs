//! Which pairs of a study lie in which stratum of a sample: what estimates need to know about any set of pairs, be it those
//! above a cut-off or those that one configuration alone found.

use std::collections::HashMap;

use crate::StudyError;
use crate::label::audit::{OTHERS, found_by_others};
use crate::label::draw::SampleDraw;
use crate::label::framing::{FramedPairs, Framing, OneByOne};
use crate::label::strata::Strata;
use crate::snapshot::Snapshot;
use dejaview_evaluation::sample::Sample;

/// The pairs that a sample was drawn from.
pub(crate) struct SamplePopulation<'a> {
    study: &'a Snapshot,
    sample: &'a Sample,
    draw: SampleDraw,
    framing: Framing,
}

impl<'a> SamplePopulation<'a> {
    pub(crate) fn new(study: &'a Snapshot, sample: &'a Sample) -> Result<Self, StudyError> {
        let first = sample.configurations.first().map_or("", String::as_str);
        let draw =
            SampleDraw { by: sample.by, bounds: sample.bounds.clone(), ..SampleDraw::simple(&sample.name, first) };
        let draw = SampleDraw { configurations: sample.configurations.clone(), ..draw };
        let framing = Framing::new(study, &draw)?;
        Ok(Self { study, sample, draw, framing })
    }

    /// The bits of `FramedPairs::found` that stand for these configurations.
    pub(crate) fn bits<'n>(&self, names: impl IntoIterator<Item = &'n String>) -> u64 {
        let place = |name: &String| self.framing.number_of(name);
        names.into_iter().filter_map(place).fold(0, |bits, c| bits | 1 << c)
    }

    /// Visits the pairs of each stratum of the sample with the number of the stratum, pairs that differ only in their
    /// documents together. In samples of documents all pairs are in the first stratum.
    pub(crate) fn each(&self, mut visit: impl FnMut(usize, &FramedPairs<'_, '_>)) -> Result<(), StudyError> {
        let mut finder = self.stratum_finder()?;
        self.framing.each(&finder.one_by_one(), |one| {
            if let Some(stratum) = finder.stratum(&one)? {
                visit(stratum, &one);
            }
            Ok(())
        })
    }

    /// The pairs of all configurations, also those that the sample was not drawn from.
    pub(crate) fn framing(&self) -> &Framing {
        &self.framing
    }

    /// Finds the stratum of pairs.
    pub(crate) fn stratum_finder(&self) -> Result<StratumFinder<'_>, StudyError> {
        let strata = self.sample.strata.iter().enumerate();
        Ok(StratumFinder {
            places: strata.map(|(i, stratum)| (stratum.name.as_str(), i)).collect(),
            strata: Strata::new(self.study, &self.draw, &self.framing)?,
            framing: &self.framing,
        })
    }
}

/// Finds the number of the stratum that a pair belongs to.
pub(crate) struct StratumFinder<'a> {
    places: HashMap<&'a str, usize>,
    strata: Strata<'a>,
    framing: &'a Framing,
}

impl StratumFinder<'_> {
    /// Which pairs must be looked at one by one. Pairs that other configurations found are divided by their URLs.
    pub(crate) fn one_by_one(&self) -> OneByOne<'static> {
        let others = self.places.keys().any(|name| name.starts_with(OTHERS));
        match self.places.len() {
            1 => OneByOne::NONE,
            _ if others => OneByOne::All,
            _ => self.strata.one_by_one(),
        }
    }

    /// `None` where the pair belongs to none.
    pub(crate) fn stratum(&mut self, one: &FramedPairs<'_, '_>) -> Result<Option<usize>, StudyError> {
        let inside = self.framing.is_drawn_from(one.found);
        Ok(match (self.places.len(), inside) {
            (1, inside) => inside.then_some(0),
            (_, false) => self.places.get(found_by_others(one, self.framing)?.1.as_str()).copied(),
            (_, true) => self.places.get(self.strata.stratum_of(one)?.1.as_str()).copied(),
        })
    }
}
