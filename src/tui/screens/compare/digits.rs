//! A score in large digits, three lines high.

/// The lines of the digits from 0 to 9.
const DIGITS: [[&str; 3]; 10] = [
    ["█▀█", "█ █", "▀▀▀"],
    ["▀█ ", " █ ", "▀▀▀"],
    ["▀▀█", "█▀▀", "▀▀▀"],
    ["▀▀█", "▀▀█", "▀▀▀"],
    ["█ █", "▀▀█", "  ▀"],
    ["█▀▀", "▀▀█", "▀▀▀"],
    ["█▀▀", "█▀█", "▀▀▀"],
    ["▀▀█", "  █", "  ▀"],
    ["█▀█", "█▀█", "▀▀▀"],
    ["█▀█", "▀▀█", "▀▀▀"],
];
const POINT: [&str; 3] = [" ", " ", "▄"];
/// Columns of a score.
pub(super) const WIDTH: u16 = 13;

/// The three lines of a score with two decimals. Only a score of 1 is rounded to 1.
pub(super) fn large(score: f64) -> [String; 3] {
    let hundredths = (score.clamp(0.0, 1.0) * 100.0).round() as usize;
    let hundredths = if score < 1.0 { hundredths.min(99) } else { hundredths };
    let signs = [DIGITS[hundredths / 100], POINT, DIGITS[hundredths / 10 % 10], DIGITS[hundredths % 10]];
    [0, 1, 2].map(|line| signs.map(|sign| sign[line]).join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_large() {
        assert_eq!(large(0.952), ["█▀█   █▀█ █▀▀", "█ █   ▀▀█ ▀▀█", "▀▀▀ ▄ ▀▀▀ ▀▀▀"]);
        assert_eq!(large(0.9999), large(0.99));
        assert_ne!(large(1.0), large(0.99));
        for score in [0.0, 0.123, 0.456, 0.789, 1.0, 2.0, f64::NAN] {
            assert!(large(score).iter().all(|line| line.chars().count() == usize::from(WIDTH)), "{score}");
        }
    }
}
