//! `dejaview show`: a document as text, tokens or bytes.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::json;

use super::args::Side;
use super::output::Output;
use crate::index::KeptSide;
use crate::study::Session;
use crate::text::{Tokens, fold};

/// Arguments of `show`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: dejaview show study clueweb09-en0000-00-00000 --tokens | sort | uniq -c | sort -rn | head"
)]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// Id of the document
    pub id: String,
    /// Its tokens, case-folded, one a line
    #[arg(long, conflicts_with = "raw")]
    pub tokens: bool,
    /// Its bytes as they lie in the corpus
    #[arg(long)]
    pub raw: bool,
    /// Look on one side only; by default the source is asked first
    #[arg(long, value_enum)]
    pub side: Option<Side>,
}

pub fn show(args: &Args, output: &mut Output) -> Result<()> {
    let session = Session::open(&args.study)?;
    let side = args.side.map(KeptSide::from);
    if args.raw {
        let found = session.raw_document(&args.id, side)?;
        return output.bytes(&found.raw.unwrap_or_default());
    }
    let document = session.document(&args.id, side)?.document;
    let tokens = if args.tokens || output.json { tokens(&document.text) } else { Vec::new() };
    if output.json {
        return output.json(&json!({
            "side": document.side.name(),
            "segment": document.segment,
            "id": document.id,
            "url": document.url,
            "date": document.date,
            "charset": document.charset,
            "media": document.media,
            "file": document.file,
            "offset": document.offset,
            "bytes": document.bytes,
            "digest": document.digest,
            "words": tokens.len(),
            "text": document.text,
            "tokens": args.tokens.then_some(&tokens),
        }));
    }
    if args.tokens {
        return tokens.iter().try_for_each(|token| output.line(token));
    }
    output.line(&document.text)
}

/// The folded tokens of a text, in order.
fn tokens(text: &str) -> Vec<String> {
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
