//! Colours: the terminal's own sixteen, on the terminal's own background, so that light and dark both work. Meaning never
//! rests on colour alone; without colours bold, reverse and underline carry the emphasis.

use ratatui::style::{Color, Modifier, Style};

/// Which colours to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Palette {
    /// Colours that read well on light and dark backgrounds.
    #[default]
    Auto,
    /// For light backgrounds.
    Light,
    /// For dark backgrounds.
    Dark,
    /// No colours.
    Mono,
}

/// The styles of everything on the screen.
#[derive(Debug, Clone, Copy)]
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
    /// The styles of a palette; `NO_COLOR` is the caller's to honour by choosing [`Palette::Mono`].
    pub fn new(palette: Palette) -> Self {
        let bold = Modifier::BOLD;
        let plain = Style::new().fg(Color::Reset).bg(Color::Reset);
        let mono = Self {
            text: plain,
            dim: plain.add_modifier(Modifier::DIM),
            title: plain.add_modifier(bold),
            selected: plain.add_modifier(Modifier::REVERSED),
            removed: plain.add_modifier(Modifier::UNDERLINED),
            added: plain.add_modifier(Modifier::UNDERLINED | bold),
            hit: plain.add_modifier(Modifier::REVERSED | bold),
            key: plain.add_modifier(bold),
            good: plain,
            warning: plain.add_modifier(bold),
        };
        let (old, new, accent, good) = match palette {
            Palette::Mono => return mono,
            Palette::Auto => (Color::Magenta, Color::Blue, Color::Cyan, Color::Green),
            Palette::Light => (Color::Red, Color::Blue, Color::Blue, Color::Green),
            Palette::Dark => (Color::LightYellow, Color::LightBlue, Color::LightCyan, Color::LightGreen),
        };
        Self {
            title: plain.fg(accent).add_modifier(bold),
            removed: plain.fg(old).add_modifier(Modifier::UNDERLINED),
            added: plain.fg(new).add_modifier(Modifier::UNDERLINED | bold),
            key: plain.fg(accent).add_modifier(bold),
            good: plain.fg(good),
            warning: plain.fg(old).add_modifier(bold),
            ..mono
        }
    }
}
