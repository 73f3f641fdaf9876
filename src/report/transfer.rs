//! A transfer of judgments as tables, qrels and a ledger.

use std::collections::BTreeMap;

use crate::numbers::{count, percent, plural};
use crate::table::Table;
use dejaview_corpus::qrels::Judgments;
use dejaview_evaluation::transfer::{Accept, Carried, LedgerEntry, Status};
use dejaview_study::{Effect, Effects, System, Transfer};

/// Conflicts that a table for people lists.
const LISTED: usize = 20;

/// What was carried, what was left, what contradicts itself.
pub fn tables(transfer: &Transfer) -> Vec<Table> {
    let mut tables = vec![summary(transfer), left(transfer)];
    if !transfer.outcome.conflicts.is_empty() {
        tables.push(conflicts(transfer));
    }
    tables
}

fn summary(transfer: &Transfer) -> Table {
    let outcome = &transfer.outcome;
    let title = format!(
        "Judgments carried over: policy {}, accepted {}, best by {}",
        transfer.order.policy.name(),
        transfer.order.accept,
        transfer.by.name()
    );
    let mut table = Table::new("transfer", title, &["", "number"]).right([1]);
    let status = |status: Status| outcome.entries.iter().filter(|e| e.status == status).count() as u64;
    table.row(["judgments".to_owned(), count(transfer.judgments.rows().len() as u64)]);
    table.row(["with an accepted target".to_owned(), count(outcome.transferred)]);
    table.row(["whose grade stands in the new qrels".to_owned(), count(outcome.standing())]);
    table.row(["lines of the new qrels".to_owned(), count(outcome.qrels.len() as u64)]);
    if transfer.both > 0 {
        table.row(["own judgments of documents on both sides among them".to_owned(), count(outcome.own)]);
    }
    table.row(["same line as another judgment".to_owned(), count(status(Status::Same))]);
    table.row(["overruled by another grade".to_owned(), count(status(Status::Overruled))]);
    table.row(["judgments whose first accepted pair is not the best".to_owned(), count(outcome.first_not_best)]);
    table.row(["pairs of topic and target that the policy does not use".to_owned(), count(outcome.unused)]);
    table.row(["pairs of topic and target with conflicting grades".to_owned(), count(outcome.conflicts.len() as u64)]);
    if transfer.both > 0 {
        table.row(["of which one grade is the target's own, and stands".to_owned(), count(outcome.against_own)]);
    }
    let widest = outcome.widest.map_or("", |document| transfer.judgments.documents()[document as usize].as_str());
    table.note(format!(
        "accepted targets per judged document: {:.2} on average, at most {} ({widest})",
        outcome.fan_out.mean, outcome.fan_out.max
    ));
    table.note(wrong(transfer));
    if transfer.both > 0 {
        table.note(format!(
            "{} stand in the target themselves: what is judged of them holds there, so their own judgments are lines of the new \
             qrels, and nothing is carried onto them for a topic that they are judged for (“judged already”)",
            plural(transfer.both, "judged document")
        ));
    }
    table.note(format!("pairs of {}", transfer.configurations.join(", ")));
    table
}

fn wrong(transfer: &Transfer) -> String {
    let draws = format!(
        "`dejaview sample STUDY --from transfer --policy {} --accept {}` draws a sample of them",
        transfer.order.policy.name(),
        transfer.order.accept
    );
    let Some(wrong) = &transfer.wrong else {
        return match transfer.order.accept {
            Accept::Labels => "wrong: none as far as labels tell, which decide what is accepted".to_owned(),
            _ => format!("how many pairs are wrong is not known, as none of them is labelled; {draws}, to be labelled"),
        };
    };
    let doubtful = match (wrong.unsure, wrong.disputed) {
        (0, 0) => String::new(),
        (unsure, disputed) => format!("; beside them {unsure} unsure and {disputed} disputed"),
    };
    let either = if doubtful.is_empty() { "" } else { ", pairs in doubt counted either way" };
    let labelled = match (wrong.not, wrong.labelled) {
        (0, 1) => "the only labelled one is a near-duplicate".to_owned(),
        (0, all) => format!("all {all} labelled ones are near-duplicates"),
        (1, all) => format!("1 of {all} labelled ones is not a near-duplicate and carries nothing"),
        (not, all) => format!("{not} of {all} labelled ones are not near-duplicates and carry nothing"),
    };
    let pool = format!("of the {} pairs taken without looking at labels", count(wrong.pool));
    match (&wrong.share, &wrong.sample, wrong.interval) {
        (Some(share), Some(name), Some(interval)) => format!(
            "wrong: {} ({:.1} to {:.1} %, 95 %, {}{either}) {pool}; in sample {name} {labelled}{doubtful}",
            percent(share.value, 1),
            100.0 * share.low,
            100.0 * share.high,
            if interval == "exact" { "exact for these pairs" } else { "by the weights of the sample" },
        ),
        _ if wrong.labelled == 0 => {
            format!("how many pairs are wrong is not known, as no label of them decides{doubtful}; {draws}")
        }
        _ => format!(
            "{pool}, {labelled}{doubtful}; how many of all pairs are wrong is not known, as no sample that was drawn from all of \
             them has labels: {draws}"
        ),
    }
}

fn left(transfer: &Transfer) -> Table {
    let mut table = Table::new("left", "Judgments left behind", &["why", "judgments"]).right([1]);
    for (why, n) in &transfer.outcome.left_behind {
        table.row([(*why).to_owned(), count(*n)]);
    }
    table
}

fn conflicts(transfer: &Transfer) -> Table {
    let title = "Targets with several grades for one topic";
    let mut table = Table::new("conflicts", title, &["track", "topic", "target", "judged documents and their grades"]);
    let judgments = &transfer.judgments;
    for conflict in transfer.outcome.conflicts.iter().take(LISTED) {
        let [track, topic, subtopic] = topic_of(judgments, conflict.topic);
        let judged: Vec<String> = conflict
            .judgments
            .iter()
            .map(|&(d, g)| format!("{} {}", judgments.documents()[d as usize], judgments.grades()[g as usize]))
            .collect();
        let topic = if subtopic.is_empty() { topic.to_owned() } else { format!("{topic}.{subtopic}") };
        let target = transfer.targets[conflict.target as usize].clone();
        table.row([track.to_owned(), topic, target, judged.join(", ")]);
    }
    let more = transfer.outcome.conflicts.len().saturating_sub(LISTED);
    if more > 0 {
        table.note(format!("and {} more (--json lists all)", count(more as u64)));
    }
    table
}

/// What the transfer does to the ranking of systems.
pub fn effects(effects: &Effects) -> Table {
    let mut head = vec!["system".to_owned()];
    for effect in &effects.measures {
        head.extend([format!("{} before", effect.measure), "after".to_owned(), "difference".to_owned()]);
    }
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table = Table::new("effect", "Systems before and after", &head).right(1..head.len());
    let number = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.4}"));
    let systems = effects.measures.first().map_or(0, |effect| effect.systems.len());
    for i in 0..systems {
        let mut cells = vec![effects.measures[0].systems[i].tag.clone()];
        for effect in &effects.measures {
            let system = &effect.systems[i];
            cells.extend([number(system.before), number(system.after), difference(system)]);
        }
        table.row(cells);
    }
    let tau = |effect: &Effect| {
        let ends = effect.tau_interval.map(|i| format!(" ({:.4} to {:.4})", i.low, i.high)).unwrap_or_default();
        format!("{} {}{ends}", effect.measure, number(effect.tau))
    };
    let taus: Vec<String> = effects.measures.iter().map(tau).collect();
    table.note(format!("Kendall's tau-b between before and after: {}", taus.join(", ")));
    table.note(effects.compared);
    table.note(format!(
        "track {}: {} of the {} topics judged before and {} after are common and compared; means over those that a run has, \
         as trec_eval has them",
        effects.track,
        effects.common,
        effects.topics[0],
        effects.topics[1]
    ));
    table.note("intervals: 95 %, bootstrap over the common topics; none for fewer than two");
    table
}

/// After minus before, with its interval.
fn difference(system: &System) -> String {
    match (system.difference, system.before, system.after) {
        (Some(i), ..) => format!("{:+.4} ({:+.4} to {:+.4})", i.value, i.low, i.high),
        (None, Some(before), Some(after)) => format!("{:+.4}", after - before),
        _ => "–".to_owned(),
    }
}

/// Track, number and subtopic of a topic.
pub fn topic_of(judgments: &Judgments, topic: u32) -> [&str; 3] {
    let topic = &judgments.topics()[topic as usize];
    [&judgments.tracks()[topic.track as usize], &topic.number, &topic.subtopic]
}

/// The new qrels, track by track: `topic 0 document grade`, with the subtopic in column 2 where there are subtopics.
pub fn qrels(transfer: &Transfer) -> BTreeMap<String, Vec<String>> {
    let judgments = &transfer.judgments;
    let mut lines: Vec<(&Carried, [&str; 3])> =
        transfer.outcome.qrels.iter().map(|line| (line, topic_of(judgments, line.topic))).collect();
    let number = |text: &str| text.parse::<u64>().unwrap_or(u64::MAX);
    lines.sort_by_key(|(line, [track, topic, subtopic])| {
        let place = (*track, number(topic), *topic, number(subtopic), *subtopic);
        (place, transfer.targets[line.target as usize].as_str())
    });
    let mut tracks: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for track in judgments.tracks() {
        tracks.entry(track.clone()).or_default();
    }
    for (line, [track, topic, subtopic]) in lines {
        let second = if subtopic.is_empty() { "0" } else { subtopic };
        let target = &transfer.targets[line.target as usize];
        let grade = &judgments.grades()[line.grade as usize];
        tracks.entry(track.to_owned()).or_default().push(format!("{topic} {second} {target} {grade}"));
    }
    tracks
}

/// Columns of the ledger.
pub const LEDGER: [&str; 11] =
    ["track", "topic", "subtopic", "source", "grade", "target", "score", "rank", "label", "status", "why"];

/// A line of the ledger.
pub fn ledger_line(transfer: &Transfer, entry: &LedgerEntry) -> String {
    let judgments = &transfer.judgments;
    let row = &judgments.rows()[entry.judgment as usize];
    let [track, topic, subtopic] = topic_of(judgments, row.topic);
    let target = entry.link.map_or("", |link| transfer.targets[link.target as usize].as_str());
    let score = entry.link.and_then(|link| link.score).map_or(String::new(), |score| format!("{score}"));
    // Only imported pairs have a place of their own.
    let rank = entry.link.map(|link| link.rank).filter(|rank| *rank <= u64::from(u32::MAX));
    let rank = rank.map_or(String::new(), |rank| rank.to_string());
    let label = entry.link.map_or("", |link| link.label.name());
    let source = &judgments.documents()[row.document as usize];
    let grade = &judgments.grades()[row.grade as usize];
    [track, topic, subtopic, source, grade, target, &score, &rank, label, entry.status.name(), entry.why].join("\t")
}
