//! A study of any number of pairs: few enough documents that each with each makes them, all of them really there, some of
//! them of a megabyte. It is run as every study is; then its files of pairs are written anew, with all pairs.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};
use dejaview::base::random::Random;
use dejaview::corpus::{Document, Media};
use dejaview::matching::DocumentNumber;
use dejaview::matching::ExtractedText;
use dejaview::matching::pairs::{FoundPair, PairRows, Target, write};
use dejaview::matching::source::SourceDocument;
use dejaview::methods::measures::Common;
use dejaview::text::Tokens;

const SEGMENTS: usize = 10;
/// Pairs of documents of a megabyte, at the top of the table.
pub const LARGE: usize = 8;
const MEGABYTE: usize = 1_000_000;
const CONFIGURATIONS: [&str; 2] = ["simhash-3+5", "simhash-3"];

/// Words at random, in lines.
fn words(random: &mut Random, bytes: usize, vocabulary: u64) -> String {
    let mut text = String::new();
    for word in 1.. {
        if text.len() >= bytes {
            break;
        }
        let _ = write!(text, "w{}", random.below(vocabulary));
        text.push(if word % 14 == 0 { '\n' } else { ' ' });
    }
    text
}

/// A text with every 40th line changed.
fn changed(text: &str, random: &mut Random) -> String {
    let line = |(n, line): (usize, &str)| if n % 40 == 7 { words(random, 60, 500) } else { format!("{line}\n") };
    text.lines().enumerate().map(line).collect()
}

/// The study, ready to be opened.
pub struct Made {
    pub folder: PathBuf,
    /// Different pairs.
    pub pairs: u64,
    pub first: String,
    pub last: String,
}

struct Side {
    id: String,
    text: String,
}

pub fn make(folder: &Path, pairs: usize, program: &Path) -> Result<Made> {
    let mut random = Random::new(1, 0);
    let sources = (pairs as f64).sqrt().ceil() as usize;
    let targets = pairs.div_ceil(sources).div_ceil(SEGMENTS);
    let large: Vec<String> = (0..LARGE).map(|_| words(&mut random, MEGABYTE, 20_000)).collect();
    let mut old: Vec<Side> =
        large.iter().enumerate().map(|(i, text)| Side { id: format!("a-large-{i}"), text: text.clone() }).collect();
    old.extend((0..sources).map(|i| Side { id: format!("s-{i:06}"), text: words(&mut random, 400, 3_000) }));
    let mut segments: Vec<Vec<Side>> = Vec::new();
    for segment in 0..SEGMENTS {
        let twins = large.iter().enumerate().take(if segment == 0 { LARGE } else { 0 });
        let mut new: Vec<Side> =
            twins.map(|(i, text)| Side { id: format!("a-twin-{i}"), text: changed(text, &mut random) }).collect();
        new.extend(
            (0..targets).map(|i| Side { id: format!("t{segment:02}-{i:06}"), text: words(&mut random, 400, 3_000) }),
        );
        segments.push(new);
    }
    put(folder, &old, &segments)?;
    let run = Command::new(program).arg("run").arg(folder).output()?;
    ensure!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let count = pair_up(folder, &old, &segments, &mut random)?;
    let last = format!("t{:02}-{:06}", SEGMENTS - 1, targets - 1);
    Ok(Made { folder: folder.to_owned(), pairs: count, first: "a-large-0".to_owned(), last })
}

/// Writes the recipe and the documents.
fn put(folder: &Path, old: &[Side], segments: &[Vec<Side>]) -> Result<()> {
    let lines = |side: &[Side]| -> String {
        let line = |document: &Side| {
            let url = format!("http://example.org/{}", document.id);
            serde_json::json!({"id": document.id, "url": url, "text": document.text}).to_string() + "\n"
        };
        side.iter().map(line).collect()
    };
    fs::create_dir_all(folder)?;
    fs::write(folder.join("old.jsonl"), lines(old))?;
    let mut recipe = String::from("name = \"large\"\nkeep = \"all\"\n[source]\ndocuments = [\"old.jsonl\"]\n");
    for (segment, new) in segments.iter().enumerate() {
        fs::write(folder.join(format!("new-{segment:02}.jsonl")), lines(new))?;
        write!(recipe, "[[target]]\nsegment = \"{segment:02}\"\ndocuments = [\"new-{segment:02}.jsonl\"]\n")?;
    }
    for (name, ngrams) in CONFIGURATIONS.into_iter().zip(["[3, 5]", "[3]"]) {
        write!(
            recipe,
            "[[configuration]]\nname = \"{name}\"\nmethod = \"simhash\"\nngrams = {ngrams}\ndistance = 3\n"
        )?;
    }
    fs::write(folder.join("study.toml"), recipe)?;
    Ok(())
}

fn source(side: &Side) -> SourceDocument {
    let mut tokens = Tokens::new();
    tokens.read(&side.text);
    let body = side.text.as_bytes();
    let document = Document { id: &side.id, url: "", date: "", media: Media::Text, charset: None, body, offset: 0 };
    SourceDocument::new(0, &document, &ExtractedText { text: &side.text, tokens: &tokens, charset: "UTF-8" })
}

/// Writes every pair of every segment; the second configuration has every second of them.
fn pair_up(folder: &Path, old: &[Side], segments: &[Vec<Side>], random: &mut Random) -> Result<u64> {
    let sources: Vec<SourceDocument> = old.iter().map(source).collect();
    let mut count = 0;
    for (segment, new) in segments.iter().enumerate() {
        let target = |side: &Side| Target {
            id: side.id.as_str().into(),
            file: 0,
            offset: 0,
            profile: source(side).profile(),
            same_source: None,
            url: 0,
        };
        let targets: Vec<Target> = new.iter().map(target).collect();
        let large = if segment == 0 { LARGE } else { 0 };
        let mut found: Vec<FoundPair<DocumentNumber>> = Vec::new();
        for (s, from) in sources.iter().enumerate() {
            // A large one meets its twin alone.
            let range = if s < LARGE { s.min(large)..(s + 1).min(large) } else { large..targets.len() };
            for t in range {
                let sizes = (from.profile().sizes, targets[t].profile.sizes);
                let most = |n: usize| u64::from(sizes.0[n].min(sizes.1[n]));
                let shared = random.below(1001);
                let grams = [0, 1, 2, 3, 4].map(|n: usize| (most(n) * shared / 1000) as u32);
                let common = Common { grams, spaced: grams[0], dot: u64::from(grams[0]) };
                found.push(FoundPair {
                    source: DocumentNumber::at(s),
                    target: DocumentNumber::at(t),
                    same_url: s == t,
                    common,
                });
            }
        }
        count += found.len() as u64;
        for (n, name) in CONFIGURATIONS.into_iter().enumerate() {
            let hits: Vec<(u32, u16)> =
                (0..found.len() as u32).step_by(n + 1).map(|i| (i, random.below(4) as u16)).collect();
            let path = folder.join(".dejaview/pairs").join(name).join(format!("{segment:02}.pairs"));
            write(&path, &sources, &targets, PairRows::found(&found, &hits))?;
        }
    }
    Ok(count)
}
