//! The study of the thesis and the papers by one command: its numbers are those of the other commands.

use std::fs;
use std::path::Path;

use crate::manual::{page_text, quoted};
use crate::methods::sample;
use crate::recrawl;
use crate::rows::{root, sources};
use crate::support::{Study, data, dejaview, page, response, small_crawls};

/// Commands, and the tables of the page that each of them prints.
const TABLES: [(&[&str], &[&str]); 5] = [
    (
        &["evaluate", "--experiments", "--format", "csv"],
        &[
            "chapter-3-simhash",
            "chapter-3-cosine-precision",
            "chapter-3-cosine-recall",
            "chapter-3-minhash",
            "lexicons-lexicons",
            "lexicons-other-lexicons",
            "lexicons-stability",
        ],
    ),
    (
        &["urls", "--format", "csv"],
        &[
            "chapter-4-overlap",
            "chapter-4-domains",
            "chapter-4-hosts",
            "chapter-4-same-url",
            "chapter-4-same-url-domains",
            "chapter-4-same-url-depths",
            "chapter-4-against",
        ],
    ),
    (
        &["figures", "--format", "csv"],
        &[
            "chapter-5-pairs",
            "chapter-5-accumulated",
            "chapter-5-jaccard",
            "chapter-5-best",
            "chapter-5-documents",
            "chapter-5-cosine",
            "chapter-5-hamming",
        ],
    ),
    (
        &["evaluate", "--truth", "edit-characters:0.8@content", "--format", "csv"],
        &["yandex-quality", "yandex-unions", "yandex-dice"],
    ),
    (&["size", "--format", "csv"], &["sizes-sizes", "sizes-overlaps"]),
];

/// Reproduces a study and compares every table with what its command prints.
fn check(study: &Study, out: &Path) {
    let written = study.dejaview(["reproduce", "-o", out.to_str().unwrap(), "--json"]).json();
    assert_eq!(written["chapters"].as_array().unwrap().len(), 10);
    let read = |name: &str| {
        let path = out.join(format!("tables/{name}.csv"));
        fs::read_to_string(path).unwrap_or_else(|why| panic!("{name}: {why}"))
    };
    for (command, names) in TABLES {
        let printed = study.dejaview(command);
        for name in names {
            let table = read(name);
            assert!(table.lines().count() > 1, "{name} is empty");
            assert!(printed.ok().contains(&table), "{name}:\n{table}\n{}", printed.text());
        }
    }
    let judgments = study.dejaview(["judgments", "--json"]).json();
    let all = format!("all,{},{},{},", judgments["lines"], judgments["documents"], judgments["topics"]);
    assert!(read("chapter-2-tracks").lines().any(|line| line.replace('"', "").starts_with(&all)), "{all}");
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    assert!(!page.contains("Not made"), "a chapter failed");
    for word in [
        "Table 3.1",
        "Table 4.1",
        "what differs:",
        "0.78",
        "Graßegger",
        "tables/chapter-3-simhash.csv",
        "A12 sentences-words",
        "155,419",
    ] {
        assert!(page.contains(word), "{word}");
    }
    let svg = fs::read_to_string(out.join("figures/chapter-3-cosine-precision.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("<style>") && !svg.contains("var("), "{svg}");
}

#[test]
fn the_numbers_are_those_of_the_commands() {
    let out = tempfile::tempdir().unwrap();
    check(sample(), out.path());
}

#[test]
fn the_recrawl_by_one_command() {
    let Some(data) = data() else { return };
    let study = recrawl::crawl(Study::shared("reproduced-recrawl").top("keep = \"all\""), &data);
    study.run();
    let out = tempfile::tempdir().unwrap();
    check(&study, out.path());
    let table = fs::read_to_string(out.path().join("tables/chapter-3-published-simhash.csv")).unwrap();
    assert!(table.contains("k = 3,0.54,0."), "{table}");
}

/// Two pages against one, which is the first; it is run.
fn small_study() -> Study {
    let old = [response("old-1", "http://a.org/1", page(1, 120)), response("old-2", "http://a.org/2", page(2, 120))];
    let study = Study::new()
        .file("old.warc", old.concat())
        .file("new.warc", response("new-1", "http://a.org/1", page(1, 120)))
        .source("old.warc")
        .target("00", "new.warc")
        .simhash("ngrams = [2]");
    study.run();
    study
}

#[test]
fn finished_chapters_are_kept_until_something_changes() {
    let study = small_study();
    let out = study.path("out");
    let reproduce = || study.dejaview(["reproduce", "-o", out.to_str().unwrap()]);
    let kept = |stderr: &str| stderr.lines().filter(|line| line.ends_with(": kept from before")).count();
    let first = reproduce();
    assert_eq!(kept(&first.stderr), 0, "{}", first.stderr);
    first.ok();
    let page = fs::read(out.join("index.html")).unwrap();
    let second = reproduce();
    assert_eq!(kept(&second.stderr), 5, "{}", second.stderr);
    second.ok();
    assert_eq!(fs::read(out.join("index.html")).unwrap(), page, "the same bytes");
    // A part that is damaged, or rests on something else, is made again.
    fs::write(study.path(".dejaview/parts/sizes.json"), "{").unwrap();
    assert_eq!(kept(&reproduce().stderr), 4);
    let toml = fs::read_to_string(study.path("study.toml")).unwrap();
    fs::write(study.path("study.toml"), format!("{toml}\n# a word\n")).unwrap();
    assert_eq!(kept(&reproduce().stderr), 0);
}

/// A chapter that cannot be made any more takes its files with it, but not those that a person has changed.
#[test]
fn files_of_an_earlier_page_are_removed() {
    let study = small_study();
    let out = study.path("out");
    let reproduce = || study.dejaview(["reproduce", "-o", out.to_str().unwrap()]);
    reproduce().ok();
    let [gone, changed, own] =
        ["chapter-5-pairs.csv", "chapter-5-found.csv", "own.csv"].map(|name| out.join("tables").join(name));
    assert!(gone.exists());
    fs::write(&changed, "mine").unwrap();
    fs::write(&own, "mine").unwrap();
    let toml = fs::read_to_string(study.path("study.toml")).unwrap();
    fs::write(study.path("study.toml"), format!("{toml}\n[[configuration]]\nmethod = \"tf\"\n")).unwrap();
    let answer = study.dejaview(["reproduce", "--no-run", "-o", out.to_str().unwrap()]);
    assert!(answer.stderr.contains("Chapter 5: near-duplicates found is not made: "), "{}", answer.stderr);
    assert!(answer.stderr.contains("of an earlier page removed"), "{}", answer.stderr);
    assert_eq!([&gone, &changed, &own].map(|path| path.exists()), [false, true, true]);
    // Without that word the study is run as it is now, and nothing is missing.
    fs::remove_file(&changed).unwrap();
    let answer = reproduce();
    assert!(answer.stderr.contains("the study is run: ") && gone.exists(), "{}", answer.stderr);
    assert!(!answer.stderr.contains("is not made"), "{}", answer.stderr);
    assert!(!reproduce().stderr.contains("the study is run: "), "once");
}

/// What cannot be written is said before the work where it can be known then, and nothing is half written.
#[test]
fn results_that_cannot_be_written_are_refused() {
    let study = small_study();
    let reproduce = |out: &Path| study.dejaview(["reproduce", "-o", out.to_str().unwrap()]);
    let [file, page, table] = ["file", "page", "table"].map(|name| study.path(name));
    fs::write(&file, "mine").unwrap();
    fs::create_dir_all(&page).unwrap();
    fs::write(page.join("index.html"), "mine").unwrap();
    for (out, why) in [(&file, "a folder is wanted"), (&page, "add --force")] {
        let refused = reproduce(out);
        assert!(refused.failed().contains(why) && !refused.stderr.contains("1 of 10"), "{}", refused.stderr);
    }
    fs::create_dir_all(table.join("tables")).unwrap();
    fs::write(table.join("tables/chapter-5-pairs.csv"), "mine").unwrap();
    let refused = reproduce(&table);
    assert!(refused.code == Some(1) && refused.stderr.contains("add --force"), "{}", refused.stderr);
    assert!(!table.join("index.html").exists(), "none of its files is written");
    assert_eq!(fs::read_dir(table.join("tables")).unwrap().count(), 1);
    let kept = study.dejaview(["reproduce", "--segments", "7", "-o", study.path("out").to_str().unwrap()]);
    assert_eq!(kept.stderr.matches(": kept from before").count(), 5, "{}", kept.stderr);
}

/// From a study file alone.
#[test]
fn a_study_is_run_where_it_has_not_been() {
    let study = small_crawls().simhash("ngrams = [2]");
    let out = study.path("out");
    let made = study.dejaview(["reproduce", "-o", out.to_str().unwrap()]);
    made.ok();
    assert!(made.stderr.contains("the study is run: "), "{}", made.stderr);
    let pairs = fs::read_to_string(out.join("tables/chapter-5-pairs.csv")).unwrap();
    study.run();
    study.dejaview(["reproduce", "-o", out.to_str().unwrap()]).ok();
    assert_eq!(fs::read_to_string(out.join("tables/chapter-5-pairs.csv")).unwrap(), pairs);
}

/// A collection against itself: pairs count once, and neither sizes nor pages with the same URL are made up.
#[test]
fn a_collection_against_itself_says_what_there_is() {
    let records = |n: u64| response(&format!("d-{n}"), &format!("http://a.org/{n}"), page(n / 2, 120));
    let all = (0..6).flat_map(records).collect::<Vec<u8>>();
    let study = Study::new()
        .top("keep = \"all\"")
        .file("all.warc", all)
        .source("all.warc")
        .target("00", "all.warc")
        .simhash("ngrams = [2]");
    study.run();
    let out = study.path("out");
    study.dejaview(["reproduce", "-o", out.to_str().unwrap()]).ok();
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    for words in [
        "all 15 pairs of 6 source and 6 target documents, each once and none of a document with itself",
        "none: no other document of the target has the URL of one of the source documents",
        "both sides are one collection",
        "None of the algorithms A0 to A12 is a configuration of this study",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(study.dejaview(["size"]).failed().contains("both sides are one collection"));
    assert!(study.dejaview(["figures", "--segments", "0"]).failed().contains("and 1 are read already"));
    let before = fs::read_dir(out.join("tables")).unwrap().count();
    let refused = study.dejaview(["reproduce", "--segments", "0", "-o", out.to_str().unwrap()]);
    assert!(refused.failed().contains("and 1 are read already"));
    assert_eq!(fs::read_dir(out.join("tables")).unwrap().count(), before, "nothing is removed");
}

#[test]
fn what_a_study_lacks_is_said_in_its_place() {
    let study = Study::new()
        .file("old.txt", "d1\thttp://example.org/a\nd2\thttp://example.org/b\n")
        .file("new.txt", "e1 http://www.example.org/a/\n");
    fs::write(
        study.path("study.toml"),
        "name = \"Lists\"\n[source]\nurls = [\"old.txt\"]\n[[target]]\nurls = [\"new.txt\"]\n",
    )
    .unwrap();
    let out = study.path("out");
    study.dejaview(["reproduce", "-o", out.to_str().unwrap()]).ok();
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    for word in ["No judgments:", "needs documents on both sides", "Not made: ", "common URLs"] {
        assert!(page.contains(word), "{word}: {page}");
    }
    assert!(fs::read_to_string(out.join("tables/chapter-4-overlap.csv")).unwrap().contains("common URLs,1,50.0"));
}

#[test]
fn templates_make_studies() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("thesis");
    dejaview([Path::new("new"), &path, Path::new("--template"), Path::new("thesis")]).ok();
    let text = fs::read_to_string(path.join("study.toml")).unwrap();
    assert!(text.contains("ngrams = [3, 5]") && text.contains("edocid2url.txt.bz2"), "{text}");
    dejaview([Path::new("new"), &folder.path().join("none")]).misused();
}

/// What the papers hold, and where it is: every row names a test that is there, or says what is missing and why.
#[test]
fn the_list_of_the_papers_names_what_is_there() {
    let list = page_text("tests/papers.md");
    let all: String = [root().join("src"), root().join("tests")]
        .iter()
        .flat_map(|folder| sources(folder))
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    let (mut files, mut tests) = (0, 0);
    for line in list.lines().filter(|line| line.starts_with('|')) {
        let is_head = line.starts_with("|---") || line.starts_with("| section |");
        assert!(is_head || line.contains("`fn ") || line.contains("missing: "), "no test and no reason: {line}");
        for name in quoted(line) {
            if name.starts_with("src/") || name.starts_with("tests/") {
                assert!(root().join(name).exists(), "{name} is not there: {line}");
                files += 1;
            } else if let Some(test) = name.strip_prefix("fn ") {
                assert!(all.contains(&format!("fn {test}(")), "{test} is no function: {line}");
                tests += 1;
            }
        }
    }
    assert!(files > 60 && tests > 40, "{files} files, {tests} tests");
}
