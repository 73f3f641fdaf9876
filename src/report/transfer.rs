//! A transfer of judgments: its tables, the new qrels and the ledger.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use crate::numbers::{count, percent, plural};
use crate::result::Report;
use crate::table::Table;
use crate::topics::{TopicName, grades_cell, judged_names};
use dejaview_base::escaping::escape_id;
use dejaview_evaluation::transfer::{Accept, Carried, Conflict, FanOut, LedgerEntry, Status};
use dejaview_study::{ChangedSample, Effect, Effects, System, Transfer, WrongPairs};

/// Most conflicts that the table lists; JSON lists all.
const LISTED: usize = 20;

/// A transfer, the files that were written, and what it does to the ranking of systems.
#[derive(Debug, Serialize)]
pub struct TransferReport<'a> {
    policy: &'static str,
    accept: String,
    by: &'static str,
    configurations: &'a [String],
    judgments: usize,
    transferred: u64,
    standing: u64,
    lines: usize,
    first_not_best: u64,
    unused: u64,
    conflicts: usize,
    conflicting: Vec<ConflictRow<'a>>,
    fan_out: FanOut,
    widest: Option<&'a str>,
    left_behind: &'a BTreeMap<&'static str, u64>,
    own: u64,
    against_own: u64,
    wrong: Option<&'a WrongPairs>,
    files: Vec<String>,
    changed: Vec<ChangedSample>,
    effect: Option<Effects>,
    #[serde(skip)]
    transfer: &'a Transfer,
}

/// A target with several grades for one topic.
#[derive(Debug, Serialize)]
struct ConflictRow<'a> {
    #[serde(flatten)]
    topic: TopicName<'a>,
    target: &'a str,
    judgments: Vec<JudgedSource<'a>>,
}

#[derive(Debug, Serialize)]
struct JudgedSource<'a> {
    source: &'a str,
    grade: &'a str,
}

impl<'a> TransferReport<'a> {
    /// The transfer alone; [`Self::with_results`] adds what was written and measured.
    pub fn new(transfer: &'a Transfer) -> Self {
        let (outcome, judgments) = (&transfer.outcome, &transfer.judgments);
        Self {
            policy: transfer.order.policy.name(),
            accept: transfer.order.accept.to_string(),
            by: transfer.by.name(),
            configurations: &transfer.configurations,
            judgments: judgments.rows().len(),
            transferred: outcome.transferred,
            standing: outcome.standing(),
            lines: outcome.qrels.len(),
            first_not_best: outcome.first_not_best,
            unused: outcome.unused,
            conflicts: outcome.conflicts.len(),
            conflicting: outcome.conflicts.iter().map(|conflict| ConflictRow::new(transfer, conflict)).collect(),
            fan_out: outcome.fan_out,
            widest: outcome.widest.map(|document| judgments.documents()[document as usize].as_str()),
            left_behind: &outcome.left_behind,
            own: outcome.own,
            against_own: outcome.against_own,
            wrong: transfer.wrong.as_ref(),
            files: Vec::new(),
            changed: Vec::new(),
            effect: None,
            transfer,
        }
    }

    /// Adds the files that were written, the samples that no longer fit the pairs, and the effect on runs.
    #[must_use]
    pub fn with_results(self, files: &[PathBuf], changed: Vec<ChangedSample>, effect: Option<Effects>) -> Self {
        let files = files.iter().map(|file| file.display().to_string()).collect();
        Self { files, changed, effect, ..self }
    }
}

impl<'a> ConflictRow<'a> {
    fn new(transfer: &'a Transfer, conflict: &Conflict) -> Self {
        let judgments = &transfer.judgments;
        let named = |&(document, grade): &(u32, u32)| {
            let (source, grade) = judged_names(judgments, document, grade);
            JudgedSource { source, grade }
        };
        Self {
            topic: TopicName::new(judgments, conflict.topic),
            target: &transfer.targets[conflict.target as usize],
            judgments: conflict.judgments.iter().map(named).collect(),
        }
    }
}

impl Report for TransferReport<'_> {
    fn tables(&self) -> Vec<Table> {
        let mut tables = vec![summary(self), left_behind(self)];
        if !self.conflicting.is_empty() {
            tables.push(conflicts(&self.conflicting));
        }
        tables.extend(self.effect.as_ref().map(effects));
        tables
    }
}

fn summary(report: &TransferReport<'_>) -> Table {
    let (transfer, outcome) = (report.transfer, &report.transfer.outcome);
    let title =
        format!("Judgments carried over: policy {}, accepted {}, best by {}", report.policy, report.accept, report.by);
    let mut table = Table::new("transfer", title, &["", "number"]).right([1]);
    let status = |status: Status| outcome.entries.iter().filter(|e| e.status == status).count() as u64;
    table.row(["judgments".to_owned(), count(report.judgments as u64)]);
    table.row(["with an accepted target".to_owned(), count(report.transferred)]);
    table.row(["whose grade stands in the new qrels".to_owned(), count(report.standing)]);
    table.row(["lines of the new qrels".to_owned(), count(report.lines as u64)]);
    if transfer.both > 0 {
        table.row(["own judgments of documents on both sides among them".to_owned(), count(report.own)]);
    }
    table.row(["same line as another judgment".to_owned(), count(status(Status::Same))]);
    table.row(["overruled by another grade".to_owned(), count(status(Status::Overruled))]);
    table.row(["judgments whose first accepted pair is not the best".to_owned(), count(report.first_not_best)]);
    table.row(["pairs of topic and target that the policy does not use".to_owned(), count(report.unused)]);
    table.row(["pairs of topic and target where different grades meet".to_owned(), count(report.conflicts as u64)]);
    if transfer.both > 0 {
        table.row(["of which one grade is the target's own, and stands".to_owned(), count(report.against_own)]);
    }
    if report.conflicts > 0 {
        table.note(
            "where grades meet, a target counts once for a topic, whichever judgments reach it; the grade conflicts of the explorer \
             count judgments instead: those with a near-duplicate, by a Jaccard of 0.9 or more, that has another grade",
        );
    }
    let widest = report.widest.unwrap_or_default();
    table.note(format!(
        "accepted targets per judged document: {:.2} on average, at most {} ({widest})",
        report.fan_out.mean, report.fan_out.max
    ));
    table.note(wrong_pairs(transfer));
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

/// How many of the pairs that carry judgments are wrong, as far as labels say.
fn wrong_pairs(transfer: &Transfer) -> String {
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

fn left_behind(report: &TransferReport<'_>) -> Table {
    let mut table = Table::new("left", "Judgments left behind", &["why", "judgments"]).right([1]);
    for (why, n) in report.left_behind {
        table.row([(*why).to_owned(), count(*n)]);
    }
    table
}

fn conflicts(conflicting: &[ConflictRow<'_>]) -> Table {
    let title = "Targets with several grades for one topic";
    let mut table = Table::new("conflicts", title, &["track", "topic", "target", "judged documents and their grades"]);
    for ConflictRow { topic, target, judgments } in conflicting.iter().take(LISTED) {
        let judged = grades_cell(judgments.iter().map(|judged| (judged.source, judged.grade)));
        table.row([topic.track.to_owned(), topic.number(), (*target).to_owned(), judged]);
    }
    let more = conflicting.len().saturating_sub(LISTED);
    if more > 0 {
        table.note(format!("and {} more (--json lists all)", count(more as u64)));
    }
    table
}

/// The effect of the transfer on the ranking of systems.
fn effects(effects: &Effects) -> Table {
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

/// The new qrels, track by track: `topic 0 document grade`, with the subtopic in column 2 where there are subtopics.
pub fn qrels(transfer: &Transfer) -> BTreeMap<String, Vec<String>> {
    let judgments = &transfer.judgments;
    let mut lines: Vec<(&Carried, TopicName<'_>)> =
        transfer.outcome.qrels.iter().map(|line| (line, TopicName::new(judgments, line.topic))).collect();
    let number = |text: &str| text.parse::<u64>().unwrap_or(u64::MAX);
    lines.sort_by_key(|(line, TopicName { track, topic, subtopic })| {
        let place = (*track, number(topic), *topic, number(subtopic), *subtopic);
        (place, transfer.targets[line.target as usize].as_str())
    });
    let mut tracks: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for track in judgments.tracks() {
        tracks.entry(track.clone()).or_default();
    }
    for (line, TopicName { track, topic, subtopic }) in lines {
        let second = if subtopic.is_empty() { "0" } else { subtopic };
        let target = escape_id(&transfer.targets[line.target as usize]);
        let grade = &judgments.grades()[line.grade as usize];
        tracks.entry(track.to_owned()).or_default().push(format!("{topic} {second} {target} {grade}"));
    }
    tracks
}

pub const LEDGER_COLUMNS: [&str; 11] =
    ["track", "topic", "subtopic", "source", "grade", "target", "score", "rank", "label", "status", "why"];

pub fn ledger_line(transfer: &Transfer, entry: &LedgerEntry) -> String {
    let judgments = &transfer.judgments;
    let row = &judgments.rows()[entry.judgment as usize];
    let TopicName { track, topic, subtopic } = TopicName::new(judgments, row.topic);
    let target = entry.link.map_or("", |link| transfer.targets[link.target as usize].as_str());
    let score = entry.link.and_then(|link| link.score).map_or(String::new(), |score| format!("{score}"));
    // Only imported pairs have a rank; others are numbered beyond `u32`.
    let rank = entry.link.map(|link| link.rank).filter(|rank| *rank <= u64::from(u32::MAX));
    let rank = rank.map_or(String::new(), |rank| rank.to_string());
    let label = entry.link.map_or("", |link| link.label.name());
    let source = &judgments.documents()[row.document as usize];
    let grade = &judgments.grades()[row.grade as usize];
    let (source, target) = (escape_id(source), escape_id(target));
    [track, topic, subtopic, &source, grade, &target, &score, &rank, label, entry.status.name(), entry.why].join("\t")
}
