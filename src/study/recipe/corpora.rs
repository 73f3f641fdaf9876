//! Reads which files are the source and the targets.

use super::keys::file_name;
use super::{Pattern, SourceRecipe, TargetRecipe};
use crate::StudyError;
use crate::recipe::keys::{Item, Section};
use dejaview_corpus::formats;

pub(super) fn source_recipe(section: &Section<'_>) -> Result<SourceRecipe, StudyError> {
    let recipe = SourceRecipe {
        documents: patterns(section, "documents")?,
        judgments: patterns(section, "judgments")?,
        topics: patterns(section, "topics")?,
        urls: patterns(section, "urls")?,
    };
    section.finish()?;
    Ok(recipe)
}

pub(super) fn targets(whole: &Section<'_>) -> Result<Vec<TargetRecipe>, StudyError> {
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

pub(super) fn pattern(item: &Item<'_>) -> Result<Pattern, StudyError> {
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
        let found = formats::find(format.string()?);
        pattern.format = Some(found.ok_or_else(|| {
            let names: Vec<String> = formats::FORMATS.iter().map(|format| format!("\"{}\"", format.name)).collect();
            format.wrong(format!("is not a format; expected one of {}", names.join(", ")))
        })?);
    }
    if let Some(track) = section.item("track") {
        pattern.track = Some(track.string()?.to_owned());
    }
    section.finish()?;
    Ok(pattern)
}
