//! `dejaview size`: how large corpora are beside each other, and pages drawn from them without a list.

use anyhow::{Result, bail};

use super::args::{self, Sampler};
use super::evaluate::print;
use super::output::{Output, say};
use super::run::threads;
use crate::index::KeptSide;
use crate::report::sizes::tables;
use crate::study::{PageDraw, PageSampler, Session, SizeBy, SizeOptions, sizes};

pub fn size(args: &args::Size, output: &mut Output) -> Result<()> {
    let sessions = args.studies.iter().map(|study| Session::open(study)).collect::<Result<Vec<_>, _>>()?;
    if let Some(sampler) = args.draw {
        let [session] = &sessions[..] else { bail!("pages are drawn from one study: name one") };
        return draw(session, sampler, args, output);
    }
    let by = if args.by == args::Decides::Queries { SizeBy::Queries } else { SizeBy::Pairs };
    let options = SizeOptions { by, alike: args.alike, asked: args.size, seed: args.seed };
    let found = sizes(&sessions.iter().collect::<Vec<_>>(), &options)?;
    if output.json {
        return output.json(&found);
    }
    print(&tables(&found), None, args.format, output)
}

fn draw(session: &Session, sampler: Sampler, args: &args::Size, output: &mut Output) -> Result<()> {
    let order = PageDraw {
        sampler: match sampler {
            Sampler::Query => PageSampler::Query,
            Sampler::Walk => PageSampler::Walk(args.backwards),
        },
        side: if args.side == args::Side::Source { KeptSide::Source } else { KeptSide::Target },
        size: args.size,
        start: args.start.clone(),
        seed: args.seed,
    };
    let pages = session.draw_pages(&order, threads(None))?;
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
