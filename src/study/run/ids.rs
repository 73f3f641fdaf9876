//! Lists of hashes of ids: whose documents are these?

use dejaview_base::bytes::{ByteReader, ByteWriter};

/// The first bytes of a file of hashes of ids.
const IDS: &[u8] = b"dejaview ids\n";

/// Hashes of ids as [`ids_from_bytes`] reads them.
pub(crate) fn ids_to_bytes(ids: &[u64]) -> Vec<u8> {
    let mut out = ByteWriter::new(IDS);
    out.size(ids.len());
    ids.iter().for_each(|id| out.fixed(id.to_le_bytes()));
    out.seal()
}

/// The hashes of ids in a file; none when it is not a whole one.
pub(crate) fn ids_from_bytes(bytes: &[u8]) -> Option<Vec<u64>> {
    ByteReader::unseal(IDS, bytes)?.list(|input| Some(u64::from_le_bytes(input.fixed()?)))
}
