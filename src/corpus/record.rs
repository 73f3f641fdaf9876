//! A record as it was cut out of its file, and the buffers that reading one needs.

use crate::AcceptedStatus;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Record<'a> {
    pub(crate) bytes: &'a [u8],
    /// The file, as messages call it.
    pub(crate) name: &'a str,
    /// What [`crate::Format::prologue`] found at the head of the file.
    pub(crate) prologue: &'a str,
    pub(crate) status: AcceptedStatus,
    pub(crate) offset: u64,
}

/// Buffers that are used again for each record.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) date: String,
    pub(crate) charset: String,
    pub(crate) unchunked: Vec<u8>,
    pub(crate) decoded: Vec<u8>,
}
