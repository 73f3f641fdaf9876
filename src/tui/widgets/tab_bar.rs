//! The first line: all screens with their keys, the one that is shown as a block.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::glyphs::{draw_text, width};
use crate::theme::Theme;

/// One screen.
#[derive(Debug, Clone)]
pub struct Tab {
    /// The key that leads there; empty when there is none.
    pub key: String,
    pub name: String,
    pub active: bool,
    /// Whether something there wants to be seen.
    pub marked: bool,
}

/// How tabs are written, the widest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// ` 1 Home  2 Judgments `
    Spaced,
    /// ` 1Home 2Judgments`
    Close,
    /// ` 1Home 2Judg`: names of four letters.
    Short,
    /// ` 1 2`: names only where one is.
    Keys,
}

impl Form {
    const ALL: [Self; 4] = [Self::Spaced, Self::Close, Self::Short, Self::Keys];

    fn text(self, tab: &Tab) -> String {
        let mark = if tab.marked { "!" } else { "" };
        let name = |letters: usize| tab.name.chars().take(letters).collect::<String>();
        match self {
            Self::Spaced => format!(" {}{mark} ", format!("{} {}", tab.key, tab.name).trim_start()),
            Self::Close => format!(" {}{}{mark}", tab.key, tab.name),
            Self::Short => format!(" {}{}{mark}", tab.key, name(4)),
            Self::Keys if tab.active || tab.key.is_empty() => format!(" {}{}{mark}", tab.key, name(4)),
            Self::Keys => format!(" {}{mark}", tab.key),
        }
    }
}

/// Draws the tabs in the widest form that leaves room for the news at the right end; the first of `news` that fits is
/// shown, for it may be said in fewer words. News that are empty, as a last choice, never shorten a name.
pub fn draw(buffer: &mut Buffer, row: Rect, tabs: &[Tab], news: &[(String, Style)], theme: &Theme) {
    let columns = usize::from(row.width);
    let wide = |form: Form| tabs.iter().map(|tab| width(&form.text(tab))).sum::<usize>();
    let needed = |text: &str| if text.is_empty() { 0 } else { width(text) + 2 };
    let least = news.iter().map(|(text, _)| needed(text)).min().unwrap_or(0);
    let form = Form::ALL.into_iter().find(|form| wide(*form) + least <= columns).unwrap_or(Form::Keys);
    let mut x = row.x;
    for tab in tabs {
        let text = form.text(tab);
        let room = row.right().saturating_sub(x);
        if tab.active {
            // The blank before a close tab parts it from its neighbour and is not of the block.
            let block = if form == Form::Spaced { text.as_str() } else { text.trim_start() };
            let indent = (width(&text) - width(block)) as u16;
            x += indent + draw_text(buffer, (x + indent, row.y), room.saturating_sub(indent), block, theme.chip());
        } else {
            let style = if tab.marked { theme.warning.add_modifier(Modifier::BOLD) } else { theme.muted };
            x += draw_text(buffer, (x, row.y), room, &text, style);
        }
    }
    let room = usize::from(row.right().saturating_sub(x + 2));
    if let Some((text, style)) = news.iter().find(|(text, _)| width(text) <= room) {
        let wide = width(text) as u16;
        draw_text(buffer, (row.right() - wide, row.y), wide, text, *style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Palette;

    fn drawn(columns: u16, news: &str) -> String {
        let names = ["Home", "Judgments", "Pairs", "Compare", "Label", "Review", "Figures", "Methods", "Corpus", "Log"];
        let tab = |(i, name): (usize, &&str)| Tab {
            key: ((i + 1) % 10).to_string(),
            name: (*name).to_owned(),
            active: i == 1,
            marked: false,
        };
        let tabs: Vec<Tab> = names.iter().enumerate().map(tab).collect();
        let row = Rect::new(0, 0, columns, 1);
        let mut buffer = Buffer::empty(row);
        let news = [(news.to_owned(), Style::new())];
        draw(&mut buffer, row, &tabs, &news, &Theme::new(Palette::Mono));
        buffer.content.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned()
    }

    #[test]
    fn tabs_take_the_widest_form_that_fits() {
        let all = " 1 Home  2 Judgments  3 Pairs  4 Compare  5 Label  6 Review  7 Figures  8 Methods  9 Corpus  0 Log";
        assert_eq!(drawn(120, "A small web"), format!("{all}           A small web"));
        assert_eq!(drawn(80, ""), " 1Home 2Judgments 3Pairs 4Compare 5Label 6Review 7Figures 8Methods 9Corpus 0Log");
        assert_eq!(drawn(60, ""), " 1Home 2Judg 3Pair 4Comp 5Labe 6Revi 7Figu 8Meth 9Corp 0Log");
        assert_eq!(drawn(60, "! NOT SAVED"), " 1 2Judg 3 4 5 6 7 8 9 0                         ! NOT SAVED");
    }
}
