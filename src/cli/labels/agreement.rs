//! `dejaview labels agreement`: how far annotators agree.

use std::path::PathBuf;

use anyhow::Result;

use crate::open_study::OpenStudy;
use crate::output::Output;
use dejaview_study::AgreementOn;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview labels agreement study --sample default\n\n\
         Labels given in a sample are weighted to the pairs that it was drawn from, as in the paragraph, in Review and on the \
         card at the end of a sample. All labels together (--all) are of no particular population: each pair counts once.")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// Labels given in this sample, by its strata and weights; by default the sample in which most pairs were labelled by
    /// two or more
    #[arg(long, value_name = "NAME", conflicts_with = "all")]
    pub sample: Option<String>,
    /// All labels, in samples and outside them, each pair counting once; so it is where no sample has labels
    #[arg(long)]
    pub all: bool,
    /// Go on although lines of labels are damaged; they do not count
    #[arg(long)]
    pub allow_damaged: bool,
}

pub fn agreement(args: &Args, output: &mut Output) -> Result<()> {
    let on = match &args.sample {
        Some(name) => AgreementOn::Sample(name),
        None if args.all => AgreementOn::AllLabels,
        None => AgreementOn::MostShared,
    };
    let study = OpenStudy::open(&args.study)?;
    let agreement = dejaview_study::agreement(&study, on)?;
    study.must_have_whole_labels(args.allow_damaged)?;
    study.report(output, &agreement)
}
