//! `dejaview help`: the help of the program or of a command, or a page of the manual.

use std::ffi::OsStr;

use anyhow::Result;
use clap::Arg;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};

use super::output::{Misuse, Output};
use dejaview_report::manual::{self, TOPICS};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview help labelling")]
pub struct Args {
    /// Topic of the manual, or command
    #[arg(value_parser = TopicParser)]
    pub topic: Vec<String>,
}

/// Takes any word, since commands are allowed, too, and offers the topics to `--help` and to the shell.
#[derive(Clone)]
struct TopicParser;

impl TypedValueParser for TopicParser {
    type Value = String;

    fn parse_ref(&self, program: &clap::Command, argument: Option<&Arg>, word: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(program, argument, word)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(TOPICS.iter().map(|topic| PossibleValue::new(topic.name).help(topic.title()))))
    }
}

pub fn help(args: &Args, program: clap::Command, output: &mut Output) -> Result<()> {
    let name = args.topic.join("-");
    let is_command = args.topic.first().is_some_and(|word| program.find_subcommand(word).is_some());
    let begun = || (!is_command && !name.is_empty()).then(|| manual::topic_begun_by(&name)).flatten();
    if let Some(topic) = manual::topic(&name).or_else(begun) {
        return output.page(&topic.for_terminal());
    }
    let mut command = &program;
    for word in &args.topic {
        command = command
            .find_subcommand(word)
            .ok_or_else(|| Misuse(format!("“{word}” is neither a topic nor a command. Topics: {}", manual::names())))?;
    }
    let words = ["dejaview"].into_iter().chain(args.topic.iter().map(String::as_str)).chain(["--help"]);
    // Asking for help ends the parsing with an error that is the help.
    if let Err(help) = program.try_get_matches_from(words) {
        help.print()?;
    }
    if args.topic.is_empty() {
        output.line("\nManual: dejaview help TOPIC prints a page")?;
        let widest = TOPICS.iter().map(|topic| topic.name.len()).max().unwrap_or(0);
        for topic in TOPICS {
            output.line(format!("  {:widest$}  {}", topic.name, topic.title()))?;
        }
    }
    Ok(())
}
