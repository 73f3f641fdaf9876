//! The labels of other annotators, as far as the person at the keys may see them.
//!
//! Nobody who labels blind may know another annotator's label before deciding. While a study is labelled blind, a pair of a
//! sample therefore shows only one's own label.

use std::collections::HashMap;

use dejaview_labels::{Decisions, Label};
use dejaview_study::JointLabel;
use ratatui::style::Style;

use crate::theme::Theme;

/// By source, then target.
#[derive(Debug, Default)]
pub struct OtherLabels {
    labels: HashMap<String, HashMap<String, OtherLabel>>,
    blind: bool,
}

/// What the other annotators decided together, or what an adjudication decided.
#[derive(Debug, Clone, Copy)]
struct OtherLabel {
    /// None where they differ.
    label: Option<Label>,
    /// Whether the pair is in a sample.
    drawn: bool,
    /// Whether an adjudication decided.
    settled: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VisibleLabel {
    Own(Label),
    /// What an adjudication decided, whatever the person said.
    Settled(Label),
    /// What the other annotators decided together, where the person has not decided.
    Others(Label),
    /// The other annotators differ, and the person has not decided.
    Disputed,
    /// Others have decided, and the person must not know how.
    Hidden,
}

impl VisibleLabel {
    /// The sign of a label that may be known, or of the place of one that may not.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Hidden => "·",
            Self::Disputed => "≠",
            Self::Own(label) | Self::Settled(label) | Self::Others(label) => match label {
                Label::NearDuplicate => "●",
                Label::Not => "○",
                Label::Unsure => "◐",
            },
        }
    }

    /// The sign of a row in a list, after a blank; one without a label stays in the background.
    pub fn in_list(label: Option<Self>, theme: &Theme) -> (String, Style) {
        let (sign, style) = Self::in_cell(label, theme).unwrap_or(("·", theme.muted));
        (format!(" {sign}"), style)
    }

    /// The sign of a row in a list of other things than pairs; none without a label. One that must not be known looks like
    /// none.
    pub fn in_cell(label: Option<Self>, theme: &Theme) -> Option<(&'static str, Style)> {
        let label = label.filter(|label| *label != Self::Hidden)?;
        Some((label.sign(), if label == Self::Disputed { theme.warning } else { theme.good }))
    }
}

impl OtherLabels {
    pub fn new(together: Vec<JointLabel>, blind: bool) -> Self {
        let mut labels: HashMap<String, HashMap<String, OtherLabel>> = HashMap::new();
        for JointLabel { source, target, label, drawn, settled } in together {
            labels.entry(source).or_default().insert(target, OtherLabel { label, drawn, settled });
        }
        Self { labels, blind }
    }

    pub fn label_of(&self, own: &Decisions, source: &str, target: &str) -> Option<VisibleLabel> {
        let other = self.labels.get(source).and_then(|targets| targets.get(target));
        let settled = other.and_then(|other| other.label.filter(|_| other.settled));
        match (own.label(source, target, None), other) {
            (Some(label), _) => Some(settled.map_or(VisibleLabel::Own(label), VisibleLabel::Settled)),
            (None, Some(other)) if self.blind && other.drawn => Some(VisibleLabel::Hidden),
            (None, other) => Some(other?.label.map_or(VisibleLabel::Disputed, VisibleLabel::Others)),
        }
    }

    /// Source, target and label of every pair whose label the person may see.
    pub fn visible<'a>(&'a self, own: &'a Decisions) -> Vec<(&'a str, &'a str, Label)> {
        let mine = own.pairs(None).filter(|(_, _, decision)| decision.label().is_some());
        let mine = mine.filter_map(|(source, target, _)| match self.label_of(own, source, target)? {
            VisibleLabel::Own(label) | VisibleLabel::Settled(label) => Some((source, target, label)),
            VisibleLabel::Others(_) | VisibleLabel::Disputed | VisibleLabel::Hidden => None,
        });
        let theirs = self.labels.iter().flat_map(|(source, all)| all.keys().map(move |target| (source, target)));
        let theirs = theirs.filter_map(|(source, target)| match self.label_of(own, source, target)? {
            VisibleLabel::Others(label) => Some((source.as_str(), target.as_str(), label)),
            _ => None,
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
            label: (target != "disputed").then_some(Label::Not),
            drawn,
            settled: target == "settled",
        };
        let together =
            || vec![pair("drawn", true), pair("browsed", false), pair("settled", true), pair("disputed", false)];
        let none = Decisions::default();
        let blind = OtherLabels::new(together(), true);
        assert_eq!(blind.label_of(&none, "s", "drawn"), Some(VisibleLabel::Hidden));
        assert_eq!(blind.label_of(&none, "s", "browsed"), Some(VisibleLabel::Others(Label::Not)));
        assert_eq!(blind.label_of(&none, "s", "nobody's"), None);
        assert_eq!(blind.label_of(&none, "s", "disputed"), Some(VisibleLabel::Disputed));
        assert_eq!(blind.visible(&none), [("s", "browsed", Label::Not)]);
        let event = Event { seq: 1, ..Event::new(EventKind::Label(Label::Unsure), "s", "drawn", "") };
        let own = Decisions::replay([&event.into()]);
        assert_eq!(blind.label_of(&own, "s", "drawn"), Some(VisibleLabel::Own(Label::Unsure)));
        assert_eq!(blind.visible(&own).len(), 2);
        // What was settled holds whatever one said oneself, and is not told before.
        assert_eq!(blind.label_of(&none, "s", "settled"), Some(VisibleLabel::Hidden));
        let event = Event { seq: 1, ..Event::new(EventKind::Label(Label::NearDuplicate), "s", "settled", "") };
        let own = Decisions::replay([&event.into()]);
        assert_eq!(blind.label_of(&own, "s", "settled"), Some(VisibleLabel::Settled(Label::Not)));
        assert!(blind.visible(&own).contains(&("s", "settled", Label::Not)), "{:?}", blind.visible(&own));
        let theme = Theme::default();
        let shown = [None, Some(VisibleLabel::Hidden)].map(|label| VisibleLabel::in_list(label, &theme));
        assert_eq!(shown[0], shown[1], "who decided is not told");
        assert_eq!(VisibleLabel::in_cell(Some(VisibleLabel::Hidden), &theme), None);
        assert_eq!(VisibleLabel::in_list(Some(VisibleLabel::Disputed), &theme), (" ≠".to_owned(), theme.warning));
        let open = OtherLabels::new(together(), false);
        assert_eq!(open.label_of(&none, "s", "drawn"), Some(VisibleLabel::Others(Label::Not)));
    }
}
