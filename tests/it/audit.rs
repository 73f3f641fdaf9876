//! What a sample serves, and where its audit looks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::samples::sample_study;
use crate::support::Study;

type Ids = (String, String);

/// For each configuration the pairs that it found.
fn found(study: &Study) -> BTreeMap<String, BTreeSet<Ids>> {
    let mut found: BTreeMap<String, BTreeSet<Ids>> = BTreeMap::new();
    for pair in study.dejaview(["pairs", "--json"]).jsonl() {
        found.entry(text(&pair["configuration"])).or_default().insert(ids(&pair));
    }
    found
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn ids(pair: &Value) -> Ids {
    (text(&pair["source"]), text(&pair["target"]))
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(text).collect()
}

fn list<'a>(sample: &'a Value, key: &str) -> &'a Vec<Value> {
    sample[key].as_array().unwrap()
}

/// Pairs of the sample's strata that a configuration (its place among those served) found; with another, that both did.
fn counted(sample: &Value, one: usize, other: Option<usize>) -> u64 {
    let count = |stratum: &Value| match other {
        None => stratum["found"][one].as_u64().unwrap_or(0),
        Some(other) => stratum["together"][one][other].as_u64().unwrap_or(0),
    };
    list(sample, "strata").iter().map(count).sum()
}

#[test]
fn a_sample_serves_every_configuration_whose_pairs_lie_inside() {
    let study = sample_study();
    let all = found(study);
    for drawn in ["simhash-2", "simhash-3+5", "exact-jaccard"] {
        let asked = ["sample", "--configuration", drawn, "--size", "10", "--name"];
        let sample = study.dejaview(asked.into_iter().chain([&*format!("inside-{drawn}"), "--json"])).json();
        let inside = |name: &&String| all[*name].is_subset(&all[drawn]);
        let expected: BTreeSet<&String> = all.keys().filter(inside).collect();
        assert_eq!(texts(&sample["serves"]).iter().collect::<BTreeSet<_>>(), expected, "{drawn}");
        assert_eq!(texts(&sample["configurations"]), [drawn]);
    }
    let other = study.dejaview([
        "sample",
        "--configuration",
        "exact-jaccard",
        "--name",
        "inside-exact-jaccard",
        "--size",
        "10",
        "--json",
    ]);
    assert_eq!(texts(&other.json()["serves"]), ["simhash-3+5", "exact-jaccard"], "in the order of the study");
}

#[test]
fn all_configurations_make_one_sample_that_counts_each_and_any_two() {
    let study = sample_study();
    let sample =
        study.dejaview(["sample", "--configuration", "all", "--by", "jaccard", "--size", "40", "--json"]).json();
    assert_eq!(sample["name"], "all");
    assert_eq!(texts(&sample["configurations"]), ["simhash-2", "simhash-3+5", "exact-jaccard"]);
    let (serves, all) = (texts(&sample["serves"]), found(study));
    assert_eq!(serves, texts(&sample["configurations"]));
    for (i, one) in serves.iter().enumerate() {
        assert_eq!(counted(&sample, i, None), all[one].len() as u64, "{one}");
        for (j, other) in serves[..i].iter().enumerate() {
            let both = all[one].intersection(&all[other]).count() as u64;
            assert_eq!(counted(&sample, i, Some(j)), both, "{one} and {other}");
        }
    }
    for pair in list(&sample, "pairs") {
        let finders: Vec<&String> = serves.iter().filter(|name| all[*name].contains(&ids(pair))).collect();
        assert_eq!(texts(&pair["found"]).iter().collect::<Vec<_>>(), finders, "{pair}");
    }
}

#[test]
fn an_audit_looks_first_at_pairs_that_others_found_and_serves_everyone() {
    let study = sample_study();
    let asked =
        ["sample", "--configuration", "simhash-3+5", "--size", "20", "--audit", "60", "--name", "looks", "--json"];
    let sample = study.dejaview(asked).json();
    let all = found(study);
    assert_eq!(texts(&sample["serves"]), ["simhash-2", "simhash-3+5", "exact-jaccard"]);
    let mine = &all["simhash-3+5"];
    let others: BTreeSet<&Ids> = all.values().flatten().filter(|pair| !mine.contains(*pair)).collect();
    let named = |start: &str| -> Vec<&Value> {
        list(&sample, "strata").iter().filter(|s| s["name"].as_str().unwrap().starts_with(start)).collect()
    };
    let pairs = |strata: &[&Value]| -> u64 { strata.iter().map(|s| s["population"].as_u64().unwrap()).sum() };
    let theirs = named("others found, ");
    assert_eq!(pairs(&theirs), others.len() as u64);
    assert!(theirs.iter().all(|stratum| stratum.get("audit").is_none()), "they belong to the pool of the study");
    let nobodys = named("none found, ");
    assert!(nobodys.iter().all(|stratum| stratum["audit"] == true));
    let last = nobodys.last().unwrap();
    assert_eq!((&last["name"], &last["far"]), (&"none found, random pairs".into(), &true.into()));
    let first = nobodys.first().unwrap();
    assert_eq!((&first["name"], first.get("far")), (&"none found, same URL".into(), None));
    let drawn: u64 = theirs.iter().chain(&nobodys).map(|stratum| stratum["drawn"].as_u64().unwrap()).sum();
    assert_eq!(drawn, 60);
    for (i, name) in texts(&sample["serves"]).iter().enumerate() {
        assert_eq!(counted(&sample, i, None), all[name].len() as u64, "{name}: no pair of it lies outside");
    }
}

#[test]
fn the_list_of_pairs_that_are_alike_changes_nothing() {
    let study = sample_study();
    let draw = |name: &str| {
        let asked = ["sample", "--configuration", "simhash-2", "--size", "10", "--audit", "25", "--name"];
        let sample = study.dejaview(asked.into_iter().chain([name, "--json"])).json();
        list(&sample, "pairs").iter().map(ids).collect::<Vec<_>>()
    };
    let first = draw("alike-1");
    assert!(study.path(".dejaview/alike.json").is_file());
    assert_eq!(draw("alike-2"), first, "as it was kept");
    fs::write(study.path(".dejaview/alike.json"), "{\"key\":").unwrap();
    assert_eq!(draw("alike-3"), first, "damaged, and made again");
}

#[test]
fn pairs_that_are_probably_true_are_drawn_more_often() {
    let study = sample_study();
    let asked =
        ["sample", "--configuration", "exact-jaccard", "--importance", "--size", "80", "--name", "important", "--json"];
    let sample = study.dejaview(asked).json();
    assert_eq!(sample["design"], "importance");
    let weights: Vec<f64> = list(&sample, "pairs").iter().map(|pair| pair["weight"].as_f64().unwrap()).collect();
    let (low, high) = weights.iter().fold((f64::INFINITY, 0.0f64), |(low, high), w| (low.min(*w), high.max(*w)));
    assert!(low >= 1.0 && high > low && high <= 4.0 * low + 1e-6, "{low} {high}");
    for pair in list(&sample, "pairs") {
        let product = pair["weight"].as_f64().unwrap() * pair["probability"].as_f64().unwrap();
        assert!((product - 1.0).abs() < 1e-9, "{pair}");
    }
    let order = |sample: &Value| list(sample, "pairs").iter().map(ids).collect::<Vec<_>>();
    let longer = study.dejaview(["sample", "--name", "important", "--extend", "20", "--json"]).json();
    assert_eq!((&longer["design"], order(&longer).len()), (&"importance".into(), 100));
    assert_eq!(order(&longer)[..80], order(&sample)[..]);
    let both = study.dejaview(["sample", "--configuration", "exact-jaccard", "--importance", "--by", "jaccard"]);
    both.misused();
}
