//! Files for readers that want a path.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

thread_local! {
    static FOLDER: RefCell<Option<TempDir>> = const { RefCell::new(None) };
}

/// A folder of this thread, the same each time. `TMPDIR` says where; in memory it is fastest.
pub fn folder() -> PathBuf {
    FOLDER.with_borrow_mut(|folder| folder.get_or_insert_with(|| TempDir::new().unwrap()).path().to_owned())
}

/// A file of this thread with these bytes.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// A folder of this thread that is empty or not there.
pub fn empty_folder(name: &str) -> PathBuf {
    let path = folder().join(name);
    remove(&path);
    path
}

fn remove(path: &Path) {
    if path.exists() {
        fs::remove_dir_all(path).unwrap();
    }
}
