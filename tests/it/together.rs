//! Samples that overlap count together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::labels;
use crate::support::{Answer, Study, program};

type Ids = (String, String);

fn ids(pair: &Value) -> Ids {
    let id = |key: &str| pair[key].as_str().unwrap().to_owned();
    (id("source"), id("target"))
}

/// Every pair with its Jaccard and the configurations that found it.
fn pairs(study: &Study) -> BTreeMap<Ids, (f64, BTreeSet<String>)> {
    let mut all: BTreeMap<Ids, (f64, BTreeSet<String>)> = BTreeMap::new();
    for pair in study.dejaview(["pairs", "--json"]).jsonl() {
        let entry = all.entry(ids(&pair)).or_default();
        entry.0 = pair["jaccard"].as_f64().unwrap();
        entry.1.insert(pair["configuration"].as_str().unwrap().to_owned());
    }
    all
}

/// Of every third pair, by its text, the label is "not".
fn truth(pair: &Ids) -> bool {
    pair.0.bytes().chain(pair.1.bytes()).map(u32::from).sum::<u32>() % 3 != 0
}

fn label(study: &Study, sample: &str, drawn: &[Ids]) {
    let mut rows = "source\ttarget\tlabel\n".to_owned();
    for pair in drawn {
        let word = if truth(pair) { "near-duplicate" } else { "not" };
        rows += &format!("{}\t{}\t{word}\n", pair.0, pair.1);
    }
    let file = study.path("labels.tsv");
    fs::write(&file, rows).unwrap();
    let mut command = program();
    command.args(["labels", "import"]).arg(study.folder()).arg(file).args(["--annotator", "ada", "--sample", sample]);
    Answer::of(&mut command).ok();
}

fn band(jaccard: f64) -> usize {
    [0.5, 0.7, 0.8, 0.9, 0.95].iter().filter(|edge| **edge <= jaccard).count()
}

#[test]
fn samples_combine_where_they_overlap() {
    let study = &labels::study();
    let all = pairs(study);
    let draw = |name: &str, configurations: &str, more: &[&str]| -> Vec<Ids> {
        let asked = ["sample", "--configuration", configurations, "--name", name, "--json", "--size", "60"];
        let sample = study.dejaview(asked.into_iter().chain(more.iter().copied())).json();
        labels::ids(&sample)
    };
    let one = draw("one", "simhash-2", &["--seed", "5"]);
    let two = draw("two", "simhash-2,exact-jaccard", &["--by", "jaccard", "--allocation", "equal"]);
    label(study, "one", &one);
    label(study, "two", &two);
    let evaluated = study.dejaview(["evaluate", "--truth", "labels", "--json"]).json();
    let quality = |name: &str| {
        let all = evaluated["configurations"].as_array().unwrap();
        all.iter().find(|quality| quality["name"] == name).unwrap().clone()
    };
    let drawn: BTreeSet<&Ids> = one.iter().chain(&two).collect();
    let mut alone = Vec::new();
    let outside = |found: &BTreeSet<String>| !found.contains("simhash-2") && !found.contains("exact-jaccard");
    for name in ["simhash-2", "simhash-3+5", "exact-jaccard"] {
        let mut mine = all.values().filter(|(_, found)| found.contains(name));
        assert!(!mine.any(|(_, found)| outside(found)), "{name}: the samples could draw all of its pairs");
        // Recounted: the pairs of this configuration by band and by whether the first sample could draw them.
        let mut parts: BTreeMap<(usize, bool), [f64; 3]> = BTreeMap::new();
        for (pair, (jaccard, found)) in all.iter().filter(|(_, (_, found))| found.contains(name)) {
            let part = parts.entry((band(*jaccard), found.contains("simhash-2"))).or_default();
            part[0] += 1.0;
            if drawn.contains(pair) {
                part[1] += 1.0;
                part[2] += f64::from(u8::from(truth(pair)));
            }
        }
        if parts.values().any(|part| part[1] == 0.0) {
            // A part without a label: of the samples the one with most labels speaks alone.
            assert!(quality(name)["basis"].as_str().unwrap().starts_with("sample two: "), "{name}");
            alone.push(name);
            continue;
        }
        let population: f64 = parts.values().map(|part| part[0]).sum();
        let expected: f64 = parts.values().map(|part| part[0] / population * part[2] / part[1]).sum();
        let quality = quality(name);
        assert!((quality["precision"]["value"].as_f64().unwrap() - expected).abs() < 1e-9, "{name}: {quality}");
        let labels: f64 = parts.values().map(|part| part[1]).sum();
        let basis = quality["basis"].as_str().unwrap();
        assert!(basis.starts_with(&format!("samples one and two together, {labels} labels: ")), "{basis}");
        assert!(basis.ends_with("recall within the pairs that these samples could draw"), "{basis}");
        let single = study.dejaview(["evaluate", "--truth", "labels", "--json", "--sample", "two"]).json();
        let width = |of: &Value| of["precision"]["high"].as_f64().unwrap() - of["precision"]["low"].as_f64().unwrap();
        let only = single["configurations"].as_array().unwrap().iter().find(|q| q["name"] == name).unwrap();
        assert!(width(&quality) < width(only), "{name}: {quality} beside {only}");
    }
    assert_eq!(alone, ["simhash-3+5"]);
    assert_eq!(
        (&quality("simhash-2")["samples"], &quality("simhash-3+5")["samples"]),
        (&"one+two".into(), &"two".into())
    );
    let text = study.dejaview(["evaluate", "--truth", "labels"]).ok().to_owned();
    for words in ["by sample", "rows of different samples are not comparable", "from the labels of sample two alone"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let by_one = study.dejaview(["evaluate", "--truth", "labels", "--sample", "two", "--table", "quality"]);
    assert!(!by_one.ok().contains("not comparable") && !by_one.ok().contains("by sample"), "{}", by_one.text());
}

/// After a few labels a configuration without one of its pairs has no estimate, and the reason is not that nothing was drawn.
#[test]
fn few_labels_say_what_is_missing() {
    let study = &labels::study();
    let drawn = study.dejaview(["sample", "--configuration", "all", "--name", "one", "--size", "60", "--json"]).json();
    label(study, "one", &labels::ids(&drawn)[..2]);
    let text = study.dejaview(["evaluate", "--truth", "labels"]).ok().to_owned();
    assert!(text.contains("no estimate: sample one has no label of these pairs yet that decides"), "{text}");
    assert!(!text.contains("no labelled sample"), "{text}");
    let unseen = text.split("recall if independent").nth(1).unwrap_or_default();
    assert!(!unseen.contains("0.000 (0.000–0.000)") && !unseen.contains("1.000 (1.000–1.000)"), "{text}");
}

/// An audit draws pairs that others found with unequal probabilities. Beside another sample its labels count by its strata, and
/// not as if they had been drawn like the others.
#[test]
fn labels_of_an_audit_count_by_its_strata() {
    let study = &labels::study();
    let mut all: BTreeMap<Ids, (bool, BTreeSet<String>)> = BTreeMap::new();
    for pair in study.dejaview(["pairs", "--json"]).jsonl() {
        let entry = all.entry(ids(&pair)).or_default();
        entry.0 = pair["same_url"].as_bool().unwrap();
        entry.1.insert(pair["configuration"].as_str().unwrap().to_owned());
    }
    let draw = |asked: &[&str]| study.dejaview(["sample", "--json"].into_iter().chain(asked.iter().copied())).json();
    let first = draw(&["--name", "one", "--configuration", "simhash-3+5", "--size", "40", "--audit", "60"]);
    let (one, two) =
        (labels::ids(&first), labels::ids(&draw(&["--name", "two", "--configuration", "all", "--size", "200"])));
    label(study, "one", &one);
    label(study, "two", &two);
    // The strata of the first sample: its own pairs, then those that others found, by URL and by how many pairs the most
    // selective of their finders has for each document.
    let sources: BTreeSet<&str> = all.keys().map(|pair| pair.0.as_str()).collect();
    let plenty =
        |name: &String| all.values().filter(|(_, found)| found.contains(name)).count() as f64 / sources.len() as f64;
    let stratum = |(same_url, found): &(bool, BTreeSet<String>)| match found.contains("simhash-3+5") {
        true => 0,
        false if *same_url => 1,
        false => {
            let least = found.iter().map(plenty).fold(f64::INFINITY, f64::min);
            2 + [1.0, 2.0, 4.0].iter().filter(|edge| **edge < least).count()
        }
    };
    let drawn: BTreeSet<&Ids> = one.iter().chain(&two).collect();
    let evaluated = study.dejaview(["evaluate", "--truth", "labels", "--json"]).json();
    let mut together = 0;
    for quality in evaluated["configurations"].as_array().unwrap() {
        let (name, basis) = (quality["name"].as_str().unwrap(), quality["basis"].as_str().unwrap());
        if !basis.starts_with("samples one and two together") {
            continue;
        }
        let mut parts: BTreeMap<usize, [f64; 3]> = BTreeMap::new();
        for (pair, of) in all.iter().filter(|(_, (_, found))| found.contains(name)) {
            let part = parts.entry(stratum(of)).or_default();
            part[0] += 1.0;
            if drawn.contains(pair) {
                part[1] += 1.0;
                part[2] += f64::from(u8::from(truth(pair)));
            }
        }
        let population: f64 = parts.values().map(|part| part[0]).sum();
        let expected: f64 = parts.values().map(|part| part[0] / population * part[2] / part[1]).sum();
        let [value, recall, f] = ["precision", "recall", "f1"].map(|key| quality[key]["value"].as_f64().unwrap());
        assert!((value - expected).abs() < 1e-9, "{name}: {expected}, {quality}");
        assert!(
            (f - 2.0 * value * recall / (value + recall)).abs() < 1e-9,
            "{name}: F is of what stands beside it, {quality}"
        );
        together += usize::from(parts.len() > 2);
    }
    assert!(together > 0, "some configuration is told by both: {evaluated}");
}

/// A sample of two configurations by Jaccard says the same of them wherever it is asked: in its table, in their difference,
/// along the cut-offs and in the unions.
#[test]
fn a_sample_says_the_same_in_every_table() {
    let study = &labels::study();
    let (a, b) = ("simhash-2", "exact-jaccard");
    let asked = ["sample", "--configuration", "simhash-2,exact-jaccard", "--by", "jaccard", "--allocation", "equal"];
    let drawn = study.dejaview(asked.into_iter().chain(["--name", "one", "--size", "60", "--json"])).json();
    label(study, "one", &labels::ids(&drawn));
    let asked = ["evaluate", "--truth", "labels", "--json", "--rail", a, "--compare", "simhash-2,exact-jaccard"];
    let said = study.dejaview(asked).json();
    let of = |name: &str, which: &str| {
        let all = said["configurations"].as_array().unwrap();
        all.iter().find(|quality| quality["name"] == name).unwrap()[which]["value"].as_f64().unwrap()
    };
    for which in ["precision", "recall"] {
        let compared = &said["compared"][which];
        let [value, low, high] = ["value", "low", "high"].map(|key| compared[key].as_f64().unwrap());
        let difference = of(a, which) - of(b, which);
        assert!((value - difference).abs() < 1e-12, "{which}: {compared} {difference}");
        assert!(low <= value && value <= high, "{which}: {compared}");
    }
    let recalls = said["rail"]["cuts"].as_array().unwrap().iter().map(|cut| cut["recall"]["value"].as_f64());
    let recalls: Vec<f64> = recalls.flatten().collect();
    assert!((recalls[0] - of(a, "recall")).abs() < 1e-12 && recalls.len() > 10, "{recalls:?}");
    assert!(recalls.windows(2).all(|pair| pair[0] >= pair[1]), "{recalls:?}");
    let first = &said["coverage"][0];
    let name = first["name"].as_str().unwrap();
    for which in ["precision", "recall"] {
        assert!((first[which].as_f64().unwrap() - of(name, which)).abs() < 1e-12, "{which} of {name}: {first}");
    }
}
