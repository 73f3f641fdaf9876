//! Makes the rows of the tables from the tallies.

use rayon::prelude::*;

use super::pages::{ComparedDocument, MINIMA, MOST_LEXICONS, Methods, RIVALS, SWEEP, SWEPT_LEXICONS};
use super::table::{CosineRow, Experiments, LexiconRow, MinHashRow, SameUrl, SimHashRow};
use super::tally::{FURTHEST, FoundByLexicons, SHOWN_DISTANCES, Tally, tally, thresholds};
use dejaview_base::similarity::ratio;

/// Compares everyone with everyone.
pub(super) fn compare([source, target]: &[Vec<ComparedDocument>; 2], methods: &Methods) -> Experiments {
    let thresholds = thresholds();
    let tallies: Vec<Tally> = source.par_iter().map(|page| tally(page, target, methods, &thresholds)).collect();
    let alike = tallies.iter().map(|t| t.alike).sum();
    let found_at = |k: usize| -> u64 { tallies.iter().filter_map(|t| t.simhash.first()).map(|t| t[k][0]).sum() };
    let cosine = thresholds.iter().enumerate().map(|(i, &threshold)| {
        let positive: u64 = tallies.iter().map(|t| t.cosine[i].0).sum();
        let at = SHOWN_DISTANCES.iter().enumerate().map(|(s, &k)| {
            let found: u64 = tallies.iter().map(|t| t.cosine[i].1[s]).sum();
            [share(found, found_at(k)), share(found, positive)]
        });
        let rivals = (0..RIVALS.len()).map(|rival| {
            let found = tallies.iter().filter_map(|t| t.rivals[i].get(rival)).sum();
            [share(found, tallies.iter().filter_map(|t| t.found_by_rivals.get(rival)).sum()), share(found, positive)]
        });
        CosineRow { threshold, positive, at: at.collect(), rivals: rivals.collect() }
    });
    Experiments {
        source: source.len(),
        target: target.len(),
        left_out: 0,
        pairs: tallies.iter().map(|t| t.pairs).sum(),
        alike,
        simhash: simhash_rows(&tallies, alike, |t| &t.simhash),
        same_url: same_url(&tallies),
        cosine: cosine.collect(),
        rivals: RIVALS.to_vec(),
        minhash: minhash_rows(&tallies),
        lexicons: lexicon_rows(&tallies, 0),
        other_lexicons: (1..SWEPT_LEXICONS.len()).flat_map(|lexicon| lexicon_rows(&tallies, lexicon)).collect(),
        stability: Vec::new(),
    }
}

/// The share of so many, if there are any.
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| ratio(part, whole))
}

type Counts = [[u64; 2]; FURTHEST + 1];

fn simhash_rows(tallies: &[Tally], alike: u64, counts: fn(&Tally) -> &Vec<Counts>) -> Vec<SimHashRow> {
    let mut rows = Vec::new();
    for (c, swept) in SWEEP.iter().enumerate() {
        let ngrams = swept.name();
        for distance in 1..=FURTHEST {
            let sum = |i: usize| tallies.iter().filter_map(|t| counts(t).get(c)).map(|t| t[distance][i]).sum();
            let (pairs, positive): (u64, u64) = (sum(0), sum(1));
            let (precision, recall) = (share(positive, pairs), share(positive, alike));
            rows.push(SimHashRow { ngrams: ngrams.clone(), distance, pairs, positive, precision, recall });
        }
    }
    rows
}

/// The same of pairs with one address; none when there is no such pair.
fn same_url(tallies: &[Tally]) -> Option<SameUrl> {
    let sum = |i: usize| tallies.iter().map(|t| t.same_url[i]).sum::<u64>();
    let (pairs, alike) = (sum(0), sum(1));
    let simhash = || simhash_rows(tallies, alike, |t| &t.simhash_same_url);
    (pairs > 0).then(|| SameUrl { pairs, alike, simhash: simhash() })
}

fn minhash_rows(tallies: &[Tally]) -> Vec<MinHashRow> {
    let row = |(i, &minima): (usize, &u64)| {
        let errors = || tallies.iter().filter_map(move |t| t.minhash.get(i));
        let pairs: u64 = errors().map(|t| t.0).sum();
        let mean = |s: usize| errors().map(|t| t.1[s]).sum::<f64>() / pairs.max(1) as f64;
        MinHashRow { minima, pairs, bias: mean(0), error: mean(1).sqrt(), expected: mean(2).sqrt() }
    };
    MINIMA.iter().enumerate().map(row).collect()
}

/// The rows of one of the lexicons.
fn lexicon_rows(tallies: &[Tally], lexicon: usize) -> Vec<LexiconRow> {
    let asked = tallies.iter().filter(|t| t.neighbours > 0).count() as u64;
    let mut rows: Vec<LexiconRow> = Vec::new();
    for lexicons in 0..=MOST_LEXICONS {
        let found = |t: &Tally| t.lexicons.get(lexicon).map(|found| found[lexicons]);
        let with = tallies.iter().filter(|t| t.neighbours > 0);
        let shares = with.filter_map(|t| Some(ratio(found(t)?.neighbours, t.neighbours)));
        let recall = (asked > 0).then(|| shares.fold(0.0, |sum, share| sum + share) / asked as f64);
        let sum = |count: fn(&FoundByLexicons) -> u64| tallies.iter().filter_map(found).map(|f| count(&f)).sum::<u64>();
        let pairs = sum(|found| found.pairs);
        let first = rows.first().map_or(recall, |row| row.recall).filter(|first| *first > 0.0);
        rows.push(LexiconRow {
            lexicon: SWEPT_LEXICONS[lexicon].name,
            lexicons: lexicons as u64,
            recall,
            gain: recall.zip(first).map(|(recall, first)| recall / first - 1.0),
            precision: share(sum(|found| found.right), pairs),
            pairs,
            asked,
        });
    }
    rows
}
