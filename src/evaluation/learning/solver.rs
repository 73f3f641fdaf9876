//! Logistic regression with weights of 0 or more, exactly.
//!
//! Minimised is the mean loss −ln p(label) plus λ/2 times the sum of squared weights; the intercept is free. By Newton's
//! method: each step solves the quadratic problem under the bounds by going around its coordinates (Friedman, Hastie and
//! Tibshirani, Journal of Statistical Software 2010), and is halved until the objective falls. The problem is strictly
//! convex, so that there is one solution, and the same numbers come out on every machine and at any number of threads.

/// Steps of Newton's method at most; about ten are taken.
const STEPS: usize = 100;
/// Rounds over the coordinates in one step at most.
const ROUNDS: usize = 2_000;
/// A step that changes nothing by more than this is the last.
const SMALL: f64 = 1e-10;

/// What is fitted to: standardised features, labels and weights of all examples, in the same order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Problem<'a> {
    pub(super) rows: &'a [Vec<f64>],
    pub(super) labels: &'a [bool],
    pub(super) weights: &'a [f64],
    /// λ: how much large weights cost.
    pub(super) penalty: f64,
}

impl Problem<'_> {
    /// The intercept and the weights of the features, in this order.
    pub(super) fn solve(self) -> Vec<f64> {
        let features = self.rows.first().map_or(0, Vec::len);
        let mut solution = vec![0.0; features + 1];
        let mut objective = self.objective(&solution);
        for _ in 0..STEPS {
            let (gradient, curvature) = self.slope(&solution);
            let step = bounded_step(&solution, &gradient, &curvature);
            if step.iter().all(|x| x.abs() < SMALL) {
                break;
            }
            let Some((next, value)) = self.shortened(&solution, &step, objective) else { break };
            (solution, objective) = (next, value);
        }
        solution
    }

    /// The step, or the longest of its halves that makes the objective smaller.
    fn shortened(&self, from: &[f64], step: &[f64], objective: f64) -> Option<(Vec<f64>, f64)> {
        (0..40).find_map(|halvings| {
            let share = 0.5f64.powi(halvings);
            let next: Vec<f64> = from.iter().zip(step).map(|(x, d)| x + share * d).collect();
            let value = self.objective(&next);
            (value < objective).then_some((next, value))
        })
    }

    fn log_odds(&self, solution: &[f64], row: &[f64]) -> f64 {
        solution[0] + row.iter().zip(&solution[1..]).map(|(x, w)| x * w).sum::<f64>()
    }

    fn objective(&self, solution: &[f64]) -> f64 {
        let loss = |((row, label), weight): ((&Vec<f64>, &bool), &f64)| {
            let odds = self.log_odds(solution, row);
            weight * softplus(if *label { -odds } else { odds })
        };
        let sum: f64 = self.rows.iter().zip(self.labels).zip(self.weights).map(loss).sum();
        let squares: f64 = solution[1..].iter().map(|w| w * w).sum();
        sum / self.total() + self.penalty / 2.0 * squares
    }

    fn total(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// First and second derivatives of the objective.
    pub(super) fn slope(&self, solution: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let size = solution.len();
        let (mut gradient, mut curvature) = (vec![0.0; size], vec![vec![0.0; size]; size]);
        let total = self.total();
        for ((row, &label), weight) in self.rows.iter().zip(self.labels).zip(self.weights) {
            let probability = 1.0 / (1.0 + (-self.log_odds(solution, row)).exp());
            let (slope, bend) = (
                weight / total * (probability - f64::from(u8::from(label))),
                weight / total * probability * (1.0 - probability),
            );
            let values: Vec<f64> = std::iter::once(1.0).chain(row.iter().copied()).collect();
            for ((x, gradient), curvature) in values.iter().zip(&mut gradient).zip(&mut curvature) {
                *gradient += slope * x;
                values.iter().zip(curvature).for_each(|(y, cell)| *cell += bend * x * y);
            }
        }
        for i in 1..size {
            gradient[i] += self.penalty * solution[i];
            curvature[i][i] += self.penalty;
        }
        (gradient, curvature)
    }
}

/// ln(1 + eˣ) without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// The step to the minimum of the quadratic problem at which no weight falls below 0.
fn bounded_step(from: &[f64], gradient: &[f64], curvature: &[Vec<f64>]) -> Vec<f64> {
    let mut step = vec![0.0; from.len()];
    for _ in 0..ROUNDS {
        let mut moved = 0.0f64;
        for i in 0..from.len() {
            let slope = gradient[i] + curvature[i].iter().zip(&step).map(|(c, d)| c * d).sum::<f64>();
            let free = step[i] - slope / curvature[i][i].max(SMALL);
            let next = if i == 0 { free } else { free.max(-from[i]) };
            moved = moved.max((next - step[i]).abs());
            step[i] = next;
        }
        if moved < SMALL / 10.0 {
            break;
        }
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_base::random::Random;

    /// Examples whose first feature speaks for the label, whose second says nothing and whose third speaks against it.
    fn examples(count: usize, seed: u64) -> (Vec<Vec<f64>>, Vec<bool>, Vec<f64>) {
        let mut random = Random::new(seed, 0);
        let mut all = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..count {
            let row: Vec<f64> = (0..3).map(|_| random.normal()).collect();
            let odds = 0.5 + 1.5 * row[0] - row[2];
            all.1.push(random.unit() < 1.0 / (1.0 + (-odds).exp()));
            all.0.push(row);
            all.2.push(0.5 + random.unit());
        }
        all
    }

    /// At the minimum of a convex problem the slope is 0 for every weight above 0, and none falls by growing from 0.
    #[test]
    fn the_solution_is_the_minimum() {
        for (seed, penalty) in [(1, 0.001), (2, 0.1), (3, 1.0)] {
            let (rows, labels, weights) = examples(200, seed);
            let problem = Problem { rows: &rows, labels: &labels, weights: &weights, penalty };
            let solution = problem.solve();
            let (gradient, _) = problem.slope(&solution);
            assert!(gradient[0].abs() < 1e-8, "{gradient:?}");
            for (w, g) in solution.iter().zip(&gradient).skip(1) {
                assert!(*w > 0.0 && g.abs() < 1e-8 || *w == 0.0 && *g >= 0.0, "{solution:?} {gradient:?}");
            }
            assert!(solution[1] > 0.1, "speaks for the label");
            assert_eq!(solution[3], 0.0, "speaks against it, and may not");
        }
    }

    /// No point of a fine grid around the solution is better.
    #[test]
    fn nothing_near_it_is_better() {
        let (rows, labels, weights) = examples(60, 9);
        let problem = Problem { rows: &rows, labels: &labels, weights: &weights, penalty: 0.05 };
        let solution = problem.solve();
        let best = problem.objective(&solution);
        let mut random = Random::new(5, 0);
        for _ in 0..2_000 {
            let other: Vec<f64> = solution
                .iter()
                .enumerate()
                .map(|(i, x)| {
                    let moved = x + 0.2 * random.normal();
                    if i == 0 { moved } else { moved.max(0.0) }
                })
                .collect();
            assert!(problem.objective(&other) >= best);
        }
    }

    /// A label that a feature tells without fail gives a finite weight, the larger the less it costs.
    #[test]
    fn labels_that_a_feature_tells_give_finite_weights() {
        let rows: Vec<Vec<f64>> = (0..40).map(|i| vec![if i < 20 { -1.0 } else { 1.0 }]).collect();
        let labels: Vec<bool> = (0..40).map(|i| i >= 20).collect();
        let weights = vec![1.0; 40];
        let solve = |penalty| Problem { rows: &rows, labels: &labels, weights: &weights, penalty }.solve();
        let (cheap, dear) = (solve(0.001), solve(0.1));
        assert!(cheap[1] > dear[1] && cheap[1] < 20.0, "{cheap:?} {dear:?}");
        assert!(cheap[0].abs() < 1e-8);
    }

    /// Of one feature without a bound in force the optimum is where its slope is 0: w·λ = ½·(1 − tanh(w/2)) by symmetry.
    #[test]
    fn a_weight_known_by_hand() {
        let rows = vec![vec![-1.0], vec![1.0]];
        let solution = Problem { rows: &rows, labels: &[false, true], weights: &[1.0, 1.0], penalty: 0.1 }.solve();
        let w = solution[1];
        assert!((0.1 * w - 0.5 * (1.0 - (w / 2.0).tanh())).abs() < 1e-9, "{w}");
    }
}
