//! Brings together what workers found in the files of a segment, and searches the files that they left.

use std::collections::BTreeMap;

use crate::StudyError;
use crate::run::keeping::{EarlierIds, Keeper};
use crate::run::part::{Part, Parts};
use crate::run::skips::{ListedSkip, SkipList};
use dejaview_corpus::Input;
use dejaview_index::IndexError;
use dejaview_matching::MatchingError;
use dejaview_matching::import::NamedPairs;
use dejaview_matching::pass::{Found, find};
use dejaview_matching::source::{ReadOptions, Source};

/// Takes in what workers left of one segment.
pub(crate) struct Gatherer<'a> {
    pub(crate) parts: &'a Parts,
    /// What parts must rest on to be taken.
    pub(crate) rests_on: &'a str,
    pub(crate) segment: &'a str,
    /// Ids that documents of finished segments have. A worker does not know them, so a file that may have one is searched
    /// again.
    pub(crate) earlier: &'a EarlierIds,
    pub(crate) keeper: &'a Keeper<'a>,
    pub(crate) skips: &'a SkipList<'a>,
}

/// What is found in all files of a segment: what workers left of them, and the rest searched here; and of how many files
/// workers left it.
pub(crate) fn find_all(
    options: ReadOptions<'_>,
    source: &Source,
    named: &NamedPairs,
    gatherer: Option<Gatherer<'_>>,
) -> Result<(Found, u64), StudyError> {
    let mut found = Found::of_segment(options);
    let mut left: Vec<usize> = (0..options.inputs.len()).collect();
    if let Some(gatherer) = gatherer {
        left = gatherer.take_parts(options, source, &mut found)?;
    }
    found.add(find(options, &left, source, named)?);
    Ok((found, (options.inputs.len() - left.len()) as u64))
}

impl Gatherer<'_> {
    /// Adds what workers found; returns the numbers of the files that are left.
    fn take_parts(
        &self,
        options: ReadOptions<'_>,
        source: &Source,
        found: &mut Found,
    ) -> Result<Vec<usize>, StudyError> {
        let mut left = Vec::new();
        let same_files = Input::same_files(options.inputs);
        for (file, input) in options.inputs.iter().enumerate() {
            if options.progress.cancelled() {
                return Err(MatchingError::Cancelled.into());
            }
            // That a file is read under another name is seen, and listed, where all are known.
            let taken = !same_files.contains_key(&file) && self.take_part(file, options, source, found)?;
            if !taken {
                left.push(file);
            } else {
                options.progress.add_bytes(input.size);
            }
        }
        Ok(left)
    }

    /// Adds what a worker found in a file; false when there is nothing that can be used.
    fn take_part(
        &self,
        file: usize,
        options: ReadOptions<'_>,
        source: &Source,
        found: &mut Found,
    ) -> Result<bool, StudyError> {
        let Some(part) = self.parts.open(self.segment, &options.inputs[file], self.rests_on)? else {
            return Ok(false);
        };
        let found_there = part.found(source, options.configurations.len())?;
        if self.earlier.may_contain(found_there.ids()) {
            return Ok(false);
        }
        let texts = part.texts().map_err(damaged_part)?;
        self.keeper.keep_stored(file, &part.facts.kept, &texts).map_err(damaged_part)?;
        list_skipped(&part, self.segment, file, &options.inputs[file], self.skips)?;
        options.progress.add_documents(found_there.documents);
        found.add_file(file, found_there);
        Ok(true)
    }
}

/// Lists what a worker did not read of a file.
pub(crate) fn list_skipped(
    part: &Part,
    segment: &str,
    file: usize,
    input: &Input,
    skips: &SkipList<'_>,
) -> Result<(), StudyError> {
    let path = &input.path;
    // Workers have whole paths; what they say is listed as this run says it.
    let whole = std::path::absolute(path).unwrap_or_default().display().to_string();
    let mut listed = BTreeMap::new();
    part.facts.skipped.each(&part.skipped(), segment, &mut |skip| {
        let detail = skip.detail.replacen(&whole, &path.display().to_string(), 1);
        skips.add(file, &ListedSkip::new(&skip.file, skip.offset, &skip.reason, &detail));
        *listed.entry(skip.reason).or_default() += 1;
        true
    })?;
    let all_are_there = listed == part.facts.skipped.counts();
    if all_are_there { Ok(()) } else { Err(StudyError::DamagedPart { path: part.skipped() }) }
}

/// Texts that a worker kept are not made again by a run: their file must be searched again.
fn damaged_part(why: StudyError) -> StudyError {
    match why {
        StudyError::Index(IndexError::DamagedText { path, .. } | IndexError::DamagedTexts { path, .. }) => {
            StudyError::DamagedPart { path }
        }
        why => why,
    }
}
