//! The evaluation set on its way in and out of a study: other tools' labels, other people's, a sample to be labelled
//! elsewhere, and the paragraph for a paper.

mod agreeing;
mod importing;
mod pack;
mod paragraph;
mod writing;

use std::collections::BTreeSet;

use serde::Serialize;

use crate::StudyError;
use crate::label::labelling::read_journals;
use crate::query::lookup::find_document;
use crate::snapshot::Snapshot;
use dejaview_base::shell::{quoted, quoted_path};
use dejaview_evaluation::sample::Sample;
use dejaview_index::KeptSide;
use dejaview_labels::{
    Annotations, Event, EventKind, OutOfOrder, Reading, SharedEvents, not_journals, now, of_times_to_come,
    shared_events,
};

pub(crate) use agreeing::all_samples;
pub use agreeing::{AgreementOn, agreement};
pub use importing::{
    Contradiction, ImportReport, Imported, ImportedSample, LabelImport, Relabelled, import_labels, import_sample,
};
pub use pack::{Packed, pack_sample, unpack_sample};
pub use paragraph::{DisputedBy, Paragraph, paragraph};
pub use writing::LabelFormat;

/// What is wrong with a journal or its labels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CheckedJournal {
    pub annotator: String,
    pub events: usize,
    /// Pairs with a label.
    pub labels: usize,
    /// Damaged lines and the like.
    pub problems: Vec<String>,
    /// How many of them cost labels.
    pub damaged: usize,
    /// What is worth knowing and costs nothing.
    pub remarks: Vec<String>,
}

/// Which labels are exported, and how.
#[derive(Debug, Clone, Copy)]
pub struct LabelExport<'a> {
    pub format: LabelFormat,
    /// Only the labels of this annotator.
    pub annotator: Option<&'a str>,
    /// Only the labels given in this sample.
    pub sample: Option<&'a str>,
    /// Whether the texts of both documents are added.
    pub texts: bool,
}

/// Shows labels as lines of a format. Returns how many pairs are left out because they are disputed, where the format has
/// one label for all annotators.
pub fn export_labels(
    study: &Snapshot,
    export: LabelExport<'_>,
    show: &mut dyn FnMut(&str) -> bool,
) -> Result<usize, StudyError> {
    let LabelExport { format, annotator, sample, texts } = export;
    let journals = read_journals(study)?;
    let all = journals.without(|journal| annotator.is_some_and(|name| journal.annotator != name.trim()));
    let (labels, disputed) = match format.names_annotators() {
        true => (writing::each_label(&all, sample), 0),
        false => writing::joint_labels(&all, sample),
    };
    if format.head(texts).is_some_and(|head| !show(&head)) {
        return Ok(disputed);
    }
    for label in &labels {
        let line = match texts {
            true => {
                let a = find_document(study, &label.source, Some(KeptSide::Source))?.document.text;
                let b = find_document(study, &label.target, Some(KeptSide::Target))?.document.text;
                format.line(label, Some([&a, &b]))
            }
            false => format.line(label, None),
        };
        if !show(&line) {
            break;
        }
    }
    Ok(disputed)
}

/// Files in the folder of labels that are no journals by their names: relative to the study, by name.
pub fn files_beside_journals(study: &Snapshot) -> Result<Vec<String>, StudyError> {
    let folder = study.folder();
    let failed = |why| StudyError::File { doing: "listing", path: folder.join("labels"), why };
    let names = not_journals(folder).map_err(failed)?;
    Ok(names.into_iter().map(|name| format!("labels/{name}")).collect())
}

/// What is wrong with the journals, and which labels are of pages that have changed since.
pub fn verify_labels(study: &Snapshot) -> Result<Vec<CheckedJournal>, StudyError> {
    let mut findings = Vec::new();
    let journals = read_journals(study)?;
    let shared = shared_events(journals.all());
    for annotations in journals.all() {
        let reading = &annotations.reading;
        let labelled: Vec<&Event> =
            reading.decisions.pairs(None).filter_map(|(.., decision)| decision.labelled).collect();
        let mut remarks: Vec<String> = Vec::new();
        let unmatched = reading.decisions.unmatched();
        if !unmatched.is_empty() {
            remarks.push(format!("{} undo or redo an event that is not there", unmatched.len()));
        }
        remarks.extend(copies(study, annotations, &shared, journals.all()));
        remarks.extend(doubtful_times(reading));
        remarks.extend(changed_pages(study, &labelled)?);
        remarks.extend(outside_samples(study, &labelled)?);
        findings.push(CheckedJournal {
            annotator: annotations.annotator.clone(),
            events: reading.events.len(),
            labels: labelled.len(),
            problems: reading.problems.iter().map(ToString::to_string).collect(),
            damaged: reading.problems.iter().filter(|problem| problem.loses_an_event()).count(),
            remarks,
        });
    }
    Ok(findings)
}

/// That a journal is a copy of another, or went on as one, and what to do.
fn copies(
    study: &Snapshot,
    annotations: &Annotations,
    shared: &[SharedEvents<'_>],
    all: &[Annotations],
) -> Vec<String> {
    let mine = shared.iter().filter(|shared| shared.copy == annotations.file);
    let said = mine.map(|shared| match shared.only_copy {
        0 if shared.is_certain() => format!("{}; remove it", shared.sentence()),
        0 => format!("{}; remove it if it is one", shared.sentence()),
        _ => {
            let original = all.iter().find(|other| other.file == shared.original).map_or("", |other| &*other.annotator);
            let (folder, file) =
                (quoted_path(study.folder()), quoted_path(&study.folder().join("labels").join(shared.copy)));
            format!(
                "{}; {}`dejaview labels import {folder} {file} --annotator {}` joins them, then remove the copy",
                shared.sentence(),
                if shared.is_certain() { "" } else { "if it is one, " },
                quoted(original)
            )
        }
    });
    said.collect()
}

/// Labels that hold though something else was said later, and events of times that have not come.
fn doubtful_times(reading: &Reading) -> Vec<String> {
    let said = |event: &Event| match event.kind {
        EventKind::Label(label) => format!("{} of {}", label.name(), event.time),
        _ => event.time.clone(),
    };
    let mut remarks: Vec<String> = reading
        .decisions
        .out_of_order()
        .into_iter()
        .map(|OutOfOrder { holds, later }| {
            format!(
                "{} {}: {} holds, because it stands last, though {} is later; to settle it, take the label back and give the one that is \
                 meant",
                holds.source,
                holds.target,
                said(holds),
                said(later)
            )
        })
        .collect();
    let to_come = of_times_to_come(&reading.events, &now());
    if let Some(latest) = to_come.iter().map(|event| &event.time).max() {
        let events = if to_come.len() == 1 { "1 event is".to_owned() } else { format!("{} events are", to_come.len()) };
        remarks.push(format!(
            "{events} of times to come, the last of {latest}: what is imported with today's date counts as said before"
        ));
    }
    remarks
}

/// Labels of pages whose bytes are not those that were labelled.
fn changed_pages(study: &Snapshot, labelled: &[&Event]) -> Result<Vec<String>, StudyError> {
    let index = study.index()?;
    let changed = |side, id: &str, digest: &Option<String>| {
        let stored = index.details(side, id).ok().flatten();
        digest.as_ref().zip(stored).is_some_and(|(digest, stored)| *digest != stored.digest)
    };
    let is_changed = |event: &&&Event| {
        let c = &event.circumstances;
        changed(KeptSide::Source, &event.source, &c.source_digest)
            || changed(KeptSide::Target, &event.target, &c.target_digest)
    };
    let changed = labelled
        .iter()
        .filter(is_changed)
        .map(|event| format!("{} {}: a page has changed since it was labelled", event.source, event.target));
    let is_unknown = |event: &&&Event| {
        let c = &event.circumstances;
        let sides =
            [(KeptSide::Source, &event.source, &c.source_digest), (KeptSide::Target, &event.target, &c.target_digest)];
        sides.into_iter().any(|(side, id, digest)| digest.is_some() && !matches!(index.details(side, id), Ok(Some(_))))
    };
    let unknown = labelled.iter().filter(is_unknown).count();
    let unknown = (unknown > 0).then(|| {
        let of = if unknown == 1 { "1 label".to_owned() } else { format!("{unknown} labels") };
        format!("of {of} it is not known whether the pages have changed: no text of them is kept here (`dejaview run` keeps texts)")
    });
    Ok(changed.chain(unknown).collect())
}

/// Labels that name a sample in which their pair is not.
fn outside_samples(study: &Snapshot, labelled: &[&Event]) -> Result<Vec<String>, StudyError> {
    let mut remarks = Vec::new();
    let names: BTreeSet<&str> = labelled.iter().filter_map(|event| event.sample.as_deref()).collect();
    for name in names {
        let mine = labelled.iter().filter(|event| event.sample.as_deref() == Some(name));
        let Some(sample) = Sample::read(study.folder(), name)? else { continue };
        let pairs = pairs_of(&sample);
        let outside = mine.filter(|event| !pairs.contains(&(event.source.as_str(), event.target.as_str()))).count();
        if outside > 0 {
            remarks.push(format!("{outside} labels name the sample {name}, but their pairs are not in it"));
        }
    }
    Ok(remarks)
}

fn pairs_of(sample: &Sample) -> BTreeSet<(&str, &str)> {
    sample.pairs.iter().map(|pair| (pair.source.as_str(), pair.target.as_str())).collect()
}
