//! Lines, blocks and braille dots as shapes: a font may leave gaps between its own, or have none.

use std::fmt::Write as _;

/// Pixels of a cell.
pub const CELL: (i32, i32) = (8, 17);

/// Pixel of a cell that its lines pass through.
const MIDDLE: (i32, i32) = (4, 8);

/// Whether a character is drawn as a shape.
pub fn is_shape(character: char) -> bool {
    matches!(character, '\u{2500}'..='\u{259f}' | '\u{2800}'..='\u{28ff}')
}

/// A rectangle, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

/// Puts rectangles together that touch along a whole side, so that a border is one of them and not a hundred.
pub fn merged(mut areas: Vec<Area>) -> Vec<Area> {
    areas.sort_by_key(|area| (area.y, area.height, area.x));
    areas.dedup_by(|next, last| {
        let touch = (last.y, last.height, last.x + last.width) == (next.y, next.height, next.x);
        last.width += if touch { next.width } else { 0 };
        touch
    });
    areas.sort_by_key(|area| (area.x, area.width, area.y));
    areas.dedup_by(|next, last| {
        let touch = (last.x, last.width, last.y + last.height) == (next.x, next.width, next.y);
        last.height += if touch { next.height } else { 0 };
        touch
    });
    areas
}

/// Shapes of one colour.
#[derive(Debug, Default)]
pub struct Shapes {
    areas: Vec<Area>,
    /// What is no rectangle, as data of a path.
    outlines: String,
}

impl Shapes {
    pub fn add_area(&mut self, area: Area) {
        self.areas.push(area);
    }

    /// Adds a character for which [`is_shape`] holds, in the cell at a pixel.
    pub fn add_character(&mut self, at: (i32, i32), character: char) {
        match character {
            '╭' | '╮' | '╯' | '╰' => self.add_round_corner(at, arms(character)),
            '╱' => self.add_diagonal(at, true),
            '╲' => self.add_diagonal(at, false),
            '╳' => {
                self.add_diagonal(at, true);
                self.add_diagonal(at, false);
            }
            '\u{2500}'..='\u{257f}' => self.areas.extend(at_cell(at, line(character))),
            '\u{2580}'..='\u{259f}' => self.areas.extend(at_cell(at, block(character))),
            _ => self.areas.extend(at_cell(at, dots(character))),
        }
    }

    /// A quarter of a ring between the middles of two sides, and straight lines where it does not reach them.
    fn add_round_corner(&mut self, (x, y): (i32, i32), [left, up, ..]: [u8; 4]) {
        // The side of the cell that each of its ends leads to, and the way there.
        let (side, across) = if left > 0 { (x, -1) } else { (x + CELL.0, 1) };
        let (edge, down) = if up > 0 { (y, -1) } else { (y + CELL.1, 1) };
        // Where the outer arc meets the straight lines; the inner one is a pixel nearer to its centre.
        let (corner_x, corner_y) = (x + MIDDLE.0 + i32::from(left > 0), y + MIDDLE.1 + i32::from(up > 0));
        let (arc_x, arc_y) = (corner_x + 4 * across, corner_y + 4 * down);
        let clockwise = u8::from(across == down);
        let _ = write!(
            self.outlines,
            "M{corner_x} {arc_y}A4 4 0 0 {clockwise} {arc_x} {corner_y}v{down}A3 3 0 0 {} {} {arc_y}z",
            1 - clockwise,
            corner_x + across
        );
        if arc_x != side {
            self.areas.push(Area { x: arc_x.min(side), y: y + MIDDLE.1, width: (arc_x - side).abs(), height: 1 });
        }
        self.areas.push(Area { x: x + MIDDLE.0, y: arc_y.min(edge), width: 1, height: (arc_y - edge).abs() });
    }

    fn add_diagonal(&mut self, (x, y): (i32, i32), rising: bool) {
        let (from, to) = if rising { (y + CELL.1, y) } else { (y, y + CELL.1) };
        let _ = write!(self.outlines, "M{x} {from}h1L{} {to}h-1z", x + CELL.0);
    }

    /// All of them as data of one path.
    pub fn into_path(self) -> String {
        let mut path = String::new();
        for Area { x, y, width, height } in merged(self.areas) {
            let _ = write!(path, "M{x} {y}h{width}v{height}h-{width}z");
        }
        path + &self.outlines
    }
}

fn at_cell((x, y): (i32, i32), areas: Vec<Area>) -> impl Iterator<Item = Area> {
    areas.into_iter().map(move |area| Area { x: area.x + x, y: area.y + y, ..area })
}

/// How a line leaves the cell to the left, up, right and down: 0 not at all, 1 light, 2 heavy, 3 double.
fn arms(character: char) -> [u8; 4] {
    /// One hexadecimal digit for each arm, for U+2500 and on.
    const ARMS: [u16; 128] = [
        0x1010, 0x2020, 0x0101, 0x0202, 0x1010, 0x2020, 0x0101, 0x0202, // ─━│┃┄┅┆┇
        0x1010, 0x2020, 0x0101, 0x0202, 0x0011, 0x0021, 0x0012, 0x0022, // ┈┉┊┋┌┍┎┏
        0x1001, 0x2001, 0x1002, 0x2002, 0x0110, 0x0120, 0x0210, 0x0220, // ┐┑┒┓└┕┖┗
        0x1100, 0x2100, 0x1200, 0x2200, 0x0111, 0x0121, 0x0211, 0x0112, // ┘┙┚┛├┝┞┟
        0x0212, 0x0221, 0x0122, 0x0222, 0x1101, 0x2101, 0x1201, 0x1102, // ┠┡┢┣┤┥┦┧
        0x1202, 0x2201, 0x2102, 0x2202, 0x1011, 0x2011, 0x1021, 0x2021, // ┨┩┪┫┬┭┮┯
        0x1012, 0x2012, 0x1022, 0x2022, 0x1110, 0x2110, 0x1120, 0x2120, // ┰┱┲┳┴┵┶┷
        0x1210, 0x2210, 0x1220, 0x2220, 0x1111, 0x2111, 0x1121, 0x2121, // ┸┹┺┻┼┽┾┿
        0x1211, 0x1112, 0x1212, 0x2211, 0x1221, 0x2112, 0x1122, 0x2221, // ╀╁╂╃╄╅╆╇
        0x2122, 0x2212, 0x1222, 0x2222, 0x1010, 0x2020, 0x0101, 0x0202, // ╈╉╊╋╌╍╎╏
        0x3030, 0x0303, 0x0031, 0x0013, 0x0033, 0x3001, 0x1003, 0x3003, // ═║╒╓╔╕╖╗
        0x0130, 0x0310, 0x0330, 0x3100, 0x1300, 0x3300, 0x0131, 0x0313, // ╘╙╚╛╜╝╞╟
        0x0333, 0x3101, 0x1303, 0x3303, 0x3031, 0x1013, 0x3033, 0x3130, // ╠╡╢╣╤╥╦╧
        0x1310, 0x3330, 0x3131, 0x1313, 0x3333, 0x0011, 0x1001, 0x1100, // ╨╩╪╫╬╭╮╯
        0x0110, 0x0000, 0x0000, 0x0000, 0x1000, 0x0100, 0x0010, 0x0001, // ╰╱╲╳╴╵╶╷
        0x2000, 0x0200, 0x0020, 0x0002, 0x1020, 0x0102, 0x2010, 0x0201, // ╸╹╺╻╼╽╾╿
    ];
    let digits = ARMS.get(character as usize - 0x2500).copied().unwrap_or_default();
    [12, 8, 4, 0].map(|shift| (digits >> shift & 0xf) as u8)
}

/// Where strokes of a line run across it, as pixels from its middle.
fn strokes(weight: u8) -> &'static [(i32, i32)] {
    match weight {
        0 => &[],
        1 => &[(0, 1)],
        2 => &[(-1, 2)],
        _ => &[(-1, 0), (1, 2)],
    }
}

/// How far the arms of one direction reach into the middle, where they meet those of the other.
fn meeting(across: [u8; 2]) -> (i32, i32) {
    match across[0].max(across[1]) {
        0 => (0, 0),
        1 => (0, 1),
        _ => (-1, 2),
    }
}

fn line(character: char) -> Vec<Area> {
    let [left, up, right, down] = arms(character);
    let (from, to) = meeting([up, down]);
    let mut areas = Vec::new();
    for (weight, x, end) in [(left, 0, MIDDLE.0 + to), (right, MIDDLE.0 + from, CELL.0)] {
        for (above, below) in strokes(weight) {
            areas.push(Area { x, y: MIDDLE.1 + above, width: end - x, height: below - above });
        }
    }
    let (from, to) = meeting([left, right]);
    for (weight, y, end) in [(up, 0, MIDDLE.1 + to), (down, MIDDLE.1 + from, CELL.1)] {
        for (before, after) in strokes(weight) {
            areas.push(Area { x: MIDDLE.0 + before, y, width: after - before, height: end - y });
        }
    }
    let dashes = match character {
        '╌'..='╏' => 2,
        '┄'..='┇' => 3,
        '┈'..='┋' => 4,
        _ => return areas,
    };
    merged(areas).into_iter().flat_map(|area| dashed(area, dashes)).collect()
}

fn dashed(area: Area, dashes: i32) -> impl Iterator<Item = Area> {
    let end = move |length: i32, dash: i32| length * dash / dashes;
    (0..dashes).map(move |dash| match area.width > area.height {
        true => Area {
            x: area.x + end(area.width, dash),
            width: end(area.width, dash + 1) - end(area.width, dash) - 1,
            ..area
        },
        false => Area {
            y: area.y + end(area.height, dash),
            height: end(area.height, dash + 1) - end(area.height, dash) - 2,
            ..area
        },
    })
}

/// `█▇▆▅▄▃▂▁` from below, `▉▊▋▌▍▎▏` from the left, halves, shades and quarters.
fn block(character: char) -> Vec<Area> {
    let (width, height) = CELL;
    let half = (width / 2, height / 2);
    let from_below = |eighths: i32| {
        let height = (CELL.1 * eighths + 4) / 8;
        vec![Area { x: 0, y: CELL.1 - height, width, height }]
    };
    let stripes = |rows: &[i32]| {
        let shaded = (0..height).filter(|y| rows.contains(&(y % 4)));
        shaded.map(|y| Area { x: 0, y, width, height: 1 }).collect()
    };
    let quarters = |places: &[usize]| {
        let areas = [
            Area { x: 0, y: 0, width: half.0, height: half.1 },
            Area { x: half.0, y: 0, width: half.0, height: half.1 },
            Area { x: 0, y: half.1, width: half.0, height: height - half.1 },
            Area { x: half.0, y: half.1, width: half.0, height: height - half.1 },
        ];
        places.iter().map(|place| areas[*place]).collect()
    };
    match character {
        '\u{2581}'..='\u{2588}' => from_below(character as i32 - 0x2580),
        '\u{2589}'..='\u{258f}' => vec![Area { x: 0, y: 0, width: 0x2590 - character as i32, height }],
        '▀' => quarters(&[0, 1]),
        '▐' => quarters(&[1, 3]),
        '░' => stripes(&[0]),
        '▒' => stripes(&[0, 2]),
        '▓' => stripes(&[0, 1, 2]),
        '▔' => vec![Area { x: 0, y: 0, width, height: 2 }],
        '▕' => vec![Area { x: width - 1, y: 0, width: 1, height }],
        '▖' => quarters(&[2]),
        '▗' => quarters(&[3]),
        '▘' => quarters(&[0]),
        '▙' => quarters(&[0, 2, 3]),
        '▚' => quarters(&[0, 3]),
        '▛' => quarters(&[0, 1, 2]),
        '▜' => quarters(&[0, 1, 3]),
        '▝' => quarters(&[1]),
        '▞' => quarters(&[1, 2]),
        _ => quarters(&[1, 2, 3]),
    }
}

fn dots(character: char) -> Vec<Area> {
    /// Column and row of the dot that each bit stands for.
    const DOTS: [(i32, i32); 8] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];
    let bits = character as u32 - 0x2800;
    let raised = DOTS.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
    raised.map(|(_, (column, row))| Area { x: 1 + column * 4, y: 1 + CELL.1 * row / 4, width: 2, height: 2 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pixels of a cell that a character covers, `#`, round corners and diagonals aside.
    fn pixels(character: char) -> Vec<String> {
        let mut shapes = Shapes::default();
        shapes.add_character((0, 0), character);
        let covers = |x: i32, y: i32| {
            let inside = |a: &Area| (a.x..a.x + a.width).contains(&x) && (a.y..a.y + a.height).contains(&y);
            if shapes.areas.iter().any(inside) { '#' } else { '.' }
        };
        (0..CELL.1).map(|y| (0..CELL.0).map(|x| covers(x, y)).collect()).collect()
    }

    #[test]
    fn lines_meet_in_the_middle() {
        assert_eq!(pixels('┼')[7..10], ["....#...", "########", "....#..."]);
        assert_eq!(pixels('╸')[6..11], ["........", "####....", "####....", "####....", "........"]);
        assert_eq!(pixels('┘')[7..10], ["....#...", "#####...", "........"]);
        assert_eq!(pixels('╬')[6..11], ["...#.#..", "########", "...#.#..", "########", "...#.#.."]);
        assert_eq!(pixels('┈')[8], "#.#.#.#.");
    }

    #[test]
    fn blocks_fill_their_share() {
        for eighths in 1..=8 {
            let below = char::from_u32(0x2580 + eighths).unwrap();
            let covered = pixels(below).iter().filter(|row| *row == "########").count();
            assert_eq!(covered, (17 * eighths as usize + 4) / 8, "{below}");
            let left = char::from_u32(0x2590 - eighths).unwrap();
            assert!(pixels(left).iter().all(|row| row.matches('#').count() == eighths as usize), "{left}");
        }
        let all: Vec<char> = ('\u{2580}'..='\u{259f}').collect();
        for (one, other) in [('▀', '▄'), ('▌', '▐'), ('▙', '▝'), ('▛', '▗'), ('▚', '▞'), ('▜', '▖'), ('▟', '▘')]
        {
            assert!(all.contains(&one) && all.contains(&other));
            let mirrored =
                pixels(other).into_iter().map(|row| row.replace('#', "x").replace('.', "#").replace('x', "."));
            assert_eq!(pixels(one), mirrored.collect::<Vec<_>>(), "{one} and {other}");
        }
    }

    #[test]
    fn every_character_has_a_shape_of_its_own() {
        let mut seen = std::collections::HashMap::new();
        for character in ('\u{2500}'..='\u{259f}').chain('\u{2801}'..='\u{28ff}') {
            assert!(is_shape(character));
            let mut shapes = Shapes::default();
            shapes.add_character((80, 170), character);
            let areas = shapes.areas.iter();
            assert!(areas.clone().all(|area| area.width > 0 && area.height > 0), "{character}: {shapes:?}");
            for area in areas {
                assert!((80..88).contains(&area.x) && area.x + area.width <= 88, "{character}: {area:?}");
                assert!((170..187).contains(&area.y) && area.y + area.height <= 187, "{character}: {area:?}");
            }
            let path = shapes.into_path();
            assert!(!path.is_empty(), "{character}");
            if let Some(other) = seen.insert(path, character) {
                panic!("{character} looks like {other}");
            }
        }
    }

    #[test]
    fn a_border_is_one_rectangle() {
        let mut shapes = Shapes::default();
        for column in 0..100 {
            shapes.add_character((column * CELL.0, 0), '─');
        }
        assert_eq!(shapes.into_path(), "M0 8h800v1h-800z");
        let mut shapes = Shapes::default();
        for row in 0..3 {
            shapes.add_character((0, row * CELL.1), '█');
            shapes.add_character((8, row * CELL.1), '█');
        }
        assert_eq!(shapes.into_path(), "M0 0h16v51h-16z");
    }
}
