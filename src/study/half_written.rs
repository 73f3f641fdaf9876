//! Files that are written beside their place and renamed once they are whole.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dejaview_base::system;

/// A hidden name beside a file that nobody else uses.
pub(crate) fn place_beside(place: &Path) -> PathBuf {
    static CREATED: AtomicU64 = AtomicU64::new(0);
    let (name, process) = (place.file_name().unwrap_or_default().to_string_lossy(), std::process::id());
    place.with_file_name(format!(".{name}.{process}-{}.part", CREATED.fetch_add(1, Ordering::Relaxed)))
}

/// So long nobody has written to a file that counts as left: on a shared folder a process of another machine may have the number
/// of one that has ended here.
const LEFT_AFTER: Duration = Duration::from_secs(3600);

/// Removes what processes that have ended left beside a file, when they were stopped before it was whole.
pub(crate) fn remove_left_beside(place: &Path) {
    let (Some(folder), Some(name)) = (place.parent(), place.file_name()) else { return };
    let name = format!(".{}.", name.to_string_lossy());
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let left = entry.file_name();
        let numbers = left.to_str().and_then(|left| left.strip_prefix(&name)?.strip_suffix(".part")?.split_once('-'));
        let process =
            numbers.filter(|(_, count)| count.parse::<u64>().is_ok()).and_then(|(process, _)| process.parse().ok());
        if process.is_some_and(system::has_ended) && is_left(&entry) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_left(entry: &fs::DirEntry) -> bool {
    let changed = entry.metadata().and_then(|metadata| metadata.modified());
    changed.is_ok_and(|changed| changed.elapsed().is_ok_and(|since| since >= LEFT_AFTER))
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn what_a_process_left_is_removed_once_nobody_can_be_writing_it() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("report.html");
        // No process has the first number, one has the second.
        let names = [
            ".report.html.4194305-0.part",
            ".report.html.1-0.part",
            ".other.html.4194305-0.part",
            ".report.html.x-0.part",
        ];
        let there = || names.map(|name| folder.path().join(name).exists());
        for name in names {
            fs::write(folder.path().join(name), "half").unwrap();
        }
        remove_left_beside(&place);
        assert_eq!(there(), [true; 4], "they are new");
        for name in names {
            let file = fs::File::options().write(true).open(folder.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() - LEFT_AFTER).unwrap();
        }
        remove_left_beside(&place);
        assert_eq!(there(), [false, true, true, true]);
    }
}
