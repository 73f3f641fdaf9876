//! Where a journal's bytes lie. A trait, so that tests can fill the disk, tear a write or slow a sync down.

use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use dejaview_base::line_limits::Lines;
use dejaview_base::own_folder;
use dejaview_base::system::{create_private, identity, must_not_wait, open_file};

/// The file that has the journal's name now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileState {
    /// Its length in bytes; 0 when there is nothing.
    pub length: u64,
    /// Whether it is another file than at the last look.
    pub replaced: bool,
}

/// A file that only grows, but for cutting off what failed.
pub trait Storage: fmt::Debug + Send {
    /// Where it lies, for messages.
    fn path(&self) -> &Path;
    /// Looks at the file that has the name now; later calls use that file.
    fn look(&mut self) -> io::Result<FileState>;
    /// All its lines; none when there is no file.
    fn read(&mut self) -> io::Result<Lines>;
    /// Writes at its end, making it if need be. After an error any part may have been written.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Cuts it to a length.
    fn cut(&mut self, length: u64) -> io::Result<()>;
    /// Returns when all that was appended is on the disk.
    fn sync(&mut self) -> io::Result<()>;
    /// Keeps bytes that are about to be cut off, on the disk, outside the journal.
    fn set_aside(&mut self, bytes: &[u8]) -> io::Result<()>;
}

/// A file on disk.
#[derive(Debug)]
pub struct Disk {
    path: PathBuf,
    file: Option<File>,
    /// Whether its name is not yet known to be on the disk.
    unnamed: bool,
}

impl Disk {
    /// The file of this path, which need not exist: the first append makes it.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), file: None, unnamed: false }
    }

    fn file(&mut self) -> io::Result<&mut File> {
        if self.file.is_none() {
            if let Some(folder) = self.path.parent() {
                fs::create_dir_all(folder)?;
            }
            self.unnamed = true;
            self.file = Some(File::options().append(true).create(true).open(&self.path)?);
        }
        self.file.as_mut().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Storage for Disk {
    fn path(&self) -> &Path {
        &self.path
    }

    fn look(&mut self) -> io::Result<FileState> {
        must_not_wait(&self.path)?;
        let there = match fs::metadata(&self.path) {
            Ok(there) => Some(there),
            Err(why) if why.kind() == io::ErrorKind::NotFound => None,
            Err(why) => return Err(why),
        };
        let length = there.as_ref().map_or(0, Metadata::len);
        let Some(file) = &self.file else { return Ok(FileState { length, replaced: false }) };
        let mine = file.metadata()?;
        let replaced = there.is_none_or(|there| identity(&there) != identity(&mine));
        if replaced {
            self.file = None;
        }
        Ok(FileState { length, replaced })
    }

    fn read(&mut self) -> io::Result<Lines> {
        match open_file(&self.path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(Lines::default()),
            file => Lines::read(file?),
        }
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file()?.write_all(bytes)
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        // A file that is open for appending alone cannot be cut on every system.
        File::options().write(true).open(&self.path)?.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file()?.sync_data()?;
        if self.unnamed {
            sync_folders(&self.path)?;
            self.unnamed = false;
        }
        Ok(())
    }

    fn set_aside(&mut self, bytes: &[u8]) -> io::Result<()> {
        let path = self.path.with_extension("torn");
        let mut file = File::options().append(true).create(true).open(&path)?;
        file.write_all(bytes)?;
        file.write_all(b"\n")?;
        file.sync_all()?;
        sync_folders(&path)
    }
}

/// Refuses where a study has gone: its disk, or its folder to another place. What is written into a folder that was made in
/// its place would be found by nobody.
pub(super) fn still_there(study: &Path) -> io::Result<()> {
    match fs::metadata(study.join("study.toml")) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => {
            Err(io::Error::new(why.kind(), "the study is gone: its disk, or its folder to another place"))
        }
        there => there.map(|_| ()),
    }
}

/// Puts a small file in its place, whole: it is written beside. Without `lasts` it may be gone after the power failed.
pub(super) fn put_in_place(path: &Path, bytes: &[u8], lasts: bool) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        own_folder::make(folder)?;
    }
    let temporary = path.with_extension("part");
    must_not_wait(&temporary)?;
    let mut file = File::create(&temporary)?;
    file.write_all(bytes)?;
    if lasts {
        file.sync_data()?;
    }
    fs::rename(&temporary, path)
}

/// Puts lines that no journal would take into a new file, on the disk, readable by its owner alone.
pub fn keep_unsaved(path: &Path, lines: &str) -> io::Result<()> {
    let mut file = create_private(path)?;
    file.write_all(lines.as_bytes())?;
    file.write_all(b"\n")?;
    file.sync_all()
}

/// Makes the name of a new file, and of a new folder around it, last.
fn sync_folders(path: &Path) -> io::Result<()> {
    for folder in path.ancestors().skip(1).take(2).filter(|folder| !folder.as_os_str().is_empty()) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}
