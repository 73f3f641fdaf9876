//! How a topic is written.

use std::borrow::Cow;

use dejaview_corpus::qrels::Topic;

/// A topic as it is written: number, and subtopic where there is one.
pub(super) fn number(topic: &Topic) -> Cow<'_, str> {
    match topic.subtopic.as_str() {
        "" => topic.number.as_str().into(),
        subtopic => format!("{}.{subtopic}", topic.number).into(),
    }
}
