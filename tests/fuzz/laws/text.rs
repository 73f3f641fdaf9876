//! From bytes to text, words and differences.

use std::time::{Duration, Instant};

use dejaview::corpus::links;
use dejaview::text::diff::{Diff, Line, RowKind};
use dejaview::text::{self, Tokens};

/// A page: its text is tidy, its main content is a part of it, and its words lie in it.
pub fn extraction(bytes: &[u8]) {
    let http = [None, Some("text/html; charset=utf-16"), Some("shift_jis"), Some("iso-8859-1")][bytes.len() % 4];
    let decoded = text::decode(bytes, http, true);
    if decoded.malformed {
        assert!(decoded.text.contains('\u{fffd}'), "what means nothing is seen");
    }
    let html = &*decoded.text;
    let (mut all, mut main) = (String::new(), String::new());
    text::extract(html, &mut all);
    text::extract_main(html, &mut main);
    tidy(&all);
    tidy(&main);
    assert!(text::outside_main(&all, &main).is_some(), "the main content is a part of the text: {main:?} of {all:?}");
    words_of(&all);
    text::canonical_link(bytes);
    links::links(html, "http://example.org/");
}

fn tidy(text: &str) {
    for line in text.split('\n') {
        assert!(text.is_empty() || !line.is_empty(), "an empty line in {text:?}");
        assert_eq!(line.trim_matches(' '), line, "blanks at the end of a line");
    }
}

/// The markup of a wiki becomes text.
pub fn wikitext(bytes: &[u8]) {
    let source = String::from_utf8_lossy(bytes);
    let (mut out, mut plain) = (String::new(), String::new());
    text::extract_wikitext(&source, &mut out);
    words_of(&out);
    text::normalize(&source, &mut plain);
    words_of(&plain);
    let mut again = String::new();
    text::normalize(&plain, &mut again);
    assert_eq!(again, plain, "normal once and for all");
}

/// Words lie in the text one after the other, and hash to what they fold to.
pub fn tokens(bytes: &[u8]) {
    let source = String::from_utf8_lossy(bytes);
    words_of(&source);
    let mut moved = Tokens::new();
    let mut tokens = Tokens::new();
    tokens.read(&source);
    // What stands before a text changes none of its words.
    let letters = bytes.len() % 67;
    moved.read(&format!("{} {source}", "x".repeat(letters)));
    let before = letters.min(1);
    assert_eq!(&moved.hashes()[before..], tokens.hashes(), "words of {source:?} behind {letters} letters");
}

fn words_of(source: &str) {
    let mut tokens = Tokens::new();
    tokens.read(source);
    let mut folded = String::new();
    let mut last = 0;
    for i in 0..tokens.len() {
        let span = tokens.span(i);
        assert!(span.start >= last && !span.is_empty(), "words ascend");
        last = span.start;
        let word = source.get(span).expect("a word lies between characters");
        text::fold(word, &mut folded);
        assert_eq!(dejaview::base::hash::token(folded.as_bytes()), tokens.hashes()[i], "{word:?} folds to {folded:?}");
        text::word_facts(source, &tokens, i);
    }
    let (mut sentences, mut content) = (Vec::new(), Vec::new());
    text::sentences(source, &tokens, &mut sentences);
    assert!(sentences.is_sorted_by(|a, b| a.end <= b.start), "sentences ascend");
    assert!(sentences.iter().all(|sentence| sentence.end as usize <= tokens.len() && !sentence.is_empty()));
    text::content_words(source, &tokens, &mut content);
    assert!(content.is_sorted() && content.iter().all(|&word| (word as usize) < tokens.len()));
}

/// Two texts: the rows of the diff hold both, and what is not marked as changed is equal.
pub fn diff(bytes: &[u8]) {
    let (source, target) = match bytes.iter().position(|byte| *byte == 0xff) {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => bytes.split_at(bytes.len() / 2),
    };
    let (source, target) = (String::from_utf8_lossy(source), String::from_utf8_lossy(target));
    let later = Instant::now() + Duration::from_secs(3_600);
    let diff = text::diff::diff(&source, &target, later);
    check(&source, &target, &diff);
    let turned = text::diff::diff(&target, &source, later);
    let pairs = |diff: &Diff| diff.rows.iter().filter(|row| row.source.is_some() && row.target.is_some()).count();
    assert_eq!(pairs(&turned), pairs(&diff), "the same whichever is the source");
    assert_eq!((turned.equal_source, turned.equal_target), (diff.equal_target, diff.equal_source));
}

fn check(source: &str, target: &str, diff: &Diff) {
    let lines = |side: fn(&text::diff::Row) -> Option<&Line>| diff.rows.iter().filter_map(side).collect::<Vec<_>>();
    for (text, lines) in [(source, lines(|row| row.source.as_ref())), (target, lines(|row| row.target.as_ref()))] {
        let mut whole: Vec<&str> = lines.iter().map(|line| &text[line.span.clone()]).collect();
        whole.extend(text.ends_with('\n').then_some(""));
        assert_eq!(whole.join("\n"), text, "the lines are the text");
    }
    for row in &diff.rows {
        let rests =
            [row.source.as_ref().map(|line| rest(source, line)), row.target.as_ref().map(|line| rest(target, line))];
        match (row.kind, rests) {
            (RowKind::Equal | RowKind::Changed, [Some(a), Some(b)]) => assert_eq!(a, b, "what did not change is equal"),
            (RowKind::OnlySource, [Some(rest), None]) | (RowKind::OnlyTarget, [None, Some(rest)]) => {
                assert_eq!(rest, "")
            }
            (kind, rests) => panic!("{kind:?} with {rests:?}"),
        }
    }
}

/// A line without what changed in it.
fn rest(text: &str, line: &Line) -> String {
    let (mut out, mut at) = (String::new(), line.span.start);
    for range in &line.changed {
        assert!(at <= range.start && range.start < range.end && range.end <= line.span.end, "{line:?}");
        out.push_str(&text[at..range.start]);
        at = range.end;
    }
    out + &text[at..line.span.end]
}
