//! MediaWiki exports: plain and packed, newest revisions against older ones, and a real dump (named by `DEJAVIEW_WIKI`).

use std::io::Write;

use crate::support::{Study, skipped};

fn bz2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Words of a page; `changed` of them are others.
fn words(page: usize, changed: usize) -> String {
    let word =
        |i: usize| if i < changed { format!("new{page}x{i}") } else { format!("w{}", (page * 977 + i * 31) % 4_000) };
    (0..150)
        .map(|i| if i % 15 == 0 { format!("\n\n== {} ==\n", word(i)) } else { format!("[[{}|{}]] ", word(i), word(i)) })
        .collect()
}

fn page(number: usize) -> String {
    let revision = |r: usize| {
        format!(
            "<revision><id>{}</id><timestamp>20{:02}-01-01T00:00:00Z</timestamp><model>wikitext</model>\
             <text xml:space=\"preserve\">{}&lt;ref&gt;noise&lt;/ref&gt; {{{{infobox|a=b}}}}</text></revision>\n",
            number * 10 + r,
            r,
            // The older, the less alike: revision 4 is the newest.
            words(number, (4 - r) * number)
        )
    };
    let revisions: String = (0..5).map(revision).collect();
    format!("<page>\n<title>Page {number}</title>\n<ns>0</ns>\n<id>{number}</id>\n{revisions}</page>\n")
}

const HEAD: &str = "<mediawiki xml:lang=\"en\">\n<siteinfo><sitename>W</sitename><base>https://w.org/wiki/Main_Page</base></siteinfo>\n";

fn export() -> String {
    let pages: String = (1..9).map(page).collect();
    let template = "<page><title>Template:T</title><ns>10</ns><revision><text>x</text></revision></page>\n";
    let redirect = "<page><title>R</title><ns>0</ns><redirect title=\"Page 1\" /><revision><text>#REDIRECT [[Page 1]]</text></revision></page>\n";
    format!("{HEAD}{pages}{template}{redirect}</mediawiki>\n")
}

fn study(name: &str, bytes: &[u8]) -> Study {
    let toml = format!(
        "name = \"W\"\n[source]\ndocuments = [{name:?}]\n\n[[target]]\nsegment = \"older\"\n\
         documents = [{{ glob = {name:?}, format = \"mediawiki-older\" }}]\n\n\
         [[configuration]]\nmethod = \"simhash\"\nngrams = [1]\n\n[[configuration]]\nmethod = \"exact-jaccard\"\n"
    );
    Study::new().file(name, bytes).file("study.toml", toml)
}

#[test]
fn newest_revisions_against_older_ones_however_packed() {
    let export = export();
    // A stream for the head, one for each two pages, one for the end: as multistream dumps are.
    let mut multistream = bz2(HEAD.as_bytes());
    let rest = &export[HEAD.len()..];
    let middle = rest.match_indices("<page>").nth(4).unwrap().0;
    multistream.extend(bz2(&rest.as_bytes()[..middle]));
    multistream.extend(bz2(&rest.as_bytes()[middle..]));
    let mut all: Vec<String> = Vec::new();
    for (name, bytes) in
        [("w.xml", export.clone().into_bytes()), ("w.xml.bz2", bz2(export.as_bytes())), ("m.xml.bz2", multistream)]
    {
        let study = study(name, &bytes);
        let summary = study.run();
        assert_eq!(summary["documents"], serde_json::json!({ "source": 8, "target": 32 }), "{name}");
        // Told on both sides.
        let skipped = serde_json::json!({ "page of another namespace": 2, "redirect page": 1, "empty body": 0 });
        assert_eq!(
            summary["skipped"]["page of another namespace"], skipped["page of another namespace"],
            "{name}: {summary}"
        );
        assert_eq!(summary["skipped"]["redirect page"], skipped["redirect page"], "{name}: {summary}");
        let pairs = study.dejaview(["pairs"]);
        all.push(pairs.ok().to_owned());
        assert!(pairs.ok().contains("Page_1\tPage_1@13"), "{}", pairs.ok());
        let text = study.dejaview(["show", "Page_3"]);
        assert!(text.ok().starts_with("Page 3\n") && !text.ok().contains("noise") && !text.ok().contains("[["));
        assert!(!text.ok().contains("infobox"), "{}", text.ok());
        assert!(study.dejaview(["show", "Page_3", "--raw"]).ok().contains("{{infobox|a=b}}"));
    }
    assert!(all.windows(2).all(|two| two[0] == two[1]), "however packed, the same pairs");
}

#[test]
fn the_experiment_knows_revisions_of_one_page() {
    let study = study("w.xml", export().as_bytes());
    study.run();
    let answer = study.dejaview(["evaluate", "--json", "--experiments"]).json();
    let experiments = &answer["experiments"];
    assert_eq!(experiments["same_url"]["pairs"], 32, "four older ones of eight pages");
    let rows = experiments["same_url"]["simhash"].as_array().unwrap();
    let all = experiments["same_url"]["alike"].as_u64().unwrap();
    assert!(all >= 8, "{all}");
    for row in rows {
        assert!(row["pairs"].as_u64() <= Some(32) && row["true"].as_u64() <= Some(all), "{row}");
    }
    let wide = rows.iter().find(|row| row["ngrams"] == "1" && row["distance"] == 8).unwrap();
    assert!(wide["recall"].as_f64().unwrap() > 0.5, "{wide}");
    let text = study.dejaview(["evaluate", "--experiments", "--table", "revisions"]);
    assert!(text.ok().contains("same address"), "{}", text.ok());
}

#[test]
fn a_real_dump() {
    let Some(dump) = std::env::var_os("DEJAVIEW_WIKI") else { return skipped("DEJAVIEW_WIKI is not set") };
    let dump = std::path::PathBuf::from(dump);
    let study = Study::new().source(&dump).target("same", &dump).configuration("md5", "");
    let summary = study.run();
    let documents = summary["documents"]["source"].as_u64().unwrap();
    assert!(documents > 0, "{summary}");
    assert_eq!(summary["documents"]["source"], summary["documents"]["target"]);
    let pairs = study.dejaview(["pairs", "--json"]).jsonl();
    let own = pairs.iter().filter(|pair| pair["source"] == pair["target"]).count() as u64;
    assert!(own + 2 >= documents, "{own} of {documents} pages are found again");
    for pair in pairs.iter().take(20) {
        let text = study.dejaview(["show", pair["source"].as_str().unwrap()]);
        for mark in ["[[", "]]", "{{", "<ref", "'''", "&nbsp;"] {
            assert!(!text.ok().contains(mark), "{mark} in {}", pair["source"]);
        }
    }
}
