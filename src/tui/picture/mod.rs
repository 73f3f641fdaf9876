//! Screens as SVG pictures, still or as an animation, that look the same in every browser and with any font.
//!
//! Text is placed by its column and stretched to its cells (`runs`); lines, blocks and dots are drawn as shapes (`shapes`).
//! Colours are classes of one style sheet.

mod colours;
mod runs;
mod shapes;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::style::Modifier;

pub use colours::Paper;
use colours::Rgb;
use runs::{Run, Script, runs, shape_of};
pub use runs::{rows, visible_cells};
use shapes::{Area, CELL, Shapes, merged};

use dejaview_report::charts::svg::escape;

/// Pixels around the screen.
const MARGIN: i32 = 12;
/// Pixels from the top of a row to the line that its letters are written on.
const BASELINE: i32 = 13;
/// Pixels from the top of a row to the line under it.
const UNDERLINE: i32 = 15;
/// Pixels below the screen of an animation, for the keys that were pressed.
const KEYS_HEIGHT: i32 = 22;

/// Milliseconds that a frame is shown at least, and how many more if everything in it is new.
const GLANCE: u64 = 1200;
const READING: u64 = 3000;

/// A screen of an animation, and the keys that led to it.
#[derive(Debug)]
pub struct Frame {
    pub keys: String,
    pub screen: Buffer,
}

/// One screen.
pub fn still(screen: &Buffer, paper: Paper, title: &str) -> String {
    let mut classes = Classes::default();
    let body = drawn(screen, paper, &mut classes);
    document(pixels(screen), paper, title, &classes.style(), &body)
}

/// Screens that follow each other for ever. Without animation, or for those who want less motion, the first is shown.
pub fn animation(frames: &[Frame], paper: Paper, title: &str) -> String {
    let mut classes = Classes::default();
    let mut body = String::new();
    for (number, frame) in frames.iter().enumerate() {
        let pressed = keys_below(frame, paper, &mut classes);
        let screen = drawn(&frame.screen, paper, &mut classes);
        let _ = writeln!(body, "<g class=\"frame\" id=\"f{number}\">\n{screen}{pressed}</g>");
    }
    let (width, height) = frames.first().map_or((0, 0), |frame| pixels(&frame.screen));
    let style = classes.style() + &timing(frames);
    document((width, height + KEYS_HEIGHT), paper, title, &style, &body)
}

fn pixels(screen: &Buffer) -> (i32, i32) {
    let area = screen.area();
    (i32::from(area.width) * CELL.0 + 2 * MARGIN, i32::from(area.height) * CELL.1 + 2 * MARGIN)
}

/// Upper left pixel of a cell.
fn corner(column: usize, row: usize) -> (i32, i32) {
    (MARGIN + column as i32 * CELL.0, MARGIN + row as i32 * CELL.1)
}

fn document((width, height): (i32, i32), paper: Paper, title: &str, style: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n<style>\n\
         text{{font:13.3px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;\
         font-variant-ligatures:none}}\n{style}</style>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"{}\" stroke=\"{}\"/>\n{body}</svg>\n",
        width - 1,
        height - 1,
        paper.ground(),
        paper.edge()
    )
}

/// The colours that a picture uses, each a class.
#[derive(Debug, Default)]
struct Classes(Vec<Rgb>);

impl Classes {
    fn of(&mut self, colour: Rgb) -> String {
        let known = self.0.iter().position(|known| *known == colour);
        let number = known.unwrap_or_else(|| {
            self.0.push(colour);
            self.0.len() - 1
        });
        format!("c{number}")
    }

    fn style(&self) -> String {
        let colours = self.0.iter().enumerate().map(|(number, colour)| format!(".c{number}{{fill:{colour}}}\n"));
        let emphasis = [".b{font-weight:bold}\n", ".i{font-style:italic}\n"].map(str::to_owned);
        colours.chain(emphasis).collect()
    }
}

/// A screen as elements: backgrounds, then shapes, then text.
fn drawn(screen: &Buffer, paper: Paper, classes: &mut Classes) -> String {
    let mut grounds: BTreeMap<Rgb, Vec<Area>> = BTreeMap::new();
    let mut inks: BTreeMap<Rgb, Shapes> = BTreeMap::new();
    for (row, cells) in rows(screen).enumerate() {
        for (column, columns, cell) in visible_cells(cells) {
            let (ink, ground) = paper.colours(cell);
            let (x, y) = corner(column, row);
            let width = columns as i32 * CELL.0;
            if ground != paper.ground() {
                grounds.entry(ground).or_default().push(Area { x, y, width, height: CELL.1 });
            }
            if let Some(character) = shape_of(cell) {
                inks.entry(ink).or_default().add_character((x, y), character);
            }
            // Not left to the renderer: it would end with a run, while the line goes on below blanks.
            if cell.modifier.contains(Modifier::UNDERLINED) {
                inks.entry(ink).or_default().add_area(Area { x, y: y + UNDERLINE, width, height: 1 });
            }
        }
    }
    let mut out = String::new();
    for (ground, areas) in grounds {
        let class = classes.of(ground);
        for Area { x, y, width, height } in merged(areas) {
            let _ = writeln!(
                out,
                "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" shape-rendering=\"crispEdges\"/>"
            );
        }
    }
    for (ink, shapes) in inks {
        let _ = writeln!(out, "<path class=\"{}\" d=\"{}\"/>", classes.of(ink), shapes.into_path());
    }
    for run in runs(screen, paper) {
        out.push_str(&text(&run, corner(run.column, run.row), classes));
    }
    out
}

/// A run at a pixel. A sign is fitted into its cell even if it stands alone: its font may make it broader.
fn text(run: &Run, (x, y): (i32, i32), classes: &mut Classes) -> String {
    let mut class = classes.of(run.ink);
    class += if run.bold { " b" } else { "" };
    class += if run.italic { " i" } else { "" };
    let length = match (run.columns, run.script) {
        (1, Script::Plain) => String::new(),
        (columns, _) => {
            format!(" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", columns as i32 * CELL.0)
        }
    };
    format!("<text class=\"{class}\" x=\"{x}\" y=\"{}\"{length}>{}</text>\n", y + BASELINE, escape(&run.text))
}

/// The keys that led to a frame, below its screen.
fn keys_below(frame: &Frame, paper: Paper, classes: &mut Classes) -> String {
    let area = frame.screen.area();
    let mut line = Buffer::empty(ratatui::layout::Rect::new(0, 0, area.width, 1));
    let keys: Vec<&str> = frame.keys.split_whitespace().collect();
    line.set_string(0, 0, format!("keys: {}", keys.join(" ")), ratatui::style::Style::new());
    let (x, y) = corner(0, usize::from(area.height));
    let below = y + KEYS_HEIGHT - CELL.1;
    runs(&line, paper).iter().map(|run| text(run, (x + corner(run.column, 0).0 - MARGIN, below), classes)).collect()
}

/// When each frame is seen, as rules of the style sheet.
fn timing(frames: &[Frame]) -> String {
    let times: Vec<u64> = (0..frames.len())
        .map(|number| reading_time(number.checked_sub(1).map(|n| &frames[n]), &frames[number]))
        .collect();
    let all = times.iter().sum::<u64>().max(1);
    let percent = |time: u64| time as f64 * 100.0 / all as f64;
    let mut out = ".frame{visibility:hidden}\n#f0{visibility:visible}\n".to_owned();
    let mut motion = String::new();
    let mut begin = 0;
    for (number, time) in times.iter().enumerate() {
        let end = begin + time;
        let hidden = if begin == 0 { String::new() } else { "0%{visibility:hidden}".to_owned() };
        let gone = if end == all { String::new() } else { format!("{:.3}%{{visibility:hidden}}", percent(end)) };
        let _ = writeln!(out, "@keyframes f{number}{{{hidden}{:.3}%{{visibility:visible}}{gone}}}", percent(begin));
        let _ = writeln!(motion, "#f{number}{{animation:f{number} {all}ms step-end infinite}}");
        begin = end;
    }
    out + "@media (prefers-reduced-motion:no-preference){\n" + &motion + "}\n"
}

/// Milliseconds for a frame: the longer, the more of it is new.
fn reading_time(last: Option<&Frame>, frame: &Frame) -> u64 {
    let cells = frame.screen.content();
    let new = match last {
        Some(last) => {
            cells.iter().zip(last.screen.content()).filter(|(one, other)| one.symbol() != other.symbol()).count()
        }
        None => cells.len(),
    };
    GLANCE + READING * new as u64 / cells.len().max(1) as u64
}
