//! `dejaview labels export`: labels for other tools.

use std::fs::File;
use std::io::BufWriter;

use anyhow::{Context, Result, bail};

use super::args::{Export, ExportFormat};
use crate::cli::output::{Output, say};
use crate::report::numbers::plural;
use crate::study::{LabelFormat, Session};

pub fn export(args: &Export, output: &mut Output) -> Result<()> {
    let session = Session::open(&args.study)?;
    let format = match args.format {
        _ if output.json => LabelFormat::Jsonl,
        ExportFormat::Tsv => LabelFormat::Tsv,
        ExportFormat::Jsonl => LabelFormat::Jsonl,
        ExportFormat::Qrels => LabelFormat::Qrels,
        ExportFormat::Copycat => LabelFormat::Copycat,
        ExportFormat::Splink => LabelFormat::Splink,
    };
    if args.texts && !format.names_annotators() {
        bail!("texts go with --format tsv or jsonl only");
    }
    let mut file = match &args.output {
        Some(path) => {
            let file = File::create(path).with_context(|| format!("writing {}", path.display()))?;
            Some(Output::to(Box::new(BufWriter::new(file)), output.json))
        }
        None => None,
    };
    let mut failure = None;
    let out = file.as_mut().unwrap_or(output);
    let of = (args.annotator.as_deref(), args.sample.as_deref());
    let open = session.export_labels(format, of, args.texts, &mut |line| match out.line(line) {
        Ok(()) => true,
        Err(error) => {
            failure = Some(error);
            false
        }
    })?;
    if open > 0 {
        say(&format!("{} left out: annotators disagree, and nobody has settled it", plural(open as u64, "pair")));
    }
    failure.map_or(Ok(()), Err)?;
    file.map_or(Ok(()), Output::finish)
}
