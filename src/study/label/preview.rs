//! What a sample would be, before anything is drawn: its population, its strata, and how precise its estimates would get.

use crate::StudyError;
use crate::analyse::planning::{PlanOptions, PlannedDesign, plan_sample};
use crate::label::draw::SampleDraw;
use crate::label::drawing::choose_pairs;
use crate::snapshot::Snapshot;
use dejaview_evaluation::sample::{Sample, Stratum};

/// The share of true pairs whose interval is the widest.
const WORST: f64 = 0.5;

/// A sample that is not drawn yet.
#[derive(Debug, Clone, PartialEq)]
pub struct SamplePreview {
    /// Pairs that are drawn from.
    pub population: u64,
    /// Pairs that are drawn.
    pub pairs: u64,
    pub strata: Vec<Stratum>,
    /// For each configuration half the width that the interval of its precision has at most. Empty for designs of which
    /// that is not known before they are labelled.
    pub half_widths: Vec<(String, f64)>,
}

/// The sample as it would be drawn; nothing of it is kept.
pub fn sample_to_look_at(study: &Snapshot, draw: &SampleDraw) -> Result<Sample, StudyError> {
    choose_pairs(study, draw, None, None)
}

/// What a sample would be, without the pairs of its audit: these are only known once both sides were read again.
pub fn preview_sample(study: &Snapshot, draw: &SampleDraw) -> Result<SamplePreview, StudyError> {
    let draw = SampleDraw { audit: 0, ..draw.clone() };
    let sample = sample_to_look_at(study, &draw)?;
    let half_widths = match planned_design(&draw) {
        Some(design) => half_widths(study, &draw, design)?,
        None => Vec::new(),
    };
    let pairs = sample.pairs.len() as u64;
    Ok(SamplePreview { population: sample.population, pairs, strata: sample.strata, half_widths })
}

fn planned_design(draw: &SampleDraw) -> Option<PlannedDesign> {
    match (draw.importance.is_some() || draw.from.is_some(), draw.documents) {
        (true, _) => None,
        (false, true) => Some(PlannedDesign::Documents).filter(|_| draw.configurations.len() == 1),
        (false, false) => Some(PlannedDesign::Pairs(draw.by, draw.bounds.clone(), draw.allocation)),
    }
}

fn half_widths(study: &Snapshot, draw: &SampleDraw, design: PlannedDesign) -> Result<Vec<(String, f64)>, StudyError> {
    let options = PlanOptions {
        configurations: draw.configurations.clone(),
        design: Some(design),
        seed: draw.seed,
        size: draw.size,
        wanted: Vec::new(),
        expect: WORST,
        compare: None,
    };
    let rows = plan_sample(study, &options)?.rows;
    Ok(rows.into_iter().map(|row| (row.configuration, row.half_width)).collect())
}
