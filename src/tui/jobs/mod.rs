//! Who does the jobs: what they work on, the threads, and which results are still wanted. What a job is, is in
//! [`crate::contract`]; each is declared beside the screen that wants it.

mod backend;
mod pool;
mod tickets;

pub use backend::Backend;
pub use pool::Pool;
pub use tickets::Tickets;
