//! Reads a `study.toml`: what stands at its top, and the parts below.

use std::path::{Path, PathBuf};

use toml::de::DeTable;

use super::configurations::configurations;
use super::corpora::{pattern, source_recipe, targets};
use super::labels::labels_recipe;
use super::{ContentRecipe, JoinMode, Keep, LabelsRecipe, Recipe, SourceRecipe, StatisticsFrom};
use crate::StudyError;
use crate::recipe::keys::{Section, TomlSource, one_of};
use dejaview_base::system;
use dejaview_corpus::AcceptedStatus;
use dejaview_matching::capped::MOST_SKETCHES;
use dejaview_matching::source::Join;
use dejaview_methods::measures::LENGTHS;

impl Recipe {
    /// Reads `study.toml` in a folder.
    pub fn read(folder: &Path) -> Result<Self, StudyError> {
        let path = folder.join("study.toml");
        let text = match system::read_text(&path) {
            Ok(text) => text,
            Err(why) if why.kind() == std::io::ErrorKind::NotFound && !folder.exists() => {
                return Err(StudyError::NoFolder { path: folder.to_owned() });
            }
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => {
                return Err(StudyError::NoStudy { path: folder.to_owned() });
            }
            Err(why) => return Err(StudyError::File { doing: "reading", path, why }),
        };
        Self::parse(&path, &text)
    }

    /// Reads the text of a `study.toml`; `path` is for messages.
    pub fn parse(path: &Path, text: &str) -> Result<Self, StudyError> {
        let source = TomlSource { path, text };
        let table = DeTable::parse(text).map_err(|error| syntax(source, &error))?;
        let whole = Section::whole(source, &table);
        let (content, jaccard, status) = text_recipe(&whole)?;
        let joining = whole.item("join").map(|item| item.section()).transpose()?;
        let JoinRecipe { join, corpora, most_sketches } = joining.as_ref().map_or(Ok(JoinRecipe::default()), join)?;
        let recipe = Self {
            name: whole.item("name").map_or(Ok("Untitled study"), |i| i.string())?.to_owned(),
            seed: whole.item("seed").map_or(Ok(1), |i| i.whole())?,
            keep: one_of(&whole, "keep")?,
            statistics: statistics(&whole)?,
            content,
            jaccard,
            status,
            join,
            corpora,
            most_sketches,
            source: whole.item("source").map_or(Ok(SourceRecipe::default()), |i| source_recipe(&i.section()?))?,
            targets: targets(&whole)?,
            configurations: configurations(&whole)?,
            labels: whole.item("labels").map_or(Ok(LabelsRecipe::default()), |i| labels_recipe(&i.section()?))?,
        };
        whole.finish()?;
        match joining.as_ref().zip(recipe.not_for_corpora()) {
            Some((section, problem)) => Err(section.wrong("mode", problem)),
            None => Ok(recipe),
        }
    }

    /// Why two corpora cannot be joined as this study is, if that is asked for.
    fn not_for_corpora(&self) -> Option<String> {
        self.corpora?;
        let fitted = self.configurations.iter().filter(|c| c.algorithm().fitted).map(|c| format!("`{}`", c.name));
        let fitted: Vec<String> = fitted.collect();
        if !fitted.is_empty() && !matches!(self.statistics, StatisticsFrom::Path(_)) {
            return Some(format!(
                "is \"corpora\", and these configurations are fitted to documents that memory need not hold: {}; leave them \
                 out, or name statistics of other documents by `statistics = \"PATH\"` (those of another study are its \
                 .dejaview/statistics)",
                fitted.join(", ")
            ));
        }
        let imported = self.configurations.iter().any(|c| c.pairs.is_some());
        let keeps_all = self.keep == Keep::All;
        match (imported, keeps_all) {
            (true, _) => {
                Some("is \"corpora\", and a configuration imports pairs; give those a study of their own".to_owned())
            }
            (_, true) => Some("is \"corpora\", which keeps the texts of pairs alone; leave `keep` out".to_owned()),
            _ => None,
        }
    }

    /// Files that patterns of the study may lie beside.
    pub fn file(folder: &Path) -> PathBuf {
        folder.join("study.toml")
    }
}

/// What the parser says, with the words it stumbled over.
fn syntax(source: TomlSource<'_>, error: &toml::de::Error) -> StudyError {
    let span = error.span().unwrap_or(0..0);
    let words = source.text.get(span.clone()).unwrap_or_default();
    let words = words.lines().next().unwrap_or_default().trim();
    let message = if words.is_empty() { error.message().to_owned() } else { format!("{}: `{words}`", error.message()) };
    StudyError::Syntax { path: source.path.to_owned(), line: source.line(span.start), message }
}

fn statistics(whole: &Section<'_>) -> Result<StatisticsFrom, StudyError> {
    let Some(item) = whole.item("statistics") else { return Ok(StatisticsFrom::default()) };
    Ok(match item.is_string().then(|| item.string()).transpose()? {
        Some("source") => StatisticsFrom::Source,
        Some("both") => StatisticsFrom::Both,
        _ => StatisticsFrom::Path(pattern(&item)?),
    })
}

/// How the two sides are joined, as [`Recipe`] has it.
struct JoinRecipe {
    join: Join,
    corpora: Option<usize>,
    most_sketches: u64,
}

impl Default for JoinRecipe {
    fn default() -> Self {
        Self { join: Join::default(), corpora: None, most_sketches: MOST_SKETCHES }
    }
}

fn join(section: &Section<'_>) -> Result<JoinRecipe, StudyError> {
    let itself = section.item("self").map(|item| item.boolean()).transpose()?;
    let mode: JoinMode = one_of(section, "mode")?;
    let mebibytes = section.item("memory").map_or(Ok(MEMORY), |item| item.whole())?;
    let most_sketches = section.item("most-sketches").map_or(Ok(MOST_SKETCHES), |item| item.whole())?;
    section.finish()?;
    let join = match itself {
        None => Join::ByContent,
        Some(true) => Join::Itself,
        Some(false) => Join::Apart,
    };
    let bytes = usize::try_from(mebibytes.max(1)).unwrap_or(usize::MAX).saturating_mul(1 << 20);
    let corpora = (mode == JoinMode::Corpora).then_some(bytes);
    Ok(JoinRecipe { join, corpora, most_sketches: most_sketches.max(1) })
}

/// Mebibytes of memory for a join of two corpora when the study does not say.
const MEMORY: u64 = 1024;

fn text_recipe(whole: &Section<'_>) -> Result<(ContentRecipe, usize, AcceptedStatus), StudyError> {
    let Some(item) = whole.item("text") else { return Ok((ContentRecipe::All, 1, AcceptedStatus::default())) };
    let text = item.section()?;
    let content = one_of(&text, "content")?;
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
    let status = one_of(&text, "status")?;
    text.finish()?;
    Ok((content, n, status))
}
