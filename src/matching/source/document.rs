//! One document of the source: its text packed, its sets made when they are asked for.

use std::sync::OnceLock;

use crate::ExtractedText;
use dejaview_base::bytes::{ByteReader, ByteWriter};
use dejaview_base::hash;
use dejaview_corpus::{Document, Media};
use dejaview_methods::measures::{Profile, Sequences, Sets};
use dejaview_text::{Tokens, charset_named};

/// One document of the source.
#[derive(Debug)]
pub struct SourceDocument {
    pub id: Box<str>,
    /// Its URL, or empty.
    pub url: Box<str>,
    /// Number of its file among the inputs.
    pub file: usize,
    /// Where in the file.
    pub offset: u64,
    /// Date as the corpus gives it, or empty.
    pub date: Box<str>,
    /// What it was decoded from.
    pub charset: &'static str,
    /// Whether tags were taken out.
    pub media: Media,
    /// Size of the raw document.
    pub bytes: u64,
    /// Digest of the raw document.
    pub digest: u128,
    /// What methods see of it, as [`ExtractedText::key`] has it.
    pub key: u128,
    pub(super) text: Packed,
    pub(super) profile: OnceLock<Profile>,
    pub(super) sets: OnceLock<Box<Sets>>,
}

impl SourceDocument {
    /// A document read from file number `file`.
    pub fn new(file: usize, document: &Document<'_>, page: &ExtractedText<'_>) -> Self {
        Self {
            id: document.id.into(),
            url: document.url.into(),
            file,
            offset: document.offset,
            date: document.date.into(),
            charset: page.charset,
            media: document.media,
            bytes: document.body.len() as u64,
            digest: hash::digest_bits(document.body),
            key: page.key(),
            text: Packed::new(page.text),
            profile: OnceLock::new(),
            sets: OnceLock::new(),
        }
    }

    /// Appends the document, but not the number of its file.
    pub(super) fn write(&self, out: &mut ByteWriter) {
        out.text(&self.id);
        out.text(&self.url);
        out.number(self.offset);
        out.text(&self.date);
        out.text(self.charset);
        out.number(match self.media {
            Media::Html => 0,
            Media::Text => 1,
            Media::Wikitext => 2,
        });
        out.number(self.bytes);
        out.fixed(self.digest.to_le_bytes());
        out.fixed(self.key.to_le_bytes());
        self.text.write(out);
    }

    /// Reads a document that was written; which file it is of is not known then.
    pub(super) fn read(input: &mut ByteReader<'_>) -> Option<Self> {
        Some(Self {
            id: input.text()?.into(),
            url: input.text()?.into(),
            file: 0,
            offset: input.number()?,
            date: input.text()?.into(),
            charset: charset_named(input.text()?)?,
            media: match input.number()? {
                0 => Media::Html,
                1 => Media::Text,
                2 => Media::Wikitext,
                _ => return None,
            },
            bytes: input.number()?,
            digest: u128::from_le_bytes(input.fixed()?),
            key: u128::from_le_bytes(input.fixed()?),
            text: Packed::read(input)?,
            profile: OnceLock::new(),
            sets: OnceLock::new(),
        })
    }

    pub fn text(&self) -> String {
        self.text.unpack()
    }

    /// Sizes of its sets.
    pub fn profile(&self) -> Profile {
        *self.profile.get_or_init(|| self.make_sets().profile())
    }

    pub(super) fn make_sets(&self) -> Sets {
        let text = self.text();
        let mut tokens = Tokens::new();
        tokens.read(&text);
        let sequences = Sequences::new(&text, tokens.hashes());
        drop((text, tokens));
        Sets::new(&sequences)
    }
}

/// A text that waits until someone needs it.
#[derive(Debug)]
pub(super) enum Packed {
    /// By zstd, and its length.
    Zstd(Box<[u8]>, usize),
    /// As it is: packing made it no smaller, or failed.
    Plain(Box<str>),
}

impl Packed {
    /// Fast rather than small: this runs for every document of the source.
    const LEVEL: i32 = 1;

    fn new(text: &str) -> Self {
        match zstd::bulk::compress(text.as_bytes(), Self::LEVEL) {
            Ok(packed) if packed.len() < text.len() => Self::Zstd(packed.into(), text.len()),
            _ => Self::Plain(text.into()),
        }
    }

    fn unpack(&self) -> String {
        match self {
            Self::Plain(text) => text.to_string(),
            Self::Zstd(packed, length) => {
                let bytes = zstd::bulk::decompress(packed, *length).unwrap_or_default();
                String::from_utf8(bytes).unwrap_or_default()
            }
        }
    }

    /// The length of a packed text, or 0, and the bytes.
    fn write(&self, out: &mut ByteWriter) {
        match self {
            Self::Plain(text) => {
                out.size(0);
                out.text(text);
            }
            Self::Zstd(packed, length) => {
                out.size(*length);
                out.bytes(packed);
            }
        }
    }

    fn read(input: &mut ByteReader<'_>) -> Option<Self> {
        Some(match input.size()? {
            0 => Self::Plain(input.text()?.into()),
            length => Self::Zstd(input.bytes()?.into(), length),
        })
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Plain(text) => text.len(),
            Self::Zstd(packed, _) => packed.len(),
        }
    }
}
