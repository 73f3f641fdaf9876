use std::borrow::Cow;

use dejaview_corpus::qrels::Topic;

/// The number, and the subtopic if there is one: `51` or `51.2`.
pub(super) fn topic_number(topic: &Topic) -> Cow<'_, str> {
    match topic.subtopic.as_str() {
        "" => topic.number.as_str().into(),
        subtopic => format!("{}.{subtopic}", topic.number).into(),
    }
}
