//! A pseudo-terminal, the program in it, and the screen as `vt100` understands it.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, SlavePty, native_pty_system};

/// Long enough for a busy machine; reached only when a test fails.
const DEADLINE: Duration = Duration::from_secs(60);

/// How the program is started.
pub struct Open {
    arguments: Vec<OsString>,
    /// A program that starts ours with its arguments.
    through: Vec<OsString>,
    environment: Vec<(&'static str, OsString)>,
    size: (u16, u16),
    /// The colour behind the text, where the terminal says it when it is asked.
    background: Option<&'static str>,
}

impl Open {
    /// `dejaview STUDY --annotator ann`.
    pub fn home(study: &Path) -> Self {
        Self::unnamed(study).arguments(["--annotator", "ann"])
    }

    /// `dejaview STUDY`: who labels is the settings' to say.
    pub fn unnamed(study: &Path) -> Self {
        Self {
            arguments: vec![study.into()],
            through: Vec::new(),
            environment: Vec::new(),
            size: (100, 30),
            background: None,
        }
    }

    /// `dejaview help TOPIC`.
    pub fn help(topic: &str) -> Self {
        Self::unnamed(Path::new("help")).arguments([topic])
    }

    /// `dejaview label STUDY --annotator ann`.
    pub fn label(study: &Path) -> Self {
        Self::label_as(study, "ann")
    }

    /// The same for another annotator.
    pub fn label_as(study: &Path, annotator: &str) -> Self {
        let mut open = Self::unnamed(study).arguments(["--annotator", annotator]);
        open.arguments.insert(0, "label".into());
        open
    }

    pub fn through(mut self, program: impl IntoIterator<Item = OsString>) -> Self {
        self.through = program.into_iter().collect();
        self
    }

    pub fn arguments<const N: usize>(mut self, more: [&str; N]) -> Self {
        self.arguments.extend(more.map(OsString::from));
        self
    }

    pub fn environment(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    /// In a terminal with this colour behind its text, as it says when it is asked.
    pub fn background(mut self, colour: &'static str) -> Self {
        self.background = Some(colour);
        self
    }

    pub fn size(mut self, columns: u16, lines: u16) -> Self {
        self.size = (columns, lines);
        self
    }

    pub fn start(self) -> Terminal {
        let pair = native_pty_system().openpty(size(self.size)).unwrap();
        let mut words = self.through.clone();
        words.push(env!("CARGO_BIN_EXE_dejaview").into());
        words.extend(self.arguments);
        let mut command = CommandBuilder::from_argv(words);
        command.env_clear();
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.env("PATH", path);
        command.env("HOME", env!("CARGO_TARGET_TMPDIR"));
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        let before = format!("{:?}", pair.master.get_termios());
        let child = pair.slave.spawn_command(command).unwrap();
        let (columns, lines) = self.size;
        let seen = Seen { parser: vt100::Parser::new(lines, columns, 0), raw: Vec::new() };
        let shared = Arc::new((Mutex::new(seen), Condvar::new()));
        let writer = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        read(pair.master.try_clone_reader().unwrap(), shared.clone(), writer.clone(), self.background);
        Terminal { shared, writer, child, master: pair.master, _slave: pair.slave, before }
    }
}

fn size((columns, lines): (u16, u16)) -> PtySize {
    PtySize { rows: lines, cols: columns, pixel_width: 0, pixel_height: 0 }
}

/// Where the cursor is: a terminal that is asked this answers.
const WHERE: &[u8] = b"\x1b[6n";
/// Which colour is behind the text: not every terminal answers that.
const BACKGROUND: &[u8] = b"\x1b]11;?";

/// Follows what the program writes, from a thread of its own.
fn read(
    mut reader: Box<dyn Read + Send>,
    shared: Arc<(Mutex<Seen>, Condvar)>,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    background: Option<&'static str>,
) {
    thread::spawn(move || {
        let mut buffer = [0; 1 << 16];
        while let Ok(length) = reader.read(&mut buffer) {
            if length == 0 {
                return;
            }
            let (seen, changed) = &*shared;
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            let asked = [WHERE, BACKGROUND].map(|question| count(&seen.raw, question));
            seen.parser.process(&buffer[..length]);
            seen.raw.extend_from_slice(&buffer[..length]);
            if count(&seen.raw, WHERE) > asked[0] {
                let _ = writer.lock().unwrap().write_all(b"\x1b[1;1R");
            }
            if let Some(colour) = background.filter(|_| count(&seen.raw, BACKGROUND) > asked[1]) {
                let _ = writer.lock().unwrap().write_all(format!("\x1b]11;rgb:{colour}\x1b\\").as_bytes());
            }
            changed.notify_all();
        }
    });
}

/// How often a sequence of bytes occurs.
pub fn count(bytes: &[u8], wanted: &[u8]) -> usize {
    bytes.windows(wanted.len()).filter(|window| *window == wanted).count()
}

struct Seen {
    parser: vt100::Parser,
    raw: Vec<u8>,
}

/// A running program.
pub struct Terminal {
    shared: Arc<(Mutex<Seen>, Condvar)>,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    /// Kept open, so that the terminal outlives the program, as a shell's does.
    _slave: Box<dyn SlavePty + Send>,
    before: String,
}

impl Terminal {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is on the screen.
    pub fn text(&self) -> String {
        self.seen().parser.screen().contents()
    }

    /// Every byte that the program wrote.
    pub fn raw(&self) -> Vec<u8> {
        self.seen().raw.clone()
    }

    /// Asks the screen something.
    pub fn ask<T>(&self, question: impl FnOnce(&vt100::Screen) -> T) -> T {
        question(self.seen().parser.screen())
    }

    /// Waits until something is so.
    pub fn wait(&self, what: &str, so: impl Fn(&vt100::Screen) -> bool) {
        drop(self.wait_seen(what, |seen| so(seen.parser.screen())));
    }

    /// Waits until something is so with the bytes that the program wrote.
    pub fn wait_raw(&self, what: &str, so: impl Fn(&[u8]) -> bool) {
        drop(self.wait_seen(what, |seen| so(&seen.raw)));
    }

    /// The bytes that the program wrote, once something is so with them.
    pub fn raw_when(&self, what: &str, so: impl Fn(&[u8]) -> bool) -> Vec<u8> {
        self.wait_seen(what, |seen| so(&seen.raw)).raw.clone()
    }

    fn wait_seen(&self, what: &str, so: impl Fn(&Seen) -> bool) -> MutexGuard<'_, Seen> {
        let until = Instant::now() + DEADLINE;
        let mut seen = self.seen();
        while !so(&seen) {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "waited for {what}:\n{}", seen.parser.screen().contents());
            seen = self.shared.1.wait_timeout(seen, left).unwrap().0;
        }
        seen
    }

    /// Waits until something is so, or the program has ended; whether it still runs.
    pub fn wait_or_end(&mut self, what: &str, so: impl Fn(&vt100::Screen) -> bool) -> bool {
        let until = Instant::now() + DEADLINE;
        while self.runs() {
            if self.ask(&so) {
                return true;
            }
            assert!(Instant::now() < until, "waited for {what}:\n{}", self.text());
            self.pause(10);
        }
        false
    }

    /// Waits until some words are on the screen.
    pub fn wait_for(&self, words: &str) {
        self.wait(words, |screen| screen.contents().contains(words));
    }

    /// Waits until a screen is shown.
    pub fn wait_tab(&self, name: &str) {
        self.wait(name, |screen| tab(screen).contains(name));
    }

    /// Waits until Home shows the configurations of the study.
    pub fn wait_home(&self) {
        self.wait("Home", |screen| tab(screen).contains("Home") && screen.contents().contains("precision (labels)"));
    }

    /// Waits until the cursor of Pairs is on a row, counted from 1.
    pub fn wait_pairs(&self, row: usize) {
        let position = format!("─ {row}/");
        self.wait(&format!("row {row} of Pairs"), |screen| {
            tab(screen).contains("Pairs") && screen.contents().contains(&position)
        });
    }

    /// Waits until the help of a screen lies over it.
    pub fn wait_help(&self, screen: &str) {
        self.wait_for(&help(screen));
    }

    /// Waits until it does not.
    pub fn wait_no_help(&self, screen: &str) {
        self.wait("the help to close", |seen| !seen.contents().contains(&help(screen)));
    }

    /// Types.
    pub fn send(&self, bytes: impl AsRef<[u8]>) {
        let mut writer = self.writer.lock().unwrap();
        writer.write_all(bytes.as_ref()).unwrap();
        writer.flush().unwrap();
    }

    /// Gives the terminal another size.
    pub fn resize(&self, columns: u16, lines: u16) {
        self.seen().parser.screen_mut().set_size(lines, columns);
        self.master.resize(size((columns, lines))).unwrap();
    }

    /// Process id of the program.
    pub fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Sends a signal to the program.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").arg(format!("-{name}")).arg(self.pid().to_string()).status().unwrap();
        assert!(sent.success());
    }

    /// Whether the program still runs.
    pub fn runs(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits until the program has ended.
    pub fn ended(&mut self) -> ExitStatus {
        let until = Instant::now() + DEADLINE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < until, "still running:\n{}", self.text());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Checks that the terminal is as it was before the program came.
    pub fn restored(&self) {
        self.wait("the main screen", |screen| !screen.alternate_screen());
        self.wait("a cursor", |screen| !screen.hide_cursor());
        self.wait("no bracketed paste", |screen| !screen.bracketed_paste());
        let raw = self.raw();
        let last = |wanted: &[u8]| raw.windows(wanted.len()).rposition(|window| window == wanted);
        let off = |on: &[u8], off: &[u8]| last(on).is_none_or(|on| last(off).is_some_and(|off| off > on));
        for mode in ["1000", "1002", "1003", "1004", "1006", "1049", "2004", "2026"] {
            let (on, back) = (format!("\x1b[?{mode}h"), format!("\x1b[?{mode}l"));
            assert!(off(on.as_bytes(), back.as_bytes()), "mode {mode} stays on");
        }
        assert!(off(b"\x1b[8l", b"\x1b[8h"), "explicit bidi stays on");
        assert!(off(b"\x1b[?25l", b"\x1b[?25h"), "the cursor stays hidden");
        assert_eq!(format!("{:?}", self.master.get_termios()), self.before, "raw mode stays on");
    }

    /// Leaves with `Q`.
    pub fn quit(mut self) {
        self.send("Q");
        let status = self.ended();
        assert!(status.success(), "{status:?}\n{}", self.text());
        self.restored();
    }

    /// The number of `saved ✓ n`: none while something is being saved.
    pub fn saved(&self) -> Option<u64> {
        saved(&self.text())
    }

    /// Waits until a pair can be read on Label.
    pub fn wait_pair(&self) {
        self.wait("a pair on Label", |screen| shows_pair(&screen.contents()));
    }

    /// Labels the pair on the screen as a person does, and waits until the label is saved.
    pub fn label(&self, key: &str) {
        let before = self.saved().unwrap_or(0);
        self.press(key);
        self.wait("a saved label", |screen| saved(&screen.contents()).is_some_and(|n| n > before));
    }

    /// Presses a key that writes, once the guard lets it through.
    pub fn press(&self, key: &str) {
        loop {
            self.wait_pair();
            self.pause(200);
            let title = self.title();
            self.send(key);
            self.wait("an answer to the key", |screen| {
                let text = screen.contents();
                barred(&text) || !text.starts_with(&title)
            });
            if self.title() != title {
                return;
            }
            // A key that does nothing else takes the message away.
            self.send("g");
            self.wait("no message", |screen| !barred(&screen.contents()));
        }
    }

    /// The first line.
    pub fn title(&self) -> String {
        self.text().lines().next().unwrap_or_default().to_owned()
    }

    /// Lets time pass: only where time itself is what the program looks at.
    pub fn pause(&self, milliseconds: u64) {
        thread::sleep(Duration::from_millis(milliseconds));
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a pair can be read on Label.
pub fn shows_pair(text: &str) -> bool {
    text.starts_with(" Label")
        && (text.contains("word by word") || text.contains("lines only"))
        && !text.contains("Reading…")
}

/// Whether the screen says that the key came at a moment at which none writes.
pub fn barred(text: &str) -> bool {
    text.contains("too fast") || text.contains("Esc was pressed")
}

/// The name of the screen that is shown: its tab is a block.
fn tab(screen: &vt100::Screen) -> String {
    let active = |x: &u16| screen.cell(0, *x).is_some_and(vt100::Cell::inverse);
    let cells = (0..screen.size().1).filter(active).filter_map(|x| screen.cell(0, x));
    cells.map(vt100::Cell::contents).collect()
}

/// What the frame of the help says.
fn help(screen: &str) -> String {
    format!(" Keys   on {screen} ")
}

/// The number of `saved ✓ n` on a screen.
pub fn saved(text: &str) -> Option<u64> {
    text.split_once("saved ✓ ")?.1.split_whitespace().next()?.parse().ok()
}
