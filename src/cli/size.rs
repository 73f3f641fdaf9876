//! `dejaview size`: how large corpora are beside each other, and pages drawn from them without a list.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::choice::choice;
use super::open_study::OpenStudy;
use super::output::{Output, say};
use super::work::thread_count;
use dejaview_index::KeptSide;
use dejaview_report::TableFormat;
use dejaview_study::{BACKWARDS, PageDraw, PageSampler, SizeBy, SizeOptions, Snapshot, sizes};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview size 2009-in-2012 2009-in-2022 2012-in-2022\n\
         dejaview size study --draw walk --side target --size 50")]
pub struct Args {
    /// Folders of studies; a corpus that several of them share ties the others together
    #[arg(required = true, value_name = "STUDY")]
    pub studies: Vec<PathBuf>,
    /// What decides that a page stands in another corpus
    #[arg(long, value_parser = choice::<SizeBy>(), default_value = "pairs")]
    pub by: SizeBy,
    /// From this Jaccard on it does
    #[arg(long, value_name = "X", default_value_t = 0.9)]
    pub alike: f64,
    /// Pages to search for in each corpus (--by queries), or to draw (--draw)
    #[arg(long, default_value_t = 200)]
    pub size: usize,
    /// The same seed gives the same pages and intervals
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
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
    let options = SizeOptions { by: args.by, alike: args.alike, asked: args.size, seed: args.seed };
    let found = sizes(&snapshots.iter().map(|study| &**study).collect::<Vec<&Snapshot>>(), &options)?;
    output.report_as(&found, args.format, None)
}

fn draw(study: &Snapshot, sampler: PageSampler, args: &Args, output: &mut Output) -> Result<()> {
    let order = PageDraw {
        sampler: sampler.following(args.backwards),
        side: args.side,
        size: args.size,
        start: args.start.clone(),
        seed: args.seed,
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
