//! The tour: each step names keys that lead to the next one, whole at every size, and the tour ends by itself.

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
            ("or, with t, by labels", "Press q to leave Label and 8.", "q 8"),
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
