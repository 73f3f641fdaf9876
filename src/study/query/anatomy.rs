//! One pair taken apart again and again: what its Jaccard is made of, what every configuration says of it, and what
//! they would say if some of the shared text were not there.

use std::ops::Range;

use crate::StudyError;
use crate::query::lookup::{ConfigurationVerdict, answer, edit_ratios, find_document, find_raw_document, scores_of};
use crate::recipe::ContentRecipe;
use crate::snapshot::Snapshot;
use dejaview_index::{KeptSide, StoredDocument};
use dejaview_matching::Configuration;
use dejaview_methods::layout::Layout;
use dejaview_methods::measures::Scores;
use dejaview_methods::why::{Waterfall, cut};
use dejaview_methods::{Prepared, Shape};
use dejaview_text::{Tokens, decode, extract_main, outside_main};

/// How boilerplate is told where it is.
const TOLD: &str = "boilerplate is what stands outside the main content of both pages, by markup, length and links";

/// The texts of a pair, and which places of them are not main content.
#[derive(Debug, Default)]
pub struct Anatomy {
    texts: [String; 2],
    frames: [Vec<Range<usize>>; 2],
    /// How boilerplate is told apart, or why it is not.
    pub told: String,
}

/// What every configuration and every score says of two texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The similarities that every pair of a run has.
    pub scores: Scores,
    /// The configurations in the order of the study.
    pub answers: Vec<QuickAnswer>,
}

/// One configuration's answer without its reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuickAnswer {
    pub name: String,
    /// Whether it finds the pair.
    pub matches: bool,
    /// How far the two are apart; none for a miss whose distance the method does not count.
    pub distance: Option<u32>,
}

impl Standing {
    /// How many configurations find the pair.
    pub fn matching(&self) -> usize {
        self.answers.iter().filter(|answer| answer.matches).count()
    }
}

/// Fetches the texts of a pair, and tells boilerplate apart where that can be done.
pub fn anatomy(study: &Snapshot, source: &str, target: &str) -> Result<Anatomy, StudyError> {
    let a = find_document(study, source, Some(KeptSide::Source))?.document;
    let b = find_document(study, target, Some(KeptSide::Target))?.document;
    let (frames, told) = match (study.recipe().content, main_frame(study, &a), main_frame(study, &b)) {
        (ContentRecipe::Main, ..) => (Default::default(), "this study compares the main contents already".to_owned()),
        (_, Ok(a), Ok(b)) => ([a, b], TOLD.to_owned()),
        (_, Err(why), _) | (.., Err(why)) => (Default::default(), format!("boilerplate is not told apart: {why}")),
    };
    Ok(Anatomy { texts: [a.text, b.text], frames, told })
}

/// Why the main content of a page is not told apart.
#[derive(Debug, thiserror::Error)]
enum NoFrame {
    #[error("{id} is plain text")]
    PlainText { id: String },
    #[error("the page {id} cannot be read again ({why})")]
    Unread { id: String, why: StudyError },
    #[error("the page {id} cannot be read again (its text is not the one that is kept)")]
    OtherText { id: String },
}

/// The places of a document outside its main content.
fn main_frame(study: &Snapshot, document: &StoredDocument) -> Result<Vec<Range<usize>>, NoFrame> {
    let id = || document.id.clone();
    if document.media != "html" {
        return Err(NoFrame::PlainText { id: id() });
    }
    let found =
        find_raw_document(study, &document.id, Some(document.side)).map_err(|why| NoFrame::Unread { id: id(), why })?;
    let raw = found.raw.unwrap_or_default();
    let mut main = String::new();
    extract_main(&decode(&raw, Some(&document.charset), true).text, &mut main);
    outside_main(&document.text, &main).ok_or_else(|| NoFrame::OtherText { id: id() })
}

impl Anatomy {
    /// Two texts of which nothing is boilerplate.
    pub fn of(source: String, target: String) -> Self {
        Self { texts: [source, target], ..Self::default() }
    }

    /// What the Jaccard of n-grams is made of.
    pub fn waterfall(&self, n: usize) -> Waterfall {
        prepared(self.texts(), |a, b| Waterfall::new(a, b, n, [&self.frames[0], &self.frames[1]]))
    }

    /// What is said of the texts without the spans `off` of source and target.
    pub fn standing(&self, off: &[Vec<Range<usize>>; 2], configurations: &[Configuration]) -> Standing {
        let left = [cut(&self.texts[0], &off[0]), cut(&self.texts[1], &off[1])];
        prepared([&left[0], &left[1]], |a, b| Standing {
            scores: scores_of(a, b),
            answers: configurations.iter().map(|configuration| quick(configuration, a, b)).collect(),
        })
    }

    /// Why one configuration says what it says of the whole texts.
    pub fn explain(&self, configuration: &Configuration) -> ConfigurationVerdict {
        prepared(self.texts(), |a, b| answer(configuration, a, b))
    }

    /// Edit ratio of the whole texts over words, and over characters unless they are very long.
    pub fn edit_ratios(&self) -> (f64, Option<f64>) {
        prepared(self.texts(), edit_ratios)
    }

    fn texts(&self) -> [&str; 2] {
        [&self.texts[0], &self.texts[1]]
    }
}

/// Two texts as the methods want them.
fn prepared<T>(texts: [&str; 2], with: impl FnOnce(&Prepared<'_>, &Prepared<'_>) -> T) -> T {
    let tokens = texts.map(|text| {
        let mut tokens = Tokens::new();
        tokens.read(text);
        tokens
    });
    with(&Prepared::new(texts[0], &tokens[0]), &Prepared::new(texts[1], &tokens[1]))
}

fn quick(configuration: &Configuration, a: &Prepared<'_>, b: &Prepared<'_>) -> QuickAnswer {
    let method = &configuration.method;
    let (mut x, mut y) = (Vec::new(), Vec::new());
    let sketched = method.sketch(a, &mut x) && method.sketch(b, &mut y);
    let evidence = if sketched { method.compare(&x, &y) } else { None };
    let distance = match (evidence, method.shape()) {
        (Some(evidence), _) => Some(u32::from(evidence.distance)),
        (None, Shape::Fingerprint(_)) if sketched => Some(Layout::hamming(&x, &y)),
        _ => None,
    };
    QuickAnswer { name: configuration.name.clone(), matches: evidence.is_some(), distance }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::recipe::standard_set;
    use dejaview_methods::Statistics;

    fn configurations() -> Vec<Configuration> {
        let fit = |recipe: crate::recipe::ConfigurationRecipe| {
            let method = recipe.values.fit(&Statistics::default()).ok()?;
            Some(Configuration { name: recipe.name, method })
        };
        standard_set().into_iter().filter_map(fit).collect()
    }

    const WORDS: [&str; 10] = ["the", "old", "house", "stands", "by", "sea", "and", "its", "light", "keeper"];

    fn written() -> impl Strategy<Value = String> {
        prop::collection::vec((0..WORDS.len(), 0usize..12), 0..120).prop_map(|words| {
            words.iter().map(|&(w, end)| format!("{}{}", WORDS[w], if end == 0 { ".\n" } else { " " })).collect()
        })
    }

    #[test]
    fn quick_answers_are_those_of_the_whole_explanation() {
        let source = "One fine day the keeper of the old light went down to the sea and did not come back to us.";
        for target in [source.to_owned(), source.replace("sea", "shore"), "something else altogether".to_owned()] {
            let anatomy = Anatomy::of(source.to_owned(), target);
            let all = configurations();
            for (quick, configuration) in anatomy.standing(&Default::default(), &all).answers.iter().zip(&all) {
                let whole = anatomy.explain(configuration);
                assert_eq!((&quick.name, quick.matches), (&whole.name, whole.matches));
                assert!(quick.distance.is_none() || quick.distance == whole.evidence, "{}", quick.name);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        /// Switching runs off equals comparing the texts that are left, from scratch.
        #[test]
        fn what_if_is_the_answer_on_the_texts_that_are_left(
            source in written(), target in written(), chosen in prop::collection::vec(any::<bool>(), 60)
        ) {
            let all = configurations();
            let anatomy = Anatomy::of(source.clone(), target.clone());
            let waterfall = anatomy.waterfall(1);
            let off = (0..waterfall.runs.len()).filter(|&i| chosen.get(i).copied().unwrap_or(false));
            let off = waterfall.places(off);
            let left = Anatomy::of(cut(&source, &off[0]), cut(&target, &off[1]));
            let now = anatomy.standing(&off, &all);
            prop_assert_eq!(&now, &left.standing(&Default::default(), &all));
            prop_assert_eq!(now.scores.jaccard_1, left.waterfall(1).jaccard());
            let nothing = anatomy.standing(&waterfall.places([].into_iter()), &all);
            prop_assert_eq!(nothing.scores.jaccard_1, waterfall.jaccard());
        }
    }
}
