//! The options of the program and its list of subcommands. Help, completions and the man page are generated from these
//! types, so their doc comments are what users read.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use super::explorer::ExplorerOptions;
use super::values::id;
use super::{
    compare, completions, doctor, evaluate, explain, figures, groups, help, judgments, label, labels, learn, man,
    match_files, new, pairs, report, reproduce, run, sample, screen, search, show, size, sketches, thin, transfer,
    urls,
};

/// Explore near-duplicates between web corpora, label them, carry judgments over.
#[derive(Debug, Parser)]
#[command(
    name = "dejaview",
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
#[command(
    after_help = "Example: dejaview new study --source 'crawl-2009/*.warc.gz' --target 'crawl-2012/*.warc.gz' && dejaview run study\n\n\
Exit codes: 0 done, 1 failed, 2 wrong usage."
)]
pub struct CommandLine {
    /// Study to open: a folder with a study.toml. Without it the current folder's study, else the sample study
    pub study: Option<PathBuf>,
    /// Print JSON: one document, or one a line where results stream
    #[arg(long, global = true)]
    pub json: bool,
    /// Open at this pair: source id, target id
    #[arg(long, num_args = 2, value_names = ["SOURCE", "TARGET"], value_parser = id)]
    pub at: Option<Vec<String>>,
    #[command(flatten)]
    pub explorer: ExplorerOptions,
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a commented study.toml
    New(new::Args),
    /// Read, match and score; go on where a stopped run ended
    Run(run::Args),
    /// Search target files with a kit, as one of many workers
    Match(match_files::Args),
    /// Stream the candidate pairs with their scores
    Pairs(pairs::Args),
    /// Show a document: its canonical text, its tokens, or its bytes
    Show(show::Args),
    /// Say why a pair matches or not, configuration by configuration
    Explain(explain::Args),
    /// Compare the configurations: precision, recall, F, what each alone found, Dice
    Evaluate(evaluate::Args),
    /// Draw pairs and documents found per segment, similarities, candidates per document
    Figures(figures::Args),
    /// Write every table and figure of the study on one page
    Report(report::Args),
    /// Repeat the thesis and the papers: every table beside the published numbers
    Reproduce(reproduce::Args),
    /// Estimate how large corpora are beside each other, or draw pages without a list
    Size(size::Args),
    /// Print what each document was reduced to, so that anyone can check the search
    Sketches(sketches::Args),
    /// Compare two files that belong to no study
    Compare(compare::Args),
    /// Count judgments by track, topic and grade; list the inconsistent ones
    Judgments(judgments::Args),
    /// Say which URLs source and target have in common, by domain and by content
    Urls(urls::Args),
    /// List groups of near-duplicates with their weakest links and bridges
    Groups(groups::Args),
    /// Carry the judgments over to the target: new qrels, and a ledger
    Transfer(transfer::Args),
    /// Take near-duplicates out of run files and qrels
    Thin(thin::Args),
    /// Draw a random sample of pairs to be labelled
    Sample(sample::Args),
    /// Open the explorer on the first undecided pair of a sample
    Label(label::Args),
    /// Take labels in and out, measure agreement, write the paragraph for a paper
    Labels(labels::Args),
    /// Fit a model to the labels, and say how good it is on labels that it has not seen
    Learn(learn::Args),
    /// Print a screen of the explorer after some keys, without opening it
    Screen(screen::Args),
    /// Search the kept texts by words, id or URL
    Search(search::Args),
    /// Say what this terminal and the folder of labels can do
    Doctor(doctor::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
    /// Print the man page
    Man(man::Args),
    /// Print a page of the manual, or the help of a command
    Help(help::Args),
}
