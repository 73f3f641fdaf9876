//! How often signatures under random lexicons survive changed words, measured on documents of the study (Figure 1 of Kołcz
//! et al., which shows the formula alone).

use rayon::prelude::*;

use super::pages::MOST_LEXICONS;
use super::table::StabilityRow;
use dejaview_base::hash;
use dejaview_base::random::Random;
use dejaview_matching::source::Source;
use dejaview_methods::curves::stability;
use dejaview_methods::prepared::Term;
use dejaview_methods::{Method, Prepared, Statistics, Values, lex_rand};
use dejaview_text::Tokens;

/// The numbers of lexicons in the figure of the paper.
const BAGS: [usize; 3] = [2, 5, 10];
/// Words that are taken out or put in at most, as in the figure.
const MOST_CHANGES: usize = 8;
/// The share of words that a random lexicon lacks, as in the paper and by default.
const DROPPED: f64 = 0.33;
/// Documents that are changed at most.
const DOCUMENTS: usize = 400;
/// Words of the lexicon that a document must have: the formula holds where changes are few beside these.
const FEWEST: usize = 40;
/// Seed of the choice of words.
const SEED: u64 = 1;

/// Every number of lexicons with every number of changes.
pub(super) fn measure(source: &Source, statistics: &Statistics) -> Vec<StabilityRow> {
    let mut texts: Vec<String> = source.documents.iter().map(|document| document.text()).collect();
    // Documents with the same text would be changed in the same way.
    texts.sort_by_cached_key(|text| hash::digest_bits(text.as_bytes()));
    texts.dedup();
    rows(&survivors(&texts, statistics))
}

/// For each document and each number of changes from 1 on, how many lexicons it takes: the number of the first whose
/// signature is as it was, none where all are others.
type Survivors = Vec<[Option<usize>; MOST_CHANGES]>;

fn rows(survivors: &Survivors) -> Vec<StabilityRow> {
    let documents = survivors.len();
    let row = |lexicons: usize, changes: usize| {
        let survives = |first: &[Option<usize>; MOST_CHANGES]| match changes.checked_sub(1) {
            None => true,
            Some(place) => first[place].is_some_and(|first| first <= lexicons),
        };
        let share = || survivors.iter().filter(|first| survives(first)).count() as f64 / documents as f64;
        StabilityRow {
            lexicons,
            changes,
            theory: stability(DROPPED, changes, lexicons),
            measured: (documents > 0).then(share),
            documents,
        }
    };
    BAGS.iter().flat_map(|&lexicons| (0..=MOST_CHANGES).map(move |changes| row(lexicons, changes))).collect()
}

fn survivors(texts: &[String], statistics: &Statistics) -> Survivors {
    let values = Values::new(&lex_rand::ALGORITHM);
    let Ok(method) = values.fit(statistics) else { return Vec::new() };
    let tokens: Vec<Tokens> = texts.par_iter().map(|text| tokens_of(text)).collect();
    let documents: Vec<Prepared<'_>> =
        texts.iter().zip(&tokens).map(|(text, tokens)| Prepared::new(text, tokens)).collect();
    let with_words =
        documents.iter().map(|document| (document, lex_rand::lexicon_words(&values, statistics, document)));
    let changed: Vec<_> = with_words.filter(|(_, words)| words.len() >= FEWEST).take(DOCUMENTS).collect();
    let survivors = changed.iter().enumerate().map(|(i, (document, words))| {
        let (donor, others) = &changed[(i + 1) % changed.len()];
        let foreign = others.iter().filter(|word| document.terms().iter().all(|own| own.hash != word.hash));
        let foreign: Vec<String> = foreign.map(|word| donor.word(word).into_owned()).collect();
        let before = sketch(&*method, document);
        let first = |changes: usize| {
            let mut random = Random::new(SEED, (i * (MOST_CHANGES + 1) + changes) as u64);
            let text = change(document, words, &foreign, changes, &mut random);
            let tokens = tokens_of(&text);
            let after = sketch(&*method, &Prepared::new(&text, &tokens));
            let further = |sketch: &[u64]| sketch.get(1..=MOST_LEXICONS).unwrap_or_default().to_vec();
            lex_rand::first_equal(&further(&before), &further(&after)).map(|place| place + 1)
        };
        std::array::from_fn(|place| first(place + 1))
    });
    survivors.collect()
}

fn tokens_of(text: &str) -> Tokens {
    let mut tokens = Tokens::new();
    tokens.read(text);
    tokens
}

fn sketch(method: &dyn Method, document: &Prepared<'_>) -> Vec<u64> {
    let mut out = Vec::new();
    method.sketch(document, &mut out);
    out
}

/// The text with so many words of the lexicon changed: in turn one is taken out wherever it stands, and one of another
/// document is put in at the end, as long as there are any.
fn change(document: &Prepared<'_>, words: &[&Term], foreign: &[String], changes: usize, random: &mut Random) -> String {
    let (mut text, mut own, mut foreign) = (document.text().to_owned(), words.to_vec(), foreign.to_vec());
    let mut put_in = String::new();
    for number in 0..changes {
        if number % 2 == 1 && !foreign.is_empty() {
            put_in.push(' ');
            put_in.push_str(&foreign.swap_remove(random.below(foreign.len() as u64) as usize));
        } else if !own.is_empty() {
            let word = own.swap_remove(random.below(own.len() as u64) as usize);
            for place in document.places(word.hash) {
                text.replace_range(place.clone(), &" ".repeat(place.len()));
            }
        }
    }
    text + "\n" + &put_in
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_methods::Counts;

    /// Pages of 80 of 600 words, each word on about as many pages as any other.
    #[test]
    fn signatures_survive_as_often_as_the_formula_says() {
        let word = |n: u64| format!("word{}", ["alpha", "bravo", "delta", "gamma"][n as usize % 4]) + &letters(n);
        let page = |seed: u64| {
            let mut random = Random::new(7, seed);
            (0..80).map(|_| word(random.below(600))).collect::<Vec<_>>().join(" ")
        };
        let texts: Vec<String> = (0..300).map(page).collect();
        let mut counts = Counts::default();
        for text in &texts {
            let tokens = tokens_of(text);
            counts.add(&Prepared::new(text, &tokens));
        }
        let rare = (0..40).map(|n| format!("rare{}", letters(n)));
        for text in rare {
            let tokens = tokens_of(&text);
            counts.add(&Prepared::new(&text, &tokens));
        }
        let survivors = survivors(&texts, &counts.finish());
        assert_eq!(survivors.len(), 300);
        for row in rows(&survivors) {
            let measured = row.measured.unwrap();
            let error = (row.theory * (1.0 - row.theory) / 300.0).sqrt();
            assert!((measured - row.theory).abs() <= 4.0 * error + 0.01, "{row:?}");
        }
    }

    /// A number in letters, as words with more than one digit do not count.
    fn letters(mut number: u64) -> String {
        let mut letters = String::new();
        while letters.len() < 3 {
            letters.push((b'a' + (number % 26) as u8) as char);
            number /= 26;
        }
        letters
    }

    #[test]
    fn words_come_and_go() {
        let (text, tokens) = ("harbour lantern harbour keeper", tokens_of("harbour lantern harbour keeper"));
        let document = Prepared::new(text, &tokens);
        let words = [&document.terms()[0]];
        let changed = change(&document, &words, &["gannet".to_owned()], 2, &mut Random::new(1, 1));
        assert_eq!(changed.split_whitespace().collect::<Vec<_>>(), ["lantern", "keeper", "gannet"]);
    }
}
