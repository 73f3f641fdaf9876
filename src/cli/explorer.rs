//! How the explorer is opened: as the command line, the environment and the settings say.

use super::args::Look;
use super::next::{Explore, First};
use super::output::ascii_only;
use dejaview_study::Session;
use dejaview_study::settings::{Palette, Settings};

/// The explorer on a study, with what the environment and the settings say.
pub fn explore(session: Session, look: &Look, first: First) -> Explore {
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let palette = if no_colour { Some(Palette::Mono) } else { look.theme };
    let settings = Settings::load();
    let annotator = named(look.annotator.as_deref(), &settings);
    let record = look.record.clone();
    Explore { session, palette, settings, hud: look.hud, ascii: ascii_only(), annotator, record, first }
}

/// Who labels: the one named, else the settings', else the user.
pub fn annotator(asked: Option<&str>) -> String {
    named(asked, &Settings::load())
}

fn named(asked: Option<&str>, settings: &Settings) -> String {
    let user = || std::env::var("USER").ok().filter(|name| !name.is_empty());
    let asked = asked.map(str::to_owned).or_else(|| settings.annotator.clone());
    asked.or_else(user).unwrap_or_else(|| "anonymous".to_owned())
}
