//! `dejaview search`: finds kept texts, or says how common words are.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::json;

use super::args::Side;
use super::output::Output;
use dejaview_index::KeptSide;
use dejaview_study::Snapshot;

/// Arguments of `search`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview search study 'lighthouse \"fresnel lens\"' --side target")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// Words, all of which must be there; "a phrase"; id:…; url:…
    pub query: String,
    /// Only documents of one side
    #[arg(long, value_enum)]
    pub side: Option<Side>,
    /// Most results to print
    #[arg(long, default_value_t = 20)]
    pub limit: usize,
    /// Print how many documents hold each word of the query, and how often, instead
    #[arg(long)]
    pub terms: bool,
}

pub fn search(args: &Args, output: &mut Output) -> Result<()> {
    let study = Snapshot::open(&args.study)?;
    let index = study.kept_texts()?;
    if args.terms {
        return terms(args, &index, output);
    }
    for hit in index.search(&args.query, args.side.map(KeptSide::from), args.limit)? {
        if output.json {
            output.json(&json!({
                "side": hit.side.name(), "segment": hit.segment, "id": hit.id, "url": hit.url, "score": hit.score,
                "excerpt": hit.excerpt.text,
            }))?;
            continue;
        }
        let place = if hit.segment.is_empty() {
            hit.side.name().to_owned()
        } else {
            format!("{} {}", hit.side.name(), hit.segment)
        };
        output.line(format!("{:>7.3}  {place}  {}  {}", hit.score, hit.id, hit.url))?;
        let excerpt = hit.excerpt.text.split_whitespace().collect::<Vec<_>>().join(" ");
        output.prose(&format!("         {excerpt}{}", if hit.excerpt.more { " …" } else { "" }))?;
    }
    Ok(())
}

fn terms(args: &Args, index: &dejaview_index::Index, output: &mut Output) -> Result<()> {
    if !output.json {
        output.line("word\tside\tdocuments\toccurrences")?;
    }
    for word in args.query.split_whitespace() {
        let statistics = index.term(word)?;
        for (side, counts) in [("source", statistics.source), ("target", statistics.target)] {
            if output.json {
                output.json(&json!({
                    "word": word, "side": side, "documents": counts.documents, "occurrences": counts.occurrences,
                }))?;
            } else {
                output.line(format!("{word}\t{side}\t{}\t{}", counts.documents, counts.occurrences))?;
            }
        }
    }
    Ok(())
}
