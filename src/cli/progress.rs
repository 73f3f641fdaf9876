//! Progress of long work on standard error: a bar on a terminal, one line for each stage elsewhere.

use std::io::IsTerminal;
use std::sync::atomic::Ordering;
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
    start: Instant,
}

impl Bar {
    /// Draws a bar on a terminal, and prints plain lines otherwise.
    pub fn new() -> Self {
        let interactive = std::io::stderr().is_terminal() && std::env::var_os("CI").is_none();
        let bar = interactive.then(|| ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr()));
        Self { progress: Progress::default(), bar, start: Instant::now() }
    }

    /// Draws until `done` says that the work is over. Runs on a thread of its own.
    pub fn follow(&self, done: &std::sync::mpsc::Receiver<()>) {
        let Some(bar) = &self.bar else { return };
        while let Err(std::sync::mpsc::RecvTimeoutError::Timeout) = done.recv_timeout(REDRAW_INTERVAL) {
            bar.set_position(self.progress.bytes_in_stage());
            bar.set_message(format!(
                "{}  {}",
                plural(self.progress.documents_in_stage(), "document"),
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

    fn began(&self, stage: Stage<'_>) {
        let mut name = stage.name();
        if let Stage::Segment { number, of, .. } = stage {
            name = format!("{name} ({number} of {of})");
        }
        match &self.bar {
            Some(bar) => {
                let template = "{prefix}  {bar:24} {bytes} of {total_bytes}  {msg}  {eta} left";
                if let Ok(style) = ProgressStyle::with_template(template) {
                    bar.set_style(style.progress_chars("█▌ "));
                }
                bar.reset();
                bar.set_length(stage.bytes());
                bar.set_prefix(name);
            }
            None => {
                let amount = match stage.bytes() {
                    0 => String::new(),
                    size => format!(": {} to read", bytes(size)),
                };
                let pairs = plural(self.progress.pairs.load(Ordering::Relaxed), "pair");
                say(&format!("{:>8.1} s  {name}{amount}; so far {pairs}", self.start.elapsed().as_secs_f64()));
            }
        }
    }

    fn remark(&self, remark: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(remark)),
            None => say(remark),
        }
    }
}
