//! What Unix has and Windows has otherwise: all of it that the program asks for by itself.

use std::ffi::OsStr;
use std::fs::{File, FileType, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use crate::lines;

/// Reads and writes at a place of a file.
pub use std::os::unix::fs::FileExt;

/// Ticks of the clock in which Linux counts processor time, a second.
const TICKS: f64 = 100.0;

/// Which file it is, whatever its name.
pub fn identity(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

/// What a file is that cannot be read as one, in a word: a pipe, a socket, a device.
pub fn special(kind: FileType) -> Option<&'static str> {
    match kind {
        kind if kind.is_fifo() => Some("pipe"),
        kind if kind.is_socket() => Some("socket"),
        kind if kind.is_char_device() || kind.is_block_device() => Some("device"),
        _ => None,
    }
}

/// An error where a pipe, a socket or a device stands in the place of a file: whoever opens it may wait for ever.
pub fn must_not_wait(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path).map(|there| special(there.file_type())) {
        Ok(Some(what)) => Err(io::Error::other(format!("it is a {what}, and a file is wanted"))),
        Err(why) if why.kind() != io::ErrorKind::NotFound => Err(why),
        _ => Ok(()),
    }
}

/// Opens a file that is kept on disk, to read it. All that a study keeps is opened so, and never waited for.
pub fn open_file(path: &Path) -> io::Result<File> {
    must_not_wait(path)?;
    File::open(path)
}

/// The bytes of a file that is kept on disk.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    must_not_wait(path)?;
    std::fs::read(path)
}

/// The text of a file that is kept on disk.
pub fn read_text(path: &Path) -> io::Result<String> {
    let no_text = |why: std::string::FromUtf8Error| {
        let what =
            if lines::is_utf16(why.as_bytes()) { "it is in UTF-16" } else { "there are bytes that are not UTF-8" };
        io::Error::new(io::ErrorKind::InvalidData, format!("{what}; save it as UTF-8"))
    };
    String::from_utf8(read_file(path)?).map_err(no_text)
}

/// A name byte by byte: it need not be UTF-8.
pub fn name_bytes(name: &OsStr) -> &[u8] {
    name.as_bytes()
}

/// Makes a new file that its owner alone can read.
pub fn create_private(path: &Path) -> io::Result<File> {
    File::options().write(true).create_new(true).mode(0o600).open(path)
}

/// Gives a file that is whole a name that no other file has: an error where one has it by now. Of two processes that try at
/// the same time one succeeds.
pub fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match std::fs::hard_link(from, to) {
        Ok(()) => {
            // It has its name; what stays of the other one is of no account.
            let _ = std::fs::remove_file(from);
            Ok(())
        }
        Err(why) if why.kind() == io::ErrorKind::AlreadyExists => Err(why),
        Err(_) => rename_new_without_links(from, to),
    }
}

/// The same where a file system has no links: the name is taken by an empty file first.
fn rename_new_without_links(from: &Path, to: &Path) -> io::Result<()> {
    File::options().write(true).create_new(true).open(to)?;
    let renamed = std::fs::rename(from, to);
    if renamed.is_err() {
        let _ = std::fs::remove_file(to);
    }
    renamed
}

/// Lets a program outlive the terminal that starts it.
pub fn outlives_the_terminal(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

/// Lets a write fail that would make a file larger than the system lets it be, where it would end the process.
pub fn outlive_large_files() {
    // Without it the process ends as it would have.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// The most memory that this process has held so far, in bytes; `None` where the system does not tell.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

/// Processor time that all threads of this process have taken so far, in seconds; `None` where the system does not tell.
pub fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is the name of the program, in parentheses: it may hold blanks.
    let (_, rest) = stat.rsplit_once(')')?;
    let ticks = rest.split_whitespace().skip(11).take(2).map(|field| field.parse::<f64>().ok());
    Some(ticks.sum::<Option<f64>>()? / TICKS)
}

/// The name of this machine.
pub fn host_name() -> Option<String> {
    let read = |path: &str| std::fs::read_to_string(path).ok().map(|name| name.trim().to_owned());
    read("/proc/sys/kernel/hostname").or_else(|| read("/etc/hostname")).filter(|name| !name.is_empty())
}

/// Whether a process of this machine has ended; it may not have where the system does not tell.
pub fn has_ended(process: u32) -> bool {
    let processes = Path::new("/proc");
    processes.join("self").exists() && !processes.join(process.to_string()).exists()
}

/// What is mounted where, a line each, as Linux lists it.
pub fn mounts() -> Option<String> {
    std::fs::read_to_string("/proc/mounts").ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_many_takes_a_new_name() {
        let folder = tempfile::tempdir().unwrap();
        for rename in [rename_new, rename_new_without_links] {
            let place = folder.path().join("place");
            let take = |i: usize| {
                let from = folder.path().join(format!("{i}.part"));
                std::fs::write(&from, i.to_string()).unwrap();
                rename(&from, &place)
            };
            let taken: Vec<io::Result<()>> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..8).map(|i| scope.spawn(move || take(i))).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            let winners: Vec<usize> = (0..8).filter(|&i| taken[i].is_ok()).collect();
            assert_eq!(winners.len(), 1, "{taken:?}");
            assert_eq!(std::fs::read_to_string(&place).unwrap(), winners[0].to_string());
            assert!(
                taken.iter().flat_map(|it| it.as_ref().err()).all(|why| why.kind() == io::ErrorKind::AlreadyExists)
            );
            std::fs::remove_file(&place).unwrap();
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_and_time_grow() {
        let before = (peak_memory().unwrap(), processor_seconds().unwrap());
        let pages = std::hint::black_box(vec![1u8; 200 << 20]);
        assert!(pages.iter().map(|byte| u64::from(*byte)).sum::<u64>() == 200 << 20);
        let after = (peak_memory().unwrap(), processor_seconds().unwrap());
        assert!(after.0 >= 200 << 20 && after.0 >= before.0 && after.1 >= before.1, "{before:?} {after:?}");
    }
}
