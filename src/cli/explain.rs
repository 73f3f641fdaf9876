//! `dejaview explain`: why a pair matches or not.

use anyhow::Result;

use super::args;
use super::output::Output;
use crate::study::{Session, Verdict};

pub fn explain(args: &args::Explain, output: &mut Output) -> Result<()> {
    let session = Session::open(&args.study)?;
    let verdict = session.explain(&args.source, &args.target, args.configuration.as_deref())?;
    print(&verdict, output)
}

/// Prints scores and trees, or the JSON of both.
pub fn print(verdict: &Verdict, output: &mut Output) -> Result<()> {
    if output.json {
        return output.json(verdict);
    }
    output.line(format!("source  {}", verdict.source))?;
    output.line(format!("target  {}", verdict.target))?;
    output.line("")?;
    let scores = serde_json::to_value(verdict.scores)?;
    for (name, score) in scores.as_object().into_iter().flatten() {
        let score = score.as_f64().map_or("too long to say".to_owned(), |score| format!("{score:.6}"));
        output.line(format!("  {name:<20}{score}"))?;
    }
    for configuration in &verdict.configurations {
        output.line("")?;
        let mut lines = configuration.tree.lines().into_iter();
        output.line(format!("{}: {}", configuration.name, lines.next().unwrap_or_default()))?;
        for line in lines {
            output.line(line)?;
        }
    }
    Ok(())
}
