//! How the program itself writes filters.

use super::rule::Rule;
use super::term::{Extent, Judged, Term, TextField, WantedLabel, WantedText};
use super::words::{BY, CANDIDATES, CONFLICT, DISPUTED, LABEL, SAME_URL, TOP, is_filter_word};

/// Holds for pairs that a configuration found. A comparison may follow it: that of its distance.
pub fn found_by(configuration: &str) -> String {
    format!("{BY}:{configuration}")
}

/// Holds for the pair of each source with the highest Jaccard of those that a configuration found.
pub fn top(configuration: &str) -> String {
    format!("{TOP}({configuration})")
}

/// The number of pairs of a pair's source that a configuration found; a comparison must follow.
pub fn candidates(configuration: &str) -> String {
    format!("{CANDIDATES}({configuration})")
}

/// Holds where a text, as `segment` or `source`, is exactly this.
pub fn exactly(field: &str, value: &str) -> String {
    let sign = if value.chars().any(char::is_alphabetic) { "==" } else { "=" };
    format!("{field}{sign}{}", quoted(value))
}

/// Holds for these pairs of a source and a target.
pub fn any_of<'p>(pairs: impl Iterator<Item = (&'p str, &'p str)>) -> String {
    let pair = |(source, target)| format!("({} & {})", exactly("source", source), exactly("target", target));
    pairs.map(pair).collect::<Vec<_>>().join(" | ")
}

/// A value in quotes where it would not be read as one otherwise.
pub(super) fn quoted(value: &str) -> String {
    let plain = !value.is_empty() && !value.contains(|c: char| c.is_whitespace() || "&|()=\"".contains(c));
    if plain { value.to_owned() } else { format!("\"{}\"", value.replace('"', "\"\"")) }
}

/// How tightly a place binds what is written there: looser rules get parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Any,
    All,
    One,
}

/// A rule as a person could have written it; `configurations` are the names of the study.
pub(super) fn written(rule: &Rule, configurations: &[String]) -> String {
    write(rule, Binding::Any, configurations)
}

fn write(rule: &Rule, place: Binding, configurations: &[String]) -> String {
    let write_each = |rules: &[Rule], place, sign: &str| {
        let texts: Vec<String> = rules.iter().map(|rule| write(rule, place, configurations)).collect();
        texts.join(sign)
    };
    let (text, binding) = match rule {
        Rule::Not(rule) => (format!("!{}", write(rule, Binding::One, configurations)), Binding::One),
        Rule::Any(rules) => (write_each(rules, Binding::All, " | "), Binding::Any),
        Rule::All(rules) => {
            let judged = |rule: &Rule| matches!(rule, Rule::Term(Term::Judged(_)));
            // Side by side they would ask for one judgment that is all of it.
            let apart = rules.iter().filter(|rule| judged(rule)).count() > 1;
            let texts = rules.iter().map(|rule| match rule {
                Rule::Term(term) if apart && judged(rule) => format!("({})", term_text(term, configurations)),
                Rule::Term(term) => term_text(term, configurations),
                _ => write(rule, Binding::One, configurations),
            });
            (texts.collect::<Vec<_>>().join(" & "), Binding::All)
        }
        Rule::Term(term) => {
            let joined = matches!(term, Term::Judged(all) if all.len() > 1);
            (term_text(term, configurations), if joined { Binding::All } else { Binding::One })
        }
    };
    if binding < place { format!("({text})") } else { text }
}

fn term_text(term: &Term, configurations: &[String]) -> String {
    let name = |configuration: usize| configurations.get(configuration).map_or("", String::as_str);
    let found = |configuration: usize| match name(configuration) {
        name if is_filter_word(name) => found_by(name),
        name => name.to_owned(),
    };
    let of = |word: &str, configuration: Option<usize>| match configuration {
        Some(configuration) => format!("{word}({})", name(configuration)),
        None => word.to_owned(),
    };
    match term {
        Term::Number { number, comparison, value } => format!("{}{}{value}", number.name(), comparison.sign()),
        Term::FoundBy(configuration) => found(*configuration),
        Term::Distance { configuration, comparison, value } => {
            format!("{}{}{value}", found(*configuration), comparison.sign())
        }
        Term::Top(configuration) => of(TOP, *configuration),
        Term::Candidates { configuration, comparison, value } => {
            format!("{}{}{value}", of(CANDIDATES, *configuration), comparison.sign())
        }
        Term::SameUrl => SAME_URL.to_owned(),
        Term::Conflict => CONFLICT.to_owned(),
        Term::Label(WantedLabel::Any) => LABEL.to_owned(),
        Term::Label(WantedLabel::Is(label)) => format!("{LABEL}={}", label.name()),
        Term::Label(WantedLabel::Disputed) => format!("{LABEL}={DISPUTED}"),
        Term::Text(wanted) => wanted_text(wanted, false),
        Term::Judged(all) => {
            let texts = all.iter().map(|one| match one {
                Judged::Text { wanted, not } => wanted_text(wanted, *not),
                Judged::Number { field, comparison, value } => {
                    format!("{}{}{value}", field.name(), comparison.sign())
                }
            });
            texts.collect::<Vec<_>>().join(" & ")
        }
    }
}

fn wanted_text(wanted: &WantedText, not: bool) -> String {
    if wanted.field == TextField::Bare {
        return wanted.value.clone();
    }
    let sign = match wanted.extent {
        _ if not => "!=",
        Extent::Part => ":",
        Extent::Whole => "=",
        Extent::Exact => "==",
    };
    format!("{}{sign}{}", wanted.field.name(), quoted(&wanted.value))
}
