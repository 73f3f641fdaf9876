//! Which results are still wanted.

use crate::contract::{AnyJob, Slot, Started, Ticket};
use crate::logbook::JobKind;

/// The newest job of each slot that is still to be answered.
#[derive(Debug, Default)]
pub struct Tickets {
    open: Vec<Ticket>,
    given: u64,
}

impl Tickets {
    /// Gives a job its ticket; an older one of its slot does not count any more.
    pub fn start(&mut self, job: Box<dyn AnyJob>) -> Started {
        self.given += 1;
        let ticket = Ticket { slot: job.slot(), number: self.given };
        self.close(ticket.slot);
        self.open.push(ticket);
        Started::new(ticket, job)
    }

    /// Takes a ticket back; false when it does not count any more.
    pub fn redeem(&mut self, ticket: Ticket) -> bool {
        let counts = self.open.contains(&ticket);
        self.open.retain(|open| *open != ticket);
        counts
    }

    /// The slot of a kind of jobs, while one of them runs.
    pub fn slot(&self, kind: JobKind) -> Option<Slot> {
        self.open.iter().map(|ticket| ticket.slot).find(|slot| slot.kind == kind)
    }

    /// No result of a slot is wanted any more; false when none was to come.
    pub fn close(&mut self, slot: Slot) -> bool {
        let before = self.open.len();
        self.open.retain(|open| open.slot != slot);
        self.open.len() < before
    }
}
