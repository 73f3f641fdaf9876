//! Samples: the strata that were drawn from, the file, and how to label it; and the list of all samples. The pairs with
//! their strata are printed only on request: an annotator should not see them before labelling.

use std::path::PathBuf;

use serde::Serialize;

use crate::labels::import_lines;
use crate::numbers::{count, plural};
use crate::result::{Report, serialize_in_order, tables_as_text};
use crate::table::Table;
use dejaview_base::escaping::escape_id;
use dejaview_base::shell::quoted_path;
use dejaview_evaluation::sample::{
    Allocation, Design, DrawnFrom, KeptSample, Sample, SampledPair, StratifyBy, Stratum, TransferFrame,
};
use dejaview_study::{ImportReport, ImportedSample, Provenance, RetainedPairs, SampleProgress};

/// What the text of a sample shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SampleView {
    /// Its strata, its file and the next command.
    Strata,
    /// Its pairs, with strata and weights.
    Pairs,
}

/// A sample; if it was drawn again, what is left of the earlier draw; if it was imported, what became of its labels.
#[derive(Debug, Serialize)]
pub struct SampleReport<'a> {
    name: &'a str,
    design: &'a Design,
    configuration: &'a str,
    configurations: &'a [String],
    serves: &'a [String],
    by: StratifyBy,
    bounds: &'a [f64],
    allocation: Allocation,
    seed: u64,
    population: u64,
    transfer: Option<&'a TransferFrame>,
    strata: &'a [Stratum],
    pairs: Vec<PairRow<'a>>,
    drawn_from: Option<&'a DrawnFrom>,
    kept: Option<&'a KeptSample>,
    /// What is left of the earlier draw, where the sample was drawn again or kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<&'a RetainedPairs>,
    #[serde(flatten)]
    imported: Option<ImportDetails<'a>>,
    #[serde(skip)]
    sample: &'a Sample,
    #[serde(skip)]
    study: PathBuf,
    #[serde(skip)]
    file: PathBuf,
    #[serde(skip)]
    view: SampleView,
}

#[derive(Debug, Serialize)]
struct PairRow<'a> {
    source: &'a str,
    target: &'a str,
    stratum: &'a str,
    weight: f64,
    probability: f64,
    found: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    assigned: &'a [String],
}

/// What an import added to a sample that was drawn elsewhere.
#[derive(Debug, Serialize)]
struct ImportDetails<'a> {
    labels: Option<&'a ImportReport>,
    not_found: u64,
    found: u64,
    swapped: u64,
}

impl<'a> SampleReport<'a> {
    pub fn new(sample: &'a Sample, study: PathBuf, file: PathBuf, view: SampleView) -> Self {
        let pair = |pair: &'a SampledPair| PairRow {
            source: &pair.source,
            target: &pair.target,
            stratum: &pair.stratum,
            weight: pair.weight,
            probability: pair.probability,
            found: &pair.found,
            assigned: &pair.assigned,
        };
        Self {
            name: &sample.name,
            design: &sample.design,
            configuration: &sample.configuration,
            configurations: &sample.configurations,
            serves: &sample.serves,
            by: sample.by,
            bounds: &sample.bounds,
            allocation: sample.allocation,
            seed: sample.seed,
            population: sample.population,
            transfer: sample.transfer.as_ref(),
            strata: &sample.strata,
            pairs: sample.pairs.iter().map(pair).collect(),
            drawn_from: sample.drawn_from.as_ref(),
            kept: sample.kept.as_ref(),
            before: None,
            imported: None,
            sample,
            study,
            file,
            view,
        }
    }

    #[must_use]
    pub fn with_earlier_draw(self, before: &'a RetainedPairs) -> Self {
        Self { before: Some(before), ..self }
    }

    #[must_use]
    pub fn with_import(self, imported: &'a ImportedSample) -> Self {
        let ImportedSample { labels, not_found, found, swapped, .. } = imported;
        let details =
            ImportDetails { labels: labels.as_ref(), not_found: *not_found, found: *found, swapped: *swapped };
        Self { imported: Some(details), ..self }
    }

    /// The pairs, in the order in which they are labelled.
    fn pair_lines(&self) -> Vec<String> {
        let is_shared = !self.sample.annotators().is_empty();
        let head = format!("source\ttarget\tstratum\tweight{}", if is_shared { "\tassigned" } else { "" });
        let row = |pair: &PairRow<'_>| {
            let assigned = if is_shared { format!("\t{}", pair.assigned.join(",")) } else { String::new() };
            let (source, target) = (escape_id(pair.source), escape_id(pair.target));
            format!("{source}\t{target}\t{}\t{:.6}{assigned}", pair.stratum, pair.weight)
        };
        std::iter::once(head).chain(self.pairs.iter().map(row)).collect()
    }

    fn label_command(&self) -> String {
        let command = format!("dejaview label {} --sample {}", quoted_path(&self.study), self.name);
        match &self.sample.annotators()[..] {
            [] => command,
            annotators => format!("{command} --annotator NAME  (each of {})", annotators.join(", ")),
        }
    }
}

impl ImportDetails<'_> {
    fn lines(&self) -> Vec<String> {
        match self.labels {
            Some(report) => import_lines(report),
            None => {
                let rows = plural(self.swapped, "row");
                let swapped = (self.swapped > 0).then(|| format!("{rows} with source and target swapped put right"));
                swapped.into_iter().chain(["it has no labels yet".to_owned()]).collect()
            }
        }
    }
}

impl Report for SampleReport<'_> {
    fn tables(&self) -> Vec<Table> {
        vec![strata(self.sample)]
    }

    fn text(&self, columns: Option<usize>) -> Vec<String> {
        if self.view == SampleView::Pairs {
            return self.pair_lines();
        }
        let mut text = tables_as_text(&self.tables(), columns);
        text.push(format!("file: {}", self.file.display()));
        text.push(format!("next: {}", self.label_command()));
        text.extend(self.imported.iter().flat_map(ImportDetails::lines));
        text
    }
}

/// How many pairs were drawn from which strata.
fn strata(sample: &Sample) -> Table {
    let title = format!("Sample {}: {}", sample.name, sample.described());
    let unit = if sample.design == Design::Documents { "documents" } else { "pairs" };
    let mut table = Table::new("sample", title, &["stratum", unit, "drawn"]).right(1..3);
    for stratum in &sample.strata {
        table.row([stratum.name.clone(), sample.population_in_words(stratum.population), count(stratum.drawn)]);
    }
    if sample.strata.len() > 1 {
        let sum = |number: fn(&Stratum) -> u64| sample.strata.iter().map(number).sum();
        let population = sample.population_in_words(sum(|stratum| stratum.population));
        table.row(["together".to_owned(), population, count(sum(|stratum| stratum.drawn))]);
    }
    let far: Vec<String> =
        sample.strata.iter().filter(|stratum| stratum.far).map(|stratum| format!("“{}”", stratum.name)).collect();
    if !far.is_empty() {
        table.note(format!(
            "far more pairs than labels: {}; estimates take it that none of these pairs is true unless a label says otherwise",
            far.join(", ")
        ));
    }
    table.notes.extend(shares_note(sample));
    table
}

/// How many pairs each annotator gets of a sample that was shared out.
fn shares_note(sample: &Sample) -> Option<String> {
    let parts = sample.annotators().into_iter().map(|name| format!("{name} {}", count(sample.part(name).len() as u64)));
    let parts = parts.collect::<Vec<_>>().join(", ");
    (!parts.is_empty()).then(|| {
        format!("shared out: {parts}; all of them are asked about {}", plural(sample.overlap() as u64, "pair"))
    })
}

/// The samples of a study: how each was drawn, how far it is labelled, and whether it still fits the pairs.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct SampleList {
    rows: Vec<SampleRow>,
    #[serde(skip)]
    study: PathBuf,
}

/// A sample in a list.
#[derive(Debug, Serialize)]
pub struct SampleRow {
    name: String,
    design: Design,
    described: String,
    pairs: usize,
    population: u64,
    /// Pairs that each annotator has decided, those that others were asked about among them.
    #[serde(serialize_with = "serialize_in_order")]
    labels: Vec<(String, usize)>,
    fits: &'static str,
    why: String,
}

impl SampleRow {
    /// Without a provenance it is unknown whether the pairs of the sample are still those of the study.
    pub fn new(sample: &Sample, progress: SampleProgress, provenance: Option<&Provenance>) -> Self {
        let (fits, why) = provenance.map_or(("unknown", String::new()), |p| (p.kind(), p.sentence(sample)));
        Self {
            name: progress.name,
            design: sample.design.clone(),
            described: sample.described(),
            pairs: progress.size,
            population: sample.population,
            labels: progress.labelled,
            fits,
            why,
        }
    }
}

impl SampleList {
    pub fn new(rows: Vec<SampleRow>, study: PathBuf) -> Self {
        Self { rows, study }
    }
}

impl Report for SampleList {
    fn tables(&self) -> Vec<Table> {
        let head = ["sample", "drawn", "pairs", "labels by annotator"];
        let mut table = Table::new("samples", "Samples", &head).right([2]);
        for row in &self.rows {
            let labels = row.labels.iter().map(|(who, n)| format!("{who} {}", count(*n as u64))).collect::<Vec<_>>();
            let labels = if labels.is_empty() { "none".to_owned() } else { labels.join(", ") };
            table.row([row.name.clone(), row.described.clone(), count(row.pairs as u64), labels]);
            table.note(row.why.clone());
        }
        vec![table]
    }

    fn text(&self, columns: Option<usize>) -> Vec<String> {
        if self.rows.is_empty() {
            let study = quoted_path(&self.study);
            return vec![format!("no sample yet: `dejaview sample {study} --configuration all` draws one")];
        }
        tables_as_text(&self.tables(), columns)
    }
}
