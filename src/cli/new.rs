//! `dejaview new`: a commented `study.toml`.

use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use super::choice::choice;
use super::output::{Output, say};
use dejaview_report::Report;
use dejaview_study::{Session, StudyKind, Template, plan, write_template};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: dejaview new study --source '../crawl-2009/*.warc.gz' --target '../crawl-2012/00/*' --judgments '../qrels/*.gz'"
)]
pub struct Args {
    /// Folder to write study.toml into; made if need be
    pub folder: PathBuf,
    /// Pattern for the source's files, relative to the folder; may be given several times
    #[arg(long, required_unless_present = "template", value_name = "GLOB")]
    pub source: Vec<String>,
    /// Pattern for a segment of the target; given several times, it makes several segments. A folder of folders, as of
    /// ClueWeb12, makes a segment of each of them, in the order of their names
    #[arg(long, required_unless_present = "template", value_name = "GLOB")]
    pub target: Vec<String>,
    /// Pattern for files of judgments
    #[arg(long, value_name = "GLOB")]
    pub judgments: Vec<String>,
    /// A study to be repeated with `dejaview reproduce`. What is not named gets the names of its files, except that a source
    /// that is named has no judgments, and is its own target in `yandex`
    #[arg(long, value_parser = choice::<StudyKind>())]
    pub template: Option<StudyKind>,
}

pub fn new(args: &Args, output: &mut Output) -> Result<()> {
    let template = Template {
        source: args.source.clone(),
        target: args.target.clone(),
        judgments: args.judgments.clone(),
        kind: args.template,
    };
    let path = write_template(&args.folder, &template)?;
    // Whoever names files finds out now that a pattern is not relative to where they are.
    if let Err(why) = Session::open(&args.folder).and_then(|session| plan(&session)) {
        say(&format!("not ready to be run: {why}"));
    }
    output.report(&NewStudy { path: path.display().to_string() })
}

/// The study.toml that was written.
#[derive(Serialize)]
struct NewStudy {
    path: String,
}

impl Report for NewStudy {
    fn text(&self, _columns: Option<usize>) -> Vec<String> {
        vec![self.path.clone()]
    }
}
