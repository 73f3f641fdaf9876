//! What restricts a list, shown together and removed together: the document, the configuration and the filter.

/// The restrictions of a list, in the order in which they are shown; the last one is removed first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chips {
    pub document: Option<String>,
    pub configuration: Option<String>,
    /// In its shortest form; empty when there is none.
    pub filter: String,
}

impl Chips {
    pub fn is_empty(&self) -> bool {
        self.texts().is_empty()
    }

    /// One text for each restriction.
    pub fn texts(&self) -> Vec<String> {
        let document = self.document.as_ref().map(|id| format!("of {id}"));
        let configuration = self.configuration.as_ref().map(|name| format!("found by {name}"));
        let filter = (!self.filter.is_empty()).then(|| format!("& {}", self.filter));
        [document, configuration, filter].into_iter().flatten().collect()
    }

    /// All of them in one line, for the border of a pane.
    pub fn words(&self) -> String {
        self.texts().join(" · ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restrictions_are_shown_together() {
        let none = Chips::default();
        assert!(none.is_empty() && none.words().is_empty());
        let two = Chips { configuration: Some("best".to_owned()), filter: "jaccard>0.9".to_owned(), ..none };
        assert_eq!(two.words(), "found by best · & jaccard>0.9");
    }
}
