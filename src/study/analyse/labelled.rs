//! A sample with its labels.

use dejaview_evaluation::estimates::{Estimates, Frame};
use dejaview_evaluation::sample::Sample;

/// A labelled sample, with what it says.
pub(crate) struct LabelledSample {
    pub(crate) sample: Sample,
    pub(crate) frame: Frame,
    pub(crate) estimates: Estimates,
}
