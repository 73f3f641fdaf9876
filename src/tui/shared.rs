//! What all screens share: the study, the person's decisions, what is said, how things look.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Rect;

use super::action::{Action, ScreenId};
use super::book::Book;
use super::data::StudyData;
use super::filtering::FilterMemory;
use super::finder::FinderMemory;
use super::guard::Guard;
use super::keymap::Keymap;
use super::logbook::Logbook;
use super::notes::Notes;
use super::pair_ids::PairIds;
use super::preferences::Preferences;
use super::theme::Theme;
use super::tour::{self, Tour};
use super::widgets::paragraph;
use super::widgets::size::Size;
use dejaview_report::numbers::plural;
use dejaview_study::{ChangedSample, RunState, SampleDraw, SamplePreview};

/// Below this size nothing useful fits.
pub const SMALLEST: (u16, u16) = (60, 12);

/// Lines that a message may take; all of it is on Log.
const LONGEST_MESSAGE: usize = 4;

/// What all screens share.
pub struct Shared {
    /// Columns and lines of the terminal.
    pub size: (u16, u16),
    /// The screen that is shown.
    pub screen: ScreenId,
    /// The study, once it is read.
    pub data: Option<Arc<StudyData>>,
    /// How many lines of anybody's labels do not count, and journals that are gone.
    pub damaged_labels: usize,
    /// What was said of these, and of labels that are in doubt.
    pub label_doubts: Vec<String>,
    /// Why the study cannot be read as it is now; what was read of it before is not shown then.
    pub trouble: Option<String>,
    /// Its name, or what is known of it before it is read.
    pub title: String,
    /// The labels of the person at the keys.
    pub book: Book,
    /// Their adjudications.
    pub adjudications: Book,
    /// The note at hand.
    pub notes: Notes,
    /// The list that the pair on Compare was opened from; its next pair is the next one there.
    pub pair_list: Option<ScreenId>,
    /// Pairs whose scores were on the screen.
    pub glimpsed: HashSet<PairIds>,
    /// One line for the person.
    pub message: Option<String>,
    /// What happened.
    pub log: Logbook,
    pub filters: FilterMemory,
    pub finder: FinderMemory,
    /// What a run of the study is doing.
    pub run: RunState,
    /// Styles.
    pub theme: Theme,
    /// What keys do.
    pub keymap: Keymap,
    /// The sample that Label opens; none while the study has none.
    pub sample: Option<String>,
    /// Whether the person chose it: else they are asked, where there are several.
    pub sample_is_chosen: bool,
    /// What the sample would be that the dialog asks for last.
    pub sample_preview: Option<(SampleDraw, Result<SamplePreview, String>)>,
    /// How the person wants the explorer.
    pub preferences: Preferences,
    /// Watches the keys that write.
    pub guard: Guard,
    /// The time now, RFC 3339.
    pub clock: fn() -> String,
    /// When the pair that can be labelled came on the screen: since the start, and by the clock of the wall.
    pub shown: Option<(Duration, String)>,
    /// The tour, while the person is on it.
    pub tour: Option<Tour>,
}

impl Shared {
    /// That labels are damaged, for the first line of a screen; the longest words first.
    pub fn damaged_chips(&self) -> Vec<String> {
        match self.damaged_labels {
            0 => Vec::new(),
            places => vec![
                format!("! labels damaged in {}, see 0", plural(places as u64, "place")),
                "! labels damaged".to_owned(),
            ],
        }
    }

    /// Where the screen is drawn: between the tabs and the keys, or the step of the tour.
    pub fn area(&self) -> Rect {
        let tour = if self.tour.is_some() && self.size.1 >= tour::ROOM { tour::LINES } else { 0 };
        Rect::new(0, 1, self.size.0, self.size.1.saturating_sub(2 + tour))
    }

    /// The class of the terminal's size.
    pub fn class(&self) -> Size {
        Size::of(self.size)
    }

    /// Whether the terminal is large enough.
    pub fn fits(&self) -> bool {
        self.size.0 >= SMALLEST.0 && self.size.1 >= SMALLEST.1
    }

    /// The message in lines, the last on the line for messages; none when there is nothing to say.
    pub fn message_lines(&self) -> Vec<String> {
        let text = self.message.as_deref().unwrap_or_default();
        paragraph::beginning(text, usize::from(self.size.0), LONGEST_MESSAGE)
    }

    /// How an action is asked for on the screen that is shown.
    pub fn way_to(&self, action: Action) -> String {
        self.keymap.way_to(action, self.screen)
    }

    /// The pair that could be labelled is not on the screen any more.
    pub fn hide(&mut self) {
        self.guard.hide();
        self.shown = None;
    }

    /// How many milliseconds the pair on the screen has been there.
    pub fn dwell(&self, at: Duration) -> Option<u64> {
        self.shown.as_ref().map(|(shown, _)| at.saturating_sub(*shown).as_millis() as u64)
    }

    /// Names of the samples: those there are, and the one that Label opens.
    pub fn sample_names(&self) -> Vec<String> {
        let labels = self.data.as_ref().map(|data| data.labels());
        let samples = labels.iter().flat_map(|labels| &labels.samples);
        let mut names: Vec<String> = samples.map(|progress| progress.name.clone()).collect();
        names.extend(self.sample.clone().filter(|open| !names.contains(open)));
        names
    }

    /// Which sample Label has opened, where there are others.
    pub fn one_of_several(&self) -> Option<String> {
        let samples = self.sample_names().len();
        let open = self.sample.as_ref().filter(|_| samples > 1)?;
        Some(format!("Sample {open}, one of {samples}. :choose-sample lists them"))
    }

    /// What is different, where a sample is no longer of the pairs there are.
    pub fn changed(&self, sample: &str) -> Option<ChangedSample> {
        let data = self.data.as_ref()?;
        data.labels().samples.iter().find(|progress| progress.name == sample)?.changed.clone()
    }

    /// The time now, RFC 3339.
    pub fn now(&self) -> String {
        (self.clock)()
    }
}
