//! `dejaview groups`: near-duplicate groups with their weakest link.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::{Value, json};

use super::args::TableFormat;
use super::evaluate::print;
use super::output::Output;
use dejaview_evaluation::groups::{Edge, Group};
use dejaview_evaluation::transfer::Accept;
use dejaview_report::groups as tables;
use dejaview_study::{Groups, GroupsOrder, Rule, SharedText, Snapshot};

/// Arguments of `groups`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview groups study --least jaccard:0.95 --representative longest")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// Which pairs make groups
    #[command(flatten)]
    pub pairs: GroupPairs,
    /// Most groups to print, the largest first
    #[arg(long, default_value_t = 20)]
    pub limit: usize,
    /// In what form
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub format: TableFormat,
}

/// Which pairs make groups.
#[derive(Debug, clap::Args)]
pub struct GroupPairs {
    /// Only pairs that this configuration found; may be given several times
    #[arg(long, value_name = "NAME")]
    pub configuration: Vec<String>,
    /// Only pairs of at least this (jaccard, s3, edit or score); by default jaccard:0.9, and any imported pair
    #[arg(long, value_name = "MEASURE:X")]
    pub least: Option<Accept>,
    /// Who stands for a group: central (closest to the others), first (by id) or longest
    #[arg(long, default_value = "central", value_name = "RULE")]
    pub representative: Rule,
}

pub fn groups(args: &Args, output: &mut Output) -> Result<()> {
    let study = Snapshot::open(&args.study)?;
    let groups = dejaview_study::groups(&study, &order(&args.pairs)?)?;
    let most = if output.json { usize::MAX } else { args.limit };
    let mut named = Vec::new();
    for group in groups.groups.iter().take(most) {
        named.push((group, dejaview_study::shared_text(&study, &groups, group)?));
    }
    if output.json {
        return output.json(&as_json(&groups, &named));
    }
    print(&[tables::table(&groups, &named)], None, args.format, output)
}

/// Which pairs make groups, as the command line says.
pub(super) fn order(args: &GroupPairs) -> Result<GroupsOrder> {
    let least = match args.least {
        None => None,
        Some(Accept::Least(measure, least)) => Some((measure, least)),
        Some(_) => anyhow::bail!("--least wants a measure and a number: jaccard:0.9, s3:0.8, edit:0.8 or score:0.5"),
    };
    Ok(GroupsOrder { configurations: args.configuration.clone(), least, rule: args.representative })
}

fn as_json(groups: &Groups, named: &[(&Group, Option<SharedText>)]) -> Value {
    let node = |n: u32| &groups.nodes[n as usize];
    let edge = |e: &Edge| json!({ "source": node(e.a).id, "target": node(e.b).id, "score": e.score });
    let all: Vec<Value> = named
        .iter()
        .map(|(group, shared)| {
            let members: Vec<Value> =
                group.members.iter().map(|&m| json!({ "side": node(m).side(), "id": node(m).id })).collect();
            let representative = node(groups.representative(group));
            let (sources, targets) = groups.sides(group);
            json!({
                "size": group.members.len(),
                "sources": sources,
                "targets": targets,
                "members": members,
                "pairs": group.pairs,
                "direct": groups.direct(group),
                "weakest": edge(&group.weakest),
                "bridges": group.bridges.iter().map(edge).collect::<Vec<_>>(),
                "representative": { "side": representative.side(), "id": representative.id },
                "kind": tables::kind(shared.as_ref()),
                "shared_text": shared.as_ref().map(|s| &s.line),
                "shared_share": shared.as_ref().map(|s| s.share),
            })
        })
        .collect();
    json!({
        "measure": groups.measure.name(),
        "least": groups.least,
        "configurations": groups.configurations,
        "representative": tables::rule(groups),
        "refused": groups.refused,
        "groups": all,
    })
}
