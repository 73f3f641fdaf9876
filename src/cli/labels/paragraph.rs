//! `dejaview labels paragraph`: the text for the paper.

use anyhow::Result;

use super::args::ParagraphOf;
use crate::cli::evaluate::unsure;
use crate::cli::output::Output;
use crate::study::Session;

pub fn paragraph(args: &ParagraphOf, output: &mut Output) -> Result<()> {
    let paragraph = Session::open(&args.study)?.paragraph(&args.sample, unsure(args.unsure))?;
    if output.json { output.json(&paragraph) } else { output.line(&paragraph.text) }
}
