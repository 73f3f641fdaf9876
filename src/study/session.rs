//! A study as it is opened: its folder, what `study.toml` asks for, and where results lie.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::StudyError;
use crate::label::population::Populations;
use crate::recipe::Recipe;
use crate::recipe::files::{Corpora, judgment_files, topic_files};
use crate::run::workspace::Workspace;
use dejaview_corpus::qrels::{self, Judgments};
use dejaview_corpus::topics::{self, Topics};

/// Size and date of a file; none where it is not there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FileStamp(Option<(u64, SystemTime)>);

impl FileStamp {
    pub(crate) fn of(path: &Path) -> Self {
        Self(fs::metadata(path).and_then(|file| Ok((file.len(), file.modified()?))).ok())
    }
}

/// An open study. It can be run; what a run found is asked of a [`Snapshot`](crate::Snapshot) of it.
#[derive(Debug, Clone)]
pub struct Session {
    folder: PathBuf,
    recipe: Arc<Recipe>,
    /// Of the `study.toml` that the recipe was read from; none where it was read from no file.
    recipe_stamp: FileStamp,
    workspace: Workspace,
    /// Shared with every snapshot: they are known by the digest of their files, so a new run makes none of them wrong, and
    /// adding up the pairs of a large study takes a while.
    populations: Arc<Populations>,
}

impl Session {
    /// Opens a study: its folder, or the `study.toml` in it. Reads nothing but that file.
    pub fn open(path: &Path) -> Result<Self, StudyError> {
        let folder = match path.file_name() {
            Some(name) if name == "study.toml" => path.parent().unwrap_or(Path::new("")),
            _ => path,
        };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let (recipe_stamp, recipe) = read_recipe(folder)?;
        Ok(Self { recipe_stamp, ..Self::new(folder, recipe) })
    }

    /// A study in a folder, by a recipe.
    pub(crate) fn new(folder: &Path, recipe: Recipe) -> Self {
        let (workspace, populations) = (Workspace::new(folder), Arc::default());
        let (folder, recipe, recipe_stamp) = (folder.to_owned(), Arc::new(recipe), FileStamp::default());
        Self { folder, recipe, recipe_stamp, workspace, populations }
    }

    /// The same study as its `study.toml` is now.
    pub(crate) fn opened_again(&self) -> Result<Self, StudyError> {
        let (recipe_stamp, recipe) = read_recipe(&self.folder)?;
        Ok(Self { recipe: Arc::new(recipe), recipe_stamp, ..self.clone() })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// `study.toml` as it is now.
    pub(crate) fn recipe_stamp_now(&self) -> FileStamp {
        FileStamp::of(&Recipe::file(&self.folder))
    }

    /// `study.toml` as it was when the recipe was read.
    pub(crate) fn recipe_stamp(&self) -> &FileStamp {
        &self.recipe_stamp
    }

    pub fn recipe(&self) -> &Arc<Recipe> {
        &self.recipe
    }

    pub(crate) fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Populations of samples that were looked through.
    pub(crate) fn populations(&self) -> &Populations {
        &self.populations
    }

    /// The input files as they lie on disk now.
    pub fn corpora(&self) -> Result<Corpora, StudyError> {
        Corpora::find(&self.folder, &self.recipe)
    }

    /// Reads the judgments; none when the study has none. Needs no run and no documents.
    pub fn read_judgments(&self) -> Result<Option<Judgments>, StudyError> {
        let files = judgment_files(&self.folder, &self.recipe)?;
        if files.is_empty() { Ok(None) } else { Ok(Some(qrels::read(&files)?)) }
    }

    /// Reads the texts of the topics, in the order of their files.
    pub fn read_topics(&self) -> Result<Topics, StudyError> {
        Ok(topics::read(&topic_files(&self.folder, &self.recipe)?)?)
    }
}

/// The recipe in a folder, and what its file was like before it was read: what is saved meanwhile is seen as a change.
fn read_recipe(folder: &Path) -> Result<(FileStamp, Recipe), StudyError> {
    let stamp = FileStamp::of(&Recipe::file(folder));
    Ok((stamp, Recipe::read(folder)?))
}
