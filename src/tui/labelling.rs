//! What writes into the journal of labels, on every screen where a pair can be labelled: labels, notes, flags, undo and
//! redo.

use super::action::Action;
use super::book::Book;
use super::contract::{Effect, News, Request};
use super::overlays::note::TypeNote;
use super::pair_ids::PairIds;
use super::shared::Shared;
use super::subject::Subject;
use dejaview_index::KeptSide;
use dejaview_labels::{Circumstances, Decision, Decisions, Event, EventKind, Label};
use dejaview_text::shorten::shorten_title;

/// Columns of a title in a message.
const TITLE: usize = 24;

/// The label that an action gives, if it gives one.
pub fn label_given_by(action: Action) -> Option<Label> {
    match action {
        Action::NearDuplicate => Some(Label::NearDuplicate),
        Action::Not => Some(Label::Not),
        Action::Unsure => Some(Label::Unsure),
        _ => None,
    }
}

pub fn writes_to_journal(action: Action) -> bool {
    Action::LABELS.contains(&action)
        || matches!(action, Action::Undo | Action::Redo | Action::Flag | Action::Note | Action::EditNote | Action::Peek)
}

/// The person's decision on a pair so far.
pub fn decision<'a>(subject: &Subject, shared: &'a Shared) -> Decision<'a> {
    let PairIds { source, target } = &subject.ids;
    shared.book.decisions().decision(source, target, subject.sample.as_deref())
}

/// Whether an edit of a pair would change nothing. Such an edit is not written: its undo would seem to do nothing.
pub fn changes_nothing(subject: &Subject, what: &EventKind, shared: &Shared) -> bool {
    let PairIds { source, target } = &subject.ids;
    match what {
        EventKind::Label(label) if subject.repeat => {
            shared.book.decisions().repeated(source, target, subject.sample.as_deref()) == Some(*label)
        }
        EventKind::Label(label) => decision(subject, shared).label() == Some(*label),
        EventKind::Note(text) => !subject.repeat && decision(subject, shared).note.unwrap_or_default() == text,
        _ => false,
    }
}

/// Records an edit of a pair; asks for nothing when its texts are not on the screen, or when nothing can be written.
pub fn record(subject: &Subject, what: EventKind, circumstances: Circumstances, shared: &mut Shared) -> Vec<Request> {
    let Some([source, target]) = subject.digests.clone() else { return Vec::new() };
    if let Some(why) = &shared.book.read_only {
        shared.message = Some(format!("Not saved: {why}"));
        return Vec::new();
    }
    let mut event = Event::new(what, &subject.ids.source, &subject.ids.target, &shared.now());
    event.sample.clone_from(&subject.sample);
    event.circumstances = circumstances;
    (event.circumstances.source_digest, event.circumstances.target_digest) = (Some(source), Some(target));
    vec![Effect::Journal(shared.book.record(event)).into()]
}

/// Flags a pair, or takes the flag away. A pair that came again does not show its flag, so it can only be set there.
pub fn flag(subject: &Subject, shared: &mut Shared) -> Vec<Request> {
    let flagged = decision(subject, shared).flag && !subject.repeat;
    record(subject, EventKind::Flag(!flagged), Circumstances::default(), shared)
}

/// Lets the person type a note on a pair.
pub fn type_note(subject: Option<&Subject>, shared: &mut Shared) -> Vec<Request> {
    if let Some(why) = &shared.book.read_only {
        shared.message = Some(format!("No note can be saved: {why}"));
        return Vec::new();
    }
    let Some(subject) = subject else { return Vec::new() };
    let text = first_text_of_note(subject, shared);
    vec![Request::open(TypeNote::new(&text, shared))]
}

/// Lets the person write a note on a pair in their editor.
pub fn edit_note(subject: Option<&Subject>, shared: &mut Shared) -> Vec<Request> {
    if let Some(why) = &shared.book.read_only {
        shared.message = Some(format!("No note can be saved: {why}"));
        return Vec::new();
    }
    let text = subject.map(|subject| first_text_of_note(subject, shared));
    text.map(|text| Effect::Edit(text).into()).into_iter().collect()
}

/// The text that a note on a pair begins with: a note that was abandoned, else the present one.
fn first_text_of_note(subject: &Subject, shared: &mut Shared) -> String {
    let given_up = shared.notes.given_up.take().filter(|(on, _)| on.as_ref() == Some(&subject.ids));
    let note = if subject.repeat { None } else { decision(subject, shared).note.map(str::to_owned) };
    shared.notes.on = Some(subject.ids.clone());
    shared.notes.seen = shared.shown.is_some();
    given_up.map(|(_, text)| text).or(note).unwrap_or_default()
}

/// Records a note on the pair that it was begun on. What cannot be recorded, since the pair is not there yet or not any
/// more, is kept as a draft.
pub fn note_typed(subject: Option<&Subject>, text: String, shared: &mut Shared) -> Vec<Request> {
    let begun = shared.notes.on.take();
    let here = begun.as_ref() == subject.map(|subject| &subject.ids);
    let note = EventKind::Note(text.clone());
    let subject = subject.filter(|_| here);
    if subject.is_some_and(|subject| changes_nothing(subject, &note, shared)) {
        shared.message = Some("The note is unchanged".to_owned());
        return Vec::new();
    }
    let before = shared.message.take();
    let requests = subject.map(|subject| record(subject, note, Circumstances::default(), shared)).unwrap_or_default();
    if requests.is_empty() {
        shared.notes.given_up = Some((begun, text));
        let again = shared.way_to(Action::Note);
        let why = format!("Not saved: the pair is not on the screen. Press {again} there to continue the note");
        // Where nothing can be saved at all, that was said; whatever was said before is the lesser news.
        shared.message.get_or_insert(why);
    } else {
        shared.message = before;
    }
    requests
}

/// The person's editor was left with this note.
pub fn note_edited(subject: Option<&Subject>, result: Result<String, String>, shared: &mut Shared) -> Vec<Request> {
    shared.hide();
    match result {
        Ok(text) => note_typed(subject, text.trim_end().to_owned(), shared),
        Err(why) => {
            shared.message = Some(why);
            Vec::new()
        }
    }
}

/// An edit that was undone or redone.
pub struct Undone {
    pub ids: PairIds,
    /// Whether it was the answer to a repeated question.
    pub repeat: bool,
    /// Write the undo or redo to the journal.
    pub requests: Vec<Request>,
}

/// The edits among which the last one is undone or redone.
#[derive(Debug, Clone, Copy)]
pub enum Among<'a> {
    /// Those in this sample, or all.
    Sample(Option<&'a str>),
    /// Those of this pair, in whatever sample.
    Pair(&'a PairIds),
}

/// Undoes or redoes the last edit. None when there is nothing to undo or redo; the person is told.
pub fn undo_or_redo(undo: bool, among: Among<'_>, shared: &mut Shared) -> Option<Undone> {
    let (decisions, time) = (shared.book.decisions(), shared.now());
    let edit = match (among, undo) {
        (Among::Sample(sample), true) => decisions.undoable(sample),
        (Among::Sample(sample), false) => decisions.redoable(sample),
        (Among::Pair(ids), true) => decisions.undoable_on(&ids.source, &ids.target),
        (Among::Pair(ids), false) => decisions.redoable_on(&ids.source, &ids.target),
    };
    let Some(edit) = edit else {
        shared.message = Some(match (among, undo) {
            (Among::Pair(_), true) => {
                let key = shared.way_to(Action::Undo);
                format!("You have not decided this pair. On Label {key} takes back the last decision")
            }
            (_, true) => "Nothing to undo".to_owned(),
            (_, false) => "Nothing to redo".to_owned(),
        });
        return None;
    };
    if let Some(why) = &shared.book.read_only {
        shared.message = Some(format!("Not saved: {why}"));
        return None;
    }
    let event = if undo { Decisions::undo_of(edit, &time) } else { Decisions::redo_of(edit, &time) };
    let what = Book::describe(edit);
    let repeat = edit.circumstances.repeat == Some(true);
    let ids = PairIds { source: event.source.clone(), target: event.target.clone() };
    let mut requests = vec![Effect::Journal(shared.book.record(event)).into()];
    if undo {
        requests.push(Request::Tell(News::LabelUndone(ids.clone())));
    }
    shared.message = Some(if undo { undo_message(&what, &ids, shared) } else { format!("Redone: {what}") });
    shared.hide();
    Some(Undone { ids, repeat, requests })
}

/// “ of “Its title””, for a message about a pair.
pub fn of_pair(ids: &PairIds, shared: &Shared) -> String {
    let title = shared.data.as_ref().map(|data| data.study.titles().shown(KeptSide::Source, &ids.source));
    title.map(|title| format!(" of “{}”", shorten_title(title.text(), TITLE))).unwrap_or_default()
}

/// Names the pair, and the key of “unsure”, since some people press `u` for it.
fn undo_message(what: &str, ids: &PairIds, shared: &Shared) -> String {
    let of = of_pair(ids, shared);
    let (redo, unsure) = (shared.way_to(Action::Redo), shared.way_to(Action::Unsure));
    let hint = if unsure == "u" { String::new() } else { format!(" ({unsure} is unsure)") };
    format!("Undone: {what}{of}. Press {redo} to redo{hint}")
}
