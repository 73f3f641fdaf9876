//! Every screen in every state: one picture of each, and what it keeps at other sizes (`scene.rs`). A picture is text,
//! then the styles of each line: see `Headless::styled`.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use dejaview::study::Session;
use dejaview::tui::headless::Headless;
use dejaview::tui::theme::Palette;
use ratatui::buffer::Buffer;
use ratatui::style::Color;

use super::scene::Scene;
use super::support::{copy, disputed, headless, hostile, many, not_blind, sample};

#[test]
fn home() {
    Scene::new("home", "j")
        .list()
        .shows(&[
            "source 314 documents, all judged",
            "target 1,200 in 4 segments",
            "383 undecided",
            "▌simhash-3 172",
            "131 42% ━",
            "8 Compare 22 configurations",
        ])
        .large_only(&["exact-jaccard", "Jaccard of its pairs"])
        .check();
}

#[test]
fn judgments() {
    Scene::new("judgments", "2 j j")
        .list()
        .shows(&["▌ 1 Index of /pub/harbour/", "≠0 0.909"])
        .large_only(&["Topics", "35/35 found 2 ≠", "How does the lens of a"])
        .check();
}

#[test]
fn judgments_filtered() {
    Scene::new("judgments-filtered", "2 & \"0003\" enter s ] ] ] ] ] ] ] G")
        .list()
        .shows(&["& 0003"])
        .large_only(&["Topics"])
        .check();
}

/// How Pairs says which configurations found a pair: by their number, or by a mark for each of them.
const MARKS: [&str; 4] = ["*/22", "*/30", "•*", "·*"];

#[test]
fn pairs_in_a_duel() {
    Scene::new("pairs-duel", "3 d C-u \"simhash-2_simhash-3+5\" enter ] j")
        .list()
        .abbreviates(&MARKS)
        .shows(&["only simhash-3+5 16", "14/22"])
        .large_only(&["J n=8"])
        .check();
}

#[test]
fn pairs_filter_that_is_wrong() {
    Scene::new("pairs-wrong", "3 & \"jaccard>0.9_&_(simhash-2_|_size>3)\" enter")
        .list()
        .abbreviates(&MARKS)
        .abbreviates(&["configurations"])
        .shows(&["& jaccard>0.9 & (simhash-2 | size>3)", "✗ “size”: not a number of a pair"])
        .check();
}

#[test]
fn corpus() {
    Scene::new("corpus", "9 j").list().shows(&["Documents 1,058", "sample09-en0000-00-00001"]).check();
}

#[test]
fn corpus_search() {
    Scene::new("corpus-search", "9 / \"lens_keeper\" enter j")
        .list()
        .without_cursor()
        .shows(&["/ lens keeper", "2/14", "sample09-en0000-00-00189"])
        .check();
}

#[test]
fn corpus_document() {
    // The longer the lines, the fewer there are.
    Scene::new("corpus-document", "9 / \"lighthouse\" enter enter j")
        .without_cursor()
        .shows(&["sample09-en0000-00-00008", "judged 1:2 5:0", "Enter its pairs"])
        .check();
}

#[test]
fn corpus_urls() {
    Scene::new("corpus-urls", "9 ] enter j")
        .list()
        .shows(&["170 URLs in both", "domain source target in both judged judged in both", ".org 92 276 58 92 58"])
        .check();
}

#[test]
fn corpus_files() {
    Scene::new("corpus-files", "9 ] ] j")
        .list()
        .shows(&["source 314 documents 273.8 kB", "crawl-2009/old.warc.gz 273.8 kB"])
        .check();
}

#[test]
fn corpus_skipped() {
    Scene::new("corpus-skipped", "9 ] ] ]").shows(&["Skipped 0", "No record was skipped"]).check();
}

#[test]
fn figures_pairs() {
    Scene::new("figures-pairs", "7 j l")
        .chart()
        .shows(&[
            "pairs ─ found ─ accumulated",
            "simhash-3 Candidate pairs",
            "00 01 02 03",
            "39 pairs of simhash-3, segment 01",
        ])
        .large_only(&["hamming ─ threshold"])
        .check();
}

#[test]
fn figures_accumulated() {
    Scene::new("figures-accumulated", "7 ] ] l")
        .chart()
        .shows(&[
            "accumulated",
            "1 2 3 4 5 6 7 8",
            "81 judged documents of simhash-2, segments read 2",
            "after 8 segments: 210",
            "linear 267 (236–298)",
            "opens 182 pairs",
        ])
        .check();
}

#[test]
fn figures_histogram() {
    Scene::new("figures-jaccard", "7 ] ] ] l l l l l l l l l")
        .chart()
        .abbreviates(&["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"])
        .shows(&[
            "jaccard",
            "313 pairs of simhash-2, Jaccard 0.9–1 92%",
            "opens 313 pairs: jaccard>=0.9 & by:simhash-2",
        ])
        .small_only(&["0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9"])
        .large_only(&["0–0.1 0.1–0.2 0.2–0.3 0.3–0.4 0.4–0.5 0.5–0.6 0.6–0.7 0.7–0.8 0.8–0.9 0.9–1"])
        .check();
}

#[test]
fn figures_matrix() {
    Scene::new("figures-matrix", "7 [ [ j l l")
        .list()
        .abbreviates(&["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8"])
        .shows(&["J 0.7–0.8 · · · 6", "1 pair of J 0.8–0.9, bits 2"])
        .check();
}

#[test]
fn methods_unions() {
    Scene::new("methods-unions", "8 ] ] j")
        .shows(&[
            "step adds recall",
            "2 tfridf 1.000",
            "+0.010 0.116",
            "the other 19 add no pair that is known to be true",
        ])
        .check();
}

#[test]
fn figures_threshold() {
    let labels = "a a x a i ".repeat(6);
    let scene = Scene::new("figures-threshold", format!("5 {labels} q 7 [ {}", "l ".repeat(4)))
        .shows(&[
            "threshold",
            "Precision and recall by cut-off of Jaccard, from labels",
            "P precision",
            "Jaccard ≥ 0.70 precision",
            "from 0.65 to 0.70:",
            "● 0.690 sample09-en0000-00-00055",
        ])
        .large_only(&["pairs ─ found ─ accumulated"]);
    let copies = RefCell::new(Vec::new());
    scene.check_with(|size| {
        let study = copy(sample());
        not_blind(&study);
        let opened = headless(study.path(), size, Some("ann"));
        copies.borrow_mut().push(study);
        opened
    });
}

#[test]
fn log() {
    Scene::new("log", "3 s & \"size>3\" enter esc esc 9 0 j")
        .list()
        .shows(&["Log newest first", "✓ read the study: 5,688 pairs"])
        .check();
}

#[test]
fn pairs() {
    Scene::new("pairs", "3 s s j")
        .list()
        .abbreviates(&MARKS)
        .shows(&["Jaccard ▾", "1.000", "22/22"])
        .small_only(&["J 1.000 n=8 1.000 A⊂B 1.00"])
        .large_only(&["J n=8", "● near-duplicate"])
        .check();
}

#[test]
fn pairs_filtered() {
    Scene::new("pairs-filtered", "3 & \"jaccard>0.9_&_!simhash-5\" enter")
        .list()
        .abbreviates(&MARKS)
        .shows(&["& jaccard>0.9 & !simhash-5", "0.933"])
        .check();
}

#[test]
fn compare_nothing_yet() {
    Scene::new("compare-nothing-yet", "4").check();
}

/// The most alike of those below 0.9: neither equal nor far apart, and the same at every size.
pub(super) const PAIR: &str = "3 & \"jaccard<0.9\" enter s s enter";

/// What Compare writes where there is no room for a large Jaccard.
pub(super) const SHORT: [&str; 2] = ["J", "0.9*"];

/// What a row of Why says at its end: below the texts it has more room than beside them.
pub(super) const BELOW: [&str; 2] = ["both", "pages,"];

/// A scene of two texts on Compare.
pub(super) fn comparison<'a>(name: &'a str, keys: &str) -> Scene<'a> {
    let scene = Scene::new(name, format!("{PAIR} {keys}")).texts().abbreviates(&SHORT);
    scene.small_only(&["J 0.900 "]).large_only(&["A⊂B 0.95", "cosine 0.98 length 0.99"])
}

const BOTH_DOCUMENTS: &[&str] =
    &["Planning application SB/2329", "Planning application SB/8524", "4 of 22 match", "· no label"];

#[test]
fn compare_side_by_side() {
    let narrow = headless(sample(), (80, 24), None).keys(PAIR).text();
    assert!(!narrow.contains('│'), "on narrow screens one below the other:\n{narrow}");
    let mut wide = headless(sample(), (100, 30), None);
    assert!(wide.keys(PAIR).text().lines().any(|line| line.matches('│').count() == 3));
    comparison("compare", "").shows(BOTH_DOCUMENTS).check();
}

#[test]
fn compare_the_other_way() {
    comparison("compare-other-view", "v").shows(BOTH_DOCUMENTS).check();
}

#[test]
fn compare_unfolded_and_unwrapped() {
    comparison("compare-unfolded", "o W j j").shows(BOTH_DOCUMENTS).check();
}

#[test]
fn compare_why() {
    // Beside the texts, on a large screen, its rows are shorter than below them.
    comparison("compare-why", "w j")
        .abbreviates(&BELOW)
        .shows(&["what the score is made of", "▾ Jaccard 0.900 (n = 1)", "content: 8 shared runs, 258 words"])
        .with_cursor()
        .check();
}

#[test]
fn compare_rendered() {
    comparison("compare-rendered", "r").shows(BOTH_DOCUMENTS).check();
}

#[test]
fn compare_search() {
    comparison("compare-search", "/ \"the\" enter").abbreviates(&["lines"]).shows(BOTH_DOCUMENTS).check();
}

/// A scene of two texts on Label.
fn labelling<'a>(name: &'a str, keys: &str) -> Scene<'a> {
    Scene::new(name, format!("5 {keys}")).texts()
}

#[test]
fn label_undecided() {
    labelling("label-undecided", "").shows(&["pair 1 · 0/105 decided", "Scores are hidden until you decide"]).check();
}

#[test]
fn label_too_fast_and_digits() {
    labelling("label-digits", "1").shows(&["pair 1 · 0/105 decided"]).check();
}

#[test]
fn label_decided() {
    // Undo goes back to the pair; redo and a flag show all of what can stand there.
    labelling("label-decided", "f c \"a_note\" enter a J K u C-r").shows(&["near-duplicate"]).check();
}

#[test]
fn label_end_card() {
    let labels = "a x i a ".repeat(26);
    Scene::new("label-end", format!("5 {labels} a"))
        .shows(&["100 pairs decided", "near-duplicate 49", "not 25", "unsure 26"])
        .check();
}

#[test]
fn label_guidelines() {
    Scene::new("label-guidelines", "5 H j j").boxed().check();
}

#[test]
fn label_reasons() {
    Scene::new("label-reasons", "5 r down")
        .boxed()
        .shows(&["╭─ Reason ─", "⏎ choose · ⌫ none · Esc close", "s same content", "a same template", "e excerpt"])
        .check();
}

#[test]
fn label_with_class_and_reason() {
    labelling("label-chosen", "r e t down enter").check();
}

#[test]
fn label_peeked() {
    labelling("label-peeked", ": \"peek\" enter").check();
}

#[test]
fn calibration_question_and_answer() {
    Scene::new("calibration", ": \"calibrate\" enter").texts().shows(&["Label calibration · pair 1 of 10"]).check();
    Scene::new("calibration-wrong", ": \"calibrate\" enter a enter a")
        .texts()
        .shows(&["Label calibration · pair 2 of 10", "✗ You said near-duplicate; by the guidelines it is not."])
        .check();
    Scene::new("calibration-end", format!(": \"calibrate\" enter {}", "a enter ".repeat(10))).check();
}

#[test]
fn review_without_labels() {
    Scene::new("review-nothing", "6").check();
}

#[test]
fn review() {
    Scene::new("review-list", "6 j")
        .of(disputed())
        .list()
        .shows(&["all 15", "disagree 11", "2 annotators: ann, bob", "89 of 100 pairs with two labels", "agree (89%)"])
        .check();
    Scene::new("review-agreement", "6 tab tab +")
        .of(disputed())
        .shows(&["on sample default", "kappa", "ann: near", "Nothing is settled yet"])
        .check();
    Scene::new("review-case", "6 enter")
        .of(disputed())
        .texts()
        .shows(&[
            "Street trading consent 1013",
            "Street trading consent 1081",
            "disagreement · who said what is hidden until you settle it",
        ])
        .check();
    Scene::new("review-contradiction", "6 ] ] ] enter")
        .of(disputed())
        .first_text()
        .shows(&["Labelled near-duplicates: sample09-en0000-00-00067 ~", "but the two ends “not” (w", "shows all)"])
        .check();
    Scene::new("review-way", "6 ] ] ] enter w j")
        .of(disputed())
        .shows(&[
            "Each is a near-duplicate of the next, but the two ends",
            "1 of 4 Waxed hat with a brim",
            "2 of 4 Waxed hat with a brim",
        ])
        .large_only(&["4 of 4", "sample12-0000wb-01-00131"])
        .check();
}

#[test]
fn review_settled() {
    Scene::new("review-settled", "6 enter x u C-r")
        .of(disputed())
        .texts()
        .shows(&["Street trading consent 1013", "Settled by you: not"])
        .check();
}

#[test]
fn methods() {
    Scene::new("methods", "8 s s s s s j")
        .list()
        .shows(&[
            "truth: Jaccard ≥ 0.9 (t)",
            "configuration pairs precision",
            "▌simhash-2 340 0.921",
            "found only by it",
            "2/22 · F",
            "0.921 (0.811–0.978)",
        ])
        .large_only(&["most similar (Dice)"])
        .check();
}

#[test]
fn methods_without_labels() {
    // A sample that is drawn would be named with the command that labels it, and that with a folder that changes.
    let study = copy(sample());
    fs::remove_dir_all(study.path().join("samples")).unwrap();
    Scene::new("methods-labels", "8 t t")
        .of(study.path())
        .list()
        .shows(&["truth: labels (t)", "▌simhash-2 340 no labels no labels"])
        .check();
}

#[test]
fn methods_matrix() {
    Scene::new("methods-matrix", "8 ] j l l")
        .list()
        .abbreviates(&["more", "›"])
        .shows(&["▌simhash-3 .59 · .80 .80 .83", "Dice 0.798", "40 only simhash-3", "27 only simhash-5"])
        .check();
}

/// Thirty configurations: nothing may be cut that cannot be reached.
#[test]
fn many_configurations() {
    let scene = |name, keys| Scene::new(name, keys).of(many()).pictured_small();
    scene("many-home", "G").list().shows(&["▌best"]).check();
    scene("many-judgments", "2 j").list().shows(&["▌ 2 Light list: Chapel Skerr"]).check();
    scene("many-pairs", "3 j").list().abbreviates(&MARKS).shows(&["1/30"]).large_only(&["segment 03"]).check();
    scene("many-compare", "3 & \"agreement>3_&_agreement<20\" enter enter")
        .texts()
        .abbreviates(&SHORT)
        .shows(&["7 of 30 match ·······•···•··••···•·••·······", "· no label"])
        .small_only(&["J 0.978"])
        .large_only(&["A⊂B 0.99", "cosine 1.00 length 1.00"])
        .check();
    scene("many-methods", "8 G").list().shows(&["▌best 178"]).check();
    scene("many-methods-matrix", "8 ] j j j l l l l l l l l l l l l l l")
        .without_cursor()
        .abbreviates(&["more", "›"])
        .shows(&["only simhash-2+3", "only long-sent"])
        .check();
}

#[test]
fn help() {
    Scene::new("help", "5 ?")
        .boxed()
        .shows(&["Keys on Label", "/ narrows", "Decide", "a near-duplicate", "j k scroll"])
        .check();
}

#[test]
fn prompt() {
    Scene::new("prompt", "3 & \"jaccard>0.9_&_an_expression_that_is_longer_than_eighty_columns_and_so_on_and_so_on\"")
        .list()
        .abbreviates(&MARKS)
        .abbreviates(&["rd>0.9"])
        .shows(&["an expression that is longer than eighty columns and so on and so on"])
        .large_only(&["& jaccard>0.9 & an expression"])
        .check();
}

#[test]
fn unknown_action() {
    Scene::new("palette-unknown", "2 : \"nonsense\"").boxed().shows(&["search texts for “nonsense”"]).check();
}

/// A picture that no scene draws would be kept for ever, and two of one scene would be renewed together.
#[test]
fn one_picture_of_each_scene() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tui");
    let sources = ["screens.rs", "compare.rs"].map(|name| fs::read_to_string(folder.join(name)).unwrap()).concat();
    let mut names: Vec<String> = Vec::new();
    for file in fs::read_dir(folder.join("snapshots")).unwrap() {
        let file = file.unwrap().file_name().into_string().unwrap();
        let (name, _) = file.rsplit_once('-').unwrap();
        assert!(sources.contains(&format!("(\"{name}\", ")), "no scene draws {file}");
        assert!(!names.contains(&name.to_owned()), "{name} is pictured twice");
        names.push(name.to_owned());
    }
    assert!(names.len() > 60, "{names:?}");
}

#[test]
fn backgrounds_are_the_terminals_own() {
    for palette in [Palette::Auto, Palette::Light, Palette::Dark, Palette::Mono] {
        let mut headless = Headless::open(Session::open(sample()).unwrap(), (120, 40), palette, None).unwrap();
        for keys in ["1", "2 j", "3", "enter", "w", "w", "?", "q", "8", "] j", "5", ":"] {
            headless.keys(keys);
            assert!(headless.buffer().content().iter().all(|cell| cell.bg == Color::Reset), "{palette:?} after {keys}");
        }
    }
}

#[test]
fn mono_has_no_colours() {
    let mut headless = Headless::open(Session::open(sample()).unwrap(), (120, 40), Palette::Mono, None).unwrap();
    for keys in [
        "1", "2 j", "3 &", "\"x>\"", "enter", "esc", "3", "enter", "w", "w", "/", "\"the\"", "enter", "?", "q", "8",
        "] l", "5", "1",
    ] {
        headless.keys(keys);
        let coloured =
            headless.buffer().content().iter().any(|cell| (cell.fg, cell.bg) != (Color::Reset, Color::Reset));
        assert!(!coloured, "after {keys}:\n{}", headless.styled());
    }
}

#[test]
fn too_small_says_so_and_never_panics() {
    let sizes =
        [(0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (59, 11), (59, 24), (80, 11), (60, 11), (59, 12), (300, 3), (5, 100)];
    for size in sizes {
        for keys in [
            "1",
            "2",
            "2 o j",
            "3",
            "3 d enter",
            "7 l",
            "7 [ j",
            "8 ] ]",
            "3 enter",
            "3 enter w",
            "5",
            "8",
            "8 ] l j",
            "9",
            "9 enter",
            "0",
            "?",
            ":",
        ] {
            let mut headless = headless(sample(), size, None);
            headless.keys(keys);
            let text = headless.text();
            let shown = text.replace('\n', "");
            assert!(size.0 < 30 || size.1 == 0 || shown.contains("too small"), "{size:?} {keys}:\n{text}");
            // Keys work all the same, and the screen comes back.
            headless.keys("j k G g pgdn");
            headless.send(dejaview::tui::event::Event::Resize(80, 24));
            assert!(!headless.text().contains("too small"));
        }
    }
    assert!(!headless(sample(), (60, 12), None).keys("3").text().contains("too small"));
}

/// Nothing that a terminal would act upon, or that hides or reorders what stands beside it.
fn forbidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
        || matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{ad}' | '\u{180e}' | '\u{e0000}'..='\u{e007f}')
        || matches!(c, '\u{2028}' | '\u{2029}')
}

/// The first cell that holds what no cell may.
pub(super) fn unsafe_cell(buffer: &Buffer) -> Option<String> {
    let bad = buffer.content().iter().find(|cell| cell.symbol().chars().any(forbidden))?;
    Some(bad.symbol().escape_unicode().to_string())
}

#[test]
fn no_cell_holds_what_a_page_wants_the_terminal_to_do() {
    let study = copy(hostile());
    for size in [(60, 12), (80, 24), (100, 30), (200, 60)] {
        let mut headless = headless(study.path(), size, None);
        let mut screens = vec!["1".to_owned(), "3".to_owned(), "enter".to_owned()];
        screens.extend(["o", "v", "v", "W", "w", "w", "r", "r", "J", "r"].map(str::to_owned));
        screens.extend(["8", "] l", "t", "s", "enter", "3", "enter"].map(str::to_owned));
        screens.extend(["/ \"x\" enter", "n", "G", "pgup", "g", "]", "5", "c \"a_note\" enter"].map(str::to_owned));
        screens.extend(vec!["pgdn".to_owned(); 6]);
        for keys in screens {
            headless.keys(&keys);
            let bad = unsafe_cell(&headless.buffer());
            assert_eq!(bad, None, "{size:?} after {keys}:\n{}", headless.text());
        }
    }
}

#[test]
fn hidden_characters_are_shown() {
    let mut headless = headless(hostile(), (200, 60), None);
    let text = headless.keys("3 enter o").text();
    for wanted in ["␛", "RLO", "␀", "漢字", "ZWSP"] {
        assert!(text.contains(wanted), "{wanted} in\n{text}");
    }
}

#[test]
fn pasted_notes_cannot_reach_the_terminal_either() {
    let study = copy(sample());
    let mut headless = headless(study.path(), (100, 30), Some("ann"));
    headless.keys("5 c");
    headless.send(dejaview::tui::event::Event::Paste("\u{1b}[31m\u{202e}bad\r\nnext\u{9b}m\0".to_owned()));
    headless.settle();
    assert_eq!(unsafe_cell(&headless.buffer()), None);
    headless.keys("enter");
    assert_eq!(unsafe_cell(&headless.buffer()), None);
    assert!(headless.text().contains("bad"), "{}", headless.text());
}

/// Wrapping is there to show all of a text: what is wrapped must not be cut as well.
#[test]
fn wrapped_lines_are_not_cut() {
    for (size, keys) in [((100, 30), ""), ((200, 60), ""), ((80, 24), ""), ((100, 30), "v")] {
        let mut headless = headless(sample(), size, None);
        headless.keys(&format!("5 o {keys}"));
        for page in 0..6 {
            let text = headless.text();
            let body: Vec<&str> = text.lines().skip(4).take(usize::from(size.1) - 6).collect();
            let cut = body.iter().find(|line| line.contains('…'));
            assert_eq!(cut, None, "{size:?} {keys}, page {page}");
            headless.keys("pgdn");
        }
    }
}

/// A row under the cursor that is not on the screen is a cursor nobody can see.
#[test]
fn the_row_under_the_cursor_stays_visible_when_the_terminal_shrinks() {
    use super::support::selected_row;
    for (study, keys) in [
        (sample(), "2 o G"),
        (sample(), "9 G"),
        (sample(), "0 G"),
        (sample(), "3 G"),
        (sample(), "3 pgdn pgdn"),
        (many(), "8 G"),
        (many(), "8 ] G"),
        (many(), "G"),
    ] {
        let mut headless = headless(study, (100, 60), None);
        headless.keys(keys);
        assert!(selected_row(&headless.buffer()).is_some(), "{keys}");
        headless.send(dejaview::tui::event::Event::Resize(80, 20));
        assert!(selected_row(&headless.buffer()).is_some(), "{keys}, smaller:\n{}", headless.text());
    }
}
