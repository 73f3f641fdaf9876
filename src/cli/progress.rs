//! Progress of long work on standard error: a bar on a terminal, one line for each stage elsewhere.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output::say;
use dejaview_base::progress::Progress;
use dejaview_report::numbers::{bytes, plural};
use dejaview_study::{Stage, Watch};

/// Time between two redraws of a bar.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);

/// Shows on standard error how far a run is.
pub struct Bar {
    progress: Progress,
    bar: Option<ProgressBar>,
    /// Bytes consumed when the stage began.
    before: AtomicU64,
    start: Instant,
}

impl Bar {
    /// Draws a bar on a terminal, and prints plain lines otherwise.
    pub fn new() -> Self {
        let interactive = std::io::stderr().is_terminal() && std::env::var_os("CI").is_none();
        let bar = interactive.then(|| ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr()));
        Self { progress: Progress::default(), bar, before: AtomicU64::new(0), start: Instant::now() }
    }

    /// Draws until `done` says that the work is over. Runs on a thread of its own.
    pub fn follow(&self, done: &std::sync::mpsc::Receiver<()>) {
        let Some(bar) = &self.bar else { return };
        while let Err(std::sync::mpsc::RecvTimeoutError::Timeout) = done.recv_timeout(REDRAW_INTERVAL) {
            let consumed = self.progress.bytes.load(Ordering::Relaxed) - self.before.load(Ordering::Relaxed);
            bar.set_position(consumed);
            bar.set_message(format!(
                "{}  {}",
                plural(self.progress.documents.load(Ordering::Relaxed), "document"),
                plural(self.progress.pairs.load(Ordering::Relaxed), "pair")
            ));
        }
        bar.finish_and_clear();
    }
}

impl Watch for Bar {
    fn progress(&self) -> &Progress {
        &self.progress
    }

    fn stage(&self, stage: Stage<'_>) {
        let (name, size) = match stage {
            Stage::Source { bytes } => ("source".to_owned(), bytes),
            Stage::Segment { name, number, of, bytes } => (format!("segment {name} ({number} of {of})"), bytes),
            Stage::Sketches { bytes } => ("sketches of both sides".to_owned(), bytes),
            Stage::Workers { files, bytes } => (format!("workers, {}", plural(files as u64, "file")), bytes),
            Stage::Statistics { bytes } => ("statistics".to_owned(), bytes),
            Stage::Index => ("index".to_owned(), 0),
        };
        self.before.store(self.progress.bytes.load(Ordering::Relaxed), Ordering::Relaxed);
        match &self.bar {
            Some(bar) => {
                let template = "{prefix}  {bar:24} {bytes} of {total_bytes}  {msg}  {eta} left";
                if let Ok(style) = ProgressStyle::with_template(template) {
                    bar.set_style(style.progress_chars("█▌ "));
                }
                bar.reset();
                bar.set_length(size);
                bar.set_prefix(name);
            }
            None => say(&format!(
                "{:>8.1} s  {name}: {} to read; so far {}, {}",
                self.start.elapsed().as_secs_f64(),
                bytes(size),
                plural(self.progress.documents.load(Ordering::Relaxed), "document"),
                plural(self.progress.pairs.load(Ordering::Relaxed), "pair")
            )),
        }
    }

    fn remark(&self, remark: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(remark)),
            None => say(remark),
        }
    }
}
