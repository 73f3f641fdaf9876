//! The section of some pairs with the differences of their texts; only where the page may contain texts.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::parts::{Block, Material, Section};
use crate::charts::svg::escape;
use crate::numbers::percent;
use dejaview_base::hash;
use dejaview_evaluation::figures::{TENTHS, bin};
use dejaview_index::KeptSide;
use dejaview_matching::pairs::Pair;
use dejaview_study::{PairTable, StudyError};
use dejaview_text::diff::{Diff, Line, RowKind, Shown, diff, folded};

/// Pairs that are shown of each tenth of Jaccard.
const PAIRS_PER_TENTH: usize = 2;

/// Most rows of one diff.
const MOST_ROWS: usize = 60;

/// Equal lines that are shown around a change.
const CONTEXT: usize = 2;

/// Time after which a diff no longer compares words, so that a hostile text cannot stop the report.
const DIFF_TIME: Duration = Duration::from_secs(60);

pub fn section(material: &Material<'_>) -> Result<Option<Section>, StudyError> {
    if !material.options.with_text {
        return Ok(None);
    }
    let mut blocks = vec![Block::Text(
        "Two pairs of each tenth of Jaccard, as far as there are, drawn by a hash of their ids. These are texts of the corpora: mind their licence \
         before you pass this page on."
            .to_owned(),
    )];
    for row in choose_pairs(material.table).into_iter().rev() {
        blocks.push(Block::Markup(pair_markup(material, row)?));
    }
    Ok(Some(Section { id: "pairs", title: "Some pairs", blocks }))
}

/// The pairs with the lowest hashes in each tenth, by Jaccard ascending: a fixed choice that favours no configuration.
fn choose_pairs(table: &PairTable) -> Vec<usize> {
    let mut tenths: Vec<Vec<(u128, &str, &str)>> = vec![Vec::new(); TENTHS.len()];
    let mut ids = String::new();
    for kind in table.kinds() {
        for bundle in &kind.bundles {
            let Some(jaccard) = bundle.jaccard(table.n()) else { continue };
            let tenth = &mut tenths[bin(&TENTHS, jaccard)];
            for Pair { source, target, .. } in table.pairs_of(&kind, bundle) {
                ids.clear();
                [source, "\t", target].iter().for_each(|part| ids.push_str(part));
                let order = hash::digest_bits(ids.as_bytes());
                if tenth.len() < PAIRS_PER_TENTH || tenth.last().is_some_and(|last| order < last.0) {
                    tenth.push((order, source, target));
                    tenth.sort_unstable();
                    tenth.truncate(PAIRS_PER_TENTH);
                }
            }
        }
    }
    tenths.into_iter().flatten().filter_map(|(_, source, target)| table.find(source, target)).collect()
}

fn pair_markup(material: &Material<'_>, row: usize) -> Result<String, StudyError> {
    let table = material.table;
    let pair = table.pair(row);
    let text =
        |side, id| Ok::<_, StudyError>(dejaview_study::find_document(material.study, id, Some(side))?.document.text);
    let (source, target) = (text(KeptSide::Source, pair.source)?, text(KeptSide::Target, pair.target)?);
    let found: Vec<&str> = table.distances(row).into_iter().map(|(name, _)| name).collect();
    let compared = diff(&source, &target, Instant::now() + DIFF_TIME);
    let mut out = format!(
        "<figure><figcaption>{} and {}</figcaption>\n<p class=\"note\">Jaccard (n = {}) {:.3}; found by {}; {} of the \
         source's words and {} of the target's are shown as equal</p>\n<table class=\"diff\"><tbody>\n",
        escape(pair.source),
        escape(pair.target),
        table.n(),
        table.jaccard(row),
        escape(&found.join(", ")),
        percent(compared.equal_source, 1),
        percent(compared.equal_target, 1)
    );
    write_rows(&compared, [&source, &target], &mut out);
    out.push_str("</tbody></table></figure>\n");
    Ok(out)
}

fn write_rows(compared: &Diff, texts: [&str; 2], out: &mut String) {
    let shown = folded(compared, CONTEXT, &HashSet::new());
    for line in shown.iter().take(MOST_ROWS) {
        match line {
            Shown::Fold { rows, .. } => {
                let _ = writeln!(out, "<tr class=\"fold\"><td colspan=\"2\">{rows} equal lines</td></tr>");
            }
            Shown::Row(row) => {
                let row = &compared.rows[*row];
                let left = cell(row.source.as_ref(), texts[0], "gone", row.kind);
                let right = cell(row.target.as_ref(), texts[1], "came", row.kind);
                let _ = writeln!(out, "<tr>{left}{right}</tr>");
            }
        }
    }
    if shown.len() > MOST_ROWS {
        let rest = shown.len() - MOST_ROWS;
        let _ = writeln!(out, "<tr class=\"fold\"><td colspan=\"2\">and {rest} further lines</td></tr>");
    }
}

fn cell(line: Option<&Line>, text: &str, class: &str, kind: RowKind) -> String {
    let Some(line) = line else { return "<td></td>".to_owned() };
    if kind == RowKind::Equal {
        return format!("<td>{}</td>", escape(&text[line.span.clone()]));
    }
    if kind != RowKind::Changed {
        return format!("<td class=\"{class} whole\">{}</td>", escape(&text[line.span.clone()]));
    }
    let mut out = format!("<td class=\"{class}\">");
    let mut at = line.span.start;
    for range in &line.changed {
        let _ = write!(out, "{}<mark>{}</mark>", escape(&text[at..range.start]), escape(&text[range.clone()]));
        at = range.end;
    }
    out.push_str(&escape(&text[at..line.span.end]));
    out.push_str("</td>");
    out
}
