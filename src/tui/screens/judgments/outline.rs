//! The lines of the list: topics, and below each open topic its documents.

use std::collections::HashSet;

use crate::data::ArrangedJudgments;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutlineLine {
    Topic(usize),
    /// A document by its place in the tree, with its topic.
    Document {
        topic: usize,
        document: usize,
    },
}

#[derive(Debug, Default)]
pub(super) struct Outline {
    arranged: ArrangedJudgments,
    open: HashSet<usize>,
    /// Topics that have a document to show, each with its line.
    topic_lines: Vec<(usize, usize)>,
    lines: usize,
    pub(super) is_arranged: bool,
}

impl Outline {
    /// Takes documents in another order, or others; open topics stay open. A single topic is open from the beginning.
    pub(super) fn arrange(&mut self, arranged: ArrangedJudgments, open_all: bool) {
        (self.arranged, self.is_arranged) = (arranged, true);
        let topics = 0..self.arranged.topics();
        if open_all || topics.len() == 1 {
            self.open = topics.collect();
        }
        self.count_lines();
    }

    fn count_lines(&mut self) {
        self.topic_lines.clear();
        self.lines = 0;
        for topic in 0..self.arranged.topics() {
            let documents = self.arranged.range(topic).len();
            if documents > 0 {
                self.topic_lines.push((topic, self.lines));
                self.lines += 1 + if self.open.contains(&topic) { documents } else { 0 };
            }
        }
    }

    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// Documents of all topics, open or not.
    pub(super) fn documents(&self) -> usize {
        self.arranged.documents.len()
    }

    pub(super) fn documents_of(&self, topic: usize) -> &[u32] {
        self.arranged.documents_of(topic)
    }

    pub(super) fn topics(&self) -> usize {
        self.topic_lines.len()
    }

    /// The position of a topic among those shown.
    pub(super) fn topic_position(&self, topic: usize) -> usize {
        self.topic_lines.iter().position(|(shown, _)| *shown == topic).unwrap_or_default()
    }

    /// The position of a document among those of all topics.
    pub(super) fn document_position(&self, topic: usize, document: usize) -> usize {
        let in_topic = self.documents_of(topic).iter().position(|place| *place as usize == document);
        self.arranged.range(topic).start + in_topic.unwrap_or_default()
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
                let document = self.documents_of(topic).get(below - 1).filter(|_| self.is_open(topic))?;
                Some(OutlineLine::Document { topic, document: *document as usize })
            }
        }
    }

    /// The line of a topic or document; for a document whose topic is closed the line of the topic.
    pub(super) fn line_of(&self, what: OutlineLine) -> Option<usize> {
        let topic_line =
            |topic: usize| self.topic_lines.iter().find(|(shown, _)| *shown == topic).map(|(_, line)| *line);
        match what {
            OutlineLine::Topic(topic) => topic_line(topic),
            OutlineLine::Document { topic, document } => {
                let line = topic_line(topic)?;
                let below = self.documents_of(topic).iter().position(|place| *place as usize == document);
                Some(below.filter(|_| self.is_open(topic)).map_or(line, |below| line + 1 + below))
            }
        }
    }

    /// The line of the next topic, or of the previous one.
    pub(super) fn neighbouring_topic(&self, line: usize, next: bool) -> Option<usize> {
        let mut lines = self.topic_lines.iter().map(|(_, line)| *line);
        if next { lines.find(|other| *other > line) } else { lines.rfind(|other| *other < line) }
    }

    /// The next document from a line on, or the previous one, that passes; from the last on with the first.
    pub(super) fn find(
        &self,
        line: usize,
        forward: bool,
        passes: impl Fn(usize, usize) -> bool,
    ) -> Option<OutlineLine> {
        let len = self.documents();
        let (before, on_document) = match self.line(line) {
            Some(OutlineLine::Topic(topic)) => (self.arranged.range(topic).start, false),
            Some(OutlineLine::Document { topic, document }) => (self.document_position(topic, document), true),
            None => (0, false),
        };
        let position = |step: usize| match forward {
            true => (before + usize::from(on_document) + step) % len,
            false => (before + len - 1 - step) % len,
        };
        let at = |position: usize| (self.arranged.topic_of(position), self.arranged.documents[position] as usize);
        let (topic, document) =
            (0..len).map(|step| at(position(step))).find(|(topic, document)| passes(*topic, *document))?;
        Some(OutlineLine::Document { topic, document })
    }
}
