//! A value that is read when it is first asked for.

use std::sync::OnceLock;

use crate::StudyError;

/// What a cell holds, read when there is nothing in it yet. Errors are not kept.
pub(crate) fn read_once<T>(cell: &OnceLock<T>, read: impl FnOnce() -> Result<T, StudyError>) -> Result<&T, StudyError> {
    match cell.get() {
        Some(value) => Ok(value),
        None => {
            let value = read()?;
            Ok(cell.get_or_init(|| value))
        }
    }
}
