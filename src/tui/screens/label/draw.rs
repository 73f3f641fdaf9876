//! How Label is drawn: where one is in the sample, the two documents, what is known of the pair, its texts.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::jobs::must_choose;
use super::layout::below_head;
use super::progress::Progress;
use super::{Label, end};
use crate::action::Action;
use crate::book::Book;
use crate::contract::View;
use crate::data::StudyData;
use crate::pane::Ways;
use crate::shared::Shared;
use crate::widgets::frame::Frame;
use crate::widgets::glyphs::{draw_text, width};
use crate::widgets::meter::progress;
use crate::widgets::paragraph;
use dejaview_labels::Decision;
use dejaview_report::numbers::plural;

/// Columns of the progress meter, at least and at most.
const METER: (usize, usize) = (6, 40);

impl Label {
    /// The first line: the sample, how far one is in it, and how long the rest may take.
    pub(super) fn title_line(&self, shared: &Shared) -> String {
        let Some(sample) = self.sample().filter(|_| self.deck.is_none()) else {
            let place = self.deck.as_ref().map(|deck| deck.place());
            return format!(" Label  {}", place.unwrap_or_else(|| shared.title.clone()));
        };
        let (decided, all) = (self.decided(&shared.book), self.questions.len());
        let place = if self.again { format!("again {}", self.at + 1) } else { format!("pair {}", self.at + 1) };
        let place = if self.finished { "finished".to_owned() } else { place };
        let head = format!(" Label  {}", sample.name);
        let population = format!(", from {}", plural(sample.population, "pair"));
        let place = format!(" · {place} · {decided}/{all} decided  ");
        let left = self.time_left(&shared.book).map(|left| format!("  {left} left")).unwrap_or_default();
        let annotator = format!("  {}", shared.book.annotator);
        let damaged = shared.damaged_chips().pop().map(|chip| format!("  {chip}")).unwrap_or_default();
        // What does not fit beside the news of the journal gives way: who one is, then the population, then the time.
        let room = usize::from(shared.size.0).saturating_sub(width(&shared.book.status(decided as u64)) + 2);
        let forms = [
            (format!("{head}{population}{place}"), format!("{left}{annotator}{damaged}")),
            (format!("{head}{population}{place}"), format!("{left}{damaged}")),
            (format!("{head}{place}"), format!("{left}{damaged}")),
            (format!("{head}{place}"), damaged),
        ];
        let fits = |(before, behind): &&(String, String)| width(before) + width(behind) + METER.0 <= room;
        let (before, behind) = forms.iter().find(fits).unwrap_or(&forms[3]);
        let cells = room.saturating_sub(width(before) + width(behind)).clamp(METER.0, METER.1);
        let meter = progress(decided as u64, all as u64, cells as u16, &shared.theme).map(|(text, _)| text).concat();
        format!("{before}{meter}{behind}")
    }

    /// How long the rest may take, from the pace of the last pairs.
    pub fn time_left(&self, book: &Book) -> Option<String> {
        let Progress { left, pace, .. } = self.progress(book);
        Some(end::minutes(pace.filter(|_| !self.finished)? * left as u32))
    }

    pub(super) fn draw_pair(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (shared, theme) = (view.shared, &view.shared.theme);
        let way = &|action| shared.way_to(action);
        self.pane.draw_documents(buffer, area, theme);
        let line = Rect { y: area.y + 2.min(area.height.saturating_sub(1)), height: 1, ..area };
        let known = self.known(&shared.book, view.data, way);
        // What is known of the pair comes first; the topic takes what room is left, with its words or without.
        let topics = self.topic(view.data);
        let left = usize::from(area.width).saturating_sub(width(&known) + 2);
        let topic = topics.iter().find(|topic| width(topic) <= left).map_or("", String::as_str);
        let topic_wide = width(topic) as u16;
        draw_text(buffer, (area.right() - topic_wide, line.y), topic_wide, topic, theme.muted);
        draw_text(buffer, (line.x, line.y), area.width, &known, theme.muted);
        let frame = self.pane.frame("Texts", view.data.recipe.labels.blind, way);
        let frame = Frame { focused: self.list.is_none(), ..frame };
        let inside = frame.draw(buffer, below_head(area), shared.class(), theme);
        self.pane.draw(buffer, inside, theme);
        if let Some(cursor) = self.list {
            self.draw_list(buffer, area, cursor, view);
        }
    }

    /// The topic that the source document is judged for, in words and by its number. Its grade may not guide the
    /// decision.
    fn topic(&self, data: &StudyData) -> Vec<String> {
        let Some((_, pair)) = self.question() else { return Vec::new() };
        let grades = data.grades_of(&pair.source);
        let Some((topic, _)) = grades.first().and_then(|grade| grade.rsplit_once(':')) else { return Vec::new() };
        let number = format!("topic {topic}");
        match data.topic(topic).map(|text| text.query.trim()).filter(|query| !query.is_empty()) {
            Some(query) => vec![format!("{number} · {query}"), number],
            None => vec![number],
        }
    }

    /// What was decided on the pair before, and what is chosen for the next label.
    fn known(&self, book: &Book, data: &StudyData, way: Ways<'_>) -> String {
        let decisions = book.decisions();
        let (Some((question, pair)), Some(sample)) = (self.question(), self.sample()) else { return String::new() };
        let decision = decisions.decision(&pair.source, &pair.target, Some(&sample.name));
        // A pair that comes again, or that is looked at again, must not tell what was said the first time.
        let decision = if question.repeat || self.again { Decision::default() } else { decision };
        let scores = match self.reveals(decisions, data) {
            true => scores(data, &pair.source, &pair.target),
            false => "Scores are hidden until you decide".to_owned(),
        };
        let decided = match decision.label() {
            Some(label) => format!("Decided: {} · ", label.name()),
            None if self.reveals(decisions, data) && !self.again => "Undecided · ".to_owned(),
            None => String::new(),
        };
        let note = decision.note.map(|note| format!(" · note: {}", note.replace('\n', " / "))).unwrap_or_default();
        let flag = if decision.flag { " · flagged" } else { "" };
        let hint = match self.decided(book) {
            0 => hint(data, way),
            _ if self.reveals(decisions, data) => String::new(),
            _ => " · A and B are in random order".to_owned(),
        };
        format!("{decided}{scores}{flag}{note}{}{hint}", self.chosen.words())
    }

    /// Said while no sample is open: there is none, none was chosen, or it is being read.
    pub(super) fn draw_empty(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let [draw, choose] = [Action::NewSample, Action::ChooseSample].map(|action| view.shared.way_to(action));
        let lines = match view.shared.sample {
            None => ["No sample yet.".to_owned(), format!("Press {draw} to draw a sample of pairs")],
            Some(_) if must_choose(view.shared) => {
                ["No sample is open.".to_owned(), format!("Press {choose} to choose one")]
            }
            Some(_) => ["Reading…".to_owned(), String::new()],
        };
        let top = area.y + area.height.saturating_sub(2) / 2;
        for (y, line) in (top..area.bottom()).zip(lines) {
            let x = area.x + area.width.saturating_sub(width(&line) as u16) / 2;
            draw_text(buffer, (x, y), area.right().saturating_sub(x), &line, view.shared.theme.muted);
        }
    }

    pub(super) fn draw_screen(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let theme = &view.shared.theme;
        if let Some(deck) = &self.deck {
            let way = &|action| view.shared.way_to(action);
            return deck.draw(buffer, area, (&self.pane, way), theme);
        }
        match self.in_place_of_texts(view.data) {
            Some(why) => paragraph::draw(buffer, area, why, theme.warning),
            None if self.sample.is_none() => self.draw_empty(buffer, area, view),
            None if self.finished => match self.list {
                Some(cursor) => self.draw_list(buffer, area, cursor, view),
                None => self.draw_end(buffer, area, view),
            },
            None => self.draw_pair(buffer, area, view),
        }
    }
}

/// What somebody who begins may want to know.
fn hint(data: &StudyData, way: Ways<'_>) -> String {
    let guidelines = data.guidelines.as_ref().map(|_| format!("{} guidelines, ", way(Action::Guidelines)));
    format!(" · First time? {}:calibrate", guidelines.unwrap_or_default())
}

/// What the configurations say of a pair, in a few words.
fn scores(data: &StudyData, source: &str, target: &str) -> String {
    let Some(row) = data.table.find(source, target) else { return "found by no configuration".to_owned() };
    let found = data.table.distances(row).len();
    let jaccard = data.table.shown_jaccard(row).map_or("–".to_owned(), |jaccard| format!("{jaccard:.3}"));
    format!("Jaccard {jaccard}, found by {found} of {}", data.table.configurations().len())
}
