//! Lists the keys that too many different pages share, whichever way two sides are joined.

use std::fmt::Write;
use std::fs;

use crate::StudyError;
use crate::run::watch::Watch;
use crate::run::workspace::write_whole;
use crate::session::Session;
use dejaview_matching::Configuration;
use dejaview_matching::capped::CappedKey;

/// Writes the list of capped keys and says how many there are; where there are none there is no list.
pub(crate) fn list_capped(
    session: &Session,
    configurations: &[Configuration],
    capped: &[CappedKey],
    watch: &dyn Watch,
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
    write_whole(&path, table.as_bytes())?;
    let keys = if capped.len() == 1 { "1 key is".to_owned() } else { format!("{} keys are", capped.len()) };
    watch.remark(&format!(
        "{keys} shared by more than {} different pages of the source and say nothing; pairs that share no other key and \
         differ are not found. They are listed in {}",
        session.recipe().most_sketches,
        path.display()
    ));
    Ok(())
}

/// How many keys the last run has capped.
pub(crate) fn count_capped(session: &Session) -> u64 {
    let list = fs::read_to_string(session.workspace().capped()).unwrap_or_default();
    list.lines().skip(1).count() as u64
}
