//! A storage in memory that fails when told to.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use crate::{FileState, Journal, Storage};
use dejaview_base::line_limits::Lines;

/// What is in store for the next operations.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Bytes that still fit; then appending writes what fits and fails.
    pub(super) room: Option<usize>,
    pub(super) bad_syncs: usize,
    pub(super) bad_cuts: usize,
    /// Whether a sync does not return for now.
    pub(super) stuck: bool,
    /// Everything fails from the first failure on, as if the process had ended there.
    pub(super) crash: bool,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) bytes: Vec<u8>,
    pub(super) aside: Vec<u8>,
    pub(super) plan: Plan,
    pub(super) syncs: usize,
    pub(super) replaced: bool,
    dead: bool,
}

/// Shared between the journal and the test that looks at it.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory(Arc<Mutex<State>>);

impl Memory {
    pub(super) fn holding(bytes: &[u8]) -> Self {
        let memory = Self::default();
        memory.state().bytes = bytes.to_vec();
        memory
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    pub(super) fn journal(&self) -> Journal {
        Journal::with_storage(Box::new(self.clone()), "ann").unwrap()
    }

    fn living(&self) -> io::Result<MutexGuard<'_, State>> {
        let state = self.state();
        if state.dead { Err(io::Error::other("crashed")) } else { Ok(state) }
    }
}

fn fail<T>(state: &mut State, kind: io::ErrorKind) -> io::Result<T> {
    state.dead = state.plan.crash;
    Err(kind.into())
}

impl Storage for Memory {
    fn path(&self) -> &Path {
        Path::new("labels/ann.jsonl")
    }

    fn look(&mut self) -> io::Result<FileState> {
        let mut state = self.living()?;
        Ok(FileState { length: state.bytes.len() as u64, replaced: std::mem::take(&mut state.replaced) })
    }

    fn read(&mut self) -> io::Result<Lines> {
        Lines::read(&self.living()?.bytes[..])
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.living()?;
        let fits = state.plan.room.unwrap_or(usize::MAX).min(bytes.len());
        state.bytes.extend_from_slice(&bytes[..fits]);
        if let Some(room) = &mut state.plan.room {
            *room -= fits;
            if fits < bytes.len() {
                return fail(&mut state, io::ErrorKind::StorageFull);
            }
        }
        Ok(())
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        let mut state = self.living()?;
        if let Some(left) = state.plan.bad_cuts.checked_sub(1) {
            state.plan.bad_cuts = left;
            return fail(&mut state, io::ErrorKind::PermissionDenied);
        }
        let cut_off = state.bytes.len() - length as usize;
        state.bytes.truncate(length as usize);
        if let Some(room) = &mut state.plan.room {
            *room += cut_off;
        }
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        while self.living()?.plan.stuck {
            std::thread::sleep(Duration::from_millis(1));
        }
        let mut state = self.living()?;
        if let Some(left) = state.plan.bad_syncs.checked_sub(1) {
            state.plan.bad_syncs = left;
            return fail(&mut state, io::ErrorKind::Other);
        }
        state.syncs += 1;
        Ok(())
    }

    fn set_aside(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.living()?.aside.extend_from_slice(bytes);
        Ok(())
    }
}
