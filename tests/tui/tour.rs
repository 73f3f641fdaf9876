//! The tour: each step names keys that lead to the next one, whole at every size, and the tour ends by itself.

use dejaview::tui::headless::Headless;
use dejaview::tui::screens::methods::Methods;

use super::support::{copy, headless, sample};

#[test]
fn the_tour_is_walked_by_the_keys_it_names() {
    for size in [(80, 24), (120, 32), (200, 60)] {
        let study = copy(sample());
        let mut driven = headless(study.path(), size, Some("ann"));
        driven.keys(": \"tour\" enter");
        let steps = [
            ("Press 2 for the", "pages.", "2"),
            ("press ⏎ on one", "the two.", "j enter enter"),
            ("Press w to see why", "did not.", "w"),
            ("press 5;", "x not, i unsure.", "5 a"),
            ("There t changes what counts as true", "Press q to leave Label and 8.", "q 8"),
        ];
        for (number, (press, end, keys)) in steps.into_iter().enumerate() {
            let text = driven.text();
            let strip: Vec<&str> = text.lines().rev().skip(1).take(3).collect();
            let words: Vec<&str> = strip.iter().rev().flat_map(|line| line.split_whitespace()).collect();
            let words = words.join(" ");
            assert!(words.contains(&format!("Tour {} of 5", number + 1)), "{size:?}:\n{text}");
            let said = words.replace("Stop: :tour", "").trim_end().replace("  ", " ");
            assert!(said.contains(press) && said.ends_with(end), "{size:?}: {press}, {end}:\n{text}");
            driven.keys(keys);
        }
        assert_eq!(driven.app.shared.screen, Methods::ID);
        let text = driven.text();
        assert!(!text.contains(" of 5") && text.contains("That was the tour."), "{size:?}:\n{text}");
        assert_eq!(study.labels("ann"), 1);
    }
}

/// A step on Label speaks of what is there: a dialog, a pair, or the end of a sample.
#[test]
fn the_tour_says_what_is_on_label() {
    let study = copy(sample());
    let said = |driven: &Headless| {
        let text = driven.text();
        let strip: Vec<&str> = text.lines().rev().skip(1).take(3).collect();
        strip.iter().rev().flat_map(|line| line.split_whitespace()).collect::<Vec<_>>().join(" ")
    };
    let tour = ": \"tour\" enter 2 j enter enter w 5";
    let mut driven = headless(study.path(), (100, 30), Some("ann"));
    driven.keys(tour);
    assert!(
        said(&driven).contains("A pair of a random sample") && !said(&driven).contains("dialog"),
        "{}",
        driven.text()
    );
    drop(driven);
    let mut finished = headless(study.path(), (100, 30), Some("ann"));
    finished.keys(&format!("5 {} q", "a x ".repeat(53))).keys(tour);
    assert!(said(&finished).contains("All pairs of this sample are decided"), "{}", finished.text());
    drop(finished);
    std::fs::remove_dir_all(study.path().join("samples")).unwrap();
    let mut without = headless(study.path(), (100, 30), Some("ann"));
    without.keys(tour);
    assert!(said(&without).contains("Enter in the dialog draws a random sample"), "{}", without.text());
}

#[test]
fn the_tour_takes_no_room_when_it_is_over_or_never_begun() {
    let mut driven = headless(sample(), (100, 30), None);
    driven.keys("3");
    let before = driven.text();
    driven.keys(": \"tour\" enter");
    assert!(driven.text().contains("Tour 1 of 5"), "{}", driven.text());
    // Whoever goes ahead is not held up.
    driven.keys("2 j enter enter");
    assert!(driven.text().contains("Tour 3 of 5"), "{}", driven.text());
    driven.keys(": \"tour\" enter 3");
    assert_eq!(driven.text(), before);
}
