//! The documents of a contradiction, in the order in which labels link them.

use std::collections::HashSet;

use dejaview_study::Snapshot;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainDocument {
    pub id: String,
    /// As lists show it.
    pub title: String,
    /// Each with whether the previous document has the same line; of the first document, whether the next one has it.
    pub lines: Vec<(String, bool)>,
}

impl ChainDocument {
    pub fn read_all(study: &Snapshot, ids: &[String]) -> Result<Vec<Self>, String> {
        let document = |id: &String| {
            let found = dejaview_study::find_document(study, id, None).map_err(|error| error.to_string())?;
            let title = study.titles().shown(found.document.side, id).text().to_owned();
            Ok((title, found.document.text))
        };
        let documents: Vec<(String, String)> = ids.iter().map(document).collect::<Result<_, String>>()?;
        Ok(compare_neighbours(ids, &documents))
    }
}

/// Compares texts, each with its title, in the order of a chain.
fn compare_neighbours(ids: &[String], documents: &[(String, String)]) -> Vec<ChainDocument> {
    let lines_of: Vec<HashSet<&str>> =
        documents.iter().map(|(_, text)| text.lines().map(str::trim).collect()).collect();
    let document = |(at, (id, (title, text))): (usize, (&String, &(String, String)))| {
        let neighbour = lines_of.get(at.checked_sub(1).unwrap_or(1));
        let shared = |line: &str| neighbour.is_some_and(|lines| lines.contains(line.trim()));
        let lines = text.lines().map(|line| (line.to_owned(), shared(line))).collect();
        ChainDocument { id: id.clone(), title: title.clone(), lines }
    };
    ids.iter().zip(documents).enumerate().map(document).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_compared_with_its_neighbour() {
        let ids = ["a", "b", "c"].map(str::to_owned);
        let texts = ["one\ntwo", "one\n three ", "three\ntwo"].map(|text| ("title".to_owned(), text.to_owned()));
        let chain = compare_neighbours(&ids, &texts);
        let shared = |document: &ChainDocument| document.lines.iter().map(|(_, shared)| *shared).collect::<Vec<_>>();
        assert_eq!(chain.iter().map(shared).collect::<Vec<_>>(), [[true, false], [true, false], [true, false]]);
    }
}
