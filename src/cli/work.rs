//! Long work: on how many threads it runs, and the progress bar above it.

use std::sync::mpsc;
use std::thread;

use super::progress::Bar;

/// The number that `--threads` names, else that of the cores.
pub fn thread_count(requested: Option<u16>) -> usize {
    requested.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// Does long work while a second thread draws its progress bar.
pub fn with_progress_bar<T>(work: impl FnOnce(&Bar) -> T) -> T {
    let bar = Bar::new();
    let (running, stopped) = mpsc::channel();
    thread::scope(|scope| {
        let follow = || {
            let stopped = stopped;
            bar.follow(&stopped);
        };
        // Where the system starts no more threads the work is done without a bar.
        let follower = thread::Builder::new().spawn_scoped(scope, follow);
        let result = work(&bar);
        drop(running);
        let _ = follower.map(thread::ScopedJoinHandle::join);
        result
    })
}
