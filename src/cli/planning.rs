//! `dejaview sample --plan`: how large a sample must be, before it is drawn.

use anyhow::Result;

use super::evaluate::print;
use super::output::{Misuse, Output};
use super::sample::{Args, SampleAllocation, SampleBy, allocation, by};
use dejaview_report::Table;
use dejaview_report::numbers::count;
use dejaview_study::{PlanOrder, PlannedDesign, SamplePlan, Snapshot};

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

/// What a plan says nothing about: the option, whether it was given, and why.
fn refused(args: &Args) -> Option<String> {
    let recall = "a plan is for precision, and an audit for recall";
    let unequal = "how wide its interval gets depends on which pairs are drawn";
    let there = "a plan is of a sample that is not drawn yet; `dejaview evaluate` says how many more labels one needs";
    let once = "labels of several annotators on one pair count as one";
    let given = [
        ("--audit", args.audit > 0, recall),
        ("--importance", args.importance, unequal),
        ("--from", args.from.is_some(), unequal),
        ("--extend", args.extend.is_some(), there),
        ("--stratum", !args.stratum.is_empty(), there),
        ("--redraw", args.redraw, there),
        ("--keep", args.keep, there),
        ("--assign", !args.assign.is_empty(), once),
        ("--allocation neyman", args.allocation == Some(SampleAllocation::Neyman), there),
    ];
    let (option, _, why) = given.into_iter().find(|(_, given, _)| *given)?;
    Some(format!("--plan does not go with {option}: {why}; leave {option} out"))
}

/// Says what a sample would give.
pub fn plan(args: &Args, study: &Snapshot, configurations: Vec<String>, output: &mut Output) -> Result<()> {
    let plan = dejaview_study::plan_sample(study, &order(args, configurations)?)?;
    if output.json {
        return output.json(&serde_json::to_value(&plan)?);
    }
    print(&tables(&plan), None, super::args::TableFormat::Text, output)
}

fn order(args: &Args, configurations: Vec<String>) -> Result<PlanOrder> {
    let planning = &args.planning;
    if let Some(why) = refused(args) {
        return Err(Misuse(why).into());
    }
    if configurations.is_empty() {
        let why = "--plan needs the configurations that would be drawn from: name them with --configuration, or say \
                   --configuration all";
        return Err(Misuse(why.to_owned()).into());
    }
    let between = |name: &str, value: f64, example: &str| match value > 0.0 && value < 1.0 {
        true => Ok(value),
        false => Err(Misuse(format!("{name} is {value}, but must be a number between 0 and 1: {example}"))),
    };
    let wanted = planning.precision.map_or(vec![0.05, 0.02], |one| vec![one]);
    for half in &wanted {
        between("--precision", *half, "0.05 asks for an interval of ±5 points")?;
    }
    let compare = match &planning.compare[..] {
        [] => None,
        [a, b] if a != b => {
            let power = between("--power", planning.power, "0.8 finds the difference in four of five samples")?;
            let difference = between("--difference", planning.difference, "0.05 is a difference of 5 points")?;
            Some(([a.clone(), b.clone()], difference, power))
        }
        _ => {
            let why =
                "--compare takes two different configurations with a comma between, such as --compare best,imatch";
            return Err(Misuse(why.to_owned()).into());
        }
    };
    let expect = between("--expect", planning.expect, "0.9 expects nine of ten pairs to be near-duplicates")?;
    let (size, seed, design) = (args.size, args.seed, design(args));
    Ok(PlanOrder { configurations, design, seed, size, wanted, expect, compare })
}

/// The design that was asked for, if one was.
fn design(args: &Args) -> Option<PlannedDesign> {
    if args.documents {
        return Some(PlannedDesign::Documents);
    }
    let asked = args.by != SampleBy::None || args.allocation.is_some() || !args.bounds.is_empty();
    asked.then(|| PlannedDesign::Pairs(by(args.by), args.bounds.clone(), allocation(args.allocation)))
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
    table.note("points of a 95 % interval that nine samples in ten do not exceed; nothing was drawn");
    if plan.rows.iter().any(|row| row.design == "documents") {
        table.note("design documents: the numbers are of source documents, and one pair of each is labelled");
    }
    if plan.rows.iter().any(|row| row.needed.contains(&None)) {
        table.note(
            "–: labels for all these documents would not be enough, since one drawn pair of a document stands for all of its pairs",
        );
    }
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
