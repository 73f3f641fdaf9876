//! `dejaview judgments`: how many there are, of what, and which contradict each other.

use anyhow::{Result, bail};
use serde_json::{Map, Value, json};

use super::args;
use super::output::{Output, say};
use crate::corpus::qrels::{Judgment, Judgments, Scope};
use crate::report::numbers::{count, plural};
use crate::report::table::lines;
use crate::study::Session;

pub fn judgments(args: &args::Judgments, output: &mut Output) -> Result<()> {
    let session = Session::open(&args.study)?;
    let Some(judgments) = session.judgments()? else {
        bail!("this study has no judgments; add `judgments = [\"…\"]` to [source] in its study.toml");
    };
    if args.list {
        return list(&judgments, output);
    }
    if args.inconsistent {
        return inconsistent(&judgments, output);
    }
    if output.json { output.json(&as_json(&judgments)) } else { tables(&judgments, output) }
}

fn grades(counts: &[(String, u64)]) -> Map<String, Value> {
    counts.iter().map(|(grade, n)| (grade.clone(), json!(n))).collect()
}

fn as_json(judgments: &Judgments) -> Value {
    let tracks: Vec<Value> = judgments
        .track_summaries()
        .iter()
        .map(|t| {
            json!({ "name": t.name, "lines": t.lines, "documents": t.documents, "topics": t.topics, "grades": grades(&t.grades) })
        })
        .collect();
    let skipped: Vec<Value> = judgments
        .skipped()
        .iter()
        .map(|s| {
            let file = judgments.files()[s.file as usize].path.display().to_string();
            json!({ "file": file, "line": s.line, "reason": s.reason })
        })
        .collect();
    let (within, across) = inconsistent_counts(judgments);
    json!({
        "lines": judgments.rows().len(),
        "documents": judgments.documents().len(),
        "topics": judgments.topic_count(),
        "grades": grades(&judgments.grade_counts()),
        "tracks": tracks,
        "inconsistent": { "within_topic": within, "across_tracks": across },
        "skipped": skipped,
    })
}

fn inconsistent_counts(judgments: &Judgments) -> (usize, usize) {
    let all = judgments.inconsistent();
    let within = all.iter().filter(|i| matches!(i.scope, Scope::Topic(_))).count();
    (within, all.len() - within)
}

fn tables(judgments: &Judgments, output: &mut Output) -> Result<()> {
    let all = judgments.grade_counts();
    let mut head: Vec<String> = ["track", "lines", "documents", "topics"].map(str::to_owned).into();
    head.extend(all.iter().map(|(grade, _)| grade.clone()));
    let mut rows = vec![head];
    let row = |name: &str, numbers: [u64; 3], grades: &[(String, u64)]| {
        let mut row = vec![name.to_owned()];
        row.extend(numbers.map(count));
        row.extend(all.iter().map(|(grade, _)| {
            let n = grades.iter().find(|(other, _)| other == grade).map_or(0, |(_, n)| *n);
            if n == 0 { "·".to_owned() } else { count(n) }
        }));
        row
    };
    for t in judgments.track_summaries() {
        rows.push(row(&t.name, [t.lines, t.documents, t.topics], &t.grades));
    }
    let totals = [judgments.rows().len() as u64, judgments.documents().len() as u64, judgments.topic_count()];
    rows.push(row("all", totals, &all));
    let right: Vec<usize> = (1..rows[0].len()).collect();
    for line in lines(&rows, &right) {
        output.line(line)?;
    }
    let (within, across) = inconsistent_counts(judgments);
    output.line("")?;
    output.line(format!(
        "judged differently: {} within a topic, {} across tracks (--inconsistent lists them)",
        plural(within as u64, "document"),
        plural(across as u64, "document")
    ))?;
    for skipped in judgments.skipped() {
        let file = judgments.files()[skipped.file as usize].path.display();
        say(&format!("{file}, line {}: not read: {}", skipped.line, skipped.reason));
    }
    Ok(())
}

fn list(judgments: &Judgments, output: &mut Output) -> Result<()> {
    if !output.json {
        output.line("track\ttopic\tsubtopic\tdocument\tgrade")?;
    }
    for row in judgments.rows() {
        let [track, topic, subtopic, document, grade] = fields(judgments, row);
        if output.json {
            output.json(
                &json!({ "track": track, "topic": topic, "subtopic": subtopic, "document": document, "grade": grade }),
            )?;
        } else {
            output.line(format!("{track}\t{topic}\t{subtopic}\t{document}\t{grade}"))?;
        }
    }
    Ok(())
}

fn fields<'a>(judgments: &'a Judgments, row: &Judgment) -> [&'a str; 5] {
    let topic = &judgments.topics()[row.topic as usize];
    [
        &judgments.tracks()[row.track as usize],
        &topic.number,
        &topic.subtopic,
        &judgments.documents()[row.document as usize],
        &judgments.grades()[row.grade as usize],
    ]
}

fn inconsistent(judgments: &Judgments, output: &mut Output) -> Result<()> {
    if !output.json {
        output.line("scope\tdocument\tgrades")?;
    }
    for found in judgments.inconsistent() {
        let scope = match &found.scope {
            Scope::Topic(topic) => {
                let topic = &judgments.topics()[*topic as usize];
                format!("{} {}", judgments.tracks()[topic.track as usize], topic.number)
            }
            Scope::Tracks => "across tracks".to_owned(),
        };
        let document = &judgments.documents()[found.document as usize];
        let grades: Vec<&str> = found.grades.iter().map(|&g| judgments.grades()[g as usize].as_str()).collect();
        if output.json {
            output.json(&json!({ "scope": scope, "document": document, "grades": grades }))?;
        } else {
            output.line(format!("{scope}\t{document}\t{}", grades.join(" ")))?;
        }
    }
    Ok(())
}
