//! `dejaview sample --plan`: how large a sample must be, before it is drawn.

use anyhow::Result;

use super::evaluate::print;
use super::output::{Misuse, Output};
use super::sample::Args;
use crate::report::Table;
use crate::report::numbers::count;
use crate::study::{PlanOrder, SamplePlan, Session};

/// What `--plan` is told beside what would be drawn.
#[derive(Debug, clap::Args)]
pub struct Planning {
    /// Draw nothing: say how many labels each design takes for intervals of ±5 and ±2 points, or of --precision
    #[arg(long)]
    pub plan: bool,
    /// With --plan: half of the width that the interval of precision shall have
    #[arg(long, value_name = "X", requires = "plan")]
    pub precision: Option<f64>,
    /// With --plan: the share of true pairs that is expected; the worst case, a half, stands beside
    #[arg(long, value_name = "P", requires = "plan", default_value_t = 0.9)]
    pub expect: f64,
    /// With --plan: the labels it takes to tell the precision of two configurations apart
    #[arg(long, value_name = "A,B", value_delimiter = ',', requires = "plan")]
    pub compare: Vec<String>,
    /// With --compare: the difference to be told
    #[arg(long, value_name = "X", default_value_t = 0.05)]
    pub difference: f64,
    /// With --compare: how often it shall be told when it is there
    #[arg(long, value_name = "P", default_value_t = 0.8)]
    pub power: f64,
}

/// Says what a sample would give.
pub fn plan(args: &Args, session: &Session, configurations: Vec<String>, output: &mut Output) -> Result<()> {
    let plan = session.plan_sample(&order(args, configurations)?)?;
    if output.json {
        return output.json(&serde_json::to_value(&plan)?);
    }
    print(&tables(&plan), None, super::args::TableFormat::Text, output)
}

fn order(args: &Args, configurations: Vec<String>) -> Result<PlanOrder> {
    let planning = &args.planning;
    let between = |name: &str, value: f64| match value > 0.0 && value < 1.0 {
        true => Ok(value),
        false => Err(Misuse(format!("{name} is {value}, expected a number between 0 and 1"))),
    };
    let wanted = planning.precision.map_or(vec![0.05, 0.02], |one| vec![one]);
    for half in &wanted {
        between("--precision", *half)?;
    }
    let compare = match &planning.compare[..] {
        [] => None,
        [a, b] if a != b => {
            let power = between("--power", planning.power)?;
            Some(([a.clone(), b.clone()], between("--difference", planning.difference)?, power))
        }
        _ => return Err(Misuse("--compare takes two configurations with a comma between".to_owned()).into()),
    };
    Ok(PlanOrder { configurations, size: args.size, wanted, expect: between("--expect", planning.expect)?, compare })
}

fn tables(plan: &SamplePlan) -> Vec<Table> {
    let points = |x: f64| format!("±{:.1}", 100.0 * x);
    let labels = |n: &Option<u64>| n.map_or("–".to_owned(), count);
    let mut head = vec![
        "design".to_owned(),
        "configuration".to_owned(),
        "pairs".to_owned(),
        "share of true ones".to_owned(),
        format!("{} labels give", count(plan.size)),
    ];
    head.extend(plan.wanted.iter().map(|wanted| format!("for {}", points(*wanted))));
    let names: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table =
        Table::new("plan", "Labels for an interval of precision, before any is given", &names).right(2..names.len());
    for row in &plan.rows {
        let cells = [row.design.clone(), row.configuration.clone(), count(row.pairs), format!("{:.2}", row.share)];
        table.row(cells.into_iter().chain([points(row.half_width)]).chain(row.needed.iter().map(labels)));
    }
    table.note(
        "points of a 95 % interval that nine samples in ten do not exceed; nothing was drawn; documents: pairs are documents, \
         of each one pair is labelled",
    );
    table.note("the same share is taken for granted in all strata: where strata differ, fewer labels do");
    let mut tables = vec![table];
    tables.extend(plan.difference.as_ref().map(|difference| {
        let [a, b] = &difference.configurations;
        let title = format!("Labels to tell the precision of {a} and {b} apart");
        let head = ["difference", "power", "found by both", "first alone", "second alone", "labels"];
        let mut table = Table::new("power", title, &head).right(0..head.len());
        let pairs = difference.pairs;
        table.row([
            points(difference.difference),
            format!("{:.2}", difference.power),
            count(pairs.both),
            count(pairs.first),
            count(pairs.second),
            labels(&difference.needed),
        ]);
        table.note("of a simple random sample of all pairs drawn from, at 95 %; –: the two cannot differ so much");
        table
    }));
    tables
}
