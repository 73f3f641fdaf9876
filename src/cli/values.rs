//! Values of options: ids, and what the words and grades in a file of labels mean.

use std::convert::Infallible;

use anyhow::{Error, Result};

use dejaview_base::escaping::unescape;
use dejaview_labels::Meaning;

/// The id of a document as a person types it, or as a table has it.
pub fn id(text: &str) -> Result<String, Infallible> {
    Ok(unescape(text).into_owned())
}

/// A number from 0 to 1, which a Jaccard is.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|x| (0.0..=1.0).contains(x));
    share.ok_or_else(|| format!("“{text}” is not a number from 0 to 1"))
}

#[derive(Debug, Default, clap::Args)]
pub struct LabelValues {
    /// Words, grades and ranges of grades (1..3) in the file that mean a near-duplicate
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "VALUES")]
    pub positive: Vec<String>,
    /// Those that mean no near-duplicate; `rest` is all that are not named
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "VALUES")]
    pub negative: Vec<String>,
    /// Those that mean unsure
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "VALUES")]
    pub unsure: Vec<String>,
}

impl LabelValues {
    pub fn meaning(&self) -> Result<Meaning> {
        Meaning::new(&self.positive, &self.negative, &self.unsure).map_err(Error::msg)
    }
}
