//! The files that a study's patterns name, as they lie on disk now.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::StudyError;
use crate::recipe::addresses;
use crate::recipe::finding::{self, FindError};
use crate::recipe::{ConfigurationRecipe, Pattern, Recipe, TargetRecipe};
use dejaview_base::system;
use dejaview_corpus::qrels::QrelsFile;
use dejaview_corpus::{Input, clueweb};

/// All input files of a study.
#[derive(Debug, Clone, Default)]
pub struct Corpora {
    /// Files of the source, in order of their names within each pattern.
    pub source: Vec<Input>,
    /// The target's segments, in the order of the study.
    pub segments: Vec<Segment>,
}

/// One named part of the target.
#[derive(Debug, Clone)]
pub struct Segment {
    pub name: String,
    pub inputs: Vec<Input>,
    /// Whether it holds the imported pairs whose documents are in no other segment; it has no files then.
    pub imported: bool,
}

impl Corpora {
    /// Finds the files. A pattern without a file is an error that names its key and line.
    pub fn find(folder: &Path, recipe: &Recipe) -> Result<Self, StudyError> {
        let source = source_files(folder, recipe)?;
        for list in recipe.source.urls.iter().chain(recipe.targets.iter().flat_map(|target| &target.urls)) {
            list_files(folder, list)?;
        }
        let importing = imports_pairs(&recipe.configurations);
        let mut segments: Vec<Segment> = Vec::new();
        for (number, target) in recipe.targets.iter().enumerate() {
            for segment in segments_of(folder, recipe, number, target)? {
                let taken = importing && segment.name == IMPORTED;
                if taken || segments.iter().any(|other| other.name == segment.name) {
                    return Err(StudyError::Key {
                        path: Recipe::file(folder),
                        line: target.line,
                        key: "target.segment".to_owned(),
                        problem: format!("makes two segments named \"{}\"; name them with `segment`", segment.name),
                    });
                }
                if let Some((file, other)) = shared_file(&segment, &segments) {
                    return Err(StudyError::Key {
                        path: Recipe::file(folder),
                        line: target.line,
                        key: "target.documents".to_owned(),
                        problem: format!(
                            "puts {} into segment \"{}\", and it is in segment \"{other}\" already; a file belongs to one \
                             segment, so make the patterns narrower",
                            file.display(),
                            segment.name
                        ),
                    });
                }
                segments.push(segment);
            }
        }
        if importing {
            segments.push(Segment { name: IMPORTED.to_owned(), inputs: Vec::new(), imported: true });
        }
        Ok(Self { source, segments })
    }

    /// Leaves out the source files that cannot hold any of these documents, where the layout of ClueWeb tells.
    pub fn only_files_of<'a>(&mut self, ids: impl Iterator<Item = &'a str>) {
        let files = clueweb::ClueWebFiles::of_documents(ids);
        self.source.retain(|input| files.may_hold(&input.path));
    }

    /// The files of all segments.
    pub fn targets(&self) -> impl Iterator<Item = Input> {
        self.segments.iter().flat_map(|segment| &segment.inputs).cloned()
    }

    /// Bytes on disk.
    pub fn bytes(inputs: &[Input]) -> u64 {
        inputs.iter().map(|input| input.size).sum()
    }
}

/// A file of a segment that another has, and the name of that one: its documents would count twice under one id.
fn shared_file<'a>(segment: &'a Segment, others: &'a [Segment]) -> Option<(&'a Path, &'a str)> {
    let files: HashSet<&Path> = segment.inputs.iter().map(|input| input.path.as_path()).collect();
    let mut all = others.iter().flat_map(|other| other.inputs.iter().map(move |input| (input, other)));
    all.find(|(input, _)| files.contains(input.path.as_path())).map(|(input, other)| (&*input.path, &*other.name))
}

pub(crate) fn judgment_files(folder: &Path, recipe: &Recipe) -> Result<Vec<QrelsFile>, StudyError> {
    let mut files = Vec::new();
    for pattern in &recipe.source.judgments {
        for path in list_files(folder, pattern)? {
            files.push(QrelsFile { path, track: pattern.track.clone() });
        }
    }
    Ok(files)
}

/// The files of topic texts.
pub(crate) fn topic_files(folder: &Path, recipe: &Recipe) -> Result<Vec<PathBuf>, StudyError> {
    let mut files = Vec::new();
    for pattern in &recipe.source.topics {
        files.extend(list_files(folder, pattern)?);
    }
    Ok(files)
}

/// The files of the source, in order of their names within each pattern.
pub(crate) fn source_files(folder: &Path, recipe: &Recipe) -> Result<Vec<Input>, StudyError> {
    inputs(folder, recipe, &recipe.source.documents)
}

/// The segments of a target, given its number.
pub(crate) fn segments_of(
    folder: &Path,
    recipe: &Recipe,
    number: usize,
    target: &TargetRecipe,
) -> Result<Vec<Segment>, StudyError> {
    if target.segment.is_none()
        && let [pattern] = &target.documents[..]
    {
        let path = folder.join(&pattern.glob);
        let own = |entry: &PathBuf| finding::is_own_file(folder, &pattern.glob, entry);
        let inside = if path.is_dir() { shown_entries(&path)? } else { Vec::new() };
        let inside: Vec<PathBuf> = inside.into_iter().filter(|entry| !own(entry)).collect();
        let folders: Vec<PathBuf> = inside.iter().filter(|entry| entry.is_dir()).cloned().collect();
        if !folders.is_empty() {
            if let Some(loose) = inside.iter().find(|entry| !entry.is_dir()) {
                return Err(StudyError::Key {
                    path: Recipe::file(folder),
                    line: pattern.line,
                    key: pattern.key.clone(),
                    problem: format!(
                        "names a folder with both folders and files ({}); give the files a [[target]] of their own",
                        loose.display()
                    ),
                });
            }
            return folders
                .into_iter()
                .map(|entry| {
                    let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    Ok(Segment { name, inputs: as_inputs(folder, recipe, below(&entry)?, pattern)?, imported: false })
                })
                .collect();
        }
    }
    let name = target.segment.clone().unwrap_or_else(|| format!("{number:02}"));
    Ok(vec![Segment { name, inputs: inputs(folder, recipe, &target.documents)?, imported: false }])
}

/// The folders in a folder, sorted, each of which is a segment where the folder is given as a target; none where it has no
/// folders or is none.
pub(crate) fn segment_folders(path: &Path) -> Result<Vec<PathBuf>, StudyError> {
    let inside = if path.is_dir() { shown_entries(path)? } else { Vec::new() };
    Ok(inside.into_iter().filter(|entry| entry.is_dir()).collect())
}

/// What is in a folder and not hidden, sorted.
fn shown_entries(folder: &Path) -> Result<Vec<PathBuf>, StudyError> {
    Ok(sorted_entries(folder)?.into_iter().filter(|entry| !hidden(entry)).collect())
}

fn hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// What methods are fitted to where the study names a path: documents, or the statistics of the study whose folder it is.
pub(crate) fn statistics_inputs(folder: &Path, recipe: &Recipe, pattern: &Pattern) -> Result<Vec<Input>, StudyError> {
    let is_study = folder.join(&pattern.glob).join("study.toml").is_file();
    let stored = Pattern { glob: format!("{}/.dejaview/statistics", pattern.glob), ..pattern.clone() };
    inputs(folder, recipe, std::slice::from_ref(if is_study { &stored } else { pattern }))
}

/// The files of these patterns, to be read as the study says.
pub(crate) fn inputs(folder: &Path, recipe: &Recipe, patterns: &[Pattern]) -> Result<Vec<Input>, StudyError> {
    let mut inputs = Vec::new();
    for pattern in patterns {
        if addresses::is_pattern(pattern) {
            inputs.extend(addresses::listed_inputs(folder, recipe, pattern)?);
            continue;
        }
        let files = matches(folder, pattern)?;
        inputs.extend(as_inputs(folder, recipe, files, pattern)?);
    }
    let mut seen = HashSet::new();
    inputs.retain(|input: &Input| seen.insert(input.path.clone()));
    Ok(inputs)
}

fn as_inputs(folder: &Path, recipe: &Recipe, files: Vec<PathBuf>, pattern: &Pattern) -> Result<Vec<Input>, StudyError> {
    files
        .into_iter()
        .map(|path| {
            let size = match fs::metadata(&path) {
                Ok(file) => file.len(),
                // A link to a file that is not there, or to itself, is listed with what was not read.
                Err(_) if path.is_symlink() => 0,
                Err(why) => return Err(StudyError::File { doing: "reading", path, why }),
            };
            let name = finding::name(path.strip_prefix(folder).unwrap_or(&path));
            Ok(Input { path, name, format: pattern.format, status: recipe.status, size })
        })
        .collect()
}

/// Files that a pattern names, sorted; a folder stands for all files below it. Files of the study itself are no documents,
/// unless the pattern names their folder.
pub(crate) fn matches(folder: &Path, pattern: &Pattern) -> Result<Vec<PathBuf>, StudyError> {
    let wrong = |problem: String| StudyError::Key {
        path: Recipe::file(folder),
        line: pattern.line,
        key: pattern.key.clone(),
        problem,
    };
    let found = finding::find(folder, &pattern.glob).map_err(|failure| match failure {
        FindError::Pattern(why) => wrong(format!("\"{}\" is not a pattern for files: {why}", pattern.glob)),
        FindError::Folder(path, why) => {
            wrong(format!("\"{}\" cannot be looked at: {}: {why}", pattern.glob, path.display()))
        }
    })?;
    let mut files = Vec::new();
    for path in found {
        if path.is_dir() { files.extend(below(&path)?) } else { files.push(path) }
    }
    files.retain(|path| !finding::is_own_file(folder, &pattern.glob, path));
    files.sort();
    files.dedup();
    if files.is_empty() {
        return Err(wrong(format!("\"{}\" matches no file; patterns are relative to this file", pattern.glob)));
    }
    Ok(files)
}

/// Files of lists that a pattern names: judgments, topics, URLs, pairs. A pipe among them is an error, as nobody may ever
/// write into it; documents tell theirs with what was not read.
pub(crate) fn list_files(folder: &Path, pattern: &Pattern) -> Result<Vec<PathBuf>, StudyError> {
    let files = matches(folder, pattern)?;
    for path in &files {
        let failed = |why| StudyError::File { doing: "reading", path: path.clone(), why };
        system::must_not_wait(path).map_err(failed)?;
    }
    Ok(files)
}

/// Whether a pattern will name a file once it is there. The file is given by its canonical path.
pub(crate) fn would_match(folder: &Path, pattern: &Pattern, place: &Path) -> bool {
    finding::would_find(folder, &pattern.glob, place)
}

/// All files below a folder, sorted.
fn below(folder: &Path) -> Result<Vec<PathBuf>, StudyError> {
    finding::below(folder).map_err(|(path, why)| StudyError::File { doing: "looking into", path, why })
}

fn sorted_entries(folder: &Path) -> Result<Vec<PathBuf>, StudyError> {
    finding::sorted_entries(folder).map_err(|why| StudyError::File {
        doing: "looking into",
        path: folder.to_owned(),
        why,
    })
}

/// Name of the segment of imported pairs whose documents the study does not have.
pub const IMPORTED: &str = "imported";

/// Whether a study has a configuration that imports pairs.
pub(crate) fn imports_pairs(configurations: &[ConfigurationRecipe]) -> bool {
    configurations.iter().any(|c| c.pairs.is_some())
}
