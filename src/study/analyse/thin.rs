//! Near-duplicates taken out of runs and judgments, by groups.
//!
//! The rule: of the documents of one group and one side only one is left, under the id of the group's representative on
//! that side. In a run it takes the place of the best ranked of them; in judgments it gets the highest grade that any of
//! them has for the topic. Runs and judgments so stay consistent with each other.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use crate::analyse::groups::{Groups, Node};
use dejaview_base::escaping::escape_id;
use dejaview_corpus::qrels::Judgments;
use dejaview_corpus::runs::Run;

/// The rule, in words.
pub const RULE: &str = "of each group one document of a side is left, under the id of the group's representative there: in a run at \
                        the best rank of its members, in judgments with their highest grade";

/// Who stands for whom.
#[derive(Debug, Default)]
pub struct Thinner {
    /// On each side, the representative of every document that is in a group with another of its side.
    representatives: [HashMap<String, String>; 2],
}

/// How much was taken out of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Thinned {
    /// Number of lines before.
    pub lines: u64,
    /// Lines that were taken out.
    pub removed: u64,
    /// Lines that are kept under another id, that of the representative of their document.
    pub renamed: u64,
    /// Topics and groups whose members had different grades.
    pub conflicts: u64,
}

impl Thinner {
    /// Of the groups of a study.
    pub fn new(groups: &Groups) -> Self {
        let mut thinner = Self::default();
        for group in &groups.groups {
            for (side, representatives) in thinner.representatives.iter_mut().enumerate() {
                let mine = |node: &Node| node.sides()[side];
                let members: Vec<&String> = group
                    .members
                    .iter()
                    .map(|&member| &groups.nodes[member as usize])
                    .filter(|node| mine(node))
                    .map(|node| &node.id)
                    .collect();
                let representative = groups.representative_of(group, mine);
                if let (Some(representative), true) = (representative, members.len() > 1) {
                    let id = &groups.nodes[representative as usize].id;
                    representatives.extend(members.into_iter().map(|member| (member.clone(), id.clone())));
                }
            }
        }
        thinner
    }

    /// Documents of the source and of the target that are in a group with another of their side.
    pub fn documents(&self) -> [usize; 2] {
        [self.representatives[0].len(), self.representatives[1].len()]
    }

    /// The side of which most of these ids are known; the source when there is a tie.
    fn side<'a>(&self, ids: impl Iterator<Item = &'a str> + Clone) -> &HashMap<String, String> {
        let known = |side: usize| ids.clone().filter(|id| self.representatives[side].contains_key(*id)).count();
        &self.representatives[usize::from(known(1) > known(0))]
    }

    /// A run without near-duplicates, as lines, ranks counted anew.
    pub fn run(&self, run: &Run) -> (Vec<String>, Thinned) {
        let representatives = self.side(run.topics.values().flatten().map(|retrieved| retrieved.document.as_str()));
        let (mut lines, mut thinned) = (Vec::new(), Thinned::default());
        for (topic, retrieved) in &run.topics {
            let (mut seen, mut rank) = (HashSet::new(), 0);
            for one in retrieved {
                let id = representatives.get(&one.document).unwrap_or(&one.document);
                thinned.lines += 1;
                if !seen.insert(id) {
                    thinned.removed += 1;
                    continue;
                }
                rank += 1;
                thinned.renamed += u64::from(*id != one.document);
                lines.push(format!("{topic} Q0 {} {rank} {} {}", escape_id(id), one.score, run.tag));
            }
        }
        (lines, thinned)
    }

    /// Judgments without near-duplicates, as lines of one track each: `topic 0 document grade`, with the subtopic in column
    /// 2 where there are subtopics.
    pub fn judgments(&self, judgments: &Judgments) -> (BTreeMap<String, Vec<String>>, Thinned) {
        let representatives = self.side(judgments.documents().iter().map(String::as_str));
        let mut thinned = Thinned { lines: judgments.rows().len() as u64, ..Thinned::default() };
        // Of each line its grade, and whether it is of the representative itself.
        let mut best: BTreeMap<(u32, &str), Vec<(u32, bool)>> = BTreeMap::new();
        for row in judgments.rows() {
            let document = &judgments.documents()[row.document as usize];
            let id = representatives.get(document).unwrap_or(document);
            best.entry((row.topic, id)).or_default().push((row.grade, id == document));
        }
        let mut tracks: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for ((topic, id), lines) in best {
            thinned.removed += lines.len() as u64 - 1;
            let first = |line: &(u32, bool)| judgments.first_of_same(line.0);
            thinned.conflicts += u64::from(lines.iter().any(|line| first(line) != first(&lines[0])));
            let order = |grade| judgments.grade_order(judgments.first_of_same(grade));
            let kept = lines.into_iter().max_by_key(|&(grade, own)| (order(grade), own));
            let Some((grade, own)) = kept else { continue };
            thinned.renamed += u64::from(!own);
            let topic = &judgments.topics()[topic as usize];
            let second = if topic.subtopic.is_empty() { "0" } else { &topic.subtopic };
            let (id, grade) = (escape_id(id), &judgments.grades()[grade as usize]);
            let line = format!("{} {second} {id} {grade}", topic.number);
            tracks.entry(judgments.tracks()[topic.track as usize].clone()).or_default().push(line);
        }
        (tracks, thinned)
    }
}
