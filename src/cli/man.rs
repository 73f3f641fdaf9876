//! `dejaview man`: the man page, or one for each subcommand.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::output::Output;
use dejaview_study::Outputs;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview man | man -l -")]
pub struct Args {
    /// Write a page for the program and each subcommand into this folder instead
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
    /// Replace pages that are there already
    #[arg(long, requires = "folder")]
    pub force: bool,
}

pub fn man(args: &Args, mut program: clap::Command, output: &mut Output) -> Result<()> {
    program.build();
    let Some(folder) = &args.folder else {
        return output.bytes(&page(&program)?);
    };
    fs::create_dir_all(folder).with_context(|| format!("making the folder {}", folder.display()))?;
    let pages = program.get_subcommands().map(|sub| (format!("dejaview-{}", sub.get_name()), sub));
    for (name, command) in std::iter::once(("dejaview".to_owned(), &program)).chain(pages) {
        let path = folder.join(format!("{name}.1"));
        Outputs::new(None, "man", args.force).write(&path, &page(command)?)?;
        output.line(path.display().to_string())?;
    }
    Ok(())
}

fn page(command: &clap::Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}
