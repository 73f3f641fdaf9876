//! What holds for a pair, when several people have looked at it?
//!
//! This is the one answer that Review, estimates, the paragraph, transfers, exports and screens ask for.
//!
//! 1. An annotator's decision on a pair is their latest label of it that was not taken back, wherever it was given.
//! 2. Annotators who agree decide the pair. Annotators who differ leave it *disputed*; a study may say that more than half of
//!    them decide (`[labels] settled_by = "majority"`).
//! 3. An adjudication settles a pair, whatever annotators say. Adjudicators who contradict each other leave it disputed until
//!    a later adjudication names those that it overrides.
//!
//! The answer does not depend on a sample. Whether a pair counts in a sample does: somebody must have answered it there
//! ([`Journals::answered`]), so that pairs that were looked up elsewhere do not count more than others.

use std::collections::BTreeSet;
use std::path::Path;

use strum::{EnumString, VariantNames};

use super::adjudication::{adjudicator, is_adjudication};
use super::last_saved::{GoneJournals, gone_journals};
use super::{Annotations, ChangedRole, Event, EventKind, Label, LabelsError, Problem, RemovedJournal, read_all};
use dejaview_base::both::BothSides;

/// What decides a pair on which annotators differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum SettledBy {
    #[default]
    Adjudication,
    /// More than half of those who decided, unless an adjudication says otherwise.
    Majority,
}

/// What one adjudicator settled on a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    pub who: String,
    pub label: Label,
    /// When, RFC 3339 in UTC.
    pub time: String,
    /// The adjudicators whose earlier settlements it replaces.
    pub overrides: Vec<String>,
}

impl Settlement {
    /// The settlement that an event of an adjudicator's journal makes; none when the event is no label.
    pub fn from_event(who: &str, event: &Event) -> Option<Self> {
        let EventKind::Label(label) = event.kind else { return None };
        let overrides = event.circumstances.overrides.clone().unwrap_or_default();
        Some(Self { who: who.to_owned(), label, time: event.time.clone(), overrides })
    }

    fn overrides(&self, other: &Self) -> bool {
        self.who != other.who && self.time >= other.time && self.overrides.contains(&other.who)
    }
}

/// Who decided a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decider {
    /// All annotators who looked at it agree, or more than half of them where the study says that this is enough.
    Annotators,
    /// An adjudicator, by name; of several who agree the latest.
    Adjudicator(String),
}

/// What holds for a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    Open,
    Decided(Label, Decider),
    /// People decided it differently and nobody has settled it: who said what. They are adjudicators where some
    /// contradict each other, else annotators.
    Disputed(Vec<(String, Label)>),
}

impl Standing {
    /// The label that holds, if one does.
    pub fn label(&self) -> Option<Label> {
        match self {
            Self::Decided(label, _) => Some(*label),
            Self::Open | Self::Disputed(_) => None,
        }
    }

    /// Whether people decided it differently and nobody has settled it.
    pub fn is_disputed(&self) -> bool {
        matches!(self, Self::Disputed(_))
    }

    /// Whether nobody has decided it.
    pub fn is_open(&self) -> bool {
        *self == Self::Open
    }

    /// Whether an adjudication decided it.
    pub fn is_settled(&self) -> bool {
        matches!(self, Self::Decided(_, Decider::Adjudicator(_)))
    }

    /// What follows from the labels of annotators and from settlements.
    pub fn from_votes(votes: &[(String, Label)], settlements: &[Settlement], rule: SettledBy) -> Self {
        settled(settlements).unwrap_or_else(|| voted(votes, rule))
    }
}

/// What adjudicators left; none when none has said anything.
fn settled(settlements: &[Settlement]) -> Option<Standing> {
    let holds = |one: &&Settlement| !settlements.iter().any(|other| other.overrides(one) && !one.overrides(other));
    let mut left: Vec<&Settlement> = settlements.iter().filter(holds).collect();
    left.sort_by(|a, b| (&a.time, &a.who).cmp(&(&b.time, &b.who)));
    let last = left.last()?;
    Some(match left.iter().all(|one| one.label == last.label) {
        true => Standing::Decided(last.label, Decider::Adjudicator(last.who.clone())),
        false => Standing::Disputed(left.iter().map(|one| (one.who.clone(), one.label)).collect()),
    })
}

fn voted(votes: &[(String, Label)], rule: SettledBy) -> Standing {
    let count = |label: Label| votes.iter().filter(|(_, vote)| *vote == label).count();
    let enough = |label: &Label| match rule {
        SettledBy::Adjudication => count(*label) == votes.len(),
        SettledBy::Majority => 2 * count(*label) > votes.len(),
    };
    match Label::ALL.iter().copied().find(enough) {
        _ if votes.is_empty() => Standing::Open,
        Some(label) => Standing::Decided(label, Decider::Annotators),
        None => Standing::Disputed(votes.to_vec()),
    }
}

/// All journals of a study, and the rule by which they are read together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Journals {
    all: Vec<Annotations>,
    gone: GoneJournals,
    rule: SettledBy,
}

impl Journals {
    pub fn new(all: Vec<Annotations>, rule: SettledBy) -> Self {
        Self { all, gone: GoneJournals::default(), rule }
    }

    /// Reads the journals of the study in this folder.
    pub fn read(study: &Path, rule: SettledBy, both: &BothSides) -> Result<Self, LabelsError> {
        let all = read_all(study, both)?;
        Ok(Self { gone: gone_journals(study, &all), ..Self::new(all, rule) })
    }

    /// Every journal, adjudications among them, by name of its file.
    pub fn all(&self) -> &[Annotations] {
        &self.all
    }

    /// Lines that do not count although somebody wrote an event: the file, and what is wrong with the line.
    pub fn damaged_lines(&self) -> impl Iterator<Item = (&str, &Problem)> {
        let problems = self
            .all
            .iter()
            .flat_map(|journal| journal.reading.problems.iter().map(|problem| (journal.file.as_str(), problem)));
        problems.filter(|(_, problem)| problem.loses_an_event())
    }

    /// Journals that are gone with labels that were saved in them.
    pub fn removed(&self) -> &[RemovedJournal] {
        &self.gone.removed
    }

    /// Journals that decide otherwise than when their labels were saved.
    pub fn changed_roles(&self) -> &[ChangedRole] {
        &self.gone.changed_roles
    }

    /// The rule by which they are read together.
    pub fn rule(&self) -> SettledBy {
        self.rule
    }

    /// The journals of annotators, without adjudications.
    pub fn annotators(&self) -> impl Iterator<Item = &Annotations> {
        self.all.iter().filter(|journal| !is_adjudication(&journal.annotator))
    }

    /// Leaves out some of the journals.
    #[must_use]
    pub fn without(mut self, is_left_out: impl Fn(&Annotations) -> bool) -> Self {
        self.all.retain(|journal| !is_left_out(journal));
        self
    }

    /// The same without decisions that annotators made with the scores in view: what they had said before holds again.
    #[must_use]
    pub fn blind_only(mut self) -> Self {
        for journal in self.all.iter_mut().filter(|journal| !is_adjudication(&journal.annotator)) {
            journal.reading.leave_out(Event::saw_scores);
        }
        self
    }

    /// What each annotator decided on a pair.
    pub fn votes(&self, source: &str, target: &str) -> Vec<(String, Label)> {
        let vote = |journal: &Annotations| {
            Some((journal.annotator.clone(), journal.reading.decisions.label(source, target, None)?))
        };
        self.annotators().filter_map(vote).collect()
    }

    /// What each adjudicator settled on a pair.
    pub fn settlements(&self, source: &str, target: &str) -> Vec<Settlement> {
        let settlement = |journal: &Annotations| {
            let who = adjudicator(&journal.annotator)?;
            Settlement::from_event(who, journal.reading.decisions.decision(source, target, None).labelled?)
        };
        self.all.iter().filter_map(settlement).collect()
    }

    /// What holds for a pair.
    pub fn standing(&self, source: &str, target: &str) -> Standing {
        Standing::from_votes(&self.votes(source, target), &self.settlements(source, target), self.rule)
    }

    /// Whether somebody answered a pair in a sample.
    pub fn answered(&self, source: &str, target: &str, sample: &str) -> bool {
        self.all.iter().any(|journal| journal.reading.decisions.label(source, target, Some(sample)).is_some())
    }

    /// Whether the decision of some annotator on a pair was made with the scores in view.
    pub fn saw_scores(&self, source: &str, target: &str) -> bool {
        let saw = |journal: &Annotations| {
            let labelled = journal.reading.decisions.decision(source, target, None).labelled;
            labelled.is_some_and(Event::saw_scores)
        };
        self.annotators().any(saw)
    }

    /// Pairs that somebody decided, by source, then target; of one sample those that were answered in it.
    pub fn pairs<'a>(&'a self, sample: Option<&'a str>) -> BTreeSet<(&'a str, &'a str)> {
        let labelled = self.all.iter().flat_map(|journal| journal.reading.decisions.pairs(sample));
        let labelled = labelled.filter(|(.., decision)| decision.label().is_some());
        labelled.map(|(source, target, _)| (source, target)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Decisions, Reading};

    use Label::{NearDuplicate as Near, Not, Unsure};

    /// A label of the pair s, t: when, what, in which sample, with the scores in view or not.
    type Said<'a> = (&'a str, Label, Option<&'a str>, bool);

    fn journal(annotator: &str, said: &[Said<'_>]) -> Annotations {
        let event = |((time, label, sample, saw), seq): (&Said<'_>, u64)| {
            let mut event = Event { seq, ..Event::new(EventKind::Label(*label), "s", "t", time) };
            event.sample = sample.map(str::to_owned);
            event.circumstances.peeked = Some(*saw);
            event.into()
        };
        let events: Vec<Arc<Event>> = said.iter().zip(1..).map(event).collect();
        let reading = Reading { decisions: Decisions::replay(&events), events, problems: Vec::new() };
        Annotations { annotator: annotator.to_owned(), file: String::new(), reading }
    }

    fn overriding(annotator: &str, time: &str, label: Label, overrides: &[&str]) -> Annotations {
        let mut journal = journal(annotator, &[(time, label, None, false)]);
        Arc::make_mut(&mut journal.reading.events[0]).circumstances.overrides =
            Some(overrides.iter().map(|&name| name.to_owned()).collect());
        journal.reading.decisions = Decisions::replay(&journal.reading.events);
        journal
    }

    fn standing(all: &[Annotations]) -> Standing {
        Journals::new(all.to_vec(), SettledBy::Adjudication).standing("s", "t")
    }

    fn disputed(said: &[(&str, Label)]) -> Standing {
        Standing::Disputed(said.iter().map(|(who, label)| ((*who).to_owned(), *label)).collect())
    }

    #[test]
    fn annotators_who_differ_leave_a_pair_disputed_unless_more_than_half_are_enough() {
        let mut all = vec![journal("ada", &[("1", Not, None, false)])];
        assert_eq!(standing(&all), Standing::Decided(Not, Decider::Annotators));
        all.push(journal("bob", &[("1", Unsure, None, false)]));
        assert_eq!(standing(&all), disputed(&[("ada", Not), ("bob", Unsure)]));
        all.push(journal("cyd", &[("1", Not, None, false)]));
        assert!(standing(&all).is_disputed(), "nobody has settled it");
        let majority = Journals::new(all.clone(), SettledBy::Majority);
        assert_eq!(majority.standing("s", "t").label(), Some(Not));
        all.push(journal("adjudication", &[("2", Near, None, false)]));
        assert_eq!(standing(&all), Standing::Decided(Near, Decider::Adjudicator("adjudication".to_owned())));
        assert_eq!(Journals::new(all, SettledBy::Majority).standing("s", "t").label(), Some(Near));
        assert_eq!(standing(&[]), Standing::Open);
    }

    #[test]
    fn adjudicators_who_contradict_each_other_settle_nothing() {
        let ada = journal("ada", &[("2012-01-01", Near, None, false)]);
        let bob = journal("bob", &[("2012-01-01", Not, None, false)]);
        let zed = journal("adjudication.zed", &[("2012-01-02", Not, None, false)]);
        let amy = journal("adjudication.amy", &[("2012-01-09", Near, None, false)]);
        let all = [ada, bob, amy, zed.clone()];
        assert_eq!(standing(&all), disputed(&[("zed", Not), ("amy", Near)]));
        let later = overriding("adjudication.amy", "2012-01-09", Near, &["zed"]);
        let holds = Standing::Decided(Near, Decider::Adjudicator("amy".to_owned()));
        assert_eq!(standing(&[later.clone(), zed]), holds);
        let latest = journal("adjudication.zed", &[("2012-01-02", Not, None, false), ("2012-02-01", Not, None, false)]);
        assert!(standing(&[later, latest]).is_disputed(), "what was said afterwards is not overridden");
        let third = overriding("adjudication.eve", "2012-03-01", Unsure, &["amy", "zed"]);
        assert_eq!(standing(&[all.to_vec(), vec![third]].concat()).label(), Some(Unsure));
    }

    #[test]
    fn the_latest_label_counts_wherever_it_was_given() {
        let ada = journal("ada", &[("1", Not, Some("x"), false), ("2", Near, None, true)]);
        let journals = Journals::new(vec![ada], SettledBy::Adjudication);
        assert_eq!(journals.standing("s", "t").label(), Some(Near));
        assert!(journals.answered("s", "t", "x") && !journals.answered("s", "t", "y"));
        assert!(journals.saw_scores("s", "t"));
        assert_eq!((journals.pairs(Some("x")).len(), journals.pairs(Some("y")).len()), (1, 0));
        let blind = journals.blind_only();
        assert_eq!(blind.standing("s", "t").label(), Some(Not), "what was said before holds again");
        assert!(!blind.saw_scores("s", "t"));
    }
}
