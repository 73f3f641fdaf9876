//! The one door through which the command line and the screens open, run and ask a study.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::StudyError;
use crate::label::population::Populations;
use crate::recipe::files::{Corpora, judgment_files, topic_files};
use crate::recipe::{ConfigurationRecipe, Recipe};
use crate::run::manifest::{Facts, Part, Summary};
use crate::run::workspace::{Workspace, read_json};
use dejaview_corpus::qrels::{self, Judgments};
use dejaview_corpus::topics::{self, TopicText};
use dejaview_index::Index;
use dejaview_matching::pairs::{Ends, PairsFile};
use dejaview_matching::{Configuration, MatchingError};
use dejaview_methods::Statistics;

/// Files of pairs larger than this, in bytes, take a moment to read.
const LARGE: u64 = 32 << 20;

/// Why the pairs that there are do not count.
const CHANGED: &str = " since study.toml or its files changed (their dates count, so a copied study is run once more)";

/// An open study.
#[derive(Debug)]
pub struct Session {
    folder: PathBuf,
    recipe: Recipe,
    workspace: Workspace,
    populations: Populations,
}

/// Which pairs are asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct PairFilter<'a> {
    /// Only those that this configuration found.
    pub configuration: Option<&'a str>,
    /// Only those of this segment.
    pub segment: Option<&'a str>,
}

/// The pairs of one configuration and segment.
#[derive(Debug)]
pub struct OpenPairs {
    /// Name of the configuration.
    pub configuration: String,
    /// Name of the segment.
    pub segment: String,
    /// The pairs.
    pub file: PairsFile,
}

/// The first and the last pairs of one file.
#[derive(Debug)]
pub struct OpenEnds {
    /// These pairs.
    pub open: OpenPairs,
    /// How many of them are the first; those behind them are the last.
    pub first: usize,
    /// Rows of the whole file.
    pub rows: u64,
}

impl Session {
    /// Opens a study: its folder, or the `study.toml` in it. Reads nothing but that file.
    pub fn open(path: &Path) -> Result<Self, StudyError> {
        let folder = match path.file_name() {
            Some(name) if name == "study.toml" => path.parent().unwrap_or(Path::new("")),
            _ => path,
        };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        Ok(Self::of(folder, Recipe::read(folder)?))
    }

    /// A study in a folder, by a recipe.
    pub(super) fn of(folder: &Path, recipe: Recipe) -> Self {
        let (workspace, populations) = (Workspace::of(folder), Populations::default());
        Self { folder: folder.to_owned(), recipe, workspace, populations }
    }

    /// The study's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What `study.toml` says.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    pub(super) fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// Populations of samples that were looked through.
    pub(super) fn populations(&self) -> &Populations {
        &self.populations
    }

    /// The input files as they lie on disk now.
    pub fn corpora(&self) -> Result<Corpora, StudyError> {
        Corpora::find(&self.folder, &self.recipe)
    }

    /// The judgments; none when the study has none. Needs no run and no documents.
    pub fn judgments(&self) -> Result<Option<Judgments>, StudyError> {
        let files = judgment_files(&self.folder, &self.recipe)?;
        if files.is_empty() { Ok(None) } else { Ok(Some(qrels::read(&files)?)) }
    }

    /// Texts of the topics, in the order of their files.
    pub fn topics(&self) -> Result<Vec<TopicText>, StudyError> {
        let mut all = Vec::new();
        for path in topic_files(&self.folder, &self.recipe)? {
            all.extend(topics::read(&path)?);
        }
        Ok(all)
    }

    /// Segments of the study that are not finished.
    pub fn unfinished(&self) -> Result<Vec<String>, StudyError> {
        let plan = self.plan()?;
        let left = plan.corpora.segments.iter().filter(|segment| !plan.finished.contains(&segment.name));
        Ok(left.map(|segment| segment.name.clone()).collect())
    }

    /// What the finished segments add up to; none before a run.
    pub fn summary(&self) -> Option<Summary> {
        let source = read_json(&self.workspace.source())?;
        Some(Summary::of(&self.recipe, &source, &self.finished_segments()))
    }

    /// The source, then the finished segments, as the last run read them; empty before a run.
    pub fn parts(&self) -> Vec<Part> {
        let Some(source) = read_json::<Facts>(&self.workspace.source()) else { return Vec::new() };
        let segments = self.finished_segments();
        let targets = segments.iter().map(|(name, facts)| Part::of(name, facts));
        std::iter::once(Part::of("", &source)).chain(targets).collect()
    }

    /// The configurations, fitted as the last run was.
    pub fn configurations(&self) -> Result<Vec<Configuration>, StudyError> {
        let statistics = self.stored_statistics(&self.recipe.configurations)?;
        self.fitted(&statistics)
    }

    /// The configurations, fitted to these statistics.
    pub(super) fn fitted(&self, statistics: &Statistics) -> Result<Vec<Configuration>, StudyError> {
        self.recipe.configurations.iter().map(|c| self.fit(c, statistics)).collect()
    }

    fn fit(&self, recipe: &ConfigurationRecipe, statistics: &Statistics) -> Result<Configuration, StudyError> {
        let method = recipe.values.fit(statistics).map_err(|error| StudyError::Key {
            path: Recipe::file(&self.folder),
            line: 1,
            key: format!("configuration {}", recipe.name),
            problem: error.to_string(),
        })?;
        Ok(Configuration { name: recipe.name.clone(), method })
    }

    /// The configuration of this name, fitted as the last run was.
    pub fn configuration(&self, name: &str) -> Result<Configuration, StudyError> {
        let found = self.recipe.configurations.iter().find(|c| c.name == name);
        let found = found.ok_or_else(|| StudyError::NoConfiguration { name: name.to_owned(), known: self.known() })?;
        self.fit(found, &self.stored_statistics(std::slice::from_ref(found))?)
    }

    /// An error unless the study has a configuration of this name.
    pub(super) fn known_configuration(&self, name: &str) -> Result<(), StudyError> {
        if self.recipe.configurations.iter().any(|c| c.name == name) {
            return Ok(());
        }
        Err(StudyError::NoConfiguration { name: name.to_owned(), known: self.known() })
    }

    fn known(&self) -> String {
        self.recipe.configurations.iter().map(|c| c.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The kept texts.
    pub fn index(&self) -> Result<Index, StudyError> {
        Ok(Index::open(&self.workspace.index())?)
    }

    /// The kept texts to be listed and searched: a document that stands on both sides is one.
    pub fn kept_texts(&self) -> Result<Index, StudyError> {
        Ok(self.index()?.once(&self.both_sides()?)?)
    }

    /// The finished files of pairs, by configuration in the order of the study, then by name of the segment. An error
    /// when there are none, or when they are not what this `study.toml` asks for.
    pub fn pairs(&self, filter: PairFilter<'_>) -> Result<Vec<OpenPairs>, StudyError> {
        let files = self.files_of_pairs(filter)?;
        let open = files.par_iter().map(|(configuration, segment)| self.open_pairs(configuration, segment));
        Ok(open.collect::<Result<_, _>>()?)
    }

    /// The first and the last pairs of a study that has so many that reading them all takes a while: at most twice this many
    /// of each file. None for a study that is read in no time, or that has no pairs.
    pub fn ends_of_pairs(&self, most: usize) -> Option<Vec<OpenEnds>> {
        let files = self.files_of_pairs(PairFilter::default()).ok()?;
        let path = |(configuration, segment): &(&str, String)| self.workspace.pairs(configuration, segment);
        let size: u64 = files.iter().filter_map(|file| Some(fs::metadata(path(file)).ok()?.len())).sum();
        if size < LARGE {
            return None;
        }
        let open = |file: &(&str, String)| {
            let Ends { file: pairs, first, rows } = PairsFile::ends(&path(file), most.max(1))?;
            let open = OpenPairs { configuration: file.0.to_owned(), segment: file.1.clone(), file: pairs };
            Some(OpenEnds { open, first, rows })
        };
        files.par_iter().map(open).collect()
    }

    /// Configuration and segment of each file of pairs that is asked for.
    fn files_of_pairs(&self, filter: PairFilter<'_>) -> Result<Vec<(&str, String)>, StudyError> {
        if let Some(name) = filter.configuration {
            self.known_configuration(name)?;
        }
        let mut segments = self.current_segments()?;
        if let Some(name) = filter.segment {
            let known = segments.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
            segments.retain(|(segment, _)| segment == name);
            if segments.is_empty() {
                return Err(StudyError::NoSegment { name: name.to_owned(), known });
            }
        }
        let wanted = |name: &str| filter.configuration.is_none_or(|only| only == name);
        let names = self.recipe.configurations.iter().map(|c| c.name.as_str()).filter(|name| wanted(name));
        Ok(names.flat_map(|name| segments.iter().map(move |(segment, _)| (name, segment.clone()))).collect())
    }

    /// The finished segments that are what this `study.toml` asks for, by name. An error when there are none.
    fn current_segments(&self) -> Result<Vec<(String, Facts)>, StudyError> {
        let mut segments = self.finished_segments();
        if segments.is_empty() {
            return Err(self.not_run(""));
        }
        if let Ok(digest) = self.plan_digest() {
            segments.retain(|(_, facts)| facts.plan == digest);
            if segments.is_empty() {
                return Err(self.not_run(CHANGED));
            }
        }
        Ok(segments)
    }

    /// An error unless every segment is finished as this `study.toml` asks for. Whoever needs all pairs asks here.
    pub(super) fn run_to_its_end(&self) -> Result<(), StudyError> {
        let begun = self.current_segments()?;
        let left = self.unfinished().unwrap_or_default();
        match left.iter().all(|name| begun.iter().any(|(segment, _)| segment == name)) {
            true if left.is_empty() => Ok(()),
            true => Err(self.not_run(CHANGED)),
            false => Err(self.not_run(" to its end")),
        }
    }

    fn not_run(&self, why: &'static str) -> StudyError {
        StudyError::NotRun { path: self.folder.clone(), why }
    }

    fn open_pairs(&self, configuration: &str, segment: &str) -> Result<OpenPairs, MatchingError> {
        let file = PairsFile::open(&self.workspace.pairs(configuration, segment))?;
        Ok(OpenPairs { configuration: configuration.to_owned(), segment: segment.to_owned(), file })
    }

    /// Segments of the study that are finished, by name.
    pub(super) fn finished_segments(&self) -> Vec<(String, Facts)> {
        let mut names: Vec<String> = match self.corpora() {
            Ok(corpora) => corpora.segments.into_iter().map(|segment| segment.name).collect(),
            Err(_) => self.recipe.targets.iter().filter_map(|target| target.segment.clone()).collect(),
        };
        names.sort();
        names.into_iter().filter_map(|name| Some((name.clone(), read_json(&self.workspace.segment(&name))?))).collect()
    }
}
