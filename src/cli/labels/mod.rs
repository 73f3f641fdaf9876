//! `dejaview labels`: the evaluation set, in and out, and what people agree on.

mod agreement;
pub mod args;
mod export;
mod import;
mod pack;
mod paragraph;
mod verify;

use anyhow::Result;

use super::output::Output;
use args::LabelsCommand;

pub fn labels(args: &args::Labels, output: &mut Output) -> Result<()> {
    match &args.command {
        LabelsCommand::Export(args) => export::export(args, output),
        LabelsCommand::Import(args) => import::import(args, output),
        LabelsCommand::Agreement(args) => agreement::agreement(args, output),
        LabelsCommand::Verify(args) => verify::verify(args, output),
        LabelsCommand::Paragraph(args) => paragraph::paragraph(args, output),
        LabelsCommand::Pack(args) => pack::pack(args, output),
        LabelsCommand::Unpack(args) => pack::unpack(args, output),
    }
}
