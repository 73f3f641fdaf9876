//! Fuzzy matching: the letters that were typed, in their order, anywhere in a text. Starts of words and letters that follow
//! each other count more, so that `pl` prefers `palette` in `palette list` to `people`.

/// Letters of a text that are looked at; nobody searches for the end of a longer one.
const LONGEST: usize = 300;

const AT_WORD_START: i32 = 8;
const AT_TEXT_START: i32 = 2;
const AFTER_PREVIOUS: i32 = 6;
/// For letters that are skipped between two of the match, however many.
const GAP: i32 = -3;

/// How well a text matches what was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FuzzyMatch {
    /// Higher is better.
    pub score: i32,
    /// Bytes of the text where the matched letters begin, ascending.
    pub letters: Vec<usize>,
}

struct Letter {
    byte: usize,
    lower: char,
    bonus: i32,
}

fn letters(text: &str) -> Vec<Letter> {
    let mut previous: Option<char> = None;
    let letter = |(byte, c): (usize, char)| {
        let starts = match previous {
            None => AT_TEXT_START + AT_WORD_START,
            Some(before) if c.is_alphanumeric() && !before.is_alphanumeric() => AT_WORD_START,
            Some(before) if c.is_uppercase() && before.is_lowercase() => AT_WORD_START,
            Some(_) => 0,
        };
        previous = Some(c);
        Letter { byte, lower: c.to_lowercase().next().unwrap_or(c), bonus: 1 + starts }
    };
    text.char_indices().take(LONGEST).map(letter).collect()
}

/// Matches every word that was typed, each anywhere in the text; none when one does not match.
pub fn fuzzy_match(text: &str, typed: &str) -> Option<FuzzyMatch> {
    let letters = letters(text);
    let mut all = FuzzyMatch { score: 0, letters: Vec::new() };
    for word in typed.split_whitespace() {
        let word: Vec<char> = word.chars().map(|c| c.to_lowercase().next().unwrap_or(c)).collect();
        let (score, places) = match_word(&letters, &word)?;
        all.score += score;
        all.letters.extend(places.into_iter().map(|place| letters[place].byte));
    }
    all.letters.sort_unstable();
    all.letters.dedup();
    Some(all)
}

/// The best way to match a word, and the places of its letters; of equal ones the first.
fn match_word(text: &[Letter], word: &[char]) -> Option<(i32, Vec<usize>)> {
    // For each letter of the word and each place in the text: the best score that ends there, and the place before it.
    let mut table: Vec<Vec<Option<(i32, usize)>>> = Vec::with_capacity(word.len());
    for (number, wanted) in word.iter().enumerate() {
        let previous = number.checked_sub(1).and_then(|at| table.get(at));
        // The best end of the word so far that leaves a gap before the place at hand.
        let mut apart: Option<(i32, usize)> = None;
        let mut row = Vec::with_capacity(text.len());
        for (place, letter) in text.iter().enumerate() {
            let end = |at: usize| previous.and_then(|row| row[at]).map(|(score, _)| (score, at));
            if let Some(further) = place.checked_sub(2).and_then(end) {
                apart = Some(apart.map_or(further, |best| if further.0 > best.0 { further } else { best }));
            }
            let close = place.checked_sub(1).and_then(end).map(|(score, at)| (score + AFTER_PREVIOUS, at));
            let far = apart.map(|(score, at)| (score + GAP, at));
            let before = match (close, far) {
                (Some(close), Some(far)) => Some(if close.0 >= far.0 { close } else { far }),
                (one, other) => one.or(other),
            };
            let before = if number == 0 { Some((0, place)) } else { before };
            row.push(before.filter(|_| letter.lower == *wanted).map(|(score, at)| (score + letter.bonus, at)));
        }
        table.push(row);
    }
    let ends = table.last()?.iter().enumerate().filter_map(|(place, end)| Some((end.as_ref()?.0, place)));
    let (score, mut place) = ends.fold(None, |best: Option<(i32, usize)>, end| match best {
        Some(best) if best.0 >= end.0 => Some(best),
        _ => Some(end),
    })?;
    let mut places = vec![place];
    for row in table.iter().skip(1).rev() {
        place = row[place]?.1;
        places.push(place);
    }
    places.reverse();
    Some((score, places))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matched(text: &str, typed: &str) -> Option<String> {
        let found = fuzzy_match(text, typed)?;
        Some(found.letters.iter().filter_map(|at| text[*at..].chars().next()).collect())
    }

    fn best<'a>(texts: &[&'a str], typed: &str) -> &'a str {
        let score = |text: &&str| fuzzy_match(text, typed).map(|found| found.score);
        texts
            .iter()
            .copied()
            .filter(|text| score(text).is_some())
            .max_by_key(|text| (score(text), usize::MAX - text.len()))
            .unwrap()
    }

    #[test]
    fn starts_of_words_and_neighbours_are_preferred() {
        assert_eq!(best(&["next-pair", "pairs", "paragraph"], "pair"), "pairs");
        assert_eq!(best(&["open", "open-reverse", "copy-url"], "or"), "open-reverse");
        assert_eq!(best(&["theme dark", "set profile dedupe"], "de"), "set profile dedupe");
        assert_eq!(fuzzy_match("next-result", "nr").unwrap().letters, [0, 5]);
        assert_eq!(fuzzy_match("Fresnel lens", "lens").unwrap().letters, [8, 9, 10, 11]);
        assert_eq!(matched("Fresnel lens", "LENS fr").as_deref(), Some("Frlens"), "words in any order");
        assert_eq!(matched("Äpfel", "äp").as_deref(), Some("Äp"));
        assert_eq!(fuzzy_match("pairs", "pairz"), None);
        assert_eq!(fuzzy_match("anything", "  "), Some(FuzzyMatch { score: 0, letters: Vec::new() }));
    }

    /// Every way to find the letters of a word, scored plainly.
    fn all_scores(text: &[Letter], word: &[char], from: usize, last: Option<usize>) -> Vec<i32> {
        let Some(wanted) = word.first() else { return vec![0] };
        let places = (from..text.len()).filter(|place| text[*place].lower == *wanted);
        let scores = places.flat_map(|place| {
            let joint = match last {
                None => 0,
                Some(last) if last + 1 == place => AFTER_PREVIOUS,
                Some(_) => GAP,
            };
            let rest = all_scores(text, &word[1..], place + 1, Some(place));
            rest.into_iter().map(move |rest| (rest, joint, place))
        });
        scores.map(|(rest, joint, place)| rest + joint + text[place].bonus).collect()
    }

    proptest! {
        #[test]
        fn the_best_of_all_ways_is_found(text in "[abAB -]{0,12}", word in "[ab]{1,4}") {
            let wanted: Vec<char> = word.chars().collect();
            let found = fuzzy_match(&text, &word);
            prop_assert_eq!(found.as_ref().map(|found| found.score), all_scores(&letters(&text), &wanted, 0, None).into_iter().max());
            if let Some(found) = found {
                prop_assert_eq!(matched(&text, &word).map(|letters| letters.to_lowercase()), Some(word));
                prop_assert!(found.letters.is_sorted());
            }
        }
    }
}
