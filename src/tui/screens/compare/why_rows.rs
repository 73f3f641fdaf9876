//! The rows of the Why pane, made from what is known.

use super::scores::jaccard;
use super::why::{SHORT, Why};
use super::why_row::{Part, RowId, Tone, WhyRow};
use crate::explainer::{Breakdown, Question};
use dejaview_methods::explanation::{Explanation, Side};
use dejaview_methods::why::{Run, Waterfall};
use dejaview_methods::wording::count;
use dejaview_study::QuickVerdict;

/// Columns of the names of configurations.
const NAMES: usize = 16;
/// Columns of the signs of a verdict that changes: “✓ → ✗”.
const CHANGED: usize = 5;

impl Why {
    /// All rows that are not folded away.
    pub(super) fn visible_rows(&self) -> Vec<WhyRow> {
        let breakdown = match &self.breakdown {
            None => return vec![WhyRow::new(RowId::Note(0), 0, "Explaining the pair…", Tone::Muted)],
            Some(Err(error)) => return vec![WhyRow::new(RowId::Note(0), 0, format!("✗ {error}"), Tone::Error)],
            Some(Ok(breakdown)) => breakdown,
        };
        let mut rows = self.waterfall_rows(breakdown);
        rows.extend(self.configuration_rows(breakdown));
        rows.push(self.edit_ratios_row());
        rows.extend(self.problem.as_ref().map(|text| WhyRow::new(RowId::Note(1), 0, text.as_str(), Tone::Error)));
        rows
    }

    /// What the Jaccard is made of: bars of which each starts where the previous one ended.
    fn waterfall_rows(&self, breakdown: &Breakdown) -> Vec<WhyRow> {
        let fall = &breakdown.waterfall;
        let now = match self.verdicts() {
            _ if self.computing() => " → …".to_owned(),
            Some((now, _)) if self.without.is_some() => format!(" → {:.3}", jaccard(&now.scores, fall.n)),
            _ => String::new(),
        };
        let off = match self.off.len() {
            0 => String::new(),
            many => format!(" without {}", count(many, "run")),
        };
        let head = format!("Jaccard {:.3}{now}{off} (n = {})", fall.jaccard(), fall.n);
        let mut rows = vec![WhyRow::new(RowId::Jaccard, 0, head, Tone::Strong).folding(&self.unfolded)];
        if !self.unfolded.contains(&RowId::Jaccard) {
            return rows;
        }
        let mut start = 0.0;
        for framed in [false, true] {
            start += self.add_shared_runs(fall, framed, start, &mut rows);
        }
        let rest = [
            (RowId::Scattered, fall.scattered, Part::Scattered, "shared outside runs"),
            (RowId::Only(0), fall.only_source, Part::Only(0), "only in A"),
            (RowId::Only(1), fall.only_target, Part::Only(1), "only in B"),
        ];
        for (id, mass, part, name) in rest.into_iter().filter(|(_, mass, ..)| *mass > 0) {
            let share = fall.share(mass);
            let grams = count(mass, if fall.n == 1 { "word" } else { "n-gram" });
            rows.push(WhyRow::new(id, 1, format!("{name}: {grams}"), Tone::Text).with_bar(start, share, part));
            start += share;
        }
        let text = match fall.without_frame {
            Some(jaccard) => {
                format!("of the content alone the Jaccard is {jaccard:.3}; {}", breakdown.boilerplate_rule)
            }
            None => breakdown.boilerplate_rule.clone(),
        };
        rows.push(WhyRow::new(RowId::MainContent, 1, text, Tone::Muted));
        rows
    }

    /// Adds the rows of the runs of content or of boilerplate; returns their share.
    fn add_shared_runs(&self, fall: &Waterfall, framed: bool, start: f64, rows: &mut Vec<WhyRow>) -> f64 {
        let all: Vec<usize> = (0..fall.runs.len()).filter(|&i| fall.runs[i].framed == framed).collect();
        if all.is_empty() {
            return 0.0;
        }
        let (part, name) = if framed { (Part::Boilerplate, "boilerplate") } else { (Part::Content, "content") };
        let sum = |runs: &[usize]| fall.share(runs.iter().map(|&i| fall.runs[i].mass).sum());
        let share = sum(&all);
        let words: usize = all.iter().map(|&i| fall.runs[i].words).sum();
        let runs = count(all.len(), "shared run");
        let text = format!("{}{name}: {runs}, {}", self.off_mark(&all), count(words, "word"));
        let mut head = WhyRow::new(RowId::Shared(framed), 1, text, Tone::Text).with_bar(start, share, part);
        head.runs.clone_from(&all);
        rows.push(head.folding(&self.unfolded));
        if !self.unfolded.contains(&RowId::Shared(framed)) {
            return share;
        }
        let (long, short): (Vec<usize>, Vec<usize>) = all.into_iter().partition(|&i| fall.runs[i].words >= SHORT);
        let mut at = start;
        let add_runs = |runs: &[usize], depth: usize, at: &mut f64, rows: &mut Vec<WhyRow>| {
            for &i in runs {
                let share = fall.share(fall.runs[i].mass);
                rows.push(self.run_row(&fall.runs[i], i, depth).with_bar(*at, share, part));
                *at += share;
            }
        };
        add_runs(&long, 2, &mut at, rows);
        if short.is_empty() {
            return share;
        }
        let text = format!("{}{} of 1 to {} words", self.off_mark(&short), count(short.len(), "run"), SHORT - 1);
        let mut group = WhyRow::new(RowId::Short(framed), 2, text, Tone::Text).with_bar(at, sum(&short), part);
        group.runs.clone_from(&short);
        rows.push(group.folding(&self.unfolded));
        if self.unfolded.contains(&RowId::Short(framed)) {
            add_runs(&short, 3, &mut at, rows);
        }
        share
    }

    fn run_row(&self, run: &Run, i: usize, depth: usize) -> WhyRow {
        let Run { words, source, target, quote, .. } = run;
        let off = self.off_mark(&[i]);
        let tone = if off.is_empty() { Tone::Text } else { Tone::Muted };
        let mut row = WhyRow::new(RowId::Run(i), depth, format!("{off}{quote} {}", count(*words, "word")), tone);
        row.spans = [vec![source.clone()], vec![target.clone()]];
        row.runs = vec![i];
        row
    }

    fn off_mark(&self, runs: &[usize]) -> String {
        match runs.iter().filter(|run| self.off.contains(run)).count() {
            0 => String::new(),
            all if all == runs.len() => "OFF ".to_owned(),
            some => format!("{some} OFF "),
        }
    }

    /// The configurations: those that match, then the others, the nearest first.
    fn configuration_rows(&self, breakdown: &Breakdown) -> Vec<WhyRow> {
        let answers = &breakdown.verdicts.verdicts;
        let now = match self.verdicts() {
            _ if self.computing() => " → …".to_owned(),
            Some((now, _)) if self.without.is_some() => format!(" → {}", now.matching()),
            _ => String::new(),
        };
        let head = format!("{}{now} of {} match", breakdown.verdicts.matching(), count(answers.len(), "configuration"));
        let mut rows = vec![WhyRow::new(RowId::Configurations, 0, head, Tone::Strong).folding(&self.unfolded)];
        if !self.unfolded.contains(&RowId::Configurations) {
            return rows;
        }
        let mut order: Vec<usize> = (0..answers.len()).collect();
        order.sort_by_key(|&i| match answers[i].matches {
            true => (0, 0),
            false => (1, answers[i].distance.unwrap_or(u32::MAX)),
        });
        let changed = |i: &usize| self.answer(*i).is_some_and(|(now, original)| now.matches != original.matches);
        let signs = if order.iter().any(changed) { CHANGED } else { 1 };
        for i in order {
            self.add_configuration(i, signs, &mut rows);
        }
        rows
    }

    /// Adds a configuration with its reason; `signs` are the columns before its name.
    fn add_configuration(&self, i: usize, signs: usize, rows: &mut Vec<WhyRow>) {
        let Some((now, original)) = self.answer(i) else { return };
        let name = &original.name;
        let verdict = |answer: &QuickVerdict| if answer.matches { "✓" } else { "✗" };
        let sign = match now.matches == original.matches {
            true => verdict(now).to_owned(),
            false => format!("{} → {}", verdict(original), verdict(now)),
        };
        let tone = match (now.matches == original.matches, now.matches) {
            (false, _) => Tone::Warning,
            (true, true) => Tone::Text,
            (true, false) => Tone::Muted,
        };
        let explained = self.reasons().iter().find(|verdict| verdict.name == *name);
        let reason = match explained {
            // The sign before the name says whether it matches.
            Some(verdict) => verdict.tree.claim.trim_start_matches("no match: ").trim_start_matches("match: "),
            None if self.awaits(&Question::Reasons) => "…",
            None => "",
        };
        let text = format!("{sign:signs$} {name:NAMES$} {reason}");
        let id = RowId::Configuration(name.clone());
        let mut row = WhyRow::new(id.clone(), 1, text.trim_end(), tone);
        let parts = explained.map(|verdict| &verdict.tree).filter(|tree| !tree.parts.is_empty());
        if parts.is_some() {
            row = row.folding(&self.unfolded);
        }
        rows.push(row);
        if let Some(tree) = parts.filter(|_| self.unfolded.contains(&id)) {
            self.add_claims(name, tree, &mut Vec::new(), rows);
        }
    }

    /// Adds the parts of a claim, and theirs where they are unfolded.
    fn add_claims(&self, name: &str, claim: &Explanation, path: &mut Vec<usize>, rows: &mut Vec<WhyRow>) {
        for (i, part) in claim.parts.iter().enumerate() {
            path.push(i);
            let id = RowId::Claim(name.to_owned(), path.clone());
            let mut row = WhyRow::new(id, 1 + path.len(), part.claim.as_str(), Tone::Text);
            // The texts on the screen are the whole ones.
            if self.without.is_none() {
                let spans = |side: Side| part.spans_in(side).filter(|span| !span.is_empty()).collect();
                row.spans = [spans(Side::Source), spans(Side::Target)];
            }
            if !part.parts.is_empty() {
                row = row.folding(&self.unfolded);
            }
            let open = row.open == Some(true);
            rows.push(row);
            if open {
                self.add_claims(name, part, path, rows);
            }
            path.pop();
        }
    }

    fn edit_ratios_row(&self) -> WhyRow {
        let text = match self.edit_ratios {
            Some((words, characters)) => {
                let characters = characters.map_or("too long to compute".to_owned(), |ratio| format!("{ratio:.3}"));
                let text = format!("edit ratio: words {words:.3}, characters {characters}");
                return WhyRow::new(RowId::EditRatios, 0, text, Tone::Strong);
            }
            None if self.awaits(&Question::EditRatios) => "edit ratio: computing…",
            None => "edit ratio: press Enter to compute (slow for long texts)",
        };
        let mut row = WhyRow::new(RowId::EditRatios, 0, text, Tone::Strong);
        row.open = Some(false);
        row
    }
}
