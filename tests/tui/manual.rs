//! What the manual says about the explorer is what it does; `:help` opens the manual.

use dejaview::report::manual::TOPICS;
use dejaview::tui::key::Key;
use dejaview::tui::keymap::Keymap;
use dejaview::tui::screens::home::Home;
use dejaview::tui::screens::keys;

use crate::support::{headless, sample};
use crate::tables;

#[test]
fn the_manual_lists_every_key() {
    tables::check("assets/manual/explorer.md", "keys", &Keymap::built_in(&keys()).markdown());
}

#[test]
fn help_opens_every_page_from_its_first_line_to_its_last() {
    let mut driven = headless(sample(), (100, 30), None);
    for topic in TOPICS {
        driven.keys(&format!(": \"help {}\" enter", topic.name));
        assert!(driven.text().contains(topic.title()), "{}:\n{}", topic.name, driven.text());
        driven.keys("G");
        let page = topic.for_terminal();
        let last = page.split(|c: char| !c.is_alphanumeric()).rfind(|word| word.len() > 3).unwrap_or_default();
        assert!(driven.text().contains(last), "{}: {last}\n{}", topic.name, driven.text());
        driven.keys("q");
        assert_eq!(driven.app.shared.screen, Home::ID);
        assert!(!driven.text().contains("q closes"), "{}", driven.text());
    }
}

#[test]
fn topics_are_completed_and_an_unknown_one_lists_them() {
    let mut driven = headless(sample(), (100, 30), None);
    driven.keys(": \"help stat\" tab");
    assert!(driven.text().contains(": help statistics"), "{}", driven.text());
    driven.keys("enter");
    assert!(driven.text().contains("What the numbers mean"), "{}", driven.text());
    driven.keys("q : \"help cooking\" enter");
    assert!(driven.text().contains("Topics: terms, study-file"), "{}", driven.text());
}

/// Keys that a text names for a screen and that do nothing there. A paragraph or an item of a list is about the screen
/// whose name it has in bold.
fn dead_keys(text: &str) -> Vec<String> {
    let screens = keys();
    let keymap = Keymap::built_in(&screens);
    let text = text.replace("\n**", "\n\n**");
    let mut dead = Vec::new();
    for paragraph in text.split("\n\n").flat_map(|paragraph| paragraph.split("\n- ")) {
        for item in paragraph.split(". **").flat_map(|item| item.split("\n**")) {
            let bold = item.trim_start_matches('*');
            let Some(screen) = screens.iter().find(|screen| bold.starts_with(&format!("{}**", screen.id.title())))
            else {
                continue;
            };
            let spans = item.split('`').skip(1).step_by(2);
            // Digits are the way to a screen, not keys of it.
            let spans = spans.filter(|span| span.chars().count() == 1 && !span.contains(|c: char| c.is_ascii_digit()));
            for key in spans {
                if Key::named(key).is_none_or(|key| keymap.of_key(key, screen.id).is_none()) {
                    dead.push(format!("{key} on {}: {item}", screen.id.title()));
                }
            }
        }
    }
    dead
}

#[test]
fn keys_that_are_named_for_a_screen_do_something_there() {
    for page in ["README.md", "assets/manual/explorer.md"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
        let text = std::fs::read_to_string(path).unwrap().replace(".** ", "** ");
        assert_eq!(dead_keys(&text), [] as [String; 0], "{page}");
    }
    assert_eq!(dead_keys("1. **Home** (`1`) and `%`.\n2. **Compare** (`4`): `]`").len(), 1);
}
