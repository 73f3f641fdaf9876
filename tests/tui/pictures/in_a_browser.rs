//! Pictures in headless Chromium: which cells hold ink, where rows end, which frame of the demo is seen when.
//!
//! The page that does the looking is `look.js`; all pictures are drawn in one start of the browser, which takes seconds.

use std::fs;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::Modifier;
use serde::Deserialize;
use serde_json::json;

use super::{animations, attribute, stills};
use crate::chromium::Chromium;

/// What the browser saw.
#[derive(Deserialize)]
struct Seen {
    /// Rows of each picture.
    pictures: Vec<Vec<Row>>,
    /// Frames that are visible in each demo, from time to time.
    demos: Vec<Vec<Vec<usize>>>,
}

#[derive(Deserialize)]
struct Row {
    /// A sign for each cell: `#` ink in the middle, `-` at an edge, `.` none.
    line: String,
    /// The last column of pixels with ink, from the first cell on.
    last: i32,
}

/// A picture as the browser is to see it, and the screen that it shows.
struct Shown<'a> {
    name: &'a str,
    svg: String,
    screen: &'a Buffer,
}

fn look(chromium: &Chromium, shown: &[Shown<'_>], args: &[&str]) -> Seen {
    let pictures: Vec<serde_json::Value> = shown
        .iter()
        .map(|shown| json!({ "svg": shown.svg, "columns": shown.screen.area.width, "rows": shown.screen.area.height }))
        .collect();
    let demos: Vec<&str> = animations().map(|(picture, _)| picture.svg.as_str()).collect();
    let data =
        format!("const pictures = {};\nconst demos = {};\n", json!(pictures), json!(demos)).replace("</", "<\\/");
    let page = chromium.folder().join("look.html");
    let script = include_str!("look.js");
    fs::write(
        &page,
        format!("<!DOCTYPE html><meta charset=\"utf-8\"><body>waiting</body><script>\n{data}{script}</script>"),
    )
    .unwrap();
    let mut all = vec!["--dump-dom", "--virtual-time-budget=600000"];
    all.extend(args);
    let output = chromium.open(&all, &format!("file://{}", page.display()));
    let html = String::from_utf8_lossy(&output.stdout);
    let (_, body) = html.split_once("<body>").expect("a page");
    let (body, _) = body.split_once("</body>").expect("a page");
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {}", body.chars().take(400).collect::<String>()))
}

/// Whether a cell must hold ink, as far as its neighbours' ground can tell: a full block looks like a blank.
fn inked(cell: &Cell) -> Option<bool> {
    match cell.symbol() {
        "█" => None,
        symbol => Some(!symbol.trim().is_empty() || cell.modifier.contains(Modifier::UNDERLINED)),
    }
}

/// The last column of pixels that a border in the last column has.
fn border_end(symbol: &str) -> Option<i32> {
    match symbol {
        "│" | "╮" | "╯" | "┤" | "┐" | "┘" => Some(4),
        "┃" => Some(5),
        _ => None,
    }
}

/// What is not where the screen has it.
fn faults(picture: &Shown<'_>, seen: &[Row]) -> Vec<String> {
    let mut faults = Vec::new();
    let columns = usize::from(picture.screen.area.width);
    for (y, (cells, row)) in picture.screen.content().chunks(columns).zip(seen).enumerate() {
        let mut covered = 0;
        for (x, (cell, sign)) in cells.iter().zip(row.line.chars()).enumerate() {
            let symbol = cell.symbol();
            if x < covered {
                continue;
            }
            covered = x + ratatui::text::Span::raw(symbol).width().max(1);
            let right = match inked(cell) {
                Some(true) => sign != '.',
                // A letter may lean over the edge of its cell, and no further.
                Some(false) => sign != '#',
                None => true,
            };
            if !right {
                faults.push(format!("{}: row {y}, column {x}: {symbol:?} is drawn as {sign}", picture.name));
            }
        }
        let last = cells.iter().rposition(|cell| inked(cell) == Some(true));
        let end = last.and_then(|x| Some(x as i32 * 8 + border_end(cells[x].symbol())?));
        if end.is_some_and(|end| end != row.last) {
            faults.push(format!("{}: row {y}: the border is at pixel {}, not at {end:?}", picture.name, row.last));
        }
    }
    faults
}

#[test]
fn chromium_draws_every_cell_in_its_place() {
    let Some(chromium) = Chromium::find() else { return };
    let shown: Vec<Shown<'_>> =
        stills().map(|(picture, screen)| Shown { name: &picture.name, svg: picture.svg.clone(), screen }).collect();
    let seen = look(&chromium, &shown, &[]);
    assert_eq!(seen.pictures.len(), shown.len());
    let faults: Vec<String> =
        shown.iter().zip(&seen.pictures).flat_map(|(picture, rows)| faults(picture, rows)).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    for (seen, (picture, lines)) in seen.demos.iter().zip(animations()) {
        let name = &picture.name;
        assert_eq!(seen.len(), 100, "{name} does not move");
        assert!(seen.iter().all(|frames| frames.len() == 1), "{name}: {seen:?}");
        let mut order: Vec<usize> = seen.concat();
        order.dedup();
        assert_eq!(order, (0..lines.len()).collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn less_motion_shows_the_first_frame() {
    let Some(chromium) = Chromium::find() else { return };
    let seen = look(&chromium, &[], &["--force-prefers-reduced-motion"]);
    assert!(!seen.demos.is_empty() && seen.demos.iter().all(|seen| *seen == [[0]]), "{:?}", seen.demos);
}

/// Faults that pictures had, or may have, are noticed: text that is moved, or lost.
#[test]
fn faults_are_noticed() {
    let Some(chromium) = Chromium::find() else { return };
    let (picture, screen) = stills().next().unwrap();
    let (_, run) = picture.svg.split_once("<text").unwrap();
    let (run, _) = run.split_once('>').unwrap();
    let x: i32 = attribute(run, "x").unwrap().parse().unwrap();
    let moved = run.replace(&format!(" x=\"{x}\""), &format!(" x=\"{}\"", x + 16));
    let spoilt = [("moved", moved), ("lost", format!(" visibility=\"hidden\"{run}"))].map(|(name, other)| {
        assert_ne!(run, other);
        Shown { name, svg: picture.svg.replacen(run, &other, 1), screen }
    });
    let seen = look(&chromium, &spoilt, &[]);
    for (picture, rows) in spoilt.iter().zip(&seen.pictures) {
        assert!(!faults(picture, rows).is_empty(), "{} is not noticed", picture.name);
    }
}
