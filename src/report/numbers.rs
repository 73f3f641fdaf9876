//! Numbers as people read them: counts, shares with intervals, sizes and times.

use dejaview_base::interval::Interval;
pub use dejaview_base::numbers::{count, percent};

/// A share with its interval: `0.950 (0.888–0.978)`.
pub fn share(interval: Option<Interval>) -> String {
    let number = |x: f64| match format!("{x:.3}") {
        zero if zero == "-0.000" => "0.000".to_owned(),
        number => number,
    };
    interval.map_or("–".to_owned(), |i| format!("{} ({}–{})", number(i.value), number(i.low), number(i.high)))
}

/// A number of pairs: counted, or estimated with its interval.
pub fn number_of_pairs(number: Option<Interval>) -> String {
    let whole = |x: f64| count(x.round() as u64);
    match number {
        None => "–".to_owned(),
        Some(i) if i.low == i.high => whole(i.value),
        Some(i) => format!("{} ({}–{})", whole(i.value), whole(i.low), whole(i.high)),
    }
}

/// "1 pair", "2 pairs".
pub fn plural(n: u64, what: &str) -> String {
    format!("{} {what}{}", count(n), if n == 1 { "" } else { "s" })
}

/// A number of bytes with a decimal unit: `1.5 kB`.
pub fn bytes(n: u64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{n} B") } else { format!("{value:.1} {}", units[unit]) }
}

/// A duration in the unit that suits it: `250 ms`, `2 h 2 min`.
pub fn seconds(s: f64) -> String {
    match s {
        s if s < 1.0 => format!("{:.0} ms", s * 1000.0),
        s if s < 100.0 => format!("{s:.1} s"),
        s if s < 6000.0 => format!("{:.0} min {:.0} s", (s / 60.0).floor(), s % 60.0),
        s => format!("{:.0} h {:.0} min", (s / 3600.0).floor(), (s % 3600.0) / 60.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_zero_has_a_sign() {
        assert_eq!(share(Some(Interval { value: -0.0, low: -0.0002, high: 0.25 })), "0.000 (0.000–0.250)");
        assert_eq!(share(Some(Interval { value: -0.5, low: -0.75, high: -0.25 })), "-0.500 (-0.750–-0.250)");
    }

    #[test]
    fn numbers_a_person_can_read() {
        assert_eq!([0, 999, 1000, 155_419, 17_471_200].map(count), ["0", "999", "1,000", "155,419", "17,471,200"]);
        assert_eq!([5, 1500, 2_000_000].map(bytes), ["5 B", "1.5 kB", "2.0 MB"]);
        assert_eq!([0.25, 12.34, 75.0, 7300.0].map(seconds), ["250 ms", "12.3 s", "75.0 s", "2 h 2 min"]);
        assert_eq!([plural(1, "pair"), plural(2, "pair")], ["1 pair", "2 pairs"]);
    }
}
