//! Times and facts of one bench, printed and kept as a table of raw values.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Result;
use rustix::time::{ClockId, clock_gettime};

/// One timing: wall time, and processor time over all threads, which other work on the machine disturbs less.
#[derive(Clone, Copy)]
struct Time {
    wall: f64,
    cpu: f64,
}

/// What is measured, in the order in which it was first seen.
pub struct Board {
    bench: String,
    times: Vec<(String, Vec<Time>)>,
    facts: Vec<(String, String)>,
}

/// Processor time of this process so far.
pub fn cpu() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

impl Board {
    pub fn new(bench: &str) -> Self {
        Self { bench: bench.to_owned(), times: Vec::new(), facts: Vec::new() }
    }

    /// Runs a contender once and takes its times.
    pub fn time<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> T {
        let (wall, processor) = (Instant::now(), cpu());
        let result = std::hint::black_box(work());
        self.add(name, wall.elapsed().as_secs_f64(), (cpu() - processor).as_secs_f64());
        result
    }

    /// Takes times measured elsewhere.
    pub fn add(&mut self, name: &str, wall: f64, cpu: f64) {
        eprintln!("{name}\twall {wall:.4}\tcpu {cpu:.4}");
        let time = Time { wall, cpu };
        match self.times.iter_mut().find(|(known, _)| known == name) {
            Some((_, times)) => times.push(time),
            None => self.times.push((name.to_owned(), vec![time])),
        }
    }

    /// Notes something that is no time: a count, an agreement, a version.
    pub fn fact(&mut self, name: &str, value: impl std::fmt::Display) {
        eprintln!("{name}\t{value}");
        self.facts.push((name.to_owned(), value.to_string()));
    }

    /// Median processor time of a contender in seconds.
    pub fn cpu(&self, name: &str) -> f64 {
        median(self.of(name).iter().map(|time| time.cpu).collect())
    }

    /// Median wall time of a contender in seconds.
    pub fn wall(&self, name: &str) -> f64 {
        median(self.of(name).iter().map(|time| time.wall).collect())
    }

    fn of(&self, name: &str) -> &[Time] {
        self.times.iter().find(|(known, _)| known == name).map_or(&[], |(_, times)| times)
    }

    /// Notes how many times as long `slow` takes as `fast`.
    pub fn ratio(&mut self, slow: &str, fast: &str) {
        let (cpu, wall) = (self.cpu(slow) / self.cpu(fast), self.wall(slow) / self.wall(fast));
        self.fact(&format!("{slow} / {fast}"), format!("{cpu:.2} by processor time, {wall:.2} by wall time"));
    }

    /// Notes the work a contender does in a second of processor time.
    pub fn rate(&mut self, name: &str, work: f64, unit: &str) {
        self.fact(&format!("{name}, {unit} a second"), format!("{:.2}", work / self.cpu(name)));
    }

    /// Prints everything, and writes it into `runs/` when asked to.
    pub fn finish(&self, save: bool) -> Result<()> {
        let mut table = String::from("kind\tname\tround\tvalue\tunit\n");
        for (name, times) in &self.times {
            for (round, time) in times.iter().enumerate() {
                writeln!(table, "wall\t{name}\t{}\t{:.6}\ts", round + 1, time.wall)?;
                writeln!(table, "cpu\t{name}\t{}\t{:.6}\ts", round + 1, time.cpu)?;
            }
            writeln!(table, "wall\t{name}\tmedian\t{:.6}\ts", self.wall(name))?;
            writeln!(table, "cpu\t{name}\tmedian\t{:.6}\ts", self.cpu(name))?;
        }
        for (name, value) in &self.facts {
            writeln!(table, "fact\t{name}\t\t{value}\t")?;
        }
        print!("{table}");
        if save {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("runs");
            std::fs::create_dir_all(&folder)?;
            std::fs::write(folder.join(format!("{}-{}.tsv", today(), self.bench)), table)?;
        }
        Ok(())
    }
}

/// The date in UTC, by the usual count of days in eras of 400 years.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let days = seconds / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}
