//! Journals on a real disk.

use std::fs;

use super::{label, seqs};
use crate::{
    Access, Backoff, Event, Holder, Journal, Journals, Label, LabelsError, Problem, SettledBy, Writer, line, read_all,
};
use dejaview_base::both::BothSides;

#[test]
fn opening_writes_nothing_and_the_first_event_makes_the_file() {
    let study = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(study.path(), "Ann B").unwrap();
    let path = study.path().join("labels").join("Ann%20B.jsonl");
    assert_eq!((journal.path(), journal.access(), journal.annotator()), (path.clone(), &Access::Write, "Ann B"));
    assert!(!path.exists());
    assert_eq!(journal.append(&label("a", Label::Not)).unwrap(), 1);
    drop(journal);
    let mut journal = Journal::open(study.path(), "Ann B").unwrap();
    assert_eq!(journal.append(&label("b", Label::Not)).unwrap(), 2);
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
    let all = read_all(study.path(), &BothSides::default()).unwrap();
    assert_eq!((all.len(), all[0].annotator.as_str()), (1, "Ann B"));
    assert_eq!(&all[0].reading, journal.reading());
}

#[test]
fn a_second_process_can_only_read() {
    let study = tempfile::tempdir().unwrap();
    let mut first = Journal::open(study.path(), "ann").unwrap();
    first.append(&label("a", Label::Not)).unwrap();
    let mut second = Journal::open(study.path(), "ann").unwrap();
    let Access::ReadOnly { holder, .. } = second.access() else { panic!("both would write") };
    assert_eq!(holder, &Some(Holder::this()));
    assert_eq!(second.reading().events.len(), 1);
    let error = second.append(&label("b", Label::Not)).unwrap_err();
    assert!(error.to_string().contains(&format!("process {}", std::process::id())), "{error}");
    assert!(matches!(Writer::start(second, Backoff::default(), |_| ()), Err(LabelsError::ReadOnly { .. })));
    assert_eq!(Journal::open(study.path(), "bob").unwrap().access(), &Access::Write);
    drop(first);
    assert_eq!(Journal::open(study.path(), "ann").unwrap().access(), &Access::Write);
}

#[test]
fn a_torn_end_is_set_aside() {
    let study = tempfile::tempdir().unwrap();
    let path = study.path().join("labels").join("ann.jsonl");
    Journal::open(study.path(), "ann").unwrap().append(&label("a", Label::Not)).unwrap();
    let whole = fs::read(&path).unwrap();
    fs::write(&path, [&whole, &whole[..30]].concat()).unwrap();
    let mut journal = Journal::open(study.path(), "ann").unwrap();
    assert_eq!(journal.reading().problems.len(), 1);
    assert_eq!(fs::read(&path).unwrap().len(), whole.len() + 30, "reading repairs nothing");
    journal.append(&label("b", Label::Not)).unwrap();
    assert_eq!(fs::read(path.with_extension("torn")).unwrap(), [&whole[..30], b"\n"].concat());
    let reading = &read_all(study.path(), &BothSides::default()).unwrap()[0].reading;
    assert_eq!((seqs(&reading.events), reading.problems.len()), (vec![1, 2], 0));
}

#[test]
fn lines_that_are_gone_from_the_end_are_told_until_they_are_back() {
    let study = tempfile::tempdir().unwrap();
    fs::write(study.path().join("study.toml"), "").unwrap();
    let path = study.path().join("labels").join("ann.jsonl");
    let problems = || read_all(study.path(), &BothSides::default()).unwrap().remove(0).reading.problems;
    let told = || matches!(problems()[..], [Problem::EndIsGone { seq: 3, .. }]);
    let mut journal = Journal::open(study.path(), "ann").unwrap();
    for target in ["a", "b", "c"] {
        journal.append(&label(target, Label::Not)).unwrap();
        assert_eq!(problems(), []);
    }
    drop(journal);
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, whole.lines().take(2).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    assert!(told());
    // Whoever goes on does not take its number, and is told still.
    let mut journal = Journal::open(study.path(), "ann").unwrap();
    assert!(matches!(journal.reading().problems[..], [Problem::EndIsGone { line: 3, seq: 3, .. }]));
    assert_eq!(journal.append(&label("d", Label::Not)).unwrap(), 4);
    drop(journal);
    let gap = Problem::Missing { line: 3, numbers: 1 };
    assert!(
        matches!(&problems()[..], [first, Problem::EndIsGone { line: 4, .. }] if *first == gap),
        "{:?}",
        problems()
    );
    let shorter = fs::read_to_string(&path).unwrap();
    // The later copy in its place lacks what was given since.
    fs::write(&path, &whole).unwrap();
    assert!(matches!(problems()[..], [Problem::EndIsGone { seq: 4, .. }]), "{:?}", problems());
    // A last line that is damaged is told once.
    fs::write(&path, shorter.replace("\"d\"", "\"D\"")).unwrap();
    assert!(matches!(problems()[..], [Problem::Checksum { line: 3 }]), "{:?}", problems());
    fs::write(&path, format!("{shorter}{}\n", whole.lines().nth(2).unwrap())).unwrap();
    assert_eq!(problems(), [], "it is back");
    // Or the shorter one is meant.
    fs::write(&path, &shorter).unwrap();
    let note = study.path().join(".dejaview/journals/ann.last");
    assert!(problems()[1].to_string().contains("ann.last"), "it says what to remove");
    fs::remove_file(note).unwrap();
    assert_eq!(problems(), [gap]);
}

/// Who labels under another name and begins anew under the old one loses nothing.
#[test]
fn a_journal_with_another_name_is_not_gone_and_the_old_name_begins_anew() {
    let study = tempfile::tempdir().unwrap();
    fs::write(study.path().join("study.toml"), "").unwrap();
    let journal = |name: &str| study.path().join("labels").join(format!("{name}.jsonl"));
    let save = |name: &str, target: &str| {
        let mut journal = Journal::open(study.path(), name).unwrap();
        assert_eq!(journal.reading().problems, [], "{name}");
        journal.append(&label(target, Label::Not)).unwrap()
    };
    let problems = || {
        let all = Journals::read(study.path(), SettledBy::Majority, &BothSides::default()).unwrap();
        (all.damaged_lines().count(), all.removed().len())
    };
    assert_eq!([save("ann", "a"), save("ann", "b")], [1, 2]);
    fs::rename(journal("ann"), journal("zoe")).unwrap();
    assert_eq!(problems(), (0, 0));
    assert_eq!([save("zoe", "c"), save("ann", "d")], [3, 1]);
    assert_eq!(problems(), (0, 0));
    fs::remove_file(journal("zoe")).unwrap();
    assert_eq!(problems(), (0, 1));
}

#[test]
fn journals_of_others_that_cannot_be_read_keep_nobody_from_labelling() {
    let study = tempfile::tempdir().unwrap();
    fs::write(study.path().join("study.toml"), "").unwrap();
    Journal::open(study.path(), "ann").unwrap().append(&label("a", Label::Not)).unwrap();
    fs::write(study.path().join("labels/ann.jsonl"), "").unwrap();
    fs::create_dir(study.path().join("labels/bob.jsonl")).unwrap();
    let mut journal = Journal::open(study.path(), "ann").unwrap();
    assert!(matches!(journal.reading().problems[..], [Problem::EndIsGone { seq: 1, .. }]));
    assert_eq!(journal.append(&label("b", Label::Not)).unwrap(), 2);
}

/// The disk took labels and no note: that is made up for.
#[test]
fn a_note_that_could_not_be_written_is_written_later() {
    let study = tempfile::tempdir().unwrap();
    fs::write(study.path().join("study.toml"), "").unwrap();
    let folder = study.path().join(".dejaview/journals");
    let mut journal = Journal::open(study.path(), "ann").unwrap();
    // In the place of what is written beside it.
    fs::create_dir_all(folder.join("ann.part")).unwrap();
    journal.append(&label("a", Label::Not)).unwrap();
    let problems = || read_all(study.path(), &BothSides::default()).unwrap().remove(0).reading.problems;
    assert!(problems().is_empty() && !folder.join("ann.last").exists());
    fs::remove_dir(folder.join("ann.part")).unwrap();
    drop(journal);
    fs::write(study.path().join("labels/ann.jsonl"), "").unwrap();
    assert!(matches!(problems()[..], [Problem::EndIsGone { seq: 1, .. }]), "{:?}", problems());
    // One that is damaged stays so until somebody has removed it, whatever is labelled.
    fs::write(folder.join("ann.last"), "1").unwrap();
    Journal::open(study.path(), "ann").unwrap().append(&label("b", Label::Not)).unwrap();
    assert!(matches!(problems()[..], [Problem::NothingKnownOfEnd { .. }]), "{:?}", problems());
    fs::remove_file(folder.join("ann.last")).unwrap();
    assert_eq!(problems(), []);
}

/// What could not be read again is not called saved.
#[test]
fn an_event_behind_the_highest_number_is_refused() {
    let study = tempfile::tempdir().unwrap();
    let path = study.path().join("labels").join("ann.jsonl");
    fs::create_dir(study.path().join("labels")).unwrap();
    let last = Event { seq: 1 << 53, ..label("a", Label::Not) };
    fs::write(&path, line::encode(&last).0 + "\n").unwrap();
    let before = fs::read(&path).unwrap();
    let why = Journal::open(study.path(), "ann").unwrap().append(&label("b", Label::Not)).unwrap_err().to_string();
    assert!(why.contains("another name"), "{why}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_file_replaced_or_removed_while_open_loses_nothing() {
    let study = tempfile::tempdir().unwrap();
    let path = study.path().join("labels").join("ann.jsonl");
    let mut journal = Journal::open(study.path(), "ann").unwrap();
    journal.append(&label("a", Label::Not)).unwrap();
    let old = fs::read(&path).unwrap();
    journal.append(&label("b", Label::Not)).unwrap();
    // As git does: a new file under the same name.
    fs::write(path.with_extension("new"), &old).unwrap();
    fs::rename(path.with_extension("new"), &path).unwrap();
    journal.append(&label("c", Label::Not)).unwrap();
    assert_eq!(seqs(&read_all(study.path(), &BothSides::default()).unwrap()[0].reading.events), [1, 2, 3]);
    fs::remove_dir_all(study.path().join("labels")).unwrap();
    journal.append(&label("d", Label::Not)).unwrap();
    assert_eq!(seqs(&read_all(study.path(), &BothSides::default()).unwrap()[0].reading.events), [1, 2, 3, 4]);
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_that_names_it() {
    let study = tempfile::tempdir().unwrap();
    fs::write(study.path().join("labels"), "a file where the folder should be").unwrap();
    let opened = Journal::open(study.path(), "ann").and_then(|mut journal| journal.append(&label("a", Label::Not)));
    let error = opened.unwrap_err().to_string();
    assert!(error.contains("ann.jsonl"), "{error}");
}

#[test]
fn a_study_that_is_gone_is_said_and_not_made_anew() {
    let place = tempfile::tempdir().unwrap();
    let (study, moved) = (place.path().join("study"), place.path().join("moved"));
    fs::create_dir(&study).unwrap();
    fs::write(study.join("study.toml"), "").unwrap();
    let mut journal = Journal::open(&study, "ann").unwrap();
    journal.append(&label("a", Label::Not)).unwrap();
    fs::rename(&study, &moved).unwrap();
    let error = journal.append(&label("b", Label::Not)).unwrap_err();
    assert!(error.to_string().contains("the study is gone"), "{error}");
    assert!(!study.exists(), "nothing lies where it was");
    // An empty folder in its place, as an unmounted disk leaves one, is no study either.
    fs::create_dir(&study).unwrap();
    journal.append(&label("b", Label::Not)).unwrap_err();
    assert!(!study.join("labels").exists());
    fs::remove_dir_all(&study).unwrap();
    fs::rename(&moved, &study).unwrap();
    journal.append(&label("b", Label::Not)).unwrap();
    let reading = &read_all(&study, &BothSides::default()).unwrap()[0].reading;
    assert_eq!((seqs(&reading.events), reading.problems.len()), (vec![1, 2], 0));
}

#[test]
fn a_second_writer_after_its_lock_was_removed_is_refused() {
    let study = tempfile::tempdir().unwrap();
    let mut first = Journal::open(study.path(), "ann").unwrap();
    first.append(&label("a", Label::Not)).unwrap();
    fs::remove_dir_all(study.path().join(".dejaview")).unwrap();
    let mut second = Journal::open(study.path(), "ann").unwrap();
    second.append(&label("b", Label::Not)).unwrap();
    let error = first.append(&label("c", Label::Not)).unwrap_err();
    assert!(error.to_string().contains("another process writes it"), "{error}");
    drop(second);
    first.append(&label("c", Label::Not)).unwrap();
    let reading = &read_all(study.path(), &BothSides::default()).unwrap()[0].reading;
    assert_eq!((seqs(&reading.events), reading.problems.len()), (vec![1, 2, 3], 0));
}

#[test]
fn a_pipe_in_the_place_of_a_journal_is_not_waited_for() {
    let study = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(study.path(), "ann").unwrap();
    journal.append(&label("a", Label::Not)).unwrap();
    let path = journal.path();
    fs::rename(&path, path.with_extension("kept")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let error = journal.append(&label("b", Label::Not)).unwrap_err();
    assert!(error.to_string().contains("it is a pipe, and a file is wanted"), "{error}");
    fs::rename(path.with_extension("kept"), &path).unwrap();
    journal.append(&label("b", Label::Not)).unwrap();
    let reading = &read_all(study.path(), &BothSides::default()).unwrap()[0].reading;
    assert_eq!((seqs(&reading.events), reading.problems.len()), (vec![1, 2], 0));
}
