//! The labels of other annotators, as far as the person at the keys may see them.
//!
//! Nobody who labels blind may know another annotator's label before deciding. While a study is labelled blind, a pair of a
//! sample therefore shows only one's own label.

use std::collections::HashMap;

use dejaview_labels::{Decisions, Label};
use dejaview_study::JointLabel;
use ratatui::style::Style;

use crate::theme::Theme;

/// By source, then target: the label, and whether the pair is in a sample.
#[derive(Debug, Default)]
pub struct OtherLabels {
    labels: HashMap<String, HashMap<String, (Label, bool)>>,
    blind: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VisibleLabel {
    Own(Label),
    /// What the other annotators decided together, where the person has not decided.
    Others(Label),
    /// Others have decided, and the person must not know how.
    Hidden,
}

impl VisibleLabel {
    /// One sign for lists. A label that must not be known looks like none.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Own(Label::NearDuplicate) | Self::Others(Label::NearDuplicate) => "●",
            Self::Own(Label::Not) | Self::Others(Label::Not) => "○",
            Self::Own(Label::Unsure) | Self::Others(Label::Unsure) => "◐",
            Self::Hidden => "·",
        }
    }

    /// The sign of a row in a list, after a blank; one without a label stays in the background.
    pub fn in_list(label: Option<Self>, theme: &Theme) -> (String, Style) {
        match label {
            None | Some(Self::Hidden) => (" ·".to_owned(), theme.muted),
            Some(label) => (format!(" {}", label.sign()), theme.good),
        }
    }

    /// For lists; labels of others are in parentheses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Own(Label::NearDuplicate) => "near",
            Self::Own(Label::Not) => "not",
            Self::Own(Label::Unsure) => "unsure",
            Self::Others(Label::NearDuplicate) => "(near)",
            Self::Others(Label::Not) => "(not)",
            Self::Others(Label::Unsure) => "(unsure)",
            Self::Hidden => "blind",
        }
    }
}

impl OtherLabels {
    pub fn new(together: Vec<JointLabel>, blind: bool) -> Self {
        let mut labels: HashMap<String, HashMap<String, (Label, bool)>> = HashMap::new();
        for one in together {
            labels.entry(one.source).or_default().insert(one.target, (one.label, one.drawn));
        }
        Self { labels, blind }
    }

    pub fn label_of(&self, own: &Decisions, source: &str, target: &str) -> Option<VisibleLabel> {
        if let Some(label) = own.label(source, target, None) {
            return Some(VisibleLabel::Own(label));
        }
        let (label, drawn) = self.labels.get(source)?.get(target)?;
        Some(if self.blind && *drawn { VisibleLabel::Hidden } else { VisibleLabel::Others(*label) })
    }

    /// Source, target and label of every pair whose label the person may see.
    pub fn visible<'a>(&'a self, own: &'a Decisions) -> Vec<(&'a str, &'a str, Label)> {
        let mine = own.pairs(None).filter_map(|(source, target, of)| Some((source, target, of.label()?)));
        let theirs = self.labels.iter().flat_map(|(source, all)| all.keys().map(move |target| (source, target)));
        let theirs = theirs.filter_map(|(source, target)| match self.label_of(own, source, target)? {
            VisibleLabel::Others(label) => Some((source.as_str(), target.as_str(), label)),
            VisibleLabel::Own(_) | VisibleLabel::Hidden => None,
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
        let pair = |target: &str, drawn| JointLabel {
            source: "s".to_owned(),
            target: target.to_owned(),
            label: Label::Not,
            drawn,
        };
        let together = || vec![pair("drawn", true), pair("browsed", false)];
        let none = Decisions::default();
        let blind = OtherLabels::new(together(), true);
        assert_eq!(blind.label_of(&none, "s", "drawn"), Some(VisibleLabel::Hidden));
        assert_eq!(blind.label_of(&none, "s", "browsed"), Some(VisibleLabel::Others(Label::Not)));
        assert_eq!(blind.label_of(&none, "s", "nobody's"), None);
        assert_eq!(blind.visible(&none), [("s", "browsed", Label::Not)]);
        let event = Event { seq: 1, ..Event::new(EventKind::Label(Label::Unsure), "s", "drawn", "") };
        let own = Decisions::replay([&event]);
        assert_eq!(blind.label_of(&own, "s", "drawn"), Some(VisibleLabel::Own(Label::Unsure)));
        assert_eq!(blind.visible(&own).len(), 2);
        let open = OtherLabels::new(together(), false);
        assert_eq!(open.label_of(&none, "s", "drawn").map(VisibleLabel::word), Some("(not)"));
    }
}
