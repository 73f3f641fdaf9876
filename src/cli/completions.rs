//! `dejaview completions`: a script for a shell.

use anyhow::Result;

use super::output::Output;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview completions bash > ~/.local/share/bash-completion/completions/dejaview")]
pub struct Args {
    /// The shell
    pub shell: clap_complete::Shell,
}

pub fn completions(args: &Args, mut program: clap::Command, output: &mut Output) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "dejaview", &mut script);
    output.bytes(&script)
}
