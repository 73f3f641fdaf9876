//! `dejaview size`: how large corpora are beside each other, and pages drawn from them without a list.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::args::{Sampler, Side, TableFormat};
use super::evaluate::print;
use super::output::{Output, say};
use super::run::threads;
use dejaview_report::sizes::tables;
use dejaview_study::{PageDraw, SizeBy, SizeOptions, Snapshot, sizes};

/// Arguments of `size`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview size 2009-in-2012 2009-in-2022 2012-in-2022\n\
         dejaview size study --draw walk --side target --size 50")]
pub struct Args {
    /// Folders of studies; a corpus that several of them share ties the others together
    #[arg(required = true, value_name = "STUDY")]
    pub studies: Vec<PathBuf>,
    /// What decides that a page stands in another corpus
    #[arg(long, value_enum, default_value_t = Decides::Pairs)]
    pub by: Decides,
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
    #[arg(long, value_enum)]
    pub draw: Option<Sampler>,
    /// From which side pages are drawn
    #[arg(long, value_enum, default_value_t = Side::Target)]
    pub side: Side,
    /// Page at which a walk begins; the first with links by default
    #[arg(long, value_name = "ID")]
    pub start: Option<String>,
    /// Links to a page that a walk follows backwards at most
    #[arg(long, value_name = "R", default_value_t = 10)]
    pub backwards: usize,
    /// In what form
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub format: TableFormat,
}

/// What decides that a page of one corpus stands in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Decides {
    /// It has a pair of the study
    Pairs,
    /// A search for its 8 rarest words finds it; all texts must be kept
    Queries,
}

pub fn size(args: &Args, output: &mut Output) -> Result<()> {
    let snapshots = args.studies.iter().map(|study| Snapshot::open(study)).collect::<Result<Vec<_>, _>>()?;
    if let Some(sampler) = args.draw {
        let [study] = &snapshots[..] else { bail!("pages are drawn from one study: name one") };
        return draw(study, sampler, args, output);
    }
    let by = if args.by == Decides::Queries { SizeBy::Queries } else { SizeBy::Pairs };
    let options = SizeOptions { by, alike: args.alike, asked: args.size, seed: args.seed };
    let found = sizes(&snapshots.iter().collect::<Vec<_>>(), &options)?;
    if output.json {
        return output.json(&found);
    }
    print(&tables(&found), None, args.format, output)
}

fn draw(study: &Snapshot, sampler: Sampler, args: &Args, output: &mut Output) -> Result<()> {
    let order = PageDraw {
        sampler: sampler.drawing(args.backwards),
        side: args.side.into(),
        size: args.size,
        start: args.start.clone(),
        seed: args.seed,
    };
    let pages = dejaview_study::draw_pages(study, &order, threads(None))?;
    if output.json {
        return output.json(&pages);
    }
    output.line("id\tweight")?;
    for page in &pages.pages {
        output.line(format!("{}\t{:.6}", page.id, page.weight))?;
    }
    match pages.reached {
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
