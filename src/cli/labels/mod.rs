//! `dejaview labels`: exports, imports and checks the labels of a study, and measures how far annotators agree.

mod agreement;
mod export;
pub mod import;
mod pack;
mod paragraph;
mod verify;

use anyhow::Result;
use clap::Subcommand;

use super::output::Output;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview labels export study --format qrels\n\
         dejaview labels import study bob.tsv --annotator bob --sample default\n\
         dejaview labels agreement study --sample default\n\
         dejaview labels paragraph study --sample default")]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write labels for other tools: ids only, unless texts are asked for
    Export(export::Args),
    /// Take labels from a file into an annotator's journal; doing it twice changes nothing
    Import(import::Args),
    /// Say how far annotators agree: Cohen, Fleiss, Krippendorff, by stratum, and with themselves
    Agreement(agreement::Args),
    /// Check every line of every journal, and whether labelled pages have changed
    Verify(verify::Args),
    /// Write the paragraph for a paper: sample, annotators, agreement, estimates
    Paragraph(paragraph::Args),
    /// Put a sample with the texts of its pages into one file, for an annotator elsewhere
    Pack(pack::PackArgs),
    /// Make a study of a pack, ready to be labelled
    Unpack(pack::UnpackArgs),
}

pub fn labels(args: &Args, output: &mut Output) -> Result<()> {
    match &args.command {
        Command::Export(args) => export::export(args, output),
        Command::Import(args) => import::import(args, output),
        Command::Agreement(args) => agreement::agreement(args, output),
        Command::Verify(args) => verify::verify(args, output),
        Command::Paragraph(args) => paragraph::paragraph(args, output),
        Command::Pack(args) => pack::pack(args, output),
        Command::Unpack(args) => pack::unpack(args, output),
    }
}
