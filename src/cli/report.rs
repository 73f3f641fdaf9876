//! `dejaview report`: the whole study on one page.

use std::fs;

use anyhow::{Context, Result};
use serde_json::json;

use super::args;
use super::output::{Output, say};
use super::run::{threads, watched};
use crate::corpus::urls::Rules;
use crate::report::numbers::plural;
use crate::report::page::{Options, Page};
use crate::report::urls::tables;
use crate::study::{Session, UrlsOrder};

/// Rows of a table about URLs.
const LONGEST: usize = 20;

/// What is asked about URLs.
fn order() -> UrlsOrder {
    UrlsOrder {
        rules: Rules::default(),
        domain: None,
        canonical: true,
        content: true,
        memory: 512_000_000,
        threads: threads(None),
    }
}

pub fn report(args: &args::Report, output: &mut Output) -> Result<()> {
    let session = Session::open(&args.study)?;
    let urls = match args.urls {
        true => tables(&watched(|bar| session.urls(&order(), bar))?, LONGEST),
        false => Vec::new(),
    };
    let options = Options { with_text: args.with_text, truth: args.truth.clone(), segments: args.segments, urls };
    let page = Page::of(&session, &options)?;
    let path = args.output.display().to_string();
    fs::write(&args.output, page.html()).with_context(|| format!("writing {path}"))?;
    let tables = match &args.tables {
        Some(folder) => {
            page.write_tables(folder).with_context(|| format!("writing tables into {}", folder.display()))?
        }
        None => Vec::new(),
    };
    if output.json {
        let sections: Vec<&str> = page.sections.iter().map(|section| section.id).collect();
        let tables: Vec<String> = tables.iter().map(|path| path.display().to_string()).collect();
        return output.json(&json!({ "report": path, "sections": sections, "tables": tables }));
    }
    if args.with_text {
        say("the page holds texts of the corpora: mind their licence before you pass it on");
    }
    if !tables.is_empty() {
        say(&format!("tables in {}", plural(tables.len() as u64, "file")));
    }
    output.line(path)
}
