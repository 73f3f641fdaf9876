//! How Home is drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::layout::{Layout, Lines};
use super::next::{Step, steps};
use super::overview::{CarriedOver, SegmentSize};
use super::sample_row::SampleRow;
use super::state::{CONFIGURATIONS, NEXT, PANES, SAMPLES, State};
use crate::action::Action;
use crate::contract::Screens;
use crate::data::StudyData;
use crate::outside;
use crate::sample_status::{SampleStatus, left_words, statuses};
use crate::screens::label::Label;
use crate::shared::Shared;
use crate::study_run;
use crate::theme::Theme;
use crate::widgets::chart::stacked;
use crate::widgets::cursor::Cursor;
use crate::widgets::frame::{Frame, Scroll};
use crate::widgets::glyphs::{draw_text, width};
use crate::widgets::meter;
use crate::widgets::paragraph::wrapped;
use crate::widgets::pieces::{self, Piece};
use crate::widgets::size::{Size, split_lines};
use crate::widgets::table;
use dejaview_base::interval::Interval;
use dejaview_report::numbers::{bytes, count, plural};
use dejaview_report::runs::amount;
use dejaview_study::Pattern;

/// Columns of a segment's meter, at most.
const METER: u16 = 32;

/// Signs of the parts of the bar of judgments, in its order.
const PARTS: [&str; 4] = ["█", "▓", "▒", "░"];

/// Everything that Home shows, put together for one frame or one key.
pub(super) struct Dashboard<'a> {
    pub(super) state: &'a State,
    pub(super) data: &'a StudyData,
    pub(super) screens: &'a Screens,
    pub(super) theme: &'a Theme,
    pub(super) size: Size,
    keys: Vec<String>,
    pub(super) annotator: &'a str,
    /// The run that is at work, or that ended early, in words.
    run: Option<String>,
    /// Whether it is at work.
    running: bool,
    pub(super) samples: Vec<SampleStatus>,
    pub steps: Vec<Step>,
    /// Numbers of the configurations in the order shown.
    pub order: Vec<usize>,
}

impl<'a> Dashboard<'a> {
    pub fn new(state: &'a State, data: &'a StudyData, screens: &'a Screens, shared: &'a Shared) -> Self {
        let annotator = shared.book.annotator.as_str();
        let kept = state.overview.as_ref().map_or(&[][..], |overview| &overview.kept_samples);
        let samples = statuses(data, kept, screens.get::<Label>().open_sample_now(shared), shared);
        let steps = match data.trouble {
            Some(_) if shared.run.running().is_some() => Vec::new(),
            _ => steps(data, &samples, state.overview.as_ref(), annotator),
        };
        let order = state.order(data);
        let key = |step: &Step| {
            let action = if step.is_the_key() { step.action } else { Action::Open };
            shared.keymap.key_of(action, shared.screen).unwrap_or_default()
        };
        let keys = steps.iter().map(key).collect();
        let (theme, size) = (&shared.theme, shared.class());
        Self {
            state,
            data,
            screens,
            theme,
            size,
            keys,
            run: study_run::words(&shared.run),
            running: shared.run.running().is_some(),
            annotator,
            samples,
            steps,
            order,
        }
    }

    pub(super) fn sample_rows(&self) -> Vec<SampleRow> {
        self.samples.iter().flat_map(|status| SampleRow::of_sample(status, self.annotator)).collect()
    }

    /// The sample of a line of the samples.
    pub fn sample_of_row(&self, row: usize) -> Option<String> {
        let of_sample =
            |status: &SampleStatus| vec![status.name.clone(); SampleRow::of_sample(status, self.annotator).len()];
        self.samples.iter().flat_map(of_sample).nth(row)
    }

    /// Rows of each pane that has a cursor.
    pub fn rows(&self) -> [usize; PANES] {
        [self.steps.len(), self.sample_rows().len(), self.order.len()]
    }

    /// Rows that fit each of them.
    pub fn pages(&self, area: Rect) -> [usize; PANES] {
        let layout = self.layout(area);
        let inside = |pane: Rect| usize::from(Frame::inside(pane, self.size).height);
        [inside(layout.next), inside(layout.samples), inside(layout.table).saturating_sub(1)]
    }

    pub fn layout(&self, area: Rect) -> Layout {
        if self.state.focus.zoomed {
            let mut layout = Layout::default();
            match self.state.focus.at {
                NEXT => layout.next = area,
                SAMPLES => layout.samples = area,
                _ => layout.table = area,
            }
            return layout;
        }
        let lines = Lines {
            study: self.study_facts().len() as u16,
            segments: self.segments().len() as u16,
            samples: self.sample_rows().len() as u16,
            next: self.steps.len() as u16,
            carried: self.data.judgments.is_some(),
            agreement: self.agreement().is_some(),
            configurations: self.order.len() as u16,
        };
        Layout::new(area, self.size, lines)
    }

    pub fn draw(&self, buffer: &mut Buffer, area: Rect) {
        let layout = self.layout(area);
        self.draw_study(buffer, layout.study);
        self.draw_carried(buffer, layout.carried, layout.agreement.height == 0);
        self.draw_agreement(buffer, layout.agreement);
        self.draw_samples(buffer, layout.samples);
        self.draw_next(buffer, layout.next);
        match &self.data.trouble {
            Some(trouble) => self.draw_trouble(buffer, layout.table, trouble),
            None => self.draw_configurations(buffer, layout.table),
        }
        self.draw_detail(buffer, layout.detail);
    }

    /// Draws the frame of a card; none when it is not shown.
    pub(super) fn card(&self, buffer: &mut Buffer, area: Rect, frame: Frame) -> Option<Rect> {
        (area.height > 0).then(|| frame.draw(buffer, area, self.size, self.theme))
    }

    pub(super) fn draw_lines(&self, buffer: &mut Buffer, area: Rect, lines: &[Vec<Piece>]) {
        for (y, line) in (area.y..area.bottom()).zip(lines) {
            pieces::draw(buffer, (area.x + 1, y), area.width.saturating_sub(1), line);
        }
    }

    fn name(&self, text: &str) -> Piece {
        (format!("{text:<7}"), self.theme.muted)
    }

    /// A sentence whose numbers stand out.
    pub(super) fn sentence(&self, text: &str) -> Vec<Piece> {
        let word = |word: &str| {
            let number = word.starts_with(|c: char| c.is_ascii_digit());
            (word.to_owned(), if number { self.theme.strong } else { self.theme.text })
        };
        text.split_inclusive(' ').map(word).collect()
    }

    fn fact(&self, name: &str, text: &str) -> Vec<Piece> {
        let mut pieces = vec![self.name(name)];
        pieces.extend(self.sentence(text));
        pieces
    }

    /// What the corpora are and what the last run did.
    fn study_facts(&self) -> Vec<Vec<Piece>> {
        let Some(summary) = &self.data.summary else { return self.planned_facts() };
        let source = plural(summary.documents.source, "document");
        let judged = match self.data.judged_documents() {
            Some(judged) if judged.documents == 0 => String::new(),
            Some(judged) if judged.missing() > 0 => {
                let all = plural(judged.documents, "judged document");
                format!("; {} of {all} are in it", count(judged.in_source))
            }
            Some(judged) if judged.documents == summary.documents.source => ", all judged".to_owned(),
            Some(judged) => format!(", {} judged", count(judged.documents)),
            None => String::new(),
        };
        let target = format!("{} in {}", count(summary.documents.target), plural(summary.segments as u64, "segment"));
        let mut facts = vec![self.fact("source", &format!("{source}{judged}")), self.fact("target", &target)];
        if self.data.trouble.is_some() {
            return facts;
        }
        let not_read = summary.not_read();
        let skipped = match not_read.is_empty() {
            true => "nothing skipped".to_owned(),
            false => {
                let kinds: Vec<String> =
                    not_read.iter().map(|kind| format!("{} {}", count(kind.count()), kind.reason)).collect();
                format!("{} skipped: {}", amount(&not_read), kinds.join(", "))
            }
        };
        let stale = study_run::stale_chips(&self.data.stale);
        match &self.run {
            Some(words) => facts.push(self.fact("run", words)),
            None if !stale.is_empty() => {
                let words = stale.into_iter().next().unwrap_or_default();
                facts.push(vec![self.name("run"), (words, self.theme.warning)]);
            }
            None => {
                let mut run = vec![self.name("run"), ("✓ complete".to_owned(), self.theme.good)];
                run.extend(self.sentence(&format!(", {skipped}")));
                facts.push(run);
            }
        }
        let pairs = count(self.data.table.len() as u64);
        let found = format!("{pairs} by {}", plural(self.data.counts.len() as u64, "configuration"));
        facts.push(self.fact("pairs", &found));
        facts
    }

    /// What a study that has not been run will read. Of one that is still being opened nothing is known.
    fn planned_facts(&self) -> Vec<Vec<Piece>> {
        if self.data.trouble.is_none() {
            return Vec::new();
        }
        // Lists of URLs are named where a side has nothing else.
        let named = |documents: Vec<&Pattern>, urls: Vec<&Pattern>| match if documents.is_empty() {
            &urls[..]
        } else {
            &documents[..]
        } {
            [] => "no documents".to_owned(),
            [only] => only.glob.clone(),
            [first, more @ ..] => format!("{} and {} more", first.glob, more.len()),
        };
        let (source, targets) = (&self.data.recipe.source, &self.data.recipe.targets);
        let (documents, urls) =
            targets.iter().map(|target| (&target.documents, &target.urls)).unzip::<_, _, Vec<_>, Vec<_>>();
        let target = named(documents.into_iter().flatten().collect(), urls.into_iter().flatten().collect());
        let mut facts = vec![
            self.fact("source", &named(source.documents.iter().collect(), source.urls.iter().collect())),
            self.fact("target", &target),
            self.fact("run", self.run.as_deref().unwrap_or("not yet")),
        ];
        if let Some(judgments) = &self.data.judgments {
            let topics = plural(judgments.topics().len() as u64, "topic");
            facts.push(self.fact("judged", &format!("{} in {topics}", count(judgments.rows().len() as u64))));
        }
        facts
    }

    /// The segments that the run read.
    fn segments(&self) -> &[SegmentSize] {
        self.state.overview.as_ref().map_or(&[], |overview| &overview.segments)
    }

    /// A line for each segment: its documents, as a bar, too, and the size of its files.
    fn segment_lines(&self, columns: u16) -> Vec<Vec<Piece>> {
        let segments = self.segments();
        let names = segments.iter().map(|segment| width(&segment.name)).max().unwrap_or(0).min(20);
        let numbers = segments.iter().map(|segment| width(&count(segment.documents))).max().unwrap_or(0);
        let most = segments.iter().map(|segment| segment.documents).max().unwrap_or(0) as f64;
        let cells = columns.saturating_sub((names + numbers) as u16 + 8 + 14).min(METER);
        let line = |segment: &SegmentSize| {
            let meter = meter::meter(segment.documents as f64, most, cells);
            vec![
                ("segment ".to_owned(), self.theme.muted),
                (format!("{:<names$} ", segment.name), self.theme.text),
                (format!("{:>numbers$} ", count(segment.documents)), self.theme.strong),
                (format!("{meter:<wide$}", wide = usize::from(cells)), self.theme.heat(0.9)),
                (format!("  {}", bytes(segment.bytes)), self.theme.muted),
            ]
        };
        segments.iter().map(line).collect()
    }

    fn draw_study(&self, buffer: &mut Buffer, area: Rect) {
        let frame = Frame { qualifier: self.data.recipe.name.clone(), ..Frame::new("Study") };
        let Some(inside) = self.card(buffer, area, frame) else { return };
        let mut facts = self.study_facts();
        if !self.size.is_narrow() {
            if usize::from(inside.height) > facts.len() + self.segments().len() {
                facts.push(Vec::new());
                facts.extend(self.segment_lines(inside.width));
            }
            return self.draw_lines(buffer, inside, &facts);
        }
        // Two lines: the corpora on the left, agreement or the run on the right.
        let half = inside.width / 2;
        self.draw_lines(buffer, Rect { width: half, ..inside }, &facts);
        let right = Rect { x: inside.x + half, width: inside.width - half, ..inside };
        let agreement = self.agreement().map(|agreement| agreement.lines(self, right.width));
        self.draw_lines(buffer, right, &agreement.unwrap_or_else(|| facts.get(2..).unwrap_or_default().to_vec()));
    }

    fn draw_carried(&self, buffer: &mut Buffer, area: Rect, with_agreement: bool) {
        let Some(carried) = self.state.overview.as_ref().map(|overview| overview.carried) else {
            let (qualifier, words) = match self.data.trouble {
                Some(_) => ("", "Known once the study has been run"),
                None => ("…", ""),
            };
            let frame = Frame { qualifier: qualifier.to_owned(), ..Frame::new("Judgments carried over") };
            if let Some(inside) = self.card(buffer, area, frame) {
                self.draw_lines(buffer, inside, &[self.sentence(words)]);
            }
            return;
        };
        let withheld = self.state.overview.as_ref().map_or(&[][..], |overview| &overview.withheld);
        if !withheld.is_empty() && carried.is_some() {
            let words = format!("Shown once you have decided your part of {}", left_words(withheld));
            if let Some(inside) = self.card(buffer, area, Frame::new("Judgments carried over")) {
                let lines: Vec<_> = wrapped(&words, usize::from(inside.width.saturating_sub(1)))
                    .iter()
                    .map(|line| self.sentence(line))
                    .collect();
                self.draw_lines(buffer, inside, &lines);
            }
            return;
        }
        let right = carried.map_or(String::new(), |carried| {
            format!("{} in {}", count(carried.all()), plural(carried.topics as u64, "topic"))
        });
        let frame = Frame { right, ..Frame::new("Judgments carried over") };
        let (Some(inside), Some(carried)) = (self.card(buffer, area, frame), carried) else { return };
        let bar = Rect { x: inside.x + 1, width: inside.width.saturating_sub(1), height: 1, ..inside };
        self.draw_bar(buffer, bar, carried);
        if !with_agreement || self.size.is_narrow() {
            return;
        }
        let rest = Rect { y: inside.y + 3, height: inside.height.saturating_sub(3), ..inside };
        let agreement = self.agreement();
        let half = if agreement.is_some() { rest.width * 3 / 5 } else { 0 };
        if let Some(agreement) = agreement {
            self.draw_lines(buffer, Rect { width: half, ..rest }, &agreement.lines(self, half));
        }
        let right = Rect { x: rest.x + half, width: rest.width - half, ..rest };
        self.draw_lines(buffer, right, &self.open_questions());
    }

    /// Draws judgments by what becomes of them, as one bar with its legend below.
    fn draw_bar(&self, buffer: &mut Buffer, area: Rect, carried: CarriedOver) {
        let theme = self.theme;
        let parts = [
            (carried.carried, "carried by label", theme.good),
            (carried.labelled_not, "labelled not", theme.muted),
            (carried.undecided, "undecided", theme.heat(0.6)),
            (carried.without_candidate, "no candidate", theme.warning),
        ];
        let cells = stacked(&parts.map(|(value, ..)| value), area.width);
        let (mut x, mut legend) = (area.x, Vec::new());
        for (((value, name, style), sign), wide) in parts.into_iter().zip(PARTS).zip(cells) {
            x += draw_text(buffer, (x, area.y), wide, &sign.repeat(usize::from(wide)), style);
            if value > 0 {
                legend.push((format!("{sign} "), style));
                legend.push((count(value), theme.strong));
                legend.push((format!(" {name}  "), theme.text));
            }
        }
        pieces::draw(buffer, (area.x, area.y + 1), area.width, &legend);
    }

    /// What of the labels and judgments wants a decision.
    fn open_questions(&self) -> Vec<Vec<Piece>> {
        let Some(overview) = &self.state.overview else { return Vec::new() };
        let counted = |number: usize, what: &str| {
            let text = plural(number as u64, what);
            let (number, what) = text.split_once(' ').unwrap_or((&text, ""));
            vec![(number.to_owned(), self.theme.warning), (format!(" {what}"), self.theme.text)]
        };
        let mut lines = Vec::new();
        if overview.conflicts.judgments > 0 {
            lines.push(counted(overview.conflicts.judgments, "grade conflict"));
        }
        if overview.disagreements > 0 {
            lines.push(counted(overview.disagreements, "disagreement"));
        }
        lines
    }

    pub(super) fn scrolled(&self, pane: usize, len: usize, page: usize) -> (Cursor, Scroll) {
        let mut cursor = self.state.cursors[pane];
        cursor.keep(len, page);
        (cursor, Scroll { top: cursor.top, page, len })
    }

    fn draw_next(&self, buffer: &mut Buffer, area: Rect) {
        let (focused, page) = (self.state.focus.is_on(NEXT), usize::from(Frame::inside(area, self.size).height));
        let (cursor, scroll) = self.scrolled(NEXT, self.steps.len(), page);
        let Some(inside) = self.card(buffer, area, Frame { focused, scroll, ..Frame::new("Next") }) else { return };
        if self.steps.is_empty() {
            let text = if self.running { "Wait for the run" } else { "Nothing is unfinished" };
            draw_text(buffer, (inside.x + 1, inside.y), inside.width.saturating_sub(1), text, self.theme.muted);
        }
        let steps = self.steps.iter().zip(&self.keys).enumerate().skip(cursor.top);
        for (y, (number, (step, key))) in (inside.y..inside.bottom()).zip(steps) {
            let line = Rect { y, height: 1, ..inside };
            let left = [(key.clone(), self.theme.accent), (format!(" {}", step.text), self.theme.text)];
            let right = [(step.cost.clone(), self.theme.muted)];
            pieces::draw_apart(buffer, (inside.x + 1, y), inside.width.saturating_sub(2), &left, &right);
            if number == cursor.at {
                table::select(buffer, line, focused, self.theme);
            }
        }
        self.draw_commands(buffer, split_lines(inside, self.steps.len() as u16 + 1)[1]);
    }

    /// Draws what a study is for in the end, where there is room below the steps.
    fn draw_commands(&self, buffer: &mut Buffer, area: Rect) {
        let mut lines = vec![vec![("For the paper".to_owned(), self.theme.muted)]];
        let paragraph = (":paragraph".to_owned(), "the methods paragraph, with the numbers so far");
        let outside = outside::COMMANDS.iter().filter(|(name, _)| ["report", "transfer"].contains(name));
        let outside = outside.map(|(name, about)| (format!("dejaview {name}"), *about));
        lines.extend([paragraph].into_iter().chain(outside).map(|(line, about)| {
            vec![(format!("{line:<18} "), self.theme.accent), (about.to_owned(), self.theme.text)]
        }));
        if usize::from(area.height) >= lines.len() && self.data.trouble.is_none() {
            self.draw_lines(buffer, area, &lines);
        }
    }

    /// Draws why there are no results, and how far a run is that makes them, in place of the table.
    fn draw_trouble(&self, buffer: &mut Buffer, area: Rect, trouble: &str) {
        let frame = Frame { focused: self.state.focus.is_on(CONFIGURATIONS), ..Frame::new("Configurations") };
        let Some(inside) = self.card(buffer, area, frame) else { return };
        let columns = usize::from(inside.width.saturating_sub(2)).max(1);
        let no_pairs = self.data.why_no_pairs().unwrap_or_default();
        let (text, style) = match &self.data.summary {
            _ if self.running => ("A run is at work.".to_owned(), self.theme.strong),
            None => (format!("{no_pairs}."), self.theme.strong),
            Some(_) => (format!("! {no_pairs}."), self.theme.warning),
        };
        draw_text(buffer, (inside.x + 1, inside.y + 1), inside.width.saturating_sub(1), &text, style);
        let why = self.run.as_deref().unwrap_or(trouble);
        for (y, line) in (inside.y + 2..inside.bottom()).zip(wrapped(why, columns)) {
            draw_text(buffer, (inside.x + 1, y), inside.width.saturating_sub(1), &line, self.theme.text);
        }
    }
}

/// An interval as meters take it.
pub(super) fn estimate(interval: Interval) -> meter::Estimate {
    meter::Estimate { low: interval.low, value: interval.value, high: interval.high }
}
