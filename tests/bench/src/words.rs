//! Words of a page: bytes to text, text to tokens.

use std::collections::HashMap;

use anyhow::Result;
use dejaview::text::Tokens;

use crate::board::Board;
use crate::data::{Data, Raw, tokens};
use crate::peers;

const PAGES: usize = 1500;
const ROUNDS: usize = 5;
/// A page from this size on is measured apart: the time that peers take grows faster than the page.
const GIANT: usize = 1 << 20;

pub fn bench(data: &Data, board: &mut Board) -> Result<()> {
    let (pages, giants): (Vec<Raw>, Vec<Raw>) =
        data.pages(PAGES)?.into_iter().partition(|page| page.body.len() < GIANT);
    let megabytes = pages.iter().map(|page| page.body.len()).sum::<usize>() as f64 / 1e6;
    board.fact("pages", pages.len());
    board.fact("megabytes of HTML", format!("{megabytes:.1}"));
    for _ in 0..ROUNDS {
        board.time("dejaview text", || own_text(&pages));
        board.time("dejaview text + tokens", || own_words(&pages));
        board.time("lol_html text", || pages.iter().map(|page| peers::lol_html(&page.body).len()).sum::<usize>());
        board.time("lol_html text + our tokens", || peer_words(&pages, peers::lol_html));
        board.time("html2text text", || pages.iter().map(|page| peers::html2text(&page.body).len()).sum::<usize>());
        board.time("html2text text + our tokens", || peer_words(&pages, peers::html2text));
    }
    for name in ["dejaview text", "dejaview text + tokens", "lol_html text", "html2text text"] {
        board.rate(name, megabytes, "megabytes of HTML");
    }
    board.ratio("html2text text", "dejaview text");
    board.ratio("lol_html text", "dejaview text");
    board.ratio("html2text text + our tokens", "dejaview text + tokens");
    board.ratio("lol_html text + our tokens", "dejaview text + tokens");
    agree(board, "html2text", &pages, peers::html2text);
    agree(board, "lol_html", &pages, peers::lol_html);
    for page in &giants {
        let name = |what: &str| format!("{what}, a page of {:.1} megabytes", page.body.len() as f64 / 1e6);
        for _ in 0..ROUNDS {
            board.time(&name("dejaview text"), || page.text().len());
            board.time(&name("lol_html text"), || peers::lol_html(&page.body).len());
            board.time(&name("html2text text"), || peers::html2text(&page.body).len());
        }
        board.ratio(&name("html2text text"), &name("dejaview text"));
        board.ratio(&name("lol_html text"), &name("dejaview text"));
    }
    Ok(())
}

fn own_text(pages: &[Raw]) -> usize {
    let mut text = String::new();
    let mut length = 0;
    for page in pages {
        page.text_into(&mut text);
        length += text.len();
    }
    length
}

fn own_words(pages: &[Raw]) -> usize {
    let (mut text, mut tokens) = (String::new(), Tokens::new());
    let mut count = 0;
    for page in pages {
        page.text_into(&mut text);
        tokens.read(&text);
        count += tokens.len();
    }
    count
}

fn peer_words(pages: &[Raw], peer: fn(&[u8]) -> String) -> usize {
    let mut tokens = Tokens::new();
    let mut count = 0;
    for page in pages {
        tokens.read(&peer(&page.body));
        count += tokens.len();
    }
    count
}

/// Mean over the pages of |A ∩ B| / |A ∪ B| of the multisets of words, and the share of pages with the same words.
fn agree(board: &mut Board, name: &str, pages: &[Raw], peer: fn(&[u8]) -> String) {
    let (mut sum, mut same) = (0.0, 0);
    for page in pages {
        let mut counts = HashMap::<u64, [i64; 2]>::new();
        for (side, text) in [page.text(), peer(&page.body)].iter().enumerate() {
            for &word in tokens(text).hashes() {
                counts.entry(word).or_default()[side] += 1;
            }
        }
        let both: i64 = counts.values().map(|[a, b]| a.min(b)).sum();
        let either: i64 = counts.values().map(|[a, b]| a.max(b)).sum();
        sum += if either == 0 { 1.0 } else { both as f64 / either as f64 };
        same += usize::from(both == either);
    }
    let (mean, share) = (sum / pages.len() as f64, 100.0 * same as f64 / pages.len() as f64);
    board.fact(&format!("agreement of words with {name}"), format!("mean {mean:.4}, {share:.0} % of pages the same"));
}
