//! A sample in one file, with the texts of its pages, for an annotator who has neither the corpora nor the study.
//!
//! The file is JSON lines: one that says what it is, one for each document, one for each pair in its order, and one that says
//! how many they are and what their bytes digest to, so that what is cut or changed on its way is refused. It tells no
//! score, stratum, weight or configuration: who labels it elsewhere is as blind as at home. [`unpack_sample`] makes a
//! study of it; the journal that grows there comes back by an import.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::StudyError;
use crate::label::drawing::drawn_sample;
use crate::label::labelling::guidelines;
use crate::label::provenance::must_be_unchanged;
use crate::new_folders::NewFolders;
use crate::outputs::{OutputFile, Outputs, finish_all, must_be_no_own_file};
use crate::query::sides::read_sides;
use crate::recipe::Recipe;
use crate::recipe::template::quoted;
use crate::run::watch::Watch;
use crate::snapshot::Snapshot;
use dejaview_base::escaping::escape_id;
use dejaview_base::hash;
use dejaview_evaluation::sample::{Design, Sample, SampledPair, Stratum, Written};
use dejaview_index::KeptSide;

/// Version of the format.
const VERSION: u32 = 2;
/// Since this version a pack has an end.
const WITH_END: u32 = 2;

/// Why a line, or the whole, is refused.
const NO_PACK: &str = "this is no pack: it does not begin with the name of a sample";
const NO_LINE: &str = "this is no line of a pack; ask for the file again";
const CHANGED: &str = "the pack was cut short or changed on its way; ask for it again";

/// The configuration of an unpacked study: its pairs are those of the pack.
const NAME: &str = "pack";

/// What a pack holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Packed {
    pub sample: String,
    pub pairs: usize,
    /// Documents with their texts.
    pub documents: usize,
    /// Where it lies now: the file, or the folder of the study.
    pub path: PathBuf,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Head {
    pack: u32,
    study: String,
    sample: String,
    seed: u64,
    #[serde(default)]
    guidelines: Option<String>,
    #[serde(default)]
    classes: Vec<String>,
    #[serde(default)]
    reasons: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Document {
        side: String,
        id: String,
        url: String,
        text: String,
    },
    Pair {
        source: String,
        target: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        assigned: Vec<String>,
    },
    End(End),
    Head(Head),
}

/// What stands before it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct End {
    documents: usize,
    pairs: usize,
    /// Of all lines before this one, 32 hex digits.
    digest: String,
}

/// Writes a sample with its texts into one file. Documents that no pair kept are read from the corpora.
pub fn pack_sample(
    study: &Snapshot,
    name: &str,
    mut file: OutputFile,
    watch: &dyn Watch,
    threads: usize,
) -> Result<Packed, StudyError> {
    let sample = drawn_sample(study, name)?;
    study.must_have_fitting_texts()?;
    must_be_unchanged(study, &sample)?;
    let recipe = study.recipe();
    let text = guidelines(study)?;
    let head = Head {
        pack: VERSION,
        study: recipe.name.clone(),
        sample: sample.name.clone(),
        seed: sample.seed,
        guidelines: text,
        classes: recipe.labels.classes.clone(),
        reasons: recipe.labels.reasons.clone(),
    };
    let documents = texts_of(study, &sample, watch, threads)?;
    let mut text = line(&Line::Head(head));
    for ((side, id), (url, content)) in &documents {
        let (side, id, url, content) = (side.to_string(), id.clone(), url.clone(), content.clone());
        text.push_str(&line(&Line::Document { side, id, url, text: content }));
    }
    for pair in &sample.pairs {
        let (source, target, assigned) = (pair.source.clone(), pair.target.clone(), pair.assigned.clone());
        text.push_str(&line(&Line::Pair { source, target, assigned }));
    }
    let (pairs, documents) = (sample.pairs.len(), documents.len());
    let digest = hash::digest(text.as_bytes());
    text.push_str(&line(&Line::End(End { documents, pairs, digest })));
    let path = file.path().to_owned();
    file.write_all(text.as_bytes()).map_err(|why| StudyError::File { doing: "writing", path: path.clone(), why })?;
    file.finish()?;
    Ok(Packed { sample: sample.name, pairs, documents, path })
}

/// URL and text of every document of a sample, by side and id.
fn texts_of(study: &Snapshot, sample: &Sample, watch: &dyn Watch, threads: usize) -> Result<Texts, StudyError> {
    let index = study.index()?;
    let (mut texts, mut missing) = (Texts::new(), [BTreeSet::new(), BTreeSet::new()]);
    for pair in &sample.pairs {
        for (side, id) in [(KeptSide::Source, &pair.source), (KeptSide::Target, &pair.target)] {
            match index.document(side, id)? {
                Some(stored) => {
                    texts.insert((side.name(), id.clone()), (stored.url, stored.text));
                }
                None => {
                    missing[usize::from(side == KeptSide::Target)].insert(id.clone());
                }
            }
        }
    }
    if missing.iter().all(BTreeSet::is_empty) {
        return Ok(texts);
    }
    let (source, target) = read_sides(study, threads, watch)?;
    for (side, read, missing) in [(KeptSide::Source, source, &missing[0]), (KeptSide::Target, target, &missing[1])] {
        for document in read.documents.iter().filter(|document| missing.contains(&*document.id)) {
            let place = (side.name(), document.id.to_string());
            texts.entry(place).or_insert_with(|| (document.url.to_string(), document.text()));
        }
        if let Some(id) = missing.iter().find(|id| !texts.contains_key(&(side.name(), (*id).clone()))) {
            return Err(StudyError::NoDocument { id: id.clone(), side: side.name() });
        }
    }
    Ok(texts)
}

/// By side and id: URL and text.
type Texts = BTreeMap<(&'static str, String), (String, String)>;

fn line(line: &Line) -> String {
    let mut text = json!(line).to_string();
    text.push('\n');
    text
}

/// Makes a study of a pack in an empty or new folder; it has still to be run.
pub fn unpack_sample(file: &Path, folder: &Path) -> Result<Packed, StudyError> {
    let failed = |doing, path: &Path, why| StudyError::File { doing, path: path.to_owned(), why };
    let bytes = fs::read(file).map_err(|why| failed("reading", file, why))?;
    // What is no text is no pack either, and is refused as such at its first line.
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if folder.join("study.toml").exists() {
        let why = "there is a study in this folder already; name a new folder for the pack".to_owned();
        return Err(StudyError::Refused { path: folder.join("study.toml"), why });
    }
    let mut pack = Contents::read(&text).map_err(|(line, why)| StudyError::Truth {
        path: file.to_owned(),
        line,
        why: why.to_owned(),
    })?;
    let head = pack.head.take().unwrap_or_default();
    // What cannot be a study becomes none: nothing is written before the recipe and the sample are known to be sound.
    let text = recipe(&head);
    Recipe::parse(&folder.join("study.toml"), &text)?;
    let sample = pack.sample(&head);
    let [source, target] = pack.documents.clone();
    let mut files = vec![("source.jsonl", source), ("target.jsonl", target), ("pairs.tsv", pack.list())];
    files.extend(head.guidelines.clone().map(|guidelines| ("guidelines.md", guidelines)));
    // It comes last: before it is there, none of these files is one of a study.
    files.push(("study.toml", text));
    let files: Vec<(PathBuf, Vec<u8>)> =
        files.into_iter().map(|(name, text)| (folder.join(name), text.into_bytes())).collect();
    must_be_no_own_file(folder)?;
    let _folder = NewFolders::make(folder)?;
    let outputs = Outputs::new(None, "labels unpack", false).without_force("name a new folder for the pack");
    put_in_place(outputs.reading([&file.to_owned()]).begin_all(&files)?, &sample, folder)?;
    Ok(Packed { sample: head.sample, pairs: pack.pairs.len(), documents: pack.count, path: folder.to_owned() })
}

/// Puts the files and the sample of a new study in their places, all or none.
fn put_in_place(files: Vec<OutputFile>, sample: &Sample, folder: &Path) -> Result<(), StudyError> {
    let place = Sample::path(folder, &sample.name)?;
    let _samples = NewFolders::make(place.parent().unwrap_or(folder))?;
    let written = sample.write(folder)?;
    finish_all(files).map(drop).inspect_err(|_| {
        if written == Written::New {
            let _ = fs::remove_file(&place);
        }
    })
}

/// What was read of a pack.
#[derive(Debug, Default)]
struct Contents {
    head: Option<Head>,
    /// Lines of JSON, source and target.
    documents: [String; 2],
    /// Their ids.
    ids: [HashSet<String>; 2],
    count: usize,
    pairs: Vec<(String, String, Vec<String>)>,
    seen: HashSet<(String, String)>,
}

impl Contents {
    /// What a file holds, or the first line that is wrong, and why.
    fn read(text: &str) -> Result<Self, (usize, &'static str)> {
        let (mut pack, mut ended, mut end_of_line) = (Self::default(), false, 0);
        for (i, full) in text.split_inclusive('\n').enumerate() {
            let before = &text[..end_of_line];
            end_of_line += full.len();
            if full.trim().is_empty() {
                continue;
            }
            let line: Line = serde_json::from_str(full.trim_end()).map_err(|_| (i + 1, NO_LINE))?;
            let taken = match line {
                _ if ended => Err(CHANGED),
                Line::End(end) => {
                    ended = true;
                    let digest = hash::digest(before.as_bytes());
                    let found = End { documents: pack.count, pairs: pack.pairs.len(), digest };
                    if end == found { Ok(()) } else { Err(CHANGED) }
                }
                line => pack.take(line),
            };
            taken.map_err(|why| (i + 1, why))?;
        }
        match &pack.head {
            None => Err((1, NO_PACK)),
            Some(head) if head.pack >= WITH_END && !ended => Err((text.lines().count(), CHANGED)),
            Some(_) => Ok(pack),
        }
    }

    fn take(&mut self, line: Line) -> Result<(), &'static str> {
        match line {
            Line::Head(head) if head.pack > VERSION => {
                return Err("this pack is of a later version; a newer dejaview reads it");
            }
            Line::Head(head) if self.head.is_none() => self.head = Some(head),
            Line::Head(_) | Line::End(_) => return Err(NO_LINE),
            _ if self.head.is_none() => return Err(NO_PACK),
            Line::Document { side, id, url, text } => {
                let place = KeptSide::ALL.iter().position(|known| known.name() == side).ok_or("it is of no side")?;
                self.documents[place].push_str(&format!("{}\n", json!({ "id": id, "url": url, "text": text })));
                self.count += 1;
                if !self.ids[place].insert(id) {
                    return Err("this document stands before");
                }
            }
            Line::Pair { source, target, assigned } => {
                if !(self.ids[0].contains(&source) && self.ids[1].contains(&target)) {
                    return Err("a document of this pair is not in the pack");
                }
                if !self.seen.insert((source.clone(), target.clone())) {
                    return Err("this pair stands before");
                }
                self.pairs.push((source, target, assigned));
            }
        }
        Ok(())
    }

    fn list(&self) -> String {
        let lines =
            self.pairs.iter().map(|(source, target, _)| format!("{}\t{}\n", escape_id(source), escape_id(target)));
        std::iter::once("source\ttarget\n".to_owned()).chain(lines).collect()
    }

    /// The sample in its order. Its weights stay at home.
    fn sample(&self, head: &Head) -> Sample {
        let size = self.pairs.len() as u64;
        let pair = |(source, target, assigned): &(String, String, Vec<String>)| SampledPair {
            source: source.clone(),
            target: target.clone(),
            stratum: NAME.to_owned(),
            weight: 1.0,
            probability: 1.0,
            found: Vec::new(),
            document_pairs: None,
            assigned: assigned.clone(),
        };
        let stratum = Stratum { name: NAME.to_owned(), population: size, drawn: size, ..Stratum::default() };
        let sample = Sample {
            design: Design::Pack,
            seed: head.seed,
            size,
            population: size,
            strata: vec![stratum],
            pairs: self.pairs.iter().map(pair).collect(),
            ..Sample::default()
        };
        sample.named(&head.sample, &[NAME.to_owned()])
    }
}

fn recipe(head: &Head) -> String {
    let guidelines = if head.guidelines.is_some() { "guidelines = \"guidelines.md\"\n" } else { "" };
    let list = |key: &str, words: &[String]| {
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        if words.is_empty() { String::new() } else { format!("{key} = [{}]\n", words.join(", ")) }
    };
    format!(
        "# A sample to be labelled, with the texts of its pages: `dejaview label . --sample {sample}`.\n\
         # Send labels/<annotator>.jsonl back; there, `dejaview labels import STUDY FILE --annotator NAME --sample {sample}`.\n\n\
         name = {name}\nkeep = \"all\"\n\n[source]\ndocuments = [\"source.jsonl\"]\n\n\
         [[target]]\nsegment = \"{NAME}\"\ndocuments = [\"target.jsonl\"]\n\n\
         [labels]\n{guidelines}{classes}{reasons}\n[[configuration]]\nname = \"{NAME}\"\nmethod = \"import\"\npairs = \"pairs.tsv\"\n",
        sample = head.sample,
        name = quoted(&format!("{}, sample {}", head.study, head.sample)),
        classes = list("classes", &head.classes),
        reasons = list("reasons", &head.reasons),
    )
}
