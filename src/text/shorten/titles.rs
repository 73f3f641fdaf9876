//! One title, and two titles compared word by word.

use super::cells::{CUT, clean, columns, cut_end, cut_line};
use super::{Compared, ONLY, Role, Span, push};
use crate::diff::{Run, shared_runs, words};

/// Longest title that is kept of a document, in characters: the first line of a text may be all of it.
const LONGEST: usize = 300;

/// The title of a document: the first line of its canonical text, without what is beyond 300 characters.
pub fn title(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default().trim();
    line.char_indices().nth(LONGEST).map_or(line, |(at, _)| line[..at].trim_end())
}

/// A title, or as much of its beginning as fits.
pub fn shorten_title(title: &str, columns: usize) -> String {
    cut_end(&clean(title), columns)
}

/// Two titles in at most so many columns each. Of a title that is too long the words at its end that both share give way
/// first, then those at its beginning, then whatever is at its end.
pub fn compare_titles(a: &str, b: &str, columns: usize) -> Compared {
    let texts = [clean(a), clean(b)];
    if texts[0] == texts[1] {
        return Compared::Same(cut_end(&texts[0], columns));
    }
    let mut titles = [0, 1].map(|side: usize| Title::read(&texts[side], ONLY[side]));
    let runs = shared_runs(&titles[0].texts(), &titles[1].texts());
    for run in &runs {
        for (title, start) in titles.iter_mut().zip([run.a, run.b]) {
            title.words[start..start + run.len].iter_mut().for_each(|word| word.role = Role::Equal);
        }
    }
    let starts = |run: &&Run| run.a == 0 && run.b == 0;
    let ends = |run: &&Run| run.a + run.len == titles[0].words.len() && run.b + run.len == titles[1].words.len();
    let lead = runs.first().filter(starts).map_or(0, |run| run.len);
    let trail = runs.last().filter(ends).map_or(0, |run| run.len);
    Compared::Different(titles.map(|title| title.fit(lead, trail, columns)))
}

/// A title cut into words.
struct Title<'t> {
    words: Vec<Word<'t>>,
}

struct Word<'t> {
    text: &'t str,
    /// Whether a blank is before it.
    blank: bool,
    role: Role,
}

impl<'t> Title<'t> {
    /// All words with the role of what the other title lacks.
    fn read(title: &'t str, role: Role) -> Self {
        let mut end = 0;
        let words = words(title, 0..title.len()).map(|place| {
            let word = Word { text: &title[place.start..place.end], blank: place.start > end, role };
            end = place.end;
            word
        });
        Self { words: words.collect() }
    }

    fn texts(&self) -> Vec<&'t str> {
        self.words.iter().map(|word| word.text).collect()
    }

    /// The title without some of the `lead` words at its beginning and the `trail` words at its end, which the other
    /// title shares.
    fn fit(&self, lead: usize, trail: usize, room: usize) -> Vec<Span> {
        // One word stays, even where the other title shares all of them.
        let most = self.words.len().saturating_sub(1);
        let trail = trail.min(most);
        let ends = (0..=trail).map(|end| (0, end));
        let starts = (1..=lead.min(most - trail)).map(|start| (start, trail));
        let mut last = Vec::new();
        for (start, end) in ends.chain(starts) {
            last = self.line(start, end);
            if last.iter().map(|span| columns(&span.text)).sum::<usize>() <= room {
                return last;
            }
        }
        cut_line(last, room)
    }

    /// The line without so many words at the beginning and at the end.
    fn line(&self, start: usize, end: usize) -> Vec<Span> {
        let mut line = Vec::new();
        if start > 0 {
            push(&mut line, CUT, Role::Equal);
            push(&mut line, " ", Role::Equal);
        }
        let words = &self.words[start..self.words.len() - end];
        let mut before = None;
        for word in words {
            if word.blank && before.is_some() {
                // Between two words that differ the highlight goes on.
                push(&mut line, " ", before.filter(|role| *role == word.role).unwrap_or(Role::Equal));
            }
            push(&mut line, word.text, word.role);
            before = Some(word.role);
        }
        if end > 0 {
            push(&mut line, CUT, Role::Equal);
        }
        line
    }
}
