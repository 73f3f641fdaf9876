//! What becomes of a run when a method breaks over one document.

use super::*;
use crate::import::NamedPairs;
use crate::pass::{Found, find, join, pass};
use dejaview_corpus::AcceptedStatus;
use dejaview_methods::{Evidence, Prepared, Reasons, Shape};

/// Breaks over texts with “boom” in them.
#[derive(Debug)]
struct Breaks;

impl Method for Breaks {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        assert!(!document.text().contains("boom"), "boom was there");
        out.push(document.text().len() as u64);
        true
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        (a == b).then_some(Evidence { distance: 0 })
    }

    fn reasons(&self, _: &Prepared<'_>, _: &Prepared<'_>) -> Reasons {
        Reasons::default()
    }
}

/// A file of twenty documents; those of these numbers break the method.
fn file(folder: &std::path::Path, name: &str, broken: &[usize]) -> Input {
    let line = |n: usize| {
        let text = if broken.contains(&n) { "boom" } else { "a text" };
        format!("{{\"id\": \"{name}-{n:02}\", \"text\": \"{text} of {n}\"}}\n")
    };
    let text: String = (0..20).map(line).collect();
    let path = folder.join(name);
    std::fs::write(&path, &text).unwrap();
    Input { path, name: name.to_owned(), format: None, status: AcceptedStatus::Ok, size: text.len() as u64 }
}

#[test]
fn a_document_that_breaks_a_method_ends_the_run_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, first, last] =
        [("whole", &[][..]), ("first", &[3, 17]), ("last", &[19])].map(|(name, of)| file(folder.path(), name, of));
    let configurations = [Configuration { name: "breaks".to_owned(), method: Box::new(Breaks) }];
    for threads in [1, 2, 7] {
        let run = |source: &Input, target: &Input| {
            let progress = Progress::default();
            let options = ReadOptions::of_inputs(std::slice::from_ref(source), &Content::All, threads, &progress);
            let options = ReadOptions { configurations: &configurations, ..options };
            let mut read = Source::read(options, &|_| true)?;
            read.index(&configurations, threads)?;
            pass(ReadOptions { inputs: std::slice::from_ref(target), ..options }, &read, &NamedPairs::default())
                .map(|segment| segment.found.len())
        };
        assert_eq!(run(&whole, &whole).unwrap(), 2 * (10 * 9 / 2), "texts of equal length");
        let error = run(&first, &whole).unwrap_err().to_string();
        assert!(error.contains("the source document first-03 (boom was there)"), "{threads}: {error}");
        let error = run(&whole, &last).unwrap_err().to_string();
        assert!(error.contains("the document last-19 (last, offset ") && error.contains("boom was there"), "{error}");
    }
}

/// What two processes find in a file each is what one finds in both, and what was damaged on the way is seen.
#[test]
fn what_was_found_in_files_adds_up() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["one", "two", "three"].map(|name| file(folder.path(), name, &[]));
    let configurations = [Configuration { name: "breaks".to_owned(), method: Box::new(Breaks) }];
    let progress = Progress::default();
    let options = ReadOptions::of_inputs(&files, &Content::All, 2, &progress);
    let options = ReadOptions { configurations: &configurations, ..options };
    let mut source = Source::read(options, &|id| id.starts_with("one")).unwrap();
    let sketches = source.sketch(&configurations, 2).unwrap();
    source.look_up(&configurations, &sketches, &[]);
    // As a worker has it.
    let mut out = ByteWriter::new(b"kit");
    source.write(&mut out);
    sketches.write(&mut out);
    let bytes = out.seal();
    let mut input = ByteReader::unseal(b"kit", &bytes).unwrap();
    let mut shipped = Source::read_stored(&mut input).unwrap();
    let sketches = Sketches::read(&mut input, 1, shipped.groups.len()).unwrap();
    shipped.look_up(&configurations, &sketches, &[]);
    let named = NamedPairs::default();
    let mut whole = Found::of_segment(options);
    for (number, input) in files.iter().enumerate().rev() {
        let options = ReadOptions { inputs: std::slice::from_ref(input), ..options };
        let bytes = find(options, &[0], &shipped, &named).unwrap().to_bytes();
        for at in (0..bytes.len()).step_by(7) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert!(Found::from_bytes(&damaged, &source, 1).is_none(), "byte {at}");
        }
        assert!(Found::from_bytes(&bytes, &source, 2).is_none(), "of other configurations");
        whole.add_file(number, Found::from_bytes(&bytes, &source, 1).unwrap());
    }
    let gathered = join(options, &source, whole, &[]).unwrap();
    let expected = pass(options, &source, &named).unwrap();
    assert!(!expected.found.is_empty());
    assert_eq!((gathered.found, gathered.hits, gathered.targets), (expected.found, expected.hits, expected.targets));
    assert_eq!((gathered.groups, gathered.digests), (expected.groups, expected.digests));
    assert_eq!((gathered.ids, gathered.both, gathered.in_target), (expected.ids, expected.both, expected.in_target));
}

/// What is read of each file by itself adds up to what is read of all, in any order, and damage is seen.
#[test]
fn what_was_read_in_files_adds_up() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["one", "two", "three"].map(|name| file(folder.path(), name, &[]));
    let progress = Progress::default();
    let options = ReadOptions::of_inputs(&files, &Content::All, 2, &progress);
    let expected = Source::read(options, &|_| true).unwrap();
    let mut gathered = GatheredSource::of_files(files.len());
    for (number, input) in files.iter().enumerate().rev() {
        let alone = ReadOptions { inputs: std::slice::from_ref(input), ..options };
        let bytes = GatheredSource::read(alone, &[0], &|_| true).unwrap().into_bytes();
        for at in (0..bytes.len()).step_by(7) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert!(gathered.add_file(number, &damaged).is_none(), "byte {at}");
        }
        assert!(gathered.add_file(files.len(), &bytes).is_none(), "there is no such file");
        gathered.add_file(number, &bytes).unwrap();
    }
    let gathered = gathered.finish(&Unlisted);
    let facts = |source: &Source| -> Vec<(String, usize, u64, String)> {
        let document = |d: &SourceDocument| (d.id.to_string(), d.file, d.offset, d.text());
        source.documents.iter().map(document).collect()
    };
    assert!(facts(&expected).len() > 3);
    assert_eq!((facts(&gathered), &gathered.digests), (facts(&expected), &expected.digests));
}
