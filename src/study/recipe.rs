//! What `study.toml` says, checked: plain values with every default filled in. No file is touched but the TOML itself.

use std::path::{Path, PathBuf};

use toml::de::DeTable;

use super::StudyError;
use super::toml::{Item, Section, Source};
use crate::corpus::Format;
use crate::methods::catalogue;
use crate::methods::measures::LENGTHS;
use crate::methods::parameters::Value;
use crate::methods::{Entry, MethodError, Statistics, Values};

/// A pattern for files, and where the study gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Relative to the study, or absolute.
    pub glob: String,
    /// The format, when it is not to be told from the content.
    pub format: Option<Format>,
    /// The track, for judgments.
    pub track: Option<String>,
    /// Line of `study.toml`.
    pub line: usize,
    /// Its key.
    pub key: String,
}

/// The documents whose twins are looked for.
#[derive(Debug, Clone, Default)]
pub struct SourceRecipe {
    /// Files of documents.
    pub documents: Vec<Pattern>,
    /// Files of judgments; with them only judged documents are kept.
    pub judgments: Vec<Pattern>,
    /// Files of topic texts.
    pub topics: Vec<Pattern>,
    /// Lists `id<TAB>url`.
    pub urls: Vec<Pattern>,
}

/// Documents that are searched.
#[derive(Debug, Clone)]
pub struct TargetRecipe {
    /// Its name; none for a folder that makes one segment of each of its folders.
    pub segment: Option<String>,
    /// Files of documents.
    pub documents: Vec<Pattern>,
    /// Lists `id<TAB>url`.
    pub urls: Vec<Pattern>,
    /// Line of `study.toml`.
    pub line: usize,
}

/// A method with its parameters and a name.
#[derive(Debug, Clone)]
pub struct ConfigurationRecipe {
    /// Unique in the study.
    pub name: String,
    /// The method.
    pub entry: &'static dyn Entry,
    /// Its parameters.
    pub values: Values,
    /// The files that its pairs are read from, when they are not found but imported.
    pub pairs: Option<Pattern>,
}

/// How a person is asked for labels.
#[derive(Debug, Clone)]
pub struct LabelsRecipe {
    /// Finer classes beside near-duplicate, not and unsure.
    pub classes: Vec<String>,
    /// Reasons to choose from.
    pub reasons: Vec<String>,
    /// A text that is one key away while labelling.
    pub guidelines: Option<String>,
    /// Whether scores are hidden until the decision.
    pub blind: bool,
    /// Pairs of a hundred that come again unannounced.
    pub repeats: u64,
}

impl Default for LabelsRecipe {
    fn default() -> Self {
        Self { classes: Vec::new(), reasons: Vec::new(), guidelines: None, blind: true, repeats: REPEATS }
    }
}

/// Pairs of a hundred that come again when the study does not say.
const REPEATS: u64 = 5;

/// More of a hundred would leave too little between a question and its repetition.
const MOST_REPEATS: u64 = 25;

/// Which texts are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Those of documents with a pair.
    Hits,
    /// All.
    All,
}

/// What of a page is its canonical text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ContentRecipe {
    /// All that a reader sees.
    #[default]
    All,
    /// The main content, told from the page itself.
    Main,
    /// All but the lines that stand on many pages of its host: one reading more.
    Own,
}

/// Where document frequencies, lexicons and support words come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum StatisticsFrom {
    /// The documents of the source that take part.
    #[default]
    Source,
    /// The source, and all targets that are there when they are first fitted: one reading more.
    Both,
    /// Other documents, or the statistics that another study has stored.
    Path(Pattern),
}

/// A whole study.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// What the study is called.
    pub name: String,
    /// Seed of everything random.
    pub seed: u64,
    /// Which texts are stored.
    pub keep: Keep,
    /// What methods are fitted to.
    pub statistics: StatisticsFrom,
    /// What of a page counts.
    pub content: ContentRecipe,
    /// n of the headline Jaccard.
    pub jaccard: usize,
    /// The source.
    pub source: SourceRecipe,
    /// The targets, in order.
    pub targets: Vec<TargetRecipe>,
    /// The configurations, in order.
    pub configurations: Vec<ConfigurationRecipe>,
    /// How labels are asked for.
    pub labels: LabelsRecipe,
}

/// n-grams of the SimHash configurations of the standard set.
const STANDARD_NGRAMS: [&[u64]; 5] = [&[2], &[3], &[5], &[2, 3], &[3, 5]];

/// Methods of the standard set beside SimHash, with the papers' values: those of Henzinger and of Kołcz et al., A0 to A12 of
/// Zelenkov and Segalovich (A6 is `megashingles`, A7 `lex-rand`), our combination, and the truth.
const STANDARD: [&str; 17] = [
    "supershingles",
    "megashingles",
    "imatch",
    "lex-rand",
    "md5",
    "tf",
    "tfidf",
    "tfridf",
    "long-sent",
    "heavy-sent",
    "log-shingles",
    "descr-words",
    "opt-freq",
    "decomposition",
    "sentences-words",
    "best",
    "exact-jaccard",
];

/// The configurations of a study that names none.
pub fn standard_set() -> Vec<ConfigurationRecipe> {
    let of = |name: &str, set: Option<Value>| {
        let entry = catalogue::find(name)?;
        let mut values = Values::new(entry);
        if let Some(ngrams) = set {
            values.set("ngrams", ngrams).ok()?;
        }
        Some(ConfigurationRecipe { name: entry.title(&values), entry, values, pairs: None })
    };
    let simhash = STANDARD_NGRAMS.iter().filter_map(|n| of("simhash", Some(Value::Wholes(n.to_vec()))));
    simhash.chain(STANDARD.iter().filter_map(|name| of(name, None))).collect()
}

impl Recipe {
    /// Reads `study.toml` in a folder.
    pub fn read(folder: &Path) -> Result<Self, StudyError> {
        let path = folder.join("study.toml");
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => {
                return Err(StudyError::NoStudy { path: folder.to_owned() });
            }
            Err(why) => return Err(StudyError::File { doing: "reading", path, why }),
        };
        Self::parse(&path, &text)
    }

    /// Reads the text of a `study.toml`; `path` is for messages.
    pub fn parse(path: &Path, text: &str) -> Result<Self, StudyError> {
        let source = Source { path, text };
        let table = DeTable::parse(text).map_err(|error| syntax(source, &error))?;
        let whole = Section::whole(source, &table);
        let (content, jaccard) = text_recipe(&whole)?;
        let recipe = Self {
            name: whole.item("name").map_or(Ok("Untitled study"), |i| i.string())?.to_owned(),
            seed: whole.item("seed").map_or(Ok(1), |i| i.whole())?,
            keep: keep(&whole)?,
            statistics: statistics(&whole)?,
            content,
            jaccard,
            source: whole.item("source").map_or(Ok(SourceRecipe::default()), |i| source_recipe(&i.section()?))?,
            targets: targets(&whole)?,
            configurations: configurations(&whole)?,
            labels: whole.item("labels").map_or(Ok(LabelsRecipe::default()), |i| labels_recipe(&i.section()?))?,
        };
        whole.finish()?;
        Ok(recipe)
    }

    /// Files that patterns of the study may lie beside.
    pub fn file(folder: &Path) -> PathBuf {
        folder.join("study.toml")
    }
}

/// What the parser says, with the words it stumbled over.
fn syntax(source: Source<'_>, error: &toml::de::Error) -> StudyError {
    let span = error.span().unwrap_or(0..0);
    let words = source.text.get(span.clone()).unwrap_or_default();
    let words = words.lines().next().unwrap_or_default().trim();
    let message = if words.is_empty() { error.message().to_owned() } else { format!("{}: `{words}`", error.message()) };
    StudyError::Syntax { path: source.path.to_owned(), line: source.line(span.start), message }
}

/// The word that a key has, which must be one of those allowed; the first when it is not there.
fn one_of(section: &Section<'_>, key: &'static str, allowed: &[&'static str]) -> Result<&'static str, StudyError> {
    let Some(item) = section.item(key) else { return Ok(allowed[0]) };
    let word = item.string()?;
    let found = allowed.iter().find(|a| **a == word).copied();
    found.ok_or_else(|| item.wrong(format!("is \"{word}\", expected one of \"{}\"", allowed.join("\", \""))))
}

fn keep(whole: &Section<'_>) -> Result<Keep, StudyError> {
    Ok(if one_of(whole, "keep", &["hits", "all"])? == "all" { Keep::All } else { Keep::Hits })
}

fn statistics(whole: &Section<'_>) -> Result<StatisticsFrom, StudyError> {
    let Some(item) = whole.item("statistics") else { return Ok(StatisticsFrom::Source) };
    Ok(match item.is_string().then(|| item.string()).transpose()? {
        Some("source") => StatisticsFrom::Source,
        Some("both") => StatisticsFrom::Both,
        _ => StatisticsFrom::Path(pattern(&item)?),
    })
}

fn text_recipe(whole: &Section<'_>) -> Result<(ContentRecipe, usize), StudyError> {
    let Some(item) = whole.item("text") else { return Ok((ContentRecipe::All, 1)) };
    let text = item.section()?;
    let content = match one_of(&text, "content", &["all", "main", "own"])? {
        "main" => ContentRecipe::Main,
        "own" => ContentRecipe::Own,
        _ => ContentRecipe::All,
    };
    let n = match text.item("jaccard") {
        None => 1,
        Some(item) => {
            let n = item.whole()? as usize;
            if !LENGTHS.contains(&n) {
                return Err(item.wrong(format!("is {n}, expected one of {LENGTHS:?}")));
            }
            n
        }
    };
    text.finish()?;
    Ok((content, n))
}

fn source_recipe(section: &Section<'_>) -> Result<SourceRecipe, StudyError> {
    let recipe = SourceRecipe {
        documents: patterns(section, "documents")?,
        judgments: patterns(section, "judgments")?,
        topics: patterns(section, "topics")?,
        urls: patterns(section, "urls")?,
    };
    section.finish()?;
    Ok(recipe)
}

fn targets(whole: &Section<'_>) -> Result<Vec<TargetRecipe>, StudyError> {
    let mut targets: Vec<TargetRecipe> = Vec::new();
    for item in whole.item("target").map(|i| i.list()).unwrap_or_default() {
        let section = item.section()?;
        let segment = match section.item("segment") {
            None => None,
            Some(item) => Some(file_name(&item, item.string()?)?),
        };
        if let Some(name) = segment.as_deref().filter(|s| targets.iter().any(|t| t.segment.as_deref() == Some(s))) {
            return Err(
                section.wrong("segment", format!("is \"{name}\" a second time; segments need names of their own"))
            );
        }
        let (documents, urls) = (patterns(&section, "documents")?, patterns(&section, "urls")?);
        if documents.is_empty() && urls.is_empty() {
            return Err(
                section.wrong("documents", "is missing; expected a list of files, [\"crawl/*.warc.gz\"] for one")
            );
        }
        targets.push(TargetRecipe { segment, documents, urls, line: item.line() });
        section.finish()?;
    }
    Ok(targets)
}

fn patterns(section: &Section<'_>, key: &'static str) -> Result<Vec<Pattern>, StudyError> {
    let items = section.item(key).map(|i| i.list()).unwrap_or_default();
    items.iter().map(pattern).collect()
}

fn pattern(item: &Item<'_>) -> Result<Pattern, StudyError> {
    let plain = |glob: &str| Pattern {
        glob: glob.to_owned(),
        format: None,
        track: None,
        line: item.line(),
        key: item.key().to_owned(),
    };
    if item.is_string() {
        return Ok(plain(item.string()?));
    }
    if !item.is_table() {
        return Err(item.expected("a string, or a table like { glob = \"old/*.txt\", format = \"text\" }"));
    }
    let section = item.section()?;
    let Some(glob) = section.item("glob") else {
        return Err(section.wrong("glob", "is missing; expected the files, { glob = \"old/*.txt\" } for one"));
    };
    let mut pattern = plain(glob.string()?);
    if let Some(format) = section.item("format") {
        let parsed = format.string()?.parse::<Format>();
        pattern.format = Some(parsed.map_err(|_| {
            format.wrong("is not a format; expected one of \"warc\", \"trecweb\", \"jsonl\", \"html\", \"text\"")
        })?);
    }
    if let Some(track) = section.item("track") {
        pattern.track = Some(track.string()?.to_owned());
    }
    section.finish()?;
    Ok(pattern)
}

fn configurations(whole: &Section<'_>) -> Result<Vec<ConfigurationRecipe>, StudyError> {
    let Some(items) = whole.item("configuration") else { return Ok(standard_set()) };
    let mut all: Vec<ConfigurationRecipe> = Vec::new();
    for item in items.list() {
        let section = item.section()?;
        let configuration = configuration(&section)?;
        if all.iter().any(|other| other.name == configuration.name) {
            let problem = format!("is \"{}\" a second time; give one of them another name", configuration.name);
            return Err(section.wrong("name", problem));
        }
        all.push(configuration);
    }
    Ok(all)
}

fn configuration(section: &Section<'_>) -> Result<ConfigurationRecipe, StudyError> {
    let known = catalogue::names().join(", ");
    let Some(method) = section.item("method") else {
        return Err(section.wrong("method", format!("is missing; expected one of {known}")));
    };
    let word = method.string()?;
    let Some(entry) = catalogue::find(word) else {
        return Err(method.wrong(format!("is \"{word}\", expected one of {known}")));
    };
    let named = section.item("name");
    let pairs = if entry.imports() { Some(imported(section)?) } else { None };
    let mut values = Values::new(entry);
    for (key, item) in section.rest() {
        let value = value(&item)?;
        values.set(key, value).map_err(|error| item.wrong(format!("cannot be so: {error}")))?;
    }
    if let Some(pattern) = &pairs {
        values
            .set("pairs", Value::Word(pattern.glob.clone()))
            .map_err(|error| section.wrong("pairs", error.to_string()))?;
    }
    if let Err(error) = entry.fit(&values, &Statistics::default()) {
        let named = |name: &str| section.rest().into_iter().find(|(key, _)| *key == name).map(|(_, item)| item);
        return Err(match &error {
            MethodError::Value { name, .. } if named(name).is_some() => named(name)
                .map_or_else(|| section.wrong(name, error.to_string()), |i| i.wrong(format!("cannot be so: {error}"))),
            _ => section.wrong("method", format!("cannot be set up: {error}")),
        });
    }
    let name = match named {
        Some(item) => file_name(&item, item.string()?)?,
        None => entry.title(&values),
    };
    Ok(ConfigurationRecipe { name, entry, values, pairs })
}

/// The files that a configuration imports its pairs from.
fn imported(section: &Section<'_>) -> Result<Pattern, StudyError> {
    match section.item("pairs") {
        Some(item) => pattern(&item),
        None => Err(section.wrong("pairs", "is missing; expected the files to import, \"pairs/*.tsv\" for one")),
    }
}

fn value(item: &Item<'_>) -> Result<Value, StudyError> {
    if item.is_string() {
        return Ok(Value::Word(item.string()?.to_owned()));
    }
    if item.is_integer() {
        return Ok(Value::Whole(item.whole()?));
    }
    if item.is_float() {
        return Ok(Value::Fraction(item.number()?));
    }
    let list = item.list();
    if list.iter().any(Item::is_float) {
        return Ok(Value::Fractions(list.iter().map(Item::number).collect::<Result<_, _>>()?));
    }
    Ok(Value::Wholes(list.iter().map(Item::whole).collect::<Result<_, _>>()?))
}

fn labels_recipe(section: &Section<'_>) -> Result<LabelsRecipe, StudyError> {
    let strings = |key: &'static str| -> Result<Vec<String>, StudyError> {
        let items = section.item(key).map(|i| i.list()).unwrap_or_default();
        items.iter().map(word).collect()
    };
    let recipe = LabelsRecipe {
        classes: strings("classes")?,
        reasons: strings("reasons")?,
        guidelines: section.item("guidelines").map(|i| i.string().map(str::to_owned)).transpose()?,
        blind: section.item("blind").map_or(Ok(true), |i| i.boolean())?,
        repeats: section.item("repeats").map_or(Ok(REPEATS), |i| repeats(&i))?,
    };
    section.finish()?;
    Ok(recipe)
}

/// A word to choose: written into journals, so it may not be empty.
fn word(item: &Item<'_>) -> Result<String, StudyError> {
    let word = item.string()?.trim();
    if word.is_empty() {
        Err(item.wrong("holds an empty text, expected words to choose from"))
    } else {
        Ok(word.to_owned())
    }
}

fn repeats(item: &Item<'_>) -> Result<u64, StudyError> {
    let repeats = item.whole()?;
    if repeats > MOST_REPEATS {
        return Err(item.wrong(format!("is {repeats}, expected at most {MOST_REPEATS} of each 100 pairs")));
    }
    Ok(repeats)
}

/// Names of segments and configurations become names of files.
fn file_name(item: &Item<'_>, name: &str) -> Result<String, StudyError> {
    let fine = !name.is_empty()
        && name.len() <= 100
        && !name.starts_with('.')
        && name.chars().all(|c| c.is_alphanumeric() || "+-_.".contains(c));
    if fine {
        Ok(name.to_owned())
    } else {
        Err(item.wrong("must be made of letters, digits, + - _ and . (it names files)"))
    }
}
