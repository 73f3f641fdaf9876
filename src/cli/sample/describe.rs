//! What `dejaview sample` prints about samples: one that was drawn, one that became longer, and the list of all.

use anyhow::Result;

use crate::open_study::OpenStudy;
use crate::output::{Output, say};
use dejaview_evaluation::sample::{Design, Sample};
use dejaview_report::numbers::plural;
use dejaview_report::samples::{SampleList, SampleReport, SampleRow, SampleView};
use dejaview_study::Snapshot;

pub fn report<'a>(sample: &'a Sample, study: &Snapshot, view: SampleView) -> Result<SampleReport<'a>> {
    let file = Sample::path(study.folder(), &sample.name)?;
    Ok(SampleReport::new(sample, study.folder().to_owned(), file, view))
}

/// What is asked of a sample that is extended.
pub struct Growth {
    /// The sample as it is so far.
    pub before: Sample,
    /// Pairs to be added.
    pub requested: u64,
}

/// Says how many pairs were added to a sample that was extended, and why fewer than requested.
pub fn say_added(sample: &Sample, growth: &Growth) {
    let (pairs_before, requested) = (growth.before.pairs.len(), growth.requested);
    let added = sample.pairs.len().saturating_sub(pairs_before) as u64;
    let had = format!("{} had {}", sample.name, plural(pairs_before as u64, "pair"));
    let unit = if sample.design == Design::Documents { "document" } else { "pair" };
    let all_drawn = sample.pool().all(|stratum| stratum.drawn >= stratum.population);
    let population: u64 = sample.pool().map(|stratum| stratum.population).sum();
    let exhausted = match all_drawn {
        true => format!("the population is exhausted: all {} are in the sample", plural(population, unit)),
        false => "the strata asked for are exhausted: all of their pairs are in the sample".to_owned(),
    };
    say(&match added {
        0 => format!("{had}, and none was added; {exhausted}"),
        n if n < requested => {
            format!("{had}, and only {n} of {requested} were added; {exhausted}; all weights are new")
        }
        n => format!("{had}, and {n} {} added; all weights are new", if n == 1 { "was" } else { "were" }),
    });
}

/// Says that a sample is smaller than requested, and why: there are no more pairs.
pub fn say_fewer(sample: &Sample, requested: u64) {
    let drawn: u64 = sample.pool().map(|stratum| stratum.drawn).sum();
    let all_drawn = sample.pool().all(|stratum| stratum.drawn >= stratum.population);
    if drawn < requested && all_drawn {
        let unit = if sample.design == Design::Documents { "document" } else { "pair" };
        say(&format!("drew {} instead of {requested}: there are no more", plural(drawn, unit)));
    }
}

/// Lists the samples of a study: how each was drawn, how far it is labelled, and whether it still fits the pairs.
pub fn list(study: &OpenStudy, output: &mut Output) -> Result<()> {
    let progress = dejaview_study::sample_progress(study)?;
    let checked = dejaview_study::check_samples(study)?;
    let mut rows = Vec::new();
    for progress in progress {
        let sample = dejaview_study::drawn_sample(study, &progress.name)?;
        let provenance = checked.iter().find(|(name, _)| *name == progress.name).map(|(_, provenance)| provenance);
        rows.push(SampleRow::new(&sample, progress, provenance));
    }
    study.report(output, &SampleList::new(rows, study.folder().to_owned()))
}
