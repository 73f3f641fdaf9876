//! What the chapters are made from.

use std::cell::OnceCell;

use crate::Report;
use crate::charts::svg;
use crate::page::Block;
use dejaview_study::{Experiments, Snapshot, StudyError, Watch};

#[derive(Debug, Clone, Copy)]
pub struct ReproduceOptions {
    /// Threads for what reads the documents again.
    pub threads: usize,
    /// Segments to which accumulated counts are carried on; twice those read by default.
    pub segments: Option<usize>,
    /// Bytes of memory for lists of URLs before they go to disk.
    pub memory: usize,
}

/// What chapters are made from.
pub struct Material<'a> {
    pub study: &'a Snapshot,
    pub options: ReproduceOptions,
    pub watch: &'a dyn Watch,
    /// Two chapters rest on the experiments; they are done once.
    experiments: OnceCell<Experiments>,
}

impl<'a> Material<'a> {
    pub fn new(study: &'a Snapshot, options: ReproduceOptions, watch: &'a dyn Watch) -> Self {
        Self { study, options, watch, experiments: OnceCell::new() }
    }

    pub fn experiments(&self) -> Result<&Experiments, StudyError> {
        if let Some(done) = self.experiments.get() {
            return Ok(done);
        }
        let made = dejaview_study::experiments(self.study, self.options.threads, self.watch)?;
        Ok(self.experiments.get_or_init(|| made))
    }
}

/// The tables of the experiments whose names are wanted, with their curves where they have any.
pub fn experiment_blocks(experiments: &Experiments, wanted: impl Fn(&str) -> bool) -> Vec<Block> {
    let curves = experiments.curves();
    let block = |table: crate::Table| match curves.iter().find(|curves| curves.table == table.name) {
        Some(curves) => Block::Chart { svg: svg::lines(curves), table },
        None => Block::Table(table),
    };
    experiments.tables().into_iter().filter(|table| wanted(table.name)).map(block).collect()
}
