//! Can a sample be what its file says? A number that cannot be, and would make every estimate wrong, is told with its line.

use std::collections::{HashMap, HashSet};

use super::{Design, Sample, SampledPair, Stratum};

impl Sample {
    /// The line of the file that cannot be true, and why; pairs begin with line 2.
    pub(super) fn unsound(&self) -> Option<(usize, String)> {
        let stratum = self.strata.iter().find_map(|stratum| self.unsound_stratum(stratum));
        stratum.map(|why| (1, why)).or_else(|| self.unsound_pairs())
    }

    fn unsound_stratum(&self, stratum: &Stratum) -> Option<String> {
        let Stratum { name, population, drawn, found, together, .. } = stratum;
        let why = if drawn > population && self.design != Design::Query && self.design != Design::Walk {
            format!("{drawn} of {population} pairs are said to be drawn")
        } else if !found.is_empty() && found.len() != self.serves.len() {
            format!("says how many pairs {} configurations found, and serves {}", found.len(), self.serves.len())
        } else if let Some(most) = found.iter().filter(|_| self.of_pairs()).max().filter(|most| *most > population) {
            format!("one configuration is said to have found {most} of {population} pairs")
        } else if let Some((i, j)) = too_many_together(found, together) {
            let [a, b] = [i, j].map(|c| self.serves.get(c).map_or("?", String::as_str));
            format!("{a} and {b} are said to have found more pairs together than one of them")
        } else {
            return None;
        };
        Some(format!("stratum {name}: {why}"))
    }

    /// Whether numbers of strata are of pairs, not of documents or pages.
    fn of_pairs(&self) -> bool {
        self.design != Design::Documents && !self.design.of_pages()
    }

    fn unsound_pairs(&self) -> Option<(usize, String)> {
        let mut left: HashMap<&str, u64> =
            self.strata.iter().map(|stratum| (stratum.name.as_str(), stratum.population)).collect();
        let mut seen = HashSet::new();
        self.pairs.iter().enumerate().find_map(|(i, pair)| {
            let SampledPair { source, target, stratum, weight, probability, .. } = pair;
            let likely = *probability > 0.0 && (*probability <= 1.0 + 1e-9 || self.design.of_pages());
            let why = if !likely || !probability.is_finite() {
                format!("a probability of {probability} is none")
            } else if *weight <= 0.0 || !weight.is_finite() {
                format!("a pair cannot stand for {weight} pairs")
            } else if !seen.insert((source, target)) {
                format!("{source} and {target} are there twice")
            } else {
                match left.get_mut(stratum.as_str()) {
                    None => format!("the first line has no stratum {stratum}"),
                    Some(0) if !self.design.of_pages() => {
                        format!("stratum {stratum} has more pairs than the first line says")
                    }
                    Some(more) => {
                        *more = more.saturating_sub(1);
                        return None;
                    }
                }
            };
            Some((i + 2, why))
        })
    }
}

/// Two configurations that both found more pairs than one of them did.
fn too_many_together(found: &[u64], together: &[Vec<u64>]) -> Option<(usize, usize)> {
    let row = |(i, row): (usize, &Vec<u64>)| {
        let most = |j: usize| found.get(i).zip(found.get(j)).map_or(0, |(a, b)| *a.min(b));
        row.iter().enumerate().find(|(j, both)| **both > most(*j)).map(|(j, _)| (i, j))
    };
    together.iter().enumerate().find_map(row)
}
