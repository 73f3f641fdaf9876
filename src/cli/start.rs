//! `dejaview [STUDY]`: opens a study, the sample study when none is named or near.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::args::Args;
use super::output::Output;
use super::run::{threads, watched};
use crate::study::{Options, PairFilter, Session, unpack};

pub fn start(args: &Args, output: &mut Output) -> Result<()> {
    let session = Session::open(&chosen(args)?)?;
    if session.pairs(PairFilter::default()).is_err() {
        watched(&session, Options { threads: threads(None), fresh: false })?;
    }
    output.line(session.folder().display().to_string())
}

/// The study named, else that of the current folder, else the sample study.
fn chosen(args: &Args) -> Result<PathBuf> {
    if let Some(study) = &args.study {
        return Ok(study.clone());
    }
    if Path::new("study.toml").is_file() {
        return Ok(PathBuf::from("."));
    }
    Ok(unpack(&data_folder()?)?)
}

/// Where the user's data lies: `XDG_DATA_HOME`, else `~/.local/share`.
fn data_folder() -> Result<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("XDG_DATA_HOME")
        .or_else(|| set("HOME").map(|home| home.join(".local/share")))
        .context("neither XDG_DATA_HOME nor HOME is set: name a study, or set one of them")
}
