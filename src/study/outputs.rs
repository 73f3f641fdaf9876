//! The one way in which commands write files for a person.
//!
//! A file is written beside its place and renamed when it is whole, so that a full disk or a kill leaves the old one. Files of
//! a study are never written over: its `study.toml`, its labels and samples, what runs keep, and what it is made of. Another
//! file that is there already is only replaced when this command wrote it and nobody has changed it since, or with `--force`.
//! What was written is noted in `.dejaview/outputs.json`; without that note `--force` is all that is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::StudyError;
use crate::half_written;
use crate::new_folders::NewFolders;
use crate::recipe::files::{matches, would_match};
use crate::recipe::{Pattern, Recipe, StatisticsFrom};
use crate::run::workspace::{read_json, write_json};
use crate::session::Session;
use dejaview_base::system::rename_new;
use dejaview_base::{hash, own_folder};
use dejaview_corpus::addresses::is_address;

/// Folders of a study that only the program writes to.
const OWN_FOLDERS: [&str; 3] = [own_folder::NAME, "labels", "samples"];

/// Where a command writes its results.
#[derive(Debug)]
pub struct Outputs<'a> {
    /// The study that the command is about, if there is one.
    session: Option<&'a Session>,
    /// Name of the command, `labels export` for one.
    command: &'static str,
    /// Replaces files that are no files of a study.
    force: bool,
    /// What lets a file be replaced that is there already.
    remedy: &'static str,
    /// Files that the command reads.
    inputs: Vec<PathBuf>,
    /// Places of the files that it has begun to write.
    begun: Mutex<BTreeSet<PathBuf>>,
}

/// What is noted about a file that was written.
#[derive(Debug, Serialize, Deserialize)]
struct Written {
    command: String,
    digest: String,
}

/// What is noted about files, by their path.
type Notes = BTreeMap<String, Written>;

impl<'a> Outputs<'a> {
    pub fn new(session: Option<&'a Session>, command: &'static str, force: bool) -> Self {
        Self {
            session,
            command,
            force,
            remedy: "add --force to replace it",
            inputs: Vec::new(),
            begun: Mutex::default(),
        }
    }

    /// Of a command without `--force`: what else helps where a file is there already.
    pub fn without_force(self, remedy: &'static str) -> Self {
        Self { remedy, ..self }
    }

    /// Also refuses to write over these files, which the command reads.
    pub fn reading<'p>(mut self, inputs: impl IntoIterator<Item = &'p PathBuf>) -> Self {
        self.inputs.extend(inputs.into_iter().cloned());
        self
    }

    /// Makes a new file that is written where it lies, bit by bit; one that is there is never replaced.
    pub fn create_new(&self, path: &Path) -> Result<File, StudyError> {
        let failed = |why| StudyError::File { doing: "writing", path: path.to_owned(), why };
        let taken = || self.refused(path, "it is there already; name a new file");
        let (place, there) = self.place(path)?;
        if there.is_some() {
            return Err(taken());
        }
        match File::options().write(true).create_new(true).open(&place) {
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => Err(taken()),
            made => made.map_err(failed),
        }
    }

    /// Begins to write a file. It is in its place once it is finished.
    pub fn create(&self, path: &Path) -> Result<OutputFile, StudyError> {
        let failed = |why| StudyError::File { doing: "writing", path: path.to_owned(), why };
        let (place, there) = self.place(path)?;
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            // A terminal or a pipe cannot be replaced; it takes what is written at once.
            let file = BufWriter::new(File::options().write(true).open(&place).map_err(failed)?);
            let (path, remedy) = (path.to_owned(), self.remedy);
            return Ok(OutputFile {
                path,
                place,
                temporary: None,
                is_new: false,
                file,
                noted: None,
                remedy,
                folder: None,
            });
        }
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if !begun.insert(place.clone()) {
            return Err(self.refused(path, "this command writes another of its files there; name another file"));
        }
        let temporary = half_written::place_beside(&place);
        half_written::remove_left_beside(&place);
        let file = File::create(&temporary).map_err(failed)?;
        let is_new = there.is_none();
        if let Some(there) = there {
            file.set_permissions(there.permissions()).map_err(failed)?;
        }
        let noted = self.session.map(|session| (session.workspace().outputs(), self.command));
        let (path, file, remedy) = (path.to_owned(), BufWriter::new(file), self.remedy);
        Ok(OutputFile { path, place, temporary: Some(temporary), is_new, file, noted, remedy, folder: None })
    }

    /// Where a file will stand, and what is there now; an error when it must not be written.
    fn place(&self, path: &Path) -> Result<(PathBuf, Option<fs::Metadata>), StudyError> {
        let failed = |why| StudyError::File { doing: "writing", path: path.to_owned(), why };
        if path.is_symlink() && !path.exists() {
            return Err(self.refused(path, "it is a link to a file that is not there"));
        }
        // A symbolic link is followed: what it points to is replaced, not the link.
        let place = fs::canonicalize(path).or_else(|_| place_of_new(path)).map_err(failed)?;
        let there = fs::metadata(&place).ok();
        match &there {
            Some(there) if there.is_dir() => return Err(self.refused(path, "it is a folder")),
            Some(there) if !there.is_file() => {}
            _ => self.check(path, &place, there.is_some())?,
        }
        Ok((place, there))
    }

    /// Says before long work that its result cannot be written.
    pub fn try_file(&self, path: &Path) -> Result<(), StudyError> {
        self.place(path).map(drop)
    }

    /// Says before long work that its results cannot be written into a folder: it is none and cannot be made, or this file in
    /// it must not be replaced. Leaves no trace.
    pub fn try_folder(&self, folder: &Path, file: &str) -> Result<(), StudyError> {
        let failed = |why| StudyError::File { doing: "writing into the folder", path: folder.to_owned(), why };
        must_be_no_own_file(folder)?;
        let there = folder.ancestors().find(|folder| folder.exists()).filter(|folder| !folder.as_os_str().is_empty());
        let there = there.unwrap_or(Path::new("."));
        if !there.is_dir() {
            return Err(self.refused(there, "it is a file, and a folder is wanted"));
        }
        let probe = half_written::place_beside(&there.join(file));
        File::create(&probe).and_then(|_| fs::remove_file(&probe)).map_err(failed)?;
        if folder.is_dir() { self.place(&folder.join(file)).map(drop) } else { Ok(()) }
    }

    /// Writes whole files, all or none.
    pub fn write_all(&self, files: &[(PathBuf, Vec<u8>)]) -> Result<(), StudyError> {
        finish_all(self.begin_all(files)?).map(drop)
    }

    /// Writes whole files beside their places, and makes the folders that they want; those into which nothing comes are removed
    /// again.
    pub fn begin_all(&self, files: &[(PathBuf, Vec<u8>)]) -> Result<Vec<OutputFile>, StudyError> {
        let folders = files.iter().filter_map(|(path, _)| path.parent()).collect::<BTreeSet<_>>();
        let folders = folders.into_iter().filter(|folder| !folder.as_os_str().is_empty());
        let make = |folder: &Path| must_be_no_own_file(folder).and_then(|()| NewFolders::make(folder));
        let made = Arc::new(folders.map(make).collect::<Result<Vec<_>, _>>()?);
        files.iter().try_for_each(|(path, _)| self.place(path).map(drop))?;
        let begin = |(path, bytes): &(PathBuf, Vec<u8>)| {
            let mut file = self.begin(path, bytes)?;
            file.folder = Some(Arc::clone(&made));
            Ok(file)
        };
        files.iter().map(begin).collect()
    }

    /// Writes a whole file beside its place.
    fn begin(&self, path: &Path, bytes: &[u8]) -> Result<OutputFile, StudyError> {
        let mut file = self.create(path)?;
        file.write_all(bytes).map_err(|why| StudyError::File { doing: "writing", path: path.to_owned(), why })?;
        Ok(file)
    }

    /// Writes a whole file.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), StudyError> {
        self.begin(path, bytes)?.finish()
    }

    /// Removes the files of a folder that this command wrote before, that nobody has changed since, and that are not among
    /// those `written` now; returns how many.
    pub fn remove_former(&self, folder: &Path, written: &[(PathBuf, Vec<u8>)]) -> Result<u64, StudyError> {
        let now: Vec<PathBuf> = written.iter().filter_map(|(path, _)| fs::canonicalize(path).ok()).collect();
        let notes = self.notes();
        let failed = |path: &Path, why| StudyError::File { doing: "removing", path: path.to_owned(), why };
        let mut removed = 0;
        if !folder.is_dir() {
            return Ok(0);
        }
        for entry in fs::read_dir(folder).map_err(|why| failed(folder, why))? {
            let place = entry.and_then(|entry| fs::canonicalize(entry.path())).map_err(|why| failed(folder, why))?;
            let note = notes.get(&*place.to_string_lossy());
            let is_own = note.is_some_and(|note| {
                note.command == self.command && hash::digest_of_file(&place).ok().as_ref() == Some(&note.digest)
            });
            if is_own && !now.contains(&place) {
                fs::remove_file(&place).map_err(|why| failed(&place, why))?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// An error when the file must not be written.
    fn check(&self, path: &Path, place: &Path, is_there: bool) -> Result<(), StudyError> {
        if let Some(what) = own_file(place) {
            return Err(
                self.refused(path, &format!("{what} of a study, which no command writes over; name another file"))
            );
        }
        if !is_there {
            return match self.session.and_then(|session| reading_pattern(session, place)) {
                Some(pattern) => {
                    let why = format!(
                        "study.toml reads \"{pattern}\", so it would be a file of this study; name another file"
                    );
                    Err(self.refused(path, &why))
                }
                None => Ok(()),
            };
        }
        if self.inputs.iter().any(|input| is_same(input, place)) {
            return Err(self.refused(path, "this command reads it; name another file"));
        }
        if let Some(what) = self.session.and_then(|session| input_of_study(session, place)) {
            return Err(self.refused(path, &format!("{what} of this study; name another file")));
        }
        let notes = self.notes();
        let note = notes.get(&*place.to_string_lossy());
        let own = note.filter(|note| note.command == self.command);
        if own.is_some_and(|own| hash::digest_of_file(place).is_ok_and(|digest| digest == own.digest)) {
            return Ok(());
        }
        if let Some((study, what)) = self.input_of_another(place) {
            let why = format!("{what} of the study in {}; name another file", study.display());
            return Err(self.refused(path, &why));
        }
        match note {
            _ if self.force => Ok(()),
            Some(note) if own.is_none() => {
                Err(self.refused(path, &format!("`dejaview {}` wrote it; {}", note.command, self.remedy)))
            }
            Some(_) => Err(self.refused(path, &format!("it was changed since this command wrote it; {}", self.remedy))),
            None => Err(self.refused(path, &format!("there is such a file already; {}", self.remedy))),
        }
    }

    /// What a file is that another study is made of, and where that study is: its folder is around the file. Of one whose
    /// study.toml cannot be read nobody knows which files it is made of.
    fn input_of_another(&self, place: &Path) -> Option<(PathBuf, &'static str)> {
        let own = self.session.and_then(|session| fs::canonicalize(session.folder()).ok());
        let studies = place.ancestors().skip(1).filter(|folder| folder.join("study.toml").is_file());
        let mut others = studies.filter(|folder| own.as_deref() != Some(*folder));
        let input = |folder: &Path| match Session::open(folder) {
            Ok(session) => input_of_study(&session, place),
            Err(_) => Some("this may be a file, since its study.toml cannot be read,"),
        };
        others.find_map(|folder| Some((folder.to_owned(), input(folder)?)))
    }

    fn refused(&self, path: &Path, why: &str) -> StudyError {
        StudyError::Refused { path: path.to_owned(), why: why.to_owned() }
    }

    fn notes(&self) -> Notes {
        self.session.and_then(|session| read_json(&session.workspace().outputs())).unwrap_or_default()
    }
}

/// Notes that a command wrote a file. That this cannot be noted is no failure: `--force` replaces the file.
fn note(notes_path: &Path, command: &str, place: &Path) {
    let mut notes: Notes = read_json(notes_path).unwrap_or_default();
    notes.retain(|path, _| Path::new(path).exists());
    if let Ok(digest) = hash::digest_of_file(place) {
        notes.insert(place.to_string_lossy().into_owned(), Written { command: command.to_owned(), digest });
    }
    let _ = notes_path.parent().map(own_folder::make);
    let _ = write_json(notes_path, &notes);
}

/// A file that is being written. Dropped before it is finished, it leaves nothing.
#[derive(Debug)]
pub struct OutputFile {
    /// As the person named it.
    path: PathBuf,
    place: PathBuf,
    /// Where it is written until it is finished; none for a terminal or a pipe.
    temporary: Option<PathBuf>,
    /// Whether no file was there when it was begun.
    is_new: bool,
    file: BufWriter<File>,
    /// Where it is noted that this command wrote it.
    noted: Option<(PathBuf, &'static str)>,
    /// What helps where a file is there by now.
    remedy: &'static str,
    /// Folders that were made for it and the files beside it.
    folder: Option<Arc<Vec<NewFolders>>>,
}

impl OutputFile {
    /// As the person named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Brings all of it to the disk, still beside its place.
    fn complete(&mut self) -> Result<(), StudyError> {
        let completed = self.file.flush().and_then(|()| match self.temporary {
            Some(_) => self.file.get_ref().sync_all(),
            None => Ok(()),
        });
        completed.map_err(|why| self.failed(why))
    }

    fn failed(&self, why: io::Error) -> StudyError {
        StudyError::File { doing: "writing", path: self.path.clone(), why }
    }

    /// Gives the file its name, which no other has got meanwhile where it was free.
    fn name(&self) -> Result<(), StudyError> {
        let Some(temporary) = &self.temporary else { return Ok(()) };
        let named = if self.is_new { rename_new(temporary, &self.place) } else { fs::rename(temporary, &self.place) };
        named.map_err(|why| match why.kind() {
            io::ErrorKind::AlreadyExists => {
                let why = format!("another process has written it meanwhile; {}", self.remedy);
                StudyError::Refused { path: self.path.clone(), why }
            }
            _ => self.failed(why),
        })
    }

    /// Puts the file in its place.
    pub fn finish(mut self) -> Result<(), StudyError> {
        self.complete()?;
        self.name()?;
        if self.temporary.take().is_some()
            && let Some((notes, command)) = &self.noted
        {
            note(notes, command, &self.place);
        }
        Ok(())
    }
}

/// Puts files in their places once all of them are whole on the disk; returns their paths. Where one cannot be put there, new
/// ones before it are removed again.
pub fn finish_all(mut files: Vec<OutputFile>) -> Result<Vec<PathBuf>, StudyError> {
    let paths = files.iter().map(|file| file.path().to_owned()).collect();
    files.iter_mut().try_for_each(OutputFile::complete)?;
    // Kept until all are put there, or removed: then a folder that is empty goes, too.
    let _folders: Vec<_> = files.iter().map(|file| file.folder.clone()).collect();
    let mut new: Vec<PathBuf> = Vec::new();
    for file in files {
        let place = file.is_new.then(|| file.place.clone());
        if let Err(why) = file.finish() {
            new.iter().for_each(|place| drop(fs::remove_file(place)));
            return Err(why);
        }
        new.extend(place);
    }
    Ok(paths)
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// The place of a file that is not there yet: its folder must be.
fn place_of_new(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(fs::canonicalize(folder)?.join(name))
}

/// What a file is to the study in whose folder it is, if it is one of those that only the program writes.
fn own_file(place: &Path) -> Option<&'static str> {
    let studies = place.ancestors().skip(1).filter(|folder| folder.join("study.toml").is_file());
    let own = |study: &Path| {
        let inside = place.strip_prefix(study).ok()?;
        let first = inside.components().next()?.as_os_str();
        match inside == Path::new("study.toml") {
            true => Some("this is the study.toml"),
            false if OWN_FOLDERS.iter().any(|folder| first == *folder) => {
                Some("this is in the labels, samples or results")
            }
            false => None,
        }
    };
    studies.filter_map(own).next()
}

/// Refuses a place in the labels, samples or results of a study, for a file or a folder that need not be there yet.
pub fn must_be_no_own_file(path: &Path) -> Result<(), StudyError> {
    let failed = |why: io::Error| {
        let why = match why.kind() {
            io::ErrorKind::NotFound => io::Error::other(
                "the folder that this command was started in is gone; go to one that is there, or name the whole path",
            ),
            _ => why,
        };
        StudyError::File { doing: "looking for", path: path.to_owned(), why }
    };
    let whole = std::path::absolute(path).map_err(failed)?;
    let there = whole.ancestors().find_map(|folder| Some((folder, fs::canonicalize(folder).ok()?)));
    let Some((folder, real)) = there else { return Ok(()) };
    let place = whole.strip_prefix(folder).map_or(real.clone(), |rest| real.join(rest));
    match own_file(&place) {
        Some(what) => {
            let why = format!("{what} of a study, where only the program writes; name another place");
            Err(StudyError::Refused { path: path.to_owned(), why })
        }
        None => Ok(()),
    }
}

/// The patterns by which a study names its files, each with what these are.
fn patterns(recipe: &Recipe) -> impl Iterator<Item = (&Pattern, &'static str)> {
    let (source, targets) = (&recipe.source, &recipe.targets);
    let are = |what: &'static str| move |pattern| (pattern, what);
    let lists = source.urls.iter().chain(targets.iter().flat_map(|target| &target.urls));
    let imported = recipe.configurations.iter().filter_map(|configuration| configuration.pairs.as_ref());
    let documents = source.documents.iter().chain(targets.iter().flat_map(|target| &target.documents));
    let documents = documents.chain(match &recipe.statistics {
        StatisticsFrom::Path(pattern) => Some(pattern),
        _ => None,
    });
    let of_judgments = source.judgments.iter().map(are("this is a file of judgments"));
    let of_topics = source.topics.iter().map(are("this is a file of topics"));
    let of_lists = lists.chain(imported).map(are("this is a file of URLs or pairs"));
    let of_documents = documents.map(are("this is a file of documents"));
    let all = of_judgments.chain(of_topics).chain(of_lists).chain(of_documents);
    all.filter(|(pattern, _)| !is_address(Path::new(&pattern.glob)))
}

/// What a file is that the study is made of. Each pattern is asked by itself: one that names no file lets no other file be lost.
fn input_of_study(session: &Session, place: &Path) -> Option<&'static str> {
    let (folder, recipe) = (session.folder(), session.recipe());
    if recipe.labels.guidelines.as_ref().is_some_and(|name| is_same(&folder.join(name), place)) {
        return Some("these are the guidelines");
    }
    let names = |pattern| matches(folder, pattern).unwrap_or_default().iter().any(|path| is_same(path, place));
    patterns(recipe).find(|(pattern, _)| names(pattern)).map(|(_, what)| what)
}

/// The pattern by which the study would read a file that is not there yet.
fn reading_pattern<'s>(session: &'s Session, place: &Path) -> Option<&'s str> {
    let (folder, recipe) = (session.folder(), session.recipe());
    let mut patterns = patterns(recipe).map(|(pattern, _)| pattern);
    patterns.find(|pattern| would_match(folder, pattern, place)).map(|pattern| pattern.glob.as_str())
}

/// Whether a path leads to a file, given by its canonical path.
fn is_same(path: &Path, place: &Path) -> bool {
    (path.file_name() == place.file_name() || path.is_symlink())
        && fs::canonicalize(path).is_ok_and(|path| path == place)
}
