//! Samples of the sample study, as the command line draws them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use serde_json::Value;

use crate::support::{Answer, Study, copy, dejaview, program, small_crawls};

/// The sample study with a few configurations, run once.
pub fn sample_study() -> &'static Study {
    static STUDY: OnceLock<Study> = OnceLock::new();
    STUDY.get_or_init(|| {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-corpus");
        let mut study = Study::shared("samples")
            .top("keep = \"all\"")
            .source(corpus.join("crawl-2009/*.warc.gz"))
            .judgments(corpus.join("judgments/*.qrels"));
        for segment in ["00", "01", "02", "03"] {
            study = study.target(segment, corpus.join(format!("crawl-2012/{segment}.warc.gz")));
        }
        let study = study
            .simhash("ngrams = [2]\ndistance = 3")
            .simhash("ngrams = [3, 5]\ndistance = 3")
            .configuration("exact-jaccard", "name = \"exact-jaccard\"\nthreshold = 0.8");
        study.run();
        study
    })
}

fn ids(sample: &Value) -> Vec<(String, String)> {
    let id = |pair: &Value, key: &str| pair[key].as_str().unwrap().to_owned();
    sample["pairs"].as_array().unwrap().iter().map(|pair| (id(pair, "source"), id(pair, "target"))).collect()
}

fn sum(sample: &Value, of: impl Fn(&Value) -> bool) -> f64 {
    sample["pairs"].as_array().unwrap().iter().filter(|p| of(p)).map(|p| p["weight"].as_f64().unwrap()).sum()
}

const ALL: &str = "simhash-2,simhash-3+5,exact-jaccard";

#[test]
fn every_design_has_weights_that_add_up_and_can_be_made_longer() {
    let study = sample_study();
    let pairs = study.dejaview(["pairs", "--json"]).jsonl();
    let union: BTreeSet<(String, String)> = pairs
        .iter()
        .map(|p| (p["source"].as_str().unwrap().to_owned(), p["target"].as_str().unwrap().to_owned()))
        .collect();
    for by in ["none", "jaccard", "agreement", "segment", "host", "url", "length"] {
        for allocation in if by == "jaccard" { &["proportional", "equal"][..] } else { &["equal"] } {
            let name = format!("{by}-{allocation}");
            let asked = ["sample", "--configuration", ALL, "--by", by, "--allocation", allocation, "--size", "40"];
            let sample = study.dejaview(asked.into_iter().chain(["--name", &name, "--json"])).json();
            assert_eq!(sample["population"], union.len(), "{name}");
            assert!((sum(&sample, |_| true) - union.len() as f64).abs() < 1e-6, "{name}");
            for stratum in sample["strata"].as_array().unwrap() {
                let population = stratum["population"].as_f64().unwrap();
                let weights = sum(&sample, |pair| pair["stratum"] == stratum["name"]);
                assert!((weights - population).abs() < 1e-6, "{name}: {stratum}");
                assert!(stratum["drawn"].as_u64().unwrap() >= 2.min(population as u64), "{name}: {stratum}");
            }
            assert!(ids(&sample).iter().all(|pair| union.contains(pair)), "{name}");
            let longer = study.dejaview(["sample", "--name", &name, "--extend", "15", "--json"]).json();
            assert_eq!(ids(&longer)[..40], ids(&sample)[..], "{name}");
            assert_eq!(ids(&longer).iter().collect::<BTreeSet<_>>().len(), 55, "{name}");
            assert!((sum(&longer, |_| true) - union.len() as f64).abs() < 1e-6, "{name}");
        }
    }
    let again = ["sample", "--configuration", ALL, "--by", "url", "--allocation", "equal", "--size", "55", "--json"];
    let longer = fs::read_to_string(study.path("samples/url-equal.jsonl")).unwrap();
    study.dejaview(again.into_iter().chain(["--name", "url-equal"])).ok();
    assert_eq!(
        fs::read_to_string(study.path("samples/url-equal.jsonl")).unwrap(),
        longer,
        "the same seed draws the same"
    );
    let clash = study.dejaview(["sample", "--configuration", "simhash-2", "--name", "none-equal"]);
    assert!(clash.failed().contains("another sample"));
    let few = study.dejaview(["sample", "--configuration", ALL, "--by", "segment", "--size", "3", "--name", "few"]);
    assert!(few.failed().contains("3 pairs cannot stand for 4 strata"));
}

#[test]
fn one_pair_of_each_document() {
    let study = sample_study();
    let asked = ["sample", "--configuration", ALL, "--documents", "--name", "documents", "--json"];
    let sample = study.dejaview(asked.into_iter().chain(["--size", "30"])).json();
    assert_eq!((&sample["design"], ids(&sample).len()), (&"documents".into(), 30));
    let sources: BTreeSet<String> = ids(&sample).into_iter().map(|pair| pair.0).collect();
    assert_eq!(sources.len(), 30);
    let longer = study.dejaview(asked.into_iter().chain(["--size", "60"])).json();
    assert_eq!(ids(&longer)[..30], ids(&sample)[..]);
    let strata = study.dejaview(["sample", "--configuration", ALL, "--documents", "--by", "url", "--name", "d2"]);
    assert!(strata.failed().contains("without strata"));
}

/// `best` is not the first configuration that its sample serves. Strata count documents; pairs are those of the study.
#[test]
fn a_sample_of_documents_tells_documents_and_known_numbers_of_pairs() {
    let study = Study::new();
    copy(crate::methods::sample().folder(), study.folder());
    study.run();
    let asked = ["sample", "--configuration", "best", "--documents", "--size", "60", "--name", "d", "--json"];
    let truth = crate::labels::truth();
    let word = |pair: &(String, String)| if truth.get(pair) == Some(&true) { "near-duplicate" } else { "not" };
    let row = |pair: (String, String)| format!("{}\t{}\t{}\n", pair.0, pair.1, word(&pair));
    let rows: String = ids(&study.dejaview(asked).json()).into_iter().map(row).collect();
    fs::write(study.path("labels.tsv"), format!("source\ttarget\tlabel\n{rows}")).unwrap();
    let mut import = program();
    import.args(["labels", "import"]).arg(study.folder()).arg(study.path("labels.tsv"));
    Answer::of(import.args(["--annotator", "ann", "--sample", "d"])).ok();
    let evaluation = study.dejaview(["evaluate", "--truth", "labels", "--json"]).json();
    let by_name = |rows: &Value, name: &str| {
        rows.as_array().unwrap().iter().find(|row| row["name"] == name).unwrap_or(&Value::Null).clone()
    };
    let told = &evaluation["estimates"][0];
    let of = |name: &str| by_name(&told["configurations"], name)["precision"].clone();
    let (best, md5) = (of("best"), of("md5"));
    let all = by_name(&evaluation["configurations"], "best");
    assert_eq!((&best["unit"], &best["population"]), (&"documents".into(), &all["sources_found"]), "{best}");
    let share = best["yes"].as_f64().unwrap() / best["labelled"].as_f64().unwrap();
    assert!((best["headline"]["value"].as_f64().unwrap() - share).abs() < 1e-9, "every document counts once: {best}");
    assert_eq!(md5["unit"], "pairs");
    assert_eq!(
        md5["population"],
        by_name(&evaluation["configurations"], "md5")["pairs"],
        "known, and not estimated: {md5}"
    );
    assert_eq!(
        (&told["strata"][0]["unit"], &told["strata"][0]["population"]),
        (&"documents".into(), &best["population"])
    );
    let text = study.dejaview(["evaluate", "--truth", "labels"]).ok().to_owned();
    let heads = text.lines().filter(|line| line.contains("stratum ") && line.contains("documents")).count();
    assert!(heads == 1 && text.contains("documents, or pairs"), "{text}");
}

/// Searches draw the pages of the sample study; its pages are hardly linked, so a walk goes through another.
#[test]
fn pages_drawn_without_a_list() {
    drawn_without_a_list(sample_study(), "simhash-2", "query", "40", "30");
    let lost = ["sample", "--configuration", "simhash-2", "--from", "walk", "--size", "20", "--name", "lost"];
    assert!(sample_study().dejaview(lost).failed().contains("only to pages that links lead to"));
    drawn_without_a_list(&crate::sizes::study(0..40, 0..60), "exact-jaccard", "walk", "100", "90");
    for also in [&["--by", "jaccard"][..], &["--documents"], &["--audit", "5"]] {
        let asked = ["sample", "--configuration", "simhash-2", "--from", "query", "--name", "no"];
        let refused = sample_study().dejaview(asked.into_iter().chain(also.iter().copied()));
        assert!(refused.misused().contains("cannot be used with"), "{also:?}");
    }
}

/// Weights are relative and add up to the pairs there are.
fn drawn_without_a_list(study: &Study, configuration: &str, from: &str, size: &str, other: &str) {
    let all = study.dejaview(["pairs", "--json", "--configuration", configuration]).jsonl();
    let union: BTreeSet<(String, String)> = all
        .iter()
        .map(|p| (p["source"].as_str().unwrap().to_owned(), p["target"].as_str().unwrap().to_owned()))
        .collect();
    let draw = |size: &str| {
        let asked = ["sample", "--configuration", configuration, "--from", from, "--name", from, "--json"];
        study.dejaview(asked.into_iter().chain(["--size", size]))
    };
    let sample = draw(size).json();
    assert_eq!((&sample["design"], &sample["population"]), (&from.into(), &union.len().into()), "{from}");
    let drawn = ids(&sample);
    let sources: BTreeSet<&String> = drawn.iter().map(|pair| &pair.0).collect();
    assert!(drawn.len() > 4 && drawn.len() < size.parse().unwrap(), "{from}: {}", drawn.len());
    assert_eq!(sources.len(), drawn.len(), "{from}: a page is there once");
    assert!(drawn.iter().all(|pair| union.contains(pair)), "{from}");
    assert!((sum(&sample, |_| true) - union.len() as f64).abs() < 1e-6, "{from}");
    assert_eq!(draw(size).json(), sample, "{from}: the same seed draws the same");
    assert!(draw(other).failed().contains("another sample"), "{from}");
    let longer = study.dejaview(["sample", "--name", from, "--extend", "5"]);
    assert!(longer.failed().contains("cannot be made longer"), "{from}");
    estimated_by_weights(study, from, &sample);
}

/// Labels every fourth pair "not": precision is the ratio of weights, surer neither by the size of the whole nor by how many
/// pairs there are.
fn estimated_by_weights(study: &Study, name: &str, sample: &Value) {
    let mut text = "source\ttarget\tlabel\n".to_owned();
    let mut yes = 0.0;
    for (i, pair) in sample["pairs"].as_array().unwrap().iter().enumerate() {
        let label = if i % 4 == 3 { "not" } else { "near-duplicate" };
        yes += if i % 4 == 3 { 0.0 } else { pair["weight"].as_f64().unwrap() };
        text += &format!("{}\t{}\t{label}\n", pair["source"].as_str().unwrap(), pair["target"].as_str().unwrap());
    }
    let file = study.path(&format!("{name}.tsv"));
    fs::write(&file, text).unwrap();
    let mut command = crate::support::program();
    command.args(["labels", "import"]).arg(study.folder()).arg(file).args(["--annotator", name, "--sample", name]);
    crate::support::Answer::of(&mut command).ok();
    let result = study.dejaview(["evaluate", "--truth", "labels", "--sample", name, "--json"]).json();
    let estimates = &result["estimates"][0];
    let one = &estimates["configurations"][0];
    let precision = &one["precision"];
    let expected = yes / sample["population"].as_f64().unwrap();
    assert!((precision["headline"]["value"].as_f64().unwrap() - expected).abs() < 1e-9, "{name}: {precision}");
    assert!(precision["design"].is_null(), "{name}: no finite population");
    assert_eq!(estimates["strata"][0]["share"], precision["headline"], "{name}");
    let labelled = precision["labelled"].as_f64().unwrap();
    assert!(precision["effective"].as_f64().unwrap() < labelled, "{name}: {precision}");
    assert!(one["plan"].is_null() && precision["clopper_pearson"].is_null(), "{name}");
}

#[test]
fn an_audit_draws_what_nobody_found() {
    let study = sample_study();
    let asked = ["sample", "--configuration", ALL, "--by", "agreement", "--size", "40", "--name", "audited", "--json"];
    let sample = study.dejaview(asked.into_iter().chain(["--audit", "30"])).json();
    let run = study.dejaview(["run", "--json"]).json();
    let all = run["documents"]["source"].as_f64().unwrap() * run["documents"]["target"].as_f64().unwrap();
    assert!((sum(&sample, |_| true) - all).abs() < 1e-3, "every pair of the two crawls is stood for");
    let audited: Vec<&Value> =
        sample["pairs"].as_array().unwrap().iter().filter(|p| p["found"].as_array().unwrap().is_empty()).collect();
    assert_eq!(audited.len(), 30);
    let found: BTreeSet<(String, String)> = study
        .dejaview(["pairs", "--json"])
        .jsonl()
        .iter()
        .map(|p| (p["source"].to_string(), p["target"].to_string()))
        .collect();
    assert!(audited.iter().all(|p| !found.contains(&(p["source"].to_string(), p["target"].to_string()))));
    let by: BTreeMap<&str, usize> = audited.iter().fold(BTreeMap::new(), |mut by, pair| {
        *by.entry(pair["stratum"].as_str().unwrap()).or_default() += 1;
        by
    });
    assert!(by.keys().all(|name| name.starts_with("none found, ")), "the sample is of all configurations: {by:?}");
    assert!(by["none found, same URL"] > by["none found, random pairs"], "it looks where true pairs are: {by:?}");
    let longer = study.dejaview(["sample", "--name", "audited", "--extend", "10", "--audit", "6", "--json"]).json();
    assert_eq!(ids(&longer)[..70], ids(&sample)[..]);
    assert_eq!(ids(&longer).len(), 86);
}

/// Labels all pairs of a sample by the truth and returns the estimate of its first configuration.
fn labelled_by_truth(study: &Study, name: &str) -> Value {
    let truth = crate::labels::truth();
    let text = fs::read_to_string(study.path(&format!("samples/{name}.jsonl"))).unwrap();
    let mut table = "source\ttarget\tlabel\n".to_owned();
    for line in text.lines().skip(1) {
        let pair: Value = serde_json::from_str(line).unwrap();
        let ids = (pair["source"].as_str().unwrap().to_owned(), pair["target"].as_str().unwrap().to_owned());
        let label = if truth.get(&ids).copied().unwrap_or(false) { "near-duplicate" } else { "not" };
        table += &format!("{}\t{}\t{label}\n", ids.0, ids.1);
    }
    let file = study.path("truth-labels.tsv");
    fs::write(&file, table).unwrap();
    let mut command = crate::support::program();
    command.args(["labels", "import"]).arg(study.folder()).arg(file).args(["--annotator", "eve", "--sample", name]);
    crate::support::Answer::of(&mut command).ok();
    let result = study.dejaview(["evaluate", "--truth", "labels", "--sample", name, "--json"]).json();
    result["estimates"][0]["configurations"][0].clone()
}

#[test]
fn what_to_label_next_names_a_command_that_usually_reaches_what_it_says() {
    let study = crate::labels::study();
    let mut reached = 0;
    for seed in 1..=10 {
        let (name, seed) = (format!("s{seed}"), seed.to_string());
        let asked = ["sample", "--configuration", "simhash-2", "--by", "jaccard", "--allocation", "equal"];
        study.dejaview(asked.into_iter().chain(["--size", "60", "--seed", &seed, "--name", &name])).ok();
        let plan = labelled_by_truth(&study, &name)["plan"].clone();
        let strata: Vec<String> = plan["more"].as_array().unwrap().iter().map(more).collect();
        let command = plan["command"].as_str().unwrap();
        assert!(strata.iter().all(|stratum| command.contains(stratum.as_str())), "{command}");
        let more = strata.iter().flat_map(|stratum| ["--stratum", stratum]);
        study.dejaview(["sample", "--name", &name].into_iter().chain(more)).ok();
        let interval = labelled_by_truth(&study, &name)["precision"]["headline"].clone();
        let width = (interval["high"].as_f64().unwrap() - interval["low"].as_f64().unwrap()) / 2.0;
        reached += u32::from(width <= plan["wanted"].as_f64().unwrap());
    }
    assert!(reached >= 8, "{reached} of 10 plans reached what they said");
}

/// A stratum of a plan as an argument: `jaccard 0.7-0.8=20`.
fn more(stratum: &Value) -> String {
    format!("{}={}", stratum[0].as_str().unwrap(), stratum[1])
}

#[test]
fn a_plan_says_how_many_labels_it_takes_and_draws_nothing() {
    let study = &crate::labels::study();
    let before = fs::read_dir(study.path("samples")).map(Iterator::count).unwrap_or_default();
    let asked = ["sample", "--configuration", ALL, "--plan", "--precision", "0.05", "--expect", "0.8"];
    let compare = ["--compare", "simhash-2,simhash-3+5", "--difference", "0.1", "--json"];
    let plan = study.dejaview(asked.into_iter().chain(compare)).json();
    let row = |design: &str, share: f64| {
        let all = plan["rows"].as_array().unwrap();
        let is = |row: &&Value| row["design"] == design && row["configuration"] == "simhash-2" && row["share"] == share;
        all.iter().find(is).unwrap()["needed"][0].as_u64().unwrap()
    };
    assert!(row("simple", 0.5) > row("simple", 0.8), "the worst case takes most: {plan}");
    assert!(row("by jaccard, equal", 0.8) > 20, "{plan}");
    let both = &plan["difference"]["pairs"];
    let known = study.dejaview(["pairs", "--configuration", "simhash-2", "--json"]).jsonl().len() as u64;
    assert_eq!(both["both"].as_u64().unwrap() + both["first"].as_u64().unwrap(), known);
    assert!(plan["difference"]["needed"].as_u64().unwrap() > 10, "{plan}");
    let text = study.dejaview(["sample", "--configuration", "simhash-2", "--plan"]).ok().to_owned();
    assert!(text.contains("documents") && text.contains("for ±2.0") && text.contains("nothing was drawn"), "{text}");
    assert!(text.contains("  –") && text.contains("–: labels for all these documents would not be enough"), "{text}");
    assert_eq!(fs::read_dir(study.path("samples")).map(Iterator::count).unwrap_or_default(), before);
}

#[test]
fn the_seed_of_a_study_is_taken_where_none_is_given() {
    let study = small_crawls().top("seed = 9").simhash("ngrams = [2]");
    study.run();
    let drawn = |name: &str, seed: &[&str]| {
        let asked = ["sample", "--configuration", "simhash-2", "--size", "2", "--name", name];
        study.dejaview(asked.iter().chain(seed)).ok();
        let text = fs::read_to_string(study.path("samples").join(name).with_extension("jsonl")).unwrap();
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let own = drawn("own", &[]);
    assert_eq!(own, drawn("same", &["--seed", "9"]));
    let others = (1..9).map(|seed: u64| drawn(&format!("s{seed}"), &["--seed", &seed.to_string()]));
    assert!(others.into_iter().any(|other| other != own), "seeds draw others");
}

#[test]
fn samples_are_files_that_say_how_they_were_drawn() {
    let study = sample_study();
    study.dejaview(["sample", "--configuration", "simhash-2", "--size", "5", "--seed", "9", "--name", "plain"]).ok();
    let text = fs::read_to_string(study.path("samples/plain.jsonl")).unwrap();
    let head: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!((&head["design"], &head["seed"], &head["drawn"]), (&"simple".into(), &9.into(), &5.into()));
    assert_eq!(text.lines().count(), 6);
    let all = study.dejaview(["sample", "--configuration", "simhash-2", "--size", "9000", "--name", "every"]);
    assert!(all.stderr.contains("drew 340 pairs instead of 9000: there are no more"), "{}", all.stderr);
    let help = dejaview(["sample", "--help"]);
    for word in ["--by", "--allocation", "--audit", "--extend", "--documents"] {
        assert!(help.ok().contains(word), "{word}");
    }
}

/// Labels of a sample that was shared out, each by those who were asked, as one table.
fn shared_labels(sample: &Value) -> String {
    let mut table = "source\ttarget\tlabel\tannotator\n".to_owned();
    for (i, pair) in sample["pairs"].as_array().unwrap().iter().enumerate() {
        for name in pair["assigned"].as_array().unwrap() {
            let label = if i % 3 == 0 { "near-duplicate" } else { "not" };
            let [source, target, name] = [&pair["source"], &pair["target"], name].map(|v| v.as_str().unwrap());
            table += &format!("{source}\t{target}\t{label}\t{name}\n");
        }
    }
    table
}

#[test]
fn a_sample_is_shared_out_and_each_annotator_sees_their_part_only() {
    let study = crate::labels::study();
    let asked = ["sample", "--configuration", ALL, "--by", "jaccard", "--size", "60", "--overlap", "12", "--json"];
    let draw = |more: &[&str]| study.dejaview(asked.iter().chain(more)).json();
    let sample = draw(&["--assign", "ann,bob,you", "--name", "shared"]);
    assert_eq!(draw(&["--assign", "ann,bob,you", "--name", "again"])["pairs"], sample["pairs"], "the seed decides");
    let pairs = sample["pairs"].as_array().unwrap();
    let assigned = |pair: &Value| pair["assigned"].as_array().unwrap().clone();
    assert_eq!(pairs.iter().filter(|pair| assigned(pair).len() == 3).count(), 12);
    assert_eq!(pairs.iter().filter(|pair| assigned(pair).len() == 1).count(), 48);
    let part = |name: &str| pairs.iter().filter(|pair| assigned(pair).contains(&name.into())).count();
    assert_eq!(["ann", "bob", "you"].map(part), [28, 28, 28]);

    // The screen is drawn for an annotator named you: 28 pairs, and one of them again.
    let screen = |keys: &str| study.dejaview(["screen", "--keys", keys, "--size", "120x30"]);
    let label = screen(": \"sample_shared\" enter 5");
    assert!(label.ok().contains(" · pair 1 · 0/29 decided "), "{}", label.text());
    assert!(label.text().contains(" Label  shared, from ") && label.text().contains("  you  "), "{}", label.text());
    draw(&["--assign", "ann,bob", "--name", "others"]);
    let label = screen(": \"sample_others\" enter 5");
    assert!(label.ok().contains("others is shared out among ann, bob, and you has no part of it"), "{}", label.text());
    let home = screen(": \"sample_others\" enter esc");
    let nobody = |name: &str| home.ok().lines().any(|line| line.contains(&format!("{name} ──")) && line.contains("0/"));
    assert!(home.ok().contains("others ann ──") && nobody("ann") && nobody("bob"), "{}", home.text());

    // Agreement comes from the overlap, estimates from all labels.
    fs::write(study.path("labels.tsv"), shared_labels(&sample)).unwrap();
    let labels = |verb: &str, more: &[&str]| {
        let mut command = crate::support::program();
        crate::support::Answer::of(command.args(["labels", verb]).arg(study.folder()).args(more))
    };
    let file = study.path("labels.tsv");
    assert!(labels("import", &[file.to_str().unwrap(), "--sample", "shared"]).ok().starts_with("84 labels of "));
    let agreement = labels("agreement", &["--sample", "shared", "--json"]).json();
    assert_eq!((&agreement["pairs"], &agreement["unanimous"]), (&12.into(), &12.into()));
    let result = study.dejaview(["evaluate", "--truth", "labels", "--sample", "shared", "--json"]).json();
    assert_eq!(result["estimates"][0]["labelled"], 60);
    let home = study.dejaview(["screen", "--size", "120x60"]);
    let samples: Vec<&str> = home.ok().lines().skip_while(|line| !line.contains(" shared ann ━")).take(3).collect();
    for (line, name) in samples.iter().zip(["ann", "bob", "you"]) {
        assert!(line.contains(&format!("{name} ━")) && line.contains("28/29"), "{name}: {}", home.text());
    }
    assert_eq!(samples.len(), 3, "{}", home.text());
    let paragraph = labels("paragraph", &["--sample", "shared"]);
    let words = "12 pairs were assigned to all of the three annotators, every other pair to one of them";
    assert!(paragraph.ok().contains(words), "{}", paragraph.text());
}

#[test]
fn a_longer_sample_leaves_every_pair_with_whom_it_was_given_to() {
    let study = crate::labels::study();
    let asked = ["sample", "--configuration", "simhash-2", "--size", "20", "--name", "few", "--json"];
    let draw = |more: &[&str]| study.dejaview(asked.iter().chain(more));
    let short = draw(&["--assign", "ann,bob", "--overlap", "4"]).json();
    let long = study.dejaview(["sample", "--name", "few", "--extend", "10", "--json"]).json();
    let given = |sample: &Value| -> Vec<(Value, Value)> {
        let pairs = sample["pairs"].as_array().unwrap().iter();
        pairs.map(|pair| (pair["target"].clone(), pair["assigned"].clone())).collect()
    };
    assert_eq!(given(&long)[..20], given(&short)[..]);
    assert!(given(&long)[20..].iter().all(|(_, names)| names.as_array().unwrap().len() == 1));
    assert!(draw(&["--assign", "ann,bob", "--overlap", "5"]).failed().contains("choose another --name"));
    let alone = ["sample", "--configuration", "simhash-2", "--size", "5", "--name", "one", "--assign", "ann"];
    assert!(study.dejaview(alone).failed().contains("two annotators or more"));
    study.dejaview(["sample", "--configuration", "simhash-2", "--overlap", "5"]).misused();
}
