//! What takes time: done on worker threads, answered with events. Of each kind only the newest wish counts.

mod answer;
mod backend;
mod effect;
mod workers;

pub use answer::{Answer, Form, Kept, OpenPair, Reviewed, Says};
pub use backend::Backend;
pub use effect::{Effect, Wish};
pub use workers::Workers;
