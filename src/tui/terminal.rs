//! The terminal taken over and given back, whatever ends the program.
//!
//! Everything that is switched on is switched off again by one function that may run any number of times: from the guard
//! when it is dropped, from the panic hook of the thread that draws, before another program gets the terminal, and before
//! leaving on a signal. Where the program dies at once, `TerminalWatch` does the same.

use std::io::{self, Write};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste, EnableFocusChange,
    EnableMouseCapture,
};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{cursor, queue};

use crate::terminal_watch::TerminalWatch;
use dejaview_study::settings::Sync;

/// Bidirectional text is laid out by us, not by the terminal, while we draw.
const EXPLICIT_BIDI: &[u8] = b"\x1b[8l";
const IMPLICIT_BIDI: &[u8] = b"\x1b[8h";
/// What stands between these is shown in one piece.
const FRAME_BEGIN: &[u8] = b"\x1b[?2026h";
const FRAME_END: &[u8] = b"\x1b[?2026l";
/// Under tmux frames are bracketed from this size on: some versions repaint the whole pane for a bracketed frame.
const LARGE: usize = 4096;

/// The largest screen that is drawn. A terminal that reports more is broken, and drawing on all of it would take gigabytes.
const LARGEST: (u16, u16) = (1000, 400);

/// Columns and rows of the terminal, as far as they are drawn on.
pub fn size() -> io::Result<(u16, u16)> {
    crossterm::terminal::size().map(drawn_size)
}

fn drawn_size((width, height): (u16, u16)) -> (u16, u16) {
    (width.min(LARGEST.0), height.min(LARGEST.1))
}

/// Fails where the explorer cannot be shown on a terminal of this name.
pub fn check(term: &str) -> io::Result<()> {
    let cannot = "the explorer needs a terminal that can place its cursor, and TERM=dumb says that this one cannot. Use another \
                  terminal, or the commands: `dejaview --help` lists them";
    if term == "dumb" { Err(io::Error::other(cannot)) } else { Ok(()) }
}

/// The terminal is ours while this lives.
#[derive(Debug)]
pub struct Guard {
    _watch: Option<TerminalWatch>,
}

/// What has to be there before the terminal is taken over, on its way: it takes some milliseconds.
#[derive(Debug)]
pub struct Preparation(Option<TerminalWatch>);

/// Begins to prepare for the terminal, while other things are read.
pub fn prepare() -> Preparation {
    Preparation(TerminalWatch::start(&String::from_utf8_lossy(&undo())))
}

impl Guard {
    /// Takes the terminal over.
    pub fn take(prepared: Preparation, mouse: bool) -> io::Result<Self> {
        let ui = thread::current().id();
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // A worker's panic is caught and shown on the screen; only the thread that draws takes the screen down.
            if thread::current().id() == ui {
                restore();
                before(info);
            }
        }));
        let watch = prepared.0.and_then(TerminalWatch::saved);
        enable_raw_mode()?;
        let guard = Self { _watch: watch };
        enter(mouse)?;
        Ok(guard)
    }

    /// Takes it again after a program, or a shell, had it.
    pub fn retake(&self, mouse: bool) -> io::Result<()> {
        // The library remembers the mode before ours, and does nothing when it thinks that ours is on.
        disable_raw_mode()?;
        enable_raw_mode()?;
        enter(mouse)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

fn enter(with_mouse: bool) -> io::Result<()> {
    let mut out = io::stdout();
    queue!(out, EnterAlternateScreen, EnableBracketedPaste, EnableFocusChange, cursor::Hide)?;
    out.write_all(EXPLICIT_BIDI)?;
    out.flush()?;
    if with_mouse { mouse(true) } else { Ok(()) }
}

/// Takes the mouse, or gives it back.
pub fn mouse(on: bool) -> io::Result<()> {
    let mut out = io::stdout();
    if on {
        queue!(out, EnableMouseCapture)?
    } else {
        queue!(out, DisableMouseCapture)?
    }
    out.flush()
}

/// Gives the terminal back. May run any number of times, and when the terminal is gone.
pub fn restore() {
    let mut out = io::stdout();
    let _ = out.write_all(&undo());
    let _ = out.flush();
    let _ = disable_raw_mode();
}

/// The bytes that undo every mode of the terminal that is switched on here.
fn undo() -> Vec<u8> {
    let mut out = [FRAME_END, IMPLICIT_BIDI].concat();
    // Writing into memory does not fail.
    let _ =
        queue!(out, DisableMouseCapture, DisableFocusChange, DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
    out
}

/// Puts a text into the clipboard of whoever sits at the terminal: raw, as tmux wants it too.
pub fn copy(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    write!(out, "\x1b]52;c;{}\x07", base64(text.as_bytes()))?;
    out.flush()
}

/// Asks the terminal for the colour of its background. The answer comes among the keys, if it comes.
pub fn ask_background() -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(b"\x1b]11;?\x1b\\")?;
    out.flush()
}

fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let number = chunk.iter().enumerate().fold(0u32, |number, (i, &byte)| number | u32::from(byte) << (16 - 8 * i));
        for i in 0..4 {
            let sign = SIGNS[(number >> (18 - 6 * i) & 63) as usize];
            out.push(if i <= chunk.len() { char::from(sign) } else { '=' });
        }
    }
    out
}

/// What a writer of frames and its owner both know.
#[derive(Debug)]
pub struct Frames {
    /// Bytes of the last frame.
    bytes: AtomicUsize,
    /// From how many bytes on frames are bracketed.
    bracketed_from: AtomicUsize,
    /// Whether tmux or screen stands between.
    multiplexed: bool,
    /// Whether the terminal can be asked for its colours.
    answers: bool,
}

impl Frames {
    /// For a terminal of this name, inside tmux or not.
    pub fn new(term: &str, tmux: bool, sync: Sync) -> Self {
        let multiplexed = tmux || term.starts_with("screen") || term.starts_with("tmux");
        // The console of Linux and GNU screen never answer; a plain terminal may print the question.
        let silent =
            ["", "dumb", "linux"].contains(&term) || term.starts_with("vt") || (term.starts_with("screen") && !tmux);
        let frames =
            Self { bytes: AtomicUsize::new(0), bracketed_from: AtomicUsize::new(0), multiplexed, answers: !silent };
        frames.sync(sync);
        frames
    }

    /// Brackets frames as the person wants it.
    pub fn sync(&self, sync: Sync) {
        let from = match sync {
            Sync::Off => usize::MAX,
            Sync::Auto if self.multiplexed => LARGE,
            Sync::Auto | Sync::On => 0,
        };
        self.bracketed_from.store(from, Ordering::Relaxed);
    }

    /// Whether the terminal can be asked for its colours.
    pub fn answers(&self) -> bool {
        self.answers
    }

    /// Bytes of the last frame.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}

/// Gathers a frame and writes it at once, in brackets where that helps; a frame that changes nothing is not written.
#[derive(Debug)]
pub struct FrameWriter<W: Write> {
    out: W,
    gathered: Vec<u8>,
    frames: Arc<Frames>,
}

impl<W: Write> FrameWriter<W> {
    /// Onto a terminal.
    pub fn new(out: W, frames: Arc<Frames>) -> Self {
        Self { out, gathered: Vec::with_capacity(1 << 16), frames }
    }
}

impl<W: Write> Write for FrameWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.gathered.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.gathered.is_empty() {
            return Ok(());
        }
        if self.gathered.len() >= self.frames.bracketed_from.load(Ordering::Relaxed) {
            self.gathered.splice(..0, FRAME_BEGIN.iter().copied());
            self.gathered.extend_from_slice(FRAME_END);
        }
        self.frames.bytes.store(self.gathered.len(), Ordering::Relaxed);
        let result = self.out.write_all(&self.gathered).and_then(|()| self.out.flush());
        self.gathered.clear();
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_sizes_are_cut() {
        assert_eq!(drawn_size((u16::MAX, u16::MAX)), LARGEST);
        assert_eq!([(80, 24), (0, 0), (1, u16::MAX)].map(drawn_size), [(80, 24), (0, 0), (1, 400)]);
        assert!(check("dumb").is_err() && check("xterm-256color").is_ok() && check("").is_ok());
    }

    fn written(frames: Frames, frame: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut writer = FrameWriter::new(&mut out, Arc::new(frames));
        writer.write_all(frame).unwrap();
        writer.flush().unwrap();
        drop(writer);
        out
    }

    #[test]
    fn frames_come_in_one_piece_where_that_is_cheap() {
        let bracketed = [FRAME_BEGIN, b"x", FRAME_END].concat();
        assert_eq!(written(Frames::new("xterm", false, Sync::Auto), b"x"), bracketed);
        assert_eq!(written(Frames::new("xterm", true, Sync::Auto), b"x"), b"x");
        assert_eq!(written(Frames::new("tmux-256color", false, Sync::On), b"x"), bracketed);
        assert_eq!(written(Frames::new("xterm", false, Sync::Off), b"x"), b"x");
        let large = vec![b'x'; LARGE];
        assert!(written(Frames::new("screen", false, Sync::Auto), &large).starts_with(FRAME_BEGIN));
    }

    #[test]
    fn a_frame_that_changes_nothing_is_not_written() {
        assert_eq!(written(Frames::new("xterm", false, Sync::On), b""), b"");
    }

    #[test]
    fn base64_is_as_everyone_writes_it() {
        let pairs =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"), ("\u{fc}", "w7w=")];
        for (text, wanted) in pairs {
            assert_eq!(base64(text.as_bytes()), wanted);
        }
    }
}
