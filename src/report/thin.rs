//! What was removed from run files and qrels.

use std::path::PathBuf;

use serde::Serialize;

use crate::groups::{refused_note, representative_rule};
use crate::numbers::{count, plural};
use crate::result::{Report, serialize_path};
use crate::table::Table;
use dejaview_study::{Groups, RULE, Thinned, Thinner};

#[derive(Debug, Serialize)]
pub struct ThinReport {
    rule: &'static str,
    representative: &'static str,
    /// Pairs that people labelled not near-duplicates: they make no group.
    refused: u64,
    grouped: Grouped,
    files: Vec<ThinnedFile>,
}

/// Documents of each side that are in a group with another of their side.
#[derive(Debug, Serialize)]
struct Grouped {
    source: usize,
    target: usize,
}

#[derive(Debug, Serialize)]
pub struct ThinnedFile {
    #[serde(serialize_with = "serialize_path")]
    pub file: PathBuf,
    #[serde(flatten)]
    pub thinned: Thinned,
}

impl ThinReport {
    pub fn new(groups: &Groups, thinner: &Thinner, files: Vec<ThinnedFile>) -> Self {
        let [source, target] = thinner.documents();
        Self {
            rule: RULE,
            representative: representative_rule(groups),
            refused: groups.refused,
            grouped: Grouped { source, target },
            files,
        }
    }
}

impl Report for ThinReport {
    fn tables(&self) -> Vec<Table> {
        let head = ["file", "lines", "taken out", "renamed", "grades differ"];
        let mut table = Table::new("thin", "Near-duplicates taken out", &head).right(1..head.len());
        for ThinnedFile { file, thinned } in &self.files {
            let numbers = [thinned.lines, thinned.removed, thinned.renamed, thinned.conflicts].map(count);
            table.row(std::iter::once(file.display().to_string()).chain(numbers));
        }
        table.note(format!("rule: {}", self.rule));
        table.note("renamed: lines that are kept under another id, that of the representative of their group");
        table.note(format!("representative: {}", self.representative));
        refused_note(self.refused).into_iter().for_each(|note| table.note(note));
        table.note(format!(
            "{} of the source and {} of the target are in a group with another of their side; two of one side were never compared: \
             they hang together by way of the other side",
            plural(self.grouped.source as u64, "document"),
            plural(self.grouped.target as u64, "document")
        ));
        vec![table]
    }
}
