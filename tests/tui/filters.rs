//! Filters: random ones against brute force over the sample study, and the line in which they are typed.

use dejaview::study::{Filter, GRAMMAR, Names, PairTable, Snapshot, Sort};
use dejaview::tui::headless::Headless;
use dejaview::tui::screens::judgments::Judgments;
use dejaview::tui::screens::pairs::Pairs;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use ratatui::style::Modifier;

use super::support::{headless, position, sample};

/// What an expression asks for, told apart from its text by construction.
#[derive(Debug, Clone)]
enum Wanted {
    Jaccard(&'static str, f64),
    Agreement(&'static str, u32),
    Candidates(Option<usize>, u32),
    FoundBy(usize),
    Distance(usize, u16),
    Top(Option<usize>),
    SameUrl,
    Segment(usize),
    Id(String),
    Not(Box<Wanted>),
    All(Vec<Wanted>),
    Any(Vec<Wanted>),
}

fn holds(sign: &str, found: f64, value: f64) -> bool {
    match sign {
        "<" => found < value,
        "<=" => found <= value,
        ">" => found > value,
        _ => found >= value,
    }
}

impl Wanted {
    fn of(&self, table: &PairTable, row: usize) -> bool {
        let pair = table.pair(row);
        match self {
            Self::Jaccard(sign, value) => holds(sign, table.jaccard(row), *value),
            Self::Agreement(sign, value) => {
                let found = (0..table.configurations().len()).filter(|c| table.found_by(row, *c)).count();
                holds(sign, found as f64, f64::from(*value))
            }
            Self::Candidates(c, more) => {
                let of_source = table.rows_of_source(pair.source);
                let count = of_source.filter(|other| c.is_none_or(|c| table.found_by(*other, c))).count();
                count as u32 > *more
            }
            Self::FoundBy(c) => table.found_by(row, *c),
            Self::Distance(c, most) => table.distance_by(row, *c).is_some_and(|distance| distance <= *most),
            Self::Top(c) => {
                let mut rows: Vec<usize> = table
                    .rows_of_source(pair.source)
                    .filter(|other| c.is_none_or(|c| table.found_by(*other, c)))
                    .collect();
                rows.sort_by(|a, b| table.jaccard(*b).total_cmp(&table.jaccard(*a)));
                let highest = rows.first().map(|first| table.jaccard(*first));
                let mut best = rows.into_iter().filter(|other| Some(table.jaccard(*other)) == highest);
                // The first by id of several.
                best.by_ref().min_by_key(|other| table.pair(*other).target.to_owned()) == Some(row)
            }
            Self::SameUrl => pair.same_url,
            Self::Segment(at) => table.segment(row) == table.segments()[*at],
            Self::Id(part) => pair.source.contains(part.as_str()) || pair.target.contains(part.as_str()),
            Self::Not(one) => !one.of(table, row),
            Self::All(all) => all.iter().all(|one| one.of(table, row)),
            Self::Any(any) => any.iter().any(|one| one.of(table, row)),
        }
    }

    /// As one of the ways in which a person may write it.
    fn text(&self, table: &PairTable, words: bool) -> String {
        let name = |c: usize| table.configurations()[c].clone();
        let within = |c: Option<usize>| c.map(|c| format!("({})", name(c))).unwrap_or_default();
        let join = |all: &[Self], signs: [&str; 2]| {
            let texts: Vec<String> = all.iter().map(|one| one.text(table, words)).collect();
            format!("({})", texts.join(signs[usize::from(words)]))
        };
        match self {
            Self::Jaccard(sign, value) if words => format!("jaccard {sign} {value}"),
            Self::Jaccard(sign, value) => format!("jaccard{sign}{value}"),
            Self::Agreement(sign, value) => format!("AGREEMENT{sign}{value}"),
            Self::Candidates(c, more) => format!("candidates{}>{more}", within(*c)),
            Self::FoundBy(c) if words => format!("by:{}", name(*c)),
            Self::FoundBy(c) => name(*c),
            Self::Distance(c, most) => format!("{}<={most}", name(*c)),
            Self::Top(c) => format!("top{}", within(*c)),
            Self::SameUrl => "same-url".to_owned(),
            Self::Segment(at) => format!("segment:{}", table.segments()[*at]),
            Self::Id(part) if words => format!("\"{part}\""),
            Self::Id(part) => part.clone(),
            Self::Not(one) if words => format!("not {}", one.text(table, words)),
            Self::Not(one) => format!("!{}", one.text(table, words)),
            Self::All(all) => join(all, [" & ", " and "]),
            Self::Any(any) => join(any, [" | ", " OR "]),
        }
    }
}

fn wanted(configurations: usize, segments: usize) -> impl Strategy<Value = Wanted> {
    let sign = prop::sample::select(&["<", "<=", ">", ">="][..]);
    let any = prop::option::of(0..configurations);
    let term = prop_oneof![
        (sign.clone(), 0u8..=20).prop_map(|(sign, n)| Wanted::Jaccard(sign, f64::from(n) / 20.0)),
        (sign, 0u32..=22).prop_map(|(sign, n)| Wanted::Agreement(sign, n)),
        (any.clone(), 0u32..9).prop_map(|(c, n)| Wanted::Candidates(c, n)),
        (0..configurations).prop_map(Wanted::FoundBy),
        (0..configurations, 0u16..4).prop_map(|(c, n)| Wanted::Distance(c, n)),
        any.prop_map(Wanted::Top),
        Just(Wanted::SameUrl),
        (0..segments).prop_map(Wanted::Segment),
        "0[0-9]{2}".prop_map(Wanted::Id),
    ];
    term.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|one| Wanted::Not(Box::new(one))),
            prop::collection::vec(inner.clone(), 1..4).prop_map(Wanted::All),
            prop::collection::vec(inner, 1..4).prop_map(Wanted::Any),
        ]
    })
}

#[test]
fn random_filters_admit_what_is_true() {
    let snapshot = Snapshot::open(sample()).unwrap();
    let table = snapshot.table().unwrap();
    let mut runner = TestRunner::new(Config { cases: 40, ..Config::default() });
    let filters = (wanted(table.configurations().len(), table.segments().len()), any::<bool>());
    let tested = runner.run(&filters, |(wanted, words)| {
        let text = wanted.text(table, words);
        let filter = Filter::parse(&text, Names::of_pairs(table.configurations()))
            .map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
        let found = table.select(&filter, Sort::Source);
        let expected: Vec<u32> = (0..table.len()).filter(|row| wanted.of(table, *row)).map(|row| row as u32).collect();
        prop_assert_eq!(found, expected, "{}", text);
        Ok(())
    });
    tested.unwrap();
}

fn pairs_that_pass(expression: &str) -> usize {
    let snapshot = Snapshot::open(sample()).unwrap();
    let table = snapshot.table().unwrap();
    let filter = Filter::parse(expression, Names::of_pairs(table.configurations())).unwrap();
    table.select(&filter, Sort::Source).len()
}

fn filter(headless: &Headless) -> &str {
    &headless.app.screens.get::<Pairs>().filter
}

fn with_commas(number: usize) -> String {
    dejaview::report::numbers::count(number as u64)
}

#[test]
fn the_count_follows_the_typing_and_tab_completes() {
    for size in [(80, 24), (120, 32), (200, 60)] {
        let mut driven = headless(sample(), size, None);
        driven.keys("3 & \"jaccard_>=_0.9_and_be\"");
        let text = driven.text();
        let best = pairs_that_pass("jaccard>=0.9 & best");
        let offered = text.lines().find(|line| line.contains("found by the configuration best")).unwrap_or_default();
        assert!(offered.contains(&format!("{} pairs", with_commas(best))), "{text}");
        assert!(text.contains("Filter pairs") && text.contains("↑ earlier filters"), "{text}");
        driven.keys("tab");
        let all = with_commas(pairs_that_pass(""));
        assert!(driven.text().contains(&format!(" {} of {all} ", with_commas(best))), "{}", driven.text());
        driven.keys("enter");
        assert!(driven.app.overlays.is_empty());
        assert_eq!(filter(&driven), "jaccard >= 0.9 and best");
        assert!(driven.text().contains("& jaccard>=0.9 & best"), "the chip:\n{}", driven.text());
    }
}

#[test]
fn values_are_offered_after_a_sign() {
    let mut driven = headless(sample(), (100, 30), None);
    driven.keys("3 & \"label=\"");
    let text = driven.text();
    assert!(text.contains("near-duplicate") && text.contains("annotators differ and nobody has settled it"), "{text}");
    driven.keys("C-u \"topic=\"");
    assert!(driven.text().contains("lighthouse fresnel lens"), "{}", driven.text());
    driven.keys("C-u \"jaccard>\"");
    assert!(driven.text().contains("headline Jaccard, 0 to 1"), "{}", driven.text());
}

#[test]
fn errors_are_underlined_in_place_and_enter_waits() {
    let mut driven = headless(sample(), (100, 30), None);
    driven.keys("3 & \"jaccard>x_&_top\"");
    let text = driven.text();
    assert!(text.contains("✗ “x”: a number must follow the sign"), "{text}");
    let buffer = driven.buffer();
    let (y, line) = text.lines().enumerate().find(|(_, line)| line.contains("& jaccard>x & top")).unwrap();
    let underlined: String = (0..100u16)
        .filter(|x| buffer[(*x, y as u16)].modifier.contains(Modifier::UNDERLINED))
        .map(|x| buffer[(x, y as u16)].symbol().to_owned())
        .collect();
    assert_eq!(underlined, "x", "{line}");
    driven.keys("enter");
    assert_eq!((driven.app.overlays.len(), filter(&driven)), (1, ""), "a wrong filter is not applied");
    driven.keys("backspace \"0.9\" enter");
    assert_eq!(filter(&driven), "jaccard>0.9 & top", "the cursor was where it was wrong");
    driven.keys("& C-u \"jaccard>\"");
    assert!(!driven.text().contains('✗'), "what is not finished is no mistake yet:\n{}", driven.text());
    driven.keys("enter");
    assert_eq!(driven.app.overlays.len(), 1);
}

#[test]
fn escape_clears_before_it_closes() {
    let mut driven = headless(sample(), (100, 30), None);
    driven.keys("3 & \"top\" enter & \"_&_x\" esc");
    assert_eq!(driven.app.overlays.len(), 1);
    assert!(driven.text().contains("saved") || driven.text().contains("earlier filter"), "{}", driven.text());
    driven.keys("esc");
    assert!(driven.app.overlays.is_empty());
    assert_eq!((filter(&driven), driven.app.shared.screen), ("top", Pairs::ID), "the filter that held still holds");
    driven.keys("& up up up down");
    assert!(driven.text().contains("& top"), "{}", driven.text());
}

#[test]
fn a_question_mark_shows_the_grammar_where_a_term_may_begin() {
    let mut driven = headless(sample(), (100, 30), None);
    driven.keys("3 & ?");
    let text = driven.text();
    for (written, _) in GRAMMAR {
        assert!(text.contains(written.split("   ").next().unwrap()), "{written}:\n{text}");
    }
    driven.keys("x");
    assert!(!driven.text().contains("one of them, or both"), "{}", driven.text());
    driven.keys("\"url:a?b\"");
    assert!(driven.text().contains("& url:a?b"), "part of a URL:\n{}", driven.text());
}

#[test]
fn filters_can_be_saved_under_a_name() {
    let mut driven = headless(sample(), (100, 30), None);
    driven.keys(": \"filter_save_x\" enter");
    assert!(driven.text().contains("No filter to save") || filter(&driven).is_empty(), "{}", driven.text());
    driven.keys("3 & \"top\" enter : \"filter_save_mine\" enter & C-u enter");
    assert_eq!(filter(&driven), "");
    driven.keys("&");
    assert!(driven.text().contains("saved as mine"), "{}", driven.text());
    driven.keys("tab enter");
    assert_eq!(filter(&driven), "top");
    driven.keys("esc : \"filter_mine\" enter");
    assert_eq!(filter(&driven), "top");
    driven.keys(": \"filter_drop_mine\" enter : \"filter_mine\" enter");
    assert!(driven.text().contains("No saved filter “mine”"), "{}", driven.text());
}

#[test]
fn judgments_are_filtered_in_the_same_grammar() {
    let mut driven = headless(sample(), (120, 32), None);
    driven.keys("2 & \"topic=1_and_grade>=2\"");
    assert!(driven.text().contains("Filter judgments") && driven.text().contains(" of 388 "), "{}", driven.text());
    driven.keys("enter & C-u \"length>0.5\"");
    assert!(driven.text().contains("this is for pairs. Judgments have topic"), "{}", driven.text());
    let snapshot = Snapshot::open(sample()).unwrap();
    let judgments = snapshot.judgments().unwrap().unwrap();
    let passing = judgments.rows().iter().filter(|row| {
        let grade: f64 = judgments.grades()[row.grade as usize].parse().unwrap();
        judgments.topics()[row.topic as usize].number == "1" && grade >= 2.0
    });
    let passing = passing.count();
    driven.keys("C-u \"topic=1_&_grade>=2\"");
    assert!(driven.text().contains(&format!(" {passing} of 388 ")), "{passing}:\n{}", driven.text());
}

/// The chosen configuration and the filter are shown together, removed one by one and cleared together.
#[test]
fn chips_are_removed_and_cleared() {
    let mut driven = headless(sample(), (160, 40), None);
    let restrict = |driven: &mut Headless| {
        driven.keys("1 3 : \"simhash-3+5\" enter & \"jaccard>0.99\" enter");
        let left = pairs_that_pass("simhash-3+5 & jaccard>0.99");
        let head = format!(" simhash-3+5 {left}   & jaccard>0.99 ");
        assert!(driven.text().contains(&head), "{head}: {}", driven.text());
    };
    let all = position(driven.keys("3")).unwrap().1;
    restrict(&mut driven);
    driven.keys("backspace");
    assert!(filter(&driven).is_empty() && position(&driven) == Some((1, 162)), "{}", driven.text());
    driven.keys("backspace");
    assert_eq!(position(&driven), Some((1, all)), "{}", driven.text());
    restrict(&mut driven);
    driven.keys("esc");
    assert_eq!((filter(&driven), driven.app.shared.screen), ("", Pairs::ID), "both at once");
    driven.keys("esc");
    assert_ne!(driven.app.shared.screen, Pairs::ID, "nothing is left to clear");
}

/// What the line counts is what Enter shows: an emptied filter leaves the chosen configuration.
#[test]
fn an_emptied_filter_leaves_the_configuration() {
    let mut driven = headless(sample(), (120, 32), None);
    driven.keys("3 ] & \"label\" enter");
    let text = driven.text();
    assert!(text.contains("simhash-2 0") && text.contains("without it there are 340 pairs"), "{text}");
    driven.keys("& C-u");
    assert!(driven.text().contains(" 340 of 340 "), "{}", driven.text());
    driven.keys("enter");
    assert_eq!((filter(&driven), position(&driven)), ("", Some((1, 340))), "{}", driven.text());
}

/// Pairs that a bar opened give way to the person's own list, with the cursor where it was; what the person changed stays.
#[test]
fn the_own_filter_comes_back() {
    let mut driven = headless(sample(), (120, 32), None);
    driven.keys("3 ] & \"jaccard>0.9\" enter j j");
    let own = driven.text();
    driven.keys("7 enter");
    assert_ne!(filter(&driven), "jaccard>0.9");
    driven.keys("enter q q 3");
    assert_eq!(driven.text(), own);
    driven.keys("7 enter & C-u \"top\" enter q 3");
    assert_eq!(filter(&driven), "top");
}

#[test]
fn a_command_that_is_whole_is_what_enter_runs() {
    let mut driven = headless(sample(), (100, 30), None);
    let offers = |driven: &Headless, first: &str| {
        let text = driven.text();
        assert!(!text.contains("did you mean this?"), "{text}");
        assert!(text.lines().any(|line| line.contains('▌') && line.contains(first)), "{first}: {text}");
    };
    driven.keys("3 & \"top\" enter : \"filter_save_tricky\"");
    offers(&driven, "filter save tricky  save the filter of this screen");
    driven.keys("enter : \"filter_tricky\"");
    offers(&driven, "filter tricky  top");
    driven.keys("C-u \"transfer\" enter");
    let said = driven.app.shared.message.clone().unwrap_or_default();
    assert!(said.contains("`dejaview transfer STUDY -o new.qrels --accept labels`"), "{said}");
}

#[test]
fn the_palette_finds_places_as_well_as_commands() {
    for open in [":", "C-p"] {
        let mut driven = headless(sample(), (100, 30), None);
        driven.keys(&format!("{open} \"lens\""));
        let text = driven.text();
        assert!(text.contains("Commands and places") && text.contains("topic"), "{text}");
        assert!(text.contains("1 lighthouse fresnel lens") && text.contains("search texts for “lens”"), "{text}");
        driven.keys("enter");
        assert_eq!(driven.app.shared.screen, Judgments::ID);
        assert_eq!(driven.app.screens.get::<Judgments>().filter, "topic=1");
        driven.keys(":");
        let is_first = |line: &str| line.contains('▌') && line.contains("1 lighthouse fresnel lens");
        assert!(driven.text().lines().any(is_first), "recent choices come first:\n{}", driven.text());
        driven.keys("C-u \"imatch\" enter");
        assert_eq!(driven.app.shared.screen, Pairs::ID);
    }
}
