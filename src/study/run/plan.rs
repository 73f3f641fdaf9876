//! The plan of a run: what it would read, and which segments are finished.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::StudyError;
use crate::recipe::StatisticsFrom;
use crate::recipe::files::{Corpora, Segment, judgment_files, statistics_inputs};
use crate::run::elsewhere::{Elsewhere, files_of_last_run};
use crate::run::fitted::read_statistics;
use crate::run::imports::import_files;
use crate::run::manifest::{self, Facts, FileFacts};
use crate::run::models::model_digests;
use crate::session::Session;
use dejaview_base::{hash, system};
use dejaview_corpus::Input;
use dejaview_corpus::qrels::Judgments;
use dejaview_matching::pairs::PairsFile;
use dejaview_matching::source::Sides;

/// What a run would do.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The files, those of the source that cannot hold a judged document left out.
    pub corpora: Corpora,
    /// Names of the segments that are finished already.
    pub finished: Vec<String>,
    /// For each segment that left out documents because others count them, these others.
    counted_in: BTreeMap<String, Vec<String>>,
    /// Digest of what the pairs depend on beside the target.
    pub(crate) digest: String,
    /// Distinct judged documents, when there are judgments.
    pub judged: Option<usize>,
    /// What is known of files that are gone.
    elsewhere: Elsewhere,
}

/// What a run of this study would do now.
pub fn plan(session: &Session) -> Result<Plan, StudyError> {
    plan_with_judgments(session, session.read_judgments()?.as_ref())
}

/// Digest of what the pairs depend on beside the target.
pub(crate) fn plan_digest(session: &Session, judgments: Option<&Judgments>) -> Result<String, StudyError> {
    Ok(plan_without_finished(session, judgments, files_of_last_run(session)?)?.digest)
}

/// What a run would read and what is done already, given the judgments.
pub(crate) fn plan_with_judgments(session: &Session, judgments: Option<&Judgments>) -> Result<Plan, StudyError> {
    plan_of(session, judgments, (session.corpora()?, Elsewhere::default()))
}

/// What is done already of what was to be read when there still was something of each part.
pub(crate) fn plan_of_last_run(session: &Session, judgments: Option<&Judgments>) -> Result<Plan, StudyError> {
    plan_of(session, judgments, files_of_last_run(session)?)
}

fn plan_of(session: &Session, judgments: Option<&Judgments>, files: (Corpora, Elsewhere)) -> Result<Plan, StudyError> {
    let mut plan = plan_without_finished(session, judgments, files)?;
    let name = |segment: &Segment| segment.name.clone();
    let facts = |input: &Input| plan.elsewhere.facts(input);
    let digest = |segment: &Segment| (name(segment), manifest::digest_of_files(segment.inputs.iter().map(facts)));
    let digests: HashMap<String, String> = plan.corpora.segments.iter().map(digest).collect();
    let facts = |segment: &Segment| Some((name(segment), finished_facts(session, &plan, &digests, segment)?));
    let finished: Vec<(String, Facts)> = plan.corpora.segments.iter().filter_map(facts).collect();
    for (segment, facts) in finished {
        plan.finished.push(segment.clone());
        if !facts.counted_in.is_empty() {
            plan.counted_in.insert(segment, facts.counted_in.into_keys().collect());
        }
    }
    plan.forget_segments(|_| false);
    Ok(plan)
}

impl Plan {
    /// Takes segments off the finished ones, and with them those that left out documents because these count them.
    pub(crate) fn forget_segments(&mut self, lost: impl Fn(&str) -> bool) {
        self.finished.retain(|segment| !lost(segment));
        loop {
            let known: HashSet<&String> = self.finished.iter().collect();
            let rests_on_lost = |segment: &String| {
                self.counted_in.get(segment).is_some_and(|others| !others.iter().all(|other| known.contains(other)))
            };
            let left: Vec<String> = self.finished.iter().filter(|segment| !rests_on_lost(segment)).cloned().collect();
            if left.len() == self.finished.len() {
                return;
            }
            self.finished = left;
        }
    }
}

/// The plan with no segment marked as finished yet.
fn plan_without_finished(
    session: &Session,
    judgments: Option<&Judgments>,
    (mut corpora, elsewhere): (Corpora, Elsewhere),
) -> Result<Plan, StudyError> {
    if let Some(judgments) = judgments {
        corpora.only_files_of(judgments.documents().iter().map(String::as_str));
    }
    let fitted_to = match &session.recipe().statistics {
        StatisticsFrom::Path(pattern) => statistics_inputs(session.folder(), session.recipe(), pattern)?,
        // Another segment changes the statistics, and with them the pairs of all segments.
        StatisticsFrom::Both if session.recipe().rests_on_statistics() => {
            let mut targets: Vec<Input> = corpora.targets().collect();
            targets.sort_by(|a, b| a.path.cmp(&b.path));
            targets
        }
        _ => Vec::new(),
    };
    let mut files: Vec<FileFacts> =
        corpora.source.iter().chain(&fitted_to).map(|input| elsewhere.facts(input)).collect();
    files.extend(import_files(session)?);
    let itself = Sides::share_files(&corpora.source, corpora.targets());
    let contents = [judgment_digests(session)?, model_digests(session)?].concat();
    let digest = manifest::digest_of_plan(session.recipe(), &files, &contents, itself);
    let judged = judgments.map(|j| j.documents().len());
    Ok(Plan { corpora, finished: Vec::new(), counted_in: BTreeMap::new(), digest, judged, elsewhere })
}

/// Facts about a segment if it is finished and up to date with this plan, given the digest of the files of each segment.
fn finished_facts(
    session: &Session,
    plan: &Plan,
    digests: &HashMap<String, String>,
    segment: &Segment,
) -> Option<Facts> {
    let facts = Facts::read(&session.workspace().segment(&segment.name)).ok()??;
    let now = files_of(&plan.corpora, &plan.elsewhere, segment);
    let is_stored = |name: &str| {
        let file = PairsFile::open(&session.workspace().pairs(name, &segment.name));
        file.is_ok_and(|file| facts.has_pairs_file(name, file.checksum()))
    };
    let all_pairs_stored = session.recipe().configurations.iter().all(|c| is_stored(&c.name));
    let fitted = read_statistics(session, &plan.digest).map(|fitted| fitted.digest).unwrap_or_default();
    let both_stored = facts.both == 0 || session.workspace().both(&segment.name).is_file();
    let ids_stored = !facts.ids_listed || session.workspace().ids(&segment.name).is_file();
    let same_others = facts.counted_in.iter().all(|(name, digest)| digests.get(name) == Some(digest));
    let same_target = facts.beside.is_empty() || facts.beside == target_digest(&plan.corpora, &plan.elsewhere);
    (facts.plan == plan.digest
        && facts.statistics == fitted
        && same_files(&facts.inputs, &now)
        && all_pairs_stored
        && both_stored
        && ids_stored
        && same_others
        && same_target)
        .then_some(facts)
}

/// Whether the files that a run read are those that are there now, without reading them.
pub(crate) fn same_files(read: &[FileFacts], now: &[FileFacts]) -> bool {
    read.len() == now.len() && read.iter().zip(now).all(|(a, b)| a.is_unchanged(b))
}

/// The two sides of the study, as far as a document may stand on both.
pub(crate) fn sides_of(session: &Session, corpora: &Corpora) -> Sides {
    Sides::new(session.recipe().join, &corpora.source, corpora.targets().collect())
}

fn judgment_digests(session: &Session) -> Result<Vec<(String, String)>, StudyError> {
    judgment_files(session.folder(), session.recipe())?
        .into_iter()
        .map(|file| {
            let bytes = system::read_file(&file.path).map_err(|why| StudyError::File {
                doing: "reading",
                path: file.path.clone(),
                why,
            })?;
            let name = file.path.strip_prefix(session.folder()).unwrap_or(&file.path);
            Ok((name.to_string_lossy().into_owned(), hash::digest(&bytes)))
        })
        .collect()
}

/// Digest of the files of all segments, without reading them.
pub(crate) fn target_digest(corpora: &Corpora, elsewhere: &Elsewhere) -> String {
    let inputs = corpora.segments.iter().flat_map(|segment| &segment.inputs);
    manifest::digest_of_files(inputs.map(|input| elsewhere.facts(input)))
}

/// The files that a segment depends on. That of imported pairs depends on all others: it holds what they do not.
pub(crate) fn files_of(corpora: &Corpora, elsewhere: &Elsewhere, segment: &Segment) -> Vec<FileFacts> {
    let facts = |input: &Input| elsewhere.facts(input);
    match segment.imported {
        true => corpora.segments.iter().flat_map(|other| &other.inputs).map(facts).collect(),
        false => segment.inputs.iter().map(facts).collect(),
    }
}
