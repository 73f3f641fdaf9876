//! `dejaview doctor`: what this terminal and the folder of labels can do, before someone labels for hours.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::explorer::default_annotator;
use super::output::Output;
use dejaview_base::system;
use dejaview_labels::file_stem;
use dejaview_report::Report;
use dejaview_report::fitting::{lines, prose};
use dejaview_study::settings::{COUNTS, Settings};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview doctor study")]
pub struct Args {
    /// Folder of the study whose labels are to be written
    pub study: Option<PathBuf>,
}

/// Texts of equal width: their bars line up on a terminal that measures characters as the explorer does.
const WIDTH_CARD: [(&str, &str); 6] = [
    ("plain", "abcdef|"),
    ("wide", "日本語|"),
    ("combining", "e\u{301}a\u{308}o\u{302}cde|"),
    ("box", "─│┌┐✓⋯|"),
    ("halfwidth", "ｱｲｳｴｵｶ|"),
    ("emoji", "😀🚀🎈|"),
];

#[derive(Serialize)]
struct Findings {
    #[serde(flatten, serialize_with = "serialize_facts")]
    facts: Vec<Fact>,
    /// What is wrong with the settings.
    problems: Vec<String>,
}

/// Something about the terminal, the environment or the folder of labels.
struct Fact {
    name: &'static str,
    value: String,
    /// What to conclude from the value; empty where it needs no comment.
    note: &'static str,
}

fn serialize_facts<S: Serializer>(facts: &[Fact], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(facts.iter().map(|fact| (fact.name, &fact.value)))
}

impl Report for Findings {
    fn text(&self, columns: Option<usize>) -> Vec<String> {
        let row = |fact: &Fact| vec![fact.name.to_owned(), fact.value.clone(), fact.note.to_owned()];
        let rows: Vec<Vec<String>> = self.facts.iter().map(row).collect();
        let problems = self.problems.iter().map(|problem| format!("settings, {problem}"));
        let printed = lines(&rows, &[]).into_iter().chain(problems);
        let mut text: Vec<String> = printed.flat_map(|line| prose(&line, columns)).collect();
        text.extend([String::new(), "width card: all bars must stand in one column".to_owned()]);
        text.extend(WIDTH_CARD.iter().map(|(name, card)| format!("  {name:<10} {card}")));
        text
    }
}

pub fn doctor(args: &Args, settings_problems: fn() -> Vec<String>, output: &mut Output) -> Result<()> {
    output.report(&Findings { facts: facts(args), problems: settings_problems() })
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn or_dash(value: Option<String>) -> String {
    value.unwrap_or_else(|| "-".to_owned())
}

fn facts(args: &Args) -> Vec<Fact> {
    let (width, height) = crossterm::terminal::size().unwrap_or((0, 0));
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    let is_utf8 = locale.as_ref().is_some_and(|locale| locale.to_lowercase().replace('-', "").contains("utf8"));
    let labels = args.study.clone().unwrap_or_else(|| PathBuf::from(".")).join("labels");
    let annotator = default_annotator();
    let journal = labels.join(format!("{}.jsonl", file_stem(&annotator).unwrap_or_default()));
    let system = file_system(&labels);
    let remote = ["nfs", "cifs", "smb", "sshfs", "9p", "afs"].iter().any(|kind| system.contains(kind));
    let facts = [
        ("version", env!("CARGO_PKG_VERSION").to_owned(), ""),
        ("TERM", or_dash(variable("TERM")), ""),
        ("COLORTERM", or_dash(variable("COLORTERM")), "not needed: the terminal's own 16 colours are used"),
        ("colours", colours(), "as TERM and COLORTERM promise; the theme colour-blind uses 256 where there are"),
        ("NO_COLOR", or_dash(variable("NO_COLOR")), "when set: no colours at all"),
        ("terminal", if std::io::stdout().is_terminal() { "yes" } else { "no" }.to_owned(), ""),
        ("size", format!("{width}x{height}"), "80x24 or more is comfortable"),
        ("locale", or_dash(locale), if is_utf8 { "" } else { "not UTF-8: lines and marks may look wrong" }),
        ("tmux", tmux(), "copying needs set-clipboard on; escape-time 20 or less makes Escape quick"),
        (
            "ssh",
            or_dash(variable("SSH_CONNECTION").map(|_| "yes".to_owned())),
            "split key sequences are waited for longer",
        ),
        ("settings", path_or_dash(Settings::path()), "annotator, theme, mouse, keys, colours"),
        ("annotator", annotator, "--annotator names another"),
        ("journal", journal.display().to_string(), ""),
        (
            "split sequences",
            key_counts(),
            "joined: came in pieces; unknown: not understood; refused: keys kept from writing",
        ),
        ("file system", system, if remote { "remote: locks and syncs may not hold; keep a copy" } else { "" }),
    ];
    facts.into_iter().map(|(name, value, note)| Fact { name, value, note }).collect()
}

fn path_or_dash(path: Option<PathBuf>) -> String {
    or_dash(path.map(|path| path.display().to_string()))
}

/// How many colours the environment promises.
fn colours() -> String {
    let (term, colorterm) = (or_dash(variable("TERM")), or_dash(variable("COLORTERM")));
    match () {
        () if variable("NO_COLOR").is_some() => "none: NO_COLOR is set",
        () if ["truecolor", "24bit"].contains(&colorterm.as_str()) => "16 million",
        () if term.contains("256color") => "256",
        () => "16",
    }
    .to_owned()
}

/// Whether this runs inside tmux, and which version.
fn tmux() -> String {
    if variable("TMUX").is_none() {
        return "-".to_owned();
    }
    let version = std::process::Command::new("tmux").arg("-V").output().ok().filter(|output| output.status.success());
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    format!("inside {}", version.unwrap_or_else(|| "tmux of unknown version".to_owned()))
}

/// What the explorer counted of split key sequences, over all sessions.
fn key_counts() -> String {
    let path = Settings::state().map(|folder| folder.join(COUNTS));
    let text = path.and_then(|path| std::fs::read(path).ok());
    let counts: Map<String, Value> = text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    let counts: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    if counts.is_empty() { "none yet".to_owned() } else { counts.join(" · ") }
}

/// Type of the file system that a path lies on, from the table of mounts.
fn file_system(path: &Path) -> String {
    let full = path.ancestors().find_map(|folder| {
        std::fs::canonicalize(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).ok()
    });
    let (Some(full), Some(mounts)) = (full, system::mounts()) else { return "-".to_owned() };
    let mounts = mounts.lines().filter_map(|line| {
        let mut fields = line.split(' ').skip(1);
        Some((fields.next()?, fields.next()?))
    });
    let mount = mounts.filter(|(folder, _)| full.starts_with(folder)).max_by_key(|(folder, _)| folder.len());
    mount.map_or("-".to_owned(), |(_, kind)| kind.to_owned())
}
