//! How far people agree beyond chance, when each thing they rated has one of a few names.
//!
//! Every unit counts with its weight. Equal weights give the coefficients as they are published; the weights of a sample
//! give what they would be in the population that it was drawn from.

/// What was said about a unit, or about several of which the same was said.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub units: f64,
    /// How much each counts; only proportions matter.
    pub weight: f64,
    /// A column a rater; none where a rater said nothing.
    pub ratings: Vec<Option<usize>>,
}

pub type Rows = [Row];

impl Row {
    /// One unit that counts as much as any other.
    pub fn plain(ratings: Vec<Option<usize>>) -> Self {
        Self { units: 1.0, weight: 1.0, ratings }
    }

    /// What its units count together.
    pub fn mass(&self) -> f64 {
        self.units * self.weight
    }

    /// What was said, without those who said nothing.
    pub fn given(&self) -> Vec<usize> {
        self.ratings.iter().flatten().copied().collect()
    }
}

fn categories(rows: &Rows) -> usize {
    rows.iter().flat_map(|row| &row.ratings).flatten().max().map_or(0, |most| most + 1)
}

/// How often each name was given in a unit.
fn counts(said: &[usize], k: usize) -> Vec<f64> {
    let mut counts = vec![0.0; k];
    said.iter().for_each(|rating| counts[*rating] += 1.0);
    counts
}

/// The share of pairs of raters who said the same about a unit; none with fewer than two.
fn alike(said: &[usize], k: usize) -> Option<f64> {
    let raters = said.len() as f64;
    let squares: f64 = counts(said, k).iter().map(|count| count * count).sum();
    (said.len() > 1).then(|| (squares - raters) / (raters * (raters - 1.0)))
}

/// The mean of something over the units that have it, by their weights.
fn mean(rows: &Rows, of: impl Fn(&Row) -> Option<f64>) -> Option<f64> {
    let has = rows.iter().filter_map(|row| Some((row.mass(), of(row)?)));
    let (mass, sum) = has.fold((0.0, 0.0), |(all, sum), (mass, value)| (all + mass, sum + mass * value));
    (mass > 0.0).then(|| sum / mass)
}

/// The share of pairs of raters who said the same, over units with two ratings or more. `None` without such units.
pub fn observed(rows: &Rows) -> Option<f64> {
    let k = categories(rows);
    mean(rows, |row| alike(&row.given(), k))
}

/// Cohen's kappa of two raters (Cohen 1960), with the agreement observed and that expected by chance. Units that both
/// rated count. `None` without such units; kappa is `None` where chance alone explains all (both always said one thing).
pub fn cohen(rows: &Rows, a: usize, b: usize) -> Option<(f64, f64, Option<f64>)> {
    let both = |row: &Row| Some((row.ratings[a]?, row.ratings[b]?));
    let share =
        |of: &dyn Fn((usize, usize)) -> bool| mean(rows, |row| both(row).map(|two| f64::from(u8::from(of(two)))));
    let observed = share(&|(x, y)| x == y)?;
    let by_chance = |k: usize| Some(share(&|(x, _)| x == k)? * share(&|(_, y)| y == k)?);
    let expected: f64 = (0..categories(rows)).filter_map(by_chance).sum();
    Some((observed, expected, chance_corrected(observed, expected)))
}

/// Fleiss's kappa of several raters (Fleiss 1971) over the units that all of them rated. `None` for fewer than two raters,
/// without such units, and where chance alone explains all.
pub fn fleiss(rows: &Rows) -> Option<f64> {
    let k = categories(rows);
    let whole = |row: &Row| row.ratings.iter().copied().collect::<Option<Vec<usize>>>();
    let observed = mean(rows, |row| alike(&whole(row)?, k))?;
    let share = |c: usize| mean(rows, |row| whole(row).map(|said| counts(&said, k)[c] / said.len() as f64));
    let expected = (0..k).filter_map(share).map(|share| share * share).sum();
    chance_corrected(observed, expected)
}

/// Gwet's AC1 (*Computing inter-rater reliability and its variance in the presence of high agreement*, British Journal of
/// Mathematical and Statistical Psychology 2008) in the form for several raters, of whom some may have said nothing: the
/// agreement observed over units with two ratings or more, that by chance from the names of all units with a rating.
/// Chance is taken for guessing among `names` names (two at least), so that it stays small where nearly all units have
/// one name, which is where kappa and alpha fall although raters agree. `None` without units that two rated.
pub fn gwet(rows: &Rows, names: usize) -> Option<f64> {
    let k = categories(rows);
    let observed = observed(rows)?;
    let given = |row: &Row| Some(row.given()).filter(|said| !said.is_empty());
    let share = |c: usize| mean(rows, |row| given(row).map(|said| counts(&said, k)[c] / said.len() as f64));
    let spread: f64 = (0..k).filter_map(share).map(|share| share * (1.0 - share)).sum();
    chance_corrected(observed, spread / (names.max(2) - 1) as f64)
}

/// Krippendorff's alpha for names (Krippendorff 2011), missing ratings allowed: units with two ratings or more count.
/// `None` without such units, and where only one name was ever given. Weights are taken to a mean of 1, so that the
/// correction for few units is that of the units there are.
pub fn krippendorff(rows: &Rows) -> Option<f64> {
    let k = categories(rows);
    let shared: Vec<(&Row, Vec<usize>)> =
        rows.iter().map(|row| (row, row.given())).filter(|(_, said)| said.len() > 1).collect();
    let sum = |of: fn(&Row) -> f64| shared.iter().map(|(row, _)| of(row)).sum::<f64>();
    let mean = sum(Row::mass) / sum(|row| row.units);
    let mut coincidences = vec![vec![0.0; k]; k];
    for (row, said) in &shared {
        let share = row.mass() / mean / (said.len() - 1) as f64;
        for (i, &a) in said.iter().enumerate() {
            for (_, &b) in said.iter().enumerate().filter(|(j, _)| *j != i) {
                coincidences[a][b] += share;
            }
        }
    }
    let totals: Vec<f64> = coincidences.iter().map(|row| row.iter().sum()).collect();
    let n: f64 = totals.iter().sum();
    let alike: f64 = (0..k).map(|c| coincidences[c][c]).sum();
    let by_chance: f64 = n * n - totals.iter().map(|t| t * t).sum::<f64>();
    (by_chance > 1e-9).then(|| 1.0 - (n - 1.0) * (n - alike) / by_chance)
}

fn chance_corrected(observed: f64, expected: f64) -> Option<f64> {
    (expected < 1.0).then(|| (observed - expected) / (1.0 - expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Units of two raters, from a table of counts.
    fn table(counts: &[&[u32]]) -> Vec<Row> {
        let mut rows = Vec::new();
        for (a, row) in counts.iter().enumerate() {
            for (b, n) in row.iter().enumerate() {
                rows.extend((0..*n).map(|_| Row::plain(vec![Some(a), Some(b)])));
            }
        }
        rows
    }

    /// Raters as lines of letters, a dot where one is missing.
    fn lines(raters: &[&str]) -> Vec<Row> {
        let letter = |c: char| c.is_alphanumeric().then(|| c as usize - '0' as usize);
        let raters: Vec<Vec<Option<usize>>> = raters.iter().map(|line| line.chars().map(letter).collect()).collect();
        (0..raters[0].len()).map(|unit| Row::plain(raters.iter().map(|rater| rater[unit]).collect())).collect()
    }

    #[track_caller]
    fn near(found: Option<f64>, expected: f64) {
        let found = found.unwrap();
        assert!((found - expected).abs() < 5e-5, "{found} for {expected}");
    }

    #[test]
    fn cohen_as_published() {
        // The table of METHODS.md 7 and of many textbooks: 20, 5; 10, 15.
        let (observed, expected, kappa) = cohen(&table(&[&[20, 5], &[10, 15]]), 0, 1).unwrap();
        assert!((observed - 0.7).abs() < 1e-12 && (expected - 0.5).abs() < 1e-12);
        near(kappa, 0.4);
        // Altman, Practical Statistics for Medical Research (1991), p. 403: 85 xeromammograms by two radiologists; 0.47.
        let altman = table(&[&[21, 12, 0, 0], &[4, 17, 1, 0], &[3, 9, 15, 2], &[0, 0, 0, 1]]);
        near(cohen(&altman, 0, 1).unwrap().2, 0.4728);
        assert_eq!(
            cohen(&[Row::plain(vec![Some(1), Some(1)])], 0, 1).unwrap().2,
            None,
            "nobody ever said anything else"
        );
        assert_eq!(cohen(&[Row::plain(vec![Some(1), None])], 0, 1), None);
    }

    #[test]
    fn fleiss_as_published() {
        // Fleiss, Psychological Bulletin 1971, table 1: 30 patients, six psychiatrists each, five diagnoses; kappa 0.430. The
        // numbers are how often each diagnosis was given.
        let counts: [[u32; 5]; 30] = [
            [0, 0, 0, 6, 0],
            [0, 3, 0, 0, 3],
            [0, 1, 4, 0, 1],
            [0, 0, 0, 0, 6],
            [0, 3, 0, 3, 0],
            [2, 0, 4, 0, 0],
            [0, 0, 4, 0, 2],
            [2, 0, 3, 1, 0],
            [2, 0, 0, 4, 0],
            [0, 0, 0, 0, 6],
            [1, 0, 0, 5, 0],
            [1, 1, 0, 4, 0],
            [0, 3, 3, 0, 0],
            [1, 0, 0, 5, 0],
            [0, 2, 0, 3, 1],
            [0, 0, 5, 0, 1],
            [3, 0, 0, 1, 2],
            [5, 1, 0, 0, 0],
            [0, 2, 0, 4, 0],
            [1, 0, 2, 0, 3],
            [0, 0, 0, 0, 6],
            [0, 1, 0, 5, 0],
            [0, 2, 0, 1, 3],
            [2, 0, 0, 4, 0],
            [1, 0, 0, 4, 1],
            [0, 5, 0, 1, 0],
            [4, 0, 0, 0, 2],
            [0, 2, 0, 4, 0],
            [1, 0, 5, 0, 0],
            [0, 0, 0, 0, 6],
        ];
        let row = |counts: &[u32; 5]| {
            Row::plain(counts.iter().enumerate().flat_map(|(c, n)| (0..*n).map(move |_| Some(c))).collect())
        };
        let rows: Vec<_> = counts.iter().map(row).collect();
        near(fleiss(&rows), 0.4302);
        // The worked example of Wikipedia's page on it: ten units, fourteen raters, five names; 0.210.
        let counts: [[u32; 5]; 10] = [
            [0, 0, 0, 0, 14],
            [0, 2, 6, 4, 2],
            [0, 0, 3, 5, 6],
            [0, 3, 9, 2, 0],
            [2, 2, 8, 1, 1],
            [7, 7, 0, 0, 0],
            [3, 2, 6, 3, 0],
            [2, 5, 3, 2, 2],
            [6, 5, 2, 1, 0],
            [0, 2, 2, 3, 7],
        ];
        near(fleiss(&counts.iter().map(row).collect::<Vec<_>>()), 0.2099);
        assert_eq!(fleiss(&[Row::plain(vec![Some(1)])]), None);
    }

    #[test]
    fn alpha_as_published() {
        // Krippendorff, Computing Krippendorff's Alpha-Reliability (2011): A, two observers and binary data, 0.095;
        // B, two observers and names, 0.692; C, four observers with missing ratings, 0.743.
        near(krippendorff(&lines(&["0100000010", "1110010000"])), 0.0952);
        near(krippendorff(&lines(&["aabbdcccedda", "babbbccceddd"])), 0.6920);
        let missing = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."];
        near(krippendorff(&lines(&missing)), 0.7434);
        assert_eq!(krippendorff(&lines(&["111", "111"])), None);
        assert_eq!(krippendorff(&lines(&["1.", ".1"])), None);
    }

    #[test]
    fn ac1_as_published() {
        // Gwet, Handbook of Inter-Rater Reliability (4th edition, 2014), as the package irrCAC gives them: pregnancies by
        // two abstractors, AC1 0.8493 (kappa 0.7964); four raters of twelve units with missing ratings, AC1 0.77544 at
        // an observed agreement of 0.8182.
        let abstractors = table(&[&[13, 0, 0], &[0, 20, 7], &[0, 4, 56]]);
        near(gwet(&abstractors, 3), 0.84933);
        near(cohen(&abstractors, 0, 1).unwrap().2, 0.79641);
        let missing = lines(&["123321412...", "1233224125.3", ".3332342251.", "12332441251."]);
        near(gwet(&missing, 5), 0.77544);
        near(observed(&missing), 0.81818);
        // Gwet, Kappa statistic is not satisfactory (2002): of 125 units both said yes to 118 and no to none; kappa
        // −0.0234, AC1 0.9408.
        let paradox = table(&[&[118, 5], &[2, 0]]);
        near(cohen(&paradox, 0, 1).unwrap().2, -0.0234);
        near(gwet(&paradox, 2), 0.9408);
        near(gwet(&lines(&["111", "111"]), 1), 1.0);
        assert_eq!(gwet(&lines(&["1.", ".1"]), 2), None);
    }

    /// A unit of weight 3 is three units; how large weights are says nothing.
    #[test]
    fn a_weight_is_so_many_units() {
        let plain = lines(&["0000111011", "0000110011"]);
        let mut weighted = lines(&["00111011", "00110011"]);
        weighted[0].weight = 3.0;
        let scaled: Vec<Row> = weighted.iter().map(|row| Row { weight: 7.5 * row.weight, ..row.clone() }).collect();
        for rows in [&weighted, &scaled] {
            near(observed(rows), observed(&plain).unwrap());
            near(fleiss(rows), fleiss(&plain).unwrap());
            near(gwet(rows, 2), gwet(&plain, 2).unwrap());
            near(cohen(rows, 0, 1).unwrap().2, cohen(&plain, 0, 1).unwrap().2.unwrap());
        }
        let repeated: Vec<Row> = plain.iter().map(|row| Row { units: 4.0, ..row.clone() }).collect();
        let longer: Vec<Row> = (0..4).flat_map(|_| plain.clone()).collect();
        near(krippendorff(&repeated), krippendorff(&longer).unwrap());
        // Alpha corrects for few units, and eight are fewer than ten.
        assert!((krippendorff(&weighted).unwrap() - krippendorff(&plain).unwrap()).abs() < 0.02);
        near(krippendorff(&scaled), krippendorff(&weighted).unwrap());
    }
}
