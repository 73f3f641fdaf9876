//! Numbers and lists as prose writes them.

use dejaview_base::interval::Interval;
use dejaview_base::numbers::count;

const WORDS: [&str; 11] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// A number: in words up to ten.
pub(super) fn number(n: u64) -> String {
    WORDS.get(n as usize).map_or_else(|| count(n), |word| (*word).to_owned())
}

/// A number of things: `one pair`, `12 pairs`.
pub(super) fn counted(n: u64, thing: &str) -> String {
    format!("{} {thing}{}", number(n), if n == 1 { "" } else { "s" })
}

/// The form of a verb that goes with a number of things.
pub(super) fn verb<'a>(n: u64, one: &'a str, several: &'a str) -> &'a str {
    if n == 1 { one } else { several }
}

const TEENS: [&str; 9] =
    ["eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"];
const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// A number in words, as it opens a sentence.
fn in_words(n: u64) -> String {
    match (n / 10, n % 10) {
        (0, _) | (1, 0) => number(n),
        (1, ones) => TEENS[ones as usize - 1].to_owned(),
        (tens @ 2..=9, 0) => TENS[tens as usize - 2].to_owned(),
        (tens @ 2..=9, ones) => format!("{}-{}", TENS[tens as usize - 2], number(ones)),
        _ => format!("a total of {}", count(n)),
    }
}

/// A sentence begins with a capital, never with digits, and ends with a full stop.
pub(super) fn sentence(text: &str) -> String {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    let opening =
        first.replace(',', "").parse::<u64>().ok().filter(|_| first.starts_with(|c: char| c.is_ascii_digit()));
    let text = match opening {
        Some(n) => format!("{} {rest}", in_words(n)),
        None => text.to_owned(),
    };
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
        assert_eq!([counted(1, "pair"), counted(12, "pair")], ["one pair", "12 pairs"]);
        assert_eq!([verb(1, "was", "were"), verb(0, "was", "were")], ["was", "were"]);
        assert_eq!(sentence("one pair was settled"), "One pair was settled.");
        let opened = |n: u64| sentence(&format!("{} were settled", counted(n, "pair")));
        assert_eq!([opened(12), opened(20)], ["Twelve pairs were settled.", "Twenty pairs were settled."]);
        assert_eq!([opened(10), opened(99)], ["Ten pairs were settled.", "Ninety-nine pairs were settled."]);
        assert_eq!(opened(1_234), "A total of 1,234 pairs were settled.");
        let names = |n: usize| list(&["a", "b", "c"].map(str::to_owned)[..n], "or");
        assert_eq!([names(1), names(2), names(3)], ["a", "a or b", "a, b, or c"]);
        assert_eq!(share(Interval { value: 0.4, low: -0.005, high: 0.75 }), "0.400 [−0.005, 0.750]");
        assert_eq!([seconds(4.26), seconds(12.3)], ["4.3", "12"]);
    }
}
