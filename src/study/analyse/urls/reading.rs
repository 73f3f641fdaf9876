//! Reads the URLs of a side from lists or documents, without keeping them in memory.

use std::collections::HashSet;
use std::path::PathBuf;

use crate::recipe::Pattern;
use crate::recipe::files::list_files;
use crate::run::watch::{Stage, Watch};
use crate::{Snapshot, StudyError};
use dejaview_base::{hash, own_folder};
use dejaview_corpus::{Document, Input, SkipReason, urls};
use dejaview_matching::MatchingError;
use dejaview_matching::reading::{Unlisted, Visitor, visit};
use dejaview_text::canonical_link;

/// One document or line with its URL.
pub(super) struct Seen<'a> {
    pub(super) id: &'a str,
    pub(super) url: &'a str,
    pub(super) canonical: Option<&'a str>,
}

/// What is done with each.
pub(super) type Visit<'a> = dyn FnMut(&Seen<'_>) -> std::io::Result<()> + 'a;

/// Where the URLs of a side come from.
pub(super) enum Origin {
    Lists(Vec<PathBuf>),
    Documents(Vec<Input>),
}

impl Origin {
    pub(super) fn name(&self) -> &'static str {
        if matches!(self, Self::Lists(_)) { "lists" } else { "documents" }
    }
}

pub(super) fn url_source(study: &Snapshot, lists: &[Pattern], documents: &[Input]) -> Result<Origin, StudyError> {
    if lists.is_empty() {
        return Ok(Origin::Documents(documents.to_vec()));
    }
    let mut paths = Vec::new();
    for pattern in lists {
        paths.extend(list_files(study.folder(), pattern)?);
    }
    Ok(Origin::Lists(paths))
}

/// Lines and documents that give no URL.
#[derive(Debug, Default)]
pub(super) struct WithoutUrls {
    /// How many have none.
    pub(super) count: u64,
    /// Lines of lists that were not read, each with its file and why, in words.
    pub(super) unread: Vec<String>,
}

impl WithoutUrls {
    pub(super) fn and(mut self, other: Self) -> Self {
        self.count += other.count;
        self.unread.extend(other.unread);
        self
    }
}

/// Shows every URL of a side in the order of its files; returns what has none.
pub(super) fn each_url(
    study: &Snapshot,
    from: &Origin,
    threads: usize,
    watch: &dyn Watch,
    show: &mut Visit<'_>,
) -> Result<WithoutUrls, StudyError> {
    match from {
        Origin::Lists(paths) => each_listed(study, paths, show),
        Origin::Documents(inputs) => {
            watch.stage(Stage::Statistics { bytes: inputs.iter().map(|input| input.size).sum() });
            let count = each_document(study, inputs, threads, watch, show)?;
            Ok(WithoutUrls { count, unread: Vec::new() })
        }
    }
}

pub(super) fn each_listed(
    study: &Snapshot,
    paths: &[PathBuf],
    show: &mut Visit<'_>,
) -> Result<WithoutUrls, StudyError> {
    let (mut without, mut failure) = (WithoutUrls::default(), None);
    for path in paths {
        let list = urls::for_each_url(path, &mut |line| {
            if failure.is_none() {
                failure = show(&Seen { id: line.id, url: line.url, canonical: None }).err();
            }
        })?;
        without.count += list.lines;
        without
            .unread
            .extend(list.long.iter().map(|long| format!("{}, line {}: not read: {long}", path.display(), long.line)));
    }
    failure.map_or(Ok(without), |why| Err(spilling_failed(study, why)))
}

/// One file after another, so that memory holds the URLs of one. Of records with one id the first counts.
fn each_document(
    study: &Snapshot,
    inputs: &[Input],
    threads: usize,
    watch: &dyn Watch,
    show: &mut Visit<'_>,
) -> Result<u64, StudyError> {
    let (mut without, mut known) = (0, HashSet::new());
    for input in inputs {
        let visited = visit(std::slice::from_ref(input), threads, watch.progress(), &Unlisted, Gatherer::default)?;
        let mut rows: Vec<_> = visited.visitors.into_iter().flat_map(|gatherer| gatherer.rows).collect();
        rows.sort_unstable();
        for (_, id, url, canonical) in rows.iter().filter(|row| known.insert(hash::token(row.1.as_bytes()))) {
            without += u64::from(url.is_empty());
            let seen = Seen { id, url, canonical: canonical.as_deref() };
            show(&seen).map_err(|why| spilling_failed(study, why))?;
        }
    }
    if watch.progress().cancelled() { Err(MatchingError::Cancelled.into()) } else { Ok(without) }
}

pub(super) fn spilling_failed(study: &Snapshot, why: std::io::Error) -> StudyError {
    StudyError::File { doing: "joining URLs in", path: own_folder::of(study.folder()), why }
}

/// Offset, id, URL and canonical link of every document; the link only where it names another URL.
#[derive(Default)]
struct Gatherer {
    rows: Vec<(u64, String, String, Option<String>)>,
}

impl Visitor for Gatherer {
    fn document(&mut self, _: usize, document: &Document<'_>) -> Result<(), SkipReason> {
        let link = canonical_link(document.body).and_then(|link| urls::resolve(document.url, &link));
        let link = link.filter(|link| !urls::same(link, document.url));
        self.rows.push((document.offset, document.id.to_owned(), document.url.to_owned(), link));
        Ok(())
    }
}
