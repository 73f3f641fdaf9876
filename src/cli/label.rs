//! `dejaview label`: the explorer on the first undecided pair of a sample.

use anyhow::Result;

use super::start::explore;
use super::{Explore, First, args};
use crate::study::Session;

pub fn label(args: &args::Label) -> Result<Explore> {
    Ok(explore(Session::open(&args.study)?, &args.look, first(args)))
}

fn first(args: &args::Label) -> First {
    let sample = args.sample.clone();
    if args.calibrate { First::Calibrate(sample) } else { First::Sample(sample) }
}
