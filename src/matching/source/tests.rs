//! What becomes of a run when a method breaks over one document.

use super::*;
use crate::import::NamedPairs;
use crate::pass::pass;
use crate::reading::Unlisted;
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
            let options = ReadOptions {
                inputs: std::slice::from_ref(source),
                content: &Content::All,
                configurations: &configurations,
                threads,
                progress: &progress,
                keep: &|_| {},
                keep_all: false,
                sides: &Sides::default(),
                skips: &Unlisted,
                elsewhere: &|_| false,
            };
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
