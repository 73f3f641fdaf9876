//! `dejaview sketches`: what each document was reduced to.

use anyhow::Result;
use serde_json::json;

use super::args;
use super::output::Output;
use super::run::threads;
use crate::study::Session;

pub fn sketches(args: &args::Sketches, output: &mut Output) -> Result<()> {
    let session = Session::open(&args.study)?;
    if !output.json {
        output.line("side\tid\tsketch")?;
    }
    let mut result = Ok(());
    session.sketches(&args.configuration, threads(None), &mut |side, id, sketch| {
        result = if output.json {
            output.json(&json!({ "side": side.name(), "id": id, "sketch": sketch }))
        } else {
            output.line(format!("{}\t{id}\t{sketch}", side.name()))
        };
        result.is_ok()
    })?;
    result
}
