//! `dejaview thin`: near-duplicates taken out of run files and qrels.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::groups::GroupPairs;
use super::open_study::OpenStudy;
use super::output::{Output, say_first};
use super::qrels::{say_unread_lines, write_lines};
use dejaview_corpus::qrels::{self, Judgments, QrelsFile};
use dejaview_corpus::runs;
use dejaview_report::thin::{ThinReport, ThinnedFile};
use dejaview_study::{OutputFile, Outputs, Snapshot, Thinned, Thinner, finish_all};

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
    /// Replace files that are there already; files of the study are never replaced
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub pairs: GroupPairs,
}

pub fn thin(args: &Args, output: &mut Output) -> Result<()> {
    let study = OpenStudy::open(&args.study)?;
    let groups = dejaview_study::groups(&study, &args.pairs.options()?)?;
    let thinner = Thinner::new(&groups);
    std::fs::create_dir_all(&args.output).with_context(|| format!("making the folder {}", args.output.display()))?;
    let outputs = Outputs::new(Some(study.session()), "thin", args.force);
    let outputs = outputs.reading(args.runs.iter().chain(&args.qrels));
    let (mut files, mut written) = (Vec::new(), Vec::new());
    for path in &args.runs {
        let (file, thinned) = thin_run(&thinner, path, &args.output, &outputs)?;
        files.push(ThinnedFile { file: file.path().to_owned(), thinned });
        written.push(file);
    }
    let mut known_tracks = BTreeSet::new();
    for judgments in all_judgments(&study, &args.qrels)? {
        say_unread_lines(&judgments);
        let (tracks, thinned) = thinner.judgments(&judgments);
        for (track, lines) in &tracks {
            if !known_tracks.insert(track.clone()) {
                bail!(
                    "a file of --qrels is of track {track}, and so are judgments of the study, which are thinned into the same \
                     file; rename the file of --qrels: its track is its name up to the first dot"
                );
            }
            written.push(write_lines(&outputs, &qrels_path(&args.output, track), lines.iter())?);
        }
        let names: Vec<&str> = tracks.keys().map(String::as_str).collect();
        files.push(ThinnedFile { file: qrels_path(&args.output, &names.join(",")), thinned });
    }
    finish_all(written)?;
    study.report(output, &ThinReport::new(&groups, &thinner, files))
}

fn thin_run(thinner: &Thinner, path: &Path, folder: &Path, outputs: &Outputs<'_>) -> Result<(OutputFile, Thinned)> {
    let run = runs::read(path)?;
    say_first(run.unread.iter().map(|(line, why)| format!("{}, line {line}: not read: {why}", path.display())));
    let (lines, thinned) = thinner.run(&run);
    let file = folder.join(path.file_name().unwrap_or_default());
    Ok((write_lines(outputs, &file, lines.iter())?, thinned))
}

fn qrels_path(folder: &Path, track: &str) -> PathBuf {
    let name: String =
        track.chars().map(|c| if c.is_alphanumeric() || "+-_.,".contains(c) { c } else { '_' }).collect();
    folder.join(format!("{name}.qrels"))
}

/// The judgments of the study, and those of the files that `--qrels` names.
fn all_judgments(study: &Snapshot, files: &[PathBuf]) -> Result<Vec<Judgments>> {
    let mut all: Vec<Judgments> = study.session().read_judgments()?.into_iter().collect();
    if !files.is_empty() {
        let files: Vec<QrelsFile> = files.iter().map(|path| QrelsFile { path: path.clone(), track: None }).collect();
        all.push(qrels::read(&files)?);
    }
    Ok(all)
}
