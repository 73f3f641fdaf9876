//! `dejaview sample --redraw` and `--keep`: what to do with a sample when the pairs have changed.

use anyhow::{Context, Result};

use super::args::Args;
use super::describe::report;
use crate::output::{Output, say, say_first};
use crate::work::{thread_count, with_progress_bar};
use dejaview_report::numbers::plural;
use dejaview_report::samples::SampleView;
use dejaview_study::{Renewed, Snapshot};

pub fn redraw(args: &Args, study: &Snapshot, output: &mut Output) -> Result<()> {
    let name = args.name.as_deref().context("say with --name which sample is to be drawn again")?;
    let renewed = match dejaview_study::drawn_sample(study, name)?.audit {
        0 => dejaview_study::redraw_sample(study, name, None)?,
        _ => with_progress_bar(|bar| dejaview_study::redraw_sample(study, name, Some((bar, thread_count(None)))))?,
    };
    let stayed = &renewed.retained;
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
    print(&renewed, study, args.view(), output)
}

pub fn keep(args: &Args, study: &Snapshot, output: &mut Output) -> Result<()> {
    let name = args.name.as_deref().context("say with --name which sample is to be kept")?;
    let renewed = dejaview_study::keep_sample(study, name)?;
    match &renewed.sample.kept {
        None => say(&format!("{name} is of the same pairs; all of it stays")),
        // The title of the table of strata says so already.
        Some(_) if args.view() == SampleView::Strata && !output.json => {}
        Some(kept) => say(&format!("{name}, {}", kept.sentence(renewed.sample.population))),
    }
    say_first(renewed.retained.left.iter().map(|[source, target]| format!("left: {source} {target}")));
    print(&renewed, study, args.view(), output)
}

fn print(renewed: &Renewed, study: &Snapshot, view: SampleView, output: &mut Output) -> Result<()> {
    output.report(&report(&renewed.sample, study, view)?.with_earlier_draw(&renewed.retained))
}
