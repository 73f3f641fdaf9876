//! Choosing a finer class or a reason for the label to come, out of the study's own.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Clear, Widget};

use crate::theme::Theme;
use crate::widgets::glyphs::{draw_text, width};
use dejaview_study::Recipe;

/// What is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// A finer class.
    Class,
    /// A reason.
    Reason,
}

impl Choice {
    /// What there is to choose from.
    pub fn options(self, recipe: &Recipe) -> &[String] {
        match self {
            Self::Class => &recipe.labels.classes,
            Self::Reason => &recipe.labels.reasons,
        }
    }

    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Reason => "reason",
        }
    }

    /// Said when the study names nothing to choose from.
    pub fn nothing(self) -> &'static str {
        match self {
            Self::Class => "this study has no finer classes ([labels] classes in study.toml)",
            Self::Reason => "this study has no reasons to choose from ([labels] reasons in study.toml)",
        }
    }
}

/// What was chosen for the label to come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen {
    /// A finer class.
    pub class: Option<String>,
    /// A reason.
    pub reason: Option<String>,
}

impl Chosen {
    /// Sets or clears one of them.
    pub fn set(&mut self, choice: Choice, value: Option<String>) {
        match choice {
            Choice::Class => self.class = value,
            Choice::Reason => self.reason = value,
        }
    }

    /// Both, in words.
    pub fn words(&self) -> String {
        let part = |name: &str, value: &Option<String>| value.as_ref().map(|v| format!(" · {name}: {v}"));
        [part("class", &self.class), part("reason", &self.reason)].into_iter().flatten().collect()
    }
}

/// The letter that chooses each option: the first of its own that no option before it has.
pub fn letters(options: &[String]) -> Vec<Option<char>> {
    let mut taken: Vec<char> = Vec::new();
    let mut letter = |option: &String| {
        let own = option.chars().flat_map(char::to_lowercase).chain('a'..='z');
        let free = own.filter(char::is_ascii_lowercase).find(|c| !taken.contains(c));
        taken.extend(free);
        free
    };
    options.iter().map(&mut letter).collect()
}

/// Draws the options over what is there.
pub fn draw(buffer: &mut Buffer, area: Rect, choice: Choice, (options, at): (&[String], usize), theme: &Theme) {
    let title = format!(" {} · Enter takes it · Backspace none · q closes ", choice.name());
    let widest = options.iter().map(|option| width(option) + 6).chain([width(&title) + 2]).max().unwrap_or(0);
    let (wide, high) = ((widest as u16).min(area.width), (options.len() as u16 + 2).min(area.height));
    let place =
        Rect { x: area.x + (area.width - wide) / 2, y: area.y + (area.height - high) / 2, width: wide, height: high };
    Clear.render(place, buffer);
    Block::bordered().title(title).style(theme.text).render(place, buffer);
    let page = usize::from(high.saturating_sub(2));
    let top = (at + 1).saturating_sub(page);
    let rows = options.iter().zip(letters(options)).enumerate().skip(top).take(page);
    for (line, (number, (option, letter))) in (0u16..).zip(rows) {
        let y = place.y + 1 + line;
        let style = if number == at { theme.selected } else { theme.text };
        let letter = letter.map(String::from).unwrap_or_default();
        draw_text(buffer, (place.x + 1, y), 3, &format!(" {letter} "), theme.key);
        draw_text(buffer, (place.x + 4, y), wide.saturating_sub(5), option, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_has_a_letter_of_its_own() {
        let options = ["same content", "same template", "excerpt", "revision", "Ü", "s"].map(str::to_owned);
        let found: Vec<char> = letters(&options).into_iter().flatten().collect();
        assert_eq!(found, ['s', 'a', 'e', 'r', 'b', 'c']);
        let many: Vec<String> = (0..40).map(|n| n.to_string()).collect();
        assert_eq!(letters(&many).into_iter().flatten().count(), 26, "then arrows must do");
    }
}
