//! `dejaview compare`: two files, no study needed.

use anyhow::Result;

use super::args;
use super::explain::print;
use super::output::Output;
use crate::study::explain_files;

pub fn compare(args: &args::Compare, output: &mut Output) -> Result<()> {
    print(&explain_files(&args.a, &args.b)?, output)
}
