//! The jobs of a pane: reading its pair, and comparing the words of a change. They are types of their own for each screen,
//! since a newer job of one type replaces an older one.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::PairPane;
use super::open_pair::{OpenPair, WantedPair};
use crate::contract::{Job, NO_RESULT, Request, Screen, Screens, Stop};
use crate::jobs::Backend;
use crate::logbook::LogLine;
use crate::shared::Shared;
use crate::widgets::diff_view::Texts;
use dejaview_text::diff;

/// How long the words of one change may take, which a person asked for.
const WORDS_TIME: Duration = Duration::from_secs(8);

/// A screen that shows the texts of a pair.
pub trait ShowsPair: Screen {
    fn pane_mut(&mut self) -> &mut PairPane;

    fn texts_read(&mut self, result: Result<Box<OpenPair>, String>) {
        self.pane_mut().opened(result);
    }
}

pub struct ReadPair<S> {
    pub wanted: WantedPair,
    screen: PhantomData<fn() -> S>,
}

/// Asks for a pair; compared words of the previous one are not wanted any more.
pub fn read<S: ShowsPair>(wanted: WantedPair) -> Vec<Request> {
    vec![Request::forget::<CompareWords<S>>(), Request::job(ReadPair::<S> { wanted, screen: PhantomData })]
}

impl<S> fmt::Debug for ReadPair<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.wanted.fmt(f)
    }
}

impl<S: ShowsPair> Job for ReadPair<S> {
    type Output = Result<Box<OpenPair>, String>;
    const NAME: &'static str = "compare a pair";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(self.wanted.read(&backend.study()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |open| format!("compared {} with {}", open.source.id, open.target.id))
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<S>().texts_read(output);
        Vec::new()
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<S>().texts_read(Err(NO_RESULT.to_owned()));
        Vec::new()
    }
}

pub struct CompareWords<S> {
    texts: Arc<Texts>,
    change: usize,
    screen: PhantomData<fn() -> S>,
}

/// Asks for the words of the change at the top of a pane, if only its lines are compared so far.
pub fn compare_words<S: ShowsPair>(pane: &PairPane) -> Option<Request> {
    let (texts, change) = pane.unrefined_change()?;
    Some(Request::job(CompareWords::<S> { texts, change, screen: PhantomData }))
}

impl<S> fmt::Debug for CompareWords<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "words of change {}", self.change)
    }
}

impl<S: ShowsPair> Job for CompareWords<S> {
    /// The change, and its rows with compared words; none when that took too long.
    type Output = (usize, Option<diff::RefinedChange>);
    const NAME: &'static str = "compare the words of a change";

    fn run(self, _: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let (texts, deadline) = (&self.texts, Instant::now() + WORDS_TIME);
        Some((self.change, diff::refine_change(&texts.diff, &texts.source, &texts.target, self.change, deadline)))
    }

    fn line(_: &Self::Output) -> Option<LogLine> {
        LogLine::done("compared the words of a change")
    }

    fn deliver((change, refined): Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        let pane = screens.get_mut::<S>().pane_mut();
        pane.refined(change, refined);
        shared.message = pane.notice.take().map(|notice| notice.text(&|action| shared.way_to(action)));
        Vec::new()
    }
}
