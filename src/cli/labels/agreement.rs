//! `dejaview labels agreement`: how far annotators agree.

use anyhow::Result;

use super::args::OfSample;
use crate::cli::args::TableFormat;
use crate::cli::evaluate::print;
use crate::cli::output::Output;
use crate::report::agreement;
use crate::study::Session;

pub fn agreement(args: &OfSample, output: &mut Output) -> Result<()> {
    let found = Session::open(&args.study)?.agreement(args.sample.as_deref())?;
    if output.json {
        return output.json(&found);
    }
    print(&agreement::tables(&found), None, TableFormat::Text, output)
}
