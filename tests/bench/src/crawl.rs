//! A study of many pages made from real ones by changing words: what a run of a million pages takes.
//!
//! Pages of the source come from a twentieth of the real pages, those of the target from all of them: one page in twenty
//! has relatives in the source, as few of a crawl have among judged ones.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::thread;

use anyhow::{Result, anyhow};
use dejaview::base::hash::fmix64;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::data::{Data, Raw};

/// Words of a thousand that are changed in a page, by turns.
const CHANGED: [u64; 4] = [0, 5, 20, 250];
/// The segments of the target.
const SEGMENTS: u64 = 10;

/// Makes a study of as many pages of the target, and a fiftieth of them in the source.
pub fn make(data: &Data, folder: &Path, pages: u64) -> Result<()> {
    fs::create_dir_all(folder)?;
    let real: Vec<Raw> = data.pages(usize::MAX)?;
    let few = real.len() / 20;
    let source = (pages / 50).max(1);
    write(&real[..few], &folder.join("old.warc.gz"), "old", 0..source)?;
    let segments: Vec<u64> = (0..SEGMENTS).collect();
    let each = pages / SEGMENTS;
    let segment = |number: u64| {
        let (name, first) = (format!("new-{number:02}"), source + number * each);
        write(&real, &folder.join(format!("{name}.warc.gz")), &name, first..first + each)
    };
    // Two at a time, as there are cores.
    for two in segments.chunks(2) {
        thread::scope(|scope| -> Result<()> {
            let threads: Vec<_> = two.iter().map(|&number| scope.spawn(move || segment(number))).collect();
            threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| anyhow!("a thread panicked"))?)
        })?;
    }
    let mut toml = "name = \"Many pages\"\n[source]\ndocuments = [\"old.warc.gz\"]\n".to_owned();
    for number in segments {
        toml += &format!("[[target]]\nsegment = \"{number:02}\"\ndocuments = [\"new-{number:02}.warc.gz\"]\n");
    }
    for ngrams in ["[2]", "[3]", "[5]", "[2, 3]", "[3, 5]"] {
        toml += &format!("[[configuration]]\nmethod = \"simhash\"\nngrams = {ngrams}\n");
    }
    fs::write(folder.join("study.toml"), toml)?;
    Ok(())
}

/// Writes an archive of pages with these numbers, a member each.
fn write(real: &[Raw], path: &Path, prefix: &str, numbers: std::ops::Range<u64>) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for number in numbers {
        let body = made(real, number);
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n", body.len());
        let head = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-TREC-ID: {prefix}-{number:07}\r\nWARC-Target-URI: http://site{}.example.org/{number}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
            number % 997,
            http.len() + body.len()
        );
        let mut member = GzEncoder::new(Vec::new(), Compression::fast());
        for part in [head.as_bytes(), http.as_bytes(), &body, b"\r\n\r\n"] {
            member.write_all(part)?;
        }
        file.write_all(&member.finish()?)?;
    }
    Ok(file.flush()?)
}

/// The bytes of a real page, with some of its words outside tags made others.
fn made(real: &[Raw], number: u64) -> Vec<u8> {
    let random = |stream: u64| fmix64(fmix64(number).wrapping_add(stream));
    let page = &real[(random(1) % real.len() as u64) as usize].body;
    let changed = CHANGED[(random(2) % 4) as usize];
    let mut body = page.clone();
    let (mut inside_tag, mut at, mut word) = (false, 0, 3);
    while at < body.len() {
        match body[at] {
            b'<' => inside_tag = true,
            b'>' => inside_tag = false,
            byte if !inside_tag && byte.is_ascii_alphabetic() => {
                let length = body[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
                word += 1;
                let draw = random(word);
                if draw % 1000 < changed {
                    let letters = body[at..at + length].iter_mut().zip(0u64..);
                    letters.for_each(|(letter, i)| *letter = b'a' + (random(draw ^ i) % 26) as u8);
                }
                at += length;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    body
}
