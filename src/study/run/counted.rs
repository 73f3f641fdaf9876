//! Which documents of a segment were counted in another one: an id is one document in all segments.
//!
//! Where all texts are kept, these tell. Otherwise each segment has a list of 8 bytes for each document that counts there,
//! the hash of its id, and one list after another is held against the segment at hand.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::io::{Error, ErrorKind};

use rayon::prelude::*;

use crate::StudyError;
use crate::recipe::files::Segment;
use crate::run::ids::{ids_from_bytes, ids_to_bytes};
use crate::run::manifest::{Facts, FileFacts, digest_of_files};
use crate::run::plan::Plan;
use crate::run::workspace::{Workspace, write_whole};
use dejaview_base::system;
use dejaview_matching::pass::{self, Found};
use dejaview_matching::source::{ReadOptions, Source};

/// Documents of a segment that finished segments have, too.
#[derive(Debug, Default)]
struct CountedBefore {
    /// The hashes of their ids, ascending.
    ids: Vec<u64>,
    /// Those segments, each with the digest of its files.
    segments: BTreeMap<String, String>,
}

/// Brings what was found in a segment into order. Documents that finished segments count are no further ones; returns those
/// segments, too, each with the digest of its files.
pub(crate) fn join_with_counted(
    workspace: &Workspace,
    plan: &Plan,
    options: ReadOptions<'_>,
    source: &Source,
    mut found: Found,
) -> Result<(pass::Segment, BTreeMap<String, String>), StudyError> {
    // Of documents whose texts are all kept those that other segments have are known already.
    let counted = match options.keep_all {
        true => CountedBefore::default(),
        false => CountedBefore::find(workspace, plan, found.sorted_ids())?,
    };
    Ok((pass::join(options, source, found, &counted.ids)?, counted.segments))
}

impl CountedBefore {
    /// Of the documents with these hashes of ids, ascending, those that a finished segment counts.
    fn find(workspace: &Workspace, plan: &Plan, ids: &[u64]) -> Result<Self, StudyError> {
        let finished: HashSet<&String> = plan.finished.iter().collect();
        let others: Vec<&Segment> =
            plan.corpora.segments.iter().filter(|segment| finished.contains(&segment.name)).collect();
        let common = |segment: &&Segment| -> Result<Vec<u64>, StudyError> {
            let mut common = Vec::new();
            each_common(ids, &read_ids(workspace, segment)?, |id| common.push(id));
            Ok(common)
        };
        let common = others.par_iter().map(common).collect::<Result<Vec<_>, _>>()?;
        let mut counted = Self::default();
        for (segment, common) in others.iter().zip(common).filter(|(_, common)| !common.is_empty()) {
            counted.segments.insert(
                segment.name.clone(),
                digest_of_files(segment.inputs.iter().map(|input| FileFacts::new(input, 0))),
            );
            counted.ids.extend(common);
        }
        counted.ids.sort_unstable();
        counted.ids.dedup();
        Ok(counted)
    }
}

/// Lists the ids of the documents that count in a segment, if the facts about it say that there is a list.
pub(crate) fn list_ids(workspace: &Workspace, segment: &str, facts: &Facts, ids: &[u64]) -> Result<(), StudyError> {
    if facts.ids_listed { write_whole(&workspace.ids(segment), &ids_to_bytes(ids)) } else { Ok(()) }
}

/// The list of a finished segment; nothing where it has none, as earlier versions left it.
fn read_ids(workspace: &Workspace, segment: &Segment) -> Result<Vec<u64>, StudyError> {
    let path = workspace.ids(&segment.name);
    let damaged = || Error::new(ErrorKind::InvalidData, "it is damaged; remove it, and run again");
    match system::read_file(&path).and_then(|bytes| ids_from_bytes(&bytes).ok_or_else(damaged)) {
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(|why| StudyError::File { doing: "reading", path, why }),
    }
}

/// Shows the numbers that two ascending lists have in common.
fn each_common(a: &[u64], b: &[u64], mut show: impl FnMut(u64)) {
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        match x.cmp(y) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => {
                show(*x);
                (i, j) = (i + 1, j + 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_lists_have_in_common() {
        let common = |a: &[u64], b: &[u64]| {
            let mut common = Vec::new();
            each_common(a, b, |id| common.push(id));
            common
        };
        assert_eq!(common(&[1, 3, 3, 5, 9], &[0, 3, 4, 9, 10]), [3, 9], "one that comes twice here is one document");
        assert_eq!(common(&[], &[1]), common(&[2], &[]));
    }
}
