//! What the study is, and what has been found so far.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::label::Label;
use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::contract::{Here, Job, PairsOf, Request, Screen, Screens, Show, Stop, View};
use crate::data::StudyData;
use crate::jobs::Backend;
use crate::key::Key::Char;
use crate::logbook::LogLine;
use crate::shared::Shared;
use crate::study_run;
use crate::widgets::cursor::Cursor;
use crate::widgets::glyphs::draw_text;
use crate::widgets::paragraph::{hanging, wrapped};
use crate::widgets::table::{self, Column};
use dejaview_evaluation::estimates::Unsure;
use dejaview_report::numbers::{count, percent, plural};
use dejaview_study::{RunState, SampleProgress, Snapshot, Summary};

/// Columns before a fact.
const NAME: u16 = 14;
/// Columns before the further lines of a fact.
const INDENT: usize = 4;
/// Of so many lines of the screen one is for a sample.
const SAMPLES: usize = 4;

/// The cursor goes over the configurations.
#[derive(Debug, Default)]
pub struct Home {
    /// On a configuration.
    pub cursor: Cursor,
    /// Samples, each with its precision so far in words.
    pub so_far: Vec<(String, String)>,
}

/// How far a sample is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SampleLine {
    pub name: String,
    /// Its pairs.
    pub size: usize,
    /// Who has decided how many of them.
    pub decided: Vec<(String, usize)>,
    /// How many each annotator is asked about; empty when everyone is asked about all.
    pub parts: Vec<(String, usize)>,
    /// Its precision so far.
    pub so_far: Option<String>,
    /// What is different, where it is no longer of the pairs there are: then there is no number.
    pub changed: Option<String>,
    /// Whether Label opens it.
    pub opens: bool,
}

impl SampleLine {
    /// How many pairs somebody is asked about.
    fn part(&self, annotator: &str) -> usize {
        let part = self.parts.iter().find(|(who, _)| who == annotator).map(|(_, count)| *count);
        part.unwrap_or(if self.parts.is_empty() { self.size } else { 0 })
    }

    /// How many pairs somebody has left.
    pub fn left(&self, annotator: &str) -> usize {
        let decided = self.decided.iter().find(|(who, _)| who == annotator).map_or(0, |(_, count)| *count);
        self.part(annotator).saturating_sub(decided)
    }

    /// In one line; `several`: the one that Label opens has a mark.
    fn words(&self, several: bool) -> String {
        let one = |(who, n): &(String, usize)| match *n >= self.part(who) {
            true => format!("{who} finished"),
            false => format!("{who} {}/{}", count(*n as u64), count(self.part(who) as u64)),
        };
        let decided: Vec<String> = self.decided.iter().map(one).collect();
        let decided = if decided.is_empty() { "nobody yet".to_owned() } else { decided.join(", ") };
        let mark = match (several, self.opens) {
            (false, _) => "sample ",
            (true, true) => "▸ ",
            (true, false) => "  ",
        };
        let more = match (&self.changed, &self.so_far) {
            (Some(changed), _) => format!(" · of other pairs ({changed}): `dejaview sample` with --redraw or --keep"),
            (None, Some(words)) => format!(" · {words}"),
            (None, None) => String::new(),
        };
        format!("{mark}{}: {decided}{more}", self.name)
    }
}

const KEYS: Table = &[
    shown(&[Char('s')], Action::NextSample, "sample (that Label opens)"),
    bind(&[Char('R')], Action::Run, "run the study"),
    shown(&[Char('d')], Action::NewSample, "draw a sample"),
];

impl Home {
    /// The name of the screen.
    pub const ID: ScreenId = ScreenId::new("home");

    /// The line of a sample, as it was when the study was read.
    fn sample_line(&self, of: &SampleProgress) -> SampleLine {
        let so_far = self.so_far.iter().find(|(name, _)| *name == of.name).map(|(_, words)| words.clone());
        let (name, decided, parts) = (of.name.clone(), of.decided.clone(), of.parts.clone());
        let changed = of.changed.as_ref().map(|changed| changed.what());
        SampleLine { name, size: of.size, decided, parts, so_far, changed, opens: false }
    }

    /// How far each sample is; the open one as it is now.
    fn sample_lines(&self, data: &StudyData, label: &Label, shared: &Shared) -> Vec<SampleLine> {
        let annotator = &shared.book.annotator;
        let mut lines: Vec<SampleLine> = data.samples.iter().map(|of| self.sample_line(of)).collect();
        if let Some(open) = label.sample() {
            let count = label.decided(&shared.book.decisions);
            let mine = (count > 0).then(|| (annotator.clone(), count));
            match lines.iter_mut().find(|line| line.name == open.name) {
                Some(line) => {
                    line.decided.retain(|(who, _)| who != annotator);
                    line.decided.extend(mine);
                }
                None => lines.push(SampleLine {
                    name: open.name.clone(),
                    size: open.pairs.len(),
                    decided: mine.into_iter().collect(),
                    parts: open.annotators().into_iter().map(|who| (who.to_owned(), open.part(who).len())).collect(),
                    ..SampleLine::default()
                }),
            }
        }
        for line in &mut lines {
            line.opens = Some(&line.name) == shared.sample.as_ref();
            // What others found so far must not guide those who have still to decide.
            if data.recipe.labels.blind && line.left(annotator) > 0 {
                line.so_far = None;
            }
        }
        lines
    }

    /// What Label will do, for the status.
    fn label_status(samples: &[SampleLine], annotator: &str) -> String {
        match samples.iter().find(|line| line.opens) {
            None => String::new(),
            Some(line) if line.part(annotator) == 0 && line.size > 0 => {
                let others = line.parts.iter().map(|(who, _)| who.as_str()).collect::<Vec<_>>().join(", ");
                format!(" · {} was shared out among {others}; you are {annotator}", line.name)
            }
            Some(line) => match line.left(annotator) {
                0 => format!(" · 5: you have finished {}", line.name),
                left => format!(" · 5 goes on with {}, {} left", line.name, plural(left as u64, "pair")),
            },
        }
    }
}

impl Screen for Home {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        &[binding::LISTS, KEYS, binding::EVERYWHERE, binding::ESCAPE]
    }

    /// Asks for the precision that the labels give so far.
    fn entered(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.sound() else { return Vec::new() };
        let begun = data.samples.iter().filter(|progress| !progress.decided.is_empty());
        let mut samples: Vec<String> = begun.map(|progress| progress.name.clone()).collect();
        let label = here.others.get::<Label>();
        if let Some(open) = label.sample().filter(|_| label.decided(&here.shared.book.decisions) > 0)
            && !samples.contains(&open.name)
        {
            samples.push(open.name.clone());
        }
        if samples.is_empty() { Vec::new() } else { vec![Request::job(EstimateSoFar { samples })] }
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.as_ref() else { return Vec::new() };
        if action == Action::Open {
            return vec![Request::Show(Show::Pairs(PairsOf::Configuration(self.cursor.at)))];
        }
        let (area, samples) = (here.area(), self.sample_lines(data, here.others.get(), here.shared));
        let page = table::page(list(area, facts(data, &samples, &here.shared.run, area).len()));
        self.cursor.go(action, data.recipe.configurations.len(), page);
        Vec::new()
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (data, theme) = (view.data, &view.shared.theme);
        let samples = self.sample_lines(data, view.screens.get(), view.shared);
        let facts = facts(data, &samples, &view.shared.run, area);
        for (y, (name, value)) in (area.y + 1..area.y + area.height).zip(&facts) {
            draw_text(buffer, (area.x + 1, y), NAME - 2, name, theme.dim);
            draw_text(buffer, (area.x + NAME, y), area.width.saturating_sub(NAME + 1), value, theme.text);
        }
        let mut columns =
            vec![Column::left(" configuration", 26), Column::right("pairs", 12), Column::right("sources found", 14)];
        let judged = data.judged_documents();
        let all = judged.map_or(0, |judged| judged.documents);
        // Where the source lacks some, the share is of all that are judged.
        let basis = match judged {
            Some(judged) if judged.missing() > 0 && data.trouble.is_none() => format!("of {} judged", count(all)),
            _ => "of judged".to_owned(),
        };
        if all > 0 {
            columns.push(Column::right(&basis, basis.len().max(8) as u16 + 1));
        }
        columns.push(Column::left("", 0));
        let cells = |row: usize| {
            let found = data.counts.get(row).filter(|_| data.trouble.is_none());
            let number = |n: Option<u64>| n.map_or("–".to_owned(), count);
            let share = found.map(|(_, sources)| percent(*sources as f64 / all.max(1) as f64, 1));
            let name = format!(" {}", data.recipe.configurations[row].name);
            let mut cells = vec![name, number(found.map(|(pairs, _)| *pairs)), number(found.map(|(_, all)| *all))];
            cells.push(share.unwrap_or_else(|| "–".to_owned()));
            cells.into_iter().take(columns.len() - 1).map(|cell| (cell, theme.text)).collect()
        };
        let len = data.recipe.configurations.len();
        table::draw(buffer, list(area, facts.len()), &columns, (self.cursor, len), theme, cells);
    }

    fn status(&self, view: &View<'_>) -> String {
        if view.data.trouble.is_some() {
            return String::new();
        }
        let samples = self.sample_lines(view.data, view.screens.get(), view.shared);
        let label = Self::label_status(&samples, &view.shared.book.annotator);
        format!("Enter: pairs of a configuration{label}")
    }
}

/// Estimates from the labels of these samples.
#[derive(Debug)]
pub struct EstimateSoFar {
    /// Their names.
    pub samples: Vec<String>,
}

impl Job for EstimateSoFar {
    /// Samples, each with its precision so far in words; those without one are left out.
    type Output = Vec<(String, String)>;
    const NAME: &'static str = "estimate from labels";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let words = |name: String| precision_so_far(&backend.study(), &name).map(|words| (name, words));
        Some(self.samples.into_iter().filter_map(words).collect())
    }

    fn line(_: &Self::Output) -> Option<LogLine> {
        None
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Home>().so_far = output;
        Vec::new()
    }
}

/// The precision of a sample so far, of the first configuration that it serves.
fn precision_so_far(study: &Snapshot, sample: &str) -> Option<String> {
    if dejaview_study::drawn_sample(study, sample).ok()?.of_old_pairs() {
        return Some("kept: stands for old pairs alone".to_owned());
    }
    let estimates = dejaview_study::estimates(study, sample, Unsure::Out).ok()?;
    let first = estimates.configurations.first()?;
    let interval = first.precision.as_ref()?.headline?;
    let value = percent(interval.value, 1);
    let [low, high] = [interval.low, interval.high].map(|share| 100.0 * share);
    let out = match estimates.disputed {
        0 => String::new(),
        disputed => format!(", {} left out", plural(disputed, "disputed pair")),
    };
    Some(format!("precision so far {value} ({low:.1}–{high:.1}) of {}{out}", first.name))
}

fn list(area: Rect, facts: usize) -> Rect {
    let head = (facts as u16 + 2).min(area.height);
    Rect { y: area.y + head, height: area.height - head, ..area }
}

/// What there is to know, one line each.
fn facts(data: &StudyData, samples: &[SampleLine], run: &RunState, area: Rect) -> Vec<(&'static str, String)> {
    let mut facts = vec![("study", data.recipe.name.clone())];
    match (&data.summary, &data.trouble) {
        (_, Some(trouble)) => {
            let lines = wrapped(trouble, usize::from(area.width.saturating_sub(NAME + 1)));
            facts.extend(["pairs"].into_iter().chain(std::iter::repeat("")).zip(lines));
        }
        (Some(summary), None) => facts.extend(read(data, summary)),
        (None, None) => {}
    }
    facts.extend(study_run::words(run).map(|words| ("run", words)));
    facts.extend(["labels"].into_iter().chain(std::iter::repeat("")).zip(labels(data, samples, area)));
    facts
}

/// What the last run read and found.
fn read(data: &StudyData, summary: &Summary) -> Vec<(&'static str, String)> {
    let not_read = summary.not_read();
    let judged = match data.judged_documents() {
        None => String::new(),
        Some(judged) if judged.documents == 0 => String::new(),
        Some(judged) if judged.missing() == 0 => format!(", {} of them judged", count(judged.documents)),
        Some(judged) => {
            let of = plural(judged.documents, "judged document");
            format!("; {} of {of} are in it", count(judged.in_source))
        }
    };
    let configurations = plural(data.counts.len() as u64, "configuration");
    let mut facts = vec![
        ("source", format!("{}{judged}", plural(summary.documents.source, "document"))),
        (
            "target",
            format!(
                "{} in {}",
                plural(summary.documents.target, "document"),
                plural(summary.segments as u64, "segment")
            ),
        ),
        ("pairs", format!("{} different ones, by {configurations}", count(data.table.len() as u64))),
    ];
    if !not_read.is_empty() {
        let kinds: Vec<String> =
            not_read.iter().map(|kind| format!("{} {}", count(kind.records), kind.reason)).collect();
        let records = not_read.iter().map(|kind| kind.records).sum();
        facts.push(("not read", format!("{}: {}", plural(records, "record"), kinds.join(", "))));
    }
    facts
}

/// How far the samples are, as many as there is room for; the one that Label opens is always among them.
fn labels(data: &StudyData, samples: &[SampleLine], area: Rect) -> Vec<String> {
    if data.trouble.is_some() {
        return vec!["none yet: there are no pairs before the run".to_owned()];
    }
    if samples.is_empty() {
        return vec!["none yet: 5 draws 100 pairs to decide".to_owned()];
    }
    let room = (usize::from(area.height) / SAMPLES).max(1);
    let several = samples.len() > 1;
    let opens = samples.iter().position(|line| line.opens).unwrap_or_default();
    let first = opens.saturating_sub(room - 1);
    let columns = usize::from(area.width.saturating_sub(NAME + 1));
    let shown: Vec<&SampleLine> = samples.iter().skip(first).take(room).collect();
    let mut lines: Vec<String> = shown.iter().flat_map(|line| hanging(&line.words(several), columns, INDENT)).collect();
    if samples.len() > shown.len() {
        lines.push(format!("  … {} more; s or :sample NAME chooses", samples.len() - shown.len()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_in_words() {
        let decided = vec![("ada".to_owned(), 43), ("ben".to_owned(), 100)];
        let mut line = SampleLine { name: "default".to_owned(), size: 100, decided, ..SampleLine::default() };
        assert_eq!(line.words(false), "sample default: ada 43/100, ben finished");
        line.opens = true;
        line.so_far = Some("precision so far 95.0 %".to_owned());
        assert_eq!(line.words(true), "▸ default: ada 43/100, ben finished · precision so far 95.0 %");
        assert_eq!((line.left("ada"), line.left("ben"), line.left("eve")), (57, 0, 100));
        line.parts = vec![("ada".to_owned(), 50), ("ben".to_owned(), 60)];
        assert_eq!((line.left("ada"), line.left("ben"), line.left("eve")), (7, 0, 0));
        assert!(line.words(true).starts_with("▸ default: ada 43/50, ben finished"), "{}", line.words(true));
        line.changed = Some("simhash-2: distance 3 -> 2".to_owned());
        let words = line.words(true);
        assert!(words.contains("of other pairs (simhash-2: distance 3 -> 2)") && !words.contains("95.0"), "{words}");
        assert_eq!(SampleLine { name: "b".to_owned(), ..SampleLine::default() }.words(true), "  b: nobody yet");
    }
}
