//! What is no document, what is said of it, and records that share an id.

use std::fs;

use crate::support::{Answer, Study, data, gzip, page, program, record, response, skipped};

/// A record with an answer of a server.
fn answer(id: &str, status: &str, html: &str) -> Vec<u8> {
    let block = format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\n\r\n{html}");
    record(id, &format!("http://a.org/{id}"), block.len(), block.as_bytes())
}

/// A page, an error page with the same words, a redirect, and the same as TREC web.
fn side(name: &str) -> [(String, Vec<u8>); 2] {
    let id = |n: u32| format!("{name}-{n}");
    let warc = [
        answer(&id(1), "200 OK", &page(1, 60)),
        answer(&id(2), "404 Not Found", &page(1, 60)),
        answer(&id(3), "301 Moved Permanently", &page(1, 60)),
        answer(&id(4), "500", &page(2, 60)),
        answer(&id(5), "203 Non-Authoritative Information", &page(2, 60)),
    ];
    let trec = [("t1", "HTTP/1.1 200 OK"), ("t2", "HTTP/1.0 410 Gone"), ("t3", "Server: none")].map(|(id, line)| {
        format!(
            "<DOC>\n<DOCNO>{name}-{id}</DOCNO>\n<DOCHDR>\nhttp://t.org/{id}\n{line}\nContent-Type: text/html\n</DOCHDR>\n{}\n</DOC>\n",
            page(3, 60)
        )
    });
    [(format!("{name}.warc"), warc.concat()), (format!("{name}.trec"), trec.concat().into_bytes())]
}

fn answers(text: &str) -> Study {
    let mut study = Study::new().top(text);
    for name in ["old", "new"] {
        for (file, bytes) in side(name) {
            study = study.file(&format!("{name}/{file}"), bytes);
        }
    }
    study.source("old").target("00", "new/*").configuration("md5", "")
}

#[test]
fn errors_and_redirects_are_no_documents_unless_asked_for() {
    let study = answers("");
    let summary = study.run();
    assert_eq!(summary["documents"], serde_json::json!({ "source": 4, "target": 4 }), "{summary}");
    assert_eq!(summary["skipped"], serde_json::json!({ "HTTP error": 6, "HTTP redirect": 2 }));
    assert_eq!(summary["pairs"]["md5"], 6, "1-1, 5-5, t1 and t3 twice each");
    let listed = fs::read_to_string(study.path(".dejaview/skipped.tsv")).unwrap();
    for row in [
        "HTTP error\t404 Not Found: old-2",
        "HTTP redirect\t301 Moved Permanently: new-3",
        "HTTP error\t410 Gone: old-t2",
    ] {
        assert!(listed.contains(row), "{row}: {listed}");
    }
    for (id, why) in [
        ("old-2", "`old-2` was skipped: HTTP error 404 Not Found (old/old.warc, offset "),
        ("new-3", "`new-3` was skipped: HTTP redirect 301 Moved Permanently (new/new.warc, offset "),
        ("old-t2", "`old-t2` was skipped: HTTP error 410 Gone (old/old.trec, offset "),
        ("ld-2", "there is no document `ld-2` on the source or target side"),
    ] {
        let answer = study.dejaview(["show", id]);
        assert!(answer.failed().contains(why), "{why}: {}", answer.stderr);
    }
    let all = answers("[text]\nstatus = \"all\"\n");
    let summary = all.run();
    assert_eq!(summary["documents"], serde_json::json!({ "source": 8, "target": 8 }), "{summary}");
    assert_eq!(summary["skipped"], serde_json::json!({}));
    assert_eq!(summary["pairs"]["md5"], 9 + 4 + 9);
    let wrong = answers("[text]\nstatus = \"some\"\n").dejaview(["run"]);
    assert!(wrong.failed().contains("expected one of \"ok\", \"all\""), "{}", wrong.failed());
}

/// What is not read is said at the end of the run: how much of what kind, what that means, where it is listed.
#[test]
fn a_run_says_what_it_did_not_read() {
    let study = answers("").file("old/image.warc", {
        let image = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG\r\n\x1a\n";
        record("old-image", "http://a.org/i", image.len(), image)
    });
    for again in [false, true] {
        let run = study.dejaview(["run"]);
        let text = run.ok();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let first = lines.iter().position(|line| line.starts_with("skipped 9 records; each is listed in ")).unwrap();
        assert!(lines[first].ends_with("skipped.tsv"), "{text}");
        assert!(lines[first + 1].starts_with("6  HTTP error "), "the most first: {text}");
        assert!(lines[first + 1].ends_with("[text] status = \"all\" reads these, too"), "{text}");
        assert!(lines[first + 2].starts_with("2  HTTP redirect "), "{text}");
        assert!(lines[first + 3].starts_with("1  media type not text "), "{text}");
        assert!(lines[first + 3].ends_with("only pages and plain text are read"), "{text}");
        assert_eq!(text.contains("finished before"), again);
    }
    let summary = study.dejaview(["run", "--json"]).json();
    assert_eq!(summary["not_read"][0]["reason"], "HTTP error");
    assert_eq!(summary["not_read"][0]["records"], 6);
    assert!(summary["not_read"][0]["advice"].as_str().unwrap().contains("status"));
}

/// A page in place of an archive, and a link to nowhere: neither is a document, and neither ends the run.
#[test]
fn a_name_that_promises_warc_and_a_broken_link_are_counted() {
    let study = answers("")
        .file("old/error.warc", "<html><body>Service unavailable, come back later.</body></html>")
        .file("new/text.warc.gz", gzip(b"just some words that stand in no record"))
        .file("new/late.warc", [b"some rubbish first\n".to_vec(), answer("late", "200 OK", &page(7, 60))].concat());
    std::os::unix::fs::symlink(study.path("nowhere.warc"), study.path("new/link.warc")).unwrap();
    let summary = study.run();
    assert_eq!(summary["documents"], serde_json::json!({ "source": 4, "target": 5 }), "{summary}");
    assert_eq!(
        (&summary["skipped"]["file not read"], &summary["skipped"]["file not readable"]),
        (&2.into(), &1.into())
    );
    let listed = fs::read_to_string(study.path(".dejaview/skipped.tsv")).unwrap();
    for (file, why) in [
        ("old/error.warc", "no WARC file, though its name says so: no record begins in it"),
        ("new/text.warc.gz", "no WARC file, though its name says so"),
        ("new/link.warc", "it is a link to a file that is not there"),
    ] {
        assert!(listed.lines().any(|line| line.contains(file) && line.contains(why)), "{file}: {listed}");
    }
    assert_eq!(study.run()["skipped"], summary["skipped"], "a second run says the same");
    study.dejaview(["run", "--dry-run"]).ok();
}

/// Two records with one id: one counts, the other is said, whether they have a pair or not, and `show` reaches both.
#[test]
fn records_with_one_id_are_said_and_shown() {
    let old = [response("a", "http://a.org/1", page(1, 60)), response("a", "http://a.org/2", page(2, 60))];
    let new = [
        response("x", "http://b.org/1", page(1, 60)),
        response("y", "http://b.org/2", page(8, 60)),
        response("x", "http://b.org/3", page(3, 60)),
        response("y", "http://b.org/4", page(9, 60)),
        response("y", "http://b.org/5", page(10, 60)),
        response("z", "http://b.org/6", page(4, 60)),
    ];
    type Form = (&'static str, fn(&[Vec<u8>]) -> Vec<u8>);
    let forms: [Form; 3] = [
        ("plain.warc", |records| records.concat()),
        ("members.warc.gz", |records| records.iter().flat_map(|record| gzip(record)).collect()),
        ("whole.warc.gz", |records| gzip(&records.concat())),
    ];
    for (name, form) in forms {
        let study = Study::new()
            .file(&format!("old/{name}"), form(&old))
            .file(&format!("new/{name}"), form(&new))
            .source("old")
            .target("00", "new")
            .configuration("md5", "");
        let summary = study.run_with_threads(2);
        assert_eq!(summary["documents"], serde_json::json!({ "source": 1, "target": 3 }), "{name}: {summary}");
        assert_eq!(summary["skipped"], serde_json::json!({ "repeated id": 4 }), "{name}");
        assert_eq!(summary["pairs"]["md5"], 1, "{name}");
        let url = |id: &str, side: &str, record: &str| {
            let shown = study.dejaview(["show", id, "--side", side, "--record", record, "--json"]).json();
            (shown["url"].as_str().unwrap().to_owned(), shown["records"].as_u64().unwrap())
        };
        let at = |host: &str, n: u32, records: u64| (format!("http://{host}.org/{n}"), records);
        assert_eq!([url("a", "source", "1"), url("a", "source", "2")], [at("a", 1, 2), at("a", 2, 2)], "{name}");
        assert_eq!([url("x", "target", "1"), url("x", "target", "2")], [at("b", 1, 2), at("b", 3, 2)], "{name}");
        let three = ["1", "2", "3"].map(|n| url("y", "target", n));
        assert_eq!(three, [at("b", 2, 3), at("b", 4, 3), at("b", 5, 3)], "{name}");
        let none = study.dejaview(["show", "y", "--record", "4"]);
        assert!(none.failed().contains("the last of them is number 3"), "{}", none.failed());
        let first = study.dejaview(["show", "x"]);
        assert!(first.ok().contains("Page 1"), "{}", first.ok());
        assert!(first.stderr.contains("record 1 of 2 with this id"), "{}", first.stderr);
        let raw = study.dejaview(["show", "x", "--raw", "--record", "2"]);
        assert_eq!(raw.ok(), page(3, 60));
        assert!(study.dejaview(["show", "z"]).stderr.is_empty());
    }
}

/// The dry run counts what the run reads and foresees its memory, before a run and after it, and leaves nothing behind.
fn foreseen(study: &Study) {
    let plan = study.dejaview(["run", "--dry-run", "--json", "--threads", "2"]).json();
    assert!(!study.path(".dejaview/manifest.json").exists());
    let summary = study.run_with_threads(2);
    let documents = |plan: &serde_json::Value| serde_json::json!({ "source": plan["expected"]["source_documents"], "target": plan["expected"]["target_documents"] });
    assert_eq!(documents(&plan), summary["documents"]);
    let after = study.dejaview(["run", "--dry-run", "--fresh", "--json", "--threads", "2"]).json();
    assert_eq!(documents(&after), summary["documents"], "after a run, too");
    let left = study.dejaview(["run", "--dry-run", "--json"]).json();
    assert_eq!(left["expected"]["target_documents"], 0, "nothing is left: {left}");
    assert!(study.dejaview(["run", "--dry-run"]).ok().contains("nothing to read: every segment is finished"));
    let Some(peak) = summary["peak_memory"].as_f64() else {
        return skipped("this system does not say how much memory a run took");
    };
    for plan in [&plan, &after] {
        let memory = plan["expected"]["memory"].as_f64().unwrap();
        assert!(memory > peak / 2.0 && memory < 2.0 * peak, "{memory} for {peak}");
        assert!(plan["expected"]["seconds"].as_f64().unwrap() > 0.0);
        assert!(plan["expected"]["processor_seconds"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn the_dry_run_foresees_the_run_of_the_sample() {
    let study = Study::new();
    crate::support::copy(std::path::Path::new("sample-corpus"), study.folder());
    foreseen(&study);
}

#[test]
fn the_dry_run_foresees_the_run_of_a_real_crawl() {
    let Some(data) = data() else { return };
    foreseen(&crate::recrawl::whole(Study::new(), &data));
}

#[test]
fn the_dry_run_leaves_nothing_behind() {
    let study = answers("");
    let elsewhere = tempfile::tempdir().unwrap();
    let plan = Answer::of(study.command(["run", "--dry-run"]).env("TMPDIR", elsewhere.path()));
    assert!(plan.ok().contains("about 4 source and 4 target documents"), "{}", plan.ok());
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    assert!(!study.path(".dejaview/manifest.json").exists());
}

/// Of documents in two segments with one id the first that is kept counts, everywhere: its text is shown for its pairs, and no
/// pair is counted for the other, which is named and can be shown.
#[test]
fn an_id_is_one_document_in_all_segments() {
    let text = |id: &str, more: &str| format!("{{\"id\": \"{id}\", \"text\": \"one two three four five {more}\"}}\n");
    let other = "{\"id\": \"x\", \"text\": \"something else altogether that nobody has seen\"}\n";
    for keep in ["all", "hits"] {
        let study = Study::new()
            .file("old.jsonl", text("a", "six") + &text("b", "seven eight nine ten"))
            .file("0.jsonl", text("x", "six") + &text("y", "six"))
            .file("1.jsonl", text("x", "seven eight nine ten") + &text("z", "six"))
            .file("2.jsonl", other.to_owned() + &text("w", "six"))
            .source("old.jsonl")
            .target("00", "0.jsonl")
            .target("01", "1.jsonl")
            .target("02", "2.jsonl")
            .top(&format!("keep = \"{keep}\""))
            .configuration("md5", "");
        let summary = study.run();
        assert_eq!((&summary["skipped"]["repeated id"], &summary["pairs"]["md5"]), (&2.into(), &4.into()), "{summary}");
        let pairs = study.dejaview(["pairs", "--json"]).jsonl();
        let ids: Vec<(&str, &str)> =
            pairs.iter().map(|pair| (pair["source"].as_str().unwrap(), pair["target"].as_str().unwrap())).collect();
        assert_eq!(ids, [("a", "w"), ("a", "x"), ("a", "y"), ("a", "z")]);
        let counted = study.dejaview(["evaluate", "--truth", "jaccard:0.9", "--json"]).json();
        assert_eq!(counted["configurations"][0]["pairs"], 4, "{counted}");
        let explained = study.dejaview(["explain", "a", "x", "--json"]).json();
        assert_eq!(explained["scores"]["jaccard_1"], 1.0, "{explained}");
        let shown = |number: &str| study.dejaview(["show", "x", "--record", number]).ok().to_owned();
        assert!(shown("1").contains("five six") && shown("2").contains("nine ten"), "{}{}", shown("1"), shown("2"));
        assert!(shown("3").contains("nobody has seen"), "{}", shown("3"));
        let again = study.dejaview(["run"]).ok().to_owned();
        assert!(again.contains("repeated id"), "{again}");
    }
}

/// What is kept of the texts changes nothing about how many documents there are.
#[test]
fn documents_of_several_segments_count_once() {
    let text = |id: &str, words: &str| format!("{{\"id\": \"{id}\", \"text\": \"{words}\"}}\n");
    let [paired, alone] = ["quick brown foxes jump over lazy dogs", "grey pigeons sleep under rusty bridges"];
    for (keep, pairs, repeated) in [("hits", 2, 5), ("all", 1, 6)] {
        let study = Study::new()
            .file("old.jsonl", text("a", paired))
            .file("0.jsonl", [text("x", alone), text("y", paired), text("u", alone)].concat())
            .file(
                "1.jsonl",
                [("x", paired), ("y", paired), ("u", alone), ("u", alone), ("v", alone)]
                    .map(|(id, words)| text(id, words))
                    .concat(),
            )
            .file("2.jsonl", [text("x", alone), text("v", alone)].concat())
            .source("old.jsonl")
            .target("00", "0.jsonl")
            .target("01", "1.jsonl")
            .top(&format!("keep = \"{keep}\""))
            .configuration("md5", "");
        let documents = |study: &Study| study.run()["documents"]["target"].clone();
        assert_eq!(documents(&study), 4, "{keep}");
        let study = study.target("02", "2.jsonl");
        let summary = study.run();
        assert_eq!(summary["documents"]["target"], 4, "{keep}: {summary}");
        // With "hits", the record of x in the first segment counts until the second has one with a pair.
        assert_eq!((&summary["pairs"]["md5"], &summary["skipped"]["repeated id"]), (&pairs.into(), &repeated.into()));
        let sizes = study.dejaview(["size", "--json"]).json();
        assert_eq!(sizes["corpora"][1]["documents"], 4, "{keep}: {sizes}");
        assert!(study.dejaview(["show", "v", "--record", "2"]).ok().contains("pigeons"));
        // What a segment counts depends on those before it.
        fs::write(study.path("0.jsonl"), text("y", paired)).unwrap();
        assert_eq!(documents(&study), 4, "{keep}: u and x count in the second segment now");
        fs::write(study.path("1.jsonl"), text("w", alone)).unwrap();
        assert_eq!(documents(&study), 4, "{keep}: w, x, y and v");
    }
}

/// A segment that is run again alone counts what it counted before, and those that left out documents for it, too.
#[test]
fn segments_that_are_made_again_count_what_they_counted() {
    let text = |id: &str, words: &str| format!("{{\"id\": \"{id}\", \"text\": \"{words}\"}}\n");
    let [paired, alone] = ["quick brown foxes jump over lazy dogs", "grey pigeons sleep under rusty bridges"];
    let study = Study::new()
        .file("old.jsonl", text("a", paired))
        .file("0.jsonl", [text("x", alone), text("y", paired)].concat())
        .file("1.jsonl", [text("x", paired), text("z", alone)].concat())
        .file("2.jsonl", [text("z", alone), text("x", alone)].concat())
        .source("old.jsonl")
        .target("00", "0.jsonl")
        .target("01", "1.jsonl")
        .target("02", "2.jsonl")
        .configuration("md5", "");
    let first = study.run();
    assert_eq!((&first["documents"]["target"], &first["skipped"]["repeated id"]), (&3.into(), &2.into()), "{first}");
    let made = |study: &Study| {
        ["00", "01", "02"].map(|name| fs::read(study.path(&format!(".dejaview/segments/{name}.json"))).unwrap())
    };
    let facts = made(&study);
    for lost in ["pairs/md5/00.pairs", "ids/00.ids", "ids/01.ids", "index/segments/00.texts", "segments/00.json"] {
        let path = study.path(&format!(".dejaview/{lost}"));
        assert!(path.is_file(), "{lost}");
        fs::remove_file(path).unwrap();
        let again = study.run();
        assert_eq!((&again["documents"], &again["skipped"]), (&first["documents"], &first["skipped"]), "{lost}");
        assert_eq!(made(&study), facts, "{lost}");
    }
}

/// A document of the source stands in two segments, and has no pair: it is one document on both sides.
#[test]
fn documents_on_both_sides_of_several_segments_count_once() {
    let text = |id: &str, words: &str| format!("{{\"id\": \"{id}\", \"text\": \"{words}\"}}\n");
    let same = text("a", "quick brown foxes jump over lazy dogs");
    for keep in ["hits", "all"] {
        let study = Study::new()
            .file("old.jsonl", same.clone())
            .file("0.jsonl", same.clone() + &text("b", "grey pigeons sleep under rusty bridges"))
            .file("1.jsonl", same.clone() + &text("c", "seven swans swim slowly past the mill"))
            .source("old.jsonl")
            .target("00", "0.jsonl")
            .target("01", "1.jsonl")
            .top(&format!("keep = \"{keep}\""))
            .configuration("md5", "");
        let summary = study.run();
        assert_eq!((&summary["documents"]["target"], &summary["both"]), (&3.into(), &1.into()), "{keep}: {summary}");
    }
}

/// A record that is over the limits is no document, whichever segment has its id besides.
#[test]
fn records_over_the_limits_take_nothing_from_the_count() {
    let text = |id: &str, words: &str| format!("{{\"id\": \"{id}\", \"text\": \"{words}\"}}\n");
    let long = "a ".repeat(1_500_001);
    let study = Study::new()
        .file("old.jsonl", text("a", "quick brown foxes jump over lazy dogs"))
        .file("0.jsonl", text("x", "grey pigeons sleep under rusty bridges"))
        .file("1.jsonl", [text("x", "grey pigeons sleep"), text("x", &long)].concat())
        .file("2.jsonl", [text("y", &long), text("y", "one"), text("y", "two")].concat())
        .source("old.jsonl")
        .target("00", "0.jsonl")
        .target("01", "1.jsonl")
        .target("02", "2.jsonl")
        .configuration("md5", "");
    let summary = study.run();
    assert_eq!(summary["documents"]["target"], 2, "{summary}");
}

/// A list that somebody hands in: each line that is not read is said with its file, and marks before it cost no line.
#[test]
fn what_is_not_read_of_lists_is_said() {
    let study = Study::new()
        .file("a.qrels", "\u{feff}1 0 d1 1\n# note\n1 0 d2 0\n1 0 d2 1e3\n")
        .file("topics.txt", "1\tlamp\n2:two\nfoo\n7 seven\n1\tother\n")
        .file("p.tsv", "\u{feff}d1\te1\t0.5\nd1\te1\t0.75\nd2\td2\t0.5\n")
        .file("a.run", "\u{feff}1 Q0 d2 1 2.0 s\n1 Q0 d1 2 1.0 s\n")
        .file("labels/ada.json", "{}")
        .file(
            "study.toml",
            "[source]\njudgments = [\"a.qrels\"]\ntopics = [\"topics.txt\"]\n[[configuration]]\nmethod = \"import\"\n\
             name = \"others\"\npairs = \"p.tsv\"\n",
        );
    let run = study.dejaview(["run"]);
    let asked = study.dejaview(["judgments"]);
    for stderr in [&run.stderr, &asked.stderr] {
        for said in [
            "a.qrels, line 4: not read: the grade \"1e3\" is not a number",
            "topics.txt, line 3: not read: expected a number, then a colon or a tab",
            "topics.txt, line 4: not read: expected a number",
            "topics.txt, line 5: not read: topic 1 again, with another text; that of line 1 counts",
        ] {
            assert!(stderr.contains(said), "{said}: {stderr}");
        }
    }
    assert!(asked.ok().contains("they begin with #: 1 line of "), "{}", asked.text());
    let json = study.dejaview(["judgments", "--json"]).json();
    assert_eq!((json["unread_topics"].as_array().unwrap().len(), &json["files"][0]["comments"]), (3, &1.into()));
    let listed = fs::read_to_string(study.path(".dejaview/skipped.tsv")).unwrap();
    for row in
        ["p.tsv\t2\trepeated pair\tline 2: d1 e1, as in line 1", "p.tsv\t3\tpair of a document with itself\tline 3: d2"]
    {
        assert!(listed.contains(row), "{row}: {listed}");
    }
    let effect = ["transfer", "-o", "new.qrels", "--accept", "all", "--runs", "a.run", "--json"].map(str::to_owned);
    let measured = study.command(&effect).current_dir(study.folder()).output().unwrap();
    let measured = String::from_utf8_lossy(&measured.stdout).into_owned();
    assert!(measured.contains("\"before\":0.5"), "d1 is the second of two: {measured}");
    let verified = Answer::of(program().args(["labels", "verify"]).arg(study.folder()));
    assert!(verified.ok().contains("labels/ada.json: not read; journals are"), "{}", verified.text());
    fs::write(study.path("study.toml"), b"\xff\xfen\0").unwrap();
    assert!(study.dejaview(["judgments"]).failed().contains("study.toml: it is in UTF-16; save it as UTF-8"));
}

/// A line of 64 MiB in each kind of list: said with file and line, and held by nobody.
#[test]
fn a_line_that_is_too_long_is_said_and_not_held() {
    let long = "x".repeat(64 << 20);
    let between = |before: &str, after: &str| gzip(format!("{before}{long}\n{after}").as_bytes());
    let study = Study::new()
        .file("a.qrels.gz", between("1 0 d1 1\n", "1 0 d2 0\n"))
        .file("topics.gz", between("1\tlamp\n", "2:two\n"))
        .file("p.gz", between("d1\te1\t0.5\n", "d2\te2\t0.5\n"))
        .file("a.run", between("1 Q0 d2 1 2.0 s\n", "1 Q0 d1 2 1.0 s\n"))
        .file("old.gz", between("d1\thttp://a.org/\n", "d2\thttp://b.org/\n"))
        .file("labels.gz", between("source\ttarget\tlabel\n", "d1\te1\tnot\n"))
        .file("labels.jsonl.gz", gzip(format!("{{\"note\":\"{long}\"}}\n").as_bytes()))
        .file("labels/ada.jsonl", format!("{{{long}}}\n"))
        .file(
            "study.toml",
            "[source]\njudgments = [\"a.qrels.gz\"]\ntopics = [\"topics.gz\"]\nurls = [\"old.gz\"]\n[[target]]\n\
             urls = [\"old.gz\"]\n[[configuration]]\nmethod = \"import\"\nname = \"others\"\npairs = \"p.gz\"\n",
        );
    drop(long);
    let why = "it is longer than 1 MiB, the most that a line may be";
    let run = study.dejaview(["run"]);
    assert!(run.stderr.contains(&format!("a.qrels.gz, line 2: not read: {why}")), "{}", run.stderr);
    assert!(run.stderr.contains(&format!("topics.gz, line 2: not read: {why}")), "{}", run.stderr);
    let listed = fs::read_to_string(study.path(".dejaview/skipped.tsv")).unwrap();
    assert!(listed.contains(&format!("p.gz\t2\tnot a pair\tline 2: {why}")), "{listed}");
    let urls = study.dejaview(["urls", "--no-content"]);
    urls.ok();
    assert!(urls.stderr.contains(&format!("old.gz, line 2: not read: {why}")), "{}", urls.stderr);
    let path = |name: &str| study.path(name).display().to_string();
    let thinned = Answer::of(
        program()
            .args(["thin", &path("."), "--least", "score:0.4", "-o", &path("thin")])
            .args(["--runs", &path("a.run")]),
    );
    assert!(thinned.stderr.contains(&format!("a.run, line 2: not read: {why}")), "{}", thinned.stderr);
    let truth = study.dejaview(["evaluate".to_owned(), "--truth".to_owned(), format!("file:{}", path("labels.gz"))]);
    assert!(truth.failed().contains(&format!("labels.gz: line 2: {why}")), "{}", truth.stderr);
    let import =
        |file: &str| Answer::of(program().args(["labels", "import", &path("."), &path(file), "--annotator", "bob"]));
    let imported = import("labels.gz");
    assert!(imported.stderr.contains(&format!("line 2: {why}")), "{}", imported.stderr);
    assert!(fs::read_to_string(study.path("labels/bob.jsonl")).unwrap().contains("\"not\""));
    assert!(import("labels.jsonl.gz").failed().contains("longer than 16 MiB"));
    let verified = Answer::of(program().args(["labels", "verify", &path(".")]));
    assert_eq!(verified.code, Some(1));
    let said = format!("{}{}", verified.text(), verified.stderr);
    assert!(said.contains("line 1: it is longer than 16 MiB"), "{said}");
}
