//! Which pairs of a study lie in which stratum of a sample: what estimates need to know about any set of pairs, be it those
//! above a cut-off or those that one configuration alone found.

use std::collections::HashMap;

use super::StudyError;
use super::audit::found_by_others;
use super::drawing::Draw;
use super::framing::{Framed, Framing};
use super::session::Session;
use super::strata::Strata;
use crate::evaluation::sample::Sample;

/// The pairs that a sample was drawn from.
pub(super) struct Drawable<'a> {
    session: &'a Session,
    sample: &'a Sample,
    draw: Draw,
    framing: Framing,
}

impl<'a> Drawable<'a> {
    pub(super) fn new(session: &'a Session, sample: &'a Sample) -> Result<Self, StudyError> {
        let first = sample.configurations.first().map_or("", String::as_str);
        let draw =
            Draw { configurations: sample.configurations.clone(), by: sample.by, ..Draw::simple(&sample.name, first) };
        let framing = Framing::new(session, &draw)?;
        Ok(Self { session, sample, draw, framing })
    }

    /// The bits of a pair that stand for these configurations.
    pub(super) fn bits<'n>(&self, names: impl IntoIterator<Item = &'n String>) -> u64 {
        let place = |name: &String| self.framing.place(name);
        names.into_iter().filter_map(place).fold(0, |bits, c| bits | 1 << c)
    }

    /// Shows every pair that belongs to a stratum of the sample once, with the number of the stratum. In samples of
    /// documents, and of pages, all pairs are in the first.
    pub(super) fn each(&self, mut visit: impl FnMut(usize, &Framed<'_>)) -> Result<(), StudyError> {
        let places: HashMap<&str, usize> =
            self.sample.strata.iter().enumerate().map(|(i, stratum)| (stratum.name.as_str(), i)).collect();
        let mut strata = Strata::new(self.session, &self.draw, &self.framing)?;
        let n = self.session.recipe().jaccard;
        self.framing.each(|one| {
            let stratum = match self.sample.strata.len() {
                1 if self.framing.holds(one.found) => Some(0),
                1 => None,
                _ if !self.framing.holds(one.found) => places.get(found_by_others(&one, n).1.as_str()).copied(),
                _ => places.get(strata.of(&one)?.1.as_str()).copied(),
            };
            if let Some(stratum) = stratum {
                visit(stratum, &one);
            }
            Ok(())
        })
    }
}
