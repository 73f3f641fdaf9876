//! The files of a study for whoever asks what its last run is worth: those that lie on disk, and, where a part of the study has none
//! left, those that the run read of it. Archives may be kept elsewhere once they were read.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::StudyError;
use crate::recipe::files::{Corpora, IMPORTED, Segment, imports_pairs, segments_of, source_files};
use crate::run::manifest::{Facts, FileFacts};
use crate::session::Session;
use dejaview_corpus::Input;

/// What a run noted of files of parts that have none left, by their paths.
#[derive(Debug, Clone, Default)]
pub(crate) struct Elsewhere(HashMap<PathBuf, FileFacts>);

impl Elsewhere {
    /// A file as it lies on disk, or as it was read where it is gone.
    pub(crate) fn facts(&self, input: &Input) -> FileFacts {
        match self.0.get(&input.path) {
            Some(noted) if !input.path.exists() => noted.clone(),
            Some(noted) => FileFacts::new(input, 0).with_format_of(noted),
            None => FileFacts::new(input, 0),
        }
    }

    /// The files that a run read of a part; none where it read none.
    fn inputs(&mut self, session: &Session, facts: &Facts) -> Vec<Input> {
        let input = |file: &FileFacts| {
            let path = session.folder().join(&file.name);
            self.0.insert(path.clone(), file.without_digest());
            Input { path, name: file.name.clone(), format: None, status: session.recipe().status, size: file.size }
        };
        facts.inputs.iter().map(input).collect()
    }
}

/// The files of a study, and what is known of those that are gone.
pub(crate) fn files_of_last_run(session: &Session) -> Result<(Corpora, Elsewhere), StudyError> {
    let mut elsewhere = Elsewhere::default();
    if let Ok(corpora) = session.corpora() {
        return Ok((corpora, elsewhere));
    }
    let (folder, recipe, workspace) = (session.folder(), session.recipe(), session.workspace());
    let source = match source_files(folder, recipe) {
        Ok(files) => files,
        Err(why) => elsewhere.inputs(session, &Facts::read(&workspace.source())?.ok_or(why)?),
    };
    let mut segments = Vec::new();
    for (number, target) in recipe.targets.iter().enumerate() {
        match segments_of(folder, recipe, number, target) {
            Ok(found) => segments.extend(found),
            Err(why) => {
                let globs: Vec<&str> = target.documents.iter().map(|pattern| pattern.glob.as_str()).collect();
                let names = match &target.segment {
                    Some(name) => vec![name.clone()],
                    None => noted_segments(session, &globs, number)?,
                };
                let before = segments.len();
                for name in names {
                    let Some(facts) = Facts::read(&workspace.segment(&name))? else { continue };
                    segments.push(Segment { inputs: elsewhere.inputs(session, &facts), name, imported: false });
                }
                if segments.len() == before {
                    return Err(why);
                }
            }
        }
    }
    if imports_pairs(&recipe.configurations) {
        segments.push(Segment { name: IMPORTED.to_owned(), inputs: Vec::new(), imported: true });
    }
    Ok((Corpora { source, segments }, elsewhere))
}

/// Names of the segments that a target without a name had: its number, or those of the folders in it.
fn noted_segments(session: &Session, globs: &[&str], number: usize) -> Result<Vec<String>, StudyError> {
    let mut names = vec![format!("{number:02}")];
    for name in session.workspace().noted_segments() {
        let facts = Facts::read(&session.workspace().segment(&name))?.unwrap_or_default();
        let is_below = |file: &FileFacts| globs.iter().any(|glob| Path::new(&file.name).starts_with(glob));
        if !names.contains(&name) && !facts.inputs.is_empty() && facts.inputs.iter().all(is_below) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
