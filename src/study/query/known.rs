//! Which documents a study knows by id, answered without reading its archives: those a run kept, and those that a sample,
//! a judgment or an imported pair names.
//!
//! Unless a study keeps all texts, documents of the target without a pair are in none of these places; only the archives
//! have them.

use std::collections::HashSet;
use std::sync::OnceLock;

use crate::StudyError;
use crate::once::read_once;
use crate::query::pair_files::PairFilter;
use crate::recipe::Keep;
use crate::recipe::files::{IMPORTED, imports_pairs};
use crate::snapshot::Snapshot;
use dejaview_base::both::BothSides;
use dejaview_evaluation::sample::Sample;
use dejaview_index::{Index, KeptSide};

/// The documents of a study that has been run. What takes longer to read is read when it is first needed.
pub(crate) struct KnownDocuments<'a> {
    study: &'a Snapshot,
    /// None where the study has no documents of its own.
    index: Option<&'a Index>,
    both: &'a BothSides,
    sampled: OnceLock<[HashSet<String>; 2]>,
    imported: OnceLock<[HashSet<String>; 2]>,
}

/// The documents that the study knows.
pub(crate) fn known_documents(study: &Snapshot) -> Result<KnownDocuments<'_>, StudyError> {
    let index = Some(study.index()?).filter(|index| !index.is_empty());
    let (sampled, imported) = (OnceLock::new(), OnceLock::new());
    Ok(KnownDocuments { study, index, both: study.both_sides()?, sampled, imported })
}

/// How a study knows the two documents of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PairKnown {
    /// Source and target as given.
    Here,
    /// The other way round: the first is of the target, or both stand on both sides and the second comes first by id.
    Swapped,
    /// As one document, which stands on both sides and is no pair.
    Itself,
    /// Not both: whether the first is a source document, and the second one of the target.
    Not { source: bool, target: bool },
}

impl KnownDocuments<'_> {
    /// How the study knows the documents of a pair. This is the one answer to which way round a pair of a file belongs.
    /// Before a run, and of pairs of which a study without documents has not heard, it is as the file has it.
    pub(crate) fn pair(&self, source: &str, target: &str) -> Result<PairKnown, StudyError> {
        match (self.both.contains_both(source, target), self.both.is_turned(source, target)) {
            (true, _) if self.both.is_one_document(source, target) => return Ok(PairKnown::Itself),
            (true, turn) => return Ok(if turn { PairKnown::Swapped } else { PairKnown::Here }),
            (false, _) => {}
        }
        let (is_source, is_target) = (self.knows(KeptSide::Source, source)?, self.knows(KeptSide::Target, target)?);
        if is_source && is_target {
            return Ok(PairKnown::Here);
        }
        let swapped = self.knows(KeptSide::Source, target)? && self.knows(KeptSide::Target, source)?;
        Ok(match swapped {
            true => PairKnown::Swapped,
            false if self.index.is_none() => PairKnown::Here,
            false => PairKnown::Not { source: is_source, target: is_target },
        })
    }

    /// Whether a pair that is not known certainly lies outside the study: all documents are kept, or only judged source
    /// documents take part and neither of the two is judged.
    pub(crate) fn are_outside_study(&self, source: &str, target: &str) -> Result<bool, StudyError> {
        if self.index.is_none() || self.study.recipe().keep == Keep::All {
            return Ok(self.index.is_some());
        }
        let judged = self.study.judgments()?.is_some();
        Ok(judged && !self.knows(KeptSide::Source, source)? && !self.knows(KeptSide::Source, target)?)
    }

    /// Whether the study knows a document of this id on this side.
    fn knows(&self, side: KeptSide, id: &str) -> Result<bool, StudyError> {
        let kept = self.index.map_or(Ok(false), |index| index.contains(side, id))?;
        Ok(kept
            || self.both.contains(id)
            || read_once(&self.sampled, || self.sampled())?[side as usize].contains(id)
            || (side == KeptSide::Source && self.is_judged(id)?)
            || read_once(&self.imported, || self.imported())?[side as usize].contains(id))
    }

    fn is_judged(&self, id: &str) -> Result<bool, StudyError> {
        let judgments = self.study.judgments()?;
        Ok(judgments.is_some_and(|judgments| judgments.document(id).is_some()))
    }

    /// Ids of all samples; those of an audit need not be of a pair.
    fn sampled(&self) -> Result<[HashSet<String>; 2], StudyError> {
        let mut ids = [HashSet::new(), HashSet::new()];
        for name in Sample::names(self.study.folder())? {
            for pair in Sample::read(self.study.folder(), &name)?.into_iter().flat_map(|sample| sample.pairs) {
                ids[KeptSide::Source as usize].insert(pair.source);
                ids[KeptSide::Target as usize].insert(pair.target);
            }
        }
        Ok(ids)
    }

    /// Ids of pairs of other tools whose documents are not in the study.
    fn imported(&self) -> Result<[HashSet<String>; 2], StudyError> {
        let mut ids = [HashSet::new(), HashSet::new()];
        if !imports_pairs(&self.study.recipe().configurations) || self.study.finished_segments()?.is_empty() {
            return Ok(ids);
        }
        for open in self.study.pairs(PairFilter { configuration: None, segment: Some(IMPORTED) })? {
            for row in 0..open.file.len() {
                let pair = open.file.pair(row);
                ids[KeptSide::Source as usize].insert(pair.source.to_owned());
                ids[KeptSide::Target as usize].insert(pair.target.to_owned());
            }
        }
        Ok(ids)
    }
}
