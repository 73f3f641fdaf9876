//! The figures of a study (METHODS of the study, Figures 5.1 to 5.5 and 5.7 to 5.9), as data for all who draw them.

mod build;
mod chart;
mod grids;
pub mod options;

use std::collections::HashMap;

use crate::StudyError;
use crate::analyse::figures::options::{FigureOptions, Figures};
use crate::analyse::judged::JudgedDocuments;
use crate::snapshot::Snapshot;

pub use chart::{Bar, Extrapolation, Figure, Kind, Series};
pub use grids::{tenth_filter, tenth_names};

/// The figures of all pairs.
pub fn figures(study: &Snapshot, options: &FigureOptions) -> Result<Figures, StudyError> {
    let table = study.table()?;
    for name in &options.configurations {
        study.known_configuration(name)?;
    }
    if let Some(name) = &options.segment
        && !table.segments().contains(&name.as_str())
    {
        return Err(StudyError::NoSegment { name: name.clone(), known: table.segments().join(", ") });
    }
    let summary = study.summary()?;
    let judged = study.judgments()?.map(|judgments| JudgedDocuments::new(judgments, summary.as_ref()));
    let documents = summary.map_or(0, |summary| summary.documents.source);
    let both = if table.joins_itself() { study.segments_of_both()? } else { HashMap::new() };
    let builder = build::Builder::new(table, options, judged, documents, &both)?;
    must_be_enough(options.segments, builder.read())?;
    let mut all = builder.figures();
    let wanted = |name: &str| options.configurations.is_empty() || options.configurations.iter().any(|c| c == name);
    let mut of_bits = study.recipe().configurations.iter().filter(|c| c.algorithm().name == "simhash");
    let of_bits = of_bits.find(|configuration| wanted(&configuration.name)).map(|c| c.name.as_str());
    all.figures.extend(grids::Grids { table, options, of_bits }.figures());
    Ok(all)
}

/// An error where accumulated counts of a study that was run are to be carried on to fewer segments than there are.
pub fn must_carry_on_to(study: &Snapshot, segments: Option<usize>) -> Result<(), StudyError> {
    let Ok(table) = study.table() else { return Ok(()) };
    must_be_enough(segments, build::segments_read(&table.segments()))
}

fn must_be_enough(segments: Option<usize>, read: usize) -> Result<(), StudyError> {
    match segments {
        Some(segments) if segments < read => Err(StudyError::FewerSegments { read }),
        _ => Ok(()),
    }
}
