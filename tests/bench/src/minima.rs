//! 84 minima of word 5-grams, as super shingles take them: from words that are cut already.

use std::io::Write as _;

use anyhow::{Result, anyhow, ensure};
use dejaview::methods::parameters::Value;
use dejaview::methods::{Method, Prepared, Statistics, Values, catalogue};
use dejaview::text::Tokens;
use gaoya::minhash::{MinHasher, MinHasher32};

use crate::board::Board;
use crate::data::{Data, folded, tokens};
use crate::python;

const PAGES: usize = 1500;
const ROUNDS: usize = 5;
const MINIMA: u64 = 84;
const SHINGLE: usize = 5;

pub fn bench(data: &Data, board: &mut Board) -> Result<()> {
    let texts = data.texts(PAGES)?;
    let all_tokens: Vec<Tokens> = texts.iter().map(|text| tokens(text)).collect();
    let words: Vec<Vec<String>> = texts.iter().map(|text| folded(text)).collect();
    let count: usize = words.iter().map(Vec::len).sum();
    board.fact("documents", texts.len());
    board.fact("tokens", count);
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("words");
    let mut written = std::io::BufWriter::new(std::fs::File::create(&file)?);
    words.iter().try_for_each(|words| writeln!(written, "{}", words.join(" ")))?;
    written.flush()?;
    drop(written);
    python::prepare()?;
    let (method, gaoya) = (minhash()?, MinHasher32::new(MINIMA as usize));
    let mut sketches = Vec::new();
    for _ in 0..ROUNDS {
        board.time("dejaview, from tokens", || {
            sketches.clear();
            for (text, tokens) in texts.iter().zip(&all_tokens) {
                method.sketch(&Prepared::new(text, tokens), &mut sketches);
            }
        });
        let made = words.iter().filter(|words| words.len() >= SHINGLE).count();
        let sizes = (sketches.len(), made * MINIMA as usize / 2);
        ensure!(sizes.0 >= sizes.1, "84 minima of each page with 5 words, two to a word: {sizes:?}");
        board.time("gaoya, from words", || {
            let minima = |words: &Vec<String>| gaoya.create_signature(words.windows(SHINGLE));
            words
                .iter()
                .map(|words| minima(words).iter().fold(0, |all, minimum| all ^ minimum))
                .fold(0, |all, one| all ^ one)
        });
        let rensa = python::run("minima.py", &[&file])?;
        let seconds = |name: &str| python::number(&rensa, name);
        board.add("rensa, from words", seconds("wall")?, seconds("cpu")?);
        board.add("rensa, from shingles", seconds("update_wall")?, seconds("update_cpu")?);
        ensure!(seconds("words")? as usize == count, "rensa has other words");
    }
    board.rate("dejaview, from tokens", count as f64 / 1e6, "million tokens");
    board.ratio("gaoya, from words", "dejaview, from tokens");
    board.ratio("rensa, from words", "dejaview, from tokens");
    board.ratio("rensa, from shingles", "dejaview, from tokens");
    Ok(())
}

/// MinHash with as many minima as super shingles have.
fn minhash() -> Result<Box<dyn Method>> {
    let mut values = Values::new(catalogue::find("minhash").ok_or_else(|| anyhow!("there is no minhash"))?);
    for (name, value) in [("minima", MINIMA), ("shingle", SHINGLE as u64)] {
        values.set(name, Value::Whole(value)).map_err(|e| anyhow!("{e}"))?;
    }
    values.fit(&Statistics::default()).map_err(|e| anyhow!("{e}"))
}
