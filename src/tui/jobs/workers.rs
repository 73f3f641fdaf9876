//! A thread for each kind of wish.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

use super::{Backend, Effect};
use crate::event::{Event, Stamped};
use crate::kinds::{Kind, kinds};
use dejaview_base::panics::catch_panic;
use dejaview_text::printable;

/// The newest wish of a kind, if its worker has not taken it yet.
#[derive(Default)]
struct Slot {
    wish: Mutex<Option<Effect>>,
    come: Condvar,
    /// Whether what is being done is not wanted any more: a newer wish waits.
    newer: AtomicBool,
    /// Whether it was given up: its answer is not sent.
    cancelled: AtomicBool,
}

/// The workers.
pub struct Workers {
    slots: Vec<(Kind, Arc<Slot>)>,
}

impl Workers {
    /// Starts one worker a kind; answers go to `events`. Workers end with the process.
    pub fn start(backend: &Arc<Backend>, events: &Sender<Stamped>, start: Instant) -> Self {
        let slots = kinds()
            .map(|kind| {
                let slot = Arc::new(Slot::default());
                let (mine, backend, events) = (slot.clone(), backend.clone(), events.clone());
                std::thread::spawn(move || work(&mine, &backend, &events, start));
                (kind, slot)
            })
            .collect();
        Self { slots }
    }

    /// Hands a wish to its worker, in place of an older one that still waits.
    pub fn send(&self, effect: Effect) {
        let cancelled = if let Effect::Cancel(kind) = &effect { Some(*kind) } else { None };
        let wanted = cancelled.or(effect.kind());
        if let Some((_, slot)) = self.slots.iter().find(|(kind, _)| Some(*kind) == wanted) {
            let mut wish = slot.wish.lock().unwrap_or_else(PoisonError::into_inner);
            *wish = cancelled.is_none().then_some(effect);
            let flag = if cancelled.is_some() { &slot.cancelled } else { &slot.newer };
            flag.store(true, Ordering::Relaxed);
            slot.come.notify_one();
        }
    }
}

fn work(slot: &Slot, backend: &Backend, events: &Sender<Stamped>, start: Instant) {
    loop {
        let mut wish = slot.wish.lock().unwrap_or_else(PoisonError::into_inner);
        let effect = loop {
            match wish.take() {
                Some(effect) => {
                    slot.newer.store(false, Ordering::Relaxed);
                    slot.cancelled.store(false, Ordering::Relaxed);
                    break effect;
                }
                None => wish = slot.come.wait(wish).unwrap_or_else(PoisonError::into_inner),
            }
        };
        drop(wish);
        let cancelled = || slot.cancelled.load(Ordering::Relaxed);
        let stop = || cancelled() || slot.newer.load(Ordering::Relaxed);
        let done = catch_panic(|| backend.perform_until(effect, &stop));
        let event = match done {
            _ if cancelled() => continue,
            Ok(Some(answer)) => Event::Answer(answer),
            Ok(None) => continue,
            Err(why) => Event::Trouble(format!("a worker failed ({}); the rest goes on", printable(&why.to_string()))),
        };
        if events.send(Stamped { at: start.elapsed(), event }).is_err() {
            return;
        }
    }
}
