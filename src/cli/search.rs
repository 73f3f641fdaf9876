//! `dejaview search`: documents whose kept texts match a query, or how common the words of the query are.

use std::path::PathBuf;

use anyhow::Result;

use super::choice::choice;
use super::open_study::OpenStudy;
use super::output::Output;
use dejaview_index::{Index, KeptSide};
use dejaview_report::documents::{SearchResultReport, TermRow};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview search study 'lighthouse \"fresnel lens\"' --side target")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// Words, all of which must be there; "a phrase"; id:…; url:…
    pub query: String,
    /// Only documents of one side
    #[arg(long, value_parser = choice::<KeptSide>())]
    pub side: Option<KeptSide>,
    /// Most results to print
    #[arg(long, default_value_t = 20)]
    pub limit: usize,
    /// Print how many documents hold each word of the query, and how often, instead
    #[arg(long)]
    pub terms: bool,
}

pub fn search(args: &Args, output: &mut Output) -> Result<()> {
    let study = OpenStudy::open(&args.study)?;
    let index = study.kept_texts()?;
    if args.terms {
        return term_counts(args, index, output);
    }
    let results = index.search(&args.query, args.side, args.limit)?;
    results.iter().try_for_each(|result| output.report(&SearchResultReport::new(result)))
}

fn term_counts(args: &Args, index: &Index, output: &mut Output) -> Result<()> {
    output.header::<TermRow<'_>>()?;
    for word in args.query.split_whitespace() {
        let statistics = index.term_statistics(word)?;
        for (side, counts) in [(KeptSide::Source, statistics.source), (KeptSide::Target, statistics.target)] {
            output.record(&TermRow::new(word, side.name(), counts))?;
        }
    }
    Ok(())
}
