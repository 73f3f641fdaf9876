//! What screens and results ask for is done, and jobs are given out and taken back.

use std::time::Duration;

use super::App;
use crate::command::command;
use crate::contract::{Done, Effect, Request, Slot, Ticket};
use crate::kept::Kept;
use crate::labelling;

impl App {
    /// Does what can be done here; what cannot comes back.
    pub(super) fn carry_out(&mut self, requests: Vec<Request>, at: Duration) -> Vec<Effect> {
        let mut effects = Vec::new();
        for request in requests {
            let more = match request {
                Request::Do(effect) => {
                    effects.push(effect);
                    Vec::new()
                }
                Request::Job(job) => {
                    let started = self.tickets.start(job);
                    let now = self.shared.now();
                    self.shared.log.started(started.ticket.slot.kind, at, &now);
                    effects.push(Effect::Run(started));
                    Vec::new()
                }
                Request::Forget(slot) => {
                    effects.extend(self.forget(slot));
                    Vec::new()
                }
                Request::Cancel(kind) => match self.tickets.slot(kind) {
                    Some(slot) => {
                        effects.extend(self.forget(slot));
                        slot.lost(&mut self.screens, &mut self.shared)
                    }
                    None => Vec::new(),
                },
                other => self.grant(other, at),
            };
            effects.extend(self.carry_out(more, at));
        }
        effects
    }

    /// Does what is asked of the explorer itself; what that asks for comes back.
    fn grant(&mut self, request: Request, at: Duration) -> Vec<Request> {
        let shown = self.shared.screen;
        match request {
            Request::Act(action) => self.act(action, at),
            Request::Show(what) => self.show(&what, at),
            Request::Leave => self.leave(at),
            Request::Tell(news) => self.tell(&news, at),
            Request::Refresh => self.on(shown, at, |screen, here| screen.study_read(here)),
            Request::Typed(question, text) => self.on(shown, at, |screen, here| screen.typed(question, &text, here)),
            Request::Picked(list, value) => {
                self.on(shown, at, |screen, _| screen.picked(list, value));
                Vec::new()
            }
            Request::NoteTyped(text) => {
                let subject = self.subject();
                labelling::note_typed(subject.as_ref(), text, &mut self.shared)
            }
            Request::Command(line) => command(&line, self.screens.of(shown), &mut self.shared),
            Request::Open(overlay) => {
                self.overlays.push(overlay);
                Vec::new()
            }
            Request::Do(_) | Request::Job(_) | Request::Forget(_) | Request::Cancel(_) => vec![request],
        }
    }

    fn forget(&mut self, slot: Slot) -> Option<Effect> {
        let open = self.tickets.close(slot);
        self.shared.log.ended(slot.kind);
        open.then_some(Effect::Cancel(slot))
    }

    /// A job was done. Late results are dropped here, and nowhere else.
    pub(super) fn done(&mut self, done: Done, at: Duration) -> Vec<Effect> {
        if !self.tickets.redeem(done.ticket) {
            return Vec::new();
        }
        let now = self.shared.now();
        self.shared.log.done(done.ticket.slot.kind, done.delivery.line(), at, &now);
        let requests = done.delivery.deliver(&mut self.screens, &mut self.shared);
        self.carry_out(requests, at)
    }

    /// A job panicked.
    pub(super) fn failed(&mut self, job: Ticket, why: String, at: Duration) -> Vec<Effect> {
        let now = self.shared.now();
        self.shared.log.failed(&why, &now);
        self.shared.message = Some(why);
        if !self.tickets.redeem(job) {
            return Vec::new();
        }
        self.shared.log.ended(job.slot.kind);
        let requests = job.slot.lost(&mut self.screens, &mut self.shared);
        self.carry_out(requests, at)
    }

    /// News from the journal of labels.
    pub(super) fn labels_kept(&mut self, kept: Kept) {
        let now = self.shared.now();
        match &kept {
            Kept::Saved(_) => {}
            Kept::NotSaved(why) => self.shared.log.failed(&format!("not saved: {why}"), &now),
            Kept::Reread { restored, .. } => {
                let again = match restored {
                    0 => String::new(),
                    1 => "; 1 label that had gone was written again".to_owned(),
                    many => format!("; {many} labels and notes that had gone were written again"),
                };
                self.shared.log.said(&format!("the journal was changed by another hand and read again{again}"), &now);
            }
        }
        self.shared.book.kept(kept);
    }
}
