//! One writer for each journal: an advisory lock that ends with the process, and beside it who holds it.
//!
//! The lock lies in `.dejaview/locks/<annotator>.lock`, not on the journal, which git may replace. Where the file
//! system has no locks, the process and host written in the file decide: a process that is gone, or any on this host
//! that cannot be found, does not count; one on another host does.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use dejaview_base::locked::LockedFile;
use dejaview_base::own_folder;
use dejaview_base::system::{self, identity};

/// A process that writes a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    pub pid: u32,
    /// The machine it runs on.
    pub host: String,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} on {}", self.pid, self.host)
    }
}

impl Holder {
    pub fn this() -> Self {
        let host =
            system::host_name().or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_else(|| "this machine".to_owned());
        Self { pid: std::process::id(), host }
    }

    fn parse(text: &str) -> Option<Self> {
        let (pid, host) = text.trim().split_once(' ')?;
        Some(Self { pid: pid.parse().ok()?, host: host.to_owned() })
    }

    /// Whether it may still run, as far as can be told without a lock.
    fn may_run(&self) -> bool {
        let me = Self::this();
        *self != me && (self.host != me.host || !system::has_ended(self.pid))
    }
}

/// Why there is no lock.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) holder: Option<Holder>,
    pub(super) why: String,
}

/// Held until dropped.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    file: LockedFile,
}

impl Lock {
    pub(super) fn take(path: &Path) -> Result<Self, Refusal> {
        let failed = |why: io::Error| {
            let why = format!("its lock {} cannot be taken: {why}", path.display());
            Refusal { holder: None, why }
        };
        if let Some(folder) = path.parent() {
            own_folder::make(folder).map_err(failed)?;
        }
        system::must_not_wait(path).map_err(failed)?;
        let mut file =
            File::options().create(true).truncate(false).read(true).write(true).open(path).map_err(failed)?;
        let locked = file.try_lock();
        let mut text = String::new();
        let holder = file.read_to_string(&mut text).ok().and_then(|_| Holder::parse(&text));
        let other = || "another process writes it".to_owned();
        match locked {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Refusal { holder, why: other() }),
            Err(TryLockError::Error(_)) => {
                if let Some(holder) = holder.filter(Holder::may_run) {
                    let why = format!("{}; remove {} if that is not so", other(), path.display());
                    return Err(Refusal { holder: Some(holder), why });
                }
            }
        }
        let Holder { pid, host } = Holder::this();
        let write = |file: &mut File| {
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(format!("{pid} {host}\n").as_bytes())
        };
        write(&mut file).map_err(failed)?;
        Ok(Self { path: path.to_owned(), file: LockedFile::held(file) })
    }

    /// Takes it again where somebody removed its file, which would let others write, too. Where others do by now, this one is
    /// refused.
    pub(super) fn renew(&mut self) -> Result<(), Refusal> {
        let mine = self.file.metadata().map(|mine| identity(&mine)).ok();
        let there = fs::metadata(&self.path).map(|there| identity(&there)).ok();
        if mine != there {
            *self = Self::take(&self.path)?;
        }
        Ok(())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Only who looks for a name without a lock would mind that it stays.
        let _ = self.file.set_len(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_learns_who_is_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("locks").join("ann.lock");
        let first = Lock::take(&path).unwrap();
        let refusal = Lock::take(&path).unwrap_err();
        assert_eq!(refusal.holder, Some(Holder::this()));
        drop(first);
        assert_eq!(fs::read_to_string(&path).unwrap(), "");
        assert!(Lock::take(&path).is_ok());
    }

    #[test]
    fn a_lock_whose_file_was_removed_is_taken_again_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("locks").join("ann.lock");
        let mut first = Lock::take(&path).unwrap();
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
        assert!(first.renew().is_ok() && first.renew().is_ok());
        assert!(Lock::take(&path).is_err(), "it is held again");
        fs::remove_file(&path).unwrap();
        let second = Lock::take(&path).unwrap();
        assert_eq!(first.renew().unwrap_err().holder, Some(Holder::this()), "now another one writes");
        drop(second);
        assert!(first.renew().is_ok());
    }

    #[test]
    fn what_a_dead_process_left_does_not_matter() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ann.lock");
        fs::write(&path, "4000000000 elsewhere\n").unwrap();
        assert!(Lock::take(&path).is_ok());
        let host = Holder::this().host;
        assert!(Holder { pid: 1, host: "elsewhere".to_owned() }.may_run());
        assert!(!Holder { pid: 4_000_000_000, host }.may_run() || !Path::new("/proc/self").exists());
        assert!(!Holder::this().may_run());
    }
}
