//! Row 8. How do people look around?
//!
//! State, update, view: [`app::App`] is all of the state, `update` turns an event into changes and effects
//! ([`contract::Effect`]) and does nothing else, [`view::draw`] cannot write. Jobs are done by a pool of threads and come
//! back as events. One channel, no tick: when nothing happens nothing is drawn and nothing is written.

pub mod action;
pub mod app;
pub mod bindings;
pub mod book;
pub mod contract;
pub mod data;
pub mod dissector;
pub mod event;
mod footer;
pub mod guard;
pub mod headless;
pub mod input;
pub mod jobs;
pub mod kept;
pub mod key;
pub mod keymap;
pub mod painter;
pub mod pair_ids;
mod picture;
pub mod preferences;
mod programs;
mod run_loop;
pub mod screens;
mod script;
pub mod shared;
mod signals;
mod tally;
pub mod terminal;
pub mod theme;
pub mod view;
pub mod widgets;

pub use run_loop::{Start, run};
