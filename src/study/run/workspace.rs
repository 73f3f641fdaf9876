//! The paths in `.dejaview/`, which holds everything of a study that can be made again.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::StudyError;
use dejaview_base::locked::LockedFile;
use dejaview_base::{own_folder, system};
use dejaview_index::{Index, segments_folder, texts_path};

/// How often a run tries to get the lock: somebody who looks whether one is at work has it for a moment.
const LOCK_TRIES: u32 = 5;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Folders that hold one file for each segment.
const SEGMENT_FOLDERS: [&str; 4] = ["segments", "both", "skipped", "ids"];

/// The folder `.dejaview` of a study.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    study: PathBuf,
    root: PathBuf,
}

impl Workspace {
    pub(crate) fn new(study: &Path) -> Self {
        Self { study: study.to_owned(), root: own_folder::of(study) }
    }

    pub(crate) fn manifest(&self) -> PathBuf {
        self.root.join("manifest.json")
    }

    pub(crate) fn skipped(&self) -> PathBuf {
        self.root.join("skipped.tsv")
    }

    pub(crate) fn index(&self) -> PathBuf {
        self.root.join("index")
    }

    /// Lines that stand on many pages of their host.
    pub(crate) fn lines(&self) -> PathBuf {
        self.root.join("lines")
    }

    /// What methods were fitted to.
    pub(crate) fn statistics(&self) -> PathBuf {
        self.root.join("statistics")
    }

    /// Keys that too many documents share, where two corpora are joined; there when there are any.
    pub(crate) fn capped(&self) -> PathBuf {
        self.root.join("capped.tsv")
    }

    /// Sorted sketches, while two corpora are joined.
    pub(crate) fn sketches(&self) -> PathBuf {
        self.root.join("sketches.part")
    }

    /// What workers are given.
    pub(crate) fn kit(&self) -> PathBuf {
        self.root.join("workers.kit")
    }

    /// What workers found, until it is gathered.
    pub(crate) fn found(&self) -> PathBuf {
        self.root.join("found")
    }

    /// What tasks of a cluster tell of the sketches that they joined.
    pub(crate) fn joined(&self) -> PathBuf {
        self.root.join("joined")
    }

    /// The settings of Hadoop's file systems, as Spark has them.
    pub(crate) fn hadoop(&self) -> PathBuf {
        self.root.join("hadoop")
    }

    /// Removes what was given to workers, and what they found: all of it is gathered.
    pub(crate) fn remove_work(&self) -> Result<(), StudyError> {
        for folder in [self.found(), self.joined(), self.hadoop()] {
            remove(&folder, fs::remove_dir_all(&folder))?;
        }
        for name in ["workers.kit", "spark.py", "spark.json", "spark.log"] {
            let path = self.root.join(name);
            remove(&path, fs::remove_file(&path))?;
        }
        Ok(())
    }

    /// The similar pairs of both sides, once an audit has looked for them.
    pub(crate) fn similar_pairs(&self) -> PathBuf {
        self.root.join("alike.json")
    }

    /// A finished part of long work that is no run.
    pub(crate) fn part(&self, name: &str) -> PathBuf {
        self.root.join("parts").join(format!("{name}.json"))
    }

    pub(crate) fn pairs(&self, configuration: &str, segment: &str) -> PathBuf {
        self.root.join("pairs").join(configuration).join(format!("{segment}.pairs"))
    }

    /// The records of a segment, or of the source where it has no name, that were not read; written before the facts about it.
    pub(crate) fn skipped_of(&self, segment: &str) -> PathBuf {
        match segment {
            "" => self.root.join("source.skipped"),
            _ => self.root.join("skipped").join(format!("{segment}.skipped")),
        }
    }

    /// Facts about a finished segment; there once its pairs are.
    pub(crate) fn segment(&self, segment: &str) -> PathBuf {
        self.root.join("segments").join(format!("{segment}.json"))
    }

    /// Names of the segments that facts are noted of, in order.
    pub(crate) fn noted_segments(&self) -> Vec<String> {
        let entries = fs::read_dir(self.root.join("segments")).into_iter().flatten().flatten();
        let name = |entry: fs::DirEntry| Some(entry.file_name().to_str()?.strip_suffix(".json")?.to_owned());
        let mut names: Vec<String> = entries.filter_map(name).collect();
        names.sort();
        names
    }

    /// Ids of the documents of a segment that are documents of the source; there when there are any.
    pub(crate) fn both(&self, segment: &str) -> PathBuf {
        self.root.join("both").join(format!("{segment}.json"))
    }

    /// Hashes of the ids of the documents that count in a segment; there where not all texts are kept.
    pub(crate) fn ids(&self, segment: &str) -> PathBuf {
        self.root.join("ids").join(format!("{segment}.ids"))
    }

    /// Files of facts about segments, finished now or by earlier runs, by name.
    fn segment_files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.root.join("segments")).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort();
        files
    }

    /// Files of which one changes whenever a run has finished something that a snapshot shows: pairs and texts are written
    /// before the facts about their segment, and the words of all texts at the end.
    pub(crate) fn written_by_runs(&self) -> impl Iterator<Item = PathBuf> {
        let single = [self.source(), self.statistics(), self.lines(), Index::words_path(&self.index())];
        single.into_iter().chain(self.segment_files())
    }

    /// What is noted about files that commands wrote for a person.
    pub(crate) fn outputs(&self) -> PathBuf {
        self.root.join("outputs.json")
    }

    /// Facts about the source as it was last read.
    pub(crate) fn source(&self) -> PathBuf {
        self.root.join("source.json")
    }

    /// What the run that is at work reports; left behind by one that did not reach its end.
    pub(crate) fn run_report(&self) -> PathBuf {
        self.root.join("run.json")
    }

    /// There when the run that is at work shall stop.
    pub(crate) fn stop_request(&self) -> PathBuf {
        self.root.join("run.stop")
    }

    fn lock_file(&self) -> PathBuf {
        self.root.join("run.lock")
    }

    /// Makes the folders that a run writes to.
    pub(crate) fn create(&self, configurations: &[&str]) -> Result<(), StudyError> {
        let mut folders: Vec<PathBuf> = SEGMENT_FOLDERS.map(|folder| self.root.join(folder)).into();
        folders.push(segments_folder(&self.index()));
        folders.extend(configurations.iter().map(|name| self.root.join("pairs").join(name)));
        for path in folders {
            fs::create_dir_all(&path).map_err(|why| StudyError::File { doing: "making the folder", path, why })?;
        }
        Ok(())
    }

    /// Removes what earlier runs made. Labels and samples lie elsewhere and stay.
    pub(crate) fn clear(&self) -> Result<(), StudyError> {
        self.must_take_files()?;
        for path in SEGMENT_FOLDERS.into_iter().chain(["pairs", "index"]).map(|folder| self.root.join(folder)) {
            remove(&path, fs::remove_dir_all(&path))?;
        }
        let files = [self.manifest(), self.skipped(), self.skipped_of(""), self.source(), self.statistics()];
        for path in files.into_iter().chain([self.lines(), self.similar_pairs(), self.capped()]) {
            remove(&path, fs::remove_file(&path))?;
        }
        self.remove_work()?;
        self.remove_former_files()
    }

    /// An error where nothing can be written: what is there must stay then, for it could not be made again.
    fn must_take_files(&self) -> Result<(), StudyError> {
        if !self.root.exists() {
            return Ok(());
        }
        let probe = self.root.join("probe.part");
        let tried = fs::File::create(&probe).and_then(|_| fs::remove_file(&probe));
        tried.map_err(|why| StudyError::File { doing: "writing", path: probe, why })
    }

    /// Removes texts and titles as versions up to 0.1 kept them.
    pub(crate) fn remove_former_files(&self) -> Result<(), StudyError> {
        if self.index().join("meta.json").exists() {
            remove(&self.index(), fs::remove_dir_all(self.index()))?;
        }
        let (titles, source_titles) = (self.root.join("titles"), self.root.join("source.titles"));
        remove(&titles, fs::remove_dir_all(&titles))?;
        remove(&source_titles, fs::remove_file(&source_titles))
    }

    /// Removes the texts of the source, and those of all segments but these.
    pub(crate) fn remove_texts_beside(&self, finished: &[String]) -> Result<(), StudyError> {
        let kept: Vec<PathBuf> = finished.iter().map(|segment| texts_path(&self.index(), segment)).collect();
        let files =
            fs::read_dir(segments_folder(&self.index())).into_iter().flatten().flatten().map(|entry| entry.path());
        let files = files.chain([texts_path(&self.index(), "")]);
        for path in files.filter(|path| !kept.contains(path)) {
            remove(&path, fs::remove_file(&path))?;
        }
        Ok(())
    }

    /// Removes what a run that was killed left behind: files half written.
    pub(crate) fn tidy(&self) -> Result<(), StudyError> {
        let pairs = fs::read_dir(self.root.join("pairs")).into_iter().flatten().flatten().map(|entry| entry.path());
        let folders = SEGMENT_FOLDERS.into_iter().chain(["", "index"]).map(|folder| self.root.join(folder));
        for folder in pairs.chain(folders).chain([segments_folder(&self.index())]) {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.extension().is_some_and(|extension| extension == "part") {
                    remove(&path, fs::remove_file(&path))?;
                }
            }
        }
        Ok(())
    }

    /// A lock that keeps other runs out until it is dropped; the system releases it however this process ends.
    pub(crate) fn lock(&self) -> Result<LockedFile, StudyError> {
        let path = self.lock_file();
        let failed = |why| StudyError::File { doing: "locking", path: path.clone(), why };
        own_folder::make(&self.root).map_err(failed)?;
        system::must_not_wait(&path).map_err(failed)?;
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        for _ in 0..LOCK_TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(LockedFile::held(file)),
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
                Err(TryLockError::Error(why)) => return Err(failed(why)),
            }
        }
        Err(StudyError::Busy { path: self.study.clone() })
    }

    /// Whether a run holds the lock.
    pub(crate) fn is_locked(&self) -> bool {
        let file = system::open_file(&self.lock_file());
        file.is_ok_and(|file| matches!(LockedFile::held(file).try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

fn remove(path: &Path, result: std::io::Result<()>) -> Result<(), StudyError> {
    match result {
        Err(why) if why.kind() != std::io::ErrorKind::NotFound => {
            Err(StudyError::File { doing: "removing", path: path.to_owned(), why })
        }
        _ => Ok(()),
    }
}

/// Writes a file under a temporary name, syncs it and renames it into place.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StudyError> {
    let temporary = path.with_extension("part");
    let put = || {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    put().map_err(|why| StudyError::File { doing: "writing", path: path.to_owned(), why })
}

/// Writes a value as JSON, one key a line.
pub(crate) fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), StudyError> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|why| StudyError::File {
        doing: "writing",
        path: path.to_owned(),
        why: why.into(),
    })?;
    bytes.push(b'\n');
    write_whole(path, &bytes)
}

/// Reads a value from JSON; none when there is no such file or it is not what it should be. A disk that fails is an error:
/// nobody knows what the file says.
pub(crate) fn read_stored<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, StudyError> {
    match system::read_file(path) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(StudyError::File { doing: "reading", path: path.to_owned(), why }),
    }
}

/// The same for what can be done without.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Option<T> {
    read_stored(path).ok().flatten()
}
