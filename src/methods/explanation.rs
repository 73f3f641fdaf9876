//! Why two documents match or not: a tree that the command line prints and a screen folds open.

use std::ops::Range;

use serde::Serialize;

/// Which of the two documents a span lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Source,
    Target,
}

impl Side {
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Target => "target",
        }
    }
}

/// How the spans of a claim can be used to check it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Without the spans of all evidence the target no longer matches; with those of any one piece left in it still does.
    Evidence,
    /// The pair matches when the span of every change in the target is replaced by that in the source.
    Change,
}

/// How many evidences or changes of one claim are printed; the tree keeps all.
const PRINTED: usize = 20;

/// One claim with its value, the places in the texts that show it, and the claims that it rests on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// One sentence.
    pub claim: String,
    /// Its number, where it has one; that of the headline equals the result of `compare`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Byte spans in the canonical texts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<(Side, Range<usize>)>,
    /// What the claim rests on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Explanation>,
    /// What may be done with the spans; most claims are only to be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
}

impl Explanation {
    pub fn new(claim: impl Into<String>, value: impl Into<Option<f64>>) -> Self {
        Self { claim: claim.into(), value: value.into(), spans: Vec::new(), parts: Vec::new(), role: None }
    }

    #[must_use]
    pub fn with(mut self, parts: Vec<Explanation>) -> Self {
        self.parts = parts;
        self
    }

    /// Adds a place in a text.
    #[must_use]
    pub fn at(mut self, side: Side, span: Range<usize>) -> Self {
        self.spans.push((side, span));
        self
    }

    #[must_use]
    pub fn with_role(mut self, role: Role) -> Self {
        self.role = Some(role);
        self
    }

    /// Every claim of the tree that has this role, in the order of the tree.
    pub fn claims_with(&self, role: Role) -> Vec<&Explanation> {
        let own = Some(self).filter(|this| this.role == Some(role));
        own.into_iter().chain(self.parts.iter().flat_map(|part| part.claims_with(role))).collect()
    }

    /// The spans in one of the two documents.
    pub fn spans_in(&self, side: Side) -> impl Iterator<Item = Range<usize>> + '_ {
        self.spans.iter().filter(move |(other, _)| *other == side).map(|(_, span)| span.clone())
    }

    /// Lines of the tree, two spaces a level. Of many evidences or changes the first 20 are printed and the rest counted.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        self.write(0, &mut lines);
        lines
    }

    fn write(&self, depth: usize, lines: &mut Vec<String>) {
        lines.push(format!("{}{}", "  ".repeat(depth), self.claim));
        let mut acted_on = 0;
        for part in &self.parts {
            acted_on += usize::from(part.role.is_some());
            if part.role.is_none() || acted_on <= PRINTED {
                part.write(depth + 1, lines);
            }
        }
        if acted_on > PRINTED {
            lines.push(format!("{}… and {} more", "  ".repeat(depth + 1), acted_on - PRINTED));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_role_is_written_only_where_there_is_one() {
        let plain = Explanation::new("plain", 1.0);
        assert_eq!(serde_json::to_string(&plain).unwrap(), r#"{"claim":"plain","value":1.0}"#);
        let change = Explanation::new("x", None).at(Side::Target, 1..2).with_role(Role::Change);
        let json = r#"{"claim":"x","spans":[["target",{"start":1,"end":2}]],"role":"change"}"#;
        assert_eq!(serde_json::to_string(&change).unwrap(), json);
        assert_eq!(change.spans_in(Side::Target).next(), Some(1..2));
        assert_eq!(change.spans_in(Side::Source).count(), 0);
    }

    #[test]
    fn twenty_are_printed_and_all_are_kept() {
        let part = |i: usize| Explanation::new(format!("piece {i}"), None).with_role(Role::Evidence);
        let tree = |many: usize| {
            let last = Explanation::new("said anyway", None);
            let carried = Explanation::new("all", None).with((0..many).map(part).chain([last]).collect());
            Explanation::new("head", None).with(vec![carried])
        };
        assert_eq!(tree(20).lines().len(), 23);
        assert_eq!(tree(20).lines()[22], "    said anyway");
        assert_eq!(tree(33).lines().len(), 24);
        assert_eq!(tree(33).lines()[21..], ["    piece 19", "    said anyway", "    … and 13 more"]);
        assert_eq!(tree(33).claims_with(Role::Evidence).len(), 33);
        assert!(tree(33).claims_with(Role::Change).is_empty());
    }
}
