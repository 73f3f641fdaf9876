//! The lines of the list: topics, and below each open topic its judgments.

use std::collections::HashSet;

use crate::data::ArrangedJudgments;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutlineLine {
    Topic(usize),
    /// By its place in the tree, with its topic.
    Judgment {
        topic: usize,
        judgment: usize,
    },
}

#[derive(Debug, Default)]
pub(super) struct Outline {
    arranged: ArrangedJudgments,
    open: HashSet<usize>,
    /// Topics that have a judgment to show, each with its line.
    topic_lines: Vec<(usize, usize)>,
    lines: usize,
    pub(super) is_arranged: bool,
}

impl Outline {
    /// Takes judgments in another order, or others; open topics stay open. At first the first topic is open.
    pub(super) fn arrange(&mut self, arranged: ArrangedJudgments, open_all: bool) {
        self.arranged = arranged;
        if open_all {
            self.open = (0..self.arranged.topics()).collect();
        }
        self.count_lines();
        if !std::mem::replace(&mut self.is_arranged, true) {
            let first = self.topic_lines.first().map(|(topic, _)| *topic);
            first.into_iter().for_each(|topic| self.set_open(topic, true));
        }
    }

    fn count_lines(&mut self) {
        self.topic_lines.clear();
        self.lines = 0;
        for topic in 0..self.arranged.topics() {
            let judgments = self.arranged.range(topic).len();
            if judgments > 0 {
                self.topic_lines.push((topic, self.lines));
                self.lines += 1 + if self.open.contains(&topic) { judgments } else { 0 };
            }
        }
    }

    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// Judgments of all topics, open or not.
    pub(super) fn judgments(&self) -> usize {
        self.arranged.judgments.len()
    }

    pub(super) fn judgments_of(&self, topic: usize) -> &[u32] {
        self.arranged.of_topic(topic)
    }

    /// The topics shown.
    pub(super) fn topics(&self) -> impl ExactSizeIterator<Item = usize> {
        self.topic_lines.iter().map(|(topic, _)| *topic)
    }

    /// The position of a topic among those shown.
    pub(super) fn topic_position(&self, topic: usize) -> usize {
        self.topic_lines.iter().position(|(shown, _)| *shown == topic).unwrap_or_default()
    }

    /// The position of a judgment among those of its topic.
    pub(super) fn position_in_topic(&self, topic: usize, judgment: usize) -> usize {
        self.judgments_of(topic).iter().position(|place| *place as usize == judgment).unwrap_or_default()
    }

    pub(super) fn is_open(&self, topic: usize) -> bool {
        self.open.contains(&topic)
    }

    pub(super) fn set_open(&mut self, topic: usize, open: bool) {
        if open {
            self.open.insert(topic);
        } else {
            self.open.remove(&topic);
        }
        self.count_lines();
    }

    pub(super) fn close_all(&mut self) {
        self.open.clear();
        self.count_lines();
    }

    /// Opens all topics, or closes all when one is open.
    pub(super) fn toggle_all(&mut self) {
        if self.open.is_empty() {
            self.open = self.topic_lines.iter().map(|(topic, _)| *topic).collect();
        } else {
            self.open.clear();
        }
        self.count_lines();
    }

    pub(super) fn line(&self, line: usize) -> Option<OutlineLine> {
        let last = self.topic_lines.partition_point(|(_, first)| *first <= line).checked_sub(1)?;
        let (topic, topic_line) = self.topic_lines[last];
        match line - topic_line {
            0 => Some(OutlineLine::Topic(topic)),
            below => {
                let judgment = self.judgments_of(topic).get(below - 1).filter(|_| self.is_open(topic))?;
                Some(OutlineLine::Judgment { topic, judgment: *judgment as usize })
            }
        }
    }

    /// The line of a topic or judgment; for a judgment whose topic is closed the line of the topic.
    pub(super) fn line_of(&self, what: OutlineLine) -> Option<usize> {
        let topic_line =
            |topic: usize| self.topic_lines.iter().find(|(shown, _)| *shown == topic).map(|(_, line)| *line);
        match what {
            OutlineLine::Topic(topic) => topic_line(topic),
            OutlineLine::Judgment { topic, judgment } => {
                let line = topic_line(topic)?;
                let below = self.judgments_of(topic).iter().position(|place| *place as usize == judgment);
                Some(below.filter(|_| self.is_open(topic)).map_or(line, |below| line + 1 + below))
            }
        }
    }

    /// The line of the next topic, or of the previous one.
    pub(super) fn neighbouring_topic(&self, line: usize, next: bool) -> Option<usize> {
        let mut lines = self.topic_lines.iter().map(|(_, line)| *line);
        if next { lines.find(|other| *other > line) } else { lines.rfind(|other| *other < line) }
    }

    /// The next judgment from a line on, or the previous one, that passes; after the last comes the first.
    pub(super) fn find(
        &self,
        line: usize,
        forward: bool,
        passes: impl Fn(usize, usize) -> bool,
    ) -> Option<OutlineLine> {
        let len = self.judgments();
        let (before, on_judgment) = match self.line(line) {
            Some(OutlineLine::Topic(topic)) => (self.arranged.range(topic).start, false),
            Some(OutlineLine::Judgment { topic, judgment }) => {
                (self.arranged.range(topic).start + self.position_in_topic(topic, judgment), true)
            }
            None => (0, false),
        };
        let position = |step: usize| match forward {
            true => (before + usize::from(on_judgment) + step) % len,
            false => (before + len - 1 - step) % len,
        };
        let at = |position: usize| (self.arranged.topic_of(position), self.arranged.judgments[position] as usize);
        let (topic, judgment) =
            (0..len).map(|step| at(position(step))).find(|(topic, judgment)| passes(*topic, *judgment))?;
        Some(OutlineLine::Judgment { topic, judgment })
    }
}
