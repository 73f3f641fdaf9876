//! Finds the stratum of a sample that a pair belongs to.

use std::collections::HashMap;

use crate::StudyError;
use crate::label::draw::SampleDraw;
use crate::label::framing::{FramedPairs, Framing, OneByOne};
use crate::snapshot::Snapshot;
use dejaview_corpus::urls;
use dejaview_evaluation::sample::{StratifyBy, agreement_band, band, score_band};
use dejaview_index::{Index, KeptSide};

/// Tells the stratum of each pair of a sample.
pub(crate) struct Strata<'a> {
    draw: &'a SampleDraw,
    framing: &'a Framing,
    /// n of the headline Jaccard.
    n: usize,
    /// Where URLs are looked up, when hosts are asked for.
    index: Option<&'a Index>,
    hosts: [HashMap<String, String>; 2],
}

impl<'a> Strata<'a> {
    pub(crate) fn new(study: &'a Snapshot, draw: &'a SampleDraw, framing: &'a Framing) -> Result<Self, StudyError> {
        let index = if draw.by == StratifyBy::Host { Some(study.index()?) } else { None };
        Ok(Self { draw, framing, n: study.recipe().jaccard, index, hosts: Default::default() })
    }

    /// Which pairs must be looked at one by one: all where URLs or hosts divide them.
    pub(crate) fn one_by_one(&self) -> OneByOne<'static> {
        if matches!(self.draw.by, StratifyBy::Url | StratifyBy::Host) { OneByOne::All } else { OneByOne::NONE }
    }

    /// Place and name of the stratum of a pair.
    pub(crate) fn stratum_of(&mut self, one: &FramedPairs<'_, '_>) -> Result<(u32, String), StudyError> {
        let edges = self.draw.by.edges(&self.draw.bounds);
        let choice = |yes: bool, names: [&str; 2]| (u32::from(!yes), names[usize::from(!yes)].to_owned());
        Ok(match self.draw.by {
            StratifyBy::None => (0, "all".to_owned()),
            StratifyBy::Jaccard => {
                let jaccard = one.pair.scores().jaccard(self.n).unwrap_or_default();
                band("jaccard", jaccard, edges)
            }
            StratifyBy::Length => band("length ratio", one.pair.scores().length_ratio, edges),
            StratifyBy::Score => score_band(self.framing.score(one), edges),
            StratifyBy::Agreement => self.agreement(self.framing.asked(one.found)),
            StratifyBy::Segment => (0, format!("segment {}", one.segment)),
            StratifyBy::Url => choice(one.pair.same_url, ["same URL", "another URL"]),
            StratifyBy::Host => {
                let source = self.host(KeptSide::Source, one.pair.source)?;
                let target = self.host(KeptSide::Target, one.pair.target)?;
                choice(!source.is_empty() && source == target, ["same host", "another host"])
            }
        })
    }

    /// How many configurations found it; of two or three configurations, which.
    fn agreement(&self, found: u64) -> (u32, String) {
        let names = &self.draw.configurations;
        if names.len() > 3 {
            return agreement_band(found.count_ones());
        }
        let which = names.iter().enumerate().filter(|(c, _)| found >> c & 1 == 1).map(|(_, name)| name.as_str());
        (found as u32, format!("found by {}", which.collect::<Vec<_>>().join(" and ")))
    }

    fn host(&mut self, side: KeptSide, id: &str) -> Result<String, StudyError> {
        let known = &mut self.hosts[usize::from(side == KeptSide::Target)];
        if let Some(host) = known.get(id) {
            return Ok(host.clone());
        }
        let stored = self.index.map(|index| index.titled(side, id, None)).transpose()?.flatten();
        let host = stored.map(|document| urls::host(&document.url)).unwrap_or_default();
        known.insert(id.to_owned(), host.clone());
        Ok(host)
    }
}
