//! The sample study inside the program: unpacked where the user's data lies, so that an installed binary has it too.

use std::fs;
use std::path::{Path, PathBuf};

use super::StudyError;
use super::workspace::write_whole;

/// Every file of the sample study that a run or a reader needs.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../sample-corpus/", $name)) as &[u8])),*]
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

/// Writes the sample study below `data` (the user's data folder) and returns its folder. Files that are there and equal
/// are left alone, so labels, samples and earlier runs stay.
pub fn unpack(data: &Path) -> Result<PathBuf, StudyError> {
    let folder = data.join("dejaview").join("sample-study");
    for (name, bytes) in FILES {
        let path = folder.join(name);
        if fs::read(&path).is_ok_and(|there| there == *bytes) {
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
