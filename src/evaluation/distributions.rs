//! The distributions behind the intervals: binomial, beta, normal.
//!
//! Binomial probabilities come from C. Loader's saddle-point form (*Fast and accurate computation of binomial
//! probabilities*, 2000), which loses no digits for large numbers; the incomplete beta function from its continued
//! fraction (DLMF 8.17.22) behind the same form, in O(√(a+b)) steps; its inverse and the normal quantile by Newton's
//! method. Against mpmath and scipy all are right to 1e-10 and better (`tests/outside/README.md`).
//!
//! Own rather than a crate of statistics: these digits are checked one by one and stand in papers, so the next version of a
//! dependency must not move them.

use std::f64::consts::TAU;

/// ln Γ(n+1) minus Stirling's ½ ln(2πn) + n ln n − n, for n above 0.
fn stirling_error(mut n: f64) -> f64 {
    let mut error = 0.0;
    while n < 16.0 {
        // The recurrence Γ(n+2) = (n+1)·Γ(n+1), until the series is exact to the last digit.
        error += (n + 0.5) * (1.0 / n).ln_1p() - 1.0;
        n += 1.0;
    }
    let square = n * n;
    let series = 1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / (1188.0 * square)) / square;
    error + (1.0 / 12.0 - (1.0 / 360.0 - series / square) / square) / n
}

/// x ln(x/m) + m − x, without the cancellation when x is near m.
fn deviance(x: f64, m: f64) -> f64 {
    let v = (x - m) / (x + m);
    if v.abs() > 0.1 {
        return x * (x / m).ln() + m - x;
    }
    // x ln(x/m) = 2x·artanh(v) = 2x(v + v³/3 + v⁵/5 + …), and m − x + 2xv = (x − m)v.
    let (mut sum, mut power, mut odd) = ((x - m) * v, 2.0 * x * v, 1.0);
    loop {
        power *= v * v;
        odd += 2.0;
        let next = sum + power / odd;
        if next == sum {
            return sum;
        }
        sum = next;
    }
}

/// Γ(n+1)/(Γ(x+1)Γ(n−x+1)) · p^x (1−p)^(n−x): the probability of x successes in n trials; x and n need not be whole.
/// 0 where x is outside 0..=n.
pub fn binomial(x: f64, n: f64, p: f64) -> f64 {
    let rest = n - x;
    if x < 0.0 || rest < 0.0 {
        return 0.0;
    }
    if p <= 0.0 || p >= 1.0 {
        return f64::from(u8::from(if p <= 0.0 { x == 0.0 } else { rest == 0.0 }));
    }
    if x == 0.0 {
        return (n * (-p).ln_1p()).exp();
    }
    if rest == 0.0 {
        return (n * p.ln()).exp();
    }
    let log = stirling_error(n)
        - stirling_error(x)
        - stirling_error(rest)
        - deviance(x, n * p)
        - deviance(rest, n * (1.0 - p));
    log.exp() * (n / (TAU * x * rest)).sqrt()
}

/// The regularised incomplete beta function I_x(a, b): the probability that a beta variable is at most x. `a` and `b`
/// are above 0.
pub fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else if x < (a + 1.0) / (a + b + 2.0) {
        b / (a + b) * binomial(a, a + b, x) * fraction(a, b, x)
    } else {
        // The fraction converges fast only below the mean; above it, that of the other side does.
        1.0 - a / (a + b) * binomial(b, a + b, 1.0 - x) * fraction(b, a, 1.0 - x)
    }
}

/// The continued fraction 1/(1 + d₁/(1 + d₂/(1 + …))) of the incomplete beta function, by Lentz's method.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut c, mut d, mut product) = (TINY, 0.0, TINY);
    for step in 0..200_000 {
        let m = f64::from(step / 2);
        let term = match step {
            0 => 1.0,
            _ if step % 2 == 1 => -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
            _ => m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
        };
        d = 1.0 / away_from_zero(1.0 + term * d);
        c = away_from_zero(1.0 + term / c);
        product *= c * d;
        if (c * d - 1.0).abs() < f64::EPSILON && step > 0 {
            break;
        }
    }
    product
}

/// The x with I_x(a, b) = p.
pub fn inverse_beta(a: f64, b: f64, p: f64) -> f64 {
    if p <= 0.0 || p >= 1.0 {
        return p.clamp(0.0, 1.0);
    }
    let (mut low, mut high, mut x) = (0.0, 1.0, a / (a + b));
    for _ in 0..300 {
        let error = incomplete_beta(a, b, x) - p;
        if error > 0.0 {
            high = x;
        } else {
            low = x;
        }
        let density = a * b / (a + b) * binomial(a, a + b, x) / (x * (1.0 - x));
        let newton = x - error / density;
        // Where Newton's step leaves what is known to hold the root, halve that instead.
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - x).abs() <= 2.0 * f64::EPSILON * x {
            return next;
        }
        x = next;
    }
    x
}

/// The probability that a standard normal variable is above z, for z of at least 0.
fn normal_tail(z: f64) -> f64 {
    let density = (-0.5 * z * z).exp() / TAU.sqrt();
    if z < 3.0 {
        // ½ − φ(z)·(z + z³/3 + z⁵/(3·5) + …)
        let (mut term, mut sum, mut odd) = (z, z, 1.0);
        while term > sum * 1e-17 {
            odd += 2.0;
            term *= z * z / odd;
            sum += term;
        }
        return 0.5 - density * sum;
    }
    // φ(z)/(z + 1/(z + 2/(z + …))), from the end.
    density / (1..200).rev().fold(z, |rest, k| z + f64::from(k) / rest)
}

/// The z below which a standard normal variable is with probability p; infinite at 0 and 1.
pub fn normal_quantile(p: f64) -> f64 {
    if p <= 0.0 || p >= 1.0 {
        return if p <= 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    let tail = p.min(1.0 - p);
    let mut z = 0.0;
    // The tail is convex, so Newton's steps from 0 go up to the root and not beyond.
    for _ in 0..100 {
        let step = (normal_tail(z) - tail) * TAU.sqrt() / (-0.5 * z * z).exp();
        z += step;
        if step.abs() <= 1e-16 * z {
            break;
        }
    }
    if p < 0.5 { -z } else { z }
}

/// How far the middle of Student's distribution with so many degrees of freedom, which need not be whole, reaches to both
/// sides: 2.228139 for 0.95 and 10. With endlessly many it is [`deviations`].
pub fn student_deviations(confidence: f64, freedom: f64) -> f64 {
    if freedom > 1e6 {
        return deviations(confidence);
    }
    let x = inverse_beta(freedom / 2.0, 0.5, 1.0 - confidence);
    (freedom * (1.0 - x) / x).sqrt()
}

/// How many standard deviations the middle of a normal distribution reaches to both sides: 1.959964 for 0.95.
pub fn deviations(confidence: f64) -> f64 {
    normal_quantile(f64::midpoint(1.0, confidence))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn near(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 2e-12, "{found:e} for {expected:e}");
    }

    // Expected values: mpmath 1.4 with 40 digits.

    #[test]
    fn students_quantiles_are_those_of_the_tables() {
        // Fisher & Yates, Statistical Tables (1963), table III, two-sided 5 %.
        for (freedom, expected) in
            [(1.0, 12.706), (2.0, 4.303), (5.0, 2.571), (10.0, 2.228), (30.0, 2.042), (120.0, 1.980)]
        {
            let ours = student_deviations(0.95, freedom);
            assert!((ours - expected).abs() < 5e-4, "{freedom}: {ours}");
        }
        assert!((student_deviations(0.95, 1e7) - deviations(0.95)).abs() < 1e-9);
    }

    #[test]
    fn binomial_probabilities() {
        near(binomial(3.0, 10.0, 0.3), 0.266_827_932);
        near(binomial(99.0, 100.0, 0.99), 0.369_729_637_649_726_8);
        near(binomial(0.5, 101.0, 0.01), 0.413_514_072_889_391_7);
        near(binomial(500_000.0, 1e6, 0.5), 0.000_797_884_361_331_75);
        near(binomial(999.0, 1e6, 0.001), 0.012_620_910_754_223_54);
        near(binomial(10.5, 21.25, 0.9), 2.505_978_368_391_877_5e-6);
        near(binomial(1.0, 1e9, 1e-9), 0.367_879_441_355_382_04);
        near((0..=100).map(|x| binomial(f64::from(x), 100.0, 0.97)).sum(), 1.0);
        assert_eq!(binomial(0.0, 5.0, 0.0), 1.0);
        assert_eq!(binomial(1.0, 5.0, 0.0), 0.0);
        assert_eq!(binomial(5.0, 5.0, 1.0), 1.0);
        assert_eq!(binomial(6.0, 5.0, 0.5), 0.0);
    }

    #[test]
    fn incomplete_beta_values() {
        near(incomplete_beta(2.0, 3.0, 0.5), 0.6875);
        near(incomplete_beta(95.0, 6.0, 0.9), 0.057_576_886_487_033_89);
        near(incomplete_beta(0.5, 100.5, 0.0246), 0.974_564_981_353_444_9);
        near(incomplete_beta(1.0, 1e6, 3e-6), 0.950_213_155_673_887_7);
        near(incomplete_beta(5000.5, 5000.5, 0.51), 0.977_263_365_152_073_9);
        near(incomplete_beta(300_000.5, 700_000.5, 0.2995), 0.137_508_403_990_386_4);
        near(incomplete_beta(1e-3, 2.0, 0.5), 0.999_806_746_536_947_7);
        near(incomplete_beta(40.0, 0.5, 0.99), 0.371_386_023_253_984_46);
        assert_eq!((incomplete_beta(2.0, 3.0, 0.0), incomplete_beta(2.0, 3.0, 1.0)), (0.0, 1.0));
    }

    #[test]
    fn normal_quantiles() {
        near(normal_quantile(0.975), 1.959_963_984_540_053_9);
        near(normal_quantile(0.995), 2.575_829_303_548_900_5);
        near(normal_quantile(0.9), 1.281_551_565_544_600_6);
        near(normal_quantile(0.51), 0.025_068_908_258_711_058);
        near(normal_quantile(1e-10), -6.361_340_902_404_056);
        near(normal_quantile(0.999_999), 4.753_424_308_817_088);
        assert_eq!(normal_quantile(0.5), 0.0);
        assert_eq!((normal_quantile(0.0), normal_quantile(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        near(deviations(0.95), 1.959_963_984_540_053_9);
    }

    proptest! {
        #[test]
        fn the_inverse_undoes(a in -1.0..6.0f64, b in -1.0..6.0f64, p in 0.0005..0.9995f64) {
            let (a, b) = (10f64.powf(a), 10f64.powf(b));
            let x = inverse_beta(a, b, p);
            prop_assert!((0.0..=1.0).contains(&x));
            // Where the density is high, the neighbours of x are as near as one can come.
            let (below, above) = (x * (1.0 - 4.0 * f64::EPSILON), x * (1.0 + 4.0 * f64::EPSILON));
            prop_assert!(incomplete_beta(a, b, below) < p + 1e-11, "{} {} {} {}", a, b, p, x);
            prop_assert!(incomplete_beta(a, b, above) > p - 1e-11, "{} {} {} {}", a, b, p, x);
        }

        #[test]
        fn both_sides_add_up(a in 0.1..500.0f64, b in 0.1..500.0f64, x in 0.0..1.0f64) {
            let sum = incomplete_beta(a, b, x) + incomplete_beta(b, a, 1.0 - x);
            prop_assert!((sum - 1.0).abs() < 1e-10);
        }

        /// I_x(k, n−k+1) is the probability of at least k successes.
        #[test]
        fn the_beta_is_a_sum_of_binomials(n in 1..200u32, share in 0.0..1.0f64, p in 0.001..0.999f64) {
            let k = 1 + (share * f64::from(n)) as u32;
            prop_assume!(k <= n);
            let sum: f64 = (k..=n).map(|x| binomial(f64::from(x), f64::from(n), p)).sum();
            let beta = incomplete_beta(f64::from(k), f64::from(n - k + 1), p);
            prop_assert!((sum - beta).abs() < 1e-12, "{} {}", sum, beta);
        }
    }
}
