//! What a grade is, and the number that it stands for: the one reading that measures, orders and filters share.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

/// Digits of the decimals that count.
const DECIMALS: usize = 18;

/// A grade as a number. Written are a whole number of 64 bits (`2`, `-2`), one with decimals (`0.5`), or the two parts of
/// Session 2010 (`0.-1`). Whatever else begins like a number (`1e3`, `0x10`, `1_000`) is none: trec_eval would read a
/// part of it and say nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grade {
    /// What measures count, as trec_eval does.
    pub whole: i64,
    /// What follows the point, in units of 10^-18, with the sign of the grade; 0 where it is a second part.
    decimals: i64,
}

impl Grade {
    /// With its decimals.
    pub fn value(self) -> f64 {
        self.whole as f64 + self.decimals as f64 / 10f64.powi(DECIMALS as i32)
    }
}

/// A word that is no grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoGrade;

impl fmt::Display for NoGrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a number as grades are: 2, -2 or 0.5")
    }
}

impl FromStr for Grade {
    type Err = NoGrade;

    fn from_str(word: &str) -> Result<Self, NoGrade> {
        let (whole, second) = word.split_once('.').map_or((word, None), |(whole, second)| (whole, Some(second)));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole.strip_prefix(['+', '-']).unwrap_or(whole)) {
            return Err(NoGrade);
        }
        let decimals = match second {
            None => 0,
            Some(second) if digits(second) => {
                let units = format!("{second:0<DECIMALS$}")[..DECIMALS].parse::<i64>().map_err(|_| NoGrade)?;
                if whole.starts_with('-') { -units } else { units }
            }
            Some(second) if second.strip_prefix(['+', '-']).is_some_and(digits) => 0,
            Some(_) => return Err(NoGrade),
        };
        Ok(Self { whole: whole.parse().map_err(|_| NoGrade)?, decimals })
    }
}

/// What a grade is compared by.
#[derive(PartialEq, Eq, Hash)]
enum Meaning<'a> {
    Number(Grade),
    /// It has a second part, or is no number.
    Written(&'a str),
}

impl<'a> Meaning<'a> {
    fn of(grade: &'a str) -> Self {
        let has_part = grade.split_once('.').is_some_and(|(_, second)| second.starts_with(['+', '-']));
        match grade.parse() {
            Ok(number) if !has_part => Self::Number(number),
            _ => Self::Written(grade),
        }
    }
}

/// Whether two grades mean the same, however they are written. Those of two parts are what they are written as.
pub fn is_same_grade(a: &str, b: &str) -> bool {
    Meaning::of(a) == Meaning::of(b)
}

/// For each grade the number of the first that means the same.
pub(super) fn first_of_same(grades: &[String]) -> Vec<u32> {
    let mut first = HashMap::new();
    let numbered = grades.iter().zip(0..);
    numbered.map(|(grade, number)| *first.entry(Meaning::of(grade)).or_insert(number)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_have_one_value() {
        for (word, whole, value) in [
            ("0", 0, 0.0),
            ("+2", 2, 2.0),
            ("-2", -2, -2.0),
            ("007", 7, 7.0),
            ("0.5", 0, 0.5),
            ("1.50", 1, 1.5),
            ("-1.5", -1, -1.5),
            ("-0.25", 0, -0.25),
            ("0.-1", 0, 0.0),
            ("2.-1", 2, 2.0),
            ("2.12345678901234567890123", 2, 2.123_456_789_012_345_7),
            ("9223372036854775807", i64::MAX, i64::MAX as f64),
        ] {
            let grade: Grade = word.parse().unwrap();
            assert_eq!((grade.whole, grade.value()), (whole, value), "{word}");
        }
        let grades = ["-1.5", "-1", "-0.5", "0", "0.5", "1", "1.25"].map(|word| word.parse::<Grade>().unwrap());
        assert!(grades.is_sorted());
    }

    #[test]
    fn what_only_begins_like_a_number_is_no_grade() {
        let long = "99999999999999999999";
        for word in [
            long, "0x10", "1e3", "1.5e1", "1e400", "1_000", "inf", "nan", "x", "", "-", "+", ".", ".5", "1.", "--1",
            "1-2", "1.2.3", "1.-", "١",
        ] {
            assert_eq!(word.parse::<Grade>(), Err(NoGrade), "{word}");
        }
    }

    #[test]
    fn grades_that_mean_the_same_are_one() {
        for (a, b) in
            [("1", "01"), ("1", "+1"), ("1", "1.0"), ("0", "-0"), ("-2", "-02"), ("0.5", "0.50"), ("1.-1", "1.-1")]
        {
            assert!(is_same_grade(a, b) && is_same_grade(b, a), "{a} {b}");
        }
        for (a, b) in [("1", "2"), ("1", "-1"), ("1", "1.5"), ("1", "1.-1"), ("1.-1", "1.-2"), ("0", "0.-1")] {
            assert!(!is_same_grade(a, b), "{a} {b}");
        }
        let grades = ["2", "1", "02", "1.0", "2.-1"].map(str::to_owned);
        assert_eq!(first_of_same(&grades), [0, 1, 0, 1, 4]);
    }
}
