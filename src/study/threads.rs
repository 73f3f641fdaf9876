//! The threads that all work shares, and what is said where the system starts none.

use std::io;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use rayon::{ThreadBuilder, ThreadPoolBuilder};

use crate::StudyError;

/// Starts the threads that all work shares, one for each core, or as many as the system lets be. None at all is an error.
///
/// The threads come first and the pool is made of those that there are: a pool that fails once cannot be made again, and work
/// that finds none would end the process.
pub fn start_threads() -> Result<(), StudyError> {
    let (hand_over, parts) = mpsc::channel::<ThreadBuilder>();
    let parts = Arc::new(Mutex::new(parts));
    let (mut started, mut refused) = (0, None);
    for _ in 0..wanted() {
        let parts = Arc::clone(&parts);
        let serve = move || {
            let part = parts.lock().unwrap_or_else(PoisonError::into_inner).recv();
            // None comes where no pool could be made.
            if let Ok(part) = part {
                part.run();
            }
        };
        match thread::Builder::new().name("work".to_owned()).spawn(serve) {
            Ok(_) => started += 1,
            Err(why) => {
                refused = Some(why);
                break;
            }
        }
    }
    if let Some(why) = refused.filter(|_| started == 0) {
        return Err(StudyError::Threads(why));
    }
    let hand_over = move |part: ThreadBuilder| hand_over.send(part).map_err(|_| io::ErrorKind::BrokenPipe.into());
    let pool = ThreadPoolBuilder::new().num_threads(started).spawn_handler(hand_over).build_global();
    pool.map_err(|why| StudyError::Threads(io::Error::other(why)))
}

/// As many as `RAYON_NUM_THREADS` says, else one for each core.
fn wanted() -> usize {
    let said = std::env::var("RAYON_NUM_THREADS").ok().and_then(|number| number.parse().ok());
    said.filter(|number| *number > 0).unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
}
