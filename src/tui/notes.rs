//! A note on a pair, while it is being written and when it was given up.

use super::pair_ids::PairIds;

/// A note that is being written, and one that was given up.
#[derive(Debug, Default)]
pub struct Notes {
    /// The pair that a note is being written on, here or in the person's editor.
    pub on: Option<PairIds>,
    /// Whether a frame had shown its texts when it was begun.
    pub seen: bool,
    /// What is typed of it so far.
    pub typed: Option<String>,
    /// A note that was given up, and its pair: an Escape may come from a broken sequence.
    pub given_up: Option<(Option<PairIds>, String)>,
}

impl Notes {
    /// What is begun: the pair and the text of the note that is being typed, else of the one that was given up.
    pub fn begun(&self) -> Option<(PairIds, String)> {
        let typed = self.typed.as_ref().and_then(|text| Some((self.on.clone()?, text.clone())));
        let given_up = || self.given_up.clone().and_then(|(on, text)| Some((on?, text)));
        typed.or_else(given_up).filter(|(_, text)| !text.is_empty())
    }
}
