//! The explorer, from the outside: pictures of its screens, what keys do, random events, and a real terminal.
//!
//! `DEJAVIEW_UPDATE=1` writes the pictures anew, `DEJAVIEW_SLOW=1` runs the long lists of the terminal tests.

#![allow(clippy::unwrap_used, reason = "a test that fails may say so by panicking")]

/// Studies to look at and a driver on [`dejaview::tui::app::App`] with times of its own. No assertions.
mod support;

/// Slow tests: whether they were asked for.
#[path = "../it/skipping.rs"]
mod skipping;

/// Calls of the system that fail, and which are tried. No tests.
#[path = "../it/failing.rs"]
mod failing;

/// Headless Chromium. No tests.
#[path = "../outside/chromium.rs"]
mod chromium;

/// A screen as it was drawn, and what two drawings of it have in common. Tests of these checks only.
mod drawing;

/// A screen in some state: its one picture, and what it keeps at every size. No tests.
mod scene;

/// What every screen looks like, styles included; what hostile pages may not do to a cell.
mod screens;

/// What must hold after any sequence of events whatever.
mod property;

/// What a person does, key by key, without a terminal: finding, filtering, coming back, labelling.
mod walk;

/// Filters: against brute force, and the line in which they are typed.
mod filters;

/// Lists and tables, key by key: the tree of judgments, filters, the duel, charts, documents, the log.
mod lists;

/// A run of the study while the explorer is open: started, watched, stopped, killed.
mod runs;

/// A study whose files change while the explorer is open, or that cannot be read: what is said, and that nothing is labelled
/// which is not shown.
mod unreadable;

/// Nothing is written of texts that are not on the screen, or that no frame has shown.
mod unseen;

/// Every bar and cell opens as many pairs as it says.
mod opened;

/// Label: the dialog that draws a sample, decided pairs, the end card, and that nothing guides a decision.
mod label;

/// What the screens say: of samples, of orders, of a study without a run, of mistakes in the settings.
mod words;

/// What is typed behind `:`, what `?` shows, whose keys decide, what is copied.
mod commands;

/// Bytes of the terminal's, cut anywhere, at any pace, down to the journal. Without a terminal, with exact times.
mod split;

/// Millions of events, if one asks for them.
mod fuzz;

/// Many events on one opening, and what they hold (when one asks for them).
mod soak;

/// Two texts and why they match, key by key: the tree, what-if, ways to look at the texts, hostile pages.
mod compare;

/// What is said and shown is true: messages, the keys at the bottom, what was written, and all of it in ASCII.
mod said;

/// What goes to a terminal, taken apart. No assertions.
mod stream;

/// When keys and answers come at bad moments: late answers, keys that nobody typed. Without a terminal, with exact times.
mod moments;

/// The built program in a pseudo-terminal: modes, signals, raw bytes, split input, kill -9. Unix only.
#[cfg(unix)]
mod pty;

/// Tables of pages that the program makes.
#[path = "../it/tables.rs"]
mod tables;

/// What the manual says about the explorer is what it does; `:help`.
mod manual;

/// The pictures of the README, their cells and their animation, in Chromium too where it is installed.
mod pictures;

/// The tour, walked by the keys that it names.
mod tour;
