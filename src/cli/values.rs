//! Options that say what the words and grades in a file of labels mean, for the commands that import labels.

use anyhow::{Error, Result};

use dejaview_labels::Meaning;

#[derive(Debug, Default, clap::Args)]
pub struct LabelValues {
    /// Words, grades and ranges of grades (1..3) in the file that mean a near-duplicate
    #[arg(long, value_delimiter = ',', value_name = "VALUES")]
    pub positive: Vec<String>,
    /// Those that mean no near-duplicate; `rest` is all that are not named
    #[arg(long, value_delimiter = ',', value_name = "VALUES")]
    pub negative: Vec<String>,
    /// Those that mean unsure
    #[arg(long, value_delimiter = ',', value_name = "VALUES")]
    pub unsure: Vec<String>,
}

impl LabelValues {
    pub fn meaning(&self) -> Result<Meaning> {
        Meaning::new(&self.positive, &self.negative, &self.unsure).map_err(Error::msg)
    }
}
