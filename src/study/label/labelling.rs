//! What labelling needs of a study beside pairs and samples: the guidelines, and what several annotators have left to be
//! settled.

use std::collections::{BTreeMap, HashSet};

use crate::StudyError;
use crate::snapshot::Snapshot;
use dejaview_base::shell::quoted_path;
use dejaview_base::{lines, system};
use dejaview_evaluation::sample::Sample;
use dejaview_labels::{
    Annotations, ChangedRole, EventKind, Journal, Journals, Label, RemovedJournal, Review, SharedEvents, shared_events,
};

/// Guidelines longer than this are cut: a page for people, not a book.
const LONGEST: usize = 1 << 20;

/// What annotators said of a pair, all together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JointLabel {
    pub source: String,
    pub target: String,
    /// The label that holds; none where they differ.
    pub label: Option<Label>,
    /// Whether the pair stands in a sample.
    pub drawn: bool,
    /// Whether an adjudication decided it.
    pub settled: bool,
}

/// Everybody's labels, as the journals say now. Lines that are damaged, journals that are gone, copies, or decide otherwise by a new
/// name, numbers that are missing, and labels that hold by their place alone are noted in the snapshot: whoever shows a number that rests on labels says so, see
/// [`Snapshot::damaged_labels`] and [`Snapshot::label_doubts`].
pub fn read_journals(study: &Snapshot) -> Result<Journals, StudyError> {
    let journals = Journals::read(study.folder(), study.recipe().labels.settled_by, study.both_sides()?)?;
    let labels = study.folder().join("labels");
    let lines = journals.damaged_lines().map(|(file, problem)| format!("{}, {problem}", labels.join(file).display()));
    let removed = journals.removed().iter().map(|removed| format!("{}: {}", labels.display(), removed.sentence()));
    study.note_damaged_labels(lines.chain(removed));
    let roles = journals.changed_roles().iter().map(|changed| format!("{}: {}", labels.display(), changed.sentence()));
    study.note_label_doubts(label_doubts(study, journals.all()).into_iter().chain(roles).collect());
    Ok(journals)
}

/// Journals that are copies of others, numbers that are missing in journals, and labels that hold by their place alone.
fn label_doubts(study: &Snapshot, all: &[Annotations]) -> Vec<String> {
    let (labels, folder) = (study.folder().join("labels"), quoted_path(study.folder()));
    let copies = shared_events(all).into_iter().filter(SharedEvents::should_be_said);
    let copies = copies.map(|shared| {
        format!("{}: {} (`dejaview labels verify {folder}` says what to do)", labels.display(), shared.sentence())
    });
    let missing = all.iter().flat_map(|annotations| {
        let problems = annotations.reading.problems.iter().filter(|problem| problem.is_doubt());
        problems.map(|problem| format!("{}, {problem}", labels.join(&annotations.file).display()))
    });
    let order = all.iter().filter_map(|annotations| {
        let pairs = match annotations.reading.decisions.out_of_order().len() {
            0 => return None,
            1 => "1 pair".to_owned(),
            count => format!("{count} pairs"),
        };
        let file = labels.join(&annotations.file);
        Some(format!(
            "{}: of {pairs} a label holds though another one is later, because it stands last (`dejaview labels verify {folder}` \
             names them)",
            file.display()
        ))
    });
    copies.chain(missing).chain(order).chain(lost_samples(study, all)).collect()
}

/// Samples that labels name and that are not there: what these were drawn from is lost with them.
fn lost_samples(study: &Snapshot, all: &[Annotations]) -> Vec<String> {
    // A folder that cannot be read is said by whoever reads samples.
    let Ok(known) = Sample::names(study.folder()) else { return Vec::new() };
    let mut lost: BTreeMap<&str, u64> = BTreeMap::new();
    for event in all.iter().flat_map(|annotations| &annotations.reading.events) {
        let is_lost = |name: &&str| !known.iter().any(|known| known == name);
        if let Some(name) =
            event.sample.as_deref().filter(|_| matches!(event.kind, EventKind::Label(_))).filter(is_lost)
        {
            *lost.entry(name).or_default() += 1;
        }
    }
    let folder = study.folder().join("samples");
    let sentence = |(name, labels): (&str, u64)| {
        let labels = if labels == 1 { "1 label names".to_owned() } else { format!("{labels} labels name") };
        format!(
            "{}: {labels} the sample {name}, which is not there; bring its file back, for nothing else knows what it was drawn from",
            folder.display()
        )
    };
    lost.into_iter().map(sentence).collect()
}

/// Files that hold labels, or what these were drawn from, and that are not what they were.
#[derive(Debug, Default)]
pub struct LostFiles {
    /// Journals that are gone with labels that were saved in them.
    pub removed: Vec<RemovedJournal>,
    /// Journals that decide otherwise than when their labels were saved.
    pub changed_roles: Vec<ChangedRole>,
    /// Samples that labels name and that are not there, a sentence each.
    pub samples: Vec<String>,
}

/// Which files these are.
pub fn lost_files(study: &Snapshot) -> Result<LostFiles, StudyError> {
    let journals = read_journals(study)?;
    Ok(LostFiles {
        removed: journals.removed().to_vec(),
        changed_roles: journals.changed_roles().to_vec(),
        samples: lost_samples(study, journals.all()),
    })
}

/// The journal of an annotator, to be written.
pub fn open_journal(study: &Snapshot, annotator: &str) -> Result<Journal, StudyError> {
    Ok(Journal::open(study.folder(), annotator)?.turned(study.both_sides()?))
}

/// What holds for all decided pairs, without what one annotator said.
pub fn joint_labels(study: &Snapshot, without: Option<&str>) -> Result<Vec<JointLabel>, StudyError> {
    let journals = read_journals(study)?.without(|journal| Some(journal.annotator.as_str()) == without);
    let mut drawn: HashSet<(String, String)> = HashSet::new();
    for name in Sample::names(study.folder())? {
        let pairs = Sample::read(study.folder(), &name)?.map(|sample| sample.pairs).unwrap_or_default();
        drawn.extend(pairs.into_iter().map(|pair| (pair.source, pair.target)));
    }
    let together = journals.pairs(None).into_iter().map(|(source, target)| {
        let standing = journals.standing(source, target);
        let (label, settled) = (standing.label(), standing.is_settled());
        let (source, target) = (source.to_owned(), target.to_owned());
        let drawn = drawn.contains(&(source.clone(), target.clone()));
        JointLabel { source, target, label, drawn, settled }
    });
    Ok(together.collect())
}

/// The text that annotators should have read; none when the study names none.
pub fn guidelines(study: &Snapshot) -> Result<Option<String>, StudyError> {
    let Some(name) = &study.recipe().labels.guidelines else { return Ok(None) };
    let path = study.folder().join(name);
    let mut bytes =
        system::read_file(&path).map_err(|why| StudyError::File { doing: "reading the guidelines", path, why })?;
    bytes.truncate(LONGEST);
    Ok(Some(lines::without_mark(&String::from_utf8_lossy(&bytes)).to_owned()))
}

/// What annotators have decided differently, were unsure of or flagged, as the journals say now.
pub fn review(study: &Snapshot) -> Result<Review, StudyError> {
    Ok(Review::new(&read_journals(study)?))
}

/// All journals, or only their labels that were given blind.
pub(crate) fn journals_for(study: &Snapshot, blind_only: bool) -> Result<Journals, StudyError> {
    let journals = read_journals(study)?;
    Ok(if blind_only { journals.blind_only() } else { journals })
}
