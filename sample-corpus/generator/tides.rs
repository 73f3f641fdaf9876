//! Tide tables: a harbour and a month each, from a plain sum of a lunar and a spring–neap wave. Not for navigation.

use std::fmt::Write as _;

use crate::{date::Date, rng::Rng};

/// Minutes between two high waters.
const HALF_LUNAR_DAY: i64 = 745;

/// Writes one month as a base page. `family` is the family file with its `harbour:` and `note:` lines.
pub fn write(family: &str, date: Date, rng: &mut Rng) -> String {
    let harbours: Vec<&str> = family.lines().filter_map(|l| l.strip_prefix("harbour: ")).collect();
    let mut notes: Vec<&str> = family.lines().filter_map(|l| l.strip_prefix("note: ")).collect();
    let mut parts = rng.pick(&harbours).split(" | ");
    let name = parts.next().unwrap_or("");
    let mean: f64 = parts.next().and_then(|v| v.parse().ok()).unwrap_or(5.0);
    let lag: i64 = parts.next().and_then(|v| v.parse().ok()).unwrap_or(0);
    rng.shuffle(&mut notes);

    let mut out = String::new();
    let _ = writeln!(out, "title: Tide table: {name}, {} {}\n", date.month_name(), date.year);
    let _ = writeln!(out, "Predicted high and low water at {name} for {} {}.\n", date.month_name(), date.year);
    let _ = writeln!(out, "|! Day | High | m | Low | m | High | m |");
    for day in 1..=date.month_days() {
        // Days since a new moon in January 2006 give the phase.
        let age = (date.year - 2006) * 365 + (date.month - 1) * 30 + day;
        let phase = f64::from(i32::try_from(age).unwrap_or(0)) * std::f64::consts::TAU / 14.765;
        let first = (age * 49 + lag + 360).rem_euclid(HALF_LUNAR_DAY);
        let swing = phase.cos() * 0.9;
        let high = mean + swing;
        let low = 1.3 - swing * 0.7;
        let low_at = clock(first + HALF_LUNAR_DAY / 2);
        let second = clock(first + HALF_LUNAR_DAY);
        let _ = writeln!(
            out,
            "| {day} | {} | {high:.1} | {low_at} | {low:.1} | {second} | {:.1} |",
            clock(first),
            high - 0.1
        );
    }
    for note in notes.iter().take(3) {
        let _ = writeln!(out, "{note}");
    }
    out
}

fn clock(minutes: i64) -> String {
    let minutes = minutes.rem_euclid(1440);
    format!("{:02}{:02}", minutes / 60, minutes % 60)
}
