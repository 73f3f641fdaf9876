//! What a sample is drawn from: the pairs of its configurations as they are now, by their digests.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::StudyError;
use crate::label::population::{KnownGroups, Population};
use crate::query::pair_files::{OpenPairs, PairFilter};
use crate::run::manifest;
use crate::snapshot::Snapshot;
use dejaview_base::hash;
use dejaview_evaluation::sample::{DrawnFrom, PairsAtDraw};

/// The pairs of a configuration whose files have this digest.
pub(crate) fn population(study: &Snapshot, configuration: &str, files: &str) -> Result<Population, StudyError> {
    let open = || study.pairs(PairFilter { configuration: Some(configuration), segment: None });
    study.session().populations().get_or_read(configuration, files, open)
}

/// Digest of the files of pairs of a configuration, by the checksum at the end of each. `None` where one is missing.
pub(crate) fn files_digest(study: &Snapshot, configuration: &str) -> Option<String> {
    let segments = study.finished_segments();
    let line = |segment: &str| {
        let checksum = checksum(&study.workspace().pairs(configuration, segment))?;
        Some(format!("{segment}\t{checksum:016x}\n"))
    };
    let all: Vec<String> = segments.iter().map(|(segment, _)| line(segment)).collect::<Option<_>>()?;
    if all.is_empty() { None } else { Some(hash::digest(all.concat().as_bytes())) }
}

/// What a sample of some configurations is drawn from now, given the files that are open.
pub(crate) fn drawn_from(study: &Snapshot, configurations: &[String], open: &[OpenPairs]) -> DrawnFrom {
    let (recipe, known) = (study.recipe(), KnownGroups::default());
    let then = |name: &String| {
        let configuration = recipe.configurations.iter().find(|c| c.name == *name)?;
        Some(PairsAtDraw {
            configuration: manifest::configuration_at_draw(configuration),
            files: files_digest(study, name).unwrap_or_default(),
            pairs: Population::in_files(open, name, &known).digest(),
        })
    };
    DrawnFrom {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        content: manifest::content_name(recipe),
        jaccard: recipe.jaccard,
        configurations: configurations.iter().filter_map(then).collect(),
    }
}

/// The checksum that a file of pairs ends with, without reading the rest.
fn checksum(path: &Path) -> Option<u64> {
    let mut file = File::open(path).ok()?;
    let mut bytes = [0; 8];
    file.seek(SeekFrom::End(-(bytes.len() as i64))).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(u64::from_le_bytes(bytes))
}
