//! `compress`, the `.Z` of old collections: LZW with codes of 9 to 16 bits.
//!
//! Codes lie in groups of eight, the lowest bits first. Where the width of codes changes, and after a code that clears the
//! table, the rest of the group is filling. A file has neither checksum nor end mark, so one that was cut short cannot be
//! told from a whole one. Checked against ncompress with texts and noise of up to 9 MB, which fill the table and clear it
//! (`tests/outside/compress.py`).

/// The first bytes of a file.
pub(crate) const MAGIC: [u8; 2] = [0x1f, 0x9d];
/// The width of the first codes.
const NARROWEST: u32 = 9;
/// Clears the table, where the header says that there is such a code.
const CLEAR: u16 = 256;
/// Bytes that one step decompresses, more or less.
const STEP: usize = 256 << 10;

/// Decompresses a file piece by piece.
#[derive(Debug, Default)]
pub(crate) struct Lzw {
    header: Option<Header>,
    width: u32,
    /// Bits that were taken from the input and not used yet, the next ones lowest.
    bits: u64,
    have: u32,
    /// Codes read since the width last changed; groups of eight begin there.
    in_group: u32,
    /// Bits of filling that are passed over.
    filling: u32,
    /// Of each code from 256 on, the code before its last byte, and that byte.
    table: Vec<(u16, u8)>,
    /// The code before and the first byte that it stood for; `None` at the beginning.
    before: Option<(u16, u8)>,
    /// A string while it is looked up, its last byte first.
    string: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
struct Header {
    widest: u32,
    clears: bool,
}

impl Lzw {
    /// Appends what can be decompressed, and returns how many bytes of input were used: none if more are needed. An error
    /// says what is wrong with the data.
    pub(crate) fn step(&mut self, input: &[u8], into: &mut Vec<u8>) -> Result<usize, &'static str> {
        let (mut at, most) = (0, into.len() + STEP);
        let header = match self.header {
            Some(header) => header,
            None => {
                let Some(&[_, _, flags]) = input.first_chunk() else { return Ok(0) };
                let header = Header { widest: u32::from(flags & 0x1f), clears: flags & 0x80 != 0 };
                if !(NARROWEST..=16).contains(&header.widest) || flags & 0x60 != 0 {
                    return Err("a kind of .Z file that is not known");
                }
                self.begin_table(header);
                at = 3;
                header
            }
        };
        while into.len() < most {
            while self.have < 32 && at < input.len() {
                self.bits |= u64::from(input[at]) << self.have;
                (self.have, at) = (self.have + 8, at + 1);
            }
            let filling = self.filling.min(self.have);
            self.take(filling);
            self.filling -= filling;
            if self.filling > 0 && at < input.len() {
                continue;
            }
            if self.filling > 0 || self.have < self.width {
                break;
            }
            let code = self.take(self.width) as u16;
            self.in_group += 1;
            self.code(code, header, into)?;
        }
        Ok(at)
    }

    fn begin_table(&mut self, header: Header) {
        self.header = Some(header);
        self.width = NARROWEST;
        if header.clears {
            // The code that clears stands for nothing, but has its place.
            self.table.push((0, 0));
        }
    }

    fn take(&mut self, count: u32) -> u64 {
        let taken = self.bits & ((1 << count) - 1);
        self.bits >>= count;
        self.have -= count;
        taken
    }

    /// Passes over the rest of the group, and goes on with codes of another width.
    fn change_width(&mut self, width: u32) {
        self.filling = (8 - self.in_group % 8) % 8 * self.width;
        (self.width, self.in_group) = (width, 0);
    }

    fn code(&mut self, code: u16, header: Header, into: &mut Vec<u8>) -> Result<(), &'static str> {
        let Some((before, first)) = self.before else {
            let byte = u8::try_from(code).map_err(|_| "the first code of a .Z file is no byte")?;
            into.push(byte);
            self.before = Some((code, byte));
            return Ok(());
        };
        if code == CLEAR && header.clears {
            // The next code enters a string at the place of the code that clears; nothing refers to it.
            self.table.clear();
            self.change_width(NARROWEST);
            return Ok(());
        }
        let free = 256 + self.table.len();
        self.string.clear();
        let mut rest = code;
        if usize::from(code) >= free {
            if usize::from(code) > free {
                return Err("a code of a .Z file stands for nothing yet");
            }
            self.string.push(first);
            rest = before;
        }
        while rest >= 256 {
            let (prefix, last) = self.table[usize::from(rest) - 256];
            self.string.push(last);
            rest = prefix;
        }
        let first = rest as u8;
        into.push(first);
        into.extend(self.string.iter().rev());
        if free < 1 << header.widest {
            self.table.push((before, first));
            if free + 1 >= 1 << self.width && self.width < header.widest {
                self.change_width(self.width + 1);
            }
        }
        self.before = Some((code, first));
        Ok(())
    }
}
