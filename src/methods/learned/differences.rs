//! What differs between two pages: their numbers, dates, names, titles, headings and running text. Each is a number from
//! 0 to 1, and 1 where nothing of the kind differs.

use std::collections::BTreeSet;

use crate::prepared::Prepared;
use crate::sampled::resemblance;
use dejaview_base::hash;
use dejaview_base::similarity::{common, ratio};
use dejaview_text::fold;

/// A line of more words than this is running text.
const SHORT_LINE: usize = 8;
/// A sentence of fewer words than this is a heading or an entry of a menu.
const LONG_SENTENCE: u32 = 8;
/// Words in a shingle of running text.
const SHINGLE: usize = 3;
/// Years that count as parts of dates.
const YEARS: std::ops::RangeInclusive<u32> = 1_900..=2_099;

/// The first letters of the months in English, which other European languages mostly share.
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Names of the months that begin like other words.
const MONTH_NAMES: [&str; 24] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
];

/// Dice of two lists in which things may repeat: 1 where both are empty.
fn alike(mut a: Vec<u64>, mut b: Vec<u64>) -> f64 {
    if a.is_empty() && b.is_empty() {
        return 1.0;
    }
    a.sort_unstable();
    b.sort_unstable();
    ratio(2 * common(&a, &b) as u64, (a.len() + b.len()) as u64)
}

/// Jaccard of two sets: 1 where both are empty.
fn overlap(a: &BTreeSet<u64>, b: &BTreeSet<u64>) -> f64 {
    if a.is_empty() && b.is_empty() {
        return 1.0;
    }
    let both = a.intersection(b).count();
    ratio(both as u64, (a.len() + b.len() - both) as u64)
}

/// The tokens that are made of digits alone, but for years.
pub(super) fn numbers(a: &Prepared<'_>, b: &Prepared<'_>) -> f64 {
    let of = |document: &Prepared<'_>| {
        let (text, tokens) = (document.text(), document.tokens());
        let is_number = |i: &usize| {
            let word = &text[tokens.span(*i)];
            word.bytes().all(|byte| byte.is_ascii_digit()) && !is_year(word)
        };
        (0..tokens.len()).filter(is_number).map(|i| tokens.hashes()[i]).collect()
    };
    alike(of(a), of(b))
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && word.parse::<u32>().is_ok_and(|year| YEARS.contains(&year))
}

/// Years, and months with the number beside them.
pub(super) fn dates(a: &Prepared<'_>, b: &Prepared<'_>) -> f64 {
    alike(dates_of(a), dates_of(b))
}

fn dates_of(document: &Prepared<'_>) -> Vec<u64> {
    let (text, tokens) = (document.text(), document.tokens());
    let word = |i: usize| tokens.len().checked_sub(i + 1).map(|_| &text[tokens.span(i)]);
    let day = |i: Option<usize>| {
        let number = word(i?)?.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        number.parse::<u64>().ok().filter(|day| (1..=31).contains(day))
    };
    let mut dates = Vec::new();
    let mut folded = String::new();
    for i in 0..tokens.len() {
        let Some(written) = word(i) else { continue };
        if is_year(written) {
            dates.push(tokens.hashes()[i]);
            continue;
        }
        fold(written, &mut folded);
        if MONTH_NAMES.contains(&folded.as_str())
            && let Some(month) = MONTHS.iter().position(|month| folded.starts_with(month))
            && let Some(day) = day(i.checked_sub(1)).or_else(|| day(Some(i + 1)))
        {
            dates.push(32 * (month as u64 + 1) + day);
        }
    }
    dates
}

/// Words with a capital letter inside a sentence, where they name somebody or something.
pub(super) fn names(a: &Prepared<'_>, b: &Prepared<'_>) -> f64 {
    overlap(&names_of(a), &names_of(b))
}

fn names_of(document: &Prepared<'_>) -> BTreeSet<u64> {
    let (text, tokens) = (document.text(), document.tokens());
    let mut names = BTreeSet::new();
    for sentence in document.sentences() {
        // In a sentence of capitals alone they mean nothing.
        let capital = |i: u32| text[tokens.span(i as usize)].starts_with(char::is_uppercase);
        let inside = sentence.tokens.start + 1..sentence.tokens.end;
        if inside.clone().all(capital) {
            continue;
        }
        names.extend(inside.filter(|i| capital(*i)).map(|i| tokens.hashes()[i as usize]));
    }
    names
}

/// The words of the first line, which is the title of a page that has one.
pub(super) fn title(a: &Prepared<'_>, b: &Prepared<'_>) -> f64 {
    let of = |document: &Prepared<'_>| {
        let end = document.text().find('\n').unwrap_or(document.text().len());
        let tokens = document.tokens();
        (0..tokens.len()).take_while(|i| tokens.span(*i).end <= end).map(|i| tokens.hashes()[i]).collect()
    };
    overlap(&of(a), &of(b))
}

/// The short lines: headings, entries of menus, cells.
pub(super) fn short_lines(a: &Prepared<'_>, b: &Prepared<'_>) -> f64 {
    let of = |document: &Prepared<'_>| {
        let lines = document.text().lines().map(str::trim);
        let short = lines.filter(|line| !line.is_empty() && line.split_whitespace().nth(SHORT_LINE).is_none());
        let mut folded = String::new();
        short
            .map(|line| {
                fold(line, &mut folded);
                hash::token(folded.as_bytes())
            })
            .collect()
    };
    overlap(&of(a), &of(b))
}

/// The shingles of long sentences; of the whole pages where neither has any.
pub(super) fn running_text(a: &Prepared<'_>, b: &Prepared<'_>) -> f64 {
    let of = |document: &Prepared<'_>| {
        let grams = document.grams(SHINGLE);
        let long = document.sentences().iter().filter(|s| s.tokens.end - s.tokens.start >= LONG_SENTENCE);
        let within = long.flat_map(|s| s.tokens.start as usize..s.tokens.end as usize + 1 - SHINGLE);
        sorted(within.filter_map(|i| grams.get(i).copied()).collect())
    };
    let (long_a, long_b) = (of(a), of(b));
    match long_a.is_empty() && long_b.is_empty() {
        true => resemblance(&sorted(a.grams(SHINGLE).to_vec()), &sorted(b.grams(SHINGLE).to_vec()), usize::MAX),
        false => resemblance(&long_a, &long_b, usize::MAX),
    }
}

fn sorted(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with;

    fn of(feature: fn(&Prepared<'_>, &Prepared<'_>) -> f64, a: &str, b: &str) -> f64 {
        let there = with(a, |a| with(b, |b| feature(a, b)));
        assert_eq!(there, with(b, |b| with(a, |a| feature(b, a))), "symmetric");
        there
    }

    #[test]
    fn numbers_count_as_often_as_they_stand() {
        assert_eq!(of(numbers, "Gulls 7, Owls 7", "Gulls 7, Owls 3"), 0.5);
        assert_eq!(of(numbers, "no number", "none here either"), 1.0);
        assert_eq!(of(numbers, "founded in 1911, 12 rooms", "founded in 1912, 12 rooms"), 1.0, "years are dates");
        assert_eq!(of(numbers, "one 5", "nothing"), 0.0);
    }

    #[test]
    fn dates_are_years_and_days_of_months() {
        assert_eq!(of(dates, "on 4 March 2009", "on March 4th, 2009"), 1.0);
        assert_eq!(of(dates, "on 4 March 2009", "on 5 March 2009"), 0.5);
        assert_eq!(of(dates, "they march on, 14 of them", "may I have 3"), 1.0, "no number beside a month");
        assert_eq!(of(dates, "May 3", "the house has 3 doors"), 0.0);
    }

    #[test]
    fn names_are_capitals_inside_sentences() {
        let a = "Yesterday the keeper Ann Smith met a stranger.";
        assert_eq!(of(names, a, "Today the keeper Ann Jones met a stranger."), 1.0 / 3.0);
        assert_eq!(of(names, a, "The keeper Ann Smith slept on."), 1.0);
        assert_eq!(of(names, "ALL IN CAPITALS HERE", "Nothing here is named"), 1.0);
    }

    #[test]
    fn the_title_is_the_first_line() {
        assert_eq!(of(title, "Old light\nIt stands.", "Old light\nIt fell."), 1.0);
        assert_eq!(of(title, "Old light", "New light"), 1.0 / 3.0);
        assert_eq!(of(title, "", ""), 1.0);
    }

    #[test]
    fn short_lines_are_compared_whole() {
        let a = "Home\nNews\nthis line is long enough to be a piece of running text";
        assert_eq!(of(short_lines, a, "home\nSport\nthis other line is long enough to be running text too"), 1.0 / 3.0);
        assert_eq!(of(short_lines, "a b c d e f g h i", "other words in a line that is really long"), 1.0);
    }

    #[test]
    fn running_text_is_that_of_long_sentences() {
        let body = "the old keeper of the light went down to the sea at dawn.";
        assert_eq!(of(running_text, &format!("Home\nNews\n{body}"), &format!("Start\nSport\n{body}")), 1.0);
        assert_eq!(of(running_text, "one two three", "one two three"), 1.0, "neither has a long sentence");
        assert_eq!(of(running_text, body, "one two three"), 0.0);
    }
}
