//! `dejaview pairs`: streams candidate pairs, sorted by source, then target.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde::ser::{Serialize, SerializeMap, Serializer};
use strum::IntoStaticStr;

use super::choice::choice;
use super::output::{Output, say};
use dejaview_base::choice::{Choice, Choices};
use dejaview_matching::pairs::{Pair, PairsFile, merge};
use dejaview_matching::parquet::{ParquetWriter, Row};
use dejaview_methods::measures::Scores;
use dejaview_study::{OpenPairs, PairFilter, Snapshot};

/// Arguments of `pairs`.
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
    #[arg(long, value_name = "X")]
    pub min_jaccard: Option<f64>,
    /// How to write them; --json is the same as jsonl
    #[arg(long, value_parser = choice::<Format>(), default_value = "tsv")]
    pub format: Format,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The forms in which pairs stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Format {
    Tsv,
    Jsonl,
    Csv,
    Parquet,
}

impl Choice for Format {
    const CHOICES: Choices<Self> = &[
        (Self::Tsv, "Tab-separated, with a header"),
        (Self::Jsonl, "One JSON object a line"),
        (Self::Csv, "Comma-separated, quoted where needed"),
        (Self::Parquet, "Parquet: opens in pandas, DuckDB, Spark"),
    ];
}

/// Columns behind the distance. The headline Jaccard stands first, at the n of the study.
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

/// How many of the numbers stand in a study that imports no pairs: score and place are of imported ones.
const FOUND: usize = 13;

/// Those that stand in front of the numbers.
const NAMES: [&str; 5] = ["configuration", "segment", "source", "target", "distance"];

/// One line of results.
struct Line<'a> {
    configuration: &'a str,
    segment: &'a str,
    pair: Pair<'a>,
    numbers: &'a [Option<f64>],
}

pub fn pairs(args: &Args, output: &mut Output) -> Result<()> {
    let study = Snapshot::open(&args.study)?;
    let open = open(&study, args)?;
    if let Some(left) = study.unfinished().ok().filter(|left| !left.is_empty()) {
        say(&format!("not run to its end: segments {} are missing here", left.join(", ")));
    }
    let format = if output.json { Format::Jsonl } else { args.format };
    let mut file = match &args.output {
        Some(path) => {
            let file = File::create(path).with_context(|| format!("writing {}", path.display()))?;
            Some(Output::to(Box::new(BufWriter::new(file)), output.json))
        }
        None => None,
    };
    if format == Format::Parquet && file.is_none() && output.is_terminal() {
        bail!("Parquet is not for a terminal; name a file with -o");
    }
    let imports = study.recipe().configurations.iter().any(|c| c.pairs.is_some());
    let columns = if imports { NUMBERS.len() } else { FOUND };
    let stream = Stream { open: &open, n: study.recipe().jaccard, least: args.min_jaccard, columns };
    if format == Format::Parquet {
        let out = std::mem::replace(output, Output::to(Box::new(std::io::sink()), false));
        return stream.parquet(file.take().unwrap_or(out).into_writer());
    }
    let out = file.as_mut().unwrap_or(output);
    stream.text(format, out)?;
    file.map_or(Ok(()), Output::finish)
}

/// The pairs of the configurations that were named, in the order of the study, or of all.
fn open(study: &Snapshot, args: &Args) -> Result<Vec<OpenPairs>> {
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

struct Stream<'a> {
    open: &'a [OpenPairs],
    n: usize,
    least: Option<f64>,
    /// How many of the numbers are written.
    columns: usize,
}

impl Stream<'_> {
    fn each(&self, visit: &mut dyn FnMut(Line<'_>) -> Result<()>) -> Result<()> {
        let files: Vec<&PairsFile> = self.open.iter().map(|open| &open.file).collect();
        for merged in merge(&files) {
            let open = &self.open[merged.file];
            let numbers = numbers(&merged.pair, self.n);
            if self.least.is_none_or(|least| numbers[0].is_some_and(|jaccard| jaccard >= least)) {
                let pair = merged.pair;
                let numbers = &numbers[..self.columns];
                visit(Line { configuration: &open.configuration, segment: &open.segment, pair, numbers })?;
            }
        }
        Ok(())
    }

    fn text(&self, format: Format, out: &mut Output) -> Result<()> {
        let separator = if format == Format::Csv { "," } else { "\t" };
        if format != Format::Jsonl {
            let head: Vec<&str> = NAMES.iter().chain(&NUMBERS[..self.columns]).chain(&["same_url"]).copied().collect();
            out.line(head.join(separator))?;
        }
        self.each(&mut |line| match format {
            Format::Jsonl => out.json(&line),
            _ => out.line(as_row(&line, format).join(separator)),
        })
    }

    fn parquet(&self, out: Box<dyn Write + Send>) -> Result<()> {
        let mut writer = ParquetWriter::new(out, &NUMBERS[..self.columns])?;
        self.each(&mut |line| {
            // What is missing is not a number in a column of numbers, as other tools have it.
            let numbers: Vec<f64> = line.numbers.iter().map(|number| number.unwrap_or(f64::NAN)).collect();
            Ok(writer.push(&Row {
                configuration: line.configuration,
                segment: line.segment,
                source: line.pair.source,
                target: line.pair.target,
                distance: line.pair.distance,
                numbers: &numbers,
                same_url: line.pair.same_url,
            })?)
        })?;
        writer.finish()?.flush().context("writing Parquet")
    }
}

/// An imported pair without texts has no similarity, one that was found no score.
fn numbers(pair: &Pair<'_>, n: usize) -> [Option<f64>; NUMBERS.len()] {
    let scores = pair.compared().then(|| pair.scores());
    let similarity = |of: fn(&Scores) -> f64| scores.as_ref().map(of);
    [
        scores.map(|scores| scores.jaccard(n).unwrap_or_default()),
        similarity(|s| s.jaccard_1),
        similarity(|s| s.jaccard_2),
        similarity(|s| s.jaccard_3),
        similarity(|s| s.jaccard_5),
        similarity(|s| s.jaccard_8),
        similarity(|s| s.containment_source),
        similarity(|s| s.containment_target),
        similarity(|s| s.cosine),
        similarity(|s| s.cosine_binary),
        similarity(|s| s.dice_8),
        similarity(|s| s.s3),
        similarity(|s| s.length_ratio),
        pair.imported.and_then(|imported| imported.score),
        pair.imported.map(|imported| f64::from(imported.rank)),
    ]
}

fn as_row(line: &Line<'_>, format: Format) -> Vec<String> {
    let name = |name: &str| if format == Format::Csv { quoted(name) } else { name.to_owned() };
    let names = [line.configuration, line.segment, line.pair.source, line.pair.target].map(name);
    let mut row: Vec<String> = names.into();
    row.push(line.pair.distance.to_string());
    let printed = |number: &Option<f64>| number.map_or_else(String::new, |number| format!("{number:.6}"));
    row.extend(line.numbers.iter().map(printed));
    row.push(u8::from(line.pair.same_url).to_string());
    row
}

/// A field of CSV, quoted where it must be.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        let values = [self.configuration, self.segment, self.pair.source, self.pair.target];
        for (name, value) in NAMES.iter().zip(values) {
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
