//! Orders and filters of all pairs of a study, as the explorer asks for them, beside a stable sort of Rust's library.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use dejaview::labels::Label;
use dejaview::study::{Filter, Names, Order, PairFacts, PairTable, Snapshot, Sort};

const ROUNDS: usize = 5;

const FILTERS: [&str; 8] = [
    "jaccard>0.9",
    "jaccard<0.3",
    "jaccard8>0.5",
    "length>0.9",
    "agreement>=2",
    "cosine>0.9",
    "label",
    "not label & jaccard>0.9",
];

/// Rows from one label to the next: more labels than a study has.
const UNLABELLED: usize = 5000;

/// Labels by row, as the explorer has them.
struct Labels(Vec<Option<Label>>);

impl PairFacts for Labels {
    fn label(&self, row: usize) -> Option<Label> {
        self.0[row]
    }
}

/// Prints the median time of each order and filter of a study that has been run.
pub fn run(folder: &Path) -> Result<()> {
    let study = Snapshot::open(folder)?;
    let table = study.table()?;
    println!("{} pairs", table.len());
    for sort in Sort::ALL {
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            arranged(table, &Filter::default(), sort)?;
            times.push(begun.elapsed());
        }
        println!("by {}\t{:.3} s", sort.name(), median(times).as_secs_f64());
    }
    let begun = Instant::now();
    let mut expected: Vec<u32> = (0..table.len() as u32).collect();
    let value = |row: &u32| table.jaccard(*row as usize);
    expected.sort_by(|a, b| value(b).total_cmp(&value(a)));
    println!("by Jaccard, sort_by of the library, one core\t{:.3} s", begun.elapsed().as_secs_f64());
    ensure!(arranged(table, &Filter::default(), Sort::Jaccard)? == expected, "the two orders differ");
    for words in FILTERS {
        let filter = Filter::parse(words, Names::of_pairs(table.configurations()))?;
        let (mut times, mut rows) = (Vec::new(), 0);
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            rows = arranged(table, &filter, Sort::Source)?.len();
            times.push(begun.elapsed());
        }
        println!("{words}\t{:.3} s\t{rows} pairs", median(times).as_secs_f64());
    }
    Ok(())
}

fn arranged(table: &PairTable, filter: &Filter, sort: Sort) -> Result<Vec<u32>> {
    let label = |row: usize| (row % UNLABELLED == 0).then(|| Label::ALL[row / UNLABELLED % Label::ALL.len()]);
    let labels = (0..table.len()).map(label);
    let facts = Labels(labels.collect());
    let order = Order { filter, duel: None, sort, measured: Some(0), reverse: false, facts: &facts, stop: &|| false };
    Ok(table.arrange(&order).context("it was stopped")?.rows)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
