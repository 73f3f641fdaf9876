//! `dejaview figures`: the study's counts and distributions, drawn in the terminal.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::args::TableFormat;
use super::evaluate::print;
use super::output::{Output, ascii_only};
use dejaview_report::charts::text::{Look, ascii, draw};
use dejaview_report::figures;
use dejaview_study::{FigureOptions, Figures, Snapshot};

/// Arguments of `figures`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview figures study --configuration simhash-3+5 --segments 20")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// Only this configuration; may be given several times
    #[arg(long, value_name = "NAME")]
    pub configuration: Vec<String>,
    /// Only pairs of this segment
    #[arg(long, value_name = "NAME")]
    pub segment: Option<String>,
    /// Segments to which accumulated counts are carried on; twice those read by default
    #[arg(long, value_name = "N")]
    pub segments: Option<usize>,
    /// From this Jaccard on a pair counts as a near-duplicate
    #[arg(long, value_name = "X", default_value_t = 0.9)]
    pub alike: f64,
    /// Only this figure or table
    #[arg(long, value_name = "NAME")]
    pub figure: Option<String>,
    /// Charts, or the numbers as a table
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub format: TableFormat,
}

/// Columns when nobody looks at a terminal.
const WIDTH: usize = 100;

pub fn figures(args: &Args, output: &mut Output) -> Result<()> {
    let study = Snapshot::open(&args.study)?;
    let options = FigureOptions {
        configurations: args.configuration.clone(),
        segment: args.segment.clone(),
        segments: args.segments,
        alike: args.alike,
    };
    let figures = dejaview_study::figures(&study, &options)?;
    if output.json {
        return output.json(&figures);
    }
    if args.format == TableFormat::Text {
        return charts(&figures, args.figure.as_deref(), output);
    }
    print(&figures::tables(&figures), args.figure.as_deref(), args.format, output)
}

fn charts(figures: &Figures, only: Option<&str>, output: &mut Output) -> Result<()> {
    let look = Look { width: output.columns().unwrap_or(WIDTH), ascii: ascii_only() };
    let mut blocks: Vec<(&str, Vec<String>)> = Vec::new();
    for figure in &figures.figures {
        blocks.push((figure.name, draw(figure, look)));
        blocks.extend(figures::forecasts(figure).map(|table| (table.name, table.text_in(output.columns()))));
    }
    for table in [figures::candidates(figures), figures::quality(figures)] {
        blocks.push((table.name, table.text_in(output.columns())));
    }
    let names: Vec<&str> = blocks.iter().map(|(name, _)| *name).collect();
    if let Some(name) = only.filter(|name| !names.contains(name)) {
        bail!("there is no figure “{name}” here; there are {}", names.join(", "));
    }
    let chosen = blocks.iter().filter(|(name, _)| only.is_none_or(|only| only == *name));
    for (i, (_, lines)) in chosen.enumerate() {
        if i > 0 {
            output.line("")?;
        }
        for line in lines {
            output.line(if look.ascii { ascii(line) } else { line.clone() })?;
        }
    }
    Ok(())
}
