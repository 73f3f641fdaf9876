//! Files that are locked for a while.

use std::fs::File;
use std::ops::Deref;

/// A file whose lock ends when this is dropped. Without unlocking, it would go on for as long as a process that another thread
/// has just begun has all files of this one open.
#[derive(Debug)]
pub struct LockedFile(File);

impl LockedFile {
    /// Of a file whose lock was taken.
    pub fn held(file: File) -> Self {
        Self(file)
    }
}

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        // Some file systems have no locks; closing the file is all there is to be done there.
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_lock_ends_though_a_new_process_has_the_file_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.lock");
        let file = File::create(&path).unwrap();
        file.try_lock().unwrap();
        let file = LockedFile::held(file);
        let mut child = Command::new("sleep").arg("60").stdin(file.try_clone().unwrap()).spawn().unwrap();
        assert!(File::open(&path).unwrap().try_lock().is_err());
        drop(file);
        let again = File::open(&path).unwrap().try_lock();
        child.kill().unwrap();
        child.wait().unwrap();
        again.unwrap();
    }
}
