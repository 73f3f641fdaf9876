//! Row 8. How is dejaview used from the command line?
//!
//! Each subcommand is one file: its options and the function that runs it. Results go to standard output, progress and messages to standard error. Exit code 0 is done,
//! 1 failed, 2 wrong usage; a pipe that the reader closed is no failure.

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
mod help;
mod judgments;
mod label;
mod labels;
mod learn;
mod man;
mod match_files;
mod new;
mod next;
mod open_study;
mod output;
mod pairs;
mod progress;
mod qrels;
mod report;
mod reproduce;
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
use dejaview_text::printable;
pub use next::{Explore, Next, Picture, PictureForm, StartAt};
use output::Output;
pub use output::say_first;

/// Parses the arguments of the process and runs the subcommand; what needs the explorer is returned to be done by the
/// caller. `settings_problems` says what is wrong with the user's settings: only the explorer understands all of them.
pub fn run(settings_problems: fn() -> Vec<String>) -> Result<Next> {
    let args = parse_arguments();
    dejaview_study::start_threads()?;
    let mut output = Output::stdout(args.json);
    let next = dispatch(&args, settings_problems, &mut output)?;
    output.finish()?;
    Ok(next)
}

/// The arguments of the process. Wrong ones end it with a message, in which control characters are made visible.
fn parse_arguments() -> CommandLine {
    CommandLine::try_parse().unwrap_or_else(|wrong| {
        let shown = std::env::args_os().map(|word| printable(&word.to_string_lossy()).into_owned());
        let Err(shown) = CommandLine::try_parse_from(shown) else {
            output::say(&wrong.to_string());
            std::process::exit(2)
        };
        shown.exit()
    })
}

/// Prints a screen, which is lines of text, as a JSON document on standard output.
pub fn print_screen(size: (u16, u16), text: &str) -> Result<()> {
    let mut output = Output::stdout(true);
    output.json(&screen::ScreenLines::new(size, text))?;
    output.finish()
}

/// Prints text on standard output; control characters are made visible where that is a terminal.
pub fn print(text: &str) -> Result<()> {
    let mut output = Output::stdout(false);
    output.text(text)?;
    output.finish()
}

/// The exit code of the program; an error is printed, unless it only says that the reader closed the pipe.
pub fn exit_code(result: &Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_closed_pipe(error) => ExitCode::SUCCESS,
        Err(error) => {
            output::print_error(error);
            if error.is::<output::Misuse>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

fn dispatch(args: &CommandLine, settings_problems: fn() -> Vec<String>, output: &mut Output) -> Result<Next> {
    match &args.command {
        None => start::start(args).map(Box::new).map(Next::Explore),
        Some(Command::Label(command)) => label::label(command).map(Box::new).map(Next::Explore),
        Some(Command::Screen(command)) => screen::screen(command, args.json).map(Box::new).map(Next::Picture),
        Some(command) => run_command(command, settings_problems, output).map(|()| Next::Done),
    }
}

/// Runs a subcommand that only prints or writes files.
fn run_command(command: &Command, settings_problems: fn() -> Vec<String>, output: &mut Output) -> Result<()> {
    match command {
        Command::New(command) => new::new(command, output),
        Command::Run(command) => run::run(command, output),
        Command::Match(command) => match_files::match_files(command, output),
        Command::Pairs(command) => pairs::pairs(command, output),
        Command::Show(command) => show::show(command, output),
        Command::Explain(command) => explain::explain(command, output),
        Command::Evaluate(command) => evaluate::evaluate(command, output),
        Command::Figures(command) => figures::figures(command, output),
        Command::Report(command) => report::report(command, output),
        Command::Reproduce(command) => reproduce::reproduce(command, output),
        Command::Size(command) => size::size(command, output),
        Command::Sketches(command) => sketches::sketches(command, output),
        Command::Compare(command) => compare::compare(command, output),
        Command::Sample(command) => sample::sample(command, output),
        Command::Labels(command) => labels::labels(command, output),
        Command::Learn(args) => learn::learn(args, output),
        Command::Judgments(command) => judgments::judgments(command, output),
        Command::Urls(command) => urls::urls(command, output),
        Command::Thin(command) => thin::thin(command, output),
        Command::Groups(command) => groups::groups(command, output),
        Command::Transfer(command) => transfer::transfer(command, output),
        Command::Search(command) => search::search(command, output),
        Command::Doctor(command) => doctor::doctor(command, settings_problems, output),
        Command::Completions(command) => completions::completions(command, CommandLine::command(), output),
        Command::Help(command) => help::help(command, CommandLine::command(), output),
        Command::Man(command) => man::man(command, CommandLine::command(), output),
        Command::Label(_) | Command::Screen(_) => Ok(()),
    }
}
