//! What a file of texts says about one document beside its text, and how that is written as bytes.

use super::document::{KeptDocument, StoredDocument, TitledDocument};
use super::side::KeptSide;
use dejaview_base::hash;
use dejaview_text::shorten::title;

/// Where the text of a document is in its file. The checksum is over the bytes as they are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextPlace {
    pub place: u64,
    pub stored: u64,
    /// Length of the text itself, which differs when it is packed.
    pub length: u64,
    pub checksum: u64,
}

impl TextPlace {
    /// Of bytes that will be at some place.
    pub(super) fn new(place: u64, stored: &[u8], length: usize) -> Self {
        Self { place, stored: stored.len() as u64, length: length as u64, checksum: hash::token(stored) }
    }
}

/// A document without its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    pub side: KeptSide,
    pub id: &'a str,
    pub url: &'a str,
    pub title: &'a str,
    pub date: &'a str,
    pub charset: &'a str,
    pub media: &'a str,
    pub file: &'a str,
    pub digest: &'a str,
    pub offset: u64,
    pub bytes: u64,
    /// None when only the title is kept.
    pub text: Option<TextPlace>,
}

impl<'a> Entry<'a> {
    pub(super) fn new(kept: &KeptDocument<'a>, text: Option<TextPlace>) -> Self {
        Self {
            side: kept.side,
            id: kept.id,
            url: kept.url,
            title: title(kept.text),
            date: kept.date,
            charset: kept.charset,
            media: kept.media,
            file: kept.file,
            digest: kept.digest,
            offset: kept.offset,
            bytes: kept.bytes,
            text,
        }
    }

    /// By this, entries of a file ascend.
    pub(super) fn name(&self) -> (KeptSide, &'a str) {
        (self.side, self.id)
    }

    pub(super) fn titled(&self) -> TitledDocument {
        TitledDocument { url: self.url.to_owned(), title: self.title.to_owned() }
    }

    /// The document with a text, or without it where nobody wants it.
    pub(super) fn stored(&self, segment: &str, text: String) -> StoredDocument {
        StoredDocument {
            side: self.side,
            segment: if self.side == KeptSide::Source { String::new() } else { segment.to_owned() },
            id: self.id.to_owned(),
            url: self.url.to_owned(),
            date: self.date.to_owned(),
            charset: self.charset.to_owned(),
            media: self.media.to_owned(),
            file: self.file.to_owned(),
            offset: self.offset,
            bytes: self.bytes,
            digest: self.digest.to_owned(),
            text,
        }
    }

    /// Appends the entry to `out`.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.push(self.side as u8);
        out.push(u8::from(self.text.is_some()));
        for text in [self.id, self.url, self.title, self.date, self.charset, self.media, self.file, self.digest] {
            put(out, text);
        }
        let text = self.text.map_or([0; 4], |text| [text.place, text.stored, text.length, text.checksum]);
        [self.offset, self.bytes].into_iter().chain(text).for_each(|number| out.extend(number.to_le_bytes()));
    }

    /// Removes an entry from the beginning of `bytes`; none when there is no whole one.
    pub(super) fn read(bytes: &mut &'a [u8]) -> Option<Self> {
        let (&[side, with_text], rest) = bytes.split_first_chunk()?;
        *bytes = rest;
        let mut texts = [""; 8];
        for text in &mut texts {
            *text = take(bytes)?;
        }
        let mut numbers = [0; 6];
        for number in &mut numbers {
            *number = take_number(bytes)?;
        }
        let [id, url, title, date, charset, media, file, digest] = texts;
        let [offset, size, place, stored, length, checksum] = numbers;
        let text = (with_text == 1).then_some(TextPlace { place, stored, length, checksum });
        let side = if side == KeptSide::Source as u8 { KeptSide::Source } else { KeptSide::Target };
        Some(Self { side, id, url, title, date, charset, media, file, digest, offset, bytes: size, text })
    }
}

/// Appends a text and, before it, its length.
pub(super) fn put(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text.as_bytes());
}

/// Removes a text from the beginning of some bytes; none when there is no whole one.
pub(super) fn take<'b>(bytes: &mut &'b [u8]) -> Option<&'b str> {
    let length = usize::try_from(take_number(bytes)?).ok()?;
    let (text, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    std::str::from_utf8(text).ok()
}

/// Removes a number from the beginning of some bytes; none when there are too few.
pub(super) fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let (number, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*number))
}
