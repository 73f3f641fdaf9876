//! What changed on the screen, in few bytes: one sequence for a change of style, none for what a blank does not show,
//! none for a cursor that is hidden anyway.
//!
//! After a character that is not one column wide the place is said anew, for terminals differ in their widths; so it is
//! wherever something was left out, and never as a distance from where the terminal thinks to be.

use std::io::{self, Write};

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::{Cell, CellWidth};
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};

/// Attributes with what switches them on and off.
const ATTRIBUTES: [(Modifier, u8, u8); 9] = [
    (Modifier::BOLD, 1, 22),
    (Modifier::DIM, 2, 22),
    (Modifier::ITALIC, 3, 23),
    (Modifier::UNDERLINED, 4, 24),
    (Modifier::SLOW_BLINK, 5, 25),
    (Modifier::RAPID_BLINK, 6, 25),
    (Modifier::REVERSED, 7, 27),
    (Modifier::HIDDEN, 8, 28),
    (Modifier::CROSSED_OUT, 9, 29),
];

/// Attributes that one sees on a blank.
const SEEN_ON_BLANKS: Modifier = Modifier::UNDERLINED.union(Modifier::REVERSED).union(Modifier::CROSSED_OUT);

/// Draws onto a terminal.
#[derive(Debug)]
pub struct Painter<W: Write> {
    out: W,
}

impl<W: Write> Painter<W> {
    /// Onto this.
    pub fn new(out: W) -> Self {
        Self { out }
    }

    fn place(&mut self, before: Option<(u16, u16)>, (x, y): (u16, u16)) -> io::Result<()> {
        let (column, row) = (u32::from(x) + 1, u32::from(y) + 1);
        match before {
            Some(next) if next == (x, y) => Ok(()),
            Some((_, same)) if same == y => write!(self.out, "\x1b[{column}G"),
            _ if x == 0 => write!(self.out, "\x1b[{row}H"),
            _ => write!(self.out, "\x1b[{row};{column}H"),
        }
    }
}

/// How a cell looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Look {
    front: Color,
    back: Color,
    modifier: Modifier,
}

impl Look {
    const PLAIN: Self = Self { front: Color::Reset, back: Color::Reset, modifier: Modifier::empty() };

    fn of(cell: &Cell) -> Self {
        Self { front: cell.fg, back: cell.bg, modifier: cell.modifier }
    }

    /// Whether a blank looks the same in both.
    fn same_on_blanks(self, other: Self) -> bool {
        let seen = |look: Self| look.modifier.intersects(SEEN_ON_BLANKS);
        self.back == other.back && !seen(self) && !seen(other)
    }

    /// The numbers that lead from a look to this one: the fewer of two ways.
    fn numbers(self, from: Self) -> Vec<String> {
        if self == Self::PLAIN {
            return Vec::new();
        }
        let (mut anew, step) = (self.step(Self::PLAIN), self.step(from));
        anew.insert(0, "0".to_owned());
        let length = |numbers: &[String]| numbers.iter().map(|number| number.len() + 1).sum::<usize>();
        if length(&anew) < length(&step) { anew } else { step }
    }

    fn step(self, from: Self) -> Vec<String> {
        let gone = from.modifier - self.modifier;
        let mut off: Vec<u8> =
            ATTRIBUTES.iter().filter(|(attribute, ..)| gone.contains(*attribute)).map(|(.., off)| *off).collect();
        off.dedup();
        // What switches bold off switches dim off, too.
        let on = ATTRIBUTES.iter().filter(|(attribute, _, end)| {
            self.modifier.contains(*attribute) && (!from.modifier.contains(*attribute) || off.contains(end))
        });
        let mut numbers: Vec<String> =
            off.iter().copied().chain(on.map(|(_, on, _)| *on)).map(|n| n.to_string()).collect();
        if self.front != from.front {
            numbers.push(colour(self.front, 30));
        }
        if self.back != from.back {
            numbers.push(colour(self.back, 40));
        }
        numbers
    }
}

/// A colour of the front (`base` 30) or the back (40).
fn colour(colour: Color, base: u32) -> String {
    let bright = base + 60;
    let number = match colour {
        Color::Reset => base + 9,
        Color::Black => base,
        Color::Red => base + 1,
        Color::Green => base + 2,
        Color::Yellow => base + 3,
        Color::Blue => base + 4,
        Color::Magenta => base + 5,
        Color::Cyan => base + 6,
        Color::Gray => base + 7,
        Color::DarkGray => bright,
        Color::LightRed => bright + 1,
        Color::LightGreen => bright + 2,
        Color::LightYellow => bright + 3,
        Color::LightBlue => bright + 4,
        Color::LightMagenta => bright + 5,
        Color::LightCyan => bright + 6,
        Color::White => bright + 7,
        Color::Indexed(n) => return format!("{};5;{n}", base + 8),
        Color::Rgb(r, g, b) => return format!("{};2;{r};{g};{b}", base + 8),
    };
    number.to_string()
}

impl<W: Write> Backend for Painter<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let (mut look, mut next) = (Look::PLAIN, None);
        for (x, y, cell) in content {
            self.place(next, (x, y))?;
            let wanted = Look::of(cell);
            if wanted != look && !(cell.symbol() == " " && wanted.same_on_blanks(look)) {
                write!(self.out, "\x1b[{}m", wanted.numbers(look).join(";"))?;
                look = wanted;
            }
            self.out.write_all(cell.symbol().as_bytes())?;
            next = Some(if cell.symbol().cell_width() == 1 { (x + 1, y) } else { (u16::MAX, y) });
        }
        if look == Look::PLAIN { Ok(()) } else { self.out.write_all(b"\x1b[m") }
    }

    /// It is hidden when the terminal is taken over, and nothing here shows it.
    fn hide_cursor(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// It is shown when the terminal is given back.
    fn show_cursor(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Nobody is asked: the answer would come as keys.
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(Position::ORIGIN)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        let Position { x, y } = position.into();
        self.place(None, (x, y))
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.out.write_all(match region {
            ClearType::All => b"\x1b[2J",
            ClearType::AfterCursor => b"\x1b[J",
            ClearType::BeforeCursor => b"\x1b[1J",
            ClearType::CurrentLine => b"\x1b[2K",
            ClearType::UntilNewLine => b"\x1b[K",
        })
    }

    fn size(&self) -> io::Result<Size> {
        let (width, height) = crate::terminal::size()?;
        Ok(Size { width, height })
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::ZERO })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    fn painted(before: &Buffer, after: &Buffer) -> String {
        let mut bytes = Vec::new();
        Painter::new(&mut bytes).draw(before.diff(after).into_iter()).unwrap();
        String::from_utf8(bytes).unwrap().replace('\x1b', "␛")
    }

    fn buffer(texts: &[(&str, Style)]) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 2));
        let mut x = 0;
        for (text, style) in texts {
            x = buffer.set_stringn(x, 1, text, usize::MAX, *style).0;
        }
        buffer
    }

    #[test]
    fn few_bytes() {
        let none = buffer(&[]);
        let plain = Style::new().fg(Color::Reset).bg(Color::Reset);
        let (bold, reversed) = (plain.add_modifier(Modifier::BOLD), plain.add_modifier(Modifier::REVERSED));
        assert_eq!(painted(&none, &buffer(&[("ab", plain)])), "␛[2Hab");
        assert_eq!(painted(&buffer(&[("abcd", plain)]), &buffer(&[("xbcy", plain)])), "␛[2Hx␛[4Gy");
        assert_eq!(painted(&none, &buffer(&[("a", bold), ("b", reversed), ("c", plain)])), "␛[2H␛[1ma␛[0;7mb␛[mc");
        let blanks = [("a", bold), (" ", plain), ("b", bold.fg(Color::Cyan))];
        assert_eq!(painted(&buffer(&[("xxx", plain)]), &buffer(&blanks)), "␛[2H␛[1ma ␛[36mb␛[m");
        let dim = plain.add_modifier(Modifier::DIM);
        assert_eq!(
            painted(&none, &buffer(&[("a", bold.fg(Color::Indexed(172))), ("b", dim.fg(Color::Indexed(172)))])),
            "␛[2H␛[1;38;5;172ma␛[22;2mb␛[m"
        );
        assert_eq!(painted(&none, &buffer(&[("漢x", plain)])), "␛[2H漢␛[3Gx", "widths differ between terminals");
        assert_eq!(painted(&none, &none), "");
    }
}
