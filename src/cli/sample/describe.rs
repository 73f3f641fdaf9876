//! What `dejaview sample` says of samples.

use anyhow::Result;

use crate::output::{Output, say};
use dejaview_evaluation::sample::{Design, Sample};
use dejaview_report::numbers::plural;
use dejaview_report::samples::{SampleList, SampleReport, SampleRow, Shown};
use dejaview_study::Snapshot;

/// A sample with the file that keeps it.
pub fn report<'a>(sample: &'a Sample, study: &Snapshot, shown: Shown) -> Result<SampleReport<'a>> {
    let file = Sample::path(study.folder(), &sample.name)?;
    Ok(SampleReport::new(sample, study.folder().to_owned(), file, shown))
}

/// Says how many pairs were added to a sample that was extended, and why not all that were wanted.
pub fn longer(sample: &Sample, before: usize, asked: u64) {
    let added = sample.pairs.len().saturating_sub(before) as u64;
    let had = format!("{} had {}", sample.name, plural(before as u64, "pair"));
    let unit = if sample.design == Design::Documents { "document" } else { "pair" };
    let whole = sample.pool().all(|stratum| stratum.drawn >= stratum.population);
    let population: u64 = sample.pool().map(|stratum| stratum.population).sum();
    let exhausted = match whole {
        true => format!("the population is exhausted: all {} are in the sample", plural(population, unit)),
        false => "the strata asked for are exhausted: all of their pairs are in the sample".to_owned(),
    };
    say(&match added {
        0 => format!("{had}, and none was added; {exhausted}"),
        n if n < asked => format!("{had}, and only {n} of {asked} were added; {exhausted}; all weights are new"),
        n => format!("{had}, and {n} {} added; all weights are new", if n == 1 { "was" } else { "were" }),
    });
}

/// Lists the samples of a study: how each was drawn, how far it is labelled, and whether it is of the pairs there are.
pub fn list(study: &Snapshot, output: &mut Output) -> Result<()> {
    let progress = dejaview_study::sample_progress(study)?;
    let checked = dejaview_study::check_samples(study)?;
    let mut rows = Vec::new();
    for one in progress {
        let sample = dejaview_study::drawn_sample(study, &one.name)?;
        let provenance = checked.iter().find(|(name, _)| *name == one.name).map(|(_, provenance)| provenance);
        rows.push(SampleRow::new(&sample, one, provenance));
    }
    output.report(&SampleList::new(rows, study.folder().to_owned()))
}
