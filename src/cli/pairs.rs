//! `dejaview pairs`: streams candidate pairs, sorted by source, then target.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde::ser::{Serialize, SerializeMap, Serializer};
use strum::IntoStaticStr;

use super::choice::choice;
use super::open_study::OpenStudy;
use super::output::{Destination, Output};
use super::values::share;
use dejaview_base::choice::{Choice, Choices};
use dejaview_base::escaping::escape_id;
use dejaview_matching::pairs::{Pair, PairsFile, merge};
use dejaview_matching::parquet::{ParquetWriter, Row};
use dejaview_methods::measures::Scores;
use dejaview_study::{OpenPairs, Outputs, PairFilter, Snapshot};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: dejaview pairs study --configuration simhash-3+5 --min-jaccard 0.9 --format csv -o pairs.csv"
)]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// Only pairs that this configuration found; may be given several times
    #[arg(long, value_name = "NAME")]
    pub configuration: Vec<String>,
    /// Only pairs of this segment
    #[arg(long, value_name = "NAME")]
    pub segment: Option<String>,
    /// Only pairs of at least this Jaccard (at the n of the study)
    #[arg(long, value_name = "X", value_parser = share, allow_negative_numbers = true)]
    pub min_jaccard: Option<f64>,
    /// How to write them; --json is the same as jsonl
    #[arg(long, value_parser = choice::<PairsFormat>(), default_value = "tsv")]
    pub format: PairsFormat,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace files that are there already; files of the study are never replaced
    #[arg(long)]
    pub force: bool,
}

/// The forms in which pairs stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum PairsFormat {
    Tsv,
    Jsonl,
    Csv,
    Parquet,
}

impl Choice for PairsFormat {
    const CHOICES: Choices<Self> = &[
        (Self::Tsv, "Tab-separated, with a header"),
        (Self::Jsonl, "One JSON object a line"),
        (Self::Csv, "Comma-separated, quoted where needed"),
        (Self::Parquet, "Parquet: opens in pandas, DuckDB, Spark"),
    ];
}

/// Columns of numbers, after the distance. The first is the headline Jaccard, at the n of the study.
const NUMBERS: [&str; 15] = [
    "jaccard",
    "jaccard_1",
    "jaccard_2",
    "jaccard_3",
    "jaccard_5",
    "jaccard_8",
    "containment_source",
    "containment_target",
    "cosine",
    "cosine_binary",
    "dice_8",
    "s3",
    "length_ratio",
    "score",
    "rank",
];

/// How many of these columns a study has that imports no pairs: only imported pairs have a score and a rank.
const NUMBERS_WITHOUT_IMPORTS: usize = 13;

/// Columns before the numbers.
const LEADING_COLUMNS: [&str; 5] = ["configuration", "segment", "source", "target", "distance"];

/// A pair as one configuration found it in one segment.
struct PairRow<'a> {
    configuration: &'a str,
    segment: &'a str,
    pair: Pair<'a>,
    numbers: &'a [Option<f64>],
}

pub fn pairs(args: &Args, output: &mut Output) -> Result<()> {
    let study = OpenStudy::open(&args.study)?;
    let open = open_pairs(&study, args)?;
    let format = if output.json { PairsFormat::Jsonl } else { args.format };
    let mut file = match &args.output {
        Some(path) => {
            let file = Outputs::new(Some(study.session()), "pairs", args.force).create(path)?;
            Some(Output::to_file(file, output.json))
        }
        None => None,
    };
    if format == PairsFormat::Parquet && file.is_none() && output.is_terminal() {
        bail!("Parquet is not for a terminal; name a file with -o");
    }
    let imports = study.recipe().configurations.iter().any(|configuration| configuration.pairs.is_some());
    let columns = if imports { NUMBERS.len() } else { NUMBERS_WITHOUT_IMPORTS };
    let stream = PairStream { open: &open, ngram: study.recipe().jaccard, min_jaccard: args.min_jaccard, columns };
    if format == PairsFormat::Parquet {
        let out = std::mem::replace(output, Output::to_nowhere());
        return stream.write_parquet(file.take().unwrap_or(out).into_writer());
    }
    let out = file.as_mut().unwrap_or(output);
    stream.write_lines(format, out)?;
    file.map_or(Ok(()), Output::finish)
}

/// The pairs of the configurations that were named, in the order of the study, or of all.
fn open_pairs(study: &Snapshot, args: &Args) -> Result<Vec<OpenPairs>> {
    let segment = args.segment.as_deref();
    if args.configuration.is_empty() {
        return Ok(study.pairs(PairFilter { configuration: None, segment })?);
    }
    let mut names = args.configuration.clone();
    names.sort_by_key(|name| study.recipe().configurations.iter().position(|c| c.name == *name));
    names.dedup();
    let mut open = Vec::new();
    for name in &names {
        open.extend(study.pairs(PairFilter { configuration: Some(name), segment })?);
    }
    Ok(open)
}

/// All pairs that were asked for, by source, then target.
struct PairStream<'a> {
    open: &'a [OpenPairs],
    /// The n of the headline Jaccard.
    ngram: usize,
    min_jaccard: Option<f64>,
    /// How many of `NUMBERS` are written.
    columns: usize,
}

impl PairStream<'_> {
    fn for_each_row(&self, visit: &mut dyn FnMut(PairRow<'_>) -> Result<()>) -> Result<()> {
        let files: Vec<&PairsFile> = self.open.iter().map(|open| &open.file).collect();
        for merged in merge(&files) {
            let open = &self.open[merged.file];
            let numbers = numbers(&merged.pair, self.ngram);
            if self.min_jaccard.is_none_or(|least| numbers[0].is_some_and(|jaccard| jaccard >= least)) {
                let pair = merged.pair;
                let numbers = &numbers[..self.columns];
                visit(PairRow { configuration: &open.configuration, segment: &open.segment, pair, numbers })?;
            }
        }
        Ok(())
    }

    fn write_lines(&self, format: PairsFormat, out: &mut Output) -> Result<()> {
        let separator = if format == PairsFormat::Csv { "," } else { "\t" };
        if format != PairsFormat::Jsonl {
            let head: Vec<&str> =
                LEADING_COLUMNS.iter().chain(&NUMBERS[..self.columns]).chain(&["same_url"]).copied().collect();
            out.line(head.join(separator))?;
        }
        self.for_each_row(&mut |row| match format {
            PairsFormat::Jsonl => out.json(&row),
            _ => out.line(row.cells(format).join(separator)),
        })
    }

    fn write_parquet(&self, out: Destination) -> Result<()> {
        let mut writer = ParquetWriter::new(out, &NUMBERS[..self.columns])?;
        self.for_each_row(&mut |row| {
            // Parquet readers expect NaN for a missing value in a column of numbers.
            let numbers: Vec<f64> = row.numbers.iter().map(|number| number.unwrap_or(f64::NAN)).collect();
            Ok(writer.push(&Row {
                configuration: row.configuration,
                segment: row.segment,
                source: row.pair.source,
                target: row.pair.target,
                distance: row.pair.distance,
                numbers: &numbers,
                same_url: row.pair.same_url,
            })?)
        })?;
        writer.finish()?.finish().context("writing Parquet")
    }
}

/// The values of `NUMBERS`: an imported pair without texts has no similarities, a pair that was found has no score and no
/// rank.
fn numbers(pair: &Pair<'_>, ngram: usize) -> [Option<f64>; NUMBERS.len()] {
    let scores = pair.compared().then(|| pair.scores());
    let similarity = |score: fn(&Scores) -> f64| scores.as_ref().map(score);
    [
        scores.map(|scores| scores.jaccard(ngram).unwrap_or_default()),
        similarity(|scores| scores.jaccard_1),
        similarity(|scores| scores.jaccard_2),
        similarity(|scores| scores.jaccard_3),
        similarity(|scores| scores.jaccard_5),
        similarity(|scores| scores.jaccard_8),
        similarity(|scores| scores.containment_source),
        similarity(|scores| scores.containment_target),
        similarity(|scores| scores.cosine),
        similarity(|scores| scores.cosine_binary),
        similarity(|scores| scores.dice_8),
        similarity(|scores| scores.s3),
        similarity(|scores| scores.length_ratio),
        pair.imported.and_then(|imported| imported.score),
        pair.imported.map(|imported| f64::from(imported.rank)),
    ]
}

impl PairRow<'_> {
    fn cells(&self, format: PairsFormat) -> Vec<String> {
        let name = |name: &str| if format == PairsFormat::Csv { csv_field(name) } else { name.to_owned() };
        let ids = [self.pair.source, self.pair.target].map(escape_id);
        let names = [self.configuration, self.segment, &ids[0], &ids[1]].map(name);
        let mut cells: Vec<String> = names.into();
        cells.push(self.pair.distance.to_string());
        let printed = |number: &Option<f64>| number.map_or_else(String::new, |number| format!("{number:.6}"));
        cells.extend(self.numbers.iter().map(printed));
        cells.push(u8::from(self.pair.same_url).to_string());
        cells
    }
}

/// A field of CSV, quoted where it must be.
fn csv_field(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

impl Serialize for PairRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        let values = [self.configuration, self.segment, self.pair.source, self.pair.target];
        for (name, value) in LEADING_COLUMNS.iter().zip(values) {
            object.serialize_entry(name, value)?;
        }
        object.serialize_entry("distance", &self.pair.distance)?;
        for (name, number) in NUMBERS.iter().zip(self.numbers) {
            object.serialize_entry(name, number)?;
        }
        object.serialize_entry("same_url", &self.pair.same_url)?;
        object.end()
    }
}
