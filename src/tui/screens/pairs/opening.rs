//! Reading the study: of a large one the first and the last pairs come before all others.

use std::sync::Arc;

use super::Pairs;
use crate::contract::{Job, Request, Screens, Stop};
use crate::data::StudyData;
use crate::jobs::Backend;
use crate::logbook::LogLine;
use crate::shared::Shared;
use dejaview_report::numbers::plural;

/// Reads the first pairs, of a study so large that reading all takes a moment.
#[derive(Debug)]
pub struct ReadFirstPairs;

impl Job for ReadFirstPairs {
    /// None where the study is so small that all pairs come as soon.
    type Output = Option<Box<StudyData>>;
    const NAME: &'static str = "read the first pairs";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(StudyData::head(backend.study()).map(Box::new))
    }

    fn line(first: &Self::Output) -> Option<LogLine> {
        let rows = first.as_ref()?.table.len() as u64;
        LogLine::done(&format!("read the first {}", plural(rows, "pair")))
    }

    /// Takes the first pairs and asks for all: not before, or the two would be read side by side and the first come late.
    fn deliver(first: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        let pairs = screens.get_mut::<Pairs>();
        let mut requests = Vec::new();
        if let Some(data) = first.map(Arc::from) {
            requests = pairs.arrange(&data, &shared.book.decisions).unwrap_or_default();
            shared.data = Some(data);
        }
        requests.extend(ask_study(pairs));
        requests
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        ask_study(screens.get_mut())
    }
}

/// Asks for the whole study, once.
fn ask_study(pairs: &mut Pairs) -> Vec<Request> {
    let asked = std::mem::replace(&mut pairs.study_asked, true);
    if asked { Vec::new() } else { vec![Request::job(ReadStudy)] }
}

#[derive(Debug)]
pub struct ReadStudy;

impl Job for ReadStudy {
    type Output = Result<Box<StudyData>, String>;
    const NAME: &'static str = "read the study";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let read = StudyData::read(backend.study(), backend.drafts_of.as_deref());
        Some(read.map(Box::new).map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |data| {
            let pairs = plural(data.table.len() as u64, "pair");
            format!("read the study: {pairs} by {}", plural(data.table.configurations().len() as u64, "configuration"))
        })
    }

    fn deliver(output: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        let data: Arc<StudyData> = match output {
            Ok(data) => Arc::from(data),
            Err(why) => {
                shared.title = why;
                return Vec::new();
            }
        };
        shared.title.clone_from(&data.recipe.name);
        let before = shared.data.as_ref().and_then(|before| before.partial);
        let area = shared.area();
        let mut requests = screens.get_mut::<Pairs>().come(before, &data, &shared.book.decisions, area);
        shared.data = Some(data);
        requests.push(Request::Refresh);
        requests
    }
}
