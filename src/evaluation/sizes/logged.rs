//! Pages from the searches of a log: a query at random, one of its first results at random.
//!
//! A log is finite, so how probable each page is can be told exactly: the mean over the queries that find anything of one in so many
//! results where it is among them. With one over that as its weight all pages that some query finds count alike; those
//! that none finds are not represented.

use std::collections::HashMap;

use super::queries::Drawn;
use dejaview_base::random::Random;

/// How probable each page is that some query finds. `results` are the first results of each query.
pub fn probabilities(results: &[Vec<u32>]) -> HashMap<u32, f64> {
    let answered: Vec<&Vec<u32>> = results.iter().filter(|found| !found.is_empty()).collect();
    let mut probable: HashMap<u32, f64> = HashMap::new();
    for found in &answered {
        for page in *found {
            *probable.entry(*page).or_default() += 1.0 / (found.len() * answered.len()) as f64;
        }
    }
    probable
}

/// Draws so many pages; some may come twice. None when no query finds anything.
pub fn draw_logged(results: &[Vec<u32>], size: usize, seed: u64) -> Vec<Drawn> {
    let probable = probabilities(results);
    let answered: Vec<&Vec<u32>> = results.iter().filter(|found| !found.is_empty()).collect();
    if answered.is_empty() {
        return Vec::new();
    }
    let mut random = Random::new(seed, 0);
    let mut one = || {
        let found = answered[random.below(answered.len() as u64) as usize];
        let page = found[random.below(found.len() as u64) as usize];
        Drawn { page, weight: 1.0 / probable[&page] }
    };
    (0..size).map(|_| one()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sizes::queries::mean;

    /// Page 0 is found by everything, page 3 by one query of four results.
    fn results() -> Vec<Vec<u32>> {
        vec![vec![0], vec![0, 1], vec![], vec![0, 1, 2, 3], vec![2, 0]]
    }

    #[test]
    fn probabilities_add_up_and_are_those_of_all_ways() {
        let probable = probabilities(&results());
        let expected = [(0, (1.0 + 0.5 + 0.25 + 0.5) / 4.0), (1, 0.75 / 4.0), (2, 0.75 / 4.0), (3, 0.25 / 4.0)];
        for (page, probability) in expected {
            assert!((probable[&page] - probability).abs() < 1e-12, "{page}: {}", probable[&page]);
        }
        assert!((probable.values().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn weights_make_all_pages_count_alike() {
        let drawn = draw_logged(&results(), 20_000, 3);
        for page in 0..4 {
            let share = mean(&drawn, |other| f64::from(u8::from(other == page)));
            assert!((share - 0.25).abs() < 0.02, "{page}: {share}");
        }
        let plain = drawn.iter().filter(|drawn| drawn.page == 0).count() as f64 / 20_000.0;
        assert!(plain > 0.5, "{plain} of the draws");
        assert_eq!(draw_logged(&[vec![], vec![]], 5, 1), []);
    }
}
