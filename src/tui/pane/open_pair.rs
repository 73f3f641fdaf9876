//! Reading the two documents of a pair and comparing their texts.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::pair_ids::PairIds;
use crate::widgets::diff_view::Texts;
use dejaview_index::{KeptSide, StoredDocument};
use dejaview_labels::{CalibrationPair, calibration_deck};
use dejaview_study::Snapshot;
use dejaview_text::{decode, diff, rendered};

/// After this the diff goes on by lines instead of words.
const DIFF_TIME: Duration = Duration::from_millis(1500);

/// What is shown of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// The canonical text, which everything is computed on.
    #[default]
    Text,
    /// The page as html2text renders it.
    Rendered,
    /// The page as it was sent, decoded.
    Raw,
}

#[derive(Debug)]
pub struct OpenPair {
    /// The source document without its text.
    pub source: StoredDocument,
    /// The target document without its text.
    pub target: StoredDocument,
    pub texts: Arc<Texts>,
    /// What to know about another form than the canonical text.
    pub note: Option<String>,
}

/// A pair to read and compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedPair {
    pub ids: PairIds,
    pub from: Origin,
    /// Whether the target is shown first.
    pub swapped: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Study(Form),
    /// By number in the calibration deck.
    Deck(usize),
}

impl WantedPair {
    pub(super) fn read(&self, study: &Snapshot) -> Result<Box<OpenPair>, String> {
        let (source, target) = (&self.ids.source, &self.ids.target);
        let (a, b, note) = match self.from {
            Origin::Study(Form::Text) => text(study, source, target)?,
            Origin::Study(Form::Rendered) => rendered(study, source, target)?,
            Origin::Study(Form::Raw) => raw(study, source, target)?,
            Origin::Deck(at) => calibration_documents(calibration_deck().get(at).ok_or("the deck has no such pair")?),
        };
        Ok(Box::new(open_pair(a, b, note, self.swapped)))
    }
}

fn text(study: &Snapshot, source: &str, target: &str) -> Result<Fetched, String> {
    let fetch =
        |id: &str, side| dejaview_study::find_document(study, id, Some(side)).map_err(|error| error.to_string());
    let a = fetch(source, KeptSide::Source)?.document;
    let b = fetch(target, KeptSide::Target)?.document;
    Ok((a, b, None))
}

fn rendered(study: &Snapshot, source: &str, target: &str) -> Result<Fetched, String> {
    let mut notes = Vec::new();
    let mut fetch = |id: &str, side| -> Result<StoredDocument, String> {
        let found = dejaview_study::find_raw_document(study, id, Some(side)).map_err(|error| error.to_string())?;
        let mut document = found.document;
        let raw = found.raw.unwrap_or_default();
        if document.media == "html" {
            match rendered::rendered(&decode(&raw, Some(&document.charset), true).text, rendered::Limits::default()) {
                Ok(text) => document.text = text,
                Err(why) => notes.push(format!("{id}: {why}; canonical text shown")),
            }
        }
        Ok(document)
    };
    let (a, b) = (fetch(source, KeptSide::Source)?, fetch(target, KeptSide::Target)?);
    notes.insert(0, "rendered by html2text".to_owned());
    Ok((a, b, Some(notes.join(" · "))))
}

fn raw(study: &Snapshot, source: &str, target: &str) -> Result<Fetched, String> {
    let fetch = |id: &str, side| -> Result<StoredDocument, String> {
        let found = dejaview_study::find_raw_document(study, id, Some(side)).map_err(|error| error.to_string())?;
        let mut document = found.document;
        let html = document.media == "html";
        document.text = decode(&found.raw.unwrap_or_default(), Some(&document.charset), html).text.into_owned();
        Ok(document)
    };
    let (a, b) = (fetch(source, KeptSide::Source)?, fetch(target, KeptSide::Target)?);
    Ok((a, b, Some("the pages as they were sent, decoded".to_owned())))
}

/// Source, target, and what to know about the form that is shown.
type Fetched = (StoredDocument, StoredDocument, Option<String>);

fn open_pair(mut source: StoredDocument, mut target: StoredDocument, note: Option<String>, swapped: bool) -> OpenPair {
    let (mut a, mut b) = (std::mem::take(&mut source.text), std::mem::take(&mut target.text));
    if swapped {
        std::mem::swap(&mut a, &mut b);
    }
    let diff = diff::diff(&a, &b, Instant::now() + DIFF_TIME);
    OpenPair { source, target, texts: Arc::new(Texts::new(a, b, diff)), note }
}

/// A pair of the calibration deck, which is in no study.
fn calibration_documents(pair: &CalibrationPair) -> Fetched {
    let stored = |side, id: &str, text: &str| StoredDocument {
        side,
        segment: String::new(),
        id: id.to_owned(),
        url: "sample study".to_owned(),
        date: String::new(),
        charset: "text".to_owned(),
        media: "text".to_owned(),
        file: String::new(),
        offset: 0,
        bytes: text.len() as u64,
        digest: String::new(),
        text: text.to_owned(),
    };
    let source = stored(KeptSide::Source, &pair.source, &pair.source_text);
    let target = stored(KeptSide::Target, &pair.target, &pair.target_text);
    (source, target, None)
}
