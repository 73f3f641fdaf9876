//! `dejaview figures`: the study's counts and distributions, drawn in the terminal.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::choice::choice;
use super::open_study::OpenStudy;
use super::output::{Output, ascii_only};
use super::values::share;
use dejaview_base::shell::quoted_path;
use dejaview_report::TableFormat;
use dejaview_report::estimates::Rail;
use dejaview_report::figures::FiguresReport;
use dejaview_study::FigureOptions;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview figures study --configuration simhash-3+5 --segments 20\n\
         dejaview figures study --figure cosine\n\
         dejaview figures study --figure threshold --configuration best\n\n\
Figures: pairs, found, accumulated, jaccard, best, candidates, differences, cosine (against the Jaccard), hamming (differing bits \
of a SimHash against the Jaccard); by name only: threshold (precision and recall by the labels of a sample, as a cut-off moves).")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// Only this configuration; may be given several times
    #[arg(long, value_name = "NAME")]
    pub configuration: Vec<String>,
    /// Only pairs of this segment
    #[arg(long, value_name = "NAME")]
    pub segment: Option<String>,
    /// Segments to which accumulated counts are carried on; twice those read by default
    #[arg(long, value_name = "N")]
    pub segments: Option<usize>,
    /// From this Jaccard on a pair counts as a near-duplicate
    #[arg(long, value_name = "X", default_value_t = 0.9, value_parser = share, allow_negative_numbers = true)]
    pub alike: f64,
    /// Only this figure or table
    #[arg(long, value_name = "NAME")]
    pub figure: Option<String>,
    /// Charts, or the numbers as a table
    #[arg(long, value_parser = choice::<TableFormat>(), default_value = "text")]
    pub format: TableFormat,
}

pub fn figures(args: &Args, output: &mut Output) -> Result<()> {
    let study = OpenStudy::open(&args.study)?;
    if args.figure.as_deref() == Some(THRESHOLD) {
        return study.report_as(output, &threshold(args, &study)?, args.format, None);
    }
    let options = FigureOptions {
        configurations: args.configuration.clone(),
        segment: args.segment.clone(),
        segments: args.segments,
        alike: args.alike,
    };
    let figures = dejaview_study::figures(&study, &options)?;
    let report = FiguresReport { figures: &figures, only: args.figure.as_deref(), ascii: ascii_only() };
    if args.format != TableFormat::Text {
        return study.report_as(output, &report, args.format, report.only);
    }
    let names: Vec<&str> = report.charts(None).into_iter().map(|(name, _)| name).collect();
    if let Some(name) = report.only.filter(|name| !output.json && !names.contains(name)) {
        bail!("there is no figure “{name}” here; there are {}, {THRESHOLD}", names.join(", "));
    }
    study.report(output, &report)
}

/// The figure that rests on labels; of one configuration, and never among the others.
const THRESHOLD: &str = "threshold";

/// The measure that its cut-off is set on, as in the explorer; `evaluate --rail` has others.
const MEASURE: &str = "jaccard";

fn threshold(args: &Args, study: &OpenStudy) -> Result<Rail> {
    let [configuration] = &args.configuration[..] else {
        bail!("the figure {THRESHOLD} is of one configuration: name it with --configuration");
    };
    let Some((sample, cuts)) = dejaview_study::cut_offs(study, configuration, MEASURE, &[])? else {
        bail!(
            "the figure {THRESHOLD} rests on labels, and no pair of {configuration} is labelled in a sample yet: \
             `dejaview label {}` begins",
            quoted_path(&args.study)
        );
    };
    let sample = dejaview_study::drawn_sample(study, &sample)?;
    Ok(Rail::new(&sample, cuts, configuration, MEASURE))
}
