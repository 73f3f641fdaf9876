//! The figure that only the explorer shows, because it rests on what a person may see: similarities by label.

use std::collections::HashSet;

use super::StudyData;
use crate::sample_status::{Withheld, left_words};
use dejaview_evaluation::figures::{TENTHS, bin};
use dejaview_labels::{Decisions, Label};
use dejaview_study::{Bar, Figure, Kind, Series, StudyError, spelling, tenth_filter, tenth_names};

/// The Jaccard of labelled pairs, by label, but for those of samples that are withheld; none where no pair that has one is
/// labelled.
pub fn labelled_pairs(
    data: &StudyData,
    labels: &Decisions,
    withheld: &[Withheld],
) -> Result<Option<Figure>, StudyError> {
    let mut hidden = HashSet::new();
    for sample in withheld {
        let pairs = dejaview_study::drawn_sample(&data.study, &sample.sample)?.pairs;
        hidden.extend(pairs.into_iter().map(|pair| (pair.source, pair.target)));
    }
    let mut figure = by_label(data, labels, &hidden);
    if !withheld.is_empty() {
        figure.notes.push(format!("without the pairs of {}, which you have not finished", left_words(withheld)));
    }
    Ok(Some(figure).filter(|figure| figure.highest() > 0))
}

/// The pairs of a label in a tenth of the scale.
#[derive(Debug, Clone, Default)]
struct LabelledBar<'l> {
    /// Source and target.
    pairs: Vec<(&'l str, &'l str)>,
    /// Whether there are hidden ones beside them.
    hides_some: bool,
}

impl LabelledBar<'_> {
    fn bar(&self, label: Label, tenth: usize) -> Bar {
        let value = self.pairs.len() as u64;
        let filter = match self.hides_some {
            true => spelling::any_of(self.pairs.iter().copied()),
            false => format!("{} & label={}", tenth_filter("jaccard", tenth), label.name()),
        };
        Bar { value, pairs: value, filter }
    }
}

/// Of all labelled pairs but those that are hidden.
fn by_label(data: &StudyData, labels: &Decisions, hidden: &HashSet<(String, String)>) -> Figure {
    let mut bars = vec![vec![LabelledBar::default(); TENTHS.len()]; Label::ALL.len()];
    let (mut not_in_table, mut not_compared) = (0, 0);
    let known = data.labels();
    for (source, target, label) in known.others.visible(labels) {
        let is_hidden = !hidden.is_empty() && hidden.contains(&(source.to_owned(), target.to_owned()));
        match data.table.find(source, target) {
            Some(row) => match data.table.shown_jaccard(row) {
                Some(jaccard) => {
                    let bar = &mut bars[label as usize][bin(&TENTHS, jaccard)];
                    bar.hides_some |= is_hidden;
                    bar.pairs.extend((!is_hidden).then_some((source, target)));
                }
                None => not_compared += usize::from(!is_hidden),
            },
            None => not_in_table += usize::from(!is_hidden),
        }
    }
    let series = Label::ALL.iter().zip(bars).map(|(label, bars)| {
        let bars = bars.iter().enumerate().map(|(tenth, bar)| bar.bar(*label, tenth));
        Series { name: label.name().to_owned(), bars: bars.collect(), extrapolation: None }
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
