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

/// The bytes of a file. A pipe in its place is an error: nobody may ever write into it.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    match special(std::fs::metadata(path)?.file_type()) {
        Some(what) => Err(io::Error::other(format!("it is a {what}, and a file is wanted"))),
        None => std::fs::read(path),
    }
}

/// A name byte by byte: it need not be UTF-8.
pub fn name_bytes(name: &OsStr) -> &[u8] {
    name.as_bytes()
}

/// Makes a new file that its owner alone can read.
pub fn create_private(path: &Path) -> io::Result<File> {
    File::options().write(true).create_new(true).mode(0o600).open(path)
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
    #[cfg(target_os = "linux")]
    fn memory_and_time_grow() {
        let before = (peak_memory().unwrap(), processor_seconds().unwrap());
        let pages = std::hint::black_box(vec![1u8; 200 << 20]);
        assert!(pages.iter().map(|byte| u64::from(*byte)).sum::<u64>() == 200 << 20);
        let after = (peak_memory().unwrap(), processor_seconds().unwrap());
        assert!(after.0 >= 200 << 20 && after.0 >= before.0 && after.1 >= before.1, "{before:?} {after:?}");
    }
}
