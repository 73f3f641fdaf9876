//! A sample that was drawn elsewhere: its pairs, the stratum of each, how many pairs that stratum has, and labels.
//!
//! What it stands for is as its file says; the pairs that it was drawn from need not be here.

use std::collections::HashMap;

use super::import::LabelImport;
use super::placer::{Placer, RowPlace};
use super::report::ImportReport;
use crate::StudyError;
use crate::label::exchange::importing::import_labels;
use crate::snapshot::Snapshot;
use dejaview_corpus::text_file;
use dejaview_evaluation::sample::{Design, Sample, SampledPair, Stratum, Written};
use dejaview_labels::{LabelRow, shortened};

/// The stratum of a sample that is not divided.
const ALL: &str = "all";

/// A sample that came in.
#[derive(Debug)]
pub struct ImportedSample {
    pub sample: Sample,
    /// Whether it was new.
    pub written: Written,
    /// What became of its labels; none where nobody has labelled it.
    pub labels: Option<ImportReport>,
    /// Pairs of it that the configuration did not find in this study.
    pub not_found: u64,
    /// Pairs that the configuration found in this study.
    pub found: u64,
    /// Rows whose source and target were swapped.
    pub swapped: u64,
}

/// Takes in a sample of the pairs of a configuration that was drawn elsewhere, under the name that `import` says, and
/// its labels. Where anything is wrong with it nothing is written.
pub fn import_sample(
    study: &Snapshot,
    import: LabelImport<'_>,
    configuration: &str,
) -> Result<ImportedSample, StudyError> {
    study.known_configuration(configuration)?;
    let name = import.sample.unwrap_or(configuration);
    let mut table = import.table(&text_file::read_lines(import.file)?)?;
    if let Some((line, why)) = table.problems.first() {
        return Err(import.refused(&format!("line {line}: {why}")));
    }
    import.understood(&table)?;
    let swapped = turn_rows(study, &import, &mut table.rows)?;
    let sample = sample_of_rows(&table.rows).map_err(|fault| import.refused(&fault.to_string()))?;
    let sample = sample.named(name, &[configuration.to_owned()]);
    let found = study.table()?;
    let c = found.configurations().iter().position(|known| known == configuration);
    let is_found = |pair: &&SampledPair| {
        let row = found.find(&pair.source, &pair.target);
        row.zip(c).is_some_and(|(row, c)| found.found_by(row, c))
    };
    let not_found = (sample.pairs.len() - sample.pairs.iter().filter(is_found).count()) as u64;
    let all = c.map_or(0, |c| found.counts()[c].0);
    let written = sample.write(study.folder())?;
    let labels = match table.rows.iter().any(|row| !row.value.is_empty()) {
        true => Some(import_labels(study, LabelImport { sample: Some(name), ..import })),
        false => None,
    };
    let labels = labels.map(|labels| match labels {
        Ok(report) => match report.contradictions.first() {
            Some(first) => Err(import.refused(&format!("{}; keep one label of each pair", first.sentence()))),
            None => Ok(report),
        },
        failed => failed,
    });
    // A sample without the labels that it came with is not what its file says.
    if written == Written::New && labels.as_ref().is_some_and(Result::is_err) {
        let _ = std::fs::remove_file(Sample::path(study.folder(), name)?);
    }
    Ok(ImportedSample { sample, written, labels: labels.transpose()?, not_found, found: all, swapped })
}

/// Turns the pairs of a file the way this study has them, and counts the rows in which they were swapped.
fn turn_rows(study: &Snapshot, import: &LabelImport<'_>, rows: &mut [LabelRow]) -> Result<u64, StudyError> {
    let (placer, mut swapped) = (Placer::new(study, None), 0);
    for row in rows {
        match placer.place(&row.source, &row.target)? {
            RowPlace::Swapped => {
                std::mem::swap(&mut row.source, &mut row.target);
                swapped += 1;
            }
            RowPlace::Itself(why) => {
                return Err(import.refused(&format!("line {}: {why}; remove the line", row.line)));
            }
            // What a sample that was drawn elsewhere stands for is as its file says.
            RowPlace::Here | RowPlace::Unknown(_) => {}
        }
    }
    Ok(swapped)
}

/// A file that is no sample, by the line that shows it.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {why}")]
struct Fault {
    line: usize,
    why: NoSample,
}

/// What is wrong with the strata or pairs of a file. Names are as they are to be shown.
#[derive(Debug, thiserror::Error)]
enum NoSample {
    #[error("there is no pair; {EXPECTED}")]
    NoPair,
    #[error("there is no population; {EXPECTED}")]
    NoPopulation,
    #[error(
        "the population “{0}” is not a number of pairs; write how many pairs the stratum has, a whole number from 1 to \
         {LARGEST} without commas"
    )]
    NotAPopulation(String),
    #[error("the strata up to here have more than {LARGEST} pairs; correct their populations")]
    TooLarge,
    #[error(
        "stratum “{stratum}” has {here} pairs here and {before} in an earlier line; write the same population in every \
         line of a stratum"
    )]
    TwoPopulations { stratum: String, here: u64, before: u64 },
    #[error(
        "this is pair {drawn} of stratum “{stratum}”, which has {population} by its population; correct the population, or \
         remove the pair"
    )]
    TooManyPairs { stratum: String, drawn: u64, population: u64 },
    #[error("the pair is in stratum “{here}” here and in “{before}” in line {line}; keep one of them")]
    TwoStrata { here: String, before: String, line: usize },
}

/// The strata of a file as its rows tell them.
#[derive(Default)]
struct Strata<'a> {
    all: Vec<Stratum>,
    places: HashMap<&'a str, usize>,
    /// Pairs of all strata.
    population: u64,
}

impl<'a> Strata<'a> {
    /// The place of the stratum that a row is of; an error where its population cannot be.
    fn stratum_of(&mut self, row: &'a LabelRow) -> Result<usize, NoSample> {
        let name = row.stratum.as_deref().unwrap_or(ALL).trim();
        let population = population(row)?;
        let h = *self.places.entry(name).or_insert(self.all.len());
        if h == self.all.len() {
            self.all.push(Stratum { name: name.to_owned(), population, found: vec![population], ..Stratum::default() });
            self.population += population;
        }
        if self.population > LARGEST {
            return Err(NoSample::TooLarge);
        }
        match self.all[h].population {
            before if before != population => {
                Err(NoSample::TwoPopulations { stratum: shortened(name), here: population, before })
            }
            _ => Ok(h),
        }
    }

    /// Counts one more pair of a stratum; an error where it has no more.
    fn count_pair(&mut self, h: usize) -> Result<(), NoSample> {
        let stratum = &mut self.all[h];
        stratum.drawn += 1;
        match stratum.drawn > stratum.population {
            true => Err(NoSample::TooManyPairs {
                stratum: shortened(&stratum.name),
                drawn: stratum.drawn,
                population: stratum.population,
            }),
            false => Ok(()),
        }
    }
}

/// The sample of the rows of a file. A pair that several annotators labelled stands in several rows.
fn sample_of_rows(rows: &[LabelRow]) -> Result<Sample, Fault> {
    let mut strata = Strata::default();
    let mut places: HashMap<(&str, &str), (usize, usize)> = HashMap::new();
    let mut pairs: Vec<(&LabelRow, usize)> = Vec::new();
    for row in rows {
        let wrong = |why: NoSample| Fault { line: row.line, why };
        let h = strata.stratum_of(row).map_err(wrong)?;
        match places.get(&(row.source.as_str(), row.target.as_str())) {
            Some((_, stratum)) if *stratum == h => continue,
            Some((line, stratum)) => {
                let [here, before] = [h, *stratum].map(|h| shortened(&strata.all[h].name));
                return Err(wrong(NoSample::TwoStrata { here, before, line: *line }));
            }
            None => {}
        }
        places.insert((&row.source, &row.target), (row.line, h));
        strata.count_pair(h).map_err(wrong)?;
        pairs.push((row, h));
    }
    if pairs.is_empty() {
        return Err(Fault { line: 1, why: NoSample::NoPair });
    }
    let Strata { all: strata, population, .. } = strata;
    let pair = |&(row, h): &(&LabelRow, usize)| {
        let weight = strata[h].population as f64 / strata[h].drawn as f64;
        SampledPair {
            source: row.source.clone(),
            target: row.target.clone(),
            stratum: strata[h].name.clone(),
            weight,
            probability: 1.0 / weight,
            found: Vec::new(),
            document_pairs: None,
            assigned: Vec::new(),
        }
    };
    let pairs: Vec<SampledPair> = pairs.iter().map(pair).collect();
    let size = pairs.len() as u64;
    Ok(Sample { design: Design::Imported, size, population, strata, pairs, ..Sample::default() })
}

/// What a file must have.
const EXPECTED: &str = "expected a header with source, target, label, stratum and population (the number of pairs that the \
                        stratum has), and one pair a line";

/// The largest population whose weights are exact.
const LARGEST: u64 = 1 << 53;

fn population(row: &LabelRow) -> Result<u64, NoSample> {
    let text = row.population.as_deref().ok_or(NoSample::NoPopulation)?;
    let number = text.trim().parse().ok().filter(|n| (1..=LARGEST).contains(n));
    number.ok_or_else(|| NoSample::NotAPopulation(shortened(text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_labels::LabelTable;

    fn read(text: &str) -> Result<Sample, Fault> {
        sample_of_rows(&LabelTable::parse_bytes(text.as_bytes()).unwrap().rows)
    }

    #[test]
    fn strata_have_the_population_that_is_told() {
        let head = "source\ttarget\tlabel\tstratum\tpopulation\tannotator\n";
        let text = format!(
            "{head}a\tx\tyes\thigh\t900\tann\na\tx\tno\thigh\t900\tbob\nb\ty\tno\tlow\t40\tann\nc\tz\t\thigh\t900\t\n"
        );
        let sample = read(&text).unwrap();
        assert_eq!((sample.population, sample.size, sample.design.name()), (940, 3, "imported"));
        let strata: Vec<_> = sample.strata.iter().map(|s| (s.name.as_str(), s.population, s.drawn)).collect();
        assert_eq!(strata, [("high", 900, 2), ("low", 40, 1)]);
        assert_eq!(sample.pairs.iter().map(|pair| pair.weight).collect::<Vec<_>>(), [450.0, 40.0, 450.0]);
        let one = read("source\ttarget\tlabel\tpopulation\na\tx\tyes\t7\n").unwrap();
        assert_eq!((one.strata[0].name.as_str(), one.population), ("all", 7));
    }

    #[test]
    fn what_does_not_fit_is_refused_with_its_line() {
        let wrong =
            |rows: &str| read(&format!("source\ttarget\tlabel\tstratum\tpopulation\n{rows}")).unwrap_err().to_string();
        assert!(wrong("a\tx\t1\th\t\n").contains("2: there is no population"));
        assert!(wrong("a\tx\t1\th\tmany\n").contains("2: the population “many”"));
        assert!(wrong("a\tx\t1\th\t9\nb\ty\t1\th\t8\n").contains("3: stratum “h” has 8 pairs here and 9"));
        assert!(
            wrong("a\tx\t1\th\t9\na\tx\t1\tl\t9\n").contains("3: the pair is in stratum “l” here and in “h” in line 2")
        );
        assert!(wrong("a\tx\t1\th\t1\nb\ty\t1\th\t1\n").contains("3: this is pair 2 of stratum “h”, which has 1 by"));
        assert!(wrong("").contains("there is no pair"));
    }
}
