//! Near-duplicates inside the source that were judged differently.

use serde::Serialize;

use crate::numbers::{count, plural};
use crate::result::Report;
use crate::table::Table;
use crate::topics::{TopicName, grades_cell, judged_names};
use dejaview_study::{JoinedBy, JudgedGroup, JudgedGroups, PatchRule};

/// Most groups that the table lists; JSON lists all.
const LISTED: usize = 50;

/// The groups, and how many judgments a patch by a rule changes.
#[derive(Debug, Serialize)]
pub struct JudgedGroupsReport<'a> {
    counted: &'a str,
    pairs: u64,
    groups: u64,
    inconsistent: Vec<JudgedGroupRow<'a>>,
    rule: &'static str,
    changes: usize,
    #[serde(skip)]
    how: JoinedBy,
    /// Whether the patch was written.
    #[serde(skip)]
    written: bool,
}

#[derive(Debug, Serialize)]
struct JudgedGroupRow<'a> {
    documents: Vec<&'a str>,
    pairs: u64,
    possible: u64,
    weakest: f64,
    topics: Vec<JudgedGroupTopic<'a>>,
}

/// A topic for which members of a group were judged differently.
#[derive(Debug, Serialize)]
struct JudgedGroupTopic<'a> {
    #[serde(flatten)]
    topic: TopicName<'a>,
    judgments: Vec<JudgedAs<'a>>,
}

#[derive(Debug, Serialize)]
struct JudgedAs<'a> {
    document: &'a str,
    grade: &'a str,
}

impl<'a> JudgedGroupsReport<'a> {
    /// The groups, with so many changes of a patch by a rule, which was written or only counted.
    pub fn new(judged: &'a JudgedGroups, rule: PatchRule, changes: usize, written: bool) -> Self {
        Self {
            counted: &judged.counted,
            pairs: judged.pairs,
            groups: judged.groups,
            inconsistent: judged.inconsistent.iter().map(|group| JudgedGroupRow::new(judged, group)).collect(),
            rule: rule.name(),
            changes,
            how: judged.how,
            written,
        }
    }
}

impl<'a> JudgedGroupRow<'a> {
    fn new(groups: &'a JudgedGroups, group: &'a JudgedGroup) -> Self {
        let judgments = &groups.judgments;
        let judged_as = |number: &u32| {
            let row = &judgments.rows()[*number as usize];
            let (document, grade) = judged_names(judgments, row.document, row.grade);
            JudgedAs { document, grade }
        };
        let topic = |(topic, numbers): &(u32, Vec<u32>)| JudgedGroupTopic {
            topic: TopicName::new(judgments, *topic),
            judgments: numbers.iter().map(judged_as).collect(),
        };
        Self {
            documents: group.group.members.iter().map(|&m| judgments.documents()[m as usize].as_str()).collect(),
            pairs: group.group.pairs,
            possible: group.group.possible(None),
            weakest: group.group.weakest.score,
            topics: group.topics.iter().map(topic).collect(),
        }
    }
}

impl Report for JudgedGroupsReport<'_> {
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
        if self.how == JoinedBy::Target {
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
