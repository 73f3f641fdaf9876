//! What an action does wherever one is; the rest is the screen's.

use std::time::Duration;

use super::{App, HELD, TOO_FAST};
use crate::action::Action;
use crate::contract::{Effect, Request, Screen, Show};
use crate::labelling::{self, writes_to_journal};
use crate::outside::{self, WriteParagraph};
use crate::overlays::ask::Ask;
use crate::overlays::copy::Copy;
use crate::overlays::filter::FilterLine;
use crate::overlays::help::Help;
use crate::overlays::page::Page;
use crate::overlays::palette::Palette;
use crate::overlays::unsaved;
use crate::question::SEARCH;
use crate::samples;
use crate::screens::label::new_sample::NewSample;
use crate::shared::Shared;
use crate::study_run;
use crate::widgets::prompt::Prompt;

/// Keys that are kept for a list which is still being made.
const MOST_EARLY: usize = 64;

impl App {
    pub(super) fn act(&mut self, action: Action, at: Duration) -> Vec<Request> {
        let meaning = self.screens.of(self.shared.screen).meaning(action, &self.screens, &mut self.shared);
        let Some(action) = meaning.filter(|action| !writes_to_journal(*action) || self.may_write(*action, at)) else {
            return Vec::new();
        };
        match action {
            Action::Clear => self.on(self.shared.screen, at, |screen, here| {
                let cleared = screen.clear(here);
                cleared.unwrap_or_else(|| screen.back(here))
            }),
            Action::Back => self.on(self.shared.screen, at, |screen, here| screen.back(here)),
            Action::Go(screen) => self.go(screen, at),
            _ => {
                let requests = everywhere(action, self.screens.of(self.shared.screen), &mut self.shared);
                requests.unwrap_or_else(|| self.act_here(action, at))
            }
        }
    }

    /// Whether the key at hand may write about the pair on the screen; if not, why is said.
    fn may_write(&mut self, action: Action, at: Duration) -> bool {
        let Some(pane) = self.screen().pane() else { return true };
        let is_empty = pane.is_empty();
        let takes_back = matches!(action, Action::Undo | Action::Redo);
        let hidden = self.why_not_shown();
        // To take a decision back, no pair has to be seen, nor can a key come before it.
        let nothing_to_see = is_empty || hidden.is_some();
        if let Some(why) = hidden.filter(|_| !takes_back) {
            self.shared.message = Some(why);
            return false;
        }
        self.shared.guard.delay(at);
        // A note is written by its Enter; opening it too soon does no harm.
        let opens = matches!(action, Action::Note | Action::EditNote);
        // Where no pair is to be seen, on the end card for one, no key comes before it.
        let bars = |why: &&str| *why == HELD || !(opens || nothing_to_see && *why == TOO_FAST);
        // Where the guard is off as well, no pair is decided before a frame has shown it.
        let unseen = (self.shared.shown.is_none() && !takes_back).then_some(TOO_FAST);
        let Some(why) = self.barred.or(unseen).filter(bars) else { return true };
        self.shared.guard.refused += 1;
        self.shared.message = Some(why.to_owned());
        false
    }

    /// Why nothing may be written of the pair that is open: its texts are not on the screen and will not come.
    fn why_not_shown(&self) -> Option<String> {
        const NOT_SHOWN: &str = "Not saved: this pair cannot be shown";
        let pane = self.screen().pane().filter(|_| !self.shows_texts())?;
        let without_pairs = self.shared.data.as_ref().is_some_and(|data| data.trouble.is_some()) && !pane.is_empty();
        match &pane.open {
            _ if self.shared.trouble.is_some() || without_pairs => Some(format!("{NOT_SHOWN}. The screen says why")),
            Some(Err(_)) => Some(format!("{NOT_SHOWN}. Press {} for the next", self.shared.way_to(Action::NextPair))),
            Some(Ok(_)) => Some("Not saved: the texts are not on the screen".to_owned()),
            None => None,
        }
    }

    /// What an action does on the screen; it waits where a list is still being made.
    pub(super) fn act_here(&mut self, action: Action, at: Duration) -> Vec<Request> {
        if self.is_awaited() && !writes_to_journal(action) && self.early.len() < MOST_EARLY {
            self.early.push(action);
            return Vec::new();
        }
        self.on(self.shared.screen, at, |screen, here| screen.act(action, here))
    }

    /// Whether the list of this screen is still being made.
    fn is_awaited(&self) -> bool {
        self.shared.trouble.is_none() && self.screen().is_awaited(self.study(self.shared.screen).map(|data| &**data))
    }

    /// Does what was typed before the list was there, up to where it leads to another screen.
    pub(super) fn catch_up(&mut self, at: Duration) -> Vec<Effect> {
        if self.early.is_empty() || self.is_awaited() {
            return Vec::new();
        }
        let (screen, early) = (self.shared.screen, std::mem::take(&mut self.early));
        let mut effects = Vec::new();
        for action in early {
            if self.shared.screen == screen {
                let requests = self.act_here(action, at);
                effects.extend(self.carry_out(requests, at));
            }
        }
        effects
    }
}

/// What an action does wherever one is; none when it is for the screen.
fn everywhere(action: Action, screen: &dyn Screen, shared: &mut Shared) -> Option<Vec<Request>> {
    Some(vec![match action {
        Action::Quit => unsaved::leave(shared),
        Action::Redraw => {
            shared.theme = shared.preferences.theme();
            Effect::Redraw.into()
        }
        Action::Suspend => Effect::Suspend.into(),
        Action::Help => Request::open(Help::default()),
        Action::Guidelines => Request::open(Page::guidelines()),
        Action::Palette => return Some(Palette::open(shared)),
        Action::Copy => Request::open(Copy),
        Action::Search => Request::open(Ask::new(SEARCH, Prompt::default())),
        Action::Filter => return screen.filtering(shared).map(|filtering| FilterLine::open(filtering, shared)),
        Action::Calibrate => Request::Show(Show::CalibrationDeck),
        Action::Paragraph => match shared.sample.clone() {
            Some(sample) => Request::job(WriteParagraph { sample }),
            None => return Some(samples::choose("", shared)),
        },
        Action::CopySource | Action::CopyTarget | Action::CopyPair | Action::CopyUrl | Action::CopyTargetUrl => {
            return Some(outside::copy(action, screen, shared));
        }
        Action::Pager => return Some(outside::page_texts(screen, shared)),
        Action::EditNote => return Some(labelling::edit_note(screen.subject().as_ref(), shared)),
        Action::NewSample if shared.trouble.is_some() => {
            shared.message = Some("No sample can be drawn while the study cannot be read".to_owned());
            return Some(Vec::new());
        }
        Action::NewSample => {
            return Some(shared.data.as_ref().map(|data| NewSample::open(data, shared)).unwrap_or_default());
        }
        Action::ChooseSample => Request::Show(Show::Samples),
        Action::Run => return Some(study_run::start(shared)),
        Action::StopRun => return Some(study_run::stop(shared)),
        _ => return None,
    }])
}
