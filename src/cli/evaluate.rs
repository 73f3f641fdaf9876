//! `dejaview evaluate`: precision and recall of each configuration, and how configurations compare.

use std::path::PathBuf;

use anyhow::{Context, Error, Result, bail};

use super::choice::choice;
use super::open_study::OpenStudy;
use super::output::{Output, check_table_name, say};
use super::work::{thread_count, with_progress_bar};
use dejaview_base::shell::quoted_path;
use dejaview_evaluation::estimates::{Estimates, Unsure};
use dejaview_labels::{Label, Meaning};
use dejaview_report::TableFormat;
use dejaview_report::estimates::{ComparedConfigurations, Rail};
use dejaview_report::evaluation::EvaluationReport;
use dejaview_study::{Evaluation, Reading, ShownInterval, Snapshot, Truth};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview evaluate study --truth jaccard:0.9\n\
         dejaview evaluate sample-corpus --truth sample-corpus/truth.tsv --closed \\\n\
             --positive exact-copy,moved,date-changed,boilerplate-changed,light-edit\n\
         dejaview evaluate study --truth labels --unsure no --compare simhash-3+5,imatch --rail simhash-3+5")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// What decides: labels; a similarity from some value on: jaccard:0.9 (jaccard:0.9@3 of 3-grams), cosine:0.9,
    /// cosine-binary:0.9, s3:0.8, edit:0.8 (of words), edit-characters:0.8 (edit-characters:0.8@content of the preprocessed
    /// text); or a table of pairs (file:PAIRS.tsv with source, target, label)
    #[arg(long, default_value = "jaccard:0.9")]
    pub truth: Truth,
    /// Words, grades and ranges of grades (1..3) in the table of pairs that mean a near-duplicate; without --negative all
    /// others mean none
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "VALUES")]
    pub positive: Vec<String>,
    /// Those that mean no near-duplicate; `rest` is all that are not named
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "VALUES")]
    pub negative: Vec<String>,
    /// Those that mean unsure
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "VALUES")]
    pub unsure_values: Vec<String>,
    /// Pairs that the table does not list are known not to be near-duplicates
    #[arg(long)]
    pub closed: bool,
    /// With labels: only those of this sample; otherwise each configuration by the sample that says most about it
    #[arg(long, value_name = "NAME")]
    pub sample: Option<String>,
    /// With labels or a table: how unsure ones count
    #[arg(long, value_parser = choice::<Unsure>(), default_value = "out")]
    pub unsure: Unsure,
    /// With labels: leave out decisions that were made with the scores in view; what was said before counts again
    #[arg(long)]
    pub blind_only: bool,
    /// With labels: which interval of precision stands in the first table; JSON has all
    #[arg(long, value_parser = choice::<ShownInterval>(), default_value = "headline")]
    pub interval: ShownInterval,
    /// With labels: compare two configurations of a sample on the same labels
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub compare: Vec<String>,
    /// With labels: precision and recall of this configuration as a cut-off moves, and the pairs that flip
    #[arg(long, value_name = "NAME")]
    pub rail: Option<String>,
    /// The measure that the cut-off is set on
    #[arg(long, default_value = "jaccard", value_parser = clap::builder::PossibleValuesParser::new(dejaview_study::MEASURES))]
    pub measure: String,
    /// Read both sides again and repeat the papers' experiments: SimHash by distance, cosine, MinHash error, lexicons
    #[arg(long)]
    pub experiments: bool,
    /// Threads for the experiments; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Only this table, and what --compare, --rail and --experiments ask for; a name that is not known lists those there are
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// In what form
    #[arg(long, value_parser = choice::<TableFormat>(), default_value = "text")]
    pub format: TableFormat,
    /// Go on although lines of labels are damaged; they do not count
    #[arg(long)]
    pub allow_damaged: bool,
}

pub fn evaluate(args: &Args, output: &mut Output) -> Result<()> {
    let study = OpenStudy::open(&args.study)?;
    let experiments = match args.experiments {
        true => Some(with_progress_bar(|bar| dejaview_study::experiments(&study, thread_count(args.threads), bar))?),
        false => None,
    };
    let reading = reading(args)?;
    let evaluation = dejaview_study::evaluate(&study, &args.truth, &reading)?;
    let report = EvaluationReport {
        pool_of: evaluation.comparison.pool,
        experiments,
        compared: compare_configurations(args, &study, &evaluation, &reading)?,
        rail: quality_by_cut_off(args, &study, &evaluation, &reading)?,
        only: args.table.clone(),
        evaluation: &evaluation,
    };
    study.must_have_whole_labels(args.allow_damaged)?;
    if let Some(name) = args.table.as_ref().filter(|_| !output.json) {
        check_evaluation_table(&report, name)?;
    }
    study.report_as(output, &report, args.format, None)
}

/// Fails where the evaluation has no table of this name, and says what it would take to have it.
fn check_evaluation_table(report: &EvaluationReport<'_>, name: &str) -> Result<()> {
    let mut tables = report.main_tables();
    tables.extend(report.optional_tables());
    if ESTIMATE_TABLES.contains(&name) && tables.iter().all(|table| table.name != name) {
        bail!("{}", no_estimates(report.evaluation, name));
    }
    check_table_name(&tables, name)
}

/// Tables that exist only where a labelled sample gives their numbers.
const ESTIMATE_TABLES: [&str; 3] = ["estimates", "strata", "unseen"];

/// Why a table of `ESTIMATE_TABLES` is missing.
fn no_estimates(result: &Evaluation, name: &str) -> String {
    if result.truth != Truth::Labels.to_string() {
        return format!("the table {name} rests on the labels of a sample: add --truth labels");
    }
    let changed = result.changed.iter().map(ToString::to_string);
    let reasons: Vec<String> = changed.chain(result.unlabelled.iter().map(ToString::to_string)).collect();
    let why = match reasons.is_empty() {
        true if !result.estimates.is_empty() => "no sample has the labels that it takes".to_owned(),
        true => "no sample is drawn; `dejaview sample` draws one, to be labelled".to_owned(),
        false => reasons.join("; "),
    };
    format!("there is no table {name}, as no sample gives its numbers: {why}")
}

fn reading(args: &Args) -> Result<Reading> {
    Ok(Reading {
        unsure: args.unsure,
        sample: args.sample.clone(),
        without: Vec::new(),
        blind_only: args.blind_only,
        shown: args.interval,
        meaning: meaning(args)?,
        closed: args.closed,
    })
}

/// What the values of a table of pairs mean: where only positive ones are named, all others are negative.
fn meaning(args: &Args) -> Result<Meaning> {
    let meaning = Meaning::new(&args.positive, &args.negative, &args.unsure_values).map_err(Error::msg)?;
    let meaning = meaning.unsure_by("--unsure-values");
    let only_positive_named = !args.positive.is_empty() && args.negative.is_empty();
    Ok(if only_positive_named { meaning.with_rest(Label::Not) } else { meaning })
}

/// The two configurations of `--compare` on the same labels.
fn compare_configurations(
    args: &Args,
    study: &Snapshot,
    result: &Evaluation,
    reading: &Reading,
) -> Result<Option<ComparedConfigurations>> {
    let [a, b] = match &args.compare[..] {
        [] => return Ok(None),
        [a, b] => [a, b],
        _ => bail!(
            "--compare takes two configurations with a comma between, such as --compare {}; it got {}",
            result.comparison.names.iter().take(2).cloned().collect::<Vec<_>>().join(","),
            args.compare.join(",")
        ),
    };
    let sample = best_sample_for(result, &[a, b])?;
    let paired = dejaview_study::paired_difference(study, sample, [a, b], reading)?;
    if paired.is_none() {
        say(&format!(
            "{a} and {b} are not compared: sample {sample} has no labels of their pairs that decide; \
             `dejaview label {} --sample {sample}` goes on labelling",
            quoted_path(&args.study)
        ));
    }
    Ok(paired.map(|paired| ComparedConfigurations { paired, sample: sample.to_owned() }))
}

/// Precision and recall of the configuration of `--rail` as a cut-off moves.
fn quality_by_cut_off(args: &Args, study: &Snapshot, result: &Evaluation, reading: &Reading) -> Result<Option<Rail>> {
    let Some(name) = &args.rail else { return Ok(None) };
    let sample = dejaview_study::drawn_sample(study, best_sample_for(result, &[name])?)?;
    let cuts = dejaview_study::quality_by_cut_off(study, &sample.name, name, &args.measure, reading)?;
    Ok(Some(Rail::new(&sample, cuts, name, &args.measure)))
}

/// The sample with the most labels among those drawn from all of these configurations.
fn best_sample_for<'a>(result: &'a Evaluation, names: &[&String]) -> Result<&'a str> {
    let known = &result.comparison.names;
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        bail!("there is no configuration “{unknown}”; there are {}", known.join(", "));
    }
    let serves_all = |estimates: &&Estimates| {
        names.iter().all(|name| estimates.configurations.iter().any(|configuration| configuration.name == **name))
    };
    // The tables choose in the same way: most labels of their pairs, of equal ones the first.
    let labels = |estimates: &&Estimates| -> u64 {
        let named = estimates.configurations.iter().filter(|configuration| names.contains(&&configuration.name));
        named.filter_map(|configuration| configuration.precision.as_ref()).map(|precision| precision.labelled).sum()
    };
    let best = result.estimates.iter().filter(serves_all).rev().max_by_key(labels);
    let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    best.map(|estimates| estimates.sample.as_str()).with_context(|| match result.estimates.is_empty() {
        true if result.truth != Truth::Labels.to_string() => {
            "--compare and --rail rest on the labels of a sample: add --truth labels".to_owned()
        }
        _ => format!(
            "no sample with labels was drawn from {}; `dejaview sample STUDY --configuration {}` draws one, to be labelled",
            names.join(" and "),
            names.join(",")
        ),
    })
}
