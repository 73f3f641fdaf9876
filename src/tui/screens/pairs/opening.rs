//! Reading the study. Of a large one the first and the last pairs are read before all others.

use std::sync::Arc;

use super::Pairs;
use crate::contract::{Job, News, Request, Screens, Stop};
use crate::data::StudyData;
use crate::jobs::Backend;
use crate::logbook::LogLine;
use crate::pair_ids::PairIds;
use crate::shared::Shared;
use dejaview_report::numbers::plural;
use dejaview_study::Snapshot;

/// Reads both ends of the table if the study is so large that reading all of it takes a moment.
#[derive(Debug)]
pub struct ReadFirstPairs;

impl Job for ReadFirstPairs {
    /// None if the study is so small that reading all pairs is as fast.
    type Output = Option<Box<StudyData>>;
    const NAME: &'static str = "read the first pairs";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(StudyData::read_ends(backend.study()).map(Box::new))
    }

    fn line(first: &Self::Output) -> Option<LogLine> {
        let rows = first.as_ref()?.table.len() as u64;
        LogLine::done(&format!("read the first {}", plural(rows, "pair")))
    }

    /// Asks for all pairs only now: read at the same time, they would delay the first ones.
    fn deliver(first: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        let pairs = screens.get_mut::<Pairs>();
        let mut requests = Vec::new();
        if let Some(data) = first.map(Arc::from) {
            requests = pairs.arrange(&data, &shared.book).unwrap_or_default();
            shared.data = Some(data);
        }
        requests.extend(request_study(pairs));
        requests
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        request_study(screens.get_mut())
    }
}

fn request_study(pairs: &mut Pairs) -> Vec<Request> {
    let requested = std::mem::replace(&mut pairs.study_requested, true);
    if requested { Vec::new() } else { vec![Request::job(ReadStudy)] }
}

/// Says which lines of anybody's labels do not count: every number that rests on labels lacks them. Says, too, which journals are
/// copies of others, and where labels hold by their place alone. Each is said when it comes, and
/// not again however often a run brings the study anew.
fn say_damaged_labels(study: &Snapshot, shared: &mut Shared) {
    let (damaged, doubts, now) = (study.damaged_labels(), study.label_doubts(), shared.now());
    shared.damaged_labels = damaged.len();
    let said = std::mem::replace(&mut shared.label_doubts, [damaged.clone(), doubts.clone()].concat());
    let new = |lines: &[String]| -> Vec<String> { lines.iter().filter(|line| !said.contains(line)).cloned().collect() };
    let (damaged, doubts) = (new(&damaged), new(&doubts));
    // The first is the newest on Log: it is what the message says.
    damaged.iter().chain(&doubts).rev().for_each(|line| shared.log.failed(line, &now));
    let (first, rest) = match (&damaged[..], &doubts[..]) {
        ([], []) => return,
        ([first, ..], _) => (first, damaged.len() - 1),
        ([], [first, ..]) => (first, doubts.len() - 1),
    };
    let what = if damaged.is_empty() { "doubts about labels" } else { "lines of labels do not count" };
    shared.message = Some(match rest {
        0 => first.clone(),
        _ => format!("{} {what} (all on 0): {first}", rest + 1),
    });
}

/// Looks whether labels of others, which have changed, are damaged.
#[derive(Debug)]
pub struct CheckLabels;

impl Job for CheckLabels {
    type Output = Result<Arc<Snapshot>, String>;
    const NAME: &'static str = "check the labels of others";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let study = backend.study();
        let read = dejaview_study::read_journals(&study).map_err(|error| error.to_string());
        Some(read.map(|_| study))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        output.as_ref().err().map(|why| LogLine::Failed(why.clone()))
    }

    fn deliver(output: Self::Output, _: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        if let Ok(study) = output {
            say_damaged_labels(&study, shared);
        }
        Vec::new()
    }
}

#[derive(Debug)]
pub struct ReadStudy;

impl Job for ReadStudy {
    type Output = Result<Box<StudyData>, String>;
    const NAME: &'static str = "read the study";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let read = backend.renewed_study().and_then(|study| StudyData::read(study, backend.drafts_of.as_deref()));
        Some(read.map(Box::new).map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |data| {
            if let Some(trouble) = &data.trouble {
                return format!("read the study: {trouble}");
            }
            let pairs = plural(data.table.len() as u64, "pair");
            format!("read the study: {pairs} by {}", plural(data.table.configurations().len() as u64, "configuration"))
        })
    }

    fn deliver(output: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        let data: Arc<StudyData> = match output {
            Ok(data) => Arc::from(data),
            Err(why) => {
                shared.trouble = Some(why);
                return Vec::new();
            }
        };
        shared.trouble = None;
        shared.title.clone_from(&data.recipe.name);
        let previous = shared.data.as_ref().and_then(|previous| previous.partial);
        let area = shared.area();
        let pairs = screens.get_mut::<Pairs>();
        let read_before = shared.data.as_ref().filter(|before| before.partial.is_none());
        if let Some((row, before)) = pairs.current().zip(read_before) {
            let (source, target) = before.table.ids(row);
            pairs.returning = Some(PairIds::new(source, target));
        }
        let mut requests = Vec::new();
        if let Some(before) = shared.data.as_ref().filter(|before| !Arc::ptr_eq(&before.recipe, &data.recipe)) {
            pairs.follow_configurations(before.table.configurations(), data.table.configurations());
            requests.push(Request::Tell(News::RecipeChanged));
        }
        let is_read_again = read_before.is_some();
        requests.extend(pairs.take_study(previous, &data, shared));
        pairs.return_to_pair(&data, area);
        if is_read_again {
            screens.each(|screen| screen.forget_rows());
        }
        say_damaged_labels(&data.study, shared);
        shared.data = Some(data);
        requests.push(Request::Refresh);
        requests
    }
}
