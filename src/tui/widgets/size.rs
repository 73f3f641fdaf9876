//! How much fits on the terminal, and how a screen is parted into panes.

use ratatui::layout::Rect;

/// From this many columns on a screen has two columns of panes, and panes have borders.
const MEDIUM: u16 = 100;
/// From this many on it has three, or a list with a large preview.
const WIDE: u16 = 160;
/// Below this many lines there is room for a strip of details, not for descriptions.
const NOT_SHORT: u16 = 30;
/// From this many on descriptions and examples are shown below a list.
const TALL: u16 = 45;

/// The narrowest that the two columns of a medium screen become.
const NARROWEST: (u16, u16) = (50, 44);

/// How many columns of panes fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Breadth {
    /// One pane, without borders at its sides; lists end with a strip of details.
    Narrow,
    /// Two columns.
    Medium,
    /// Three columns, or a list with a large preview.
    Wide,
}

/// How many lines there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Height {
    Short,
    Normal,
    Tall,
}

/// The class of a terminal's size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub breadth: Breadth,
    pub height: Height,
}

impl Size {
    /// Of a terminal with so many columns and lines.
    pub fn of((columns, lines): (u16, u16)) -> Self {
        let breadth = match columns {
            ..MEDIUM => Breadth::Narrow,
            MEDIUM..WIDE => Breadth::Medium,
            WIDE.. => Breadth::Wide,
        };
        let height = match lines {
            ..NOT_SHORT => Height::Short,
            NOT_SHORT..TALL => Height::Normal,
            TALL.. => Height::Tall,
        };
        Self { breadth, height }
    }

    /// For boxes over a screen, which have borders on narrow terminals as well.
    pub const BOXED: Self = Self { breadth: Breadth::Medium, height: Height::Normal };

    /// Whether there is one pane at a time, without borders.
    pub fn is_narrow(self) -> bool {
        self.breadth == Breadth::Narrow
    }
}

/// The two columns of a medium screen: a bit more than half for the list, the rest for what is under its cursor.
pub fn two_columns(area: Rect) -> [Rect; 2] {
    let left = (u32::from(area.width) * 52 / 100) as u16;
    split_columns(area, left.max(NARROWEST.0).min(area.width.saturating_sub(NARROWEST.1)))
}

/// Parts an area into one of so many columns on the left, and the rest.
pub fn split_columns(area: Rect, left: u16) -> [Rect; 2] {
    let left = left.min(area.width);
    [Rect { width: left, ..area }, Rect { x: area.x + left, width: area.width - left, ..area }]
}

/// Parts an area into one of so many lines at the top, and the rest.
pub fn split_lines(area: Rect, top: u16) -> [Rect; 2] {
    let top = top.min(area.height);
    [Rect { height: top, ..area }, Rect { y: area.y + top, height: area.height - top, ..area }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_lines_have_classes() {
        let class = |size| (Size::of(size).breadth, Size::of(size).height);
        assert_eq!(class((80, 24)), (Breadth::Narrow, Height::Short));
        assert_eq!(class((99, 30)), (Breadth::Narrow, Height::Normal));
        assert_eq!(class((120, 32)), (Breadth::Medium, Height::Normal));
        assert_eq!(class((200, 60)), (Breadth::Wide, Height::Tall));
    }

    #[test]
    fn columns_cover_the_area_and_are_wide_enough() {
        for width in 100..240 {
            let area = Rect::new(0, 1, width, 20);
            let [left, right] = two_columns(area);
            assert_eq!((left.x, left.right(), right.right()), (area.x, right.x, area.right()));
            assert!(left.width >= 50 && right.width >= 44, "{width}: {left} {right}");
        }
        let [top, rest] = split_lines(Rect::new(0, 1, 10, 3), 9);
        assert_eq!((top.height, rest.height, rest.y), (3, 0, 4));
    }
}
