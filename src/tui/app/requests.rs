//! What screens and results ask for is done, and jobs are given out and taken back.

use std::time::Duration;

use super::App;
use crate::contract::{Done, Effect, Request, Slot, Ticket};
use crate::kept::Kept;
use crate::screens::compare::Compare;
use crate::screens::log::Log;

impl App {
    /// Does what can be done here; what cannot comes back.
    pub(super) fn carry_out(&mut self, requests: Vec<Request>, at: Duration) -> Vec<Effect> {
        let mut effects = Vec::new();
        for request in requests {
            let more = match request {
                Request::Job(job) => {
                    let started = self.tickets.start(job);
                    let now = self.shared.now();
                    self.screens.get_mut::<Log>().started(started.ticket, at, &now);
                    effects.push(Effect::Run(started));
                    Vec::new()
                }
                Request::Forget(slot) => {
                    effects.extend(self.forget(slot));
                    Vec::new()
                }
                Request::Cancel(slot) => {
                    effects.extend(self.forget(slot));
                    slot.lost(&mut self.screens, &mut self.shared)
                }
                Request::Do(effect) => {
                    effects.push(effect);
                    Vec::new()
                }
                Request::Refresh => self.refreshed(),
                Request::OpenAwaited(ids) => self.screens.get_mut::<Compare>().come(ids),
            };
            effects.extend(self.carry_out(more, at));
        }
        effects
    }

    fn forget(&mut self, slot: Slot) -> Option<Effect> {
        let open = self.tickets.close(slot);
        self.screens.get_mut::<Log>().ended(slot);
        open.then_some(Effect::Cancel(slot))
    }

    /// A job was done. Late results are dropped here, and nowhere else.
    pub(super) fn done(&mut self, done: Done, at: Duration) -> Vec<Effect> {
        if !self.tickets.redeem(done.ticket) {
            return Vec::new();
        }
        let now = self.shared.now();
        self.screens.get_mut::<Log>().done(done.ticket.slot, done.delivery.line(), at, &now);
        let requests = done.delivery.deliver(&mut self.screens, &mut self.shared);
        self.carry_out(requests, at)
    }

    /// A job panicked.
    pub(super) fn failed(&mut self, job: Ticket, why: String, at: Duration) -> Vec<Effect> {
        let now = self.shared.now();
        let log = self.screens.get_mut::<Log>();
        log.wrong(&why, &now);
        self.shared.message = Some(why);
        if !self.tickets.redeem(job) {
            return Vec::new();
        }
        log.ended(job.slot);
        let requests = job.slot.lost(&mut self.screens, &mut self.shared);
        self.carry_out(requests, at)
    }

    /// News from the journal of labels.
    pub(super) fn labels_kept(&mut self, kept: Kept) {
        let (now, log) = (self.shared.now(), self.screens.get_mut::<Log>());
        match &kept {
            Kept::Saved(_) => {}
            Kept::NotSaved(why) => log.wrong(&format!("not saved: {why}"), &now),
            Kept::Reread(_) => log.said("the journal was changed by another hand and read again", &now),
        }
        self.shared.book.kept(kept);
    }
}
