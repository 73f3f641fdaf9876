//! What may be typed at a place of a filter: completions with what they mean, and what explains the place.

use std::ops::Range;

use super::grammar::examples;
use super::names::{List, Names};
use super::spelling::quoted;
use super::term::{Number, TextField};
use super::words::{BY, CANDIDATES, CONFLICT, DISPUTED, DISTANCE, LABEL, SAME_URL, TOP};

/// Completions at most: nobody reads more.
const MOST: usize = 100;

const COMPARISONS: &str = "< <= = != >= >";

/// What the study has that filters can name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyNames {
    pub list: List,
    pub configurations: Vec<String>,
    pub chosen: Option<usize>,
    pub segments: Vec<String>,
    pub tracks: Vec<String>,
    /// Numbers, each with the text of the topic.
    pub topics: Vec<(String, String)>,
    pub grades: Vec<String>,
}

impl StudyNames {
    pub fn names(&self) -> Names<'_> {
        let names = match self.list {
            List::Pairs => Names::of_pairs(&self.configurations),
            List::Judgments => Names::of_judgments(&self.configurations),
        };
        names.choosing(self.chosen)
    }
}

/// Something that may be typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    pub text: String,
    pub about: String,
}

/// What helps at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// Bytes of the text that a completion replaces.
    pub replaces: Range<usize>,
    /// The best first.
    pub completions: Vec<Completion>,
    /// What explains the place: a heading, and examples or a sentence.
    pub explains: Vec<(&'static str, String)>,
}

impl Advice {
    /// The text with a completion in it, and the byte after the completion.
    pub fn completed(&self, text: &str, completion: &Completion) -> (String, usize) {
        let mut text = text.to_owned();
        text.replace_range(self.replaces.clone(), &completion.text);
        (text, self.replaces.start + completion.text.len())
    }
}

/// What is typed at the cursor.
enum Place<'a> {
    Term,
    Configuration,
    /// The value of a field, or of a configuration's distance.
    Value(&'a str),
    /// In quotes, or after a field that does not exist.
    Free,
}

fn is_delimiter(c: char) -> bool {
    c.is_whitespace() || "&|()!<>=\"".contains(c)
}

/// The last word of a text, without the delimiter before it.
fn last_word(text: &str) -> &str {
    text.rfind(is_delimiter).map_or(text, |at| &text[at + text[at..].chars().next().map_or(1, char::len_utf8)..])
}

/// Where the word at the end of a text begins, and what it is for.
fn place(before: &str) -> (usize, Place<'_>) {
    let word = last_word(before);
    let start = before.len() - word.len();
    if before.matches('"').count() % 2 == 1 {
        return (start, Place::Free);
    }
    if let Some((field, value)) = word.split_once(':') {
        let start = before.len() - value.len();
        return match field.to_lowercase().as_str() {
            BY => (start, Place::Configuration),
            lower if lower == LABEL || TextField::named(lower).is_some() || Number::named(lower).is_some() => {
                (start, Place::Value(field))
            }
            _ => (before.len() - word.len(), Place::Term),
        };
    }
    let lead = before[..start].trim_end();
    let compared = lead.trim_end_matches(['<', '>', '=', '!', ':']);
    if compared.len() < lead.len() && !lead.ends_with('!') {
        let field = last_word(compared.trim_end());
        // The distance of a configuration may be written by:NAME<3.
        let field = field.strip_prefix("by:").unwrap_or(field);
        return (start, if field.is_empty() { Place::Free } else { Place::Value(field) });
    }
    let among = lead.strip_suffix('(').map(|lead| last_word(lead).to_lowercase());
    if among.is_some_and(|word| word == TOP || word == CANDIDATES) {
        return (start, Place::Configuration);
    }
    (start, Place::Term)
}

/// What helps at a byte of a text.
pub fn advise(text: &str, cursor: usize, study: &StudyNames) -> Advice {
    let cursor = (0..=cursor.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let (start, place) = place(&text[..cursor]);
    let end = text[cursor..].find(is_delimiter).map_or(text.len(), |end| cursor + end);
    let typed = text[start..cursor].to_lowercase();
    let (all, explains) = match place {
        Place::Term if typed.is_empty() => (Vec::new(), examples(study.names())),
        Place::Term => (terms(study), examples(study.names())),
        Place::Configuration => (configurations(study), vec![("found by", "the name of a configuration".to_owned())]),
        Place::Value(field) => values(field, study),
        Place::Free => (Vec::new(), Vec::new()),
    };
    Advice { replaces: start..end, completions: fitting(all, &typed), explains }
}

/// Those that begin as typed, then those that have it in them.
fn fitting(all: Vec<Completion>, typed: &str) -> Vec<Completion> {
    let rank = |completion: &Completion| {
        let text = completion.text.to_lowercase();
        match text.find(typed) {
            _ if text == typed => None,
            Some(0) => Some(0),
            Some(_) => Some(1),
            None => None,
        }
    };
    let mut ranked: Vec<(u8, Completion)> = all.into_iter().filter_map(|one| Some((rank(&one)?, one))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, completion)| completion).take(MOST).collect()
}

fn completion(text: impl Into<String>, about: impl Into<String>) -> Completion {
    Completion { text: text.into(), about: about.into() }
}

fn configurations(study: &StudyNames) -> Vec<Completion> {
    let found = |name: &String| completion(name, format!("found by the configuration {name}"));
    study.configurations.iter().map(found).collect()
}

fn terms(study: &StudyNames) -> Vec<Completion> {
    let of_pairs = [
        (TOP, "the highest Jaccard of its source"),
        ("top(", "the highest Jaccard of its source among the pairs of a configuration"),
        (LABEL, "labelled"),
        ("label=", "a label: near-duplicate, not, unsure, disputed"),
        (DISTANCE, "the distance of the chosen configuration"),
    ];
    let of_both = [
        (CANDIDATES, "how many pairs its source has"),
        (SAME_URL, "both documents have the same URL"),
        ("by:", "a configuration: by:NAME"),
    ];
    let is_of_list = |field: TextField| match study.list {
        List::Pairs => true,
        List::Judgments => !matches!(field, TextField::Target | TextField::Segment | TextField::Url),
    };
    let numbers = Number::ALL.iter().filter(|(number, ..)| study.list == List::Pairs || *number == Number::Jaccard);
    let numbers = numbers.map(|(_, name, about)| completion(*name, *about));
    let texts = TextField::NAMED.iter().filter(|(field, ..)| is_of_list(*field));
    let texts = texts.map(|(_, name, about)| completion(format!("{name}:"), *about));
    let fixed = |(text, about): (&str, &str)| completion(text, about);
    let of_list: Vec<Completion> = match study.list {
        List::Pairs => of_pairs.into_iter().map(fixed).collect(),
        List::Judgments => vec![completion(CONFLICT, "what shares a near-duplicate was judged otherwise")],
    };
    configurations(study).into_iter().chain(of_list).chain(of_both.map(fixed)).chain(numbers).chain(texts).collect()
}

/// The values of a field, and what explains it.
fn values(field: &str, study: &StudyNames) -> (Vec<Completion>, Vec<(&'static str, String)>) {
    let lower = field.to_lowercase();
    let plain = |values: &[String]| values.iter().map(|value| completion(quoted(value), "")).collect::<Vec<_>>();
    if lower == LABEL {
        let labels = [
            ("near-duplicate", "labelled a near-duplicate"),
            ("not", "labelled not a near-duplicate"),
            ("unsure", "labelled unsure"),
            (DISPUTED, "annotators differ and nobody has settled it"),
        ];
        let labels = labels.map(|(text, about)| completion(text, about)).to_vec();
        return (labels, vec![("label", "one of these".to_owned())]);
    }
    if let Some((text, _, about)) = TextField::NAMED.iter().find(|(_, name, _)| *name == lower) {
        let completions = match text {
            TextField::Segment => plain(&study.segments),
            TextField::Track => plain(&study.tracks),
            TextField::Grade => plain(&study.grades),
            TextField::Topic => study.topics.iter().map(|(topic, text)| completion(quoted(topic), text)).collect(),
            _ => Vec::new(),
        };
        return (completions, vec![("text", format!("{lower}: {about}"))]);
    }
    let number = Number::ALL.iter().find(|(_, name, _)| *name == lower).map(|(_, _, about)| (*about).to_owned());
    let configuration = study.names().configuration(field).map(|c| study.configurations[c].clone());
    let about = match (number, configuration) {
        (Some(about), _) => about,
        (None, Some(name)) => format!("the distance at which {name} found the pair"),
        (None, None) if lower == CANDIDATES => "how many pairs its source has".to_owned(),
        (None, None) if lower == DISTANCE => "the distance of the chosen configuration".to_owned(),
        (None, None) => return (Vec::new(), Vec::new()),
    };
    (Vec::new(), vec![("number", format!("{field}: {about}; {COMPARISONS} and a number"))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::filter::Filter;
    use proptest::prelude::*;

    fn study(list: List) -> StudyNames {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        StudyNames {
            list,
            configurations: texts(&["simhash-2", "simhash-3+5", "best"]),
            chosen: None,
            segments: texts(&["00", "01"]),
            tracks: texts(&["web-2009"]),
            topics: vec![("1".to_owned(), "lighthouse fresnel lens".to_owned())],
            grades: texts(&["0", "1"]),
        }
    }

    fn offered(text: &str) -> Vec<String> {
        advise(text, text.len(), &study(List::Pairs)).completions.into_iter().map(|one| one.text).collect()
    }

    #[test]
    fn fields_first_and_values_after_a_sign() {
        assert_eq!(offered("jaccard>=0.9 & !label & b"), ["best", "by:", "label", "label="]);
        assert_eq!(offered("jaccard>0.9 and sim"), ["simhash-2", "simhash-3+5"]);
        assert_eq!(offered("!sim").len(), 2);
        assert_eq!(offered("(sim").len(), 2);
        assert_eq!(offered("label="), ["near-duplicate", "not", "unsure", "disputed"]);
        assert_eq!(offered("label = n"), ["near-duplicate", "not", "unsure"]);
        assert_eq!(offered("segment:"), ["00", "01"]);
        assert_eq!(offered("segment : 0"), ["00", "01"]);
        assert_eq!(offered("topic="), ["1"]);
        assert_eq!(offered("by:b"), ["best"]);
        assert_eq!(offered("top(").len(), 3);
        assert_eq!(offered("candidates(best"), [] as [&str; 0], "nothing is left to complete");
        for nothing in ["", "jaccard>", "jaccard>0", "\"sim", "size>b", "url:b", "label "] {
            assert_eq!(offered(nothing), [] as [&str; 0], "{nothing}");
        }
        let about = |text: &str| advise(text, text.len(), &study(List::Pairs)).explains;
        assert!(about("jaccard>")[0].1.contains("headline Jaccard"));
        assert!(about("by:best < ")[0].1.contains("the distance at which best found"));
        assert_eq!(about("").len(), 5);
    }

    #[test]
    fn a_completion_takes_the_place_of_the_word_at_the_cursor() {
        let text = "label & simh & top";
        let advice = advise(text, 11, &study(List::Pairs));
        assert_eq!(advice.replaces, 8..12);
        assert_eq!(advice.completed(text, &advice.completions[0]), ("label & simhash-2 & top".to_owned(), 17));
        let advice = advise("segment:0 & x", 9, &study(List::Pairs));
        assert_eq!(advice.completed("segment:0 & x", &advice.completions[1]).0, "segment:01 & x");
    }

    #[test]
    fn every_example_can_be_parsed() {
        for list in [List::Pairs, List::Judgments] {
            let study = study(list);
            for (_, terms) in examples(study.names()) {
                for term in terms.split("  ") {
                    Filter::parse(term, study.names()).unwrap_or_else(|error| panic!("{list:?} {term}: {error}"));
                }
            }
        }
    }

    proptest! {
        /// A whole word of the list that is offered can be parsed once it has what it asks for.
        #[test]
        fn what_is_offered_belongs_to_the_list(letter in "[a-z]", judgments in any::<bool>()) {
            let study = study(if judgments { List::Judgments } else { List::Pairs });
            for one in advise(&letter, 1, &study).completions {
                let value = match one.text.as_str() {
                    "by:" | "top(" => "best",
                    "label=" => "not",
                    text if text.ends_with(':') => "1",
                    "candidates" => ">1",
                    text if Number::named(text).is_some() => ">1",
                    "distance" => continue,
                    _ => "",
                };
                let close = if one.text.ends_with('(') { ")" } else { "" };
                let expression = format!("{}{value}{close}", one.text);
                prop_assert!(Filter::parse(&expression, study.names()).is_ok(), "{expression}");
            }
        }

        #[test]
        fn no_text_panics(text in "[a-z&|!()<>=:\" é]{0,20}", cursor in 0usize..30) {
            let advice = advise(&text, cursor, &study(List::Pairs));
            prop_assert!(text.get(advice.replaces.clone()).is_some());
            for one in &advice.completions {
                let (completed, at) = advice.completed(&text, one);
                prop_assert!(completed.is_char_boundary(at));
            }
        }
    }
}
