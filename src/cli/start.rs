//! `dejaview [STUDY]`: opens a study, the sample study when none is named or near.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::CommandFactory;

use super::command_line::CommandLine;
use super::explorer::explore;
use super::next::{Explore, First};
use super::work::{threads, watched};
use dejaview_methods::edit::edit_ratio;
use dejaview_study::{Options, PairFilter, Session, Snapshot, unpack};

pub fn start(args: &CommandLine) -> Result<Explore> {
    let chosen = chosen(args)?;
    let session = Session::open(chosen.folder())?;
    if matches!(chosen, Chosen::Sample(_)) && Snapshot::of(&session).pairs(PairFilter::default()).is_err() {
        watched(|bar| dejaview_study::run(&session, Options { threads: threads(None), fresh: false }, bar))?;
    }
    let at = args.at.as_ref().and_then(|ids| <[String; 2]>::try_from(ids.clone()).ok());
    Ok(explore(session, &args.look, at.map_or(First::Home, First::Pair)))
}

/// Where the study comes from.
enum Chosen {
    Named(PathBuf),
    Sample(PathBuf),
}

impl Chosen {
    fn folder(&self) -> &Path {
        match self {
            Self::Named(folder) | Self::Sample(folder) => folder,
        }
    }
}

/// The study named, else that of the current folder, else the sample study.
fn chosen(args: &CommandLine) -> Result<Chosen> {
    if let Some(study) = &args.study {
        if !study.exists() {
            bail!(neither(&study.to_string_lossy()));
        }
        return Ok(Chosen::Named(study.clone()));
    }
    if Path::new("study.toml").is_file() {
        return Ok(Chosen::Named(PathBuf::from(".")));
    }
    Ok(Chosen::Sample(unpack(&data_folder()?)?))
}

/// From this edit ratio on a word is taken for a slip of a command's name.
const SLIP: f64 = 0.7;

/// The message about a word that is neither a study nor a command, with the command it resembles.
fn neither(word: &str) -> String {
    let command = CommandLine::command();
    let letters = |text: &str| text.chars().collect::<Vec<char>>();
    let ratio = |name: &str| edit_ratio(&letters(name), &letters(&word.to_lowercase()));
    let nearest = command.get_subcommands().map(|one| one.get_name()).max_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    match nearest.filter(|name| ratio(name) >= SLIP) {
        Some(name) => format!("there is neither a folder nor a command “{word}”; did you mean `dejaview {name}`?"),
        None => format!("there is neither a folder nor a command “{word}”; `dejaview --help` lists the commands"),
    }
}

/// Where the user's data lies: `XDG_DATA_HOME`, else `~/.local/share`.
fn data_folder() -> Result<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("XDG_DATA_HOME")
        .or_else(|| set("HOME").map(|home| home.join(".local/share")))
        .context("neither XDG_DATA_HOME nor HOME is set: name a study, or set one of them")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_taken_for_the_command_that_was_meant() {
        assert!(neither("evalute").ends_with("did you mean `dejaview evaluate`?"), "{}", neither("evalute"));
        assert!(neither("Judgements").ends_with("did you mean `dejaview judgments`?"), "{}", neither("Judgements"));
        assert!(neither("my-study").ends_with("lists the commands"), "{}", neither("my-study"));
    }
}
