//! The weight of a word in a document of a collection.
//!
//! Okapi BM25 with k = 2 and b = 0.75, as Zelenkov and Segalovich use it (A2 and A5 of their comparison). A word in more
//! than half of the documents weighs less than nothing; that is the formula, and it is kept.

/// `tf/(2·(0.25 + 0.75·dl/dl_avg) + tf) · ln((n − df + 0.5)/(df + 0.5))`. A collection without an average length is
/// taken to have documents of this length.
#[inline]
pub fn bm25(tf: u32, dl: u32, dl_avg: f64, n: u64, df: u32) -> f64 {
    saturation(tf, dl, dl_avg) * okapi_idf(n, df)
}

/// The first factor of [`bm25`]: grows with tf towards 1, more slowly in long documents.
#[inline]
pub fn saturation(tf: u32, dl: u32, dl_avg: f64) -> f64 {
    let relative = if dl_avg > 0.0 { f64::from(dl) / dl_avg } else { 1.0 };
    let tf = f64::from(tf);
    tf / (2.0 * (0.25 + 0.75 * relative) + tf)
}

/// The second factor of [`bm25`]: falls as df grows.
#[inline]
pub fn okapi_idf(n: u64, df: u32) -> f64 {
    let df = f64::from(df);
    let without = (n as f64 - df).max(0.0);
    ((without + 0.5) / (df + 0.5)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
    }

    #[test]
    fn by_hand() {
        near(bm25(3, 100, 100.0, 1000, 10), 0.6 * (990.5f64 / 10.5).ln());
        near(bm25(3, 100, 100.0, 1000, 10), 2.728_100_765_385_076_6);
        near(bm25(1, 5, 10.0, 4, 1), 1.0 / 2.25 * (3.5f64 / 1.5).ln());
        near(bm25(1, 5, 10.0, 4, 1), 0.376_576_826_838_757_15);
        near(bm25(7, 80, 40.0, 10, 5), 0.0);
    }

    #[test]
    fn nothing_counted_is_still_a_number() {
        assert!(bm25(1, 1, 0.0, 0, 0).is_finite());
        assert!(bm25(1, 1, 0.0, 0, 3).is_finite());
        assert!(bm25(1, 1, 1.0, 10, 8) < 0.0, "in most documents");
        assert!(bm25(1, 1, 1.0, 10, 0) > bm25(1, 1, 1.0, 10, 1), "unknown words weigh most");
    }
}
