//! A study in a folder of its own, and the program run on it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

pub use super::skipping::{data, only_when_slow, pages, skipped, slow, spark};

/// The program that these tests were built with.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_dejaview");

/// The program, away from the settings of whoever runs the tests.
pub fn program() -> Command {
    let mut command = Command::new(PROGRAM);
    for name in ["CI", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE", "RUST_LOG"] {
        command.env_remove(name);
    }
    let nowhere = std::env::temp_dir().join("dejaview-tests-nowhere");
    command.env("HOME", &nowhere).env("XDG_DATA_HOME", &nowhere).stdin(Stdio::null());
    command
}

/// Runs the program to its end.
pub fn dejaview<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Answer {
    Answer::of(program().args(args))
}

/// What the program did.
#[derive(Debug)]
pub struct Answer {
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Answer {
    pub fn of(command: &mut Command) -> Self {
        let output = command.output().expect("the program starts");
        let stderr = String::from_utf8(output.stderr).expect("messages are UTF-8");
        Self { code: output.status.code(), stdout: output.stdout, stderr }
    }

    /// Standard output of a command that must succeed.
    #[track_caller]
    pub fn ok(&self) -> &str {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self.text()
    }

    #[track_caller]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("results are UTF-8")
    }

    /// The one JSON document of a command that must succeed.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(self.ok()).expect("one JSON document")
    }

    /// JSON documents, one a line.
    #[track_caller]
    pub fn jsonl(&self) -> Vec<Value> {
        self.ok().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// The message of a command that must fail with exit code 1.
    #[track_caller]
    pub fn failed(&self) -> &str {
        assert_eq!(self.code, Some(1), "{}{}", self.stderr, self.text());
        assert!(self.stderr.starts_with("dejaview: "), "{}", self.stderr);
        &self.stderr
    }

    /// The message of a command that must be refused with exit code 2.
    #[track_caller]
    pub fn misused(&self) -> &str {
        assert_eq!(self.code, Some(2), "{}{}", self.stderr, self.text());
        &self.stderr
    }

    /// Rows of a TSV behind its header, which must begin like this.
    #[track_caller]
    pub fn rows(&self, header: &str) -> Vec<Vec<&str>> {
        let mut lines = self.ok().lines();
        let head = lines.next().unwrap_or_default();
        assert!(head == header || head.starts_with(&format!("{header}\t")), "header {head:?}");
        let columns = head.split('\t').count();
        let rows: Vec<Vec<&str>> = lines.map(|line| line.split('\t').collect()).collect();
        for row in &rows {
            assert_eq!(row.len(), columns, "{row:?}");
        }
        rows
    }
}

/// A study in a temporary folder. Every word that is added is written to its `study.toml` at once.
#[derive(Debug)]
pub struct Study {
    folder: PathBuf,
    /// Removes the folder in the end.
    _temporary: Option<TempDir>,
    top: String,
    source: String,
    rest: String,
}

impl Study {
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("dejaview-study-").tempdir().unwrap();
        Self::in_folder(folder.path().canonicalize().unwrap(), Some(folder))
    }

    /// A study that tests share. Its folder lies below the target folder and is emptied first.
    pub fn shared(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        fs::create_dir_all(&folder).unwrap();
        Self::in_folder(folder, None)
    }

    fn in_folder(folder: PathBuf, temporary: Option<TempDir>) -> Self {
        let top = "name = \"A test\"\n".to_owned();
        Self { folder, _temporary: temporary, top, source: String::new(), rest: String::new() }.save()
    }

    fn save(self) -> Self {
        let source = if self.source.is_empty() { String::new() } else { format!("\n[source]\n{}", self.source) };
        fs::write(self.path("study.toml"), format!("{}{source}{}", self.top, self.rest)).unwrap();
        self
    }

    /// A line at the top of `study.toml`.
    pub fn top(mut self, line: &str) -> Self {
        self.top += &format!("{line}\n");
        self.save()
    }

    pub fn source(mut self, pattern: impl AsRef<Path>) -> Self {
        self.source += &format!("documents = [{:?}]\n", pattern.as_ref().to_str().unwrap());
        self.save()
    }

    pub fn judgments(mut self, pattern: impl AsRef<Path>) -> Self {
        self.source += &format!("judgments = [{:?}]\n", pattern.as_ref().to_str().unwrap());
        self.save()
    }

    pub fn target(mut self, segment: &str, pattern: impl AsRef<Path>) -> Self {
        let pattern = pattern.as_ref().to_str().unwrap();
        self.rest += &format!("\n[[target]]\nsegment = {segment:?}\ndocuments = [{pattern:?}]\n");
        self.save()
    }

    /// Says whether a collection is joined with itself.
    pub fn join(mut self, itself: bool) -> Self {
        self.rest += &format!("\n[join]\nself = {itself}\n");
        self.save()
    }

    /// Lines at the end of `study.toml`.
    pub fn rest(mut self, lines: &str) -> Self {
        self.rest += lines;
        self.save()
    }

    /// A configuration of a method, with lines of parameters.
    pub fn configuration(mut self, method: &str, lines: &str) -> Self {
        self.rest += &format!("\n[[configuration]]\nmethod = \"{method}\"\n{lines}\n");
        self.save()
    }

    /// A SimHash configuration with these further lines.
    pub fn simhash(self, lines: &str) -> Self {
        self.configuration("simhash", lines)
    }

    /// A file beside `study.toml`.
    pub fn file(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// The program with a subcommand, this study, and further arguments; not started yet.
    pub fn command<S: AsRef<std::ffi::OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut args = args.into_iter();
        let mut command = program();
        command.arg(args.next().expect("a subcommand")).arg(self.folder()).args(args);
        command
    }

    /// Runs a subcommand on this study.
    pub fn dejaview<S: AsRef<std::ffi::OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Answer {
        Answer::of(&mut self.command(args))
    }

    /// Runs the study; it must succeed. The summary.
    #[track_caller]
    pub fn run(&self) -> Value {
        self.dejaview(["run", "--json"]).json()
    }

    #[track_caller]
    pub fn run_with_threads(&self, threads: usize) -> Value {
        self.dejaview(["run", "--json", "--threads", &threads.to_string()]).json()
    }

    /// Everything in `.dejaview` that must be the same for the same input: pairs, texts, manifest, list of skipped records.
    pub fn results(&self) -> BTreeMap<String, Vec<u8>> {
        let root = self.path(".dejaview");
        let mut results = BTreeMap::new();
        for name in ["manifest.json", "skipped.tsv", "index/source.texts"] {
            results.insert(name.to_owned(), fs::read(root.join(name)).unwrap());
        }
        let configurations = fs::read_dir(root.join("pairs")).unwrap().map(|entry| entry.unwrap().path());
        for folder in configurations.chain([root.join("index/segments")]) {
            for file in fs::read_dir(folder).unwrap() {
                let path = file.unwrap().path();
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                results.insert(name, fs::read(path).unwrap());
            }
        }
        results
    }
}

/// Asserts that two runs left the same bytes, naming the files that differ rather than printing them.
#[track_caller]
pub fn assert_same(expected: &BTreeMap<String, Vec<u8>>, found: &BTreeMap<String, Vec<u8>>) {
    let names = |results: &BTreeMap<String, Vec<u8>>| results.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(expected), names(found));
    let differ: Vec<&String> = expected.keys().filter(|name| expected[*name] != found[*name]).collect();
    assert!(differ.is_empty(), "differ: {differ:?}");
}

/// A record of a WARC 1.0 file with an HTTP response in it.
pub fn response(id: &str, url: &str, html: impl AsRef<[u8]>) -> Vec<u8> {
    let mut block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n".to_vec();
    block.extend_from_slice(html.as_ref());
    record(id, url, block.len(), &block)
}

/// A record that claims a length of its own choosing.
pub fn record(id: &str, url: &str, length: usize, block: &[u8]) -> Vec<u8> {
    let mut record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-TREC-ID: {id}\r\nWARC-Target-URI: {url}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n"
    )
    .into_bytes();
    record.extend_from_slice(block);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

/// One gzip member.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A page of `words` words, different for every `seed`, alike for the same.
pub fn page(seed: u64, words: usize) -> String {
    let mut text = format!("<html><head><title>Page {seed}</title></head><body>");
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) + 1;
    for i in 0..words {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        text += if i % 12 == 0 { "<p>" } else { " " };
        text += &format!("w{}", (state >> 33) % 5000);
    }
    text + "</body></html>"
}

/// Two crawls of six pages that are the same, one judged, with no configuration yet.
pub fn small_crawls() -> Study {
    let records = |side: &str| {
        let record =
            |seed| response(&format!("{side}-{seed}"), &format!("http://{side}.example/{seed}"), page(seed, 60));
        (0..6).flat_map(record).collect::<Vec<u8>>()
    };
    Study::new()
        .file("old.warc", records("old"))
        .file("new.warc", records("new"))
        .file("web.qrels", (0..6).map(|seed| format!("1 0 old-{seed} {}\n", seed % 2)).collect::<String>())
        .source("old.warc")
        .judgments("web.qrels")
        .target("00", "new.warc")
}

/// Copies a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    copy_each(from, to, &|path, there| _ = fs::copy(path, there).unwrap());
}

/// Makes a folder like another, and does something with each file and its new place.
pub fn copy_each(from: &Path, to: &Path, file: &dyn Fn(&Path, &Path)) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let there = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_each(&path, &there, file);
        } else {
            file(&path, &there);
        }
    }
}
