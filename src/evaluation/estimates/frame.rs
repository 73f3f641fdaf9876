//! A sample and what people said about its pairs, as estimates take it.
//!
//! An estimate is about a [`Domain`]: the pairs that a configuration found, or those of them above a cut-off, or the union of
//! two configurations. In every stratum the frame knows how many pairs of the population belong to the domain, and which of
//! the drawn ones do. Given how many of a [`Cell`] were drawn they are a simple random sample of it, so every estimate is
//! made of cells with known populations.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::proportion::Cell;
use crate::sample::{Design, Sample, SampledPair, Stratum};
use dejaview_base::choice::{Choice, Choices};
use dejaview_labels::{Journals, Label, Standing};

/// How pairs count that people are unsure about, or that are disputed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Unsure {
    /// Not at all.
    #[default]
    Out,
    /// As near-duplicates.
    Yes,
    /// As others.
    No,
}

impl Choice for Unsure {
    const CHOICES: Choices<Self> =
        &[(Self::Out, "Left out"), (Self::Yes, "As near-duplicates"), (Self::No, "As others")];
}

impl Unsure {
    pub const ALL: [Self; 3] = [Self::Out, Self::Yes, Self::No];

    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether the pair is a near-duplicate; none when that is unknown.
    pub fn truth(self, consensus: Consensus) -> Option<bool> {
        match (consensus, self) {
            (Consensus::Undecided, _) => None,
            (Consensus::Label(Label::NearDuplicate), _) => Some(true),
            (Consensus::Label(Label::Not), _) => Some(false),
            (Consensus::Label(Label::Unsure) | Consensus::Disputed, Self::Yes) => Some(true),
            (Consensus::Label(Label::Unsure) | Consensus::Disputed, Self::No) => Some(false),
            (Consensus::Label(Label::Unsure) | Consensus::Disputed, Self::Out) => None,
        }
    }
}

/// What all annotators and adjudicators together decided about a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consensus {
    Undecided,
    Label(Label),
    /// They decided it differently and nobody has settled it.
    Disputed,
}

impl From<&Standing> for Consensus {
    fn from(standing: &Standing) -> Self {
        match standing {
            Standing::Open => Self::Undecided,
            Standing::Decided(label, _) => Self::Label(*label),
            Standing::Disputed(_) => Self::Disputed,
        }
    }
}

impl Consensus {
    /// Whether somebody looked at the pair and it is still not known what it is.
    pub fn is_doubtful(self) -> bool {
        matches!(self, Self::Label(Label::Unsure) | Self::Disputed)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// Its place in the sample.
    pub place: usize,
    pub stratum: usize,
    /// Pairs that it stood for when it was drawn.
    pub weight: f64,
    /// Bit c: configuration c of the frame found it.
    pub found: u64,
    /// In a sample of documents: how many pairs the source document has, from which this one was drawn.
    pub document_pairs: u64,
    pub consensus: Consensus,
}

/// What a sample drew, which decides how it is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Units {
    /// Pairs, within each stratum all with the same probability.
    Pairs,
    /// Documents, all with the same probability, and of each one pair.
    Documents,
    /// Pages without a list of them, and of each one pair: probabilities are relative.
    Pages,
    /// Pairs, each with a probability of its own.
    Weighted,
}

impl Units {
    fn from_design(design: &Design) -> Self {
        match design {
            Design::Documents => Self::Documents,
            design if design.of_pages() => Self::Pages,
            design if design.weighted() => Self::Weighted,
            _ => Self::Pairs,
        }
    }
}

/// The pairs that an estimate is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    /// Its pairs in each stratum of the frame.
    pub population: Vec<u64>,
    /// For each drawn pair, whether it belongs to the domain.
    pub includes: Vec<bool>,
}

/// A sample with its labels.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// The configurations that the sample serves.
    pub configurations: Vec<String>,
    /// Bit c: configuration c was drawn from; estimates of recall within the pool need more than one.
    pub drawn_from: u64,
    /// Its strata, those of the audit among them.
    pub strata: Vec<Stratum>,
    pub drawn: Vec<Drawn>,
    pub units: Units,
    /// Pairs that were decided with the scores in view.
    pub saw_scores: u64,
    /// Pairs that must have a label before the sample says anything: it is mixed, and they differ from those that have one.
    pub waiting: u64,
    /// Labelled pairs that enter no estimate until the waiting ones are labelled.
    pub set_aside: u64,
    /// Whether populations are estimates themselves, as those of a kept sample may be. Then nothing is made of the part of them that
    /// is labelled.
    pub vague: bool,
}

/// How many times larger a vague population is taken to be, so that no part of it that could be labelled counts.
const VAGUE: u64 = 1_000;

impl Frame {
    /// A frame of pairs that were drawn with the same probability within each stratum.
    pub fn of_pairs(configurations: Vec<String>, drawn_from: u64, strata: Vec<Stratum>, drawn: Vec<Drawn>) -> Self {
        let (units, saw_scores, waiting, set_aside, vague) = (Units::Pairs, 0, 0, 0, false);
        Self { configurations, drawn_from, strata, drawn, units, saw_scores, waiting, set_aside, vague }
    }

    /// A sample with the consensus on each of its pairs.
    pub fn new(sample: &Sample, consensus: impl Fn(&SampledPair) -> Consensus) -> Self {
        let places: HashMap<&str, usize> =
            sample.strata.iter().enumerate().map(|(i, stratum)| (stratum.name.as_str(), i)).collect();
        let every = (1u64 << sample.serves.len().min(63)) - 1;
        let bits = |pair: &SampledPair, audit: bool| match sample.serves.len() {
            1 => u64::from(!audit),
            _ if pair.found.is_empty() && !audit => every,
            _ => {
                let place = |name: &String| sample.serves.iter().position(|c| c == name);
                pair.found.iter().filter_map(place).fold(0, |bits, c| bits | 1 << c)
            }
        };
        let drawn = |(place, pair): (usize, &SampledPair)| {
            let stratum = places.get(pair.stratum.as_str()).copied()?;
            let found = bits(pair, sample.strata[stratum].audit);
            let document_pairs = pair.document_pairs.unwrap_or(1);
            Some(Drawn { place, stratum, weight: pair.weight, found, document_pairs, consensus: consensus(pair) })
        };
        let is_drawn_from = |(_, name): &(usize, &String)| sample.configurations.contains(name);
        Self {
            configurations: sample.serves.clone(),
            drawn_from: sample.serves.iter().enumerate().filter(is_drawn_from).fold(0, |bits, (c, _)| bits | 1 << c),
            strata: sample.strata.clone(),
            drawn: sample.pairs.iter().enumerate().filter_map(drawn).collect(),
            units: Units::from_design(&sample.design),
            saw_scores: 0,
            waiting: 0,
            set_aside: 0,
            vague: sample.populations_are_estimates(),
        }
    }

    /// A sample with the labels of all journals. A pair counts only when somebody answered it in this sample, so that pairs
    /// which were looked up elsewhere do not count more than others. Where every pair has been decided somewhere, all count.
    pub fn labelled(sample: &Sample, journals: &Journals) -> Self {
        let standing = |pair: &SampledPair| journals.standing(&pair.source, &pair.target);
        let complete = sample.pairs.iter().all(|pair| !standing(pair).is_open());
        let counts = |pair: &SampledPair| complete || journals.answered(&pair.source, &pair.target, &sample.name);
        let said =
            |pair: &SampledPair| if counts(pair) { Consensus::from(&standing(pair)) } else { Consensus::Undecided };
        let saw = |pair: &&SampledPair| counts(pair) && journals.saw_scores(&pair.source, &pair.target);
        let saw_scores = sample.pairs.iter().filter(saw).count() as u64;
        let frame = Self { saw_scores, ..Self::new(sample, said) };
        let waiting = match (sample.mixed, frame.units) {
            (false, _) => 0,
            (true, Units::Weighted) => frame.count(|said| said == Consensus::Undecided),
            (true, _) => frame.gaps(),
        };
        if waiting == 0 || waiting == frame.drawn.len() as u64 {
            return frame;
        }
        let set_aside = frame.count(|said| said != Consensus::Undecided);
        Self { saw_scores: 0, waiting, set_aside, ..Self::new(sample, |_| Consensus::Undecided) }
    }

    /// Number of drawn pairs whose consensus satisfies a condition.
    pub fn count(&self, is: impl Fn(Consensus) -> bool) -> u64 {
        self.drawn.iter().filter(|drawn| is(drawn.consensus)).count() as u64
    }

    /// Undecided pairs that come before the last decided one. A beginning of the random order is itself a random sample;
    /// with gaps in it, it is one only if pairs were passed over for no reason of their own.
    pub fn gaps(&self) -> u64 {
        let open = |drawn: &&Drawn| drawn.consensus == Consensus::Undecided;
        let last = self.drawn.iter().rposition(|drawn| drawn.consensus != Consensus::Undecided);
        last.map_or(0, |last| self.drawn[..last].iter().filter(open).count() as u64)
    }

    /// Labelled pairs with what their label says.
    pub fn known(&self, unsure: Unsure) -> impl Iterator<Item = (&Drawn, bool)> {
        self.drawn.iter().filter_map(move |drawn| Some((drawn, unsure.truth(drawn.consensus)?)))
    }

    /// For each stratum whether it is taken to hold no true pair: it is far, and no label in it is true.
    pub fn taken_for_empty(&self, unsure: Unsure) -> Vec<bool> {
        let mut empty: Vec<bool> = self.strata.iter().map(|stratum| stratum.far).collect();
        for (drawn, _) in self.known(unsure).filter(|(_, truth)| *truth) {
            empty[drawn.stratum] = false;
        }
        empty
    }

    /// The pairs that a configuration found.
    pub fn found_by(&self, c: usize) -> Domain {
        let mine = |stratum: &Stratum| stratum.found.get(c).copied().unwrap_or(0).min(stratum.population);
        Domain {
            population: self.strata.iter().map(mine).collect(),
            includes: self.drawn.iter().map(|drawn| drawn.found >> c & 1 == 1).collect(),
        }
    }

    /// Whether a configuration was drawn from.
    pub(super) fn is_drawn_from(&self, c: usize) -> bool {
        self.drawn_from >> c & 1 == 1
    }

    /// Whether the pairs of a stratum are of the configurations drawn from, so that more of them can be drawn.
    pub(super) fn drew_from(&self, h: usize) -> bool {
        self.strata[h].is_drawn_from(|c| self.is_drawn_from(c))
    }

    /// How many times larger populations are taken to be than they seem.
    pub(super) fn larger(&self) -> u64 {
        if self.vague { VAGUE } else { 1 }
    }

    /// For each stratum the cell of pairs that lie in a domain, or outside it.
    pub fn cells(&self, domain: &Domain, inside: bool, unsure: Unsure) -> Vec<Cell> {
        let mut cells: Vec<Cell> = self
            .strata
            .iter()
            .zip(&domain.population)
            .map(|(stratum, mine)| if inside { *mine } else { stratum.population.saturating_sub(*mine) })
            .map(|population| Cell { population: population * self.larger(), ..Cell::default() })
            .collect();
        for (drawn, _) in self.drawn.iter().zip(&domain.includes).filter(|(_, includes)| **includes == inside) {
            let cell = &mut cells[drawn.stratum];
            match unsure.truth(drawn.consensus) {
                Some(truth) => {
                    cell.labelled += 1;
                    cell.yes += u64::from(truth);
                }
                None => cell.doubtful += u64::from(drawn.consensus.is_doubtful()),
            }
        }
        cells
    }

    /// Pairs that each known label stands for. In a sample of pairs they share those of their stratum; otherwise it is the
    /// weight of the draw, raised by the same factor for all so that they add up though some have no label yet.
    pub fn weights(&self, unsure: Unsure) -> Vec<(&Drawn, bool, f64)> {
        let known: Vec<(&Drawn, bool)> = self.known(unsure).collect();
        let mut counts = vec![0u64; self.strata.len()];
        for (drawn, _) in &known {
            counts[drawn.stratum] += 1;
        }
        let raised = self.drawn.len() as f64 / known.len().max(1) as f64;
        let weight = |drawn: &Drawn| match self.units {
            Units::Pairs => self.strata[drawn.stratum].population as f64 / counts[drawn.stratum] as f64,
            Units::Documents | Units::Pages | Units::Weighted => drawn.weight * raised,
        };
        known.into_iter().map(|(drawn, truth)| (drawn, truth, weight(drawn))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_labels::{Annotations, Decisions, Event, EventKind, Reading, SettledBy};

    fn sample() -> Sample {
        let pair = |target: &str| SampledPair {
            source: "s".to_owned(),
            target: target.to_owned(),
            stratum: "all".to_owned(),
            weight: 2.0,
            probability: 0.5,
            found: Vec::new(),
            document_pairs: None,
            assigned: Vec::new(),
        };
        let stratum = Stratum { name: "all".to_owned(), population: 8, drawn: 4, found: vec![8], ..Stratum::default() };
        let sample = Sample {
            pairs: ["a", "b", "c", "d"].map(pair).to_vec(),
            strata: vec![stratum],
            population: 8,
            ..Sample::default()
        };
        sample.named("x", &["simhash".to_owned()])
    }

    fn journals(said: &[(&str, &str, Label, Option<&str>)]) -> Journals {
        let mut all: Vec<Annotations> = Vec::new();
        for (annotator, target, label, sample) in said {
            let mut event = Event::new(EventKind::Label(*label), "s", target, "");
            event.sample = sample.map(str::to_owned);
            let place = all.iter().position(|journal| journal.annotator == *annotator).unwrap_or_else(|| {
                all.push(Annotations {
                    annotator: (*annotator).to_owned(),
                    file: String::new(),
                    reading: Reading::default(),
                });
                all.len() - 1
            });
            let reading = &mut all[place].reading;
            event.seq = reading.events.len() as u64 + 1;
            reading.events.push(event.into());
            reading.decisions = Decisions::replay(&reading.events);
        }
        Journals::new(all, SettledBy::Adjudication)
    }

    #[test]
    fn a_label_changed_elsewhere_counts_and_one_that_was_only_given_elsewhere_does_not() {
        use Label::{NearDuplicate as Near, Not};
        let said = [
            ("ada", "a", Not, Some("x")),
            ("ada", "b", Not, Some("x")),
            ("ada", "a", Near, None),
            ("ada", "c", Near, None),
        ];
        let frame = Frame::labelled(&sample(), &journals(&said));
        let labels: Vec<Consensus> = frame.drawn.iter().map(|drawn| drawn.consensus).collect();
        assert_eq!(labels, [Consensus::Label(Near), Consensus::Label(Not), Consensus::Undecided, Consensus::Undecided]);
        let all = [said.to_vec(), vec![("ada", "d", Not, None)]].concat();
        let whole = Frame::labelled(&sample(), &journals(&all));
        assert_eq!(whole.count(|said| said == Consensus::Undecided), 0, "every pair of the sample is decided");
    }

    #[test]
    fn disputed_pairs_count_like_unsure_ones() {
        use Label::{NearDuplicate as Near, Not, Unsure as Cannot};
        let said = [
            ("ada", "a", Near, Some("x")),
            ("bob", "a", Not, Some("x")),
            ("ada", "b", Cannot, Some("x")),
            ("ada", "d", Not, Some("x")),
        ];
        let frame = Frame::labelled(&sample(), &journals(&said));
        assert_eq!((frame.count(|s| s == Consensus::Disputed), frame.gaps()), (1, 1));
        let domain = frame.found_by(0);
        let cell = |unsure| frame.cells(&domain, true, unsure)[0];
        assert_eq!(cell(Unsure::Out), Cell { population: 8, labelled: 1, yes: 0, doubtful: 2 });
        assert_eq!(cell(Unsure::Yes), Cell { population: 8, labelled: 3, yes: 2, doubtful: 0 });
        assert_eq!(cell(Unsure::No), Cell { population: 8, labelled: 3, yes: 0, doubtful: 0 });
    }

    #[test]
    fn nothing_is_made_of_the_labelled_part_of_a_population_that_is_an_estimate_itself() {
        use crate::estimates::{Recall, precision};
        use crate::intervals::clopper_pearson;
        let all_labelled = Frame::new(&sample(), |pair| {
            Consensus::Label(if pair.target == "a" { Label::Not } else { Label::NearDuplicate })
        });
        let strata = vec![Stratum { population: 4, found: vec![4], ..sample().strata[0].clone() }];
        let census = Frame { strata, ..all_labelled };
        let share = |frame: &Frame| precision(frame, &frame.found_by(0), Unsure::Out, 0.95).unwrap();
        let known = share(&census).headline.unwrap();
        assert_eq!((known.low, known.high), (0.75, 0.75), "all four were looked at");
        let audited = Frame { vague: true, ..census };
        let vague = share(&audited);
        let (interval, endless) = (vague.headline.unwrap(), clopper_pearson(3, 4, 0.95).unwrap());
        assert_eq!(vague.population, 4);
        let far = Stratum { population: 50, audit: true, far: true, ..Stratum::default() };
        let strata = vec![Stratum { population: 4, found: vec![4], ..sample().strata[0].clone() }, far];
        let beside = Frame { strata, drawn_from: 0b11, ..audited };
        let recall = Recall::new(&beside, &beside.found_by(0), Unsure::Out, 0.95);
        assert_eq!(recall.assumes.unwrap().pairs, 50);
        assert!(interval.low <= endless.low + 1e-3 && interval.high >= endless.high - 1e-3, "{interval:?} {endless:?}");
    }
}
