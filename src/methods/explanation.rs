//! Why two documents match or not: a tree that the command line prints and a screen folds open.

use std::ops::Range;

use serde::Serialize;

/// Which of the two documents a span lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The document whose twin is looked for.
    Source,
    /// The document it is compared with.
    Target,
}

/// One claim with its value, the places in the texts that bear it out, and the claims it rests on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The claim, one sentence.
    pub claim: String,
    /// Its number; the headline's equals what `compare` said. Not a number, and left out, where there is none.
    #[serde(skip_serializing_if = "is_none")]
    pub value: f64,
    /// Byte spans in the canonical texts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<(Side, Range<usize>)>,
    /// What the claim rests on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Explanation>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_none(value: &f64) -> bool {
    value.is_nan()
}

impl Explanation {
    /// A claim that rests on nothing further.
    pub fn new(claim: impl Into<String>, value: f64) -> Self {
        Self { claim: claim.into(), value, spans: Vec::new(), parts: Vec::new() }
    }

    /// The same claim with its parts.
    #[must_use]
    pub fn with(mut self, parts: Vec<Explanation>) -> Self {
        self.parts = parts;
        self
    }

    /// The same claim with a place in a text.
    #[must_use]
    pub fn at(mut self, side: Side, span: Range<usize>) -> Self {
        self.spans.push((side, span));
        self
    }

    /// Lines of the tree, two spaces a level.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        self.write(0, &mut lines);
        lines
    }

    fn write(&self, depth: usize, lines: &mut Vec<String>) {
        lines.push(format!("{}{}", "  ".repeat(depth), self.claim));
        for part in &self.parts {
            part.write(depth + 1, lines);
        }
    }
}
