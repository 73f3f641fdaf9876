//! One number of a pair against another: its Jaccard and its cosine, its Jaccard and its differing bits.

use rayon::prelude::*;

use super::chart::{Bar, Figure, Kind, Series};
use super::options::FigureOptions;
use crate::query::filter::spelling;
use crate::query::pair_table::{Bundle, PairTable};
use dejaview_base::numbers::count as with_commas;
use dejaview_evaluation::figures::{TENTHS, bin};

/// Differing bits from 0 on that have a column each; more are rare and not shown.
const DISTANCES: usize = 16;

/// The names of the tenths from 0 to 1, as figures show them.
pub fn tenth_names() -> Vec<String> {
    (0..TENTHS.len()).map(|i| format!("{}–{}", TENTHS[i], TENTHS.get(i + 1).copied().unwrap_or(1.0))).collect()
}

/// The filter that admits pairs whose number is in one of these tenths.
pub fn tenth_filter(number: &str, i: usize) -> String {
    match TENTHS.get(i + 1) {
        Some(end) => format!("{number}>={} & {number}<{end}", TENTHS[i]),
        None => format!("{number}>={}", TENTHS[i]),
    }
}

/// The pairs that these figures are of.
pub(super) struct Grids<'a> {
    pub(super) table: &'a PairTable,
    pub(super) options: &'a FigureOptions,
    /// The configuration whose distances are shown, which counts differing bits.
    pub(super) of_bits: Option<&'a str>,
}

impl Grids<'_> {
    /// Both figures, where there are pairs to show.
    pub(super) fn figures(&self) -> Vec<Figure> {
        let all = std::iter::once(self.cosine()).chain(self.of_bits.and_then(|name| self.bits(name)));
        all.filter(|figure| figure.highest() > 0).collect()
    }

    /// Whether pairs are shown: those of the segment, and of the configurations, that are asked for.
    fn shows(&self, bundle: &Bundle<'_>) -> bool {
        let names = self.table.configurations();
        let wanted = |name: &String| {
            let place = names.iter().position(|other| other == name);
            place.is_some_and(|c| self.table.bundle_found_by(bundle, c))
        };
        let found = self.options.configurations.is_empty() || self.options.configurations.iter().any(wanted);
        found && self.options.segment.as_deref().is_none_or(|segment| segment == bundle.segment)
    }

    /// Filters that admit no other pairs than those shown.
    fn terms(&self) -> String {
        let segment = self.options.segment.iter().map(|segment| spelling::exactly("segment", segment));
        let found: Vec<String> = self.options.configurations.iter().map(|name| spelling::found_by(name)).collect();
        let found = match &found[..] {
            [] => None,
            [one] => Some(one.clone()),
            several => Some(format!("({})", several.join(" | "))),
        };
        segment.chain(found).map(|term| format!(" & {term}")).collect()
    }

    /// Counts pairs by tenths of their Jaccard and by a second number.
    fn count(&self, columns: usize, column: impl Fn(&Bundle<'_>) -> Option<usize> + Sync) -> Vec<Vec<u64>> {
        let empty = || vec![vec![0u64; columns]; TENTHS.len()];
        let sum = |mut a: Vec<Vec<u64>>, b: Vec<Vec<u64>>| {
            a.iter_mut().flatten().zip(b.into_iter().flatten()).for_each(|(a, b)| *a += b);
            a
        };
        let kinds = self.table.kinds().par_bridge().fold(empty, |mut grid, kind| {
            for bundle in kind.bundles.iter().filter(|bundle| self.shows(bundle)) {
                if let (Some(column), Some(jaccard)) = (column(bundle), bundle.jaccard(self.table.n())) {
                    grid[bin(&TENTHS, jaccard)][column] += kind.documents() * bundle.pairs;
                }
            }
            grid
        });
        kinds.reduce(empty, sum)
    }

    /// One series for each tenth of the Jaccard, the highest first; `column_filter` admits the pairs of a column.
    fn series(&self, counts: Vec<Vec<u64>>, column_filter: impl Fn(usize) -> String) -> Vec<Series> {
        let terms = self.terms();
        let series = tenth_names().into_iter().zip(counts).enumerate().rev().map(|(i, (name, counts))| {
            let jaccard = tenth_filter("jaccard", i);
            let bar =
                |(j, value)| Bar { value, pairs: value, filter: format!("{jaccard} & {}{terms}", column_filter(j)) };
            Series::new(&format!("J {name}"), counts.into_iter().enumerate().map(bar))
        });
        series.collect()
    }

    fn cosine(&self) -> Figure {
        let counts = self.count(TENTHS.len(), |bundle| Some(bin(&TENTHS, bundle.first_pair.scores().cosine)));
        let not_compared = |bundle: &&Bundle<'_>| !bundle.first_pair.compared() && self.shows(bundle);
        let not_compared: u64 = self
            .table
            .kinds()
            .map(|kind| kind.documents() * kind.bundles.iter().filter(not_compared).map(|b| b.pairs).sum::<u64>())
            .sum();
        let restricted = self.options.segment.is_some() || !self.options.configurations.is_empty();
        let mut notes = vec![match restricted {
            true => "pool: the pairs of the segment and the configurations that are shown".to_owned(),
            false => match self.table.len() {
                1 => "pool: 1 pair that any configuration found".to_owned(),
                pairs => format!("pool: {} pairs that any configuration found", with_commas(pairs as u64)),
            },
        }];
        notes.extend(
            (not_compared > 0)
                .then(|| format!("{not_compared} imported pairs without texts have no Jaccard and are left out")),
        );
        Figure {
            name: "cosine",
            title: format!(
                "Cosine of word counts against Jaccard (n = {}){}",
                self.table.n(),
                if restricted { "" } else { ", all pairs" }
            ),
            kind: Kind::Matrix,
            x: "cosine".to_owned(),
            y: "pairs".to_owned(),
            categories: tenth_names(),
            series: self.series(counts, |j| tenth_filter("cosine", j)),
            notes,
        }
    }

    /// Of one configuration, because every method measures distance in its own unit.
    fn bits(&self, name: &str) -> Option<Figure> {
        let c = self.table.configurations().iter().position(|other| other == name)?;
        let distance = |bundle: &Bundle<'_>| self.table.bundle_distance(bundle, c).map(usize::from);
        let counts = self.count(DISTANCES, |bundle| distance(bundle).filter(|distance| *distance < DISTANCES));
        let most = (0..DISTANCES).rev().find(|&j| counts.iter().any(|row| row[j] > 0)).unwrap_or_default();
        let counts = counts.into_iter().map(|row| row.into_iter().take(most + 1).collect()).collect();
        Some(Figure {
            name: "hamming",
            title: format!("Differing bits of {name} against Jaccard (n = {})", self.table.n()),
            kind: Kind::Matrix,
            x: "bits".to_owned(),
            y: "pairs".to_owned(),
            categories: (0..=most).map(|bits| bits.to_string()).collect(),
            series: self.series(counts, |j| format!("{}={j}", spelling::found_by(name))),
            notes: vec![format!("pool: the pairs that {name} found")],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_and_their_filters_agree() {
        assert_eq!([0.0, 0.05, 0.1, 0.3, 0.89, 0.9, 1.0].map(|value| bin(&TENTHS, value)), [0, 0, 1, 3, 8, 9, 9]);
        assert_eq!(tenth_filter("cosine", 9), "cosine>=0.9");
        assert_eq!(tenth_filter("jaccard", 0), "jaccard>=0 & jaccard<0.1");
    }
}
