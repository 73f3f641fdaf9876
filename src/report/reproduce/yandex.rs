//! Zelenkov and Segalovich: A0 to A12, their Dice matrix and unions.

use super::beside::Beside;
use super::material::Material;
use super::published;
use crate::numbers::count;
use crate::page::{Block, quality};
use dejaview_base::interval::Interval;
use dejaview_evaluation::comparison::Quality;
use dejaview_study::{Evaluation, StudyError, TextCompared, Truth, TruthMeasure};

/// Their truth: 80 % alike by the edits of characters that turn one preprocessed text into the other.
const TRUTH: Truth = Truth::AtLeast(TruthMeasure::EditCharacters(TextCompared::Content), 0.8);

pub fn chapter(material: &Material<'_>) -> Result<Vec<Block>, StudyError> {
    let evaluation = dejaview_study::evaluate(material.study, &TRUTH, &Default::default())?;
    let mut blocks = quality::blocks(&evaluation);
    blocks.extend([table_2(&evaluation), table_3(&evaluation), table_4(&evaluation)]);
    Ok(blocks)
}

/// The configuration of the study that is such an algorithm.
fn of_method<'a>(evaluation: &'a Evaluation, method: &str) -> Option<&'a Quality> {
    evaluation.comparison.configurations.iter().find(|row| row.method == method)
}

fn table_2(evaluation: &Evaluation) -> Block {
    let mut beside = Beside::new("Recall / precision / F (Tables 2 and 7)");
    for algorithm in &published::ALGORITHMS {
        let value = |interval: Option<Interval>| interval.map_or("–".to_owned(), |i| format!("{:.3}", i.value));
        let row = of_method(evaluation, algorithm.method);
        let here = row.map(|row| format!("{} / {} / {}", value(row.recall), value(row.precision), value(row.f1)));
        let [recall, precision, f] = match algorithm.quality {
            Some(numbers) => numbers.map(|number| format!("{number:.2}")),
            None => ["~1".to_owned(), "~1".to_owned(), "–".to_owned()],
        };
        let what = format!("{} {}", algorithm.name, algorithm.method);
        beside.row(what, format!("{recall} / {precision} / {f}"), here);
    }
    beside.block(
        "the paper's collection is ROMIP's web sites (500,000 pages against each other), its truth Perl's String::Similarity of 0.8, \
         and its recall is of the pairs that all algorithms found together, as here",
    )
}

fn table_3(evaluation: &Evaluation) -> Block {
    let mut beside = Beside::new("Pairs found (Table 3)");
    for algorithm in published::ALGORITHMS.iter().filter(|algorithm| algorithm.pairs.is_some()) {
        let row = of_method(evaluation, algorithm.method);
        let what = format!("{} {}", algorithm.name, algorithm.method);
        beside.row(what, algorithm.pairs.map_or(String::new(), count), row.map(|row| count(row.pairs)));
    }
    beside.block("the collection: 17,471,200 pairs of all algorithms together, of which 68 % were true")
}

fn table_4(evaluation: &Evaluation) -> Block {
    let mut beside = Beside::new("Dice of the pairs of two algorithms (Table 4)");
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
