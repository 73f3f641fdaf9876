//! Samples on disk: what a file says, and which one may take the place of which.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::placing::{alone_with, put};
use super::{Allocation, Design, DrawnFrom, KeptSample, Sample, SampledPair, StratifyBy, Stratum, TransferFrame};
use crate::EvaluationError;
use dejaview_base::hash;
use dejaview_base::json::fault_in_line;
use dejaview_base::{names, system};

/// The first line of a file. What earlier versions did not write has a default.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    name: String,
    design: Design,
    seed: u64,
    configuration: String,
    #[serde(default)]
    configurations: Vec<String>,
    #[serde(default)]
    serves: Vec<String>,
    #[serde(default)]
    by: StratifyBy,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    bounds: Vec<f64>,
    #[serde(default)]
    allocation: Allocation,
    size: u64,
    #[serde(default)]
    audit: u64,
    population: u64,
    /// Lines that follow.
    drawn: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    transfer: Option<TransferFrame>,
    #[serde(default)]
    strata: Vec<Stratum>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    drawn_from: Option<DrawnFrom>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kept: Option<KeptSample>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    mixed: bool,
}

/// What writing a sample did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// There was none of this name.
    New,
    /// The very same was there; nothing was done.
    Same,
    /// One with fewer pairs was there, which come first in this one; its weights were renewed.
    Extended {
        /// How many pairs there were.
        from: usize,
    },
}

impl Sample {
    /// Where the sample of a name lies in a study.
    pub fn path(study: &Path, name: &str) -> Result<PathBuf, EvaluationError> {
        let fine = !name.is_empty()
            && name.len() <= 100
            && !name.starts_with('.')
            && name.chars().all(|c| c.is_alphanumeric() || "+-_.".contains(c));
        if fine {
            Ok(study.join("samples").join(format!("{name}.jsonl")))
        } else {
            Err(EvaluationError::Name { name: name.to_owned() })
        }
    }

    /// Reads the sample of a name; none when there is none.
    pub fn read(study: &Path, name: &str) -> Result<Option<Self>, EvaluationError> {
        let path = Self::path(study, name)?;
        let text = system::read_file(&path)
            .and_then(|bytes| String::from_utf8(bytes).map_err(|why| io::Error::new(io::ErrorKind::InvalidData, why)));
        match text {
            Ok(text) => match parse(&path, &text)? {
                sample if sample.name == name => Ok(Some(sample)),
                sample => {
                    let why = format!(
                        "it is sample {0} under another name; call the file {0}.jsonl, or remove it where that one is there",
                        sample.name
                    );
                    Err(EvaluationError::Damaged { path, line: 1, why })
                }
            },
            Err(why) if why.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
                let why = io::Error::other("it is a link to a file that is not there");
                Err(EvaluationError::File { doing: "reading", path, why })
            }
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(why) => Err(EvaluationError::File { doing: "reading", path, why }),
        }
    }

    /// Names of the samples of a study, in order.
    pub fn names(study: &Path) -> Result<Vec<String>, EvaluationError> {
        let folder = study.join("samples");
        let failed = |why| EvaluationError::File { doing: "reading", path: folder.clone(), why };
        let entries = match fs::read_dir(&folder) {
            Err(why) if why.kind() == io::ErrorKind::NotFound && folder.is_symlink() => {
                return Err(failed(io::Error::other("it is a link to a folder that is not there")));
            }
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(failed)?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let path = entry.map_err(failed)?.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            if path.extension().is_some_and(|ending| ending == "jsonl") {
                names.extend(stem.filter(|stem| Self::path(study, stem).is_ok()).map(str::to_owned));
            }
        }
        names.sort();
        Ok(names)
    }

    /// Name of the sample of a study that was written last, of equally new ones the first by name; none when there is none.
    pub fn newest(study: &Path) -> Result<Option<String>, EvaluationError> {
        let written = |name: &String| Self::path(study, name).ok()?.metadata().and_then(|file| file.modified()).ok();
        Ok(Self::names(study)?.into_iter().rev().max_by_key(written))
    }

    /// An error where a sample that is not there yet must not get this name: a command would take it for an option, or it
    /// differs from that of another sample in case alone.
    pub fn must_be_nameable(study: &Path, name: &str) -> Result<(), EvaluationError> {
        let known = Self::names(study)?;
        if names::is_like_an_option(name) && !known.iter().any(|known| known == name) {
            return Err(EvaluationError::LikeAnOption { name: name.to_owned() });
        }
        match names::same_but_for_case(name, &known) {
            Some(other) => Err(EvaluationError::SameButForCase { name: name.to_owned(), other: other.to_owned() }),
            None => Ok(()),
        }
    }

    /// Writes the sample into a study. Another sample of the same name is never written over, unless this one is the same
    /// with more pairs behind. Processes that write at the same time do so one after the other.
    pub fn write(&self, study: &Path) -> Result<Written, EvaluationError> {
        let path = Self::path(study, &self.name)?;
        Self::must_be_nameable(study, &self.name)?;
        let _alone = alone_with(&path)?;
        let written = match Self::read(study, &self.name)? {
            None => Written::New,
            Some(there) if there == *self => return Ok(Written::Same),
            // What it was drawn from is written into a file of an earlier version, and whom else it serves.
            Some(there) if self.extends(&there) && there.pairs.len() == self.pairs.len() => Written::Same,
            Some(there) if self.extends(&there) => Written::Extended { from: there.pairs.len() },
            Some(there) => return Err(EvaluationError::Exists { path, there: there.described() }),
        };
        match put(&path, &self.lines(), written == Written::New) {
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {
                Err(EvaluationError::Exists { path, there: "drawn by another process just now".to_owned() })
            }
            Err(why) => Err(EvaluationError::File { doing: "writing", path, why }),
            Ok(()) => Ok(written),
        }
    }

    /// Writes the sample, which is one there was before with more pairs behind, into a study: an error where another process
    /// has changed that since.
    pub fn lengthen(&self, study: &Path, before: &Self) -> Result<(), EvaluationError> {
        if !self.extends(before) {
            let path = Self::path(study, &self.name)?;
            return Err(EvaluationError::Exists { path, there: before.described() });
        }
        if self == before { Ok(()) } else { self.replace(study, before) }
    }

    /// Writes the sample into a study in the place of the one of its name that was there before: an error where another
    /// process has changed that since.
    pub fn replace(&self, study: &Path, before: &Self) -> Result<(), EvaluationError> {
        let path = Self::path(study, &self.name)?;
        let _alone = alone_with(&path)?;
        if Self::read(study, &self.name)?.as_ref() != Some(before) {
            return Err(EvaluationError::Changed { path });
        }
        put(&path, &self.lines(), false).map_err(|why| EvaluationError::File { doing: "writing", path, why })
    }

    fn lines(&self) -> String {
        let header = Header {
            name: self.name.clone(),
            design: self.design.clone(),
            seed: self.seed,
            configuration: self.configuration.clone(),
            configurations: self.configurations.clone(),
            serves: self.serves.clone(),
            by: self.by,
            bounds: self.bounds.clone(),
            allocation: self.allocation,
            size: self.size,
            audit: self.audit,
            population: self.population,
            drawn: self.pairs.len(),
            transfer: self.transfer.clone(),
            strata: self.strata.clone(),
            drawn_from: self.drawn_from.clone(),
            kept: self.kept.clone(),
            mixed: self.mixed,
        };
        let mut text = serde_json::json!(header).to_string();
        text.push('\n');
        for pair in &self.pairs {
            text.push_str(&serde_json::json!(pair).to_string());
            text.push('\n');
        }
        with_checksum(&text)
    }
}

/// What the first line of a file begins with, before the checksum of everything else in the file.
const CHECKSUM: &str = "{\"checksum\":\"";

/// The lines of a file with their checksum in the first.
fn with_checksum(text: &str) -> String {
    format!("{CHECKSUM}{}\",{}", hash::digest(text.as_bytes()), text.get(1..).unwrap_or_default())
}

/// Whether the checksum of a file is right. Files of earlier versions have none, and line ends may have been changed on the
/// way, by git for one.
fn is_whole(text: &str) -> bool {
    let checked = text.strip_prefix(CHECKSUM).and_then(|rest| rest.split_once("\","));
    checked.is_none_or(|(digest, rest)| {
        let rest = format!("{{{}", rest.replace("\r\n", "\n"));
        hash::digest(rest.as_bytes()) == digest
    })
}

fn parse(path: &Path, text: &str) -> Result<Sample, EvaluationError> {
    let damaged = |line: usize, why: String| EvaluationError::Damaged { path: path.to_owned(), line, why };
    let mut lines = text.lines().enumerate();
    let (_, first) = lines.next().ok_or_else(|| damaged(1, "the design is missing".to_owned()))?;
    let header: Header = serde_json::from_str(first).map_err(|why| damaged(1, fault_in_line(&why)))?;
    let mut pairs: Vec<SampledPair> = Vec::new();
    for (i, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        pairs.push(serde_json::from_str(line).map_err(|why| damaged(i + 1, fault_in_line(&why)))?);
    }
    if pairs.len() != header.drawn {
        let why = format!("the first line says {} pairs, there are {}", header.drawn, pairs.len());
        return Err(damaged(pairs.len() + 1, why));
    }
    let sample = whole(header, pairs);
    match sample.unsound() {
        Some((line, why)) => Err(damaged(line, why)),
        None if !is_whole(text) => {
            Err(damaged(1, "the checksum of the file is wrong: it was damaged or edited".to_owned()))
        }
        None => Ok(sample),
    }
}

/// The sample of a file, with what an earlier version left to be understood.
fn whole(header: Header, pairs: Vec<SampledPair>) -> Sample {
    let Header { name, design, seed, configuration, mut configurations, mut serves, .. } = header;
    let Header {
        by, bounds, allocation, size, audit, population, transfer, mut strata, drawn_from, kept, mixed, ..
    } = header;
    if configurations.is_empty() {
        configurations = vec![configuration.clone()];
    }
    if design == Design::Pack {
        // Earlier versions took a pack for all pairs of a configuration.
        serves.clear();
        strata.iter_mut().for_each(|stratum| stratum.found.clear());
    } else if serves.is_empty() && transfer.is_none() {
        serves.clone_from(&configurations);
    }
    if strata.is_empty() && !pairs.is_empty() && pairs.iter().all(|pair| pair.stratum == pairs[0].stratum) {
        let (name, drawn) = (pairs[0].stratum.clone(), pairs.len() as u64);
        strata = vec![Stratum { name, population, drawn, found: vec![population], ..Stratum::default() }];
    }
    Sample {
        name,
        design,
        seed,
        configuration,
        configurations,
        serves,
        by,
        bounds,
        allocation,
        size,
        audit,
        population,
        transfer,
        strata,
        pairs,
        drawn_from,
        kept,
        mixed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::draw_simple;

    fn sample(size: usize, seed: u64) -> Sample {
        let pairs: Vec<(String, String)> = (0..50).map(|i| (format!("s{}", i % 7), format!("t\"{i}"))).collect();
        let pairs = pairs.iter().map(|(s, t)| (s.as_str(), t.as_str()));
        draw_simple(pairs, size, seed).named("default", &["simhash-3+5".to_owned()])
    }

    #[test]
    fn what_was_written_is_read() {
        let study = tempfile::tempdir().unwrap();
        assert_eq!(Sample::read(study.path(), "default").unwrap(), None);
        assert!(Sample::names(study.path()).unwrap().is_empty());
        let drawn = sample(7, u64::MAX);
        assert_eq!(drawn.write(study.path()).unwrap(), Written::New);
        assert_eq!(drawn.write(study.path()).unwrap(), Written::Same);
        assert_eq!(Sample::read(study.path(), "default").unwrap(), Some(drawn));
        assert_eq!(Sample::names(study.path()).unwrap(), ["default"]);
        let files = fs::read_dir(study.path().join("samples")).unwrap().count();
        assert_eq!(files, 1, "no temporary file stays");
        let text = fs::read_to_string(study.path().join("samples/default.jsonl")).unwrap();
        assert!(
            text.contains("\",\"name\":\"default\",\"design\":\"simple\",\"seed\":18446744073709551615,"),
            "{text}"
        );
    }

    #[test]
    fn files_of_earlier_versions_are_read() {
        let study = tempfile::tempdir().unwrap();
        let path = Sample::path(study.path(), "old").unwrap();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let head =
            r#"{"name":"old","design":"simple","seed":1,"configuration":"md5","size":1,"population":8,"drawn":1}"#;
        let pair = r#"{"source":"a","target":"b","stratum":"all","weight":8.0,"probability":0.125}"#;
        fs::write(&path, format!("{head}\n{pair}\n")).unwrap();
        let sample = Sample::read(study.path(), "old").unwrap().unwrap();
        assert_eq!(sample.configurations, ["md5"]);
        let all = Stratum { name: "all".to_owned(), population: 8, drawn: 1, found: vec![8], ..Stratum::default() };
        assert_eq!(sample.serves, ["md5"], "what it was drawn from");
        assert_eq!(sample.strata, [all], "nothing is known of pairs that two found");
        assert_eq!((sample.by, sample.audit, sample.pairs[0].document_pairs), (StratifyBy::None, 0, None));
    }

    #[test]
    fn only_a_longer_one_takes_its_place() {
        let study = tempfile::tempdir().unwrap();
        sample(7, 1).write(study.path()).unwrap();
        assert!(matches!(sample(7, 2).write(study.path()), Err(EvaluationError::Exists { .. })));
        assert!(matches!(sample(6, 1).write(study.path()), Err(EvaluationError::Exists { .. })));
        let longer = sample(20, 1);
        assert_eq!(longer.write(study.path()).unwrap(), Written::Extended { from: 7 });
        assert_eq!(Sample::read(study.path(), "default").unwrap(), Some(longer));
    }

    #[test]
    fn a_faster_process_is_not_written_over() {
        let study = tempfile::tempdir().unwrap();
        let path = study.path().join("default.jsonl");
        fs::write(&path, "theirs").unwrap();
        let error = put(&path, "ours", true).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
        assert_eq!(fs::read_dir(study.path()).unwrap().count(), 1);
    }

    #[test]
    fn damage_is_told_with_its_line() {
        let study = tempfile::tempdir().unwrap();
        sample(3, 1).write(study.path()).unwrap();
        let path = Sample::path(study.path(), "default").unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        lines[2] = "{}";
        fs::write(&path, lines.join("\n")).unwrap();
        assert!(matches!(Sample::read(study.path(), "default"), Err(EvaluationError::Damaged { line: 3, .. })));
        lines.truncate(2);
        fs::write(&path, lines.join("\n")).unwrap();
        let error = sample(3, 1).write(study.path()).unwrap_err().to_string();
        assert!(error.contains("says 3 pairs, there are 1"), "{error}");
    }

    #[test]
    fn numbers_that_cannot_be_are_told() {
        let study = tempfile::tempdir().unwrap();
        sample(3, 1).write(study.path()).unwrap();
        let path = Sample::path(study.path(), "default").unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let with = |line: usize, old: &str, new: &str| {
            let changed = lines[line].replacen(old, new, 1);
            assert_ne!(changed, lines[line], "{old}");
            let mut all = lines.clone();
            all[line] = &changed;
            fs::write(&path, all.join("\n")).unwrap();
            Sample::read(study.path(), "default").unwrap_err().to_string()
        };
        let probability = &lines[1][lines[1].find("\"probability\":").unwrap()..lines[1].len() - 1];
        let weight = &lines[1][lines[1].find("\"weight\":").unwrap()..lines[1].find(",\"probability").unwrap()];
        for (line, old, new, said) in [
            (1, probability, "\"probability\":0", "a probability of 0 is none"),
            (1, probability, "\"probability\":-0.5", "a probability of -0.5 is none"),
            (1, probability, "\"probability\":1.5", "a probability of 1.5 is none"),
            (1, probability, "\"probability\":1e999", "number out of range"),
            (1, probability, "\"probability\":null", "expected f64"),
            (1, weight, "\"weight\":-2", "a pair cannot stand for -2 pairs"),
            (1, "\"all\"", "\"some\"", "has no stratum some"),
            (0, "\"found\":[50]", "\"found\":[51]", "found 51 of 50 pairs"),
            (0, "\"found\":[50]", "\"found\":[50,1]", "found, and serves 1"),
            (0, "\"population\":50,\"drawn\":3,\"found\"", "\"population\":2,\"drawn\":3,\"found\"", "3 of 2 pairs"),
        ] {
            let error = with(line, old, new);
            assert!(error.contains(said), "{new}: {error}");
        }
        let mut twice = lines.clone();
        twice[2] = twice[1];
        fs::write(&path, twice.join("\n")).unwrap();
        let error = Sample::read(study.path(), "default").unwrap_err().to_string();
        assert!(error.contains("are there twice"), "{error}");
    }

    #[test]
    fn no_value_changes_unnoticed() {
        let study = tempfile::tempdir().unwrap();
        sample(3, 1).write(study.path()).unwrap();
        let path = Sample::path(study.path(), "default").unwrap();
        let text = fs::read_to_string(&path).unwrap();
        for (at, _) in text.match_indices(|c: char| c.is_ascii_digit()) {
            let digit = if &text[at..=at] == "7" { "3" } else { "7" };
            fs::write(&path, format!("{}{digit}{}", &text[..at], &text[at + 1..])).unwrap();
            let error = Sample::read(study.path(), "default").unwrap_err();
            assert!(matches!(error, EvaluationError::Damaged { .. }), "digit {at}: {error}");
        }
        fs::write(&path, text.replace('\n', "\r\n")).unwrap();
        assert_eq!(Sample::read(study.path(), "default").unwrap(), Some(sample(3, 1)), "other line ends are no damage");
    }

    #[test]
    fn samples_that_are_written_at_once_end_as_if_one_after_the_other() {
        let study = tempfile::tempdir().unwrap();
        let sizes = [5, 12, 8, 6, 11, 7, 10, 9];
        let write = |size| sample(size, 1).write(study.path());
        let written: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = sizes.iter().map(|size| scope.spawn(move || write(*size))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let there = Sample::read(study.path(), "default").unwrap().unwrap();
        for (size, written) in sizes.iter().zip(&written) {
            match written {
                Ok(_) => assert!(there.pairs.len() >= *size, "{size} was written, {} are there", there.pairs.len()),
                Err(why) => assert!(matches!(why, EvaluationError::Exists { .. }), "{why}"),
            }
        }
        assert_eq!(there, sample(12, 1), "the longest is refused by nobody");
        assert_eq!(written.iter().filter(|it| matches!(it, Ok(Written::New))).count(), 1);
    }

    #[test]
    fn what_another_process_changed_is_not_replaced() {
        let study = tempfile::tempdir().unwrap();
        let (before, longer) = (sample(7, 1), sample(9, 1));
        before.write(study.path()).unwrap();
        longer.write(study.path()).unwrap();
        let error = sample(3, 2).replace(study.path(), &before).unwrap_err();
        assert!(matches!(error, EvaluationError::Changed { .. }), "{error}");
        let error = sample(12, 1).lengthen(study.path(), &before).unwrap_err();
        assert!(matches!(error, EvaluationError::Changed { .. }), "{error}");
        let error = sample(12, 2).lengthen(study.path(), &longer).unwrap_err();
        assert!(matches!(error, EvaluationError::Exists { .. }), "another seed is another sample: {error}");
        sample(3, 2).replace(study.path(), &longer).unwrap();
        assert_eq!(Sample::read(study.path(), "default").unwrap(), Some(sample(3, 2)));
    }

    #[test]
    fn new_names_are_no_options_and_differ_in_more_than_case() {
        let study = tempfile::tempdir().unwrap();
        let named = |name: &str| Sample { name: name.to_owned(), ..sample(3, 1) };
        named("first").write(study.path()).unwrap();
        let error = named("First").write(study.path()).unwrap_err().to_string();
        assert!(error.contains("differs from that of sample first in case alone"), "{error}");
        let error = named("-x").write(study.path()).unwrap_err().to_string();
        assert!(error.contains("take it for an option"), "{error}");
        fs::rename(study.path().join("samples/first.jsonl"), study.path().join("samples/-x.jsonl")).unwrap();
        let text = fs::read_to_string(study.path().join("samples/-x.jsonl")).unwrap();
        let (_, old) = text.split_once("\",").unwrap();
        let old = format!("{{{}", old.replacen("\"first\"", "\"-x\"", 1));
        fs::write(study.path().join("samples/-x.jsonl"), old).unwrap();
        assert_eq!(named("-x").write(study.path()).unwrap(), Written::Same, "one of an earlier version stays");
    }

    #[test]
    fn names_name_files() {
        let study = Path::new("study");
        assert!(Sample::path(study, "s7+more_2.b-ü").is_ok());
        for name in ["", ".hidden", "a/b", "a b", "a\u{202e}"] {
            assert!(matches!(Sample::path(study, name), Err(EvaluationError::Name { .. })), "{name:?}");
        }
    }
}
