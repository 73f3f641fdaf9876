//! `dejaview show`: a document as text, tokens or bytes.

use std::path::PathBuf;

use anyhow::Result;

use super::choice::choice;
use super::open_study::OpenStudy;
use super::output::{Output, say};
use super::values::id;
use dejaview_index::KeptSide;
use dejaview_report::documents::{DocumentReport, RecordPlace};
use dejaview_text::{Tokens, fold};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: dejaview show study clueweb09-en0000-00-00000 --tokens | sort | uniq -c | sort -rn | head"
)]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// Id of the document
    #[arg(value_parser = id)]
    pub id: String,
    /// Its tokens, case-folded, one a line
    #[arg(long, conflicts_with = "raw")]
    pub tokens: bool,
    /// Its bytes as they lie in the corpus
    #[arg(long)]
    pub raw: bool,
    /// Look on one side only; by default the source is asked first
    #[arg(long, value_parser = choice::<KeptSide>())]
    pub side: Option<KeptSide>,
    /// Which of several records with this id: 1 is the one that counts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub record: u16,
}

pub fn show(args: &Args, output: &mut Output) -> Result<()> {
    let study = OpenStudy::open(&args.study)?;
    let side = args.side;
    let number = usize::from(args.record);
    let found = match args.raw || number > 1 {
        true => dejaview_study::find_record(&study, &args.id, side, number)?,
        false => dejaview_study::find_document(&study, &args.id, side)?,
    };
    let records = 1 + dejaview_study::further_records(&study, &args.id, side)?.len();
    if records > 1 && !output.json {
        let which = if number == 1 { ", the one that counts" } else { "" };
        say(&format!("record {number} of {records} with this id{which}; --record N shows another"));
    }
    if args.raw {
        return output.bytes(&found.raw.unwrap_or_default());
    }
    let document = found.document;
    let tokens = if args.tokens || output.json { folded_tokens(&document.text) } else { Vec::new() };
    output.report_exactly(&DocumentReport::new(&document, RecordPlace { number, records }, &tokens, args.tokens))
}

fn folded_tokens(text: &str) -> Vec<String> {
    let mut tokens = Tokens::new();
    tokens.read(text);
    let mut folded = String::new();
    (0..tokens.len())
        .map(|i| {
            fold(&text[tokens.span(i)], &mut folded);
            folded.clone()
        })
        .collect()
}
