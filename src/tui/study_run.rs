//! A run of the study, started, watched and stopped from the explorer.
//!
//! A run is a process of its own, `dejaview run` of the same program: its threads and its memory are not the explorer's, so
//! keys stay fast, and nothing of it is written to the terminal. It goes on when the explorer is left. One that was started
//! elsewhere is watched and stopped in the same way, by what it reports in the study ([`dejaview_study::run_state`]).

use std::io::{self, BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use super::contract::{Job, News, Request, Screens, Stop};
use super::event::{Event, Stamped};
use super::jobs::Backend;
use super::logbook::LogLine;
use super::screens::pairs::opening::{CheckLabels, ReadStudy};
use super::shared::Shared;
use dejaview_base::system::outlives_the_terminal;
use dejaview_report::numbers::{count, percent, plural, seconds};
use dejaview_study::{RunProgress, RunState, StaleSegments, Stamp, run_state, stop_run};
use dejaview_text::printable;

/// Time between two looks at the report of a run.
const INTERVAL: Duration = Duration::from_millis(500);

/// Between two looks at the files of the study so many looks at the report are taken: there may be many files.
const LOOKS: usize = 4;

/// Sends what a run of the study is doing into the stream of events, whenever that changes, and that files of the study have
/// changed.
pub(super) fn watch(backend: Arc<Backend>, events: Sender<Stamped>, start: Instant) -> io::Result<()> {
    let watch = move || {
        let mut watcher = Watcher::new(&backend);
        for look in 1.. {
            thread::sleep(if look == 1 { Duration::ZERO } else { INTERVAL });
            for event in watcher.look(&backend, look % LOOKS == 0) {
                if events.send(Stamped { at: start.elapsed(), event }).is_err() {
                    return;
                }
            }
        }
    };
    thread::Builder::new().name("run".to_owned()).spawn(watch).map(drop)
}

/// What was seen of a study when it was last looked at.
pub(super) struct Watcher {
    run: RunState,
    files: Stamp,
}

impl Watcher {
    pub(super) fn new(backend: &Backend) -> Self {
        Self { run: RunState::default(), files: backend.stamp() }
    }

    /// Looks again what the run is doing; at the files where that is asked for, and at the end of a run, which has written
    /// many.
    pub(super) fn look(&mut self, backend: &Backend, at_files: bool) -> Vec<Event> {
        let before = std::mem::replace(&mut self.run, run_state(&backend.session()));
        let has_ended = before.running().is_some() && self.run.running().is_none();
        let mut changed = Changed::default();
        if at_files || has_ended {
            let files = std::mem::replace(&mut self.files, backend.stamp());
            changed = Changed::between(&files, &self.files, &backend.own_journals());
        }
        news(&before, &self.run, changed)
    }
}

/// Which files of a study have changed between two looks.
#[derive(Debug, Clone, Copy, Default)]
struct Changed {
    /// Those that it is read from.
    study: bool,
    samples: bool,
    labels: bool,
    /// Labels of others among them.
    others: bool,
}

impl Changed {
    fn between(before: &Stamp, now: &Stamp, own: &[String]) -> Self {
        Self {
            study: before.study != now.study,
            samples: before.samples != now.samples,
            labels: before.labels != now.labels,
            others: before.labels.without(own) != now.labels.without(own),
        }
    }
}

/// What is told after a look. While a run is at work, the study is read when the run has finished something: what changed
/// meanwhile is read with it.
fn news(before: &RunState, now: &RunState, changed: Changed) -> Vec<Event> {
    let runs = before.running().is_some() || now.running().is_some();
    let told = [
        (now != before).then(|| Event::Run(now.clone())),
        (changed.study && !runs).then_some(Event::StudyChanged),
        changed.samples.then_some(Event::SamplesChanged),
        changed.labels.then_some(Event::LabelsChanged(changed.others)),
    ];
    told.into_iter().flatten().collect()
}

/// Starts a run, unless one is at work.
pub(super) fn start(shared: &mut Shared) -> Vec<Request> {
    if shared.run.running().is_some() {
        shared.message = Some("A run is at work. :stop stops it".to_owned());
        return Vec::new();
    }
    shared.message = Some("Run started. :stop stops it; finished segments are kept".to_owned());
    shared.run = RunState::Running(RunProgress { stage: "start".to_owned(), ..RunProgress::default() });
    vec![Request::job(Run)]
}

/// Stops the run that is at work, whoever started it.
pub(super) fn stop(shared: &mut Shared) -> Vec<Request> {
    if shared.run.running().is_none() {
        shared.message = Some("No run is at work".to_owned());
        return Vec::new();
    }
    shared.message = Some("Stopping the run; finished segments are kept".to_owned());
    vec![Request::job(StopRun)]
}

/// Takes what a run is doing now. The study is read again whenever a segment was finished, and at the end.
pub(super) fn take_state(state: RunState, shared: &mut Shared) -> Vec<Request> {
    let previous = std::mem::replace(&mut shared.run, state);
    let was = previous.running();
    match (was, &shared.run) {
        (Some(_), RunState::Idle) => shared.message = Some("Run finished".to_owned()),
        (Some(_), RunState::Interrupted(progress)) => shared.message = Some(interrupted(progress)),
        _ => {}
    }
    let more_pairs = match (was, shared.run.running()) {
        (Some(was), Some(now)) => was.segments > 0 && now.finished != was.finished,
        (Some(_), None) => true,
        (None, _) => false,
    };
    if more_pairs { vec![Request::job(ReadStudy)] } else { Vec::new() }
}

/// Files of the study have changed, `study.toml` among them or not: it is read again. While a run is at work, that is done
/// when it has finished something.
pub(super) fn take_change(shared: &Shared) -> Vec<Request> {
    if shared.run.running().is_some() { Vec::new() } else { vec![Request::job(ReadStudy)] }
}

/// Samples have changed. A study that could not be read may be mended by that.
pub(super) fn take_samples(shared: &Shared) -> Vec<Request> {
    let mut requests = vec![Request::Tell(News::SamplesChanged)];
    requests.extend(take_labels(shared, false));
    requests
}

/// Labels have changed. Only a study that could not be read is read again, and only journals of others are looked at: those who
/// label would have that done at each label.
pub(super) fn take_labels(shared: &Shared, by_others: bool) -> Vec<Request> {
    match shared.trouble {
        Some(_) => take_change(shared),
        None if by_others => vec![Request::job(CheckLabels), Request::Tell(News::LabelsChanged)],
        None => Vec::new(),
    }
}

/// How a run ended that did not reach its end.
fn interrupted(progress: &RunProgress) -> String {
    let why = progress.ended.as_deref().map_or("it was killed".into(), printable);
    let (finished, all) = (progress.finished, plural(progress.segments as u64, "segment"));
    format!("The run ended early: {why}. {finished} of {all} are finished; :run continues")
}

/// For the tab bar: how far the run is that is at work.
pub fn chip(state: &RunState) -> Option<String> {
    let progress = state.running()?;
    Some(match progress.segments {
        0 => format!("run: {}", progress.stage),
        all => format!("run: {} of {}", progress.finished, plural(all as u64, "segment")),
    })
}

/// For the tab bar: that pairs are of files that have changed since, or that some are missing; the longest words first.
pub fn stale_chips(stale: &StaleSegments) -> Vec<String> {
    let named = |segments: &[String]| match segments {
        [one] => format!("segment {one}"),
        many => plural(many.len() as u64, "segment"),
    };
    let (changed, missing) = (!stale.changed.is_empty(), !stale.missing.is_empty());
    if changed {
        let have = if stale.changed.len() == 1 { "has" } else { "have" };
        return vec![format!("! {} {have} changed", named(&stale.changed)), "! target changed".to_owned()];
    }
    if missing {
        return vec![format!("! {} not run", named(&stale.missing)), "! not all is run".to_owned()];
    }
    if stale.outdated {
        return vec!["! results out of date".to_owned()];
    }
    if stale.untold.is_some() {
        return vec!["! not known whether results are up to date".to_owned(), "! up to date?".to_owned()];
    }
    Vec::new()
}

/// For Home: what the run is doing, or how the last one ended early.
pub fn words(state: &RunState) -> Option<String> {
    let progress = match state {
        RunState::Idle => return None,
        RunState::Interrupted(progress) => return Some(interrupted(progress)),
        RunState::Running(progress) => progress,
    };
    let read = match progress.total_bytes {
        0 => String::new(),
        all => format!(" {}", percent(progress.bytes as f64 / all as f64, 0)),
    };
    let segments = match progress.segments {
        0 => String::new(),
        all => format!(" · {} of {} finished", progress.finished, plural(all as u64, "segment")),
    };
    let found = format!("{}, {} pairs", plural(progress.documents, "document"), count(progress.pairs));
    Some(format!("{}{read}{segments} · {found} · {}", progress.stage, seconds(progress.seconds as f64)))
}

/// Runs the study as a process of its own, and waits for it.
#[derive(Debug)]
pub struct Run;

impl Job for Run {
    /// What the run left behind, and why it failed if it did.
    type Output = (RunState, Result<(), String>);
    const NAME: &'static str = "run the study";

    fn run(self, backend: &Backend, stop: Stop<'_>) -> Option<Self::Output> {
        let result = run_process(backend, stop)?;
        Some((run_state(&backend.session()), result))
    }

    fn line((_, result): &Self::Output) -> Option<LogLine> {
        LogLine::from_result(result, |()| "ran the study".to_owned())
    }

    fn deliver((state, result): Self::Output, _: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        let reported = matches!(state, RunState::Interrupted(_));
        let requests = take_state(state, shared);
        if let Some(why) = result.err().filter(|_| !reported) {
            shared.message = Some(why);
        }
        requests
    }
}

/// None when the run was asked to stop: what it did is then reported by itself.
fn run_process(backend: &Backend, stop: Stop<'_>) -> Option<Result<(), String>> {
    let Some(program) = &backend.program else { return Some(Err("No run can be started from here".to_owned())) };
    let mut command = Command::new(program);
    command.arg("run").arg(backend.session().folder());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    // In a group of its own it outlives the terminal of the explorer.
    let mut child = match outlives_the_terminal(&mut command).spawn() {
        Ok(child) => child,
        Err(why) => return Some(Err(format!("The run could not be started: {why}"))),
    };
    let listen = |stderr| thread::Builder::new().spawn(move || last_line(stderr)).ok();
    let said = child.stderr.take().and_then(listen);
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Some(Ok(())),
            Ok(Some(_)) => {
                let said = said.and_then(|said| said.join().ok()).unwrap_or_default();
                return Some(Err(format!("The run failed: {}", printable(&said))));
            }
            Ok(None) if stop() => {
                let stopped = stop_run(&backend.session());
                // Without it the process is waited for by the system, when the explorer has ended.
                let _ = thread::Builder::new().spawn(move || child.wait());
                return stopped.err().map(|why| Err(why.to_string()));
            }
            Ok(None) => thread::sleep(INTERVAL / 10),
            Err(why) => return Some(Err(format!("The run cannot be watched: {why}"))),
        }
    }
}

/// Reads to the end, so that the writer never waits.
fn last_line(stream: impl Read) -> String {
    let lines = BufReader::new(stream).split(b'\n').map_while(Result::ok);
    let last = lines.filter(|line| !line.is_empty()).last().unwrap_or_default();
    String::from_utf8_lossy(&last).trim_start_matches("dejaview: ").to_owned()
}

/// Asks the run that is at work to stop.
#[derive(Debug)]
pub struct StopRun;

impl Job for StopRun {
    type Output = Result<(), String>;
    const NAME: &'static str = "stop the run";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(stop_run(&backend.session()).map_err(|why| why.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |()| "asked the run to stop".to_owned())
    }

    fn deliver(output: Self::Output, _: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        if let Err(why) = output {
            shared.message = Some(why);
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_changed_is_told_unless_a_run_is_at_work() {
        let running = |finished| RunState::Running(RunProgress { finished, ..RunProgress::default() });
        let ended = || RunState::Interrupted(RunProgress::default());
        let table = [
            (RunState::Idle, RunState::Idle, "StudyChanged"),
            (RunState::Idle, ended(), "Run StudyChanged"),
            (ended(), RunState::Idle, "Run StudyChanged"),
            (ended(), ended(), "StudyChanged"),
            (RunState::Idle, running(0), "Run"),
            (running(0), running(1), "Run"),
            (running(1), running(1), ""),
            (running(1), RunState::Idle, "Run"),
            (running(1), ended(), "Run"),
        ];
        let names = |before: &RunState, now: &RunState, changed| {
            let name = |event: &Event| format!("{event:?}").split('(').next().unwrap_or_default().to_owned();
            news(before, now, changed).iter().map(name).collect::<Vec<_>>().join(" ")
        };
        for (before, now, told) in table {
            let run = if before == now { "" } else { "Run" };
            assert_eq!(names(&before, &now, Changed::default()), run, "{before:?} {now:?}");
            let study = Changed { study: true, ..Changed::default() };
            assert_eq!(names(&before, &now, study), told, "{before:?} {now:?}");
            let others = Changed { samples: true, labels: true, ..Changed::default() };
            let told = format!("{run} SamplesChanged LabelsChanged");
            assert_eq!(names(&before, &now, others), told.trim_start(), "{before:?} {now:?}");
        }
    }
}
