//! Chapter 5 of the thesis: pairs and documents found, how alike they are, and samples with labels.

use super::beside::Beside;
use super::material::Material;
use super::published;
use crate::Report;
use crate::numbers::{count, share};
use crate::page::{Block, figures as section};
use dejaview_study::{FigureOptions, Figures, StudyError, Truth};

/// Figures 5.1 to 5.5; of a study whose source is a wiki they are Figures 5.7 to 5.9.
pub fn chapter(material: &Material<'_>) -> Result<Vec<Block>, StudyError> {
    let options = FigureOptions { segments: material.options.segments, ..FigureOptions::default() };
    let figures = dejaview_study::figures(material.study, &options)?;
    let mut blocks = vec![Block::Text(
        "Figures 5.1 to 5.5 of the thesis are of judged documents, Figures 5.7 to 5.9 of Wikipedia, which has no judgments. \
         Figure 5.6 shows two box scores; the sample study has such pages, and `dejaview explain` shows any pair."
            .to_owned(),
    )];
    blocks.extend(section::blocks(&figures));
    match material.study.judgments()? {
        Some(_) => blocks.extend([documents(&figures), carried_on(&figures), candidates(&figures), missed(&figures)]),
        None => blocks.push(wikipedia(&figures)),
    }
    Ok(blocks)
}

/// Judged documents found, candidates of each, and their precision.
fn documents(figures: &Figures) -> Block {
    let mut beside = Beside::new("published-documents", "Documents found, SimHash with k = 3 (section 5.1)");
    for found in &published::FOUND {
        let name = found.name;
        let quality = figures.quality.iter().find(|row| row.configuration == name);
        beside.row(format!("{name}: documents found"), count(found.documents), quality.map(|row| count(row.found)));
        let part = |part: u64, whole: u64| format!("{:.1}", 100.0 * part as f64 / whole.max(1) as f64);
        let here = quality.map(|row| part(row.found, figures.documents));
        beside.row(format!("{name}: of all source documents (%)"), part(found.documents, 155_419), here);
        let precision = quality.map(|row| share(row.precision));
        beside.row(format!("{name}: precision"), format!("{:.2}", found.precision), precision);
        if let Some(alike) = found.alike {
            beside.row(format!("{name}: with a near-duplicate"), count(alike), quality.map(|row| count(row.alike)));
        }
        if let Some(mean) = found.candidates {
            let row = figures.candidates.iter().find(|row| row.configuration == name);
            let here = row.map(|row| format!("{:.1}", row.mean));
            beside.row(format!("{name}: candidates of a document"), count(mean), here);
        }
    }
    beside.block(
        "the corpora; the thesis does not give shares of all its documents, they follow from its numbers; it reads segments 0, 4, 8, 10 and 15 of twenty, and counts candidates in segment 0, here in all \
         segments (`figures --segment` counts one)",
    )
}

/// What the straight line says of all segments.
fn carried_on(figures: &Figures) -> Block {
    let title = "Documents found, carried on by a straight line (section 5.1)";
    let columns = ["published, 20 segments", "here", "segments here"];
    let mut beside = Beside::of_columns("published-carried-on", title, &columns);
    let accumulated = figures.figures.iter().find(|figure| figure.name == "accumulated");
    for found in &published::FOUND {
        let series = accumulated.and_then(|figure| figure.series.iter().find(|series| series.name == found.name));
        let forecast = series.and_then(|series| series.extrapolation.as_ref()?.linear.last());
        let here = forecast.map(|last| count(last.value.round().max(0.0) as u64));
        let segments = forecast.map(|last| last.segments.to_string());
        beside.numbers(found.name, [Some(count(found.carried_on)), here, segments]);
    }
    let differs = match accumulated {
        Some(_) => {
            "the thesis carries five segments on to twenty; `--segments` says how far this page goes. The saturating curve beside the \
             line bends as the thesis expects the numbers to"
        }
        None => {
            "the thesis carries five segments on to twenty; this study has one, and one point makes no line. The study file names a \
             segment for each [[target]] (`new` makes one of each --target)"
        }
    };
    beside.block(differs)
}

/// How unevenly candidates are spread.
fn candidates(figures: &Figures) -> Block {
    let mut beside = Beside::new("published-candidates", "Candidates of a document, SimHash with k = 3 (section 5.1)");
    for published in &published::CANDIDATES {
        let name = published.name;
        let here = figures.candidates.iter().find(|row| row.configuration == name);
        beside.row(format!("{name}: most"), count(published.most), here.map(|row| count(row.max)));
        let quantiles = [
            ("median", published.median, here.map(|row| row.median)),
            ("75 %", published.p75, here.map(|row| row.p75)),
        ];
        for (what, published, here) in quantiles {
            let Some(published) = published else { continue };
            beside.row(format!("{name}: {what}"), count(published), here.map(|value| format!("{value:.1}")));
        }
    }
    beside.block("the thesis counts segment 0, here all segments count (`figures --segment` counts one)")
}

/// Pages of a wiki found, and candidates of each.
fn wikipedia(figures: &Figures) -> Block {
    let mut beside = Beside::new(
        "published-wikipedia",
        "Pages found of a source without judgments, SimHash with k = 3 (section 5.2, Wikipedia)",
    );
    for (name, mean) in published::WIKIPEDIA {
        let row = figures.candidates.iter().find(|row| row.configuration == name);
        let here = row.map(|row| format!("{:.1}", row.mean));
        beside.row(format!("{name}: candidates of a page"), count(mean), here);
        let alike = figures.quality.iter().find(|row| row.configuration == name).map(|row| count(row.alike));
        beside.row(format!("{name}: with a near-duplicate"), "0", alike);
    }
    beside.block(
        "the source of the thesis is the Wikipedia of 2012, which it looks for in two segments of twenty; here it is the source of this study, \
         which has no judgments",
    )
}

/// Near-duplicates that the narrower SimHash finds and the wider one misses.
fn missed(figures: &Figures) -> Block {
    let mut beside = Beside::new("published-missed", "Documents that one finds alike and another misses (section 5.1)");
    let place = |name: &str| figures.quality.iter().position(|row| row.configuration == name);
    for (finder, misser, number) in published::MISSED {
        let here = place(finder).zip(place(misser)).and_then(|(row, column)| figures.differences.get(row)?.get(column));
        let here = here.map(|difference| count(difference.documents));
        beside.row(format!("found by {finder}, missed by {misser}"), count(number), here);
    }
    beside.block("the thesis counts segment 0")
}

/// Precision by labels, where there are any.
pub fn labels(material: &Material<'_>) -> Result<Vec<Block>, StudyError> {
    let evaluation = dejaview_study::evaluate(material.study, &Truth::Labels, &Default::default())?;
    let has_labels = evaluation.comparison.pool.known > 0;
    let mut blocks: Vec<Block> = Vec::new();
    if has_labels {
        blocks.extend(evaluation.tables().into_iter().map(Block::Table));
        blocks.extend(evaluation.estimates.iter().flat_map(Report::tables).map(Block::Table));
    } else {
        let none = "No labels yet: `dejaview sample` draws pairs, `dejaview label` opens them.";
        blocks.push(Block::Text(none.to_owned()));
    }
    let mut beside = Beside::new("published-precision", "Precision by eye, 100 documents each (section 5.1)");
    for found in &published::FOUND {
        let Some(wrong) = found.wrong else { continue };
        let row = evaluation.comparison.configurations.iter().find(|row| has_labels && row.name == found.name);
        let published = format!("{:.2}", 1.0 - wrong as f64 / 100.0);
        beside.row(found.name, published, row.map(|row| share(row.precision)));
    }
    blocks.push(beside.block(
        "in the thesis one person looked at 100 documents for each length of n-grams; here the labels and the design of the sample count",
    ));
    Ok(blocks)
}
