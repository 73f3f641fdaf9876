//! A whole study on one page: every table and figure with what it rests on.
//!
//! A page is a list of [`Section`]s, each made by one function of `SECTIONS`. A section that has nothing to show (no
//! judgments, no labels) is left out; one that fails is replaced by a sentence that says why. A disk that fails is an error.

mod both_sides;
pub(crate) mod figures;
mod html;
pub(crate) mod judgments;
pub(crate) mod overview;
mod pairs;
mod parts;
pub(crate) mod quality;

use std::path::{Path, PathBuf};

pub use self::parts::{Block, PageOptions, Section};

use self::parts::Material;
use crate::Table;
use dejaview_study::{Snapshot, StudyError};

type MakeSection = fn(&Material<'_>) -> Result<Option<Section>, StudyError>;

/// Every section with its name, in the order of the page.
const SECTIONS: &[(&str, MakeSection)] = &[
    ("overview", overview::section),
    ("judgments", judgments::section),
    ("found", figures::section),
    ("quality", quality::section),
    ("labels", quality::by_labels),
    ("urls", both_sides::urls),
    ("groups", both_sides::groups),
    ("transfer", both_sides::transfer),
    ("sizes", both_sides::sizes),
    ("pairs", pairs::section),
];

#[derive(Debug, Clone)]
pub struct Page {
    title: String,
    pub sections: Vec<Section>,
}

/// What the numbers of the page lack or may rest on wrongly.
fn doubts(study: &Snapshot) -> Option<Section> {
    let said: Vec<Block> = study.caveats().into_iter().map(Block::Text).collect();
    (!said.is_empty()).then_some(Section { id: "doubts", title: "What is missing or in doubt", blocks: said })
}

impl Page {
    /// The page of a study that was run.
    pub fn new(study: &Snapshot, options: &PageOptions) -> Result<Self, StudyError> {
        let table = study.table()?;
        let material = Material { study, table, options };
        let mut sections = Vec::new();
        for (name, make) in SECTIONS {
            match make(&material) {
                Ok(section) => sections.extend(section),
                Err(why) if why.is_of_disk() => return Err(why),
                Err(why) => sections.push(Section {
                    id: name,
                    title: Section::NOT_MADE,
                    blocks: vec![Block::Text(format!("The section “{name}” could not be made: {why}"))],
                }),
            }
        }
        // The sections have read by now what they rest on.
        if let Some(doubts) = doubts(study) {
            sections.insert(0, doubts);
        }
        Ok(Self { title: study.recipe().name.clone(), sections })
    }

    /// A page of sections that were made elsewhere.
    pub(crate) fn of_sections(title: &str, sections: Vec<Section>) -> Self {
        Self { title: title.to_owned(), sections }
    }

    /// Why sections are missing, a sentence each.
    pub fn missing<'s>(&'s self) -> Vec<&'s str> {
        let not_made = self.sections.iter().filter(|section| section.is_missing());
        let text = |block: &'s Block| if let Block::Text(text) = block { Some(text.as_str()) } else { None };
        not_made.flat_map(|section| section.blocks.iter().filter_map(text)).collect()
    }

    /// The page as one HTML file that needs nothing else.
    pub fn html(&self) -> String {
        html::page(&self.title, &self.sections, &[])
    }

    /// The same with a link below each table and chart to its files, in the folders `tables` and `figures` beside the page.
    pub fn html_with_links(&self) -> String {
        let names: Vec<String> = self.named().into_iter().map(|(name, ..)| name).collect();
        html::page(&self.title, &self.sections, &names)
    }

    /// All tables, those of the charts included, named after their section.
    pub fn tables(&self) -> Vec<(String, &Table)> {
        self.named().into_iter().map(|(name, table, _)| (name, table)).collect()
    }

    /// Tables with their names, and the charts that are drawn from them.
    fn named(&self) -> Vec<(String, &Table, Option<&str>)> {
        let mut names: Vec<String> = Vec::new();
        let mut all = Vec::new();
        for section in &self.sections {
            for block in &section.blocks {
                let Some(table) = block.table() else { continue };
                let svg = if let Block::Chart { svg, .. } = block { Some(svg.as_str()) } else { None };
                let name = format!("{}-{}", section.id, table.name);
                let earlier = names.iter().filter(|other| **other == name).count();
                names.push(name.clone());
                all.push((if earlier == 0 { name } else { format!("{name}-{}", earlier + 1) }, table, svg));
            }
        }
        all
    }

    /// Every chart as a file of a folder, as SVG.
    pub fn chart_files(&self, folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
        let charts = self.named().into_iter().filter_map(|(name, _, svg)| Some((name, svg?)));
        let file = |(name, svg): (String, &str)| (folder.join(format!("{name}.svg")), html::alone(svg).into_bytes());
        charts.map(file).collect()
    }

    /// Every table as two files of a folder, as CSV and as LaTeX.
    pub fn table_files(&self, folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
        let file = |name: &str, extension: &str, lines: Vec<String>| {
            (folder.join(format!("{name}.{extension}")), (lines.join("\n") + "\n").into_bytes())
        };
        let files =
            |(name, table): (String, &Table)| [file(&name, "csv", table.csv()), file(&name, "tex", table.latex())];
        self.tables().into_iter().flat_map(files).collect()
    }
}
