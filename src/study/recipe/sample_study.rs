//! The sample study inside the program: unpacked where the user's data lies, so that an installed binary has it too.

use std::fs;
use std::path::{Path, PathBuf};

use crate::StudyError;
use crate::run::workspace::write_whole;

/// Every file of the sample study that a run or a reader needs.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../../sample-corpus/", $name)) as &[u8])),*]
    };
}

static FILES: &[(&str, &[u8])] = files![
    "study.toml",
    "README.md",
    "LICENSE",
    "guidelines.md",
    "truth.tsv",
    "judgments/sample.qrels",
    "topics/sample.xml",
    "crawl-2009/old.warc.gz",
    "crawl-2012/00.warc.gz",
    "crawl-2012/01.warc.gz",
    "crawl-2012/02.warc.gz",
    "crawl-2012/03.warc.gz",
];

/// Files that a person may have changed: written only where they are missing.
const EDITABLE: [&str; 2] = ["study.toml", "guidelines.md"];

/// Writes the sample study below `data` (the user's data folder) and returns its folder. What a person may have changed
/// stays, as do labels, samples and earlier runs; other files are brought to this version's.
pub fn unpack(data: &Path) -> Result<PathBuf, StudyError> {
    let folder = data.join("dejaview").join("sample-study");
    for (name, bytes) in FILES {
        let path = folder.join(name);
        let there = fs::read(&path);
        if there.is_ok_and(|there| there == *bytes || EDITABLE.contains(name)) {
            continue;
        }
        if let Some(parent) = path.parent() {
            let failed = |why| StudyError::File { doing: "making the folder", path: parent.to_owned(), why };
            fs::create_dir_all(parent).map_err(failed)?;
        }
        write_whole(&path, bytes)?;
    }
    Ok(folder)
}
