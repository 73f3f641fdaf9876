//! WARC 0.17, 0.18, 1.0 and 1.1, with the faults that real files have: lines that end in LF, header values broken
//! over lines, lengths that are missing or wrong, garbage between records, pages without HTTP header, chunks and
//! encodings that are announced and not there.

mod cut;
mod header;
mod http;
mod record;

pub(crate) use crate::warc::cut::{Cutter, find_start, is_start};
pub(crate) use crate::warc::header::{field, parameter};
pub(crate) use crate::warc::http::{Kind, kind, refused};
pub(crate) use crate::warc::record::{Buffers, read};
