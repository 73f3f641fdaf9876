//! Sizes of corpora relative to each other, and pages drawn without a list of them.

use super::Table;
use super::numbers::{count, share};
use super::result::Report;
use dejaview_base::escaping::escape_id;
use dejaview_evaluation::sizes::{Overlap, SearchRatios};
use dejaview_study::{CorpusSize, DrawnPages, Sizes};

/// Sizes, and the overlaps they follow from.
impl Report for Sizes {
    fn tables(&self) -> Vec<Table> {
        match &self.searches {
            Some(ratios) => vec![relative_sizes(self), searches(ratios)],
            None => vec![relative_sizes(self), overlaps(self)],
        }
    }
}

/// DrawnPages that were drawn without a list of them: ids and weights.
impl Report for DrawnPages {
    fn text(&self, _columns: Option<usize>) -> Vec<String> {
        let rows = self.pages.iter().map(|page| format!("{}\t{:.6}", escape_id(&page.id), page.weight));
        std::iter::once("id\tweight".to_owned()).chain(rows).collect()
    }
}

fn relative_sizes(sizes: &Sizes) -> Table {
    let title = match sizes.searches {
        Some(_) => "Sizes of the corpora, estimated from the numbers of results of all queries together",
        None => "Sizes of the corpora, estimated from how much of each stands in the others",
    };
    let head = ["corpus", "times the first", "share of the joint coverage", "documents read"];
    let mut table = Table::new("sizes", title, &head).right(1..4);
    for CorpusSize { name, documents, size } in &sizes.corpora {
        table.row([
            name.clone(),
            share(size.map(|s| s.times_first)),
            share(size.and_then(|s| s.share)),
            count(*documents),
        ]);
    }
    for (name, read) in sizes.corpora.iter().filter_map(|corpus| size_outside_interval(&sizes.corpora, corpus)) {
        table.note(format!(
            "of {name} {read:.3} times as many documents were read as of the first, which lies outside the interval: the \
             pages asked are no random sample of what was read, or a detector misses more on one side"
        ));
    }
    if sizes.searches.is_some() {
        table.note("intervals: 95 %, as if the queries were a random sample of what might be asked; nothing corrects for what people ask");
        return table;
    }
    let sized = sizes.corpora.iter().filter_map(|corpus| corpus.size);
    if sized.clone().all(|size| size.share.is_some()) {
        table.note("share: of all pages that stand in some of the corpora; a page of several counts once there and in each of them, so shares add up to more than 1");
    } else if sized.count() > 0 {
        table.note("no shares: what several corpora cover together is known where every two of them are the two sides of a study");
    }
    table.note("intervals: 95 %, of shares drawn anew as if the pages asked were a random sample; what a detector misses on both sides cancels, what it misses on one side does not");
    table
}

/// The numbers of results of the queries of a log (Lawrence and Giles).
fn searches(ratios: &SearchRatios) -> Table {
    let title = "Results in the target for each result in the source, by the queries of a log";
    let mut table = Table::new("searches", title, &["of", "queries", "ratio"]).right(1..3);
    let rows = [
        ("mean of the ratios of single queries", ratios.by_both, ratios.mean),
        ("all results together", ratios.answered, ratios.together),
    ];
    for (what, queries, ratio) in rows {
        table.row([what.to_owned(), count(queries), share(ratio)]);
    }
    table.note(format!(
        "{} of {} queries have a result somewhere; a query that one side does not answer has no ratio",
        count(ratios.answered),
        count(ratios.queries)
    ));
    table.note("the mean favours queries with few results and is above the ratio of sizes where results vary (Lawrence and Giles 1998 average so)");
    table
}

/// The name of a corpus whose number of documents read, relative to the first corpus, is not in its interval, and this
/// number.
fn size_outside_interval<'a>(corpora: &[CorpusSize], corpus: &'a CorpusSize) -> Option<(&'a str, f64)> {
    let read = corpus.documents as f64 / corpora.first()?.documents.max(1) as f64;
    let known = corpus.size?.times_first.contains(read);
    (!known).then_some((corpus.name.as_str(), read))
}

fn overlaps(sizes: &Sizes) -> Table {
    let title =
        format!("Pages of one corpus that stand in another (by {}, Jaccard of {} or more)", sizes.by, sizes.alike);
    let mut table = Table::new("overlaps", title, &["of", "in", "asked", "found", "share"]).right(2..5);
    for overlap in &sizes.overlaps {
        let name = |i: usize| sizes.corpora[i].name.clone();
        let cells = [name(overlap.of), name(overlap.within), count(overlap.asked), count(overlap.found)];
        table.row(cells.into_iter().chain([format!("{:.3}", overlap.share)]));
    }
    let weighted =
        |overlap: &&Overlap| (overlap.share - overlap.found as f64 / overlap.asked.max(1) as f64).abs() > 5e-4;
    if sizes.overlaps.iter().any(|overlap| weighted(&overlap)) {
        table.note("shares are weighted: a page that is drawn more easily counts less");
    }
    table
}
