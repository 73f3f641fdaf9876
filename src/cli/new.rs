//! `dejaview new`: a commented `study.toml`.

use anyhow::Result;
use serde_json::json;

use super::args;
use super::output::Output;
use crate::study::{Template, write_template};

pub fn new(args: &args::New, output: &mut Output) -> Result<()> {
    let template =
        Template { source: args.source.clone(), target: args.target.clone(), judgments: args.judgments.clone() };
    let path = write_template(&args.folder, &template)?;
    if output.json {
        return output.json(&json!({ "path": path.display().to_string() }));
    }
    output.line(path.display().to_string())
}
