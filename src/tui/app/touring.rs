//! What the steps of the tour say, and when each is done.

use std::time::Duration;

use super::App;
use crate::action::Action;
use crate::contract::Effect;
use crate::screens::compare::Compare;
use crate::screens::home::Home;
use crate::screens::judgments::Judgments;
use crate::screens::label::Label;
use crate::screens::methods::Methods;

/// What is on the screen, and what to press.
struct Step {
    words: fn(&App) -> String,
    is_done: fn(&App) -> bool,
}

const STEPS: [Step; 5] = [
    Step {
        words: |App { shared, .. }| {
            let judgments = shared.way_to(Action::Go(Judgments::ID));
            format!(
                "Home says what was read, what each configuration found and what to do next. Press {judgments} for the \
                 judged pages."
            )
        },
        is_done: |app| app.shared.screen == Judgments::ID,
    },
    Step {
        words: |App { shared, .. }| {
            let (down, open) = (shared.way_to(Action::Down), shared.way_to(Action::Open));
            format!(
                "Judged pages of the old crawl, each with its best candidate in the new one; 1.000 means the same words. \
                 {down} goes down; press {open} on one that differs, then on a candidate, to compare the two."
            )
        },
        is_done: |app| app.shared.screen == Compare::ID,
    },
    Step {
        words: |App { shared, .. }| {
            let (change, why) = (shared.way_to(Action::NextChange), shared.way_to(Action::Why));
            format!(
                "What only A or only B has is marked; {change} goes to the next change. Press {why} to see why each \
                 configuration matched the pair or did not."
            )
        },
        is_done: |app| app.shared.screen == Compare::ID && app.screens.get::<Compare>().shows_why(),
    },
    Step {
        words: |app| {
            let shared = &app.shared;
            let [near, not, unsure] = Action::LABELS.map(|action| shared.keymap.way_to(action, Label::ID));
            let decide = format!("{near} near-duplicate, {not} not, {unsure} unsure.");
            if shared.screen == Label::ID {
                return format!("{} Read both texts and decide: {decide}", on_label(app));
            }
            let label = shared.keymap.way_to(Action::Go(Label::ID), Home::ID);
            let why = match shared.screen == Compare::ID {
                true => "Why says for each configuration what decided. ",
                false => "",
            };
            format!(
                "{why}Now you: press {label}; where there is no sample yet, Enter draws a random one. Then decide, without \
                 its scores: {decide}"
            )
        },
        is_done: |app| app.shared.tour.is_some_and(|tour| app.shared.book.events() > tour.events),
    },
    Step {
        words: |App { shared, .. }| {
            let methods = shared.keymap.way_to(Action::Go(Methods::ID), Home::ID);
            let leave = match shared.screen == Label::ID {
                true => format!("{} to leave Label and ", shared.way_to(Action::Back)),
                false => String::new(),
            };
            let truth = shared.keymap.way_to(Action::NextTruth, Methods::ID);
            format!(
                "Methods sets the configurations beside each other. There {truth} changes what counts as true: Jaccard, \
                 edit ratio or, once your sample is finished, labels. Press {leave}{methods}."
            )
        },
        is_done: |app| app.shared.screen == Methods::ID,
    },
];

/// What is on Label, and how one comes to a pair.
fn on_label(app: &App) -> String {
    let label = app.screens.get::<Label>();
    let draw = app.shared.way_to(Action::NewSample);
    match (&app.shared.sample, label.sample()) {
        (_, Some(_)) if label.finished => {
            format!("All pairs of this sample are decided; {draw} and Enter draw another.")
        }
        (_, Some(_)) => "A pair of a random sample, without its scores; others follow.".to_owned(),
        (Some(_), None) => "Enter in the dialog opens a sample. Then its pairs come one by one.".to_owned(),
        (None, None) => {
            "Enter in the dialog draws a random sample. Then its pairs come one by one, without their scores."
                .to_owned()
        }
    }
}

impl App {
    /// The step of the tour that is shown: its title and its words.
    pub fn tour_step(&self) -> Option<(String, String)> {
        let tour = self.shared.tour?;
        let step = STEPS.get(tour.step)?;
        Some((format!("Tour {} of {}", tour.step + 1, STEPS.len()), (step.words)(self)))
    }

    /// Goes on with the tour when what it asked for is done. Screens get the lines back when it is over.
    pub(super) fn go_on_with_tour(&mut self, room_before: u16, at: Duration) -> Vec<Effect> {
        if let Some(tour) = self.shared.tour {
            self.shared.tour = tour.advanced(|step| (STEPS[step].is_done)(self), STEPS.len());
            if self.shared.tour.is_none() {
                let help = self.shared.way_to(Action::Help);
                self.shared.message =
                    Some(format!("That was the tour. {help} lists the keys of a screen, :help opens the manual"));
            }
        }
        if self.shared.area().height == room_before {
            return Vec::new();
        }
        let requests = self.resized(self.shared.size, at);
        self.carry_out(requests, at)
    }
}
