//! The figure that only the explorer shows, because it rests on what a person may see: similarities by label.

use super::StudyData;
use dejaview_evaluation::figures::{TENTHS, bin};
use dejaview_labels::{Decisions, Label};
use dejaview_study::{Bar, Figure, Kind, Series, tenth_filter, tenth_names};

/// The Jaccard of labelled pairs, by label; none where no pair that has one is labelled.
pub fn labelled_pairs(data: &StudyData, labels: &Decisions) -> Option<Figure> {
    Some(by_label(data, labels)).filter(|figure| figure.highest() > 0)
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
            filter: format!("{} & label={}", tenth_filter("jaccard", i), label.name()),
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
        categories: tenth_names(),
        series: series.collect(),
        notes,
    }
}

fn without_texts(count: usize) -> Option<String> {
    (count > 0).then(|| format!("{count} imported pairs without texts have no Jaccard and are left out"))
}
