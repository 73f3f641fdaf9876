//! Every example of the README and the manual.
//!
//! A fenced block says by its first words what becomes of it:
//!
//! | first words | the test |
//! |---|---|
//! | `sh` | runs it; it must succeed |
//! | `sh not run: WHY` | checks only that its commands and options exist |
//! | `console` | runs each line after `$` and compares what it prints with the lines below it; `DEJAVIEW_UPDATE=1` writes them |
//! | `toml FILE`, `text FILE`, `jsonl FILE` | writes it into this file |
//! | `filter` | reads each line as a filter of pairs |
//! | `text` | nothing: it shows a layout |
//!
//! `<!-- run: COMMAND -->` is run as well: what a reader does by keys, the test does by commands. All blocks of a page
//! are run in order, in a folder with the sample study as it is delivered (`sample-corpus`) and a copy that has been run
//! (`study`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use dejaview::report::manual::topic;
use dejaview::study::{Filter, Names, standard_set};

use crate::manual::{page_text, quoted, user_pages};
use crate::methods::sample;
use crate::support::{Answer, PROGRAM, dejaview, program};
use crate::tables::{rewrite, updating};

/// What is in a page for the test.
#[derive(Debug, PartialEq, Eq)]
enum Example {
    Run(String),
    NotRun {
        why: String,
        commands: String,
    },
    /// Commands, each with what it prints.
    Console(Vec<(String, String)>),
    File {
        name: String,
        text: String,
    },
    Filters(Vec<String>),
    Layout,
}

/// The examples of a page, each with its line.
fn examples(page: &str, text: &str) -> Vec<(usize, Example)> {
    let mut examples = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(command) = line.strip_prefix("<!-- run: ") {
            examples.push((number + 1, Example::Run(command.trim_end_matches(" -->").to_owned())));
        }
        if let Some(info) = line.strip_prefix("```") {
            let block: String =
                lines.by_ref().take_while(|(_, line)| *line != "```").map(|(_, line)| format!("{line}\n")).collect();
            let example = example(info, block).unwrap_or_else(|| panic!("{page}, line {}: ```{info}", number + 1));
            examples.push((number + 1, example));
        }
    }
    examples
}

fn example(info: &str, block: String) -> Option<Example> {
    let (kind, rest) = info.split_once(' ').unwrap_or((info, ""));
    Some(match (kind, rest) {
        ("sh", "") => Example::Run(block),
        ("sh", _) => Example::NotRun { why: rest.strip_prefix("not run: ")?.to_owned(), commands: block },
        ("console", "") => Example::Console(dialogue(&block)),
        ("filter", "") => Example::Filters(block.lines().map(str::to_owned).collect()),
        ("text", "") => Example::Layout,
        ("toml" | "text" | "jsonl", name) if !name.is_empty() => Example::File { name: name.to_owned(), text: block },
        _ => return None,
    })
}

fn dialogue(block: &str) -> Vec<(String, String)> {
    let mut turns: Vec<(String, String)> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), turns.last_mut()) {
            (Some(command), _) => turns.push((command.to_owned(), String::new())),
            (None, Some((_, printed))) => printed.push_str(&format!("{line}\n")),
            (None, None) => panic!("a console begins with a command: {line}"),
        }
    }
    turns
}

fn written(turns: &[(String, String)]) -> String {
    turns.iter().map(|(command, printed)| format!("$ {command}\n{printed}")).collect()
}

/// Runs a script with the program on the path.
fn bash(folder: &Path, script: &str) -> Answer {
    let path = std::env::var("PATH").unwrap_or_default();
    let here = Path::new(PROGRAM).parent().unwrap().display();
    let mut command = Command::new("bash");
    command.args(["-euo", "pipefail", "-c", script]).current_dir(folder);
    for (name, value) in program().get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    Answer::of(command.env("PATH", format!("{here}:{path}")).env_remove("COLUMNS").env("LC_ALL", "C.UTF-8"))
}

/// Runs all examples of a page.
fn run_page(page: &str) {
    let text = page_text(page);
    let folder = tempfile::tempdir().unwrap();
    let root = env!("CARGO_MANIFEST_DIR");
    // Dates of files count for a study, so they are copied, too.
    let study = sample().folder().display();
    bash(folder.path(), &format!("cp -a '{root}/sample-corpus' sample-corpus; cp -a '{study}' study")).ok();
    for (line, example) in examples(page, &text) {
        let run = |script: &str| {
            let answer = bash(folder.path(), script);
            assert_eq!(answer.code, Some(0), "{page}, line {line}: {script}\n{}{}", answer.stderr, answer.text());
            answer
        };
        match example {
            Example::Run(script) => drop(run(&script)),
            Example::File { name, text } => {
                let path = folder.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Example::Console(turns) => {
                let now: Vec<(String, String)> =
                    turns.iter().map(|(command, _)| (command.clone(), run(command).text().to_owned())).collect();
                if updating() {
                    rewrite(page, |text| {
                        text.replace(
                            &format!("```console\n{}```", written(&turns)),
                            &format!("```console\n{}```", written(&now)),
                        )
                    });
                } else {
                    assert_eq!(
                        written(&turns),
                        written(&now),
                        "{page}, line {line}: DEJAVIEW_UPDATE=1 writes it again"
                    );
                }
            }
            Example::Filters(lines) => {
                let names: Vec<String> =
                    standard_set().iter().map(|configuration| configuration.name.clone()).collect();
                for line in lines {
                    assert!(
                        Filter::parse(&line, Names::of_pairs(&names)).is_ok_and(|filter| filter.hint().is_none()),
                        "{page}: {line}"
                    );
                }
            }
            Example::NotRun { .. } | Example::Layout => {}
        }
    }
}

macro_rules! pages {
    ($($test:ident: $page:literal,)*) => {
        const PAGES: &[&str] = &[$($page),*];
        mod page {
            $(#[test] fn $test() { super::run_page($page); })*
        }
    };
}

pages! {
    readme: "README.md",
    terms: "assets/manual/terms.md",
    study_file: "assets/manual/study-file.md",
    formats: "assets/manual/formats.md",
    methods: "assets/manual/methods.md",
    results: "assets/manual/results.md",
    explorer: "assets/manual/explorer.md",
    labelling: "assets/manual/labelling.md",
    statistics: "assets/manual/statistics.md",
    analysis: "assets/manual/analysis.md",
    carry_over: "assets/manual/carry-over.md",
    clueweb: "assets/manual/clueweb.md",
    reproducing: "assets/manual/reproducing.md",
    cluster: "assets/manual/cluster.md",
    scale: "assets/manual/scale.md",
    trust: "assets/manual/trust.md",
    speed: "assets/manual/speed.md",
    commands: "assets/manual/commands.md",
    troubleshooting: "assets/manual/troubleshooting.md",
    architecture: "assets/manual/architecture.md",
}

#[test]
fn the_examples_of_every_page_are_run() {
    let mut run: Vec<String> = PAGES.iter().map(|page| (*page).to_owned()).collect();
    run.sort();
    assert_eq!(run, user_pages());
}

/// Reasons not to run an example; a new one wants a thought.
const REASONS: [&str; 6] = [
    "opens the explorer",
    "builds the program and opens the explorer",
    "is what runs these examples",
    "installs the program",
    "needs a cluster",
    "needs Apache Spark",
];

#[test]
fn what_is_not_run_says_why() {
    for page in user_pages() {
        for (line, example) in examples(&page, &page_text(&page)) {
            if let Example::NotRun { why, .. } = example {
                assert!(REASONS.contains(&why.as_str()), "{page}, line {line}: {why}");
            }
        }
    }
}

/// The program's commands and what `--help` says of each, those of `labels` included.
fn commands() -> BTreeMap<String, String> {
    let listed = |words: &[&str]| {
        let help = dejaview(words.iter().copied().chain(["--help"]));
        let list = help.ok().split_once("Commands:\n").map(|(_, rest)| rest.split("\n\n").next().unwrap().to_owned());
        let name =
            |line: &str| line.strip_prefix("  ")?.split(' ').next().filter(|word| !word.is_empty()).map(str::to_owned);
        (help.ok().to_owned(), list.unwrap_or_default().lines().filter_map(name).collect::<Vec<String>>())
    };
    let (program, names) = listed(&[]);
    let mut commands = BTreeMap::from([(String::new(), program)]);
    for name in names {
        let (help, below) = listed(&[&name]);
        for inner in below.iter().filter(|inner| *inner != "help") {
            commands.insert(format!("{name} {inner}"), listed(&[&name, inner]).0);
        }
        commands.insert(name, help);
    }
    commands
}

/// Commands with their arguments in a page: lines of examples, and what is quoted in a sentence.
fn invocations(page: &str, text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (_, example) in examples(page, text) {
        match example {
            Example::Run(script) | Example::NotRun { commands: script, .. } => {
                found.extend(script.replace("\\\n", " ").lines().map(str::to_owned));
            }
            Example::Console(turns) => found.extend(turns.into_iter().map(|(command, _)| command)),
            _ => {}
        }
    }
    found.extend(text.lines().flat_map(quoted).map(str::to_owned));
    let parts = found.iter().flat_map(|line| line.split(['|', ';', '&', '>', '#']));
    parts.filter_map(|part| part.trim().strip_prefix("dejaview ").map(|rest| rest.trim().to_owned())).collect()
}

/// What is wrong with a command line: an unknown command or option.
fn fault(line: &str, commands: &BTreeMap<String, String>) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let two = words[..words.len().min(2)].join(" ");
    let name = [two.as_str(), words[0]].into_iter().find(|name| commands.contains_key(*name)).unwrap_or_default();
    let a_word = |word: &str| word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let plain_study = ["study", "my-study", "sample-corpus"];
    if name.is_empty() && a_word(words[0]) && !words[0].starts_with('-') && !plain_study.contains(&words[0]) {
        return Some(format!("no command {}: {line}", words[0]));
    }
    let options = words.iter().filter(|word| word.starts_with("--"));
    let unknown = |option: &&&str| {
        let option = option.split('=').next().unwrap();
        !commands[name].split(|c: char| c.is_whitespace() || c == ',').any(|word| word == option) && option != "--help"
    };
    options.clone().find(unknown).map(|option| format!("no option {option}: {line}"))
}

#[test]
fn every_command_and_option_that_is_named_exists() {
    let commands = commands();
    for page in user_pages() {
        for line in invocations(&page, &page_text(&page)) {
            assert_eq!(fault(&line, &commands), None, "{page}");
        }
    }
    assert!(fault("pears study", &commands).is_some() && fault("pairs study --fruit", &commands).is_some());
    assert_eq!(fault("labels export study --format tsv", &commands), None);
}

#[test]
fn the_manual_lists_every_command() {
    let page = page_text("assets/manual/commands.md");
    let firsts: Vec<&str> =
        page.lines().filter(|line| line.starts_with("| `")).map(|line| line.split('|').nth(1).unwrap()).collect();
    for name in commands().keys().filter(|name| !name.is_empty() && !name.contains(' ')) {
        assert!(firsts.iter().any(|cell| quoted(cell).contains(&name.as_str())), "commands.md lacks {name}");
        assert_eq!(topic(name), None, "`help {name}` must print the help of the command");
    }
}

#[test]
fn blocks_are_told_by_their_first_words() {
    let text = "a\n```sh\nx\ny\n```\n<!-- run: z -->\n```console\n$ a\nb\n$ c\n```\n```toml f/s.toml\nk = 1\n```\n";
    let turns = vec![("a".to_owned(), "b\n".to_owned()), ("c".to_owned(), String::new())];
    let expected = [
        (2, Example::Run("x\ny\n".to_owned())),
        (6, Example::Run("z".to_owned())),
        (7, Example::Console(turns)),
        (12, Example::File { name: "f/s.toml".to_owned(), text: "k = 1\n".to_owned() }),
    ];
    assert_eq!(examples("a page", text), expected);
    assert_eq!(example("", String::new()), None);
    assert_eq!(example("sh later", String::new()), None);
}
