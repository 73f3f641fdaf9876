//! `dejaview screen`: what the explorer shows after some keys, as text, as lines in JSON or as a picture. Writes nothing.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Serialize;

use super::choice::choice;
use super::next::{Picture, PictureForm};
use super::output::Misuse;
use dejaview_labels::must_be_nameable;
use dejaview_study::Session;
use dejaview_study::settings::Palette;

/// Larger pictures would take gigabytes.
const MOST_COLUMNS: u16 = 1000;
const MOST_LINES: u16 = 400;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview screen study --keys '2 j j enter' --size 100x30 --svg > judgments.svg")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// Keys to press first, apart by blanks; what stands in "quotes" is typed, with its blanks; a `_` in it is a blank, too
    #[arg(long, default_value = "")]
    pub keys: String,
    /// Keys to press before those, as `--record` of the explorer wrote them
    #[arg(long, value_name = "FILE")]
    pub replay: Option<PathBuf>,
    /// Whose labels are seen; nobody's by default
    #[arg(long)]
    pub annotator: Option<String>,
    /// Columns and lines
    #[arg(long, default_value = "100x30")]
    pub size: String,
    /// A picture instead of text
    #[arg(long)]
    pub svg: bool,
    /// A picture that moves, with a frame for each line of keys
    #[arg(long, requires = "svg")]
    pub animate: bool,
    /// Colours
    #[arg(long, value_parser = choice::<Palette>(), default_value = "auto")]
    pub theme: Palette,
}

/// A screen as text.
#[derive(Debug, Serialize)]
pub struct ScreenLines<'a> {
    size: Size,
    lines: Vec<&'a str>,
}

#[derive(Debug, Serialize)]
struct Size {
    columns: u16,
    lines: u16,
}

impl<'a> ScreenLines<'a> {
    pub fn new((columns, lines): (u16, u16), text: &'a str) -> Self {
        Self { size: Size { columns, lines }, lines: text.lines().collect() }
    }
}

pub fn screen(args: &Args, json: bool) -> Result<Picture> {
    if json && args.svg {
        return Err(Misuse(
            "--json prints the lines of a screen and --svg a picture; leave one of them out".to_owned(),
        )
        .into());
    }
    let (width, height) = args.size.split_once('x').context("--size is COLUMNSxLINES, 100x30 for one")?;
    let size = (width.parse().context("columns of --size")?, height.parse().context("lines of --size")?);
    if size.0 > MOST_COLUMNS || size.1 > MOST_LINES {
        return Err(Misuse(format!("--size is {MOST_COLUMNS}x{MOST_LINES} at most: no terminal is larger")).into());
    }
    let session = Session::open(&args.study)?;
    let recorded = match &args.replay {
        Some(file) => fs::read_to_string(file).with_context(|| format!("reading the keys of {}", file.display()))?,
        None => String::new(),
    };
    let keys = format!("{recorded}\n{}", args.keys);
    let form = match (args.svg, args.animate) {
        (false, _) if json => PictureForm::Json,
        (false, _) => PictureForm::Text,
        (true, false) => PictureForm::Still,
        (true, true) => PictureForm::Animation,
    };
    if let Some(name) = &args.annotator {
        must_be_nameable(session.folder(), name)?;
    }
    Ok(Picture { session, palette: args.theme, annotator: args.annotator.clone(), size, keys, form })
}
