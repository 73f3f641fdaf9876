//! Row 8. How do people ask from the command line?
//!
//! One file a subcommand. Results go to standard output, progress and messages to standard error. Exit code 0 is done,
//! 1 failed, 2 wrong usage; a closed pipe is no failure.

mod args;
mod compare;
mod completions;
mod doctor;
mod explain;
mod judgments;
mod label;
mod man;
mod new;
mod output;
mod pairs;
mod progress;
mod run;
mod screen;
mod search;
mod show;
mod sketches;
mod start;
mod table;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use args::{Args, Command};
use output::Output;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let args = Args::parse();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &Args) -> Result<()> {
    let mut output = Output::stdout(args.json);
    match &args.command {
        None => start::start(args)?,
        Some(Command::New(command)) => new::new(command, &mut output)?,
        Some(Command::Run(command)) => run::run(command, &mut output)?,
        Some(Command::Pairs(command)) => pairs::pairs(command, &mut output)?,
        Some(Command::Show(command)) => show::show(command, &mut output)?,
        Some(Command::Explain(command)) => explain::explain(command, &mut output)?,
        Some(Command::Sketches(command)) => sketches::sketches(command, &mut output)?,
        Some(Command::Compare(command)) => compare::compare(command, &mut output)?,
        Some(Command::Judgments(command)) => judgments::judgments(command, &mut output)?,
        Some(Command::Label(command)) => label::label(command)?,
        Some(Command::Screen(command)) => screen::screen(command, &mut output)?,
        Some(Command::Search(command)) => search::search(command, &mut output)?,
        Some(Command::Doctor(command)) => doctor::doctor(command, &mut output)?,
        Some(Command::Completions(command)) => completions::completions(command, &mut output)?,
        Some(Command::Man(command)) => man::man(command, &mut output)?,
    }
    output.finish()
}
