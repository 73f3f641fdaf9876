//! Joins two corpora neither of which fits in memory: both are sketched first, to see which documents of the source have a pair.
//!
//! Only these are read into memory then, and the run goes on as any other. What it finds is the same.

use std::fmt::Write;

use crate::StudyError;
use crate::recipe::files::Corpora;
use crate::run::watch::{Stage, Watch};
use crate::run::workspace::write_whole;
use crate::session::Session;
use dejaview_corpus::Input;
use dejaview_matching::corpora::{CorporaOptions, PairedSources};
use dejaview_matching::source::ReadOptions;

/// The documents of the source that may have a pair; none where the study holds the whole source in memory. `options` are
/// those of reading the source, with the configurations.
pub(crate) fn paired_sources(
    session: &Session,
    options: ReadOptions<'_>,
    wanted: &(dyn Fn(&str) -> bool + Sync),
    corpora: &Corpora,
    watch: &dyn Watch,
) -> Result<Option<PairedSources>, StudyError> {
    let Some(memory) = session.recipe().corpora else { return Ok(None) };
    let (workspace, target) = (session.workspace(), corpora.targets().collect::<Vec<Input>>());
    watch.stage(Stage::Sketches { bytes: Corpora::bytes(&corpora.source) + Corpora::bytes(&target) });
    let (join, folder) = (session.recipe().join, workspace.sketches());
    let paired = PairedSources::find(options, wanted, &target, CorporaOptions { join, folder: &folder, memory })?;
    if !paired.capped.is_empty() {
        let mut table = "configuration\tkey\tsource\ttarget\n".to_owned();
        for capped in &paired.capped {
            let [source, target] = capped.sketches;
            // Writing into a string cannot fail.
            let _ = writeln!(table, "{}\t{:016x}\t{source}\t{target}", capped.configuration, capped.key);
        }
        write_whole(&workspace.capped(), table.as_bytes())?;
        watch.remark(&format!(
            "{} keys are shared by so many different pages that they say nothing; pairs that share no other key are not \
             found. They are listed in {}",
            paired.capped.len(),
            workspace.capped().display()
        ));
    }
    Ok(Some(paired))
}
