//! What a run is expected to cost, extrapolated from a trial run of some documents.

mod probe;
mod trial;

use serde::Serialize;

use crate::StudyError;
use crate::recipe::files::Corpora;
use crate::recipe::{ContentRecipe, Keep};
use crate::run::fitted::read_statistics;
use crate::run::fitting::{fit_all, needs_fitting, read_to_fit};
use crate::run::plan::Plan;
use crate::session::Session;
use dejaview_base::system::peak_memory;
use dejaview_corpus::Input;
use dejaview_index::{HEAP, KeptSide};
use dejaview_matching::Configuration;
use dejaview_methods::{Shape, Statistics};
use probe::SideProbe;
use trial::Trial;

/// Documents of both sides in a trial run.
const TRIED: usize = 512;
/// Bytes that a found pair takes in memory while its segment is passed.
const PAIR_BYTES: f64 = 72.0;

/// How many times its size on disk the index takes in memory before it is written: 5 with 9,000 documents (320 and 61 MB),
/// less with fewer.
const UNWRITTEN: f64 = 4.0;

/// Expected cost of a run.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Cost {
    /// Bytes of the source on disk.
    pub source_bytes: u64,
    /// Bytes of the segments that are left.
    pub target_bytes: u64,
    /// Bytes that are read once before, to fit methods; 0 when they are fitted, or to the source alone.
    pub fitting_bytes: u64,
    /// Documents of the source that take part.
    pub source_documents: u64,
    /// Documents of the segments that are left.
    pub target_documents: u64,
    /// Documents that were run to see what it takes.
    pub tried: u64,
    /// Bytes that the process will hold in memory at most.
    pub memory: u64,
    /// Wall-clock time.
    pub seconds: f64,
    /// Processor time of all threads together.
    pub processor_seconds: f64,
    /// Lookup tables of each configuration that has fingerprints.
    pub tables: Vec<TableCost>,
}

/// Lookup tables of one configuration.
#[derive(Debug, Clone, Serialize)]
pub struct TableCost {
    pub configuration: String,
    pub tables: usize,
    /// Width of the narrowest key.
    pub key_bits: u32,
    /// Candidates that a probe meets if fingerprints were uniform: 2^(l−l′) a table.
    pub candidates: f64,
}

/// Runs some documents in a temporary folder and extrapolates what that took.
pub fn expected_cost(session: &Session, plan: &Plan, threads: usize) -> Result<Cost, StudyError> {
    let unfinished = plan.corpora.segments.iter().filter(|segment| !plan.finished.contains(&segment.name));
    let left: Vec<Input> = unfinished.flat_map(|segment| segment.inputs.clone()).collect();
    if left.is_empty() {
        // With every segment finished not even the source is read again.
        let source_bytes = Corpora::bytes(&plan.corpora.source);
        return Ok(Cost { source_bytes, memory: peak_memory().unwrap_or_default(), ..Cost::default() });
    }
    let judgments = session.read_judgments()?;
    let judged = |id: &str| judgments.as_ref().is_none_or(|judgments| judgments.document(id).is_some());
    let source = SideProbe::read(KeptSide::Source, &plan.corpora.source, &judged, TRIED)?;
    let target = SideProbe::read(KeptSide::Target, &left, &|_| true, TRIED)?;
    let source_documents = plan.judged.map_or(source.documents, |judged| source.documents.min(judged as u64));
    let all = source_documents + target.documents;
    let fitting_bytes = match read_statistics(session, &plan.digest) {
        None if needs_fitting(session) => Corpora::bytes(&read_to_fit(session, plan)?),
        _ => 0,
    };
    let [source_bytes, target_bytes] = [&plan.corpora.source, &left].map(|inputs| Corpora::bytes(inputs));
    let once = source.reading + target.reading;
    let to_fit = once * fitting_bytes as f64 / (source_bytes + target_bytes).max(1) as f64;
    let lines = if session.recipe().content == ContentRecipe::Own { once } else { 0.0 };
    let readings = once + to_fit + lines;
    let expected = Cost {
        source_bytes,
        target_bytes,
        fitting_bytes,
        source_documents,
        target_documents: target.documents,
        memory: peak_memory().unwrap_or_default(),
        seconds: readings / threads.max(1) as f64,
        processor_seconds: readings,
        ..Cost::default()
    };
    if all == 0 || session.recipe().configurations.iter().all(|configuration| configuration.pairs.is_some()) {
        // No configuration searches, so files are only read.
        return Ok(expected);
    }
    let share = (TRIED as f64 / all as f64).min(1.0);
    let run = |share: f64| {
        let [old, new] = [(&source, source_documents), (&target, target.documents)]
            .map(|(probe, documents)| probe.json_lines((documents as f64 * share).ceil() as usize));
        Trial::run(session, &old, &new, threads)
    };
    let (half, whole) = (run(share / 2.0)?, run(share)?);
    let keeps_all = session.recipe().keep == Keep::All;
    let chosen_bytes = source.bytes() + target.bytes();
    let model = CostModel { half: &half, whole: &whole, all: all as f64, threads, keeps_all, readings, chosen_bytes };
    let configurations = fit_all(session, &Statistics::default())?;
    Ok(Cost {
        tried: whole.documents,
        memory: model.memory(),
        seconds: model.seconds(),
        processor_seconds: model.processor(),
        tables: configurations.iter().filter_map(|c| tables(c, source_documents)).collect(),
        ..expected
    })
}

/// Extrapolates to all documents from two trials, one of twice as many documents as the other.
struct CostModel<'a> {
    half: &'a Trial,
    whole: &'a Trial,
    /// Documents of the run.
    all: f64,
    threads: usize,
    keeps_all: bool,
    /// Seconds of reading.
    readings: f64,
    /// Bytes of the documents that trials are taken from, which are held beside them.
    chosen_bytes: u64,
}

/// Stages whose work grows with the documents.
const BY_DOCUMENT: [&str; 4] = ["decode", "extract", "tokens", "sketch"];

impl CostModel<'_> {
    /// How many times as many documents as the trial the run has.
    fn times(&self) -> f64 {
        (self.all / self.whole.documents.max(1) as f64).max(1.0)
    }

    /// How many times as many pairs: both documents of a pair must take part.
    fn pairs(&self) -> f64 {
        self.times() * self.times()
    }

    /// How many times as many kept texts: those of documents with a pair, and never more than all.
    fn kept(&self) -> f64 {
        if self.keeps_all {
            return self.times();
        }
        let most = self.all / self.whole.kept.max(1) as f64;
        self.pairs().min(most).max(1.0)
    }

    /// Splits what the larger trial took into a part that does not grow with the documents and one that does.
    fn fixed_and_growing(half: f64, whole: f64) -> (f64, f64) {
        let fixed = (2.0 * half - whole).clamp(0.0, whole.max(0.0));
        (fixed, whole - fixed)
    }

    /// Lookups grow with the documents, with the pairs of documents, or somewhere between; the two trials show how.
    fn probe(&self) -> f64 {
        let [half, whole] = [self.half, self.whole].map(|trial| trial.stage("probe"));
        let power = if half > 0.0 { (whole / half).log2().clamp(1.0, 2.0) } else { 1.0 };
        whole * self.times().powf(power)
    }

    /// Seconds of the work that all threads share.
    fn shared(&self) -> f64 {
        let by_document: f64 = BY_DOCUMENT.iter().map(|stage| self.whole.stage(stage)).sum();
        let (score, keep) = (self.whole.stage("score") * self.pairs(), self.whole.stage("keep") * self.kept());
        self.readings + by_document * self.times() + self.probe() + score + keep
    }

    /// Seconds of the work that one thread does alone: tables, files, commits of the index, and all that is not timed.
    fn alone(&self) -> f64 {
        let commit = Self::fixed_and_growing(self.half.stage("commit"), self.whole.stage("commit"));
        // A run commits once at its end, as a trial does.
        let commits = commit.0 + commit.1 * self.kept();
        let rest = Self::fixed_and_growing(self.rest(self.half), self.rest(self.whole));
        self.whole.stage("write") * self.times() + commits + rest.0 + rest.1 * self.times()
    }

    /// Seconds of a trial that are in none of its stages.
    fn rest(&self, trial: &Trial) -> f64 {
        let alone = trial.stage("write") + trial.stage("commit");
        let shared = trial.summary.timings.iter().map(|timing| timing.seconds).sum::<f64>() - alone;
        (trial.summary.seconds - alone - shared / self.threads.max(1) as f64).max(0.0)
    }

    fn seconds(&self) -> f64 {
        self.shared() / self.threads.max(1) as f64 + self.alone()
    }

    /// Processor time: as much more than the trial's as there is more work.
    fn processor(&self) -> f64 {
        let work = self.shared() + self.alone();
        let tried: f64 = self.whole.summary.timings.iter().map(|timing| timing.seconds).sum();
        let tried = tried + self.rest(self.whole);
        self.whole.processor.map_or(work, |processor| work * processor / tried.max(1e-9))
    }

    /// What the process held during the trial, and what more documents add: the source, the pairs, and what the index has
    /// not written yet, which is bounded.
    fn memory(&self) -> u64 {
        let more = self.times() - 1.0;
        let source = self.whole.summary.source_bytes as f64;
        let found: f64 = self.whole.summary.pairs.values().filter_map(serde_json::Value::as_f64).sum();
        let peak = self.whole.peak.unwrap_or_default().saturating_sub(self.chosen_bytes);
        // The words of all texts are indexed at the end, and lie in memory before they are written.
        let times = (self.kept() - 1.0).max(0.0);
        let index = self.whole.index_bytes as f64 * times * UNWRITTEN;
        let index = index.min((HEAP * self.threads) as f64);
        peak + (more * source + found * (self.pairs() - 1.0) * PAIR_BYTES + index) as u64
    }
}

fn tables(configuration: &Configuration, documents: u64) -> Option<TableCost> {
    let Shape::Fingerprint(layout) = configuration.method.shape() else { return None };
    Some(TableCost {
        configuration: configuration.name.clone(),
        tables: layout.tables().len(),
        key_bits: layout.tables().iter().map(|table| table.key_bits()).min().unwrap_or(0),
        candidates: layout.expected_candidates(documents),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cost_is_split_into_a_fixed_and_a_growing_part() {
        assert_eq!(CostModel::fixed_and_growing(1.0, 1.0), (1.0, 0.0));
        assert_eq!(CostModel::fixed_and_growing(1.0, 2.0), (0.0, 2.0));
        assert_eq!(CostModel::fixed_and_growing(2.0, 3.0), (1.0, 2.0));
        assert_eq!(CostModel::fixed_and_growing(1.0, 9.0), (0.0, 9.0));
        assert_eq!(CostModel::fixed_and_growing(9.0, 1.0), (1.0, 0.0));
    }
}
