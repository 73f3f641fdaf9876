//! Expressions and what they ask for, and what is said of those that ask for nothing.

use super::*;
use crate::query::filter::Spelling;
use proptest::prelude::*;

fn names() -> Vec<String> {
    ["simhash-2", "simhash-3+5", "s3"].map(str::to_owned).to_vec()
}

fn read(expression: &str) -> Rule {
    rule(expression, &names(), None).unwrap().unwrap()
}

fn part(text: &str) -> Rule {
    Rule::Term(Term::Text { field: Text::Bare, value: text.to_owned(), whole: false, cased: false })
}

fn quoted(text: &str) -> Rule {
    Rule::Term(Term::Text { field: Text::Id, value: text.to_owned(), whole: false, cased: false })
}

#[test]
fn configurations_called_like_a_word_are_told() {
    let names = ["Jaccard", "length", "best", "md5", "url"].map(str::to_owned);
    let taken = |expression: &str| taken(expression, &names).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(taken("jaccard>0.9 & (length | md5)"), ["Jaccard", "length"]);
    assert_eq!(taken("pair:jaccard>0.9 & by:length & url:wiki & \"url\" & best"), [""; 0]);
    let all = Spelling::of(&names).taken();
    assert_eq!(
        all.iter().map(|(_, word)| word.as_str()).collect::<Vec<_>>(),
        ["pair:jaccard", "pair:length", "pair:url"]
    );
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
    for nothing in ["", "  "] {
        assert_eq!(rule(nothing, &names(), None).unwrap(), None, "{nothing:?}");
    }
}

#[test]
fn ids_and_urls_may_have_signs_in_them() {
    assert_eq!(read("urn:uuid:12"), part("urn:uuid:12"));
    assert_eq!(read("\"a & b\""), quoted("a & b"));
    assert_eq!(read("wow!such"), part("wow!such"));
    let url =
        Rule::Term(Term::Text { field: Text::Url, value: "http://a.de/x".to_owned(), whole: false, cased: false });
    assert_eq!(read("url:http://A.de/x"), url);
    assert_eq!(read("url:\"http://a.de/x\""), url);
}

#[test]
fn a_configuration_is_found_or_measured() {
    assert_eq!(read("s3"), Rule::Term(Term::Configuration(2)));
    assert_eq!(read("\"s3\""), quoted("s3"));
    let near = Term::Distance { configuration: 0, how: How::AtMost, value: 1.0 };
    assert_eq!(read("simhash-2<=1"), Rule::Term(near.clone()));
    assert_eq!(rule("distance<=1", &names(), Some(0)).unwrap(), Some(Rule::Term(near)), "of the one chosen");
    let whose = rule("distance<=1", &names(), None).unwrap_err().problem();
    assert!(whose.contains("“distance”") && whose.contains("as in simhash-2<3"), "{whose}");
}

#[test]
fn a_pair_among_those_of_its_source() {
    assert_eq!(read("top"), Rule::Term(Term::Top(None)));
    assert_eq!(read("top(simhash-3+5)"), Rule::Term(Term::Top(Some(1))));
    let candidates = Term::Candidates { of: Some(0), how: How::Less, value: 6.0 };
    assert_eq!(read("candidates(simhash-2)<6"), Rule::Term(candidates));
    assert_eq!(read("candidates=1"), Rule::Term(Term::Candidates { of: None, how: How::Equal, value: 1.0 }));
    assert_eq!(read("top (a)"), Rule::All(vec![Rule::Term(Term::Top(None)), part("a")]));
    let whole =
        |field, value: &str| Rule::Term(Term::Text { field, value: value.to_owned(), whole: true, cased: false });
    assert_eq!(read("segment = 00"), whole(Text::Segment, "00"));
    assert_eq!(read("source=http://a?b=1"), whole(Text::Source, "http://a?b=1"));
}

/// Every word of filters, as a configuration may be called.
fn words() -> Vec<String> {
    let fixed = ["top", "best", "candidates", "label", "same-url", "by", "pair"];
    let texts = Text::ALL.iter().map(|(name, _)| *name);
    fixed.into_iter().chain(texts).chain(NUMBERS.iter().map(|(name, _)| *name)).map(str::to_owned).collect()
}

#[test]
fn the_name_of_a_configuration_wins_over_every_word() {
    let names = words();
    let read = |expression: &str| rule(expression, &names, Some(0)).map(Option::unwrap);
    for (c, name) in names.iter().enumerate() {
        let found = Rule::Term(Term::Configuration(c));
        for expression in [name.clone(), format!("by:{name}"), name.to_uppercase(), format!("({name})")] {
            assert_eq!(read(&expression).unwrap(), found, "{expression}");
        }
        let near = Rule::Term(Term::Distance { configuration: c, how: How::AtMost, value: 2.0 });
        for expression in [format!("{name}<=2"), format!("by:{name} <= 2")] {
            assert_eq!(read(&expression).unwrap(), near, "{expression}");
        }
        assert_eq!(read(&format!("!{name}")).unwrap(), Rule::Not(Box::new(found)));
        assert_eq!(read(&format!("pair:top({name})")).unwrap(), Rule::Term(Term::Top(Some(c))));
    }
}

#[test]
fn what_the_program_writes_is_read_as_it_is_meant() {
    let ids = ["00", "A", "a b", "x&y", "(", "\"", "say \"hi\"", "=1", "", "http://a?b=1"];
    for names in [words(), Vec::from(["plain".to_owned()]), Vec::from(["Jaccard".to_owned(), "SEGMENT".to_owned()])] {
        let spelling = Spelling::of(&names);
        let read = |expression: &str| rule(expression, &names, Some(0)).unwrap_or_else(|e| panic!("{e}")).unwrap();
        for (number, (name, _)) in NUMBERS.iter().enumerate().filter(|(_, (name, _))| *name != DISTANCE) {
            let wanted = Term::Number { number, how: How::AtLeast, value: 0.5 };
            assert_eq!(read(&format!("{}>=0.5", spelling.word(name))), Rule::Term(wanted), "{name}");
        }
        assert_eq!(read(&format!("{}=not", spelling.word("label"))), Rule::Term(Term::Label(Some(Label::Not))));
        for (c, name) in names.iter().enumerate() {
            assert_eq!(read(&spelling.found_by(name)), Rule::Term(Term::Configuration(c)));
            assert_eq!(read(&spelling.top(name)), Rule::Term(Term::Top(Some(c))));
            let candidates = Term::Candidates { of: Some(c), how: How::More, value: 9.0 };
            assert_eq!(read(&format!("{}>9", spelling.candidates(name))), Rule::Term(candidates));
        }
        for (field, id) in ["id", "source", "target", "segment"].into_iter().flat_map(|f| ids.map(|id| (f, id))) {
            let Rule::All(rules) = read(&format!("{} & x", spelling.exactly(field, id))) else { panic!("two terms") };
            let Rule::Term(Term::Text { value, whole: true, cased, .. }) = &rules[0] else { panic!("{:?}", rules[0]) };
            assert_eq!((value.as_str(), *cased), (id, id.chars().any(char::is_alphabetic)), "{field}");
        }
    }
}

/// `top` was called `best`: filters that somebody kept are read, but where the name is a configuration's.
#[test]
fn filters_of_old_are_read_where_they_cannot_be_mistaken() {
    for (old, new) in [("best", "top"), ("best(simhash-2)", "top(simhash-2)"), ("!best & a", "!top & a")] {
        assert_eq!(read(old), read(new));
    }
    let names = ["simhash-2", "best"].map(str::to_owned);
    assert_eq!(rule("best", &names, None).unwrap(), Some(Rule::Term(Term::Configuration(1))));
    let either = rule("best(simhash-2)", &names, None).unwrap_err().to_string();
    assert!(either.contains("best is a configuration here; write top(…)"), "{either}");
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
    let wrong = |text: &str| rule(text, &names(), None).unwrap_err().to_string();
    for (expression, place, begins) in [
        ("a & size>3", "size", "not a number of a pair"),
        ("jaccard>high", "high", "a number must follow"),
        ("jaccard>", ">", "a number must follow"),
        ("(a | b", "(", "the parenthesis is not closed"),
        ("a)", ")", "no parenthesis is open"),
        ("a | ", "|", "something must stand"),
        ("| a", "|", "something must stand"),
        ("!", "!", "a term must follow"),
        ("a ! & b", "!", "a term must follow"),
        (">3", ">", "a term must stand before"),
        ("()", "(", "there is nothing"),
        ("label=maybe", "maybe", "a label is"),
        ("label>3", ">", "write label="),
        ("id>3", ">", "a text has"),
        ("topic:", ":", "what to look for"),
        ("grade>high", "high", "a number"),
        ("top(nobody)", "nobody", "the name of a configuration"),
        ("candidates", "candidates", "how many?"),
        ("by:nobody", "by:nobody", "the name of a configuration must follow by:; there are simhash-2"),
        ("pair:nothing", "pair:nothing", "a word of filters must follow pair:"),
        ("pair:best", "pair:best", "write pair:top for the pairs with the highest Jaccard"),
        ("topic", "topic", "what must be in it? topic:… asks for all of it"),
        ("x \"open", "\"open", "the quote"),
        ("a &", "&", "something must stand"),
        ("& a", "&", "something must stand"),
        ("a & & b", "&", "something must stand"),
        ("(a &) | b", "&", "something must stand"),
        ("url", "url", "what must be in it? url:…"),
        ("a jaccard", "jaccard", "how much? as in jaccard>0.9"),
        ("source~00004", "source~00004", "~ is no sign here; source:00004"),
    ] {
        let said = wrong(expression);
        let (of, why) = said.split_once(": ").unwrap();
        assert!(of.starts_with(&format!("“{place}”")) && why.starts_with(begins), "{expression}: {said}");
    }
    assert!(wrong(&"(".repeat(5000)).contains("nested too deeply"));
    assert!(wrong(&"!".repeat(5000)).contains("nested too deeply"));
}

proptest! {
    #[test]
    fn no_input_panics(expression in "[a-z0-9&|!()<>=:\" é.+-]{0,40}") {
        if let Err(error) = rule(&expression, &names(), None) {
            prop_assert!(expression.get(error.place()).is_some());
            prop_assert!(error.to_string().contains('“'));
        }
    }
}
