//! What the screen asks of the study: lists, search results, documents and counts.

use std::time::Duration;

use super::Corpus;
use super::documents::{Found, ListDocuments, SearchTexts};
use super::files::{FileList, ListFiles};
use super::reader::{ReadDocument, WrappedDocument};
use super::url_overlap::CountUrls;
use crate::contract::{Job, NO_RESULT, Request, Screens, Stop};
use crate::jobs::Backend;
use crate::logbook::LogLine;
use crate::preview::KeyPace;
use crate::shared::Shared;
use dejaview_corpus::urls::Rules;
use dejaview_index::{DocumentListing, Index, IndexError, KeptSide};
use dejaview_report::numbers::plural;
use dejaview_study::{Snapshot, Unwatched, Urls, UrlsOptions};

/// Results of a full-text search, at most.
const MOST_RESULTS: usize = 500;

impl Job for ListDocuments {
    type Output = Result<DocumentListing, String>;
    const NAME: &'static str = "list documents";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let listing = backend.study().kept_texts().and_then(|index| Ok(index.list(self.side, self.from, self.count)?));
        Some(listing.map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |_| "listed documents".to_owned())
    }

    fn deliver(output: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        let corpus = screens.get_mut::<Corpus>();
        corpus.documents.listed(output);
        corpus.show_text(shared.area(), Duration::ZERO)
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Corpus>().documents.listed(Err(NO_RESULT.to_owned()));
        Vec::new()
    }
}

impl Job for SearchTexts {
    type Output = Result<Found, String>;
    const NAME: &'static str = "search the texts";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let found = backend.study().kept_texts().and_then(|index| Ok(search(index, &self.query, self.side)?));
        Some(found.map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |found| format!("searched the texts: {}", plural(found.total, "result")))
    }

    fn deliver(output: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        let corpus = screens.get_mut::<Corpus>();
        corpus.documents.searched(output);
        corpus.show_text(shared.area(), Duration::ZERO)
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Corpus>().documents.searched(Err(NO_RESULT.to_owned()));
        Vec::new()
    }
}

fn search(index: &Index, query: &str, side: Option<KeptSide>) -> Result<Found, IndexError> {
    let results = index.search(query, side, MOST_RESULTS)?;
    let total = if results.len() < MOST_RESULTS { results.len() as u64 } else { index.count(query, side)? };
    Ok(Found { results, total, kept: index.list(side, 0, 0)?.total as u64 })
}

impl Job for ReadDocument {
    type Output = Result<Box<WrappedDocument>, String>;
    const NAME: &'static str = "read a document";
    const LISTED: bool = false;

    fn run(self, backend: &Backend, stop: Stop<'_>) -> Option<Self::Output> {
        if self.pause && !KeyPace::wait(stop) {
            return None;
        }
        let found = dejaview_study::find_document(&backend.study(), &self.id, Some(self.side));
        let document = found.map(|found| Box::new(WrappedDocument::new(found.document, self.columns)));
        Some(document.map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        // Only errors: documents are read as the cursor moves.
        output.as_ref().err().map(|why| LogLine::Failed(why.clone()))
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Corpus>().take_document(output);
        Vec::new()
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Corpus>().take_document(Err(NO_RESULT.to_owned()));
        Vec::new()
    }
}

impl Job for ListFiles {
    type Output = Result<FileList, String>;
    const NAME: &'static str = "list files";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(list_files(&backend.study()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        match output {
            Ok(_) => LogLine::done("listed files"),
            Err(why) => Some(LogLine::Failed(why.clone())),
        }
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        match output {
            Ok(list) => screens.get_mut::<Corpus>().files.listed(list),
            Err(_) => screens.get_mut::<Corpus>().files.no_answer(),
        }
        Vec::new()
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Corpus>().files.no_answer();
        Vec::new()
    }
}

/// Skipped records that the screen lists.
const LISTED: usize = 10_000;

fn list_files(study: &Snapshot) -> Result<FileList, String> {
    let (parts, mut skipped) = (study.input_summaries().map_err(|why| why.to_string())?, Vec::new());
    for part in &parts {
        let mut show = |record| {
            let wanted = skipped.len() < LISTED;
            skipped.extend(wanted.then_some(record));
            wanted
        };
        study.each_skipped(&part.segment, &mut show).map_err(|why| why.to_string())?;
    }
    Ok(FileList { parts, skipped })
}

impl Job for CountUrls {
    type Output = Result<Box<Urls>, String>;
    const NAME: &'static str = "count URLs in common";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(count_urls(&backend.study()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |_| "counted URLs in common".to_owned())
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Corpus>().url_overlap.counted(output);
        Vec::new()
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Corpus>().url_overlap.no_answer();
        Vec::new()
    }
}

/// Bytes of URLs kept in memory while they are compared.
const URL_MEMORY: usize = 500_000_000;

fn count_urls(study: &Snapshot) -> Result<Box<Urls>, String> {
    let options = UrlsOptions {
        rules: Rules::default(),
        domain: None,
        canonical: false,
        content: false,
        memory: URL_MEMORY,
        threads: 1,
    };
    dejaview_study::urls(study, &options, &Unwatched::default()).map(Box::new).map_err(|error| error.to_string())
}
