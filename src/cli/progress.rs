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
            let read = self.progress.bytes_in_stage();
            bar.set_position(read);
            bar.set_message(self.counts().join("  "));
            // What was read is worked on, by this stage or by what follows it and reads nothing.
            if bar.length().is_some_and(|all| read >= all) {
                set_style(bar, "{spinner} working  {elapsed}");
            }
        }
        bar.finish_and_clear();
    }

    /// Documents read in this stage, and pairs found so far, if there are any: one that three configurations found counts
    /// three times.
    fn counts(&self) -> Vec<String> {
        let pairs = self.progress.pairs.load(Ordering::Relaxed);
        let found = (pairs > 0).then(|| plural(pairs, "pair"));
        [plural(self.progress.documents_in_stage(), "document")].into_iter().chain(found).collect()
    }
}

fn set_style(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("█▌ "));
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
                // Work that does not know how much there is shows none of it.
                let template = match stage.bytes() {
                    0 => "{prefix}  {spinner}  {msg}",
                    _ => "{prefix}  {wide_bar} {decimal_bytes} of {decimal_total_bytes}  {msg}  {eta} left",
                };
                set_style(bar, template);
                bar.reset();
                bar.set_length(stage.bytes());
                bar.set_prefix(name);
            }
            None => {
                let amount = match stage.bytes() {
                    0 => String::new(),
                    size => format!(": {} to read", bytes(size)),
                };
                let found = match self.progress.pairs.load(Ordering::Relaxed) {
                    0 => String::new(),
                    pairs => format!("; so far {} by all configurations", plural(pairs, "pair")),
                };
                say(&format!("{:>8.1} s  {name}{amount}{found}", self.start.elapsed().as_secs_f64()));
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
