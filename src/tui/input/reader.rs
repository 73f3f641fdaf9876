//! The thread that reads the terminal. It sleeps until there is something to read, and can be sent to sleep while another
//! program has the terminal.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use filedescriptor::{FileDescriptor, POLLERR, POLLHUP, POLLIN, Pipe, poll, pollfd};

use super::decoder::Decoder;
use crate::event::{Event, Stamped};
use dejaview_study::StudyError;

/// What the reader has counted: sequences put together again, sequences not known.
pub type Counts = (u64, u64);

/// Keeps the reader from the terminal.
#[derive(Debug)]
pub struct Pause {
    wake: FileDescriptor,
    resting: Receiver<Counts>,
    go_on: Sender<()>,
}

impl Pause {
    /// Runs something while nobody else reads the terminal.
    pub fn during<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let asked = self.wake.write_all(b".").is_ok();
        let rests = asked && self.resting.recv().is_ok();
        let result = work();
        if rests {
            let _ = self.go_on.send(());
        }
        result
    }

    /// What the reader has counted so far.
    pub fn counts(&mut self) -> Counts {
        let asked = self.wake.write_all(b".").is_ok();
        let counts = if asked { self.resting.recv().unwrap_or_default() } else { Counts::default() };
        let _ = self.go_on.send(());
        counts
    }
}

/// The terminal that a person types at.
fn terminal() -> io::Result<File> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return Ok(File::from(stdin.as_fd().try_clone_to_owned()?));
    }
    File::open("/dev/tty")
}

/// Sends what is typed into the stream of events, from a thread of its own, each event with the moment it was read.
pub fn read(events: Sender<Stamped>, begun: Instant, ssh: bool) -> io::Result<Pause> {
    let pipe = Pipe::new().map_err(io::Error::other)?;
    let (rests, resting) = mpsc::channel();
    let (go_on, wait) = mpsc::channel();
    let terminal = terminal()?;
    let mut reader = Reader {
        terminal,
        called: pipe.read,
        rests,
        wait,
        events,
        begun,
        decoder: Decoder::new(ssh),
        buffer: [0; 4096],
    };
    std::thread::Builder::new().name("input".to_owned()).spawn(move || reader.run()).map_err(no_thread)?;
    Ok(Pause { wake: pipe.write, resting, go_on })
}

fn no_thread(why: io::Error) -> io::Error {
    io::Error::other(StudyError::Threads(why))
}

/// When bytes that were waited for came, at the latest. A busy machine may let this thread sleep far beyond the deadline; what lies there then
/// came before it, as far as anybody knows. So a sequence is not torn apart because nobody read it.
fn in_time(now: Duration, deadline: Option<Duration>) -> Duration {
    deadline.map_or(now, |deadline| now.min(deadline.saturating_sub(Duration::from_nanos(1))))
}

struct Reader {
    terminal: File,
    called: FileDescriptor,
    rests: Sender<Counts>,
    wait: Receiver<()>,
    events: Sender<Stamped>,
    begun: Instant,
    decoder: Decoder,
    buffer: [u8; 4096],
}

impl Reader {
    fn run(&mut self) {
        while self.step().is_some() {}
    }

    /// Waits for one thing and does it; none when there is nothing more to wait for.
    fn step(&mut self) -> Option<()> {
        let ready = |fd| pollfd { fd, events: POLLIN, revents: 0 };
        let mut wanted = [ready(self.terminal.as_raw_fd()), ready(self.called.as_raw_fd())];
        let deadline = self.decoder.deadline();
        let patience = deadline.map(|deadline| deadline.saturating_sub(self.begun.elapsed()));
        match poll(&mut wanted, patience) {
            Ok(_) => {}
            // A signal came between: nothing is ready, and it is asked again.
            Err(filedescriptor::Error::Poll(why)) if why.kind() == io::ErrorKind::Interrupted => return Some(()),
            Err(_) => {
                let _ = self.events.send(Stamped { at: self.begun.elapsed(), event: Event::Stop });
                return None;
            }
        }
        let at = self.begun.elapsed();
        let mut out = Vec::new();
        if wanted[0].revents & (POLLIN | POLLHUP | POLLERR) != 0 {
            match self.terminal.read(&mut self.buffer) {
                Ok(0) => out.push(Event::Stop),
                Ok(length) => out = self.decoder.feed(&self.buffer[..length], in_time(at, deadline)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => out.push(Event::Stop),
            }
        } else {
            self.decoder.expire(at, &mut out);
        }
        let over = out.iter().any(|event| matches!(event, Event::Stop));
        for event in out {
            self.events.send(Stamped { at, event }).ok()?;
        }
        if wanted[1].revents & POLLIN != 0 {
            self.rest()?;
        }
        (!over).then_some(())
    }

    /// Leaves the terminal alone until told to go on.
    fn rest(&mut self) -> Option<()> {
        let mut call = [0; 1];
        self.called.read_exact(&mut call).ok()?;
        self.rests.send((self.decoder.joined, self.decoder.unknown)).ok()?;
        self.wait.recv().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::KeyCode;

    /// The rest of a key waits in the terminal while the machine has no time for this thread.
    #[test]
    fn a_key_is_not_torn_apart_by_a_busy_machine() {
        let ms = Duration::from_millis;
        for late in [1, 24, 25, 26, 500, 60_000] {
            let mut decoder = Decoder::new(false);
            assert!(decoder.feed(b"\x1b", ms(100)).is_empty());
            let at = in_time(ms(100 + late), decoder.deadline());
            let events = decoder.feed(b"[B", at);
            assert!(matches!(&events[..], [Event::Key(key)] if key.code == KeyCode::Down), "{late}: {events:?}");
        }
        assert_eq!(in_time(ms(7), None), ms(7), "nothing was waited for");
    }
}
