//! `dejaview sample`: draws pairs to be labelled, each with a known probability, and extends, renews, imports, lists and
//! plans samples.

mod args;
mod describe;
mod plan;
mod renew;
mod transfer_draw;

use std::path::Path;

use anyhow::{Context, Result, bail};

use self::args::AllocationOption;
pub use self::args::Args;
use self::describe::{Growth, report, say_added, say_fewer};
use super::labels::import;
use super::output::{Misuse, Output, say};
use super::qrels::say_unread_lines;
use super::work::{thread_count, with_progress_bar};
use crate::open_study::OpenStudy;
use dejaview_evaluation::sample::Sample;
use dejaview_report::numbers::{count, plural};
use dejaview_report::samples::SampleView;
use dejaview_study::{Assignment, LabelImport, SampleDraw, SampleExtension, Snapshot, StudyError, Watch};

pub fn sample(args: &Args, output: &mut Output) -> Result<()> {
    let study = OpenStudy::open(&args.study)?;
    if args.list {
        return describe::list(&study, output);
    }
    if let Some(file) = &args.import {
        return import_sample(args, file, &study, output);
    }
    if !args.values.meaning()?.is_empty() {
        return Err(
            Misuse("--positive, --negative and --unsure say what the labels of --import mean".to_owned()).into()
        );
    }
    if args.planning.plan {
        return plan::plan(args, &study, output);
    }
    if args.redraw {
        return renew::redraw(args, &study, output);
    }
    if args.keep {
        return renew::keep(args, &study, output);
    }
    let growth = growth(args, &study)?;
    let before = growth.as_ref().map(|growth| &growth.before);
    if let Some(draw) = transfer_draw::transfer_draw(args, &study, before)? {
        let sample = dejaview_study::draw_from_transfer(&study, &draw, before)?;
        study.judgments()?.into_iter().for_each(|judgments| say_unread_lines(judgments));
        say(&format!("drawn from the {} that this transfer takes", plural(sample.population, "pair")));
        if growth.is_none() {
            say_fewer(&sample, args.size);
        }
        growth.iter().for_each(|growth| say_added(&sample, growth));
        return study.report(output, &report(&sample, &study, args.view())?);
    }
    let draw = draw(args, &study)?;
    let sample = match (draw.audit, draw.from) {
        (0, None) => draw_or_extend(&study, &draw, before, None)?,
        _ => with_progress_bar(|bar| draw_or_extend(&study, &draw, before, Some((bar, thread_count(None)))))?,
    };
    if draw.from.is_some() {
        say(&format!(
            "of {}, {} of the source with pairs; weights are relative: they add up to the {} of the configurations",
            plural(draw.size, "draw"),
            plural(sample.pairs.len() as u64, "page"),
            plural(sample.population, "pair"),
        ));
    } else if growth.is_none() {
        say_fewer(&sample, draw.size);
    }
    growth.iter().for_each(|growth| say_added(&sample, growth));
    study.report(output, &report(&sample, &study, args.view())?)
}

fn draw_or_extend(
    study: &Snapshot,
    draw: &SampleDraw,
    before: Option<&Sample>,
    watch: Option<(&dyn Watch, usize)>,
) -> Result<Sample, StudyError> {
    match before {
        Some(before) => dejaview_study::extend_sample(study, before, draw, watch),
        None => dejaview_study::draw_sample(study, draw, watch).map(|(sample, _)| sample),
    }
}

/// How a sample grows; `None` where it is not extended.
fn growth(args: &Args, study: &Snapshot) -> Result<Option<Growth>> {
    let extends = args.extend.is_some() || !args.stratum.is_empty();
    let Some(name) = args.name.as_deref().filter(|_| extends) else { return Ok(None) };
    let number = |stratum: &String| stratum.rsplit_once('=').and_then(|(_, number)| number.trim().parse::<u64>().ok());
    let pairs = args.extend.unwrap_or_else(|| args.stratum.iter().filter_map(number).sum());
    let before = dejaview_study::drawn_sample(study, name)?;
    Ok(Some(Growth { before, requested: pairs + args.audit }))
}

/// Imports a sample that was drawn elsewhere, and its labels.
fn import_sample(args: &Args, file: &Path, study: &Snapshot, output: &mut Output) -> Result<()> {
    let [configuration] = &args.configuration[..] else {
        return Err(Misuse("a sample that is imported is of the pairs of one configuration".to_owned()).into());
    };
    let (annotator, sample, meaning) = (args.annotator.as_deref(), args.name.as_deref(), &args.values.meaning()?);
    let imported =
        dejaview_study::import_sample(study, LabelImport { file, annotator, sample, meaning }, configuration)?;
    let sample = &imported.sample;
    if imported.not_found > 0 {
        say(&format!(
            "of the {} of the sample, {} not among those that {configuration} found in this study",
            plural(sample.pairs.len() as u64, "pair"),
            match imported.not_found {
                1 => "1 is".to_owned(),
                n => format!("{} are", count(n)),
            }
        ));
    }
    if sample.population < imported.found {
        say(&format!(
            "the populations of the sample add up to {}, and {configuration} found {} in this study: the sample speaks for \
             fewer than there are",
            plural(sample.population, "pair"),
            count(imported.found)
        ));
    }
    if let Some(labels) = imported.labels.as_ref().filter(|_| !output.json) {
        import::say_problems(labels, file);
    }
    output.report(&report(sample, study, SampleView::Strata)?.with_import(&imported))?;
    match &imported.labels {
        Some(labels) if !output.json => import::check_imported(labels, file),
        _ => Ok(()),
    }
}

/// The draw that the arguments describe; for a sample that is extended, its own.
fn draw(args: &Args, study: &Snapshot) -> Result<SampleDraw> {
    let neyman = args.allocation == Some(AllocationOption::Neyman);
    if args.extend.is_some() || !args.stratum.is_empty() {
        let name = args.name.as_deref().context("say with --name which sample is to be made longer")?;
        if args.allocation.is_some() && !neyman {
            bail!("a sample is made longer by its own allocation, or by --allocation neyman");
        }
        let (more, audit, strata) = (args.extend, args.audit, args.stratum.clone());
        return Ok(dejaview_study::extended_draw(study, name, &SampleExtension { more, audit, strata, neyman })?);
    }
    if neyman {
        bail!("Neyman's allocation rests on labels: draw a sample, label it, and --extend it by --allocation neyman");
    }
    let first =
        args.configuration.first().ok_or_else(|| Misuse("name a configuration with --configuration".to_owned()))?;
    Ok(SampleDraw {
        name: args.name.clone().unwrap_or_else(|| first.clone()),
        configurations: args.configurations(study),
        size: args.size,
        seed: args.seed(study),
        by: args.by,
        bounds: args.bounds.clone(),
        allocation: args.first_allocation(),
        documents: args.documents,
        importance: args.drawn_more_often(),
        audit: args.audit,
        from: args.from.and_then(|from| from.page_sampler(args.backwards)),
        assignment: Assignment { annotators: args.assign.clone(), overlap: args.overlap },
        least: Vec::new(),
    })
}
