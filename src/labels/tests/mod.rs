//! What the module promises, tried with a storage that fails in every way.

mod disk;
mod faults;
mod killed;
mod memory;
mod properties;
mod writing;

use std::sync::Arc;

use crate::{Event, EventKind, Label};

fn label(target: &str, label: Label) -> Event {
    Event::new(EventKind::Label(label), "s", target, "2012-03-04T05:06:07.089Z")
}

fn seqs(events: &[Arc<Event>]) -> Vec<u64> {
    events.iter().map(|event| event.seq).collect()
}
