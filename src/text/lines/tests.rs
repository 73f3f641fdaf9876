//! Counts against all pages at once, in whatever order; lines out of pages; bytes and back.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::recurring::FEWEST;
use super::*;

fn counted(pages: &[(String, String)], limit: usize) -> LineCounts {
    let mut counts = LineCounts::with_limit(limit);
    for (host, text) in pages {
        counts.add(host, text);
        assert!(counts.lines <= limit || counts.level == LEVEL as u32);
        assert_eq!(counts.lines, counts.hosts.values().map(|host| host.lines.len()).sum::<usize>());
    }
    counts
}

fn stripped(recurring: &Recurring, host: &str, text: &str) -> String {
    let mut out = String::from("old");
    recurring.strip(host, text, &mut out);
    out
}

/// The words of a line of simple words.
fn simple(line: &str) -> Vec<String> {
    line.to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The definition: which lines of simple words stay.
fn expected(pages: &[(String, String)], host: &str, text: &str, min_pages: u32, share: f64) -> String {
    let of_host: Vec<BTreeSet<Vec<String>>> =
        pages.iter().filter(|page| page.0 == host).map(|page| page.1.lines().map(simple).collect()).collect();
    let mut on: BTreeMap<&Vec<String>, u32> = BTreeMap::new();
    of_host.iter().flatten().for_each(|line| *on.entry(line).or_default() += 1);
    let recurs = |line: &str| {
        let on = on.get(&simple(line)).copied().unwrap_or(0);
        !simple(line).is_empty() && on >= min_pages && f64::from(on) >= share * of_host.len() as f64
    };
    let left: Vec<&str> = text.split('\n').filter(|line| !recurs(line)).collect();
    if left.iter().map(|line| simple(line).len()).sum::<usize>() < FEWEST { text.to_owned() } else { left.join("\n") }
}

const OWN: &str = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
    seventeen eighteen nineteen twenty";

#[test]
fn what_recurs_is_taken_out() {
    let page = |i: usize| ("a.example".to_owned(), format!("Title {i}\nHome | News\n\n--\n{OWN} {i}\nImprint."));
    let pages: Vec<_> = (0..5).map(page).collect();
    let recurring = counted(&pages, 1000).finish(5, 0.5);
    assert_eq!(recurring.len(), 2);
    assert_eq!(stripped(&recurring, "a.example", &pages[3].1), format!("Title 3\n\n--\n{OWN} 3"));
    assert_eq!(stripped(&recurring, "a.example", &format!("HOME news\n{OWN}\n")), format!("{OWN}\n"));
    assert_eq!(stripped(&recurring, "b.example", &pages[3].1), pages[3].1);
    assert_eq!(
        stripped(&recurring, "a.example", "Imprint.\nHome | News\nfew words"),
        "Imprint.\nHome | News\nfew words"
    );
    assert_eq!(stripped(&recurring, "a.example", ""), "");
    assert!(counted(&pages, 1000).finish(6, 0.0).is_empty());
    assert!(counted(&pages[..4], 1000).finish(5, 0.0).is_empty());
}

#[test]
fn damage_is_said() {
    let pages: Vec<_> = (0..9).map(|i| ("a".to_owned(), format!("same\n{i}"))).collect();
    let recurring = counted(&pages, 1000).finish(1, 0.0);
    let bytes = recurring.to_bytes();
    assert_eq!((recurring.len(), bytes.len()), (10, 8 * 13));
    assert_eq!(Recurring::from_bytes(&bytes), Ok(recurring));
    for cut in 0..bytes.len() {
        let why = if cut < 8 { RecurringError::Foreign } else { RecurringError::Damaged };
        assert_eq!(Recurring::from_bytes(&bytes[..cut]), Err(why), "{cut}");
    }
    for at in 8..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 4;
        assert_eq!(Recurring::from_bytes(&changed), Err(RecurringError::Damaged), "{at}");
    }
    assert_eq!(Recurring::from_bytes(&Recurring::default().to_bytes()), Ok(Recurring::default()));
}

#[test]
fn a_part_of_the_pages_tells_the_same() {
    let page = |i: usize| {
        ("a".to_owned(), format!("Menu\n{}\nonly here {i}\n{OWN} {i}", if i.is_multiple_of(2) { "Half" } else { "" }))
    };
    let pages: Vec<_> = (0..2000).map(page).collect();
    let counts = counted(&pages, 500);
    assert!((0.05..0.3).contains(&counts.fraction()), "{}", counts.fraction());
    for (share, lines) in [(0.9, 1), (0.4, 2)] {
        assert_eq!(counts.finish(5, share).len(), lines);
        assert_eq!(counts.finish(5, share), counted(&pages, 1_000_000).finish(5, share));
    }
}

fn pages() -> impl Strategy<Value = Vec<(String, String)>> {
    let line = prop::sample::select(vec!["Menu", "menu!", "a b", "A  b.", "", "-", "c", "d", OWN, "e\tf"]);
    let text = prop::collection::vec(line, 0..8).prop_map(|lines| lines.join("\n"));
    prop::collection::vec((prop::sample::select(vec!["x".to_owned(), "y".to_owned()]), text), 0..30)
}

proptest! {
    #[test]
    fn lines_recur_by_definition(pages in pages(), min_pages in 1u32..6, share in 0.0f64..1.0) {
        let recurring = counted(&pages, 1000).finish(min_pages, share);
        for (host, text) in &pages {
            prop_assert_eq!(stripped(&recurring, host, text), expected(&pages, host, text, min_pages, share));
        }
    }

    #[test]
    fn order_and_threads_do_not_matter(pages in pages(), limit in 1usize..30, parts in 1usize..5, turn in 0usize..30) {
        let whole = counted(&pages, limit);
        let mut turned = pages.clone();
        turned.rotate_left(turn.min(pages.len()));
        let mut merged = LineCounts::with_limit(limit);
        for part in turned.chunks(pages.len().div_ceil(parts).max(1)).rev() {
            merged.merge(counted(part, limit));
        }
        prop_assert_eq!((whole.level, whole.lines), (merged.level, merged.lines));
        for (min_pages, share) in [(1, 0.0), (2, 0.3), (5, 0.1)] {
            prop_assert_eq!(whole.finish(min_pages, share).to_bytes(), merged.finish(min_pages, share).to_bytes());
        }
    }
}
