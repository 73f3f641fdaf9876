//! `dejaview sample`: draws pairs to be labelled, each with a known probability.

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::args::{self, SampleAllocation, SampleBy, Sampler};
use super::output::{Output, say};
use super::run::{threads, watched};
use crate::evaluation::sample::{Allocation, By, Sample, Written};
use crate::report::numbers::{count, plural};
use crate::study::{Draw, PageSampler, Session};

pub fn sample(args: &args::Sample, output: &mut Output) -> Result<()> {
    let session = Session::open(&args.study)?;
    let draw = draw(args, &session)?;
    let (sample, written) = match (draw.audit, draw.from) {
        (0, None) => session.draw_sample(&draw, None)?,
        _ => watched(|bar| session.draw_sample(&draw, Some((bar, threads(None)))))?,
    };
    if let Written::Extended { from } = written {
        say(&format!(
            "{} had {}, now {}; their weights are new",
            sample.name,
            plural(from as u64, "pair"),
            sample.pairs.len()
        ));
    }
    if draw.from.is_some() {
        say(&format!(
            "of {}, {} of the source with pairs; weights are relative: they add up to the {} of the configurations",
            plural(draw.size, "draw"),
            plural(sample.pairs.len() as u64, "page"),
            plural(sample.population, "pair"),
        ));
    }
    if output.json {
        return output.json(&as_json(&sample));
    }
    if sample.strata.len() > 1 {
        for stratum in &sample.strata {
            say(&format!("{}: {} of {}", stratum.name, count(stratum.drawn), count(stratum.population)));
        }
    }
    output.line("source\ttarget\tstratum\tweight")?;
    for pair in &sample.pairs {
        output.line(format!("{}\t{}\t{}\t{:.6}", pair.source, pair.target, pair.stratum, pair.weight))?;
    }
    Ok(())
}

/// What is asked for; of a sample that is to be made longer, how it was drawn.
fn draw(args: &args::Sample, session: &Session) -> Result<Draw> {
    if let Some(more) = args.extend {
        let name = args.name.as_deref().context("say with --name which sample is to be made longer")?;
        let there = Draw::of(&session.sample(name)?)?;
        return Ok(Draw { size: there.size + more, audit: there.audit + args.audit, ..there });
    }
    let first = args.configuration.first().context("name a configuration")?;
    Ok(Draw {
        name: args.name.clone().unwrap_or_else(|| first.clone()),
        configurations: args.configuration.clone(),
        size: args.size,
        seed: args.seed,
        by: by(args.by),
        allocation: match args.allocation {
            SampleAllocation::Proportional => Allocation::Proportional,
            SampleAllocation::Equal => Allocation::Equal,
        },
        documents: args.documents,
        audit: args.audit,
        from: args.from.map(|from| match from {
            Sampler::Query => PageSampler::Query,
            Sampler::Walk => PageSampler::Walk(args.backwards),
        }),
    })
}

fn by(by: SampleBy) -> By {
    match by {
        SampleBy::Jaccard => By::Jaccard,
        SampleBy::Agreement => By::Agreement,
        SampleBy::Segment => By::Segment,
        SampleBy::Host => By::Host,
        SampleBy::Url => By::Url,
        SampleBy::Length => By::Length,
        SampleBy::None => By::None,
    }
}

fn as_json(sample: &Sample) -> Value {
    let pairs: Vec<Value> = sample
        .pairs
        .iter()
        .map(|p| {
            json!({
                "source": p.source, "target": p.target, "stratum": p.stratum, "weight": p.weight,
                "probability": p.probability, "found": p.found,
            })
        })
        .collect();
    json!({
        "name": sample.name, "design": sample.design, "configuration": sample.configuration,
        "configurations": sample.configurations, "by": sample.by, "allocation": sample.allocation, "seed": sample.seed,
        "population": sample.population, "strata": sample.strata, "pairs": pairs,
    })
}
