//! Which finished segments must be run again because their texts are lost?

use crate::recipe::files::IMPORTED;
use crate::run::plan::Plan;
use crate::run::watch::Watch;
use crate::session::Session;
use dejaview_index::{DamagedPart, Index};

/// Takes segments off the finished ones whose texts are missing or damaged: pairs without texts cannot be shown, so they are
/// run again. Returns whether the source must be read again for its own file.
pub(crate) fn forget_damaged_parts(session: &Session, plan: &mut Plan, watch: &dyn Watch) -> bool {
    let workspace = session.workspace();
    let source = workspace.source().is_file().then_some("");
    let segments = plan.finished.iter().map(String::as_str).filter(|segment| *segment != IMPORTED);
    let parts: Vec<&str> = source.into_iter().chain(segments).collect();
    let damaged = Index::damage(&workspace.index(), &parts);
    if damaged.len() > 1 && damaged.len() == parts.len() {
        watch.remark("the kept texts are missing, or of an earlier version; they are made again");
    } else {
        for DamagedPart { path, why, .. } in &damaged {
            watch.remark(&format!("{}: {why}; it is made again", path.display()));
        }
    }
    plan.forget_segments(|segment| damaged.iter().any(|part| part.name == segment));
    damaged.iter().any(|part| part.name.is_empty())
}
