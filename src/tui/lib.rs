//! Row 8. How do people look around?
//!
//! State, update, view: [`app::App`] is all of the state, `update` turns an event into changes and wishes ([`jobs::Effect`])
//! and does nothing else, [`view::draw`] cannot write. Wishes are fulfilled on worker threads and come back as events.
//! One channel, no tick: when nothing happens nothing is drawn and nothing is written.

pub mod action;
pub mod app;
pub mod asks;
pub mod bindings;
pub mod book;
pub mod data;
pub mod dissector;
pub mod event;
mod footer;
pub mod guard;
pub mod headless;
pub mod input;
pub mod jobs;
pub mod key;
pub mod keymap;
pub mod kinds;
pub mod painter;
mod picture;
pub mod preferences;
mod programs;
mod run_loop;
pub mod screens;
mod script;
mod signals;
mod tally;
pub mod terminal;
pub mod theme;
pub mod view;
pub mod widgets;

pub use run_loop::{Start, run};
