//! The jobs of Why: answering its questions, and comparing the pair without some of its text.

use super::Compare;
use super::why::{Why, WhyRequest};
use crate::contract::{Job, Request, Screens, Stop};
use crate::explainer::{Answer, Question, Without};
use crate::jobs::Backend;
use crate::logbook::LogLine;
use crate::pair_ids::PairIds;
use crate::shared::Shared;
use crate::widgets::diff_view::Spans;

impl Compare {
    pub(super) fn explain(&self, question: Question) -> Request {
        Request::job(Explain { ids: self.pane.ids.clone(), question })
    }

    pub(super) fn request(&self, wanted: WhyRequest) -> Request {
        match wanted {
            WhyRequest::Explain(question) => self.explain(question),
            WhyRequest::WhatIf(off) => Request::job(WhatIf { ids: self.pane.ids.clone(), off }),
        }
    }
}

/// Answers a question of Why.
#[derive(Debug)]
struct Explain {
    ids: PairIds,
    question: Question,
}

impl Job for Explain {
    type Output = Result<Answer, String>;
    const NAME: &'static str = "explain a pair";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let answer = backend.explainer.answer(&backend.study(), &self.ids, self.question);
        Some(answer.map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, Answer::name)
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        let compare = screens.get_mut::<Compare>();
        let question = compare.why.as_mut().and_then(|why| why.answered(output));
        question.map(|question| compare.explain(question)).into_iter().collect()
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Compare>().why.iter_mut().for_each(Why::answer_lost);
        Vec::new()
    }
}

/// Compares a pair without some of its text.
#[derive(Debug)]
struct WhatIf {
    ids: PairIds,
    off: Spans,
}

impl Job for WhatIf {
    type Output = Result<Box<Without>, String>;
    const NAME: &'static str = "compare without some of the text";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let without = backend.explainer.without(&backend.study(), &self.ids, &self.off);
        Some(without.map(Box::new).map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |_| "compared a pair without some of its text".to_owned())
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        if let Some(why) = &mut screens.get_mut::<Compare>().why {
            why.take_what_if(output);
        }
        Vec::new()
    }
}
