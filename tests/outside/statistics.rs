//! Intervals, tests and coefficients of agreement beside those of scipy, statsmodels and krippendorff.
//!
//! `statistics.py` writes `tables.jsonl` into the folder named by `DEJAVIEW_STATISTICS`; this side computes ours and
//! writes the largest difference of each into `differences.txt`.

use crate::skipping::skipped;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use dejaview::evaluation::agreement::{Row, cohen, fleiss, krippendorff};
use dejaview::evaluation::estimates::{hypergeometric, mcnemar};
use dejaview::evaluation::intervals::Procedure;
use serde_json::Value;

/// The largest difference of each, and how many tables there were.
#[derive(Default)]
struct Differences {
    of: BTreeMap<&'static str, (f64, usize)>,
}

impl Differences {
    fn add(&mut self, name: &'static str, ours: f64, theirs: f64) {
        let (most, count) = self.of.entry(name).or_default();
        *most = most.max((ours - theirs).abs());
        *count += 1;
    }
}

#[test]
fn statistics_agree_with_other_packages() {
    let Some(folder) = std::env::var_os("DEJAVIEW_STATISTICS") else {
        return skipped("DEJAVIEW_STATISTICS is not set");
    };
    let folder = Path::new(&folder);
    let mut differences = Differences::default();
    for line in fs::read_to_string(folder.join("tables.jsonl")).expect("as statistics.py writes it").lines() {
        let case: Value = serde_json::from_str(line).expect("as statistics.py writes it");
        match case["kind"].as_str().expect("as statistics.py writes it") {
            "interval" => intervals(&case, &mut differences),
            "tails" => tails(&case, &mut differences),
            _ => ratings(&case, &mut differences),
        }
    }
    let line = |(name, (most, count)): (&&str, &(f64, usize))| format!("{name}: {most:.1e} over {count} values\n");
    let text: String = differences.of.iter().map(line).collect();
    fs::write(folder.join("differences.txt"), &text).expect("as statistics.py writes it");
    assert!(differences.of.values().all(|(most, count)| *most < 1e-9 && *count > 500), "{text}");
}

fn whole(case: &Value, key: &str) -> u64 {
    case[key].as_u64().expect("as statistics.py writes it")
}

fn intervals(case: &Value, differences: &mut Differences) {
    let (x, n) = (whole(case, "x"), whole(case, "n"));
    for &procedure in Procedure::ALL {
        let name = procedure.name();
        let ours = procedure
            .interval(x, n, case["confidence"].as_f64().expect("as statistics.py writes it"))
            .expect("as statistics.py writes it");
        let theirs = &case[name.replace('-', "_")];
        // Beside 0 and n, Jeffreys's ends are put to 0 and 1, as Brown, Cai and DasGupta do; statsmodels leaves them.
        if name == "jeffreys" && (x == 0 || x == n) {
            continue;
        }
        differences.add(name, ours.low, theirs[0].as_f64().expect("as statistics.py writes it"));
        differences.add(name, ours.high, theirs[1].as_f64().expect("as statistics.py writes it"));
    }
}

fn tails(case: &Value, differences: &mut Differences) {
    let [x, n, truths, population] = ["x", "n", "truths", "population"].map(|key| whole(case, key));
    let theirs = case["hypergeometric"].as_f64().expect("as statistics.py writes it");
    differences.add("hypergeometric", hypergeometric(x, n, truths, population), theirs);
    differences.add(
        "mcnemar",
        mcnemar(whole(case, "one"), whole(case, "other")),
        case["mcnemar"].as_f64().expect("as statistics.py writes it"),
    );
}

fn ratings(case: &Value, differences: &mut Differences) {
    let row = |row: &Value| {
        row.as_array()
            .expect("as statistics.py writes it")
            .iter()
            .map(|r| r.as_u64().map(|r| r as usize))
            .collect::<Vec<_>>()
    };
    let rows: Vec<Row> =
        case["rows"].as_array().expect("as statistics.py writes it").iter().map(row).map(Row::plain).collect();
    let ours = [
        ("cohen", cohen(&rows, 0, 1).and_then(|(.., kappa)| kappa)),
        ("fleiss", fleiss(&rows)),
        ("alpha", krippendorff(&rows)),
    ];
    for (name, ours) in ours {
        // Where chance explains everything there is no coefficient; packages then say 1, NaN, or nothing.
        if let (Some(ours), Some(theirs)) = (ours, case[name].as_f64()) {
            differences.add(name, ours, theirs);
        }
    }
}
