//! What an action does wherever one is; the rest is the screen's.

use std::time::Duration;

use super::jobs::WriteParagraph;
use super::{App, HELD, Overlay, Question, writes};
use crate::action::{Action, ScreenId};
use crate::contract::{Effect, Request};
use crate::screens::compare::Compare;
use crate::screens::label::Label;
use crate::screens::methods::Methods;
use crate::screens::review::Review;
use crate::widgets::help::Help;
use crate::widgets::prompt::Prompt;

impl App {
    /// Takes a line that was typed for the screen.
    pub(super) fn asked(&mut self, question: Question, text: &str) -> Vec<Request> {
        let (Some(data), area) = (self.shown().cloned(), self.shared.area()) else { return Vec::new() };
        match (question, self.shared.screen) {
            (Question::Search, ScreenId::Compare) => self.screens.get_mut::<Compare>().search(text, &data, area),
            (Question::Search, ScreenId::Label) => self.screens.get_mut::<Label>().pane.search(text, area),
            (Question::Search, ScreenId::Review) => self.screens.get_mut::<Review>().pane.search(text, area),
            (Question::Search, ScreenId::Methods) => self.screens.get_mut::<Methods>().search(text, &data, area),
            _ => return self.asked_list(question, text, &data),
        }
        Vec::new()
    }

    /// What an action means where one is: while Why is open no key labels, and in it the one for “not” switches a run off.
    pub(super) fn meant(&mut self, action: Action) -> Option<Action> {
        if self.shared.screen != ScreenId::Compare || !self.screens.get_mut::<Compare>().has_why() {
            return Some(action);
        }
        match action {
            Action::Not if self.screens.get_mut::<Compare>().in_why() => Some(Action::WhatIf),
            Action::NearDuplicate | Action::Not | Action::Unsure => {
                self.shared.message =
                    Some(format!("no key labels while Why is open: {} closes it", self.shared.way_to(Action::Why)));
                None
            }
            other => Some(other),
        }
    }

    pub(super) fn act(&mut self, action: Action, at: Duration) -> Vec<Request> {
        let Some(action) = self.meant(action) else { return Vec::new() };
        if writes(action) && self.pane().is_some() {
            let unreadable = self.pane().is_some_and(|pane| matches!(pane.open, Some(Err(_))));
            if unreadable && !matches!(action, Action::Undo | Action::Redo) {
                let next = self.shared.way_to(Action::NextPair);
                self.shared.message =
                    Some(format!("not recorded: this pair cannot be shown; {next} goes on to the next"));
                return Vec::new();
            }
            // A note is written by its Enter; opening it too soon does no harm.
            let opens = matches!(action, Action::Note | Action::EditNote);
            if let Some(why) = self.bar.filter(|why| !opens || *why == HELD) {
                self.shared.guard.delay(at);
                self.shared.guard.refused += 1;
                self.shared.message = Some(why.to_owned());
                return Vec::new();
            }
            self.shared.guard.delay(at);
        }
        match action {
            Action::Quit => vec![Effect::Quit.into()],
            Action::Back => self.back(),
            Action::Help => self.over(Overlay::Help(Help::default())),
            Action::Copy => self.ask_copy(),
            Action::CopySource | Action::CopyTarget | Action::CopyPair | Action::CopyUrl => self.copy(action),
            Action::Pager => self.page_texts(),
            Action::EditNote => self.edit_note(),
            Action::Redraw => vec![Effect::Redraw.into()],
            Action::Suspend => vec![Effect::Suspend.into()],
            Action::Guidelines => self.over(Overlay::Guidelines(0)),
            Action::Calibrate => self.calibrate(),
            Action::Paragraph => vec![Request::job(WriteParagraph { sample: self.shared.sample.clone() })],
            Action::Palette => self.over(Overlay::Ask(Question::Palette, Prompt::default())),
            Action::Search => self.over(Overlay::Ask(Question::Search, Prompt::default())),
            Action::Filter => self.ask_filter(),
            Action::NextSample => self.next_sample(),
            Action::Go(ScreenId::Pairs) => self.all_pairs(),
            Action::Go(screen) => self.go(screen),
            _ => self.on_screen(action, at),
        }
    }

    /// What annotators should have read, or why it is not there.
    pub fn guidelines(&self) -> String {
        match self.shared.data.as_ref().and_then(|data| data.guidelines.as_ref()) {
            Some(Ok(text)) => text.clone(),
            Some(Err(why)) => why.clone(),
            None => "This study names no guidelines: guidelines = FILE below [labels] in study.toml does.".to_owned(),
        }
    }

    pub(super) fn over(&mut self, overlay: Overlay) -> Vec<Request> {
        self.overlays.push(overlay);
        Vec::new()
    }
}
