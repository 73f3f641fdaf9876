//! Pictures of the screens. A snapshot is text, then the styles of each line: see `Headless::styled`.

use std::fs;
use std::path::Path;

use dejaview::study::Session;
use dejaview::tui::headless::Headless;
use dejaview::tui::theme::Palette;
use ratatui::buffer::Buffer;
use ratatui::style::Color;

use super::support::{copy, disputed, headless, hostile, many, sample};

pub(super) const SIZES: [(u16, u16); 3] = [(80, 24), (100, 30), (200, 60)];

/// Compares with `snapshots/<name>.txt`; with `DEJAVIEW_UPDATE` set, writes it.
fn snapshot(name: &str, text: &str) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tui/snapshots").join(format!("{name}.txt"));
    if std::env::var_os("DEJAVIEW_UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        return Ok(());
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    if there == text {
        return Ok(());
    }
    let line = there.lines().zip(text.lines()).position(|(a, b)| a != b);
    let line = line.unwrap_or(there.lines().count().min(text.lines().count()));
    let at = |text: &str| text.lines().nth(line).unwrap_or("(no line)").to_owned();
    Err(format!("{name}, line {}:\n- {}\n+ {}", line + 1, at(&there), at(text)))
}

/// Compares a screen of the sample study, reached by keys, at all sizes.
pub(super) fn snapshots(name: &str, keys: &str) {
    snapshots_of(sample(), &SIZES, name, keys);
}

/// Compares a screen of a study, reached by keys, at some sizes.
pub(super) fn snapshots_of(study: &Path, sizes: &[(u16, u16)], name: &str, keys: &str) {
    let check = |&(width, height): &(u16, u16)| {
        let mut headless = headless(study, (width, height), None);
        headless.keys(keys);
        snapshot(&format!("{name}-{width}x{height}"), &headless.styled())
    };
    let wrong: Vec<String> = sizes.iter().filter_map(|size| check(size).err()).collect();
    assert!(wrong.is_empty(), "DEJAVIEW_UPDATE=1 accepts these:\n{}", wrong.join("\n"));
}

#[test]
fn home() {
    snapshots("home", "j");
}

#[test]
fn judgments() {
    snapshots("judgments", "2 j j l j j");
}

#[test]
fn judgments_filtered() {
    snapshots("judgments-filtered", "2 & \"0003\" enter s j j");
}

#[test]
fn pairs_in_a_duel() {
    snapshots("pairs-duel", "3 d C-u \"simhash-2_simhash-3+5\" enter tab j");
}

#[test]
fn pairs_filter_that_is_wrong() {
    snapshots("pairs-wrong", "3 & \"jaccard>0.9_&_(simhash-2_|_size>3)\" enter");
}

#[test]
fn corpus() {
    snapshots("corpus", "9 j");
}

#[test]
fn corpus_search() {
    snapshots("corpus-search", "9 / \"lens_keeper\" enter j");
}

#[test]
fn corpus_document() {
    snapshots("corpus-document", "9 / \"lighthouse\" enter enter j");
}

#[test]
fn corpus_urls() {
    snapshots("corpus-urls", "9 tab enter j");
}

#[test]
fn corpus_files() {
    snapshots("corpus-files", "9 tab tab j");
}

#[test]
fn corpus_not_read() {
    snapshots("corpus-not-read", "9 tab tab tab j");
}

#[test]
fn figures_pairs() {
    snapshots("figures-pairs", "7 j l");
}

#[test]
fn figures_accumulated() {
    snapshots("figures-accumulated", "7 tab tab l");
}

#[test]
fn figures_histogram() {
    snapshots("figures-jaccard", "7 tab tab tab l l l l l l l l l");
}

#[test]
fn figures_matrix() {
    snapshots("figures-matrix", "7 [ [ [ j l l");
}

#[test]
fn methods_unions() {
    snapshots("methods-unions", "8 tab tab j");
}

#[test]
fn figures_threshold() {
    let check = |&(width, height): &(u16, u16)| {
        let study = copy(sample());
        let mut driven = headless(study.path(), (width, height), Some("ann"));
        let labels = "a a x a i ".repeat(6);
        driven.keys(&format!("5 {labels} q 7 [ {}", "l ".repeat(14)));
        snapshot(&format!("figures-threshold-{width}x{height}"), &driven.styled())
    };
    let wrong: Vec<String> = SIZES.iter().filter_map(|size| check(size).err()).collect();
    assert!(wrong.is_empty(), "DEJAVIEW_UPDATE=1 accepts these:\n{}", wrong.join("\n"));
}

#[test]
fn log() {
    snapshots("log", "3 s & \"size>3\" enter 9 0 j");
}

#[test]
fn pairs() {
    snapshots("pairs", "3 s s j");
}

#[test]
fn pairs_filtered() {
    snapshots("pairs-filtered", "3 & \"jaccard>0.9_&_!simhash-5\" enter");
}

#[test]
fn compare_nothing_yet() {
    snapshots("compare-nothing-yet", "4");
}

/// The most alike of those below 0.9: neither equal nor far apart, and the same at every size.
pub(super) const PAIR: &str = "3 & \"jaccard<0.9\" enter s s enter";

#[test]
fn compare_side_by_side() {
    let narrow = headless(sample(), (80, 24), None).keys(PAIR).text();
    assert!(!narrow.contains('│'), "below 100 columns one below the other:\n{narrow}");
    let mut wide = headless(sample(), (100, 30), None);
    assert!(wide.keys(PAIR).text().contains('│'));
    snapshots("compare", PAIR);
}

#[test]
fn compare_the_other_way() {
    snapshots("compare-other-view", &format!("{PAIR} v"));
}

#[test]
fn compare_unfolded_and_unwrapped() {
    snapshots("compare-unfolded", &format!("{PAIR} o W j j"));
}

#[test]
fn compare_why() {
    snapshots("compare-why", &format!("{PAIR} w j"));
}

#[test]
fn compare_rendered() {
    snapshots("compare-rendered", &format!("{PAIR} r"));
}

#[test]
fn compare_search() {
    snapshots("compare-search", &format!("{PAIR} / \"the\" enter"));
}

#[test]
fn label_undecided() {
    snapshots("label-undecided", "5");
}

#[test]
fn label_too_fast_and_digits() {
    snapshots("label-digits", "5 1");
}

#[test]
fn label_decided() {
    // Undo goes back to the pair; redo and a flag show all of what can stand there.
    snapshots("label-decided", "5 f c \"a_note\" enter a J K u C-r");
}

#[test]
fn label_end_card() {
    let labels = "a x i a ".repeat(26);
    snapshots("label-end", &format!("5 {labels} a"));
}

#[test]
fn label_guidelines() {
    snapshots("label-guidelines", "5 H j j");
}

#[test]
fn label_reasons() {
    snapshots("label-reasons", "5 r down");
}

#[test]
fn label_with_class_and_reason() {
    snapshots("label-chosen", "5 r e t down enter");
}

#[test]
fn label_peeked() {
    snapshots("label-peeked", "5 : \"peek\" enter");
}

#[test]
fn calibration_question_and_answer() {
    snapshots("calibration", ": \"calibrate\" enter");
    snapshots("calibration-wrong", ": \"calibrate\" enter a enter a");
    snapshots("calibration-end", &format!(": \"calibrate\" enter {}", "a enter ".repeat(10)));
}

#[test]
fn review_without_labels() {
    snapshots("review-nothing", "6");
}

#[test]
fn review() {
    let sizes = [(80, 24), (200, 60)];
    snapshots_of(disputed(), &sizes, "review-list", "6 j");
    snapshots_of(disputed(), &sizes, "review-case", "6 enter");
    snapshots_of(disputed(), &sizes, "review-contradiction", "6 tab tab tab enter");
    snapshots_of(disputed(), &sizes, "review-way", "6 tab tab tab enter w j");
}

#[test]
fn review_settled() {
    snapshots_of(disputed(), &[(80, 24), (200, 60)], "review-settled", "6 enter x u C-r");
}

#[test]
fn methods() {
    snapshots("methods", "8 s s s s s j");
}

#[test]
fn methods_without_labels() {
    // A sample that is drawn would be named with the command that labels it, and that with a folder that changes.
    let study = copy(sample());
    fs::remove_dir_all(study.path().join("samples")).unwrap();
    snapshots_of(study.path(), &SIZES, "methods-labels", "8 t t");
}

#[test]
fn methods_matrix() {
    snapshots("methods-matrix", "8 tab j l l");
}

/// Thirty configurations: nothing may be cut that cannot be reached.
#[test]
fn many_configurations() {
    for (name, keys) in [
        ("many-home", "G"),
        ("many-judgments", "2 o j"),
        ("many-pairs", "3 j"),
        ("many-compare", "3 & \"agreement>3_&_agreement<20\" enter enter"),
        ("many-methods", "8 G"),
        ("many-methods-matrix", "8 tab j j j l l l l l l l l l l l l l l"),
    ] {
        snapshots_of(many(), &[(80, 24), (200, 60)], name, keys);
    }
}

#[test]
fn help() {
    snapshots("help", "5 ?");
}

#[test]
fn prompt() {
    snapshots("prompt", "3 & \"jaccard>0.9_&_an_expression_that_is_longer_than_eighty_columns_and_so_on_and_so_on\"");
}

#[test]
fn unknown_action() {
    snapshots("palette-unknown", "2 : \"nonsense\" enter");
}

#[test]
fn backgrounds_are_the_terminals_own() {
    for palette in [Palette::Auto, Palette::Light, Palette::Dark, Palette::Mono] {
        let mut headless = Headless::open(Session::open(sample()).unwrap(), (120, 40), palette, None).unwrap();
        for keys in ["1", "2 j", "3", "enter", "w", "w", "?", "q", "8", "tab j", "5", ":"] {
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
        "tab l", "5", "1",
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
            "8 tab tab",
            "3 enter",
            "3 enter w",
            "5",
            "8",
            "8 tab l j",
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
        screens.extend(["8", "tab l", "t", "s", "enter", "3", "enter"].map(str::to_owned));
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
        (many(), "8 tab G"),
        (many(), "G"),
    ] {
        let mut headless = headless(study, (100, 60), None);
        headless.keys(keys);
        assert!(selected_row(&headless.buffer()).is_some(), "{keys}");
        headless.send(dejaview::tui::event::Event::Resize(80, 20));
        assert!(selected_row(&headless.buffer()).is_some(), "{keys}, smaller:\n{}", headless.text());
    }
}
