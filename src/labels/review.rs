//! What several annotators have left to be settled: pairs decided differently, unsure, flagged, decided otherwise when they
//! came again, or part of a contradiction.
//!
//! Journals of adjudications settle a pair; they are nobody's opinion. What holds for a pair is for [`Standing`] to say, here
//! and in the search for contradictions.

use std::collections::{BTreeMap, BTreeSet};

use super::chains::{LabelledPair, chains};
use super::{Annotations, Decision, Event, Journals, Label, SettledBy, Settlement, Standing, adjudicator};
use dejaview_base::hash;

/// Why a pair is worth a second look.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Concern {
    /// Adjudicators said different things, and none of them names the others as overridden.
    Adjudicators,
    /// Annotators said different things.
    Disagreement,
    /// Somebody said something else when the pair came again, and has not decided it since.
    SelfInconsistent,
    /// "Not", though near-duplicates join the two: ids of the documents on the way.
    Chain(Vec<String>),
    /// Somebody was unsure, and nobody contradicts.
    Unsure,
    Flagged,
}

impl Concern {
    /// In one or two words.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Adjudicators => "adjudicators differ",
            Self::Disagreement => "disagreement",
            Self::SelfInconsistent => "self-inconsistent",
            Self::Chain(_) => "contradiction",
            Self::Unsure => "unsure",
            Self::Flagged => "flagged",
        }
    }
}

/// What one annotator decided on a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opinion {
    pub annotator: String,
    /// What, if it was decided.
    pub label: Option<Label>,
    /// What was said when the pair came again, unless it was decided since.
    pub again: Option<Label>,
    pub note: Option<String>,
    /// Number of the deciding event in its journal.
    pub seq: u64,
}

/// A pair to be settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Id of the source document.
    pub source: String,
    /// Id of the target document.
    pub target: String,
    /// The sample in which it was decided, if in one.
    pub sample: Option<String>,
    /// Why it is here, gravest first.
    pub concerns: Vec<Concern>,
    /// What was said, in an order that tells nothing about who.
    pub opinions: Vec<Opinion>,
    /// What adjudicators settled, each as their journals say now.
    pub settlements: Vec<Settlement>,
    /// The rule by which opinions are read together.
    pub rule: SettledBy,
}

impl Case {
    /// What holds for the pair.
    pub fn standing(&self) -> Standing {
        self.standing_with(None)
    }

    /// What holds for the pair when somebody has settled it so in the meantime.
    pub fn standing_with(&self, settlement: Option<Settlement>) -> Standing {
        let others = |one: &&Settlement| settlement.as_ref().is_none_or(|own| own.who != one.who);
        let mut settlements: Vec<Settlement> = self.settlements.iter().filter(others).cloned().collect();
        settlements.extend(settlement);
        Standing::from_votes(&votes(&self.opinions), &settlements, self.rule)
    }
}

fn votes(opinions: &[Opinion]) -> Vec<(String, Label)> {
    opinions.iter().filter_map(|opinion| Some((opinion.annotator.clone(), opinion.label?))).collect()
}

/// Everything to be settled, and who labelled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Review {
    /// Pairs to be settled: gravest concern first, then by source and target.
    pub cases: Vec<Case>,
    pub annotators: Vec<String>,
}

/// All that is known about one pair.
#[derive(Debug, Default)]
struct Pair {
    opinions: Vec<Opinion>,
    flagged: bool,
    sample: Option<String>,
    settlements: Vec<Settlement>,
}

impl Review {
    pub fn new(journals: &Journals) -> Self {
        let mut pairs: BTreeMap<(String, String), Pair> = BTreeMap::new();
        for journal in journals.all() {
            for (source, target, decision) in journal.reading.decisions.pairs(None) {
                let pair = pairs.entry((source.to_owned(), target.to_owned())).or_default();
                match adjudicator(&journal.annotator) {
                    Some(who) => {
                        pair.settlements.extend(decision.labelled.and_then(|event| Settlement::from_event(who, event)))
                    }
                    None => pair.hear(journal, (source, target), &decision),
                }
            }
        }
        let mut review = Self::default();
        let labelled = |journal: &&Annotations| {
            let mut pairs = journal.reading.decisions.pairs(None);
            pairs.any(|(.., decision)| decision.label().is_some())
        };
        review.annotators = journals.annotators().filter(labelled).map(|journal| journal.annotator.clone()).collect();
        let rule = journals.rule();
        let contradictions = contradictions(&pairs, rule);
        for (ids, pair) in pairs {
            let concerns = pair.concerns(contradictions.get(&ids), rule);
            if !concerns.is_empty() {
                review.cases.push(pair.into_case(ids, concerns, rule));
            }
        }
        review.cases.sort_by(|a, b| a.concerns[0].cmp(&b.concerns[0]));
        review
    }
}

impl Pair {
    fn hear(&mut self, journal: &Annotations, (source, target): (&str, &str), decision: &Decision<'_>) {
        self.flagged |= decision.flag;
        let event: Option<&Event> = decision.labelled;
        if let Some(sample) = event.and_then(|event| event.sample.clone()) {
            self.sample.get_or_insert(sample);
        }
        self.opinions.push(Opinion {
            annotator: journal.annotator.clone(),
            label: decision.label(),
            again: journal.reading.decisions.wavered_to(source, target),
            note: decision.note.map(str::to_owned),
            seq: event.map_or(0, |event| event.seq),
        });
    }

    fn labels(&self) -> BTreeSet<Label> {
        self.opinions.iter().filter_map(|opinion| opinion.label).collect()
    }

    fn standing(&self, rule: SettledBy) -> Standing {
        Standing::from_votes(&votes(&self.opinions), &self.settlements, rule)
    }

    fn concerns(&self, chain: Option<&Vec<String>>, rule: SettledBy) -> Vec<Concern> {
        let labels = self.labels();
        let contradicted = !self.settlements.is_empty() && self.standing(rule).is_disputed();
        let changed = |opinion: &Opinion| opinion.again.is_some() && opinion.again != opinion.label;
        let wavering = self.opinions.iter().any(changed);
        let mut concerns = Vec::new();
        concerns.extend(contradicted.then_some(Concern::Adjudicators));
        concerns.extend((labels.len() > 1).then_some(Concern::Disagreement));
        concerns.extend(wavering.then_some(Concern::SelfInconsistent));
        concerns.extend(chain.map(|way| Concern::Chain(way.clone())));
        concerns.extend((labels.len() == 1 && labels.contains(&Label::Unsure)).then_some(Concern::Unsure));
        concerns.extend(self.flagged.then_some(Concern::Flagged));
        concerns
    }

    fn into_case(mut self, (source, target): (String, String), concerns: Vec<Concern>, rule: SettledBy) -> Case {
        let key = |opinion: &Opinion| hash::digest(format!("{source}\0{target}\0{}", opinion.annotator).as_bytes());
        self.opinions.sort_by_cached_key(key);
        let Self { opinions, sample, settlements, .. } = self;
        Case { sample, concerns, opinions, settlements, rule, source, target }
    }
}

/// The pairs that contradict others, with the way between their documents.
fn contradictions(
    pairs: &BTreeMap<(String, String), Pair>,
    rule: SettledBy,
) -> BTreeMap<(String, String), Vec<String>> {
    let judged = |((source, target), pair): (&'_ (String, String), &'_ Pair)| {
        pair.standing(rule).label().map(|label| (source.clone(), target.clone(), label))
    };
    let held: Vec<(String, String, Label)> = pairs.iter().filter_map(judged).collect();
    let judged: Vec<LabelledPair<'_>> =
        held.iter().map(|(source, target, label)| LabelledPair { source, target, label: *label }).collect();
    let owned = |way: Vec<&str>| way.into_iter().map(str::to_owned).collect();
    chains(&judged).into_iter().map(|(at, way)| ((held[at].0.clone(), held[at].1.clone()), owned(way))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Decider, EventKind, Reading, line};

    /// A journal of labels, flags and repeated answers.
    fn journal(annotator: &str, rows: &[(&str, &str, EventKind, bool)]) -> Annotations {
        let mut text = String::new();
        for ((source, target, what, repeat), seq) in rows.iter().zip(1..) {
            let mut event = Event::new(what.clone(), source, target, "2012-01-01T00:00:00.000Z").in_sample("default");
            event.seq = seq;
            event.circumstances.repeat = repeat.then_some(true);
            text += &(line::encode(&event).0 + "\n");
        }
        Annotations { annotator: annotator.to_owned(), file: String::new(), reading: Reading::parse(text.as_bytes()) }
    }

    fn label(label: Label) -> EventKind {
        EventKind::Label(label)
    }

    fn review(journals: &[Annotations]) -> Review {
        Review::new(&Journals::new(journals.to_vec(), SettledBy::Adjudication))
    }

    use Label::{NearDuplicate as Near, Not, Unsure};

    #[test]
    fn every_concern_is_found_and_the_gravest_comes_first() {
        let ann = journal(
            "ann",
            &[
                ("a", "B", label(Near), false),
                ("c", "B", label(Near), false),
                ("c", "D", label(Near), false),
                ("a", "D", label(Not), false),
                ("e", "F", label(Unsure), false),
                ("g", "H", label(Near), false),
                ("g", "H", EventKind::Flag(true), false),
                ("i", "K", label(Near), false),
                ("i", "K", label(Not), true),
                ("l", "M", label(Not), false),
                ("l", "M", EventKind::Note("two games".to_owned()), false),
            ],
        );
        let bob = journal("bob", &[("l", "M", label(Near), false), ("g", "H", label(Near), false)]);
        let review = review(&[ann, bob]);
        let found: Vec<(&str, &str, Vec<&str>)> = review
            .cases
            .iter()
            .map(|case| (case.source.as_str(), case.target.as_str(), case.concerns.iter().map(Concern::name).collect()))
            .collect();
        assert_eq!(
            found,
            [
                ("l", "M", vec!["disagreement"]),
                ("i", "K", vec!["self-inconsistent"]),
                ("a", "D", vec!["contradiction"]),
                ("e", "F", vec!["unsure"]),
                ("g", "H", vec!["flagged"]),
            ]
        );
        assert_eq!(review.annotators, ["ann", "bob"]);
        let way = Concern::Chain(["a", "B", "c", "D"].map(str::to_owned).to_vec());
        assert_eq!(review.cases[2].concerns, [way]);
        let notes: Vec<&str> = review.cases[0].opinions.iter().filter_map(|o| o.note.as_deref()).collect();
        assert_eq!(notes, ["two games"]);
    }

    #[test]
    fn an_adjudication_settles_and_is_nobodys_opinion() {
        let ann = journal("ann", &[("a", "B", label(Near), false), ("c", "B", label(Near), false)]);
        let bob = journal("bob", &[("a", "B", label(Not), false)]);
        let judge = journal("adjudication.eve", &[("a", "B", label(Not), false)]);
        let amy = journal("adjudication.amy", &[("a", "B", label(Near), false)]);
        let several = review(&[judge.clone(), amy, ann.clone(), bob.clone()]);
        assert_eq!(several.cases[0].concerns, [Concern::Adjudicators, Concern::Disagreement]);
        assert!(several.cases[0].standing().is_disputed(), "two adjudicators contradict each other");
        let review = review(&[judge, ann, bob]);
        assert_eq!(review.cases.len(), 1);
        assert_eq!(review.cases[0].standing(), Standing::Decided(Not, Decider::Adjudicator("eve".to_owned())));
        assert_eq!(review.cases[0].opinions.len(), 2);
        assert_eq!(review.annotators, ["ann", "bob"]);
        assert_eq!(review.cases[0].sample.as_deref(), Some("default"));
        assert_eq!(Review::new(&Journals::default()), Review::default());
    }
}
