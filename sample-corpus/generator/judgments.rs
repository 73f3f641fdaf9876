//! Topics and qrels. Each page is judged for the topic of its work; some for another one too, where it is no use.

use std::collections::BTreeMap;

use crate::{
    plan::{Page, Plan},
    rng::Rng,
};

/// Query and description of the ten topics, numbered from 1.
const TOPICS: [(&str, &str); 10] = [
    ("lighthouse fresnel lens", "How does the lens of a lighthouse work, and where can one be seen?"),
    ("easy bread and jam recipes", "Find recipes for bread and preserves that a beginner can follow."),
    ("extinct flightless birds", "Which birds that could not fly have died out, when, and why?"),
    ("tide times and tide mills", "When is high water, and what can be driven with it?"),
    ("lantern coast league box scores", "Find results and box scores of games in the Lantern Coast League."),
    ("waterproof walking jacket", "Where can a waterproof jacket be bought, and how is it kept waterproof?"),
    ("saltmarsh council planning and sea wall", "What has the council of Saltmarsh decided or announced?"),
    ("byzantine mosaic technique", "How were the mosaics of Byzantium made? Related crafts are of some use."),
    ("moths that come to light", "Which moths visit a lamp at night, and why do they?"),
    ("restoring an old valve radio", "How is an old radio set repaired without harm to it or to the owner?"),
];

/// The topic file.
pub fn topics() -> String {
    let mut out = "<topics>\n".to_owned();
    for (i, (query, description)) in TOPICS.iter().enumerate() {
        let number = i + 1;
        out.push_str(&format!(
            "  <topic number=\"{number}\">\n    <query>{query}</query>\n    <description>{description}</description>\n  </topic>\n"
        ));
    }
    out + "</topics>\n"
}

/// The judgments, sorted by topic and document. Of every eighth group of twins one is graded differently.
pub fn qrels(plan: &Plan, id: impl Fn(usize) -> String, seed: u64) -> String {
    let mut rng = Rng::named(seed, "qrels");
    let mut lines = Vec::new();
    let mut seen: BTreeMap<usize, usize> = BTreeMap::new();
    let mut twins = 0_usize;
    for (index, page) in plan.source.iter().enumerate() {
        let work = &plan.works[page.work];
        let topic: usize = work.get("topic").parse().unwrap_or(1);
        let mut grade: i64 = work.get("grade").parse().unwrap_or(0);
        let copies = seen.entry(page.work).or_default();
        *copies += 1;
        if *copies == 2 {
            twins += 1;
            if twins % 8 == 1 {
                grade = disagree(grade);
            }
        }
        lines.push((topic, index, grade));
        if rng.chance(24) {
            let other = 1 + (topic + rng.below(9)) % TOPICS.len();
            if other != topic {
                lines.push((other, index, second_grade(page, plan)));
            }
        }
    }
    lines.sort_unstable();
    lines.iter().map(|(topic, index, grade)| format!("{topic} 0 {} {grade}\n", id(*index))).collect()
}

/// Another assessor, another day.
fn disagree(grade: i64) -> i64 {
    if grade >= 2 { grade - 2 } else { grade + 1 }
}

/// Listings count as junk where they do not belong; anything else is merely off topic.
fn second_grade(page: &Page, plan: &Plan) -> i64 {
    match plan.works[page.work].get("genre") {
        "directory" => -2,
        _ => 0,
    }
}
