//! The plan of a sample: how many labels it takes for an interval of a wanted width.

use crate::numbers::count;
use crate::result::Report;
use crate::table::Table;
use dejaview_study::SamplePlan;

impl Report for SamplePlan {
    fn tables(&self) -> Vec<Table> {
        let plan = self;
        let points = |x: f64| format!("±{:.1}", 100.0 * x);
        let labels = |n: &Option<u64>| n.map_or("–".to_owned(), count);
        let mut head = vec![
            "design".to_owned(),
            "configuration".to_owned(),
            "pairs".to_owned(),
            "share of true ones".to_owned(),
            format!("{} labels give", count(plan.size)),
        ];
        head.extend(plan.wanted.iter().map(|wanted| format!("for {}", points(*wanted))));
        let names: Vec<&str> = head.iter().map(String::as_str).collect();
        let mut table = Table::new("plan", "Labels for an interval of precision, before any is given", &names)
            .right(2..names.len());
        for row in &plan.rows {
            let cells = [row.design.clone(), row.configuration.clone(), count(row.pairs), format!("{:.2}", row.share)];
            table.row(cells.into_iter().chain([points(row.half_width)]).chain(row.needed.iter().map(labels)));
        }
        table.note("points of a 95 % interval that nine samples in ten do not exceed; nothing was drawn");
        if plan.rows.iter().any(|row| row.design == "documents") {
            table.note("design documents: the numbers are of source documents, and one pair of each is labelled");
        }
        if plan.rows.iter().any(|row| row.needed.contains(&None)) {
            table.note(
                "–: labels for all these documents would not be enough, since one drawn pair of a document stands for all of its pairs",
            );
        }
        table.note("the same share is taken for granted in all strata: where strata differ, fewer labels do");
        let mut tables = vec![table];
        tables.extend(plan.difference.as_ref().map(|difference| {
            let [a, b] = &difference.configurations;
            let title = format!("Labels to tell the precision of {a} and {b} apart");
            let head = ["difference", "power", "found by both", "first alone", "second alone", "labels"];
            let mut table = Table::new("power", title, &head).right(0..head.len());
            let pairs = difference.pairs;
            table.row([
                points(difference.difference),
                format!("{:.2}", difference.power),
                count(pairs.both),
                count(pairs.first),
                count(pairs.second),
                labels(&difference.needed),
            ]);
            table.note("of a simple random sample of all pairs drawn from, at 95 %; –: the two cannot differ so much");
            table
        }));
        tables
    }
}
