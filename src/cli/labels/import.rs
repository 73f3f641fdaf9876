//! `dejaview labels import`: labels of other tools and other people.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::open_study::OpenStudy;
use crate::output::{Output, say, say_first};
use crate::values::LabelValues;
use dejaview_base::shell::{quoted, quoted_path};
use dejaview_report::numbers::{count, plural};
use dejaview_study::{ImportReport, LabelImport, Snapshot};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview labels import study bob.jsonl --annotator bob --sample default\n\n\
         Reads journals, JSON lines, TSV and CSV with the columns source, target and label, qrels of pairs, and the label \
         tables of CopyCat and Splink; which it is, the file tells. Where JSON lines, TSV or CSV have an annotator, each \
         label goes into the journal of the annotator it names, and counts in the sample it names. What `labels export` writes \
         as TSV or JSON lines comes back as it was: notes, flags, classes, reasons, whether the scores were in view (peeked), \
         and whose settlements an adjudication overrides. What was said before, \
         taken back or asked again is in journals alone.\n\n\
         Labels of `adjudication`, or of `adjudication.NAME`, settle what annotators decided differently, as on Review: so \
         settlements come back that were made elsewhere, from their journals or with --annotator adjudication.NAME. Nobody labels \
         under such a name.\n\n\
         How each word or grade was understood is printed. Known are\n\
         near-duplicate, near-duplicates, nearduplicate, near-dup, near, duplicate, match, yes, true, and 1;\n\
         not, not-a-near-duplicate, no-near-duplicate, non-duplicate, different, no-match, no, false, and 0;\n\
         unsure, unclear, unknown, maybe, ?, -1 in qrels of pairs, 0.5 in Splink's tables;\n\
         and CopyCat's grades (0 and 0.5: not; 1, 2, 3: near-duplicate). A blank or _ in a word counts as -.\n\n\
         A file with any other value is refused until --positive, --negative and --unsure say what it means:\n  \
         dejaview labels import study grades.tsv --annotator bob --positive 1..3 --negative 0,0.5\n\n\
         A label that the file says to be older than what its annotator has decided on the pair since, or that was taken back, \
         is named and left out: an old export undoes nothing. Labels without a time count as given now. Importing a file twice \
         changes nothing.\n\n\
         A file in which an annotator gives one pair different labels is refused as a whole. Rows with ids that the study \
         does not know are left out; where source and target are swapped, they are put right. A document that stands on both \
         sides is no pair with itself, and such rows are left out.")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// The labels
    pub file: PathBuf,
    /// Whose they are, where the file does not say so
    #[arg(long, value_name = "NAME")]
    pub annotator: Option<String>,
    /// The sample in which they were given; labels of other pairs are named and kept without it. Labels of no sample make no
    /// estimate
    #[arg(long, value_name = "NAME")]
    pub sample: Option<String>,
    #[command(flatten)]
    pub values: LabelValues,
}

pub fn import(args: &Args, output: &mut Output) -> Result<()> {
    let study = OpenStudy::open(&args.study)?;
    let meaning = &args.values.meaning()?;
    let (annotator, sample) = (args.annotator.as_deref(), args.sample.as_deref());
    let import = LabelImport { file: &args.file, annotator, sample, meaning };
    let report = dejaview_study::import_labels(&study, import)?;
    say_problems(&report, &args.file);
    output.report(&report)?;
    check_imported(&report, &args.file)?;
    if report.outside_samples > 0 {
        say(&no_estimate_note(&study, &report, args));
    }
    Ok(())
}

/// Why labels that belong to no sample make no estimate, and how they would.
fn no_estimate_note(study: &Snapshot, report: &ImportReport, args: &Args) -> String {
    let (outside, imported) = (report.outside_samples as u64, report.imported() as u64);
    let which = match (&args.sample, outside >= imported) {
        (Some(sample), _) => {
            let (are, pairs) = if outside == 1 { ("is", "a pair") } else { ("are", "pairs") };
            format!("{} {are} of {pairs} that sample {sample} does not have", plural(outside, "label"))
        }
        (None, true) => "these labels were given in no sample".to_owned(),
        (None, false) => format!("{} of these labels were given in no sample", count(outside)),
    };
    let samples = dejaview_study::check_samples(study).unwrap_or_default();
    let names: Vec<String> = samples.into_iter().map(|(name, _)| name).collect();
    let [study, file] = [&args.study, &args.file].map(|path| quoted_path(path));
    let annotator = args.annotator.as_ref().map_or(String::new(), |name| format!(" --annotator {}", quoted(name)));
    let sample = match &names[..] {
        [] | [_] if args.sample.is_some() => "there is no other sample".to_owned(),
        [] => "there is no sample yet".to_owned(),
        _ => format!(
            "if they were given in {}, `dejaview labels import {study} {file}{annotator} --sample NAME` makes them count there ({})",
            if args.sample.is_some() { "another one" } else { "one" },
            names.join(", ")
        ),
    };
    let disputed = match report.disputed as u64 {
        0 => String::new(),
        n => {
            let (are, count) = if n == 1 { ("is", "counts") } else { ("are", "count") };
            format!(
                "; but what holds for a pair is the same everywhere: {} on which they differ from other labels {are} disputed \
                 now and {count} as disputed in the estimates of samples, too (Review settles them)",
                plural(n, "pair")
            )
        }
    };
    format!(
        "{which}, so `evaluate --truth labels` makes no estimate of them: how their pairs were chosen is not known{disputed}; \
         {sample}; `dejaview sample {study} --configuration C --import FILE` takes in a sample that was drawn elsewhere, with \
         its labels"
    )
}

/// Says which rows of a file were not imported as they are, and why.
pub fn say_problems(report: &ImportReport, file: &Path) {
    let file = file.display();
    if !report.unread.is_empty() {
        say(&format!("{file}: these columns have no meaning here and were not read: {}", report.unread.join(", ")));
    }
    if report.rows == 0 {
        say(&format!("{file}: there are no labels in it"));
    }
    say_first(report.problems.iter().map(|(line, why)| format!("{file}: line {line}: {why}")));
    if report.details_kept > 0 {
        let have = if report.details_kept == 1 { "has" } else { "have" };
        let pairs = plural(report.details_kept as u64, "pair");
        say(&format!(
            "{pairs} {have} a note or a flag here and none in {file}: these stay, for a table does not tell what was taken back \
             (journals do)"
        ));
    }
    if report.quoted_notes > 0 {
        let stand = if report.quoted_notes == 1 { "stands" } else { "stand" };
        say(&format!(
            "{file}: {} {stand} between quotes, as spreadsheets write them, and came with these quotes: a table with tabs has \
             none of its own; where they are not meant, save the table as CSV and import that",
            plural(report.quoted_notes as u64, "note")
        ));
    }
    if report.unknown > 0 {
        say(
            "documents without a pair, sample or judgment are known only after a run with keep = \"all\" in study.toml",
        );
    }
    say_first(report.changes.iter().map(|change| format!("{file}: {}", change.sentence())));
}

/// Fails where nothing was imported.
pub fn check_imported(report: &ImportReport, file: &Path) -> Result<()> {
    let file = file.display();
    if !report.contradictions.is_empty() {
        say_first(report.contradictions.iter().map(|contradiction| format!("{file}: {}", contradiction.sentence())));
        let pairs = plural(report.contradictions.len() as u64, "pair");
        bail!("{file} gives {pairs} different labels of one annotator; nothing was imported: keep one label of each");
    }
    if report.imported() + report.overruled == 0 && report.rows > 0 {
        bail!("no label of {file} was imported: {}", report.sentence());
    }
    Ok(())
}
