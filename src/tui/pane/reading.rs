//! The jobs of a pane: reading its pair, and comparing the words of a change. Each screen with a pane has its own of them,
//! so that no screen's pair takes the place of another's.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Pane;
use super::open_pair::{OpenPair, WantedPair};
use crate::contract::{Job, Request, Screen, Screens, Stop};
use crate::jobs::Backend;
use crate::logbook::LogLine;
use crate::shared::Shared;
use crate::widgets::diff_view::Texts;
use dejaview_text::diff;

/// The words of one change that a person asked for.
const WORDS_TIME: Duration = Duration::from_secs(8);

/// A screen that lays a pair open.
pub trait ShowsPair: Screen {
    /// Where.
    fn pane_mut(&mut self) -> &mut Pane;

    /// Takes the texts.
    fn texts_came(&mut self, result: Result<Box<OpenPair>, String>) {
        self.pane_mut().opened(result);
    }
}

/// Reads two documents and compares them.
pub struct ReadPair<S> {
    /// Which.
    pub wanted: WantedPair,
    screen: PhantomData<fn() -> S>,
}

/// Asks for a pair; the words of a change of the one before are not wanted any more.
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
        LogLine::of(output, |open| format!("compared {} with {}", open.source.id, open.target.id))
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<S>().texts_came(output);
        Vec::new()
    }
}

/// Compares the words of one change.
pub struct CompareWords<S> {
    texts: Arc<Texts>,
    change: usize,
    screen: PhantomData<fn() -> S>,
}

/// Asks for the words of the change at the top of a pane, where only its lines are compared.
pub fn words<S: ShowsPair>(pane: &Pane) -> Option<Request> {
    let (texts, change) = pane.coarse_change()?;
    Some(Request::job(CompareWords::<S> { texts, change, screen: PhantomData }))
}

impl<S> fmt::Debug for CompareWords<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "words of change {}", self.change)
    }
}

impl<S: ShowsPair> Job for CompareWords<S> {
    /// The change, and what takes its place; none when it took too long.
    type Output = (usize, Option<diff::RefinedChange>);
    const NAME: &'static str = "compare the words of a change";

    fn run(self, _: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let (texts, deadline) = (&self.texts, Instant::now() + WORDS_TIME);
        Some((self.change, diff::refine_change(&texts.diff, &texts.source, &texts.target, self.change, deadline)))
    }

    fn line(_: &Self::Output) -> Option<LogLine> {
        LogLine::done("compared the words of a change")
    }

    fn deliver((change, hunk): Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        let pane = screens.get_mut::<S>().pane_mut();
        pane.refined(change, hunk);
        shared.message = pane.said.take().map(|note| note.text(&|action| shared.way_to(action)));
        Vec::new()
    }
}
