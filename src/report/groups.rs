//! Groups of near-duplicates as tables.

use crate::fitting::cut;
use crate::numbers::{count, percent, plural};
use crate::table::Table;
use crate::transfer::topic_of;
use dejaview_evaluation::groups::Group;
use dejaview_study::{Groups, SharedText, Twinned, Twins};

/// Characters of a shared text that a table for people shows.
const SHOWN: usize = 60;

/// Configurations that a title names; more of them stand in a note.
const NAMED: usize = 3;

/// The groups, each with what its members share.
pub fn table(groups: &Groups, named: &[(&Group, Option<SharedText>)]) -> Table {
    let head =
        ["size", "source", "target", "direct", "weakest link", "bridges", "representative", "kind", "shared text"];
    let mut table = Table::new("groups", title(groups), &head).right([0, 1, 2, 3, 5]);
    for (group, shared) in named {
        let (sources, targets) = groups.sides(group);
        let weakest = group.weakest;
        let id = |node: u32| groups.nodes[node as usize].id.clone();
        let text: String = shared.as_ref().map(|s| cut(&s.line, SHOWN)).unwrap_or_default();
        table.row([
            count(group.members.len() as u64),
            count(sources as u64),
            count(targets as u64),
            percent(groups.direct(group), 0),
            format!("{:.3} {} – {}", weakest.score, id(weakest.a), id(weakest.b)),
            count(group.bridges.len() as u64),
            id(groups.representative(group)),
            kind(shared.as_ref()).to_owned(),
            text,
        ]);
    }
    notes(groups, named.len(), &mut table);
    table
}

fn title(groups: &Groups) -> String {
    let documents: usize = groups.groups.iter().map(|group| group.members.len()).sum();
    let least = groups.least.map_or("all pairs".to_owned(), |x| format!("pairs with {} ≥ {x}", groups.measure.name()));
    format!(
        "{} of {} by {least} that {} found",
        plural(groups.groups.len() as u64, "group"),
        plural(documents as u64, "document"),
        match &groups.configurations[..] {
            few if few.len() <= NAMED => few.join(" or "),
            all => format!("any of {} configurations", all.len()),
        }
    )
}

fn notes(groups: &Groups, shown: usize, table: &mut Table) {
    if groups.configurations.len() > NAMED {
        table.note(format!("configurations: {}", groups.configurations.join(", ")));
    }
    let edges: u64 = groups.groups.iter().map(|group| group.pairs).sum();
    let possible: u64 = groups.groups.iter().map(|group| groups.possible(group)).sum();
    let share = percent(if possible == 0 { 0.0 } else { edges as f64 / possible as f64 }, 0);
    // A collection against itself has documents on both sides, of which any two may have been found.
    let itself = groups.nodes.iter().all(|node| node.sides() == [true, true]);
    let (pairs, rest) = match itself {
        true => ("pairs", "The rest hang"),
        false => ("source–target pairs", "The rest, and any two documents of one side alone, hang"),
    };
    table.note(format!(
        "direct: {pairs} of a group that were found themselves; over all groups {} of {} ({share}). {rest} together only \
         by way of others.",
        count(edges),
        count(possible)
    ));
    table.note(
        "weakest link: a threshold above its score splits the group; bridges: pairs without which it falls apart",
    );
    table.note(format!("representative: {}", rule(groups)));
    table.note(
        "kind: template when 5 or more members share lines that hold under 90 % of their words, copies otherwise; the shared \
         text is the longest such line",
    );
    if groups.refused > 0 {
        table.note(format!("{} labelled not a near-duplicate left out", plural(groups.refused, "pair")));
    }
    if shown < groups.groups.len() {
        table.note(format!("{} more (--limit shows more, --json all)", count((groups.groups.len() - shown) as u64)));
    }
}

/// Who stands for a group, in words.
pub fn rule(groups: &Groups) -> &'static str {
    match groups.rule.name() {
        "first" => "the first by id, sources before targets",
        "longest" => "the one with the most words, then the first by id, sources before targets",
        _ => "the one with the highest sum of scores to the others, then the first by id, sources before targets",
    }
}

/// "template", "copies", or nothing where texts are not there.
pub fn kind(shared: Option<&SharedText>) -> &'static str {
    match shared {
        Some(shared) if shared.template() => "template",
        Some(_) => "copies",
        None => "",
    }
}

/// Near-duplicates inside the source that were judged differently.
pub fn twins(twins: &Twins, most: usize) -> Table {
    let title = format!(
        "Near-duplicates inside the source judged differently: {} of {}",
        count(twins.inconsistent.len() as u64),
        plural(twins.groups, "group")
    );
    let head = ["documents", "direct", "weakest", "track", "topic", "judged documents and their grades"];
    let mut table = Table::new("twins", title, &head).right([0, 1, 2]);
    let judgments = &twins.judgments;
    let rows = judgments.rows();
    for twin in twins.inconsistent.iter().take(most) {
        let group = &twin.group;
        for (topic, numbers) in &twin.topics {
            let [track, topic, subtopic] = topic_of(judgments, *topic);
            let judged: Vec<String> = numbers
                .iter()
                .map(|&n| &rows[n as usize])
                .map(|r| {
                    format!("{} {}", judgments.documents()[r.document as usize], judgments.grades()[r.grade as usize])
                })
                .collect();
            table.row([
                count(group.members.len() as u64),
                format!("{} of {}", group.pairs, group.possible(None)),
                format!("{:.3}", group.weakest.score),
                track.to_owned(),
                if subtopic.is_empty() { topic.to_owned() } else { format!("{topic}.{subtopic}") },
                judged.join(", "),
            ]);
        }
    }
    table.note(format!("counted: {}; {} of judged documents", twins.counted, plural(twins.pairs, "pair")));
    table.note(
        "direct: pairs of a group that were found themselves, of those it could have; the rest is inferred from others",
    );
    if twins.how == Twinned::ByTarget {
        table.note(
            "documents of the source that no target connects are not compared here: give the study its documents",
        );
    }
    if most < twins.inconsistent.len() {
        table.note(format!("{} more groups (--json lists all)", count((twins.inconsistent.len() - most) as u64)));
    }
    table
}
