//! Reading the two documents of a pair and comparing their texts.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::pair_ids::PairIds;
use crate::widgets::diff_view::Texts;
use dejaview_index::{KeptSide, StoredDocument};
use dejaview_labels::{CalibrationPair, calibration_deck};
use dejaview_study::Snapshot;
use dejaview_text::{decode, diff, rendered, shorten};

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
    /// Of the source and of the target.
    pub titles: [String; 2],
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
    pub fn read(&self, study: &Snapshot) -> Result<Box<OpenPair>, String> {
        let (source, target) = match self.from {
            Origin::Study(form) => (
                ShownDocument::read(study, &self.ids.source, KeptSide::Source, form)?,
                ShownDocument::read(study, &self.ids.target, KeptSide::Target, form)?,
            ),
            Origin::Deck(at) => calibration_documents(calibration_deck().get(at).ok_or("the deck has no such pair")?),
        };
        let form = match self.from {
            Origin::Study(Form::Rendered) => Some("rendered by html2text".to_owned()),
            Origin::Study(Form::Raw) => Some("as sent, decoded".to_owned()),
            Origin::Study(Form::Text) | Origin::Deck(_) => None,
        };
        let notes: Vec<String> = form.into_iter().chain(source.problem).chain(target.problem).collect();
        let (mut a, mut b) = (source.text, target.text);
        if self.swapped {
            std::mem::swap(&mut a, &mut b);
        }
        let diff = diff::diff(&a, &b, Instant::now() + DIFF_TIME);
        Ok(Box::new(OpenPair {
            source: source.document,
            target: target.document,
            titles: [source.title, target.title],
            texts: Arc::new(Texts::new(a, b, diff)),
            note: (!notes.is_empty()).then(|| notes.join(" · ")),
        }))
    }
}

/// A document, and its text in the form that is shown.
struct ShownDocument {
    /// Without its text.
    document: StoredDocument,
    title: String,
    text: String,
    /// Why another form is shown than the one asked for.
    problem: Option<String>,
}

impl ShownDocument {
    fn new(mut document: StoredDocument) -> Self {
        let text = std::mem::take(&mut document.text);
        Self { title: shorten::title(&text).to_owned(), document, text, problem: None }
    }

    fn read(study: &Snapshot, id: &str, side: KeptSide, form: Form) -> Result<Self, String> {
        if form == Form::Text {
            let found = dejaview_study::find_document(study, id, Some(side)).map_err(|error| error.to_string())?;
            return Ok(Self::new(found.document));
        }
        let found = dejaview_study::find_raw_document(study, id, Some(side)).map_err(|error| error.to_string())?;
        let mut shown = Self::new(found.document);
        let (raw, html) = (found.raw.unwrap_or_default(), shown.document.media == "html");
        let decoded = decode(&raw, Some(&shown.document.charset), html).text;
        match form {
            Form::Rendered if html => match rendered::rendered(&decoded, rendered::Limits::default()) {
                Ok(text) => shown.text = text,
                Err(why) => shown.problem = Some(format!("{id}: {why}; canonical text shown")),
            },
            Form::Text | Form::Rendered => {}
            Form::Raw => shown.text = decoded.into_owned(),
        }
        Ok(shown)
    }
}

/// A pair of the calibration deck, which is in no study.
fn calibration_documents(pair: &CalibrationPair) -> (ShownDocument, ShownDocument) {
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
    (ShownDocument::new(source), ShownDocument::new(target))
}
