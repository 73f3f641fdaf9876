//! Do annotators agree, with each other and with themselves?
//!
//! The three labels are names without an order; *unsure* is one of them. Intervals come from drawing the pairs again.
//! Adjudications are nobody's opinion and take no part.

mod coefficients;

use std::collections::BTreeMap;

use serde::Serialize;

pub use coefficients::{Rows, cohen, fleiss, krippendorff};

use crate::base::interval::Interval;
use crate::base::random::Bootstrap;
use crate::evaluation::intervals::wilson;
use crate::labels::{Annotations, Label, What, is_adjudication};

/// How far annotators agree.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    /// Those who decided anything.
    pub annotators: Vec<String>,
    /// Pairs that two or more decided.
    pub pairs: u64,
    /// Of these, decided alike by all who saw them.
    pub unanimous: u64,
    /// Krippendorff's alpha.
    pub alpha: Option<Interval>,
    /// Fleiss's kappa, over the pairs that all decided.
    pub fleiss: Option<Interval>,
    /// How many those are.
    pub fleiss_pairs: u64,
    /// Cohen's kappa of every two.
    pub cohen: Vec<TwoRaters>,
    /// The same by stratum.
    pub strata: Vec<StratumAgreement>,
    /// What each said when a pair came again.
    pub repeats: Vec<Steadiness>,
}

/// Two annotators.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TwoRaters {
    /// The one.
    pub a: String,
    /// The other.
    pub b: String,
    /// Pairs that both decided.
    pub pairs: u64,
    /// Share of them decided alike.
    pub observed: f64,
    /// Share that chance would give.
    pub expected: f64,
    /// Cohen's kappa.
    pub kappa: Option<Interval>,
}

/// Agreement in one stratum.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StratumAgreement {
    /// Its name.
    pub name: String,
    /// Pairs that two or more decided.
    pub pairs: u64,
    /// Of these, decided alike by all.
    pub unanimous: u64,
    /// Krippendorff's alpha.
    pub alpha: Option<Interval>,
    /// Fleiss's kappa.
    pub fleiss: Option<Interval>,
}

/// How steady an annotator is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Steadiness {
    /// Who.
    pub annotator: String,
    /// Pairs that came again and were decided again.
    pub pairs: u64,
    /// Those decided as before.
    pub same: u64,
    /// Their share, with Wilson's interval.
    pub share: Option<Interval>,
    /// Cohen's kappa of the first and the second time.
    pub kappa: Option<Interval>,
}

/// A pair with its stratum.
pub type Unit<'a> = (&'a str, &'a str, &'a str);

fn rating(label: Label) -> Option<usize> {
    Label::ALL.iter().position(|other| *other == label)
}

impl Agreement {
    /// Of these journals on some pairs, given with their strata; in one sample or anywhere.
    pub fn new(all: &[Annotations], units: &[Unit<'_>], sample: Option<&str>, bootstrap: &Bootstrap) -> Self {
        let people: Vec<&Annotations> = all.iter().filter(|a| !is_adjudication(&a.annotator)).collect();
        let label = |a: &Annotations, unit: &Unit<'_>| a.reading.decisions.label(unit.0, unit.1, sample);
        let people: Vec<&Annotations> =
            people.into_iter().filter(|a| units.iter().any(|unit| label(a, unit).is_some())).collect();
        let row = |unit: &Unit<'_>| people.iter().map(|a| label(a, unit).and_then(rating)).collect::<Vec<_>>();
        let rows: Vec<Vec<Option<usize>>> = units.iter().map(row).collect();
        let mut strata: BTreeMap<&str, Vec<Vec<Option<usize>>>> = BTreeMap::new();
        for (unit, row) in units.iter().zip(&rows) {
            strata.entry(unit.2).or_default().push(row.clone());
        }
        let names: Vec<String> = people.iter().map(|a| a.annotator.clone()).collect();
        let (pairs, unanimous) = counts(&rows);
        Self {
            cohen: every_two(&rows, &names, bootstrap),
            pairs,
            unanimous,
            alpha: interval(&rows, &krippendorff, bootstrap),
            fleiss: interval(&rows, &fleiss, bootstrap),
            fleiss_pairs: rows.iter().filter(|row| row.iter().all(Option::is_some)).count() as u64,
            strata: strata.into_iter().map(|(name, rows)| stratum(name, &rows, bootstrap)).collect(),
            repeats: people.iter().filter_map(|a| Steadiness::of(a, units, sample, bootstrap)).collect(),
            annotators: names,
        }
    }
}

/// Pairs that two or more decided, and those decided alike.
fn counts(rows: &Rows) -> (u64, u64) {
    let shared: Vec<Vec<usize>> =
        rows.iter().map(|row| row.iter().flatten().copied().collect::<Vec<_>>()).filter(|r| r.len() > 1).collect();
    let alike = shared.iter().filter(|row| row.iter().all(|rating| *rating == row[0])).count();
    (shared.len() as u64, alike as u64)
}

/// A coefficient with its interval, the units drawn again.
fn interval(rows: &Rows, of: &dyn Fn(&Rows) -> Option<f64>, bootstrap: &Bootstrap) -> Option<Interval> {
    let mut shared: Vec<Vec<Option<usize>>> =
        rows.iter().filter(|row| row.iter().flatten().count() > 1).cloned().collect();
    // The same labels give the same interval, in whatever order the pairs come.
    shared.sort_unstable();
    let value = of(&shared)?;
    let replicates = bootstrap.replicates(|random| {
        let drawn: Vec<Vec<Option<usize>>> =
            (0..shared.len()).map(|_| shared[random.below(shared.len() as u64) as usize].clone()).collect();
        of(&drawn)
    });
    bootstrap.interval(value, replicates)
}

fn every_two(rows: &Rows, names: &[String], bootstrap: &Bootstrap) -> Vec<TwoRaters> {
    let mut all = Vec::new();
    for a in 0..names.len() {
        for b in a + 1..names.len() {
            let Some((observed, expected, _)) = cohen(rows, a, b) else { continue };
            let two: Vec<Vec<Option<usize>>> = rows.iter().map(|row| vec![row[a], row[b]]).collect();
            all.push(TwoRaters {
                a: names[a].clone(),
                b: names[b].clone(),
                pairs: two.iter().filter(|row| row.iter().flatten().count() == 2).count() as u64,
                observed,
                expected,
                kappa: interval(&two, &|rows| cohen(rows, 0, 1)?.2, bootstrap),
            });
        }
    }
    all
}

fn stratum(name: &str, rows: &Rows, bootstrap: &Bootstrap) -> StratumAgreement {
    let (pairs, unanimous) = counts(rows);
    StratumAgreement {
        name: name.to_owned(),
        pairs,
        unanimous,
        alpha: interval(rows, &krippendorff, bootstrap),
        fleiss: interval(rows, &fleiss, bootstrap),
    }
}

impl Steadiness {
    /// Of one annotator: what stands for a pair, and what was said the last time it came again. `None` when none did.
    fn of(a: &Annotations, units: &[Unit<'_>], sample: Option<&str>, bootstrap: &Bootstrap) -> Option<Self> {
        let again = |source: &str, target: &str| {
            let edits = a.reading.decisions.history(source, target);
            let repeats = edits.filter(|(event, live)| {
                let within = sample.is_none_or(|name| event.sample.as_deref() == Some(name));
                *live && within && event.circumstances.repeat == Some(true)
            });
            repeats.filter_map(|(event, _)| if let What::Label(label) = event.what { Some(label) } else { None }).last()
        };
        let row = |(source, target, _): &Unit<'_>| {
            let second = again(source, target)?;
            let first = a.reading.decisions.label(source, target, sample)?;
            Some(vec![rating(first), rating(second)])
        };
        let rows: Vec<Vec<Option<usize>>> = units.iter().filter_map(row).collect();
        let (pairs, same) = counts(&rows);
        (pairs > 0).then(|| Self {
            annotator: a.annotator.clone(),
            pairs,
            same,
            share: wilson(same, pairs, bootstrap.confidence),
            kappa: interval(&rows, &|rows| cohen(rows, 0, 1)?.2, bootstrap),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::{Decisions, Event, Reading};

    fn annotations(annotator: &str, said: &[(&str, Label, bool)]) -> Annotations {
        let event = |(i, (target, label, repeat)): (usize, &(&str, Label, bool))| {
            let mut event = Event::new(What::Label(*label), "s", target, "").in_sample("x");
            (event.seq, event.circumstances.repeat) = (i as u64 + 1, repeat.then_some(true));
            event
        };
        let events: Vec<Event> = said.iter().enumerate().map(event).collect();
        let reading = Reading { decisions: Decisions::replay(&events), events, problems: Vec::new() };
        Annotations { annotator: annotator.to_owned(), reading }
    }

    #[test]
    fn two_annotators_one_adjudicator_and_a_repeat() {
        use Label::{NearDuplicate, Not, Unsure};
        let all = [
            annotations(
                "ada",
                &[("a", Not, false), ("b", Not, false), ("c", NearDuplicate, false), ("a", Unsure, true)],
            ),
            annotations("adjudication", &[("b", Not, false)]),
            annotations("bob", &[("a", Not, false), ("b", NearDuplicate, false), ("d", Not, false)]),
        ];
        let units = [("s", "a", "low"), ("s", "b", "low"), ("s", "c", "high"), ("s", "d", "high")];
        let agreement = Agreement::new(&all, &units, Some("x"), &Bootstrap::default());
        assert_eq!(agreement.annotators, ["ada", "bob"]);
        assert_eq!((agreement.pairs, agreement.unanimous, agreement.cohen[0].pairs), (2, 1, 2));
        assert_eq!(agreement.cohen[0].observed, 0.5);
        let strata: Vec<(&str, u64)> = agreement.strata.iter().map(|s| (s.name.as_str(), s.pairs)).collect();
        assert_eq!(strata, [("high", 0), ("low", 2)]);
        assert_eq!(agreement.repeats.len(), 1);
        assert_eq!((agreement.repeats[0].pairs, agreement.repeats[0].same), (1, 0));
        let elsewhere = Agreement::new(&all, &units, Some("y"), &Bootstrap::default());
        assert!(elsewhere.annotators.is_empty() && elsewhere.alpha.is_none());
    }
}
