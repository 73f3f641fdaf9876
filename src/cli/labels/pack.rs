//! `dejaview labels pack` and `unpack`: a sample in one file, for an annotator who does not have the study.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::open_study::OpenStudy;
use crate::output::{Output, say};
use crate::work::{thread_count, with_progress_bar};
use dejaview_base::shell::{quoted, quoted_path};
use dejaview_study::{Outputs, RunOptions, Session, unpack_sample};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview labels pack study --sample default -o for-bob.jsonl")]
pub struct PackArgs {
    /// Folder of the study
    pub study: PathBuf,
    /// Name of the sample; otherwise the newest, as for `dejaview label`
    #[arg(long, value_name = "NAME")]
    pub sample: Option<String>,
    /// The file; it holds the texts of pages, mind the licence of the corpora
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Replace files that are there already; files of the study are never replaced
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: dejaview labels unpack for-bob.jsonl bobs-study && dejaview label bobs-study --sample default"
)]
pub struct UnpackArgs {
    /// The pack
    pub file: PathBuf,
    /// Folder of the study that is made
    pub folder: PathBuf,
}

pub fn pack(args: &PackArgs, output: &mut Output) -> Result<()> {
    let study = OpenStudy::open(&args.study)?;
    let newest = || dejaview_study::sample_to_label(&study);
    let sample = args.sample.clone().map_or_else(newest, |sample| Ok(Some(sample)))?;
    let sample = sample.context("the study has no sample yet; `dejaview sample` draws one")?;
    let file = Outputs::new(Some(study.session()), "labels pack", args.force).create(&args.output)?;
    let packed = with_progress_bar(|bar| dejaview_study::pack_sample(&study, &sample, file, bar, thread_count(None)))?;
    say("the texts of pages are in it: give it only to people who may have them");
    output.report(&packed)
}

pub fn unpack(args: &UnpackArgs, output: &mut Output) -> Result<()> {
    let packed = unpack_sample(&args.file, &args.folder)?;
    let session = Session::open(&args.folder)?;
    with_progress_bar(|bar| {
        dejaview_study::run(&session, RunOptions { threads: thread_count(None), fresh: false }, bar)
    })?;
    say(&format!("next: dejaview label {} --sample {}", quoted_path(&args.folder), quoted(&packed.sample)));
    output.report(&packed)
}
