//! A kit: one file with everything that a worker needs to search target files, on whatever machine it runs.
//!
//! It holds the documents of the source with their sketches, the study file, what methods were fitted to, and the list of
//! files to be searched. What workers find with it is the same that a run finds by itself. A kit for counting words has
//! the same form; there are no sketches in it, since methods are fitted to what is counted.

use std::collections::HashSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::StudyError;
use crate::recipe::files::Segment;
use crate::recipe::{ConfigurationRecipe, Keep, Recipe};
use crate::run::fitted::Fitted;
use crate::run::fitting::fit_with_model;
use crate::run::models::read_model;
use crate::run::stage::KitStage;
use crate::run::workspace::write_whole;
use crate::session::Session;
use dejaview_base::bytes::{ByteReader, ByteWriter};
use dejaview_base::system;
use dejaview_corpus::addresses::is_address;
use dejaview_corpus::{Input, formats};
use dejaview_matching::capped::{CappedKey, read_capped, write_capped};
use dejaview_matching::corpora::PairedSources;
use dejaview_matching::import::NamedPairs;
use dejaview_matching::source::{Sketches, Source};
use dejaview_matching::{Configuration, Content};
use dejaview_methods::Statistics;
use dejaview_text::Recurring;

/// The first bytes of a kit.
const MAGIC: &[u8] = b"dejaview kit\n";
/// A kit is used by the version that wrote it: workers must find what the run would find.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a run knows before it searches the target.
pub(crate) struct Prepared<'a> {
    pub(crate) stage: KitStage,
    /// Digest of what the pairs depend on beside the target.
    pub(crate) plan: &'a str,
    pub(crate) fitted: &'a Fitted,
    pub(crate) content: &'a Content,
    pub(crate) source: &'a Source,
    pub(crate) sketches: &'a Sketches,
    pub(crate) capped: &'a [CappedKey],
    pub(crate) named: &'a NamedPairs,
    /// The documents of the source that count, where not all do; for sketching and reading.
    pub(crate) judged: Option<&'a [String]>,
    /// The documents of the source that may have a pair, for reading them.
    pub(crate) paired: Option<&'a PairedSources>,
}

impl Prepared<'_> {
    /// What everything that is found with it rests on.
    pub(crate) fn rests_on(&self) -> String {
        let rests_on = rests_on(self.stage, self.plan, &self.fitted.digest);
        // Where two corpora are joined the target says which documents of the source are read.
        match self.stage {
            KitStage::Statistics | KitStage::Sketches => rests_on,
            KitStage::Sources => format!("{rests_on} {}", self.paired.map(PairedSources::digest).unwrap_or_default()),
            KitStage::Search => format!("{rests_on} {}", self.source.digest()),
        }
    }
}

/// What a kit does without while the source is not in memory.
#[derive(Default)]
pub(crate) struct NoSource {
    fitted: Fitted,
    source: Source,
    sketches: Sketches,
    named: NamedPairs,
}

impl NoSource {
    /// A kit of nothing, to be filled by what a stage needs.
    pub(crate) fn prepared<'a>(&'a self, stage: KitStage, plan: &'a str, content: &'a Content) -> Prepared<'a> {
        let Self { fitted, source, sketches, named } = self;
        Prepared { stage, plan, fitted, content, source, sketches, capped: &[], named, judged: None, paired: None }
    }
}

/// A kit that was read.
#[derive(Debug)]
pub struct Kit {
    pub(crate) stage: KitStage,
    pub(crate) recipe: Recipe,
    /// What everything found with this kit rests on.
    pub(crate) rests_on: String,
    pub(crate) content: Content,
    pub(crate) configurations: Vec<Configuration>,
    pub(crate) source: Source,
    pub(crate) named: NamedPairs,
    /// The documents of the source that count, where not all do.
    pub(crate) judged: Option<HashSet<String>>,
    /// Those that may have a pair, where they are to be read.
    pub(crate) paired: PairedSources,
    files: Vec<KitFile>,
}

/// A file to be searched.
#[derive(Debug)]
pub struct KitFile {
    /// The segment it belongs to.
    pub segment: String,
    pub(crate) input: Input,
}

impl KitFile {
    /// As the study names it.
    pub fn name(&self) -> &str {
        &self.input.name
    }
}

/// In words, what the results of workers rest on before the source is there: others cannot be used. Whoever counts knows no
/// statistics yet.
pub(crate) fn rests_on(stage: KitStage, plan: &str, statistics: &str) -> String {
    format!("{VERSION} {plan} {statistics} {stage}")
}

/// Writes the kit for the files of these segments among the files of a run.
pub(crate) fn write_kit(
    path: &Path,
    session: &Session,
    prepared: &Prepared<'_>,
    segments: &[Segment],
) -> Result<(), StudyError> {
    write_whole(path, &kit_bytes(session, prepared, segments)?)
}

/// Whether a file begins as a kit.
pub fn is_kit(path: &Path) -> bool {
    let mut head = [0; MAGIC.len()];
    system::open_file(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == *MAGIC
}

/// The kit for the files of these segments.
pub(crate) fn kit_bytes(
    session: &Session,
    prepared: &Prepared<'_>,
    segments: &[Segment],
) -> Result<Vec<u8>, StudyError> {
    let toml = Recipe::file(session.folder());
    let text =
        system::read_text(&toml).map_err(|why| StudyError::File { doing: "reading", path: toml.clone(), why })?;
    let mut out = ByteWriter::new(MAGIC);
    out.text(&prepared.rests_on());
    out.text(&prepared.stage.to_string());
    out.text(&text);
    out.bytes(&prepared.fitted.statistics.to_bytes());
    let models: Vec<String> = session.recipe().configurations.iter().filter_map(ConfigurationRecipe::model).collect();
    out.size(models.len());
    for model in models {
        out.text(&model);
        out.text(&read_model(session, &model)?);
    }
    match prepared.content {
        Content::All => out.number(0),
        Content::Main => out.number(1),
        Content::Own(lines) => {
            out.number(2);
            out.bytes(&lines.to_bytes());
        }
    }
    prepared.source.write(&mut out);
    prepared.sketches.write(&mut out);
    write_capped(prepared.capped, &mut out);
    prepared.named.write(&mut out);
    out.number(prepared.judged.is_some().into());
    out.size(prepared.judged.map_or(0, <[String]>::len));
    prepared.judged.into_iter().flatten().for_each(|id| out.text(id));
    prepared.paired.unwrap_or(&PairedSources::default()).write(&mut out);
    write_files(&mut out, segments)?;
    Ok(out.seal())
}

fn write_files(out: &mut ByteWriter, segments: &[Segment]) -> Result<(), StudyError> {
    let files = || segments.iter().flat_map(|segment| segment.inputs.iter().map(move |input| (segment, input)));
    out.size(files().count());
    for (segment, input) in files() {
        // A worker need not stand in the folder of the run.
        let path = if is_address(&input.path) { Ok(input.path.clone()) } else { std::path::absolute(&input.path) };
        let path = path.map_err(|why| StudyError::File { doing: "naming", path: input.path.clone(), why })?;
        out.text(&segment.name);
        out.text(&input.name);
        out.text(&path.to_string_lossy());
        out.text(input.format.map_or("", |format| format.name));
        out.number(input.size);
    }
    Ok(())
}

impl Kit {
    /// What workers do with it.
    pub const fn stage(&self) -> KitStage {
        self.stage
    }

    /// Reads a kit and makes its source ready to be looked up.
    pub fn read(path: &Path) -> Result<Self, StudyError> {
        let bytes =
            fs::read(path).map_err(|why| StudyError::File { doing: "reading the kit", path: path.to_owned(), why })?;
        let wrong = |why: &str| StudyError::Kit { path: path.to_owned(), why: why.to_owned() };
        let mut input =
            ByteReader::unseal(MAGIC, &bytes).ok_or_else(|| wrong("it is damaged, or another kind of file"))?;
        let damaged = || wrong("it ends early");
        let rests_on = input.text().ok_or_else(damaged)?.to_owned();
        if rests_on.split(' ').next() != Some(VERSION) {
            return Err(wrong(&format!("another version of dejaview wrote it, this is {VERSION}")));
        }
        let stage: KitStage = input.text().and_then(|stage| stage.parse().ok()).ok_or_else(damaged)?;
        let recipe = Recipe::parse(path, input.text().ok_or_else(damaged)?)?;
        let statistics = input.bytes().and_then(Statistics::from_bytes).ok_or_else(damaged)?;
        let models = read_models(&mut input).ok_or_else(damaged)?;
        let fit = |c: &ConfigurationRecipe| {
            let model = c.model().and_then(|name| models.iter().find(|(path, _)| *path == name));
            fit_with_model(path, c, &statistics, model.map(|(_, text)| *text))
        };
        let fitted = recipe.configurations.iter().filter(|_| stage != KitStage::Statistics);
        let configurations = fitted.map(fit).collect::<Result<Vec<_>, _>>()?;
        let content = read_content(&mut input).ok_or_else(damaged)?;
        let mut source = Source::read_stored(&mut input).ok_or_else(damaged)?;
        let sketches = Sketches::read(&mut input, configurations.len(), source.groups.len()).ok_or_else(damaged)?;
        let capped = read_capped(&mut input, &configurations).ok_or_else(damaged)?;
        let named = NamedPairs::read(&mut input, source.documents.len()).ok_or_else(damaged)?;
        let judged = read_judged(&mut input).ok_or_else(damaged)?;
        let paired = PairedSources::read(&mut input).ok_or_else(damaged)?;
        let files = input.list(|input| read_file(input, &recipe)).ok_or_else(damaged)?;
        source.look_up(&configurations, &sketches, &capped);
        Ok(Self { stage, recipe, rests_on, content, configurations, source, named, judged, paired, files })
    }

    /// The files that are to be searched.
    pub fn files(&self) -> &[KitFile] {
        &self.files
    }

    /// A file by its name in the study, by its path, or by a `file:` address. A file may stand on both sides: before a tab
    /// may be the name of its segment, which is empty for the source.
    pub(crate) fn file(&self, name: &str) -> Result<&KitFile, StudyError> {
        if let Some((segment, name)) = name.split_once('\t') {
            let is_asked_for = |file: &&KitFile| file.segment == segment && file.input.name == name;
            return self.files.iter().find(is_asked_for).ok_or_else(|| StudyError::NotInKit { name: name.to_owned() });
        }
        let path = name.strip_prefix("file:").map(|path| path.strip_prefix("//").unwrap_or(path)).unwrap_or(name);
        let is_asked_for = |file: &&KitFile| file.input.name == name || file.input.path == Path::new(path);
        self.files.iter().find(is_asked_for).ok_or_else(|| StudyError::NotInKit { name: name.to_owned() })
    }

    pub(crate) fn keeps_all(&self) -> bool {
        self.recipe.keep == Keep::All
    }
}

fn read_models<'a>(input: &mut ByteReader<'a>) -> Option<Vec<(&'a str, &'a str)>> {
    input.list(|input| Some((input.text()?, input.text()?)))
}

fn read_judged(input: &mut ByteReader<'_>) -> Option<Option<HashSet<String>>> {
    let is_there = input.number()? == 1;
    let ids = input.list(|input| Some(input.text()?.to_owned()))?;
    Some(is_there.then(|| ids.into_iter().collect()))
}

fn read_content(input: &mut ByteReader<'_>) -> Option<Content> {
    Some(match input.number()? {
        0 => Content::All,
        1 => Content::Main,
        _ => Content::Own(Arc::new(Recurring::from_bytes(input.bytes()?).ok()?)),
    })
}

fn read_file(input: &mut ByteReader<'_>, recipe: &Recipe) -> Option<KitFile> {
    let (segment, name, path) = (input.text()?.to_owned(), input.text()?.to_owned(), PathBuf::from(input.text()?));
    let format = match input.text()? {
        "" => None,
        name => Some(formats::find(name)?),
    };
    Some(KitFile { segment, input: Input { path, name, format, status: recipe.status, size: input.number()? } })
}
