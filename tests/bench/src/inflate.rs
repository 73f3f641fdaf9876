//! Members of a gzip file, inflated one by one: the decoder of the program beside others.

use std::io::Read as _;

use anyhow::{Result, ensure};
use dejaview::corpus::{Batches, CorpusItem, Scratch};

use crate::board::Board;
use crate::data::{Data, input};
use crate::python;

const ROUNDS: usize = 5;
const OURS: &str = "dejaview's reader: libdeflate by member, records cut";

pub fn bench(data: &Data, board: &mut Board) -> Result<()> {
    let bytes = std::fs::read(data.bench())?;
    python::prepare()?;
    let mut sizes = Vec::new();
    for _ in 0..ROUNDS {
        let bodies = board.time(OURS, || read(data))?;
        ensure!(bodies > 0, "no page was read");
        sizes.push(board.time("zlib-rs, a stream", || stream(&bytes))?);
        let others = python::run("inflate.py", &[&data.bench()])?;
        for name in ["zlib", "zlib-ng", "ISA-L", "libdeflate"] {
            let seconds = python::number(&others[name], "cpu")?;
            board.add(&format!("{name}, by member, from Python"), python::number(&others[name], "wall")?, seconds);
            sizes.push(python::number(&others[name], "bytes")? as usize);
        }
    }
    ensure!(sizes.iter().all(|size| *size == sizes[0]), "decoders differ: {sizes:?}");
    board.fact("megabytes inflated, by all alike", format!("{:.1}", sizes[0] as f64 / 1e6));
    for name in ["zlib-rs, a stream", "zlib, by member, from Python", "zlib-ng, by member, from Python"] {
        board.ratio(name, OURS);
    }
    for name in ["ISA-L, by member, from Python", "libdeflate, by member, from Python"] {
        board.ratio(name, OURS);
    }
    Ok(())
}

/// What the reader of archives does: inflates each member and cuts it into its record. Bytes of the bodies.
fn read(data: &Data) -> Result<usize> {
    let (mut batches, mut scratch, mut size) = (Batches::open(&input(&data.bench())?)?, Scratch::default(), 0);
    while let Some(batch) = batches.next()? {
        batch.read(&mut scratch, &mut |item| {
            if let CorpusItem::Document(document) = item {
                size += document.body.len();
            }
        });
    }
    Ok(size)
}

fn stream(bytes: &[u8]) -> Result<usize> {
    let (mut decoder, mut out, mut size) = (flate2::read::MultiGzDecoder::new(bytes), vec![0; 1 << 16], 0);
    loop {
        match decoder.read(&mut out)? {
            0 => return Ok(size),
            read => size += read,
        }
    }
}
