//! What was found in some files of a segment, before all of it is brought into order.
//!
//! Files can be searched by different processes, in any order and more than once: what was found in each is stored by
//! itself, and added up it is what one process finds in all of them.

use std::sync::atomic::Ordering;

use super::joined::{Joined, Member, MemberNumber, Text, TextNumber};
use crate::pairs::{FoundPair, Target};
use crate::source::{ReadOptions, Source};
use crate::{DocumentNumber, GroupNumber};
use dejaview_base::bytes::{ByteReader, ByteWriter};
use dejaview_base::timing::Timings;
use dejaview_methods::measures::{Common, Profile};

/// The first bytes of what was found in a file, with the version of the layout.
const MAGIC: &[u8] = b"dejaview found 1\n";

/// What was found in some files of a segment.
#[derive(Debug)]
pub struct Found {
    pub(super) joined: Joined,
    /// Documents read, those that repeat the id of another included.
    pub documents: u64,
    /// Digest of each file of the segment; 0 for one that was not read.
    pub(super) digests: Vec<u128>,
    pub(super) timings: Timings,
    /// Pairs that the counters of the run showed before.
    pub(super) pairs_before: u64,
}

impl Found {
    /// Nothing of one file.
    pub fn nothing(configurations: usize) -> Self {
        Self {
            joined: Joined::new(configurations),
            documents: 0,
            digests: vec![0],
            timings: Timings::default(),
            pairs_before: 0,
        }
    }

    /// Nothing yet of a segment with these options.
    pub fn of_segment(options: ReadOptions<'_>) -> Self {
        let pairs_before = options.progress.pairs.load(Ordering::Relaxed);
        let digests = vec![0; options.inputs.len()];
        Self { digests, pairs_before, ..Self::nothing(options.configurations.len()) }
    }

    /// Adds what was found in other files of the same segment.
    pub fn add(&mut self, other: Self) {
        self.joined.add(other.joined);
        self.documents += other.documents;
        for (mine, theirs) in self.digests.iter_mut().zip(other.digests).filter(|(_, theirs)| *theirs != 0) {
            *mine = theirs;
        }
        self.timings.merge(&other.timings);
    }

    /// Adds what was found in file number `file` of the segment when that was searched by itself.
    pub fn add_file(&mut self, file: usize, mut other: Self) {
        other.joined.members.iter_mut().for_each(|member| member.target.file = file);
        let digest = other.digests.first().copied().unwrap_or_default();
        other.digests = vec![0; file];
        other.digests.push(digest);
        self.add(other);
    }

    /// A hash of the id of every document that was read.
    pub fn ids(&self) -> &[u64] {
        &self.joined.ids
    }

    /// The same, ascending.
    pub fn sorted_ids(&mut self) -> &[u64] {
        self.joined.ids.sort_unstable();
        &self.joined.ids
    }

    /// What was found in one file, to be read by [`Found::from_bytes`] with the same source.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = ByteWriter::new(MAGIC);
        let joined = &self.joined;
        out.number(self.documents);
        out.fixed(self.digests.first().copied().unwrap_or_default().to_le_bytes());
        out.size(joined.texts.len());
        joined.texts.iter().for_each(|text| write_text(&mut out, text));
        out.size(joined.members.len());
        joined.members.iter().for_each(|member| write_member(&mut out, member));
        out.size(joined.found.len());
        for pair in &joined.found {
            write_pair(&mut out, pair.source.index(), pair.target.index(), pair.same_url, &pair.common);
        }
        write_hits(&mut out, &joined.hits);
        out.size(joined.named.len());
        for pair in &joined.named {
            write_pair(&mut out, pair.source.index(), pair.target.index(), pair.same_url, &pair.common);
        }
        write_hits(&mut out, &joined.named_hits);
        out.size(joined.itself.len());
        joined.itself.iter().for_each(|id| out.text(id));
        out.size(joined.ids.len());
        joined.ids.iter().for_each(|id| out.fixed(id.to_le_bytes()));
        out.seal()
    }

    /// Reads what [`Found::to_bytes`] wrote; none when the bytes are anything else, damaged, or of another source.
    pub fn from_bytes(bytes: &[u8], source: &Source, configurations: usize) -> Option<Self> {
        let input = &mut ByteReader::unseal(MAGIC, bytes)?;
        let mut found = Self::nothing(configurations);
        let joined = &mut found.joined;
        found.documents = input.number()?;
        found.digests = vec![u128::from_le_bytes(input.fixed()?)];
        joined.texts = input.list(read_text)?;
        let (documents, groups) = (source.documents.len(), source.groups.len());
        let texts = joined.texts.len();
        joined.members = input.list(|input| read_member(input, texts, documents))?;
        let members = joined.members.len();
        joined.found = input.list(|input| {
            let ends = read_ends(input, groups, texts)?;
            read_pair(input, (GroupNumber::at(ends.0), TextNumber::at(ends.1)))
        })?;
        joined.hits = read_hits(input, joined.found.len())?;
        joined.named = input.list(|input| {
            let ends = read_ends(input, documents, members)?;
            read_pair(input, (DocumentNumber::at(ends.0), MemberNumber::at(ends.1)))
        })?;
        joined.named_hits = read_hits(input, joined.named.len())?;
        joined.itself = input.list(|input| Some(input.text()?.into()))?;
        joined.ids = input.list(|input| Some(u64::from_le_bytes(input.fixed()?)))?;
        let fits = joined.hits.len() == configurations && joined.named_hits.len() == configurations;
        fits.then_some(found)
    }
}

fn write_profile(out: &mut ByteWriter, profile: &Profile) {
    out.number(profile.words.into());
    profile.sizes.iter().for_each(|size| out.number((*size).into()));
    out.number(profile.spaced.into());
    out.number(profile.norm);
}

fn read_profile(input: &mut ByteReader<'_>) -> Option<Profile> {
    let mut profile = Profile { words: read_u32(input)?, ..Profile::default() };
    for size in &mut profile.sizes {
        *size = read_u32(input)?;
    }
    profile.spaced = read_u32(input)?;
    profile.norm = input.number()?;
    Some(profile)
}

fn write_text(out: &mut ByteWriter, text: &Text) {
    out.fixed(text.key.to_le_bytes());
    write_profile(out, &text.profile);
    out.size(text.own);
    out.number(text.others.into());
    out.number(text.pairs);
}

fn read_text(input: &mut ByteReader<'_>) -> Option<Text> {
    let mut text = Text::new(u128::from_le_bytes(input.fixed()?));
    text.profile = read_profile(input)?;
    text.own = input.size()?;
    text.others = input.number()? == 1;
    text.pairs = input.number()?;
    Some(text)
}

fn write_member(out: &mut ByteWriter, Member { target, text }: &Member) {
    out.text(&target.id);
    out.number(target.offset);
    write_profile(out, &target.profile);
    write_optional(out, target.same_source.map(DocumentNumber::index));
    out.fixed(target.url.to_le_bytes());
    write_optional(out, text.map(TextNumber::index));
}

fn read_member(input: &mut ByteReader<'_>, texts: usize, documents: usize) -> Option<Member> {
    let target = Target {
        id: input.text()?.into(),
        file: 0,
        offset: input.number()?,
        profile: read_profile(input)?,
        same_source: read_optional(input, documents)?.map(DocumentNumber::at),
        url: u64::from_le_bytes(input.fixed()?),
    };
    Some(Member { target, text: read_optional(input, texts)?.map(TextNumber::at) })
}

/// A number that may be missing is stored as the one behind it.
fn write_optional(out: &mut ByteWriter, number: Option<usize>) {
    out.size(number.map_or(0, |number| number + 1));
}

fn read_optional(input: &mut ByteReader<'_>, limit: usize) -> Option<Option<usize>> {
    Some(input.number_below(limit + 1)?.checked_sub(1))
}

fn write_pair(out: &mut ByteWriter, source: usize, target: usize, same_url: bool, common: &Common) {
    out.size(source);
    out.size(target);
    out.number(same_url.into());
    common.grams.iter().for_each(|grams| out.number((*grams).into()));
    out.number(common.spaced.into());
    out.number(common.dot);
}

fn read_ends(input: &mut ByteReader<'_>, sources: usize, targets: usize) -> Option<(usize, usize)> {
    Some((input.number_below(sources)?, input.number_below(targets)?))
}

fn read_pair<S, T>(input: &mut ByteReader<'_>, (source, target): (S, T)) -> Option<FoundPair<S, T>> {
    let same_url = input.number()? == 1;
    let mut common = Common::default();
    for grams in &mut common.grams {
        *grams = read_u32(input)?;
    }
    common.spaced = read_u32(input)?;
    common.dot = input.number()?;
    Some(FoundPair { source, target, same_url, common })
}

fn write_hits(out: &mut ByteWriter, configurations: &[Vec<(u32, u16)>]) {
    out.size(configurations.len());
    for hits in configurations {
        out.size(hits.len());
        for &(pair, distance) in hits {
            out.number(pair.into());
            out.number(distance.into());
        }
    }
}

fn read_hits(input: &mut ByteReader<'_>, pairs: usize) -> Option<Vec<Vec<(u32, u16)>>> {
    let hit = |input: &mut ByteReader<'_>| {
        let pair = u32::try_from(input.number_below(pairs)?).ok()?;
        Some((pair, u16::try_from(input.number()?).ok()?))
    };
    input.list(|input| input.list(hit))
}

fn read_u32(input: &mut ByteReader<'_>) -> Option<u32> {
    u32::try_from(input.number()?).ok()
}
