//! The labels of a stratum, drawn again: a bootstrap for finite populations.
//!
//! A population is made up that looks like the labels, and as many labels are drawn from it without replacement as there
//! are (Gross 1980; Booth, Butler & Hall, JASA 1994). Where labels are all alike that population would be too, and nothing
//! be left to chance: 50 true labels of 50 would make F certain, and so it was in simulation, where the plain bootstrap
//! covered 41 % in place of 95 %. There (x+1)/(n+2) of the population are true, as Laplace had it.

use super::finite::hypergeometric;
use super::proportion::Cell;
use crate::base::random::Random;

/// A stratum whose labels can be drawn again.
#[derive(Debug, Clone)]
pub struct Redrawn {
    /// Probability of at most x true ones.
    at_most: Vec<f64>,
    /// Pairs that each label stands for.
    weight: f64,
}

impl Redrawn {
    /// Of the strata with labels.
    pub fn of(cells: &[Cell]) -> Vec<Self> {
        cells.iter().filter(|cell| cell.labelled > 0).map(Self::new).collect()
    }

    fn new(cell: &Cell) -> Self {
        let truths = imagined(cell);
        let mut sum = 0.0;
        let probability = |x| hypergeometric(x, cell.labelled, truths, cell.population);
        let at_most = (0..=cell.labelled)
            .map(|x| {
                sum += probability(x);
                sum
            })
            .collect();
        Self { at_most, weight: cell.population as f64 / cell.labelled as f64 }
    }

    /// True pairs of the stratum, as labels drawn again would say.
    pub fn draw(&self, random: &mut Random) -> f64 {
        let chance = random.unit();
        let x = self.at_most.partition_point(|sum| *sum <= chance).min(self.at_most.len() - 1);
        self.weight * x as f64
    }
}

/// True pairs of the population that is made up.
fn imagined(cell: &Cell) -> u64 {
    let (n, x, all) = (cell.labelled, cell.yes, cell.population);
    let alike = x == 0 || x == n;
    let share = if alike { (x + 1) as f64 / (n + 2) as f64 } else { x as f64 / n as f64 };
    ((all as f64 * share).round() as u64).clamp(x, all - (n - x))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(cell: Cell) -> (f64, f64) {
        let again = Redrawn::new(&cell);
        let mut random = Random::new(5, 0);
        let drawn: Vec<f64> = (0..20_000).map(|_| again.draw(&mut random)).collect();
        let mean = drawn.iter().sum::<f64>() / 20_000.0;
        (mean, drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 19_999.0)
    }

    #[test]
    fn mean_and_variance_are_those_of_the_design() {
        let (mean, variance) = moments(Cell { population: 200, labelled: 50, yes: 40 });
        assert!((mean - 160.0).abs() < 0.4, "{mean}");
        // N²·p·(1−p)/n·(N−n)/(N−1)
        let expected = 40_000.0 * 0.8 * 0.2 / 50.0 * 150.0 / 199.0;
        assert!((variance / expected - 1.0).abs() < 0.05, "{variance} for {expected}");
    }

    #[test]
    fn labels_all_alike_leave_something_to_chance_and_a_census_nothing() {
        let (mean, variance) = moments(Cell { population: 1_000, labelled: 50, yes: 50 });
        assert!(variance > 0.0 && (mean - 1_000.0 * 51.0 / 52.0).abs() < 1.0, "{mean} {variance}");
        assert_eq!(moments(Cell { population: 30, labelled: 30, yes: 30 }), (30.0, 0.0));
        assert_eq!(moments(Cell { population: 30, labelled: 30, yes: 12 }), (12.0, 0.0));
    }
}
