//! Values one after another in bytes, with a word in front that says what they are and a checksum behind.
//!
//! Numbers take seven bits a byte, the lowest first, so that small ones are short.

use crate::hash;

/// Writes values.
#[derive(Debug)]
pub struct ByteWriter {
    bytes: Vec<u8>,
}

impl ByteWriter {
    /// Begins with the word that says what follows.
    pub fn new(magic: &[u8]) -> Self {
        Self { bytes: magic.to_vec() }
    }

    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// The length of a list or another number that a machine counts with.
    pub fn size(&mut self, size: usize) {
        self.number(size as u64);
    }

    /// Bytes whose number the reader knows.
    pub fn fixed<const N: usize>(&mut self, bytes: [u8; N]) {
        self.bytes.extend_from_slice(&bytes);
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.size(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// The bytes with their checksum.
    pub fn seal(mut self) -> Vec<u8> {
        let checksum = hash::token(&self.bytes);
        self.fixed(checksum.to_le_bytes());
        self.bytes
    }
}

/// Reads values; none where there is no such value.
#[derive(Debug)]
pub struct ByteReader<'a> {
    rest: &'a [u8],
}

impl<'a> ByteReader<'a> {
    /// Reads what [`ByteWriter::seal`] returned; none when the bytes are anything else, or damaged.
    pub fn unseal(magic: &[u8], bytes: &'a [u8]) -> Option<Self> {
        let (bytes, checksum) = bytes.split_last_chunk()?;
        let rest = bytes.strip_prefix(magic)?;
        (hash::token(bytes) == u64::from_le_bytes(*checksum)).then_some(Self { rest })
    }

    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    pub fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    /// A number that is smaller than a limit: that of something in a list.
    pub fn number_below(&mut self, limit: usize) -> Option<usize> {
        self.size().filter(|number| *number < limit)
    }

    pub fn fixed<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*bytes)
    }

    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.size()?;
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(bytes)
    }

    pub fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// A list: how many there are, then each.
    pub fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.size()?;
        // A damaged length must not ask for memory that the bytes cannot fill.
        let mut all = Vec::with_capacity(length.min(self.rest.len()));
        for _ in 0..length {
            all.push(read(self)?);
        }
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_nothing_else() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut writer = ByteWriter::new(b"magic");
        writer.size(numbers.len());
        numbers.iter().for_each(|number| writer.number(*number));
        writer.text("é");
        writer.fixed([1, 2, 3]);
        let bytes = writer.seal();
        let mut reader = ByteReader::unseal(b"magic", &bytes).unwrap();
        assert_eq!(reader.list(ByteReader::number).unwrap(), numbers);
        assert_eq!((reader.text(), reader.fixed()), (Some("é"), Some([1, 2, 3])));
        assert_eq!((reader.number(), reader.text(), reader.fixed::<1>()), (None, None, None));
        assert!(ByteReader::unseal(b"other", &bytes).is_none());
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(ByteReader::unseal(b"magic", &damaged).is_none(), "byte {at}");
            assert!(ByteReader::unseal(b"magic", &bytes[..at]).is_none(), "{at} bytes");
        }
    }
}
