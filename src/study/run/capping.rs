//! Lists the keys that too many different pages share, whichever way two sides are joined.

use std::fmt::Write;
use std::fs;

use crate::StudyError;
use crate::run::workspace::write_whole;
use crate::session::Session;
use dejaview_base::system;
use dejaview_matching::Configuration;
use dejaview_matching::capped::CappedKey;

/// Writes the list of capped keys; where there are none there is no list.
pub(crate) fn list_capped(
    session: &Session,
    configurations: &[Configuration],
    capped: &[CappedKey],
) -> Result<(), StudyError> {
    let path = session.workspace().capped();
    if capped.is_empty() {
        let _ = fs::remove_file(&path);
        return Ok(());
    }
    let mut table = "configuration\ttable\tkey\tsketches\n".to_owned();
    for capped in capped {
        let name = &configurations[capped.configuration].name;
        // Writing into a string cannot fail.
        let _ = writeln!(table, "{name}\t{}\t{:016x}\t{}", capped.table, capped.key, capped.sketches);
    }
    write_whole(&path, table.as_bytes())
}

/// How many keys the last run has capped.
pub(crate) fn count_capped(session: &Session) -> u64 {
    let list = system::read_text(&session.workspace().capped()).unwrap_or_default();
    list.lines().skip(1).count() as u64
}
