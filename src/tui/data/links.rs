//! Documents that labels link one to the next, and what each shares with its neighbour.

use std::collections::HashSet;

use dejaview_study::Snapshot;

/// A document on the way of a contradiction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub id: String,
    /// Its lines, each with whether the document before it has the same; of the first, whether the next has.
    pub lines: Vec<(String, bool)>,
}

impl Link {
    /// The documents of these ids, in this order.
    pub fn all(study: &Snapshot, ids: &[String]) -> Result<Vec<Self>, String> {
        let text = |id: &String| {
            let found = dejaview_study::find_document(study, id, None).map_err(|error| error.to_string())?;
            Ok(found.document.text)
        };
        let texts: Vec<String> = ids.iter().map(text).collect::<Result<_, String>>()?;
        Ok(linked(ids, &texts))
    }
}

fn linked(ids: &[String], texts: &[String]) -> Vec<Link> {
    let known: Vec<HashSet<&str>> = texts.iter().map(|text| text.lines().map(str::trim).collect()).collect();
    let link = |(at, (id, text)): (usize, (&String, &String))| {
        let beside = known.get(at.checked_sub(1).unwrap_or(1));
        let shared = |line: &str| beside.is_some_and(|beside| beside.contains(line.trim()));
        Link { id: id.clone(), lines: text.lines().map(|line| (line.to_owned(), shared(line))).collect() }
    };
    ids.iter().zip(texts).enumerate().map(link).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_compared_with_its_neighbour() {
        let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let links = linked(&own(&["a", "b", "c"]), &own(&["one\ntwo", "one\n three ", "three\ntwo"]));
        let shared = |link: &Link| link.lines.iter().map(|(_, shared)| *shared).collect::<Vec<_>>();
        assert_eq!(links.iter().map(shared).collect::<Vec<_>>(), [[true, false], [true, false], [true, false]]);
    }
}
