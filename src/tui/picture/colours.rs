//! Which colours a terminal's cells have on paper, a dark and a light one.

use std::fmt;

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

use crate::theme::Palette;

/// A colour of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

impl Rgb {
    const fn hex(hex: u32) -> Self {
        let [_, red, green, blue] = hex.to_be_bytes();
        Self(red, green, blue)
    }

    /// A colour between this one and another, nearer to this one.
    fn towards(self, other: Self) -> Self {
        let between = |a: u8, b: u8| ((u16::from(a) * 3 + u16::from(b) * 2) / 5) as u8;
        Self(between(self.0, other.0), between(self.1, other.1), between(self.2, other.2))
    }
}

/// What a picture is drawn on: stands for the terminal's own background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    Dark,
    Light,
}

impl Paper {
    /// The paper that a palette was made for; dark, where it suits both.
    pub fn of(palette: Palette) -> Self {
        if palette == Palette::Light { Self::Light } else { Self::Dark }
    }

    pub fn ground(self) -> Rgb {
        Rgb::hex(if self == Self::Dark { 0x1c1f26 } else { 0xffffff })
    }

    pub fn ink(self) -> Rgb {
        Rgb::hex(if self == Self::Dark { 0xd7dae0 } else { 0x1f2328 })
    }

    /// The edge of the paper, which is needed where the page around it has the same colour.
    pub fn edge(self) -> Rgb {
        Rgb::hex(if self == Self::Dark { 0x3a404c } else { 0xd0d7de })
    }

    /// Ink and ground of a cell.
    pub fn colours(self, cell: &Cell) -> (Rgb, Rgb) {
        let (ink, ground) = (self.colour(cell.fg, self.ink()), self.colour(cell.bg, self.ground()));
        let (ink, ground) = if cell.modifier.contains(Modifier::REVERSED) { (ground, ink) } else { (ink, ground) };
        (if cell.modifier.contains(Modifier::DIM) { ink.towards(ground) } else { ink }, ground)
    }

    fn colour(self, colour: Color, own: Rgb) -> Rgb {
        match colour {
            Color::Reset => own,
            Color::Rgb(red, green, blue) => Rgb(red, green, blue),
            Color::Indexed(number) => self.numbered(number),
            Color::Black => self.numbered(0),
            Color::Red => self.numbered(1),
            Color::Green => self.numbered(2),
            Color::Yellow => self.numbered(3),
            Color::Blue => self.numbered(4),
            Color::Magenta => self.numbered(5),
            Color::Cyan => self.numbered(6),
            Color::Gray => self.numbered(7),
            Color::DarkGray => self.numbered(8),
            Color::LightRed => self.numbered(9),
            Color::LightGreen => self.numbered(10),
            Color::LightYellow => self.numbered(11),
            Color::LightBlue => self.numbered(12),
            Color::LightMagenta => self.numbered(13),
            Color::LightCyan => self.numbered(14),
            Color::White => self.numbered(15),
        }
    }

    /// The 256 colours of terminals: sixteen that each terminal chooses, a cube of six steps a side, and 24 greys.
    fn numbered(self, number: u8) -> Rgb {
        const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
        let sixteen = if self == Self::Dark { &ON_DARK } else { &ON_LIGHT };
        match number {
            0..=15 => Rgb::hex(sixteen[usize::from(number)]),
            16..=231 => {
                let place = usize::from(number - 16);
                Rgb(STEPS[place / 36], STEPS[place / 6 % 6], STEPS[place % 6])
            }
            232..=255 => {
                let grey = 8 + (number - 232) * 10;
                Rgb(grey, grey, grey)
            }
        }
    }
}

const ON_DARK: [u32; 16] = [
    0x3b4048, 0xe06c75, 0x98c379, 0xd19a66, 0x61afef, 0xc678dd, 0x56b6c2, 0xabb2bf, 0x7f8694, 0xff8b92, 0xb5e890,
    0xe5c07b, 0x82c0ff, 0xdfa0f0, 0x7fd8e4, 0xffffff,
];

const ON_LIGHT: [u32; 16] = [
    0x24292f, 0xcf222e, 0x116329, 0x7d4e00, 0x0550ae, 0x8250df, 0x1b7c83, 0x6e7781, 0x57606a, 0xa40e26, 0x1a7f37,
    0x633c01, 0x0969da, 0xa475f9, 0x3192aa, 0x8c959f,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_terminals() {
        let colours = |paper: Paper, fg: Color, modifier: Modifier| {
            let mut cell = Cell::new("x");
            (cell.fg, cell.modifier) = (fg, modifier);
            let (ink, ground) = paper.colours(&cell);
            format!("{ink} on {ground}")
        };
        let plain = Modifier::empty();
        assert_eq!(colours(Paper::Dark, Color::Reset, plain), "#d7dae0 on #1c1f26");
        assert_eq!(colours(Paper::Dark, Color::Rgb(1, 2, 255), Modifier::REVERSED), "#1c1f26 on #0102ff");
        assert_eq!(colours(Paper::Light, Color::Indexed(16), plain), "#000000 on #ffffff");
        assert_eq!(colours(Paper::Light, Color::Indexed(215), plain), "#ffaf5f on #ffffff");
        assert_eq!(colours(Paper::Light, Color::Indexed(255), plain), "#eeeeee on #ffffff");
        assert_eq!(colours(Paper::Light, Color::Red, plain), colours(Paper::Light, Color::Indexed(1), plain));
        let dim = colours(Paper::Light, Color::Indexed(16), Modifier::DIM);
        assert_eq!(dim, "#666666 on #ffffff");
    }
}
