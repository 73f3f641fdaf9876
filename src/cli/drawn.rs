//! What `dejaview sample` says of a sample: how many pairs were drawn from which strata, where it is kept, and how it is
//! labelled. The pairs themselves, with their strata, are for those who ask: an annotator should not have seen them.

use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::args::TableFormat;
use super::evaluate::print;
use super::output::{Output, say};
use dejaview_base::shell::quoted;
use dejaview_evaluation::sample::{Design, Sample, Stratum};
use dejaview_report::Table;
use dejaview_report::numbers::{count, plural};
use dejaview_study::{SampleProgress, Snapshot};

/// How a sample is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Its strata, its file and the next command.
    Strata,
    /// Its pairs, with strata and weights.
    Pairs,
}

/// Says what a sample is, in the form asked for.
pub fn show(sample: &Sample, study: &Snapshot, shown: Shown, output: &mut Output) -> Result<()> {
    if output.json {
        return output.json(&as_json(sample));
    }
    match shown {
        Shown::Strata => strata(sample, study, output),
        Shown::Pairs => pairs(sample, output),
    }
}

/// How many pairs were drawn from which strata, the file, and what comes next.
pub fn strata(sample: &Sample, study: &Snapshot, output: &mut Output) -> Result<()> {
    print(&[table(sample)], None, TableFormat::Text, output)?;
    output.line(format!("file: {}", Sample::path(study.folder(), &sample.name)?.display()))?;
    output.line(format!("next: {}", label_command(sample, study.folder())))
}

fn table(sample: &Sample) -> Table {
    let title = format!("Sample {}: {}", sample.name, sample.described());
    let of = if sample.design == Design::Documents { "documents" } else { "pairs" };
    let mut table = Table::new("sample", title, &["stratum", of, "drawn"]).right(1..3);
    for stratum in &sample.strata {
        table.row([stratum.name.clone(), count(stratum.population), count(stratum.drawn)]);
    }
    if sample.strata.len() > 1 {
        let sum = |number: fn(&Stratum) -> u64| count(sample.strata.iter().map(number).sum());
        table.row(["together".to_owned(), sum(|stratum| stratum.population), sum(|stratum| stratum.drawn)]);
    }
    let far: Vec<String> =
        sample.strata.iter().filter(|stratum| stratum.far).map(|stratum| format!("“{}”", stratum.name)).collect();
    if !far.is_empty() {
        table.note(format!(
            "far more pairs than labels: {}; estimates take it that none of these pairs is true unless a label says otherwise",
            far.join(", ")
        ));
    }
    table.notes.extend(shared(sample));
    table
}

/// Who is asked about how many pairs of a sample that was shared out.
fn shared(sample: &Sample) -> Option<String> {
    let parts = sample.annotators().into_iter().map(|name| format!("{name} {}", count(sample.part(name).len() as u64)));
    let parts = parts.collect::<Vec<_>>().join(", ");
    (!parts.is_empty()).then(|| {
        format!("shared out: {parts}; all of them are asked about {}", plural(sample.overlap() as u64, "pair"))
    })
}

/// The command that labels a sample.
fn label_command(sample: &Sample, study: &Path) -> String {
    let command = format!("dejaview label {} --sample {}", quoted(&study.display().to_string()), sample.name);
    match &sample.annotators()[..] {
        [] => command,
        annotators => format!("{command} --annotator NAME  (each of {})", annotators.join(", ")),
    }
}

/// The pairs of a sample, in the order in which they are labelled.
fn pairs(sample: &Sample, output: &mut Output) -> Result<()> {
    let is_shared = !sample.annotators().is_empty();
    output.line(format!("source\ttarget\tstratum\tweight{}", if is_shared { "\tassigned" } else { "" }))?;
    for pair in &sample.pairs {
        let assigned = if is_shared { format!("\t{}", pair.assigned.join(",")) } else { String::new() };
        output.line(format!("{}\t{}\t{}\t{:.6}{assigned}", pair.source, pair.target, pair.stratum, pair.weight))?;
    }
    Ok(())
}

/// Says how many pairs a sample got that was to be made longer by so many, and why there were not more.
pub fn longer(sample: &Sample, before: usize, asked: u64) {
    let added = sample.pairs.len().saturating_sub(before) as u64;
    let had = format!("{} had {}", sample.name, plural(before as u64, "pair"));
    let unit = if sample.design == Design::Documents { "document" } else { "pair" };
    let whole = sample.pool().all(|stratum| stratum.drawn >= stratum.population);
    let population: u64 = sample.pool().map(|stratum| stratum.population).sum();
    let exhausted = match whole {
        true => format!("the population is exhausted: all {} are in the sample", plural(population, unit)),
        false => "the strata asked for are exhausted: all of their pairs are in the sample".to_owned(),
    };
    say(&match added {
        0 => format!("{had}, and none was added; {exhausted}"),
        n if n < asked => format!("{had}, and only {n} of {asked} were added; {exhausted}; all weights are new"),
        n => format!("{had}, and {n} {} added; all weights are new", if n == 1 { "was" } else { "were" }),
    });
}

/// Lists the samples of a study: how each was drawn, how far it is labelled, and whether it is of the pairs there are.
pub fn list(study: &Snapshot, output: &mut Output) -> Result<()> {
    let progress = dejaview_study::sample_progress(study)?;
    let checked = dejaview_study::check_samples(study)?;
    let fit = |name: &str| checked.iter().find(|(known, _)| known == name).map(|(_, provenance)| provenance);
    let mut rows = Vec::new();
    for one in &progress {
        let sample = dejaview_study::drawn_sample(study, &one.name)?;
        let (kind, words) = fit(&one.name).map_or(("unknown", String::new()), |p| (p.kind(), p.sentence(&sample)));
        rows.push((one, sample, kind, words));
    }
    if output.json {
        let as_json = |(one, sample, kind, words): &(&SampleProgress, Sample, &str, String)| {
            let labels: serde_json::Map<String, Value> =
                one.decided.iter().map(|(who, n)| (who.clone(), json!(n))).collect();
            json!({
                "name": one.name, "design": sample.design, "described": sample.described(), "pairs": one.size,
                "population": sample.population, "labels": labels, "fits": kind, "why": words,
            })
        };
        return output.json(&rows.iter().map(as_json).collect::<Vec<_>>());
    }
    if rows.is_empty() {
        let study = quoted(&study.folder().display().to_string());
        return output.line(format!("no sample yet: `dejaview sample {study} --configuration all` draws one"));
    }
    let head = ["sample", "drawn", "pairs", "labels by annotator"];
    let mut table = Table::new("samples", "Samples", &head).right([2]);
    for (one, sample, _, words) in &rows {
        let labels = one.decided.iter().map(|(who, n)| format!("{who} {}", count(*n as u64))).collect::<Vec<_>>();
        let labels = if labels.is_empty() { "none".to_owned() } else { labels.join(", ") };
        table.row([one.name.clone(), sample.described(), count(one.size as u64), labels]);
        table.note(words.clone());
    }
    print(&[table], None, TableFormat::Text, output)
}

/// A sample as JSON, with all of its pairs.
pub fn as_json(sample: &Sample) -> Value {
    let pairs: Vec<Value> = sample
        .pairs
        .iter()
        .map(|p| {
            let mut pair = json!({
                "source": p.source, "target": p.target, "stratum": p.stratum, "weight": p.weight,
                "probability": p.probability, "found": p.found,
            });
            if !p.assigned.is_empty() {
                pair["assigned"] = json!(p.assigned);
            }
            pair
        })
        .collect();
    json!({
        "name": sample.name, "design": sample.design, "configuration": sample.configuration,
        "configurations": sample.configurations, "serves": sample.serves, "by": sample.by, "bounds": sample.bounds, "allocation": sample.allocation, "seed": sample.seed,
        "population": sample.population, "transfer": sample.transfer, "strata": sample.strata, "pairs": pairs,
        "drawn_from": sample.drawn_from, "kept": sample.kept,
    })
}
