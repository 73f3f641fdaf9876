//! What a person writes about a study, and what a run has left in its folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use dejaview::study::settings::Settings;
use dejaview::study::{
    Filter, List, Names, PairFilter, Recipe, RunOptions, Session, Snapshot, StudyError, StudyNames, Unwatched, advise,
    run, run_state,
};
use tempfile::TempDir;

/// A `study.toml` is understood, or what is wrong is said with a line that it has.
pub fn recipe(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let path = Path::new("study.toml");
    match Recipe::parse(path, text) {
        Ok(recipe) => {
            let again = Recipe::parse(path, &text.replace('\n', "\r\n"));
            if !text.contains(['\r', '\'', '"']) {
                assert_eq!(format!("{:?}", again.unwrap()), format!("{recipe:?}"), "other ends of lines");
            }
        }
        Err(StudyError::Syntax { line, .. } | StudyError::Key { line, .. }) => {
            assert!((1..=text.lines().count().max(1) + 1).contains(&line), "line {line} of {}", text.lines().count());
        }
        Err(other) => assert!(!other.to_string().is_empty()),
    }
}

/// Settings are understood as far as they go, and every complaint is a line.
pub fn settings(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let settings = Settings::parse(Path::new("config.toml"), text);
    assert!(settings.problems.iter().all(|problem| !problem.is_empty()));
}

/// A filter that was read and written is the same, and what is wrong stands where it is said to stand.
pub fn filter(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let configurations = ["simhash-2", "simhash-3+5", "top"].map(str::to_owned);
    for names in [Names::of_pairs(&configurations), Names::of_judgments(&configurations)] {
        match Filter::parse(text, names) {
            Err(error) => assert!(text.get(error.span()).is_some(), "{error}"),
            Ok(filter) => {
                let written = filter.text(&configurations);
                let again = Filter::parse(&written, names).unwrap_or_else(|error| panic!("{written:?}: {error}"));
                assert_eq!(again, filter, "{text:?} was written {written:?}");
                assert_eq!(again.text(&configurations), written);
            }
        }
    }
    help_with(text, &configurations);
}

/// What is offered at each place can be put there.
fn help_with(text: &str, configurations: &[String]) {
    let study = StudyNames {
        list: List::Pairs,
        configurations: configurations.to_vec(),
        chosen: None,
        segments: vec!["00".to_owned(), "a b".to_owned()],
        tracks: vec!["web".to_owned()],
        topics: vec![("51".to_owned(), "horse hooves".to_owned())],
        grades: vec!["-2".to_owned()],
    };
    for cursor in [0, text.len() / 2, text.len()] {
        let advice = advise(text, cursor, &study);
        for completion in advice.completions.iter().take(3) {
            let (completed, end) = advice.completed(text, completion);
            assert!(completed.is_char_boundary(end), "{completed:?} at {end}");
        }
    }
}

/// A study that was run once, and whatever stands in one of the files that the run left: it is opened, or that is refused.
pub fn workspace(bytes: &[u8]) {
    const FILES: [&str; 9] = [
        "source.json",
        "segments/00.json",
        "manifest.json",
        "both/00.json",
        "source.skipped",
        "skipped/00.skipped",
        "run.json",
        "statistics",
        "outputs.json",
    ];
    let Some((&first, bytes)) = bytes.split_first() else { return };
    let study = finished_study();
    let file = study.join(".dejaview").join(FILES[usize::from(first) % FILES.len()]);
    let before = fs::read(&file).ok();
    fs::write(&file, bytes).unwrap();
    look_at(study);
    match before {
        Some(before) => fs::write(&file, before).unwrap(),
        None => fs::remove_file(&file).unwrap(),
    }
}

/// Asks for everything that a run has left.
fn look_at(study: &Path) {
    let snapshot = Snapshot::open(study).unwrap();
    snapshot.summary().unwrap();
    let summaries = snapshot.input_summaries().unwrap();
    for summary in &summaries {
        let _ = snapshot.each_skipped(&summary.segment, &mut |_| true);
    }
    snapshot.both_sides().unwrap();
    let _ = snapshot.unfinished();
    if let Ok(files) = snapshot.pairs(PairFilter::default()) {
        assert!(files.iter().all(|open| open.file.pairs().count() == open.file.len()));
    }
    let _ = snapshot.table().map(|table| table.len());
    snapshot.stale_segments();
    let _ = snapshot.configurations();
    run_state(snapshot.session());
}

/// Words that are searched for are found or refused, whatever they are.
pub fn query(bytes: &[u8]) {
    static STUDY: OnceLock<Snapshot> = OnceLock::new();
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let study = STUDY.get_or_init(|| Snapshot::open(finished_study()).unwrap());
    if let Ok(found) = study.index().unwrap().search(text, None, 10) {
        assert!(found.len() <= 10);
        for result in &found {
            assert!(study.index().unwrap().contains(result.side, &result.id).unwrap(), "{} is kept", result.id);
        }
    }
}

/// A small study that was run, made once; documents of every kind, and one that stands on both sides.
fn finished_study() -> &'static Path {
    static STUDY: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = STUDY.get_or_init(|| {
        let folder = TempDir::new().unwrap();
        let study = folder.path().join("study");
        fs::create_dir(&study).unwrap();
        let text = "the quick brown fox jumps over the lazy dog and runs away from it";
        let line = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
        let documents = |ids: &[&str]| ids.iter().map(|id| line(id, text)).collect::<String>() + "{}\n";
        fs::write(study.join("old.jsonl"), documents(&["a", "b", "both"])).unwrap();
        fs::write(study.join("new.jsonl"), documents(&["c", "both"]) + &line("d", "another text of six words")).unwrap();
        let recipe = "name = \"small\"\n[source]\ndocuments = [\"old.jsonl\"]\n[[target]]\nsegment = \"00\"\ndocuments = \
                      [\"new.jsonl\"]\n[[configuration]]\nmethod = \"simhash\"\n[[configuration]]\nmethod = \"imatch\"\n";
        fs::write(study.join("study.toml"), recipe).unwrap();
        let session = Session::open(&study).unwrap();
        run(&session, RunOptions { threads: 1, fresh: false }, &Unwatched::default()).unwrap();
        fs::create_dir_all(study.join(".dejaview/both")).unwrap();
        (folder, study)
    });
    path
}
