//! Signals as events: leave cleanly when the system or a dropped line asks, draw anew when woken.

use std::sync::mpsc::Sender;
use std::time::Instant;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

use super::event::{Event, Stamped};

/// Sends signals into the stream of events, from a thread of its own.
pub(super) fn watch(events: Sender<Stamped>, start: Instant) -> std::io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGCONT])?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let event = if signal == SIGCONT { Event::Redraw } else { Event::Stop };
            if events.send(Stamped { at: start.elapsed(), event }).is_err() {
                return;
            }
        }
    });
    Ok(())
}
