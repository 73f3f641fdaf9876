//! Near-duplicates inside the source that were judged differently.

use serde::Serialize;

use crate::numbers::{count, plural};
use crate::result::Report;
use crate::table::Table;
use crate::topics::{TopicName, grades_cell, judged_names};
use dejaview_study::{PatchRule, TwinGroup, Twinned, Twins};

/// Most groups that the table lists; JSON lists all.
const LISTED: usize = 50;

/// The groups, and how many judgments a patch by a rule changes.
#[derive(Debug, Serialize)]
pub struct TwinsReport<'a> {
    counted: &'a str,
    pairs: u64,
    groups: u64,
    inconsistent: Vec<TwinsRow<'a>>,
    rule: &'static str,
    changes: usize,
    #[serde(skip)]
    how: Twinned,
    /// Whether the patch was written.
    #[serde(skip)]
    written: bool,
}

#[derive(Debug, Serialize)]
struct TwinsRow<'a> {
    documents: Vec<&'a str>,
    pairs: u64,
    possible: u64,
    weakest: f64,
    topics: Vec<TwinsTopic<'a>>,
}

/// A topic for which members of a group were judged differently.
#[derive(Debug, Serialize)]
struct TwinsTopic<'a> {
    #[serde(flatten)]
    topic: TopicName<'a>,
    judgments: Vec<JudgedAs<'a>>,
}

#[derive(Debug, Serialize)]
struct JudgedAs<'a> {
    document: &'a str,
    grade: &'a str,
}

impl<'a> TwinsReport<'a> {
    /// The groups, with so many changes of a patch by a rule, which was written or only counted.
    pub fn new(twins: &'a Twins, rule: PatchRule, changes: usize, written: bool) -> Self {
        Self {
            counted: &twins.counted,
            pairs: twins.pairs,
            groups: twins.groups,
            inconsistent: twins.inconsistent.iter().map(|group| TwinsRow::new(twins, group)).collect(),
            rule: rule.name(),
            changes,
            how: twins.how,
            written,
        }
    }
}

impl<'a> TwinsRow<'a> {
    fn new(twins: &'a Twins, twin: &'a TwinGroup) -> Self {
        let judgments = &twins.judgments;
        let judged_as = |number: &u32| {
            let row = &judgments.rows()[*number as usize];
            let (document, grade) = judged_names(judgments, row.document, row.grade);
            JudgedAs { document, grade }
        };
        let topic = |(topic, numbers): &(u32, Vec<u32>)| TwinsTopic {
            topic: TopicName::new(judgments, *topic),
            judgments: numbers.iter().map(judged_as).collect(),
        };
        Self {
            documents: twin.group.members.iter().map(|&m| judgments.documents()[m as usize].as_str()).collect(),
            pairs: twin.group.pairs,
            possible: twin.group.possible(None),
            weakest: twin.group.weakest.score,
            topics: twin.topics.iter().map(topic).collect(),
        }
    }
}

impl Report for TwinsReport<'_> {
    fn tables(&self) -> Vec<Table> {
        let title = format!(
            "Near-duplicates inside the source judged differently: {} of {}",
            count(self.inconsistent.len() as u64),
            plural(self.groups, "group")
        );
        let head = ["documents", "direct", "weakest", "track", "topic", "judged documents and their grades"];
        let mut table = Table::new("twins", title, &head).right([0, 1, 2]);
        for group in self.inconsistent.iter().take(LISTED) {
            for topic in &group.topics {
                table.row([
                    count(group.documents.len() as u64),
                    format!("{} of {}", group.pairs, group.possible),
                    format!("{:.3}", group.weakest),
                    topic.topic.track.to_owned(),
                    topic.topic.number(),
                    grades_cell(topic.judgments.iter().map(|judged| (judged.document, judged.grade))),
                ]);
            }
        }
        table.note(format!("counted: {}; {} of judged documents", self.counted, plural(self.pairs, "pair")));
        table.note(
            "direct: pairs of a group that were found themselves, of those it could have; the rest is inferred from others",
        );
        if self.how == Twinned::ByTarget {
            table.note(
                "documents of the source that no target connects are not compared here: give the study its documents",
            );
        }
        let more = self.inconsistent.len().saturating_sub(LISTED);
        if more > 0 {
            table.note(format!("{} more groups (--json lists all)", count(more as u64)));
        }
        let would = if self.written { "changes" } else { "would change" };
        table.note(format!("a patch by {} {would} {}", self.rule, plural(self.changes as u64, "judgment")));
        vec![table]
    }
}
