//! What happens to a text between two crawls.

use crate::{
    rng::Rng,
    work::{Block, Work},
};

/// A state of a work's text. Two pages of one work with the same version say the same words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// As written.
    Original,
    /// A few words changed, perhaps a sentence added; the number tells several such edits apart.
    Light(u8),
    /// A recipe for another number of people, in halves of the original amount.
    Scaled(u8),
    /// Sections dropped and moved, many words changed, later material added.
    Heavy(u8),
    /// The beginning only: 0 a teaser, 1 about half.
    Excerpt(u8),
    /// Broken off by the server in the middle of the page.
    Cut,
}

/// What may be said in place of what, without harm to the grammar wherever it stands.
const SYNONYMS: [(&str, &str); 48] = [
    ("in spite of", "despite"),
    ("a handful of", "a few"),
    ("in front of", "before"),
    ("at once", "immediately"),
    ("for instance", "for example"),
    ("at least", "no less than"),
    ("above all", "in particular"),
    ("every year", "each year"),
    ("every day", "each day"),
    ("every month", "each month"),
    ("beside the", "next to the"),
    ("does not", "doesn't"),
    ("do not", "don't"),
    ("is not", "isn't"),
    ("did not", "didn't"),
    ("will not", "won't"),
    ("cannot", "can't"),
    ("it is", "it's"),
    ("usually", "normally"),
    ("perhaps", "maybe"),
    ("often", "frequently"),
    ("nearly", "almost"),
    ("almost", "nearly"),
    ("began", "started"),
    ("built", "constructed"),
    ("large", "big"),
    ("small", "little"),
    ("quick", "fast"),
    ("until", "till"),
    ("famous", "well-known"),
    ("colour", "color"),
    ("colours", "colors"),
    ("harbour", "harbor"),
    ("centre", "center"),
    ("metres", "meters"),
    ("grey", "gray"),
    ("neighbours", "neighbors"),
    ("nobody", "no one"),
    ("somebody", "someone"),
    ("everybody", "everyone"),
    ("anybody", "anyone"),
    ("mostly", "mainly"),
    ("eleven", "11"),
    ("twelve", "12"),
    ("twenty", "20"),
    ("thirty", "30"),
    ("forty", "40"),
    ("four", "4"),
];

/// The text of a work in one of its versions.
pub fn apply(work: &Work, version: Version, seed: u64) -> Vec<Block> {
    let mut rng = Rng::named(seed, &format!("{} {version:?}", work.id));
    let mut blocks = work.blocks.clone();
    match version {
        Version::Original | Version::Cut => {}
        Version::Light(_) => {
            let changed = substitute(&mut blocks, 3, &mut rng) + renumber(&mut blocks, 1, &mut rng);
            if changed < 2 || rng.chance(45) {
                blocks.extend(work.later.iter().take(2).cloned());
            }
            if blocks == work.blocks && blocks.len() > 3 {
                blocks.pop();
            }
        }
        Version::Scaled(halves) => scale(&mut blocks, f64::from(halves) / 2.0),
        Version::Heavy(_) => {
            thin_out(&mut blocks, &mut rng);
            prune(&mut blocks);
            swap_sections(&mut blocks, &mut rng);
            substitute(&mut blocks, 18, &mut rng);
            renumber(&mut blocks, 3, &mut rng);
            blocks.extend(work.later.iter().cloned());
        }
        Version::Excerpt(kind) => {
            let keep = if kind == 0 { teaser(&blocks) } else { blocks.len() / 2 };
            blocks.truncate(keep.max(2));
        }
    }
    blocks
}

/// How many blocks make a teaser: as many as hold some three hundred letters.
fn teaser(blocks: &[Block]) -> usize {
    let mut letters = 0;
    let length = |block: &Block| match block {
        Block::Paragraph(text) | Block::Item(_, text) | Block::Heading(text) => text.len(),
        Block::Row(_, cells) => cells.iter().map(String::len).sum(),
        Block::Post(..) | Block::Rule => 0,
    };
    let enough = blocks.iter().position(|block| {
        letters += length(block);
        letters >= 300
    });
    enough.map_or(blocks.len(), |last| last + 1)
}

/// Changes up to `most` words, at most one of each pair, and says how many.
fn substitute(blocks: &mut [Block], most: usize, rng: &mut Rng) -> usize {
    let mut order: Vec<usize> = (0..SYNONYMS.len()).collect();
    rng.shuffle(&mut order);
    let mut changed = 0;
    for (from, to) in order.into_iter().map(|i| SYNONYMS[i]) {
        if changed == most {
            break;
        }
        let found = blocks.iter_mut().filter_map(text_mut).find_map(|text| {
            let at = find_word(text, from)?;
            text.replace_range(at..at + from.len(), to);
            Some(())
        });
        changed += usize::from(found.is_some());
    }
    changed
}

/// Finds `word` in lower case between two spaces, so that links, names and sentence beginnings stay as they are.
fn find_word(text: &str, word: &str) -> Option<usize> {
    text.find(&format!(" {word} ")).map(|at| at + 1)
}

/// Adds a little to some number in a table or a sentence.
fn renumber(blocks: &mut [Block], most: usize, rng: &mut Rng) -> usize {
    let mut changed = 0;
    for block in blocks {
        if changed == most {
            break;
        }
        let Block::Row(false, cells) = block else { continue };
        let Some(cell) = cells.last_mut() else { continue };
        if let Ok(number) = cell.parse::<i64>()
            && rng.chance(60)
        {
            *cell = (number + rng.between(1, 9)).to_string();
            changed += 1;
        }
    }
    changed
}

/// Drops about a third of the paragraphs, items and rows, but not the first.
fn thin_out(blocks: &mut Vec<Block>, rng: &mut Rng) {
    let mut index = 0;
    blocks.retain(|block| {
        index += 1;
        let fixed = matches!(block, Block::Heading(_) | Block::Post(..) | Block::Row(true, _));
        index == 1 || fixed || !rng.chance(36)
    });
}

/// Takes away headings and posts that have nothing under them any more.
fn prune(blocks: &mut Vec<Block>) {
    let is_head = |block: Option<&Block>| matches!(block, None | Some(Block::Heading(_) | Block::Post(..)));
    let bare: Vec<bool> = (0..blocks.len()).map(|i| is_head(blocks.get(i)) && is_head(blocks.get(i + 1))).collect();
    let mut index = 0;
    blocks.retain(|_| {
        index += 1;
        !bare[index - 1]
    });
}

/// Moves the last section in front of some other one.
fn swap_sections(blocks: &mut Vec<Block>, rng: &mut Rng) {
    let starts: Vec<usize> = (0..blocks.len()).filter(|i| matches!(blocks[*i], Block::Heading(_))).collect();
    if let [first, .., last] = starts[..] {
        let place = if rng.chance(50) { first } else { starts[starts.len() / 2] };
        let section = blocks.split_off(last);
        let rest = blocks.split_off(place.min(last));
        blocks.extend(section);
        blocks.extend(rest);
    }
}

/// Multiplies the amounts that a recipe marks with braces.
fn scale(blocks: &mut [Block], factor: f64) {
    for text in blocks.iter_mut().filter_map(text_mut) {
        while let Some((before, rest)) = text.split_once('{') {
            let Some((amount, after)) = rest.split_once('}') else { break };
            let value = amount.parse::<f64>().unwrap_or(1.0) * factor;
            *text = format!("{before}{}{after}", (value * 100.0).round() / 100.0);
        }
    }
}

fn text_mut(block: &mut Block) -> Option<&mut String> {
    match block {
        Block::Paragraph(text) | Block::Item(_, text) => Some(text),
        _ => None,
    }
}
