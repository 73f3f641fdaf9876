//! Fuzzy-fingerprints (Stein, I-KNOW 2005): how often words begin with each letter, roughly.
//!
//! The words of a page are counted by 30 classes of what they begin with. How far the share of each class lies from what is
//! usual in the collection is told in three levels: less, about as usual, more. The levels of all classes make one number;
//! three schemes with other borders make three, and one equal number is enough. Small changes of a page move shares a
//! little, and mostly over no border.
//!
//! Ours, where the paper leaves it open: a class for each letter from a to z, one for digits, three for all other letters by
//! their hash; content words; borders at 0.2, 0.35 and 0.5 of the usual share on either side; what is usual is learned from
//! the collection, and is the same share for every class where nothing is known. Pages of fewer than 10 content words have
//! no sketch. Cost: one look a word. Sketch: three words.

use super::algorithm::{self, Algorithm, Collection};
use super::explanation::Explanation;
use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::{Declaration, MethodError};
use super::prepared::Prepared;
use dejaview_base::hash::{M, fmix64, token};
use dejaview_text::Tokens;

/// Classes of beginnings.
const CLASSES: usize = 30;
/// Content words that a page must have.
const LEAST: u32 = 10;
/// How far a share may lie from the usual one to count as usual, as a part of it; one for each scheme.
const BORDERS: [f64; 3] = [0.2, 0.35, 0.5];

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters;

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "fuzzy-fingerprints";
    const ABOUT: &'static str =
        "how often words begin with each letter, in three levels; one of three schemes equal matches (Stein 2005)";
    const DISTANCE: &'static str = "schemes that differ";
    const FITTED: bool = true;
    const LEARNS: bool = true;

    fn declare(_: &mut Declaration<'_>) -> Self {
        Self
    }

    fn learn(&self, texts: &[String]) -> Vec<u64> {
        let (mut tokens, mut counts) = (Tokens::new(), [0u64; CLASSES]);
        for text in texts {
            tokens.read(text);
            let page = class_counts(&Prepared::new(text, &tokens));
            counts.iter_mut().zip(page).for_each(|(count, more)| *count += u64::from(more));
        }
        counts.to_vec()
    }

    fn fit(self, collection: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        // Every class counts once more, so that none is impossible.
        let counts: Vec<f64> =
            (0..CLASSES).map(|i| 1.0 + collection.learned.get(i).map_or(0.0, |n| *n as f64)).collect();
        let total: f64 = counts.iter().sum();
        Ok(Box::new(FuzzyFingerprints { usual: counts.iter().map(|count| count / total).collect() }))
    }
}

/// The class of a word by what it begins with.
fn class(word: &str) -> usize {
    match word.chars().next() {
        Some(letter @ 'a'..='z') => letter as usize - 'a' as usize,
        Some('0'..='9') => 26,
        Some(other) => 27 + (token(other.to_string().as_bytes()) % 3) as usize,
        None => 29,
    }
}

/// Content words of each class, repeated ones included.
fn class_counts(document: &Prepared<'_>) -> [u32; CLASSES] {
    let mut counts = [0; CLASSES];
    for term in document.terms().iter().filter(|term| term.content) {
        counts[class(&document.word(term))] += term.tf;
    }
    counts
}

/// The method, with the usual share of each class.
#[derive(Debug)]
struct FuzzyFingerprints {
    usual: Vec<f64>,
}

impl FuzzyFingerprints {
    /// The level of each class in a scheme: 0 less than usual, 1 usual, 2 more. None for a page that is too short.
    fn levels(&self, document: &Prepared<'_>, border: f64) -> Option<Vec<u8>> {
        let counts = class_counts(document);
        let total: u32 = counts.iter().sum();
        if total < LEAST {
            return None;
        }
        let level = |(count, usual): (&u32, &f64)| {
            let deviation = f64::from(*count) / f64::from(total) / usual - 1.0;
            u8::from(deviation > -border) + u8::from(deviation > border)
        };
        Some(counts.iter().zip(&self.usual).map(level).collect())
    }
}

impl Method for FuzzyFingerprints {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let levels: Option<Vec<Vec<u8>>> = BORDERS.iter().map(|border| self.levels(document, *border)).collect();
        let Some(levels) = levels else { return false };
        let number = |(scheme, levels): (usize, &Vec<u8>)| {
            let sum =
                levels.iter().fold(scheme as u64, |sum, level| sum.wrapping_mul(3).wrapping_add(u64::from(*level)));
            fmix64(sum.wrapping_mul(M).wrapping_add(scheme as u64))
        };
        out.extend(levels.iter().enumerate().map(number));
        true
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let equal = a.iter().zip(b).filter(|(x, y)| x == y).count();
        (equal > 0).then(|| Evidence { distance: (BORDERS.len() - equal) as u16 })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let (mut parts, mut equal) = (Vec::new(), 0);
        for border in BORDERS {
            let (Some(a), Some(b)) = (self.levels(source, border), self.levels(target, border)) else {
                return Reasons {
                    claim: format!("a document has fewer than {LEAST} content words"),
                    ..Reasons::default()
                };
            };
            let differing: Vec<String> = (0..CLASSES).filter(|i| a[*i] != b[*i]).map(class_name).collect();
            equal += usize::from(differing.is_empty());
            let claim = match differing.is_empty() {
                true => format!("within {border} of the usual shares: all levels are equal"),
                false => format!(
                    "within {border} of the usual shares: words that begin with {} differ",
                    differing.join(", ")
                ),
            };
            parts.push(Explanation::new(claim, differing.len() as f64));
        }
        let claim = format!("{equal} of {} schemes are equal, one is needed", BORDERS.len());
        Reasons { claim, value: Some((BORDERS.len() - equal) as f64), parts, ..Reasons::default() }
    }
}

fn class_name(class: usize) -> String {
    match class {
        0..26 => char::from(b'a' + class as u8).to_string(),
        26 => "a digit".to_owned(),
        other => format!("other letters ({})", other - 26),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{fitted, sketch, verdict};

    const PAGE: &str = "Old lanterns burn along the harbour while keepers mend their boats and gulls circle above granite \
                        quays where captains watch the weather and signal flags";

    #[test]
    fn a_changed_word_moves_no_share_over_a_border_and_another_page_does() {
        let method = fitted(&ALGORITHM, &[], &[PAGE]);
        assert_eq!(verdict(&*method, PAGE, PAGE), Some(Evidence { distance: 0 }));
        assert!(verdict(&*method, PAGE, &PAGE.replace("weather", "waves")).is_some(), "the same beginnings");
        let other =
            "Zebras zigzag through yellow grass under violet skies until evening, quietly, every year since nineteen";
        assert_eq!(verdict(&*method, PAGE, other), None);
        assert_eq!(sketch(&*method, "too short a page"), None);
    }

    #[test]
    fn classes_are_by_the_first_letter() {
        assert_eq!(["apple", "zebra", "1911"].map(class), [0, 25, 26]);
        assert!((27..30).contains(&class("гавань")) && (27..30).contains(&class("東京")));
    }
}
