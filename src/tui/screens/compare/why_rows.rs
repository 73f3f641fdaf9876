//! The rows of the Why pane, made from what is known.

use super::why::{SHORT, Why};
use super::why_row::{RowId, Tone, WhyRow};
use crate::explainer::{Breakdown, Question};
use dejaview_methods::explanation::{Explanation, Side};
use dejaview_methods::why::{Run, Waterfall};
use dejaview_methods::wording::count;

/// Columns of a bar; all of it is the union of both texts' n-grams.
const BAR: usize = 20;

impl Why {
    /// All rows that are not folded away.
    pub(super) fn visible_rows(&self) -> Vec<WhyRow> {
        match &self.breakdown {
            None => vec![WhyRow::new(RowId::Note(0), 0, "taking the pair breakdown…", Tone::Dim)],
            Some(Err(error)) => vec![WhyRow::new(RowId::Note(0), 0, error.as_str(), Tone::Warning)],
            Some(Ok(breakdown)) => {
                let mut rows = waterfall(self, breakdown);
                rows.extend(configurations(self, breakdown));
                rows.extend(edit_ratios(self));
                rows.extend(
                    self.problem.as_ref().map(|text| WhyRow::new(RowId::Note(1), 0, text.as_str(), Tone::Warning)),
                );
                rows
            }
        }
    }
}

/// A share of the union as a bar that begins where the previous one ended.
fn bar(start: f64, share: f64, full: char) -> String {
    let cell = |place: f64| (place * BAR as f64).round() as usize;
    let (from, to) = (cell(start).min(BAR - 1), cell(start + share));
    let to = if share > 0.0 { to.max(from + 1) } else { from };
    (0..BAR).map(|i| if (from..to).contains(&i) { full } else { '·' }).collect()
}

fn waterfall(why: &Why, breakdown: &Breakdown) -> Vec<WhyRow> {
    let fall = &breakdown.waterfall;
    let now = with_what_if(why, fall.jaccard(), |scores| match fall.n {
        1 => scores.jaccard_1,
        2 => scores.jaccard_2,
        3 => scores.jaccard_3,
        5 => scores.jaccard_5,
        _ => scores.jaccard_8,
    });
    let off = match why.off.len() {
        0 => String::new(),
        many => format!(" without {}", count(many, "run")),
    };
    let head = format!("Jaccard {now}{off} (n = {}): what it is made of", fall.n);
    let mut rows = vec![WhyRow::new(RowId::Jaccard, 0, head, Tone::Title).folding(&why.unfolded)];
    if !why.unfolded.contains(&RowId::Jaccard) {
        return rows;
    }
    let mut start = 0.0;
    for framed in [false, true] {
        start += shared_runs(why, fall, framed, start, &mut rows);
    }
    let rest = [
        (RowId::Scattered, fall.scattered, '▒', "shared, but not as part of a run"),
        (RowId::Only(0), fall.only_source, '░', "only in A"),
        (RowId::Only(1), fall.only_target, '░', "only in B"),
    ];
    for (id, mass, full, name) in rest.into_iter().filter(|(_, mass, ..)| *mass > 0) {
        let share = fall.share(mass);
        let grams = count(mass, if fall.n == 1 { "word" } else { "n-gram" });
        rows.push(WhyRow::new(id, 1, format!("{share:.3} {} {name}: {grams}", bar(start, share, full)), Tone::Dim));
        start += share;
    }
    let main = fall.without_frame.map(|jaccard| format!("{jaccard:.3} without boilerplate; ")).unwrap_or_default();
    rows.push(WhyRow::new(RowId::MainContent, 1, format!("{main}{}", breakdown.boilerplate_rule), Tone::Text));
    rows
}

/// A score on the whole texts, and without the runs that are switched off.
fn with_what_if(why: &Why, original: f64, score: impl Fn(&dejaview_methods::measures::Scores) -> f64) -> String {
    match why.standing() {
        _ if why.computing() => format!("{original:.3} → …"),
        Some((now, _)) if why.without.is_some() => format!("{original:.3} → {:.3}", score(&now.scores)),
        _ => format!("{original:.3}"),
    }
}

/// Adds the rows of the runs of content or of boilerplate; returns their share.
fn shared_runs(why: &Why, fall: &Waterfall, framed: bool, start: f64, rows: &mut Vec<WhyRow>) -> f64 {
    let all: Vec<usize> = (0..fall.runs.len()).filter(|&i| fall.runs[i].framed == framed).collect();
    if all.is_empty() {
        return 0.0;
    }
    let (full, name) = if framed { ('▓', "boilerplate") } else { ('█', "content") };
    let sum = |runs: &[usize]| fall.share(runs.iter().map(|&i| fall.runs[i].mass).sum());
    let share = sum(&all);
    let words: usize = all.iter().map(|&i| fall.runs[i].words).sum();
    let text = format!(
        "{share:.3} {} {}{name}: {}, {}",
        bar(start, share, full),
        off_mark(why, &all),
        count(all.len(), "shared run"),
        count(words, "word")
    );
    let mut head = WhyRow::new(RowId::Shared(framed), 1, text, Tone::Text).folding(&why.unfolded);
    head.runs.clone_from(&all);
    let open = head.open == Some(true);
    rows.push(head);
    if !open {
        return share;
    }
    let (long, short): (Vec<usize>, Vec<usize>) = all.into_iter().partition(|&i| fall.runs[i].words >= SHORT);
    let mut at = start;
    for i in long {
        rows.push(run(why, fall, i, 2, (at, full)));
        at += fall.share(fall.runs[i].mass);
    }
    if short.is_empty() {
        return share;
    }
    let text = format!(
        "{:.3} {} {}{} of 1 to {} words",
        sum(&short),
        bar(at, sum(&short), full),
        off_mark(why, &short),
        count(short.len(), "run"),
        SHORT - 1
    );
    let mut group = WhyRow::new(RowId::Short(framed), 2, text, Tone::Text).folding(&why.unfolded);
    group.runs.clone_from(&short);
    let open = group.open == Some(true);
    rows.push(group);
    for i in short.into_iter().filter(|_| open) {
        rows.push(run(why, fall, i, 3, (at, full)));
        at += fall.share(fall.runs[i].mass);
    }
    share
}

fn off_mark(why: &Why, runs: &[usize]) -> String {
    match runs.iter().filter(|run| why.off.contains(run)).count() {
        0 => String::new(),
        all if all == runs.len() => "OFF ".to_owned(),
        some => format!("{some} OFF "),
    }
}

fn run(why: &Why, fall: &Waterfall, i: usize, depth: usize, (start, full): (f64, char)) -> WhyRow {
    let Run { words, mass, source, target, quote, .. } = &fall.runs[i];
    let share = fall.share(*mass);
    let off = off_mark(why, &[i]);
    let text = format!("{share:.3} {} {off}{quote} {}", bar(start, share, full), count(*words, "word"));
    let tone = if off.is_empty() { Tone::Text } else { Tone::Dim };
    let mut row = WhyRow::new(RowId::Run(i), depth, text, tone);
    row.spans = [vec![source.clone()], vec![target.clone()]];
    row.details = Some(format!("{quote} · {} · {share:.3} of the Jaccard", count(*words, "word")));
    row.runs = vec![i];
    row
}

/// The configurations, those in the minority first, since people come to see who disagrees.
fn configurations(why: &Why, breakdown: &Breakdown) -> Vec<WhyRow> {
    let answers = &breakdown.standing.verdicts;
    let matching = breakdown.standing.matching();
    let now = match why.standing() {
        _ if why.computing() => " → …".to_owned(),
        Some((now, _)) if why.without.is_some() => format!(" → {}", now.matching()),
        _ => String::new(),
    };
    let head = format!("{matching}{now} of {} match", count(answers.len(), "configuration"));
    let mut rows = vec![WhyRow::new(RowId::Configurations, 0, head, Tone::Title).folding(&why.unfolded)];
    if !why.unfolded.contains(&RowId::Configurations) {
        return rows;
    }
    let minority = 2 * matching < answers.len();
    let mut order: Vec<usize> = (0..answers.len()).collect();
    order.sort_by_key(|&i| answers[i].matches != minority);
    for i in order {
        configuration(why, i, &mut rows);
    }
    rows
}

fn configuration(why: &Why, i: usize, rows: &mut Vec<WhyRow>) {
    let Some((now, original)) = why.answer(i) else { return };
    let name = &original.name;
    let verdict = |answer: &dejaview_study::QuickVerdict| {
        let distance = answer.distance.map(|distance| format!(" {distance}")).unwrap_or_default();
        format!("{}{distance}", if answer.matches { '✓' } else { '✗' })
    };
    let change = if now == original { String::new() } else { format!(" → {}", verdict(now)) };
    let explained = why.verdicts.get(name);
    let claim = explained.map(|verdict| format!(": {}", verdict.tree.claim)).unwrap_or_default();
    let tone = match (now.matches == original.matches, now.matches) {
        (false, _) => Tone::Warning,
        (true, true) => Tone::Good,
        (true, false) => Tone::Dim,
    };
    let row = WhyRow::new(
        RowId::Configuration(name.clone()),
        1,
        format!("{}{change} {name}{claim}", verdict(original)),
        tone,
    );
    let row = row.folding(&why.unfolded);
    let open = row.open == Some(true);
    rows.push(row);
    if !open {
        return;
    }
    match explained {
        Some(verdict) => claims(why, name, &verdict.tree, &mut Vec::new(), rows),
        None => {
            let text = if why.awaits(&Question::Configuration(name.clone())) {
                "thinking…"
            } else {
                "not asked: ← and → ask again"
            };
            rows.push(WhyRow::new(RowId::Claim(name.clone(), vec![0]), 2, text, Tone::Dim));
        }
    }
}

/// The parts of a claim, and theirs where they are unfolded.
fn claims(why: &Why, name: &str, claim: &Explanation, path: &mut Vec<usize>, rows: &mut Vec<WhyRow>) {
    for (i, part) in claim.parts.iter().enumerate() {
        path.push(i);
        let id = RowId::Claim(name.to_owned(), path.clone());
        let mut row = WhyRow::new(id, 1 + path.len(), part.claim.as_str(), Tone::Text);
        let spans = |side: Side| part.spans_in(side).filter(|span| !span.is_empty()).collect();
        row.spans = [spans(Side::Source), spans(Side::Target)];
        if !part.parts.is_empty() {
            row = row.folding(&why.unfolded);
        }
        let open = row.open == Some(true);
        rows.push(row);
        if open {
            claims(why, name, part, path, rows);
        }
        path.pop();
    }
}

fn edit_ratios(why: &Why) -> Vec<WhyRow> {
    let text = match why.edit_ratios {
        Some((words, characters)) => {
            let characters = characters.map_or("too long to say".to_owned(), |ratio| format!("{ratio:.3}"));
            return vec![WhyRow::new(
                RowId::EditRatios,
                0,
                format!("edit ratio: words {words:.3}, characters {characters}"),
                Tone::Title,
            )];
        }
        None if why.awaits(&Question::EditRatios) => "edit ratio: computing…",
        None => "edit ratio: Enter computes it, which takes a while for long texts",
    };
    let mut row = WhyRow::new(RowId::EditRatios, 0, text, Tone::Title);
    row.open = Some(false);
    vec![row]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bars_follow_one_another() {
        assert_eq!(bar(0.0, 0.5, '█'), format!("{}{}", "█".repeat(10), "·".repeat(10)));
        assert_eq!(bar(0.5, 0.5, '░'), format!("{}{}", "·".repeat(10), "░".repeat(10)));
        assert_eq!(bar(0.2, 0.0, '█'), "·".repeat(20));
        assert_eq!(bar(1.0, 0.001, '█').chars().filter(|c| *c == '█').count(), 1, "the least is seen");
    }

    proptest! {
        #[test]
        fn a_bar_has_its_columns(start in 0.0f64..=1.0, share in 0.0f64..=1.0) {
            let text = bar(start, share.min(1.0 - start), '█');
            prop_assert_eq!(text.chars().count(), BAR);
        }
    }
}
