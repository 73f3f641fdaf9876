//! `dejaview completions`: a script for a shell.

use anyhow::Result;
use clap::CommandFactory;

use super::args::{self, Args};
use super::output::Output;

pub fn completions(args: &args::Completions, output: &mut Output) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "dejaview", &mut script);
    output.bytes(&script)
}
