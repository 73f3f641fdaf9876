//! The pages that are measured on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use dejaview::corpus::{AcceptedStatus, Batches, CorpusItem, Input, Scratch};
use dejaview::matching::Extractor;
use dejaview::text::{self, Tokens};

/// The folder of real data.
pub struct Data(PathBuf);

/// A page as it lies in the archive.
pub struct Raw {
    pub body: Vec<u8>,
    pub charset: Option<String>,
    /// Where its record begins.
    pub offset: u64,
}

/// A file as the library takes it.
pub fn input(path: &Path) -> Result<Input> {
    let size = std::fs::metadata(path).with_context(|| format!("{}", path.display()))?.len();
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Input { path: path.to_owned(), name, format: None, status: AcceptedStatus::Ok, size })
}

impl Data {
    /// The folder that `DEJAVIEW_DATA` names.
    pub fn find() -> Option<Self> {
        std::env::var_os("DEJAVIEW_DATA").map(|folder| Self(folder.into()))
    }

    /// The archive for throughput.
    pub fn bench(&self) -> PathBuf {
        self.0.join("bench/pages.warc.gz")
    }

    /// The older of two crawls.
    pub fn older(&self) -> PathBuf {
        self.0.join("recrawl/old.warc.gz")
    }

    /// The files of the newer crawl.
    pub fn newer(&self) -> Vec<PathBuf> {
        (0..4).map(|i| self.0.join(format!("recrawl/new-0{i}.warc.gz"))).collect()
    }

    /// The first `most` pages of the archive for throughput.
    pub fn pages(&self, most: usize) -> Result<Vec<Raw>> {
        let mut batches = Batches::open(&input(&self.bench())?)?;
        let (mut pages, mut scratch) = (Vec::new(), Scratch::default());
        while let Some(batch) = batches.next().expect("the disk is whole").filter(|_| pages.len() < most) {
            batch.read(&mut scratch, &mut |item| {
                if let CorpusItem::Document(document) = item {
                    let charset = document.charset.map(str::to_owned);
                    pages.push(Raw { body: document.body.to_vec(), charset, offset: document.offset });
                }
            });
        }
        pages.truncate(most);
        Ok(pages)
    }

    /// Canonical texts of the first `most` pages.
    pub fn texts(&self, most: usize) -> Result<Vec<String>> {
        Ok(self.pages(most)?.iter().map(Raw::text).collect())
    }
}

impl Raw {
    /// The canonical text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.text_into(&mut out);
        out
    }

    /// The canonical text, into memory that is used again.
    pub fn text_into(&self, out: &mut String) {
        text::extract(&text::decode(&self.body, self.charset.as_deref(), true).text, out);
    }
}

/// Canonical texts by URL, of all pages of some files.
pub fn by_url(files: &[PathBuf]) -> Result<BTreeMap<String, String>> {
    let (mut texts, mut scratch, mut extractor) = (BTreeMap::new(), Scratch::default(), Extractor::default());
    for file in files {
        let mut batches = Batches::open(&input(file)?)?;
        while let Some(batch) = batches.next().expect("the disk is whole") {
            batch.read(&mut scratch, &mut |item| {
                if let CorpusItem::Document(document) = item {
                    texts.insert(
                        document.url.to_owned(),
                        extractor.extract(&document).expect("no page is too long").text.to_owned(),
                    );
                }
            });
        }
    }
    Ok(texts)
}

/// Tokens of a text.
pub fn tokens(text: &str) -> Tokens {
    let mut tokens = Tokens::new();
    tokens.read(text);
    tokens
}

/// Folded words of a text, as dejaview cuts it.
pub fn folded(text: &str) -> Vec<String> {
    let (tokens, mut word) = (tokens(text), String::new());
    (0..tokens.len())
        .map(|i| {
            text::fold(&text[tokens.span(i)], &mut word);
            word.clone()
        })
        .collect()
}
