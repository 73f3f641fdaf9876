//! Colours: the terminal's own sixteen by default, on the terminal's own background, so that light and dark both work.
//! Meaning never rests on colour alone; without colours bold, reverse and underline carry the emphasis.
//!
//! Themes are files of `assets/themes`, one style a line. Every style names both of its colours, the terminal's own where
//! a theme names none: a style that leaves one open would have the terminal library reset the emphasis with it.

use ratatui::style::{Color, Modifier, Style};

pub use dejaview_study::settings::Palette;

/// The file with the styles of a palette.
fn file(palette: Palette) -> &'static str {
    match palette {
        Palette::Auto => include_str!("../../assets/themes/default.toml"),
        Palette::Light => include_str!("../../assets/themes/light.toml"),
        Palette::Dark => include_str!("../../assets/themes/dark.toml"),
        Palette::ColourBlind => include_str!("../../assets/themes/colour-blind.toml"),
        Palette::Mono => MONO,
    }
}

const MONO: &str = include_str!("../../assets/themes/mono.toml");

/// How many colours a terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Depth {
    /// The sixteen that every terminal with colours has.
    #[default]
    Sixteen,
    /// 256 or more.
    Many,
}

impl Depth {
    /// What the names in the environment promise. tmux often hides more, which costs nothing here.
    pub fn of(term: &str, colorterm: &str) -> Self {
        let many = term.contains("256color") || term.contains("direct") || ["truecolor", "24bit"].contains(&colorterm);
        if many { Self::Many } else { Self::Sixteen }
    }
}

/// The styles of everything on the screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Theme {
    /// Plain text.
    pub text: Style,
    /// What matters less.
    pub dim: Style,
    /// Names of screens and columns.
    pub title: Style,
    /// The row under the cursor.
    pub selected: Style,
    /// What only the source has.
    pub removed: Style,
    /// What only the target has.
    pub added: Style,
    /// Words found by a search.
    pub hit: Style,
    /// Keys in the bar.
    pub key: Style,
    /// Good news.
    pub good: Style,
    /// Something to look at.
    pub warning: Style,
}

impl Theme {
    /// The styles of a palette in sixteen colours; `NO_COLOR` is the caller's to honour by choosing [`Palette::Mono`].
    pub fn new(palette: Palette) -> Self {
        Self::with(palette, Depth::default(), &[]).0
    }

    /// The styles of a palette, changed by a person's own (name, words); what is not understood comes back.
    pub fn with(palette: Palette, depth: Depth, own: &[(String, String)]) -> (Self, Vec<&str>) {
        let mut theme = Self::default();
        for file in [MONO, file(palette)] {
            for (name, words) in entries(file) {
                theme.set(&name, &words, depth);
            }
        }
        let own = if palette == Palette::Mono { &[] } else { own };
        let wrong = own.iter().filter(|(name, words)| !theme.set(name, words, depth)).map(|(name, _)| name.as_str());
        let wrong = wrong.collect();
        (theme, wrong)
    }

    /// The names that a file or a person may give styles to.
    pub const NAMES: [&'static str; 10] =
        ["text", "dim", "title", "selected", "removed", "added", "hit", "key", "good", "warning"];

    fn set(&mut self, name: &str, words: &str, depth: Depth) -> bool {
        let place = match name {
            "text" => &mut self.text,
            "dim" => &mut self.dim,
            "title" => &mut self.title,
            "selected" => &mut self.selected,
            "removed" => &mut self.removed,
            "added" => &mut self.added,
            "hit" => &mut self.hit,
            "key" => &mut self.key,
            "good" => &mut self.good,
            "warning" => &mut self.warning,
            _ => return false,
        };
        match style(words, depth) {
            Some(style) => *place = style,
            None => return false,
        }
        true
    }
}

/// The entries of a theme's file.
fn entries(file: &str) -> Vec<(String, String)> {
    let table: toml::Table = file.parse().unwrap_or_default();
    table.into_iter().filter_map(|(name, value)| Some((name, value.as_str()?.to_owned()))).collect()
}

/// A style in words; none when a word is not known.
pub fn style(words: &str, depth: Depth) -> Option<Style> {
    let mut style = Style::new().fg(Color::Reset).bg(Color::Reset);
    let mut words = words.split_whitespace();
    while let Some(word) = words.next() {
        style = match word {
            "bold" => style.add_modifier(Modifier::BOLD),
            "dim" => style.add_modifier(Modifier::DIM),
            "italic" => style.add_modifier(Modifier::ITALIC),
            "underlined" => style.add_modifier(Modifier::UNDERLINED),
            "reversed" => style.add_modifier(Modifier::REVERSED),
            "on" => style.bg(colour(words.next()?, depth)?),
            colour_name => style.fg(colour(colour_name, depth)?),
        };
    }
    Some(style)
}

/// `cyan`, `208`, or `208|yellow`.
fn colour(word: &str, depth: Depth) -> Option<Color> {
    let (many, sixteen) = word.split_once('|').unwrap_or((word, word));
    let known: Color = if depth == Depth::Many { many } else { sixteen }.replace('-', "").parse().ok()?;
    Some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_understood_and_complete() {
        for palette in Palette::ALL {
            for depth in [Depth::Sixteen, Depth::Many] {
                let mut theme = Theme::default();
                for (name, words) in entries(file(palette)) {
                    assert!(theme.set(&name, &words, depth), "{palette:?}: {name} = {words}");
                }
            }
            assert_eq!(Palette::named(palette.name()), Some(palette));
        }
        let names: Vec<String> = entries(MONO).into_iter().map(|(name, _)| name).collect();
        assert!(Theme::NAMES.iter().all(|name| names.contains(&(*name).to_owned())), "{names:?}");
        assert_eq!(names.len(), Theme::NAMES.len());
    }

    #[test]
    fn no_style_leaves_a_colour_open() {
        for palette in Palette::ALL {
            let theme = Theme::new(palette);
            let styles = [theme.text, theme.dim, theme.title, theme.selected, theme.removed, theme.added, theme.hit];
            for style in styles.into_iter().chain([theme.key, theme.good, theme.warning]) {
                assert!(style.fg.is_some() && style.bg.is_some(), "{palette:?}: {style:?}");
                if palette == Palette::Mono {
                    assert_eq!((style.fg, style.bg), (Some(Color::Reset), Some(Color::Reset)));
                }
            }
        }
    }

    #[test]
    fn sixteen_colours_suffice_where_there_are_no_more() {
        let few = Theme::with(Palette::ColourBlind, Depth::of("linux", ""), &[]).0;
        assert_eq!(few.removed.fg, Some(Color::Yellow));
        let many = Theme::with(Palette::ColourBlind, Depth::of("xterm-256color", ""), &[]).0;
        assert_eq!(many.removed.fg, Some(Color::Indexed(172)));
        assert_eq!(Depth::of("screen", "truecolor"), Depth::Many);
    }

    #[test]
    fn a_person_may_change_a_style() {
        let own = [("title".to_owned(), "red on 7 italic".to_owned()), ("titel".to_owned(), "red".to_owned())];
        let (theme, wrong) = Theme::with(Palette::Auto, Depth::Sixteen, &own);
        assert_eq!((theme.title.fg, wrong), (Some(Color::Red), vec!["titel"]));
        assert!(style("reddish", Depth::Many).is_none());
        let (mono, _) = Theme::with(Palette::Mono, Depth::Many, &own);
        assert_eq!(mono.title.fg, Some(Color::Reset), "no colours means none");
    }
}
