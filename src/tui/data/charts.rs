//! Figures that only the screens have: similarities by label, and one similarity against another.

use rayon::prelude::*;

use super::StudyData;
use dejaview_evaluation::figures::{TENTHS, bin};
use dejaview_labels::{Decisions, Label};
use dejaview_report::numbers::plural;
use dejaview_study::{Bar, Bundle, Figure, Kind, Series, Spelling};

/// Distances that have a column of their own.
const DISTANCES: usize = 16;

fn names() -> Vec<String> {
    (0..TENTHS.len()).map(|i| format!("{}–{}", TENTHS[i], TENTHS.get(i + 1).copied().unwrap_or(1.0))).collect()
}

fn spelling(data: &StudyData) -> Spelling<'_> {
    Spelling::of(data.table.configurations())
}

/// Admits what is in a bin.
fn within(spelling: Spelling<'_>, number: &str, i: usize) -> String {
    let number = spelling.word(number);
    match TENTHS.get(i + 1) {
        Some(end) => format!("{number}>={} & {number}<{end}", TENTHS[i]),
        None => format!("{number}>={}", TENTHS[i]),
    }
}

/// All of them; those without a number in them are left out.
pub fn more(data: &StudyData, labels: &Decisions) -> Vec<Figure> {
    let distance = data.recipe.configurations.iter().position(|c| c.algorithm().name == "simhash");
    let all = [Some(by_label(data, labels)), Some(cosine(data)), distance.map(|c| hamming(data, c))];
    all.into_iter().flatten().filter(|figure| figure.highest() > 0).collect()
}

fn pool(data: &StudyData) -> String {
    format!("pool: {} that any configuration found", plural(data.table.len() as u64, "pair"))
}

fn by_label(data: &StudyData, labels: &Decisions) -> Figure {
    let mut counts = vec![vec![0u64; TENTHS.len()]; Label::ALL.len()];
    let (mut elsewhere, mut unknown) = (0, 0);
    for (source, target, label) in data.others.all(labels) {
        match data.table.find(source, target) {
            Some(row) if !data.table.compared(row) => unknown += 1,
            Some(row) => counts[label as usize][bin(&TENTHS, data.table.jaccard(row))] += 1,
            None => elsewhere += 1,
        }
    }
    let series = Label::ALL.iter().zip(counts).map(|(label, counts)| {
        let bars = counts.into_iter().enumerate();
        let spelling = spelling(data);
        let bar = |(i, value)| Bar {
            value,
            pairs: value,
            filter: format!("{} & {}={}", within(spelling, "jaccard", i), spelling.word("label"), label.name()),
        };
        Series { name: label.name().to_owned(), bars: bars.map(bar).collect(), extrapolation: None }
    });
    let mut notes = vec![
        "pool: the pairs that you labelled, whatever their sample, and those of others where you may see it".to_owned(),
    ];
    if elsewhere > 0 {
        notes.push(format!("{elsewhere} labelled pairs are in no table of this study any more"));
    }
    notes.extend(without_texts(unknown));
    Figure {
        name: "labels",
        title: format!("Jaccard (n = {}) of labelled pairs, by label", data.table.n()),
        kind: Kind::Histogram,
        x: "Jaccard".to_owned(),
        y: "labelled pairs".to_owned(),
        categories: names(),
        series: series.collect(),
        notes,
    }
}

/// Says how many pairs no Jaccard is known of.
fn without_texts(count: usize) -> Option<String> {
    (count > 0).then(|| format!("{count} imported pairs without texts have no Jaccard and are left out"))
}

/// Counts pairs in a grid of Jaccard by something else.
fn grid(data: &StudyData, columns: usize, column: impl Fn(&Bundle<'_>) -> Option<usize> + Sync) -> Vec<Vec<u64>> {
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

/// One series for each bin of Jaccard, the highest first; `filter` admits the pairs of a column.
fn by_jaccard(data: &StudyData, counts: Vec<Vec<u64>>, filter: impl Fn(usize) -> String) -> Vec<Series> {
    let series = names().into_iter().zip(counts).enumerate().rev().map(|(i, (name, counts))| {
        let bars = counts.into_iter().enumerate();
        let jaccard = within(spelling(data), "jaccard", i);
        let bar = |(j, value)| Bar { value, pairs: value, filter: format!("{jaccard} & {}", filter(j)) };
        Series { name: format!("J {name}"), bars: bars.map(bar).collect(), extrapolation: None }
    });
    series.collect()
}

fn cosine(data: &StudyData) -> Figure {
    let counts = grid(data, TENTHS.len(), |bundle| Some(bin(&TENTHS, bundle.like.scores().cosine)));
    let unknown = |bundle: &&Bundle<'_>| !bundle.like.compared();
    let unknown = data
        .table
        .kinds()
        .map(|kind| kind.documents() * kind.bundles.iter().filter(unknown).map(|bundle| bundle.pairs).sum::<u64>());
    let mut notes = vec![pool(data)];
    notes.extend(without_texts(unknown.sum::<u64>() as usize));
    Figure {
        name: "cosine",
        title: format!("Cosine of word counts against Jaccard (n = {}), all pairs", data.table.n()),
        kind: Kind::Matrix,
        x: "cosine".to_owned(),
        y: "pairs".to_owned(),
        categories: names(),
        series: by_jaccard(data, counts, |j| within(spelling(data), "cosine", j)),
        notes,
    }
}

/// Of one configuration: what another calls a distance is something else.
fn hamming(data: &StudyData, c: usize) -> Figure {
    let name = &data.table.configurations()[c];
    let distance = |bundle: &Bundle<'_>| data.table.bundle_distance(bundle, c).map(usize::from);
    let counts = grid(data, DISTANCES, |bundle| distance(bundle).filter(|distance| *distance < DISTANCES));
    let most = (0..DISTANCES).rev().find(|&j| counts.iter().any(|row| row[j] > 0)).unwrap_or_default();
    let counts = counts.into_iter().map(|row| row.into_iter().take(most + 1).collect()).collect();
    Figure {
        name: "hamming",
        title: format!("Differing bits of {name} against Jaccard (n = {})", data.table.n()),
        kind: Kind::Matrix,
        x: "bits".to_owned(),
        y: "pairs".to_owned(),
        categories: (0..=most).map(|bits| bits.to_string()).collect(),
        series: by_jaccard(data, counts, |j| format!("{}={j}", spelling(data).found_by(name))),
        notes: vec![format!("pool: the pairs that {name} found")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_and_their_filters_agree() {
        let names = ["jaccard".to_owned()];
        let spelling = Spelling::of(&names);
        assert_eq!([0.0, 0.05, 0.1, 0.3, 0.89, 0.9, 1.0].map(|value| bin(&TENTHS, value)), [0, 0, 1, 3, 8, 9, 9]);
        assert_eq!(within(spelling, "cosine", 9), "cosine>=0.9");
        assert_eq!(within(spelling, "jaccard", 0), "pair:jaccard>=0 & pair:jaccard<0.1");
    }
}
