//! What the program still has to do after a subcommand: the explorer is a crate beside this one, so `main` opens it.

use std::path::PathBuf;

use dejaview_study::Session;
use dejaview_study::settings::{Palette, Settings};

/// What is left to do for the caller, which knows the explorer; this crate does not.
#[derive(Debug)]
pub enum Next {
    Done,
    Explore(Box<Explore>),
    Picture(Box<Picture>),
}

/// How the explorer is to be opened.
#[derive(Debug)]
pub struct Explore {
    pub session: Session,
    /// The colours of `--theme`; `None` means those of the settings.
    pub palette: Option<Palette>,
    pub settings: Settings,
    /// Whether to show how long keys and frames take.
    pub hud: bool,
    /// Whether the terminal shows ASCII only.
    pub ascii: bool,
    pub annotator: String,
    /// New file that every pressed key is written to.
    pub record: Option<PathBuf>,
    pub start: StartAt,
}

/// What the explorer shows first.
#[derive(Debug)]
pub enum StartAt {
    Home,
    /// A pair: source id, target id.
    Pair([String; 2]),
    /// The first undecided pair of a sample; `None` means the newest sample.
    Sample(Option<String>),
    /// Pairs with known labels for practice, then the sample.
    Calibration(Option<String>),
}

/// A screen of the explorer to be printed.
#[derive(Debug)]
pub struct Picture {
    pub session: Session,
    pub palette: Palette,
    /// Whose labels are seen; nobody's when none is named.
    pub annotator: Option<String>,
    /// In columns and lines.
    pub size: (u16, u16),
    /// Keys to press before the screen is printed.
    pub keys: String,
    pub form: PictureForm,
}

/// What a screen is printed as.
#[derive(Debug, Clone, Copy)]
pub enum PictureForm {
    Text,
    /// The lines of the text, as a JSON document.
    Json,
    /// SVG.
    Still,
    /// SVG with a frame for each line of keys.
    Animation,
}
