//! `dejaview sample`: draws pairs to be labelled, each with the same probability.

use anyhow::Result;
use serde_json::json;

use super::args;
use super::output::Output;
use crate::study::Session;

pub fn sample(args: &args::Sample, output: &mut Output) -> Result<()> {
    let session = Session::open(&args.study)?;
    let name = args.name.as_deref().unwrap_or(&args.configuration);
    let sample = session.draw_sample(name, &args.configuration, args.size, args.seed)?;
    if output.json {
        let pairs: Vec<_> = sample
            .pairs
            .iter()
            .map(|p| json!({ "source": p.source, "target": p.target, "stratum": p.stratum, "weight": p.weight }))
            .collect();
        return output.json(&json!({
            "name": sample.name, "design": sample.design, "configuration": sample.configuration, "seed": sample.seed,
            "population": sample.population, "pairs": pairs,
        }));
    }
    output.line("source\ttarget\tstratum\tweight")?;
    for pair in &sample.pairs {
        output.line(format!("{}\t{}\t{}\t{:.6}", pair.source, pair.target, pair.stratum, pair.weight))?;
    }
    Ok(())
}
