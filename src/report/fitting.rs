//! Fits tables and sentences into the columns of a terminal.
//!
//! Sentences wrap. In a table that is too wide, columns of words are cut, the widest first and none below `LEAST_WIDTH`;
//! where that is not enough, the columns are folded into blocks below each other, each with the first column at its left.

use dejaview_text::wrapped;

/// Characters that a column of words keeps at least.
const LEAST_WIDTH: usize = 16;
/// Blanks between columns.
const GAP: usize = 2;
/// Blanks before every line of a sentence but the first.
const HANGING: usize = 2;

/// The lines of a sentence on a screen of so many columns; `None` leaves it on one line.
pub fn prose(text: &str, columns: Option<usize>) -> Vec<String> {
    columns.map_or_else(|| vec![text.to_owned()], |columns| wrapped(text, columns, HANGING))
}

/// The lines of a table on a screen of so many columns; `None` leaves it as wide as it is. The first row is the head.
pub fn aligned(rows: &[Vec<String>], right: &[usize], columns: Option<usize>) -> Vec<String> {
    let blocks = match columns {
        Some(columns) => fitted(rows, right, columns),
        None => vec![lines(rows, right)],
    };
    blocks.join(&String::new())
}

/// The blocks of lines into which a table is folded, no wider than `columns` where that is possible.
fn fitted(rows: &[Vec<String>], right: &[usize], columns: usize) -> Vec<Vec<String>> {
    let widths = widths(rows);
    if total(&widths) <= columns {
        return vec![lines(rows, right)];
    }
    if let Some(narrower) = narrowed(rows, &widths, right, columns) {
        return vec![lines(&cut_cells(rows, &narrower), right)];
    }
    // A column that is alone in a block with the first one must still fit.
    let room = columns.saturating_sub(widths.first().map_or(0, |first| first + GAP)).max(LEAST_WIDTH);
    let cuttable = cuttable_columns(rows, right);
    let own: Vec<usize> = widths
        .iter()
        .enumerate()
        .map(|(column, width)| if cuttable.contains(&column) { room.min(*width) } else { *width })
        .collect();
    let rows = cut_cells(rows, &own);
    let block = |chosen: Vec<usize>| {
        let part: Vec<Vec<String>> =
            rows.iter().map(|row| chosen.iter().filter_map(|&c| row.get(c).cloned()).collect()).collect();
        let right: Vec<usize> = (0..chosen.len()).filter(|&place| right.contains(&chosen[place])).collect();
        lines(&part, &right)
    };
    column_blocks(&own, columns).into_iter().map(block).collect()
}

/// The lines of a table whose columns line up; those listed in `right` are flush right.
pub fn lines(rows: &[Vec<String>], right: &[usize]) -> Vec<String> {
    let widths = widths(rows);
    rows.iter()
        .map(|row| {
            let cells: Vec<String> = row
                .iter()
                .enumerate()
                .map(|(c, cell)| {
                    let pad = " ".repeat(widths[c] - length(cell));
                    if right.contains(&c) { format!("{pad}{cell}") } else { format!("{cell}{pad}") }
                })
                .collect();
            cells.join("  ").trim_end().to_owned()
        })
        .collect()
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| rows.iter().filter_map(|row| row.get(c)).map(|cell| length(cell)).max().unwrap_or(0);
    (0..columns).map(width).collect()
}

fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
}

/// Columns that can be cut: those of words, but not the first, which says what a row is.
fn cuttable_columns(rows: &[Vec<String>], right: &[usize]) -> Vec<usize> {
    let has_words =
        |c: usize| rows.iter().skip(1).filter_map(|row| row.get(c)).any(|cell| cell.contains(char::is_alphabetic));
    (1..widths(rows).len()).filter(|c| !right.contains(c) && has_words(*c)).collect()
}

/// Widths with which the table fits; `None` where cutting words is not enough.
fn narrowed(rows: &[Vec<String>], widths: &[usize], right: &[usize], columns: usize) -> Option<Vec<usize>> {
    let cuttable = cuttable_columns(rows, right);
    let mut widths = widths.to_vec();
    while total(&widths) > columns {
        let widest = cuttable.iter().copied().filter(|&c| widths[c] > LEAST_WIDTH).max_by_key(|&c| widths[c])?;
        widths[widest] -= 1;
    }
    Some(widths)
}

fn cut_cells(rows: &[Vec<String>], widths: &[usize]) -> Vec<Vec<String>> {
    rows.iter().map(|row| row.iter().zip(widths).map(|(cell, width)| cut(cell, *width)).collect()).collect()
}

/// A text of at most `most` characters; one that is cut ends in an ellipsis.
pub fn cut(text: &str, most: usize) -> String {
    if length(text) <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// The columns of each block: the first column, and as many others as fit beside it, in order.
fn column_blocks(widths: &[usize], columns: usize) -> Vec<Vec<usize>> {
    let first = widths.first().copied().unwrap_or_default();
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    let mut used = usize::MAX;
    for (c, width) in widths.iter().enumerate().skip(1) {
        if used.saturating_add(GAP + width) > columns {
            blocks.push(vec![0]);
            used = first;
        }
        used += GAP + width;
        if let Some(block) = blocks.last_mut() {
            block.push(c);
        }
    }
    if blocks.is_empty() { vec![(0..widths.len()).collect()] } else { blocks }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(all: &[&[&str]]) -> Vec<Vec<String>> {
        all.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
    }

    #[test]
    fn columns_line_up() {
        let rows = vec![vec!["a".to_owned(), "12".to_owned()], vec!["long".to_owned(), "3".to_owned()]];
        assert_eq!(lines(&rows, &[1]), ["a     12", "long   3"]);
    }

    #[test]
    fn what_fits_is_as_it_was() {
        let table = rows(&[&["name", "n"], &["a", "1"]]);
        assert_eq!(fitted(&table, &[1], 80), [lines(&table, &[1])]);
    }

    #[test]
    fn words_are_cut_where_that_is_enough() {
        let long = "many words that nobody needs to see whole";
        let table = rows(&[&["name", "text", "n"], &["a", long, "12"]]);
        let cut = fitted(&table, &[2], 30);
        assert_eq!(cut, [["name  text                   n", "a     many words that nob…  12"]]);
    }

    #[test]
    fn a_matrix_is_folded_and_every_block_names_its_rows() {
        let table = rows(&[&["", "first", "second", "third"], &["first", "1.00", "0.50", "0.25"]]);
        let folded = fitted(&table, &[1, 2, 3], 22);
        assert_eq!(folded[0], ["       first  second", "first   1.00    0.50"]);
        assert_eq!(folded[1], ["       third", "first   0.25"]);
    }

    proptest! {
        #[test]
        fn no_cell_of_numbers_is_lost_and_lines_fit_where_they_can(
            numbers in proptest::collection::vec(1u32..100_000, 1..20), columns in 24usize..100
        ) {
            let head: Vec<String> = std::iter::once("name".to_owned()).chain((0..numbers.len()).map(|i| format!("c{i}"))).collect();
            let row: Vec<String> = std::iter::once("row".to_owned()).chain(numbers.iter().map(ToString::to_string)).collect();
            let right: Vec<usize> = (1..head.len()).collect();
            let blocks = fitted(&[head, row], &right, columns);
            let all: Vec<String> = blocks.iter().flat_map(|block| block[1].split_whitespace().skip(1).map(str::to_owned)).collect();
            let wanted: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            prop_assert_eq!(all, wanted);
            prop_assert!(blocks.iter().flatten().all(|line| line.chars().count() <= columns));
        }
    }
}
