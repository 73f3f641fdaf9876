//! Segments whose results are not those of the files that are there now, and of `study.toml` as it is now, in words.

use crate::StudyError;
use crate::recipe::files::IMPORTED;
use crate::run::elsewhere::files_of_last_run;
use crate::run::manifest::Facts;
use crate::run::plan::{files_of, same_files};
use crate::session::Session;

/// Segments whose pairs are not those of the files that are there now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StaleSegments {
    /// Their files changed after they were run.
    pub changed: Vec<String>,
    /// They have not been run, or as an earlier `study.toml` asked for.
    pub missing: Vec<String>,
    /// Whether segments were run, and what the run noted of the source is gone or damaged.
    pub source_lost: bool,
    /// Whether nothing was run since `study.toml` or its files changed: there are results of before alone.
    pub outdated: bool,
    /// Why it cannot be told whether results are those of `study.toml` as it is now.
    pub untold: Option<String>,
}

impl StaleSegments {
    /// Those among the finished segments, given the digest of what pairs depend on now beside the target.
    pub(crate) fn of(session: &Session, finished: &[(String, Facts)], digest: Result<&str, StudyError>) -> Self {
        let mut stale = Self::default();
        let (corpora, elsewhere, digest) = match (files_of_last_run(session), digest) {
            (Ok((corpora, elsewhere)), Ok(digest)) => (corpora, elsewhere, digest),
            (Err(why), _) | (_, Err(why)) => {
                stale.untold = Some(why.to_string()).filter(|_| !finished.is_empty());
                return stale;
            }
        };
        stale.outdated = !finished.is_empty() && finished.iter().all(|(_, facts)| facts.plan != digest);
        if stale.outdated {
            return stale;
        }
        let is_read = finished.iter().any(|(name, _)| name != IMPORTED);
        stale.source_lost = is_read && !matches!(Facts::read(&session.workspace().source()), Ok(Some(_)));
        for segment in corpora.segments.iter().filter(|segment| !segment.imported) {
            let facts = finished.iter().find(|(name, _)| *name == segment.name).map(|(_, facts)| facts);
            let now = files_of(&corpora, &elsewhere, segment);
            match facts.filter(|facts| facts.plan == digest) {
                None => stale.missing.push(segment.name.clone()),
                Some(facts) if same_files(&facts.inputs, &now) => {}
                Some(_) => stale.changed.push(segment.name.clone()),
            }
        }
        stale
    }

    /// Which segments changed, in words; none when none did.
    pub fn changed(&self) -> Option<String> {
        match &self.changed[..] {
            [] => None,
            [one] => Some(format!("segment {one} changed after it was run: its pairs are of the former files")),
            many => Some(format!(
                "segments {} changed after they were run: their pairs are of the former files",
                many.join(", ")
            )),
        }
    }

    /// Which segments are missing, in words; none when none are.
    pub fn missing(&self) -> Option<String> {
        match &self.missing[..] {
            [] if self.source_lost => {
                Some("not run to its end: what it noted of the source is missing or damaged here".to_owned())
            }
            [] => None,
            [one] => Some(format!("not run to its end: segment {one} is missing here")),
            many => Some(format!("not run to its end: segments {} are missing here", many.join(", "))),
        }
    }

    /// That all results are of before, or that it is not known, in words.
    pub fn outdated(&self) -> Option<String> {
        let untold =
            |why: &String| format!("it is not known whether results are those of study.toml as it is now: {why}");
        match self.outdated {
            true => Some("not run since study.toml or its files changed: all results are those of before".to_owned()),
            false => self.untold.as_ref().map(untold),
        }
    }

    /// All of it, a sentence each.
    pub fn sentences(&self) -> impl Iterator<Item = String> {
        [self.outdated(), self.missing(), self.changed()].into_iter().flatten()
    }
}
