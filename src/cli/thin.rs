//! `dejaview thin`: near-duplicates taken out of run files and qrels.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::groups::{GroupPairs, order};
use super::output::{Output, say};
use super::transfer::write_lines;
use dejaview_corpus::qrels::{self, Judgments, QrelsFile};
use dejaview_corpus::runs;
use dejaview_report::groups::rule;
use dejaview_report::numbers::{count, plural};
use dejaview_report::table::Table;
use dejaview_study::{RULE, Snapshot, Thinned, Thinner};

/// Arguments of `thin`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview thin study --runs runs/*.run -o thinned --least jaccard:0.9")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// Run files of one side
    #[arg(long, num_args = 1.., value_name = "FILES")]
    pub runs: Vec<PathBuf>,
    /// Further qrels to thin, those of a transfer for one; those of the study are thinned anyway
    #[arg(long, num_args = 1.., value_name = "FILES")]
    pub qrels: Vec<PathBuf>,
    /// Folder for the results
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,
    /// Which pairs make groups
    #[command(flatten)]
    pub pairs: GroupPairs,
}

pub fn thin(args: &Args, output: &mut Output) -> Result<()> {
    let study = Snapshot::open(&args.study)?;
    let groups = dejaview_study::groups(&study, &order(&args.pairs)?)?;
    let thinner = Thinner::new(&groups);
    std::fs::create_dir_all(&args.output).with_context(|| format!("making the folder {}", args.output.display()))?;
    let mut files: Vec<(PathBuf, Thinned)> = Vec::new();
    for path in &args.runs {
        files.push(thin_run(&thinner, path, &args.output)?);
    }
    for judgments in all_judgments(&study, &args.qrels)? {
        let (tracks, thinned) = thinner.judgments(&judgments);
        for (track, lines) in &tracks {
            write_lines(&file_of(&args.output, track), lines.iter())?;
        }
        let names: Vec<&str> = tracks.keys().map(String::as_str).collect();
        files.push((file_of(&args.output, &names.join(",")), thinned));
    }
    if output.json {
        return output.json(&as_json(&thinner, rule(&groups), &files));
    }
    output.table(&table(&thinner, rule(&groups), &files))
}

fn thin_run(thinner: &Thinner, path: &Path, folder: &Path) -> Result<(PathBuf, Thinned)> {
    let run = runs::read(path)?;
    for (line, why) in &run.unread {
        say(&format!("{}, line {line}: not read: {why}", path.display()));
    }
    let (lines, thinned) = thinner.run(&run);
    let to = folder.join(path.file_name().unwrap_or_default());
    write_lines(&to, lines.iter())?;
    Ok((to, thinned))
}

fn as_json(thinner: &Thinner, representative: &str, files: &[(PathBuf, Thinned)]) -> Value {
    let [sources, targets] = thinner.documents();
    let file = |(path, thinned): &(PathBuf, Thinned)| {
        json!({
            "file": path.display().to_string(),
            "lines": thinned.lines,
            "removed": thinned.removed,
            "renamed": thinned.renamed,
            "conflicts": thinned.conflicts,
        })
    };
    json!({
        "rule": RULE,
        "representative": representative,
        "grouped": { "source": sources, "target": targets },
        "files": files.iter().map(file).collect::<Vec<_>>(),
    })
}

fn table(thinner: &Thinner, representative: &str, files: &[(PathBuf, Thinned)]) -> Table {
    let [sources, targets] = thinner.documents();
    let head = ["file", "lines", "taken out", "renamed", "grades differ"];
    let mut table = Table::new("thin", "Near-duplicates taken out", &head).right(1..head.len());
    for (path, thinned) in files {
        let numbers = [thinned.lines, thinned.removed, thinned.renamed, thinned.conflicts].map(count);
        table.row(std::iter::once(path.display().to_string()).chain(numbers));
    }
    table.note(format!("rule: {RULE}"));
    table.note("renamed: lines that are kept under another id, that of the representative of their group");
    table.note(format!("representative: {representative}"));
    table.note(format!(
        "{} of the source and {} of the target are in a group with another of their side; two of one side were never compared: \
         they hang together by way of the other side",
        plural(sources as u64, "document"),
        plural(targets as u64, "document")
    ));
    table
}

fn file_of(folder: &Path, track: &str) -> PathBuf {
    let name: String =
        track.chars().map(|c| if c.is_alphanumeric() || "+-_.,".contains(c) { c } else { '_' }).collect();
    folder.join(format!("{name}.qrels"))
}

/// Those of the study, and those of further files.
fn all_judgments(study: &Snapshot, files: &[PathBuf]) -> Result<Vec<Judgments>> {
    let mut all: Vec<Judgments> = study.session().read_judgments()?.into_iter().collect();
    if !files.is_empty() {
        let files: Vec<QrelsFile> = files.iter().map(|path| QrelsFile { path: path.clone(), track: None }).collect();
        all.push(qrels::read(&files)?);
    }
    Ok(all)
}
