//! What the dialog has done on other threads: the preview of a sample, and the draw itself.

use crate::action::Action;
use crate::contract::{Job, Request, Screens, Stop};
use crate::jobs::Backend;
use crate::logbook::LogLine;
use crate::screens::label::Label;
use crate::screens::label::read_labels::ReadLabels;
use crate::shared::Shared;
use dejaview_evaluation::sample::Sample;
use dejaview_study::{SampleDraw, SamplePreview, Unwatched};

/// Says what a sample would be.
#[derive(Debug)]
pub struct PreviewSample {
    pub draw: SampleDraw,
}

impl Job for PreviewSample {
    type Output = (SampleDraw, Result<SamplePreview, String>);
    const NAME: &'static str = "preview a sample";
    const LISTED: bool = false;

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let preview = dejaview_study::preview_sample(&backend.study(), &self.draw);
        Some((self.draw, preview.map_err(|error| error.to_string())))
    }

    fn line(_: &Self::Output) -> Option<LogLine> {
        None
    }

    fn deliver(output: Self::Output, _: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        shared.sample_preview = Some(output);
        Vec::new()
    }
}

/// Draws a sample and opens it.
#[derive(Debug)]
pub struct DrawSample {
    pub draw: SampleDraw,
}

impl Job for DrawSample {
    type Output = Result<Box<Sample>, String>;
    const NAME: &'static str = "draw a sample";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let study = &backend.study();
        // Who only looks keeps no sample.
        let sample = if backend.only_looks {
            dejaview_study::sample_to_look_at(study, &self.draw)
        } else {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            dejaview_study::draw_sample(study, &self.draw, Some((&Unwatched::default(), threads))).map(|drawn| drawn.0)
        };
        Some(sample.map(Box::new).map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |sample| format!("drew sample {}, {} pairs", sample.name, sample.pairs.len()))
    }

    fn deliver(output: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        let sample = match output {
            Ok(sample) => sample,
            Err(why) => {
                shared.message = Some(format!("✗ No sample was drawn: {why}"));
                return Vec::new();
            }
        };
        shared.sample = Some(sample.name.clone());
        shared.sample_is_chosen = true;
        let label = screens.get_mut::<Label>();
        let mut requests = vec![label.forget()];
        requests.extend(shared.data.clone().map(|data| Request::job(ReadLabels { data })));
        requests.extend(label.open_sample(Ok(*sample), shared));
        if shared.screen != Label::ID {
            requests.push(Request::Act(Action::Go(Label::ID)));
        }
        requests
    }
}
