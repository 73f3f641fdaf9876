//! `dejaview evaluate`: how good each configuration is.

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::args;
use super::output::Output;
use super::run::{threads, watched};
use crate::report::{Table, evaluation};
use crate::study::{Evaluation, Reading, Session};

pub fn evaluate(args: &args::Evaluate, output: &mut Output) -> Result<()> {
    let session = Session::open(&args.study)?;
    let reading = Reading { positive: args.positive.clone(), closed: args.closed };
    let experiments = match args.experiments {
        true => Some(watched(|bar| session.experiments(threads(args.threads), bar))?),
        false => None,
    };
    let result = session.evaluate(&args.truth, &reading)?;
    if output.json {
        let mut value = as_json(&result)?;
        if let Some(experiments) = &experiments {
            value["experiments"] = serde_json::to_value(experiments)?;
        }
        return output.json(&value);
    }
    let mut tables = evaluation::tables(&result);
    tables.extend(experiments.iter().flat_map(evaluation::experiments));
    print(&tables, args.table.as_deref(), args.format, output)
}

/// Prints the table of this name, or all of them.
pub fn print(tables: &[Table], name: Option<&str>, format: args::TableFormat, output: &mut Output) -> Result<()> {
    let known: Vec<&str> = tables.iter().map(|table| table.name).collect();
    if let Some(name) = name.filter(|name| !known.contains(name)) {
        bail!("there is no table “{name}” here; there are {}", known.join(", "));
    }
    let chosen = tables.iter().filter(|table| name.is_none_or(|name| name == table.name));
    for (i, table) in chosen.enumerate() {
        if i > 0 {
            output.line("")?;
        }
        let lines = match format {
            args::TableFormat::Text => table.text(),
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
