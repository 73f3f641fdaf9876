//! Makes the texts that the search tries: without some spans, or with some places as in the source.

use std::ops::Range;

use super::replacement::Replacement;

/// The text without these spans. Everything around them stays; where two words, or a word and a mark of punctuation,
/// would touch that did not before, a blank is left, and where a line break was cut out between two lines, a line break.
/// Spans may overlap, lie in any order, and are widened to whole characters.
pub fn cut(text: &str, spans: &[Range<usize>]) -> String {
    let mut spans: Vec<_> = spans.iter().map(|span| whole(text, span)).collect();
    spans.sort_unstable_by_key(|span| (span.start, span.end));
    let mut out = String::with_capacity(text.len());
    cut_into(text, spans, &mut out);
    out
}

/// The text with each replacement's bytes as in the source. Of two replacements that overlap the later one is left
/// out.
pub fn replaced(text: &str, source: &str, replacements: &[Replacement]) -> String {
    let mut sorted: Vec<Replacement> = replacements
        .iter()
        .map(|r| Replacement { target: whole(text, &r.target), source: whole(source, &r.source) })
        .collect();
    sorted.sort_by_key(|r| (r.target.start, r.target.end));
    let mut out = String::with_capacity(text.len());
    replace_into(text, source, &sorted, &mut out);
    out
}

/// The smallest range of whole characters of the text around `span`.
pub(super) fn whole(text: &str, span: &Range<usize>) -> Range<usize> {
    let (mut start, mut end) = (span.start.min(text.len()), span.end.min(text.len()));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    if span.is_empty() {
        return start..start;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// [`cut`] for spans that ascend and hold whole characters.
pub(super) fn cut_into(text: &str, spans: impl IntoIterator<Item = Range<usize>>, out: &mut String) {
    out.clear();
    let mut done = 0;
    let mut open: Option<Range<usize>> = None;
    for span in spans.into_iter().filter(|span| !span.is_empty()) {
        match &mut open {
            Some(open) if span.start <= open.end => open.end = open.end.max(span.end),
            _ => {
                if let Some(gone) = open.replace(span) {
                    leave_out(text, &mut done, gone, out);
                }
            }
        }
    }
    if let Some(gone) = open {
        leave_out(text, &mut done, gone, out);
    }
    out.push_str(&text[done..]);
}

/// Appends the text before `gone`, and what must take its place.
fn leave_out(text: &str, done: &mut usize, gone: Range<usize>, out: &mut String) {
    out.push_str(&text[*done..gone.start]);
    *done = gone.end;
    let (Some(before), Some(after)) = (out.chars().next_back(), text[gone.end..].chars().next()) else { return };
    if before != '\n' && after != '\n' && text[gone].contains('\n') {
        out.push('\n');
    } else if !before.is_whitespace() && !after.is_whitespace() {
        out.push(' ');
    }
}

/// [`replaced`] for replacements that ascend and hold whole characters.
pub(super) fn replace_into<'a>(
    text: &str,
    source: &str,
    replacements: impl IntoIterator<Item = &'a Replacement>,
    out: &mut String,
) {
    out.clear();
    let mut done = 0;
    for replacement in replacements {
        if replacement.target.start >= done {
            out.push_str(&text[done..replacement.target.start]);
            out.push_str(&source[replacement.source.clone()]);
            done = replacement.target.end;
        }
    }
    out.push_str(&text[done..]);
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "lists of spans, some of them of one")]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use dejaview_text::Tokens;

    #[test]
    fn what_stands_around_a_cut_stays() {
        assert_eq!(cut("one two three", &[4..7]), "one  three");
        assert_eq!(cut("one two three", &[3..8]), "one three");
        assert_eq!(cut("one, (two) three", &[6..9]), "one, ( ) three");
        assert_eq!(cut("one\ntwo\nthree", &[4..7]), "one\n\nthree");
        assert_eq!(cut("one\ntwo\nthree", &[2..9]), "on\nhree");
        assert_eq!(cut("one\ntwo\nthree", &[4..8]), "one\nthree");
        assert_eq!(cut("one two", &[0..4]), "two");
        assert_eq!(cut("one two", &[3..7]), "one");
        assert_eq!(cut("one two", &[5..6, 0..9, 3..4]), "");
        assert_eq!(cut("abcdef", &[3..4, 1..2, 2..3, 5..5]), "a ef");
        assert_eq!(cut("aéb", &[2..3]), "a b");
        assert_eq!(cut("one", &[]), "one");
        assert_eq!(cut("one", &[Range { start: 2, end: 1 }, 9..12]), "one");
    }

    #[test]
    fn replacements_by_example() {
        let one = |target, source| Replacement { target, source };
        let source = "the red house";
        assert_eq!(replaced("a blue house", source, &[one(2..6, 4..7), one(0..1, 0..3)]), "the red house");
        assert_eq!(replaced("a house", source, &[one(2..2, 4..8)]), "a red house");
        assert_eq!(replaced("a blue house", source, &[one(2..6, 4..7), one(4..9, 0..3)]), "a red house");
        assert_eq!(replaced("é", "ü", &[one(0..1, 1..2)]), "ü");
    }

    proptest! {
        /// The words left are those that were not cut: none is made by the cut, though it takes the blanks around.
        #[test]
        fn no_two_words_are_glued(text in "[ab .,\n-]{0,60}", from in prop::collection::vec((0usize..30, 1usize..4), 0..6)) {
            let mut tokens = Tokens::new();
            tokens.read(&text);
            let gone = |i: usize| from.iter().any(|&(first, many)| (first..first + many).contains(&i));
            let after = |i: usize| if i < tokens.len() { tokens.span(i).start } else { text.len() };
            let before = |i: usize| if i > 0 { tokens.span(i - 1).end } else { 0 };
            let spans: Vec<_> = from
                .iter()
                .map(|&(first, many)| (first, (first + many).min(tokens.len())))
                .filter(|(first, end)| first < end)
                .map(|(first, end)| before(first)..after(end))
                .collect();
            let left: Vec<u64> = (0..tokens.len()).filter(|&i| !gone(i)).map(|i| tokens.hashes()[i]).collect();
            let line = |i: usize| text[..tokens.span(i).start].matches('\n').count();
            let lines: BTreeSet<usize> = (0..tokens.len()).filter(|&i| !gone(i)).map(line).collect();
            let cut = cut(&text, &spans);
            tokens.read(&cut);
            prop_assert_eq!(tokens.hashes(), &left);
            prop_assert_eq!(cut.lines().filter(|line| line.contains(['a', 'b'])).count(), lines.len());
        }

        #[test]
        fn any_span_of_any_text(text in "\\PC{0,20}", spans in prop::collection::vec((0usize..70, 0usize..70), 0..5)) {
            let spans: Vec<_> = spans.iter().map(|&(start, end)| start..end).collect();
            let left = cut(&text, &spans);
            prop_assert!(left.len() <= text.len());
            let replacements: Vec<_> =
                spans.iter().map(|s| Replacement { target: s.clone(), source: s.clone() }).collect();
            prop_assert_eq!(replaced(&text, &text, &replacements), text);
        }
    }
}
