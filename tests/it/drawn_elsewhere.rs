use std::fs;

use serde_json::{Value, json};

use crate::support::{Answer, Study};

/// Bands of S3 as a published sample has them: name, pairs of the band, near-duplicates and others among its labels. In all 838
/// labels, about as many of each band, of bands that differ a thousandfold.
const BANDS: [(&str, u64, usize, usize); 10] = [
    ("0.0-0.1", 1_204_118, 1, 83),
    ("0.1-0.2", 240_771, 3, 81),
    ("0.2-0.3", 98_214, 5, 79),
    ("0.3-0.4", 61_530, 9, 75),
    ("0.4-0.5", 48_072, 14, 70),
    ("0.5-0.6", 40_655, 29, 55),
    ("0.6-0.7", 39_120, 41, 43),
    ("0.7-0.8", 44_009, 58, 25),
    ("0.8-0.9", 71_346, 66, 17),
    ("0.9-1.0", 2_981_400, 84, 0),
];

/// One row a label; grades as CopyCat has them.
fn rows() -> Vec<String> {
    let mut rows = Vec::new();
    for (h, (band, population, near, others)) in BANDS.iter().enumerate() {
        for i in 0..near + others {
            let grade = if i < *near { ["1", "2", "3"][i % 3] } else { ["0", "0.5"][i % 2] };
            let score = (h as f64 + 0.5) / 10.0;
            rows.push(format!("cw12-{h}-{i}a\tcw12-{h}-{i}b\t{score}\t{grade}\t{band}\t{population}\n"));
        }
    }
    rows
}

const HEAD: &str = "source\ttarget\ts3\tlabel\tstratum\tpopulation\n";

/// A study of nothing but the labelled pairs.
fn study() -> Study {
    let table = HEAD.to_owned() + &rows().concat();
    let study = Study::new().file("labelled.tsv", table);
    let study = study.configuration("import", "name = \"copycat\"\npairs = \"labelled.tsv\"");
    study.run();
    study
}

fn import(study: &Study, file: &str, more: &[&str]) -> Answer {
    let file = study.path(file);
    let args = ["sample", "--configuration", "copycat", "--import", file.to_str().unwrap()];
    let args = args.into_iter().chain(["--annotator", "daniel", "--positive", "1..3", "--negative", "0,0.5"]);
    study.dejaview(args.chain(more.iter().copied()))
}

#[test]
fn a_stratified_sample_of_others_gives_its_weighted_precision() {
    let study = study();
    assert_eq!(rows().len(), 838);
    let text = import(&study, "labelled.tsv", &["--name", "published"]);
    for words in [
        "sample published: 838 pairs of copycat, drawn elsewhere from 4829235 pairs in 10 strata",
        "838 labels of daniel added; 838 rows read",
        "near-duplicate: “1” (",
        "not: “0",
    ] {
        assert!(text.ok().contains(words), "{words}: {}", text.text());
    }
    let result = study.dejaview(["evaluate", "--truth", "labels", "--json"]).json();
    let precision = &result["configurations"][0]["precision"];
    let total: f64 = BANDS.iter().map(|band| band.1 as f64).sum();
    let weighted: f64 =
        BANDS.iter().map(|(_, n, near, others)| *n as f64 / total * *near as f64 / (near + others) as f64).sum();
    let plain = BANDS.iter().map(|band| band.2).sum::<usize>() as f64 / 838.0;
    let value = precision["value"].as_f64().unwrap();
    assert!((value - weighted).abs() < 1e-9 && (weighted - plain).abs() > 0.2, "{value} {weighted} {plain}");
    assert!(precision["low"].as_f64().unwrap() < weighted && weighted < precision["high"].as_f64().unwrap());
    let estimate = &result["estimates"][0];
    assert_eq!(
        (&estimate["labelled"], &estimate["configurations"][0]["precision"]["population"]),
        (&json!(838), &json!(total as u64))
    );
    assert_eq!(estimate["configurations"][0]["plan"], Value::Null, "no command here draws more of it");
    assert!(
        result["unknown"][0].as_str().unwrap().contains("sample published was drawn elsewhere"),
        "{}",
        result["unknown"]
    );
    // Doing it twice changes nothing.
    let again = import(&study, "labelled.tsv", &["--name", "published", "--json"]).json();
    assert_eq!((&again["labels"]["known"], &again["not_found"]), (&json!(838), &json!(0)));
    for args in [&["--extend", "10"][..], &["--redraw"], &["--keep"]] {
        let answer = study.dejaview(["sample", "--name", "published"].iter().chain(args));
        assert!(answer.failed().contains("was drawn elsewhere"), "{args:?}: {}", answer.stderr);
    }
    let mut command = crate::support::program();
    let answer = Answer::of(command.args(["labels", "paragraph"]).arg(study.folder()).args(["--sample", "published"]));
    assert!(answer.ok().contains("a random sample of 838 pairs was drawn elsewhere (ten strata)"), "{}", answer.text());
    let rail = study.dejaview(["evaluate", "--truth", "labels", "--rail", "copycat"]);
    assert!(rail.failed().contains("was drawn elsewhere"), "{}", rail.stderr);
}

#[test]
fn what_a_sample_does_not_say_is_refused_and_nothing_is_written() {
    let study = study();
    let rows = rows();
    let write = |text: String| fs::write(study.path("bad.tsv"), text).unwrap();
    for (text, why) in [
        (rows[0].replace("1204118", "x"), "line 2: the population “x”"),
        (rows[0].clone() + &rows[1].replace("1204118", "7"), "line 3: stratum “0.0-0.1” has 7 pairs here and 1204118"),
        (rows[0].replace("\t1\t0.0", "\t9\t0.0"), "line 2: “9” is no label"),
    ] {
        write(HEAD.to_owned() + &text);
        let answer = import(&study, "bad.tsv", &[]);
        assert!(answer.failed().contains(why), "{why}: {}", answer.stderr);
        assert!(!study.path("samples/copycat.jsonl").exists() && !study.path("labels/daniel.jsonl").exists());
    }
    // Without an annotator nobody knows whose labels they are.
    write(HEAD.to_owned() + &rows[0]);
    let file = study.path("bad.tsv");
    let args = ["sample", "--configuration", "copycat", "--import", file.to_str().unwrap()];
    assert!(study.dejaview(args).failed().contains("line 2 does not say whose label it is"));
    assert!(!study.path("samples/copycat.jsonl").exists(), "nor is there a sample without its labels");
    study.dejaview(args.into_iter().chain(["--size", "7"])).misused();
    study.dejaview(["sample", "--import", "x.tsv"]).misused();
    // A sample may come without labels.
    write(HEAD.to_owned() + &rows[0].replace("\t1\t0.0", "\t\t0.0"));
    assert!(study.dejaview(args).ok().contains("it has no labels yet"));
}

#[test]
fn strata_by_the_score_of_imported_pairs() {
    let study = study();
    let by = |bounds: &str| {
        let args =
            ["sample", "--configuration", "copycat", "--by", "score", "--bounds", bounds, "--allocation", "equal"];
        study.dejaview(args.into_iter().chain(["--size", "90", "--name", "bands", "--json"]))
    };
    let sample = by("0.4,0.9").json();
    let strata: Vec<(&str, u64, u64)> = sample["strata"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| (s["name"].as_str().unwrap(), s["population"].as_u64().unwrap(), s["drawn"].as_u64().unwrap()))
        .collect();
    let count = |from: usize, to: usize| BANDS[from..to].iter().map(|band| (band.2 + band.3) as u64).sum::<u64>();
    let expected = [
        ("score under 0.4", count(0, 4), 30),
        ("score 0.4-0.9", count(4, 9), 30),
        ("score 0.9 or more", count(9, 10), 30),
    ];
    assert_eq!(strata, expected);
    assert_eq!((&sample["bounds"], &sample["by"]), (&json!([0.4, 0.9]), &json!("score")));
    let longer = study.dejaview(["sample", "--name", "bands", "--extend", "30", "--json"]).json();
    assert_eq!((longer["pairs"].as_array().unwrap().len(), &longer["strata"][0]["drawn"]), (120, &json!(40)));
    assert!(by("0.9,0.4").failed().contains("greater than the one before"));
    let plain = ["sample", "--configuration", "copycat", "--by", "segment", "--bounds", "0.5", "--name", "other"];
    assert!(study.dejaview(plain).failed().contains("bounds divide a number"));
    // Jaccard has bounds of one's own too; pairs without texts are all at 0.
    let jaccard =
        ["sample", "--configuration", "copycat", "--by", "jaccard", "--bounds", "0.25", "--name", "j", "--json"];
    assert_eq!(study.dejaview(jaccard).json()["strata"][0]["name"], "jaccard 0-0.25");
}
