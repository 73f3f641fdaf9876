//! Row 8. How do people ask from the command line?
//!
//! One file a subcommand. Results go to standard output, progress and messages to standard error. Exit code 0 is done,
//! 1 failed, 2 wrong usage; a closed pipe is no failure.

mod args;
mod choice;
mod command_line;
mod compare;
mod completions;
mod doctor;
mod evaluate;
mod explain;
mod explorer;
mod figures;
mod groups;
mod judgments;
mod label;
mod labels;
mod man;
mod new;
mod next;
mod output;
mod pairs;
mod progress;
mod qrels;
mod report;
mod run;
mod sample;
mod screen;
mod search;
mod show;
mod size;
mod sketches;
mod start;
mod thin;
mod transfer;
mod urls;
mod values;
mod work;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser};

use command_line::{Command, CommandLine};
pub use next::{Explore, First, Next, Picture};
use output::Output;

/// Reads the arguments of the process and does what they say, as far as it needs no screen.
/// `settings` says what is wrong with the person's settings: half of them are the explorer's to understand.
pub fn run(settings: fn() -> Vec<String>) -> Result<Next> {
    let args = CommandLine::parse();
    let mut output = Output::stdout(args.json);
    let next = dispatch(&args, settings, &mut output)?;
    output.finish()?;
    Ok(next)
}

/// Prints text on standard output, with what must not reach a terminal made visible.
pub fn print(text: &str) -> Result<()> {
    let mut output = Output::stdout(false);
    output.text(text)?;
    output.finish()
}

/// The exit code of an ending, and a complaint where there is cause for one. A closed pipe is none.
pub fn exit_code(ending: &Result<()>) -> ExitCode {
    match ending {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_closed_pipe(error) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(error);
            if error.is::<output::Misuse>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

fn dispatch(args: &CommandLine, settings: fn() -> Vec<String>, output: &mut Output) -> Result<Next> {
    match &args.command {
        None => start::start(args).map(Box::new).map(Next::Explore),
        Some(Command::Label(command)) => label::label(command).map(Box::new).map(Next::Explore),
        Some(Command::Screen(command)) => screen::screen(command).map(Box::new).map(Next::Picture),
        Some(command) => written(command, settings, output).map(|()| Next::Done),
    }
}

/// Does what is answered in writing.
fn written(command: &Command, settings: fn() -> Vec<String>, output: &mut Output) -> Result<()> {
    match command {
        Command::New(command) => new::new(command, output),
        Command::Run(command) => run::run(command, output),
        Command::Pairs(command) => pairs::pairs(command, output),
        Command::Show(command) => show::show(command, output),
        Command::Explain(command) => explain::explain(command, output),
        Command::Evaluate(command) => evaluate::evaluate(command, output),
        Command::Figures(command) => figures::figures(command, output),
        Command::Report(command) => report::report(command, output),
        Command::Size(command) => size::size(command, output),
        Command::Sketches(command) => sketches::sketches(command, output),
        Command::Compare(command) => compare::compare(command, output),
        Command::Sample(command) => sample::sample(command, output),
        Command::Labels(command) => labels::labels(command, output),
        Command::Judgments(command) => judgments::judgments(command, output),
        Command::Urls(command) => urls::urls(command, output),
        Command::Thin(command) => thin::thin(command, output),
        Command::Groups(command) => groups::groups(command, output),
        Command::Transfer(command) => transfer::transfer(command, output),
        Command::Search(command) => search::search(command, output),
        Command::Doctor(command) => doctor::doctor(command, settings, output),
        Command::Completions(command) => completions::completions(command, CommandLine::command(), output),
        Command::Man(command) => man::man(command, CommandLine::command(), output),
        Command::Label(_) | Command::Screen(_) => Ok(()),
    }
}
