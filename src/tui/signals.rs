//! Signals as events: leave cleanly when the system or a dropped line asks, stop and go on as the shell says, take on
//! another size once it has settled.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;

use super::event::{Event, Stamped};

/// A window that is dragged has many sizes; the one that lasts this long is drawn.
const SETTLED: Duration = Duration::from_millis(50);

/// Whether another program has the terminal: what is typed at it there is not meant for us.
static AWAY: AtomicBool = AtomicBool::new(false);

/// Runs something during which keys that interrupt are another program's.
pub(super) fn away<T>(work: impl FnOnce() -> T) -> T {
    AWAY.store(true, Ordering::SeqCst);
    let result = work();
    AWAY.store(false, Ordering::SeqCst);
    result
}

/// Sends signals into the stream of events, from a thread of its own.
pub(super) fn watch(events: Sender<Stamped>, start: Instant) -> std::io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGCONT, SIGTSTP, SIGWINCH])?;
    let watch = move || {
        loop {
            let mut come: Vec<i32> = signals.wait().collect();
            while come.last() == Some(&SIGWINCH) {
                std::thread::sleep(SETTLED);
                let more: Vec<i32> = signals.pending().collect();
                come.retain(|signal| *signal != SIGWINCH || more.is_empty());
                let settled = more.is_empty();
                come.extend(more);
                if settled {
                    break;
                }
            }
            for event in come.into_iter().filter_map(event) {
                if events.send(Stamped { at: start.elapsed(), event }).is_err() {
                    return;
                }
            }
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(watch).map(drop)
}

fn event(signal: i32) -> Option<Event> {
    let away = AWAY.load(Ordering::SeqCst);
    match signal {
        SIGINT | SIGQUIT | SIGTSTP if away => None,
        SIGWINCH => crate::terminal::size().ok().map(|(width, height)| Event::Resize(width, height)),
        SIGCONT => Some(Event::Woken),
        SIGTSTP => Some(Event::Suspend),
        _ => Some(Event::Stop),
    }
}
