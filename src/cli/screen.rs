//! `dejaview screen`: what the explorer shows after some keys, as text or as a picture. Writes no label.

use anyhow::{Context, Result};

use super::{Picture, args};
use crate::study::Session;

pub fn screen(args: &args::Screen) -> Result<Picture> {
    let (width, height) = args.size.split_once('x').context("--size is COLUMNSxLINES, 100x30 for one")?;
    let size = (width.parse().context("columns of --size")?, height.parse().context("lines of --size")?);
    let session = Session::open(&args.study)?;
    Ok(Picture { session, colours: args.theme, size, keys: args.keys.clone(), svg: args.svg })
}
