//! Colours: the terminal's own sixteen by default, on the terminal's own background, so that light and dark both work.
//! Meaning never rests on colour alone; without colours bold, reverse and underline carry the emphasis.
//!
//! Themes are files of `assets/themes`, one style a line. Every style names both of its colours, the terminal's own where
//! a theme names none: a style that leaves one open would have the terminal library reset the emphasis with it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
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

/// What is behind the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    Dark,
    Light,
}

/// How many colours a terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Depth {
    /// The sixteen that every terminal with colours has.
    #[default]
    Sixteen,
    /// The 256 of xterm.
    Many,
    /// Any mixture of red, green and blue.
    All,
}

impl Depth {
    /// What the names in the environment promise. tmux often hides more, which costs nothing here.
    pub fn of(term: &str, colorterm: &str) -> Self {
        if term.contains("direct") || ["truecolor", "24bit"].contains(&colorterm) {
            Self::All
        } else if term.contains("256color") {
            Self::Many
        } else {
            Self::Sixteen
        }
    }
}

/// Makes the roles with their names, so that none can be without one.
macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident = $name:literal,)*) => {
        /// How everything on the screen looks, by the role that it plays: a theme styles roles, never places.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub struct Theme {
            $($(#[$doc])* pub $role: Style,)*
            /// Five steps of a score, the lowest first: see [`Theme::heat`].
            heat: [Style; 5],
        }

        impl Theme {
            /// The names that a file or a person may give styles to.
            pub const NAMES: &[&str] = &[$($name,)* "heat-1", "heat-2", "heat-3", "heat-4", "heat-5"];

            fn role(&mut self, name: &str) -> Option<&mut Style> {
                match current_name(name) {
                    $($name => Some(&mut self.$role),)*
                    _ => {
                        let step: usize = name.strip_prefix("heat-")?.parse().ok()?;
                        self.heat.get_mut(step.checked_sub(1)?)
                    }
                }
            }
        }
    };
}

roles! {
    /// Plain text.
    text = "text",
    /// Values, and the row under the cursor.
    strong = "strong",
    /// Hints, names of columns, ids, units.
    muted = "muted",
    /// Borders, tracks of meters, dots for "not found". Never words.
    faint = "faint",
    /// The focused border, the active tab, keys.
    accent = "accent",
    /// The row under the cursor in the focused pane; a background, so that cells keep their colours.
    cursor = "cursor",
    /// The selected row of another pane; a background.
    idle = "idle",
    /// What only A has: its sign, and text that stands alone.
    a = "a",
    /// A line that only A has; a background.
    a_line = "a-line",
    /// Words that only A has.
    a_word = "a-word",
    /// What only B has: its sign, and text that stands alone.
    b = "b",
    /// A line that only B has; a background.
    b_line = "b-line",
    /// Words that only B has.
    b_word = "b-word",
    /// Good news.
    good = "good",
    /// Something to look at.
    warning = "warning",
    /// Something failed.
    error = "error",
    /// Words found by a search.
    hit = "hit",
    /// The background of what lies over a screen.
    panel = "panel",
}

/// The role that stands for a style of former versions, since settings outlive them.
fn current_name(name: &str) -> &str {
    match name {
        "dim" => "muted",
        "title" | "key" => "accent",
        "selected" => "cursor",
        "removed" => "a-word",
        "added" => "b-word",
        name => name,
    }
}

/// Where the steps of a score begin.
const HEAT: [f64; 4] = [0.5, 0.7, 0.85, 0.95];

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

    /// The accent as a block: the active tab, the title of the focused pane.
    pub fn chip(&self) -> Style {
        self.accent.add_modifier(Modifier::REVERSED | Modifier::BOLD)
    }

    /// The colour of a score between 0 and 1. Its number or length says the same.
    pub fn heat(&self, score: f64) -> Style {
        self.heat[HEAT.iter().filter(|from| score >= **from).count()]
    }

    /// Lays a background under text that has colours of its own, such as the row under the cursor.
    pub fn lay_under(buffer: &mut Buffer, area: Rect, background: Style) {
        buffer.set_style(area, Style { fg: None, bg: background.bg.filter(|bg| *bg != Color::Reset), ..background });
    }

    fn set(&mut self, name: &str, words: &str, depth: Depth) -> bool {
        match (self.role(name), style(words, depth)) {
            (Some(role), Some(style)) => *role = style,
            _ => return false,
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
            "on" => styled(style, words.next()?, depth, Style::bg)?,
            word => styled(style, word, depth, Style::fg)?,
        };
    }
    Some(style)
}

/// A style changed by one word, which may have alternatives for terminals with fewer colours. All of them must be known,
/// whichever the terminal takes.
fn styled(style: Style, word: &str, depth: Depth, set: fn(Style, Color) -> Style) -> Option<Style> {
    let all: Vec<Style> = word.split('|').map(|word| one_word(style, word, set)).collect::<Option<_>>()?;
    // The last one is for sixteen colours, the one before it for 256.
    let from_the_end = match depth {
        Depth::Sixteen => 0,
        Depth::Many => 1,
        Depth::All => 2,
    };
    (all.len() <= 3).then(|| all[all.len().saturating_sub(1 + from_the_end)])
}

fn one_word(style: Style, word: &str, set: fn(Style, Color) -> Style) -> Option<Style> {
    Some(match word {
        "default" => style,
        "bold" => style.add_modifier(Modifier::BOLD),
        "dim" => style.add_modifier(Modifier::DIM),
        "italic" => style.add_modifier(Modifier::ITALIC),
        "underlined" => style.add_modifier(Modifier::UNDERLINED),
        "reversed" => style.add_modifier(Modifier::REVERSED),
        colour => set(style, colour.replace('-', "").parse().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEPTHS: [Depth; 3] = [Depth::Sixteen, Depth::Many, Depth::All];

    #[test]
    fn every_file_is_understood_and_complete() {
        for palette in Palette::ALL {
            for depth in DEPTHS {
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
            for depth in DEPTHS {
                let mut theme = Theme::with(palette, depth, &[]).0;
                for name in Theme::NAMES {
                    let style = theme.role(name).copied().unwrap();
                    assert!(style.fg.is_some() && style.bg.is_some(), "{palette:?}: {name} {style:?}");
                    if palette == Palette::Mono {
                        assert_eq!((style.fg, style.bg), (Some(Color::Reset), Some(Color::Reset)), "{name}");
                    }
                }
            }
        }
    }

    #[test]
    fn sixteen_colours_suffice_where_there_are_no_more() {
        let a = |term: &str, colorterm: &str| Theme::with(Palette::Dark, Depth::of(term, colorterm), &[]).0.a.fg;
        assert_eq!(a("linux", ""), Some(Color::Yellow));
        assert_eq!(a("xterm-256color", ""), Some(Color::Indexed(215)));
        assert_eq!(a("screen", "truecolor"), Some(Color::Rgb(0xf0, 0xa0, 0x50)));
        assert_eq!(style("172|yellow", Depth::All), style("172", Depth::All), "two alternatives are 256 and sixteen");
        assert_eq!(style("246|dim", Depth::Sixteen), style("dim", Depth::Sixteen));
    }

    #[test]
    fn a_person_may_change_a_style() {
        let own = [("accent".to_owned(), "red on 7 italic".to_owned()), ("acent".to_owned(), "red".to_owned())];
        let (theme, wrong) = Theme::with(Palette::Auto, Depth::Sixteen, &own);
        assert_eq!((theme.accent.fg, wrong), (Some(Color::Red), vec!["acent"]));
        for words in ["reddish", "red|reddish", "1|2|3|4", "on", "#12345"] {
            assert!(style(words, Depth::Many).is_none(), "{words}");
        }
        let (mono, _) = Theme::with(Palette::Mono, Depth::Many, &own);
        assert_eq!(mono.accent.fg, Some(Color::Reset), "no colours means none");
    }

    /// Relative luminance and contrast as WCAG 2 defines them.
    fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
        let luminance = |colour: [u8; 3]| {
            let [r, g, b] = colour.map(|part| {
                let part = f64::from(part) / 255.0;
                if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
            });
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn words_can_be_read_on_common_backgrounds() {
        let dark = [[0, 0, 0], [0x1c, 0x1f, 0x26], [0x28, 0x2c, 0x34]];
        let light = [[255, 255, 255], [0xfd, 0xf6, 0xe3], [0xee, 0xee, 0xee]];
        for (palette, backgrounds) in [(Palette::Dark, dark), (Palette::Light, light)] {
            let theme = Theme::with(palette, Depth::All, &[]).0;
            for role in [theme.muted, theme.accent, theme.a, theme.b, theme.good, theme.warning, theme.error] {
                let Some(Color::Rgb(r, g, b)) = role.fg else { panic!("{palette:?}: {role:?}") };
                for background in backgrounds {
                    let reached = contrast([r, g, b], background);
                    assert!(reached >= 4.5, "{palette:?}: {:?} on {background:?} reaches {reached:.2}", role.fg);
                }
            }
        }
    }

    #[test]
    fn scores_have_five_steps() {
        let theme = Theme::with(Palette::Dark, Depth::All, &[]).0;
        let steps = [0.0, 0.5, 0.7, 0.85, 0.95].map(|score| theme.heat(score));
        assert_eq!(steps, theme.heat);
        assert_eq!(theme.heat(0.499), theme.heat[0]);
        assert_eq!(theme.heat(1.0), theme.heat[4]);
    }
}
