//! A worker: searches files of the target with a kit, each by itself, and leaves what it finds in a folder of parts.
//!
//! A file that was searched before is not searched again. One over which the program breaks is listed as not read, with
//! the place and the reason, so that it costs itself and not the others. One that the system does not let us read is an
//! error: that may succeed another time, or on another machine.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::Ordering;

use serde::Serialize;

use crate::StudyError;
use crate::run::fitting::learns;
use crate::run::ids::ids_to_bytes;
use crate::run::keeping::{DocumentOrigin, Keeper};
use crate::run::kit::{Kit, KitFile};
use crate::run::part::{PartDraft, PartFacts, Parts};
use crate::run::skips::{ListedSkip, SkipList};
use crate::run::stage::KitStage;
use crate::run::workspace::write_whole;
use dejaview_base::progress::Progress;
use dejaview_corpus::addresses::{AddressReader, is_address, read_addresses_by};
use dejaview_corpus::{Input, SkipReason};
use dejaview_index::{KeptSide, texts_path};
use dejaview_matching::MatchingError;
use dejaview_matching::corpora::{Side, SketchedSide, sketch_side};
use dejaview_matching::fitting::{Collection, Counted};
use dejaview_matching::parquet::SketchRows;
use dejaview_matching::pass::{Found, find};
use dejaview_matching::reading::Unlisted;
use dejaview_matching::source::{GatheredSource, ReadOptions, SeenDocument, Sides};

/// Searches files.
#[derive(Debug)]
pub struct Worker<'a> {
    kit: &'a Kit,
    parts: Parts,
    /// At least 1.
    threads: usize,
}

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MatchedFile {
    /// What workers did with it.
    pub stage: KitStage,
    pub segment: String,
    pub file: String,
    pub documents: u64,
    /// Documents whose texts are kept.
    pub kept: u64,
    /// How many records were not read, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Whether a worker had searched it before.
    pub before: bool,
    /// Why the whole file was not read, if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_read: Option<String>,
}

impl MatchedFile {
    fn new(stage: KitStage, facts: &PartFacts) -> Self {
        Self {
            stage,
            segment: facts.segment.clone(),
            file: facts.file.clone(),
            documents: facts.documents,
            kept: facts.kept.len() as u64,
            skipped: facts.skipped.counts(),
            before: false,
            not_read: None,
        }
    }
}

/// Why a file is not read, and where in it.
struct NotRead {
    offset: u64,
    why: String,
}

impl<'a> Worker<'a> {
    /// A worker that leaves what it finds in the folder `parts`.
    pub fn new(kit: &'a Kit, parts: &Path, threads: usize) -> Self {
        Self { kit, parts: Parts::new(parts.to_owned(), kit.stage), threads }
    }

    /// Does what the kit is for with a file, by its name in the study, its path, or a `file:` address.
    pub fn search(&self, name: &str) -> Result<MatchedFile, StudyError> {
        let file = self.kit.file(name)?;
        if let Some(part) = self.parts.open(&file.segment, &file.input, &self.kit.rests_on)? {
            return Ok(MatchedFile { before: true, ..MatchedFile::new(self.kit.stage, &part.facts) });
        }
        let draft = self.parts.begin(&file.segment, &file.input)?;
        let done = match self.kit.stage {
            KitStage::Statistics => self.count_into(draft, file),
            KitStage::Sketches => self.sketch_into(draft, file),
            KitStage::Sources => self.read_into(draft, file),
            KitStage::Search => self.search_into(draft, file),
        };
        match done {
            Err(StudyError::Matching(MatchingError::Broken { what, offset, why })) => {
                let why = format!("the program broke over {what}: {why}");
                self.leave_out(file, NotRead { offset, why })
            }
            searched => searched,
        }
    }

    /// The same for a file that has an address, with its bytes from standard input.
    pub fn search_streamed(&self, name: &str) -> Result<MatchedFile, StudyError> {
        if !is_address(&self.kit.file(name)?.input.path) {
            return Err(StudyError::NoAddress { name: name.to_owned() });
        }
        read_addresses_by(AddressReader::StandardInput);
        self.search(name)
    }

    /// Lists a file as not read, for a reason that whoever started the workers knows: they did not survive it.
    pub fn give_up(&self, name: &str, why: &str) -> Result<MatchedFile, StudyError> {
        self.leave_out(self.kit.file(name)?, NotRead { offset: 0, why: why.to_owned() })
    }

    fn search_into(&self, draft: PartDraft, file: &KitFile) -> Result<MatchedFile, StudyError> {
        let inputs = std::slice::from_ref(&file.input);
        let progress = Progress::default();
        let mut keeper = Keeper::new(&texts_path(draft.folder(), ""), &progress)?;
        let skips = SkipList::new(inputs, draft.skipped(), &progress);
        let keep = |seen: &SeenDocument<'_>| {
            let origin = DocumentOrigin { side: KeptSide::Target, segment: &file.segment, input: &file.input };
            keeper.keep(origin, seen);
        };
        let sides = Sides::new(self.kit.recipe.join, &[], Vec::new());
        let options = self.options(inputs, &progress, &sides);
        let options = ReadOptions { keep: &keep, keep_all: self.kit.keeps_all(), skips: &skips, ..options };
        let found = find(options, &[0], &self.kit.source, &self.kit.named);
        keeper.failure()?;
        let found = found?;
        write_whole(&draft.found(), &found.to_bytes())?;
        let facts = PartFacts { kept: keeper.records(), skipped: skips.finish()?, ..self.facts(file, found.documents) };
        keeper.finish(&[], &[])?;
        draft.commit(&facts)?;
        Ok(MatchedFile::new(self.kit.stage, &facts))
    }

    /// Counts the words of a file. What is not read is listed by whoever searches it.
    fn count_into(&self, draft: PartDraft, file: &KitFile) -> Result<MatchedFile, StudyError> {
        let progress = Progress::default();
        let counted = Counted { join: self.kit.recipe.join, documents: &self.kit.source.documents };
        let (inputs, learn) = (std::slice::from_ref(&file.input), learns(&self.kit.recipe));
        let collection = Collection::of_inputs(inputs, counted, &self.kit.content, self.threads, &progress, learn)?;
        write_whole(&draft.found(), &collection.into_bytes())?;
        let facts = self.facts(file, progress.documents.load(Ordering::Relaxed));
        draft.commit(&facts)?;
        Ok(MatchedFile::new(self.kit.stage, &facts))
    }

    /// Sketches the documents of a file; of one of the source it notes which they are, and what is not read.
    fn sketch_into(&self, draft: PartDraft, file: &KitFile) -> Result<MatchedFile, StudyError> {
        let (inputs, progress) = (std::slice::from_ref(&file.input), Progress::default());
        let skips = SkipList::new(inputs, draft.skipped(), &progress);
        let side = if file.segment.is_empty() { Side::Source } else { Side::Target };
        let (join, sides) = (self.kit.recipe.join, Sides::default());
        let options = ReadOptions { skips: &skips, ..self.options(inputs, &progress, &sides) };
        let is_judged = |id: &str| self.is_judged(id);
        let whole = SketchedSide { side, inputs, chosen: &[0], wanted: &is_judged, join, skips: &skips };
        let whole =
            if side == Side::Target { SketchedSide { wanted: &|_| true, skips: &Unlisted, ..whole } } else { whole };
        let path = draft.rows();
        let rows = SketchRows::create(&path)?;
        let sketched = sketch_side(options, whole, &rows);
        rows.finish(&path)?;
        let sketched = sketched?;
        write_whole(&draft.found(), &ids_to_bytes(&sketched.ids))?;
        let facts = PartFacts { skipped: skips.finish()?, ..self.facts(file, sketched.documents) };
        draft.commit(&facts)?;
        Ok(MatchedFile::new(self.kit.stage, &facts))
    }

    /// Reads the documents of a file of the source that may have a pair. What is not read is listed by whoever sketched it.
    fn read_into(&self, draft: PartDraft, file: &KitFile) -> Result<MatchedFile, StudyError> {
        let (progress, sides) = (Progress::default(), Sides::default());
        let options = self.options(std::slice::from_ref(&file.input), &progress, &sides);
        let is_wanted = |id: &str| self.is_judged(id) && self.kit.paired.contains(id);
        let gathered = GatheredSource::read(options, &[0], &is_wanted)?;
        write_whole(&draft.found(), &gathered.into_bytes())?;
        let facts = self.facts(file, progress.documents.load(Ordering::Relaxed));
        draft.commit(&facts)?;
        Ok(MatchedFile::new(self.kit.stage, &facts))
    }

    fn is_judged(&self, id: &str) -> bool {
        self.kit.judged.as_ref().is_none_or(|judged| judged.contains(id))
    }

    /// How a file is read of which nothing is kept or listed.
    fn options<'o>(&'o self, inputs: &'o [Input], progress: &'o Progress, sides: &'o Sides) -> ReadOptions<'o> {
        let read = ReadOptions::of_inputs(inputs, &self.kit.content, self.threads, progress);
        ReadOptions { configurations: &self.kit.configurations, sides, ..read }
    }

    /// Writes the part of a file that is not read.
    fn leave_out(&self, file: &KitFile, NotRead { offset, why }: NotRead) -> Result<MatchedFile, StudyError> {
        let draft = self.parts.begin(&file.segment, &file.input)?;
        let progress = Progress::default();
        let skips = SkipList::new(&[], draft.skipped(), &progress);
        skips.add(0, &ListedSkip::new(file.name(), offset, SkipReason::GivenUp.as_str(), &why));
        let nothing = match self.kit.stage {
            KitStage::Statistics => Collection::default().into_bytes(),
            KitStage::Sketches => {
                let rows = draft.rows();
                SketchRows::create(&rows)?.finish(&rows)?;
                ids_to_bytes(&[])
            }
            KitStage::Sources => GatheredSource::default().into_bytes(),
            KitStage::Search => Found::nothing(self.kit.configurations.len()).to_bytes(),
        };
        write_whole(&draft.found(), &nothing)?;
        Keeper::new(&texts_path(draft.folder(), ""), &progress)?.finish(&[], &[])?;
        let facts = PartFacts { skipped: skips.finish()?, ..self.facts(file, 0) };
        draft.commit(&facts)?;
        Ok(MatchedFile { not_read: Some(why), ..MatchedFile::new(self.kit.stage, &facts) })
    }

    /// The facts about a part of which nothing was skipped or kept.
    fn facts(&self, file: &KitFile, documents: u64) -> PartFacts {
        PartFacts {
            rests_on: self.kit.rests_on.clone(),
            segment: file.segment.clone(),
            file: file.input.name.clone(),
            size: file.input.size,
            documents,
            skipped: Default::default(),
            kept: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::run::helpers::Workers;
    use crate::run::runner::{KitOrder, RunOptions, prepare};
    use crate::run::watch::Unwatched;
    use crate::session::Session;
    use dejaview_matching::Configuration;
    use dejaview_methods::{Evidence, Method, Prepared, Reasons, Shape};

    /// Breaks over texts with “boom” in them.
    #[derive(Debug)]
    struct Breaks;

    impl Method for Breaks {
        fn shape(&self) -> Shape<'_> {
            Shape::Keys
        }

        fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
            assert!(!document.text().contains("boom"), "boom was there");
            out.push(document.text().len() as u64);
            true
        }

        fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
            (a == b).then_some(Evidence { distance: 0 })
        }

        fn reasons(&self, _: &Prepared<'_>, _: &Prepared<'_>) -> Reasons {
            Reasons::default()
        }
    }

    #[test]
    fn a_file_over_which_the_program_breaks_costs_itself() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let toml = "[source]\ndocuments = [\"old.jsonl\"]\n[[target]]\nsegment = \"00\"\ndocuments = [\"new-*.jsonl\"]\n\
                    [[configuration]]\nmethod = \"simhash\"\nngrams = [1]\n";
        write("study.toml", toml);
        write("old.jsonl", "{\"id\": \"old\", \"text\": \"one two three\"}\n");
        let first = "{\"id\": \"new\", \"text\": \"one two three\"}\n";
        write("new-a.jsonl", first);
        write("new-b.jsonl", &format!("{first}{{\"id\": \"bad\", \"text\": \"boom\"}}\n"));
        let (session, path) = (Session::open(folder.path()).unwrap(), folder.path().join("kit"));
        let options = RunOptions { threads: 1, fresh: false };
        let order = KitOrder { counts: false, kit: &path };
        let files = prepare(&session, options, &Workers::None, order, &Unwatched::default()).unwrap();
        assert_eq!(files, ["new-a.jsonl", "new-b.jsonl"]);
        let mut kit = Kit::read(&path).unwrap();
        kit.configurations = vec![Configuration { name: "breaks".to_owned(), method: Box::new(Breaks) }];
        let worker = Worker::new(&kit, &folder.path().join("parts"), 1);
        assert_eq!(worker.search("new-a.jsonl").unwrap().documents, 1);
        let broken = worker.search("new-b.jsonl").unwrap();
        let why = broken.not_read.unwrap();
        assert!(why.contains("the document bad (new-b.jsonl, offset ") && why.contains("boom was there"), "{why}");
        assert_eq!((broken.documents, broken.skipped["file given up"]), (0, 1));
        let part = worker.parts.open("00", &kit.file("new-b.jsonl").unwrap().input, &kit.rests_on).unwrap().unwrap();
        let listed = fs::read_to_string(part.skipped()).unwrap();
        assert!(listed.starts_with(&format!("new-b.jsonl\t{}\tfile given up\t", first.len())), "{listed}");
        assert!(worker.search("new-b.jsonl").unwrap().before, "it is not tried again");
    }
}
