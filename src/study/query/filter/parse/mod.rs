//! Reads an expression into what must hold. Errors know the bytes that they are about.

#[cfg(test)]
mod tests;
mod tokens;

use std::ops::Range;

use super::error::FilterError;
use super::names::{List, Names};
use super::rule::Rule;
use super::term::{Comparison, Extent, Judged, Number, Term, TextField, WantedLabel, WantedText};
use super::words::{BY, CANDIDATES, CONFLICT, DISPUTED, DISTANCE, FORMERLY_TOP, LABEL, SAME_URL, TOP, is_filter_word};
use dejaview_labels::Label;
use tokens::{Token, Written, tokens};

/// Deepest nesting of parentheses and `!`: no person writes more, and reading is recursive.
const DEEPEST: usize = 100;

const LABELS: &str = "labels are near-duplicate, not, unsure and disputed";

/// What an expression asks for; none when it asks for nothing.
pub(super) fn parse(expression: &str, names: Names<'_>) -> Result<Option<Rule>, FilterError> {
    let tokens = tokens(expression)?;
    let mut parser = Parser { expression, names, tokens, at: 0, depth: 0 };
    let rule = parser.any()?;
    match parser.tokens.get(parser.at) {
        Some((_, span)) => Err(FilterError::new(expression, span.clone(), "no parenthesis is open here")),
        None => Ok(rule),
    }
}

struct Parser<'a> {
    expression: &'a str,
    names: Names<'a>,
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    /// The next token and its bytes, the end of the expression where there is none.
    fn next(&mut self) -> (Option<Token>, Range<usize>) {
        let end = self.expression.len();
        let next = self.tokens.get(self.at).cloned();
        self.at += 1;
        next.map_or((None, end..end), |(token, span)| (Some(token), span))
    }

    fn wrong<T>(&self, span: Range<usize>, expected: impl Into<String>) -> Result<T, FilterError> {
        Err(FilterError::new(self.expression, span, expected))
    }

    fn any(&mut self) -> Result<Option<Rule>, FilterError> {
        let mut rules: Vec<Rule> = self.all()?.into_iter().collect();
        while self.peek() == Some(&Token::Or) {
            let (_, span) = self.next();
            match (self.all()?, rules.is_empty()) {
                (Some(rule), false) => rules.push(rule),
                _ => return self.wrong(span, "a term is missing next to it"),
            }
        }
        Ok(if rules.len() > 1 { Some(Rule::Any(rules)) } else { rules.pop() })
    }

    fn all(&mut self) -> Result<Option<Rule>, FilterError> {
        let mut rules: Vec<Rule> = Vec::new();
        // Where in the rules a judgment is asked for that further terms on judgments belong to.
        let mut judged: Option<usize> = None;
        // The & that no term has followed yet.
        let mut open: Option<Range<usize>> = None;
        loop {
            match self.peek() {
                None | Some(Token::Or | Token::Close) => break,
                Some(Token::And) if rules.is_empty() || open.is_some() => {
                    let (_, span) = self.next();
                    return self.wrong(span, "a term is missing next to it");
                }
                Some(Token::And) => open = Some(self.next().1),
                Some(token) => {
                    open = None;
                    let in_parentheses = *token == Token::Open;
                    match (self.one()?, judged.and_then(|at| rules.get_mut(at))) {
                        (Rule::Term(Term::Judged(more)), Some(Rule::Term(Term::Judged(all)))) if !in_parentheses => {
                            all.extend(more);
                        }
                        (rule, _) => {
                            if matches!(rule, Rule::Term(Term::Judged(_))) && !in_parentheses {
                                judged = Some(rules.len());
                            }
                            rules.push(rule);
                        }
                    }
                }
            }
        }
        match open {
            Some(span) => self.wrong(span, "a term is missing next to it"),
            None => Ok(if rules.len() > 1 { Some(Rule::All(rules)) } else { rules.pop() }),
        }
    }

    fn one(&mut self) -> Result<Rule, FilterError> {
        let (token, span) = self.next();
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.wrong(span, "this is nested too deeply");
        }
        let rule = match token {
            Some(Token::Not) => match self.peek() {
                None | Some(Token::And | Token::Or | Token::Close | Token::Colon | Token::Compare(_)) => {
                    self.wrong(span, "a term must follow it")
                }
                Some(_) => Ok(Rule::Not(Box::new(self.one()?))),
            },
            Some(Token::Open) => {
                let inside = self.any()?;
                match (self.next().0, inside) {
                    (Some(Token::Close), Some(rule)) => Ok(rule),
                    (Some(Token::Close), None) => self.wrong(span, "the parentheses are empty"),
                    _ => self.wrong(span, "the parenthesis is not closed"),
                }
            }
            Some(Token::Word(word, written)) => self.term(&word, written, span).map(Rule::Term),
            _ => self.wrong(span, "a term must come first: jaccard>0.9, a configuration, part of an id"),
        };
        self.depth -= 1;
        rule
    }

    fn term(&mut self, word: &str, written: Written, span: Range<usize>) -> Result<Term, FilterError> {
        let lower = word.to_lowercase();
        match (written, self.names.configuration(word)) {
            (Written::Quoted, _) => Ok(Term::Text(part(TextField::Id, lower))),
            (Written::AsConfiguration, None) => {
                let known = self.names.configurations.join(", ");
                self.wrong(span, format!("{BY}: needs the name of a configuration: {known}"))
            }
            (Written::AsConfiguration, Some(configuration)) => self.found_by(configuration),
            (Written::Plain, Some(_)) if lower == FORMERLY_TOP && self.opens_after(&span) => {
                self.wrong(span, format!("{word} is a configuration of this study; write {TOP}(…)"))
            }
            (Written::Plain, Some(configuration)) if !is_filter_word(&lower) => self.found_by(configuration),
            (Written::Plain, _) => self.word_of_filters(lower, span),
        }
    }

    /// Rows that a configuration found, or found at such a distance.
    fn found_by(&mut self, configuration: usize) -> Result<Term, FilterError> {
        let Some(&Token::Compare(comparison)) = self.peek() else { return Ok(Term::FoundBy(configuration)) };
        let (_, sign) = self.next();
        if self.names.list == List::Judgments {
            return self.wrong(sign, "only pairs have a distance; the name alone asks whether it found a candidate");
        }
        Ok(Term::Distance { configuration, comparison, value: self.number_after(sign)? })
    }

    fn word_of_filters(&mut self, word: String, span: Range<usize>) -> Result<Term, FilterError> {
        self.check_list(&word, &span)?;
        let is_top = word == TOP || (word == FORMERLY_TOP && self.names.list == List::Pairs);
        if is_top || word == CANDIDATES {
            return self.among(&word, span);
        }
        let comparison = match self.peek() {
            Some(Token::Compare(comparison)) => Some(*comparison),
            Some(Token::Colon) => None,
            _ => {
                return match word.as_str() {
                    SAME_URL => Ok(Term::SameUrl),
                    CONFLICT => Ok(Term::Conflict),
                    LABEL => Ok(Term::Label(WantedLabel::Any)),
                    _ => self.bare_word(word, span),
                };
            }
        };
        let (_, sign) = self.next();
        if let Some(field) = TextField::named(&word) {
            return self.text(field, comparison, sign);
        }
        if word == LABEL {
            return self.label(comparison, sign);
        }
        let comparison = comparison.unwrap_or(Comparison::Equal);
        match (Number::named(&word), self.names.chosen) {
            (Some(number), _) => Ok(Term::Number { number, comparison, value: self.number_after(sign)? }),
            (None, Some(configuration)) if word == DISTANCE => {
                Ok(Term::Distance { configuration, comparison, value: self.number_after(sign)? })
            }
            (None, None) if word == DISTANCE => {
                let example = self.names.configurations.first().map_or("simhash-2", String::as_str);
                let why = "each configuration measures its own way";
                self.wrong(span, format!("{why}: choose a configuration, or name it, as in {example}<3"))
            }
            (None, _) => {
                let numbers: Vec<&str> = Number::ALL.iter().map(|(_, name, _)| *name).collect();
                let known = numbers.join(", ");
                self.wrong(span, format!("not a number of a pair. Numbers are {known} and the configurations"))
            }
        }
    }

    /// Refuses words that the list has no answer to.
    fn check_list(&self, word: &str, span: &Range<usize>) -> Result<(), FilterError> {
        let of_pairs = [TOP, DISTANCE, LABEL].contains(&word)
            || Number::named(word).is_some_and(|number| number != Number::Jaccard)
            || matches!(TextField::named(word), Some(TextField::Target | TextField::Segment | TextField::Url));
        match self.names.list {
            List::Pairs if word == CONFLICT => self.wrong(span.clone(), "only judgments have grade conflicts"),
            List::Judgments if of_pairs => self.wrong(
                span.clone(),
                "this is for pairs. Judgments have topic, grade, track, id, jaccard (the highest), candidates, same-url, \
                 conflict and the configurations",
            ),
            _ => Ok(()),
        }
    }

    /// A word without a sign after it: part of an id, unless it asks for a sign.
    fn bare_word(&self, word: String, span: Range<usize>) -> Result<Term, FilterError> {
        let number = Number::named(&word).map(Number::name).or((word == DISTANCE).then_some(DISTANCE));
        let asks = |field: TextField| if field.is_whole() { "asks for all of it" } else { "asks for a part of it" };
        if let Some((field, rest)) = word.split_once('~')
            && let Some(text) = TextField::named(field)
        {
            return self.wrong(span, format!("~ is not a sign of filters; {field}:{rest} {}", asks(text)));
        }
        if let Some(field) = TextField::named(&word) {
            return self
                .wrong(span, format!("a value must follow: {word}:… {}; in quotes it is part of an id", asks(field)));
        }
        if let Some(number) = number {
            return self
                .wrong(span, format!("a comparison must follow, as in {number}>0.9; in quotes it is part of an id"));
        }
        Ok(Term::Text(part(TextField::Bare, word)))
    }

    /// Whether a parenthesis opens right after a word.
    fn opens_after(&self, span: &Range<usize>) -> bool {
        self.tokens.get(self.at).is_some_and(|(token, at)| *token == Token::Open && at.start == span.end)
    }

    /// `top` or `candidates>9`, of all pairs or of those of the configuration in parentheses right after it.
    fn among(&mut self, word: &str, span: Range<usize>) -> Result<Term, FilterError> {
        let mut configuration = None;
        if self.opens_after(&span) {
            self.at += 1;
            let (token, inside) = self.next();
            configuration = match &token {
                Some(Token::Word(name, _)) => self.names.configuration(name),
                _ => None,
            };
            if configuration.is_none() {
                return self.wrong(inside, format!("{word}(…) needs the name of a configuration"));
            }
            if self.next().0 != Some(Token::Close) {
                return self.wrong(inside, "the parenthesis after it is not closed");
            }
        }
        match (word, self.peek()) {
            (CANDIDATES, Some(&Token::Compare(comparison))) => {
                let (_, sign) = self.next();
                Ok(Term::Candidates { configuration, comparison, value: self.number_after(sign)? })
            }
            (CANDIDATES, _) => self.wrong(span, "a comparison must follow, as in candidates>9"),
            _ => Ok(Term::Top(configuration)),
        }
    }

    fn number_after(&mut self, sign: Range<usize>) -> Result<f64, FilterError> {
        match self.next() {
            (Some(Token::Word(word, _)), span) => match word.parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(value),
                _ => self.wrong(span, "a number must follow the sign"),
            },
            _ => self.wrong(sign, "a number must follow the sign"),
        }
    }

    fn text(
        &mut self,
        field: TextField,
        comparison: Option<Comparison>,
        sign: Range<usize>,
    ) -> Result<Term, FilterError> {
        let (token, span) = self.next();
        let Some(Token::Word(word, _)) = token else {
            return self.wrong(sign, "a value must follow the sign");
        };
        let extent = match comparison {
            None => Extent::Part,
            Some(Comparison::Same) if field.has_case() => Extent::Exact,
            Some(_) => Extent::Whole,
        };
        let value = if extent == Extent::Exact { word } else { word.to_lowercase() };
        match comparison {
            None | Some(Comparison::Equal | Comparison::Same | Comparison::Not) if field.is_judged() => {
                let not = comparison == Some(Comparison::Not);
                Ok(Term::Judged(vec![Judged::Text { wanted: WantedText { field, value, extent }, not }]))
            }
            None | Some(Comparison::Equal | Comparison::Same) => Ok(Term::Text(WantedText { field, value, extent })),
            Some(comparison) if field.is_judged() => match value.parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(Term::Judged(vec![Judged::Number { field, comparison, value }])),
                _ => self.wrong(span, "a number must follow the sign"),
            },
            Some(_) => self.wrong(
                sign,
                "texts have : for a part, = for all of it and == for the same upper and lower case; ! in front negates",
            ),
        }
    }

    fn label(&mut self, comparison: Option<Comparison>, sign: Range<usize>) -> Result<Term, FilterError> {
        if !matches!(comparison, None | Some(Comparison::Equal | Comparison::Same)) {
            return self.wrong(sign, format!("write label=not; ! in front negates; {LABELS}"));
        }
        let (Some(Token::Word(word, _)), span) = self.next() else {
            return self.wrong(sign, format!("a label must follow; {LABELS}"));
        };
        let lower = word.to_lowercase();
        let begins = |name: &str| lower.len() > 1 && name.starts_with(&lower);
        match Label::ALL.iter().copied().find(|label| begins(label.name())) {
            Some(label) => Ok(Term::Label(WantedLabel::Is(label))),
            None if begins(DISPUTED) => Ok(Term::Label(WantedLabel::Disputed)),
            None => self.wrong(span, LABELS),
        }
    }
}

fn part(field: TextField, value: String) -> WantedText {
    WantedText { field, value, extent: Extent::Part }
}
