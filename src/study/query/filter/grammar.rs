//! The grammar of filters in words, for the page that the explorer shows and for what is being typed.

use super::names::{List, Names};
use super::spelling;

/// Terms as they are written, each with the rows that it admits.
pub const GRAMMAR: &[(&str, &str)] = &[
    ("a & b   a and b   a b", "both"),
    ("a | b   a or b", "one of them, or both"),
    ("!a   not a   !(a | b)", "not"),
    ("simhash-2   by:simhash-2", "found by this configuration"),
    ("simhash-2<=1", "found by it at such a distance"),
    ("jaccard>0.9   length<=0.5", "a number of the pair: < <= = != >= >"),
    ("distance<3", "the distance of the chosen configuration"),
    ("agreement>=10", "found by so many configurations"),
    ("top   top(simhash-2)", "the highest Jaccard of its source, of all pairs or of those of a configuration"),
    ("candidates>9   candidates(simhash-2)>9", "so many pairs of its source"),
    ("label   !label   label=not", "labelled; near-duplicate, not, unsure or disputed"),
    ("same-url", "both documents have the same URL"),
    ("topic=51   grade>=1   track:web", "the source has such a judgment; joined by & they ask for one judgment"),
    ("url:example.org/about", "these words one after the other in one of the URLs"),
    ("id:00027   source:…   target:…", "part of an id; = asks for all of it, == for the same upper and lower case"),
    ("segment:03", "of this segment"),
    ("wiki   \"a b\"", "part of one of the ids; quotes keep blanks and signs"),
    ("conflict", "judgments only: a document that shares a near-duplicate in the target was judged otherwise"),
];

/// Terms that can be written in a study, by what they ask for. Every one of them can be parsed.
pub(super) fn examples(names: Names<'_>) -> Vec<(&'static str, String)> {
    let last = names.configurations.last().map_or("simhash-2", String::as_str);
    let first = names.configurations.first().map_or("simhash-2", String::as_str);
    let rows: [(&'static str, Vec<String>); 5] = match names.list {
        List::Pairs => [
            ("number", vec!["jaccard>=0.9".into(), "length<0.5".into(), "candidates>9".into(), format!("{first}<=1")]),
            (
                "found by",
                vec![last.into(), format!("!{first}"), "agreement>=10".into(), "top".into(), spelling::top(last)],
            ),
            ("label", ["label", "!label", "label=not", "label=unsure", "label=disputed"].map(String::from).into()),
            ("judged", ["topic=1", "grade>=1", "track:web"].map(String::from).into()),
            ("text", ["url:example.org/wiki", "id:00027", "segment:03", "same-url"].map(String::from).into()),
        ],
        List::Judgments => [
            ("number", ["jaccard>=0.9", "candidates>9", "candidates=0"].map(String::from).into()),
            ("found by", vec![last.into(), format!("!{first}"), spelling::found_by(first)]),
            ("conflict", ["conflict", "same-url"].map(String::from).into()),
            ("judged", ["topic=1", "grade>=1", "track:web"].map(String::from).into()),
            ("text", ["id:00027", "lighthouse"].map(String::from).into()),
        ],
    };
    rows.map(|(heading, terms)| (heading, terms.join("  "))).into()
}
