//! A pseudo-terminal that notes when each byte came.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Columns and lines, as the budgets have them.
pub const SIZE: (u16, u16) = (180, 50);
/// A frame is over when nothing has come for this long.
const QUIET: Duration = Duration::from_millis(30);
/// Longer than anything here takes.
const DEADLINE: Duration = Duration::from_secs(600);

struct Seen {
    parser: vt100::Parser,
    bytes: usize,
    last: Instant,
}

type Shared = Arc<(Mutex<Seen>, Condvar)>;

/// A program in a terminal of its own.
pub struct Terminal {
    shared: Shared,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
    pub started: Instant,
}

/// What a key brought about.
#[derive(Debug, Clone, Copy)]
pub struct Answer {
    /// From the key to the last byte of the answer.
    pub time: Duration,
    pub bytes: usize,
}

impl Terminal {
    pub fn start(program: &Path, arguments: &[OsString]) -> Result<Self> {
        let size = PtySize { rows: SIZE.1, cols: SIZE.0, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size)?;
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        let reader = pair.master.try_clone_reader()?;
        let writer = Arc::new(Mutex::new(pair.master.take_writer()?));
        let started = Instant::now();
        let child = pair.slave.spawn_command(command).with_context(|| format!("starting {}", program.display()))?;
        let seen = Seen { parser: vt100::Parser::new(SIZE.1, SIZE.0, 0), bytes: 0, last: started };
        let shared: Shared = Arc::new((Mutex::new(seen), Condvar::new()));
        follow(reader, shared.clone(), writer.clone());
        Ok(Self { shared, writer, child, _master: pair.master, started })
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn bytes(&self) -> usize {
        self.seen().bytes
    }

    /// Waits until something is on the screen; the time since `from`.
    pub fn wait(&self, what: &str, from: Instant, so: impl Fn(&str) -> bool) -> Result<Duration> {
        let mut seen = self.seen();
        loop {
            if so(&seen.parser.screen().contents()) {
                return Ok(seen.last.saturating_duration_since(from));
            }
            let left = DEADLINE.saturating_sub(from.elapsed());
            if left.is_zero() {
                bail!("waited for {what}:\n{}", seen.parser.screen().contents());
            }
            seen = self.shared.1.wait_timeout(seen, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The moment of the last byte once something is on the screen; none when it is not there by then.
    pub fn wait_until(&self, until: Instant, so: impl Fn(&str) -> bool) -> Option<Instant> {
        let mut seen = self.seen();
        loop {
            if so(&seen.parser.screen().contents()) {
                return Some(seen.last);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            seen = self.shared.1.wait_timeout(seen, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The most memory that the program has had so far, in bytes.
    pub fn peak(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.process_id()?)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
    }

    pub fn send(&self, bytes: &[u8]) -> Result<Instant> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let at = Instant::now();
        writer.write_all(bytes)?;
        writer.flush()?;
        Ok(at)
    }

    /// Presses a key and waits until the answer is over; none when there was none.
    pub fn press(&self, bytes: &[u8]) -> Result<Option<Answer>> {
        let before = self.bytes();
        let at = self.send(bytes)?;
        let patience = at + Duration::from_secs(2);
        let mut seen = self.seen();
        loop {
            let now = Instant::now();
            let come = seen.bytes > before;
            let over = if come { seen.last + QUIET } else { patience };
            if now >= over {
                let answer = Answer { time: seen.last.saturating_duration_since(at), bytes: seen.bytes - before };
                return Ok(come.then_some(answer));
            }
            seen = self.shared.1.wait_timeout(seen, over - now).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Presses a key and waits until the answer begins, for two seconds at most; how long that took.
    pub fn nudge(&self, bytes: &[u8]) -> Result<Duration> {
        let before = self.bytes();
        let at = self.send(bytes)?;
        let until = at + Duration::from_secs(2);
        let mut seen = self.seen();
        while seen.bytes == before && Instant::now() < until {
            let left = until.saturating_duration_since(Instant::now());
            seen = self.shared.1.wait_timeout(seen, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(seen.last.saturating_duration_since(at))
    }

    /// Leaves the program with a key and waits for its end.
    pub fn quit(mut self, key: &[u8]) -> Result<()> {
        self.send(key)?;
        let until = Instant::now() + Duration::from_secs(10);
        while self.child.try_wait()?.is_none() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Follows what the program writes; answers where the cursor is, for programs that ask.
fn follow(mut reader: Box<dyn Read + Send>, shared: Shared, writer: Arc<Mutex<Box<dyn Write + Send>>>) {
    std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(length) = reader.read(&mut buffer) {
            let now = Instant::now();
            if length == 0 {
                return;
            }
            if buffer[..length].windows(4).any(|window| window == b"\x1b[6n") {
                let _ = writer.lock().unwrap_or_else(PoisonError::into_inner).write_all(b"\x1b[1;1R");
            }
            let mut seen = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
            seen.parser.process(&buffer[..length]);
            seen.bytes += length;
            seen.last = now;
            shared.1.notify_all();
        }
    });
}
