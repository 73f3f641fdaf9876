//! Row 8. How do people look around?
//!
//! State, update, view: [`app::App`] is all of the state, `update` turns an event into changes and effects
//! ([`contract::Effect`]) and does nothing else, [`view::draw`] cannot write. Jobs are done by a pool of threads and come
//! back as events. One channel, no tick: when nothing happens nothing is drawn and nothing is written.
//!
//! A screen ([`contract::Screen`]), what lies over one ([`contract::Overlay`]) and a job ([`contract::Job`]) are each one
//! thing in one place, and ask for what is to be done elsewhere ([`contract::Request`]). A new screen is a folder and a
//! line in [`screens::all`].

pub mod action;
pub mod app;
pub mod binding;
pub mod book;
mod command;
pub mod contract;
pub mod data;
pub mod event;
pub mod explainer;
pub mod filtering;
pub mod finder;
mod footer;
pub mod guard;
pub mod headless;
pub mod input;
pub mod jobs;
pub mod kept;
pub mod key;
pub mod keymap;
mod labelling;
mod last_events;
pub mod logbook;
pub mod notes;
pub mod outside;
pub mod overlays;
pub mod painter;
pub mod pair_ids;
pub mod pane;
mod picture;
pub mod preferences;
pub mod preview;
pub mod profile;
mod programs;
pub mod question;
mod run_loop;
mod sample_status;
mod samples;
pub mod screens;
pub mod script;
pub mod shared;
mod signals;
pub mod study_run;
pub mod subject;
mod tally;
pub mod terminal;
mod terminal_watch;
pub mod theme;
pub mod tour;
pub mod view;
pub mod widgets;

pub use run_loop::{Start, run};
