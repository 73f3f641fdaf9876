//! What the other annotators say of pairs, as far as the person at the keys may see it.
//!
//! Who labels blind must not know what others said before deciding. So, while a study is labelled blind, a pair that stands
//! in a sample shows nobody's label but one's own.

use std::collections::HashMap;

use dejaview_labels::{Decisions, Label};
use dejaview_study::Together;

/// Labels of the others by source, then target; whether the pair stands in a sample.
#[derive(Debug, Default)]
pub struct Others {
    labels: HashMap<String, HashMap<String, (Label, bool)>>,
    blind: bool,
}

/// What a person sees of a pair's label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    Own(Label),
    /// What the others say together, where they have none themselves.
    Theirs(Label),
    /// Others have decided, and it must not be seen.
    Hidden,
}

impl Seen {
    /// In one word, for lists; what others say stands in parentheses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Own(Label::NearDuplicate) => "near",
            Self::Own(Label::Not) => "not",
            Self::Own(Label::Unsure) => "unsure",
            Self::Theirs(Label::NearDuplicate) => "(near)",
            Self::Theirs(Label::Not) => "(not)",
            Self::Theirs(Label::Unsure) => "(unsure)",
            Self::Hidden => "blind",
        }
    }
}

impl Others {
    /// Of what each pair's annotators say together.
    pub fn new(together: Vec<Together>, blind: bool) -> Self {
        let mut labels: HashMap<String, HashMap<String, (Label, bool)>> = HashMap::new();
        for one in together {
            labels.entry(one.source).or_default().insert(one.target, (one.label, one.drawn));
        }
        Self { labels, blind }
    }

    /// What somebody who decided so sees of a pair.
    pub fn seen(&self, own: &Decisions, source: &str, target: &str) -> Option<Seen> {
        if let Some(label) = own.label(source, target, None) {
            return Some(Seen::Own(label));
        }
        let (label, drawn) = self.labels.get(source)?.get(target)?;
        Some(if self.blind && *drawn { Seen::Hidden } else { Seen::Theirs(*label) })
    }

    /// All labels that somebody who decided so may see.
    pub fn all<'a>(&'a self, own: &'a Decisions) -> Vec<(&'a str, &'a str, Label)> {
        let mine = own.pairs(None).filter_map(|(source, target, of)| Some((source, target, of.label()?)));
        let theirs = self.labels.iter().flat_map(|(source, all)| all.keys().map(move |target| (source, target)));
        let theirs = theirs.filter_map(|(source, target)| match self.seen(own, source, target)? {
            Seen::Theirs(label) => Some((source.as_str(), target.as_str(), label)),
            Seen::Own(_) | Seen::Hidden => None,
        });
        mine.chain(theirs).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_labels::{Event, EventKind};

    #[test]
    fn nothing_of_a_sample_is_seen_before_ones_own_label() {
        let pair = |target: &str, drawn| Together {
            source: "s".to_owned(),
            target: target.to_owned(),
            label: Label::Not,
            drawn,
        };
        let together = || vec![pair("drawn", true), pair("browsed", false)];
        let none = Decisions::default();
        let blind = Others::new(together(), true);
        assert_eq!(blind.seen(&none, "s", "drawn"), Some(Seen::Hidden));
        assert_eq!(blind.seen(&none, "s", "browsed"), Some(Seen::Theirs(Label::Not)));
        assert_eq!(blind.seen(&none, "s", "nobody's"), None);
        assert_eq!(blind.all(&none), [("s", "browsed", Label::Not)]);
        let event = Event { seq: 1, ..Event::new(EventKind::Label(Label::Unsure), "s", "drawn", "") };
        let own = Decisions::replay([&event]);
        assert_eq!(blind.seen(&own, "s", "drawn"), Some(Seen::Own(Label::Unsure)));
        assert_eq!(blind.all(&own).len(), 2);
        let open = Others::new(together(), false);
        assert_eq!(open.seen(&none, "s", "drawn").map(Seen::word), Some("(not)"));
    }
}
