//! One document, and one pair, whatever a run has kept of them.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use crate::StudyError;
use crate::recipe::standard_set;
use crate::run::keeping::{DocumentOrigin, kept_document};
use crate::run::manifest::{InputSummary, advice};
use crate::run::skips::SkippedRecord;
use crate::snapshot::Snapshot;
use dejaview_base::hash;
use dejaview_base::progress::Progress;
use dejaview_corpus::{AcceptedStatus, Batches, CorpusItem, Document, Input, Scratch, SkipReason};
use dejaview_index::{KeptSide, StoredDocument};
use dejaview_matching::reading::{SkipListener, Skipped, Unlisted, Visitor, repeated, visit};
use dejaview_matching::{Configuration, Content, Extractor};
use dejaview_methods::edit::edit_ratio;
use dejaview_methods::measures::Scores;
use dejaview_methods::{Explanation, Prepared, Shape, Statistics};
use dejaview_text::Tokens;

/// Above this product of lengths the edit ratio over characters is left out: it would take over a minute.
const MOST_CHARACTERS: u64 = 100_000_000_000;

/// A pair compared by all scores and configurations.
#[derive(Debug, Clone, Serialize)]
pub struct Verdict {
    /// Source id, or the first file.
    pub source: String,
    /// Target id, or the second file.
    pub target: String,
    pub scores: PairScores,
    /// What each configuration says.
    pub configurations: Vec<ConfigurationVerdict>,
}

/// Similarities, those on demand included.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PairScores {
    /// Those that every pair of a run has.
    #[serde(flatten)]
    pub scores: Scores,
    /// Edit ratio over words.
    pub edit_words: f64,
    /// Edit ratio over characters; none for very long texts.
    pub edit_characters: Option<f64>,
}

/// The verdict of one configuration.
#[derive(Debug, Clone, Serialize)]
pub struct ConfigurationVerdict {
    pub name: String,
    /// Whether it finds the pair.
    #[serde(rename = "match")]
    pub matches: bool,
    /// How far the two are apart, in what the method counts; none when a document has no sketch.
    pub evidence: Option<u32>,
    /// Why it matches or not.
    pub tree: Explanation,
}

/// A document found in a study.
#[derive(Debug, Clone)]
pub struct FoundDocument {
    /// Everything but the bytes.
    pub document: StoredDocument,
    /// The bytes as they lie in the corpus, when they were asked for.
    pub raw: Option<Vec<u8>>,
}

/// A document by id: from the index, else from the corpus. The source is asked first. A text that was kept for another
/// `study.toml` is not shown: the page is read again.
pub fn find_document(study: &Snapshot, id: &str, side: Option<KeptSide>) -> Result<FoundDocument, StudyError> {
    let index = study.index()?;
    for kept_on in sides(side) {
        let Some(document) = index.document(kept_on, id)? else { continue };
        if study.has_fitting_texts()? {
            return Ok(FoundDocument { document, raw: None });
        }
        // Most files are as they were, and then the page lies where it lay. Those that are not may be anything by now.
        let place = Place { segment: &document.segment, file: &document.file, offset: document.offset };
        if let Ok(Some(found)) = read_nth_record_at(study, id, place, 0) {
            return Ok(found);
        }
        break;
    }
    read_from_corpus(study, id, side)
}

/// A document by id with its raw bytes, from the corpus.
pub fn find_raw_document(study: &Snapshot, id: &str, side: Option<KeptSide>) -> Result<FoundDocument, StudyError> {
    let index = study.index()?;
    for side in sides(side) {
        if let Some(stored) = index.document(side, id)?
            && let Some(found) = read_stored_record(study, &stored)?
        {
            return Ok(found);
        }
    }
    read_from_corpus(study, id, side)
}

/// Further records with the id of a document, which do not count: segment, empty for the source; file and offset. As
/// the last run found them, in the order of the study.
pub fn further_records(study: &Snapshot, id: &str, side: Option<KeptSide>) -> Result<Vec<SkippedRecord>, StudyError> {
    let wanted = |part: &InputSummary| match side {
        Some(KeptSide::Source) => part.segment.is_empty(),
        Some(KeptSide::Target) => !part.segment.is_empty(),
        None => true,
    };
    let (reason, detail) = (SkipReason::RepeatedId.as_str(), repeated(id));
    let mut further = Vec::new();
    for part in study.input_summaries()?.iter().filter(|part| wanted(part) && part.skipped.contains_key(reason)) {
        study.each_skipped(&part.segment, &mut |record| {
            further.extend((record.reason == reason && record.detail == detail).then_some(record));
            true
        })?;
    }
    Ok(further)
}

/// A record with this id by its number: 1 is the document that counts, then come those that do not.
pub fn find_record(
    study: &Snapshot,
    id: &str,
    side: Option<KeptSide>,
    number: usize,
) -> Result<FoundDocument, StudyError> {
    let further = further_records(study, id, side)?;
    if number <= 1 {
        return find_raw_document(study, id, side);
    }
    let nothing = || StudyError::NoRecord { id: id.to_owned(), number, there: 1 + further.len() };
    let record = further.get(number - 2).ok_or_else(nothing)?;
    // Records of one gzip member have one offset; they stand one behind the other.
    let same = |other: &&SkippedRecord| (&other.file, other.offset) == (&record.file, record.offset);
    let first = find_raw_document(study, id, side)?.document;
    let before = further[..number - 2].iter().filter(same).count()
        + usize::from((&first.file, first.offset) == (&record.file, record.offset));
    let place = Place { segment: &record.segment, file: &record.file, offset: record.offset };
    read_nth_record_at(study, id, place, before)?.ok_or_else(nothing)
}

/// Where a record was read; of the source, in no segment.
#[derive(Debug, Clone, Copy)]
struct Place<'a> {
    segment: &'a str,
    file: &'a str,
    offset: u64,
}

/// Reads the record with this id at a place; `before` records with the same id and offset come first.
fn read_nth_record_at(
    study: &Snapshot,
    id: &str,
    place: Place<'_>,
    before: usize,
) -> Result<Option<FoundDocument>, StudyError> {
    let corpora = study.session().corpora()?;
    let content = study.content()?;
    let (side, inputs) = match corpora.segments.iter().find(|segment| segment.name == place.segment) {
        Some(segment) => (KeptSide::Target, &segment.inputs),
        None => (KeptSide::Source, &corpora.source),
    };
    let Some(file) = inputs.iter().position(|input| input.name == place.file) else { return Ok(None) };
    let mut batches = Batches::open_at(&inputs[file], place.offset)?;
    let progress = Progress::default();
    let mut seeker = Seeker { id, side, segment: place.segment, inputs, content, progress: &progress, found: None };
    let (mut scratch, mut before) = (Scratch::default(), before);
    while seeker.found.is_none()
        && let Some(batch) = batches.next()?
    {
        batch.read(&mut scratch, &mut |item| match item {
            CorpusItem::Document(document) if document.id != id || document.offset != place.offset => {}
            CorpusItem::Document(_) if before > 0 => before -= 1,
            // One that is not read is not found.
            CorpusItem::Document(document) => seeker.document(file, &document).unwrap_or(()),
            CorpusItem::Skipped(_) => {}
        });
    }
    Ok(seeker.found)
}

/// Reads a kept document where the index says it is.
fn read_stored_record(study: &Snapshot, stored: &StoredDocument) -> Result<Option<FoundDocument>, StudyError> {
    let corpora = study.session().corpora()?;
    let segments = corpora.segments.into_iter().flat_map(|segment| segment.inputs);
    let mut inputs = corpora.source.into_iter().chain(segments);
    let Some(input) = inputs.find(|input| input.name == stored.file) else { return Ok(None) };
    let mut batches = Batches::open_at(&input, stored.offset)?;
    let mut scratch = Scratch::default();
    let mut raw = None;
    while raw.is_none()
        && let Some(batch) = batches.next()?
    {
        batch.read(&mut scratch, &mut |item| {
            if let CorpusItem::Document(document) = item
                && raw.is_none()
                && document.id == stored.id
            {
                raw = Some(document.body.to_vec());
            }
        });
    }
    Ok(raw.map(|raw| FoundDocument { document: stored.clone(), raw: Some(raw) }))
}

/// Reads the corpus until the document is found.
fn read_from_corpus(study: &Snapshot, id: &str, side: Option<KeptSide>) -> Result<FoundDocument, StudyError> {
    let corpora = study.session().corpora()?;
    let content = study.content()?;
    let mut passed = None;
    for side in sides(side) {
        let parts: Vec<(&str, &[Input])> = match side {
            KeptSide::Source => vec![("", &corpora.source)],
            KeptSide::Target => corpora.segments.iter().map(|s| (s.name.as_str(), &s.inputs[..])).collect(),
        };
        for (segment, inputs) in parts {
            let progress = Progress::default();
            let seeker = || Seeker { id, side, segment, inputs, content, progress: &progress, found: None };
            let own = SkippedWithId { id, first: Mutex::default() };
            let visited = visit(inputs, 1, &progress, &own, seeker)?;
            if let Some(found) = visited.visitors.into_iter().find_map(|seeker| seeker.found) {
                return Ok(found);
            }
            let own = own.first.into_inner().unwrap_or_else(PoisonError::into_inner);
            passed = passed.or(own.map(|skipped| skipped_error(id, &skipped, &inputs[skipped.file])));
        }
    }
    let side = side.map_or("source or target", KeptSide::name);
    Err(passed.unwrap_or_else(|| StudyError::NoDocument { id: id.to_owned(), side }))
}

/// Why a pair matches or not, by one configuration or all.
pub fn explain(
    study: &Snapshot,
    source: &str,
    target: &str,
    configuration: Option<&str>,
) -> Result<Verdict, StudyError> {
    let only = configuration.map(|name| study.configuration(name)).transpose()?;
    let configurations = match &only {
        // Whether it has a say depends on the others.
        Some(only) if !decides_on_others(only) => std::slice::from_ref(only),
        _ => study.configurations()?,
    };
    let a = find_document(study, source, Some(KeptSide::Source))?;
    let b = find_document(study, target, Some(KeptSide::Target))?;
    let mut verdict = compare_texts([source, target], [&a.document.text, &b.document.text], configurations);
    verdict.configurations.retain(|verdict| configuration.is_none_or(|name| verdict.name == name));
    Ok(verdict)
}

/// Shows every document of the study with its sketch: side, id, sketch as printed. In the order of the files; of
/// several documents with one id the first of its side (of the target: of its segment).
pub fn sketches(
    study: &Snapshot,
    configuration: &str,
    threads: usize,
    show: &mut dyn FnMut(KeptSide, &str, &str) -> bool,
) -> Result<(), StudyError> {
    let configuration = study.configuration(configuration)?;
    let content = study.content()?;
    let judgments = study.judgments()?;
    let plan = study.plan()?;
    let wanted = |id: &str| judgments.as_ref().is_none_or(|j| j.document(id).is_some());
    let all = |_: &str| true;
    let source = (KeptSide::Source, &plan.corpora.source, &wanted as &(dyn Fn(&str) -> bool + Sync));
    let segments = plan.corpora.segments.iter().map(|s| (KeptSide::Target, &s.inputs, &all as _));
    for (side, inputs, wanted) in std::iter::once(source).chain(segments) {
        let mut shown: HashSet<u128> = HashSet::new();
        for input in inputs {
            let progress = Progress::default();
            let sketcher = || Sketcher::new(&configuration, content, wanted);
            let visited = visit(std::slice::from_ref(input), threads, &progress, &Unlisted, sketcher)?;
            let mut rows: Vec<_> = visited.visitors.into_iter().flat_map(|s| s.rows).collect();
            rows.sort();
            for (_, id, sketch) in rows {
                if shown.insert(hash::digest_bits(id.as_bytes())) && !show(side, &id, &sketch) {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// The error that says why the record with an id was skipped.
fn skipped_error(id: &str, skipped: &Skipped, input: &Input) -> StudyError {
    let detail = skipped.detail.strip_suffix(id).unwrap_or_default().trim_end_matches([':', ' ']);
    let why = if detail.is_empty() { skipped.reason.to_owned() } else { format!("{} {detail}", skipped.reason) };
    let place = format!("{}, offset {}", input.name, skipped.offset);
    StudyError::Skipped { id: id.to_owned(), why, place, advice: advice(skipped.reason) }
}

fn sides(side: Option<KeptSide>) -> Vec<KeptSide> {
    side.map_or(vec![KeptSide::Source, KeptSide::Target], |side| vec![side])
}

/// Keeps the first record with an id that is not read.
struct SkippedWithId<'a> {
    id: &'a str,
    first: Mutex<Option<Skipped>>,
}

impl SkipListener for SkippedWithId<'_> {
    fn skipped(&self, skipped: Skipped) {
        if skipped.is_of(self.id) {
            self.first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(skipped);
        }
    }
}

struct Seeker<'a> {
    id: &'a str,
    side: KeptSide,
    segment: &'a str,
    inputs: &'a [Input],
    content: &'a Content,
    progress: &'a Progress,
    found: Option<FoundDocument>,
}

impl Visitor for Seeker<'_> {
    fn document(&mut self, file: usize, document: &Document<'_>) -> Result<(), SkipReason> {
        if document.id == self.id && self.found.is_none() {
            let origin = DocumentOrigin { side: self.side, segment: self.segment, input: &self.inputs[file] };
            let digest = hash::digest(document.body);
            let mut extractor = Extractor::new(self.content);
            let page = extractor.extract(document)?;
            let stored = StoredDocument::from_kept(&kept_document(origin, document, &page, &digest));
            self.found = Some(FoundDocument { document: stored, raw: Some(document.body.to_vec()) });
            self.progress.cancel();
        }
        Ok(())
    }
}

struct Sketcher<'a> {
    configuration: &'a Configuration,
    wanted: &'a (dyn Fn(&str) -> bool + Sync),
    extractor: Extractor,
    rows: Vec<(u64, String, String)>,
}

impl<'a> Sketcher<'a> {
    fn new(configuration: &'a Configuration, content: &Content, wanted: &'a (dyn Fn(&str) -> bool + Sync)) -> Self {
        Self { configuration, wanted, extractor: Extractor::new(content), rows: Vec::new() }
    }
}

impl Visitor for Sketcher<'_> {
    fn document(&mut self, _: usize, document: &Document<'_>) -> Result<(), SkipReason> {
        if !(self.wanted)(document.id) {
            return Ok(());
        }
        let mut sketch = Vec::new();
        let page = self.extractor.extract(document)?;
        if self.configuration.method.sketch(&page.prepared(), &mut sketch) {
            let printed = self.configuration.method.print(&sketch);
            self.rows.push((document.offset, document.id.to_owned(), printed));
        }
        self.extractor.release(document);
        Ok(())
    }
}

/// Compares two files that belong to no study, by the standard set of configurations.
pub fn explain_files(a: &Path, b: &Path) -> Result<Verdict, StudyError> {
    let texts = [file_text(a)?, file_text(b)?];
    let (fitted, free): (Vec<_>, Vec<_>) = standard_set().into_iter().partition(|recipe| recipe.algorithm().fitted);
    let mut configurations = Vec::new();
    for recipe in free {
        if let Ok(method) = recipe.values.fit(&Statistics::default()) {
            configurations.push(Configuration { name: recipe.name, method });
        }
    }
    let names = [a.display().to_string(), b.display().to_string()];
    let mut verdict = compare_texts([&names[0], &names[1]], [&texts[0], &texts[1]], &configurations);
    verdict.configurations.extend(fitted.into_iter().map(|recipe| ConfigurationVerdict {
        name: recipe.name,
        matches: false,
        evidence: None,
        tree: Explanation::new("needs a study: it is fitted to a collection of documents", None),
    }));
    Ok(verdict)
}

/// Canonical text of the first document in a file of any format.
fn file_text(path: &Path) -> Result<String, StudyError> {
    let failed = |why| StudyError::File { doing: "reading", path: path.to_owned(), why };
    let size = fs::metadata(path).map_err(failed)?.len();
    let input = Input {
        path: path.to_owned(),
        name: path.display().to_string(),
        format: None,
        status: AcceptedStatus::All,
        size,
    };
    let mut batches = Batches::open(&input)?;
    let mut scratch = Scratch::default();
    let (mut text, mut why) = (None, None);
    while text.is_none()
        && let Some(batch) = batches.next()?
    {
        batch.read(&mut scratch, &mut |item| match item {
            CorpusItem::Document(document) if text.is_none() => match Extractor::default().extract(&document) {
                Ok(page) => text = Some(page.text.to_owned()),
                Err(reason) => why = why.take().or(Some(reason.to_string())),
            },
            CorpusItem::Document(_) => {}
            CorpusItem::Skipped(skip) => why = why.take().or(Some(format!("{} {}", skip.reason, skip.detail))),
        });
    }
    text.ok_or_else(|| {
        let why = why.unwrap_or_else(|| "it is empty".to_owned());
        failed(std::io::Error::other(format!("there is no document in it: {}", why.trim())))
    })
}

/// Compares two texts by all scores and configurations.
fn compare_texts(names: [&str; 2], texts: [&str; 2], configurations: &[Configuration]) -> Verdict {
    let tokens = texts.map(|text| {
        let mut tokens = Tokens::new();
        tokens.read(text);
        tokens
    });
    let a = Prepared::new(texts[0], &tokens[0]);
    let b = Prepared::new(texts[1], &tokens[1]);
    let mut verdicts = configuration_verdicts(configurations, &a, &b);
    // Verdicts of the minority first: people look for where configurations differ.
    let matching = verdicts.iter().filter(|verdict| verdict.matches).count();
    let minority = 2 * matching < verdicts.len();
    verdicts.sort_by_key(|verdict| verdict.matches != minority);
    Verdict {
        source: names[0].to_owned(),
        target: names[1].to_owned(),
        scores: all_scores(&a, &b),
        configurations: verdicts,
    }
}

impl ConfigurationVerdict {
    /// Takes a match back: the configuration decides only on pairs that another one found, and none found this one.
    fn nobody_found_it(&mut self) {
        self.tree.claim = format!("no match: no other configuration found the pair; of its texts: {}", self.tree.claim);
        self.matches = false;
    }
}

/// Whether a configuration decides on the pairs of others alone.
pub(crate) fn decides_on_others(configuration: &Configuration) -> bool {
    matches!(configuration.method.shape(), Shape::Others)
}

/// The verdicts of all configurations with their reasons, in their order.
pub(crate) fn configuration_verdicts(
    configurations: &[Configuration],
    a: &Prepared<'_>,
    b: &Prepared<'_>,
) -> Vec<ConfigurationVerdict> {
    let mut verdicts: Vec<ConfigurationVerdict> =
        configurations.iter().map(|c| configuration_verdict(c, a, b)).collect();
    let found = configurations.iter().zip(&verdicts).any(|(c, verdict)| verdict.matches && !decides_on_others(c));
    for (_, verdict) in configurations.iter().zip(&mut verdicts).filter(|(c, _)| !found && decides_on_others(c)) {
        verdict.nobody_found_it();
    }
    verdicts
}

/// The verdict of one configuration with its reasons.
fn configuration_verdict(configuration: &Configuration, a: &Prepared<'_>, b: &Prepared<'_>) -> ConfigurationVerdict {
    let method = &configuration.method;
    let (mut x, mut y) = (Vec::new(), Vec::new());
    let sketched = method.sketch(a, &mut x) && method.sketch(b, &mut y);
    let tree = dejaview_methods::explain(&**method, a, b);
    ConfigurationVerdict {
        name: configuration.name.clone(),
        matches: sketched && method.compare(&x, &y).is_some(),
        evidence: tree.value.filter(|_| sketched).map(|value| value as u32),
        tree,
    }
}

/// Edit ratio over words, and over characters unless the texts are very long.
pub(crate) fn edit_ratios(a: &Prepared<'_>, b: &Prepared<'_>) -> (f64, Option<f64>) {
    let [p, q] = [a, b].map(|d| d.text().chars().collect::<Vec<char>>());
    let affordable = p.len() as u64 * q.len() as u64 <= MOST_CHARACTERS;
    (edit_ratio(a.tokens().hashes(), b.tokens().hashes()), affordable.then(|| edit_ratio(&p, &q)))
}

fn all_scores(a: &Prepared<'_>, b: &Prepared<'_>) -> PairScores {
    let (edit_words, edit_characters) = edit_ratios(a, b);
    PairScores { scores: Scores::of(a, b), edit_words, edit_characters }
}
