//! Kendall's tau-b: do two lists of values put the same things into the same order?

/// What sums of the same numbers may differ by.
const ROUNDING: f64 = 1e-12;

/// (concordant − discordant) / √((pairs − ties in a)(pairs − ties in b)), over all pairs of places. None when one of the
/// lists puts nothing into any order, or when they are not of one length. Values that differ by less than 10⁻¹² are
/// equal: sums of the same numbers in another order differ by less. Quadratic: there are tens of systems.
pub fn tau_b(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.len() != b.len() {
        return None;
    }
    let (mut balance, mut in_a, mut in_b) = (0i64, 0i64, 0i64);
    for i in 0..a.len() {
        for j in i + 1..a.len() {
            let (x, y) = (sign(a[i] - a[j]), sign(b[i] - b[j]));
            balance += x * y;
            in_a += x * x;
            in_b += y * y;
        }
    }
    (in_a > 0 && in_b > 0).then(|| balance as f64 / (in_a as f64 * in_b as f64).sqrt())
}

fn sign(difference: f64) -> i64 {
    i64::from(difference > ROUNDING) - i64::from(difference < -ROUNDING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let near = |a: &[f64], b: &[f64], expected: f64| {
            let found = tau_b(a, b).unwrap();
            assert!((found - expected).abs() < 1e-12, "{found}");
        };
        near(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0], 1.0);
        near(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0], -1.0);
        near(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0], 4.0 / 6.0);
        // One tie in a: 5 pairs are ordered there, 6 in b, and all 5 agree.
        near(&[1.0, 1.0, 2.0, 3.0], &[1.0, 2.0, 3.0, 4.0], 5.0 / 30f64.sqrt());
        assert_eq!(tau_b(&[0.1 + 0.2, 0.3], &[1.0, 2.0]), None, "0.1 + 0.2 is 0.3");
        assert_eq!(tau_b(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(tau_b(&[1.0], &[1.0]), None);
        assert_eq!(tau_b(&[1.0], &[]), None);
    }
}
