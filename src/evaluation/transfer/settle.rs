//! Which grade a line of the new qrels gets where several judgments meet, and what becomes of the others.

use std::collections::BTreeMap;

use super::ledger::{LedgerEntry, Status};
use super::outcome::{Carried, Outcome};
use super::policy::Policy;
use dejaview_corpus::qrels::Judgments;

/// Gives each topic and target one grade, and says of each entry what became of it.
pub(super) fn settle(judgments: &Judgments, outcome: &mut Outcome, policy: Policy) {
    let rows = judgments.rows();
    let mut meeting: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    for (i, entry) in outcome.entries.iter().enumerate() {
        if let Some(link) = entry.taken() {
            meeting.entry((rows[entry.judgment as usize].topic, link.target)).or_default().push(i);
        }
    }
    for ((topic, target), met) in meeting {
        let row = |i: usize| &rows[outcome.entries[i].judgment as usize];
        // However they are written.
        let grade_of = |i: usize| judgments.first_of_same(row(i).grade);
        let voted = match policy {
            Policy::Vote => most_voted(&judgments.votes(met.iter().map(|&i| outcome.entries[i].judgment))),
            _ => Vec::new(),
        };
        let winner = match &voted[..] {
            [] => best_of(&outcome.entries, &met),
            // Their pairs may differ in score, and the grade is the same whichever of them stands for it.
            [one] => met.iter().copied().find(|&i| grade_of(i) == *one).unwrap_or_default(),
            tied => {
                let met: Vec<usize> = met.iter().copied().filter(|&i| tied.contains(&grade_of(i))).collect();
                best_of(&outcome.entries, &met)
            }
        };
        let (grade, written) = (grade_of(winner), row(winner).grade);
        let source = |i: usize| outcome.entries[i].link.map(|link| link.source);
        let alike: Vec<bool> = met.iter().map(|&i| source(i) == source(winner)).collect();
        let grades: Vec<u32> = met.iter().map(|&i| grade_of(i)).collect();
        for ((&i, other), alike) in met.iter().zip(grades).zip(alike) {
            let outvoted = !voted.is_empty() && !voted.contains(&other);
            (outcome.entries[i].status, outcome.entries[i].why) = match (i == winner, other == grade, voted.len()) {
                (true, _, 1) if met.len() > 1 => {
                    (Status::Carried, "most judged documents of this topic and target say so")
                }
                (true, _, 2..) => (Status::Carried, "the best pair of the grades that tie for most judged documents"),
                (true, ..) => (Status::Carried, chosen_by(policy)),
                (_, true, _) => (Status::Same, "another judgment of this topic and target has the same grade"),
                _ if outvoted => {
                    (Status::Overruled, "more judged documents of this topic and target have another grade")
                }
                (_, _, 2..) => {
                    (Status::Overruled, "as many judged documents have another grade, one of them by a better pair")
                }
                _ if alike => (Status::Overruled, "another judgment of its document for this topic has another grade"),
                _ => (Status::Overruled, "a better pair of this topic and target has another grade"),
            };
        }
        outcome.qrels.push(Carried { topic, target, grade: written });
    }
    settle_own(judgments, outcome);
}

/// Adds the judgments of documents that stand in the target themselves. Of several of one topic the first stands.
fn settle_own(judgments: &Judgments, outcome: &mut Outcome) {
    let rows = judgments.rows();
    let mut stands: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for entry in outcome.entries.iter_mut().filter(|entry| entry.status == Status::Own) {
        let (row, Some(link)) = (&rows[entry.judgment as usize], entry.link) else { continue };
        let grade = *stands.entry((row.topic, link.target)).or_insert(row.grade);
        if judgments.first_of_same(grade) != judgments.first_of_same(row.grade) {
            let why = "an earlier judgment of its document for this topic has another grade";
            (entry.status, entry.why) = (Status::Overruled, why);
        }
    }
    let own = stands.into_iter().map(|((topic, target), grade)| Carried { topic, target, grade });
    outcome.own = own.len() as u64;
    outcome.qrels.extend(own);
    outcome.qrels.sort_unstable();
}

fn chosen_by(policy: Policy) -> &'static str {
    match policy {
        Policy::Best => "the best accepted pair of its document",
        Policy::First => "the first accepted pair of its document",
        Policy::All | Policy::Vote => "an accepted pair of its document",
    }
}

/// The entry with the highest score; of equal ones that with the lowest rank.
fn best_of(entries: &[LedgerEntry], met: &[usize]) -> usize {
    let key = |i: usize| {
        let link = entries[i].link;
        let score = link.and_then(|link| link.score).unwrap_or(f64::NEG_INFINITY);
        (score, std::cmp::Reverse(link.map_or(u64::MAX, |link| link.rank)))
    };
    let better = |a: usize, b: usize| {
        let ((x, r), (y, s)) = (key(a), key(b));
        if y.total_cmp(&x).then(s.cmp(&r)).is_gt() { b } else { a }
    };
    met.iter().copied().reduce(better).unwrap_or_default()
}

/// The grades that most documents have: several on a tie.
fn most_voted(votes: &BTreeMap<u32, usize>) -> Vec<u32> {
    let most = votes.values().max();
    votes.iter().filter(|(_, count)| Some(*count) == most).map(|(grade, _)| *grade).collect()
}
