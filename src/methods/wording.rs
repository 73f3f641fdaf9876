//! How explanations write ordinals, weights, quotations and long lists.

use std::ops::Range;

use super::explanation::{Explanation, Side};

/// Words or places that are listed before the rest is only counted.
pub const LISTED: usize = 20;

/// Characters of a passage that an explanation quotes.
const QUOTED: usize = 60;

/// 1st, 2nd, 3rd, 4th, 11th.
pub fn ordinal(n: usize) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// A weight with four decimals, or with none when it is a whole number.
pub fn weight(weight: f64) -> String {
    if weight.fract() == 0.0 { format!("{weight:.0}") } else { format!("{weight:.4}") }
}

/// A number of things, in the plural unless it is one.
pub fn count(n: usize, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

/// The beginning of a text in quotation marks, white space collapsed.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("“");
    let mut length = 0;
    for (i, word) in text.split_whitespace().enumerate() {
        for c in (i > 0).then_some(' ').into_iter().chain(word.chars()) {
            if length == QUOTED {
                quoted.truncate(quoted.trim_end().len());
                return quoted + "…”";
            }
            quoted.push(c);
            length += 1;
        }
    }
    quoted + "”"
}

/// The first words of a list, and how many more there are.
pub fn listed<S: AsRef<str>>(words: &[S]) -> String {
    let mut list = words.iter().take(LISTED).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    if words.len() > LISTED {
        list.push_str(&format!(" and {} more", words.len() - LISTED));
    }
    list
}

/// The claim with its first places in one text; a part says how many more there are.
pub fn marked(mut explanation: Explanation, side: Side, places: &[Range<usize>]) -> Explanation {
    for place in places.iter().take(LISTED) {
        explanation = explanation.at(side, place.clone());
    }
    if places.len() > LISTED {
        let more = places.len() - LISTED;
        let claim = format!("{} more in the {}", count(more, "place"), side.name());
        explanation.parts.push(Explanation::new(claim, more as f64));
    }
    explanation
}

/// “the source”, “the target” or both, for those of which the condition holds.
pub fn sides(holds: [bool; 2]) -> Option<&'static str> {
    match holds {
        [true, true] => Some("the source and the target"),
        [true, false] => Some("the source"),
        [false, true] => Some("the target"),
        [false, false] => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words() {
        assert_eq!(
            [1, 2, 3, 7, 11, 12, 21, 103, 113].map(ordinal).join(" "),
            "1st 2nd 3rd 7th 11th 12th 21st 103rd 113th"
        );
        assert_eq!([3.0, -0.123_46].map(weight), ["3", "-0.1235"]);
        assert_eq!([0, 1, 2].map(|n| count(n, "word")), ["0 words", "1 word", "2 words"]);
    }

    #[test]
    fn quotations_are_short_and_of_one_line() {
        assert_eq!(quoted("two\n lines"), "“two lines”");
        assert_eq!(quoted(&"é".repeat(60)), format!("“{}”", "é".repeat(60)));
        assert_eq!(quoted(&"é".repeat(61)), format!("“{}…”", "é".repeat(60)));
        assert_eq!(quoted(&"abcd ".repeat(13)), format!("“{}…”", "abcd ".repeat(12).trim_end()));
    }

    #[test]
    fn long_lists_end() {
        let words: Vec<String> = (0..23).map(|i| i.to_string()).collect();
        assert!(listed(&words).ends_with("18, 19 and 3 more"));
        assert_eq!(listed(&words[..2]), "0, 1");
        let places: Vec<Range<usize>> = (0..22).map(|i| i..i + 1).collect();
        let explanation = marked(Explanation::new("here", 1.0), Side::Target, &places);
        assert_eq!((explanation.spans.len(), explanation.parts[0].claim.as_str()), (20, "2 places more in the target"));
    }
}
