//! `dejaview evaluate`: how good each configuration is.

use anyhow::{Context, Error, Result, bail};
use serde_json::{Value, json};

use super::args::{self, IntervalOf, UnsureAs};
use super::output::{Output, say};
use super::run::{threads, watched};
use dejaview_base::shell::quoted;
use dejaview_evaluation::estimates::{Cut, Estimates, Paired, Unsure};
use dejaview_evaluation::sample::Sample;
use dejaview_labels::{Label, Meaning};
use dejaview_report::{Table, estimates, evaluation};
use dejaview_study::{Evaluation, Reading, Shown, Snapshot, Truth};

pub fn evaluate(args: &args::Evaluate, output: &mut Output) -> Result<()> {
    let study = Snapshot::open(&args.study)?;
    let experiments = match args.experiments {
        true => Some(watched(|bar| dejaview_study::experiments(&study, threads(args.threads), bar))?),
        false => None,
    };
    let result = dejaview_study::evaluate(&study, &args.truth, &reading(args)?)?;
    let more = More::new(args, &study, &result)?;
    if output.json {
        let mut value = as_json(&result)?;
        if let Some(experiments) = &experiments {
            value["experiments"] = serde_json::to_value(experiments)?;
        }
        more.into_json(&mut value)?;
        return output.json(&value);
    }
    let mut tables = evaluation::tables(&result);
    tables.extend(estimates::tables(&result.estimates));
    let asked = tables.len();
    tables.extend(more.paired.iter().map(|(sample, paired)| estimates::paired(sample, paired)));
    tables.extend(more.rail.iter().map(|(sample, cuts)| {
        let pairs = |place: usize| sample.pairs.get(place).map(|p| format!("{} {}", p.source, p.target));
        estimates::rail(&sample.name, args.rail.as_deref().unwrap_or_default(), &args.measure, cuts, &pairs)
    }));
    tables.extend(experiments.iter().flat_map(evaluation::experiments));
    let own: Vec<&str> = tables[asked..].iter().map(|table| table.name).collect();
    let tables: Vec<Table> = match &args.table {
        // What has an option of its own was asked for, too, unless the table that is named is one of these.
        Some(name) if !own.contains(&name.as_str()) => {
            if ESTIMATED.contains(&name.as_str()) && tables.iter().all(|table| table.name != name) {
                bail!("{}", no_estimates(&result, name));
            }
            known(&tables, name)?;
            let wanted = |(place, table): &(usize, Table)| *place >= asked || table.name == name;
            tables.into_iter().enumerate().filter(wanted).map(|(_, table)| table).collect()
        }
        Some(name) => tables.into_iter().filter(|table| table.name == name).collect(),
        None => tables,
    };
    print(&tables, None, args.format, output)
}

/// Tables of labelled samples, which there are only where one gives a number.
const ESTIMATED: [&str; 3] = ["estimates", "strata", "unseen"];

/// Why there is no table of this name, which labelled samples have.
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

/// An error where no table has this name.
fn known(tables: &[Table], name: &str) -> Result<()> {
    let mut known: Vec<&str> = Vec::new();
    for table in tables {
        if !known.contains(&table.name) {
            known.push(table.name);
        }
    }
    match known.contains(&name) {
        true => Ok(()),
        false => bail!(
            "no table is called “{name}”; choose one of {} for --table, or leave --table out to print all of them",
            known.join(", ")
        ),
    }
}

fn reading(args: &args::Evaluate) -> Result<Reading> {
    Ok(Reading {
        unsure: unsure(args.unsure),
        sample: args.sample.clone(),
        blind_only: args.blind_only,
        shown: match args.interval {
            IntervalOf::Headline => Shown::Headline,
            IntervalOf::Wilson => Shown::Wilson,
            IntervalOf::Design => Shown::Design,
            IntervalOf::Conservative => Shown::Conservative,
            IntervalOf::ClopperPearson => Shown::ClopperPearson,
            IntervalOf::Jeffreys => Shown::Jeffreys,
        },
        meaning: meaning(args)?,
        closed: args.closed,
    })
}

/// What the values of a table mean, as asked for: with positive ones alone, all others are negative.
fn meaning(args: &args::Evaluate) -> Result<Meaning> {
    let meaning = Meaning::new(&args.positive, &args.negative, &args.unsure_values).map_err(Error::msg)?;
    let meaning = meaning.unsure_by("--unsure-values");
    let alone = !args.positive.is_empty() && args.negative.is_empty();
    Ok(if alone { meaning.with_rest(Label::Not) } else { meaning })
}

/// How unsure labels count, as asked for.
pub fn unsure(asked: UnsureAs) -> Unsure {
    match asked {
        UnsureAs::Out => Unsure::Out,
        UnsureAs::Yes => Unsure::Yes,
        UnsureAs::No => Unsure::No,
    }
}

/// What is asked for beside the tables: two configurations compared, and the rail of one.
struct More {
    paired: Option<(String, Paired)>,
    rail: Option<(Sample, Vec<Cut>)>,
}

impl More {
    fn new(args: &args::Evaluate, study: &Snapshot, result: &Evaluation) -> Result<Self> {
        let mut more = Self { paired: None, rail: None };
        let reading = reading(args)?;
        if let [a, b] = &args.compare[..] {
            let sample = serving(result, &[a, b])?;
            more.paired = dejaview_study::paired_difference(study, sample, [a, b], &reading)?
                .map(|paired| (sample.to_owned(), paired));
            if more.paired.is_none() {
                say(&format!(
                    "{a} and {b} are not compared: sample {sample} has no labels of their pairs that decide; \
                     `dejaview label {} --sample {sample}` goes on labelling",
                    quoted(&args.study.display().to_string())
                ));
            }
        } else if !args.compare.is_empty() {
            bail!(
                "--compare takes two configurations with a comma between, such as --compare {}; it got {}",
                result.comparison.names.iter().take(2).cloned().collect::<Vec<_>>().join(","),
                args.compare.join(",")
            );
        }
        if let Some(name) = &args.rail {
            let sample = dejaview_study::sample_or_first_draw(study, serving(result, &[name])?)?;
            let cuts = dejaview_study::quality_by_cut_off(
                study,
                study.table()?,
                &sample.name,
                (name, &args.measure),
                &reading,
            )?;
            more.rail = Some((sample, cuts));
        }
        Ok(more)
    }

    fn into_json(self, value: &mut Value) -> Result<()> {
        if let Some((sample, paired)) = &self.paired {
            value["compared"] = serde_json::to_value(paired)?;
            value["compared"]["sample"] = json!(sample);
        }
        if let Some((sample, cuts)) = &self.rail {
            let mut cuts = serde_json::to_value(cuts)?;
            for flip in
                cuts.as_array_mut().into_iter().flatten().filter_map(|cut| cut["flips"].as_array_mut()).flatten()
            {
                let place = flip["place"].as_u64().unwrap_or_default() as usize;
                if let Some(pair) = sample.pairs.get(place) {
                    (flip["source"], flip["target"]) = (json!(pair.source), json!(pair.target));
                }
            }
            value["rail"] = json!({ "sample": sample.name, "cuts": cuts });
        }
        Ok(())
    }
}

/// The sample with the most labels that serves these configurations.
fn serving<'a>(result: &'a Evaluation, names: &[&String]) -> Result<&'a str> {
    let known = &result.comparison.names;
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        bail!("there is no configuration “{unknown}”; there are {}", known.join(", "));
    }
    let serves = |e: &&Estimates| names.iter().all(|name| e.configurations.iter().any(|c| c.name == **name));
    // As tables choose: the sample with most labels of their pairs, of equal ones the first.
    let labels = |e: &&Estimates| -> u64 {
        let mine = e.configurations.iter().filter(|c| names.contains(&&c.name));
        mine.filter_map(|c| c.precision.as_ref()).map(|precision| precision.labelled).sum()
    };
    let best = result.estimates.iter().filter(serves).rev().max_by_key(labels);
    let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    best.map(|e| e.sample.as_str()).with_context(|| match result.estimates.is_empty() {
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

/// Prints the table of this name, or all of them.
pub fn print(tables: &[Table], name: Option<&str>, format: args::TableFormat, output: &mut Output) -> Result<()> {
    if let Some(name) = name {
        known(tables, name)?;
    }
    let chosen = tables.iter().filter(|table| name.is_none_or(|name| name == table.name));
    let mut first = true;
    for table in chosen {
        if table.is_left_out() && matches!(format, args::TableFormat::Tsv | args::TableFormat::Csv) {
            say(&format!("{}: {}", table.title, table.notes.join("; ")));
            continue;
        }
        if !std::mem::take(&mut first) {
            output.line("")?;
        }
        let lines = match format {
            args::TableFormat::Text => table.text_in(output.columns()),
            args::TableFormat::Tsv => table.tsv(),
            args::TableFormat::Csv => table.csv(),
            args::TableFormat::Latex => table.latex(),
        };
        for line in lines {
            output.line(line)?;
        }
    }
    Ok(())
}

/// The result with `pool` as a number, and what stands in it beside.
fn as_json(result: &Evaluation) -> Result<Value> {
    let mut value = serde_json::to_value(result)?;
    let pool = value["pool"].take();
    value["pool"] = json!(result.comparison.pool.pairs);
    value["pool_of"] = pool;
    Ok(value)
}
