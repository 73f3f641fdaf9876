//! From screen to screen.

use std::time::Duration;

use super::App;
use crate::action::ScreenId;
use crate::contract::{News, Request, Show};
use crate::overlays::unsaved;

/// Screens that one can go back through.
const LONGEST_WAY: usize = 50;

impl App {
    /// Goes to a screen by its name.
    pub(super) fn go(&mut self, screen: ScreenId, at: Duration) -> Vec<Request> {
        if screen != self.shared.screen {
            self.remember();
        }
        self.arrive(screen);
        self.on(screen, at, |screen, here| screen.chosen(here))
    }

    /// Goes back to where one came from; from the first screen out of the explorer.
    pub(super) fn leave(&mut self, at: Duration) -> Vec<Request> {
        let first = self.ids().first().copied().filter(|first| *first != self.shared.screen);
        let Some(screen) = self.history.pop().or(first) else { return vec![unsaved::leave(&self.shared)] };
        self.arrive(screen);
        self.on(screen, at, |screen, here| screen.entered(here))
    }

    /// Goes to the screen that shows something, unless it cannot, which is said.
    pub(super) fn show(&mut self, what: &Show, at: Duration) -> Vec<Request> {
        let mut screens = self.ids().into_iter();
        let answer = |id| Some((id, self.on(id, at, |screen, here| screen.show(what, here))?));
        match screens.find_map(answer) {
            Some((screen, Ok(requests))) => {
                if screen != self.shared.screen {
                    self.remember();
                    self.arrive(screen);
                }
                requests
            }
            Some((_, Err(why))) => {
                self.shared.message = Some(why);
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// Lets all screens know of something.
    pub(super) fn tell(&mut self, news: &News, at: Duration) -> Vec<Request> {
        self.on_each(at, |screen, here| screen.on_news(news, here))
    }

    fn remember(&mut self) {
        self.history.push(self.shared.screen);
        if self.history.len() > LONGEST_WAY {
            self.history.remove(0);
        }
    }

    fn arrive(&mut self, screen: ScreenId) {
        self.shared.screen = screen;
        self.shared.message = None;
        self.early.clear();
        self.shared.hide();
    }
}
