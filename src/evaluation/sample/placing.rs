//! Puts samples in their places, one process at a time. A file of a sample's name is always whole: written under another name,
//! synced, put in its place.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::EvaluationError;
use dejaview_base::locked::LockedFile;
use dejaview_base::system;

/// So long a process waits for another one that writes a sample, which takes a moment.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(10);

/// Keeps other processes from writing samples until what is returned is dropped: a lock on their folder, which is made. What is
/// read under it is still so when it is written. Some file systems have no such locks; there new samples alone are safe.
pub(super) fn alone_with(path: &Path) -> Result<LockedFile, EvaluationError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let failed = |why| EvaluationError::File { doing: "writing", path: path.to_owned(), why };
    fs::create_dir_all(folder).map_err(failed)?;
    let lock = File::open(folder).map_err(failed)?;
    let end = Instant::now() + PATIENCE;
    while let Err(TryLockError::WouldBlock) = lock.try_lock() {
        if Instant::now() > end {
            return Err(failed(io::Error::other("another process has been writing a sample for a while; try again")));
        }
        std::thread::sleep(PAUSE);
    }
    Ok(LockedFile::held(lock))
}

/// Puts a whole file in its place; a new one fails where another process has been faster.
pub(super) fn put(path: &Path, text: &str, new: bool) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let temporary = path.with_extension(format!("{}.part", std::process::id()));
    let mut file = File::create(&temporary)?;
    let rename = || if new { system::rename_new(&temporary, path) } else { fs::rename(&temporary, path) };
    let placed = file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).and_then(|()| rename());
    if placed.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    placed?;
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
