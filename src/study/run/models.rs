//! The files of models that configurations decide by, as they are now.

use crate::StudyError;
use crate::recipe::ConfigurationRecipe;
use crate::session::Session;
use dejaview_base::{hash, lines, system};

/// A model, by its path as `study.toml` gives it.
pub(crate) fn read_model(session: &Session, path: &str) -> Result<String, StudyError> {
    let path = session.folder().join(path);
    let text = system::read_text(&path).map_err(|why| StudyError::File { doing: "reading the model", path, why })?;
    Ok(lines::without_mark(&text).to_owned())
}

/// Path and digest of each model of the study.
pub(crate) fn model_digests(session: &Session) -> Result<Vec<(String, String)>, StudyError> {
    let paths = session.recipe().configurations.iter().filter_map(ConfigurationRecipe::model);
    paths.map(|path| Ok((path.clone(), hash::digest(read_model(session, &path)?.as_bytes())))).collect()
}
