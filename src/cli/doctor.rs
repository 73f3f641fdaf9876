//! `dejaview doctor`: what this terminal and the folder of labels can do, before someone labels for hours.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::explorer::annotator;
use super::output::Output;
use dejaview_labels::file_stem;
use dejaview_report::Report;
use dejaview_report::fitting::{lines, prose};
use dejaview_study::settings::{COUNTS, Settings};

/// Arguments of `doctor`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview doctor study")]
pub struct Args {
    /// Folder of the study whose labels are to be written
    pub study: Option<PathBuf>,
}

/// Two columns of the same width on a terminal that measures as we do: the bars line up.
const CARD: [(&str, &str); 6] = [
    ("plain", "abcdef|"),
    ("wide", "日本語|"),
    ("combining", "e\u{301}a\u{308}o\u{302}cde|"),
    ("box", "─│┌┐✓⋯|"),
    ("halfwidth", "ｱｲｳｴｵｶ|"),
    ("emoji", "😀🚀🎈|"),
];

/// What was found, and what is wrong with the settings.
#[derive(Serialize)]
struct Findings {
    #[serde(flatten, serialize_with = "values")]
    facts: Vec<Fact>,
    problems: Vec<String>,
}

/// Something about the terminal, the environment or the folder of labels.
struct Fact {
    name: &'static str,
    value: String,
    /// What to make of it.
    note: &'static str,
}

fn values<S: Serializer>(facts: &[Fact], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(facts.iter().map(|fact| (fact.name, &fact.value)))
}

impl Report for Findings {
    fn text(&self, columns: Option<usize>) -> Vec<String> {
        let row = |fact: &Fact| vec![fact.name.to_owned(), fact.value.clone(), fact.note.to_owned()];
        let rows: Vec<Vec<String>> = self.facts.iter().map(row).collect();
        let problems = self.problems.iter().map(|problem| format!("settings, {problem}"));
        let said = lines(&rows, &[]).into_iter().chain(problems);
        let mut text: Vec<String> = said.flat_map(|line| prose(&line, columns)).collect();
        text.extend([String::new(), "width card: all bars must stand in one column".to_owned()]);
        text.extend(CARD.iter().map(|(name, card)| format!("  {name:<10} {card}")));
        text
    }
}

pub fn doctor(args: &Args, settings: fn() -> Vec<String>, output: &mut Output) -> Result<()> {
    let facts = facts(args).into_iter().map(|(name, value, note)| Fact { name, value, note }).collect();
    output.report(&Findings { facts, problems: settings() })
}

fn set(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn or_dash(value: Option<String>) -> String {
    value.unwrap_or_else(|| "-".to_owned())
}

/// Name, value, what to make of it.
fn facts(args: &Args) -> Vec<(&'static str, String, &'static str)> {
    let (width, height) = crossterm::terminal::size().unwrap_or((0, 0));
    let utf8 = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    let encoded = utf8.as_ref().is_some_and(|l| l.to_lowercase().replace('-', "").contains("utf8"));
    let labels = args.study.clone().unwrap_or_else(|| PathBuf::from(".")).join("labels");
    let system = file_system(&labels);
    let remote = ["nfs", "cifs", "smb", "sshfs", "9p", "afs"].iter().any(|kind| system.contains(kind));
    vec![
        ("version", env!("CARGO_PKG_VERSION").to_owned(), ""),
        ("TERM", or_dash(set("TERM")), ""),
        ("COLORTERM", or_dash(set("COLORTERM")), "not needed: the terminal's own 16 colours are used"),
        ("colours", colours(), "as TERM and COLORTERM promise; the theme colour-blind uses 256 where there are"),
        ("NO_COLOR", or_dash(set("NO_COLOR")), "when set: no colours at all"),
        ("terminal", if std::io::stdout().is_terminal() { "yes" } else { "no" }.to_owned(), ""),
        ("size", format!("{width}x{height}"), "80x24 or more is comfortable"),
        ("locale", or_dash(utf8), if encoded { "" } else { "not UTF-8: lines and marks may look wrong" }),
        ("tmux", tmux(), "copying needs set-clipboard on; escape-time 20 or less makes Escape quick"),
        ("ssh", or_dash(set("SSH_CONNECTION").map(|_| "yes".to_owned())), "split key sequences are waited for longer"),
        ("settings", path_or_dash(Settings::path()), "annotator, theme, mouse, keys, colours"),
        ("annotator", annotator(None), "--annotator names another"),
        (
            "journal",
            labels.join(format!("{}.jsonl", file_stem(&annotator(None)).unwrap_or_default())).display().to_string(),
            "",
        ),
        (
            "split sequences",
            counts(),
            "joined: came in pieces; unknown: not understood; refused: keys kept from writing",
        ),
        ("file system", system, if remote { "remote: locks and syncs may not hold; keep a copy" } else { "" }),
    ]
}

fn path_or_dash(path: Option<PathBuf>) -> String {
    or_dash(path.map(|path| path.display().to_string()))
}

/// How many colours the environment promises.
fn colours() -> String {
    let (term, colorterm) = (or_dash(set("TERM")), or_dash(set("COLORTERM")));
    match () {
        () if set("NO_COLOR").is_some() => "none: NO_COLOR is set",
        () if ["truecolor", "24bit"].contains(&colorterm.as_str()) => "16 million",
        () if term.contains("256color") => "256",
        () => "16",
    }
    .to_owned()
}

/// Whether this runs inside tmux, and which version.
fn tmux() -> String {
    if set("TMUX").is_none() {
        return "-".to_owned();
    }
    let version = std::process::Command::new("tmux").arg("-V").output().ok().filter(|output| output.status.success());
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    format!("inside {}", version.unwrap_or_else(|| "tmux of unknown version".to_owned()))
}

/// What the explorer counted over all sessions.
fn counts() -> String {
    let path = Settings::state().map(|folder| folder.join(COUNTS));
    let text = path.and_then(|path| std::fs::read(path).ok());
    let counts: Map<String, Value> = text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    let counts: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    if counts.is_empty() { "none yet".to_owned() } else { counts.join(" · ") }
}

/// Type of the file system that a path lies on, from the table of mounts.
fn file_system(path: &Path) -> String {
    let full = path
        .ancestors()
        .find_map(|p| std::fs::canonicalize(if p.as_os_str().is_empty() { Path::new(".") } else { p }).ok());
    let (Some(full), Ok(mounts)) = (full, std::fs::read_to_string("/proc/mounts")) else { return "-".to_owned() };
    let mounts = mounts.lines().filter_map(|line| {
        let mut fields = line.split(' ').skip(1);
        Some((fields.next()?, fields.next()?))
    });
    let on = mounts.filter(|(place, _)| full.starts_with(place)).max_by_key(|(place, _)| place.len());
    on.map_or("-".to_owned(), |(_, kind)| kind.to_owned())
}
