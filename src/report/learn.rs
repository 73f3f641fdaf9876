//! What a model learned from labels: how good it is on labels that it has not seen, and what each feature weighs.

use super::Table;
use super::numbers::{count, plural, share};
use super::result::Report;
use dejaview_study::{DecidedBy, FeatureWeight, FewerLabels, LearnedPair, LearnedQuality, Learning};

impl Report for Learning {
    fn tables(&self) -> Vec<Table> {
        let fewer = (!self.fewer.is_empty()).then(|| fewer(&self.fewer));
        [quality(self)].into_iter().chain(fewer).chain([weights(self)]).collect()
    }
}

/// What a row of a table calls who decided.
fn name_of(row: &LearnedQuality) -> String {
    match row.decided_by {
        DecidedBy::OutOfFold => format!("{}, on labels that it has not seen", row.name),
        DecidedBy::OwnLabels => format!("{}, on its own labels (no estimate)", row.name),
        DecidedBy::Configuration => row.name.clone(),
    }
}

fn cells(row: &LearnedQuality) -> [String; 4] {
    let found = row.quality;
    [name_of(row), share(found.precision), share(found.recall), share(found.f1)]
}

fn quality(learning: &Learning) -> Table {
    let title = format!("A model of {} labels, beside the configurations on the same pairs", count(learning.labels));
    let mut table = Table::new("learned", title, &["", "precision", "recall", "F"]).right(1..4);
    learning.quality.iter().for_each(|row| table.row(cells(row)));
    table.note(format!(
        "{} labels: {} near-duplicates and {} others, in {} of {}, which are held out together",
        count(learning.labels),
        count(learning.near_duplicates),
        count(learning.labels - learning.near_duplicates),
        plural(learning.groups, "group"),
        learning.held_out
    ));
    table.notes.extend(represented(learning));
    for (pairs, why) in
        [(learning.undecided, "unsure or disputed"), (learning.not_found, "labelled, and no configuration found them")]
    {
        if pairs > 0 {
            table.note(format!("left out: {}, {why}", plural(pairs, "pair")));
        }
    }
    table
}

/// What pairs the rows are of.
fn represented(learning: &Learning) -> Vec<String> {
    let intervals = "intervals: 95 %, for other groups like these";
    let outside = plural(learning.outside_samples, "label");
    let Some(population) = &learning.represented else {
        let why = "no label is of a sample, so nobody knows what pairs they stand for";
        return vec![format!("{why}: the rows are of the labelled pairs alone, each counts once; {intervals}")];
    };
    let samples = population.samples.join(", ");
    let pairs = match population.of {
        None => format!(
            "the {} that {samples} stands for, which are not those of this study",
            plural(population.pairs, "pair")
        ),
        Some(all) => {
            let which =
                if all == population.pairs { "all".to_owned() } else { format!("{} of the", count(population.pairs)) };
            let found = plural(all, "pair");
            format!("{which} {found} that configurations found, those that the labels of {samples} stand for")
        }
    };
    let mut notes = vec![format!("the rows are of {pairs}; recall is of the near-duplicates among these; {intervals}")];
    if population.of.is_some_and(|all| all > population.pairs) {
        notes.push(
            "precision and F of the model are of these pairs alone; it would decide on the others, too".to_owned(),
        );
    }
    if !population.beyond.is_empty() {
        notes.push(format!(
            "no precision and F: {} found other pairs too, which no label stands for",
            population.beyond.join(", ")
        ));
    }
    if learning.outside_samples > 0 {
        notes.push(format!(
            "{outside} of no sample that counts here: nobody knows what they stand for; each teaches like another label on \
             average, and no row is of them"
        ));
    }
    notes
}

fn fewer(rows: &[FewerLabels]) -> Table {
    let title = "The same with fewer labels, chosen at random";
    let mut table = Table::new("fewer", title, &["labels", "", "precision", "recall", "F"]).right([0, 2, 3, 4]);
    for row in rows {
        for quality in learned_and_best(&row.quality) {
            table.row([count(row.labels)].into_iter().chain(cells(quality)));
        }
        if let Some(why) = &row.too_few {
            table.note(format!("{}: {why}", plural(row.labels, "label")));
        }
    }
    table.note(format!("beside it the {BESIDE} configurations with the highest F on the same labels; JSON has all"));
    table
}

/// Configurations that stand beside the model with fewer labels.
const BESIDE: usize = 3;

/// The model, then the configurations with the highest F, the best first.
fn learned_and_best(all: &[LearnedQuality]) -> Vec<&LearnedQuality> {
    let (mut others, mut shown): (Vec<&LearnedQuality>, Vec<&LearnedQuality>) =
        all.iter().partition(|row| row.decided_by == DecidedBy::Configuration);
    let f = |row: &LearnedQuality| row.quality.f1.map_or(0.0, |f1| f1.value);
    others.sort_by(|a, b| f(b).total_cmp(&f(a)));
    shown.extend(others.into_iter().take(BESIDE));
    shown
}

/// The labelled pairs with their features as lines of TSV.
pub fn example_lines(learning: &Learning) -> Vec<String> {
    let mut head = vec!["source", "target", "label", "probability"];
    head.extend(learning.weights.iter().map(|weight| weight.name));
    let line = |pair: &LearnedPair| {
        let label = if pair.near_duplicate { "near-duplicate" } else { "not" };
        let mut cells = vec![pair.source.clone(), pair.target.clone(), label.to_owned()];
        cells.extend([pair.probability].iter().chain(&pair.values).map(|value| format!("{value:.6}")));
        cells.join("\t")
    };
    std::iter::once(head.join("\t")).chain(learning.examples.iter().map(line)).collect()
}

fn weights(learning: &Learning) -> Table {
    let head = ["feature", "how alike both are in", "weight", "in the folds", "mean"];
    let mut table = Table::new("weights", "What each feature weighs", &head).right(2..5);
    for FeatureWeight { name, about, weight, low, high, mean, .. } in &learning.weights {
        let numbers = [format!("{weight:.3}"), format!("{low:.3}–{high:.3}"), format!("{mean:.3}")];
        table.row([(*name).to_owned(), (*about).to_owned()].into_iter().chain(numbers));
    }
    let unit = learning.weights.first().map_or(1.0, |weight| weight.deviation);
    table.note(format!(
        "weight: what {unit} more of a feature adds to the log-odds of a near-duplicate; features go from 0 to 1, weights are never below 0"
    ));
    table.note(format!(
        "a pair is called a near-duplicate from a probability of {:.3} on; large weights cost {} times half their squares",
        learning.cut_off, learning.penalty
    ));
    table
}
