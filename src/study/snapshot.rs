//! What a study holds at one moment, each part read when it is first asked for and then kept.
//!
//! Commands and screens ask a snapshot and share it. After another run a new one is taken (see
//! [`LiveStudy`](crate::LiveStudy)): a snapshot never changes. Labels and samples are not part of it, since people write
//! them while it is in use.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;

use crate::StudyError;
use crate::once::read_once;
use crate::query::pair_files::{OpenEnds, OpenPairs, PairFilter};
use crate::query::pair_table::PairTable;
use crate::query::titles::Titles;
use crate::recipe::files::IMPORTED;
use crate::recipe::{ConfigurationRecipe, ContentRecipe, Recipe};
use crate::run::elsewhere::files_of_last_run;
use crate::run::fitted::{read_lines, read_statistics};
use crate::run::fitting::{fit, fit_all};
use crate::run::manifest::{Facts, InputSummary, Summary, pairs_checksum};
use crate::run::plan::{Plan, plan_digest, plan_of_last_run};
use crate::run::skips::SkippedRecord;
use crate::run::workspace::{Workspace, read_stored};
use crate::session::Session;
use crate::stale_segments::StaleSegments;
use dejaview_base::both::BothSides;
use dejaview_corpus::qrels::Judgments;
use dejaview_corpus::topics::TopicText;
use dejaview_index::Index;
use dejaview_matching::pairs::{Ends, PairsFile};
use dejaview_matching::{Configuration, Content, DocumentNumber, MatchingError};
use dejaview_methods::{Side, Statistics};

/// Files of pairs larger than this, in bytes, take a moment to read.
const LARGE: u64 = 32 << 20;

/// Why stored pairs are out of date, as the end of an error.
const CHANGED: &str = " since study.toml or its files changed (their dates count, so a copied study is run once more)";

/// A study and what was read of it.
#[derive(Debug)]
pub struct Snapshot {
    session: Session,
    judgments: OnceLock<Option<Arc<Judgments>>>,
    topics: OnceLock<Arc<[TopicText]>>,
    /// Digest of what the pairs depend on beside the target.
    plan_digest: OnceLock<String>,
    finished: OnceLock<Vec<(String, Facts)>>,
    both: OnceLock<BothSides>,
    configurations: OnceLock<Vec<Configuration>>,
    content: OnceLock<Content>,
    table: OnceLock<Arc<PairTable>>,
    index: OnceLock<Index>,
    kept_texts: OnceLock<Index>,
    /// Whether the kept texts are those that `study.toml` asks for.
    texts_fit: OnceLock<bool>,
    titles: OnceLock<Titles>,
    /// Lines of journals that did not count when labels were read for this snapshot.
    damaged_labels: Mutex<BTreeSet<String>>,
    label_doubts: Mutex<Vec<String>>,
    /// Whether pairs were asked for, or words of all texts.
    pairs_used: AtomicBool,
    /// Whether a kept text was asked for.
    texts_used: AtomicBool,
}

/// The study itself, and what its files say.
impl Snapshot {
    /// Takes the study in a folder, or the one whose `study.toml` this is. Reads nothing but that file.
    pub fn open(path: &Path) -> Result<Self, StudyError> {
        Ok(Self::new(&Session::open(path)?))
    }

    pub fn new(session: &Session) -> Self {
        Self {
            session: session.clone(),
            judgments: OnceLock::new(),
            topics: OnceLock::new(),
            plan_digest: OnceLock::new(),
            finished: OnceLock::new(),
            both: OnceLock::new(),
            configurations: OnceLock::new(),
            content: OnceLock::new(),
            table: OnceLock::new(),
            index: OnceLock::new(),
            kept_texts: OnceLock::new(),
            texts_fit: OnceLock::new(),
            titles: OnceLock::new(),
            damaged_labels: Mutex::default(),
            label_doubts: Mutex::default(),
            pairs_used: AtomicBool::new(false),
            texts_used: AtomicBool::new(false),
        }
    }

    pub fn session(&self) -> &Session {
        &self.session
    }

    pub fn folder(&self) -> &Path {
        self.session.folder()
    }

    pub fn recipe(&self) -> &Arc<Recipe> {
        self.session.recipe()
    }

    pub(crate) fn workspace(&self) -> &Workspace {
        self.session.workspace()
    }

    /// The judgments; none when the study has none. Needs no run and no documents.
    pub fn judgments(&self) -> Result<Option<&Arc<Judgments>>, StudyError> {
        Ok(read_once(&self.judgments, || Ok(self.session.read_judgments()?.map(Arc::new)))?.as_ref())
    }

    /// Texts of the topics, in the order of their files.
    pub fn topics(&self) -> Result<&Arc<[TopicText]>, StudyError> {
        read_once(&self.topics, || Ok(self.session.read_topics()?.texts.into()))
    }
}

/// What the last run did.
impl Snapshot {
    /// Digest of what the pairs depend on beside the target.
    pub(crate) fn plan_digest(&self) -> Result<&str, StudyError> {
        Ok(read_once(&self.plan_digest, || plan_digest(&self.session, self.judgments()?.map(Arc::as_ref)))?)
    }

    /// Segments of the study that are finished, by name.
    pub(crate) fn finished_segments(&self) -> Result<&[(String, Facts)], StudyError> {
        Ok(read_once(&self.finished, || {
            let mut names: Vec<String> = match files_of_last_run(&self.session) {
                Ok((corpora, _)) => corpora.segments.into_iter().map(|segment| segment.name).collect(),
                Err(_) => self.recipe().targets.iter().filter_map(|target| target.segment.clone()).collect(),
            };
            names.sort();
            let facts = |name: String| {
                let facts = Facts::read(&self.workspace().segment(&name)).transpose()?;
                Some(facts.map(|facts| (name, facts)))
            };
            names.into_iter().filter_map(facts).collect()
        })?)
    }

    /// The finished segments that are what this `study.toml` asks for, by name. An error when there are none.
    fn current_segments(&self) -> Result<Vec<&str>, StudyError> {
        let finished = self.finished_segments()?;
        if finished.is_empty() {
            return Err(self.not_run(""));
        }
        let digest = self.plan_digest().ok();
        let current = finished.iter().filter(|(_, facts)| digest.is_none_or(|digest| facts.plan == digest));
        let current: Vec<&str> = current.map(|(name, _)| name.as_str()).collect();
        if current.is_empty() { Err(self.not_run(CHANGED)) } else { Ok(current) }
    }

    /// What a run would read now, and what is done already.
    pub(crate) fn plan(&self) -> Result<Plan, StudyError> {
        plan_of_last_run(&self.session, self.judgments()?.map(Arc::as_ref))
    }

    /// Segments of the study that are not finished.
    pub fn unfinished(&self) -> Result<Vec<String>, StudyError> {
        let plan = self.plan()?;
        let left = plan.corpora.segments.iter().filter(|segment| !plan.finished.contains(&segment.name));
        Ok(left.map(|segment| segment.name.clone()).collect())
    }

    /// Segments whose pairs and texts are not those of the files there are, when this snapshot was asked for some: those that
    /// are missing only where it was asked for pairs. Whoever shows what rests on them says so.
    pub fn stale_segments(&self) -> StaleSegments {
        match [&self.pairs_used, &self.texts_used].map(|used| used.load(Ordering::Relaxed)) {
            [true, _] => self.all_stale_segments(),
            [false, true] => StaleSegments { missing: Vec::new(), source_lost: false, ..self.all_stale_segments() },
            [false, false] => StaleSegments::default(),
        }
    }

    /// The same whatever this snapshot was asked for.
    pub fn all_stale_segments(&self) -> StaleSegments {
        match self.finished_segments() {
            Ok(finished) => StaleSegments::of(&self.session, finished, self.plan_digest()),
            Err(_) => StaleSegments::default(),
        }
    }

    /// Notes that something was told of the pairs: see [`Snapshot::stale_segments`].
    pub(crate) fn note_pairs_used(&self) {
        self.pairs_used.store(true, Ordering::Relaxed);
    }

    /// Lines of journals that did not count when labels were read for this snapshot, with file and line.
    pub fn damaged_labels(&self) -> Vec<String> {
        self.damaged_labels.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// In place of what was noted before: a journal may be whole again.
    pub(crate) fn note_damaged_labels(&self, lines: impl Iterator<Item = String>) {
        *self.damaged_labels.lock().unwrap_or_else(PoisonError::into_inner) = lines.collect();
    }

    /// What makes one doubt whose the labels are, or which of them holds, as they were last read for this snapshot.
    pub fn label_doubts(&self) -> Vec<String> {
        self.label_doubts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// In place of what was noted before: labels may have been written since.
    pub(crate) fn note_label_doubts(&self, lines: Vec<String>) {
        *self.label_doubts.lock().unwrap_or_else(PoisonError::into_inner) = lines;
    }

    /// What numbers of this snapshot lack or may rest on wrongly, as far as it was asked for labels, pairs and texts: for whoever has
    /// nothing but these numbers.
    pub fn caveats(&self) -> Vec<String> {
        let stale = self.stale_segments();
        let labels = self.damaged_labels().into_iter().chain(self.label_doubts());
        labels.chain(stale.sentences()).collect()
    }

    /// An error unless every segment is finished as this `study.toml` asks for. Whoever needs all pairs asks here.
    pub(crate) fn must_be_run_to_its_end(&self) -> Result<(), StudyError> {
        let begun = self.current_segments()?;
        let left = self.unfinished().unwrap_or_default();
        match left.iter().all(|name| begun.contains(&name.as_str())) {
            true if left.is_empty() => Ok(()),
            true => Err(self.not_run(CHANGED)),
            false => Err(self.not_run(" to its end")),
        }
    }

    /// Whether the study has been run to its end, as this `study.toml` asks for.
    pub fn is_run(&self) -> Result<bool, StudyError> {
        match self.must_be_run_to_its_end() {
            Ok(()) => Ok(true),
            Err(StudyError::NotRun { .. }) => Ok(false),
            Err(why) => Err(why),
        }
    }

    fn not_run(&self, why: &'static str) -> StudyError {
        StudyError::NotRun { path: self.folder().to_owned(), why }
    }

    /// What the finished segments add up to, those of an earlier `study.toml` only where there are no others; none before a run.
    pub fn summary(&self) -> Result<Option<Summary>, StudyError> {
        let Some(source) = Facts::read(&self.workspace().source())? else { return Ok(None) };
        let (current, mut finished) = (self.current_segments().ok(), self.finished_segments()?.to_vec());
        finished.retain(|(name, _)| current.as_ref().is_none_or(|current| current.contains(&name.as_str())));
        Ok(Some(Summary::from_facts(self.recipe(), &source, &finished)))
    }

    /// The source, then the finished segments, as the last run read them; empty before a run.
    pub fn input_summaries(&self) -> Result<Vec<InputSummary>, StudyError> {
        let Some(source) = Facts::read(&self.workspace().source())? else { return Ok(Vec::new()) };
        let targets = self.finished_segments()?.iter().map(|(name, facts)| InputSummary::new(name, facts));
        Ok(std::iter::once(InputSummary::new("", &source)).chain(targets).collect())
    }

    /// Shows the records that the last run did not read of a segment, or of the source where it has no name, until `show`
    /// returns false.
    pub fn each_skipped(&self, segment: &str, show: &mut dyn FnMut(SkippedRecord) -> bool) -> Result<(), StudyError> {
        let list = self.workspace().skipped_of(segment);
        if segment.is_empty() {
            let source = Facts::read(&self.workspace().source())?.unwrap_or_default();
            return source.skipped.each(&list, segment, show);
        }
        let mut finished = self.finished_segments()?.iter();
        finished.find(|(name, _)| name == segment).map_or(Ok(()), |(_, facts)| facts.skipped.each(&list, segment, show))
    }

    /// The documents that stand on both sides; none before a run.
    pub fn both_sides(&self) -> Result<&BothSides, StudyError> {
        read_once(&self.both, || Ok(BothSides::new(self.segments_of_both()?.into_keys())))
    }

    /// The documents that stand on both sides, each with the segment of the target that holds it, where that is known.
    pub(crate) fn segments_of_both(&self) -> Result<HashMap<String, Option<String>>, StudyError> {
        let mut documents: HashMap<String, Option<String>> = HashMap::new();
        let mut unlisted = false;
        for (segment, _) in self.finished_segments()?.iter().filter(|(_, facts)| facts.both > 0) {
            match read_stored::<Vec<String>>(&self.workspace().both(segment))? {
                Some(ids) => documents.extend(ids.into_iter().map(|id| (id, Some(segment.clone())))),
                None => unlisted = true,
            }
        }
        // Earlier versions wrote no list. Their files of pairs tell it of the documents that have one.
        for open in if unlisted { self.pairs(PairFilter::default()).unwrap_or_default() } else { Vec::new() } {
            let file = &open.file;
            let on_both = |side: Side| {
                DocumentNumber::all(file.documents(side)).filter(move |document| file.both(side, *document))
            };
            for source in on_both(Side::Source) {
                documents.entry(file.source_id(source).to_owned()).or_default();
            }
            for target in on_both(Side::Target) {
                documents.insert(file.target_id(target).to_owned(), Some(open.segment.clone()));
            }
        }
        Ok(documents)
    }
}

/// What configurations were fitted to.
impl Snapshot {
    /// The configurations, fitted as the last run was.
    pub fn configurations(&self) -> Result<&[Configuration], StudyError> {
        Ok(read_once(&self.configurations, || {
            let statistics = self.statistics_for(&self.recipe().configurations)?;
            fit_all(&self.session, &statistics)
        })?)
    }

    /// The configuration of this name alone, fitted as the last run was.
    pub fn configuration(&self, name: &str) -> Result<Configuration, StudyError> {
        let found = self.known_configuration(name)?;
        fit(&self.session, found, &self.statistics_for(std::slice::from_ref(found))?)
    }

    /// What `study.toml` says of a configuration; an error unless the study has one of this name.
    pub(crate) fn known_configuration(&self, name: &str) -> Result<&ConfigurationRecipe, StudyError> {
        let all = &self.recipe().configurations;
        all.iter().find(|c| c.name == name).ok_or_else(|| StudyError::NoConfiguration {
            name: name.to_owned(),
            known: all.iter().map(|c| c.name.as_str()).collect::<Vec<_>>().join(", "),
        })
    }

    /// What the last run was fitted to; empty when none of these configurations needs to know.
    fn statistics_for(&self, asking: &[ConfigurationRecipe]) -> Result<Statistics, StudyError> {
        let Some(first) = asking.iter().find(|c| c.algorithm().fitted) else { return Ok(Statistics::default()) };
        let stored = read_statistics(&self.session, self.plan_digest()?);
        stored
            .map(|fitted| fitted.statistics)
            .ok_or_else(|| StudyError::NotFitted { path: self.folder().to_owned(), configuration: first.name.clone() })
    }

    /// What the last run fitted methods to; none when no configuration needed it.
    pub(crate) fn statistics(&self) -> Result<Option<Statistics>, StudyError> {
        Ok(read_statistics(&self.session, self.plan_digest()?).map(|fitted| fitted.statistics))
    }

    /// What of a page counts, as the last run had it; for lines that recur, those that it found.
    pub fn content(&self) -> Result<&Content, StudyError> {
        read_once(&self.content, || {
            Ok(match self.recipe().content {
                ContentRecipe::All => Content::All,
                ContentRecipe::Main => Content::Main,
                ContentRecipe::Own => {
                    let stored = read_lines(&self.session, self.plan_digest()?);
                    Content::Own(stored.ok_or_else(|| self.not_run(", which finds the lines that recur on a host"))?)
                }
            })
        })
    }
}

impl Snapshot {
    /// All pairs of all configurations.
    pub fn table(&self) -> Result<&Arc<PairTable>, StudyError> {
        read_once(&self.table, || {
            let pairs = self.pairs(PairFilter::default())?;
            Ok(Arc::new(PairTable::new(pairs, self.recipe().configuration_names(), self.recipe().jaccard)))
        })
    }

    /// The finished files of pairs, by configuration in the order of the study, then by name of the segment. An error
    /// when there are none, or when they are not what this `study.toml` asks for.
    pub fn pairs(&self, filter: PairFilter<'_>) -> Result<Vec<OpenPairs>, StudyError> {
        let files = self.files_of_pairs(filter)?;
        let open = files.par_iter().map(|(configuration, segment)| self.open_pairs(configuration, segment));
        open.collect()
    }

    /// The first and the last pairs of a study that has so many that reading them all takes a while: at most twice this many
    /// of each file. None for a study that is read in no time, or that has no pairs.
    pub fn ends_of_pairs(&self, most: usize) -> Option<Vec<OpenEnds>> {
        let files = self.files_of_pairs(PairFilter::default()).ok()?;
        let path = |(configuration, segment): &(&str, &str)| self.workspace().pairs(configuration, segment);
        let size: u64 = files.iter().filter_map(|file| Some(fs::metadata(path(file)).ok()?.len())).sum();
        if size < LARGE {
            return None;
        }
        let open = |file: &(&str, &str)| {
            let checksum = pairs_checksum(&path(file)).ok()?;
            self.is_pairs_file(file.0, file.1, checksum).ok().filter(|is_written| *is_written)?;
            let Ends { file: pairs, first, rows } = PairsFile::ends(&path(file), most.max(1))?;
            let open = OpenPairs { configuration: file.0.to_owned(), segment: file.1.to_owned(), file: pairs };
            Some(OpenEnds { open, first, rows })
        };
        files.par_iter().map(open).collect()
    }

    /// Configuration and segment of each file of pairs that is asked for.
    fn files_of_pairs(&self, filter: PairFilter<'_>) -> Result<Vec<(&str, &str)>, StudyError> {
        if let Some(name) = filter.configuration {
            self.known_configuration(name)?;
        }
        let mut segments = self.current_segments()?;
        if let Some(name) = filter.segment {
            let known = segments.join(", ");
            segments.retain(|segment| *segment == name);
            if segments.is_empty() {
                return Err(StudyError::NoSegment { name: name.to_owned(), known });
            }
        }
        self.note_pairs_used();
        let wanted = |name: &str| filter.configuration.is_none_or(|only| only == name);
        let names = self.recipe().configurations.iter().map(|c| c.name.as_str()).filter(|name| wanted(name));
        Ok(names.flat_map(|name| segments.iter().map(move |segment| (name, *segment))).collect())
    }

    fn open_pairs(&self, configuration: &str, segment: &str) -> Result<OpenPairs, StudyError> {
        let path = self.workspace().pairs(configuration, segment);
        let not_whole = |what| MatchingError::Damaged { path: path.clone(), what };
        let file = match PairsFile::open(&path) {
            Err(MatchingError::File { why, .. }) if why.kind() == ErrorKind::NotFound => {
                return Err(not_whole("it is not there").into());
            }
            opened => opened?,
        };
        if !self.is_pairs_file(configuration, segment, file.checksum())? {
            return Err(not_whole("it is not the one that the last run wrote").into());
        }
        Ok(OpenPairs { configuration: configuration.to_owned(), segment: segment.to_owned(), file })
    }

    /// Whether a file of pairs with this checksum is the one that a run wrote for a segment.
    fn is_pairs_file(&self, configuration: &str, segment: &str, checksum: u64) -> Result<bool, StudyError> {
        let facts = self.finished_segments()?.iter().find(|(name, _)| name == segment).map(|(_, facts)| facts);
        Ok(facts.is_none_or(|facts| facts.has_pairs_file(configuration, checksum)))
    }

    /// The kept texts. What is missing or damaged is an error when it is asked for.
    pub fn index(&self) -> Result<&Index, StudyError> {
        read_once(&self.index, || {
            let source = self.workspace().source().is_file().then_some("");
            let segments =
                self.finished_segments()?.iter().map(|(name, _)| name.as_str()).filter(|name| *name != IMPORTED);
            let parts: Vec<&str> = source.into_iter().chain(segments).collect();
            Ok(Index::open(&self.workspace().index(), &parts))
        })
    }

    /// The kept texts to be listed and searched: a document that stands on both sides is one. An error where they are not
    /// those that this `study.toml` asks for.
    pub fn kept_texts(&self) -> Result<&Index, StudyError> {
        self.must_have_fitting_texts()?;
        self.pairs_used.fetch_or(!self.finished_segments()?.is_empty(), Ordering::Relaxed);
        read_once(&self.kept_texts, || Ok(self.index()?.clone().with_shared_documents_once(self.both_sides()?)?))
    }

    /// Whether the kept texts are those that this `study.toml` asks for, as far as there are any.
    pub(crate) fn has_fitting_texts(&self) -> Result<bool, StudyError> {
        let fit = *read_once(&self.texts_fit, || match self.current_segments() {
            Ok(_) => Ok(true),
            Err(StudyError::NotRun { .. }) => Ok(self.finished_segments()?.is_empty()),
            Err(why) => Err(why),
        })?;
        self.texts_used.fetch_or(fit && !self.finished_segments()?.is_empty(), Ordering::Relaxed);
        Ok(fit)
    }

    /// An error where kept texts are those of another `study.toml`: nothing is told from them.
    pub(crate) fn must_have_fitting_texts(&self) -> Result<(), StudyError> {
        if self.has_fitting_texts()? { Ok(()) } else { Err(self.not_run(CHANGED)) }
    }

    /// Titles and URLs of the documents that runs have read; none of them where it cannot be told what was read.
    pub fn titles(&self) -> &Titles {
        self.titles.get_or_init(|| {
            let nothing = || Index::open::<&str>(&self.workspace().index(), &[]);
            let index = self.index().map_or_else(|_| nothing(), Index::clone);
            Titles::new(index, self.both_sides().cloned().unwrap_or_default())
        })
    }
}
