//! Work that takes its time: on how many threads, and with a bar.

use std::sync::mpsc;

use super::progress::Bar;

/// The number of `--threads`, or that of the cores.
pub fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// Does long work under a progress bar.
pub fn watched<T>(work: impl FnOnce(&Bar) -> T) -> T {
    let bar = Bar::new();
    let (done, over) = mpsc::channel();
    std::thread::scope(|scope| {
        let follower = scope.spawn(|| {
            let over = over;
            bar.follow(&over);
        });
        let result = work(&bar);
        drop(done);
        let _ = follower.join();
        result
    })
}
