//! Fits methods to a collection before the pass, once: what was fitted is stored and stays as it is when a segment is
//! added.

use std::path::Path;
use std::sync::Arc;

use crate::StudyError;
use crate::recipe::files::statistics_inputs;
use crate::recipe::{ConfigurationRecipe, ContentRecipe, Recipe, StatisticsFrom};
use crate::run::counting::add_counts;
use crate::run::fitted::{Fitted, read_lines, read_statistics};
use crate::run::models::read_model;
use crate::run::part::Parts;
use crate::run::plan::Plan;
use crate::run::watch::{Stage, Watch};
use crate::run::workspace::write_whole;
use crate::session::Session;
use dejaview_base::{hash, system};
use dejaview_corpus::Input;
use dejaview_matching::fitting::{Collection, Counted, recurring_lines};
use dejaview_matching::source::Source;
use dejaview_matching::{Configuration, Content};
use dejaview_methods::{Statistics, Values};

/// The configurations, fitted to these statistics.
pub(crate) fn fit_all(session: &Session, statistics: &Statistics) -> Result<Vec<Configuration>, StudyError> {
    session.recipe().configurations.iter().map(|c| fit(session, c, statistics)).collect()
}

/// A configuration, fitted to these statistics.
pub(crate) fn fit(
    session: &Session,
    recipe: &ConfigurationRecipe,
    statistics: &Statistics,
) -> Result<Configuration, StudyError> {
    let model = recipe.model().map(|path| read_model(session, &path)).transpose()?;
    fit_with_model(&Recipe::file(session.folder()), recipe, statistics, model.as_deref())
}

/// A configuration of the study file at `path`, fitted to these statistics and, where it decides by one, to this model.
pub(crate) fn fit_with_model(
    path: &Path,
    recipe: &ConfigurationRecipe,
    statistics: &Statistics,
    model: Option<&str>,
) -> Result<Configuration, StudyError> {
    let method = recipe.values.fit_with(statistics, model).map_err(|error| StudyError::Key {
        path: path.to_owned(),
        line: 1,
        key: format!("configuration {}", recipe.name),
        problem: error.to_string(),
    })?;
    Ok(Configuration { name: recipe.name.clone(), method })
}

/// Whether a configuration of the study must be fitted.
pub(crate) fn needs_fitting(session: &Session) -> bool {
    session.recipe().configurations.iter().any(|c| c.algorithm().fitted)
}

/// What methods are fitted to.
#[derive(Clone, Copy)]
pub(crate) struct Fitting<'a> {
    pub(crate) session: &'a Session,
    pub(crate) plan: &'a Plan,
    pub(crate) source: &'a Source,
    pub(crate) content: &'a Content,
    /// At least 1.
    pub(crate) threads: usize,
    pub(crate) watch: &'a dyn Watch,
    /// What workers have counted in files of the target.
    pub(crate) counted: Option<&'a Parts>,
}

/// The statistics for a run: stored ones, or new ones that are stored.
pub(crate) fn fit_statistics(fitting: Fitting<'_>) -> Result<Fitted, StudyError> {
    let Fitting { session, plan, .. } = fitting;
    if !needs_fitting(session) {
        return Ok(Fitted::default());
    }
    if let Some(stored) = read_statistics(session, &plan.digest) {
        return Ok(stored);
    }
    let statistics = collect_statistics(fitting)?;
    let bytes = statistics.to_bytes();
    write_whole(&session.workspace().statistics(), &[plan.digest.as_bytes(), &bytes].concat())?;
    Ok(Fitted { statistics, digest: hash::digest(&bytes) })
}

/// Whether the words of the target must be counted before methods can be fitted.
pub(crate) fn must_count_target(session: &Session, plan: &Plan) -> bool {
    let recipe = session.recipe();
    let of_both = recipe.statistics == StatisticsFrom::Both && recipe.rests_on_statistics();
    of_both && recipe.corpora.is_none() && read_statistics(session, &plan.digest).is_none()
}

/// Whether a method of the study learns from texts.
pub(crate) fn learns(recipe: &Recipe) -> bool {
    recipe.configurations.iter().any(|c| c.algorithm().learns)
}

/// What of a page counts in a run; lines that recur are found in both sides first, and stored.
pub(crate) fn content_for(
    session: &Session,
    plan: &Plan,
    threads: usize,
    watch: &dyn Watch,
) -> Result<Content, StudyError> {
    match session.recipe().content {
        ContentRecipe::All => return Ok(Content::All),
        ContentRecipe::Main => return Ok(Content::Main),
        ContentRecipe::Own => {}
    }
    if let Some(lines) = read_lines(session, &plan.digest) {
        return Ok(Content::Own(lines));
    }
    let targets = plan.corpora.segments.iter().flat_map(|s| s.inputs.clone());
    let all: Vec<Input> = plan.corpora.source.iter().cloned().chain(targets).collect();
    watch.stage(Stage::Statistics { bytes: all.iter().map(|input| input.size).sum() });
    let lines = recurring_lines(&all, threads, watch.progress())?;
    write_whole(&session.workspace().lines(), &[plan.digest.as_bytes(), &lines.to_bytes()].concat())?;
    Ok(Content::Own(Arc::new(lines)))
}

/// The files that are read to fit methods, beside the source, which is in memory then.
pub(crate) fn read_to_fit(session: &Session, plan: &Plan) -> Result<Vec<Input>, StudyError> {
    Ok(match &session.recipe().statistics {
        StatisticsFrom::Path(pattern) => statistics_inputs(session.folder(), session.recipe(), pattern)?,
        // Where only the speed rests on statistics, those of the source will do.
        StatisticsFrom::Both if session.recipe().rests_on_statistics() => {
            plan.corpora.segments.iter().flat_map(|s| s.inputs.clone()).collect()
        }
        StatisticsFrom::Both | StatisticsFrom::Source => Vec::new(),
    })
}

pub(crate) fn collect_statistics(fitting: Fitting<'_>) -> Result<Statistics, StudyError> {
    let Fitting { session, plan, source, content, threads, watch, counted } = fitting;
    let learn = learns(session.recipe());
    let read = |inputs: &[Input], counted: Counted<'_>| -> Result<Collection, StudyError> {
        watch.stage(Stage::Statistics { bytes: inputs.iter().map(|input| input.size).sum() });
        Ok(Collection::of_inputs(inputs, counted, content, threads, watch.progress(), learn)?)
    };
    let mut inputs = read_to_fit(session, plan)?;
    let collection = if let StatisticsFrom::Path(_) = session.recipe().statistics {
        if let [only] = &inputs[..]
            && let Some(stored) = stored_elsewhere(only)?
        {
            return Ok(stored);
        }
        read(&inputs, Counted::NOTHING)?
    } else {
        let mut whole = Collection::of_source(source, threads, learn)?;
        if let Some(parts) = counted.filter(|_| !inputs.is_empty()) {
            inputs = add_counts(parts, plan, &mut whole)?;
        }
        if !inputs.is_empty() {
            let counted = Counted { join: session.recipe().join, documents: &source.documents };
            whole.merge(read(&inputs, counted)?);
        }
        whole
    };
    let configurations = &session.recipe().configurations;
    let learners: Vec<&Values> = configurations.iter().filter(|c| c.algorithm().learns).map(|c| &c.values).collect();
    Ok(collection.finish(learners.into_iter()))
}

/// The statistics in a file that another study has stored; none when it is another kind of file.
fn stored_elsewhere(input: &Input) -> Result<Option<Statistics>, StudyError> {
    let failed = |why| StudyError::File { doing: "reading", path: input.path.clone(), why };
    let bytes = system::read_file(&input.path).map_err(failed)?;
    let plan = hash::digest(&[]).len();
    Ok(bytes.get(plan..).and_then(Statistics::from_bytes))
}
