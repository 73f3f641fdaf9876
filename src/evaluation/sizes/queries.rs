//! Pages from random searches: two words of a lexicon, the first results, one of them at random (Bharat and Broder 1998).
//!
//! A page is drawn more often the more pairs of the lexicon's words it holds and the fewer other pages hold them, so long
//! pages come more often. How often is estimated for each page drawn, from pairs of its own words: the mean of one in so many
//! results, times the number of pairs it holds. With one over that as its weight a draw is corrected; the weights say how
//! uneven the draws are.

use dejaview_base::random::Random;

/// A corpus that can be searched.
pub trait Search {
    /// What goes wrong when searching.
    type Error;
    /// Words that may be searched for.
    fn words(&self) -> usize;
    /// Pages that hold both words, the best first, no more than `most`.
    fn both(&self, words: [usize; 2], most: usize) -> Result<Vec<u32>, Self::Error>;
    /// Those of the words that a page holds.
    fn words_of(&self, page: u32) -> Result<Vec<usize>, Self::Error>;
}

/// How pages are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draws {
    pub size: usize,
    /// Searches at most: some find nothing.
    pub searches: usize,
    /// Results that are looked at.
    pub results: usize,
    /// Pairs of its own words by which a page's weight is estimated; 0 leaves all weights 1.
    pub pairs: usize,
    pub seed: u64,
}

impl Default for Draws {
    fn default() -> Self {
        Self { size: 100, searches: 10_000, results: 100, pairs: 30, seed: 1 }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drawn {
    pub page: u32,
    /// One over how often it is drawn beside others, up to a factor that all have in common.
    pub weight: f64,
}

/// Draws pages; some may come twice. Fewer than asked for when too many searches find nothing.
pub fn draw<S: Search>(corpus: &S, draws: &Draws) -> Result<Vec<Drawn>, S::Error> {
    let mut random = Random::new(draws.seed, 0);
    let mut drawn = Vec::new();
    let words = corpus.words() as u64;
    if words < 2 {
        return Ok(drawn);
    }
    for _ in 0..draws.searches {
        if drawn.len() == draws.size {
            break;
        }
        let Some(pair) = two(&mut random, words) else { continue };
        let found = corpus.both(pair, draws.results)?;
        if !found.is_empty() {
            let page = found[random.below(found.len() as u64) as usize];
            drawn.push(Drawn { page, weight: weight(corpus, page, draws, &mut random)? });
        }
    }
    Ok(drawn)
}

/// Two different numbers below a bound.
fn two(random: &mut Random, bound: u64) -> Option<[usize; 2]> {
    let (first, second) = (random.below(bound) as usize, random.below(bound) as usize);
    (first != second).then_some([first, second])
}

fn weight<S: Search>(corpus: &S, page: u32, draws: &Draws, random: &mut Random) -> Result<f64, S::Error> {
    let own = corpus.words_of(page)?;
    if draws.pairs == 0 || own.len() < 2 {
        return Ok(1.0);
    }
    let (mut sum, mut tried) = (0.0, 0u32);
    for _ in 0..draws.pairs {
        let Some([a, b]) = two(random, own.len() as u64) else { continue };
        let found = corpus.both([own[a], own[b]], draws.results)?;
        tried += 1;
        if found.contains(&page) {
            sum += 1.0 / found.len() as f64;
        }
    }
    let pairs = (own.len() * (own.len() - 1) / 2) as f64;
    let often = pairs * sum / f64::from(tried.max(1));
    Ok(if often > 0.0 { 1.0 / often } else { 1.0 })
}

/// The mean of a property over the pages drawn, by their weights; 0 without pages.
pub fn mean(drawn: &[Drawn], mut property: impl FnMut(u32) -> f64) -> f64 {
    let all: f64 = drawn.iter().map(|d| d.weight).sum();
    let sum: f64 = drawn.iter().map(|d| d.weight * property(d.page)).sum();
    if all > 0.0 { sum / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::convert::Infallible;

    use super::*;

    /// Pages as sets of words.
    struct Pages(Vec<BTreeSet<usize>>);

    impl Search for Pages {
        type Error = Infallible;
        fn words(&self) -> usize {
            200
        }
        fn both(&self, words: [usize; 2], most: usize) -> Result<Vec<u32>, Infallible> {
            let holds = |page: &BTreeSet<usize>| words.iter().all(|word| page.contains(word));
            Ok((0..self.0.len()).filter(|&i| holds(&self.0[i])).take(most).map(|i| i as u32).collect())
        }
        fn words_of(&self, page: u32) -> Result<Vec<usize>, Infallible> {
            Ok(self.0[page as usize].iter().copied().collect())
        }
    }

    /// 300 pages of 20 words and 100 of 60, out of 200.
    fn pages() -> Pages {
        let mut random = Random::new(8, 0);
        let page = |n: usize, random: &mut Random| {
            let mut words = BTreeSet::new();
            while words.len() < n {
                words.insert(random.below(200) as usize);
            }
            words
        };
        Pages((0..400).map(|i| page(if i < 300 { 20 } else { 60 }, &mut random)).collect())
    }

    #[test]
    fn long_pages_come_more_often_and_weights_correct_it() {
        let pages = pages();
        let draws = Draws { size: 1_500, searches: 20_000, results: 400, pairs: 40, seed: 4 };
        let drawn = draw(&pages, &draws).unwrap();
        assert_eq!(drawn.len(), 1_500);
        let long = |page: u32| f64::from(u8::from(page >= 300));
        let plain: Vec<Drawn> = drawn.iter().map(|d| Drawn { weight: 1.0, ..*d }).collect();
        let (biased, corrected) = (mean(&plain, long), mean(&drawn, long));
        assert!(biased > 0.6, "a quarter are long, {biased} of the draws are");
        assert!((corrected - 0.25).abs() < 0.05, "corrected: {corrected}");
    }

    #[test]
    fn a_corpus_that_finds_nothing_gives_nothing() {
        let empty = Pages(vec![BTreeSet::new(); 3]);
        assert_eq!(draw(&empty, &Draws::default()).unwrap(), []);
        assert_eq!(mean(&[], |_| 1.0), 0.0);
    }

    #[test]
    fn the_same_seed_draws_the_same_pages() {
        let draws = Draws { size: 20, ..Draws::default() };
        assert_eq!(draw(&pages(), &draws).unwrap(), draw(&pages(), &draws).unwrap());
    }
}
