//! The documents of a contradiction, in the order in which labels link them.

use std::collections::HashSet;

use dejaview_study::Snapshot;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainDocument {
    pub id: String,
    /// Each with whether the previous document has the same line; of the first document, whether the next one has it.
    pub lines: Vec<(String, bool)>,
}

impl ChainDocument {
    pub fn read_all(study: &Snapshot, ids: &[String]) -> Result<Vec<Self>, String> {
        let text = |id: &String| {
            let found = dejaview_study::find_document(study, id, None).map_err(|error| error.to_string())?;
            Ok(found.document.text)
        };
        let texts: Vec<String> = ids.iter().map(text).collect::<Result<_, String>>()?;
        Ok(compare_neighbours(ids, &texts))
    }
}

fn compare_neighbours(ids: &[String], texts: &[String]) -> Vec<ChainDocument> {
    let lines_of: Vec<HashSet<&str>> = texts.iter().map(|text| text.lines().map(str::trim).collect()).collect();
    let document = |(at, (id, text)): (usize, (&String, &String))| {
        let neighbour = lines_of.get(at.checked_sub(1).unwrap_or(1));
        let shared = |line: &str| neighbour.is_some_and(|lines| lines.contains(line.trim()));
        ChainDocument { id: id.clone(), lines: text.lines().map(|line| (line.to_owned(), shared(line))).collect() }
    };
    ids.iter().zip(texts).enumerate().map(document).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_compared_with_its_neighbour() {
        let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let chain = compare_neighbours(&own(&["a", "b", "c"]), &own(&["one\ntwo", "one\n three ", "three\ntwo"]));
        let shared = |document: &ChainDocument| document.lines.iter().map(|(_, shared)| *shared).collect::<Vec<_>>();
        assert_eq!(chain.iter().map(shared).collect::<Vec<_>>(), [[true, false], [true, false], [true, false]]);
    }
}
