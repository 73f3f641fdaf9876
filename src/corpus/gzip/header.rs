//! The header of a gzip member.

/// Why bytes do not begin with a whole gzip header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoHeader {
    /// They may be one, but end too early.
    CutOff,
    NotGzip,
}

/// Length of the gzip header that bytes begin with.
pub(super) fn header_length(bytes: &[u8]) -> Result<usize, NoHeader> {
    let magic = [0x1f, 0x8b, 8];
    if bytes.len() < 10 {
        let may_be = magic.starts_with(&bytes[..bytes.len().min(3)]);
        return Err(if may_be { NoHeader::CutOff } else { NoHeader::NotGzip });
    }
    let flags = bytes[3];
    if bytes[..3] != magic || flags & 0xe0 != 0 {
        return Err(NoHeader::NotGzip);
    }
    let mut at = 10;
    if flags & 4 != 0 {
        let extra = bytes.get(at..at + 2).ok_or(NoHeader::CutOff)?;
        at += 2 + usize::from(u16::from_le_bytes([extra[0], extra[1]]));
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            at += 1 + memchr::memchr(0, bytes.get(at..).ok_or(NoHeader::CutOff)?).ok_or(NoHeader::CutOff)?;
        }
    }
    if flags & 2 != 0 {
        at += 2;
    }
    if at > bytes.len() { Err(NoHeader::CutOff) } else { Ok(at) }
}
