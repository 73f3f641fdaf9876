//! What an annotator did: one event, one line of the journal.
//!
//! An event is an object of JSON with the keys below. Kinds and keys that this version does not know are kept
//! ([`EventKind::Other`], [`Event::extra`]) and change no decision.
//!
//! | key | meaning |
//! |---|---|
//! | `seq` | number of the event in its journal, from 1 |
//! | `event` | `label`, `note`, `flag`, `skip`, `peek`, `undo`, `redo` |
//! | `source`, `target` | ids of the pair, always in this order |
//! | `label` | of a label: `near-duplicate`, `not`, `unsure` |
//! | `note`, `flag` | of a note its text (empty: removed), of a flag whether it is set |
//! | `of` | of an undo or redo: `seq` of the event that is taken back or restored |
//! | `sample` | sample in which it was done, if in one |
//! | `time` | RFC 3339, UTC |
//!
//! and those of [`Circumstances`].

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// A decision on a pair.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Label {
    /// The two are near-duplicates.
    NearDuplicate,
    Not,
    /// The annotator cannot tell. A value of its own: never counted as one of the others unasked.
    Unsure,
}

impl Label {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The word in journals and tables.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventKind {
    /// The pair was decided.
    Label(Label),
    /// A note was written; an empty one removes it.
    Note(String),
    /// A flag was set or removed.
    Flag(bool),
    /// The pair was passed over without a decision.
    Skip,
    /// Scores or reasons of the pair, hidden until it is decided, were looked at before.
    Peek,
    /// The event of this number was taken back.
    Undo(u64),
    /// The event of this number, taken back before, was restored.
    Redo(u64),
    /// A kind that this version does not know; its keys are in [`Event::extra`].
    Other(String),
}

impl EventKind {
    /// Whether it changes what is decided about a pair, and so can be undone.
    pub fn is_edit(&self) -> bool {
        matches!(self, Self::Label(_) | Self::Note(_) | Self::Flag(_))
    }

    fn name(&self) -> &str {
        match self {
            Self::Label(_) => "label",
            Self::Note(_) => "note",
            Self::Flag(_) => "flag",
            Self::Skip => "skip",
            Self::Peek => "peek",
            Self::Undo(_) => "undo",
            Self::Redo(_) => "redo",
            Self::Other(kind) => kind,
        }
    }

    fn payload(&self) -> Option<(&'static str, Value)> {
        match self {
            Self::Label(label) => Some(("label", label.name().into())),
            Self::Note(text) => Some(("note", text.as_str().into())),
            Self::Flag(set) => Some(("flag", (*set).into())),
            Self::Undo(of) | Self::Redo(of) => Some(("of", (*of).into())),
            Self::Skip | Self::Peek | Self::Other(_) => None,
        }
    }

    /// Takes the kind and what belongs to it out of an object.
    fn take(object: &mut Map<String, Value>) -> Result<Self, EventError> {
        let kind = string(object, "event").ok_or(EventError::NoKind)?;
        let mut payload = |key: &str| object.shift_remove(key).unwrap_or_default();
        let number = |value: Value| value.as_u64().ok_or(EventError::Of);
        Ok(match kind.as_str() {
            "label" => {
                let value = payload("label");
                let label: Option<Label> = value.as_str().and_then(|word| word.parse().ok());
                Self::Label(label.ok_or(EventError::UnknownLabel(value))?)
            }
            "note" => Self::Note(payload("note").as_str().ok_or(EventError::Note)?.to_owned()),
            "flag" => Self::Flag(payload("flag").as_bool().ok_or(EventError::Flag)?),
            "undo" => Self::Undo(number(payload("of"))?),
            "redo" => Self::Redo(number(payload("of"))?),
            "skip" => Self::Skip,
            "peek" => Self::Peek,
            _ => Self::Other(kind),
        })
    }
}

/// Why an object is not an event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    #[error("it has no number `seq`")]
    NoNumber,
    #[error("it names no event")]
    NoKind,
    #[error("label {0} is none of near-duplicate, not, unsure")]
    UnknownLabel(Value),
    #[error("its note is not text")]
    Note,
    #[error("its flag is neither true nor false")]
    Flag,
    #[error("`of` is not the number of an event")]
    Of,
}

/// Which document was shown on the left, or above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DocumentOrder {
    SourceFirst,
    TargetFirst,
}

/// Circumstances of an event. Every one of them may be absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Circumstances {
    /// Digest ([`dejaview_base::hash::digest`]) of the raw bytes of the source document: a better extractor orphans no label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_digest: Option<String>,
    /// The same of the target document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_digest: Option<String>,
    /// A finer class, one of the study's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// A reason, one of the study's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When the pair came onto the screen, RFC 3339 in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
    /// Milliseconds from then to the decision, without times of absence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dwell_ms: Option<u64>,
    /// Whether the end of both documents was on the screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scrolled_to_end: Option<bool>,
    /// Whether scores or reasons were looked at before the decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peeked: Option<bool>,
    /// Which document stood first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<DocumentOrder>,
    /// Whether the pair was decided before and came again unannounced. Such an event tells how steady the annotator is; it
    /// stands in the pair's history and changes no decision. Deciding it again on purpose is no such event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<bool>,
    /// Probability with which the pair came into the sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// Of an adjudication: the adjudicators whose earlier settlements of the pair it replaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overrides: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

impl Circumstances {
    /// The keys under which they are written.
    pub(super) const KEYS: [&str; 13] = [
        "source_digest",
        "target_digest",
        "class",
        "reason",
        "shown",
        "dwell_ms",
        "scrolled_to_end",
        "peeked",
        "order",
        "repeat",
        "probability",
        "overrides",
        "version",
    ];

    /// Takes its keys out of an object; what is not of the expected type stays there.
    pub(super) fn take(object: &mut Map<String, Value>) -> Self {
        let mut own = Map::new();
        for key in Self::KEYS {
            let Some(value) = object.get(key) else { continue };
            let alone = Map::from_iter([(key.to_owned(), value.clone())]);
            if serde_json::from_value::<Self>(alone.into()).is_ok() {
                own.extend(object.shift_remove(key).map(|value| (key.to_owned(), value)));
            }
        }
        serde_json::from_value(own.into()).unwrap_or_default()
    }

    /// The circumstances after source and target of the pair are swapped.
    #[must_use]
    pub fn swapped(mut self) -> Self {
        std::mem::swap(&mut self.source_digest, &mut self.target_digest);
        self.order = self.order.map(|order| match order {
            DocumentOrder::SourceFirst => DocumentOrder::TargetFirst,
            DocumentOrder::TargetFirst => DocumentOrder::SourceFirst,
        });
        self
    }

    /// Whether `others` already hold everything these say about a decision: class, reason, overridden adjudicators, and
    /// whether the scores were in view.
    pub fn say_no_more_than(&self, others: &Self) -> bool {
        fn is_said<T: PartialEq>(own: &Option<T>, other: &Option<T>) -> bool {
            own.is_none() || own == other
        }
        is_said(&self.class, &others.class)
            && is_said(&self.reason, &others.reason)
            && is_said(&self.overrides, &others.overrides)
            && is_said(&self.peeked, &others.peeked)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its number in the journal; 0 until it has one.
    pub seq: u64,
    pub kind: EventKind,
    /// Id of the source document.
    pub source: String,
    /// Id of the target document.
    pub target: String,
    /// The sample in which it was done, if in one.
    pub sample: Option<String>,
    /// When, RFC 3339 in UTC.
    pub time: String,
    /// How it came about.
    pub circumstances: Circumstances,
    /// Keys that this version does not know.
    pub extra: Map<String, Value>,
}

impl Event {
    /// An event without a number, written by this version.
    pub fn new(kind: EventKind, source: &str, target: &str, time: &str) -> Self {
        let version = Some(env!("CARGO_PKG_VERSION").to_owned());
        Self {
            seq: 0,
            kind,
            source: source.to_owned(),
            target: target.to_owned(),
            sample: None,
            time: time.to_owned(),
            circumstances: Circumstances { version, ..Circumstances::default() },
            extra: Map::new(),
        }
    }

    /// The same event, done in a sample.
    pub fn in_sample(mut self, sample: &str) -> Self {
        self.sample = Some(sample.to_owned());
        self
    }

    /// Whether it is a label that was given with the scores of the pair in view.
    pub fn saw_scores(&self) -> bool {
        matches!(self.kind, EventKind::Label(_)) && self.circumstances.peeked == Some(true)
    }

    /// The event after source and target of its pair are swapped.
    #[must_use]
    pub fn turned(mut self) -> Self {
        std::mem::swap(&mut self.source, &mut self.target);
        self.circumstances = self.circumstances.swapped();
        self
    }

    /// The event as an object, without a checksum.
    pub fn to_json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("seq".to_owned(), self.seq.into());
        object.insert("event".to_owned(), self.kind.name().into());
        object.insert("source".to_owned(), self.source.as_str().into());
        object.insert("target".to_owned(), self.target.as_str().into());
        object.extend(self.kind.payload().map(|(key, value)| (key.to_owned(), value)));
        object.extend(self.sample.iter().map(|sample| ("sample".to_owned(), sample.as_str().into())));
        object.insert("time".to_owned(), self.time.as_str().into());
        if let Ok(Value::Object(circumstances)) = serde_json::to_value(&self.circumstances) {
            object.extend(circumstances);
        }
        for (key, value) in &self.extra {
            if key != "crc" {
                object.entry(key.as_str()).or_insert_with(|| value.clone());
            }
        }
        object
    }

    /// The event of an object; a checksum in it is not looked at. The error says what is missing.
    pub fn from_json(mut object: Map<String, Value>) -> Result<Self, EventError> {
        object.shift_remove("crc");
        let seq = object.get("seq").and_then(Value::as_u64).ok_or(EventError::NoNumber)?;
        object.shift_remove("seq");
        Ok(Self {
            seq,
            kind: EventKind::take(&mut object)?,
            source: string(&mut object, "source").unwrap_or_default(),
            target: string(&mut object, "target").unwrap_or_default(),
            sample: string(&mut object, "sample"),
            time: string(&mut object, "time").unwrap_or_default(),
            circumstances: Circumstances::take(&mut object),
            extra: object,
        })
    }
}

/// Takes a text out of an object; anything else of that key stays.
fn string(object: &mut Map<String, Value>, key: &str) -> Option<String> {
    let text = object.get(key)?.as_str()?.to_owned();
    object.shift_remove(key);
    Some(text)
}
