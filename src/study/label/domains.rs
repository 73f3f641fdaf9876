//! Which pairs of a study lie in which stratum of a sample: what estimates need to know about any set of pairs, be it those
//! above a cut-off or those that one configuration alone found.

use std::collections::HashMap;

use crate::StudyError;
use crate::label::audit::{OTHERS, found_by_others};
use crate::label::draw::SampleDraw;
use crate::label::framing::{Apart, Framed, Framing};
use crate::label::strata::Strata;
use crate::snapshot::Snapshot;
use dejaview_evaluation::sample::Sample;

/// The pairs that a sample was drawn from.
pub(crate) struct Drawable<'a> {
    study: &'a Snapshot,
    sample: &'a Sample,
    draw: SampleDraw,
    framing: Framing,
}

impl<'a> Drawable<'a> {
    pub(crate) fn new(study: &'a Snapshot, sample: &'a Sample) -> Result<Self, StudyError> {
        let first = sample.configurations.first().map_or("", String::as_str);
        let draw =
            SampleDraw { by: sample.by, bounds: sample.bounds.clone(), ..SampleDraw::simple(&sample.name, first) };
        let draw = SampleDraw { configurations: sample.configurations.clone(), ..draw };
        let framing = Framing::new(study, &draw)?;
        Ok(Self { study, sample, draw, framing })
    }

    /// The bits of a pair that stand for these configurations.
    pub(crate) fn bits<'n>(&self, names: impl IntoIterator<Item = &'n String>) -> u64 {
        let place = |name: &String| self.framing.place(name);
        names.into_iter().filter_map(place).fold(0, |bits, c| bits | 1 << c)
    }

    /// Shows the pairs that belong to a stratum of the sample, with the number of the stratum; those that differ in their
    /// documents alone are shown together. In samples of documents, and of pages, all pairs are in the first.
    pub(crate) fn each(&self, mut visit: impl FnMut(usize, &Framed<'_, '_>)) -> Result<(), StudyError> {
        let mut divided = self.divided()?;
        self.framing.each(&divided.apart(), |one| {
            if let Some(stratum) = divided.stratum(&one)? {
                visit(stratum, &one);
            }
            Ok(())
        })
    }

    /// The pairs of all configurations, whether they belong to the sample or not.
    pub(crate) fn framing(&self) -> &Framing {
        &self.framing
    }

    /// What tells the stratum of a pair.
    pub(crate) fn divided(&self) -> Result<Divided<'_>, StudyError> {
        let strata = self.sample.strata.iter().enumerate();
        Ok(Divided {
            places: strata.map(|(i, stratum)| (stratum.name.as_str(), i)).collect(),
            strata: Strata::new(self.study, &self.draw, &self.framing)?,
            framing: &self.framing,
        })
    }
}

/// Tells the stratum of a pair by its number in the sample.
pub(crate) struct Divided<'a> {
    places: HashMap<&'a str, usize>,
    strata: Strata<'a>,
    framing: &'a Framing,
}

impl Divided<'_> {
    /// Which pairs must be looked at one by one. Those that others found are divided by their URLs.
    pub(crate) fn apart(&self) -> Apart<'static> {
        let others = self.places.keys().any(|name| name.starts_with(OTHERS));
        match self.places.len() {
            1 => Apart::NONE,
            _ if others => Apart::All,
            _ => self.strata.apart(),
        }
    }

    /// `None` where the pair belongs to none.
    pub(crate) fn stratum(&mut self, one: &Framed<'_, '_>) -> Result<Option<usize>, StudyError> {
        let inside = self.framing.holds(one.found);
        Ok(match (self.places.len(), inside) {
            (1, inside) => inside.then_some(0),
            (_, false) => self.places.get(found_by_others(one, self.framing)?.1.as_str()).copied(),
            (_, true) => self.places.get(self.strata.of(one)?.1.as_str()).copied(),
        })
    }
}
