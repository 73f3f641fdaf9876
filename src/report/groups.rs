//! Groups of near-duplicates, with their weakest links and what their members share.

use serde::Serialize;

use crate::fitting::cut;
use crate::numbers::{count, percent, plural};
use crate::result::Report;
use crate::table::Table;
use dejaview_evaluation::groups::{Edge, Group};
use dejaview_study::{Groups, SharedText};

/// Characters of a shared text that the table shows.
const TEXT_WIDTH: usize = 60;

/// Most configurations that the title names; more are listed in a note.
const NAMED: usize = 3;

/// Groups of near-duplicates, the largest first; perhaps not all of them.
#[derive(Debug, Serialize)]
pub struct GroupsReport<'a> {
    measure: &'static str,
    least: Option<f64>,
    configurations: &'a [String],
    representative: &'static str,
    refused: u64,
    groups: Vec<GroupRow<'a>>,
    #[serde(skip)]
    all: &'a Groups,
}

/// A group with what its members share.
#[derive(Debug, Serialize)]
struct GroupRow<'a> {
    size: usize,
    sources: usize,
    targets: usize,
    members: Vec<Member<'a>>,
    pairs: u64,
    direct: f64,
    weakest: Link<'a>,
    bridges: Vec<Link<'a>>,
    representative: Member<'a>,
    kind: &'static str,
    shared_text: Option<String>,
    shared_share: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Member<'a> {
    side: &'static str,
    id: &'a str,
}

#[derive(Debug, Serialize)]
struct Link<'a> {
    source: &'a str,
    target: &'a str,
    score: f64,
}

impl<'a> GroupsReport<'a> {
    /// `listed` are the groups to be shown, each with the text that its members share, where texts are there.
    pub fn new(all: &'a Groups, listed: Vec<(&'a Group, Option<SharedText>)>) -> Self {
        Self {
            measure: all.measure.name(),
            least: all.least,
            configurations: &all.configurations,
            representative: representative_rule(all),
            refused: all.refused,
            groups: listed.into_iter().map(|(group, shared)| GroupRow::new(all, group, shared)).collect(),
            all,
        }
    }
}

impl<'a> GroupRow<'a> {
    fn new(all: &'a Groups, group: &Group, shared: Option<SharedText>) -> Self {
        let node = |number: u32| &all.nodes[number as usize];
        let member = |number: u32| Member { side: node(number).side(), id: &node(number).id };
        let link = |edge: &Edge| Link { source: &node(edge.a).id, target: &node(edge.b).id, score: edge.score };
        let (sources, targets) = all.sides(group);
        Self {
            size: group.members.len(),
            sources,
            targets,
            members: group.members.iter().copied().map(member).collect(),
            pairs: group.pairs,
            direct: all.direct(group),
            weakest: link(&group.weakest),
            bridges: group.bridges.iter().map(link).collect(),
            representative: member(all.representative(group)),
            kind: kind(shared.as_ref()),
            shared_share: shared.as_ref().map(|shared| shared.share),
            shared_text: shared.map(|shared| shared.line),
        }
    }
}

impl Report for GroupsReport<'_> {
    fn tables(&self) -> Vec<Table> {
        let head =
            ["size", "source", "target", "direct", "weakest link", "bridges", "representative", "kind", "shared text"];
        let mut table = Table::new("groups", title(self.all), &head).right([0, 1, 2, 3, 5]);
        for group in &self.groups {
            let Link { source, target, score } = group.weakest;
            table.row([
                count(group.size as u64),
                count(group.sources as u64),
                count(group.targets as u64),
                percent(group.direct, 0),
                format!("{score:.3} {source} – {target}"),
                count(group.bridges.len() as u64),
                group.representative.id.to_owned(),
                group.kind.to_owned(),
                group.shared_text.as_ref().map(|text| cut(text, TEXT_WIDTH)).unwrap_or_default(),
            ]);
        }
        add_notes(self.all, self.groups.len(), &mut table);
        vec![table]
    }
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

fn add_notes(groups: &Groups, shown: usize, table: &mut Table) {
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
    table.note(format!("representative: {}", representative_rule(groups)));
    table.note(
        "kind: template when 5 or more members share lines that hold under 90 % of their words, copies otherwise; the shared \
         text is the longest such line",
    );
    refused_note(groups.refused).into_iter().for_each(|note| table.note(note));
    if shown < groups.groups.len() {
        table.note(format!("{} more (--limit shows more, --json all)", count((groups.groups.len() - shown) as u64)));
    }
}

/// How many pairs make no group because people labelled them not near-duplicates.
pub fn refused_note(pairs: u64) -> Option<String> {
    (pairs > 0).then(|| format!("{} labelled not a near-duplicate left out", plural(pairs, "pair")))
}

/// How the representative of a group is chosen.
pub fn representative_rule(groups: &Groups) -> &'static str {
    match groups.rule.name() {
        "first" => "the first by id, sources before targets",
        "longest" => "the one with the most words, then the first by id, sources before targets",
        _ => "the one with the highest sum of scores to the others, then the first by id, sources before targets",
    }
}

/// `template`, `copies`, or nothing where the texts are missing.
fn kind(shared: Option<&SharedText>) -> &'static str {
    match shared {
        Some(shared) if shared.template() => "template",
        Some(_) => "copies",
        None => "",
    }
}
