//! `dejaview screen`: what the explorer shows after some keys, as text or as a picture. Writes no label.

use anyhow::{Context, Result};

use super::args;
use super::output::Output;
use crate::study::Session;
use crate::tui::headless::Headless;

pub fn screen(args: &args::Screen, output: &mut Output) -> Result<()> {
    let (width, height) = args.size.split_once('x').context("--size is COLUMNSxLINES, 100x30 for one")?;
    let size = (width.parse().context("columns of --size")?, height.parse().context("lines of --size")?);
    let mut headless = Headless::open(Session::open(&args.study)?, size, args.theme, None)?;
    headless.keys(&args.keys);
    output.text(&if args.svg { headless.svg() } else { headless.text() })
}
