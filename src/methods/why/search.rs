//! The search for the items that are needed to change a verdict, by trying texts within a budget.

use crate::method::Method;
use crate::prepared::Prepared;
use dejaview_text::Tokens;

/// Tokens that one search may sketch; of a text with few words every 16 bytes count as one.
pub const BUDGET: usize = 20_000_000;
/// Times that a search among groups may look at all of them within the budget.
const ROUNDS: usize = 8;
/// Groups that even the longest text is searched by.
const FEWEST: usize = 16;

/// Why a search found nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The source has no sketch.
    NoSketch,
    /// There is no match to begin with.
    NoMatch,
    /// All of it together does not turn the verdict.
    Never,
    /// The budget is used up.
    Budget,
}

/// By how many groups texts of so many tokens are searched so that the search stays within its budget.
pub(super) fn most_groups(tokens: usize) -> usize {
    (BUDGET / ROUNDS / tokens.max(1)).max(FEWEST)
}

/// Which of these groups of items are needed, as in [`minimal`], and then which items of them; as groups of one, unless
/// the budget ends before that is known. `holds` gets which of all items are taken.
pub(super) fn minimal_groups(
    groups: Vec<Vec<usize>>,
    items: usize,
    mut holds: impl FnMut(&[bool]) -> Result<bool, Stop>,
) -> Result<Vec<Vec<usize>>, Stop> {
    let mut taken = vec![false; items];
    let mut needed = |groups: Vec<Vec<usize>>| -> Result<Vec<Vec<usize>>, Stop> {
        taken.fill(false);
        let chosen = minimal(groups.len(), |chosen| {
            for (group, &chosen) in groups.iter().zip(chosen) {
                group.iter().for_each(|&i| taken[i] = chosen);
            }
            holds(&taken)
        })?;
        Ok(groups.into_iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(group, _)| group).collect())
    };
    let groups = needed(groups)?;
    if groups.iter().all(|group| group.len() == 1) {
        return Ok(groups);
    }
    let alone = groups.iter().flatten().map(|&i| vec![i]).collect();
    Ok(needed(alone).unwrap_or(groups))
}

/// Which of so many items are needed for `holds` to be true, which it is not of none: with all of them it is true, and
/// with all but any one of them not.
pub(super) fn minimal(items: usize, mut holds: impl FnMut(&[bool]) -> Result<bool, Stop>) -> Result<Vec<bool>, Stop> {
    let mut taken = vec![false; items];
    let mut holds_up_to = |end: usize, taken: &mut [bool]| {
        taken[..end].fill(true);
        taken[end..].fill(false);
        holds(taken)
    };
    let (mut low, mut high) = (0, 1.min(items));
    while !holds_up_to(high, &mut taken)? {
        if high == items {
            return Err(Stop::Never);
        }
        (low, high) = (high, items.min(2 * high));
    }
    while high - low > 1 {
        let middle = usize::midpoint(low, high);
        if holds_up_to(middle, &mut taken)? { high = middle } else { low = middle }
    }
    taken[..high].fill(true);
    taken[high..].fill(false);
    let mut left: Vec<usize> = (0..high).rev().collect();
    // So many of the last tries in a row have found an item needed, and the set has not changed since.
    let (mut at, mut needed) = (0, 0);
    while needed < left.len() {
        at %= left.len();
        taken[left[at]] = false;
        if holds(&taken)? {
            left.remove(at);
            needed = 0;
        } else {
            taken[left[at]] = true;
            at += 1;
            needed += 1;
        }
    }
    Ok(taken)
}

/// Tries texts against the source's sketch, one after the other in the same memory.
pub(super) struct Trial<'a> {
    method: &'a dyn Method,
    wanted: Vec<u64>,
    text: String,
    tokens: Tokens,
    sketch: Vec<u64>,
    /// What is left of the budget.
    pub(super) left: usize,
}

impl<'a> Trial<'a> {
    pub(super) fn new(method: &'a dyn Method, source: &Prepared<'_>) -> Result<Self, Stop> {
        let mut wanted = Vec::new();
        if !method.sketch(source, &mut wanted) {
            return Err(Stop::NoSketch);
        }
        Ok(Self { method, wanted, text: String::new(), tokens: Tokens::new(), sketch: Vec::new(), left: BUDGET })
    }

    /// Whether the text that `write` makes matches.
    pub(super) fn matches_text(&mut self, write: impl FnOnce(&mut String)) -> Result<bool, Stop> {
        let (mut text, mut tokens) = (std::mem::take(&mut self.text), std::mem::take(&mut self.tokens));
        write(&mut text);
        tokens.read(&text);
        let matches = self.matches(&Prepared::new(&text, &tokens));
        (self.text, self.tokens) = (text, tokens);
        matches
    }

    pub(super) fn matches(&mut self, document: &Prepared<'_>) -> Result<bool, Stop> {
        let cost = document.tokens().len().max(document.text().len() / 16) + 1;
        self.left = self.left.checked_sub(cost).ok_or(Stop::Budget)?;
        self.sketch.clear();
        Ok(self.method.sketch(document, &mut self.sketch) && self.method.compare(&self.wanted, &self.sketch).is_some())
    }
}
