//! One stage on one thread, for a profiler that counts instructions: `profile STAGE PAGES`.
//!
//! `valgrind --tool=callgrind target/release/dejaview-bench profile match 400`; `load` is what every other stage does
//! before it begins.

use anyhow::{Result, bail};
use dejaview::methods::Prepared;
use dejaview::methods::measures::{Sequences, Sets, Sorter};
use dejaview::text::{self, Tokens};

use crate::data::{Data, Raw, input, tokens};
use crate::matching::{limit, matched, standard};

/// Runs a stage and prints how much it did.
pub fn run(data: &Data, stage: &str, most: usize) -> Result<()> {
    match stage {
        "match" | "pairs" | "limit" => return archive(data, stage, most),
        _ => {}
    }
    let pages = data.pages(most)?;
    let bytes: usize = pages.iter().map(|page| page.body.len()).sum();
    let texts: Vec<String> = if stage == "load" { Vec::new() } else { pages.iter().map(Raw::text).collect() };
    let size: usize = texts.iter().map(String::len).sum();
    println!("{} pages, {bytes} bytes, {size} bytes of text", pages.len());
    match stage {
        "load" | "texts" => {}
        "decode" => {
            let decoded = |page: &Raw| text::decode(&page.body, page.charset.as_deref(), true).text.len();
            println!("{}", pages.iter().map(decoded).sum::<usize>());
        }
        "tokens" | "sketch" | "sequences" | "sets" => tokenised(stage, &texts)?,
        _ => bail!("stages: match, pairs, limit, load, texts, decode, tokens, sketch, sequences, sets"),
    }
    Ok(())
}

fn tokenised(stage: &str, texts: &[String]) -> Result<()> {
    let all: Vec<Tokens> = texts.iter().map(|text| tokens(text)).collect();
    println!("{} tokens", all.iter().map(Tokens::len).sum::<usize>());
    let (configurations, mut out) = (standard()?, Vec::new());
    let (mut sets, mut sorter) = (Sets::default(), Sorter::default());
    for (text, tokens) in texts.iter().zip(&all) {
        match stage {
            "sketch" => {
                let prepared = Prepared::new(text, tokens);
                for configuration in &configurations {
                    configuration.method.sketch(&prepared, &mut out);
                }
            }
            "sequences" => drop(std::hint::black_box(Sequences::new(text, tokens.hashes()))),
            "sets" => sets.read(&Sequences::new(text, tokens.hashes()), &mut sorter),
            _ => {}
        }
    }
    Ok(())
}

/// The first pages as target, with another crawl (`match`) or themselves (`pairs`) as source, or only read (`limit`).
fn archive(data: &Data, stage: &str, most: usize) -> Result<()> {
    let pages = data.pages(most + 1)?;
    let mut bytes = std::fs::read(data.bench())?;
    if let Some(next) = pages.get(most) {
        bytes.truncate(next.offset as usize);
    }
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("pages.warc.gz");
    std::fs::write(&path, bytes)?;
    let inputs = [input(&path)?];
    if stage == "limit" {
        println!("{:?}", limit(&inputs, 1));
        return Ok(());
    }
    let source = if stage == "pairs" { inputs.clone() } else { [input(&data.older())?] };
    let (source, segment) = matched(&source, &inputs, &standard()?, 1)?;
    println!("{} source, {} target, {} pairs", source.documents.len(), segment.documents(), segment.found.len());
    Ok(())
}
