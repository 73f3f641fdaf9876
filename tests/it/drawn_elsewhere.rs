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
        "Sample published: 838 pairs of copycat, drawn elsewhere from 4,829,235 pairs in 10 strata",
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
        (rows[0].replace("\t1\t0.0", "\t9\t0.0"), "line 2: “9” is not among the values named"),
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

/// Tables that are broken in every way that a person or a program can break one: each is refused with its line and what to
/// do, and nothing is written.
#[test]
fn hostile_tables_are_refused_with_their_line_and_what_to_do() {
    let study = study();
    let head = "source\ttarget\tlabel\tstratum\tpopulation\n";
    let row = "a\tx\t1\th\t10\n";
    let utf16 = |big: bool| -> Vec<u8> {
        let units = format!("\u{feff}{head}{row}");
        units.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    };
    let text = |rows: &str| format!("{head}{rows}").into_bytes();
    let (long, longer) = ("9".repeat(1_000_000), "9".repeat(10_000_000));
    let cases: [(Vec<u8>, &str); 18] = [
        (utf16(false), "line 1: the file is in UTF-16; save it as UTF-8"),
        (utf16(true), "line 1: the file is in UTF-16; save it as UTF-8"),
        (text("a\0\tx\t1\th\t10\n"), "line 2: there is a NUL byte"),
        (
            [text(row), b"b\ty\t1\th\xe9\t10\n".to_vec()].concat(),
            "line 3: there are bytes that are not UTF-8; save it as UTF-8",
        ),
        (text(row).into_iter().map(|b| if b == b'\n' { b'\r' } else { b }).collect(), "line 1: lines end in CR alone"),
        (text(&format!("a\tx\t1\th\t{long}\n")), "line 2: the population “9999"),
        (text(&format!("a\tx\t{long}\th\t10\n")), "line 2: “9999"),
        (text(&format!("a\tx\t{longer}\th\t10\n")), "line 2: it is longer than 1 MiB, the most that a line may be"),
        (long.clone().into_bytes(), "line 1: expected a header with source, target and label"),
        (
            b"left\tright\tn\na\tx\t3\n".to_vec(),
            "line 1: expected a header with source, target and label (and for a sample",
        ),
        (b"source\ttarget\tlabel\na\tx\t1\n".to_vec(), "line 2: there is no population; expected a header with"),
        (text("a\tx\t1\th\t-5\n"), "line 2: the population “-5” is not a number of pairs; write how many"),
        (text("a\tx\t1\th\t1,000\n"), "line 2: the population “1,000” is not a number of pairs; write how many"),
        (
            text("a\tx\t1\th\t9007199254740992\nb\ty\t1\tl\t9007199254740992\n"),
            "line 3: the strata up to here have more than",
        ),
        (text("a\tx\t1\th\t18446744073709551615\nb\ty\t1\tl\t18446744073709551615\n"), "line 2: the population"),
        (
            text("a\tx\t1\th\t1\nb\ty\t1\th\t1\n"),
            "line 3: this is pair 2 of stratum “h”, which has 1 by its population; correct",
        ),
        (
            text("a\tx\t1\th\t10\na\tx\t0\th\t10\n"),
            "near-duplicate in line 2, not in line 3; keep one label of each pair",
        ),
        (Vec::new(), "line 1: there is no pair; expected a header with"),
    ];
    for (bytes, why) in cases {
        fs::write(study.path("hostile.tsv"), bytes).unwrap();
        let answer = import(&study, "hostile.tsv", &["--name", "hostile"]);
        assert!(answer.failed().contains(why) && answer.stderr.len() < 1_000, "{why}: {:.2000}", answer.stderr);
        assert!(!study.path("samples/hostile.jsonl").exists() && !study.path("labels/daniel.jsonl").exists(), "{why}");
    }
    // What is only unusual is read: CRLF, a BOM, capitals in the header, a pair that stands twice, ids that nobody knows.
    let usual = "\u{feff}Source\tTarget\tLabel\tStratum\tPopulation\r\na\tx\t1\th\t10\r\na\tx\t1\th\t10\r\n";
    fs::write(study.path("usual.tsv"), usual).unwrap();
    let read = import(&study, "usual.tsv", &["--name", "usual"]);
    assert!(read.ok().contains("1 label of daniel added, 1 duplicate; 2 rows read"), "{}", read.text());
    assert!(
        read.stderr.contains("of the 1 pair of the sample, 1 is not among those that copycat found"),
        "{}",
        read.stderr
    );
}

/// Pairs of a sample that nobody has labelled yet are no mistake, and a population smaller than what was found is remarked on.
#[test]
fn pairs_without_a_label_are_counted_and_small_populations_remarked_on() {
    let study = study();
    let rows: Vec<String> = rows().into_iter().take(84).collect();
    let emptied = |row: &String| row.replace("\t0.5\t0.0-0.1", "\t\t0.0-0.1").replace("1204118", "100");
    fs::write(study.path("some.tsv"), HEAD.to_owned() + &rows.iter().map(emptied).collect::<String>()).unwrap();
    let empty = rows.iter().map(emptied).filter(|row| row.contains("\t\t")).count();
    let answer = import(&study, "some.tsv", &["--name", "some"]);
    assert!(empty > 20 && answer.ok().contains(&format!("{empty} without a label; 84 rows read")), "{}", answer.text());
    assert!(
        !answer.stderr.contains("there is no label") && !answer.text().contains("not understood"),
        "{}",
        answer.stderr
    );
    let words = "add up to 100 pairs, and copycat found 838 in this study";
    assert!(answer.stderr.contains(words), "{}", answer.stderr);
    let json = import(&study, "some.tsv", &["--name", "some", "--json"]).json();
    assert_eq!((&json["found"], &json["labels"]["without_label"]), (&json!(838), &json!(empty)));
}
