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

use std::fs;
use std::path::{Path, PathBuf};

pub use self::parts::{Block, PageOptions, Section};

use self::parts::Material;
use crate::Table;
use dejaview_study::{Outputs, Snapshot, StudyError};

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
                    title: "Not made",
                    blocks: vec![Block::Text(format!("The section “{name}” could not be made: {why}"))],
                }),
            }
        }
        Ok(Self { title: study.recipe().name.clone(), sections })
    }

    /// A page of sections that were made elsewhere.
    pub(crate) fn of_sections(title: &str, sections: Vec<Section>) -> Self {
        Self { title: title.to_owned(), sections }
    }

    /// The page as one HTML file that needs nothing else.
    pub fn html(&self) -> String {
        html::page(&self.title, &self.sections)
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
                let (table, svg) = match block {
                    Block::Table(table) => (table, None),
                    Block::Chart { table, svg } => (table, Some(svg.as_str())),
                    Block::Text(_) | Block::Markup(_) => continue,
                };
                if table.is_unavailable() {
                    continue;
                }
                let name = format!("{}-{}", section.id, table.name);
                let earlier = names.iter().filter(|other| **other == name).count();
                names.push(name.clone());
                all.push((if earlier == 0 { name } else { format!("{name}-{}", earlier + 1) }, table, svg));
            }
        }
        all
    }

    /// Writes every chart as SVG into a folder, which is made if need be; returns the files written.
    pub fn write_charts(&self, folder: &Path, outputs: &Outputs<'_>) -> Result<Vec<PathBuf>, StudyError> {
        let charts = self.named().into_iter().filter_map(|(name, _, svg)| Some((name, svg?)));
        let unmade = |why| StudyError::File { doing: "making the folder", path: folder.to_owned(), why };
        fs::create_dir_all(folder).map_err(unmade)?;
        let mut written = Vec::new();
        for (name, svg) in charts {
            let path = folder.join(format!("{name}.svg"));
            outputs.write(&path, html::alone(svg).as_bytes())?;
            written.push(path);
        }
        Ok(written)
    }

    /// Writes every table as CSV and LaTeX into a folder, which is made if need be; returns the files written.
    pub fn write_tables(&self, folder: &Path, outputs: &Outputs<'_>) -> Result<Vec<PathBuf>, StudyError> {
        let unmade = |why| StudyError::File { doing: "making the folder", path: folder.to_owned(), why };
        fs::create_dir_all(folder).map_err(unmade)?;
        let mut written = Vec::new();
        for (name, table) in self.tables() {
            for (extension, lines) in [("csv", table.csv()), ("tex", table.latex())] {
                let path = folder.join(format!("{name}.{extension}"));
                outputs.write(&path, (lines.join("\n") + "\n").as_bytes())?;
                written.push(path);
            }
        }
        Ok(written)
    }
}
