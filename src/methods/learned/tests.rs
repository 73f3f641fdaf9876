//! What every method is asked, of a model made by hand.

use proptest::prelude::*;

use super::model::tests::{model, rule};
use super::*;
use crate::explain;
use crate::testing::{prose, sketch, statistics, verdict, with};

/// The method with a model that looks at some features.
fn learned(cut_off: f64, weights: &[(&str, f64)], texts: &[&str]) -> Box<dyn Method> {
    fitted_to(&model(rule(cut_off, weights)), texts)
}

fn fitted_to(model: &Model, texts: &[&str]) -> Box<dyn Method> {
    let values = Values::new(&ALGORITHM);
    let mut statistics = statistics(texts);
    values.learn(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>(), &mut statistics);
    values.fit_with(&statistics, Some(&model.written())).unwrap()
}

const KEEPER: &str =
    "The old keeper Ann Smith went down to the sea on 4 March 2009 and counted 17 boats in the harbour.";

#[test]
fn every_feature_is_one_for_equal_pages() {
    let features = Features::new(&statistics(&[KEEPER])).unwrap();
    let list = "Title of a page\nHome\nNews\nSport\n12 34 56 78\nLast of all entries";
    for text in [KEEPER, list] {
        let values = with(text, |a| with(text, |b| features.of(a, b)));
        for (feature, value) in FEATURES.iter().zip(values) {
            assert_eq!(value, 1.0, "{} of “{text}”", feature.name);
        }
    }
}

#[test]
fn the_explanation_carries_the_verdict_and_every_weight() {
    let method = learned(0.6, &[("words", 1.0), ("dates", 2.0)], &[KEEPER]);
    let other = KEEPER.replace("2009", "2012");
    assert!(verdict(&*method, KEEPER, KEEPER).is_some_and(|evidence| evidence.distance < 20));
    let tree = with(KEEPER, |a| with(&other, |b| explain(&*method, a, b)));
    let lines = tree.lines().join("\n");
    assert!(lines.contains("dates 0.500 (mean 0.500)") && lines.contains("vocabulary (Jaccard) 0."), "{lines}");
    assert_eq!(tree.value.map(|value| value as u16), verdict(&*method, KEEPER, &other).map(|e| e.distance), "{lines}");
}

#[test]
fn a_labelled_pair_is_decided_by_the_rule_that_has_not_seen_it() {
    let other = KEEPER.replace("17 boats", "18 ships");
    let pairs = [(model::pair_digest(KEEPER, &other), 0)].into_iter().collect();
    let (never, always) = (rule(1.0, &[("words", 1.0)]), rule(0.0, &[("words", 1.0)]));
    let model = Model::new(Default::default(), always, vec![never], pairs);
    let method = fitted_to(&model, &[KEEPER]);
    assert_eq!(verdict(&*method, KEEPER, &other), None, "fold 1 says no");
    assert!(verdict(&*method, KEEPER, KEEPER).is_some(), "the rule of all labels says yes");
    let lines = with(KEEPER, |a| with(&other, |b| explain(&*method, a, b))).lines().join("\n");
    assert!(lines.contains("fold 1 of 1 decides, which was fitted without it"), "{lines}");
}

#[test]
fn without_a_model_there_is_no_sketch_and_a_broken_one_is_refused() {
    let values = Values::new(&ALGORITHM);
    let method = values.fit(&Statistics::default()).unwrap();
    assert_eq!(sketch(&*method, KEEPER), None);
    let refused = values.fit_with(&Statistics::default(), Some("{}")).unwrap_err().to_string();
    assert!(refused.contains("`model`") && refused.contains("not the JSON of a model"), "{refused}");
}

#[test]
fn shingles_of_a_form_are_no_page_s_own() {
    let form = "final score of the league game played at the old harbour ground before a crowd of many people";
    let game = |i: usize| format!("{form}. Team {i} beat side {} by {i} runs to {} in the rain today", i + 40, i + 80);
    let games: Vec<String> = (0..14).map(game).collect();
    let texts: Vec<&str> = games.iter().map(String::as_str).collect();
    let method = learned(0.5, &[("own-shingles", 4.0)], &texts);
    assert_eq!(verdict(&*method, texts[0], texts[1]), None);
    let all = learned(0.5, &[("words", 4.0)], &texts);
    assert!(verdict(&*all, texts[0], texts[1]).is_some(), "by their words they are alike");
}

proptest! {
    #[test]
    fn symmetric_deterministic_and_between_0_and_1(a in prose(), b in prose()) {
        let features = Features::new(&statistics(&[&a])).unwrap();
        let there = with(&a, |a| with(&b, |b| features.of(a, b)));
        let back = with(&b, |b| with(&a, |a| features.of(b, a)));
        prop_assert_eq!(&there, &back);
        prop_assert!(there.iter().all(|value| (0.0..=1.0).contains(value)), "{:?}", there);
        let method = learned(0.5, &[("edit", 1.0), ("names", 1.0), ("running-text", 1.0)], &[&a]);
        prop_assert_eq!(verdict(&*method, &a, &b), verdict(&*method, &b, &a));
        prop_assert_eq!(unpacked(&{ let mut out = Vec::new(); packed(&a, &mut out); out }), a);
    }
}
