//! What a sample is drawn from: the pairs of its configurations as they are now, by their digests.

use std::io;

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
pub(crate) fn files_digest(study: &Snapshot, configuration: &str) -> Result<Option<String>, StudyError> {
    let mut all = String::new();
    for (segment, _) in study.finished_segments()? {
        let path = study.workspace().pairs(configuration, segment);
        match manifest::pairs_checksum(&path) {
            Ok(checksum) => all.push_str(&format!("{segment}\t{checksum:016x}\n")),
            Err(why) if is_missing(&why) => return Ok(None),
            Err(why) => return Err(StudyError::File { doing: "reading", path, why }),
        }
    }
    Ok((!all.is_empty()).then(|| hash::digest(all.as_bytes())))
}

/// Whether there is no file of pairs, or less of it than its checksum takes.
fn is_missing(why: &io::Error) -> bool {
    matches!(why.kind(), io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput)
}

/// What a sample of some configurations is drawn from now, given the files that are open.
pub(crate) fn drawn_from(
    study: &Snapshot,
    configurations: &[String],
    open: &[OpenPairs],
) -> Result<DrawnFrom, StudyError> {
    let (recipe, known) = (study.recipe(), KnownGroups::default());
    let then = |name: &String| {
        let configuration = recipe.configurations.iter().find(|c| c.name == *name)?;
        let files = files_digest(study, name);
        Some(files.map(|files| PairsAtDraw {
            configuration: manifest::configuration_at_draw(configuration),
            files: files.unwrap_or_default(),
            pairs: Population::in_files(open, name, &known).digest(),
        }))
    };
    Ok(DrawnFrom {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        content: manifest::content_name(recipe),
        jaccard: recipe.jaccard,
        configurations: configurations.iter().filter_map(then).collect::<Result<_, _>>()?,
    })
}
