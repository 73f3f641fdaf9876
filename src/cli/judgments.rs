//! `dejaview judgments`: how many there are, of what, and which contradict each other.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};

use super::args::TableFormat;
use super::evaluate::print;
use super::output::{Output, say};
use super::run::{threads, watched};
use dejaview_corpus::qrels::{FileSummary, Judgment, Judgments, Scope};
use dejaview_report::charts::text::filled;
use dejaview_report::groups::twins as twins_table;
use dejaview_report::numbers::{count, plural};
use dejaview_report::table::lines;
use dejaview_report::transfer::topic_of;
use dejaview_study::{Change, PatchRule, Snapshot, TwinGroup, Twins};

/// Arguments of `judgments`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview judgments study --inconsistent\n\
         dejaview judgments study --groups --patch judgments.patch")]
pub struct Args {
    /// Folder of the study; it need not have been run, nor its documents be there
    pub study: PathBuf,
    /// List every judgment: track, topic, subtopic, document, grade as written
    #[arg(long, conflicts_with = "inconsistent")]
    pub list: bool,
    /// List the documents that were judged differently within a topic, and those that have other grades in one track than in
    /// another, where the topics are others, too
    #[arg(long)]
    pub inconsistent: bool,
    /// Look for near-duplicates inside the source that were judged differently: by their texts, or, in a study
    /// without documents, by targets that they have in common
    #[arg(long, conflicts_with_all = ["list", "inconsistent"])]
    pub groups: bool,
    /// Least Jaccard (at the n of the study) of near-duplicates inside the source
    #[arg(long, default_value_t = 0.9, value_name = "X", requires = "groups")]
    pub least: f64,
    /// Write a patch of the qrels that gives the members of a group one grade
    #[arg(long, value_name = "FILE", requires = "groups")]
    pub patch: Option<PathBuf>,
    /// Which grade they get: majority (on a tie the higher), highest or lowest
    #[arg(long, default_value = "majority", requires = "groups")]
    pub rule: PatchRule,
    /// Threads to use; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}

/// Columns of the longest bar of the chart of grades.
const BAR: usize = 40;

pub fn judgments(args: &Args, output: &mut Output) -> Result<()> {
    let study = Snapshot::open(&args.study)?;
    if args.groups {
        return groups(&study, args, output);
    }
    let Some(judgments) = study.judgments()? else {
        bail!("this study has no judgments; add `judgments = [\"…\"]` to [source] in its study.toml");
    };
    if args.list {
        return list(judgments, output);
    }
    if args.inconsistent {
        return inconsistent(judgments, output);
    }
    if output.json { output.json(&as_json(judgments)) } else { tables(judgments, output) }
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
    let (within, across) = judgments.judged_differently();
    json!({
        "lines": judgments.rows().len(),
        "documents": judgments.documents().len(),
        "topics": judgments.topic_count(),
        "grades": grades(&judgments.grade_counts()),
        "tracks": tracks,
        "inconsistent": { "within_topic": within, "across_tracks": across },
        "skipped": skipped,
        "suspicious": suspicions(judgments),
        "files": judgments.files().iter().map(read_file).collect::<Vec<_>>(),
    })
}

fn read_file(file: &FileSummary) -> Value {
    json!({ "file": file.path.display().to_string(), "lines": file.lines, "columns": file.columns })
}

/// Names of files by what their columns were read as, in the order of the first of each.
fn read_as(judgments: &Judgments) -> Vec<(&'static str, String)> {
    let mut all: Vec<(&str, String)> = Vec::new();
    for file in judgments.files() {
        let name = file.path.file_name().unwrap_or_default().to_string_lossy();
        match all.iter_mut().find(|(columns, _)| *columns == file.columns) {
            Some((_, names)) => names.push_str(&format!(", {name}")),
            None => all.push((file.columns, name.into_owned())),
        }
    }
    all
}

/// Files of which the wrong column may have been read.
fn suspicions(judgments: &Judgments) -> Vec<Value> {
    let of =
        |file: &FileSummary| Some(json!({ "file": file.path.display().to_string(), "why": file.suspicion.as_ref()? }));
    judgments.files().iter().filter_map(of).collect()
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
    output.rows(&rows, &right)?;
    output.line("")?;
    let highest = all.iter().map(|(_, n)| *n).max().unwrap_or(0);
    let bars: Vec<Vec<String>> = all
        .iter()
        .map(|(grade, n)| vec![format!("grade {grade}"), filled(*n, highest, BAR, false), count(*n)])
        .collect();
    for line in lines(&bars, &[0]) {
        output.line(line)?;
    }
    output.line("")?;
    output.prose(&differently(judgments.judged_differently()))?;
    for (columns, files) in read_as(judgments) {
        output.prose(&format!("read as {columns}: {files}"))?;
    }
    complain(judgments);
    Ok(())
}

/// How often documents were judged differently within a topic, and how many have other grades from track to track.
fn differently((within, across): (u64, u64)) -> String {
    let pairs = plural(within, "topic–document pair");
    let which = match across {
        0 => return format!("judged differently: {pairs} (a document within one topic; --inconsistent lists them)"),
        1 => "1 document has".to_owned(),
        n => format!("{} documents have", count(n)),
    };
    format!(
        "judged differently: {pairs} (a document within one topic); {which} other grades in one track than in another, which is \
         no contradiction, since the topics are others, too (--inconsistent lists both)"
    )
}

/// Lines of judgments that are named one by one.
const NAMED: usize = 20;

/// Says which lines of judgments were not read, and of which files the wrong column may have been.
pub fn complain(judgments: &Judgments) {
    let path = |file: u32| judgments.files()[file as usize].path.display();
    for skipped in judgments.skipped().iter().take(NAMED) {
        say(&format!("{}, line {}: not read: {}", path(skipped.file), skipped.line, skipped.reason));
    }
    if judgments.skipped().len() > NAMED {
        say(&format!("… and {} more", judgments.skipped().len() - NAMED));
    }
    for file in judgments.files() {
        if let Some(why) = &file.suspicion {
            say(&format!("{}: {why}", file.path.display()));
        }
    }
}

/// Groups that are listed for people.
const LISTED: usize = 50;

/// Near-duplicates inside the source that were judged differently, and the patch for it.
fn groups(study: &Snapshot, args: &Args, output: &mut Output) -> Result<()> {
    let twins = watched(|bar| dejaview_study::twins(study, args.least, threads(args.threads), bar))?;
    let changes = twins.changes(args.rule);
    if let Some(path) = &args.patch {
        let patch = dejaview_study::qrels_patch(study, &twins, &changes)?;
        std::fs::write(path, patch).with_context(|| format!("writing {}", path.display()))?;
    }
    if output.json {
        return output.json(&groups_json(&twins, args.rule, &changes));
    }
    let mut table = twins_table(&twins, LISTED);
    let would = if args.patch.is_some() { "changes" } else { "would change" };
    table.note(format!("a patch by {} {would} {}", args.rule.name(), plural(changes.len() as u64, "judgment")));
    print(&[table], None, TableFormat::Text, output)
}

fn groups_json(twins: &Twins, rule: PatchRule, changes: &[Change]) -> Value {
    let judgments = &twins.judgments;
    let judged = |number: u32| {
        let row = &judgments.rows()[number as usize];
        json!({ "document": judgments.documents()[row.document as usize], "grade": judgments.grades()[row.grade as usize] })
    };
    let group = |twin: &TwinGroup| {
        let members: Vec<&String> = twin.group.members.iter().map(|&m| &judgments.documents()[m as usize]).collect();
        let topics: Vec<Value> = twin
            .topics
            .iter()
            .map(|(topic, numbers)| {
                let [track, topic, subtopic] = topic_of(judgments, *topic);
                let judged: Vec<Value> = numbers.iter().map(|&n| judged(n)).collect();
                json!({ "track": track, "topic": topic, "subtopic": subtopic, "judgments": judged })
            })
            .collect();
        let (direct, possible) = (twin.group.pairs, twin.group.possible(None));
        json!({ "documents": members, "pairs": direct, "possible": possible, "weakest": twin.group.weakest.score, "topics": topics })
    };
    json!({
        "counted": twins.counted,
        "pairs": twins.pairs,
        "groups": twins.groups,
        "inconsistent": twins.inconsistent.iter().map(group).collect::<Vec<_>>(),
        "rule": rule.name(),
        "changes": changes.len(),
    })
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
