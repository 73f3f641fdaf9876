//! Which files hold the pairs that a configuration found in the segment of a file?

use std::collections::HashMap;

use crate::query::pair_files::OpenPairs;

/// The files of a table by segment and configuration.
#[derive(Debug, Default)]
pub(super) struct Siblings {
    /// For each file the numbers of its segment and of its configuration.
    places: Vec<(usize, usize)>,
    files: HashMap<(usize, usize), Vec<usize>>,
}

impl Siblings {
    /// Of these files; `configurations` has the number of each file's configuration.
    pub(super) fn new(files: &[OpenPairs], configurations: &[usize]) -> Self {
        let mut segments = HashMap::new();
        let mut siblings = Self::default();
        for (file, (open, &configuration)) in files.iter().zip(configurations).enumerate() {
            let next = segments.len();
            let place = (*segments.entry(open.segment.as_str()).or_insert(next), configuration);
            siblings.places.push(place);
            siblings.files.entry(place).or_default().push(file);
        }
        siblings
    }

    /// Number of the configuration of a file.
    pub(super) fn configuration(&self, file: usize) -> usize {
        self.places[file].1
    }

    /// The files of configuration `c` in the segment of a file.
    pub(super) fn of(&self, file: usize, c: usize) -> &[usize] {
        self.files.get(&(self.places[file].0, c)).map_or(&[], Vec::as_slice)
    }
}
