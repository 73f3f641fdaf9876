//! All standard configurations in one pass beside SimHash alone, on the small web that was crawled twice.
//!
//! The target: at most 4 times as long, decomposition and exact Jaccard apart, which compare whole documents.

use anyhow::Result;

use crate::board::Board;
use crate::data::Data;
use crate::run::{add, run_child, study_of};

const ROUNDS: usize = 9;
const THREADS: usize = 2;

/// The standard set beside SimHash.
const METHODS: [&str; 15] = [
    "supershingles",
    "megashingles",
    "imatch",
    "lex-rand",
    "md5",
    "tf",
    "tfidf",
    "tfridf",
    "long-sent",
    "heavy-sent",
    "log-shingles",
    "descr-words",
    "opt-freq",
    "sentences-words",
    "best",
];

/// Those that compare whole documents.
const WHOLE: [&str; 2] = ["decomposition", "exact-jaccard"];

pub fn bench(data: &Data, board: &mut Board) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let all: Vec<&str> = METHODS.iter().chain(&WHOLE).copied().collect();
    let contenders =
        [("SimHash alone", &[][..]), ("the standard set but two", &METHODS[..]), ("the standard set", &all[..])];
    for round in 0..ROUNDS {
        for (name, methods) in contenders {
            let study = study_of(&folder.path().join(name.replace(' ', "-")), &data.older(), &data.newer(), methods)?;
            let last = run_child(&study, THREADS)?;
            add(board, name, &last)?;
            if round == 0 {
                board.fact(&format!("{name}: pairs"), &last["pairs"]);
                board.fact(&format!("{name}: stages, seconds over all threads"), &last["timings"]);
            }
        }
    }
    board.ratio("the standard set but two", "SimHash alone");
    board.ratio("the standard set", "SimHash alone");
    Ok(())
}
