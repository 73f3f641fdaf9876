//! What Label has done on other threads: a sample is read, and what its labels say is estimated.

use super::new_sample::NewSample;
use super::{Label, SampleEstimates, read_labels};
use crate::book::Book;
use crate::contract::{Here, Job, Request, Screens, Stop};
use crate::jobs::Backend;
use crate::logbook::LogLine;
use crate::shared::Shared;
use dejaview_evaluation::estimates::Unsure;
use dejaview_evaluation::sample::Sample;
use dejaview_report::numbers::plural;
use dejaview_study::{AgreementOn, Snapshot, StudyError};

impl Label {
    /// Asks what the labels of the sample say, once it is finished and all of them are on the disk.
    pub(super) fn ask_estimate(&mut self, book: &Book) -> Option<Request> {
        let fresh = self.estimated != book.events();
        let wanted = fresh && self.finished && book.pending() == 0;
        let sample = self.sample().filter(|_| wanted)?.name.clone();
        self.estimated = book.events();
        Some(Request::job(EstimateSample { sample }))
    }

    /// Samples have changed: counts them again, and reads the one that is labelled once more.
    pub(super) fn samples_changed(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        let mut requests = read_labels(here);
        match &self.sample {
            Some(Ok(sample)) => requests.push(Request::job(LookAtSample { name: sample.name.clone() })),
            Some(Err(_)) if here.shared.screen == Self::ID && self.deck.is_none() => {
                requests.extend(self.read_sample(here));
            }
            _ => {}
        }
        requests
    }

    /// Reads the sample that is chosen; where there are several and none was chosen, asks which; in a study without any,
    /// asks how one shall be drawn.
    pub(super) fn read_sample(&mut self, here: &Here<'_>) -> Vec<Request> {
        match (&here.shared.sample, here.sound()) {
            (Some(_), Some(data)) if must_choose(here.shared) => vec![self.ask_for_sample(data, here.shared)],
            (Some(name), Some(_)) => vec![Request::job(ReadSample { name: name.clone() })],
            (None, Some(data)) => {
                self.offered = true;
                NewSample::open(data, here.shared)
            }
            (_, None) => Vec::new(),
        }
    }
}

/// Whether the person is to be asked which sample shall be opened.
pub(super) fn must_choose(shared: &Shared) -> bool {
    !shared.sample_is_chosen && shared.sample_names().len() > 1
}

/// Reads a sample.
#[derive(Debug)]
pub struct ReadSample {
    pub name: String,
}

impl Job for ReadSample {
    type Output = Result<Box<Sample>, String>;
    const NAME: &'static str = "read the sample";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let sample = dejaview_study::drawn_sample(&backend.study(), &self.name);
        Some(sample.map(Box::new).map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |sample| format!("read sample {}", sample.name))
    }

    fn deliver(output: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        let label = screens.get_mut::<Label>();
        // Another one was chosen meanwhile.
        let other = output.as_ref().is_ok_and(|sample| Some(&sample.name) != shared.sample.as_ref());
        if other || label.sample().is_some() {
            return Vec::new();
        }
        let requests = label.open_sample(output.map(|sample| *sample), shared);
        let changed = shared.sample.as_ref().and_then(|name| shared.changed(name)).map(|changed| changed.short());
        shared.message = changed.or(shared.message.take()).or(shared.one_of_several());
        requests
    }
}

/// Reads the sample that is labelled once more: somebody may have drawn it again.
#[derive(Debug)]
struct LookAtSample {
    name: String,
}

impl Job for LookAtSample {
    type Output = Result<Box<Sample>, String>;
    const NAME: &'static str = "look whether the sample was drawn again";
    const LISTED: bool = false;

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let sample = dejaview_study::drawn_sample(&backend.study(), &self.name);
        Some(sample.map(Box::new).map_err(|error| error.to_string()))
    }

    fn line(sample: &Self::Output) -> Option<LogLine> {
        sample.is_err().then(|| LogLine::from_result(sample, |_| String::new())).flatten()
    }

    fn deliver(sample: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        let label = screens.get_mut::<Label>();
        let Some(labelled) = label.sample() else { return Vec::new() };
        let sample = match sample {
            Ok(sample) if sample.name != labelled.name || *sample == *labelled => return Vec::new(),
            Ok(sample) => sample,
            Err(why) => {
                shared.message = Some(format!("✗ The sample cannot be read any more: {why}"));
                return Vec::new();
            }
        };
        let how = if sample.extends(labelled) { "made longer" } else { "drawn again" };
        let said =
            format!("Sample {} was {how} meanwhile: it has {}", sample.name, plural(sample.pairs.len() as u64, "pair"));
        let deck = label.deck.take();
        let mut requests = vec![label.forget()];
        label.deck = deck;
        requests.extend(label.open_sample(Ok(*sample), shared));
        shared.message = Some(format!("{said}. Your labels are kept, those of other pairs too"));
        requests
    }
}

/// Estimates from the labels that all annotators gave to a sample.
#[derive(Debug)]
pub struct EstimateSample {
    pub(super) sample: String,
}

impl Job for EstimateSample {
    type Output = Result<Box<SampleEstimates>, String>;
    const NAME: &'static str = "estimate from labels";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(estimate(&backend.study(), &self.sample).map(Box::new).map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |said| format!("estimated from sample {}", said.estimates.sample))
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Label>().estimates = output.ok();
        Vec::new()
    }
}

fn estimate(study: &Snapshot, sample: &str) -> Result<SampleEstimates, StudyError> {
    let estimates = dejaview_study::estimates(study, sample, Unsure::Out)?;
    Ok(SampleEstimates { estimates, agreement: dejaview_study::agreement(study, AgreementOn::Sample(sample))? })
}
