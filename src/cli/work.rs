//! Long work: on how many threads it runs, and the progress bar above it.

use std::sync::mpsc;

use super::progress::Bar;

/// The number that `--threads` names, else that of the cores.
pub fn thread_count(requested: Option<u16>) -> usize {
    requested.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// Does long work while a second thread draws its progress bar.
pub fn with_progress_bar<T>(work: impl FnOnce(&Bar) -> T) -> T {
    let bar = Bar::new();
    let (running, stopped) = mpsc::channel();
    std::thread::scope(|scope| {
        let follower = scope.spawn(|| {
            let stopped = stopped;
            bar.follow(&stopped);
        });
        let result = work(&bar);
        drop(running);
        let _ = follower.join();
        result
    })
}
