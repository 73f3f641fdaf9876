//! The terminal taken over and given back, whatever ends the program.
//!
//! Everything that is switched on is switched off again by one function that may run any number of times: from the guard
//! when it is dropped, from the panic hook of the thread that draws, and before leaving on a signal.

use std::io::{self, Write};
use std::panic;
use std::thread;

use crossterm::event::{DisableBracketedPaste, DisableFocusChange, EnableBracketedPaste, EnableFocusChange};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{cursor, queue};

/// Bidirectional text is laid out by us, not by the terminal, while we draw.
const EXPLICIT_BIDI: &[u8] = b"\x1b[8l";
const IMPLICIT_BIDI: &[u8] = b"\x1b[8h";

/// The terminal is ours while this lives.
#[derive(Debug)]
pub struct Guard(());

impl Guard {
    /// Takes the terminal over.
    pub fn take() -> io::Result<Self> {
        let ui = thread::current().id();
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // A worker's panic is caught and shown on the screen; only the thread that draws takes the screen down.
            if thread::current().id() == ui {
                restore();
                before(info);
            }
        }));
        enable_raw_mode()?;
        let guard = Self(());
        let mut out = io::stdout();
        queue!(out, EnterAlternateScreen, EnableBracketedPaste, EnableFocusChange, cursor::Hide)?;
        out.write_all(EXPLICIT_BIDI)?;
        out.flush()?;
        Ok(guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back. May run any number of times, and when the terminal is gone.
pub fn restore() {
    let mut out = io::stdout();
    let _ = out.write_all(IMPLICIT_BIDI);
    let _ = queue!(out, DisableFocusChange, DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
    let _ = out.flush();
    let _ = disable_raw_mode();
}
