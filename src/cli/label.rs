//! `dejaview label`: the explorer on the first undecided pair of a sample.

use anyhow::Result;

use super::args;
use super::start::open;
use crate::study::Session;
use crate::tui::action::ScreenId;

pub fn label(args: &args::Label) -> Result<()> {
    open(Session::open(&args.study)?, &args.look, ScreenId::Label, None, &args.sample)
}
