//! Work that may break without taking the program with it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does something; when that panics, what the panic said. Whatever the work was changing may be half changed then.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| said(&*panic))
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("it did not say why").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_panic_said() {
        assert_eq!(caught(|| 1), Ok(1));
        assert_eq!(caught(|| panic!("so\n{}", 7)), Err::<(), _>("so 7".to_owned()));
        assert_eq!(caught(|| panic!("so")), Err::<(), _>("so".to_owned()));
        assert_eq!(caught(|| std::panic::panic_any(7)), Err::<(), _>("it did not say why".to_owned()));
    }
}
