//! Every number that leads to pairs opens as many as it says: bars, cells, what was found alone, unions.

use dejaview::study::{FigureOptions, Reading, Snapshot};
use dejaview::tui::headless::Headless;
use dejaview::tui::screens::pairs::Pairs;

use super::support::{headless, position, sample};
use dejaview::report::numbers::count;

const SIZE: (u16, u16) = (200, 20);

/// The number behind some words.
fn number_behind(line: &str, words: &str) -> Option<u64> {
    line.replace(',', "").split(words).nth(1)?.split(' ').next()?.parse().ok()
}

/// What stands below the title of a pane, up to its lower border.
fn said(headless: &Headless, pane: &str) -> String {
    let text = headless.text();
    let rows: Vec<&str> = text.lines().collect();
    let title = rows.iter().rposition(|row| row.contains(pane)).expect("the pane is shown");
    let inside = rows[title + 1..].iter().take_while(|row| !row.contains('╰'));
    let inside =
        inside.map(|row| row.trim_end_matches(['│', '┃', ' ']).rsplit(['│', '┃']).next().unwrap_or_default().trim());
    inside.collect::<Vec<_>>().join(" ")
}

/// Opens what is under the cursor, counts the pairs that are shown, and comes back. Where there are none, that is said.
fn opened(headless: &mut Headless, key: &str) -> u64 {
    let (screen, before) = (headless.app.shared.screen, headless.text());
    headless.keys(key);
    if let Some(said) = headless.app.shared.message.take() {
        assert_eq!(headless.app.shared.screen, screen, "{said}");
        assert!(said.contains("found every pair") || said.contains("were found only by"), "{said}");
        return 0;
    }
    assert_eq!(headless.app.shared.screen, Pairs::ID, "{before}");
    let count = position(headless).map(|(_, of)| of as u64);
    headless.keys("q");
    assert_eq!((headless.app.shared.screen, headless.text()), (screen, before));
    count.expect("the frame of the table says how many pairs it has")
}

/// Goes through the bars of the figure that is shown and opens each that has pairs. What was said of each.
fn every_bar(headless: &mut Headless) -> Vec<String> {
    let mut lines = Vec::new();
    headless.keys("g").keys(&"h ".repeat(22));
    let bar = |headless: &Headless| said(headless, "Under the cursor");
    let mut row = bar(headless);
    loop {
        let mut line = bar(headless);
        loop {
            match number_behind(&line, "⏎ opens ") {
                Some(pairs) => assert_eq!(opened(headless, "enter"), pairs, "{line}"),
                None => assert!(line.starts_with("0 ") && line.contains("no pairs to open"), "{line}"),
            }
            lines.push(line.clone());
            headless.keys("l");
            let next = bar(headless);
            if std::mem::replace(&mut line, next.clone()) == next {
                break;
            }
        }
        headless.keys(&"h ".repeat(22)).keys("j");
        let next = bar(headless);
        if std::mem::replace(&mut row, next.clone()) == next {
            return lines;
        }
    }
}

#[test]
fn every_bar_opens_the_pairs_it_says() {
    let snapshot = Snapshot::open(sample()).unwrap();
    let figures = dejaview::study::figures(&snapshot, &FigureOptions::default()).unwrap().figures;
    let is_grid = |name: &str| ["cosine", "hamming"].contains(&name);
    assert!(figures.iter().all(|figure| is_grid(figure.name) || figure.series.len() == 22), "all configurations");
    let mut headless = headless(sample(), SIZE, None);
    headless.keys("7");
    for figure in &figures {
        assert!(headless.text().contains(&figure.title), "{}", headless.text());
        let lines = every_bar(&mut headless);
        // A grid opens its cells that have pairs at least.
        let least = if is_grid(figure.name) { 40 } else { 22 * figure.categories.len() };
        assert!(lines.len() >= least, "{}: {} lines", figure.name, lines.len());
        headless.keys("]");
    }
}

#[test]
fn every_cell_of_the_matrix_opens_what_only_one_found() {
    let snapshot = Snapshot::open(sample()).unwrap();
    let table = snapshot.table().unwrap();
    let names = table.configurations();
    assert_eq!(names.len(), 22);
    let mut headless = headless(sample(), SIZE, None);
    // Whatever the table showed before.
    headless.keys("2 g l j enter 3 ] & \"jaccard>2\" enter 8 ]");
    for (a, row) in names.iter().enumerate() {
        headless.keys(&"h ".repeat(names.len()));
        for (b, column) in names.iter().enumerate() {
            let line = headless.text();
            let only = |one: usize, other: usize| {
                let passes = |&row: &usize| table.found_by(row, one) && !table.found_by(row, other);
                (0..table.len()).filter(passes).count() as u64
            };
            if a == b {
                assert_eq!(opened(&mut headless, "enter"), table.counts()[a].0, "{line}");
            } else {
                for (number, name) in [(only(a, b), row), (only(b, a), column)] {
                    let said = format!(" {} only {name} ", count(number));
                    assert!(line.contains(&said), "{said} in {line}");
                }
                assert_eq!(opened(&mut headless, "enter"), only(a, b), "{line}");
                assert_eq!(opened(&mut headless, "r"), only(b, a), "{line}");
            }
            headless.keys("l");
        }
        headless.keys("j");
    }
}

#[test]
fn what_was_found_alone_and_what_a_union_adds_is_opened() {
    let snapshot = Snapshot::open(sample()).unwrap();
    let table = snapshot.table().unwrap();
    let place = |name: &String| table.configurations().iter().position(|other| other == name).unwrap();
    let evaluation =
        dejaview::study::evaluate(&snapshot, &"jaccard:0.9".parse().unwrap(), &Reading::default()).unwrap();
    let mut headless = headless(sample(), SIZE, None);
    headless.keys("8");
    assert_eq!(evaluation.comparison.configurations.len(), 22);
    for quality in &evaluation.comparison.configurations {
        assert_eq!(opened(&mut headless, "o"), quality.only, "{}", quality.name);
        assert_eq!(opened(&mut headless, "enter"), quality.pairs, "{}", quality.name);
        headless.keys("j");
    }
    headless.keys("] ]");
    let steps: Vec<usize> = evaluation.comparison.coverage.iter().map(|step| place(&step.name)).collect();
    assert!(!steps.is_empty());
    for (at, &step) in steps.iter().enumerate() {
        let adds = |&row: &usize| table.found_by(row, step) && !steps[..at].iter().any(|&c| table.found_by(row, c));
        assert_eq!(opened(&mut headless, "enter"), (0..table.len()).filter(adds).count() as u64, "step {}", at + 1);
        headless.keys("j");
    }
}
