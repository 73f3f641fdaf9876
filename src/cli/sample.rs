//! `dejaview sample`: draws pairs to be labelled, each with a known probability.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::drawn::{self, Shown, as_json};
use super::labels::told;
use super::output::{Misuse, Output, say};
use super::planning::{self, Planning};
use super::renewing;
use super::run::{threads, watched};
use super::sample_from::{DrawnFrom, OfTransfer};
use super::values::Values;
use dejaview_evaluation::sample::{Allocation, StratifyBy};
use dejaview_report::numbers::{count, plural};
use dejaview_study::{Assignment, Draw, Extension, Import, Snapshot, TransferDraw};

/// What says how a sample is drawn, and has no place where it is known.
const DRAWING: [&str; 12] = [
    "configuration",
    "size",
    "seed",
    "by",
    "bounds",
    "allocation",
    "documents",
    "importance",
    "from",
    "audit",
    "extend",
    "stratum",
];

/// Arguments of `sample`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: dejaview sample study --configuration simhash-3+5 --size 100 --seed 7 --name precise\n\
         dejaview sample study --configuration simhash-3+5,imatch --by jaccard --allocation equal --audit 50 --name both\n\
         dejaview sample study --list\n\
         dejaview sample study --name both --extend 40\n\
         dejaview sample study --name both --extend 40 --stratum \"jaccard 0.7-0.8\"\n\
         dejaview sample study --name both --redraw\n\
         dejaview sample study --configuration best,imatch --plan --compare best,imatch --difference 0.1\n\
         dejaview sample study --configuration simhash-3+5 --assign ann,bob,eve --overlap 20 --name shared\n\
         dejaview sample study --configuration simhash-3+5 --from query --size 200 --name searched\n\
         dejaview sample study --configuration copycat --by score --bounds 0.5,0.8,0.95 --allocation equal --name bands\n\
         dejaview sample study --configuration copycat --import labelled.tsv --annotator daniel --positive 1..3 --negative 0,0.5\n\
         dejaview sample study --from transfer --policy best --accept jaccard:0.9 --size 60 --name carried"
)]
pub struct Args {
    /// Folder of the study; its run must be finished
    pub study: PathBuf,
    /// Take in a sample of the pairs of --configuration that was drawn elsewhere, in place of drawing one: a table with the
    /// columns source, target, label, stratum and population (how many pairs the stratum has); labels may be missing
    #[arg(long, value_name = "FILE", requires = "configuration", conflicts_with_all = ["size", "seed", "by", "bounds", "allocation", "documents", "importance", "from", "audit", "extend", "stratum", "redraw", "keep", "assign", "plan"])]
    pub import: Option<PathBuf>,
    /// With --import: whose labels they are, where the file does not say so
    #[arg(long, value_name = "NAME", requires = "import")]
    pub annotator: Option<String>,
    #[command(flatten)]
    pub values: Values,
    /// The configuration whose pairs are drawn from; several make one sample that serves them all, `all` takes
    /// those of the study
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required_unless_present_any = ["extend", "from", "stratum", "redraw", "keep", "list", "plan"])]
    pub configuration: Vec<String>,
    /// Pairs to draw; all when there are fewer
    #[arg(long, default_value_t = 100)]
    pub size: u64,
    /// The same seed draws the same pairs
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Draw within strata
    #[arg(long, value_enum, default_value_t = SampleBy::None)]
    pub by: SampleBy,
    /// The edges between strata of jaccard, length or score, ascending: 0.5,0.8 makes three strata
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', requires = "by")]
    pub bounds: Vec<f64>,
    /// How the strata share the sample: proportional unless said otherwise
    #[arg(long, value_enum)]
    pub allocation: Option<SampleAllocation>,
    /// Draw source documents, and one pair of each
    #[arg(long, conflicts_with = "audit")]
    pub documents: bool,
    /// Draw pairs that are probably true more often than others, and let weights make up for it: good where few of many are
    /// true. A pair's probability goes with a quarter, and three quarters of the geometric mean of its Jaccard and of the share
    /// of the study's configurations that found it
    #[arg(long, conflicts_with_all = ["by", "allocation", "documents", "from", "extend"])]
    pub importance: bool,
    /// Draw source pages as if nobody had a list of them, --size times, and one pair of each that has any (weights are then
    /// relative: they add up to the pairs of the configurations; such a sample cannot be extended), or draw the pairs that a
    /// transfer takes
    #[arg(long, value_enum, conflicts_with_all = ["by", "allocation", "documents", "audit", "extend"])]
    pub from: Option<DrawnFrom>,
    #[command(flatten)]
    pub transfer: OfTransfer,
    /// Links to a page that a walk follows backwards at most
    #[arg(long, value_name = "R", default_value_t = 10, requires = "from")]
    pub backwards: usize,
    /// Draw also so many pairs that none of these configurations found, so that recall is not blind: first pairs that other
    /// configurations found and pairs with the same URL or similar words, then random ones; the first time it reads both
    /// sides again
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub audit: u64,
    /// Add so many pairs to the sample of this name; those it has stay, in their order
    #[arg(long, value_name = "N", conflicts_with_all = ["configuration", "size", "seed", "by", "documents"])]
    pub extend: Option<u64>,
    /// Share the pairs out among these annotators: each is asked about their own part only
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "extend")]
    pub assign: Vec<String>,
    /// Pairs that all annotators of --assign are asked about, so that their agreement can be measured: a number of pairs,
    /// spread over the strata. Each other pair is given to one of them, as are the pairs that --extend adds later
    #[arg(long, value_name = "N", default_value_t = 0, requires = "assign")]
    pub overlap: u64,
    /// Add them to this stratum alone; may be given several times, and with a number for each: "jaccard 0.7-0.8=20"
    #[arg(long, value_name = "NAME", conflicts_with_all = ["configuration", "size", "seed", "by", "documents", "from"])]
    pub stratum: Vec<String>,
    /// Draw the sample of this name again from the pairs there are now, by the same design and seed; labels of pairs that
    /// are in both stay
    #[arg(long, requires = "name", conflicts_with_all = DRAWING)]
    pub redraw: bool,
    /// Keep the sample of this name although the pairs have changed: those of its pairs that are still found
    #[arg(long, requires = "name", conflicts_with_all = DRAWING, conflicts_with = "redraw")]
    pub keep: bool,
    /// Name of the sample; that of the first configuration by default
    #[arg(long)]
    pub name: Option<String>,
    /// Print the pairs that were drawn, with their strata and weights, not for the eyes of who labels them
    #[arg(long, conflicts_with = "plan")]
    pub pairs: bool,
    /// Draw nothing: list the samples of the study, how each was drawn and how far it is labelled, and whether it is of the
    /// pairs there are
    #[arg(long, conflicts_with_all = DRAWING, conflicts_with_all = ["import", "redraw", "keep", "name", "plan", "pairs", "assign"])]
    pub list: bool,
    #[command(flatten)]
    pub planning: Planning,
}

/// What `sample` divides the pairs by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum SampleBy {
    /// Headline Jaccard
    Jaccard,
    /// How many of the configurations found the pair; of two or three, which
    Agreement,
    /// Segment of the target
    Segment,
    /// Same host or not; looks up every document
    Host,
    /// Same URL or not
    Url,
    /// Length ratio
    Length,
    /// The score that the file of imported pairs gives
    Score,
    /// Nothing: simple random
    None,
}

/// How the strata share a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum SampleAllocation {
    /// By their numbers of pairs, two of each at least
    Proportional,
    /// The same number of each; the weights make up for it
    Equal,
    /// With --extend: where the labels so far say that pairs help most (Neyman)
    Neyman,
}

pub fn sample(args: &Args, output: &mut Output) -> Result<()> {
    let study = Snapshot::open(&args.study)?;
    if args.list {
        return drawn::list(&study, output);
    }
    if let Some(file) = &args.import {
        return import(args, file, &study, output);
    }
    if !args.values.meaning()?.is_empty() {
        return Err(
            Misuse("--positive, --negative and --unsure say what the labels of --import mean".to_owned()).into()
        );
    }
    if args.planning.plan {
        return planning::plan(args, &study, configurations(args, &study), output);
    }
    if args.redraw {
        return renewing::redraw(args, &study, output);
    }
    if args.keep {
        return renewing::keep(args, &study, output);
    }
    let before = before(args, &study)?;
    if let Some(draw) = of_transfer(args, &study)? {
        let (sample, _) = dejaview_study::draw_from_transfer(&study, &draw)?;
        say(&format!("drawn from the {} that this transfer takes", plural(sample.population, "pair")));
        before.iter().for_each(|(pairs, asked)| drawn::longer(&sample, *pairs, *asked));
        return drawn::show(&sample, &study, args.shown(), output);
    }
    let draw = draw(args, &study)?;
    let (sample, _) = match (draw.audit, draw.from) {
        (0, None) => dejaview_study::draw_sample(&study, &draw, None)?,
        _ => watched(|bar| dejaview_study::draw_sample(&study, &draw, Some((bar, threads(None)))))?,
    };
    if draw.from.is_some() {
        say(&format!(
            "of {}, {} of the source with pairs; weights are relative: they add up to the {} of the configurations",
            plural(draw.size, "draw"),
            plural(sample.pairs.len() as u64, "page"),
            plural(sample.population, "pair"),
        ));
    }
    before.iter().for_each(|(pairs, asked)| drawn::longer(&sample, *pairs, *asked));
    drawn::show(&sample, &study, args.shown(), output)
}

/// Of a sample that is to be made longer, the pairs that it has and how many are asked for.
fn before(args: &Args, study: &Snapshot) -> Result<Option<(usize, u64)>> {
    let longer = args.extend.is_some() || !args.stratum.is_empty();
    let Some(name) = args.name.as_deref().filter(|_| longer) else { return Ok(None) };
    let number = |stratum: &String| stratum.rsplit_once('=').and_then(|(_, number)| number.trim().parse::<u64>().ok());
    let asked = args.extend.unwrap_or_else(|| args.stratum.iter().filter_map(number).sum());
    Ok(Some((dejaview_study::drawn_sample(study, name)?.pairs.len(), asked + args.audit)))
}

impl Args {
    /// How the sample is shown.
    pub fn shown(&self) -> Shown {
        if self.pairs { Shown::Pairs } else { Shown::Strata }
    }
}

/// Takes in a sample that was drawn elsewhere, and its labels.
fn import(args: &Args, file: &Path, study: &Snapshot, output: &mut Output) -> Result<()> {
    let [configuration] = &args.configuration[..] else {
        return Err(Misuse("a sample that is imported is of the pairs of one configuration".to_owned()).into());
    };
    let (annotator, sample, meaning) = (args.annotator.as_deref(), args.name.as_deref(), &args.values.meaning()?);
    let imported = dejaview_study::import_sample(study, Import { file, annotator, sample, meaning }, configuration)?;
    let sample = &imported.sample;
    if imported.not_found > 0 {
        say(&format!(
            "of the {} of the sample, {} not among those that {configuration} found in this study",
            plural(sample.pairs.len() as u64, "pair"),
            match imported.not_found {
                1 => "1 is".to_owned(),
                n => format!("{} are", count(n)),
            }
        ));
    }
    if sample.population < imported.found {
        say(&format!(
            "the populations of the sample add up to {}, and {configuration} found {} in this study: the sample speaks for \
             fewer than there are",
            plural(sample.population, "pair"),
            count(imported.found)
        ));
    }
    if output.json {
        let mut value = as_json(sample);
        value["labels"] = json!(imported.labels);
        value["not_found"] = json!(imported.not_found);
        value["found"] = json!(imported.found);
        value["swapped"] = json!(imported.swapped);
        return output.json(&value);
    }
    drawn::strata(sample, study, output)?;
    match &imported.labels {
        Some(report) => told(report, file, output),
        None => {
            if imported.swapped > 0 {
                let rows = plural(imported.swapped, "row");
                output.line(format!("{rows} with source and target swapped put right"))?;
            }
            output.line("it has no labels yet")
        }
    }
}

/// The draw where it is from the pairs of a transfer, or makes one of those longer.
fn of_transfer(args: &Args, study: &Snapshot) -> Result<Option<TransferDraw>> {
    if let (Some(more), Some(name)) = (args.extend, args.name.as_deref()) {
        let there = TransferDraw::of(&dejaview_study::sample_or_first_draw(study, name)?)?;
        return Ok(there.map(|there| TransferDraw { size: there.size + more, ..there }));
    }
    args.transfer.draw(args.from, args.name.as_deref(), &args.configuration, (args.size, args.seed))
}

/// The configurations whose pairs are drawn from; `all` stands for those of the study.
fn configurations(args: &Args, study: &Snapshot) -> Vec<String> {
    if args.configuration != ["all"] {
        return args.configuration.clone();
    }
    study.recipe().configurations.iter().map(|configuration| configuration.name.clone()).collect()
}

/// What is asked for; of a sample that is to be made longer, how it was drawn.
fn draw(args: &Args, study: &Snapshot) -> Result<Draw> {
    let neyman = args.allocation == Some(SampleAllocation::Neyman);
    if args.extend.is_some() || !args.stratum.is_empty() {
        let name = args.name.as_deref().context("say with --name which sample is to be made longer")?;
        if args.allocation.is_some() && !neyman {
            bail!("a sample is made longer by its own allocation, or by --allocation neyman");
        }
        let (more, audit, strata) = (args.extend, args.audit, args.stratum.clone());
        return Ok(dejaview_study::extended_draw(study, name, &Extension { more, audit, strata, neyman })?);
    }
    if neyman {
        bail!("Neyman's allocation rests on labels: draw a sample, label it, and --extend it by --allocation neyman");
    }
    let first =
        args.configuration.first().ok_or_else(|| Misuse("name a configuration with --configuration".to_owned()))?;
    Ok(Draw {
        name: args.name.clone().unwrap_or_else(|| first.clone()),
        configurations: configurations(args, study),
        size: args.size,
        seed: args.seed,
        by: by(args.by),
        bounds: args.bounds.clone(),
        allocation: allocation(args.allocation),
        documents: args.documents,
        importance: args.importance,
        audit: args.audit,
        from: args.from.and_then(|from| from.pages(args.backwards)),
        assignment: Assignment { annotators: args.assign.clone(), overlap: args.overlap },
        least: Vec::new(),
    })
}

/// How strata share a sample, as asked for.
pub(super) fn allocation(asked: Option<SampleAllocation>) -> Allocation {
    match asked {
        Some(SampleAllocation::Equal) => Allocation::Equal,
        _ => Allocation::Proportional,
    }
}

/// What pairs are divided by, as asked for.
pub(super) fn by(by: SampleBy) -> StratifyBy {
    match by {
        SampleBy::Jaccard => StratifyBy::Jaccard,
        SampleBy::Agreement => StratifyBy::Agreement,
        SampleBy::Segment => StratifyBy::Segment,
        SampleBy::Host => StratifyBy::Host,
        SampleBy::Url => StratifyBy::Url,
        SampleBy::Length => StratifyBy::Length,
        SampleBy::Score => StratifyBy::Score,
        SampleBy::None => StratifyBy::None,
    }
}
