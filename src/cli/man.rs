//! `dejaview man`: the man page, or one for each subcommand.

use std::fs;

use anyhow::{Context, Result};
use clap::CommandFactory;

use super::args::{self, Args};
use super::output::Output;

pub fn man(args: &args::Man, output: &mut Output) -> Result<()> {
    let mut command = Args::command();
    command.build();
    let Some(folder) = &args.folder else {
        return output.bytes(&page(&command)?);
    };
    fs::create_dir_all(folder).with_context(|| format!("making the folder {}", folder.display()))?;
    let pages = command.get_subcommands().map(|sub| (format!("dejaview-{}", sub.get_name()), sub));
    for (name, command) in std::iter::once(("dejaview".to_owned(), &command)).chain(pages) {
        let path = folder.join(format!("{name}.1"));
        fs::write(&path, page(command)?).with_context(|| format!("writing {}", path.display()))?;
        output.line(path.display().to_string())?;
    }
    Ok(())
}

fn page(command: &clap::Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}
