//! Lists and tables: the tree of judgments, filters, the duel, documents, the log.

use dejaview::labels::Decisions;
use dejaview::study::{Filter, PairFilter, Snapshot, Sort};
use dejaview::tui::contract::{Effect, Slot};
use dejaview::tui::event::Event;
use dejaview::tui::headless::Headless;
use dejaview::tui::screens::figures::Figures;
use dejaview::tui::screens::home::Home;
use dejaview::tui::screens::judgments::Judgments;
use dejaview::tui::screens::pairs::{Arrange, Pairs, SearchPairs};

use super::support::{Slow, char, copy, headless, key, not_blind, position, sample, selected_text};
use crossterm::event::KeyCode;

const SIZE: (u16, u16) = (120, 40);

fn open() -> Headless {
    headless(sample(), SIZE, None)
}

fn message(headless: &Headless) -> String {
    let text = headless.text();
    text.lines().rev().nth(1).unwrap_or_default().to_owned()
}

fn selected(headless: &Headless) -> String {
    selected_text(&headless.buffer()).expect("a row under the cursor")
}

/// How many pairs are shown.
pub fn shown(headless: &Headless) -> usize {
    position(headless).map_or(usize::MAX, |(_, of)| of)
}

/// The id of the judged document under the cursor; none on a topic.
fn judged(headless: &Headless) -> Option<String> {
    headless.app.screens.get::<Judgments>().current().map(|judgment| judgment.document.id.clone())
}

fn filtered(headless: &mut Headless, expression: &str) -> usize {
    headless.keys("3 & C-u").keys(&format!("\"{}\" enter", expression.replace(' ', "_")));
    shown(headless)
}

#[test]
fn topics_open_and_close() {
    let mut headless = open();
    headless.keys("2");
    assert!(judged(&headless).is_some(), "the first topic is open, and the cursor on its first document");
    headless.keys("h");
    assert!(judged(&headless).is_none() && selected(&headless).contains("▾ 1 "), "to its topic");
    headless.keys("h");
    let (folded, topic) = (headless.text(), selected(&headless));
    assert!(topic.contains("▸ 1 "), "{topic}");
    headless.keys("enter");
    assert!(selected(&headless).contains("▾ 1 "), "{}", selected(&headless));
    headless.keys("enter");
    assert_eq!(headless.text(), folded, "closed again");
    headless.keys("o");
    let open = headless.text();
    assert!(!open.contains('▸'), "all are open:\n{open}");
    headless.keys("j j ]");
    assert!(selected(&headless).contains("▾ 2 "), "on a topic: {}", selected(&headless));
    headless.keys("j j o");
    assert!(selected(&headless).contains("▸ 2 "), "on the topic of the document: {}", selected(&headless));
    headless.keys("[");
    assert_eq!(selected(&headless), topic);
}

#[test]
fn a_filter_opens_the_topics_that_it_leaves() {
    let mut headless = open();
    headless.keys("2 & \"0003\" enter");
    let (_, in_topic) = position(&headless).unwrap();
    assert!(in_topic > 0, "{}", headless.text());
    loop {
        let before = headless.app.screens.get::<Judgments>().cursor;
        assert!(judged(&headless).is_none_or(|id| id.contains("0003")), "{}", headless.text());
        headless.keys("j");
        if headless.app.screens.get::<Judgments>().cursor == before {
            break;
        }
    }
    headless.keys("& C-u \"no-such-word\" enter");
    assert!(headless.text().contains("No judgments match this filter"), "{}", headless.text());
    headless.keys("j k enter l h o s & C-u enter");
    assert!(headless.text().contains("· 388 in all"), "{}", headless.text());
}

#[test]
fn judgments_are_sorted_within_their_topic() {
    let mut headless = open();
    headless.keys("2 s g j");
    let best = |headless: &Headless| {
        let judgment = headless.app.screens.get::<Judgments>().current();
        judgment.map(|judgment| judgment.document.candidates.best.map_or(-1.0, |(_, best)| best))
    };
    let mut previous = best(&headless).unwrap();
    let mut judgments = 1;
    while let Some(now) = best(headless.keys("j")) {
        assert!(now <= previous, "{}", headless.text());
        (previous, judgments) = (now, judgments + 1);
    }
    assert_eq!(judgments, 35, "those of the first topic");
}

/// What an expression admits is what is true of each pair.
#[test]
fn every_kind_of_term_admits_what_it_says() {
    let study = copy(sample());
    let mut headless = headless(study.path(), SIZE, Some("ann"));
    headless.keys("5 a x i a q");
    let snapshot = Snapshot::open(study.path()).unwrap();
    let table = snapshot.table().unwrap();
    let judgments = snapshot.judgments().unwrap().unwrap();
    let decisions: Decisions = study.reading("ann").decisions;
    let names = table.configurations();
    let count = |passes: &dyn Fn(usize) -> bool| (0..table.len()).filter(|&row| passes(row)).count();
    let label = |row: usize| {
        let pair = table.pair(row);
        decisions.label(pair.source, pair.target, None)
    };
    let judged = |row: usize, topic: &str, least: f64| {
        let document = judgments.document(table.pair(row).source);
        document.is_some_and(|document| {
            judgments.of_document(document).iter().any(|judgment| {
                let grade: f64 = judgments.grades()[judgment.grade as usize].parse().unwrap();
                (topic.is_empty() || judgments.topics()[judgment.topic as usize].number == topic) && grade >= least
            })
        })
    };
    let topic = judgments.topics()[0].number.clone();
    let cases: Vec<(String, usize)> = vec![
        ("label".to_owned(), count(&|row| label(row).is_some())),
        ("!label".to_owned(), count(&|row| label(row).is_none())),
        ("label=near".to_owned(), count(&|row| label(row) == Some(dejaview::labels::Label::NearDuplicate))),
        (
            format!("jaccard>0.9 & !label & {} & !{}", names[0], names[1]),
            count(&|row| {
                table.jaccard(row) > 0.9 && label(row).is_none() && table.found_by(row, 0) && !table.found_by(row, 1)
            }),
        ),
        (
            format!("({} | {}) & !same-url", names[0], names[1]),
            count(&|row| (table.found_by(row, 0) || table.found_by(row, 1)) && !table.pair(row).same_url),
        ),
        (format!("{}<=1", names[0]), count(&|row| table.distance_by(row, 0).is_some_and(|distance| distance <= 1))),
        ("words>200 target-words<=200".to_owned(), {
            count(&|row| table.pair(row).source_profile.words > 200 && table.pair(row).target_profile.words <= 200)
        }),
        ("segment=01".to_owned(), count(&|row| table.segment(row) == "01")),
        ("grade>=1".to_owned(), count(&|row| judged(row, "", 1.0))),
        (format!("topic={topic} & grade>=1"), count(&|row| judged(row, &topic, 1.0))),
        ("agreement=1".to_owned(), count(&|row| table.agreement(row) == 1)),
        ("source:0003".to_owned(), count(&|row| table.pair(row).source.contains("0003"))),
        ("top".to_owned(), count(&|row| table.is_top(row, None))),
        ("candidates>3".to_owned(), count(&|row| table.candidates(row, None) > 3)),
    ];
    for (expression, wanted) in cases {
        assert_eq!(filtered(&mut headless, &expression), wanted, "{expression}: {}", message(&headless));
    }
    let all = table.len();
    assert_eq!(table.select(&Filter::default(), Sort::Source).len(), all);
}

/// Words of a URL are looked up in the index; a pair passes when one of its documents has them.
#[test]
fn urls_are_searched_in_the_index() {
    let mut headless = open();
    let snapshot = Snapshot::open(sample()).unwrap();
    let table = snapshot.table().unwrap();
    let url = dejaview::study::find_document(&snapshot, table.pair(0).source, None).unwrap().document.url;
    let some = filtered(&mut headless, &format!("url:{url}"));
    assert!(some > 0 && some < table.len(), "{url}: {}", message(&headless));
    assert_eq!(filtered(&mut headless, "url:no-such-host.example"), 0);
}

#[test]
fn every_sort_turns_round() {
    let snapshot = Snapshot::open(sample()).unwrap();
    let table = snapshot.table().unwrap();
    let value = |sort: Sort, row: u32| match sort {
        Sort::Jaccard => -table.jaccard(row as usize),
        Sort::Length => -table.pair(row as usize).scores().length_ratio,
        Sort::Agreement => -f64::from(table.agreement(row as usize)),
        _ => 0.0,
    };
    for sort in Sort::ALL {
        let rows = table.select(&Filter::default(), sort);
        assert!(rows.windows(2).all(|two| value(sort, two[0]) <= value(sort, two[1])), "{sort:?}");
        if sort == Sort::Target {
            let ids: Vec<&str> = rows.iter().map(|&row| table.pair(row as usize).target).collect();
            assert!(ids.is_sorted());
        }
        let mut sorted = rows.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(i, &row)| i as u32 == row), "every row once");
    }
    let mut headless = open();
    headless.keys("3 s s");
    let best = selected(&headless);
    headless.keys("S");
    assert!(headless.text().contains("Jaccard ▴"), "{}", headless.text());
    assert_ne!(selected(&headless), best);
    headless.keys("S");
    assert_eq!(selected(&headless), best);
}

/// What one configuration calls a distance is something else for another: it is shown, sorted and filtered for one alone.
#[test]
fn a_distance_is_of_one_configuration() {
    let snapshot = Snapshot::open(sample()).unwrap();
    let table = snapshot.table().unwrap();
    let c = table.configurations().iter().position(|name| name == "simhash-2").unwrap();
    let mut headless = open();
    headless.keys("3 s s s");
    assert!(headless.text().contains("length ratio ▾"), "no distance without one: {}", headless.text());
    assert!(!headless.text().contains(" dist "), "{}", headless.text());
    headless.keys("& \"distance<3\" enter");
    assert!(headless.text().contains("each configuration measures its own way"), "{}", headless.text());
    headless.keys("esc esc");
    assert_eq!(shown(&headless), table.len());
    let near = (0..table.len()).filter(|&row| table.distance_by(row, c).is_some_and(|distance| distance < 3)).count();
    assert_eq!(filtered(&mut headless, "simhash-2<3"), near);
    headless.keys("1");
    while !selected(&headless).contains("simhash-2 ") {
        headless.keys("j");
    }
    headless.keys("enter & \"distance<3\" enter");
    assert!(
        headless.text().contains(" dist ") && headless.text().contains("dist: differing bits"),
        "{}",
        headless.text()
    );
    assert_eq!(shown(&headless), near);
    // The distances of the table are those that stand in the files of pairs.
    for open in snapshot.pairs(PairFilter::default()).unwrap() {
        let c = table.configurations().iter().position(|name| *name == open.configuration).unwrap();
        for pair in open.file.pairs() {
            let row = table.find(pair.source, pair.target).unwrap();
            assert_eq!(table.distance_by(row, c), Some(pair.distance), "{} {}", pair.source, pair.target);
        }
    }
}

/// Both sides of a duel show their own distance, and the keys that lead out of it stand below.
#[test]
fn a_duel_shows_both_distances_and_its_exit() {
    let snapshot = Snapshot::open(sample()).unwrap();
    let table = snapshot.table().unwrap();
    for size in [(80, 24), (100, 30)] {
        let mut headless = headless(sample(), size, None);
        headless.keys("3 d C-u \"simhash-2_simhash-3\" enter ] ]");
        let text = headless.text();
        assert!(text.contains(" d 2") && text.contains(" d 3") && text.contains("d: differing bits"), "{text}");
        assert!(text.contains("q leave the duel") && text.contains("] next set"), "{text}");
        assert!(!text.lines().take(22).any(|line| line.contains("oppone")), "{text}");
        headless.keys("enter");
        headless.keys("q q");
        assert_eq!(headless.app.shared.screen, Pairs::ID, "the first leaves the pair, the second the duel");
        assert_eq!(shown(&headless), table.len());
        headless.keys("esc");
        assert_eq!(headless.app.shared.screen, Home::ID);
    }
}

/// A line that is wrong stays open, with the cursor where it is wrong, and what is wrong is there to be read.
#[test]
fn a_wrong_filter_can_be_mended() {
    let mut headless = headless(sample(), (80, 24), None);
    headless.keys("3 & \"jacard>0.9_&_top\" enter");
    let text = headless.text();
    assert!(text.contains("“jacard”: not a number of a pair") && text.contains("target-words"), "{text}");
    assert!(text.contains("& jacard>0.9 & top"), "{text}");
    headless.keys("left left left \"c\" enter");
    assert!(headless.text().contains("& jaccard>0.9 & top"), "{}", headless.text());
    headless.keys("& C-u \"jaccard>0.9_&_|\" enter");
    assert!(headless.text().contains("“&”: a term is missing next to it"), "{}", headless.text());
    headless.keys("esc esc");
    assert_eq!(headless.app.shared.screen, Pairs::ID);
    assert_eq!(filtered(&mut headless, "harbour"), 0);
    let text = headless.text();
    assert!(text.contains("“harbour” is looked for in the ids") && text.contains("same-url"), "{text}");
}

#[test]
fn a_duel_counts_what_each_found_alone() {
    let snapshot = Snapshot::open(sample()).unwrap();
    let table = snapshot.table().unwrap();
    let names = table.configurations().to_vec();
    let count = |a: bool, b: bool, least: f64| {
        let passes =
            |&row: &usize| (table.found_by(row, 0), table.found_by(row, 1)) == (a, b) && table.jaccard(row) >= least;
        (0..table.len()).filter(passes).count()
    };
    let mut headless = open();
    headless.keys(&format!("3 d C-u \"{}_{}\" enter", names[0], names[1]));
    for (a, b, words) in [
        (true, false, format!("only {}", names[0])),
        (false, true, format!("only {}", names[1])),
        (true, true, "both".into()),
    ] {
        let tab = format!(" {words} {} ", count(a, b, 0.0));
        assert!(headless.text().contains(&tab), "{tab}:\n{}", headless.text());
        assert_eq!(shown(&headless), count(a, b, 0.0));
        headless.keys("]");
    }
    headless.keys("& \"jaccard>=0.9\" enter");
    assert_eq!(shown(&headless), count(true, false, 0.9));
    headless.keys("] ]");
    assert!(headless.text().contains(&format!(" both {} ", count(true, true, 0.9))), "{}", headless.text());
    headless.keys("] & C-u enter l");
    assert!(headless.text().contains(&format!("only {}", names[2])), "another opponent:\n{}", headless.text());
    headless.keys("d C-u \"nobody\" enter");
    assert!(headless.text().contains("two names"), "{}", headless.text());
    headless.keys("C-u enter");
    assert_eq!(shown(&headless), table.len(), "nothing typed ends it");
}

#[test]
fn from_a_document_to_its_pairs() {
    let mut headless = open();
    headless.keys("9 / \"the\" enter");
    let results = position(&headless).unwrap();
    let text = headless.text();
    assert!(text.contains("/ the") && text.contains("the best 500"), "{text}");
    let id = text.split_whitespace().find(|word| word.starts_with("sample")).unwrap().to_owned();
    headless.keys("enter pgdn / \"the\" enter n N g enter");
    assert_eq!(headless.app.shared.screen, Pairs::ID);
    assert!(headless.text().contains(&id), "{}", headless.text());
    assert!(shown(&headless) > 0);
    headless.keys("q");
    assert!(headless.text().contains(&id), "the document is still open");
    headless.keys("q p");
    assert_eq!(headless.app.shared.screen, Pairs::ID, "p leads there from the list");
    headless.keys("q");
    assert_eq!(position(&headless), Some(results), "back to the results");
    headless.keys("/ enter");
    assert!(position(&headless).unwrap().1 > results.1, "all documents: {}", headless.text());
}

#[test]
fn documents_of_one_side() {
    let mut headless = open();
    headless.keys("9");
    let (all, whole) = (position(&headless).unwrap(), headless.text());
    headless.keys("t");
    let source = position(&headless).unwrap().1;
    assert!(headless.text().contains("source") && !headless.text().contains("│ B 0"), "{}", headless.text());
    headless.keys("t");
    assert!(headless.text().contains("target") && !headless.text().contains("│ A ·"), "{}", headless.text());
    assert_eq!(source + position(&headless).unwrap().1, all.1, "both sides together");
    headless.keys("G");
    let (at, total) = position(&headless).unwrap();
    assert_eq!(at, total, "{}", headless.text());
    assert!(
        !headless.text().lines().any(|line| line.trim() == "…"),
        "the last ones were fetched:\n{}",
        headless.text()
    );
    headless.keys("t g");
    assert_eq!(headless.text(), whole);
}

#[test]
fn the_log_keeps_what_went_by() {
    let mut headless = open();
    headless.keys("3 : \"theme_pink\" enter j 0");
    let text = headless.text();
    assert!(text.contains("themes are auto") && text.contains("read the study: "), "{text}");
    assert!(!text.contains("Jobs"), "{text}");
}

/// A job that takes long is given up from the log; what is on the screens stays.
#[test]
fn a_job_can_be_given_up() {
    let mut slow = Slow::open(sample(), Pairs::ID);
    slow.settle();
    let before = slow.text();
    slow.send(char('s')).send(char('0'));
    let text = slow.text();
    assert!(text.contains("▸ arrange the pairs") && text.contains("1 running"), "{text}");
    slow.send(char('x'));
    assert!(slow.wishes.iter().any(|wish| matches!(wish, Effect::Cancel(slot) if *slot == Slot::of::<Arrange>())));
    slow.wishes.clear();
    assert!(
        !slow.text().contains("running") && slow.text().contains("Cancelled: arrange the pairs"),
        "{}",
        slow.text()
    );
    slow.send(char('q'));
    assert_eq!(slow.app.shared.screen, Pairs::ID);
    assert!(!slow.text().contains("arranging"), "{}", slow.text());
    let rows = |text: &str| text.lines().filter(|line| line.contains("/22 ")).count();
    assert!(rows(&before) > 0);
    assert_eq!(rows(&slow.text()), rows(&before));
}

/// Searching millions of rows takes a while: keys go on, and a late answer does not move the cursor.
#[test]
fn a_late_hit_does_not_move_the_cursor() {
    let mut slow = Slow::open(sample(), Pairs::ID);
    slow.settle();
    for c in "/00082".chars() {
        slow.send(char(c));
    }
    slow.send(key(KeyCode::Enter));
    assert!(slow.text().contains("searching for “00082”…"));
    let is_search = |wish: &Effect| matches!(wish, Effect::Run(job) if job.job::<SearchPairs>().is_some());
    let at = slow.wishes.iter().position(is_search).unwrap();
    let late = slow.wishes.remove(at).unwrap();
    for c in "/00030".chars() {
        slow.send(char(c));
    }
    slow.send(key(KeyCode::Enter)).settle();
    let there = slow.text();
    assert!(!there.contains("searching"));
    let answer = slow.perform(late).unwrap();
    slow.send(Event::Done(answer));
    assert_eq!(slow.text(), there);
}

/// What Figures says of the bar under the cursor.
fn under_the_cursor(headless: &Headless) -> String {
    let text = headless.text();
    let rows: Vec<&str> = text.lines().collect();
    let title = rows.iter().position(|row| row.contains("Under the cursor")).expect("a pane below the chart");
    rows[title + 1].rsplit("││").next().unwrap_or_default().trim_matches(['│', ' ']).to_owned()
}

/// Every bar opens the pairs that it counts; where documents are counted, their pairs.
#[test]
fn bars_open_their_pairs() {
    let mut headless = open();
    headless.keys("7");
    for figure in 0..10 {
        headless.keys("g j h h h h h h h h h h h h l");
        let text = headless.text();
        if text.contains("Precision and recall by cut-off") {
            assert_eq!(figure, 9, "all others were before it");
            break;
        }
        let words = under_the_cursor(&headless);
        headless.keys("enter");
        if headless.text().contains("No pairs under the cursor") {
            headless.keys("]");
            continue;
        }
        assert_eq!(headless.app.shared.screen, Pairs::ID, "{words}");
        let value: usize = words.split(' ').next().unwrap().replace(',', "").parse().unwrap();
        let pairs = shown(&headless);
        let documents = words.contains("documents");
        assert!(if documents { pairs >= value } else { pairs == value }, "{figure}: {words}: {pairs}");
        headless.keys("q");
        assert_eq!(under_the_cursor(&headless), words, "the same bar");
        headless.keys("]");
    }
}

/// Labels made since are in the figures when one comes back, unless they belong to a sample that is labelled blind and not
/// finished.
#[test]
fn figures_know_new_labels() {
    let study = copy(sample());
    let mut blind = super::support::headless(study.path(), SIZE, Some("ben"));
    blind.keys(": \"label\" enter a a x q 7");
    assert_eq!(blind.app.shared.screen, Figures::ID);
    assert!(blind.app.screens.get::<Figures>().named("labels").is_none(), "{}", blind.text());
    let study = copy(sample());
    not_blind(&study);
    let mut headless = headless(study.path(), SIZE, Some("ann"));
    headless.keys("7");
    assert!(headless.app.screens.get::<Figures>().named("labels").is_none(), "{}", headless.text());
    headless.keys(": \"label\" enter a a x q");
    assert_eq!(headless.app.shared.screen, Figures::ID);
    assert!(headless.app.screens.get::<Figures>().named("labels").is_some(), "{}", headless.text());
}

/// The configuration that was chosen stays chosen in all figures, though some have other series.
#[test]
fn figures_keep_the_configuration() {
    let mut headless = open();
    headless.keys("7 / \"exact-jaccard\" enter");
    let words = "Precision and recall by cut-off";
    for _ in 0..20 {
        headless.keys("]");
        if headless.text().contains(words) {
            break;
        }
    }
    assert!(headless.text().contains(&format!("exact-jaccard  {words}")), "{}", headless.text());
}

/// A step of a union opens the pairs that it adds.
#[test]
fn a_step_of_a_union_opens_what_it_adds() {
    let mut headless = open();
    headless.keys("8 ] ] j");
    assert!(selected(&headless).contains(" 2 "), "{}", headless.text());
    headless.keys("enter");
    assert_eq!(headless.app.shared.screen, Pairs::ID);
    assert!(
        headless.app.screens.get::<Pairs>().filter.contains(" & !"),
        "{}",
        headless.app.screens.get::<Pairs>().filter
    );
    assert!(shown(&headless) > 0);
}

/// A cut-off moved over labelled pairs: precision and recall follow, and Enter opens the pairs that change sides.
#[test]
fn the_threshold_rail_opens_what_flips() {
    let mut headless = open();
    headless.keys("7 [");
    assert!(headless.text().contains("no pair of a sample is labelled yet"), "{}", headless.text());
    let study = copy(sample());
    not_blind(&study);
    let mut headless = super::support::headless(study.path(), SIZE, Some("ann"));
    headless.keys(&format!("5 {} q 7 [", "a a x a ".repeat(10)));
    assert!(headless.text().contains("Jaccard ≥ 0.50"), "either way is open: {}", headless.text());
    headless.keys(&"h ".repeat(20));
    assert!(
        headless.text().contains("Jaccard ≥ 0.00") && headless.text().contains("every pair is kept"),
        "{}",
        headless.text()
    );
    // The sample is of this configuration alone, so that its pool is what the configuration found.
    assert!(headless.text().contains("R recall within the sample's pool"), "{}", headless.text());
    assert!(headless.text().contains("recall 1.000"), "{}", headless.text());
    let mut flipped = 0;
    for _ in 0..20 {
        headless.keys("l");
        let text = headless.text();
        let line = text.lines().find(|line| line.contains(" lost, ")).unwrap().trim_matches(['│', ' ']).to_owned();
        let numbers = line.split(": ").nth(1).unwrap().split(", ");
        let numbers = numbers.map(|part| part.split(' ').next().unwrap().parse::<usize>().unwrap());
        let count: usize = numbers.sum();
        if count > 0 {
            headless.keys("enter");
            assert_eq!(headless.app.shared.screen, Pairs::ID, "{line}");
            assert_eq!(shown(&headless), count, "{line}: {}", message(&headless));
            headless.keys("q");
        }
        flipped += count;
    }
    assert!(flipped > 0, "no pair of forty changed sides");
    assert!(headless.text().contains("Jaccard ≥ 1.00"), "{}", headless.text());
}

/// URLs in common are counted when they are asked for.
#[test]
fn urls_in_common_by_domain() {
    let mut headless = open();
    headless.keys("9 ]");
    assert!(headless.text().contains("Press Enter to count shared URLs"), "{}", headless.text());
    headless.keys("enter");
    let text = headless.text();
    assert!(text.contains("URLs in both") && text.contains("judged documents have theirs in the target"), "{text}");
    assert!(text.contains("top-level domains"), "{text}");
}

/// A list that hangs on labels stays as it is while its pairs are labelled one after another, and is right when one comes back.
#[test]
fn lists_that_hang_on_labels_are_renewed() {
    let study = copy(sample());
    let mut headless = headless(study.path(), SIZE, Some("ann"));
    let before = filtered(&mut headless, "!label");
    headless.keys("j j enter a J x");
    assert!(headless.text().contains("Saved: not"), "{}", headless.text());
    headless.keys("3");
    assert_eq!(shown(&headless), before - 2, "{}", headless.text());
    assert_eq!(position(&headless).map(|(at, _)| at), Some(4), "the place stays where the pair is gone");
    headless.keys("esc");
    while !headless.text().contains("label ▾") {
        headless.keys("s");
    }
    // The first rows are the two that are labelled; a third joins them, with the cursor on it.
    headless.keys("g j j j j enter a 3");
    assert_eq!(position(&headless).map(|(at, _)| at), Some(2), "{}", headless.text());
}

#[test]
fn without_a_pair_compare_says_so() {
    let study = copy(sample());
    let mut headless = headless(study.path(), SIZE, Some("ann"));
    headless.keys("4 a");
    assert!(headless.text().contains("No pair is shown"), "{}", headless.text());
}
