//! A row between the thread that reads the table and the one that reads the row.

/// A row on its way to the thread that reads it: the lengths of id, URL, date and body, each in 8 bytes, whether the body
/// is HTML, and then the four.
#[derive(Debug, Default)]
pub(super) struct Row<'a> {
    pub(super) id: &'a [u8],
    pub(super) url: &'a [u8],
    pub(super) date: &'a [u8],
    pub(super) body: &'a [u8],
    pub(super) is_html: bool,
}

impl<'a> Row<'a> {
    pub(super) fn write(&self, into: &mut Vec<u8>) {
        let fields = [self.id, self.url, self.date, self.body];
        for field in fields {
            into.extend_from_slice(&(field.len() as u64).to_le_bytes());
        }
        into.push(u8::from(self.is_html));
        for field in fields {
            into.extend_from_slice(field);
        }
    }

    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let (lengths, rest) = bytes.split_first_chunk::<32>()?;
        let (&is_html, mut rest) = rest.split_first()?;
        let mut fields = [&[][..]; 4];
        for (field, length) in fields.iter_mut().zip(lengths.chunks_exact(8)) {
            let length = u64::from_le_bytes(length.try_into().ok()?);
            (*field, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        }
        let [id, url, date, body] = fields;
        Some(Self { id, url, date, body, is_html: is_html == 1 })
    }
}
