//! `dejaview [STUDY]`: opens the explorer on a study; without one on that of the current folder, else on the sample study.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::CommandFactory;

use super::command_line::CommandLine;
use super::explorer::explore;
use super::next::{Explore, StartAt};
use super::work::{thread_count, with_progress_bar};
use dejaview_methods::edit::misspelled;
use dejaview_study::{PairFilter, RunOptions, Session, Snapshot, unpack};

pub fn start(args: &CommandLine) -> Result<Explore> {
    let (folder, is_sample) = choose_study(args)?;
    let session = Session::open(&folder)?;
    if is_sample && Snapshot::new(&session).pairs(PairFilter::default()).is_err() {
        with_progress_bar(|bar| {
            dejaview_study::run(&session, RunOptions { threads: thread_count(None), fresh: false }, bar)
        })?;
    }
    let at = args.at.as_ref().and_then(|ids| <[String; 2]>::try_from(ids.clone()).ok());
    explore(session, &args.explorer, at.map_or(StartAt::Home, StartAt::Pair))
}

/// The folder of the study that is named, else the current folder if it is a study, else that of the sample study; and
/// whether it is the sample study.
fn choose_study(args: &CommandLine) -> Result<(PathBuf, bool)> {
    if let Some(study) = &args.study {
        if !study.exists() {
            bail!(unknown_word(&study.to_string_lossy()));
        }
        return Ok((study.clone(), false));
    }
    if Path::new("study.toml").is_file() {
        return Ok((PathBuf::from("."), false));
    }
    Ok((unpack(&data_folder()?)?, true))
}

/// The message about a word that is neither a study nor a command, with the command it resembles.
fn unknown_word(word: &str) -> String {
    let command = CommandLine::command();
    match misspelled(word, command.get_subcommands().map(|subcommand| subcommand.get_name())) {
        Some(name) => format!("there is neither a folder nor a command “{word}”; did you mean `dejaview {name}`?"),
        None => format!("there is neither a folder nor a command “{word}”; `dejaview --help` lists the commands"),
    }
}

/// The folder for data of the user: `XDG_DATA_HOME`, else `~/.local/share`.
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
    fn a_misspelled_command_is_suggested() {
        assert!(unknown_word("evalute").ends_with("did you mean `dejaview evaluate`?"), "{}", unknown_word("evalute"));
        assert!(
            unknown_word("Judgements").ends_with("did you mean `dejaview judgments`?"),
            "{}",
            unknown_word("Judgements")
        );
        assert!(unknown_word("my-study").ends_with("lists the commands"), "{}", unknown_word("my-study"));
    }
}
