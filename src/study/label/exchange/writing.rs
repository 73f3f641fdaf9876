//! Labels for other tools: which pair has which label, without the texts.

use serde_json::{Map, Value, json};
use strum::IntoStaticStr;

use dejaview_base::choice::{Choice, Choices};
use dejaview_base::escaping::{escape_id, escape_text};
use dejaview_labels::{Decision, EventKind, Journals, Label};

/// In what form labels are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum LabelFormat {
    /// Tabs between columns: every annotator's label of every pair.
    Tsv,
    /// One object a line: the same, with all circumstances.
    Jsonl,
    /// `source 0 target grade`: what all together say; 1, 0, and -1 for unsure.
    Qrels,
    /// CopyCat's keys, one object a line: what all together say.
    Copycat,
    /// Splink's table of clerical labels: what all together say; 1, 0, and 0.5 for unsure.
    Splink,
}

impl Choice for LabelFormat {
    const CHOICES: Choices<Self> = &[
        (Self::Tsv, "Tabs between columns: every annotator's label of every pair"),
        (Self::Jsonl, "One JSON object a line: the same with all circumstances"),
        (Self::Qrels, "source 0 target grade: what all together say; 1, 0, -1 for unsure"),
        (Self::Copycat, "CopyCat's keys: what all together say"),
        (Self::Splink, "Splink's table of clerical labels: what all together say; 1, 0, 0.5 for unsure"),
    ];
}

/// A label to be exported, of one annotator or of all together.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportedLabel {
    /// Id of the source document.
    pub source: String,
    /// Id of the target document.
    pub target: String,
    pub label: Label,
    /// None when it is the label that holds for all annotators together.
    pub annotator: Option<String>,
    /// Other fields of the journal by name.
    pub more: Map<String, Value>,
}

/// Labels of every annotator, by pair, then annotator.
pub fn each_label(journals: &Journals, sample: Option<&str>) -> Vec<ExportedLabel> {
    let mut labels: Vec<ExportedLabel> = Vec::new();
    for annotations in journals.all() {
        for (source, target, decision) in annotations.reading.decisions.pairs(sample) {
            let Some(label) = decision.label() else { continue };
            let (source, target) = (source.to_owned(), target.to_owned());
            let annotator = Some(annotations.annotator.clone());
            let mut more = journal_fields(&decision);
            let own = decision.labelled.and_then(|event| event.sample.as_deref());
            let also_in = annotations.reading.decisions.answered_in(&source, &target);
            let also_in: Vec<&str> = also_in.into_iter().filter(|name| Some(*name) != own).collect();
            more.insert("also_in".to_owned(), if also_in.is_empty() { Value::Null } else { json!(also_in) });
            labels.push(ExportedLabel { source, target, label, annotator, more });
        }
    }
    labels.sort_by(|a, b| (&a.source, &a.target, &a.annotator).cmp(&(&b.source, &b.target, &b.annotator)));
    labels
}

fn journal_fields(decision: &Decision<'_>) -> Map<String, Value> {
    let mut more = decision.labelled.and_then(|event| serde_json::to_value(&event.circumstances).ok());
    let mut more = more.as_mut().and_then(Value::as_object_mut).map(std::mem::take).unwrap_or_default();
    if let Some(event) = decision.labelled {
        more.insert("sample".to_owned(), json!(event.sample));
        more.insert("time".to_owned(), json!(event.time));
    }
    more.insert("note".to_owned(), json!(decision.note));
    more.insert("flag".to_owned(), json!(decision.flag));
    more
}

/// The labels that hold for all annotators together, by pair, and how many pairs are disputed.
pub fn joint_labels(journals: &Journals, sample: Option<&str>) -> (Vec<ExportedLabel>, usize) {
    let mut labels: Vec<ExportedLabel> = Vec::new();
    let mut disputed = 0;
    for (source, target) in journals.pairs(sample) {
        match journals.standing(source, target).label() {
            Some(label) => {
                let annotators = Value::from(journals.votes(source, target).len());
                let more = Map::from_iter([("annotators".to_owned(), annotators)]);
                let (source, target) = (source.to_owned(), target.to_owned());
                labels.push(ExportedLabel { source, target, label, annotator: None, more });
            }
            None => disputed += 1,
        }
    }
    (labels, disputed)
}

impl LabelFormat {
    /// The first line, where there is one.
    pub fn head(self, texts: bool) -> Option<String> {
        let more = if texts { "\tsource_text\ttarget_text" } else { "" };
        match self {
            Self::Tsv => Some(format!("source\ttarget\tlabel\tannotator\t{}{more}", TSV.join("\t"))),
            Self::Splink => {
                Some("unique_id_l,source_dataset_l,unique_id_r,source_dataset_r,clerical_match_score".to_owned())
            }
            Self::Jsonl | Self::Qrels | Self::Copycat => None,
        }
    }

    /// Whether it has the label of each annotator; otherwise the label that holds for all together.
    pub fn names_annotators(self) -> bool {
        matches!(self, Self::Tsv | Self::Jsonl)
    }

    /// The line of a label; with the texts of both pages where they are asked for.
    pub fn line(self, label: &ExportedLabel, texts: Option<[&str; 2]>) -> String {
        let ExportedLabel { source, target, label: what, annotator, more } = label;
        match self {
            Self::Tsv => tsv_line(label, texts),
            Self::Jsonl => {
                let mut object = Map::new();
                object.insert("source".to_owned(), json!(source));
                object.insert("target".to_owned(), json!(target));
                object.insert("label".to_owned(), json!(what));
                object.insert("annotator".to_owned(), json!(annotator));
                object.extend(more.iter().filter(|(_, value)| !value.is_null()).map(|(k, v)| (k.clone(), v.clone())));
                if let Some([a, b]) = texts {
                    object.insert("source_text".to_owned(), json!(a));
                    object.insert("target_text".to_owned(), json!(b));
                }
                Value::Object(object).to_string()
            }
            Self::Qrels => {
                let grade = choose_by_label(*what, ["1", "0", "-1"]);
                format!("{} 0 {} {grade}", escape_id(source), escape_id(target))
            }
            Self::Copycat => json!({ "firstId": source, "secondId": target, "label": copycat_word(*what) }).to_string(),
            Self::Splink => {
                let score = choose_by_label(*what, ["1.0", "0.0", "0.5"]);
                format!("{},source,{},target,{score}", csv_id(source), csv_id(target))
            }
        }
    }
}

fn choose_by_label(label: Label, grades: [&'static str; 3]) -> &'static str {
    match label {
        Label::NearDuplicate => grades[0],
        Label::Not => grades[1],
        Label::Unsure => grades[2],
    }
}

fn copycat_word(label: Label) -> &'static str {
    choose_by_label(label, ["near-duplicate", "no-near-duplicate", "unknown"])
}

/// What a TSV has beside the label and its annotator.
const TSV: [&str; 11] =
    ["sample", "time", "note", "flag", "class", "reason", "dwell_ms", "peeked", "order", "overrides", "also_in"];

fn tsv_line(label: &ExportedLabel, texts: Option<[&str; 2]>) -> String {
    let clean = |text: &str| escape_text(text).into_owned();
    let value = |key: &str| match label.more.get(key) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => clean(text),
        Some(Value::Array(names)) => clean(&names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(",")),
        Some(other) => other.to_string(),
    };
    let ids = [&label.source, &label.target].map(|id| escape_id(id).into_owned());
    let mut cells: Vec<String> = ids.into_iter().chain([label.label.name().to_owned()]).collect();
    cells.push(clean(label.annotator.as_deref().unwrap_or_default()));
    cells.extend(TSV.map(value));
    cells.extend(texts.into_iter().flatten().map(|text| text.replace(['\t', '\n', '\r'], " ")));
    cells.join("\t")
}

/// An id as a field of CSV, quoted where it must be.
fn csv_id(id: &str) -> String {
    let id = escape_id(id);
    if id.contains([',', '"']) { format!("\"{}\"", id.replace('"', "\"\"")) } else { id.into_owned() }
}

/// Seconds that annotators looked at a pair before they decided: the median, over labels that tell. Adjudications and
/// repeated questions do not count.
pub fn median_seconds(journals: &Journals, sample: Option<&str>) -> Option<f64> {
    let events = journals.annotators().flat_map(|a| &a.reading.events);
    let mut dwell: Vec<u64> = events
        .filter(|event| matches!(event.kind, EventKind::Label(_)) && event.circumstances.repeat != Some(true))
        .filter(|event| sample.is_none_or(|name| event.sample.as_deref() == Some(name)))
        .filter_map(|event| event.circumstances.dwell_ms)
        .collect();
    dwell.sort_unstable();
    let middle = dwell.len() / 2;
    match dwell.len() {
        0 => None,
        n if n % 2 == 1 => Some(dwell[middle] as f64 / 1000.0),
        _ => Some((dwell[middle - 1] + dwell[middle]) as f64 / 2000.0),
    }
}
