//! The pictures of the README: each is what its keys lead to, and nothing in it is left to the renderer.
//!
//! `assets/screens/pictures.tsv` lists them, with the annotator who looks where that matters. Keys are those of a script;
//! where they are the name of a file beside it, the picture is an animation with a frame for each line of that file.
//! `.ci/pictures` draws them anew.

/// In a browser every cell is where the screen has it.
mod in_a_browser;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use dejaview::study::Session;
use dejaview::tui::headless::Headless;
use dejaview::tui::theme::Palette;
use ratatui::buffer::Buffer;
use ratatui::text::Span;

use super::support::{copy, disputed};

/// Bytes of an animation at most, so that it is there when the README is.
const LARGEST: usize = 400_000;

/// A picture, drawn now.
struct Picture {
    name: String,
    svg: String,
    content: Content,
}

enum Content {
    Screen(Buffer),
    /// The lines of keys of an animation.
    Frames(Vec<String>),
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/screens")
}

/// Draws a line of the list.
fn drawn(line: &str) -> Picture {
    let parts = line.split('\t').collect::<Vec<_>>();
    let [name, theme, size, annotator, keys] = parts.try_into().expect("name, theme, size, annotator, keys");
    // An annotator may write, and gets a copy.
    let study = copy(disputed());
    let (opened, annotator) = if annotator.is_empty() { (disputed(), None) } else { (study.path(), Some(annotator)) };
    let (columns, rows) = size.split_once('x').unwrap();
    let size = (columns.parse().unwrap(), rows.parse().unwrap());
    let session = Session::open(opened).unwrap();
    let mut headless =
        Headless::open(session, size, Palette::named(theme).unwrap(), annotator).unwrap().in_all_colours();
    let (svg, content) = if keys.ends_with(".keys") {
        let script = fs::read_to_string(folder().join(keys)).unwrap();
        (headless.animation(&script), Content::Frames(script.lines().map(str::to_owned).collect()))
    } else {
        (headless.keys(keys).svg(), Content::Screen(headless.buffer()))
    };
    Picture { name: name.to_owned(), svg, content }
}

fn pictures() -> &'static [Picture] {
    static PICTURES: OnceLock<Vec<Picture>> = OnceLock::new();
    PICTURES.get_or_init(|| {
        let list = fs::read_to_string(folder().join("pictures.tsv")).unwrap();
        list.lines().skip(1).map(drawn).collect()
    })
}

/// Pictures of one screen.
fn stills() -> impl Iterator<Item = (&'static Picture, &'static Buffer)> {
    pictures().iter().filter_map(|picture| match &picture.content {
        Content::Screen(screen) => Some((picture, screen)),
        Content::Frames(_) => None,
    })
}

/// Pictures that move, with their lines of keys.
fn animations() -> impl Iterator<Item = (&'static Picture, &'static [String])> {
    pictures().iter().filter_map(|picture| match &picture.content {
        Content::Screen(_) => None,
        Content::Frames(lines) => Some((picture, lines.as_slice())),
    })
}

#[test]
fn every_picture_is_what_its_keys_lead_to() {
    let path = |picture: &Picture| folder().join(format!("{}.svg", picture.name));
    if std::env::var_os("DEJAVIEW_UPDATE").is_some() {
        for picture in pictures() {
            fs::write(path(picture), &picture.svg).unwrap();
        }
    }
    let outdated = |picture: &&Picture| fs::read_to_string(path(picture)).ok().as_ref() != Some(&picture.svg);
    let outdated: Vec<&str> = pictures().iter().filter(outdated).map(|picture| picture.name.as_str()).collect();
    assert!(outdated.is_empty(), "{outdated:?} show other screens; .ci/pictures draws them anew");
    for file in fs::read_dir(folder()).unwrap() {
        let file = file.unwrap().path();
        let listed = pictures().iter().any(|picture| path(picture) == file);
        assert!(listed || file.extension().is_none_or(|ending| ending != "svg"), "{} is not listed", file.display());
    }
}

/// A `<text>` element of a picture, in cells.
#[derive(Debug)]
struct Run {
    column: usize,
    row: usize,
    text: String,
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

/// The texts of a picture, each held against the rules that keep a renderer from moving it.
fn texts(name: &str, svg: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    for part in svg.split("<text ").skip(1) {
        let (tag, rest) = part.split_once('>').unwrap();
        let (text, _) = rest.split_once("</text>").unwrap();
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
        let text = entities.iter().fold(text.to_owned(), |text, (entity, character)| text.replace(entity, character));
        let tag = format!(" {tag}");
        assert!(!text.is_empty() && text.trim() == text && !text.contains("  "), "{name}: blanks in {text:?}");
        let shape = |c: char| ('\u{2500}'..='\u{259f}').contains(&c) || ('\u{2800}'..='\u{28ff}').contains(&c);
        assert!(!text.contains(shape) || text.chars().count() > 1, "{name}: a shape in {text:?}");
        let number = |name: &str| attribute(&tag, name).map(|value| value.parse::<usize>().unwrap());
        let columns = Span::raw(&text).width();
        match number("textLength") {
            Some(length) => {
                assert_eq!(length, columns * 8, "{name}: {text}");
                assert_eq!(attribute(&tag, "lengthAdjust"), Some("spacingAndGlyphs"), "{name}: {text}");
            }
            None => assert_eq!(columns, 1, "{name}: {text}"),
        }
        let (x, y) = (number("x").unwrap(), number("y").unwrap());
        assert_eq!((x - 12) % 8, 0, "{name}: {text} between two columns");
        runs.push(Run { column: (x - 12) / 8, row: (y - 12) / 17, text });
    }
    runs
}

/// The symbols of a screen that are written as text, blanks elsewhere.
fn written(screen: &Buffer) -> Vec<String> {
    let shape = |symbol: &str| symbol.chars().any(|c| matches!(c, '\u{2500}'..='\u{259f}' | '\u{2800}'..='\u{28ff}'));
    let rows = screen.content().chunks(usize::from(screen.area.width));
    let kept =
        |cell: &ratatui::buffer::Cell| if shape(cell.symbol()) { " ".to_owned() } else { cell.symbol().to_owned() };
    rows.map(|row| row.iter().map(kept).collect::<String>().trim_end().to_owned()).collect()
}

#[test]
fn every_word_is_in_its_column() {
    for (Picture { name, svg, .. }, screen) in stills() {
        let mut rows = vec![String::new(); usize::from(screen.area.height)];
        for run in texts(name, svg) {
            let row = &mut rows[run.row];
            let used = Span::raw(row.as_str()).width();
            assert!(used <= run.column, "{name}: {} is written over {row}", run.text);
            row.push_str(&" ".repeat(run.column - used));
            row.push_str(&run.text);
        }
        assert_eq!(rows, written(screen), "{name}");
    }
}

/// Every element that is opened is closed, in order.
fn well_formed(name: &str, svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, _) = part.split_once('>').unwrap_or_else(|| panic!("{name}: {part}"));
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "{name}");
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
    }
    assert!(open.is_empty(), "{name}: {open:?}");
}

#[test]
fn every_picture_is_well_formed_and_says_what_it_shows() {
    for Picture { name, svg, .. } in pictures() {
        well_formed(name, svg);
        let (head, _) = svg.split_once("<style>").unwrap();
        let label = attribute(head, "aria-label").unwrap();
        assert!(head.contains(" role=\"img\"") && head.contains(&format!("<title>{label}</title>")), "{name}: {head}");
        assert_eq!(svg.matches("<style>").count(), 1, "{name}");
        assert!(!svg.contains(" style=") && !svg.contains("<script") && !svg.contains("href"), "{name}");
    }
}

#[test]
fn an_animation_shows_a_frame_for_each_line_of_keys() {
    assert!(animations().count() > 0);
    for (Picture { name, svg, .. }, lines) in animations() {
        texts(name, svg);
        assert!(svg.len() <= LARGEST, "{name} has {} bytes", svg.len());
        let frames: Vec<&str> = svg.split("<g class=\"frame\" id=\"").skip(1).collect();
        assert_eq!(frames.len(), lines.len(), "{name}");
        assert!((12..=16).contains(&frames.len()), "{name}: {} frames", frames.len());
        for (number, (frame, line)) in frames.iter().zip(lines).enumerate() {
            assert!(frame.starts_with(&format!("f{number}\"")), "{name}: {frame}");
            let below = texts(name, frame).into_iter().filter(|run| run.row >= 28).map(|run| run.text);
            assert_eq!(below.collect::<Vec<_>>().join(" "), format!("keys: {line}"), "{name}");
        }
        let (style, _) = svg.split_once("</style>").unwrap();
        assert!(style.contains(".frame{visibility:hidden}\n#f0{visibility:visible}\n"), "{name}");
        let (_, motion) = style.split_once("@media (prefers-reduced-motion:no-preference){").unwrap();
        assert_eq!(motion.matches("step-end infinite").count(), frames.len(), "{name}");
        assert_eq!(style.matches("step-end infinite").count(), frames.len(), "{name}: motion for all");
    }
}

#[test]
fn the_program_draws_them_too() {
    let screen = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dejaview"));
        command.arg("screen").arg(disputed()).args(["--size", "100x28", "--theme", "dark"]).args(args).output().unwrap()
    };
    let svg_of = |name: &str| &pictures().iter().find(|picture| picture.name == name).unwrap().svg;
    assert_eq!(String::from_utf8_lossy(&screen(&["--svg", "--keys", "2 j j j"]).stdout), *svg_of("judgments"));
    let keys = folder().join("demo.keys");
    let demo = screen(&["--svg", "--animate", "--replay", keys.to_str().unwrap()]);
    assert_eq!(String::from_utf8_lossy(&demo.stdout), *svg_of("demo"));
    assert_eq!(screen(&["--animate"]).status.code(), Some(2), "text does not move");
}

#[test]
fn the_readme_begins_with_the_demo() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let top = readme.split("\n## ").next().unwrap();
    let light = "<source media=\"(prefers-color-scheme: light)\" srcset=\"assets/screens/demo-light.svg\">";
    assert!(top.contains(light) && top.contains(" src=\"assets/screens/demo.svg\""), "{top}");
}
