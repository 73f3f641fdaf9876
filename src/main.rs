//! Arguments in, exit code out; the one place that knows both fronts.

use std::process::ExitCode;

use anyhow::{Context, Result};
use dejaview::base::{allocator, system};
use dejaview::cli::{self, Explore, Next, Picture, PictureForm, StartAt};
use dejaview::study::{Snapshot, sample_to_label};
use dejaview::tui::headless::Headless;
use dejaview::tui::pair_ids::PairIds;
use dejaview::tui::preferences::Preferences;
use dejaview::tui::screens::compare::Compare;
use dejaview::tui::screens::home::Home;
use dejaview::tui::screens::keys;
use dejaview::tui::screens::label::Label;
use dejaview::tui::script;
use dejaview::tui::theme::Depth;
use dejaview::tui::{self, Start};

fn main() -> ExitCode {
    allocator::return_large_pieces();
    system::outlive_large_files();
    let ending = cli::run(|| Preferences::problems(&keys())).and_then(|next| match next {
        Next::Done => Ok(()),
        Next::Explore(asked) => explore(*asked),
        Next::Picture(asked) => picture(*asked),
    });
    cli::exit_code(&ending)
}

fn explore(asked: Explore) -> Result<()> {
    let calibrate = matches!(asked.start, StartAt::Calibration(_));
    let (screen, at, sample) = match asked.start {
        StartAt::Home => (Home::ID, None, None),
        StartAt::Pair([source, target]) => (Compare::ID, Some(PairIds { source, target }), None),
        StartAt::Sample(sample) | StartAt::Calibration(sample) => (Label::ID, None, sample),
    };
    let sample_is_chosen = sample.is_some();
    let sample = match sample {
        Some(sample) => Some(sample),
        None => sample_to_label(&Snapshot::new(&asked.session))?,
    };
    let (mut preferences, problems) = Preferences::new(&asked.settings, &keys());
    if let Some(palette) = asked.palette {
        preferences.palette = palette;
    }
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    preferences.depth = Depth::of(&variable("TERM"), &variable("COLORTERM"));
    preferences.hud |= asked.hud;
    preferences.ascii = asked.ascii;
    let start = Start {
        annotator: asked.annotator,
        screen,
        at,
        sample,
        sample_is_chosen,
        calibrate,
        preferences,
        problems,
        record: asked.record,
    };
    tui::run(asked.session, start)
}

fn picture(asked: Picture) -> Result<()> {
    script::keys(&asked.keys).context("reading the keys to press")?;
    let mut headless = Headless::look(asked.session, asked.size, asked.palette, asked.annotator.as_deref())?;
    let printed = match asked.form {
        PictureForm::Text | PictureForm::Json => headless.keys(&asked.keys).text(),
        PictureForm::Still => {
            headless = headless.in_all_colours();
            headless.keys(&asked.keys).svg()
        }
        PictureForm::Animation => {
            headless = headless.in_all_colours();
            headless.animation(&asked.keys)
        }
    };
    if let Some(why) = headless.app.trouble() {
        anyhow::bail!("{} cannot be shown, since the study cannot be read: {why}", headless.app.screen().id().title());
    }
    cli::say_first(headless.app.doubts().into_iter());
    match asked.form {
        PictureForm::Json => cli::print_screen(asked.size, &printed),
        PictureForm::Text | PictureForm::Still | PictureForm::Animation => cli::print(&printed),
    }
}
