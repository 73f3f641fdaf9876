//! How texts and lists are packed: by zstd, unless that makes them no smaller.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io;

use zstd::bulk::{Compressor, Decompressor};

/// Fast rather than small: a run packs every text that it keeps.
const LEVEL: i32 = 1;

/// Packs one text after the other, with the memory of the first.
pub(super) struct Packer(Compressor<'static>);

impl Packer {
    pub(super) fn new() -> io::Result<Self> {
        Compressor::new(LEVEL).map(Self)
    }

    /// The bytes as they are stored. They are packed when they are fewer than before.
    pub(super) fn pack<'a>(&mut self, bytes: &'a [u8]) -> io::Result<Cow<'a, [u8]>> {
        let packed = self.0.compress(bytes)?;
        Ok(if packed.len() < bytes.len() { Cow::Owned(packed) } else { Cow::Borrowed(bytes) })
    }
}

thread_local! {
    /// Making one takes as long as unpacking a block.
    static UNPACKER: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// The bytes that were packed, given how many they were; none when they are not such bytes, or when no memory can hold them.
pub(super) fn unpack(stored: Vec<u8>, length: usize) -> Option<Vec<u8>> {
    if stored.len() == length {
        return Some(stored);
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).ok()?;
    UNPACKER.with_borrow_mut(|unpacker| {
        let unpacker = match unpacker {
            Some(unpacker) => unpacker,
            None => unpacker.insert(Decompressor::new().ok()?),
        };
        unpacker.decompress_to_buffer(&stored, &mut bytes).ok()
    })?;
    (bytes.len() == length).then_some(bytes)
}
