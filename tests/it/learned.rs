//! The detector that learns from labels: fitted, judged by labels that it has not seen, used, explained, taken elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::OnceLock;

use dejaview::index::KeptSide;
use dejaview::methods::edit::edit_ratio;
use dejaview::study::{Snapshot, find_document};
use dejaview::text::Tokens;
use serde_json::Value;

use crate::labels::{ids, truth};
use crate::methods::{sample, standard};
use crate::recrawl::crawl;
use crate::support::{Answer, Study, copy, data, program};

/// The sample study with 1,500 labels of its truth, and a model fitted to them. Few of its pairs are true.
fn labelled() -> &'static Study {
    static SHARED: OnceLock<Study> = OnceLock::new();
    SHARED.get_or_init(|| {
        let study = Study::shared("learned");
        copy(sample().folder(), study.folder());
        study.run();
        label(&study, 1_500, |pair| truth().get(pair).copied().unwrap_or(false));
        study.dejaview(["learn", "-o", study.path("model.json").to_str().unwrap()]).ok();
        study
    })
}

/// Draws a sample of all configurations and labels it.
fn label(study: &Study, size: usize, is_true: impl Fn(&(String, String)) -> bool) -> Vec<((String, String), bool)> {
    let size = size.to_string();
    let drawn =
        study.dejaview(["sample", "--configuration", "all", "--size", &size, "--name", "many", "--json"]).json();
    let labels: Vec<((String, String), bool)> =
        ids(&drawn).into_iter().map(|pair| (pair.clone(), is_true(&pair))).collect();
    let word = |near: bool| if near { "near-duplicate" } else { "not" };
    let rows: String = labels.iter().map(|((a, b), near)| format!("{a}\t{b}\t{}\n", word(*near))).collect();
    fs::write(study.path("labels.tsv"), format!("source\ttarget\tlabel\n{rows}")).unwrap();
    let mut command = program();
    command.args(["labels", "import"]).arg(study.folder()).arg(study.path("labels.tsv"));
    Answer::of(command.args(["--annotator", "truth", "--sample", "many"])).ok();
    labels
}

/// A study of its own with the pages, pairs and labels of another, and a configuration that uses a model.
fn with_model(from: &Study, model: &str) -> Study {
    let study = Study::new();
    copy(from.folder(), study.folder());
    let toml = fs::read_to_string(study.path("study.toml")).unwrap();
    let configuration = format!("\n[[configuration]]\nmethod = \"learned\"\nmodel = {model:?}\n");
    fs::write(study.path("study.toml"), toml + &configuration).unwrap();
    study
}

fn quality<'a>(learning: &'a Value, name: &str, by: &str) -> &'a Value {
    let rows = learning["quality"].as_array().unwrap();
    rows.iter().find(|row| row["name"] == name && row["decided_by"] == by).unwrap_or_else(|| panic!("no {name} {by}"))
}

fn value(of: &Value) -> f64 {
    of["value"].as_f64().unwrap()
}

/// The setting of `best` in the sample study was chosen by the truth that labels it, so it is as good as can be there.
#[test]
fn it_is_about_as_good_as_the_best_on_labels_that_it_has_not_seen() {
    let learning = labelled().dejaview(["learn", "--json", "--fewer", "300,600"]).json();
    assert_eq!(learning["labels"], 1_500);
    let learned = quality(&learning, "learned", "out-of-fold");
    let f = |name: &str| value(&quality(&learning, name, "configuration")["f1"]);
    assert!(value(&learned["f1"]) > 0.9 && value(&learned["f1"]) > f("best") - 0.05, "{learned} {}", f("best"));
    for other in ["decomposition", "sentences-words", "exact-jaccard", "long-sent"] {
        assert!(value(&learned["f1"]) > f(other), "{learned} {other} {}", f(other));
    }
    let own = quality(&learning, "learned", "own-labels");
    assert!(value(&own["f1"]) > value(&learned["f1"]), "what was seen is known better: {own} {learned}");
    let fewer = learning["fewer"].as_array().unwrap();
    assert_eq!(fewer.iter().map(|row| row["labels"].as_u64().unwrap()).collect::<Vec<_>>(), [300, 600]);
    assert!(learning["weights"].as_array().unwrap().iter().all(|feature| feature["weight"].as_f64().unwrap() >= 0.0));
    let again = labelled().dejaview(["learn", "--json", "--fewer", "300,600"]).json();
    assert_eq!(learning, again, "the same labels, the same model");
}

/// Draws a sample and has it labelled by the truth.
fn label_sample(study: &Study, name: &str, drawn: &[&str]) {
    let drawn = study.dejaview(["sample", "--name", name, "--json"].iter().chain(drawn)).json();
    let word = |pair: &(String, String)| if truth().get(pair) == Some(&true) { "near-duplicate" } else { "not" };
    let row = |pair: (String, String)| format!("{}\t{}\t{}\n", pair.0, pair.1, word(&pair));
    let rows: String = ids(&drawn).into_iter().map(row).collect();
    fs::write(study.path("labels.tsv"), format!("source\ttarget\tlabel\n{rows}")).unwrap();
    let mut command = program();
    command.args(["labels", "import"]).arg(study.folder()).arg(study.path("labels.tsv"));
    Answer::of(command.args(["--annotator", "truth", "--sample", name])).ok();
}

/// Of the pairs of long-sent 7 in 100 are true, of those of simhash-2 and best nearly all: a sample of these says little of
/// all, and nothing of the precision of others.
#[test]
fn labels_of_several_samples_stand_for_the_pairs_that_they_were_drawn_from() {
    let study = Study::new();
    copy(sample().folder(), study.folder());
    study.run();
    label_sample(&study, "few", &["--configuration", "simhash-2,best", "--by", "agreement", "--size", "120"]);
    let few = study.dejaview(["learn", "--json"]).json();
    let recall = quality(&few, "long-sent", "configuration");
    assert!(recall["precision"].is_null() && recall["f1"].is_null() && recall["recall"].is_object(), "{recall}");
    assert!(quality(&few, "best", "configuration")["precision"].is_object());
    let represented = &few["represented"];
    assert!(represented["beyond"].as_array().unwrap().contains(&"long-sent".into()), "{represented}");
    assert!(represented["pairs"].as_u64() < Some(800) && represented["of"] == 5_688, "{represented}");
    let text = study.dejaview(["learn"]).ok().to_owned();
    assert!(
        text.contains("no precision and F: ") && text.contains("of the 5,688 pairs that configurations found"),
        "{text}"
    );

    let by = ["--configuration", "all", "--by", "jaccard", "--allocation", "equal", "--size", "300", "--audit", "40"];
    label_sample(&study, "all", &by);
    let both = study.dejaview(["learn", "--json"]).json();
    assert_eq!(
        (&both["represented"]["pairs"], &both["represented"]["samples"]),
        (&5_688.into(), &serde_json::json!(["all", "few"]))
    );
    assert!(both["represented"]["beyond"].is_null(), "{}", both["represented"]);
    let precision = &quality(&both, "long-sent", "configuration")["precision"];
    let (low, high) = (precision["low"].as_f64().unwrap(), precision["high"].as_f64().unwrap());
    assert!(low < 0.07 && high > 0.07 && value(precision) < 0.2, "{precision}");
}

#[test]
fn every_table_on_its_own_labels_is_out_of_fold() {
    let study = with_model(labelled(), "model.json");
    let before = fs::read(study.path("samples/many.jsonl")).unwrap();
    study.run();
    let learning = labelled().dejaview(["learn", "--json"]).json();
    let learned = quality(&learning, "learned", "out-of-fold");
    let evaluation = study.dejaview(["evaluate", "--truth", "labels", "--json"]).json();
    let configurations = evaluation["configurations"].as_array().unwrap();
    let row = configurations.iter().find(|c| c["name"] == "learned").unwrap();
    // The sample is simple random, so that weights are equal and precision is a plain share. Recall is of the pool there.
    assert!((value(&row["precision"]) - value(&learned["precision"])).abs() < 1e-9, "{row} {learned}");
    assert!((value(&row["recall"]) - value(&learned["recall"])).abs() < 0.01, "{row} {learned}");
    let own = quality(&learning, "learned", "own-labels");
    assert!((value(&row["precision"]) - value(&own["precision"])).abs() > 1e-6, "not of its own labels: {own}");
    assert_eq!(fs::read(study.path("samples/many.jsonl")).unwrap(), before, "the sample is as it was");
    let list = study.dejaview(["sample", "--list"]).ok().to_owned();
    assert!(!list.contains("changed"), "{list}");

    // Its pairs are among those of the others, and samples of all configurations do not depend on it.
    let mut found: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for row in study.dejaview(["pairs"]).rows("configuration\tsegment\tsource\ttarget\tdistance\tjaccard") {
        found.entry((row[2].to_owned(), row[3].to_owned())).or_default().push(row[0].to_owned());
    }
    let decided: Vec<_> = found.iter().filter(|(_, by)| by.iter().any(|name| name == "learned")).collect();
    assert!(decided.len() > 100 && decided.iter().all(|(_, by)| by.len() > 1), "{}", decided.len());
    let draw = |study: &Study| {
        let drawn = study.dejaview(["sample", "--configuration", "all", "--size", "50", "--name", "again", "--json"]);
        ids(&drawn.json())
    };
    let other = Study::new();
    copy(labelled().folder(), other.folder());
    other.run();
    assert_eq!(draw(&study), draw(&other));
}

#[test]
fn an_explanation_shows_what_each_feature_adds() {
    let study = with_model(labelled(), "model.json");
    study.run();
    let pairs = study.dejaview(["pairs", "--configuration", "learned"]);
    let rows = pairs.rows("configuration\tsegment\tsource\ttarget\tdistance\tjaccard");
    let explained = study.dejaview(["explain", rows[0][2], rows[0][3], "--configuration", "learned"]).ok().to_owned();
    assert!(explained.contains("match: probability 0.") || explained.contains("match: probability 1."), "{explained}");
    assert!(explained.contains("by a model of 1500 labels") && explained.contains("log-odds"), "{explained}");
    // A pair that nobody found is none of its pairs, whatever it thinks of the texts.
    let (source, target) = (rows[0][2], "sample12-0000wb-00-00008");
    let verdict = study.dejaview(["explain", source, target, "--configuration", "learned", "--json"]).json();
    let found = study.dejaview(["explain", source, target, "--json"]).json();
    let others = found["configurations"].as_array().unwrap().iter().filter(|c| c["name"] != "learned");
    if others.into_iter().all(|c| c["match"] == false) {
        assert_eq!(verdict["configurations"][0]["match"], false);
    }
}

#[test]
fn pairs_that_it_is_unsure_of_are_drawn_with_known_probabilities() {
    let study = with_model(labelled(), "model.json");
    study.run();
    let asked = ["sample", "--configuration", "all", "--uncertain", "--size", "60", "--name", "doubtful", "--json"];
    let drawn = study.dejaview(asked).json();
    assert_eq!(drawn["design"], "uncertain");
    let pairs = drawn["pairs"].as_array().unwrap();
    let weights: Vec<f64> = pairs.iter().map(|pair| pair["weight"].as_f64().unwrap()).collect();
    let (least, most) = weights.iter().fold((f64::MAX, 0.0f64), |(a, b), w| (a.min(*w), b.max(*w)));
    assert!(
        most <= 4.0 * least + 1e-3 && most > 1.5 * least,
        "a quarter to the whole of the probability: {least} {most}"
    );
    // Those that came more often are those that its features leave open.
    let verdict = |pair: &Value| {
        let ids = [pair["source"].as_str().unwrap(), pair["target"].as_str().unwrap()];
        let told = study.dejaview(["explain", ids[0], ids[1], "--configuration", "learned", "--json"]).json();
        let claim = told["configurations"][0]["tree"]["claim"].as_str().unwrap().to_owned();
        let after = claim.split("probability ").nth(1).unwrap();
        after.split(' ').next().unwrap().parse::<f64>().unwrap()
    };
    let by_weight = |wanted: f64| &pairs[weights.iter().position(|weight| *weight == wanted).unwrap()];
    let unsure = |p: f64| p * (1.0 - p);
    assert!(unsure(verdict(by_weight(least))) > unsure(verdict(by_weight(most))));
    let refused = labelled().dejaview(["sample", "--configuration", "all", "--uncertain", "--name", "none"]);
    assert!(refused.failed().contains("dejaview learn"), "{}", refused.stderr);
}

#[test]
fn without_labels_or_with_too_few_it_says_so() {
    let study = Study::new();
    copy(sample().folder(), study.folder());
    study.run();
    assert!(study.dejaview(["learn"]).failed().contains("has labels"));
    label(&study, 10, |_| false);
    let refused = study.dejaview(["learn"]);
    assert!(refused.failed().contains("0 labels say near-duplicate and 10 say not"), "{}", refused.stderr);
    let toml = fs::read_to_string(study.path("study.toml")).unwrap();
    fs::write(study.path("study.toml"), format!("{toml}\n[[configuration]]\nmethod = \"learned\"\n")).unwrap();
    assert!(study.dejaview(["run"]).failed().contains("dejaview learn"));
    let named = format!("{toml}\n[[configuration]]\nmethod = \"learned\"\nmodel = \"nowhere.json\"\n");
    fs::write(study.path("study.toml"), named).unwrap();
    assert!(study.dejaview(["run"]).failed().contains("nowhere.json"));
}

/// Every pair of the crawl, and whether it kept its URL and most of its words.
fn kept_pages(study: &Study) -> BTreeMap<(String, String), bool> {
    let snapshot = Snapshot::open(study.folder()).unwrap();
    let table = snapshot.table().unwrap();
    let words = |id: &str, side: KeptSide| {
        let mut tokens = Tokens::new();
        tokens.read(&find_document(&snapshot, id, Some(side)).unwrap().document.text);
        tokens.hashes().to_vec()
    };
    let is_kept = |source: &str, target: &str| {
        edit_ratio(&words(source, KeptSide::Source), &words(target, KeptSide::Target)) >= 0.8
    };
    let pairs = (0..table.len()).map(|row| table.pair(row));
    let pairs = pairs.map(|p| ((p.source.to_owned(), p.target.to_owned()), p.same_url && is_kept(p.source, p.target)));
    pairs.collect()
}

/// What the configurations of the sample study are worth by its truth, beside a model that was fitted elsewhere and `best` as
/// it is without a setting: neither knows this study.
fn on_the_sample_study(model: &std::path::Path) -> impl Fn(&str) -> f64 + use<> {
    let there = with_model(labelled(), "crawl.json");
    fs::copy(model, there.path("crawl.json")).unwrap();
    let toml = fs::read_to_string(there.path("study.toml")).unwrap();
    let plain = "\n[[configuration]]\nname = \"best-plain\"\nmethod = \"best\"\n";
    fs::write(there.path("study.toml"), toml + plain).unwrap();
    there.run();
    let pairs = there.dejaview(["pairs"]);
    let rows = pairs.rows("configuration\tsegment\tsource\ttarget\tdistance\tjaccard");
    let pairs: BTreeSet<(String, String)> = rows.iter().map(|row| (row[2].to_owned(), row[3].to_owned())).collect();
    let word = |pair: &(String, String)| if truth().get(pair) == Some(&true) { "near-duplicate" } else { "not" };
    let rows: String = pairs.iter().map(|pair| format!("{}\t{}\t{}\n", pair.0, pair.1, word(pair))).collect();
    fs::write(there.path("all.tsv"), format!("source\ttarget\tlabel\n{rows}")).unwrap();
    let file = format!("file:{}", there.path("all.tsv").display());
    let evaluation = there.dejaview(["evaluate", "--truth", &file, "--json"]).json();
    move |name: &str| {
        let all = evaluation["configurations"].as_array().unwrap();
        value(&all.iter().find(|c| c["name"] == name).unwrap()["f1"])
    }
}

/// The other way round: fitted to the crawl and used on the sample study, whose pages of one form the crawl does not have. Its
/// truth is another one here: a page in a new template is no near-duplicate. So it is not as good as `best` with the setting
/// that was chosen by the truth of the sample study, and better than `best` without it.
#[test]
fn a_model_of_the_crawl_serves_the_sample_study() {
    let Some(crawled) = standard() else { return };
    let study = Study::new();
    copy(crawled.folder(), study.folder());
    study.run();
    let kept = kept_pages(&study);
    label(&study, 1_500, |pair| kept[pair]);
    study.dejaview(["learn", "-o", study.path("model.json").to_str().unwrap()]).ok();
    let f = on_the_sample_study(&study.path("model.json"));
    println!("learned {:.3} best {:.3} decomposition {:.3}", f("learned"), f("best"), f("decomposition"));
    assert!(f("learned") > 0.82, "{}", f("learned"));
    assert!(f("learned") > f("decomposition").max(f("best-plain")), "{} {}", f("learned"), f("best-plain"));
}

/// With labels of the crawl that were given by the guidelines of the sample study, the model comes as far there as `best` with
/// its chosen setting.
#[test]
fn labels_by_the_same_guidelines_make_a_model_that_serves_elsewhere() {
    let Some(crawled) = standard() else { return };
    let study = Study::new();
    copy(crawled.folder(), study.folder());
    study.run();
    let labels = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/recrawl/labels.tsv");
    for (name, size, seed) in [("read", "240", "7"), ("more", "480", "8")] {
        let by = ["--by", "jaccard", "--allocation", "equal", "--size", size, "--seed", seed, "--name", name];
        study.dejaview(["sample", "--configuration", "all"].into_iter().chain(by)).ok();
        let mut command = program();
        command.args(["labels", "import"]).arg(study.folder()).arg(&labels);
        Answer::of(command.args(["--annotator", "reader", "--sample", name])).ok();
    }
    let learning =
        study.dejaview(["learn", "-o", study.path("model.json").to_str().unwrap(), "--force", "--json"]).json();
    assert!(learning["labels"].as_u64() > Some(550), "the samples are those that were read: {}", learning["labels"]);
    let here = |name: &str, by: &str| value(&quality(&learning, name, by)["f1"]);
    let others = here("best", "configuration").max(here("decomposition", "configuration"));
    assert!(here("learned", "out-of-fold") > others + 0.1, "{} {others}", here("learned", "out-of-fold"));
    let f = on_the_sample_study(&study.path("model.json"));
    println!("learned {:.3} best {:.3} without its setting {:.3}", f("learned"), f("best"), f("best-plain"));
    assert!(f("learned") > f("best") - 0.05, "{} {}", f("learned"), f("best"));
    assert!(f("learned") > f("best-plain").max(f("decomposition")) + 0.1, "{} {}", f("learned"), f("best-plain"));
}

/// Fitted to the sample study and used unchanged on a real crawl. True are pages that kept their URL and most of their words.
#[test]
fn a_model_of_one_study_serves_another() {
    let Some(data) = data() else { return };
    let mut study = crawl(Study::new(), &data).file("model.json", fs::read(labelled().path("model.json")).unwrap());
    for method in ["best", "decomposition", "exact-jaccard", "long-sent", "simhash"] {
        study = study.configuration(method, "");
    }
    let study = study.configuration("learned", "model = \"model.json\"");
    study.run();
    let kept = kept_pages(&study);
    let word = |near: bool| if near { "near-duplicate" } else { "not" };
    let rows = kept.iter().map(|((a, b), near)| format!("{a}\t{b}\t{}\n", word(*near)));
    let rows = format!("source\ttarget\tlabel\n{}", rows.collect::<String>());
    let truth = study.file("truth.tsv", rows);
    let file = format!("file:{}", truth.path("truth.tsv").display());
    let answer = truth.dejaview(["evaluate", "--truth", &file, "--json"]).json();
    let f = |name: &str| {
        let all = answer["configurations"].as_array().unwrap();
        value(&all.iter().find(|c| c["name"] == name).unwrap()["f1"])
    };
    assert!(f("learned") >= f("best").max(f("decomposition")), "{} {} {}", f("learned"), f("best"), f("decomposition"));
}
