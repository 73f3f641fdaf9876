//! `dejaview sample --plan`: how large a sample must be, before it is drawn.

use anyhow::Result;

use super::args::{AllocationOption, Args};
use crate::output::{Misuse, Output};
use dejaview_evaluation::sample::StratifyBy;
use dejaview_study::{PlanOptions, PlannedDesign, Snapshot};

/// Why the arguments contain an option that a plan says nothing about; `None` where they do not.
fn conflicting_option(args: &Args) -> Option<String> {
    let recall = "a plan is for precision, and an audit for recall";
    let unequal = "how wide its interval gets depends on which pairs are drawn";
    let drawn = "a plan is of a sample that is not drawn yet; `dejaview evaluate` says how many more labels one needs";
    let counted_once = "labels of several annotators on one pair count as one";
    let given = [
        ("--audit", args.audit > 0, recall),
        ("--importance", args.importance, unequal),
        ("--uncertain", args.uncertain, unequal),
        ("--from", args.from.is_some(), unequal),
        ("--extend", args.extend.is_some(), drawn),
        ("--stratum", !args.stratum.is_empty(), drawn),
        ("--redraw", args.redraw, drawn),
        ("--keep", args.keep, drawn),
        ("--assign", !args.assign.is_empty(), counted_once),
        ("--allocation neyman", args.allocation == Some(AllocationOption::Neyman), drawn),
    ];
    let (option, _, why) = given.into_iter().find(|(_, given, _)| *given)?;
    Some(format!("--plan does not go with {option}: {why}; leave {option} out"))
}

/// Prints how many labels each design takes for an interval of the wanted width.
pub fn plan(args: &Args, study: &Snapshot, output: &mut Output) -> Result<()> {
    let plan = dejaview_study::plan_sample(study, &plan_options(args, study)?)?;
    output.report(&plan)
}

fn plan_options(args: &Args, study: &Snapshot) -> Result<PlanOptions> {
    let configurations = args.configurations(study);
    let planning = &args.planning;
    if let Some(why) = conflicting_option(args) {
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
    let (size, seed, design) = (args.size, args.seed(study), planned_design(args));
    Ok(PlanOptions { configurations, design, seed, size, wanted, expect, compare })
}

/// The design that the arguments name; `None` lets the plan compare the usual ones.
fn planned_design(args: &Args) -> Option<PlannedDesign> {
    if args.documents {
        return Some(PlannedDesign::Documents);
    }
    let is_named = args.by != StratifyBy::None || args.allocation.is_some() || !args.bounds.is_empty();
    is_named.then(|| PlannedDesign::Pairs(args.by, args.bounds.clone(), args.first_allocation()))
}
