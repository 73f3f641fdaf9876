//! The words that several subcommands share. Those of one alone stand beside it.

use std::path::PathBuf;

use super::choice::choice;
use dejaview_study::settings::Palette;

/// How the explorer looks and who uses it.
#[derive(Debug, clap::Args)]
pub struct Look {
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
