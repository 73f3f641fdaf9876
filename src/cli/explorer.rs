//! How the explorer is opened: its options, shared by several subcommands, the environment and the settings.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::choice::choice;
use super::next::{Explore, StartAt};
use super::output::ascii_only;
use dejaview_base::shell::quoted;
use dejaview_labels::{adjudication_journal, is_adjudication, must_be_nameable};
use dejaview_study::Session;
use dejaview_study::settings::{Palette, Settings};

/// How the explorer looks and who uses it.
#[derive(Debug, clap::Args)]
pub struct ExplorerOptions {
    /// Colours; NO_COLOR in the environment means mono. By default those of the settings
    #[arg(long, value_parser = choice::<Palette>())]
    pub theme: Option<Palette>,
    /// Whose labels are written; the settings' annotator by default, else $USER
    #[arg(long)]
    pub annotator: Option<String>,
    /// Show how long keys and frames take
    #[arg(long)]
    pub hud: bool,
    /// Write the keys that are pressed into a new file; `dejaview screen --replay` presses them again
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

pub fn explore(session: Session, options: &ExplorerOptions, start: StartAt) -> Result<Explore> {
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let palette = if no_colour { Some(Palette::Mono) } else { options.theme };
    let settings = Settings::load();
    let annotator = annotator_or_default(options.annotator.as_deref(), &settings);
    must_be_nameable(session.folder(), &annotator)?;
    must_be_nameable(session.folder(), &adjudication_journal(&annotator))?;
    if is_adjudication(annotator.trim()) {
        bail!(
            "nobody can label as {}: journals of such names settle what annotators decided differently, which is done on Review; \
             give another name with --annotator",
            quoted(&annotator)
        );
    }
    let record = options.record.clone();
    Ok(Explore { session, palette, settings, hud: options.hud, ascii: ascii_only(), annotator, record, start })
}

/// Who labels when nobody is named on the command line.
pub fn default_annotator() -> String {
    annotator_or_default(None, &Settings::load())
}

/// The annotator that the command line names, else that of the settings, else the user.
fn annotator_or_default(named: Option<&str>, settings: &Settings) -> String {
    let user = || std::env::var("USER").ok().filter(|name| !name.is_empty());
    let named = named.map(str::to_owned).or_else(|| settings.annotator.clone());
    named.or_else(user).unwrap_or_else(|| "anonymous".to_owned())
}
