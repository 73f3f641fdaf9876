//! A run of the study while the explorer is open: started here or elsewhere, stopped, killed.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use dejaview::study::{RunState, Session, Snapshot, run_state};
use dejaview::tui::headless::Headless;

use super::support::{Copy, copy, headless, sample};

const SIZE: (u16, u16) = (120, 32);

/// The sample study without what a run made of it; samples and labels stay.
fn not_run() -> Copy {
    let study = copy(sample());
    fs::remove_dir_all(study.path().join(".dejaview")).unwrap();
    study
}

/// `dejaview run`, as another terminal would start it.
fn run_elsewhere(study: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dejaview"));
    command.args(["run", "--threads", "1"]).arg(study).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// Waits until the run is as wanted, or is over.
fn until(study: &Path, child: &mut Child, wanted: impl Fn(&RunState) -> bool) -> bool {
    let session = Session::open(study).unwrap();
    loop {
        if wanted(&run_state(&session)) {
            return true;
        }
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn is_at_work(state: &RunState) -> bool {
    state.running().is_some_and(|progress| progress.segments > 0)
}

/// Kills a run when it is as wanted. One that was over too soon is tried again.
fn killed_when(study: &Path, wanted: impl Fn(&RunState) -> bool, mut watching: impl FnMut()) {
    loop {
        let mut child = run_elsewhere(study);
        let caught = until(study, &mut child, &wanted);
        if caught {
            watching();
        }
        let _ = child.kill();
        child.wait().unwrap();
        if caught {
            return;
        }
        fs::remove_dir_all(study.join(".dejaview")).unwrap();
    }
}

fn explorer(study: &Path) -> Headless {
    headless(study, SIZE, Some("ann")).running_with(env!("CARGO_BIN_EXE_dejaview").into())
}

fn pairs(explorer: &Headless) -> usize {
    explorer.app.shared.data.as_ref().map_or(0, |data| data.table.len())
}

#[test]
fn a_run_is_started_from_home_and_its_pairs_appear() {
    let study = not_run();
    let mut explorer = explorer(study.path());
    assert_eq!(pairs(&explorer), 0);
    explorer.keys("R");
    let whole = Snapshot::open(sample()).unwrap().table().unwrap().len();
    assert_eq!(pairs(&explorer), whole, "{}", explorer.text());
    assert_eq!(explorer.app.shared.run, RunState::Idle);
    assert_eq!(explorer.app.shared.message.as_deref(), Some("Run finished"));
    assert!(!study.path().join(".dejaview/run.json").exists());
}

#[test]
fn a_run_that_fails_says_why() {
    let study = not_run();
    fs::remove_dir_all(study.path().join("crawl-2009")).unwrap();
    let mut explorer = explorer(study.path());
    explorer.keys("1 R");
    let message = explorer.app.shared.message.clone().unwrap_or_default();
    assert!(message.starts_with("The run ended early: ") && message.contains("matches no file"), "{message}");
    assert!(explorer.app.shared.run.running().is_none());
}

#[test]
fn a_run_that_is_killed_is_recognised_and_what_it_finished_is_kept() {
    let study = not_run();
    let mut explorer = explorer(study.path());
    let finished_one = |state: &RunState| state.running().is_some_and(|progress| progress.finished > 0);
    killed_when(study.path(), finished_one, || {
        explorer.look_at_run();
        assert!(explorer.text().contains("run: ") && explorer.text().contains("finished · "), "{}", explorer.text());
    });
    explorer.look_at_run();
    let RunState::Interrupted(progress) = explorer.app.shared.run.clone() else {
        panic!("{:?}", explorer.app.shared.run)
    };
    assert_eq!((progress.segments, progress.ended), (4, None));
    assert!(progress.finished > 0);
    let message = explorer.app.shared.message.clone().unwrap_or_default();
    assert!(message.starts_with("The run ended early: it was killed. "), "{message}");
    let part = pairs(&explorer);
    assert!(part > 0, "pairs of finished segments appear");
    explorer.keys("1 R");
    assert!(pairs(&explorer) > part, "the next run goes on");
    assert_eq!(explorer.app.shared.run, RunState::Idle);
}

#[test]
fn a_run_from_elsewhere_is_stopped_and_labels_and_cursor_stay() {
    let study = not_run();
    let labels = study.path().join("labels");
    let journal = || fs::read(labels.join("ann.jsonl")).unwrap_or_default();
    let finished_one = |state: &RunState| state.running().is_some_and(|progress| progress.finished > 0);
    killed_when(study.path(), finished_one, || {});
    let mut explorer = explorer(study.path());
    explorer.keys("3 j j j");
    let under = |explorer: &Headless| {
        let row = explorer.app.screens.get::<dejaview::tui::screens::pairs::Pairs>().current().unwrap();
        let (source, target) = explorer.app.shared.data.as_ref().unwrap().table.ids(row);
        (source.to_owned(), target.to_owned())
    };
    let (pair, before, written) = (under(&explorer), pairs(&explorer), journal());
    let mut child = run_elsewhere(study.path());
    assert!(until(study.path(), &mut child, is_at_work));
    explorer.look_at_run();
    explorer.keys("0 x 3");
    child.wait().unwrap();
    explorer.look_at_run();
    let state = explorer.app.shared.run.clone();
    match &state {
        RunState::Interrupted(progress) => assert_eq!(progress.ended.as_deref(), Some("it was stopped")),
        // It may have been at its end.
        other => assert_eq!(*other, RunState::Idle),
    }
    let mut child = run_elsewhere(study.path());
    assert!(until(study.path(), &mut child, |state| state.running().is_some()));
    explorer.look_at_run();
    assert!(child.wait().unwrap().success());
    explorer.look_at_run();
    assert!(pairs(&explorer) >= before);
    assert_eq!(under(&explorer), pair, "the cursor stays on its pair");
    assert_eq!(journal(), written, "labels are not touched");
}

#[test]
fn a_segment_that_changed_after_its_run_is_said_on_every_screen_until_it_is_run_again() {
    let study = not_run();
    let recipe = study.path().join("study.toml");
    // Statistics of both sides would make every pair out of date.
    let text = fs::read_to_string(&recipe).unwrap().replace("statistics = \"both\"", "statistics = \"source\"");
    fs::write(&recipe, text).unwrap();
    assert!(run_elsewhere(study.path()).wait().unwrap().success());
    let explorer = explorer(study.path());
    assert!(explorer.text().contains("✓ complete"), "{}", explorer.text());

    let archive = study.path().join("crawl-2012/02.warc.gz");
    let mut bytes = fs::read(&archive).unwrap();
    bytes.extend([0; 20]);
    fs::write(&archive, bytes).unwrap();
    let mut explorer = self::explorer(study.path());
    let home = explorer.text();
    assert!(!home.contains("✓ complete") && home.contains("! segment 02 has changed"), "{home}");
    assert!(home.contains("R Run the study again") && home.contains("1 segment changed"), "{home}");
    for screen in ["2", "3", "6", "7", "8", "9"] {
        let text = explorer.keys(screen).text();
        let head = text.lines().next().unwrap_or_default();
        assert!(
            head.contains("! segment 02 has changed") || head.contains("! target changed"),
            "screen {screen}: {head}"
        );
    }
    explorer.keys("1 R");
    let home = explorer.text();
    assert!(home.contains("✓ complete") && !home.contains("has changed"), "{home}");
}
