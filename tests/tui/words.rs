//! What the screens say: of samples, of a study without a run, of orders, of mistakes in the settings.

use dejaview::study::{Reading, SampleDraw, Snapshot, Truth};
use dejaview::tui::headless::Headless;
use dejaview::tui::screens::label::Label;
use dejaview::tui::screens::log::Log;

use super::support::{copy, disputed, headless, position, sample};

fn message(headless: &Headless) -> String {
    headless.text().lines().rev().nth(1).unwrap_or_default().to_owned()
}

/// Samples stand on Home one a line; the one that is chosen there is the one that Label opens.
#[test]
fn samples_are_listed_and_chosen() {
    let study = copy(sample());
    let snapshot = Snapshot::open(study.path()).unwrap();
    for name in ["a-first", "b-second"] {
        std::thread::sleep(std::time::Duration::from_millis(20));
        dejaview::study::draw_sample(&snapshot, &SampleDraw { size: 3, ..SampleDraw::simple(name, "simhash-2") }, None)
            .unwrap();
    }
    let mut home = headless(study.path(), (100, 30), Some("ann"));
    let text = home.text();
    let row = |text: &str, words: &str| {
        text.lines().any(|line| line.split_whitespace().collect::<Vec<_>>().join(" ").contains(words))
    };
    for name in ["a-first", "b-second"] {
        assert!(row(&text, &format!("{name} ann ────")) && text.contains("0/3"), "{text}");
    }
    home.keys(":").keys("\"sample_b-second\" enter");
    assert!(message(&home).contains("Label opens sample b-second"), "{}", home.text());
    home.keys("5");
    assert_eq!(home.app.screens.get::<Label>().sample().map(|sample| sample.name.as_str()), Some("b-second"));
    home.keys("a a a 1");
    home.keys("q 1");
    let text = home.text();
    assert!(text.contains("3/3 finished") && row(&text, "b-second ann ━━━━"), "{text}");
    assert!(row(&text, "46% ━") && row(&text, "1.00 · "), "the precision of simhash-2: {text}");
    home.keys(": \"choose-sample\" enter");
    let text = home.text();
    assert!(text.contains("which one do you want to label, ann?") && row(&text, "b-second ━━━━"), "{text}");
    assert!(row(&text, "3/3 finished"), "{text}");
    // The cursor is on the sample that has pairs left.
    home.keys("enter a");
    assert_eq!(
        (
            home.app.screens.get::<Label>().sample().map(|sample| sample.name.as_str()),
            home.app.shared.sample.as_deref()
        ),
        (Some("a-first"), Some("a-first")),
        "{}",
        home.text()
    );
    home.keys(":").keys("\"sample_nowhere\" enter");
    assert!(home.text().contains("No sample “nowhere”. Samples: a-first, b-second"), "{}", home.text());
    assert_eq!(home.app.screens.get::<Label>().decided(&home.app.shared.book), 1, "of this sample");
}

/// Who labels without naming a sample gets the only one there is, and is asked which one where there are several; where
/// there is none, nothing is opened and nothing drawn.
#[test]
fn label_asks_which_of_several_samples() {
    let study = copy(sample());
    let _ = std::fs::remove_dir_all(study.path().join("samples"));
    let names = || dejaview::study::sample_progress(&Snapshot::open(study.path()).unwrap()).unwrap().len();
    let opened = |annotator| {
        let mut home = headless(study.path(), (100, 30), annotator);
        home.keys("5");
        home
    };
    let name = |home: &Headless| home.app.screens.get::<Label>().sample().map(|sample| sample.name.clone());
    for annotator in [None, Some("ann")] {
        assert_eq!((name(&opened(annotator)), names()), (None, 0), "nothing is drawn unasked");
    }
    let snapshot = Snapshot::open(study.path()).unwrap();
    dejaview::study::draw_sample(
        &snapshot,
        &SampleDraw { size: 3, ..SampleDraw::simple("z-first", "simhash-2") },
        None,
    )
    .unwrap();
    assert_eq!(name(&opened(Some("ann"))).as_deref(), Some("z-first"));
    std::thread::sleep(std::time::Duration::from_millis(20));
    dejaview::study::draw_sample(
        &snapshot,
        &SampleDraw { size: 3, ..SampleDraw::simple("b-second", "simhash-2") },
        None,
    )
    .unwrap();
    let mut home = opened(Some("ann"));
    assert_eq!((name(&home), names()), (None, 2), "none is opened silently, and no third one is drawn");
    assert!(home.text().contains("which one do you want to label, ann?"), "{}", home.text());
    // Esc leaves Label with nothing chosen; the newest sample is proposed, and Enter takes it.
    home.keys("esc");
    assert!(home.app.shared.screen != Label::ID && name(&home).is_none(), "{}", home.text());
    home.keys("5 enter");
    assert_eq!(name(&home).as_deref(), Some("b-second"), "{}", home.text());
    // Once chosen it is not asked for again, but on demand.
    home.keys("q 5");
    assert!(!home.text().contains("which one do you want"), "{}", home.text());
    home.keys("s down enter");
    assert_eq!(name(&home).as_deref(), Some("z-first"), "{}", home.text());
}

/// Where no pair is so, the number of all is said; what stands in quotes is typed with its blanks.
#[test]
fn an_empty_list_says_of_how_many() {
    let mut headless = headless(sample(), (100, 30), None);
    headless.keys("3 & \"top & nowhere-at-all\" enter");
    let text = headless.text();
    assert!(text.contains("without it there are 5,688 pairs") && text.contains("& top & nowhere-at-all"), "{text}");
    assert!(text.contains("(segment, topic, grade are"), "{text}");
}

#[test]
fn a_study_that_was_not_run_says_so() {
    let study = copy(sample());
    std::fs::remove_dir_all(study.path().join(".dejaview")).unwrap();
    let mut headless = headless(study.path(), (80, 24), None);
    for keys in ["1", "3", "5"] {
        headless.keys(keys);
        let text = headless.text().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("has not been run; `dejaview run "), "{keys}: {}", headless.text());
        assert!(text.contains("does it"), "{keys}: {}", headless.text());
        headless.keys("q");
    }
    assert!(!headless.text().contains(" 0 "), "{}", headless.text());
    headless.keys("1");
    let text = headless.text();
    for words in ["source crawl-2009/", "target crawl-2012/", "run    not yet", "388 in 10 topics"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(text.contains("Known once the study has been run") && !text.contains('…'), "{text}");
}

#[test]
fn the_judge_is_left_out_of_unions_by_name() {
    let mut headless = headless(sample(), (80, 24), None);
    headless.keys("8 ] ]");
    let text = headless.text();
    assert!(text.contains("exact-jaccard decides what is true, and is left out"), "{text}");
    let steps = text.lines().filter(|line| line.contains(" +0.") || line.contains(" +1.")).count();
    assert!(text.contains(&format!("the other {} add no pair", 21 - steps)), "{text}");
}

#[test]
fn an_order_is_named() {
    let mut headless = headless(sample(), (80, 24), None);
    headless.keys("2");
    for order in ["file order", "best J", "candidates", "grade", "conflicts", "file order"] {
        assert!(headless.text().contains(&format!("{order} ▾")), "{order}: {}", headless.text());
        headless.keys("s");
    }
}

#[test]
fn a_cell_of_the_differences_is_a_sentence() {
    let mut headless = headless(sample(), (120, 40), None);
    headless.keys("7");
    while !headless.text().contains("that the row finds and the column misses") {
        headless.keys("]");
    }
    assert!(headless.text().contains("misses none of its own pairs"), "{}", headless.text());
    headless.keys("l");
    let said = headless.text();
    assert!(said.contains(" pairs found by ") && said.contains(", missed by "), "{said}");
}

#[test]
fn every_mistake_in_the_settings_is_on_the_log() {
    let mut headless = headless(sample(), (80, 24), None);
    let problems: Vec<String> = (1..=7).map(|line| format!("line {line}: `key{line}` is not known")).collect();
    headless.app.mistaken(&problems);
    assert!(message(&headless).contains("7 mistakes in the settings (all on 0): line 1:"), "{}", headless.text());
    headless.keys("0");
    assert_eq!(headless.app.shared.screen, Log::ID);
    for problem in &problems {
        assert!(headless.text().contains(problem.as_str()), "{problem}:\n{}", headless.text());
    }
}

/// Rows of one action on different screens can be told apart, however narrow the screen is.
#[test]
fn all_keys_with_their_screens() {
    let mut headless = headless(sample(), (80, 24), None);
    headless.keys(":").keys("\"map\" enter");
    headless.keys("\"undo\"");
    let text = headless.text();
    for place in ["label", "compare", "review"] {
        let row = |line: &&str| line.contains("undo ") && line.contains(&format!(" built in · {place} "));
        assert!(text.lines().any(|line| row(&line)), "{place}:\n{text}");
    }
}

/// What others say stands in the table where one may see it: not of a pair of a sample that is still to be labelled blind.
#[test]
fn labels_of_others_stand_in_the_table_unless_blind() {
    let study = copy(sample());
    {
        let mut first = headless(study.path(), (100, 30), Some("ada"));
        first.keys("5 a q 3 s s G enter x");
    }
    let mut second = headless(study.path(), (100, 30), Some("ben"));
    second.keys("3 & \"label\" enter");
    let text = second.text();
    assert!(text.contains("▌○") && position(&second) == Some((1, 1)), "{text}");
    second.keys("& C-u enter s s s s s");
    let recipe = std::fs::read_to_string(study.path().join("study.toml")).unwrap();
    assert!(!second.text().contains('●'), "{}", second.text());
    let labels = recipe.replacen("[labels]", "[labels]\nblind = false", 1);
    let labels = if labels == recipe { format!("{recipe}\n[labels]\nblind = false\n") } else { labels };
    std::fs::write(study.path().join("study.toml"), labels).unwrap();
    let mut third = headless(study.path(), (100, 30), Some("cyd"));
    third.keys("3 & \"label\" enter");
    assert!(third.text().contains('●') && third.text().contains('○'), "{}", third.text());
}

/// Review says how well the labels know the precision, and how many more would be enough; the paragraph comes by name.
#[test]
fn what_is_left_to_label_and_the_paragraph() {
    let mut driven = headless(disputed(), (120, 40), None);
    driven.keys("6");
    let text = driven.text();
    let right =
        text.lines().filter_map(|line| line.trim_end_matches(['│', ' ']).rsplit(['│', '┃']).next()).map(str::trim);
    let right = right.collect::<Vec<_>>().join(" ");
    let said = right.split(" points; ").next().expect("a line about what is to go");
    assert!(right.contains(" points; ") && said.contains("Least sure in default: precision of simhash-2, ±"), "{text}");
    driven.keys(": \"paragraph\" enter");
    assert!(driven.text().contains("The paragraph, in $PAGER"), "{}", driven.text());
    let mut none = headless(sample(), (120, 40), None);
    none.keys("6");
    assert!(!none.text().contains(" points; "), "{}", none.text());
}

/// Home, `evaluate` and Methods give one answer to how good a configuration is by labels.
#[test]
fn home_says_the_precision_that_evaluate_estimates() {
    let study = copy(disputed());
    let snapshot = Snapshot::open(study.path()).unwrap();
    let evaluation = dejaview::study::evaluate(&snapshot, &Truth::Labels, &Reading::default()).unwrap();
    let home = headless(study.path(), (200, 60), Some("ann")).text();
    let mut known = 0;
    for quality in &evaluation.comparison.configurations {
        let named = |line: &&str| [' ', '▌', '▏'].iter().any(|sign| line.contains(&format!("{sign}{} ", quality.name)));
        let row = home.lines().find(|line| named(line) && line.contains('%'));
        let row = row.unwrap_or_else(|| panic!("{} in\n{home}", quality.name));
        match &quality.precision {
            Some(precision) => assert!(row.contains(&format!(" {:.2} ", precision.value)), "{precision:?}: {row}"),
            None => assert!(row.contains("no labels"), "{row}"),
        }
        known += usize::from(quality.precision.is_some());
    }
    assert!(known > 0, "{home}");
}

/// Home says how many pairs of the configuration under its cursor each other one found: as many as the filter for both finds.
#[test]
fn home_says_who_else_found_the_pairs() {
    let home = headless(sample(), (200, 60), None).text();
    let snapshot = Snapshot::open(sample()).unwrap();
    let table = snapshot.table().unwrap();
    let names = table.configurations();
    let first = names.iter().position(|name| name == "simhash-2").unwrap();
    let below = home.split_once("Found also by").unwrap_or_else(|| panic!("{home}")).1;
    for (c, name) in names.iter().enumerate().filter(|(c, _)| *c != first) {
        let both = (0..table.len()).filter(|&row| table.found_by(row, first) && table.found_by(row, c)).count();
        let row =
            below.lines().find(|line| line.contains(&format!(" {name} "))).unwrap_or_else(|| panic!("{name}\n{home}"));
        let number = row.rsplit_once(&format!(" {name} ")).unwrap().1.split_whitespace().next().unwrap();
        assert_eq!(number, dejaview::report::numbers::count(both as u64), "{name}\n{home}");
    }
}

/// Who has pairs of a sample left to decide sees on Methods no more than on Home of what labels say.
#[test]
fn methods_keeps_labels_back_from_those_who_still_decide() {
    let words = "What labels say is shown once you have decided your part of sample default (105 pairs left), so that it does \
                 not guide you. Finish it in Label, or run `dejaview evaluate --truth labels`";
    let joined = |headless: &Headless| headless.text().split_whitespace().collect::<Vec<_>>().join(" ");
    for size in [(80, 24), (200, 60)] {
        let mut finished = headless(disputed(), size, Some("ann"));
        finished.keys("8 t t");
        assert!(!joined(&finished).contains("What labels say"), "{}", finished.text());
        let mut begins = headless(disputed(), size, Some("eve"));
        begins.keys("8");
        assert!(!joined(&begins).contains("by labels"), "{}", begins.text());
        begins.keys("t t");
        let text: String = joined(&begins).chars().filter(|c| !"│┃╭╮╰╯─".contains(*c)).collect();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(words), "{}", begins.text());
    }
}

/// What rests on a finished sample is shown while another one is unfinished, and says which sample that is.
#[test]
fn only_what_rests_on_an_unfinished_sample_is_kept_back() {
    let study = copy(sample());
    let snapshot = Snapshot::open(study.path()).unwrap();
    let both = ["simhash-2", "simhash-3+5"].map(str::to_owned).to_vec();
    let begun = SampleDraw { configurations: both, size: 20, ..SampleDraw::simple("begun", "simhash-2") };
    let finished = SampleDraw { size: 3, seed: 2, ..SampleDraw::simple("finished", "simhash-3+5") };
    for draw in [&begun, &finished] {
        dejaview::study::draw_sample(&snapshot, draw, None).unwrap();
    }
    let mut headless = headless(study.path(), (120, 60), Some("ann"));
    headless.keys(":").keys("\"sample_begun\" enter").keys("5 a x q 1");
    headless.keys(":").keys("\"sample_finished\" enter").keys("5 a a a 1").keys("q 1");
    let row = |text: &str, name: &str, says: &str| text.lines().any(|line| line.contains(name) && line.contains(says));
    let home = headless.text();
    assert!(row(&home, "simhash-3+5 ", "1.00") && row(&home, "simhash-2 ", "after your labels"), "{home}");
    let methods = headless.keys("8 t t").text();
    assert!(row(&methods, "simhash-3+5 ", "1.000") && row(&methods, "simhash-2 ", "after your labels"), "{methods}");
    let figures = headless.keys("7 [").text();
    assert!(figures.contains("What labels say is shown once you have decided your part of"), "{figures}");
    let figures = headless.keys("/ \"simhash-3+5\" enter").text();
    assert!(figures.contains("3 of 3 labelled in sample finished"), "{figures}");
}

/// While one types, what is not finished is no mistake; Enter says what is missing.
#[test]
fn a_filter_that_is_not_finished_is_wrong_on_enter() {
    for filter in ["jaccard>", "jaccard>0,9", "jaccard>nan", "label=foo", "((", "jaccard>0.9 |", "words>ten", "!"] {
        let mut headless = headless(sample(), (100, 30), None);
        headless.keys(&format!("3 & \"{filter}\" enter"));
        assert!(headless.text().contains('✗'), "{filter}: {}", headless.text());
        headless.keys("backspace");
        headless.keys("esc");
        assert!(!headless.text().contains('✗'), "{filter}: {}", headless.text());
    }
}
