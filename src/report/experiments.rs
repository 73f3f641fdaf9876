//! The tables and curves of the papers' experiments.

use super::charts::curves::{Curves, Line};
use super::numbers::count;
use super::result::Report;
use super::table::Table;
use dejaview_study::{CosineRow, Experiments, LexiconRow, SHOWN_DISTANCES, SimHashRow, StabilityRow};

impl Report for Experiments {
    fn tables(&self) -> Vec<Table> {
        let mut tables = vec![simhash(self), by_cosine(self, Measured::Precision), by_cosine(self, Measured::Recall)];
        tables.extend([minhash(self), lexicons(self), other_lexicons(self)]);
        for table in &mut tables {
            table.notes.insert(0, pool(self));
        }
        tables.splice(1..1, revisions(self));
        tables.push(stability(self));
        tables
    }

    fn curves(&self) -> Vec<Curves> {
        let by_cosine = [Measured::Precision, Measured::Recall].map(|measured| curves_by_cosine(self, measured));
        by_cosine.into_iter().chain([by_lexicons(self), by_changes(self)]).collect()
    }
}

/// What the tables rest on.
fn pool(experiments: &Experiments) -> String {
    let [source, target] = [experiments.source, experiments.target].map(|documents| count(documents as u64));
    let left_out = match experiments.left_out {
        0 => String::new(),
        n => {
            format!(
                "; {} source documents, drawn by a hash of their ids, were left out to bound the time",
                count(n as u64)
            )
        }
    };
    let all = experiments.source as u64 * experiments.target as u64;
    let once = if experiments.pairs < all { ", each once and none of a document with itself" } else { "" };
    let pairs = count(experiments.pairs);
    format!(
        "pool: all {pairs} pairs of {source} source and {target} target documents{once}, compared exactly, so without intervals{left_out}"
    )
}

/// A table with a row for each choice of n-grams and distance.
fn by_distance<'a>(name: &'static str, title: &str, rows: impl Iterator<Item = &'a SimHashRow>) -> Table {
    let mut table = Table::new(name, title, &["n-grams", "k", "pairs", "true", "precision", "recall"]).right(1..6);
    for row in rows {
        table.row([
            row.ngrams.clone(),
            row.distance.to_string(),
            count(row.pairs),
            count(row.positive),
            known(row.precision),
            known(row.recall),
        ]);
    }
    table
}

/// A share; of nothing there is none.
pub(crate) fn known(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), |share| format!("{share:.3}"))
}

fn simhash(experiments: &Experiments) -> Table {
    let title =
        "SimHash, 64 bits, by n-grams and distance k, against Jaccard (n = 1) of 0.9 or more (Table 3.1 of the thesis)";
    let mut table = by_distance("simhash", title, experiments.simhash.iter());
    table.note(format!(
        "{} pairs are true; the thesis found P/R .78/.63 (k = 1), .54/.81 (3), .38/.92 (5)",
        count(experiments.alike)
    ));
    table.note("no stop words: the thesis's trial with single words, of content words alone; it found these too noisy, with and without stop words");
    table
}

/// The same over pairs with the same URL only.
fn revisions(experiments: &Experiments) -> Option<Table> {
    let same = experiments.same_url.as_ref()?;
    let title = "The same over pairs with the same address only: revisions of a page, or a page crawled twice";
    let rows = same.simhash.iter().filter(|row| [1, 3, 5].contains(&row.distance));
    let mut table = by_distance("revisions", title, rows);
    table.note(format!(
        "pool: all {} pairs with the same address, {} of them true, compared exactly, so without intervals",
        count(same.pairs),
        count(same.alike)
    ));
    Some(table)
}

/// What is measured of a method.
#[derive(Debug, Clone, Copy)]
enum Measured {
    Precision,
    Recall,
}

impl Measured {
    /// The name of its table and curves.
    const fn table(self) -> &'static str {
        match self {
            Self::Precision => "cosine-precision",
            Self::Recall => "cosine-recall",
        }
    }

    fn title(self) -> String {
        let what = if matches!(self, Self::Precision) { "Precision" } else { "Recall" };
        format!(
            "{what} of SimHash of single words and of other methods, by the cosine of tf vectors (Fig. 3.3 of the thesis)"
        )
    }
}

/// The methods that are held against every threshold of cosine.
fn methods_by_cosine(experiments: &Experiments) -> impl Iterator<Item = String> {
    let simhash = SHOWN_DISTANCES.iter().map(|distance| format!("SimHash, k = {distance}"));
    simhash.chain(experiments.rivals.iter().map(|name| (*name).to_owned()))
}

/// What is measured of each of them at one threshold.
fn shares_by_cosine(row: &CosineRow, measured: Measured) -> impl Iterator<Item = Option<f64>> {
    row.at.iter().chain(&row.rivals).map(move |shares| match measured {
        Measured::Precision => shares[0],
        Measured::Recall => shares[1],
    })
}

fn by_cosine(experiments: &Experiments, measured: Measured) -> Table {
    let mut head = vec!["cosine ≥".to_owned(), "true".to_owned()];
    head.extend(methods_by_cosine(experiments));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table = Table::new(measured.table(), measured.title(), &head).right(0..head.len());
    for row in &experiments.cosine {
        let cells = [format!("{:.2}", row.threshold), count(row.positive)];
        table.row(cells.into_iter().chain(shares_by_cosine(row, measured).map(known)));
    }
    table.note("others than SimHash with their defaults; the figure of the thesis takes its other methods from Potthast and Stein (2008)");
    table.note("–: nothing was found, or no pair is true");
    table
}

fn minhash(experiments: &Experiments) -> Table {
    let title = "MinHash: estimated less exact Jaccard of 4-word shingles, pairs between 0.1 and 1";
    let mut table = Table::new("minhash", title, &["minima", "pairs", "mean", "RMSE", "theory"]).right(0..5);
    for row in &experiments.minhash {
        table.row([
            row.minima.to_string(),
            count(row.pairs),
            format!("{:+.4}", row.bias),
            format!("{:.4}", row.error),
            format!("{:.4}", row.expected),
        ]);
    }
    table.note("pairs share documents, so the mean may be off by more than the number of pairs suggests");
    table
}

/// The cells of a row: how many lexicons, and how good they are.
fn lexicon_cells(row: &LexiconRow) -> [String; 6] {
    [
        if row.lexicons == 0 { "1".to_owned() } else { format!("1+{}", row.lexicons) },
        known(row.recall),
        row.gain.map_or("–".to_owned(), |gain| format!("{:+.0} %", 100.0 * gain)),
        known(row.precision),
        count(row.pairs),
        count(row.asked),
    ]
}

fn lexicons(experiments: &Experiments) -> Table {
    let title =
        "I-Match by number of lexicons, against a cosine of 0.9 or more of the sets of words (Table 1 of Kołcz et al.)";
    let mut table =
        Table::new("lexicons", title, &["lexicons", "recall", "gain", "precision", "pairs", "asked"]).right(1..6);
    experiments.lexicons.iter().for_each(|row| table.row(lexicon_cells(row)));
    table.note("words as in the paper: at least 4 letters (or pairs of ideographs) and at most one digit; documents of fewer than 5 different ones take no part");
    table.note("recall is the mean over source documents that have a neighbour; the paper's honeypot spam: 0.66 with one, 0.72 with 1+2, 0.76 with 1+5, 0.80 with 1+10");
    table
}

fn other_lexicons(experiments: &Experiments) -> Table {
    let title = "The same with other lexicons: the narrow one of the paper's mail, and those of one side alone";
    let head = ["lexicon", "lexicons", "recall", "gain", "precision", "pairs", "asked"];
    let mut table = Table::new("other-lexicons", title, &head).right(2..7);
    for row in &experiments.other_lexicons {
        table.row(std::iter::once(row.lexicon.to_owned()).chain(lexicon_cells(row)));
    }
    table.note("the paper's web pages were found better with a lexicon of newspapers than with their own (Figure 2)");
    table
}

/// The numbers of lexicons of the curve, in order.
fn bags(experiments: &Experiments) -> Vec<usize> {
    let mut bags: Vec<usize> = experiments.stability.iter().map(|row| row.lexicons).collect();
    bags.sort_unstable();
    bags.dedup();
    bags
}

fn stability(experiments: &Experiments) -> Table {
    let title = "How often one of so many signatures survives words put in and taken out, p = 0.33 (Figure 1 of Kołcz et al.): \
                 by 1 − (1 − pⁿ)ᴷ, and measured";
    let bags = bags(experiments);
    let mut head = vec!["words changed".to_owned()];
    head.extend(bags.iter().flat_map(|bag| [format!("bag {bag}"), format!("bag {bag} measured")]));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table = Table::new("stability", title, &head).right(0..head.len());
    let most = experiments.stability.iter().map(|row| row.changes).max().unwrap_or_default();
    for changes in 0..=most {
        let rows = experiments.stability.iter().filter(|row| row.changes == changes);
        let cells = |row: &StabilityRow| [format!("{:.3}", row.theory), known(row.measured)];
        table.row(std::iter::once(changes.to_string()).chain(rows.flat_map(cells)));
    }
    let documents = experiments.stability.first().map_or(0, |row| row.documents);
    table.note(format!(
        "measured on {} different texts of the source with 40 words of the lexicon or more, 400 at most; bag: random lexicons, the \
         first one aside",
        count(documents as u64)
    ));
    table.note("all texts meet the same random lexicons, so the points lie together above or below the formula");
    table
}

/// Every method against the cosine from which on a pair is true.
fn curves_by_cosine(experiments: &Experiments, measured: Measured) -> Curves {
    let line = |(column, name): (usize, String)| {
        // Where no pair is true, nobody can be right or wrong.
        let rows = experiments.cosine.iter().filter(|row| row.positive > 0);
        let points = rows.filter_map(|row| Some((row.threshold, shares_by_cosine(row, measured).nth(column)??)));
        Line { name, points: points.collect() }
    };
    let lines = methods_by_cosine(experiments).enumerate().map(line).collect();
    let x = "a pair is true from this cosine on".to_owned();
    Curves { table: measured.table(), title: measured.title(), x, lines }
}

/// Recall by number of lexicons, a curve for each lexicon.
fn by_lexicons(experiments: &Experiments) -> Curves {
    let mut lines: Vec<Line> = Vec::new();
    for row in experiments.lexicons.iter().chain(&experiments.other_lexicons) {
        let Some(recall) = row.recall else { continue };
        let point = (row.lexicons as f64, recall);
        match lines.last_mut() {
            Some(line) if line.name == row.lexicon => line.points.push(point),
            _ => lines.push(Line { name: row.lexicon.to_owned(), points: vec![point] }),
        }
    }
    let title = "Recall of I-Match by number of random lexicons (Figures 2 and 3 of Kołcz et al.)".to_owned();
    Curves { table: "lexicons", title, x: "lexicons beside the first".to_owned(), lines }
}

/// How often signatures survive, by the formula and as measured.
fn by_changes(experiments: &Experiments) -> Curves {
    let mut lines = Vec::new();
    for bag in bags(experiments) {
        let rows = || experiments.stability.iter().filter(|row| row.lexicons == bag);
        let theory = rows().map(|row| (row.changes as f64, row.theory)).collect();
        let measured = rows().filter_map(|row| Some((row.changes as f64, row.measured?))).collect();
        lines.push(Line { name: format!("bag {bag}"), points: theory });
        lines.push(Line { name: format!("bag {bag}, measured"), points: measured });
    }
    let title = "Probability that a signature survives, p = 0.33 (Figure 1 of Kołcz et al.)".to_owned();
    Curves { table: "stability", title, x: "words put in or taken out".to_owned(), lines }
}
