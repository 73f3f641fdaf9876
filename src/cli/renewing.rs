//! `dejaview sample --redraw` and `--keep`: what to do with a sample when the pairs have changed.

use anyhow::{Context, Result};
use serde_json::json;

use super::drawn::{self, Shown, as_json};
use super::output::{Output, say};
use super::run::{threads, watched};
use super::sample::Args;
use dejaview_report::numbers::plural;
use dejaview_study::{Renewed, Snapshot};

/// Pairs that left and are named one by one; JSON names all.
const TOLD: usize = 20;

/// Draws the sample again.
pub fn redraw(args: &Args, study: &Snapshot, output: &mut Output) -> Result<()> {
    let name = args.name.as_deref().context("say with --name which sample is to be drawn again")?;
    let renewed = match dejaview_study::sample_or_first_draw(study, name)?.audit {
        0 => dejaview_study::redraw_sample(study, name, None)?,
        _ => watched(|bar| dejaview_study::redraw_sample(study, name, Some((bar, threads(None)))))?,
    };
    let told = &renewed.told;
    say(&format!(
        "{name} is drawn again: {} of its {} were in it before; {} of {} labels are of these and stay",
        told.both,
        plural(renewed.sample.pairs.len() as u64, "pair"),
        told.still_labelled,
        told.labelled
    ));
    if told.still_labelled > 0 && told.both < renewed.sample.pairs.len() {
        say("labelled pairs are those that were there before; label the others too before an estimate stands for all");
    }
    tell(&renewed, study, args.shown(), output)
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
    for [source, target] in renewed.told.left.iter().take(TOLD) {
        say(&format!("left: {source} {target}"));
    }
    if renewed.told.left.len() > TOLD {
        say(&format!("… and {} more", renewed.told.left.len() - TOLD));
    }
    tell(&renewed, study, args.shown(), output)
}

fn tell(renewed: &Renewed, study: &Snapshot, shown: Shown, output: &mut Output) -> Result<()> {
    if output.json {
        let mut value = as_json(&renewed.sample);
        value["before"] = json!(renewed.told);
        return output.json(&value);
    }
    drawn::show(&renewed.sample, study, shown, output)
}
