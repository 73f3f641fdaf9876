//! Calendar dates, as much of them as page footers and WARC headers need.

/// A day of the Gregorian calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// Four digits.
    pub year: i64,
    /// 1 to 12.
    pub month: i64,
    /// 1 to 31.
    pub day: i64,
}

/// English month names.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

impl Date {
    /// Reads `2009-02-11`; anything else is the first day of 2009.
    pub fn parse(text: &str) -> Self {
        let mut parts = text.split('-').map(|p| p.trim().parse().unwrap_or(1));
        Self {
            year: parts.next().filter(|y| *y > 1900).unwrap_or(2009),
            month: parts.next().unwrap_or(1),
            day: parts.next().unwrap_or(1),
        }
    }

    /// `11 February 2009`
    pub fn long(self) -> String {
        format!("{} {} {}", self.day, self.month_name(), self.year)
    }

    /// `Wednesday, February 11, 2009`
    pub fn american(self) -> String {
        format!("{}, {} {}, {}", self.weekday_name(), self.month_name(), self.day, self.year)
    }

    /// `2009-02-11`
    pub fn iso(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    /// The English name of the day of the week.
    pub fn weekday_name(self) -> &'static str {
        WEEKDAYS[usize::try_from(self.weekday()).unwrap_or(0)]
    }

    /// The English name of the month.
    pub fn month_name(self) -> &'static str {
        MONTHS[usize::try_from(self.month - 1).unwrap_or(0).min(11)]
    }

    /// The number of days in the month.
    pub fn month_days(self) -> i64 {
        match self.month {
            2 if self.year % 4 == 0 => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    /// The day of the year, from 1.
    pub fn day_of_year(self) -> i64 {
        (1..self.month).map(|month| Self { month, ..self }.month_days()).sum::<i64>() + self.day
    }

    /// Sakamoto's method; 0 is Sunday.
    fn weekday(self) -> i64 {
        const SHIFT: [i64; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
        let year = self.year - i64::from(self.month < 3);
        let shift = SHIFT[usize::try_from(self.month - 1).unwrap_or(0).min(11)];
        (year + year / 4 - year / 100 + year / 400 + shift + self.day).rem_euclid(7)
    }
}
