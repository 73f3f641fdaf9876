//! The guarantees of a diff, by example and at random.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::compare::diff_up_to;
use super::*;

fn later() -> Instant {
    Instant::now() + Duration::from_secs(600)
}

/// A diff as a picture: a mark for each row, brackets around what differs.
fn picture(source: &str, target: &str) -> Vec<String> {
    let shown = |text: &str, line: &Option<Line>| {
        let Some(line) = line else { return String::new() };
        let (mut out, mut at) = (String::new(), line.span.start);
        for range in &line.changed {
            out += &format!("{}[{}]", &text[at..range.start], &text[range.clone()]);
            at = range.end;
        }
        out + &text[at..line.span.end]
    };
    let row = |row: &Row| match row.kind {
        RowKind::Equal => format!("= {}", shown(source, &row.source)),
        RowKind::Changed => format!("~ {} | {}", shown(source, &row.source), shown(target, &row.target)),
        RowKind::OnlySource => format!("- {}", shown(source, &row.source)),
        RowKind::OnlyTarget => format!("+ {}", shown(target, &row.target)),
    };
    diff(source, target, later()).rows.iter().map(row).collect()
}

/// All that callers may rely on but symmetry.
fn check(source: &str, target: &str, diff: &Diff) -> Result<(), TestCaseError> {
    let sides: [(&str, Vec<&Line>); 2] = [
        (source, diff.rows.iter().filter_map(|row| row.source.as_ref()).collect()),
        (target, diff.rows.iter().filter_map(|row| row.target.as_ref()).collect()),
    ];
    for (text, lines) in sides {
        let mut whole: Vec<&str> = lines.iter().map(|line| &text[line.span.clone()]).collect();
        whole.extend(text.ends_with('\n').then_some(""));
        prop_assert_eq!(whole.join("\n"), text);
        for (i, line) in lines.iter().enumerate() {
            prop_assert_eq!(line.number as usize, i + 1);
            let mut at = line.span.start;
            for range in &line.changed {
                prop_assert!(at <= range.start && range.start < range.end && range.end <= line.span.end);
                prop_assert!(text.get(range.clone()).is_some());
                at = range.end;
            }
        }
    }
    let mut equal = true;
    let mut changes = Vec::new();
    for (at, row) in diff.rows.iter().enumerate() {
        check_row(source, target, row)?;
        changes.extend((equal && row.kind != RowKind::Equal).then_some(at));
        equal = row.kind == RowKind::Equal;
    }
    prop_assert_eq!(&changes, &diff.changes);
    let coarse = (0..changes.len()).any(|change| diff.is_line_level(change));
    prop_assert_eq!(coarse, diff.precision != Precision::Words);
    for share in [diff.equal_source, diff.equal_target] {
        prop_assert!((0.0..=1.0).contains(&share), "{}", share);
    }
    Ok(())
}

fn check_row(source: &str, target: &str, row: &Row) -> Result<(), TestCaseError> {
    let kept = |text: &str, line: &Line| -> String {
        let changed = |at: usize| line.changed.iter().any(|range| range.contains(&at));
        text[line.span.clone()]
            .char_indices()
            .filter(|(at, _)| !changed(line.span.start + at))
            .map(|(_, c)| c)
            .collect()
    };
    match (&row.source, &row.target) {
        (Some(a), Some(b)) => {
            prop_assert_eq!(kept(source, a), kept(target, b));
            let unchanged = a.changed.is_empty() && b.changed.is_empty();
            prop_assert_eq!(unchanged, row.kind == RowKind::Equal);
            prop_assert_eq!(unchanged, source[a.span.clone()] == target[b.span.clone()]);
            prop_assert!(matches!(row.kind, RowKind::Equal | RowKind::Changed));
        }
        (Some(only), None) => {
            prop_assert_eq!(row.kind, RowKind::OnlySource);
            prop_assert_eq!(kept(source, only), "");
        }
        (None, only) => {
            prop_assert_eq!(row.kind, RowKind::OnlyTarget);
            prop_assert_eq!(only.as_ref().map(|only| kept(target, only)), Some(String::new()));
        }
    }
    Ok(())
}

/// Two texts that share many lines and words.
fn texts() -> impl Strategy<Value = (String, String)> {
    let word = prop_oneof![
        4 => "[a-e]{1,2}",
        1 => "[,.!\u{2014}]",
        1 => "[東京か\u{3099}]{1,3}",
        1 => Just("👩\u{200D}🔬".to_owned()),
        1 => "e\u{301}|ß|\u{AD}|\u{200B}|🇩🇪|\r|\u{301}|\0",
    ];
    let gap = prop_oneof![6 => Just(" ".to_owned()), 1 => Just("\t ".to_owned()), 1 => Just(String::new())];
    let line = prop::collection::vec((word, gap), 0..8)
        .prop_map(|words| words.into_iter().map(|(word, gap)| word + &gap).collect::<String>());
    let text = prop::collection::vec(line, 0..8);
    (text.clone(), text, prop::collection::vec((any::<bool>(), any::<u8>()), 8), any::<[bool; 2]>()).prop_map(
        |(a, b, taken, breaks)| {
            // The second text takes many of the lines of the first, some with a word less.
            let second: Vec<String> = taken
                .iter()
                .enumerate()
                .filter_map(|(i, &(own, cut))| match (own, a.get(i)) {
                    (false, Some(line)) => {
                        Some(line.split(' ').skip(usize::from(cut % 3 == 0)).collect::<Vec<_>>().join(" "))
                    }
                    _ => b.get(i).cloned(),
                })
                .collect();
            let end = |lines: Vec<String>, broken| lines.join("\n") + if broken { "\n" } else { "" };
            (end(a, breaks[0]), end(second, breaks[1]))
        },
    )
}

#[test]
fn edited_lines_share_a_row() {
    assert_eq!(
        picture(
            "Title\nThe quick brown fox\nposted 3 May\nA line that goes\nEnd",
            "Title\nBrand new here\nThe quick red fox\nposted 9 May\nEnd"
        ),
        [
            "= Title",
            "+ [Brand new here]",
            "~ The quick [brown] fox | The quick [red] fox",
            "~ posted [3] May | posted [9] May",
            "- [A line that goes]",
            "= End"
        ]
    );
    assert_eq!(picture("a\none two\nz", "a\nthree\nz"), ["= a", "~ [one two] | [three]", "= z"]);
    assert_eq!(picture("x y\tz", "x  y z"), ["~ x y[\t]z | x [ ]y[ ]z"]);
    assert_eq!(picture("a, b c", "d, e c"), ["~ [a, b] c | [d, e] c"]);
    assert_eq!(picture("東京都に住む人", "東京府に住む人"), ["~ 東京[都]に住む人 | 東京[府]に住む人"]);
    assert_eq!(picture("one two three", "one two new three "), ["~ one two three | one two [new ]three[ ]"]);
}

#[test]
fn unlike_lines_share_rows() {
    assert_eq!(
        picture("Council\nSkip\nText size\nsame", "Quite\nanother\nsame"),
        ["~ [Council] | [Quite]", "~ [Skip] | [another]", "- [Text size]", "= same"]
    );
}

#[test]
fn odd_texts() {
    assert_eq!(picture("", ""), [""; 0]);
    assert_eq!(picture("\n", ""), ["- "]);
    assert_eq!(picture("", "a"), ["+ [a]"]);
    assert_eq!(picture("a\n", "a"), ["= a"]);
    assert_eq!(picture("a\r\nb", "a\nb"), ["~ a[\r] | a", "= b"]);
    let empty = diff("", "", later());
    assert_eq!((empty.equal_source, empty.equal_target, empty.precision), (1.0, 1.0, Precision::Words));
}

#[test]
fn shares_count_words() {
    let found = diff("one two three, four\nfive", "one two 3, four\nfive six", later());
    assert_eq!((found.equal_source, found.equal_target), (4.0 / 5.0, 4.0 / 6.0));
}

#[test]
fn long_texts_keep_to_lines_until_asked() {
    let text = |word: &str| (0..40_000).map(|i| format!("{word} {i} and more\n")).collect::<String>();
    let (a, b) = (text("first"), text("second").replace("second 7 and more", "first 7 and more"));
    let mut found = diff(&a, &b, later());
    assert!(
        matches!(found.precision, Precision::LinesOnly { reason: Reason::Size(1_000_000..) }),
        "{}",
        found.precision
    );
    check(&a, &b, &found).unwrap();
    assert_eq!((found.changes.as_slice(), found.rows_of(0), found.rows_of(9)), (&[0, 8][..], 0..7, 0..0));
    let hunk = refine_change(&found, &a, &b, 0, later()).unwrap();
    assert_eq!(found.refine(0, hunk), 0);
    assert_eq!((found.changes.as_slice(), found.is_line_level(0), found.is_line_level(1)), (&[0, 8][..], false, true));
    check(&a, &b, &found).unwrap();
    assert_eq!(refine_change(&found, &a, &b, 0, later()), None);
    let hunk = refine_change(&found, &a, &b, 1, later()).unwrap();
    found.refine(1, hunk);
    assert_eq!(found.precision, Precision::Words);
    assert_eq!((found.rows.len(), found.equal_source), (40_000, (3.0 * 40_000.0 + 1.0) / (4.0 * 40_000.0)));
    check(&a, &b, &found).unwrap();
}

#[test]
fn the_clock_bounds_one_line_of_ten_megabytes() {
    let line = |seed: u64| {
        let mut x = seed;
        let mut next = || {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            x >> 40
        };
        (0..1_500_000).map(|_| format!("{} ", next() % 100_000)).collect::<String>()
    };
    let (a, b) = (line(1), line(2));
    let found = diff(&a, &b, later());
    assert!(a.len() + b.len() > 17_000_000 && found.is_line_level(0));
    assert_eq!(found.rows[0].kind, RowKind::Changed);
    for millis in [0, 20, 700] {
        let deadline = Instant::now() + Duration::from_millis(millis);
        assert_eq!(refine_change(&found, &a, &b, 0, deadline), None);
    }
}

#[test]
fn out_of_time_is_said() {
    let found = diff("a b\nc\nd e", "a x\nc\nd y", Instant::now());
    assert_eq!(found.precision, Precision::LinesOnly { reason: Reason::Time });
    assert!(found.precision.to_string().contains("out of time"));
    check("a b\nc\nd e", "a x\nc\nd y", &found).unwrap();
}

#[test]
fn equal_stretches_fold() {
    let lines = |changed: &[usize]| {
        (0..20).map(|i| format!("{}{i}\n", if changed.contains(&i) { "x" } else { "" })).collect::<String>()
    };
    let found = diff(&lines(&[]), &lines(&[5, 12]), later());
    let row = |range: Range<usize>| range.map(Shown::Row).collect::<Vec<_>>();
    let fold = |first, rows| vec![Shown::Fold { first, rows }];
    let none = HashSet::new();
    assert_eq!(folded(&found, 2, &none), [row(0..15), fold(15, 5)].concat());
    assert_eq!(folded(&found, 1, &none), [row(0..7), fold(7, 4), row(11..14), fold(14, 6)].concat());
    assert_eq!(folded(&found, 1, &HashSet::from([6])), [row(0..14), fold(14, 6)].concat());
    assert_eq!(
        folded(&found, 0, &none),
        [row(0..1), fold(1, 4), row(5..6), fold(6, 6), row(12..13), fold(13, 7)].concat()
    );
    assert_eq!(folded(&found, 0, &HashSet::from([0, 13])), [row(0..6), fold(6, 6), row(12..20)].concat());
    assert_eq!(folded(&found, 3, &none), [row(0..16), fold(16, 4)].concat());
    assert_eq!(folded(&found, usize::MAX, &none), row(0..20));
    assert_eq!(folded(&diff("a\nb", "a\nb", later()), 3, &none), row(0..2));
    assert_eq!(folded(&diff("", "", later()), 3, &none), []);
}

proptest! {
    #[test]
    fn a_diff_keeps_its_word((a, b) in texts()) {
        let found = diff(&a, &b, later());
        check(&a, &b, &found)?;
        prop_assert_eq!(found.precision, Precision::Words);
        let mut back = diff(&b, &a, later());
        back.swap();
        prop_assert_eq!(found, back);
    }

    #[test]
    fn any_text((a, b) in (".{0,60}|(?s:.{0,60})", "(?s:.{0,60})")) {
        check(&a, &b, &diff(&a, &b, later()))?;
        check(&a, &b, &diff(&a, &b, Instant::now()))?;
    }

    #[test]
    fn a_text_equals_itself((a, _) in texts()) {
        let same = diff(&a, &a, later());
        prop_assert!(same.rows.iter().all(|row| row.kind == RowKind::Equal));
        prop_assert_eq!((same.changes.len(), same.equal_source, same.equal_target), (0, 1.0, 1.0));
    }

    /// Without words everything stays at lines; asking for each change then gives what time would have given.
    #[test]
    fn asking_later_gives_the_same((a, b) in texts()) {
        let mut found = diff_up_to(0, &a, &b, later());
        check(&a, &b, &found)?;
        for change in (0..found.changes.len()).rev() {
            if let Some(hunk) = refine_change(&found, &a, &b, change, later()) {
                found.refine(change, hunk);
            }
        }
        check(&a, &b, &found)?;
        prop_assert_eq!(found, diff(&a, &b, later()));
    }

    #[test]
    fn folding_hides_only_equal_rows((a, b) in texts(), context in 0usize..4, open: HashSet<u8>) {
        let found = diff(&a, &b, later());
        let open = open.into_iter().map(usize::from).collect();
        let mut at = 0;
        for shown in folded(&found, context, &open) {
            let rows = match shown {
                Shown::Row(row) => row..row + 1,
                Shown::Fold { first, rows } => {
                    prop_assert!(first > 0 && rows >= 4 && found.rows[first..first + rows].iter().all(|r| r.kind == RowKind::Equal));
                    first..first + rows
                }
            };
            prop_assert_eq!(rows.start, at);
            at = rows.end;
        }
        prop_assert_eq!(at, found.rows.len());
    }
}
