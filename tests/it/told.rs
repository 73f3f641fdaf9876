//! What the commands on samples and labels say to somebody who uses them for the first time: the same number everywhere and
//! of what it is, what was drawn without giving it away, what comes next, and what to do where something is wrong.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use crate::labels::{ids, study, truth};
use crate::support::{Answer, Study, program};

const ALL: &str = "simhash-2,simhash-3+5,exact-jaccard";

fn labels(study: &Study, args: &[&str]) -> Answer {
    Answer::of(program().args(["labels", args[0]]).arg(study.folder()).args(&args[1..]))
}

/// A file of labels: the truth, but for every `wrong`-th pair.
fn write_labels(study: &Study, pairs: &[(String, String)], wrong: usize) -> String {
    let truth = truth();
    let mut text = "source\ttarget\tlabel\n".to_owned();
    for (i, pair) in pairs.iter().enumerate() {
        let is_true = truth.get(pair).copied().unwrap_or(false) != (i % wrong == wrong - 1);
        text += &format!("{}\t{}\t{}\n", pair.0, pair.1, if is_true { "near-duplicate" } else { "not" });
    }
    let path = study.path("labels.tsv");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Draws a sample and has it labelled by ann and bob, who differ on every ninth pair.
fn labelled(study: &Study, name: &str, drawn: &[&str]) -> Value {
    let sample = study.dejaview(["sample", "--name", name, "--json"].iter().chain(drawn)).json();
    for (annotator, wrong) in [("ann", 1000), ("bob", 9)] {
        let file = write_labels(study, &ids(&sample), wrong);
        labels(study, &["import", &file, "--annotator", annotator, "--sample", name]).ok();
    }
    sample
}

#[test]
fn agreement_is_one_answer_and_says_what_it_is_of() {
    let study = study();
    labelled(&study, "few", &["--configuration", "exact-jaccard", "--size", "12", "--seed", "7"]);
    labelled(&study, "strata", &["--configuration", ALL, "--by", "jaccard", "--allocation", "equal", "--size", "40"]);
    let of_sample = labels(&study, &["agreement", "--sample", "strata", "--json"]).json();
    assert_eq!(of_sample["sample"], "strata");
    assert_eq!(labels(&study, &["agreement", "--json"]).json(), of_sample, "the sample with most pairs in common");
    let paragraph = labels(&study, &["paragraph", "--sample", "strata", "--json"]).json();
    assert_eq!(paragraph["agreement"], of_sample);
    let all = labels(&study, &["agreement", "--all", "--json"]).json();
    assert!(all["sample"].is_null() && all["pairs"].as_u64() > of_sample["pairs"].as_u64(), "{all}");
    assert!(labels(&study, &["agreement"]).ok().starts_with("Agreement of ann, bob on sample strata\n"));

    // Review and the report say the same, with the sample it is of.
    let number = |key: &str| of_sample[key].as_u64().unwrap();
    let alpha = ["value", "low", "high"].map(|end| of_sample["alpha"][end].as_f64().unwrap());
    let review = study.dejaview(["screen", "--keys", "6", "--size", "120x30"]);
    let same = format!("{} of {} pairs with two labels", number("unanimous"), number("pairs"));
    let alpha = format!("alpha {:.2} ({:.2}–{:.2})", alpha[0], alpha[1], alpha[2]);
    assert!(review.ok().contains(&same) && review.ok().contains(&alpha), "{same} {alpha}:\n{}", review.text());
    let page = study.path("report.html");
    study.dejaview(["report", "-o", page.to_str().unwrap()]).ok();
    assert!(fs::read_to_string(page).unwrap().contains("Agreement of ann, bob on sample strata"));
}

#[test]
fn labels_of_no_sample_are_said_to_make_no_estimate() {
    let study = study();
    let sample =
        study.dejaview(["sample", "--configuration", "simhash-2", "--size", "8", "--name", "s", "--json"]).json();
    let file = write_labels(&study, &ids(&sample), 1000);
    let outside = labels(&study, &["import", &file, "--annotator", "ann"]);
    outside.ok();
    let next = format!("`dejaview labels import {} {file} --annotator ann --sample NAME`", study.folder().display());
    assert!(outside.stderr.contains("makes no estimate") && outside.stderr.contains(&next), "{}", outside.stderr);
    assert!(outside.stderr.contains("(s)"), "the samples there are: {}", outside.stderr);
    let inside = labels(&study, &["import", &file, "--annotator", "ann", "--sample", "s"]);
    assert!(
        inside.ok().starts_with("8 labels of ann added") && !inside.stderr.contains("estimate"),
        "{}",
        inside.stderr
    );
    let json = labels(&study, &["import", &file, "--annotator", "bob", "--json"]);
    assert_eq!(json.json()["outside_samples"], 8);
}

#[test]
fn a_draw_gives_away_no_pair_and_says_what_comes_next() {
    let study = study();
    let asked = ["sample", "--configuration", "simhash-2", "--by", "jaccard", "--size", "30", "--name", "s"];
    let drawn = study.dejaview(asked);
    let sample = study.dejaview(asked.into_iter().chain(["--json"])).json();
    let text = drawn.ok().to_owned() + &drawn.stderr;
    for (source, target) in ids(&sample) {
        assert!(!text.contains(&source) && !text.contains(&target), "{text}");
    }
    for stratum in sample["strata"].as_array().unwrap() {
        let line = text.lines().find(|line| line.contains(stratum["name"].as_str().unwrap())).unwrap();
        let numbers: Vec<&str> = line.split_whitespace().rev().take(2).collect();
        assert_eq!(numbers, [stratum["drawn"].to_string(), stratum["population"].to_string()], "{line}");
    }
    assert!(text.contains(&format!("file: {}", study.path("samples/s.jsonl").display())), "{text}");
    assert!(text.contains(&format!("next: dejaview label {} --sample s\n", study.folder().display())), "{text}");
    // Those who want to see the pairs say so.
    let with_pairs = study.dejaview(asked.into_iter().chain(["--pairs"]));
    let rows: Vec<(String, String)> = with_pairs
        .rows("source\ttarget\tstratum\tweight")
        .iter()
        .map(|row| (row[0].to_owned(), row[1].to_owned()))
        .collect();
    assert_eq!(rows, ids(&sample));

    let file = write_labels(&study, &ids(&sample)[..4], 1000);
    labels(&study, &["import", &file, "--annotator", "ann", "--sample", "s"]).ok();
    let list = study.dejaview(["sample", "--list"]);
    assert!(list.ok().contains("30 pairs of simhash-2, by jaccard, proportional, seed 1"), "{}", list.text());
    assert!(
        list.ok().contains("ann 4") && list.ok().contains("sample s: of the pairs there are now"),
        "{}",
        list.text()
    );
    let listed = study.dejaview(["sample", "--list", "--json"]).json();
    assert_eq!(
        (&listed[0]["name"], &listed[0]["labels"]["ann"], &listed[0]["fits"]),
        (&"s".into(), &4.into(), &"same".into())
    );
    study.dejaview(["sample", "--list", "--name", "s"]).misused();
}

#[test]
fn a_sample_that_cannot_become_longer_says_that_the_population_is_exhausted() {
    let study = study();
    let all = study.dejaview(["pairs", "--configuration", "simhash-3+5", "--json"]).jsonl().len();
    study.dejaview(["sample", "--configuration", "simhash-3+5", "--size", "100", "--name", "s"]).ok();
    let longer = |n: &str| study.dejaview(["sample", "--name", "s", "--extend", n]).stderr;
    assert!(longer("10").contains("s had 100 pairs, and 10 were added"));
    let fewer = longer("1000");
    let expected = format!(
        "s had 110 pairs, and only {} of 1000 were added; the population is exhausted: all {all} pairs",
        all - 110
    );
    assert!(fewer.contains(&expected), "{fewer}");
    let none = longer("5");
    assert!(none.contains(&format!("s had {all} pairs, and none was added; the population is exhausted")), "{none}");
}

#[test]
fn a_table_that_is_named_comes_with_the_comparison_that_is_asked_for() {
    let study = study();
    labelled(&study, "s", &["--configuration", ALL, "--size", "40"]);
    let evaluate = |more: &[&str]| study.dejaview(["evaluate", "--truth", "labels"].iter().chain(more));
    let both = evaluate(&["--table", "quality", "--compare", "simhash-2,simhash-3+5", "--rail", "simhash-2"]);
    for words in ["Quality against labels", "simhash-2 and simhash-3+5 on the labels", "with a cut-off on jaccard"] {
        assert!(both.ok().contains(words), "{words}: {}", both.text());
    }
    assert!(!both.text().contains("Strata of sample"), "{}", both.text());
    let one = evaluate(&["--table", "compared", "--compare", "simhash-2,simhash-3+5"]);
    assert!(!one.ok().contains("Quality") && one.text().contains("only the first right"), "{}", one.text());
    let unknown = evaluate(&["--table", "nosuch"]);
    assert!(unknown.failed().contains("choose one of quality, unions, dice, estimates, strata"), "{}", unknown.stderr);
    let three = evaluate(&["--compare", "simhash-2"]);
    assert!(three.failed().contains("such as --compare "), "{}", three.stderr);
}

#[test]
fn a_plan_honours_the_design_that_is_asked_for_and_refuses_what_it_cannot() {
    let study = study();
    let plan = |more: &[&str]| study.dejaview(["sample", "--plan"].iter().chain(more));
    let designs = |answer: &Answer| -> BTreeMap<String, usize> {
        let mut designs = BTreeMap::new();
        for row in answer.json()["rows"].as_array().unwrap() {
            *designs.entry(row["design"].as_str().unwrap().to_owned()).or_default() += 1;
        }
        designs
    };
    let one = designs(&plan(&["--configuration", "simhash-2", "--by", "segment", "--json"]));
    assert_eq!(one.keys().collect::<Vec<_>>(), ["by segment"]);
    let equal = ["--configuration", ALL, "--by", "jaccard", "--bounds", "0.5,0.9", "--allocation", "equal", "--json"];
    assert_eq!(designs(&plan(&equal)), BTreeMap::from([("by jaccard, equal".to_owned(), 6)]));
    let documents = designs(&plan(&["--configuration", "simhash-2", "--documents", "--json"]));
    assert_eq!(documents.keys().collect::<Vec<_>>(), ["documents"]);
    let all = designs(&plan(&["--configuration", "all", "--json"]));
    let known = study.dejaview(["evaluate", "--json"]).json()["names"].as_array().unwrap().len();
    assert!(all.values().all(|rows| *rows == 2 * known) && all.len() == 4, "{all:?}");
    for (more, why) in [
        (
            &["--configuration", "simhash-2", "--audit", "5"][..],
            "--plan does not go with --audit: a plan is for precision",
        ),
        (&["--configuration", "simhash-2", "--importance"], "--plan does not go with --importance"),
        (&["--configuration", "simhash-2", "--assign", "ann,bob"], "--plan does not go with --assign"),
        (&["--configuration", "simhash-2", "--precision", "5"], "0.05 asks for an interval of ±5 points"),
        (&[], "name them with --configuration, or say --configuration all"),
    ] {
        let refused = plan(more);
        assert!(refused.misused().contains(why), "{why}: {}", refused.stderr);
    }
}

/// Nobody is asked for more labels than a configuration has pairs, and the command that is proposed draws as many.
#[test]
fn a_configuration_with_few_pairs_is_given_a_sample_of_its_own() {
    let study = study();
    labelled(&study, "s", &["--configuration", "all", "--size", "80"]);
    let result = study.dejaview(["evaluate", "--truth", "labels", "--json"]).json();
    let mut alone = Vec::new();
    for estimate in result["estimates"][0]["configurations"].as_array().unwrap() {
        let plan = &estimate["plan"];
        if plan.is_null() || plan["now"].as_f64() <= plan["wanted"].as_f64() {
            continue;
        }
        let pairs = estimate["precision"]["population"].as_u64().unwrap();
        let more = plan["more"].as_array().unwrap().iter().map(|stratum| stratum[1].as_u64().unwrap()).sum::<u64>();
        let of_sample = plan["left"].as_u64().unwrap() + more;
        let fewest = plan["alone"]["labels"].as_u64().map_or(of_sample, |labels| labels.min(of_sample));
        assert!(fewest <= pairs, "{}: {plan}", estimate["name"]);
        if let Some(command) = plan["alone"]["command"].as_str() {
            alone.push((command.to_owned(), plan["alone"]["labels"].as_u64().unwrap()));
        }
    }
    let text = study.dejaview(["evaluate", "--truth", "labels"]);
    assert!(text.ok().contains(&format!("`{}` draws them", alone[0].0)), "{}", text.text());
    assert!(!text.text().contains("as far as it goes") && !text.text().contains("doubtful ones count"));
    let (command, size) = alone.iter().min_by_key(|(_, size)| *size).expect("some have few pairs").clone();
    let drawn = Answer::of(program().args(command.split(' ').skip(1)).arg("--json")).json();
    assert_eq!(drawn["pairs"].as_array().unwrap().len() as u64, size, "{command}");
}

#[test]
fn errors_say_what_to_do() {
    let study = study();
    let draw = |more: &[&str]| study.dejaview(["sample", "--name", "s"].iter().chain(more));
    draw(&["--configuration", "simhash-2", "--size", "10"]).ok();
    let other = draw(&["--configuration", "simhash-3+5", "--size", "10"]);
    for words in ["is another sample (10 pairs of simhash-2, simple random, seed 1)", "--name", "--extend"] {
        assert!(other.failed().contains(words), "{words}: {}", other.stderr);
    }
    let sample = study.dejaview(["sample", "--name", "s", "--extend", "0", "--json"]).json();
    let (source, target) = ids(&sample)[0].clone();
    fs::write(study.path("bad.tsv"), format!("source\ttarget\tlabel\n{source}\t{target}\tnaer\n")).unwrap();
    let file = study.path("bad.tsv");
    let bad = labels(&study, &["import", file.to_str().unwrap(), "--annotator", "ann", "--sample", "s"]);
    for words in ["line 2: “naer” is no label", "near-duplicate, not and unsure are known", "--positive naer"] {
        assert!(bad.failed().contains(words), "{words}: {}", bad.stderr);
    }
}

/// Qrels often judge documents that the crawl at hand does not have.
#[test]
fn judged_documents_that_the_source_lacks() {
    let page = |id: &str| format!("{}\n", json!({ "id": id, "text": format!("some words of the page {id}") }));
    let study = Study::new()
        .file("old.jsonl", page("a") + &page("b") + &page("other"))
        .file("new.jsonl", page("a"))
        .file("t.qrels", "1 0 gone 1\n1 0 a 1\n1 0 b 0\n1 0 lost 2\n")
        .judgments("t.qrels")
        .source("old.jsonl")
        .target("00", "new.jsonl")
        .configuration("md5", "name = \"jaccard\"");
    let run = study.dejaview(["run"]);
    let folder = study.folder().display().to_string();
    let said = format!(
        "judged  4 documents, 2 of which the source lacks; each is listed by `dejaview judgments {folder} --missing`"
    );
    assert!(run.ok().contains(&said), "{}", run.text());
    assert!(run.stderr.contains("`by:jaccard` means the configuration of this name"), "{}", run.stderr);
    let pairs =
        |filter: &str| study.dejaview(["screen", "--size", "140x30", "--keys", &format!("3 & \"{filter}\" enter")]);
    assert!(pairs("by:jaccard").ok().contains("& by:jaccard") && pairs("by:jaccard").text().contains("1/1"));
    assert!(pairs("jaccard>2").ok().contains("& jaccard>2") && !pairs("jaccard>2").text().contains("1/1"));
    assert_eq!(study.run()["judged"], json!({ "documents": 4, "in_source": 2 }));
    assert_eq!(study.dejaview(["judgments", "--missing"]).ok(), "document\ngone\nlost\n");
    let home = study.dejaview(["screen", "--size", "100x30"]);
    assert!(home.ok().contains("source 2 documents; 2 of 4 judged"), "{}", home.text());
}

#[test]
fn a_screen_has_the_labels_of_whom_it_is_asked_for_and_writes_nothing() {
    let study = study();
    labelled(&study, "few", &["--configuration", "exact-jaccard", "--size", "12", "--seed", "7"]);
    let shown = |more: &[&str]| {
        let screen = ["screen", "--keys", "3 & \"label\" enter", "--size", "120x30"];
        study.dejaview(screen.iter().chain(more)).ok().to_owned()
    };
    let (bob, nobody) = (shown(&["--annotator", "bob"]), shown(&[]));
    assert!(bob.contains("any 12") && nobody.contains("any 0"), "{bob}\n{nobody}");
    let before = fs::read(study.path("labels/bob.jsonl")).unwrap();
    study.dejaview(["screen", "--annotator", "bob", "--keys", "5 n n u"]).ok();
    assert!(fs::read(study.path("labels/bob.jsonl")).unwrap() == before);
    assert!(study.dejaview(["screen", "--annotator", " "]).failed().contains("needs a name"));
}

/// A study of imported pairs, two of which ada labelled *not*.
fn imported() -> Study {
    let study = Study::new()
        .file("judged.qrels", "1 0 a 2\n1 0 b 0\n1 0 c 1\nno line of qrels\n")
        .judgments("judged.qrels")
        .file("pairs.tsv", "a\tx\t0.9\nb\ty\t0.8\nc\tz\t0.7\n")
        .file("labels.tsv", "source\ttarget\tlabel\nb\ty\tnot\nc\tz\tnot\n")
        .configuration("import", "pairs = \"pairs.tsv\"");
    study.dejaview(["run"]).ok();
    let file = study.path("labels.tsv");
    labels(&study, &["import", file.to_str().unwrap(), "--annotator", "ada"]).ok();
    study
}

#[test]
fn groups_and_thin_say_alike_which_pairs_they_leave_out() {
    let study = imported();
    let said = "2 pairs labelled not a near-duplicate left out";
    assert!(study.dejaview(["groups"]).ok().contains(said));
    let folder = study.path("thin");
    let thin = |more: &[&str]| study.dejaview(["thin", "-o", folder.to_str().unwrap(), "--force"].iter().chain(more));
    assert!(thin(&[]).ok().contains(said), "{}", thin(&[]).text());
    assert_eq!(thin(&["--json"]).json()["refused"], 2);
}

#[test]
fn names_that_look_like_those_of_adjudications_are_refused() {
    let study = imported();
    let file = study.path("labels.tsv").display().to_string();
    for (name, why) in [
        ("Adjudication", "differs in case alone from names by which disagreements are settled"),
        ("ADJUDICATION.x", "differs in case alone from names by which disagreements are settled"),
        ("adjudication.", "does not say who settles disagreements"),
    ] {
        let import = labels(&study, &["import", &file, "--annotator", name]);
        assert!(import.failed().contains(why), "{name}: {}", import.stderr);
        let label = study.dejaview(["label", "--annotator", name]);
        assert!(label.failed().contains(why), "{name}: {}", label.stderr);
        assert!(!study.path(&format!("labels/{name}.jsonl")).exists());
    }
    labels(&study, &["import", &file, "--annotator", "adjudication.x"]).ok();
}

#[test]
fn numbers_that_no_similarity_has_are_refused() {
    let study = imported();
    let qrels = study.path("new.qrels").display().to_string();
    for number in ["nan", "2", "-1", "inf", "x"] {
        let why = format!("“{number}” is not a number from 0 to 1");
        for command in [&["pairs", "--min-jaccard"][..], &["figures", "--alike"], &["size", "--alike"]] {
            let answer = study.dejaview(command.iter().chain(&[number]));
            assert!(answer.misused().contains(&why), "{command:?} {number}: {}", answer.stderr);
        }
        let answer = study.dejaview(["judgments", "--groups", "--least", number]);
        assert!(answer.misused().contains(&why), "{number}: {}", answer.stderr);
        for measure in ["jaccard", "s3", "edit"] {
            let accept = format!("{measure}:{number}");
            let answer = study.dejaview(["transfer", "-o", &qrels, "--accept", &accept]);
            assert!(answer.misused().contains(&why), "{accept}: {}", answer.stderr);
        }
    }
    for accept in ["score:nan", "score:inf"] {
        let answer = study.dejaview(["transfer", "-o", &qrels, "--accept", accept]);
        assert!(answer.misused().contains("is not a number"), "{accept}: {}", answer.stderr);
    }
    study.dejaview(["transfer", "-o", &qrels, "--accept", "score:-7"]).ok();
    study.dejaview(["pairs", "--min-jaccard", "1"]).ok();
}

/// Whoever makes a sample longer that another process makes longer at the same time is told so.
#[test]
fn extensions_at_the_same_time_are_all_written_or_refused() {
    let study = study();
    let pairs = || study.dejaview(["sample", "--list", "--json"]).json()[0]["pairs"].as_u64().unwrap();
    for draw in [&["--configuration", "simhash-2"][..], &["--from", "transfer", "--accept", "all"]] {
        let _ = fs::remove_dir_all(study.path("samples"));
        study.dejaview(["sample", "--size", "20", "--name", "s"].iter().chain(draw)).ok();
        let extend = || {
            let mut command = program();
            command.arg("sample").arg(study.folder()).args(["--name", "s", "--extend", "5"]);
            command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap()
        };
        let started: Vec<_> = (0..6).map(|_| extend()).collect();
        let ended: Vec<_> = started.into_iter().map(|process| process.wait_with_output().unwrap()).collect();
        let (done, refused): (Vec<_>, Vec<_>) = ended.iter().partition(|output| output.status.success());
        assert_eq!(pairs(), 20 + 5 * done.len() as u64, "{ended:?}");
        for output in refused {
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(
                said.contains("was changed by another process meanwhile, so nothing was written; try again"),
                "{said}"
            );
        }
    }
}

#[test]
fn the_list_of_samples_counts_labels_beyond_an_assignment() {
    let study = study();
    let asked =
        ["sample", "--configuration", "simhash-2", "--size", "12", "--name", "s", "--assign", "ann,eve", "--json"];
    let sample = study.dejaview(asked).json();
    let file = write_labels(&study, &ids(&sample), 1000);
    for annotator in ["ann", "eve"] {
        labels(&study, &["import", &file, "--annotator", annotator, "--sample", "s"]).ok();
    }
    let list = study.dejaview(["sample", "--list"]);
    assert!(list.ok().contains("ann 12, eve 12"), "{}", list.text());
    assert_eq!(study.dejaview(["sample", "--list", "--json"]).json()[0]["labels"], json!({ "ann": 12, "eve": 12 }));
}

#[test]
fn lines_of_judgments_that_are_not_read_are_said_where_numbers_rest_on_them() {
    let study = imported();
    let [qrels, thin, page] = ["new.qrels", "thin", "page.html"].map(|name| study.path(name).display().to_string());
    for command in [
        &["transfer", "-o", &qrels, "--accept", "all"][..],
        &["transfer", "-o", &qrels, "--accept", "all", "--force", "--json"],
        &["sample", "--from", "transfer", "--accept", "all", "--size", "1"],
        &["thin", "-o", &thin],
        &["report", "-o", &page],
        &["judgments"],
        &["judgments", "--list"],
        &["judgments", "--inconsistent"],
        &["judgments", "--groups"],
    ] {
        let answer = study.dejaview(command);
        answer.ok();
        assert_eq!(
            answer.stderr.matches("judged.qrels, line 4: not read: ").count(),
            1,
            "{command:?}: {}",
            answer.stderr
        );
    }
}

#[test]
fn a_screen_is_a_json_document_where_that_is_asked_for() {
    let study = imported();
    let text = study.dejaview(["screen", "--keys", "2", "--size", "90x24"]);
    let json = study.dejaview(["screen", "--keys", "2", "--size", "90x24", "--json"]).json();
    assert_eq!(json["size"], json!({ "columns": 90, "lines": 24 }));
    let lines: Vec<&str> = json["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert_eq!(lines, text.ok().lines().collect::<Vec<_>>());
    let both = study.dejaview(["screen", "--json", "--svg"]);
    assert!(both.misused().contains("leave one of them out"), "{}", both.stderr);
}

/// A table with tabs has no quotes of its own; what `labels export` wrote comes back as it was.
#[test]
fn notes_between_quotes_in_a_table_with_tabs_are_named() {
    let study = imported();
    let rows = "source\ttarget\tlabel\tnote\na\tx\tnot\t\"he said \"\"no\"\"\"\nb\ty\tnot\tsaid \"no\"\nc\tz\tnot\t\"a\" and \"b\"\n";
    let file = study.path("eve.tsv");
    fs::write(&file, rows).unwrap();
    let import = labels(&study, &["import", file.to_str().unwrap(), "--annotator", "eve"]);
    import.ok();
    assert!(
        import.stderr.contains("eve.tsv: 1 note stands between quotes, as spreadsheets write them"),
        "{}",
        import.stderr
    );
    let exported = labels(&study, &["export", "--format", "tsv"]);
    assert!(exported.ok().contains("\t\"he said \"\"no\"\"\""), "{}", exported.text());
    fs::write(&file, exported.ok()).unwrap();
    let again = labels(&study, &["import", file.to_str().unwrap(), "--json"]).json();
    assert_eq!(
        (&again["added"], &again["changed"], &again["quoted_notes"]),
        (&json!(0), &json!(0), &json!(1)),
        "{again}"
    );
    assert_eq!(labels(&study, &["export", "--format", "tsv"]).ok(), exported.ok());
}
