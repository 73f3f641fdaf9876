//! Expressions and what they ask for, and what is said of those that ask for nothing.

use super::*;
use crate::query::filter::words::{is_filter_word, joins_terms};
use crate::query::filter::{Filter, spelling};
use proptest::prelude::*;

fn names() -> Vec<String> {
    ["simhash-2", "simhash-3+5", "md5"].map(str::to_owned).to_vec()
}

fn read_with(expression: &str, names: &[String]) -> Result<Option<Rule>, FilterError> {
    parse(expression, Names { list: List::Pairs, configurations: names, chosen: None })
}

fn read(expression: &str) -> Rule {
    read_with(expression, &names()).unwrap_or_else(|error| panic!("{error}")).unwrap()
}

fn text(field: TextField, value: &str, extent: Extent) -> Rule {
    Rule::Term(Term::Text(WantedText { field, value: value.to_owned(), extent }))
}

fn word(value: &str) -> Rule {
    text(TextField::Bare, value, Extent::Part)
}

fn not(rule: Rule) -> Rule {
    Rule::Not(Box::new(rule))
}

#[test]
fn the_expression_of_the_manual() {
    let Rule::All(rules) = read("jaccard>0.9 & !label & simhash-2 & !simhash-3+5") else { panic!("four terms") };
    let number = Term::Number { number: Number::Jaccard, comparison: Comparison::More, value: 0.9 };
    assert_eq!(rules[0], Rule::Term(number));
    assert_eq!(rules[1], not(Rule::Term(Term::Label(WantedLabel::Any))));
    assert_eq!(rules[2], Rule::Term(Term::FoundBy(0)));
    assert_eq!(rules[3], not(Rule::Term(Term::FoundBy(1))));
}

#[test]
fn words_and_blanks_mean_what_signs_mean() {
    for (words, signs) in [
        ("jaccard > 0.9 and simhash-2", "jaccard>0.9&simhash-2"),
        ("jaccard > 0.9 AND NOT simhash-2 Or md5", "jaccard>0.9 & !simhash-2 | md5"),
        ("not(md5 or simhash-2)", "!(md5|simhash-2)"),
        ("not not md5", "!!md5"),
        ("label = not and not label : unsure", "label=not & !label:unsure"),
        ("url : wiki and segment = 00", "url:wiki & segment=00"),
        ("top( simhash-2 ) and candidates ( x )", "top(simhash-2)"),
    ] {
        // The last one is only about the blanks in parentheses: what follows is an error of its own.
        let words = words.strip_suffix(" and candidates ( x )").unwrap_or(words);
        assert_eq!(read(words), read(signs), "{words}");
    }
    assert_eq!(read("url:and"), text(TextField::Url, "and", Extent::Part));
    assert_eq!(read("\"and\""), text(TextField::Id, "and", Extent::Part));
    assert_eq!(read("android"), word("android"));
}

#[test]
fn and_binds_more_tightly_than_or() {
    assert_eq!(read("a b | c"), Rule::Any(vec![Rule::All(vec![word("a"), word("b")]), word("c")]));
    assert_eq!(read("a & (b | c)"), Rule::All(vec![word("a"), Rule::Any(vec![word("b"), word("c")])]));
    assert_eq!(read("!(a | b)"), not(Rule::Any(vec![word("a"), word("b")])));
    assert_eq!(read("((a))"), word("a"));
    for nothing in ["", "  "] {
        assert_eq!(read_with(nothing, &names()).unwrap(), None, "{nothing:?}");
    }
}

#[test]
fn ids_and_urls_may_have_signs_in_them() {
    assert_eq!(read("urn:uuid:12"), word("urn:uuid:12"));
    assert_eq!(read("\"a & b\""), text(TextField::Id, "a & b", Extent::Part));
    assert_eq!(read("wow!such"), word("wow!such"));
    let url = text(TextField::Url, "http://a.de/x", Extent::Part);
    assert_eq!(read("url:http://A.de/x"), url);
    assert_eq!(read("url:\"http://a.de/x\""), url);
}

#[test]
fn a_configuration_is_found_or_measured() {
    assert_eq!(read("md5"), Rule::Term(Term::FoundBy(2)));
    assert_eq!(read("\"md5\""), text(TextField::Id, "md5", Extent::Part));
    let near = Term::Distance { configuration: 0, comparison: Comparison::AtMost, value: 1.0 };
    assert_eq!(read("simhash-2<=1"), Rule::Term(near.clone()));
    let configurations = names();
    let chosen = Names::of_pairs(&configurations).choosing(Some(0));
    assert_eq!(parse("distance<=1", chosen).unwrap(), Some(Rule::Term(near)), "of the one chosen");
    let whose = read_with("distance<=1", &names()).unwrap_err().problem();
    assert!(whose.contains("“distance”") && whose.contains("as in simhash-2<3"), "{whose}");
}

#[test]
fn a_pair_among_those_of_its_source() {
    assert_eq!(read("top"), Rule::Term(Term::Top(None)));
    assert_eq!(read("top(simhash-3+5)"), Rule::Term(Term::Top(Some(1))));
    let candidates =
        |configuration, comparison, value| Rule::Term(Term::Candidates { configuration, comparison, value });
    assert_eq!(read("candidates(simhash-2)<6"), candidates(Some(0), Comparison::Less, 6.0));
    assert_eq!(read("candidates=1"), candidates(None, Comparison::Equal, 1.0));
    assert_eq!(read("top (a)"), Rule::All(vec![Rule::Term(Term::Top(None)), word("a")]));
    assert_eq!(read("segment = 00"), text(TextField::Segment, "00", Extent::Whole));
    assert_eq!(read("source=http://a?b=1"), text(TextField::Source, "http://a?b=1", Extent::Whole));
    assert_eq!(read("source==A"), text(TextField::Source, "A", Extent::Exact));
}

#[test]
fn words_that_join_terms_are_no_names_and_others_mean_themselves() {
    for name in ["and", "or", "not", "by", "And", "NOT"] {
        assert!(joins_terms(name), "{name}");
    }
    let configurations = ["jaccard", "top", "segment"].map(str::to_owned);
    let read = |text: &str| read_with(text, &configurations).unwrap().unwrap();
    assert_eq!(read("top"), Rule::Term(Term::Top(None)));
    assert_eq!(read("by:top"), Rule::Term(Term::FoundBy(1)));
    assert_eq!(read("top(top)"), Rule::Term(Term::Top(Some(1))));
    assert!(matches!(read("jaccard>0.9"), Rule::Term(Term::Number { .. })));
    assert!(matches!(read("by:jaccard>3"), Rule::Term(Term::Distance { configuration: 0, .. })));
    assert_eq!(read("segment=00"), text(TextField::Segment, "00", Extent::Whole));
    for (old, new) in [("pair:top", "top"), ("pair:jaccard>0.9", "jaccard>0.9"), ("pair:segment:0", "segment:0")] {
        assert_eq!(read(old), read(new));
    }
    for text in ["by:top & !by:jaccard", "by:jaccard<3 | top(segment)", "jaccard>0.9 & by:segment"] {
        assert_eq!(spelling::written(&read(text), &configurations), text);
    }
}

#[test]
fn every_word_of_filters_is_known() {
    let texts = TextField::NAMED.iter().map(|(_, name, _)| *name);
    let numbers = Number::ALL.iter().map(|(_, name, _)| *name);
    let fixed = ["and", "or", "not", "by", "top", "candidates", "label", "same-url", "conflict", "distance"];
    for name in fixed.into_iter().chain(texts).chain(numbers) {
        assert!(is_filter_word(name) && is_filter_word(&name.to_uppercase()), "{name}");
    }
    for name in dejaview_methods::catalogue::names().into_iter().chain(["best", "exact-jaccard", "jaccard-4"]) {
        assert!(!is_filter_word(name), "{name}");
    }
    for standard in crate::standard_set() {
        assert!(!is_filter_word(&standard.name), "{}", standard.name);
    }
}

#[test]
fn the_name_of_a_configuration_always_means_it() {
    let names = ["best", "near-duplicate", "0.9", "Foo", "foo", "e5", "disputed"].map(str::to_owned);
    let read = |expression: &str| read_with(expression, &names).map(Option::unwrap);
    for (c, name) in names.iter().enumerate() {
        let found = Rule::Term(Term::FoundBy(c));
        for expression in [name.clone(), format!("by:{name}"), format!("BY:{name}"), format!("({name})")] {
            assert_eq!(read(&expression).unwrap(), found, "{expression}");
        }
        let near = Term::Distance { configuration: c, comparison: Comparison::AtMost, value: 2.0 };
        for expression in [format!("{name}<=2"), format!("by:{name} <= 2")] {
            assert_eq!(read(&expression).unwrap(), Rule::Term(near.clone()), "{expression}");
        }
        assert_eq!(read(&format!("!{name}")).unwrap(), not(found));
        assert_eq!(read(&format!("top({name})")).unwrap(), Rule::Term(Term::Top(Some(c))));
    }
    assert_eq!(read("BEST").unwrap(), Rule::Term(Term::FoundBy(0)), "in another case, where one alone is meant");
    assert_eq!(read("fOO").unwrap(), word("foo"), "which of the two?");
}

#[test]
fn what_the_program_writes_is_read_as_it_is_meant() {
    let names = names();
    for (c, name) in names.iter().enumerate() {
        assert_eq!(read(&spelling::found_by(name)), Rule::Term(Term::FoundBy(c)));
        assert_eq!(read(&spelling::top(name)), Rule::Term(Term::Top(Some(c))));
        let candidates = Term::Candidates { configuration: Some(c), comparison: Comparison::More, value: 9.0 };
        assert_eq!(read(&format!("{}>9", spelling::candidates(name))), Rule::Term(candidates));
    }
    let ids = ["00", "A", "a b", "x&y", "(", "\"", "say \"hi\"", "=1", "", "http://a?b=1"];
    for (field, id) in ["id", "source", "target", "segment"].into_iter().flat_map(|f| ids.map(|id| (f, id))) {
        let Rule::All(rules) = read(&format!("{} & x", spelling::exactly(field, id))) else { panic!("two terms") };
        let Rule::Term(Term::Text(WantedText { value, extent, .. })) = &rules[0] else { panic!("{:?}", rules[0]) };
        let wanted = if id.chars().any(char::is_alphabetic) { Extent::Exact } else { Extent::Whole };
        assert_eq!((value.as_str(), *extent), (id, wanted), "{field}");
    }
}

/// `top` was called `best`: filters that somebody kept are read, but where the name is a configuration's.
#[test]
fn filters_of_old_are_read_where_they_cannot_be_mistaken() {
    for (old, new) in [("best", "top"), ("best(simhash-2)", "top(simhash-2)"), ("!best & a", "!top & a")] {
        assert_eq!(read(old), read(new));
    }
    let names = ["simhash-2", "best"].map(str::to_owned);
    assert_eq!(read_with("best", &names).unwrap(), Some(Rule::Term(Term::FoundBy(1))));
    let either = read_with("best(simhash-2)", &names).unwrap_err().to_string();
    assert!(either.contains("best is a configuration of this study; write top(…)"), "{either}");
}

#[test]
fn judgments_side_by_side_are_one() {
    let Rule::Term(Term::Judged(all)) = read("topic=51 & grade>=1") else { panic!("one term") };
    assert_eq!(all.len(), 2);
    let Rule::All(rules) = read("a & topic=51 & !grade=1") else { panic!("three terms") };
    assert_eq!(rules.len(), 3, "a negated one is a question of its own");
    let Rule::All(rules) = read("(topic=51 & grade=1) & (topic=52 & grade=2)") else { panic!("two terms") };
    assert_eq!(rules.len(), 2, "parentheses keep judgments apart");
}

#[test]
fn judgments_have_the_fields_that_they_have() {
    let configurations = names();
    let read = |expression: &str| parse(expression, Names::of_judgments(&configurations));
    for fine in ["topic=1 & grade>=1", "jaccard>0.9 or candidates=0", "md5 and not conflict", "lens best", "same-url"] {
        assert!(read(fine).is_ok(), "{fine}");
    }
    for wrong in ["length>0.5", "top", "label", "target:3", "segment=00", "distance<3", "url:wiki"] {
        let why = read(wrong).unwrap_err().to_string();
        assert!(why.contains("this is for pairs. Judgments have topic"), "{why}");
    }
    assert!(read("simhash-2<3").unwrap_err().to_string().contains("only pairs have a distance"));
    assert!(read_with("conflict", &names()).unwrap_err().to_string().contains("only judgments have grade conflicts"));
}

#[test]
fn what_is_wrong_is_pointed_at() {
    let wrong = |text: &str| read_with(text, &names()).unwrap_err().to_string();
    for (expression, span, begins) in [
        ("a & size>3", "size", "not a number of a pair"),
        ("jaccard>high", "high", "a number must follow"),
        ("jaccard>", ">", "a number must follow"),
        ("(a | b", "(", "the parenthesis is not closed"),
        ("a)", ")", "no parenthesis is open"),
        ("a | ", "|", "a term is missing"),
        ("| a", "|", "a term is missing"),
        ("a or", "or", "a term is missing"),
        ("!", "!", "a term must follow"),
        ("not", "not", "a term must follow"),
        ("a ! & b", "!", "a term must follow"),
        (">3", ">", "a term must come first"),
        ("()", "(", "the parentheses are empty"),
        ("label=maybe", "maybe", "labels are"),
        ("label>3", ">", "write label="),
        ("id>3", ">", "texts have"),
        ("topic:", ":", "a value must follow"),
        ("grade>high", "high", "a number"),
        ("top(nobody)", "nobody", "top(…) needs the name of a configuration"),
        ("candidates", "candidates", "a comparison must follow"),
        ("by:nobody", "by:nobody", "by: needs the name of a configuration: simhash-2"),
        ("topic", "topic", "a value must follow: topic:… asks for all of it"),
        ("x \"open", "\"open", "the quote"),
        ("a &", "&", "a term is missing"),
        ("and a", "and", "a term is missing"),
        ("a & & b", "&", "a term is missing"),
        ("(a &) | b", "&", "a term is missing"),
        ("url", "url", "a value must follow: url:…"),
        ("a jaccard", "jaccard", "a comparison must follow, as in jaccard>0.9"),
        ("distance", "distance", "a comparison must follow, as in distance>0.9"),
        ("source~00004", "source~00004", "~ is not a sign of filters; source:00004"),
    ] {
        let said = wrong(expression);
        let (of, why) = said.split_once(": ").unwrap();
        assert!(of.starts_with(&format!("“{span}”")) && why.starts_with(begins), "{expression}: {said}");
    }
    assert!(wrong(&"(".repeat(5000)).contains("nested too deeply"));
    assert!(wrong(&"!".repeat(5000)).contains("nested too deeply"));
}

/// Terms as people write them, and values with every sign in them.
fn term() -> impl Strategy<Value = String> {
    let comparison = prop::sample::select(&["<", "<=", "=", "==", "!=", ">=", ">", " > "][..]);
    let number =
        prop::sample::select(&["jaccard", "length", "agreement", "words", "candidates", "candidates(md5)"][..]);
    let text = prop::sample::select(&["id", "source", "target", "url", "segment", "track", "topic", "grade"][..]);
    let text_sign = prop::sample::select(&[":", "=", "==", " = "][..]);
    let quoted = "[a-zA-Z&|()= \"é.-]{0,6}".prop_map(|value| format!("\"{}\"", value.replace('"', "\"\"")));
    prop_oneof![
        (number, comparison.clone(), -2i32..100)
            .prop_map(|(name, sign, n)| format!("{name}{sign}{}", f64::from(n) / 8.0)),
        (prop::sample::select(&["simhash-2", "by:md5", "simhash-3+5"][..]), comparison.clone(), 0u8..9)
            .prop_map(|(name, sign, n)| format!("{name}{sign}{n}")),
        prop::sample::select(
            &["simhash-2", "by:md5", "MD5", "top", "best", "top(md5)", "same-url", "label", "label=not", "label:disp"]
                [..]
        )
        .prop_map(str::to_owned),
        (text.clone(), text_sign.clone(), "[a-zA-Z0-9:!<>.é-]{1,6}")
            .prop_map(|(name, sign, v)| format!("{name}{sign}{v}")),
        (text, text_sign, quoted.clone()).prop_map(|(name, sign, value)| format!("{name}{sign}{value}")),
        (comparison, 0u8..4).prop_map(|(sign, grade)| format!("grade{sign}{grade}")),
        quoted,
        "x[a-z0-9.:!é-]{0,6}",
    ]
}

fn expression() -> impl Strategy<Value = String> {
    term().prop_recursive(4, 24, 4, |inner| {
        let sign = prop::sample::select(&[" & ", " and ", " ", " | ", " or ", "||", "&&"][..]);
        prop_oneof![
            prop::collection::vec((inner.clone(), sign), 1..4).prop_map(|terms| {
                let joined: String = terms.iter().map(|(term, sign)| format!("{term}{sign}")).collect();
                joined.trim_end_matches([' ', '&', '|']).trim_end_matches(" and").trim_end_matches(" or").to_owned()
            }),
            inner.clone().prop_map(|term| format!("({term})")),
            inner.prop_map(|term| format!("not ({term})")),
        ]
    })
}

proptest! {
    #[test]
    fn no_input_panics(expression in "[a-z0-9&|!()<>=:\" é.+-]{0,40}") {
        if let Err(error) = read_with(&expression, &names()) {
            prop_assert!(expression.get(error.span()).is_some());
            prop_assert!(error.to_string().contains('“'));
        }
    }

    /// A filter that was read, written and read again is the same.
    #[test]
    fn what_is_written_is_what_was_read(expression in expression()) {
        let configurations = names();
        let filter = |text: &str| Filter::parse(text, Names::of_pairs(&configurations));
        if let Ok(first) = filter(&expression) {
            let text = first.text(&configurations);
            let again = filter(&text).unwrap_or_else(|error| panic!("{expression} was written {text}: {error}"));
            prop_assert_eq!(&again, &first, "{} was written {}", expression, text);
            prop_assert_eq!(again.text(&configurations), text);
        }
    }
}
