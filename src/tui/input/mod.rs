//! What the terminal sends, byte by byte, as keys, pastes and turns of the wheel.
//!
//! A sequence that was split on its way is put together again. That is why it is our own: crossterm, which draws, would
//! take an Escape that comes alone for a key, and the rest of its sequence for letters, some of which label a pair. Only the
//! clock tells a person's Escape from a terminal's, so the [`decoder::Decoder`] is told the time with every byte, and says
//! until when it waits.

pub mod decoder;
pub mod hold;
mod reader;
mod reply;
mod sequence;
#[cfg(test)]
mod tests;

pub use reader::{Pause, read};
