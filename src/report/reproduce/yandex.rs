//! Zelenkov and Segalovich: A0 to A12, their Dice matrix and unions.

use super::beside::Beside;
use super::material::Material;
use super::published;
use crate::numbers::{count, share};
use crate::page::{Block, quality};
use dejaview_evaluation::comparison::Quality;
use dejaview_study::{Evaluation, StudyError, TextCompared, Truth, TruthMeasure};

/// Their truth: 80 % alike by the edits of characters that turn one preprocessed text into the other.
const TRUTH: Truth = Truth::AtLeast(TruthMeasure::EditCharacters(TextCompared::Content), 0.8);

pub fn chapter(material: &Material<'_>) -> Result<Vec<Block>, StudyError> {
    let evaluation = dejaview_study::evaluate(material.study, &TRUTH, &Default::default())?;
    let true_pairs = format!(
        "True are pairs whose texts, without stop words and short words, are 80 % alike by the edits of characters that turn one \
         into the other (`{TRUTH}`): the paper's own truth."
    );
    let mut blocks = vec![Block::Text(true_pairs)];
    blocks.extend(quality::blocks(&evaluation));
    if !published::ALGORITHMS.iter().any(|algorithm| of_method(&evaluation, algorithm.method).is_some()) {
        let none = "None of the algorithms A0 to A12 is a configuration of this study, so their published numbers have nothing to stand \
                    beside: `dejaview new --template yandex` writes a study that has all of them.";
        blocks.push(Block::Text(none.to_owned()));
        return Ok(blocks);
    }
    blocks.extend([table_2(&evaluation), table_3(&evaluation), table_4(&evaluation)]);
    Ok(blocks)
}

/// The configuration of the study that is such an algorithm.
fn of_method<'a>(evaluation: &'a Evaluation, method: &str) -> Option<&'a Quality> {
    evaluation.comparison.configurations.iter().find(|row| row.method == method)
}

fn table_2(evaluation: &Evaluation) -> Block {
    let title = "Recall, precision and F (Tables 2 and 7)";
    let mut beside = Beside::of_measures("published-quality", title, &["recall", "precision", "F"]);
    for algorithm in &published::ALGORITHMS {
        let row = of_method(evaluation, algorithm.method);
        let here = row.map(|row| [row.recall, row.precision, row.f1].map(share));
        let published = match algorithm.quality {
            Some(numbers) => numbers.map(|number| Some(format!("{number:.2}"))),
            None => [Some("~1".to_owned()), Some("~1".to_owned()), None],
        };
        let here = here.map_or([const { None }; 3], |here| here.map(Some));
        let what = format!("{} {}", algorithm.name, algorithm.method);
        beside.numbers(what, published.into_iter().zip(here).flat_map(|(published, here)| [published, here]));
    }
    beside.block(
        "the paper's collection is ROMIP's web sites (500,000 pages against each other), its truth Perl's String::Similarity of 0.8, \
         and its recall is of the pairs that its algorithms found together; here it is of those that all configurations of this study \
         found, which may be others, too",
    )
}

fn table_3(evaluation: &Evaluation) -> Block {
    let mut beside = Beside::new("published-pairs", "Pairs found (Table 3)");
    for algorithm in published::ALGORITHMS.iter().filter(|algorithm| algorithm.pairs.is_some()) {
        let row = of_method(evaluation, algorithm.method);
        let what = format!("{} {}", algorithm.name, algorithm.method);
        beside.row(what, algorithm.pairs.map_or(String::new(), count), row.map(|row| count(row.pairs)));
    }
    beside.block("the collection: 17,471,200 pairs of all algorithms together, of which 68 % were true")
}

fn table_4(evaluation: &Evaluation) -> Block {
    let mut beside = Beside::new("published-dice", "Dice of the pairs of two algorithms (Table 4)");
    let method = |name: &str| published::ALGORITHMS.iter().find(|a| a.name == name).map_or("", |a| a.method);
    let place = |name: &str| {
        let configuration = &of_method(evaluation, method(name))?.name;
        evaluation.comparison.names.iter().position(|other| other == configuration)
    };
    for (row, values) in published::DICE.iter().enumerate() {
        for (column, published) in values.iter().enumerate() {
            let (a, b) = (published::DICE_OF[row], published::DICE_OF[row + 1 + column]);
            let here = place(a).zip(place(b)).map(|(a, b)| format!("{:.2}", evaluation.comparison.dice[a][b]));
            beside.row(format!("{a} {} and {b} {}", method(a), method(b)), format!("{published:.2}"), here);
        }
    }
    beside.block("the collection; Dice is 2·common / (a + b) in both")
}
