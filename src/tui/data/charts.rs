//! Figures that only the explorer shows: similarities by label, and one similarity against another.

use rayon::prelude::*;

use super::StudyData;
use dejaview_evaluation::figures::{TENTHS, bin};
use dejaview_labels::{Decisions, Label};
use dejaview_report::numbers::plural;
use dejaview_study::{Bar, Bundle, Figure, Kind, Series, spelling};

/// Hamming distances from 0 on that have a column each; larger ones are rare and not shown.
const DISTANCES: usize = 16;

fn bin_names() -> Vec<String> {
    (0..TENTHS.len()).map(|i| format!("{}–{}", TENTHS[i], TENTHS.get(i + 1).copied().unwrap_or(1.0))).collect()
}

/// The filter that admits the pairs of a bin.
fn bin_filter(number: &str, i: usize) -> String {
    match TENTHS.get(i + 1) {
        Some(end) => format!("{number}>={} & {number}<{end}", TENTHS[i]),
        None => format!("{number}>={}", TENTHS[i]),
    }
}

/// Leaves out figures that would be empty.
pub fn screen_figures(data: &StudyData, labels: &Decisions) -> Vec<Figure> {
    let distance = data.recipe.configurations.iter().position(|c| c.algorithm().name == "simhash");
    let all = [Some(by_label(data, labels)), Some(cosine(data)), distance.map(|c| hamming(data, c))];
    all.into_iter().flatten().filter(|figure| figure.highest() > 0).collect()
}

fn pool_note(data: &StudyData) -> String {
    format!("pool: {} that any configuration found", plural(data.table.len() as u64, "pair"))
}

fn by_label(data: &StudyData, labels: &Decisions) -> Figure {
    let mut counts = vec![vec![0u64; TENTHS.len()]; Label::ALL.len()];
    let (mut not_in_table, mut not_compared) = (0, 0);
    for (source, target, label) in data.labels().others.visible(labels) {
        match data.table.find(source, target) {
            Some(row) if !data.table.compared(row) => not_compared += 1,
            Some(row) => counts[label as usize][bin(&TENTHS, data.table.jaccard(row))] += 1,
            None => not_in_table += 1,
        }
    }
    let series = Label::ALL.iter().zip(counts).map(|(label, counts)| {
        let bars = counts.into_iter().enumerate();
        let bar = |(i, value)| Bar {
            value,
            pairs: value,
            filter: format!("{} & label={}", bin_filter("jaccard", i), label.name()),
        };
        Series { name: label.name().to_owned(), bars: bars.map(bar).collect(), extrapolation: None }
    });
    let mut notes = vec![
        "pool: the pairs that you labelled, whatever their sample, and those of others where you may see it".to_owned(),
    ];
    if not_in_table > 0 {
        notes.push(format!(
            "{not_in_table} labelled pairs were found by no configuration of the last run, such as those of an audit"
        ));
    }
    notes.extend(without_texts(not_compared));
    Figure {
        name: "labels",
        title: format!("Jaccard (n = {}) of labelled pairs, by label", data.table.n()),
        kind: Kind::Histogram,
        x: "Jaccard".to_owned(),
        y: "labelled pairs".to_owned(),
        categories: bin_names(),
        series: series.collect(),
        notes,
    }
}

fn without_texts(count: usize) -> Option<String> {
    (count > 0).then(|| format!("{count} imported pairs without texts have no Jaccard and are left out"))
}

/// Counts pairs by Jaccard and by a second number.
fn count_grid(data: &StudyData, columns: usize, column: impl Fn(&Bundle<'_>) -> Option<usize> + Sync) -> Vec<Vec<u64>> {
    let empty = || vec![vec![0u64; columns]; TENTHS.len()];
    let sum = |mut a: Vec<Vec<u64>>, b: Vec<Vec<u64>>| {
        a.iter_mut().flatten().zip(b.into_iter().flatten()).for_each(|(a, b)| *a += b);
        a
    };
    let kinds = data.table.kinds().par_bridge().fold(empty, |mut grid, kind| {
        for bundle in &kind.bundles {
            if let (Some(column), Some(jaccard)) = (column(bundle), bundle.jaccard(data.table.n())) {
                grid[bin(&TENTHS, jaccard)][column] += kind.documents() * bundle.pairs;
            }
        }
        grid
    });
    kinds.reduce(empty, sum)
}

/// One series for each bin of Jaccard, the highest first; `column_filter` admits the pairs of a column.
fn series_by_jaccard(counts: Vec<Vec<u64>>, column_filter: impl Fn(usize) -> String) -> Vec<Series> {
    let series = bin_names().into_iter().zip(counts).enumerate().rev().map(|(i, (name, counts))| {
        let bars = counts.into_iter().enumerate();
        let jaccard = bin_filter("jaccard", i);
        let bar = |(j, value)| Bar { value, pairs: value, filter: format!("{jaccard} & {}", column_filter(j)) };
        Series { name: format!("J {name}"), bars: bars.map(bar).collect(), extrapolation: None }
    });
    series.collect()
}

fn cosine(data: &StudyData) -> Figure {
    let counts = count_grid(data, TENTHS.len(), |bundle| Some(bin(&TENTHS, bundle.first_pair.scores().cosine)));
    let not_compared = |bundle: &&Bundle<'_>| !bundle.first_pair.compared();
    let not_compared = data.table.kinds().map(|kind| {
        kind.documents() * kind.bundles.iter().filter(not_compared).map(|bundle| bundle.pairs).sum::<u64>()
    });
    let mut notes = vec![pool_note(data)];
    notes.extend(without_texts(not_compared.sum::<u64>() as usize));
    Figure {
        name: "cosine",
        title: format!("Cosine of word counts against Jaccard (n = {}), all pairs", data.table.n()),
        kind: Kind::Matrix,
        x: "cosine".to_owned(),
        y: "pairs".to_owned(),
        categories: bin_names(),
        series: series_by_jaccard(counts, |j| bin_filter("cosine", j)),
        notes,
    }
}

/// Of one configuration, because every method measures distance in its own unit.
fn hamming(data: &StudyData, c: usize) -> Figure {
    let name = &data.table.configurations()[c];
    let distance = |bundle: &Bundle<'_>| data.table.bundle_distance(bundle, c).map(usize::from);
    let counts = count_grid(data, DISTANCES, |bundle| distance(bundle).filter(|distance| *distance < DISTANCES));
    let most = (0..DISTANCES).rev().find(|&j| counts.iter().any(|row| row[j] > 0)).unwrap_or_default();
    let counts = counts.into_iter().map(|row| row.into_iter().take(most + 1).collect()).collect();
    Figure {
        name: "hamming",
        title: format!("Differing bits of {name} against Jaccard (n = {})", data.table.n()),
        kind: Kind::Matrix,
        x: "bits".to_owned(),
        y: "pairs".to_owned(),
        categories: (0..=most).map(|bits| bits.to_string()).collect(),
        series: series_by_jaccard(counts, |j| format!("{}={j}", spelling::found_by(name))),
        notes: vec![format!("pool: the pairs that {name} found")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_and_their_filters_agree() {
        assert_eq!([0.0, 0.05, 0.1, 0.3, 0.89, 0.9, 1.0].map(|value| bin(&TENTHS, value)), [0, 0, 1, 3, 8, 9, 9]);
        assert_eq!(bin_filter("cosine", 9), "cosine>=0.9");
        assert_eq!(bin_filter("jaccard", 0), "jaccard>=0 & jaccard<0.1");
    }
}
