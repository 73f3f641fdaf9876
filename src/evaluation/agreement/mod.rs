//! Do annotators agree, with each other and with themselves?
//!
//! The three labels are names without an order; *unsure* is one of them. Adjudications are nobody's opinion and take no
//! part. Pairs that some configuration found (the *pool*) and pairs that none found (the *audit* of a sample) are told
//! apart: nearly all of the latter are easy, and as many of them as one likes can be added, so a coefficient over both
//! says how many were. Each pair of a sample counts with its weight, scaled within its stratum to the pairs that a
//! coefficient rests on (decided by two or more, by these two, by all), so that the coefficients are those of the population, and so are their intervals.

mod bounds;
mod coefficients;
mod composition;
mod self_agreement;
mod unit;

use std::collections::HashMap;

use serde::Serialize;

pub use coefficients::{Row, Rows, cohen, fleiss, gwet, krippendorff, observed};
pub use self_agreement::SelfAgreement;
pub use unit::Unit;

use bounds::Strata;
use dejaview_base::interval::Interval;
use dejaview_labels::{Annotations, Label, is_adjudication};
use unit::rating;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    /// The sample in which the labels were given; none where they are all labels of the study, each pair counting once.
    pub sample: Option<String>,
    /// The annotators who decided at least one of the pairs.
    pub annotators: Vec<String>,
    /// Over the pairs that some configuration found, by their weights: the headline.
    #[serde(flatten)]
    pub pool: Coefficients,
    /// The same with every labelled pair counting once; none where the weights are equal.
    pub as_labelled: Option<Coefficients>,
    /// Over the pairs of an audit, which no configuration found, by their weights.
    pub audit: Option<Coefficients>,
    /// Over both by their weights; none without an audit.
    pub everything: Option<Coefficients>,
    /// Cohen's kappa and AC1 of every two, over the pool by its weights.
    pub cohen: Vec<TwoRaters>,
    /// Each stratum by itself.
    pub strata: Vec<StratumAgreement>,
    /// How each annotator labelled the pairs that were shown again.
    pub repeats: Vec<SelfAgreement>,
}

/// How far annotators agree on some pairs.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Coefficients {
    /// Pairs that two or more decided.
    pub pairs: u64,
    /// Of these, decided alike by all who saw them.
    pub unanimous: u64,
    /// Share of the pairs of annotators who decided alike.
    pub observed: Option<Interval>,
    /// Gwet's AC1, with the names that were given on these pairs, two at least.
    pub ac1: Option<Interval>,
    /// Krippendorff's alpha.
    pub alpha: Option<Interval>,
    /// Fleiss's kappa, over the pairs that all decided.
    pub fleiss: Option<Interval>,
    /// How many those are.
    pub fleiss_pairs: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TwoRaters {
    pub a: String,
    pub b: String,
    /// Pairs that both decided.
    pub pairs: u64,
    /// How many of them got each two labels: rows by the label of `a`, columns by that of `b`, in the order of
    /// [`Label::ALL`].
    pub labels: [[u64; Label::ALL.len()]; Label::ALL.len()],
    /// Share of them decided alike.
    pub observed: f64,
    /// Share that chance would give.
    pub expected: f64,
    /// Cohen's kappa.
    pub kappa: Option<Interval>,
    pub ac1: Option<Interval>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StratumAgreement {
    pub name: String,
    /// Whether no configuration found its pairs.
    pub audit: bool,
    /// How far annotators agree in it.
    #[serde(flatten)]
    pub coefficients: Coefficients,
}

impl Agreement {
    /// Compares the labels that the journals give to these pairs, in one sample or anywhere.
    pub fn new(all: &[Annotations], units: &[Unit<'_>], sample: Option<&str>, confidence: f64) -> Self {
        let people: Vec<&Annotations> = all.iter().filter(|a| !is_adjudication(&a.annotator)).collect();
        // Whoever answered a pair in the sample is asked what their decision is, wherever they made it.
        let label = |a: &Annotations, unit: &Unit<'_>| {
            let decisions = &a.reading.decisions;
            decisions.label(unit.source, unit.target, sample)?;
            decisions.label(unit.source, unit.target, None)
        };
        let people: Vec<&Annotations> =
            people.into_iter().filter(|a| units.iter().any(|unit| label(a, unit).is_some())).collect();
        let row = |unit: &Unit<'_>| people.iter().map(|a| label(a, unit).and_then(rating)).collect::<Vec<_>>();
        let rated = Rated::new(units, row);
        let names: Vec<String> = people.iter().map(|a| a.annotator.clone()).collect();
        let audited = rated.names.iter().any(|(_, audit)| *audit);
        let (pool, uneven) = (rated.group(|_, audit| !audit, true), rated.uneven());
        let group = |keep: &dyn Fn(usize, bool) -> bool, weighted| {
            let known = Coefficients::new(&rated.group(keep, weighted), weighted, &rated.far, confidence);
            if weighted { known.allowing(rated.unseen(keep)) } else { known }
        };
        Self {
            sample: sample.map(str::to_owned),
            as_labelled: uneven.then(|| group(&|_, audit| !audit, false)),
            audit: audited.then(|| group(&|_, audit| audit, true)),
            everything: audited.then(|| group(&|_, _| true, true)),
            cohen: every_two(&pool, &names, confidence),
            strata: rated
                .in_order()
                .into_iter()
                .map(|(h, name, audit)| StratumAgreement {
                    name: name.to_owned(),
                    audit,
                    coefficients: group(&|stratum, _| stratum == h, true),
                })
                .collect(),
            repeats: people.iter().filter_map(|a| SelfAgreement::new(a, units, sample, confidence)).collect(),
            pool: group(&|_, audit| !audit, true),
            annotators: names,
        }
    }

    /// What the coefficients cover, in the words that every screen and report uses.
    pub fn scope(&self) -> String {
        match &self.sample {
            Some(sample) => format!("sample {sample}"),
            None => "all labels, in samples and outside them".to_owned(),
        }
    }
}

/// Pairs with what each annotator said, by stratum.
struct Rated<'a> {
    /// Names of the strata, and whether no configuration found their pairs.
    names: Vec<(&'a str, bool)>,
    /// For each stratum whether it lies in the audit where true pairs are hardly to be expected.
    far: Vec<bool>,
    /// Weights of all pairs of each stratum, labelled or not.
    totals: Vec<f64>,
    /// Number of the stratum, and what was said.
    rows: Vec<(usize, Row)>,
}

/// Rows of some strata.
type Group = Vec<(usize, Row)>;

/// The pairs of a group that a coefficient rests on, with the weights of all: those of each stratum still add up to what they
/// did.
fn resting_on(group: &Group, keep: impl Fn(&Row) -> bool) -> Group {
    let mut all: HashMap<usize, [f64; 2]> = HashMap::new();
    for (h, row) in group {
        let [whole, kept] = all.entry(*h).or_default();
        *whole += row.weight;
        *kept += if keep(row) { row.weight } else { 0.0 };
    }
    let scaled = |h: &usize, row: &Row| {
        let [whole, kept] = all[h];
        (*h, Row { weight: row.weight * whole / kept, ..row.clone() })
    };
    group.iter().filter(|(_, row)| keep(row)).map(|(h, row)| scaled(h, row)).collect()
}

impl<'a> Rated<'a> {
    fn new(units: &[Unit<'a>], row: impl Fn(&Unit<'a>) -> Vec<Option<usize>>) -> Self {
        let mut rated = Self { names: Vec::new(), far: Vec::new(), totals: Vec::new(), rows: Vec::new() };
        for unit in units {
            let name = (unit.stratum, unit.audit);
            let h = rated.names.iter().position(|other| *other == name).unwrap_or_else(|| {
                rated.names.push(name);
                rated.far.push(unit.audit && unit.far);
                rated.totals.push(0.0);
                rated.names.len() - 1
            });
            rated.totals[h] += unit.weight;
            rated.rows.push((h, Row { units: 1.0, weight: unit.weight, ratings: row(unit) }));
        }
        rated
    }

    /// The strata by name: number, name, whether of the audit.
    fn in_order(&self) -> Vec<(usize, &'a str, bool)> {
        let mut strata: Vec<(usize, &'a str, bool)> =
            self.names.iter().enumerate().map(|(h, (name, audit))| (h, *name, *audit)).collect();
        strata.sort_by_key(|(_, name, audit)| (*audit, *name));
        strata
    }

    /// Pairs of some strata that two or more decided, with weights that add up to those of their strata, or all alike.
    fn group(&self, keep: impl Fn(usize, bool) -> bool, weighted: bool) -> Group {
        let shared = self.rows.iter().filter(|(h, row)| keep(*h, self.names[*h].1) && row.given().len() > 1).cloned();
        if weighted {
            return self.scaled(shared.collect());
        }
        shared.map(|(h, row)| (h, Row { weight: 1.0, ..row })).collect()
    }

    fn scaled(&self, mut group: Group) -> Group {
        let mut labelled = vec![0.0; self.totals.len()];
        group.iter().for_each(|(h, row)| labelled[*h] += row.weight);
        group.iter_mut().for_each(|(h, row)| row.weight *= self.totals[*h] / labelled[*h]);
        group
    }

    /// The share of the pairs of some strata that lies in those of them where no two decided a pair.
    fn unseen(&self, keep: impl Fn(usize, bool) -> bool) -> f64 {
        let mut seen = vec![false; self.totals.len()];
        self.rows.iter().for_each(|(h, row)| seen[*h] |= row.given().len() > 1);
        let (mut all, mut unseen) = (0.0, 0.0);
        for h in (0..self.totals.len()).filter(|h| keep(*h, self.names[*h].1)) {
            all += self.totals[h];
            unseen += if seen[h] { 0.0 } else { self.totals[h] };
        }
        if all > 0.0 { unseen / all } else { 0.0 }
    }

    /// Whether labelled pairs of the pool stand for unequal numbers of pairs.
    fn uneven(&self) -> bool {
        let pool = self.group(|_, audit| !audit, true);
        let first = pool.first().map(|(_, row)| row.weight);
        pool.iter().any(|(_, row)| first.is_some_and(|first| (row.weight / first - 1.0).abs() > 1e-9))
    }
}

impl Coefficients {
    /// The same where on a share of the pairs people may agree or not: nobody knows, because no two decided any of them.
    fn allowing(self, unseen: f64) -> Self {
        let wider = |share: Interval| {
            let known = 1.0 - unseen;
            Interval { low: known * share.low, high: known * share.high + unseen, ..share }
        };
        Self { observed: self.observed.map(wider), ..self }
    }

    fn new(group: &Group, weighted: bool, far: &[bool], confidence: f64) -> Self {
        let strata = Strata::new(group.iter().cloned(), far);
        let by_all = |row: &Row| row.ratings.iter().all(Option::is_some);
        let whole: Group = match weighted {
            true => resting_on(group, by_all),
            false => group.iter().filter(|(_, row)| by_all(row)).cloned().collect(),
        };
        let unanimous = |row: &Row| row.given().windows(2).all(|two| two[0] == two[1]);
        let names = names_given(group);
        Self {
            pairs: group.len() as u64,
            unanimous: group.iter().filter(|(_, row)| unanimous(row)).count() as u64,
            observed: strata.interval(&observed, confidence),
            ac1: strata.interval(&|rows| gwet(rows, names), confidence),
            alpha: strata.interval(&krippendorff, confidence),
            fleiss_pairs: whole.len() as u64,
            fleiss: Strata::new(whole, far).interval(&fleiss, confidence),
        }
    }
}

/// How many different names were given.
fn names_given(group: &Group) -> usize {
    let given: std::collections::BTreeSet<usize> = group.iter().flat_map(|(_, row)| row.given()).collect();
    given.len()
}

fn every_two(pool: &Group, names: &[String], confidence: f64) -> Vec<TwoRaters> {
    let mut all = Vec::new();
    for a in 0..names.len() {
        for b in a + 1..names.len() {
            let two = |row: &Row| Row { ratings: vec![row.ratings[a], row.ratings[b]], ..row.clone() };
            let both = resting_on(pool, |row| row.ratings[a].is_some() && row.ratings[b].is_some());
            let both: Group = both.iter().map(|(h, row)| (*h, two(row))).collect();
            let rows: Vec<Row> = both.iter().map(|(_, row)| row.clone()).collect();
            let Some((observed, expected, _)) = cohen(&rows, 0, 1) else { continue };
            let (given, strata) = (names_given(&both), Strata::new(both, &[]));
            all.push(TwoRaters {
                a: names[a].clone(),
                b: names[b].clone(),
                pairs: rows.len() as u64,
                labels: cross_table(&rows),
                observed,
                expected,
                kappa: strata.interval(&|rows| cohen(rows, 0, 1)?.2, confidence),
                ac1: strata.interval(&|rows| gwet(rows, given), confidence),
            });
        }
    }
    all
}

/// Counts the pairs by the labels of two annotators.
fn cross_table(rows: &[Row]) -> [[u64; Label::ALL.len()]; Label::ALL.len()] {
    let mut table = [[0; Label::ALL.len()]; Label::ALL.len()];
    for row in rows {
        if let [Some(a), Some(b)] = row.ratings[..] {
            table[a][b] += 1;
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use dejaview_labels::{Decisions, Event, EventKind, Reading};

    fn unit<'a>(target: &'a str, stratum: &'a str) -> Unit<'a> {
        Unit { source: "s", target, stratum, weight: 1.0, audit: false, far: false }
    }

    fn annotations(annotator: &str, said: &[(&str, Label, bool)]) -> Annotations {
        let event = |(i, (target, label, repeat)): (usize, &(&str, Label, bool))| {
            let mut event = Event::new(EventKind::Label(*label), "s", target, "").in_sample("x");
            (event.seq, event.circumstances.repeat) = (i as u64 + 1, repeat.then_some(true));
            event.into()
        };
        let events: Vec<Arc<Event>> = said.iter().enumerate().map(event).collect();
        let reading = Reading { decisions: Decisions::replay(&events), events, problems: Vec::new() };
        Annotations { annotator: annotator.to_owned(), file: String::new(), reading }
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
        let units =
            [("a", "low"), ("b", "low"), ("c", "high"), ("d", "high")].map(|(target, stratum)| unit(target, stratum));
        let agreement = Agreement::new(&all, &units, Some("x"), 0.95);
        assert_eq!(agreement.annotators, ["ada", "bob"]);
        assert_eq!((agreement.pool.pairs, agreement.pool.unanimous, agreement.cohen[0].pairs), (2, 1, 2));
        assert_eq!(agreement.cohen[0].observed, 0.5);
        // Both said not of a; of b ada said not and bob near-duplicate.
        assert_eq!(agreement.cohen[0].labels, [[0, 0, 0], [1, 1, 0], [0, 0, 0]]);
        let strata: Vec<(&str, u64)> =
            agreement.strata.iter().map(|s| (s.name.as_str(), s.coefficients.pairs)).collect();
        assert_eq!(strata, [("high", 0), ("low", 2)]);
        assert_eq!(agreement.repeats.len(), 1);
        assert_eq!((agreement.repeats[0].pairs, agreement.repeats[0].same), (1, 0));
        let elsewhere = Agreement::new(&all, &units, Some("y"), 0.95);
        assert!(elsewhere.annotators.is_empty() && elsewhere.pool.alpha.is_none());
    }

    /// Labels of two people as `(a, b)` on numbered targets.
    fn two_people(said: &[(Label, Label)]) -> [Annotations; 2] {
        let targets: Vec<String> = (0..said.len()).map(|i| format!("t{i:03}")).collect();
        let of = |name: &str, which: fn(&(Label, Label)) -> Label| {
            let said: Vec<(&str, Label, bool)> =
                targets.iter().zip(said).map(|(target, two)| (target.as_str(), which(two), false)).collect();
            annotations(name, &said)
        };
        [of("ada", |two| two.0), of("bob", |two| two.1)]
    }

    #[test]
    fn strata_where_no_two_decided_a_pair_may_be_either() {
        let targets: Vec<String> = (0..40).map(|i| format!("t{i:03}")).collect();
        let people = two_people(&[(Label::Not, Label::Not); 40]);
        let seen: Vec<Unit<'_>> = targets.iter().map(|target| unit(target, "seen")).collect();
        let of = |units: &[Unit<'_>]| Agreement::new(&people, units, Some("x"), 0.95);
        let known = of(&seen).pool.observed.unwrap();
        let nobody = [Unit { weight: 10.0, ..unit("u", "unseen") }];
        let pool = of(&[&seen[..], &nobody].concat());
        let share = pool.pool.observed.unwrap();
        assert_eq!(share.value, 1.0);
        assert!((share.low - 0.8 * known.low).abs() < 1e-12 && (share.high - 1.0).abs() < 1e-12, "{share:?}");
        let audit = [Unit { audit: true, weight: 40.0, ..unit("u", "unseen") }];
        let audited = of(&[&seen[..], &audit].concat());
        assert_eq!(audited.pool.observed, Some(known), "an audit is another question");
        let everything = audited.everything.unwrap().observed.unwrap();
        assert!((everything.low - 0.5 * known.low).abs() < 1e-12, "{everything:?}");
    }

    /// Twenty pairs of the pool on which two people agree no better than chance, then as many of the audit as one likes,
    /// all of them plainly others: over both together alpha would rise as far as one likes.
    #[test]
    fn an_audit_never_moves_the_headline() {
        use Label::{NearDuplicate as Yes, Not};
        let mut said = vec![(Yes, Yes); 16];
        said.extend([(Yes, Not), (Yes, Not), (Not, Yes), (Not, Yes)]);
        let mut headlines = Vec::new();
        for audit in [0, 80] {
            let mut said = said.clone();
            said.extend(vec![(Not, Not); audit]);
            let targets: Vec<String> = (0..said.len()).map(|i| format!("t{i:03}")).collect();
            let units: Vec<Unit<'_>> = targets
                .iter()
                .enumerate()
                .map(|(i, target)| Unit { audit: i >= 20, ..unit(target, if i < 20 { "all" } else { "audit" }) })
                .collect();
            let found = Agreement::new(&two_people(&said), &units, Some("x"), 0.95);
            let alpha = found.pool.alpha.unwrap();
            assert!(alpha.value < 0.0 && found.pool.ac1.unwrap().value > 0.7, "{alpha:?}");
            if let (Some(apart), Some(both)) = (&found.audit, &found.everything) {
                assert_eq!((apart.pairs, apart.unanimous, apart.alpha), (80, 80, None), "one name only");
                let ac1 = apart.ac1.unwrap();
                assert!(ac1.value == 1.0 && ac1.low < 0.99, "{ac1:?}");
                assert!(both.alpha.unwrap().value > 0.7, "what pooling would have said: {both:?}");
            }
            headlines.push((found.pool, found.cohen));
        }
        assert_eq!(headlines[0], headlines[1]);
    }

    /// Ten pairs of each of two strata; one stands for 90 pairs, the other for 10.
    #[test]
    fn a_pair_counts_with_its_weight() {
        use Label::{NearDuplicate as Yes, Not};
        let mut said = vec![(Yes, Yes); 10];
        said.extend([(Yes, Not), (Not, Yes), (Not, Not), (Not, Not), (Yes, Yes)]);
        said.extend([(Yes, Not), (Not, Yes), (Not, Not), (Not, Not), (Yes, Yes)]);
        let targets: Vec<String> = (0..said.len()).map(|i| format!("t{i:03}")).collect();
        let weighted = |heavy: f64| {
            let of = |(i, target): (usize, &'_ String)| (i < 10, target.clone());
            let named: Vec<(bool, String)> = targets.iter().enumerate().map(of).collect();
            let units: Vec<Unit<'_>> = named
                .iter()
                .map(|(easy, target)| Unit {
                    weight: if *easy { heavy } else { 1.0 },
                    ..unit(target, if *easy { "easy" } else { "hard" })
                })
                .collect();
            Agreement::new(&two_people(&said), &units, Some("x"), 0.95)
        };
        let even = weighted(1.0);
        assert_eq!((even.as_labelled.clone(), even.pool.observed.unwrap().value), (None, 0.8));
        let found = weighted(9.0);
        assert!((found.pool.observed.unwrap().value - 0.96).abs() < 1e-12, "0.9·1 + 0.1·0.6");
        assert_eq!(found.as_labelled.map(|plain| plain.alpha), Some(even.pool.alpha));
        assert_eq!(found.cohen[0].pairs, 20);
        assert!((found.cohen[0].observed - 0.96).abs() < 1e-12);
    }

    /// Three annotators: one saw all pairs of the small stratum, and agrees, but few of the large one, and differs there. Every
    /// coefficient of these pairs is of the population all the same.
    #[test]
    fn who_saw_few_pairs_of_a_stratum_gives_them_its_weight() {
        use Label::{NearDuplicate as Yes, Not};
        let targets: Vec<String> = (0..40).map(|i| format!("t{i:03}")).collect();
        let (small, few) = (|i: usize| i < 20, |i: usize| i < 24);
        let units: Vec<Unit<'_>> = targets
            .iter()
            .enumerate()
            .map(|(i, target)| Unit {
                weight: if small(i) { 1.0 } else { 19.0 },
                ..unit(target, if small(i) { "small" } else { "large" })
            })
            .collect();
        let said = |label: &dyn Fn(usize) -> Label, saw: &dyn Fn(usize) -> bool| -> Vec<(&str, Label, bool)> {
            (0..40).filter(|i| saw(*i)).map(|i| (&*targets[i], label(i), false)).collect()
        };
        let label = |i: usize| if i.is_multiple_of(2) { Yes } else { Not };
        let other = |i: usize| if small(i) == i.is_multiple_of(2) { Yes } else { Not };
        let people = [
            annotations("ada", &said(&label, &|_| true)),
            annotations("bob", &said(&label, &|_| true)),
            annotations("cyd", &said(&other, &few)),
        ];
        let found = Agreement::new(&people, &units, Some("x"), 0.95);
        let of = |a: &str, b: &str| found.cohen.iter().find(|two| (&*two.a, &*two.b) == (a, b)).unwrap();
        assert_eq!((of("ada", "bob").observed, of("ada", "cyd").pairs), (1.0, 24));
        assert!((of("ada", "cyd").observed - 20.0 / 400.0).abs() < 1e-12, "20 of 400 pairs: {found:?}");
        // Of three who judge a pair of the large stratum one differs: a third of the pairs of annotators agree.
        let observed = (20.0 + 380.0 / 3.0) / 400.0;
        let kappa = (observed - 0.5) / 0.5;
        assert_eq!(found.pool.fleiss_pairs, 24);
        assert!((found.pool.fleiss.unwrap().value - kappa).abs() < 1e-9, "{:?}", found.pool.fleiss);
    }

    #[test]
    fn five_repeats_all_alike_leave_something_open() {
        use Label::{NearDuplicate as Yes, Not};
        let targets = ["a", "b", "c", "d", "e"];
        let label = |i: usize| if i.is_multiple_of(2) { Yes } else { Not };
        let said: Vec<(&str, Label, bool)> = [false, true]
            .into_iter()
            .flat_map(|again| targets.iter().enumerate().map(move |(i, target)| (*target, label(i), again)))
            .collect();
        let units = targets.map(|target| unit(target, "all"));
        let found = Agreement::new(&[annotations("ada", &said)], &units, Some("x"), 0.95);
        let again = &found.repeats[0];
        assert_eq!((again.pairs, again.same), (5, 5));
        let (share, kappa) = (again.share.unwrap(), again.kappa.unwrap());
        // Clopper and Pearson: 0.025^(1/5) = 0.478.
        assert!((share.low - 0.4782).abs() < 1e-4 && share.high == 1.0, "{share:?}");
        assert!(kappa.value == 1.0 && kappa.low < 0.3, "{kappa:?}");
    }
}
