//! The pairs that are similar are found once: both sides are read for it, and the list is kept in `.dejaview`.

use std::fs;

use serde::{Deserialize, Serialize};

use super::similar::SimilarPairs;
use crate::StudyError;
use crate::query::sides::read_sides;
use crate::run::watch::Watch;
use crate::run::workspace::read_json;
use crate::snapshot::Snapshot;
use dejaview_base::{hash, system};

/// Lists of more pairs are not kept: finding them again takes no longer than reading them.
const MOST_KEPT: usize = 5_000_000;

/// A list, and what it was made from.
#[derive(Serialize, Deserialize)]
struct Kept<T> {
    key: String,
    #[serde(rename = "alike")]
    similar: T,
}

/// The pairs that are similar: kept ones, or new ones that are kept.
pub(super) fn similar_pairs(study: &Snapshot, threads: usize, watch: &dyn Watch) -> Result<SimilarPairs, StudyError> {
    let (key, path) = (list_key(study)?, study.workspace().similar_pairs());
    let kept = read_json::<Kept<SimilarPairs>>(&path).filter(|kept| kept.key == key && kept.similar.is_sound());
    if let Some(kept) = kept {
        return Ok(kept.similar);
    }
    let (source, target) = read_sides(study, threads, watch)?;
    let similar = SimilarPairs::new(&source, &target, study.recipe().jaccard, study.recipe().join);
    if similar.bands.iter().map(Vec::len).sum::<usize>() <= MOST_KEPT {
        let temporary = path.with_extension(format!("{}.part", std::process::id()));
        let text = serde_json::json!(Kept { key, similar: &similar }).to_string();
        // A list that cannot be kept is made again the next time.
        let _ = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, &path));
    }
    Ok(similar)
}

/// Digest of what the list depends on: the study's words, its source and the segments as they were last read.
fn list_key(study: &Snapshot) -> Result<String, StudyError> {
    let plan = study.plan()?;
    let mut all = format!("3 {} {}", plan.digest, study.recipe().jaccard).into_bytes();
    let segments = plan.corpora.segments.iter().map(|segment| study.workspace().segment(&segment.name));
    for path in segments {
        all.extend(system::read_file(&path).unwrap_or_default());
    }
    Ok(hash::digest(&all))
}
