//! Reads an expression into what must hold. Errors know the place they are about.

#[cfg(test)]
mod tests;
mod tokens;

use std::ops::Range;

use super::error::FilterError;
use super::rule::Rule;
use super::spelling::{BY, CANDIDATES, LABEL, OF_PAIR, SAME_URL, Spelling, TOP, TOP_ONCE};
use super::term::{DISTANCE, How, Judged, NUMBERS, Term, Text};
use dejaview_labels::Label;
use tokens::{Spelled, Token, is_text, number, tokens};

/// Deepest nesting of parentheses and `!`: no person writes more, and reading is recursive.
const DEEPEST: usize = 100;

const BOTH_SIDES: &str = "something must stand on both sides of &";

/// What an expression asks for; none when it asks for nothing. `chosen` is the configuration whose distance is meant.
pub(super) fn rule(
    expression: &str,
    configurations: &[String],
    chosen: Option<usize>,
) -> Result<Option<Rule>, FilterError> {
    let tokens = tokens(expression)?;
    let mut parser = Parser { expression, configurations, chosen, tokens, at: 0, depth: 0 };
    let rule = parser.any()?;
    match parser.tokens.get(parser.at) {
        Some((_, place)) => Err(FilterError::new(expression, place.clone(), "no parenthesis is open here")),
        None => Ok(rule),
    }
}

/// The configurations that an expression means by a word of filters, each with how to write the word.
pub(super) fn taken<'a>(expression: &str, configurations: &'a [String]) -> Vec<(&'a str, String)> {
    let tokens = tokens(expression).unwrap_or_default();
    let mut behind = tokens.iter().skip(1).map(|(token, _)| token);
    let mut words = Vec::new();
    for (token, _) in &tokens {
        match (token, behind.next()) {
            (Token::Word(_, Spelled::Plain), Some(Token::Colon)) => {}
            (Token::Word(word, Spelled::Plain), _) => words.push(word.to_lowercase()),
            _ => {}
        }
    }
    let mut taken = Spelling::of(configurations).taken();
    taken.retain(|(name, _)| words.contains(&name.to_lowercase()));
    taken
}

struct Parser<'a> {
    expression: &'a str,
    configurations: &'a [String],
    chosen: Option<usize>,
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    /// The next token and its place, behind the last where there is none.
    fn next(&mut self) -> (Option<Token>, Range<usize>) {
        let end = self.expression.len();
        let next = self.tokens.get(self.at).cloned();
        self.at += 1;
        next.map_or((None, end..end), |(token, place)| (Some(token), place))
    }

    fn wrong<T>(&self, place: Range<usize>, expected: impl Into<String>) -> Result<T, FilterError> {
        Err(FilterError::new(self.expression, place, expected))
    }

    fn any(&mut self) -> Result<Option<Rule>, FilterError> {
        let mut rules: Vec<Rule> = self.all()?.into_iter().collect();
        while self.peek() == Some(&Token::Or) {
            let (_, place) = self.next();
            match (self.all()?, rules.is_empty()) {
                (Some(rule), false) => rules.push(rule),
                _ => return self.wrong(place, "something must stand on both sides of |"),
            }
        }
        Ok(if rules.len() > 1 { Some(Rule::Any(rules)) } else { rules.pop() })
    }

    fn all(&mut self) -> Result<Option<Rule>, FilterError> {
        let mut rules = Vec::new();
        // The & that waits for a term.
        let mut joins: Option<Range<usize>> = None;
        loop {
            match self.peek() {
                None | Some(Token::Or | Token::Close) => break,
                Some(Token::And) if rules.is_empty() || joins.is_some() => {
                    let (_, place) = self.next();
                    return self.wrong(place, BOTH_SIDES);
                }
                Some(Token::And) => joins = Some(self.next().1),
                Some(_) => {
                    rules.push(self.one()?);
                    joins = None;
                }
            }
        }
        if let Some(place) = joins {
            return self.wrong(place, BOTH_SIDES);
        }
        join_judged(&mut rules);
        Ok(if rules.len() > 1 { Some(Rule::All(rules)) } else { rules.pop() })
    }

    fn one(&mut self) -> Result<Rule, FilterError> {
        let (token, place) = self.next();
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.wrong(place, "this is nested too deeply");
        }
        let rule = match token {
            Some(Token::Not) => match self.peek() {
                None | Some(Token::And | Token::Or | Token::Close | Token::Colon | Token::Compare(_)) => {
                    self.wrong(place, "a term must follow the !")
                }
                Some(_) => Ok(Rule::Not(Box::new(self.one()?))),
            },
            Some(Token::Open) => {
                let inside = self.any()?;
                match (self.next().0, inside) {
                    (Some(Token::Close), Some(rule)) => Ok(rule),
                    (Some(Token::Close), None) => self.wrong(place, "there is nothing in the parentheses"),
                    _ => self.wrong(place, "the parenthesis is not closed"),
                }
            }
            Some(Token::Word(word, spelled)) => self.term(&word, spelled, place).map(Rule::Term),
            _ => self
                .wrong(place, "a term must stand before it: jaccard>0.9, the name of a configuration, part of an id"),
        };
        self.depth -= 1;
        rule
    }

    /// The configuration of this name; in another case only where no other is meant.
    fn named(&self, word: &str) -> Option<usize> {
        let exactly = self.configurations.iter().position(|name| name == word);
        let mut nearly =
            (0..self.configurations.len()).filter(|&c| self.configurations[c].to_lowercase() == word.to_lowercase());
        exactly.or_else(|| nearly.next().filter(|_| nearly.next().is_none()))
    }

    fn term(&mut self, word: &str, spelled: Spelled, place: Range<usize>) -> Result<Term, FilterError> {
        let lower = word.to_lowercase();
        match (spelled, self.named(word)) {
            (Spelled::Quoted, _) => Ok(Term::Text { field: Text::Id, value: lower, whole: false, cased: false }),
            (Spelled::Configuration, None) => self.wrong(place, self.known()),
            (Spelled::Configuration, Some(c)) => self.found(c),
            // What has a part is a text: no configuration has one.
            (Spelled::Plain, Some(c)) if self.peek() != Some(&Token::Colon) => {
                if [TOP, TOP_ONCE, CANDIDATES].contains(&lower.as_str()) && self.opens_behind(&place) {
                    let term = if lower == CANDIDATES { CANDIDATES } else { TOP };
                    let (name, term) = (&self.configurations[c], Spelling::of(self.configurations).word(term));
                    return self.wrong(place, format!("{name} is a configuration here; write {term}(…)"));
                }
                self.found(c)
            }
            _ => self.of_pair(lower, spelled, place),
        }
    }

    /// Pairs that a configuration found, or found at such a distance.
    fn found(&mut self, configuration: usize) -> Result<Term, FilterError> {
        let Some(Token::Compare(how)) = self.peek() else { return Ok(Term::Configuration(configuration)) };
        let how = *how;
        let (_, sign) = self.next();
        Ok(Term::Distance { configuration, how, value: self.value(sign)? })
    }

    /// What a word of filters says of a pair.
    fn of_pair(&mut self, name: String, spelled: Spelled, place: Range<usize>) -> Result<Term, FilterError> {
        if spelled == Spelled::OfPair && name == TOP_ONCE {
            return self
                .wrong(place, format!("write {OF_PAIR}{TOP} for the pairs with the highest Jaccard of their source"));
        }
        if [TOP, TOP_ONCE, CANDIDATES].contains(&name.as_str()) {
            return self.among(&name, place);
        }
        let how = match self.peek() {
            Some(Token::Compare(how)) => Some(*how),
            Some(Token::Colon) => None,
            _ => {
                return match name.as_str() {
                    SAME_URL => Ok(Term::SameUrl),
                    LABEL => Ok(Term::Label(None)),
                    _ => self.bare(name, spelled, place),
                };
            }
        };
        let (_, sign) = self.next();
        if let Some((_, field)) = Text::ALL.iter().find(|(field, _)| *field == name) {
            return self.text(*field, how, sign);
        }
        if name == LABEL {
            return self.label(how, sign);
        }
        let how = how.unwrap_or(How::Equal);
        match number(&name) {
            Some(_) if name == DISTANCE => match self.chosen {
                Some(c) => Ok(Term::Distance { configuration: c, how, value: self.value(sign)? }),
                None => self.wrong(place, self.whose()),
            },
            Some(number) => Ok(Term::Number { number, how, value: self.value(sign)? }),
            None => {
                let names: Vec<&str> = NUMBERS.iter().map(|(name, _)| *name).collect();
                self.wrong(place, format!("not a number of a pair; there are {}, and configurations", names.join(", ")))
            }
        }
    }

    /// Why a name is none of a configuration.
    fn known(&self) -> String {
        format!("the name of a configuration must follow {BY}; there are {}", self.configurations.join(", "))
    }

    /// A word without a sign behind it: part of an id, unless it asks for a sign.
    fn bare(&self, name: String, spelled: Spelled, place: Range<usize>) -> Result<Term, FilterError> {
        let field = |name: &str| is_text(name) || number(name).is_some();
        if let Some((field, rest)) = name.split_once('~').filter(|(name, _)| field(name)) {
            let means = if Text::WHOLE.contains(&field) { "asks for all of it" } else { "looks for a part" };
            return self.wrong(place, format!("~ is no sign here; {field}:{rest} {means}"));
        }
        if is_text(&name) {
            let whole = Text::WHOLE.contains(&name.as_str());
            let means = if whole { "asks for all of it" } else { "looks for a part, = for all of it" };
            return self.wrong(place, format!("what must be in it? {name}:… {means}; in quotes it is part of an id"));
        }
        if number(&name).is_some() {
            return self.wrong(place, format!("how much? as in {name}>0.9; in quotes it is part of an id"));
        }
        if spelled == Spelled::OfPair {
            let words = [TOP, CANDIDATES, LABEL, SAME_URL].join(", ");
            return self.wrong(place, format!("a word of filters must follow {OF_PAIR}, as {words}, jaccard or url"));
        }
        Ok(Term::Text { field: Text::Bare, value: name, whole: false, cased: false })
    }

    /// Why a distance cannot be compared.
    fn whose(&self) -> String {
        let example = self.configurations.first().map_or("simhash-2", String::as_str);
        format!("each configuration measures its own way: choose one (Tab), or name it, as in {example}<3")
    }

    /// Whether a parenthesis opens right behind a word.
    fn opens_behind(&self, place: &Range<usize>) -> bool {
        self.tokens.get(self.at).is_some_and(|(token, at)| *token == Token::Open && at.start == place.end)
    }

    /// `top` or `candidates>9`, of all pairs or of those of the configuration in parentheses right behind it.
    fn among(&mut self, what: &str, place: Range<usize>) -> Result<Term, FilterError> {
        let mut of = None;
        if self.opens_behind(&place) {
            self.at += 1;
            let (token, inside) = self.next();
            of = match &token {
                Some(Token::Word(word, _)) => self.named(word),
                _ => None,
            };
            if of.is_none() {
                return self.wrong(inside, format!("the name of a configuration must stand in {what}(…)"));
            }
            if self.next().0 != Some(Token::Close) {
                return self.wrong(inside, "the parenthesis behind it is not closed");
            }
        }
        match (what, self.peek()) {
            (CANDIDATES, Some(Token::Compare(how))) => {
                let how = *how;
                let (_, sign) = self.next();
                Ok(Term::Candidates { of, how, value: self.value(sign)? })
            }
            (CANDIDATES, _) => self.wrong(place, "how many? candidates>9"),
            _ => Ok(Term::Top(of)),
        }
    }

    /// The number behind a sign.
    fn value(&mut self, sign: Range<usize>) -> Result<f64, FilterError> {
        match self.next() {
            (Some(Token::Word(word, _)), place) => match word.parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(value),
                _ => self.wrong(place, "a number must follow the sign"),
            },
            _ => self.wrong(sign, "a number must follow the sign"),
        }
    }

    fn text(&mut self, field: Text, how: Option<How>, sign: Range<usize>) -> Result<Term, FilterError> {
        let (token, place) = self.next();
        let Some(Token::Word(word, _)) = token else {
            return self.wrong(sign, "what to look for must follow the sign");
        };
        let cased = how == Some(How::Same) && field.has_case();
        let value = if cased { word } else { word.to_lowercase() };
        let not = how == Some(How::Not);
        let whole = how.is_some();
        match how {
            None | Some(How::Equal | How::Same | How::Not) if field.judged() => {
                Ok(Term::Judged(vec![Judged::Text { field, value, whole, not }]))
            }
            None | Some(How::Equal | How::Same) => Ok(Term::Text { field, value, whole, cased }),
            Some(how) if field.judged() => match value.parse::<f64>() {
                Ok(value) => Ok(Term::Judged(vec![Judged::Number { field, how, value }])),
                Err(_) => self.wrong(place, "a number must follow the sign"),
            },
            Some(_) => {
                self.wrong(sign, "a text has : for a part of it, = for all of it and == for all of it in the same case; ! before it turns it round")
            }
        }
    }

    fn label(&mut self, how: Option<How>, sign: Range<usize>) -> Result<Term, FilterError> {
        if !matches!(how, None | Some(How::Equal | How::Same)) {
            return self
                .wrong(sign, "write label=near-duplicate, label=not or label=unsure; ! before it turns it round");
        }
        match self.next() {
            (Some(Token::Word(word, _)), place) => {
                let lower = word.to_lowercase();
                match Label::ALL.iter().copied().find(|label| lower.len() > 1 && label.name().starts_with(&lower)) {
                    Some(label) => Ok(Term::Label(Some(label))),
                    None => self.wrong(place, "a label is near-duplicate, not or unsure"),
                }
            }
            _ => self.wrong(sign, "a label must follow: near-duplicate, not or unsure"),
        }
    }
}

/// Terms on judgments that are joined by `&` ask for one judgment.
fn join_judged(rules: &mut Vec<Rule>) {
    let mut joined: Vec<Judged> = Vec::new();
    let mut first = None;
    let mut kept = Vec::with_capacity(rules.len());
    for rule in rules.drain(..) {
        match rule {
            Rule::Term(Term::Judged(one)) => {
                first.get_or_insert(kept.len());
                joined.extend(one);
            }
            other => kept.push(other),
        }
    }
    if let Some(place) = first {
        kept.insert(place, Rule::Term(Term::Judged(joined)));
    }
    *rules = kept;
}
