//! Numbers and lists as prose writes them.

use crate::base::interval::Interval;
use crate::base::numbers::count;

const WORDS: [&str; 11] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// A number: in words up to ten.
pub(super) fn number(n: u64) -> String {
    WORDS.get(n as usize).map_or_else(|| count(n), |word| (*word).to_owned())
}

/// A number of things: `one pair`, `12 pairs`.
pub(super) fn some(n: u64, thing: &str) -> String {
    format!("{} {thing}{}", number(n), if n == 1 { "" } else { "s" })
}

/// The form of a verb that goes with a number of things.
pub(super) fn verb<'a>(n: u64, one: &'a str, several: &'a str) -> &'a str {
    if n == 1 { one } else { several }
}

/// A sentence begins with a capital and ends with a full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}

/// `a`, `a and b`, `a, b, and c`; the word is `and` or `or`.
pub(super) fn list(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [one, other] => format!("{one} {word} {other}"),
        [first @ .., last] => format!("{}, {word} {last}", first.join(", ")),
    }
}

/// `0.950 [0.888, 0.978]`.
pub(super) fn share(interval: Interval) -> String {
    let [value, low, high] =
        [interval.value, interval.low, interval.high].map(|number| format!("{number:.3}").replace('-', "−"));
    format!("{value} [{low}, {high}]")
}

/// Seconds, with a decimal where it says something.
pub(super) fn seconds(seconds: f64) -> String {
    if seconds < 9.95 { format!("{seconds:.1}") } else { format!("{seconds:.0}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_agree_with_their_things() {
        assert_eq!(
            [0, 1, 2, 10, 11, 1_000, 1_234_567].map(number),
            ["no", "one", "two", "ten", "11", "1,000", "1,234,567"]
        );
        assert_eq!([some(1, "pair"), some(12, "pair")], ["one pair", "12 pairs"]);
        assert_eq!([verb(1, "was", "were"), verb(0, "was", "were")], ["was", "were"]);
        assert_eq!(sentence("one pair was settled"), "One pair was settled.");
        let names = |n: usize| list(&["a", "b", "c"].map(str::to_owned)[..n], "or");
        assert_eq!([names(1), names(2), names(3)], ["a", "a or b", "a, b, or c"]);
        assert_eq!(share(Interval { value: 0.4, low: -0.005, high: 0.75 }), "0.400 [−0.005, 0.750]");
        assert_eq!([seconds(4.26), seconds(12.3)], ["4.3", "12"]);
    }
}
