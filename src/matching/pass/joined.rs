//! What the threads of a pass found, brought into the order of ids.

use std::collections::HashMap;

use super::segment::Segment;
use crate::groups::Groups;
use crate::pairs::{FoundPair, PairFilter, Target};
use crate::reading::Skipped;
use crate::source::{Source, pair_counts};
use dejaview_methods::measures::Profile;

/// The text of a document that has no pair.
pub(super) const NO_TEXT: u32 = Groups::NONE;

/// A text that has a pair.
#[derive(Debug)]
pub(super) struct Text {
    key: u128,
    pub(super) profile: Profile,
    /// Source documents with the same text.
    pub(super) own: usize,
    /// Whether it has a pair with another text.
    pub(super) others: bool,
    /// Document pairs of each document with this text, over all configurations.
    pub(super) pairs: u64,
}

impl Text {
    pub(super) fn new(key: u128) -> Self {
        Self { key, profile: Profile::default(), own: 0, others: false, pairs: 0 }
    }

    /// Whether a document with this text has a pair, not counting the document of the source that it is.
    pub(super) fn pairs_with(&self, twin: Option<u32>) -> bool {
        self.others || self.own > usize::from(twin.is_some())
    }
}

/// A target document with the number of its text.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) target: Target,
    pub(super) text: u32,
}

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Joined {
    pub(super) members: Vec<Member>,
    pub(super) texts: Vec<Text>,
    /// Pairs of a group of the source and a text.
    pub(super) found: Vec<FoundPair>,
    pub(super) hits: Vec<Vec<(u32, u16)>>,
    /// Pairs of a document of the source and a member.
    pub(super) named: Vec<FoundPair>,
    pub(super) named_hits: Vec<Vec<(u32, u16)>>,
    /// Pairs that were named of a document with itself.
    pub(super) itself: Vec<Skipped>,
    /// Documents whose id a document of another segment has.
    pub(super) elsewhere: Vec<Skipped>,
    /// A hash of the id of every other document.
    pub(super) ids: Vec<u64>,
    known: HashMap<u128, u32>,
}

impl Joined {
    pub(super) fn new(configurations: usize) -> Self {
        let none = vec![Vec::new(); configurations];
        Self { hits: none.clone(), named_hits: none, ..Self::default() }
    }

    /// Adds what another thread found. A text that both met has the same pairs in both.
    pub(super) fn add(&mut self, other: Self) {
        let (members, named) = (self.members.len() as u32, self.named.len() as u32);
        let (mut numbers, mut new) = (Vec::new(), Vec::new());
        for text in other.texts {
            let next = self.texts.len() as u32;
            let number = *self.known.entry(text.key).or_insert(next);
            numbers.push(number);
            new.push(number == next);
            if number == next {
                self.texts.push(text);
            }
        }
        let number = |text: u32| if text == NO_TEXT { NO_TEXT } else { numbers[text as usize] };
        self.members.extend(other.members.into_iter().map(|member| Member { text: number(member.text), ..member }));
        let mut place = Vec::with_capacity(other.found.len());
        for pair in other.found {
            let is_new = new[pair.target as usize];
            place.push(if is_new { self.found.len() as u32 } else { u32::MAX });
            if is_new {
                self.found.push(FoundPair { target: number(pair.target), ..pair });
            }
        }
        for (mine, theirs) in self.hits.iter_mut().zip(other.hits) {
            mine.extend(placed(&theirs, &place));
        }
        self.named.extend(other.named.into_iter().map(|pair| FoundPair { target: pair.target + members, ..pair }));
        for (mine, theirs) in self.named_hits.iter_mut().zip(other.named_hits) {
            mine.extend(theirs.into_iter().map(|(pair, distance)| (pair + named, distance)));
        }
        self.itself.extend(other.itself);
        self.elsewhere.extend(other.elsewhere);
        self.ids.extend(other.ids);
    }

    /// Puts everything into the order of ids, whatever thread found it. Of several target documents with one id the
    /// first that may have a pair counts, by file and offset. Pairs of groups without a document pair that counts are gone.
    pub(super) fn sorted(mut self, source: &Source, standing: Vec<bool>) -> Segment {
        let mut segment = Segment::default();
        let rank = self.rank(&mut segment);
        segment.both = segment.targets.iter().filter(|target| target.twin.is_some()).count() as u64;
        segment.filter = pair_filter(source, &segment.targets, &standing);
        let group_of = self.groups(&rank, &mut segment);
        let pair = |pair: &FoundPair| {
            let (group, members) = (group_of[pair.target as usize], source.groups.members(pair.source));
            let targets = if group == Groups::NONE { &[][..] } else { segment.groups.members(group) };
            let single = members.len() == 1 && targets.len() == 1;
            let counted = segment.filter.pairs(members, targets) > 0;
            counted.then_some(FoundPair { target: group, same_url: pair.same_url && single, ..*pair })
        };
        let (found, place) = in_order(self.found.iter().map(pair));
        segment.hits = self.hits.iter().map(|hits| sorted(placed(hits, &place))).collect();
        let stands = |source: u32| standing.get(source as usize).copied().unwrap_or_default();
        let pair = |pair: &FoundPair| {
            let target = rank[pair.target as usize];
            let twin = segment.targets.get(target as usize)?.twin;
            pair_counts(pair.source, stands(pair.source), twin).then_some(FoundPair { target, ..*pair })
        };
        let (named, place) = in_order(self.named.iter().map(pair));
        segment.named_hits = self.named_hits.iter().map(|hits| sorted(placed(hits, &place))).collect();
        found.iter().for_each(|pair| source.share_profile(pair.source));
        (segment.found, segment.named, segment.standing) = (found, named, standing);
        segment
    }

    /// Moves the targets into their order, and returns the place of each member there.
    fn rank(&mut self, segment: &mut Segment) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.members.len() as u32).collect();
        order.sort_unstable_by_key(|&member| {
            let target = &self.members[member as usize].target;
            (&target.id, target.file, target.offset)
        });
        let mut rank = vec![u32::MAX; self.members.len()];
        for member in order {
            let target = &self.members[member as usize].target;
            if segment.targets.last().is_none_or(|last| last.id != target.id) {
                rank[member as usize] = segment.targets.len() as u32;
                segment.targets.push(target.clone());
            }
        }
        rank
    }

    /// Groups the targets by their texts, and returns the number of each text's group.
    fn groups(&self, rank: &[u32], segment: &mut Segment) -> Vec<u32> {
        let mut texts = vec![NO_TEXT; segment.targets.len()];
        for (member, &place) in self.members.iter().zip(rank).filter(|(_, place)| **place != u32::MAX) {
            texts[place as usize] = member.text;
        }
        let (mut group_of, mut count) = (vec![Groups::NONE; self.texts.len()], 0);
        for text in texts.iter_mut().filter(|text| **text != NO_TEXT) {
            let group = &mut group_of[*text as usize];
            if *group == Groups::NONE {
                *group = count;
                count += 1;
            }
            *text = *group;
        }
        segment.groups = Groups::of_numbers(&texts, count as usize);
        group_of
    }
}

/// Which document pairs count.
fn pair_filter(source: &Source, targets: &[Target], standing: &[bool]) -> PairFilter {
    let behind = |id: &str| targets.partition_point(|target| *target.id <= *id) as u32;
    let from = |(stands, number): (&bool, usize)| if *stands { behind(&source.documents[number].id) } else { 0 };
    match standing {
        [] => PairFilter::default(),
        _ => PairFilter {
            from: standing.iter().zip(0..).map(from).collect(),
            both: targets.iter().map(|target| target.twin.is_some()).collect(),
        },
    }
}

/// The pairs that are left, ascending, and the place of each among them.
fn in_order(pairs: impl Iterator<Item = Option<FoundPair>>) -> (Vec<FoundPair>, Vec<u32>) {
    let pairs: Vec<Option<FoundPair>> = pairs.collect();
    let mut order: Vec<(u32, u32, u32)> =
        (0u32..).zip(&pairs).filter_map(|(i, pair)| pair.map(|pair| (pair.source, pair.target, i))).collect();
    order.sort_unstable();
    let mut place = vec![u32::MAX; pairs.len()];
    for (at, &(.., i)) in (0u32..).zip(&order) {
        place[i as usize] = at;
    }
    (order.iter().filter_map(|(.., i)| pairs[*i as usize]).collect(), place)
}

fn placed(hits: &[(u32, u16)], place: &[u32]) -> Vec<(u32, u16)> {
    hits.iter().map(|&(i, distance)| (place[i as usize], distance)).filter(|(at, _)| *at != u32::MAX).collect()
}

fn sorted(mut hits: Vec<(u32, u16)>) -> Vec<(u32, u16)> {
    hits.sort_unstable();
    hits
}
