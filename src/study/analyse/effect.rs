//! The effect of a transfer of judgments on the ranking of systems.
//!
//! *Before* is each run by all judgments of its track. *After* is the same run by the judgments whose grade stands in the new qrels, the
//! others forgotten; or, where runs of the same systems on the target are given, those by the new qrels. Both are compared on
//! the topics that have a judgment before and after.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::StudyError;
use crate::analyse::transfer::Transfer;
use dejaview_base::interval::Interval;
use dejaview_base::random::Bootstrap;
use dejaview_corpus::runs::{self, Run};
use dejaview_evaluation::ranking::{Grades, Metric, Paired};

/// Which runs are measured, and by what.
#[derive(Debug, Clone, Default)]
pub struct EffectOptions {
    /// Runs over the source.
    pub runs: Vec<PathBuf>,
    /// Runs of the same systems over the target, by their tags; may be empty.
    pub after: Vec<PathBuf>,
    /// The track whose topics they are of; may be left out where there is one.
    pub track: Option<String>,
    /// What they are measured by.
    pub metrics: Vec<Metric>,
}

/// A system before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct System {
    /// The tag of its run.
    pub tag: String,
    /// Mean over the common topics that its runs have; none without any.
    pub before: Option<f64>,
    /// Mean over the same topics.
    pub after: Option<f64>,
    /// After minus before, with a 95 % interval over topics; none with fewer than two.
    pub difference: Option<Interval>,
    /// How many topics those are.
    pub topics: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effect {
    pub measure: String,
    /// All systems, in the order of their files.
    pub systems: Vec<System>,
    /// Kendall's tau-b between before and after; none when there is nothing to order.
    pub tau: Option<f64>,
    /// Its 95 % interval over topics; none with fewer than two.
    pub tau_interval: Option<Interval>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effects {
    pub track: String,
    /// In words: what before and after are.
    pub compared: &'static str,
    /// Topics with a judgment before, and after.
    pub topics: [usize; 2],
    /// Topics with both: those that are compared.
    pub common: usize,
    /// One for each measure.
    pub measures: Vec<Effect>,
    /// Lines of the runs that were not read, with their files.
    pub unread: Vec<String>,
}

impl Transfer {
    /// Measures runs by the judgments before and after the transfer.
    pub fn effect(&self, order: &EffectOptions) -> Result<Effects, StudyError> {
        let track = self.track(order.track.as_deref())?;
        let mut unread = Vec::new();
        let before = read_runs(&order.runs, &mut unread)?;
        let paired = if order.after.is_empty() {
            None
        } else {
            Some(runs_over_target(&before, &read_runs(&order.after, &mut unread)?)?)
        };
        let old = self.grades(track, GradesOf::Source);
        let new = self.grades(track, if paired.is_some() { GradesOf::Target } else { GradesOf::CarriedSource });
        let after = paired.as_ref().unwrap_or(&before);
        let common = old.in_common(&new);
        let measure = |metric: &Metric| effect(*metric, [&before, after], [&old, &new], &common);
        Ok(Effects {
            track: self.judgments.tracks()[track as usize].clone(),
            compared: match paired {
                Some(_) => {
                    "before: runs over the source by its judgments; after: runs over the target by the new qrels"
                }
                None => {
                    "before: all judgments; after: only those whose grade stands in the new qrels; both on the runs over the source"
                }
            },
            topics: [old.topics(), new.topics()],
            common: common.len(),
            measures: order.metrics.iter().map(measure).collect(),
            unread,
        })
    }

    fn track(&self, name: Option<&str>) -> Result<u32, StudyError> {
        let tracks = self.judgments.tracks();
        let found = match name {
            Some(name) => tracks.iter().position(|track| track == name),
            None => (tracks.len() == 1).then_some(0),
        };
        found
            .map(|track| track as u32)
            .ok_or_else(|| StudyError::NoTrack { name: name.unwrap_or_default().to_owned(), known: tracks.join(", ") })
    }

    fn grades(&self, track: u32, of: GradesOf) -> Grades {
        let judgments = &self.judgments;
        let mut grades = Grades::default();
        let number = |topic: u32| judgments.topics()[topic as usize].number.as_str();
        if of == GradesOf::Target {
            for line in self.outcome.qrels.iter().filter(|l| judgments.topics()[l.topic as usize].track == track) {
                let target = &self.targets[line.target as usize];
                grades.add(number(line.topic), target, &judgments.grades()[line.grade as usize]);
            }
            return grades;
        }
        let carried =
            |entry: &&dejaview_evaluation::transfer::LedgerEntry| of == GradesOf::Source || entry.status.stands();
        for entry in self.outcome.entries.iter().filter(carried) {
            let row = &judgments.rows()[entry.judgment as usize];
            if row.track == track {
                let document = &judgments.documents()[row.document as usize];
                grades.add(number(row.topic), document, &judgments.grades()[row.grade as usize]);
            }
        }
        grades
    }
}

/// Whose documents judgments are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GradesOf {
    Source,
    CarriedSource,
    Target,
}

fn read_runs(paths: &[PathBuf], unread: &mut Vec<String>) -> Result<Vec<Run>, StudyError> {
    let one = |path: &PathBuf| {
        let run = runs::read(path)?;
        unread.extend(run.unread.iter().map(|(line, why)| format!("{}, line {line}: {why}", path.display())));
        Ok(if run.tag.is_empty() { Run { tag: file_stem(path), ..run } } else { run })
    };
    paths.iter().map(one).collect()
}

fn file_stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The runs over the target in the order of those over the source.
fn runs_over_target(before: &[Run], after: &[Run]) -> Result<Vec<Run>, StudyError> {
    let partner = |run: &Run| {
        let found = after.iter().find(|other| other.tag == run.tag).cloned();
        found.ok_or_else(|| StudyError::NoRun { tag: run.tag.clone() })
    };
    before.iter().map(partner).collect()
}

fn effect(metric: Metric, runs: [&[Run]; 2], grades: [&Grades; 2], common: &[&str]) -> Effect {
    let values = |(old, new): (&Run, &Run)| -> Vec<Option<[f64; 2]>> {
        let (before, after) = (metric.by_topic(old, grades[0]), metric.by_topic(new, grades[1]));
        common.iter().map(|topic| Some([*before.get(*topic)?, *after.get(*topic)?])).collect()
    };
    let by_topic: Vec<Vec<Option<[f64; 2]>>> = runs[0].iter().zip(runs[1]).map(values).collect();
    let paired = Paired::new(&by_topic, common.len(), &Bootstrap::default());
    let system = |(i, run): (usize, &Run)| System {
        tag: run.tag.clone(),
        before: paired.means[i].map(|means| means[0]),
        after: paired.means[i].map(|means| means[1]),
        difference: paired.differences[i],
        topics: by_topic[i].iter().flatten().count(),
    };
    Effect {
        measure: metric.to_string(),
        systems: runs[0].iter().enumerate().map(system).collect(),
        tau: paired.tau,
        tau_interval: paired.tau_interval,
    }
}
