//! The first section: documents, parameters and configurations of the study, and records that were not read.

use super::parts::{Block, Material, Section};
use crate::Table;
use crate::numbers::{count, plural};
use dejaview_corpus::AcceptedStatus;
use dejaview_study::{ContentRecipe, Keep, PairTable, Pattern, Recipe, Snapshot, StatisticsFrom, StudyError, Summary};

pub fn section(material: &Material<'_>) -> Result<Option<Section>, StudyError> {
    let pool = "these are the pool of everything below. A pair that no configuration found is in no table.";
    let blocks = blocks(material.study, material.table, pool)?;
    Ok(Some(Section { id: "study", title: "The study", blocks }))
}

/// What the study is made of and how it was run; `pool` says what the pairs are to the rest of the page.
pub(crate) fn blocks(study: &Snapshot, table: &PairTable, pool: &str) -> Result<Vec<Block>, StudyError> {
    let recipe = study.recipe();
    let summary = study.summary()?;
    let mut blocks = vec![Block::Text(sentence(recipe, table, summary.as_ref(), pool))];
    blocks.push(Block::Table(settings(recipe)));
    blocks.push(Block::Table(configurations(recipe)));
    blocks.extend(summary.as_ref().and_then(skipped).map(Block::Table));
    Ok(blocks)
}

fn sentence(recipe: &Recipe, table: &PairTable, summary: Option<&Summary>, pool: &str) -> String {
    let judged = if recipe.source.judgments.is_empty() { "" } else { "judged " };
    let found = plural(table.len() as u64, "pair");
    let Some(summary) = summary else { return format!("{found} found.") };
    format!(
        "{} {judged}documents of the source were looked for among {} documents of the target, in {}. The {} found \
         {found}; {pool}",
        count(summary.documents.source),
        count(summary.documents.target),
        plural(summary.segments as u64, "segment"),
        plural(recipe.configurations.len() as u64, "configuration"),
    )
}

fn settings(recipe: &Recipe) -> Table {
    let globs = |patterns: &[Pattern]| patterns.iter().map(|p| p.glob.clone()).collect::<Vec<_>>().join(", ");
    let mut table = Table::new("parameters", "Parameters of the study", &["what", "value"]);
    table.row(["source", &globs(&recipe.source.documents)]);
    if !recipe.source.judgments.is_empty() {
        table.row(["judgments", &globs(&recipe.source.judgments)]);
    }
    for target in &recipe.targets {
        let name = target.segment.as_ref().map_or("target".to_owned(), |segment| format!("target, segment {segment}"));
        table.row([name, globs(&target.documents)]);
    }
    let content = match recipe.content {
        ContentRecipe::All => "all that a reader sees",
        ContentRecipe::Main => "the main content",
        ContentRecipe::Own => "all but the lines that stand on many pages of the host",
    };
    let statistics = match &recipe.statistics {
        StatisticsFrom::Source => "the source".to_owned(),
        StatisticsFrom::Both => "both sides".to_owned(),
        StatisticsFrom::Path(pattern) => pattern.glob.clone(),
    };
    table.row(["text of a page", content]);
    let status = match recipe.status {
        AcceptedStatus::Ok => "pages that the server delivered",
        AcceptedStatus::All => "redirects and errors of the server, too",
    };
    table.row(["documents", status]);
    table.row(["headline Jaccard", &format!("sets of word {}-grams", recipe.jaccard)]);
    table.row(["statistics from", &statistics]);
    table.row(["texts kept", if recipe.keep == Keep::All { "all" } else { "those of documents with a pair" }]);
    table.row(["seed", &recipe.seed.to_string()]);
    table
}

fn configurations(recipe: &Recipe) -> Table {
    let mut table = Table::new(
        "configurations",
        "Configurations: methods with their parameters",
        &["name", "method", "parameters"],
    );
    for configuration in &recipe.configurations {
        let values = configuration.values.in_force();
        let parameters: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        table.row([configuration.name.clone(), configuration.algorithm().name.to_owned(), parameters.join(", ")]);
    }
    table
}

fn skipped(summary: &Summary) -> Option<Table> {
    let mut table = Table::new(
        "skipped",
        "Records and files that were not read, by reason",
        &["reason", "number", "what it means"],
    )
    .right([1]);
    for kind in summary.not_read() {
        table.row([kind.reason.to_owned(), count(kind.count()), kind.advice.to_owned()]);
    }
    (!summary.skipped.is_empty()).then_some(table)
}
