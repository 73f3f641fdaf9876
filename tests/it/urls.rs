use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::recrawl::crawl;
use crate::support::{Study, data};

/// A study of two lists.
fn lists(source: &str, target: &str) -> Study {
    Study::new()
        .file("old.urls", source)
        .file("new.urls", target)
        .file("study.toml", "[source]\nurls = [\"old.urls\"]\n\n[[target]]\nsegment = \"00\"\nurls = [\"new.urls\"]\n")
}

#[test]
fn lists_without_documents() {
    let study = lists(
        "a\thttp://www.site.org/one\nb\thttp://site.org/Two/\nc\thttp://en.wikipedia.org/wiki/X\nd\t\n",
        "https://site.org/one#top\nhttp://site.org/two\nhttp://EN.wikipedia.org/wiki/X\nhttp://127.0.0.1/\n",
    );
    let found = study.dejaview(["urls", "--json"]).json();
    assert_eq!((&found["common"], &found["source"]["lines"], &found["without_url"]), (&json!(2), &json!(3), &json!(1)));
    assert_eq!(found["from"], json!({ "source": "lists", "target": "lists" }));
    assert_eq!((&found["same_url"], &found["configurations"]), (&Value::Null, &json!([])));
    let of = |args: &[&str]| {
        let found = study.dejaview(["urls", "--json"].iter().chain(args)).json();
        (found["common"].as_u64().unwrap(), found["source"]["lines"].as_u64().unwrap())
    };
    assert_eq!(of(&["--rules", "exact"]), (0, 3));
    assert_eq!(of(&["--rules", "default,case"]), (3, 3));
    assert_eq!(of(&["--domain", "wikipedia.org"]), (1, 1));
    assert_eq!(of(&["--memory", "0"]), (2, 3), "everything by way of the disk");
    let text = study.dejaview(["urls"]);
    assert!(text.ok().contains("http and https are one") && text.text().contains("(address)"), "{}", text.text());
    study.dejaview(["urls", "--rules", "luck"]).misused();
    let leftovers = std::fs::read_dir(study.path(".dejaview")).map_or(0, Iterator::count);
    assert_eq!(leftovers, 0, "nothing is left of what went to disk");
}

/// Records that repeat an id are skipped by a run, and count as little here.
#[test]
fn records_with_one_id_count_once() {
    let page = |id: &str, url: &str| format!("{}\n", json!({ "id": id, "text": format!("text of {url}"), "url": url }));
    let old = [("a", "http://a.org/1"), ("b", "http://a.org/2"), ("a", "http://a.org/3"), ("a", "http://a.org/1")];
    let pages: String = old.iter().map(|(id, url)| page(id, url)).collect();
    let study = Study::new().file("old.jsonl", pages.clone()).file("new.jsonl", pages);
    let study = study.source("old.jsonl").target("00", "new.jsonl").join(false).configuration("md5", "");
    assert_eq!(study.run()["documents"], json!({ "source": 2, "target": 2 }));
    let found = study.dejaview(["urls", "--json"]).json();
    assert_eq!(
        (&found["source"]["lines"], &found["target"]["lines"], &found["common"]),
        (&json!(2), &json!(2), &json!(2))
    );
    let text = study.dejaview(["urls"]).ok().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("source documents with a URL 2 100.0 %"), "{text}");
}

#[test]
fn lists_as_others_publish_them() {
    let urls = ["http://www.site.org/one", "http://site.org/two", "http://en.wikipedia.org/wiki/X", "http://a.gov/"];
    let list = |line: &dyn Fn(usize, &str) -> String| -> String {
        urls.iter().enumerate().map(|(i, url)| line(i, url)).collect()
    };
    let old = list(&|i, url| format!("{url},d{i}\n"));
    // ClueWeb12's own list has one blank between id and URL.
    let new = list(&|i, url| format!("clueweb12-0000tw-00-{i:05} {url}\n"));
    let found = lists(&old, &new).dejaview(["urls", "--json"]).json();
    assert_eq!(
        (&found["common"], &found["common_hosts"], &found["common_top_level_domains"]),
        (&json!(4), &json!(3), &json!(2))
    );
    let mut packed = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    std::io::Write::write_all(&mut packed, new.as_bytes()).unwrap();
    let study = lists(&old, "").file("new.urls", packed.finish().unwrap());
    let text = study.dejaview(["urls"]);
    assert!(text.ok().contains("hosts of common URLs") && text.text().contains("top-level domains of common URLs"));
    let refused = lists(&old, "first second third\nclueweb12-0000tw-00-00000 nowhere\n").dejaview(["urls"]);
    for words in ["new.urls", "line 1: \"first second third\"", "expected an id and a URL"] {
        assert!(refused.failed().contains(words), "{words}: {}", refused.stderr);
    }
}

#[test]
fn canonical_links_are_evidence() {
    let page = |id: &str, url: &str, link: &str| {
        let html = format!("<html><head>{link}</head><body>Some words of the page {id} stand here.</body></html>");
        format!("{}\n", json!({ "id": id, "url": url, "html": html }))
    };
    let link = |url: &str| format!("<link rel=\"canonical\" href=\"{url}\">");
    let old = page("a", "http://x.org/1?session=7", &link("/1")) + &page("b", "http://x.org/2", "");
    let new = page("p", "http://x.org/1", "") + &page("q", "http://mirror.org/2", &link("http://x.org/2"));
    let study =
        Study::new().file("old.jsonl", old).file("new.jsonl", new).source("old.jsonl").target("00", "new.jsonl");
    let found = study.dejaview(["urls", "--canonical", "--json"]).json();
    assert_eq!(found["common"], 0);
    assert_eq!(found["canonical"], json!({ "source": 1, "target": 1, "documents": 2, "added": 2 }));
}

/// A third column, either order within one list, `n/a` in place of a URL, also in the first line.
#[test]
fn lists_that_are_not_quite_regular() {
    let new = "http://a.org/1\nhttp://a.org/2\nhttp://a.org/3\n";
    let common = |old: &str| {
        let found = lists(old, new).dejaview(["urls", "--json"]).json();
        (found["common"].as_u64().unwrap(), found["source"]["lines"].as_u64().unwrap(), found["without_url"].clone())
    };
    assert_eq!(common("d1 http://a.org/1 200\nd2 http://a.org/2 200\nd3 http://a.org/3 404\n"), (3, 3, json!(0)));
    assert_eq!(common("http://a.org/1\td1\nd2\thttp://a.org/2\nhttp://a.org/3\td3\n"), (3, 3, json!(0)));
    assert_eq!(common("d1\tn/a\nd2\thttp://a.org/2\nd3\t-\nd4\thttp://a.org/3\n"), (2, 2, json!(2)));
}

/// The URLs of some sites have commas in them; whatever separates the columns, they are the same URLs.
#[test]
fn commas_of_urls_are_no_separators() {
    let list = |line: &dyn Fn(usize, &str) -> String| -> String {
        (0..100).map(|i| line(i, &format!("http://www.spiegel.de/politik/0,1518,{i},00.html")) + "\n").collect()
    };
    let by_tabs = list(&|i, url| format!("id{i}\t{url}"));
    type Line = dyn Fn(usize, &str) -> String;
    let layouts: [&Line; 6] = [
        &|_, url| url.to_owned(),
        &|i, url| format!("id{i},{url}"),
        &|i, url| format!("{url},id{i}"),
        &|i, url| format!("{url}, id{i}"),
        &|i, url| format!("id{i} , {url}"),
        &|i, url| format!("id{i},{url},200"),
    ];
    for line in layouts {
        let found = lists(&list(line), &by_tabs).dejaview(["urls", "--json"]).json();
        assert_eq!((&found["common"], &found["source"]["distinct"]), (&json!(100), &json!(100)), "{}", line(0, "URL"));
    }
    let header = lists("docid,url\nid,http://a.org/x,2009\n", "http://a.org/x\n").dejaview(["urls", "--json"]).json();
    assert_eq!(header["common"], 1);
    let unclear = lists("id,http://a.org/x,y\n", "http://a.org/x\n").dejaview(["urls"]);
    assert!(
        unclear.failed().contains("old.urls: line 1: \"id,http://a.org/x,y\": nobody can tell"),
        "{}",
        unclear.stderr
    );
}

/// The overlap of the small web crawled twice, from its pages and from its list, against a script that has the list alone.
#[test]
fn the_overlap_of_two_crawls_is_recounted() {
    let Some(data) = data() else { return };
    let list = data.join("recrawl/urls.tsv");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/urls.py");
    let answer = Command::new("python3").arg(script).arg(&list).output().expect("python3 starts");
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    let counted: Value = serde_json::from_slice(&answer.stdout).unwrap();
    let numbers = |rows: &Value, column: &str| -> BTreeMap<String, u64> {
        let rows = rows.as_array().unwrap().iter();
        rows.map(|row| (row["name"].as_str().unwrap().to_owned(), row[column].as_u64().unwrap()))
            .filter(|(_, n)| *n > 0)
            .collect()
    };
    let expected = |key: &str| -> BTreeMap<String, u64> {
        counted[key].as_object().unwrap().iter().map(|(k, n)| (k.clone(), n.as_u64().unwrap())).collect()
    };
    let check = |found: &Value| {
        for key in ["source", "target", "common"] {
            assert_eq!(found[key], counted[key], "{key}");
        }
        assert_eq!(numbers(&found["top_level_domains"], "source"), expected("top_levels"));
        assert_eq!(numbers(&found["top_level_domains"], "common"), expected("common_top_levels"));
        assert_eq!(numbers(&found["hosts"], "source"), expected("hosts"));
        assert_eq!(found["common_top_level_domains"], expected("common_top_levels").len());
        assert_eq!(found["common_hosts"], numbers(&found["hosts"], "common").len());
    };
    let text = std::fs::read_to_string(&list).unwrap();
    let side =
        |start: &str| text.lines().filter(|l| l.starts_with(start)).map(|l| format!("{l}\n")).collect::<String>();
    let listed = lists(&side("clueweb09"), &side("clueweb12")).dejaview(["urls", "--json"]).json();
    check(&listed);
    let study = crawl(Study::new(), &data).simhash("ngrams = [3]").simhash("ngrams = [1]");
    study.run();
    let found = study.dejaview(["urls", "--json"]).json();
    check(&found);
    // Every page of the older crawl is judged.
    assert_eq!(
        found["documents"],
        json!({ "of": "judged", "all": 733, "with_url": 733, "common": counted["documents_common"].as_array().unwrap().len() })
    );
    assert_eq!(
        (&found["common"], &found["same_url"]["pairs"], &found["same_url"]["unread"]),
        (&json!(528), &json!(528), &json!(0))
    );
    let same = &found["same_url"];
    assert!((same["mean"].as_f64().unwrap() - 0.846).abs() < 0.005, "{same}");
    // Pairs that a run found have the same Jaccard there.
    let pairs = study.dejaview(["pairs", "--json"]).jsonl();
    for (c, name) in ["simhash-3", "simhash-1"].iter().enumerate() {
        let mine = || pairs.iter().filter(|p| p["configuration"] == *name);
        let sources: std::collections::BTreeSet<&str> = mine().map(|p| p["source"].as_str().unwrap()).collect();
        let common = counted["documents_common"].as_array().unwrap();
        let with = sources.iter().filter(|id| common.iter().any(|c| c == **id)).count();
        let same: std::collections::BTreeSet<&str> =
            mine().filter(|p| p["same_url"] == true).map(|p| p["source"].as_str().unwrap()).collect();
        let against = &found["configurations"][c];
        assert_eq!(
            (&against["found"], &against["common_url"], &against["same_url"]),
            (&json!(sources.len()), &json!(with), &json!(same.len())),
            "{name}"
        );
    }
}
