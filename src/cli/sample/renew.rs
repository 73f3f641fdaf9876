//! `dejaview sample --redraw` and `--keep`: what to do with a sample when the pairs have changed.

use anyhow::{Context, Result};

use super::args::Args;
use super::describe::report;
use crate::output::{Output, say};
use crate::work::{threads, watched};
use dejaview_report::numbers::plural;
use dejaview_report::samples::Shown;
use dejaview_study::{Renewed, Snapshot};

/// Pairs that left and are named one by one; JSON names all.
const NAMED: usize = 20;

/// Draws the sample again.
pub fn redraw(args: &Args, study: &Snapshot, output: &mut Output) -> Result<()> {
    let name = args.name.as_deref().context("say with --name which sample is to be drawn again")?;
    let renewed = match dejaview_study::sample_or_first_draw(study, name)?.audit {
        0 => dejaview_study::redraw_sample(study, name, None)?,
        _ => watched(|bar| dejaview_study::redraw_sample(study, name, Some((bar, threads(None)))))?,
    };
    let stayed = &renewed.stayed;
    say(&format!(
        "{name} is drawn again: {} of its {} were in it before; {} of {} labels are of these and stay",
        stayed.both,
        plural(renewed.sample.pairs.len() as u64, "pair"),
        stayed.still_labelled,
        stayed.labelled
    ));
    if stayed.still_labelled > 0 && stayed.both < renewed.sample.pairs.len() {
        say("labelled pairs are those that were there before; label the others too before an estimate stands for all");
    }
    print(&renewed, study, args.shown(), output)
}

/// Keeps what is left of the sample.
pub fn keep(args: &Args, study: &Snapshot, output: &mut Output) -> Result<()> {
    let name = args.name.as_deref().context("say with --name which sample is to be kept")?;
    let renewed = dejaview_study::keep_sample(study, name)?;
    match &renewed.sample.kept {
        None => say(&format!("{name} is of the same pairs; all of it stays")),
        // The title of its strata says it.
        Some(_) if args.shown() == Shown::Strata && !output.json => {}
        Some(kept) => say(&format!("{name}, {}", kept.sentence())),
    }
    for [source, target] in renewed.stayed.left.iter().take(NAMED) {
        say(&format!("left: {source} {target}"));
    }
    if renewed.stayed.left.len() > NAMED {
        say(&format!("… and {} more", renewed.stayed.left.len() - NAMED));
    }
    print(&renewed, study, args.shown(), output)
}

fn print(renewed: &Renewed, study: &Snapshot, shown: Shown, output: &mut Output) -> Result<()> {
    output.report(&report(&renewed.sample, study, shown)?.after(&renewed.stayed))
}
