//! How much memory a run takes as its source grows, and what that comes to for the study's 155,419 documents.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::board::Board;
use crate::data::{Data, tokens};
use crate::python::number;
use crate::run::{run_child, study};

/// Sizes of the source: memory must grow by the same amount for each document.
const SIZES: [usize; 3] = [10_000, 20_000, 40_000];
const STUDY: f64 = 155_419.0;
const GIBIBYTE: f64 = (1u64 << 30) as f64;

pub fn bench(data: &Data, board: &mut Board) -> Result<()> {
    let texts = data.texts(usize::MAX)?;
    let words = texts.iter().map(|text| tokens(text).len()).sum::<usize>() as f64 / texts.len() as f64;
    let spaced = texts.iter().map(|text| text.split_whitespace().count()).sum::<usize>() as f64 / texts.len() as f64;
    board.fact("mean words of a page", format!("{words:.0}; between white space {spaced:.0}"));
    let folder = tempfile::tempdir()?;
    let mut measured = Vec::new();
    for size in SIZES {
        let archive = folder.path().join(format!("{size}.warc"));
        synthetic(&archive, &texts, size)?;
        let study = study(&folder.path().join(size.to_string()), &archive, &data.bench())?;
        let run = run_child(&study, 2)?;
        board.add(&format!("run with {size} source documents"), number(&run, "wall")?, number(&run, "cpu")?);
        measured.push(note(board, size, &run)?);
        std::fs::remove_file(archive)?;
    }
    extrapolate(board, &measured);
    Ok(())
}

/// Notes a run; size, peak and the library's own count in bytes.
fn note(board: &mut Board, size: usize, run: &Value) -> Result<(f64, f64, f64)> {
    let peak = 1024.0 * run["peak_kib"].as_f64().context("no peak: this bench reads /proc")?;
    let counted = number(run, "source_bytes")?;
    board.fact(&format!("{size} documents, peak resident megabytes"), format!("{:.0}", peak / 1e6));
    board.fact(&format!("{size} documents, megabytes by Source::bytes"), format!("{:.0}", counted / 1e6));
    board.fact(&format!("{size} documents, pairs"), &run["pairs"]);
    board.fact(&format!("{size} documents, stages"), &run["timings"]);
    Ok((size as f64, peak, counted))
}

fn extrapolate(board: &mut Board, measured: &[(f64, f64, f64)]) {
    let (Some(first), Some(last)) = (measured.first(), measured.last()) else { return };
    let slope = |of: fn(&(f64, f64, f64)) -> f64| (of(last) - of(first)) / (last.0 - first.0);
    let (peak, counted) = (slope(|m| m.1), slope(|m| m.2));
    board.fact("bytes a source document, by the peaks", format!("{peak:.0}"));
    board.fact("bytes a source document, by Source::bytes", format!("{counted:.0}"));
    let whole = last.1 + peak * (STUDY - last.0);
    let verdict = if whole < 4.0 * GIBIBYTE { "under" } else { "over" };
    board.fact("extrapolated to 155,419 documents", format!("{:.2} GiB, {verdict} 4 GiB", whole / GIBIBYTE));
}

/// An archive of `size` pages whose texts are those of real pages, with every seventh word changed from copy to copy.
fn synthetic(path: &Path, texts: &[String], size: usize) -> Result<()> {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    let mut page = String::new();
    for i in 0..size {
        let (text, copy) = (&texts[i % texts.len()], i / texts.len());
        page.clear();
        page.push_str("<!doctype html><p>");
        for (w, word) in text.split_whitespace().enumerate() {
            page.extend(word.chars().filter(|c| !matches!(c, '<' | '>' | '&')));
            if w % 7 == 0 {
                write!(page, "{}", (b'a' + (copy % 26) as u8) as char)?;
            }
            page.push(if w % 12 == 11 { '\n' } else { ' ' });
        }
        write!(
            file,
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:made:{i}>\r\nWARC-TREC-ID: made-{i:06}\r\n\
             WARC-Target-URI: http://made.example/{i}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{page}\r\n\r\n",
            page.len()
        )?;
    }
    Ok(file.flush()?)
}
