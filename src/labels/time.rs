//! Moments as RFC 3339 in UTC, to the millisecond.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The present moment: the one place of this module that asks the machine's clock.
pub fn now() -> String {
    rfc3339(SystemTime::now())
}

/// A moment as `2012-03-04T05:06:07.089Z`. Moments before 1970 count as its first.
pub fn rfc3339(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", since.subsec_millis())
}

/// Year, month and day of a day counted from 1970-01-01, in eras of 400 years that begin on a first of March.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    (era * 400 + year + u64::from(month <= 2), month, day)
}

/// Seconds from one moment to another, none where one of them is not as [`rfc3339`] writes it. Moments that come in the
/// wrong order count as one: clocks of two machines differ.
pub fn seconds_between(earlier: &str, later: &str) -> Option<u64> {
    Some(seconds(later)?.saturating_sub(seconds(earlier)?))
}

/// Seconds since 1970 of a moment in UTC.
fn seconds(time: &str) -> Option<u64> {
    let number = |from: usize, to: usize| time.get(from..to)?.parse::<u64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    if !time.ends_with('Z') || year < 1970 || !(1..=12).contains(&month) || day == 0 {
        return None;
    }
    // Years begin in March, so that a leap day is the last day of one.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468;
    let seconds = days * 86_400 + number(11, 13)? * 3_600 + number(14, 16)? * 60 + number(17, 19)?;
    // Written again it is the same, unless there is no such day or hour.
    (rfc3339(UNIX_EPOCH + Duration::from_secs(seconds)).get(..19) == time.get(..19)).then_some(seconds)
}

/// Whether a text is a moment in UTC, as [`rfc3339`] writes it, with or without fractions of a second.
pub(super) fn is_moment(time: &str) -> bool {
    let fraction = time.get(19..).and_then(|rest| rest.strip_suffix('Z'));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let fraction = fraction.is_some_and(|text| text.is_empty() || text.strip_prefix('.').is_some_and(digits));
    fraction && seconds(time).is_some()
}

/// Whether one moment is before another one; not where one of them is no moment.
pub(super) fn is_earlier(one: &str, other: &str) -> bool {
    is_moment(one) && is_moment(other) && sortable(one) < sortable(other)
}

/// A moment as a text that sorts by time: a fraction ends in no zeros, and none is the first of its second.
fn sortable(time: &str) -> &str {
    let time = time.strip_suffix('Z').unwrap_or(time);
    if time.contains('.') { time.trim_end_matches('0').trim_end_matches('.') } else { time }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments() {
        let at = |seconds, millis: u32| rfc3339(UNIX_EPOCH + Duration::new(seconds, millis * 1_000_000));
        assert_eq!(at(0, 0), "1970-01-01T00:00:00.000Z");
        assert_eq!(at(951_782_400, 0), "2000-02-29T00:00:00.000Z");
        assert_eq!(at(1_330_837_567, 89), "2012-03-04T05:06:07.089Z");
        assert_eq!(at(4_107_542_399, 999), "2100-02-28T23:59:59.999Z");
        assert_eq!(at(4_107_542_400, 0), "2100-03-01T00:00:00.000Z");
        assert_eq!(rfc3339(UNIX_EPOCH - Duration::from_secs(5)), "1970-01-01T00:00:00.000Z");
    }

    #[test]
    fn seconds_are_those_that_were_written() {
        for at in (0..5_000_000_000).step_by(7_654_321) {
            assert_eq!(seconds(&rfc3339(UNIX_EPOCH + Duration::from_secs(at))), Some(at));
        }
        assert_eq!(seconds_between("2012-02-28T23:59:58Z", "2012-02-29T00:00:01.500Z"), Some(3));
        assert_eq!(seconds_between("2012-02-29T00:00:01Z", "2012-02-28T23:59:58Z"), Some(0));
        for wrong in ["", "now", "2012-02-28T23:59:58", "2012-13-28T23:59:58Z", "1969-01-01T00:00:00Z", "2012-02-30Té"]
        {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn moments_in_their_order() {
        let [first, second] = ["2012-03-04T05:06:07Z", "2012-03-04T05:06:07.089Z"];
        assert!(is_earlier(first, second) && !is_earlier(second, first));
        assert!(is_earlier("2011-12-31T23:59:59.999Z", first));
        for same in [first, "2012-03-04T05:06:07.0Z", "2012-03-04T05:06:07.000Z"] {
            assert!(!is_earlier(first, same) && !is_earlier(same, first), "{same}");
        }
        assert!(is_earlier("2012-03-04T05:06:10Z", "2012-03-04T05:06:10.001Z"));
        assert!(!is_earlier("", first) && !is_earlier("yesterday", first) && !is_earlier(first, "z"));
    }

    #[test]
    fn moments_that_do_not_exist() {
        for right in ["2012-02-29T23:59:59Z", "2012-03-04T05:06:07.089Z", "1970-01-01T00:00:00.0Z"] {
            assert!(is_moment(right), "{right}");
        }
        for wrong in [
            "2011-02-29T00:00:00Z",
            "2012-04-31T00:00:00Z",
            "2012-03-04T24:00:00Z",
            "2012-03-04T05:60:00Z",
            "2012-03-04 05:06:07Z",
            "2012-03-04T05:06:07+01:00",
            "2012-03-04T05:06:07.Z",
            "2012-03-04T05:06:07.1xZ",
            "2012-03-04T05:06Z",
            "9999999-03-04T05:06:07Z",
        ] {
            assert!(!is_moment(wrong), "{wrong}");
        }
    }
}
