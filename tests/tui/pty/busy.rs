//! A pair that takes long.

use std::path::Path;

use super::terminal::Open;
use crate::support::{copy, made};

/// Half a megabyte of a few words in another order on every page: about what a diff by words does in its time.
fn large(page: u64) -> String {
    let mut random = 88_172_645_463_325_252_u64 + page * 7919;
    let mut text = String::new();
    for word in 0.. {
        if text.len() > 500_000 {
            break;
        }
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        text.push_str(&format!("w{}", random % 300));
        text.push(if word % 12 == 11 { '\n' } else { ' ' });
    }
    text
}

fn study() -> &'static Path {
    static STUDY: std::sync::OnceLock<std::path::PathBuf> = std::sync::OnceLock::new();
    STUDY.get_or_init(|| {
        let small = |end: &str| format!("{} {end}", "a small page of a few words that both have".repeat(20));
        made(
            "large",
            &[("old-large", "text", large(0)), ("old-small", "text", small("here"))],
            &[("new-large", "text", large(1)), ("new-small", "text", small("there"))],
        )
    })
}

#[test]
fn keys_are_answered_while_a_large_pair_is_compared() {
    let study = copy(study());
    // Large enough for the frame of the texts to be seen above the help.
    let terminal = Open::home(study.path()).arguments(["--at", "old-large", "new-large"]).size(160, 50).start();
    terminal.wait_for("Reading…");
    terminal.send("?");
    terminal.wait_help("Compare");
    // The frame says when the pair is open: the help came first.
    assert!(!terminal.text().contains("little in common"), "the help had to wait for the pair");
    terminal.wait_for("little in common");
    terminal.wait_help("Compare");
    terminal.send("q");
    terminal.send("1");
    terminal.wait_home();
    terminal.send("3");
    terminal.wait_pairs(1);
    terminal.send("4");
    terminal.wait_for("little in common");
    // How far the words were compared depends on the machine; that it is said does not.
    terminal.wait("how it was compared", |screen| {
        let text = screen.contents();
        text.contains("─ word by word ─") || text.contains("─ some changes by lines only: out of time ─")
    });
    let text = terminal.text();
    assert!(text.contains("A w"), "{text}");
    terminal.quit();
}

/// Another pair asked for meanwhile is shown, not the first one late.
#[test]
fn the_pair_asked_for_last_is_the_one_shown() {
    let study = copy(study());
    let terminal = Open::home(study.path()).arguments(["--at", "old-large", "new-large"]).start();
    terminal.wait_for("Reading…");
    terminal.send("3");
    terminal.wait_pairs(1);
    terminal.send("&small\r");
    terminal.wait_for("& small ─");
    terminal.wait_for("─ 1/1 ─");
    terminal.send("\r");
    terminal.wait_for("% of B equal");
    assert!(terminal.text().contains("A a small page"), "{}", terminal.text());
    assert!(!terminal.text().contains("w1"), "{}", terminal.text());
    terminal.quit();
}

/// Only the newest wish of a kind waits for its worker: what Label wishes must not cost Compare its pair.
#[test]
fn a_pair_asked_for_before_going_to_label_is_there_afterwards() {
    let study = copy(study());
    let terminal = Open::home(study.path()).arguments(["--at", "old-large", "new-large"]).start();
    terminal.wait_for("Reading…");
    // While the worker is at the large pair: the small one, and Label at once.
    terminal.send("3");
    terminal.wait_pairs(1);
    terminal.send("&small\r");
    terminal.wait_for("& small ─");
    terminal.send("\r:label\r");
    terminal.wait_pair();
    let label = terminal.text();
    assert!(label.contains("a small page"), "another pair's text under this pair's name:\n{label}");
    terminal.send("q");
    terminal.wait_tab("Compare");
    terminal.wait_for("A a small page");
    terminal.wait_for("% of B equal");
    terminal.quit();
}
