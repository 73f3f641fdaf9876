//! Rows of a table: whose they are, where they belong, each pair once.

use std::collections::{BTreeMap, HashSet};

use super::import::LabelImport;
use super::overruled::why_overruled;
use super::placer::{Placer, RowPlace};
use super::report::{Contradiction, ImportReport, Relabelled};
use crate::StudyError;
use dejaview_base::cells::Separator;
use dejaview_labels::{Circumstances, Decisions, Event, EventKind, Journal, Label, LabelRow, LabelTable};

/// How many notes stand between quotes as spreadsheets write them, in a table with tabs: there quotes are part of a cell, and
/// whoever wrote the table may not have meant them so.
pub(super) fn quoted_notes(text: &str, table: &LabelTable) -> usize {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if first.trim_start().starts_with('{') || Separator::detect(first) != Separator::Tab {
        return 0;
    }
    let inside = |note: &str| Some(note.strip_prefix('"')?.strip_suffix('"')?.replace("\"\"", ""));
    let is_quoted = |note: &str| inside(note).is_some_and(|inside| !inside.contains('"'));
    table.rows.iter().filter(|row| row.note.as_deref().is_some_and(is_quoted)).count()
}

/// A label that belongs into a journal.
#[derive(Debug)]
pub(super) struct PlacedRow {
    line: usize,
    pub(super) annotator: String,
    source: String,
    target: String,
    label: Label,
    /// The sample in which it was given.
    sample: Option<String>,
    /// Other samples in which the annotator answered the pair.
    also_in: Vec<String>,
    note: Option<String>,
    flag: bool,
    time: Option<String>,
    circumstances: Circumstances,
}

impl PlacedRow {
    /// Takes what another row says beside the same label of the same pair: its samples, its flag, and a note where there is
    /// none. Returns what is left out of it, in words.
    fn take_from_repeated(&mut self, row: &Self) -> Vec<String> {
        for name in row.sample.iter().chain(&row.also_in) {
            if self.sample.as_ref() != Some(name) && !self.also_in.contains(name) {
                self.also_in.push(name.clone());
            }
        }
        self.flag |= row.flag;
        if self.note.is_none() {
            self.note.clone_from(&row.note);
        }
        let why = |what: &str| format!("{what} was left out: line {} has a label of the same pair", self.line);
        let other_note = row.note.is_some() && row.note != self.note;
        let other_time = row.time.is_some() && row.time != self.time;
        let other_circumstances = !row.circumstances.say_no_more_than(&self.circumstances);
        let left_out =
            [(other_note, "the note"), (other_time, "the time"), (other_circumstances, "how the label came about")];
        left_out.into_iter().filter(|(is_other, _)| *is_other).map(|(_, what)| why(what)).collect()
    }

    /// Drops the note and the flag of a label with a time where the annotator said just these of the pair and changed them
    /// since: they are as old as the label. Returns what is left out, in words.
    fn drop_changed_details(&mut self, decisions: &Decisions) -> Vec<String> {
        if self.time.is_none() {
            return Vec::new();
        }
        let now = decisions.decision(&self.source, &self.target, None);
        let was_said = |what: EventKind| decisions.was_said(&self.source, &self.target, &what);
        let is_old_note =
            self.note.as_ref().is_some_and(|note| now.note != Some(note) && was_said(EventKind::Note(note.clone())));
        let is_old_flag = self.flag && !now.flag && was_said(EventKind::Flag(true));
        let why = |what: &str| format!("{what} was left out: {} changed it since", self.annotator);
        let left_out = [(is_old_note, "the note"), (is_old_flag, "the flag")];
        let left_out = left_out.into_iter().filter(|(is_old, _)| *is_old).map(|(_, what)| why(what)).collect();
        self.note.take_if(|_| is_old_note);
        self.flag &= !is_old_flag;
        left_out
    }

    /// The note and the flag of a row that is left out, in words, where its journal never had them.
    fn details_left_out(&self, decisions: &Decisions) -> Vec<String> {
        let is_new = |what: EventKind| !decisions.was_said(&self.source, &self.target, &what);
        let is_new_note = self.note.as_ref().is_some_and(|note| is_new(EventKind::Note(note.clone())));
        let is_new_flag = self.flag && is_new(EventKind::Flag(true));
        let why = |what: &str| format!("{what} was left out with its label");
        let left_out = [(is_new_note, "the note"), (is_new_flag, "the flag")];
        left_out.into_iter().filter(|(is_new, _)| *is_new).map(|(_, what)| why(what)).collect()
    }
}

/// The rows whose pairs belong into the study, the right way round; the others are counted.
pub(super) fn placed_rows(
    mut table: LabelTable,
    import: &LabelImport<'_>,
    placer: &Placer<'_>,
    report: &mut ImportReport,
) -> Result<Vec<PlacedRow>, StudyError> {
    report.rows = table.rows.len() + table.problems.len();
    report.not_understood = table.problems.len();
    report.problems = std::mem::take(&mut table.problems);
    report.unread = std::mem::take(&mut table.unread);
    let (mut rows, mut samples) = (Vec::new(), Samples::default());
    for incoming in std::mem::take(&mut table.rows) {
        let Some(label) = table.label(&incoming, import.meaning) else {
            report.without_label(&incoming);
            continue;
        };
        let annotator = annotator_of(&incoming, import)?;
        let Some(incoming) = placed(incoming, placer, report)? else { continue };
        report.details_left_out(incoming.line, &incoming.left_out);
        let LabelRow { line, source, target, note, flag, time, mut circumstances, sample, also_in, .. } = incoming;
        let pair = (source, target);
        let (sample, also_in) = match import.sample.filter(|_| !placer.is_outside_sample(&pair.0, &pair.1)) {
            Some(name) => (Some(name.to_owned()), Vec::new()),
            None => {
                if import.sample.is_some() {
                    report.not_in_sample(line, &pair.0, &pair.1);
                }
                let (mut also_in, elsewhere) = samples.divided(sample.as_deref(), also_in.as_deref(), &pair, placer)?;
                // That a pair is not in the sample that was named for all has been said.
                let elsewhere: Vec<String> = elsewhere.into_iter().filter(|name| import.sample != Some(name)).collect();
                report.without_samples(line, &elsewhere);
                let is_own = sample.is_some() && also_in.last() == sample.as_ref();
                (if is_own { also_in.pop() } else { None }, also_in)
            }
        };
        let (source, target) = pair;
        report.of_others += usize::from(placer.is_assigned_to_others(&source, &target, &annotator));
        // A table has what holds; that a pair came again is told by journals alone.
        circumstances.repeat = None;
        rows.push(PlacedRow {
            line,
            annotator,
            source,
            target,
            label,
            sample,
            also_in,
            note,
            flag,
            time,
            circumstances,
        });
    }
    Ok(rows)
}

/// The pairs of the samples that rows name, each read once.
#[derive(Default)]
struct Samples(BTreeMap<String, HashSet<(String, String)>>);

impl Samples {
    /// Whether a pair is in a sample.
    fn holds(&mut self, name: &str, pair: &(String, String), placer: &Placer<'_>) -> Result<bool, StudyError> {
        if !self.0.contains_key(name) {
            self.0.insert(name.to_owned(), placer.pairs_of(name)?);
        }
        Ok(self.0.get(name).is_some_and(|pairs| pairs.contains(pair)))
    }

    /// The samples that a row names, its own last: those that have its pair, and those that do not.
    fn divided(
        &mut self,
        own: Option<&str>,
        others: Option<&str>,
        pair: &(String, String),
        placer: &Placer<'_>,
    ) -> Result<(Vec<String>, Vec<String>), StudyError> {
        let (mut here, mut elsewhere) = (Vec::new(), Vec::new());
        for name in others.into_iter().flat_map(dejaview_labels::split_names).chain(own) {
            match self.holds(name, pair, placer)? {
                true => here.push(name.to_owned()),
                false => elsewhere.push(name.to_owned()),
            }
        }
        Ok((here, elsewhere))
    }
}

/// The row, the right way round; none when its pair does not belong here.
fn placed(mut row: LabelRow, placer: &Placer<'_>, report: &mut ImportReport) -> Result<Option<LabelRow>, StudyError> {
    match placer.place(&row.source, &row.target)? {
        RowPlace::Here => return Ok(Some(row)),
        RowPlace::Swapped => {
            report.swapped += 1;
            std::mem::swap(&mut row.source, &mut row.target);
            row.circumstances = row.circumstances.swapped();
            return Ok(Some(row));
        }
        RowPlace::Itself(why) => report.itself(row.line, why),
        RowPlace::Unknown(why) => report.unknown_ids(row.line, why),
    }
    Ok(None)
}

/// The annotator of a row: the one that it names, else the one that was named for all.
fn annotator_of(incoming: &LabelRow, import: &LabelImport<'_>) -> Result<String, StudyError> {
    let line = incoming.line;
    let said = import.annotator.map(str::trim);
    match (incoming.annotator.as_deref().map(str::trim).filter(|name| !name.is_empty()), said) {
        (Some(own), Some(other)) if own != other => Err(import.refused(&format!(
            "line {line} is a label of {own}, not of {other}; leave out --annotator to import every label under its own \
             name, or remove the column `annotator` to import them all as {other}'s"
        ))),
        (Some(name), _) if name.contains(char::is_control) => {
            Err(import.refused(&format!("line {line} names an annotator with a control character: {name:?}")))
        }
        (Some(name), _) | (None, Some(name)) => Ok(name.to_owned()),
        (None, None) => Err(import.refused(&format!(
            "line {line} does not say whose label it is; name the annotator with --annotator, or in a column `annotator`"
        ))),
    }
}

/// Every pair of an annotator once, in the order of the file. Repeated labels are counted, those that differ reported.
pub(super) fn without_duplicates(rows: Vec<PlacedRow>, report: &mut ImportReport) -> Vec<PlacedRow> {
    let mut given: BTreeMap<_, (usize, Vec<(usize, Label)>)> = BTreeMap::new();
    let mut first: Vec<PlacedRow> = Vec::new();
    for row in rows {
        let key = (row.annotator.clone(), row.source.clone(), row.target.clone());
        let (at, given) = given.entry(key).or_insert((first.len(), Vec::new()));
        given.push((row.line, row.label));
        match first.get_mut(*at) {
            Some(before) => {
                report.duplicates += 1;
                report.details_left_out(row.line, &before.take_from_repeated(&row));
            }
            None => first.push(row),
        }
    }
    for ((annotator, source, target), (_, given)) in given {
        if given.iter().any(|(_, label)| *label != given[0].1) {
            report.contradictions.push(Contradiction { annotator, source, target, given });
        }
    }
    report.contradictions.sort_by_key(|contradiction| contradiction.given[0].0);
    first
}

/// Why a row that says when it was decided changes nothing, in words; none when nothing overrules it.
fn overruled_row(row: &PlacedRow, decisions: &Decisions) -> Option<String> {
    let label = Event::new(EventKind::Label(row.label), &row.source, &row.target, row.time.as_deref()?);
    why_overruled(&Event { circumstances: row.circumstances.clone(), ..label }, decisions, &row.annotator)
}

/// Adds the events of a row that its journal does not have. What an annotator decided elsewhere is their decision too, but
/// counts in a sample only if it was given there.
pub(super) fn add_events(
    mut row: PlacedRow,
    now: &str,
    journal: &Journal,
    events: &mut Vec<Event>,
    report: &mut ImportReport,
) {
    let decisions = &journal.reading().decisions;
    if let Some(why) = overruled_row(&row, decisions) {
        report.overruled(row.line, why);
        report.details_left_out(row.line, &row.details_left_out(decisions));
        return;
    }
    let says = (row.note.is_some(), row.flag);
    report.details_left_out(row.line, &row.drop_changed_details(decisions));
    let PlacedRow { line, annotator, source, target, label, sample, also_in, note, flag, time, circumstances } = row;
    report.outside_samples += usize::from(sample.is_none() && also_in.is_empty());
    if time.is_some() {
        let now = decisions.decision(&source, &target, None);
        report.details_kept += usize::from(!says.0 && now.note.is_some() || !says.1 && now.flag);
    }
    let held = decisions.label(&source, &target, None);
    let here = decisions.decision(&source, &target, sample.as_deref());
    let time = time.unwrap_or_else(|| now.to_owned());
    let about = |what: EventKind, sample: Option<&String>| {
        let event = Event::new(what, &source, &target, &time);
        if let Some(name) = sample { event.in_sample(name) } else { event }
    };
    let says_no_more = here.labelled.is_some_and(|event| circumstances.say_no_more_than(&event.circumstances));
    // How the pair was answered in other samples is told by journals alone; that it was makes it count there.
    let missing = also_in.iter().filter(|name| decisions.label(&source, &target, Some(name)).is_none());
    let before = events.len();
    events.extend(missing.map(|name| about(EventKind::Label(label), Some(name))));
    match held {
        Some(held) if held == label && says_no_more && events.len() == before => report.known(&annotator),
        held => {
            let mut event = about(EventKind::Label(label), sample.as_ref());
            let version = circumstances.version.clone().or(event.circumstances.version.take());
            event.circumstances = Circumstances { version, ..circumstances };
            events.push(event);
            match held.filter(|old| *old != label) {
                None => report.added(&annotator),
                Some(old) => {
                    let (source, target) = (source.clone(), target.clone());
                    report.changed(Relabelled { annotator, line, source, target, old, new: label });
                }
            }
        }
    }
    if let Some(note) = note.filter(|note| here.note != Some(note.as_str())) {
        events.push(about(EventKind::Note(note), sample.as_ref()));
    }
    if flag && !here.flag {
        events.push(about(EventKind::Flag(true), sample.as_ref()));
    }
}
