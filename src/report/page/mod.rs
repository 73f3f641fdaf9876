//! A whole study on one page: every table and figure with what it rests on.
//!
//! A page is a list of [`Section`]s, each made by one function of `SECTIONS`; a further part of the study is one more
//! line there. What cannot be made (no judgments, no labels) is left out; what fails is said in its place.

mod carried;
mod found;
mod html;
mod judged;
mod overview;
mod pairs;
mod parts;
mod quality;

use std::path::PathBuf;
use std::{fs, io};

pub use self::parts::{Block, Options, Section};

use self::parts::Material;
use crate::Table;
use dejaview_study::{Snapshot, StudyError};

type Make = fn(&Material<'_>) -> Result<Option<Section>, StudyError>;

/// Every section with its name, in the order of the page.
const SECTIONS: &[(&str, Make)] = &[
    ("overview", overview::section),
    ("judgments", judged::section),
    ("found", found::section),
    ("quality", quality::section),
    ("labels", quality::by_labels),
    ("urls", carried::urls),
    ("groups", carried::groups),
    ("transfer", carried::transfer),
    ("sizes", carried::sizes),
    ("pairs", pairs::section),
];

/// A page, ready to be written.
#[derive(Debug, Clone)]
pub struct Page {
    title: String,
    /// Its sections.
    pub sections: Vec<Section>,
}

impl Page {
    /// Everything that there is to say about a study that was run.
    pub fn of(study: &Snapshot, options: &Options) -> Result<Self, StudyError> {
        let table = study.table()?;
        let material = Material { study, table, options };
        let mut sections = Vec::new();
        for (name, make) in SECTIONS {
            match make(&material) {
                Ok(section) => sections.extend(section),
                Err(why) => sections.push(Section {
                    id: name,
                    title: "Not made",
                    blocks: vec![Block::Text(format!("The section “{name}” could not be made: {why}"))],
                }),
            }
        }
        Ok(Self { title: study.recipe().name.clone(), sections })
    }

    /// The page as one HTML file that needs nothing else.
    pub fn html(&self) -> String {
        html::page(&self.title, &self.sections)
    }

    /// All tables, those of the charts included, named after their section.
    pub fn tables(&self) -> Vec<(String, &Table)> {
        let mut names: Vec<String> = Vec::new();
        let mut all = Vec::new();
        for section in &self.sections {
            for block in &section.blocks {
                if let Block::Table(table) | Block::Chart { table, .. } = block
                    && !table.is_left_out()
                {
                    let name = format!("{}-{}", section.id, table.name);
                    let again = names.iter().filter(|other| **other == name).count();
                    names.push(name.clone());
                    all.push((if again == 0 { name } else { format!("{name}-{}", again + 1) }, table));
                }
            }
        }
        all
    }

    /// Writes every table as CSV and LaTeX into a folder, which is made if need be. The files written.
    pub fn write_tables(&self, folder: &std::path::Path) -> io::Result<Vec<PathBuf>> {
        fs::create_dir_all(folder)?;
        let mut written = Vec::new();
        for (name, table) in self.tables() {
            for (extension, lines) in [("csv", table.csv()), ("tex", table.latex())] {
                let path = folder.join(format!("{name}.{extension}"));
                fs::write(&path, lines.join("\n") + "\n")?;
                written.push(path);
            }
        }
        Ok(written)
    }
}
