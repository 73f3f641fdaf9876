//! `dejaview size`: how large corpora are beside each other, and pages drawn from them without a list.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::choice::choice;
use super::open_study::OpenStudy;
use super::output::{Output, say};
use super::values::share;
use super::work::thread_count;
use dejaview_index::KeptSide;
use dejaview_report::TableFormat;
use dejaview_study::{AskedBy, BACKWARDS, PageDraw, PageSampler, SearchedFor, SizeBy, SizeOptions, Snapshot, sizes};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview size 2009-in-2012 2009-in-2022 2012-in-2022\n\
         dejaview size study --by queries --asked-by walk\n\
         dejaview size study --by queries --asked-by query --log queries.txt\n\
         dejaview size study --by searches --log queries.txt\n\
         dejaview size study --draw walk --side target --size 50")]
pub struct Args {
    /// Folders of studies; a corpus that several of them share ties the others together
    #[arg(required = true, value_name = "STUDY")]
    pub studies: Vec<PathBuf>,
    /// What decides that a page stands in another corpus
    #[arg(long, value_parser = choice::<SizeBy>(), default_value = "pairs")]
    pub by: SizeBy,
    /// From this Jaccard on it does
    #[arg(long, value_name = "X", default_value_t = 0.9, value_parser = share, allow_negative_numbers = true)]
    pub alike: f64,
    /// Pages to search for in each corpus (--by queries), or to draw (--draw)
    #[arg(long, default_value_t = 200)]
    pub size: usize,
    /// How the pages to search for are drawn (--by queries); from the list of all pages by default, each as probable as any other
    #[arg(long, value_parser = choice::<PageSampler>(), value_name = "HOW")]
    pub asked_by: Option<PageSampler>,
    /// Random searches ask for two words of this file, instead of two of all words
    #[arg(long, value_name = "FILE", conflicts_with = "log")]
    pub words: Option<PathBuf>,
    /// Random searches are the queries of this log: one a line, or the column `query` of a table with tabs
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// The same seed gives the same pages and intervals; that of the first study unless told
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Draw pages instead, and print their ids and weights
    #[arg(long, value_parser = choice::<PageSampler>())]
    pub draw: Option<PageSampler>,
    /// From which side pages are drawn
    #[arg(long, value_parser = choice::<KeptSide>(), default_value = "target")]
    pub side: KeptSide,
    /// Page at which a walk begins; the first with links by default
    #[arg(long, value_name = "ID")]
    pub start: Option<String>,
    /// Links to a page that a walk follows backwards at most
    #[arg(long, value_name = "R", default_value_t = BACKWARDS)]
    pub backwards: usize,
    /// In what form
    #[arg(long, value_parser = choice::<TableFormat>(), default_value = "text")]
    pub format: TableFormat,
}

pub fn size(args: &Args, output: &mut Output) -> Result<()> {
    let snapshots = args.studies.iter().map(|study| OpenStudy::open(study)).collect::<Result<Vec<_>, _>>()?;
    if let Some(sampler) = args.draw {
        let [study] = &snapshots[..] else { bail!("pages are drawn from one study: name one") };
        return draw(study, sampler, args, output);
    }
    if args.by != SizeBy::Queries && args.asked_by.is_some() {
        bail!("--asked-by says how the pages of --by queries are drawn: add --by queries");
    }
    let searches = args.by == SizeBy::Searches || args.asked_by == Some(PageSampler::Query);
    if !searches && (args.words.is_some() || args.log.is_some()) {
        bail!("--words and --log are for --draw query, --by queries --asked-by query and --by searches (--log alone)");
    }
    let options = SizeOptions {
        by: args.by,
        alike: args.alike,
        asked: args.size,
        drawn: args.asked_by.map_or(AskedBy::List, |sampler| AskedBy::Drawn(sampler.following(args.backwards))),
        searched_for: searched_for(args),
        seed: args.seed.or(snapshots.first().map(|study| study.recipe().seed)).unwrap_or(1),
        threads: thread_count(None),
    };
    let found = sizes(&snapshots.iter().map(|study| &**study).collect::<Vec<&Snapshot>>(), &options)?;
    output.report_as(&found, args.format, None)
}

fn searched_for(args: &Args) -> SearchedFor {
    match (&args.words, &args.log) {
        (Some(words), _) => SearchedFor::Words(words.clone()),
        (None, Some(log)) => SearchedFor::Log(log.clone()),
        (None, None) => SearchedFor::Lexicon,
    }
}

fn draw(study: &Snapshot, sampler: PageSampler, args: &Args, output: &mut Output) -> Result<()> {
    let order = PageDraw {
        sampler: sampler.following(args.backwards),
        side: args.side,
        size: args.size,
        start: args.start.clone(),
        searched_for: searched_for(args),
        seed: args.seed.unwrap_or(study.recipe().seed),
    };
    let pages = dejaview_study::draw_pages(study, &order, thread_count(None))?;
    output.report(&pages)?;
    match pages.reached {
        _ if output.json => {}
        Some(reached) => {
            say(&format!("the walk came to {reached} of {} pages; where it can come it is uniform", pages.population))
        }
        None => say(&format!(
            "the most probable page is drawn {:.0} times as often as the least probable: use the weights",
            pages.unevenness
        )),
    }
    Ok(())
}
