//! Two near texts of half a megabyte, word by word: our two levels, and `similar` on the words of the whole.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use dejaview::text::diff::{Diff, Line, Precision, RowKind, diff};
use similar::{ChangeTag, TextDiff};

use crate::board::Board;
use crate::data::{Data, by_url, tokens};

/// Bytes at which the older text ends.
const SIZE: usize = 500_000;
/// Share of words that must be equal on both sides, of every page and of the whole.
const NEAR: f64 = 0.9;
const ROUNDS: usize = 15;

pub fn bench(data: &Data, board: &mut Board) -> Result<()> {
    let (old, new, pages) = joined(data)?;
    board.fact("pages with one URL, joined", pages);
    board.fact("bytes, lines and words of the older", sizes(&old));
    board.fact("bytes, lines and words of the newer", sizes(&new));
    for (ours, words, lines, [a, b]) in [
        ("dejaview, words in lines", "similar, words on the whole", "similar, lines alone", [&old, &new]),
        (
            "swapped: dejaview, words in lines",
            "swapped: similar, words on the whole",
            "swapped: similar, lines alone",
            [&new, &old],
        ),
    ] {
        for _ in 0..ROUNDS {
            let found = board.time(ours, || compare(a, b));
            ensure!(found.precision == Precision::Words, "{}", found.precision);
            board.time(words, || TextDiff::from_words(&a[..], &b[..]).ops().len());
            board.time(lines, || TextDiff::from_lines(&a[..], &b[..]).ops().len());
        }
        check(&compare(a, b), a, b)?;
        board.ratio(words, ours);
        board.ratio(lines, ours);
    }
    let (found, similar) = (compare(&old, &new), equal_words(&old, &new));
    let [ours, theirs] = [(found.equal_source, found.equal_target), similar].map(|(a, b)| format!("{a:.4} and {b:.4}"));
    ensure!(found.equal_source.min(found.equal_target) >= NEAR, "not near: {ours}");
    board.fact("words shown as equal by dejaview", ours);
    board.fact("words shown as equal by similar on the whole", theirs);
    board.fact("changes by dejaview", found.changes.len());
    board.fact(
        "checked",
        "both texts whole and in order; equal to the byte wherever no change is shown; both directions",
    );
    Ok(())
}

/// Pages of two crawls with one URL that are near and not the same, one after another.
fn joined(data: &Data) -> Result<(String, String, usize)> {
    let (older, newer) = (by_url(&[data.older()])?, by_url(&data.newer())?);
    let (mut old, mut new, mut pages) = (String::new(), String::new(), 0);
    for (url, a) in &older {
        let Some(b) = newer.get(url).filter(|b| *b != a) else { continue };
        let (from, to) = equal_words(a, b);
        if from.min(to) < NEAR || old.len() >= SIZE {
            continue;
        }
        for (whole, page) in [(&mut old, a), (&mut new, b)] {
            whole.push_str(page);
            whole.push('\n');
        }
        pages += 1;
    }
    Ok((old, new, pages))
}

/// Without a deadline that matters.
fn compare(a: &str, b: &str) -> Diff {
    diff(a, b, Instant::now() + Duration::from_secs(60))
}

/// Share of the words of each side that `similar` finds equal; words as dejaview counts them.
fn equal_words(a: &str, b: &str) -> (f64, f64) {
    let mut counts = [0, 0, 0];
    let count = |text: &str| tokens(text).len();
    for change in TextDiff::from_words(a, b).iter_all_changes() {
        counts[match change.tag() {
            ChangeTag::Equal => 0,
            ChangeTag::Delete => 1,
            ChangeTag::Insert => 2,
        }] += count(change.value());
    }
    let share = |other: usize| counts[0] as f64 / (counts[0] + other).max(1) as f64;
    (share(counts[1]), share(counts[2]))
}

/// Holds a diff against the texts.
fn check(diff: &Diff, a: &str, b: &str) -> Result<()> {
    for (text, lines) in [
        (a, diff.rows.iter().filter_map(|row| row.source.as_ref()).collect::<Vec<&Line>>()),
        (b, diff.rows.iter().filter_map(|row| row.target.as_ref()).collect()),
    ] {
        let whole: Vec<&str> = lines.iter().map(|line| &text[line.span.clone()]).collect();
        ensure!(whole == text.lines().collect::<Vec<&str>>(), "the lines are not the text");
    }
    for row in &diff.rows {
        if let (Some(source), Some(target)) = (&row.source, &row.target) {
            let (source, target) = (rest(source, a), rest(target, b));
            ensure!(source == target, "{source:?} is not {target:?}");
        }
        ensure!((row.kind <= RowKind::Changed) == (row.source.is_some() && row.target.is_some()), "{row:?}");
    }
    Ok(())
}

/// A line without what is shown as changed.
fn rest(line: &Line, text: &str) -> String {
    let (mut rest, mut at) = (String::new(), line.span.start);
    for changed in &line.changed {
        rest.push_str(&text[at..changed.start]);
        at = changed.end;
    }
    rest + &text[at..line.span.end]
}

fn sizes(text: &str) -> String {
    format!("{}, {} and {}", text.len(), text.lines().count(), tokens(text).len())
}
