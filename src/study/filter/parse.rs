//! Reads an expression into what must hold. Errors know the place they are about.

use std::ops::Range;

use super::Rule;
use super::error::FilterError;
use super::term::{How, Judged, NUMBERS, Term, Text};
use crate::labels::Label;

/// Deepest nesting of parentheses and `!`: no person writes more, and reading is recursive.
const DEEPEST: usize = 100;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    And,
    Or,
    Not,
    Open,
    Close,
    Compare(How),
    Colon,
    /// A word; whether it stood in quotes.
    Word(String, bool),
}

/// What an expression asks for; none when it asks for nothing.
pub(super) fn rule(expression: &str, configurations: &[String]) -> Result<Option<Rule>, FilterError> {
    let tokens = tokens(expression)?;
    let mut parser = Parser { expression, configurations, tokens, at: 0, depth: 0 };
    let rule = parser.any()?;
    match parser.tokens.get(parser.at) {
        Some((_, place)) => Err(FilterError::new(expression, place.clone(), "no parenthesis is open here")),
        None => Ok(rule),
    }
}

/// Signs and words with their places.
fn tokens(expression: &str) -> Result<Vec<(Token, Range<usize>)>, FilterError> {
    let signs = [
        ("&&", Token::And),
        ("&", Token::And),
        ("||", Token::Or),
        ("|", Token::Or),
        ("!=", Token::Compare(How::Not)),
        ("!", Token::Not),
        ("(", Token::Open),
        (")", Token::Close),
        ("<=", Token::Compare(How::AtMost)),
        (">=", Token::Compare(How::AtLeast)),
        ("==", Token::Compare(How::Equal)),
        ("<", Token::Compare(How::Less)),
        (">", Token::Compare(How::More)),
        ("=", Token::Compare(How::Equal)),
    ];
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(rest) = expression.get(at..).filter(|rest| !rest.is_empty()) {
        let blank = rest.len() - rest.trim_start().len();
        if blank > 0 {
            at += blank;
        } else if let Some((sign, token)) = signs.iter().find(|(sign, _)| rest.starts_with(sign)) {
            let of_text = matches!(tokens.last(), Some((Token::Word(word, false), _)) if is_text(word));
            tokens.push((token.clone(), at..at + sign.len()));
            at += sign.len();
            if of_text && matches!(token, Token::Compare(_)) {
                at = value(expression, at, &mut tokens);
            }
        } else if let Some(quoted) = rest.strip_prefix('"') {
            let end = quoted
                .find('"')
                .ok_or_else(|| FilterError::new(expression, at..expression.len(), "the quote is not closed"))?;
            tokens.push((Token::Word(quoted[..end].to_owned(), true), at..at + end + 2));
            at += end + 2;
        } else {
            at = word(expression, at, &mut tokens);
        }
    }
    Ok(tokens)
}

/// Whether a word names a text, so that what follows its sign is taken as it stands.
fn is_text(word: &str) -> bool {
    let name = word.to_lowercase();
    Text::ALL.iter().any(|(field, _)| *field == name)
}

/// Reads a word, or a field, a colon and what follows: other colons belong to ids. `!` ends a word only before `=`.
fn word(expression: &str, at: usize, tokens: &mut Vec<(Token, Range<usize>)>) -> usize {
    let rest = &expression[at..];
    let ends = |&(at, c): &(usize, char)| {
        c.is_whitespace() || "&|()<>=\"".contains(c) || (c == '!' && rest[at..].starts_with("!="))
    };
    let end = rest.char_indices().find(ends).map_or(rest.len(), |(end, _)| end);
    let text = &rest[..end];
    let field = |name: &str| {
        let lower = name.to_lowercase();
        is_text(name) || lower == "label" || number(&lower).is_some()
    };
    match text.split_once(':').filter(|(name, _)| field(name)) {
        Some((name, _)) => {
            let colon = at + name.len();
            tokens.push((Token::Word(name.to_owned(), false), at..colon));
            tokens.push((Token::Colon, colon..colon + 1));
            value(expression, colon + 1, tokens)
        }
        None => {
            tokens.push((Token::Word(text.to_owned(), false), at..at + end));
            at + end
        }
    }
}

/// Reads what a text is compared with, up to a blank or a sign that joins terms; ids and URLs may have other signs in
/// them. A quoted one is left to the caller.
fn value(expression: &str, at: usize, tokens: &mut Vec<(Token, Range<usize>)>) -> usize {
    let rest = &expression[at..];
    let start = at + rest.len() - rest.trim_start().len();
    let rest = &expression[start..];
    let end = start + rest.find(|c: char| c.is_whitespace() || "&|()\"".contains(c)).unwrap_or(rest.len());
    if end > start {
        tokens.push((Token::Word(expression[start..end].to_owned(), false), start..end));
    }
    end
}

fn number(name: &str) -> Option<usize> {
    NUMBERS.iter().position(|(number, _)| *number == name)
}

struct Parser<'a> {
    expression: &'a str,
    configurations: &'a [String],
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
        loop {
            match self.peek() {
                None | Some(Token::Or | Token::Close) => break,
                // A lone & is what is left when a term was deleted: it asks for nothing.
                Some(Token::And) => self.at += 1,
                Some(_) => rules.push(self.one()?),
            }
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
            Some(Token::Word(word, quoted)) => self.term(&word, quoted, place).map(Rule::Term),
            _ => self
                .wrong(place, "a term must stand before it: jaccard>0.9, the name of a configuration, part of an id"),
        };
        self.depth -= 1;
        rule
    }

    fn term(&mut self, word: &str, quoted: bool, place: Range<usize>) -> Result<Term, FilterError> {
        let configuration = self.configurations.iter().position(|name| name == word);
        let lower = word.to_lowercase();
        if !quoted && (lower == "best" || lower == "candidates") {
            return self.among(&lower, place);
        }
        let how = match self.peek() {
            Some(Token::Compare(how)) => Some(Some(*how)),
            Some(Token::Colon) => Some(None),
            _ => None,
        };
        let name = lower;
        let Some(how) = how else {
            return Ok(match (configuration, name.as_str()) {
                (Some(c), _) if !quoted => Term::Configuration(c),
                (_, "same-url") if !quoted => Term::SameUrl,
                (_, "label") if !quoted => Term::Label(None),
                _ => Term::Text { field: Text::Id, value: name, whole: false },
            });
        };
        let (_, sign) = self.next();
        if let Some((_, field)) = Text::ALL.iter().find(|(field, _)| *field == name) {
            return self.text(*field, how, sign);
        }
        if name == "label" {
            return self.label(how, sign);
        }
        let equal = how.unwrap_or(How::Equal);
        match (configuration, number(&name)) {
            (Some(c), _) => Ok(Term::Distance { configuration: c, how: equal, value: self.value(sign)? }),
            (None, Some(number)) => Ok(Term::Number { number, how: equal, value: self.value(sign)? }),
            (None, None) => {
                let names: Vec<&str> = NUMBERS.iter().map(|(name, _)| *name).collect();
                self.wrong(place, format!("not a number of a pair; there are {}, and configurations", names.join(", ")))
            }
        }
    }

    /// `best` or `candidates>9`, of all pairs or of those of the configuration in parentheses right behind it.
    fn among(&mut self, what: &str, place: Range<usize>) -> Result<Term, FilterError> {
        let mut of = None;
        if self.tokens.get(self.at).is_some_and(|(token, at)| *token == Token::Open && at.start == place.end) {
            self.at += 1;
            let (token, inside) = self.next();
            let named = |word: &String| self.configurations.iter().position(|name| name == word);
            of = match &token {
                Some(Token::Word(word, _)) => named(word),
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
            ("candidates", Some(Token::Compare(how))) => {
                let how = *how;
                let (_, sign) = self.next();
                Ok(Term::Candidates { of, how, value: self.value(sign)? })
            }
            ("best", _) => Ok(Term::Best(of)),
            _ => self.wrong(place, "how many? candidates>9"),
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
        let value = word.to_lowercase();
        let not = how == Some(How::Not);
        let whole = how.is_some();
        match how {
            None | Some(How::Equal | How::Not) if field.judged() => {
                Ok(Term::Judged(vec![Judged::Text { field, value, whole, not }]))
            }
            None | Some(How::Equal) => Ok(Term::Text { field, value, whole }),
            Some(how) if field.judged() => match value.parse::<f64>() {
                Ok(value) => Ok(Term::Judged(vec![Judged::Number { field, how, value }])),
                Err(_) => self.wrong(place, "a number must follow the sign"),
            },
            Some(_) => {
                self.wrong(sign, "a text has : for a part of it and = for all of it; ! before it turns it round")
            }
        }
    }

    fn label(&mut self, how: Option<How>, sign: Range<usize>) -> Result<Term, FilterError> {
        if !matches!(how, None | Some(How::Equal)) {
            return self
                .wrong(sign, "write label=near-duplicate, label=not or label=unsure; ! before it turns it round");
        }
        match self.next() {
            (Some(Token::Word(word, _)), place) => {
                let lower = word.to_lowercase();
                match Label::ALL.into_iter().find(|label| lower.len() > 1 && label.name().starts_with(&lower)) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names() -> Vec<String> {
        ["simhash-2", "simhash-3+5", "s3"].map(str::to_owned).to_vec()
    }

    fn read(expression: &str) -> Rule {
        rule(expression, &names()).unwrap().unwrap()
    }

    fn part(text: &str) -> Rule {
        Rule::Term(Term::Text { field: Text::Id, value: text.to_owned(), whole: false })
    }

    #[test]
    fn the_expression_of_the_manual() {
        let Rule::All(rules) = read("jaccard>0.9 & !label & simhash-2 & !simhash-3+5") else { panic!("four terms") };
        assert_eq!(rules[0], Rule::Term(Term::Number { number: 0, how: How::More, value: 0.9 }));
        assert_eq!(rules[1], Rule::Not(Box::new(Rule::Term(Term::Label(None)))));
        assert_eq!(rules[2], Rule::Term(Term::Configuration(0)));
        assert_eq!(rules[3], Rule::Not(Box::new(Rule::Term(Term::Configuration(1)))));
    }

    #[test]
    fn and_binds_more_tightly_than_or() {
        assert_eq!(read("a b | c"), Rule::Any(vec![Rule::All(vec![part("a"), part("b")]), part("c")]));
        assert_eq!(read("a & (b | c)"), Rule::All(vec![part("a"), Rule::Any(vec![part("b"), part("c")])]));
        assert_eq!(read("!(a | b)"), Rule::Not(Box::new(Rule::Any(vec![part("a"), part("b")]))));
        assert_eq!(read("((a))"), part("a"));
        for nothing in ["", "  ", "&", " & & "] {
            assert_eq!(rule(nothing, &names()).unwrap(), None, "{nothing:?}");
        }
    }

    #[test]
    fn ids_and_urls_may_have_signs_in_them() {
        assert_eq!(read("urn:uuid:12"), part("urn:uuid:12"));
        assert_eq!(read("\"a & b\""), part("a & b"));
        assert_eq!(read("wow!such"), part("wow!such"));
        let url = Rule::Term(Term::Text { field: Text::Url, value: "http://a.de/x".to_owned(), whole: false });
        assert_eq!(read("url:http://A.de/x"), url);
        assert_eq!(read("url:\"http://a.de/x\""), url);
    }

    #[test]
    fn a_configuration_is_found_or_measured() {
        assert_eq!(read("s3"), Rule::Term(Term::Configuration(2)));
        assert_eq!(read("\"s3\""), part("s3"));
        let near = Term::Distance { configuration: 0, how: How::AtMost, value: 1.0 };
        assert_eq!(read("simhash-2<=1"), Rule::Term(near));
    }

    #[test]
    fn a_pair_among_those_of_its_source() {
        assert_eq!(read("best"), Rule::Term(Term::Best(None)));
        assert_eq!(read("best(simhash-3+5)"), Rule::Term(Term::Best(Some(1))));
        let candidates = Term::Candidates { of: Some(0), how: How::Less, value: 6.0 };
        assert_eq!(read("candidates(simhash-2)<6"), Rule::Term(candidates));
        assert_eq!(read("candidates=1"), Rule::Term(Term::Candidates { of: None, how: How::Equal, value: 1.0 }));
        assert_eq!(read("best (a)"), Rule::All(vec![Rule::Term(Term::Best(None)), part("a")]));
        let whole = |field, value: &str| Rule::Term(Term::Text { field, value: value.to_owned(), whole: true });
        assert_eq!(read("segment = 00"), whole(Text::Segment, "00"));
        assert_eq!(read("source=http://a?b=1"), whole(Text::Source, "http://a?b=1"));
    }

    #[test]
    fn judgments_joined_by_and_are_one() {
        let Rule::Term(Term::Judged(all)) = read("topic=51 & grade>=1") else { panic!("one term") };
        assert_eq!(all.len(), 2);
        let Rule::All(rules) = read("a & topic=51 & !grade=1") else { panic!("three terms") };
        assert_eq!(rules.len(), 3, "a negated one is a question of its own");
    }

    #[test]
    fn what_is_wrong_is_pointed_at() {
        let wrong = |text: &str| rule(text, &names()).unwrap_err().to_string();
        for (expression, begins) in [
            ("a & size>3", "a & »size«>3: not a number of a pair"),
            ("jaccard>high", "jaccard>»high«: a number must follow"),
            ("jaccard>", "jaccard»>«: a number must follow"),
            ("(a | b", "»(«a | b: the parenthesis is not closed"),
            ("a)", "a»)«: no parenthesis is open"),
            ("a | ", "a »|« : something must stand"),
            ("| a", "»|« a: something must stand"),
            ("!", "»!«: a term must follow"),
            ("a ! & b", "a »!« & b: a term must follow"),
            (">3", "»>«3: a term must stand before"),
            ("()", "»(«): there is nothing"),
            ("label=maybe", "label=»maybe«: a label is"),
            ("label>3", "label»>«3: write label="),
            ("id>3", "id»>«3: a text has"),
            ("topic:", "topic»:«: what to look for"),
            ("grade>high", "grade>»high«: a number"),
            ("best(nobody)", "best(»nobody«): the name of a configuration"),
            ("candidates", "»candidates«: how many?"),
            ("x \"open", "x »\"open«: the quote"),
        ] {
            assert!(wrong(expression).starts_with(begins), "{expression}: {}", wrong(expression));
        }
        assert!(wrong(&"(".repeat(5000)).contains("nested too deeply"));
        assert!(wrong(&"!".repeat(5000)).contains("nested too deeply"));
    }

    proptest! {
        #[test]
        fn no_input_panics(expression in "[a-z0-9&|!()<>=:\" é.+-]{0,40}") {
            if let Err(error) = rule(&expression, &names()) {
                prop_assert!(expression.get(error.place()).is_some());
                prop_assert!(error.to_string().contains('»'));
            }
        }
    }
}
