//! What the threads of a pass found, brought into the order of ids.

use std::collections::HashMap;

use super::segment::Segment;
use crate::groups::Groups;
use crate::pairs::{FoundPair, PairFilter, Target};
use crate::source::{Source, SourceDocument, pair_counts};
use crate::{DocumentNumber, GroupNumber};
use dejaview_methods::measures::Profile;

number! {
    /// Number of a text that has a pair, in the order in which a thread met them.
    TextNumber
}

number! {
    /// Number of a target document that may have a pair, in the order in which a thread met them.
    MemberNumber
}

/// A text that has a pair.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) key: u128,
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

    /// Whether a document with this text has a pair, where it is `itself` one of the source's with this text.
    pub(super) fn pairs_with(&self, itself: Option<DocumentNumber>) -> bool {
        self.others || self.own > usize::from(itself.is_some())
    }
}

/// A target document with its text, where that has a pair.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) target: Target,
    pub(super) text: Option<TextNumber>,
}

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Joined {
    pub(super) members: Vec<Member>,
    pub(super) texts: Vec<Text>,
    /// Pairs of a group of the source and a text.
    pub(super) found: Vec<FoundPair<GroupNumber, TextNumber>>,
    pub(super) hits: Vec<Vec<(u32, u16)>>,
    /// Pairs of a document of the source and a member.
    pub(super) named: Vec<FoundPair<DocumentNumber, MemberNumber>>,
    pub(super) named_hits: Vec<Vec<(u32, u16)>>,
    /// Pairs that were named of a document with itself.
    pub(super) itself: Vec<Box<str>>,
    /// Documents whose id a document of another segment has.
    pub(super) elsewhere: u64,
    /// A hash of the id of every other document.
    pub(super) ids: Vec<u64>,
    known: HashMap<u128, TextNumber>,
}

impl Joined {
    pub(super) fn new(configurations: usize) -> Self {
        let none = vec![Vec::new(); configurations];
        Self { hits: none.clone(), named_hits: none, ..Self::default() }
    }

    /// Adds what another thread found. A text that both met has the same pairs in both.
    pub(super) fn add(&mut self, other: Self) {
        let (members, named) = (self.members.len(), self.named.len() as u32);
        let (mut numbers, mut new) = (Vec::new(), Vec::new());
        for text in other.texts {
            let next = TextNumber::at(self.texts.len());
            let number = *self.known.entry(text.key).or_insert(next);
            numbers.push(number);
            new.push(number == next);
            if number == next {
                self.texts.push(text);
            }
        }
        let number = |text: TextNumber| numbers[text.index()];
        let renumbered = |member: Member| Member { text: member.text.map(number), ..member };
        self.members.extend(other.members.into_iter().map(renumbered));
        let mut place = Vec::with_capacity(other.found.len());
        for pair in other.found {
            let is_new: bool = new[pair.target.index()];
            place.push(if is_new { self.found.len() as u32 } else { u32::MAX });
            if is_new {
                self.found.push(FoundPair { target: number(pair.target), ..pair });
            }
        }
        for (mine, theirs) in self.hits.iter_mut().zip(other.hits) {
            mine.extend(placed(&theirs, &place));
        }
        self.named.extend(
            other
                .named
                .into_iter()
                .map(|pair| FoundPair { target: MemberNumber::at(members + pair.target.index()), ..pair }),
        );
        for (mine, theirs) in self.named_hits.iter_mut().zip(other.named_hits) {
            mine.extend(theirs.into_iter().map(|(pair, distance)| (pair + named, distance)));
        }
        self.itself.extend(other.itself);
        self.elsewhere += other.elsewhere;
        self.ids.extend(other.ids);
    }

    /// Puts everything into the order of ids, whatever thread found it. Of several target documents with one id the
    /// first that may have a pair counts, by file and offset. Pairs of groups without a document pair that counts are gone.
    pub(super) fn sorted(mut self, source: &Source, in_target: Vec<bool>) -> Segment {
        let mut segment = Segment::default();
        let rank = self.rank(&mut segment);
        segment.filter = pair_filter(source, &segment.targets, &in_target);
        let group_of = self.groups(&rank, &mut segment);
        let pair = |pair: &FoundPair<GroupNumber, TextNumber>| {
            let (group, members) = (group_of[pair.target.index()], source.groups.members(pair.source));
            let targets = if group == GroupNumber::NONE { &[][..] } else { segment.groups.members(group) };
            let single = members.len() == 1 && targets.len() == 1;
            let counted = segment.filter.pairs(members, targets) > 0;
            let same_url = pair.same_url && single;
            counted.then_some(FoundPair { source: pair.source, target: group, same_url, common: pair.common })
        };
        let (found, place) = in_order(self.found.iter().map(pair));
        segment.hits = self.hits.iter().map(|hits| sorted(placed(hits, &place))).collect();
        let stands = |source: DocumentNumber| in_target.get(source.index()).copied().unwrap_or_default();
        let pair = |pair: &FoundPair<DocumentNumber, MemberNumber>| {
            let FoundPair { source, same_url, common, .. } = *pair;
            let target = rank[pair.target.index()]?;
            let same_source = segment.targets[target.index()].same_source;
            pair_counts(source, stands(source), same_source).then_some(FoundPair { source, target, same_url, common })
        };
        let (named, place) = in_order(self.named.iter().map(pair));
        segment.named_hits = self.named_hits.iter().map(|hits| sorted(placed(hits, &place))).collect();
        found.iter().for_each(|pair| source.share_profile(pair.source));
        (segment.found, segment.named, segment.in_target) = (found, named, in_target);
        segment
    }

    /// Moves the targets into their order, and returns the number of each member there; none for one that repeats an id.
    fn rank(&mut self, segment: &mut Segment) -> Vec<Option<DocumentNumber>> {
        let mut order: Vec<MemberNumber> = MemberNumber::all(self.members.len()).collect();
        order.sort_unstable_by_key(|&member| {
            let target = &self.members[member.index()].target;
            (&target.id, target.file, target.offset)
        });
        let mut rank = vec![None; self.members.len()];
        for member in order {
            let target = &self.members[member.index()].target;
            if segment.targets.last().is_none_or(|last| last.id != target.id) {
                rank[member.index()] = Some(DocumentNumber::at(segment.targets.len()));
                segment.targets.push(target.clone());
            }
        }
        rank
    }

    /// Groups the targets by their texts, and returns the number of each text's group.
    fn groups(&self, rank: &[Option<DocumentNumber>], segment: &mut Segment) -> Vec<GroupNumber> {
        let mut texts = vec![None; segment.targets.len()];
        for (member, document) in self.members.iter().zip(rank).filter_map(|(member, rank)| Some((member, (*rank)?))) {
            texts[document.index()] = member.text;
        }
        let (mut group_of, mut count) = (vec![GroupNumber::NONE; self.texts.len()], 0);
        let mut numbers = vec![GroupNumber::NONE; texts.len()];
        for (number, text) in numbers.iter_mut().zip(texts).filter_map(|(number, text)| Some((number, text?))) {
            let group = &mut group_of[TextNumber::index(text)];
            if *group == GroupNumber::NONE {
                *group = GroupNumber::at(count);
                count += 1;
            }
            *number = *group;
        }
        segment.groups = Groups::of_numbers(&numbers, count);
        group_of
    }
}

/// Which document pairs count.
fn pair_filter(source: &Source, targets: &[Target], in_target: &[bool]) -> PairFilter {
    let behind = |id: &str| DocumentNumber::at(targets.partition_point(|target| *target.id <= *id));
    let from = |(stands, document): (&bool, &SourceDocument)| match stands {
        true => behind(&document.id),
        false => DocumentNumber::default(),
    };
    match in_target {
        [] => PairFilter::default(),
        _ => PairFilter {
            from: in_target.iter().zip(&source.documents).map(from).collect(),
            both: targets.iter().map(|target| target.same_source.is_some()).collect(),
        },
    }
}

/// The pairs that are left, ascending, and the place of each among them.
fn in_order<N: Copy + Ord>(pairs: impl Iterator<Item = Option<FoundPair<N>>>) -> (Vec<FoundPair<N>>, Vec<u32>) {
    let pairs: Vec<Option<FoundPair<N>>> = pairs.collect();
    let mut order: Vec<(N, N, u32)> =
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
