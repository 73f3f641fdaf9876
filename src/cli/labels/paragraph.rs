//! `dejaview labels paragraph`: the paragraph that describes a labelled sample in a paper.

use std::path::PathBuf;

use anyhow::Result;

use crate::choice::choice;
use crate::open_study::OpenStudy;
use crate::output::{Output, say};
use dejaview_evaluation::estimates::Unsure;
use dejaview_text::printable;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview labels paragraph study --sample default --unsure out")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// The sample it is about; of several with labels the one with the most by default
    #[arg(long, value_name = "NAME")]
    pub sample: Option<String>,
    /// How unsure labels count
    #[arg(long, value_parser = choice::<Unsure>(), default_value = "out")]
    pub unsure: Unsure,
    /// Go on although lines of labels are damaged; they do not count
    #[arg(long)]
    pub allow_damaged: bool,
}

pub fn paragraph(args: &Args, output: &mut Output) -> Result<()> {
    let study = OpenStudy::open(&args.study)?;
    let paragraph = dejaview_study::paragraph(&study, args.sample.as_deref(), args.unsure)?;
    study.must_have_whole_labels(args.allow_damaged)?;
    if args.sample.is_none() && !paragraph.others.is_empty() {
        let others = paragraph.others.join(", ");
        say(&format!("about sample {}, which has the most labels; --sample names another: {others}", paragraph.sample));
    }
    study.report(output, &paragraph)?;
    let caveats = study.caveats();
    if !output.json && !caveats.is_empty() {
        output.line("\nWhat these numbers lack or may rest on wrongly:")?;
        caveats.iter().try_for_each(|caveat| output.line(printable(&format!("- {caveat}"))))?;
    }
    Ok(())
}
