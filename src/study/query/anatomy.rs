//! What the Jaccard of a pair is made of, the verdict of every configuration on it, and what both would be without some of
//! the shared text.

use std::ops::Range;

use crate::StudyError;
use crate::query::lookup::{
    ConfigurationVerdict, configuration_verdicts, decides_on_others, edit_ratios, find_document, find_raw_document,
};
use crate::recipe::ContentRecipe;
use crate::snapshot::Snapshot;
use dejaview_index::{KeptSide, StoredDocument};
use dejaview_matching::Configuration;
use dejaview_methods::layout::Layout;
use dejaview_methods::measures::Scores;
use dejaview_methods::why::{Waterfall, cut};
use dejaview_methods::{Prepared, Shape};
use dejaview_text::{Tokens, decode, extract_main, outside_main};

/// How boilerplate is recognised.
const BOILERPLATE_RULE: &str =
    "boilerplate is what stands outside the main content of both pages, by markup, length and links";

/// The texts of a pair, and the spans of them that are not main content.
#[derive(Debug, Default)]
pub struct Anatomy {
    texts: [String; 2],
    boilerplate: [Vec<Range<usize>>; 2],
    /// How boilerplate is recognised, or why it is not.
    pub boilerplate_note: String,
}

/// The scores of two texts and the verdict of every configuration on them.
#[derive(Debug, Clone, PartialEq)]
pub struct PairVerdicts {
    /// The similarities that every pair of a run has.
    pub scores: Scores,
    /// The configurations in the order of the study.
    pub verdicts: Vec<QuickVerdict>,
}

/// The verdict of one configuration without its reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuickVerdict {
    pub name: String,
    /// Whether it finds the pair.
    pub matches: bool,
    /// How far the two are apart; none for a miss whose distance the method does not count.
    pub distance: Option<u32>,
}

impl PairVerdicts {
    /// How many configurations find the pair.
    pub fn matching(&self) -> usize {
        self.verdicts.iter().filter(|verdict| verdict.matches).count()
    }
}

/// Fetches the texts of a pair, and recognises boilerplate where that can be done.
pub fn anatomy(study: &Snapshot, source: &str, target: &str) -> Result<Anatomy, StudyError> {
    let a = find_document(study, source, Some(KeptSide::Source))?.document;
    let b = find_document(study, target, Some(KeptSide::Target))?.document;
    let (boilerplate, boilerplate_note) =
        match (study.recipe().content, outside_main_content(study, &a), outside_main_content(study, &b)) {
            (ContentRecipe::Main, ..) => {
                (Default::default(), "this study compares the main contents already".to_owned())
            }
            (_, Ok(a), Ok(b)) => ([a, b], BOILERPLATE_RULE.to_owned()),
            (_, Err(why), _) | (.., Err(why)) => (Default::default(), format!("boilerplate is not told apart: {why}")),
        };
    Ok(Anatomy { texts: [a.text, b.text], boilerplate, boilerplate_note })
}

/// Why the main content of a document is not known.
#[derive(Debug, thiserror::Error)]
enum NoMainContent {
    #[error("{id} is plain text")]
    PlainText { id: String },
    #[error("the page {id} cannot be read again ({why})")]
    Unread { id: String, why: StudyError },
    #[error("the page {id} cannot be read again (its text is not the one that is kept)")]
    OtherText { id: String },
}

/// The spans of a document outside its main content.
fn outside_main_content(study: &Snapshot, document: &StoredDocument) -> Result<Vec<Range<usize>>, NoMainContent> {
    let id = || document.id.clone();
    if document.media != "html" {
        return Err(NoMainContent::PlainText { id: id() });
    }
    let found = find_raw_document(study, &document.id, Some(document.side))
        .map_err(|why| NoMainContent::Unread { id: id(), why })?;
    let raw = found.raw.unwrap_or_default();
    let mut main = String::new();
    extract_main(&decode(&raw, Some(&document.charset), true).text, &mut main);
    outside_main(&document.text, &main).ok_or_else(|| NoMainContent::OtherText { id: id() })
}

impl Anatomy {
    /// Two texts of which nothing is boilerplate.
    pub fn from_texts(source: String, target: String) -> Self {
        Self { texts: [source, target], ..Self::default() }
    }

    /// What the Jaccard of n-grams is made of.
    pub fn waterfall(&self, n: usize) -> Waterfall {
        prepared(self.texts(), |a, b| Waterfall::new(a, b, n, [&self.boilerplate[0], &self.boilerplate[1]]))
    }

    /// The verdicts on the texts without the spans `off` of source and target.
    pub fn verdicts(&self, off: &[Vec<Range<usize>>; 2], configurations: &[Configuration]) -> PairVerdicts {
        self.prepared_without(off, |a, b| {
            let mut verdicts: Vec<QuickVerdict> =
                configurations.iter().map(|configuration| quick_verdict(configuration, a, b)).collect();
            let found =
                configurations.iter().zip(&verdicts).any(|(c, verdict)| verdict.matches && !decides_on_others(c));
            for (configuration, verdict) in configurations.iter().zip(&mut verdicts) {
                verdict.matches &= found || !decides_on_others(configuration);
            }
            PairVerdicts { scores: Scores::of(a, b), verdicts }
        })
    }

    /// The same verdicts with their reasons. The spans in them are those of the texts without `off`.
    pub fn explain(&self, off: &[Vec<Range<usize>>; 2], configurations: &[Configuration]) -> Vec<ConfigurationVerdict> {
        self.prepared_without(off, |a, b| configuration_verdicts(configurations, a, b))
    }

    /// Edit ratio of the whole texts over words, and over characters unless they are very long.
    pub fn edit_ratios(&self) -> (f64, Option<f64>) {
        prepared(self.texts(), edit_ratios)
    }

    /// The texts without the spans `off`, as the methods want them.
    fn prepared_without<T>(
        &self,
        off: &[Vec<Range<usize>>; 2],
        with: impl FnOnce(&Prepared<'_>, &Prepared<'_>) -> T,
    ) -> T {
        let left = [cut(&self.texts[0], &off[0]), cut(&self.texts[1], &off[1])];
        prepared([&left[0], &left[1]], with)
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

fn quick_verdict(configuration: &Configuration, a: &Prepared<'_>, b: &Prepared<'_>) -> QuickVerdict {
    let method = &configuration.method;
    let (mut x, mut y) = (Vec::new(), Vec::new());
    let sketched = method.sketch(a, &mut x) && method.sketch(b, &mut y);
    let evidence = if sketched { method.compare(&x, &y) } else { None };
    let distance = match (evidence, method.shape()) {
        (Some(evidence), _) => Some(u32::from(evidence.distance)),
        (None, Shape::Fingerprint(_)) if sketched => Some(Layout::hamming(&x, &y)),
        _ => None,
    };
    QuickVerdict { name: configuration.name.clone(), matches: evidence.is_some(), distance }
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
            let anatomy = Anatomy::from_texts(source.to_owned(), target);
            let all = configurations();
            let explained = anatomy.explain(&Default::default(), &all);
            for (quick, whole) in anatomy.verdicts(&Default::default(), &all).verdicts.iter().zip(&explained) {
                assert_eq!((&quick.name, quick.matches), (&whole.name, whole.matches));
                assert!(quick.distance.is_none() || quick.distance == whole.evidence, "{}", quick.name);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 10))]
        /// Switching runs off equals comparing the texts that are left, from scratch.
        #[test]
        fn what_if_is_the_answer_on_the_texts_that_are_left(
            source in written(), target in written(), chosen in prop::collection::vec(any::<bool>(), 60)
        ) {
            let all = configurations();
            let anatomy = Anatomy::from_texts(source.clone(), target.clone());
            let waterfall = anatomy.waterfall(1);
            let off = (0..waterfall.runs.len()).filter(|&i| chosen.get(i).copied().unwrap_or(false));
            let off = waterfall.places(off);
            let left = Anatomy::from_texts(cut(&source, &off[0]), cut(&target, &off[1]));
            let now = anatomy.verdicts(&off, &all);
            prop_assert_eq!(&now, &left.verdicts(&Default::default(), &all));
            prop_assert_eq!(now.scores.jaccard_1, left.waterfall(1).jaccard());
            let nothing = anatomy.verdicts(&waterfall.places([].into_iter()), &all);
            prop_assert_eq!(nothing.scores.jaccard_1, waterfall.jaccard());
        }
    }
}
