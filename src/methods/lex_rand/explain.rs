//! Explains which lexicons agree on two documents: the words that differ, and the lexicons without these words.

use std::cmp::Reverse;
use std::ops::Range;

use super::lexicons::LexRand;
use crate::curves::stability;
use crate::explanation::Explanation;
use crate::lexicon::Rarity;
use crate::lexicon::contrast::{Contrast, LISTED, Word, clause};
use crate::method::{Method, Piece, Reasons};
use crate::prepared::Prepared;

/// Two documents under one lexicon.
struct LexiconView {
    /// 0 is L itself.
    lexicon: usize,
    /// Every word of both, in the same order under each lexicon.
    words: Vec<Word>,
    verdict: Verdict,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Agrees,
    Differs,
    /// One document or both have no signature under this lexicon.
    Rejected,
}

impl LexiconView {
    fn agrees(&self) -> bool {
        self.verdict == Verdict::Agrees
    }

    fn differing(&self) -> Vec<&Word> {
        self.words.iter().filter(|word| word.differs()).collect()
    }

    fn name(&self) -> String {
        if self.lexicon == 0 { "the whole lexicon".to_owned() } else { format!("lexicon {}", self.lexicon) }
    }
}

pub(super) fn reasons(method: &LexRand, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
    let contrast = Contrast::new(&method.lexicon, source, target);
    let words = contrast.words(|_| true);
    let mut parts = contrast.parts(&words);
    if let Some(claim) = contrast.missing_signatures() {
        return Reasons { claim, parts, ..Reasons::default() };
    }
    let sketches = [source, target].map(|document| {
        let mut out = Vec::new();
        method.sketch(document, &mut out);
        out
    });
    let views = views(method, &contrast, &sketches);
    let changed: Vec<&Word> = words.iter().filter(|word| word.differs()).collect();
    parts.push(lexicons(&views, &changed));
    parts.extend(chance(method, &changed));
    let value = sketches[0].iter().zip(&sketches[1]).filter(|(a, b)| a != b).count() as f64;
    if views.iter().any(LexiconView::agrees) {
        let claim = agreement(&views, &changed);
        return Reasons { claim, value: Some(value), parts, pieces: pieces(&contrast, &views), ..Reasons::default() };
    }
    let (claim, decisive) = difference(&contrast, &views);
    Reasons { claim, value: Some(value), parts, decisive, ..Reasons::default() }
}

fn views(method: &LexRand, contrast: &Contrast<'_>, sketches: &[Vec<u64>; 2]) -> Vec<LexiconView> {
    (0..=method.lexicons)
        .map(|k| {
            let verdict = match (sketches[0][k], sketches[1][k]) {
                (0, _) | (_, 0) => Verdict::Rejected,
                (a, b) if a == b => Verdict::Agrees,
                _ => Verdict::Differs,
            };
            LexiconView { lexicon: k, words: contrast.words(|word| method.keeps(k, word)), verdict }
        })
        .collect()
}

/// What becomes of the signature under each lexicon; those that agree first, then the nearest.
fn lexicons(views: &[LexiconView], changed: &[&Word]) -> Explanation {
    let agreeing = views.iter().filter(|view| view.agrees()).count();
    let mut sorted: Vec<&LexiconView> = views.iter().collect();
    sorted.sort_by_key(|view| (view.verdict, view.differing().len(), view.lexicon));
    let mut parts: Vec<Explanation> = sorted.iter().take(LISTED).map(|view| outcome(view, changed)).collect();
    if views.len() > LISTED {
        let more = views.len() - LISTED;
        parts.push(Explanation::new(format!("and {more} more lexicons"), more as f64));
    }
    Explanation::new(format!("lexicons that agree: {agreeing} of {}", views.len()), agreeing as f64).with(parts)
}

fn outcome(view: &LexiconView, changed: &[&Word]) -> Explanation {
    let (name, differing) = (view.name(), view.differing());
    let claim = match view.verdict {
        Verdict::Agrees if changed.is_empty() => format!("{name} agrees on {} words", shared(view)),
        Verdict::Agrees => {
            format!("{name} agrees on {} words and does without all that differ: {}", shared(view), clause(changed))
        }
        Verdict::Differs => format!("{name} differs in {}", clause(&differing)),
        Verdict::Rejected => format!("{name} has too few words for a signature of both"),
    };
    Explanation::new(claim, differing.len() as f64)
}

fn shared(view: &LexiconView) -> usize {
    view.words.iter().filter(|word| word.shared()).count()
}

/// How likely it was that one lexicon leaves out all words of L that differ.
fn chance(method: &LexRand, changed: &[&Word]) -> Option<Explanation> {
    let changes = changed.iter().filter(|word| word.rarity == Rarity::Within).count();
    if changes == 0 || method.lexicons == 0 {
        return None;
    }
    let (drop, lexicons) = (method.drop, method.lexicons);
    let value = stability(drop, changes, lexicons);
    let claim = format!(
        "chance that one of {lexicons} lexicons leaves out as many: 1 − (1 − {drop}^{changes})^{lexicons} = {value:.3}"
    );
    Some(Explanation::new(claim, value))
}

fn agreement(views: &[LexiconView], changed: &[&Word]) -> String {
    let agreeing: Vec<&LexiconView> = views.iter().filter(|view| view.agrees()).collect();
    let verb = if agreeing.len() == 1 { "agrees" } else { "agree" };
    let count = format!("{} of {} lexicons {verb}", agreeing.len(), views.len());
    let Some(first) = agreeing.first() else { return count };
    if changed.is_empty() {
        let same: Vec<&Word> = first.words.iter().filter(|word| word.shared()).collect();
        return format!("{count}, on the same {} words: {}", same.len(), clause(&same));
    }
    format!("{count}; {} does without all that differ: {}", first.name(), clause(changed))
}

/// The lexicon that is nearest to agreeing, and where in the target it differs.
fn difference(contrast: &Contrast<'_>, views: &[LexiconView]) -> (String, Vec<Range<usize>>) {
    let differing = views.iter().filter(|view| view.verdict == Verdict::Differs);
    let Some(nearest) = differing.min_by_key(|view| (view.differing().len(), view.lexicon)) else {
        return ("no lexicon has words for a signature of both".to_owned(), Vec::new());
    };
    let words = nearest.differing();
    let claim = format!(
        "none of {} lexicons agrees; nearest is {}, which differs in {}",
        views.len(),
        nearest.name(),
        clause(&words)
    );
    (claim, contrast.decisive(&nearest.words))
}

/// Words that are evidence for the match: first the few that together are in all lexicons that agree, then the few of the rest
/// that do, and so on.
fn pieces(contrast: &Contrast<'_>, views: &[LexiconView]) -> Vec<Piece> {
    let agreeing: Vec<&LexiconView> = views.iter().filter(|view| view.agrees()).collect();
    let all = agreeing.iter().fold(0u128, |mask, view| mask | 1 << view.lexicon);
    let mask = |i: usize| agreeing.iter().filter(|v| v.words[i].shared()).fold(0u128, |mask, v| mask | 1 << v.lexicon);
    let words = views.first().map_or(0, |view| view.words.len());
    let mut left: Vec<(usize, u128)> = (0..words).map(|i| (i, mask(i))).filter(|(_, mask)| *mask != 0).collect();
    let (mut pieces, mut open) = (Vec::new(), all);
    while pieces.len() < LISTED {
        let cover = |&(i, mask): &(usize, u128)| ((mask & open).count_ones(), Reverse(i));
        let Some(best) = (0..left.len()).max_by_key(|&at| cover(&left[at])) else { break };
        let (i, mask) = left.remove(best);
        pieces.push(contrast.piece(&views[0].words[i]));
        open &= !mask;
        if open == 0 {
            open = all;
        }
    }
    pieces
}
