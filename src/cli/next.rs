//! What is left to do after the command line has been read: the explorer is a crate of its own, beside this one.

use std::path::PathBuf;

use dejaview_study::Session;
use dejaview_study::settings::{Palette, Settings};

/// The caller does this, because it knows the explorer and this crate does not.
#[derive(Debug)]
pub enum Next {
    /// Nothing.
    Done,
    /// Open the explorer.
    Explore(Box<Explore>),
    /// Print a screen of the explorer.
    Picture(Box<Picture>),
}

/// How the explorer is to be opened.
#[derive(Debug)]
pub struct Explore {
    /// The study.
    pub session: Session,
    /// The colours of `--theme`; none: those of the settings.
    pub palette: Option<Palette>,
    /// What the person wants of every study.
    pub settings: Settings,
    /// Whether times are shown.
    pub hud: bool,
    /// Whether the terminal knows no more than ASCII.
    pub ascii: bool,
    /// Who labels.
    pub annotator: String,
    /// Where keys are written down.
    pub record: Option<PathBuf>,
    /// Where it begins.
    pub first: First,
}

/// Where the explorer begins.
#[derive(Debug)]
pub enum First {
    /// With the study.
    Home,
    /// At a pair: source id, target id.
    Pair([String; 2]),
    /// At the first undecided pair of a sample; where none is named, of the newest.
    Sample(Option<String>),
    /// At the calibration deck, before a sample.
    Calibrate(Option<String>),
}

/// A screen of the explorer to be printed.
#[derive(Debug)]
pub struct Picture {
    /// The study.
    pub session: Session,
    /// Its colours.
    pub palette: Palette,
    /// Columns and lines.
    pub size: (u16, u16),
    /// Keys to press first.
    pub keys: String,
    /// A picture instead of text.
    pub svg: bool,
}
