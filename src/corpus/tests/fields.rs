//! The formats of the field beside WARC and TREC, each in a small file. What a file rests on, its comment says.

use super::*;

/// Bytes of a file in the folder of fixtures.
fn fixture(name: &str) -> Vec<u8> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/formats").join(name);
    std::fs::read(path).unwrap()
}

fn arc(url: &str, block: &str) -> String {
    format!("{url} 1.2.3.4 20140216050221 text/html {}\n{block}\n", block.len())
}

// Written after the description of ARC by Burner and Kahle, 1996; real files are read in `it corpus_data::`.
#[test]
fn arc_files() {
    let about = "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n";
    let about = format!("filedesc://x.arc 0.0.0.0 20140216050221 text/plain {}\n{about}\n", about.len());
    let pages = [
        arc("http://x/a", &http("<p>1")),
        arc("dns:x", "x").replace("text/html", "text/dns"),
        arc("http://x/b c", "<p>2"),
        arc("http://x/d", "HTTP/1.1 404 Not Found\r\n\r\n<p>none"),
    ];
    let expected = [
        "20140216050221/http://x/a|http://x/a|20140216050221|Html|utf-8|<p>1",
        "-media type not text|text/dns: 20140216050221/dns:x",
        "20140216050221/http://x/b c|http://x/b c|20140216050221|Html|-|<p>2",
        "-HTTP error|404 Not Found: 20140216050221/http://x/d",
    ];
    let whole = about.clone() + &pages.concat();
    assert_eq!(read(whole.as_bytes()), expected);
    assert_eq!(read(&gzip(whole.as_bytes())), expected);
    let members: Vec<u8> = [about].iter().chain(&pages).flat_map(|record| gzip(record.as_bytes())).collect();
    assert_eq!(read(&members), expected);
}

#[test]
fn arc_files_with_wrong_lengths() {
    let (one, two) = (arc("http://x/a", "<p>1"), arc("http://x/b", "<p>2"));
    let id =
        |name: &str, body: &str| format!("20140216050221/http://x/{name}|http://x/{name}|20140216050221|Html|-|{body}");
    for wrong in ["3", "5", "9", "99"] {
        let seen = read((one.replace(" 4\n", &format!(" {wrong}\n")) + &two).as_bytes());
        assert_eq!((seen.len(), seen.last()), (2, Some(&id("b", "<p>2"))), "{wrong}: {seen:?}");
    }
    let seen = read((one.clone() + "garbage\nmore\n" + &two).as_bytes());
    assert_eq!(seen, [id("a", "<p>1"), "-no record begins here|".to_owned(), id("b", "<p>2")]);
    let seen = read(&(one.clone() + &two).as_bytes()[..one.len() + two.len() - 3]);
    let note = "-record ends early|read as far as it goes: 20140216050221/http://x/b".to_owned();
    assert_eq!(seen, [id("a", "<p>1"), id("b", "<p"), note]);
}

#[test]
fn clipped_records_are_read_as_far_as_they_go() {
    let whole = response("a", "<p>1") + &response("b", "<p>two words");
    let clipped = &whole.as_bytes()[..whole.len() - 10];
    let note = "-record ends early|read as far as it goes: urn:b".to_owned();
    let seen = read(clipped);
    assert_eq!(seen, [shown("a", "<p>1"), shown("b", "<p>two"), note], "{seen:?}");
    // A gzip member that is cut is inflated as far as it goes; how far that is, the compressor decides.
    let packed = gzip(whole.as_bytes());
    let seen = read(&packed[..packed.len() - 16]);
    assert_eq!(seen[0], shown("a", "<p>1"));
    assert!(seen[1].starts_with("urn:b|http://x/b||Html|utf-8|<p>t"), "{seen:?}");
    assert_eq!(seen[2], "-compressed data ends early|read as far as it goes: urn:b");
    // Nothing is read of a record whose header is clipped, or that is damaged.
    assert_eq!(read(&whole.as_bytes()[..whole.len() - 100]).last().unwrap(), "-record ends early|WARC/1.0");
    let page = gzip("<p>a page that is long enough to be clipped".as_bytes());
    let seen = read(&page[..page.len() - 12]);
    assert!(seen[0].starts_with("folder/file|||Html|-|<p>a page"), "{seen:?}");
    assert_eq!(seen[1], "-compressed data ends early|read as far as it goes: folder/file");
}

/// The record is whole, and the page in it is not.
#[test]
fn pages_that_are_damaged_inside_their_records_are_said() {
    let page = gzip(format!("<p>{}", "some words of a page ".repeat(40)).as_bytes());
    let record = |encoding: &str, body: &[u8]| {
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{encoding}\r\n\r\n");
        let block = [http.as_bytes(), body].concat();
        let head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:a>\r\nWARC-Target-URI: http://x/a\r\n";
        [format!("{head}Content-Length: {}\r\n\r\n", block.len()).as_bytes(), &block, b"\r\n\r\n"].concat()
    };
    let mut flipped = page.clone();
    flipped[page.len() - 7] ^= 1;
    let (gzip, chunked) = ("Content-Encoding: gzip", "Transfer-Encoding: chunked");
    for (encoding, body, damage) in [
        (gzip, &page[..], None),
        (gzip, &page[..page.len() - 4], Some("compressed data ends early")),
        (gzip, &flipped[..], Some("compressed data damaged")),
        (chunked, b"9\r\n<p>a page\r\n0\r\n\r\n", None),
        (chunked, b"9\r\n<p>a page\r\nff\r\n of", Some("record ends early")),
        (chunked, b"9\r\n<p>a page\r\n5 \r\n of 3\r\nxyz", Some("chunk size damaged")),
    ] {
        let seen = read(&record(encoding, body));
        assert!(seen[0].starts_with("urn:a|http://x/a||Html|utf-8|<p>"), "{seen:?}");
        let how = |damage| {
            if damage == "chunk size damaged" { "the rest is read as it is" } else { "read as far as it goes" }
        };
        let note = damage.map(|damage| format!("-{damage}|{}: urn:a", how(damage)));
        assert_eq!(seen.get(1), note.as_ref(), "{encoding}");
    }
}

// The layout is that of the WET and WAT files which Common Crawl's whirlwind tour shows; the page is invented.
#[test]
fn wet_and_wat() {
    let wet =
        "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: https://x/a\r\nWARC-Date: 2024-05-18T01:58:10Z\r\n\
               WARC-Record-ID: <urn:uuid:1>\r\nWARC-Refers-To: <urn:uuid:0>\r\nContent-Type: text/plain\r\n\
               Content-Length: 10\r\n\r\nOne\nTwo\n\u{2013}\r\n\r\n"
            .replace("Length: 10", "Length: 11");
    assert_eq!(read(wet.as_bytes()), ["urn:uuid:1|https://x/a|2024-05-18T01:58:10Z|Text|-|One\nTwo\n\u{2013}"]);
    let wat = |json: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: https://x/a\r\nWARC-Date: 2024-05-31T01:17:49Z\r\n\
             WARC-Record-ID: <urn:uuid:2>\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{json}\r\n\r\n",
            json.len()
        )
    };
    let request = wat(r#"{"Envelope":{"Payload-Metadata":{"HTTP-Request-Metadata":{"Headers":{}}}}}"#);
    let answer = wat(
        r#"{"Container":{},"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"HTML-Metadata":{"Head":{"Title":" Bread ",
        "Metas":[{"name":"Description","content":"How to bake"},{"name":"viewport","content":"x"}]},"Links":[{"path":"A@/href",
        "url":"/b","text":"Flour"},{"path":"IMG@/src","url":"c.png","alt":"An oven"},{"url":"/d"}]}}},
        "WARC-Header-Metadata":{"WARC-Type":"response","WARC-Date":"2024-05-18T01:58:10Z"}}}"#,
    );
    let picture =
        wat(r#"{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"Headers":{"Content-Type":"image/png"}}}}}"#);
    let other = "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Type: application/warc-fields\r\nContent-Length: 1\r\n\r\nx\r\n\r\n";
    assert_eq!(
        read([request, answer, picture, wat("{"), other.to_owned()].concat().as_bytes()),
        [
            "urn:uuid:2|https://x/a|2024-05-18T01:58:10Z|Text|utf-8|Bread\nHow to bake\nFlour\nAn oven\n",
            "-empty body|image/png urn:uuid:2",
            "-not a JSON object|EOF while parsing an object at line 1 column 1: urn:uuid:2",
        ]
    );
}

#[test]
fn json_arrays() {
    let text = "[\n  {\"id\": \"a\", \"html\": \"<p>1\"},\n  17,\n  {\"id\": \"b\", \"text\": \"2]\\\"}\"}\n]\n";
    let expected = ["a|||Html|utf-8|<p>1", "-not a JSON object|17", "b|||Text|utf-8|2]\"}"];
    assert_eq!(read(text.as_bytes()), expected);
    assert_eq!(read(&gzip(text.as_bytes())), expected);
    let seen = read(&text.as_bytes()[..40]);
    assert_eq!(seen, ["a|||Html|utf-8|<p>1", "-not a JSON object|17"], "{seen:?}");
    let seen = read(&text.as_bytes()[..60]);
    assert_eq!(seen.last().unwrap(), "-record ends early|{\"id\": \"b\", \"text\":");
}

// Written after NTCIR's CLIR collections, LDC's Gigaword and WikiExtractor's output, each as its description shows it.
#[test]
fn documents_with_their_number_in_the_tag() {
    let text = "<DOC id=\"AFP_ENG_20101231.0001\" type=\"story\" >\n<HEADLINE>\nOne\n</HEADLINE>\n</DOC>\n\
                <doc id='12' url=\"https://x/wiki?curid=12\" title=\"A b\">\nA b\n\ntext\n</doc>\n\
                <DOC id=C>\nunclosed\n<DOC id=\"D\">\nfour\n</DOC>\n<DOC type=\"x\">none</DOC>\n<DOC ID=\"E\">torn";
    assert_eq!(
        read(text.as_bytes()),
        [
            "AFP_ENG_20101231.0001|||Html|-|<HEADLINE>\nOne\n</HEADLINE>",
            "12|https://x/wiki?curid=12||Html|-|A b\n\ntext",
            "-record ends early|no </DOC>",
            "D|||Html|-|four",
            "-no record begins here|",
            "E|||Html|-|torn",
            "-record ends early|read as far as it goes: E",
        ]
    );
}

// Written after RFC 4155 (mbox) and 2045 to 2047 (MIME). Python's `mailbox` and `email` make the same of it, but leave `>From`.
#[test]
fn mail() {
    let text = "From a@x Sat Jan  3 01:05:34 1996\nMessage-ID: <1@x>\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\nDate: Sat, 3 Jan 1996\n\
                Archived-At: <http://x/1>\n\nHello,\n>From here on\n\n\
                From b@x Sat Jan  3 01:05:34 1996\nMessage-ID: <2@x>\nSubject: Two\nContent-Type: multipart/alternative;\n \
                boundary=\"b1\"\n\nThis is MIME.\n--b1\nContent-Type: text/html; charset=koi8-r\n\n<p>html\n--b1\n\
                Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nw7xiZXI=\n--b1--\n\n\
                From c@x Sat Jan  3 01:05:34 1996\nSubject: page\nContent-Type: text/html\nContent-Transfer-Encoding: \
                quoted-printable\n\n<p>a=3Db\n\n\
                From d@x Sat Jan  3 01:05:34 1996\nMessage-ID: <4@x>\nContent-Type: application/pdf\n\n%PDF\n";
    let third = text.find("From c@x").unwrap();
    let expected = [
        "1@x|http://x/1|Sat, 3 Jan 1996|Text|utf-8|Gr\u{fc}\u{df}e\n\nHello,\nFrom here on\n".to_owned(),
        "2@x|||Text|utf-8|Two\n\n\u{fc}ber".to_owned(),
        format!("folder/file@{third}|||Html|-|<title>page</title>\n<p>a=b\n"),
        "-media type not text|4@x".to_owned(),
    ];
    assert_eq!(read(text.as_bytes()), expected);
    assert_eq!(read(&gzip(text.as_bytes())).len(), 4);
    assert_eq!(read(format!("junk\n\n{text}").as_bytes()).len(), 1, "not recognised");
    let mbox = crate::formats::find("mbox");
    let seen = read_as(mbox, format!("junk\n\n{text}").as_bytes(), 100);
    assert_eq!((seen.len(), seen[0].text.as_str()), (5, "-no record begins here|"));
}

#[test]
fn lz4_frames() {
    let (one, two) = (response("a", "<p>1"), response("b", &"<p>again and again ".repeat(20_000)));
    // Blocks that are stored and not compressed are written by hand; `it corpus_data::` reads a file of lz4's own.
    let frame = |text: &str| {
        let mut out = vec![0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82];
        for block in text.as_bytes().chunks(64 << 10) {
            out.extend_from_slice(&(block.len() as u32 | 1 << 31).to_le_bytes());
            out.extend_from_slice(block);
        }
        [out, vec![0; 4]].concat()
    };
    let packed = [frame(&one), frame(&two)].concat();
    let seen = read_in(&packed, 1 << 20);
    assert_eq!((seen.len(), &seen[0].text), (2, &shown("a", "<p>1")));
    let seen = read_in(&packed[..packed.len() - 1000], 1 << 20);
    assert_eq!(seen.last().unwrap().text, "-compressed data ends early|read as far as it goes: urn:b");
    let mut spoiled = packed.clone();
    spoiled[5] = 0x30;
    assert!(read_in(&spoiled, 100)[0].text.starts_with("-compressed data damaged|"));
}

// Packed with ncompress 5.0; `tests/outside/compress.py` compares longer files.
#[test]
fn unix_compress() {
    let text: String = (0..6000u64).map(|i| format!("{}\n", i * i)).collect();
    assert_eq!(read(&fixture("squares.txt.Z")), [format!("folder/file|||Text|-|{text}")]);
    assert!(read(b"\x1f\x9d\xff\x01\x02")[0].starts_with("-compressed data damaged|a kind of .Z file"));
    assert_eq!(read(b"\x1f\x9d").len(), 1, "an empty file");
    assert!(read(b"\x1f\x9d\x90a\x00\xff\xff").last().unwrap().starts_with("-compressed data damaged|a code of a .Z"));
}

// Written by pyarrow, as data sets are: nulls, dictionaries, a list beside the text, two rows a group.
#[test]
fn parquet_tables() {
    let expected = [
        "a|http://x/a|1|Text|utf-8|The lamp of the lighthouse was lit.",
        "b||2|Text|utf-8|Flour, water and salt.",
        "folder/file@2|http://x/c|3|Text|utf-8|No id.",
        "-empty body|d",
        "e|http://x/e|5|Text|utf-8|Gr\u{fc}\u{df}e, \u{6771}\u{4eac}",
    ];
    for packing in ["none", "snappy", "gzip", "zstd"] {
        let bytes = fixture(&format!("documents-{packing}.parquet"));
        assert_eq!(read(&bytes), expected, "{packing}");
        let (_file, input) = file(&bytes);
        let (rest, ..) = drain(Batches::open_at(&input, 4).unwrap());
        assert_eq!(rest.len(), 1, "the last row is found again");
    }
    assert_eq!(read(&fixture("pages.parquet")), ["7|||Html|utf-8|<p>1", "8|||Html|-|<p>\u{fffd}"]);
    assert_eq!(read(&fixture("numbers.parquet")), ["-no record begins here|no column html or text; there are a"]);
    let whole = fixture("documents-zstd.parquet");
    for end in [4, 100, whole.len() - 1] {
        let seen = read(&whole[..end]);
        assert!(seen.len() == 1 && seen[0].starts_with("-no record begins here|no Parquet table"), "{end}: {seen:?}");
    }
    // Damage anywhere is reported, or changes nothing that is read; nothing panics.
    for at in 4..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x40;
        read_in(&bytes, 1 << 20);
    }
}
