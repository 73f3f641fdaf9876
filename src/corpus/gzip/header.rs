//! The header of a gzip member.

/// Length of the gzip header at the front: `Err(true)` if it may be one but is cut off, `Err(false)` if it is none.
pub(super) fn header(bytes: &[u8]) -> Result<usize, bool> {
    let magic = [0x1f, 0x8b, 8];
    if bytes.len() < 10 {
        return Err(magic.starts_with(&bytes[..bytes.len().min(3)]));
    }
    let flags = bytes[3];
    if bytes[..3] != magic || flags & 0xe0 != 0 {
        return Err(false);
    }
    let mut at = 10;
    if flags & 4 != 0 {
        let extra = bytes.get(at..at + 2).ok_or(true)?;
        at += 2 + usize::from(u16::from_le_bytes([extra[0], extra[1]]));
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            at += 1 + memchr::memchr(0, bytes.get(at..).ok_or(true)?).ok_or(true)?;
        }
    }
    if flags & 2 != 0 {
        at += 2;
    }
    if at > bytes.len() { Err(true) } else { Ok(at) }
}
