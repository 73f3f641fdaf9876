//! The documents whose URLs are counted, and their numbers.

use std::collections::HashMap;

use dejaview_corpus::qrels::Judgments;

/// Numbers of the documents of interest.
pub(super) struct Interest<'a> {
    pub(super) judgments: Option<&'a Judgments>,
    /// Without judgments: documents of the source in the order they come; none when they are not wanted.
    pub(super) ids: Option<(Vec<String>, HashMap<String, u32>)>,
}

impl Interest<'_> {
    pub(super) fn number(&mut self, id: &str) -> Option<u32> {
        if let Some(judgments) = self.judgments {
            return judgments.document(id);
        }
        let (ids, numbers) = self.ids.as_mut()?;
        if let Some(&number) = numbers.get(id) {
            return Some(number);
        }
        ids.push(id.to_owned());
        numbers.insert(id.to_owned(), ids.len() as u32 - 1);
        Some(ids.len() as u32 - 1)
    }

    pub(super) fn id(&self, number: u32) -> &str {
        match (self.judgments, &self.ids) {
            (Some(judgments), _) => &judgments.documents()[number as usize],
            (None, Some((ids, _))) => &ids[number as usize],
            _ => "",
        }
    }

    pub(super) fn len(&self) -> usize {
        self.judgments.map_or_else(|| self.ids.as_ref().map_or(0, |(ids, _)| ids.len()), |j| j.documents().len())
    }
}
