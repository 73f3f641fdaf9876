//! What workers answered, and the study once it is read.

use std::sync::Arc;

use super::App;
use crate::action::ScreenId;
use crate::data::StudyData;
use crate::jobs::{Answer, Effect};
use crate::screens::compare::{LABEL, REVIEW};

impl App {
    pub(super) fn answer(&mut self, answer: Answer) -> Vec<Effect> {
        match answer {
            Answer::Head(first) => return self.head_came(first),
            Answer::Study(Ok(data)) => return self.opened(Arc::from(data)),
            Answer::Study(Err(why)) => self.title = why,
            Answer::Pair { generation, result } => {
                if self.label.pane.awaits(generation) {
                    self.label.opened(result);
                } else if self.review.pane.awaits(generation) {
                    self.review.texts_came(result);
                } else if self.compare.pane.awaits(generation) {
                    self.compare.pane.opened(result);
                }
            }
            Answer::Words { generation, change, hunk } => {
                let pane = match generation {
                    review if review > REVIEW => &mut self.review.pane,
                    label if label > LABEL => &mut self.label.pane,
                    _ => &mut self.compare.pane,
                };
                pane.refined(generation, change, hunk);
                self.message = pane.said.take().map(|note| note.text(&|action| self.way_to(action)));
            }
            Answer::Why { generation, result } => return self.compare.told(generation, result),
            Answer::Arrange { generation, result } => return self.arranged(generation, result),
            Answer::Told(told) => return self.told(told),
            Answer::Measure { generation, result } => self.methods.measured(generation, result),
            Answer::Sample(_) if self.label.sample().is_some() => {}
            // Another one was chosen meanwhile.
            Answer::Sample(Ok(sample)) if sample.name != self.sample => {}
            Answer::Sample(result) => {
                self.hide();
                let repeats = self.data.as_ref().map_or(0, |data| data.recipe.labels.repeats);
                let deck = self.label.deck.take();
                let changed = self.changed(&self.sample);
                let (annotator, decisions) = (&self.book.annotator, &self.book.decisions);
                let mut effects = self.label.drawn(result.map(|sample| *sample), annotator, repeats, decisions);
                effects.extend(self.resume());
                if deck.is_some() {
                    self.label.deck = deck;
                    effects.extend(self.label.show_gold());
                }
                let several = self.one_of_several();
                self.message = changed.map(|changed| changed.short()).or(self.message.take()).or(several);
                return effects;
            }
            Answer::Saved(seq) => self.book.saved(seq),
            Answer::Said(what) => self.message = Some(what),
            Answer::NotSaved(why) => self.book.trouble = Some(why),
            Answer::Reread(reading) => {
                let next = reading.events.iter().map(|event| event.seq).max().unwrap_or(0) + 1;
                self.book.reread(reading.decisions, next);
            }
            Answer::Adjudication(kept) => return self.adjudication(kept),
            Answer::Review { generation, result } => self.review.read(generation, result),
            Answer::Estimate(result) => self.label.says = result.ok(),
            Answer::NoDraft(why) => self.message = Some(format!("what you begin is not kept: {why}")),
        }
        Vec::new()
    }

    /// Takes the first pairs, where a study is large, and asks for all: not before, or the two would be read side by side
    /// and the first come late.
    fn head_came(&mut self, first: Option<Box<StudyData>>) -> Vec<Effect> {
        let mut effects = Vec::new();
        if let Some(data) = first.map(Arc::from) {
            effects = self.pairs.arrange(&data, &self.book.decisions).unwrap_or_default();
            self.data = Some(data);
        }
        effects.extend(self.ask_study());
        effects
    }

    /// Asks for the whole study, once.
    pub(super) fn ask_study(&mut self) -> Vec<Effect> {
        let asked = std::mem::replace(&mut self.study_asked, true);
        if asked { Vec::new() } else { vec![Effect::Study] }
    }

    pub(super) fn opened(&mut self, data: Arc<StudyData>) -> Vec<Effect> {
        self.title.clone_from(&data.recipe.name);
        let before = self.data.as_ref().and_then(|before| before.partial);
        let area = self.area();
        let mut effects = self.pairs.come(before, &data, &self.book.decisions, area);
        self.data = Some(data);
        if self.screen == ScreenId::Label {
            effects.push(Effect::Sample(self.sample.clone()));
        }
        effects.extend(self.list_entered());
        effects
    }
}
