//! Work that may panic without taking the program with it.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A panic that was caught, as it describes itself, on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Panic(String);

impl Panic {
    fn new(payload: &(dyn Any + Send)) -> Self {
        let text =
            payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied());
        Self(text.unwrap_or("it did not say why").replace('\n', " "))
    }
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Panic {}

/// Runs `work` and catches its panic. Whatever the work was changing may then be half changed.
pub fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, Panic> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| Panic::new(&*payload))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_panic_said() {
        let message = |panic: Result<(), Panic>| panic.map_err(|panic| panic.to_string());
        assert_eq!(catch_panic(|| 1), Ok(1));
        assert_eq!(message(catch_panic(|| panic!("so\n{}", 7))), Err("so 7".to_owned()));
        assert_eq!(message(catch_panic(|| panic!("so"))), Err("so".to_owned()));
        assert_eq!(message(catch_panic(|| std::panic::panic_any(7))), Err("it did not say why".to_owned()));
    }
}
