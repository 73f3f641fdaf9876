//! Which lines of a journal are written again after another hand removed them from its file?
//!
//! Events are, for no label may be lost by a merge or by a file that was put back. Damaged lines, marks of git and blank lines
//! are not: whoever removed them mended the file.
//!
//! Lines come back at the end of the file, and there an event would overrule what came after it and is still there. One that
//! had been replaced or taken back by such an event is therefore not written again, so that what holds for a pair stays what
//! it was; `labels verify` tells its number as missing.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::reading::Parsed;
use super::{Decisions, Event, EventKind, line};

/// Lines that the next write begins with.
#[derive(Debug, Default)]
pub(super) struct Owed {
    /// The lines with their ends.
    pub(super) bytes: Vec<u8>,
    /// How many lines they are.
    pub(super) lines: usize,
}

/// The events among lines that a file had and has no more, in their order, as the next write must begin with them. They are
/// added to what the file says.
pub(super) fn owed<'a>(before: impl Iterator<Item = &'a [u8]>, there: &mut Parsed) -> Owed {
    let read = |text| line::decode(text).ok().map(|(event, crc)| (text, Arc::new(event), crc));
    let events: Vec<(&[u8], Arc<Event>, u32)> = before.filter_map(read).collect();
    let decisions = Decisions::replay(events.iter().map(|(_, event, _)| event));
    let mut later = Later { decisions: &decisions, live: HashSet::new(), switched: HashMap::new() };
    let mut lost = Vec::new();
    for (text, event, crc) in events.iter().rev() {
        let is_there = there.known.contains(&(event.seq, *crc));
        if !is_there && !later.overrules(event) {
            lost.push((*text, event, *crc));
        }
        later.add(event, is_there);
    }
    let mut owed = Owed::default();
    for (text, event, crc) in lost.into_iter().rev() {
        if !there.known.contains(&(event.seq, crc)) {
            owed.bytes.extend_from_slice(text);
            owed.bytes.push(b'\n');
            owed.lines += 1;
            there.add(Arc::clone(event), crc);
        }
    }
    owed
}

type Pair<'a> = (&'a str, &'a str);

/// What came after an event, as far as the order matters.
struct Later<'a> {
    /// What held before lines were removed.
    decisions: &'a Decisions,
    /// Pairs with labels, notes or flags that were not taken back and are still there.
    live: HashSet<(Pair<'a>, std::mem::Discriminant<EventKind>)>,
    /// By the number of an edit, whether the last event that took it back or restored it is still there.
    switched: HashMap<(Pair<'a>, u64), bool>,
}

impl<'a> Later<'a> {
    /// Whether something that is still there replaced an event, took it back or restored it.
    fn overrules(&self, event: &Event) -> bool {
        let pair = (event.source.as_str(), event.target.as_str());
        let is_switched = |of: u64| self.switched.get(&(pair, of)).is_some_and(|is_there| *is_there);
        match event.kind {
            EventKind::Undo(of) | EventKind::Redo(of) => is_switched(of),
            _ if !event.kind.is_edit() => false,
            _ if !self.is_live(event) => is_switched(event.seq),
            _ => !is_repeated(event) && self.live.contains(&(pair, std::mem::discriminant(&event.kind))),
        }
    }

    fn add(&mut self, event: &'a Event, is_there: bool) {
        let pair = (event.source.as_str(), event.target.as_str());
        match event.kind {
            EventKind::Undo(of) | EventKind::Redo(of) => {
                self.switched.entry((pair, of)).or_insert(is_there);
            }
            _ if is_there && event.kind.is_edit() && !is_repeated(event) && self.is_live(event) => {
                self.live.insert((pair, std::mem::discriminant(&event.kind)));
            }
            _ => {}
        }
    }

    fn is_live(&self, event: &Event) -> bool {
        self.decisions.history(&event.source, &event.target).any(|(own, live)| live && own == event)
    }
}

/// An answer to a repeated question changes nothing of its pair.
fn is_repeated(event: &Event) -> bool {
    event.circumstances.repeat == Some(true)
}
