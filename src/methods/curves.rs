//! The probability that two documents of a known similarity match.
//!
//! The published curves of the methods that keep equal parts: minima, super shingles, bands, randomised lexicons. A
//! minimum agrees with the probability of the Jaccard similarity, independently of the others; everything here follows
//! from that. Similarities are 0 to 1.

/// Probability that at least `agree` of `groups` groups of `size` minima agree, at Jaccard similarity `similarity`: the
/// tail of a binomial distribution with similarity^size (Fetterly, Manasse and Najork, On the evolution of clusters of
/// near-duplicate web pages, 2003). One pass of `agree` additions a group; no term is negative, so no digit is lost.
pub fn groups_agree(similarity: f64, size: usize, groups: usize, agree: usize) -> f64 {
    let equal = similarity.powf(size as f64);
    // Probabilities of exactly 0, 1, … equal groups so far; the last is that of `agree` and more.
    let mut counts = vec![0.0; agree + 1];
    counts[0] = 1.0;
    for _ in 0..groups {
        for i in (0..agree).rev() {
            counts[i + 1] += counts[i] * equal;
            counts[i] *= 1.0 - equal;
        }
    }
    counts[agree]
}

/// Probability that one of `bands` bands of `rows` minima agrees: 1 − (1 − s^rows)^bands, the S-curve of locality
/// sensitive hashing (Indyk and Motwani, 1998).
pub fn band_agrees(similarity: f64, rows: usize, bands: usize) -> f64 {
    // By way of the logarithm, so that the smallest probabilities keep their digits.
    -f64::exp_m1(bands as f64 * f64::ln_1p(-similarity.powf(rows as f64)))
}

/// Similarity about which the S-curve is steepest: (1/bands)^(1/rows).
pub fn band_threshold(rows: usize, bands: usize) -> f64 {
    (1.0 / bands as f64).powf(1.0 / rows as f64)
}

/// Standard error of a similarity that is estimated from `minima` minima: √(J(1−J)/r).
pub fn standard_error(similarity: f64, minima: usize) -> f64 {
    (similarity * (1.0 - similarity) / minima as f64).sqrt()
}

/// The standard error to say beside an estimate from so many minima: two that agree and two that do not are added (Agresti
/// and Coull 1998), so that an estimate of 0 or 1 is not taken for certain.
pub fn stated_error(similarity: f64, minima: usize) -> f64 {
    standard_error((similarity * minima as f64 + 2.0) / (minima as f64 + 4.0), minima + 4)
}

/// Probability that one of `lexicons` randomised lexicons, each with the share `dropped` of the words left out, does
/// not see any of `changes` changed words: 1 − (1 − p^n)^K, formula (1) of the paper (Kołcz, Chowdhury and Alspector, Improved robustness of
/// signature-based near-replica detection via lexicon randomization, 2004).
pub fn stability(dropped: f64, changes: usize, lexicons: usize) -> f64 {
    band_agrees(dropped, changes, lexicons)
}

/// Expected number of false positives among `pairs` pairs that are only `similarity` alike, but match when at least
/// `agree` of `groups` groups of `size` minima agree.
pub fn expected_false_positives(pairs: f64, similarity: f64, size: usize, groups: usize, agree: usize) -> f64 {
    pairs * groups_agree(similarity, size, groups, agree)
}

/// Expected number of pairs among `things` different things that have the same evenly distributed hash of `bits` bits:
/// C(N, 2)/2^bits.
pub fn expected_collisions(things: f64, bits: u32) -> f64 {
    things * (things - 1.0).max(0.0) / 2.0 / f64::from(bits).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_base::hash::fmix64;

    #[track_caller]
    fn near(value: f64, published: f64, digits: i32) {
        assert!((value - published).abs() <= 0.5 * 10f64.powi(-digits), "{value} is not {published}");
    }

    #[test]
    fn super_shingles_as_published() {
        near(groups_agree(0.95, 14, 6, 2), 0.879, 3);
        near(groups_agree(0.80, 14, 6, 2), 0.026, 3);
        near(groups_agree(0.80, 6, 6, 2), 0.495, 3);
    }

    #[test]
    fn two_of_six_equal_the_formula() {
        for percent in 0..=100 {
            let p = f64::from(percent) / 100.0;
            let q = p.powi(14);
            let formula = 1.0 - (1.0 - q).powi(6) - 6.0 * q * (1.0 - q).powi(5);
            near(groups_agree(p, 14, 6, 2), formula, 12);
        }
    }

    /// Every outcome of a few groups is counted with its probability.
    #[test]
    fn any_number_of_groups_equals_the_sum_over_all_outcomes() {
        for (size, groups, agree) in [(1, 1, 0), (1, 1, 1), (3, 5, 3), (2, 7, 7), (2, 4, 5), (0, 3, 3)] {
            let q = 0.7f64.powi(size as i32);
            let outcome = |equal: u32| q.powi(equal as i32) * (1.0 - q).powi((groups as u32 - equal) as i32);
            let outcomes = (0..1u32 << groups).map(u32::count_ones).filter(|&equal| equal as usize >= agree);
            near(groups_agree(0.7, size, groups, agree), outcomes.map(outcome).sum(), 12);
        }
    }

    #[test]
    fn many_groups_lose_no_digits() {
        assert_eq!(groups_agree(1.0, 14, 4096, 4096), 1.0);
        assert_eq!(groups_agree(0.0, 14, 4096, 1), 0.0);
        near(groups_agree(0.5, 1, 1000, 500), 0.512_612_5, 7);
        // 160 of 200 equal components at a similarity of 0.8: about half.
        near(groups_agree(0.8, 1, 200, 160), 0.54, 2);
    }

    /// Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, section 3.4.2.
    #[test]
    fn the_s_curve_as_published() {
        let published = [(0.2, 0.006), (0.3, 0.047), (0.4, 0.186), (0.5, 0.470), (0.6, 0.802), (0.7, 0.975)];
        for (similarity, probability) in published {
            near(band_agrees(similarity, 5, 20), probability, 3);
        }
        near(band_agrees(0.8, 5, 20), 0.9996, 4);
        near(band_threshold(4, 16), 0.5, 12);
    }

    #[test]
    fn one_band_is_one_group() {
        for percent in 0..=100 {
            let s = f64::from(percent) / 100.0;
            near(band_agrees(s, 5, 20), groups_agree(s, 5, 20, 1), 12);
        }
        assert_eq!(band_agrees(1.0, 5, 20), 1.0);
        near(band_agrees(1e-6, 4, 10) * 1e23, 1.0, 9);
    }

    #[test]
    fn standard_errors() {
        near(standard_error(0.5, 100), 0.05, 12);
        near(standard_error(0.8, 200), 0.028_28, 5);
        assert_eq!([standard_error(0.0, 84), standard_error(1.0, 84)], [0.0, 0.0]);
        near(stated_error(1.0, 64), 0.020_5, 4);
        near(stated_error(0.0, 64), 0.020_5, 4);
        near(stated_error(0.5, 10_000), 0.005, 5);
    }

    /// Whether a randomised lexicon holds a word; it leaves out the share `dropped`.
    fn holds(lexicon: u64, word: u64, dropped: f64) -> bool {
        fmix64(fmix64(lexicon).wrapping_add(word)) as f64 >= dropped * 2f64.powi(64)
    }

    /// Lexicons are drawn, words of the original lexicon join a document, signatures are compared.
    #[test]
    fn stability_equals_the_simulation() {
        let trials = 2000;
        for (dropped, changes, lexicons) in [(0.33, 1, 2), (0.33, 2, 5), (0.33, 3, 10), (0.5, 4, 10), (0.33, 1, 10)] {
            let stable = |trial: u64| {
                let words: Vec<u64> = (0..20 + changes as u64).map(|i| fmix64(trial << 32 | i)).collect();
                (0..lexicons as u64).any(|k| {
                    let lexicon = trial * 100 + k;
                    let signature = |words: &[u64]| {
                        let kept = words.iter().filter(|&&word| holds(lexicon, word, dropped));
                        kept.fold(0, |sum, word| fmix64(sum ^ word))
                    };
                    signature(&words) == signature(&words[..20])
                })
            };
            let measured = (0..trials).filter(|&trial| stable(trial)).count() as f64 / trials as f64;
            let stated = stability(dropped, changes, lexicons);
            let error = standard_error(stated, trials as usize);
            assert!((measured - stated).abs() < 4.0 * error, "{dropped}, {changes}, {lexicons}: {measured}, {stated}");
        }
        assert_eq!(stability(0.33, 0, 10), 1.0, "nothing changed");
        near(stability(0.33, 1, 10), 1.0 - 0.67f64.powi(10), 12);
        near(stability(0.33, 2, 10), 1.0 - (1.0 - 0.33f64.powi(2)).powi(10), 12);
        assert_eq!(stability(0.33, 4, 0), 0.0, "no lexicon");
    }

    #[test]
    fn false_positives_are_pairs_times_the_curve() {
        near(expected_false_positives(1e6, 0.5, 14, 6, 2), 0.055_9, 4);
        assert_eq!(expected_false_positives(1e6, 0.0, 14, 6, 2), 0.0);
    }

    #[test]
    fn collisions_of_short_hashes() {
        // 10^8 documents: over a million pairs by 32 bits, none to be expected by 64.
        near(expected_collisions(1e8, 32) / 1e6, 1.164, 3);
        near(expected_collisions(1e8, 64), 0.000_271, 6);
        assert_eq!([expected_collisions(0.0, 32), expected_collisions(1.0, 32)], [0.0, 0.0]);
        near(expected_collisions(23.0, 8), 253.0 / 256.0, 12);
    }
}
