//! `dejaview groups`: near-duplicate groups with their weakest link.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::choice::choice;
use super::open_study::OpenStudy;
use super::output::Output;
use dejaview_evaluation::transfer::Accept;
use dejaview_report::TableFormat;
use dejaview_report::groups::GroupsReport;
use dejaview_study::{GroupsOptions, RepresentativeRule};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview groups study --least jaccard:0.95 --representative longest")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    #[command(flatten)]
    pub pairs: GroupPairs,
    /// Most groups to print, the largest first
    #[arg(long, default_value_t = 20)]
    pub limit: usize,
    /// In what form
    #[arg(long, value_parser = choice::<TableFormat>(), default_value = "text")]
    pub format: TableFormat,
}

/// Which pairs make groups.
#[derive(Debug, clap::Args)]
pub struct GroupPairs {
    /// Only pairs that this configuration found; may be given several times
    #[arg(long, value_name = "NAME")]
    pub configuration: Vec<String>,
    /// Only pairs of at least this (jaccard, s3, edit or score); by default jaccard:0.9, and any imported pair
    #[arg(long, value_name = "MEASURE:X")]
    pub least: Option<Accept>,
    /// Who stands for a group: central (closest to the others), first (by id) or longest
    #[arg(long, default_value = "central", value_name = "RULE")]
    pub representative: RepresentativeRule,
}

pub fn groups(args: &Args, output: &mut Output) -> Result<()> {
    let study = OpenStudy::open(&args.study)?;
    let groups = dejaview_study::groups(&study, &args.pairs.options()?)?;
    let limit = if output.json { usize::MAX } else { args.limit };
    let mut listed = Vec::new();
    for group in groups.groups.iter().take(limit) {
        listed.push((group, dejaview_study::shared_text(&study, &groups, group)?));
    }
    study.report_as(output, &GroupsReport::new(&groups, listed), args.format, None)
}

impl GroupPairs {
    pub fn options(&self) -> Result<GroupsOptions> {
        let least = match self.least {
            None => None,
            Some(Accept::Least(measure, least)) => Some((measure, least)),
            Some(_) => bail!("--least wants a measure and a number: jaccard:0.9, s3:0.8, edit:0.8 or score:0.5"),
        };
        Ok(GroupsOptions { configurations: self.configuration.clone(), least, rule: self.representative })
    }
}
