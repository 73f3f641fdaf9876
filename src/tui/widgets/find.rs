//! The next row that matches a search, around the end of a list.

/// Where to look: from the cursor on, which counts itself, or from the row after or before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    Cursor,
    Next,
    Previous,
}

/// The first of `len` rows that matches, from the cursor at `at` on and around the end.
pub fn find(len: usize, at: usize, from: From, matches: impl Fn(usize) -> bool) -> Option<usize> {
    let row = |step: usize| match from {
        From::Cursor => (at + step) % len,
        From::Next => (at + 1 + step) % len,
        From::Previous => (at + 2 * len - 1 - step) % len,
    };
    (0..len).map(row).find(|&row| matches(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_goes_around_the_end() {
        let even = |row: usize| row.is_multiple_of(2);
        assert_eq!(find(5, 2, From::Cursor, even), Some(2));
        assert_eq!(find(5, 2, From::Next, even), Some(4));
        assert_eq!(find(5, 4, From::Next, even), Some(0));
        assert_eq!(find(5, 0, From::Previous, even), Some(4));
        assert_eq!(find(5, 2, From::Next, |row| row == 2), Some(2), "itself, once around");
        assert_eq!(find(5, 2, From::Next, |_| false), None);
        assert_eq!(find(0, 0, From::Cursor, |_| true), None);
    }
}
