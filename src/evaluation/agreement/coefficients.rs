//! How far people agree beyond chance, when each thing they rated has one of a few names.

/// What each rater said about each unit: a row a unit, a column a rater; none where a rater said nothing.
pub type Rows = [Vec<Option<usize>>];

fn categories(rows: &Rows) -> usize {
    rows.iter().flatten().flatten().max().map_or(0, |most| most + 1)
}

/// Cohen's kappa of two raters (Cohen 1960), with the agreement observed and that expected by chance. Units that both
/// rated count. `None` without such units; kappa is `None` where chance alone explains all (both always said one thing).
pub fn cohen(rows: &Rows, a: usize, b: usize) -> Option<(f64, f64, Option<f64>)> {
    let both: Vec<(usize, usize)> = rows.iter().filter_map(|row| Some((row[a]?, row[b]?))).collect();
    if both.is_empty() {
        return None;
    }
    let n = both.len() as f64;
    let observed = both.iter().filter(|(x, y)| x == y).count() as f64 / n;
    let share = |of: &dyn Fn(&(usize, usize)) -> bool| both.iter().filter(|pair| of(pair)).count() as f64 / n;
    let expected: f64 = (0..categories(rows)).map(|k| share(&|pair| pair.0 == k) * share(&|pair| pair.1 == k)).sum();
    Some((observed, expected, chance_corrected(observed, expected)))
}

/// Fleiss's kappa of several raters (Fleiss 1971) over the units that all of them rated. `None` for fewer than two raters,
/// without such units, and where chance alone explains all.
pub fn fleiss(rows: &Rows) -> Option<f64> {
    let whole: Vec<Vec<usize>> =
        rows.iter().filter_map(|row| row.iter().copied().collect::<Option<Vec<usize>>>()).collect();
    let raters = whole.first().map(Vec::len).filter(|raters| *raters > 1)? as f64;
    let (k, n) = (categories(rows), whole.len() as f64);
    let count = |row: &Vec<usize>, c: usize| row.iter().filter(|rating| **rating == c).count() as f64;
    let alike = |row: &Vec<usize>| {
        let squares: f64 = (0..k).map(|c| count(row, c).powi(2)).sum();
        (squares - raters) / (raters * (raters - 1.0))
    };
    let observed = whole.iter().map(alike).sum::<f64>() / n;
    let share = |c: usize| whole.iter().map(|row| count(row, c)).sum::<f64>() / (n * raters);
    let expected = (0..k).map(|c| share(c).powi(2)).sum();
    chance_corrected(observed, expected)
}

/// Krippendorff's alpha for names (Krippendorff 2011), missing ratings allowed: units with two ratings or more count.
/// `None` without such units, and where only one name was ever given.
pub fn krippendorff(rows: &Rows) -> Option<f64> {
    let k = categories(rows);
    let mut coincidences = vec![vec![0.0; k]; k];
    for row in rows {
        let rated: Vec<usize> = row.iter().flatten().copied().collect();
        if rated.len() < 2 {
            continue;
        }
        let share = 1.0 / (rated.len() - 1) as f64;
        for (i, &a) in rated.iter().enumerate() {
            for (_, &b) in rated.iter().enumerate().filter(|(j, _)| *j != i) {
                coincidences[a][b] += share;
            }
        }
    }
    let totals: Vec<f64> = coincidences.iter().map(|row| row.iter().sum()).collect();
    let n: f64 = totals.iter().sum();
    let alike: f64 = (0..k).map(|c| coincidences[c][c]).sum();
    let by_chance: f64 = n * n - totals.iter().map(|t| t * t).sum::<f64>();
    (by_chance > 0.0).then(|| 1.0 - (n - 1.0) * (n - alike) / by_chance)
}

fn chance_corrected(observed: f64, expected: f64) -> Option<f64> {
    (expected < 1.0).then(|| (observed - expected) / (1.0 - expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Units of two raters, from a table of counts.
    fn table(counts: &[&[u32]]) -> Vec<Vec<Option<usize>>> {
        let mut rows = Vec::new();
        for (a, row) in counts.iter().enumerate() {
            for (b, n) in row.iter().enumerate() {
                rows.extend((0..*n).map(|_| vec![Some(a), Some(b)]));
            }
        }
        rows
    }

    /// Raters as lines of letters, a dot where one is missing.
    fn lines(raters: &[&str]) -> Vec<Vec<Option<usize>>> {
        let letter = |c: char| c.is_alphanumeric().then(|| c as usize - '0' as usize);
        let raters: Vec<Vec<Option<usize>>> = raters.iter().map(|line| line.chars().map(letter).collect()).collect();
        (0..raters[0].len()).map(|unit| raters.iter().map(|rater| rater[unit]).collect()).collect()
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
        assert_eq!(cohen(&[vec![Some(1), Some(1)]], 0, 1).unwrap().2, None, "nobody ever said anything else");
        assert_eq!(cohen(&[vec![Some(1), None]], 0, 1), None);
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
            counts.iter().enumerate().flat_map(|(c, n)| (0..*n).map(move |_| Some(c))).collect::<Vec<_>>()
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
        assert_eq!(fleiss(&[vec![Some(1)]]), None);
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
}
