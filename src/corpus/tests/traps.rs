//! Every trap of real files, in the smallest file that has it.

use super::*;
use crate::CorpusError;

#[test]
fn clueweb09() {
    // One stream, LF, a length that counts the closing line ends, an HTTP length two short, an encoding that is gone.
    let page = |id: &str, body: &str| {
        let block =
            format!("HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: {}\n\n{body}\n\n", body.len() - 2);
        format!(
            "WARC/0.18\nWARC-Type: response\nWARC-Target-URI: http://x/a\u{7f}b\nc d\nWARC-Date: 2009-03-65T08:43:19-0800\n\
             WARC-TREC-ID: {id}\nWARC-Record-ID: <urn:1>\nContent-Length: {}\n\n{block}",
            block.len()
        )
    };
    let text = format!(
        "WARC/0.18\nWARC-Type: warcinfo\nContent-Length: 4\n\na: b\n\n{}{}",
        page("clueweb09-en0000-00-00000", "<p>one"),
        page("clueweb09-en0000-00-00001", "<p>two\n")
    );
    let expected = [
        "clueweb09-en0000-00-00000|http://x/a bc d|2009-03-65T08:43:19-0800|Html|-|<p>one",
        "clueweb09-en0000-00-00001|http://x/a bc d|2009-03-65T08:43:19-0800|Html|-|<p>two\n",
    ];
    assert_eq!(read(text.as_bytes()), expected);
    assert_eq!(read(&gzip(text.as_bytes())), expected);
}

#[test]
fn clueweb22() {
    // A warcinfo without length, pages without HTTP header.
    let text = "WARC/1.0\r\nWARC-Type: warcinfo\r\n\r\nsoftware: x\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\nClueWeb22-ID: \
                clueweb22-en0000-00-00000\r\nWARC-Record-ID: <urn:2>\r\nContent-Length: 6\r\n\r\n<html>\r\n\r\n";
    assert_eq!(read(text.as_bytes()), ["clueweb22-en0000-00-00000|||Html|-|<html>"]);
}

#[test]
fn record_types() {
    let mut text = String::new();
    for kind in ["warcinfo", "request", "metadata", "revisit", "continuation", "monkeys"] {
        text += &record(kind, kind, "x");
    }
    text += "WARC/1.1\r\nwarc-type: Conversion\r\nWARC-RECORD-ID: <urn:c>\r\nWARC-Target-URI: <http://x/a b>\r\n\
             Content-Type: text/plain; charset=utf-8\r\nContent-Length: 5\r\n\r\n<p>x\n\r\n\r\n";
    assert_eq!(
        read(text.as_bytes()),
        [
            "-revisit record|urn:revisit",
            "-continuation record|urn:continuation",
            "-record type not known|monkeys: urn:monkeys",
            "urn:c|http://x/a b||Text|utf-8|<p>x\n"
        ]
    );
}

#[test]
fn media_types_and_bodies() {
    let with =
        |id: &str, headers: &str, body: &str| record(id, "response", &format!("HTTP/1.0 200\r\n{headers}\r\n{body}"));
    let text = [
        with("a", "Content-Type: image/png\r\n", "x"),
        with("b", "", "a\0b"),
        with("c", "Content-Type: html\r\n", "plain"),
        with("d", "Transfer-Encoding: chunked\r\n", "3\r\n<p>\r\n1\r\nx\r\n0\r\n\r\n"),
        with("e", "Transfer-Encoding: chunked\r\n", "<p>not chunked"),
        with("f", "Location: /\r\n", ""),
        with("g", "Content-Encoding: br\r\n", "\u{1}\u{2}"),
    ];
    assert_eq!(
        read(text.concat().as_bytes()),
        [
            "-media type not text|image/png: urn:a",
            "-binary content|urn:b",
            "urn:c|http://x/c||Text|-|plain",
            "urn:d|http://x/d||Html|-|<p>x",
            "urn:e|http://x/e||Html|-|<p>not chunked",
            "-empty body|urn:f",
            "-content encoding not supported|br: urn:g",
        ]
    );
}

#[test]
fn an_encoded_page_is_inflated() {
    let body = gzip(b"<p>page");
    let mut text =
        format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {}\r\n\r\nHTTP/1.1 200\r\n\r\n", body.len() + 16);
    let mut bytes = std::mem::take(&mut text).into_bytes();
    bytes.extend_from_slice(&body);
    assert_eq!(read(&bytes), ["folder/file@0|||Html|-|<p>page"]);
}

#[test]
fn members_of_their_own() {
    let texts = [response("a", "<p>1"), record("b", "request", "GET /"), response("c", "<p>2"), response("d", "<p>3")];
    let members: Vec<Vec<u8>> = texts.iter().map(|text| gzip(text.as_bytes())).collect();
    let expected = [shown("a", "<p>1"), shown("c", "<p>2"), shown("d", "<p>3")];
    assert_eq!(read(&members.concat()), expected);

    // An empty member, and zeros at the end.
    let mut bytes = [members[0].clone(), gzip(b""), members[2].clone(), members[3].clone()].concat();
    bytes.extend([0; 20]);
    assert_eq!(read(&bytes), expected);

    // Garbage between members.
    let bytes = [&members[0][..], b"garbage", &members[2], &members[3]].concat();
    let seen = read(&bytes);
    assert_eq!(seen.len(), 4, "{seen:?}");
    assert!(seen[1].starts_with("-compressed data damaged|"), "{seen:?}");

    // A damaged member: its record is lost, no other.
    for spoiled in 12..members[2].len() {
        let mut bytes = members.clone();
        bytes[2][spoiled] ^= 0x55;
        let seen = read(&bytes.concat());
        assert_eq!((&seen[0], seen.last().unwrap()), (&expected[0], &expected[2]), "byte {spoiled}: {seen:?}");
        assert!(seen.iter().any(|s| s.starts_with("-compressed data damaged|")), "byte {spoiled}: {seen:?}");
    }
}

#[test]
fn a_record_over_two_members() {
    let text = response("a", "<p>a page that is long enough to be broken") + &response("b", "<p>2");
    for at in [20, 150, text.len() - 20] {
        let bytes =
            [gzip(record("i", "warcinfo", "x").as_bytes()), gzip(&text.as_bytes()[..at]), gzip(&text.as_bytes()[at..])];
        let expected = [shown("a", "<p>a page that is long enough to be broken"), shown("b", "<p>2")];
        assert_eq!(read(&bytes.concat()), expected, "broken at {at}");
    }
}

#[test]
fn a_record_that_claims_more_than_its_member_ends_with_it() {
    let boast = response("b", "<p>short").replace("Content-Length: ", "Content-Length: 9");
    for records in [
        [response("a", "<p>1"), boast.clone(), response("c", "<p>2")],
        [boast.clone(), boast.clone(), response("c", "<p>2")],
        [response("a", "<p>1"), boast.trim_end().to_owned(), response("c", "<p>2")],
    ] {
        let bytes = records.iter().map(|record| gzip(record.as_bytes())).collect::<Vec<_>>().concat();
        let seen = read(&bytes);
        assert_eq!(seen.len(), 3, "{seen:?}");
        assert!(seen[1].starts_with(&shown("b", "<p>short")), "{seen:?}");
        assert_eq!(seen[2], shown("c", "<p>2"));
    }
}

#[test]
fn an_extra_field_in_the_member() {
    // `sl` as some crawlers write it: FLG 4, XLEN 8.
    let plain = gzip(response("a", "<p>1").as_bytes());
    let mut odd = plain[..10].to_vec();
    odd[3] = 4;
    odd.extend_from_slice(&[8, 0, b's', b'l', 4, 0, 1, 2, 3, 4]);
    odd.extend_from_slice(&plain[10..]);
    let bytes = [odd.clone(), odd].concat();
    assert_eq!(read(&bytes), [shown("a", "<p>1"), shown("a", "<p>1")]);
}

#[test]
fn truncated_in_every_place() {
    let texts = [response("a", "<p>1"), response("b", "<p>two"), response("c", "<p>3")];
    let members: Vec<Vec<u8>> = texts.iter().map(|text| gzip(text.as_bytes())).collect();
    for whole in [members.concat(), gzip(texts.concat().as_bytes())] {
        for end in 2..whole.len() {
            let seen = read(&whole[..end]);
            let documents = seen.iter().filter(|s| s.starts_with("urn:")).count();
            let skipped = seen.iter().filter(|s| s.starts_with('-')).count();
            let at_a_border = end == 0
                || whole == members.concat() && (end == members[0].len() || end == members[0].len() + members[1].len());
            assert!(documents <= 3 && skipped == usize::from(!at_a_border), "{end}: {seen:?}");
        }
    }
}

#[test]
fn zstd_and_bzip2() {
    let (one, two) = (response("a", "<p>1"), response("b", "<p>2"));
    let expected = [shown("a", "<p>1"), shown("b", "<p>2")];
    let zstd = |text: &str| zstd::stream::encode_all(text.as_bytes(), 3).unwrap();
    assert_eq!(read(&[zstd(&one), zstd(&two)].concat()), expected);
    let bzip2 = |text: &str| {
        let mut out = Vec::new();
        let mut encoder = bzip2::write::BzEncoder::new(&mut out, bzip2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap();
        out
    };
    assert_eq!(read(&[bzip2(&one), bzip2(&two)].concat()), expected);
    for packed in [zstd(&(one.clone() + &two)), bzip2(&(one + &two))] {
        let seen = read(&packed[..packed.len() - 3]);
        assert!(seen.last().unwrap().starts_with("-compressed data ends early|"), "{seen:?}");
    }
}

#[test]
fn too_large_a_body_is_passed_over() {
    let large = "x".repeat(crate::LARGEST_BODY + 1);
    let text = [response("a", "<p>1"), response("b", &large), response("c", "<p>3")];
    for bytes in [text.concat().into_bytes(), text.iter().map(|t| gzip(t.as_bytes())).collect::<Vec<_>>().concat()] {
        let seen: Vec<String> = read_in(&bytes, 1 << 20).into_iter().map(|seen| seen.text).collect();
        assert_eq!((&seen[0], &seen[2], seen.len()), (&shown("a", "<p>1"), &shown("c", "<p>3"), 3));
        assert!(seen[1].starts_with("-body too large|Content-Length "), "{}", seen[1]);
    }
}

#[test]
fn a_member_too_long_to_be_handed_out() {
    // Noise does not get shorter: 7 records of 12 MiB in one member, behind a member of its own for the warcinfo.
    let mut x = 1u64;
    let mut noise = vec![b'<'];
    noise.extend(
        std::iter::repeat_with(|| {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            b'0' + (x >> 58) as u8 + 64 * (x >> 57 & 1) as u8
        })
        .take(6 << 20),
    );
    let noise = String::from_utf8_lossy(&noise);
    let records: Vec<String> = (0..7).map(|i| response(&format!("d{i}"), &noise)).collect();
    let bytes = [
        gzip(record("i", "warcinfo", "x").as_bytes()),
        gzip(records.concat().as_bytes()),
        gzip(response("z", "<p>").as_bytes()),
    ];
    assert!(bytes[1].len() > 32 << 20);
    let seen = read_in(&bytes.concat(), 1 << 20);
    let ids: Vec<&str> = seen.iter().map(|seen| seen.text.split('|').next().unwrap()).collect();
    assert_eq!(ids, ["urn:d0", "urn:d1", "urn:d2", "urn:d3", "urn:d4", "urn:d5", "urn:d6", "urn:z"]);
    let member = bytes[0].len() as u64;
    assert!(seen[..7].iter().all(|seen| seen.offset == member));
    assert_eq!(seen[7].offset, member + bytes[1].len() as u64);
}

#[test]
fn batches_travel_between_threads() {
    fn sent<T: Send>() {}
    sent::<Batches>();
    sent::<crate::Batch>();
    sent::<Scratch>();
}

#[test]
fn trec_documents() {
    let text = "<DOC>\n<DOCNO> WTX001-B01-1 </DOCNO>\n<DOCHDR>\nhttp://x/a b 1.2.3.4 19970101130950 text/html 123\nHTTP/1.0 \
                200 OK\nContent-type: text/html; charset=koi8-r\n\n</DOCHDR>\n<html>one</html>\n</DOC>\n\
                <doc><docno>FT911-1</docno><TEXT>Two</TEXT></doc>\nstray\n\
                <DOC>\n<DOCNO>A</DOCNO>\nunclosed\n<DOC>\n<DOCNO>B</DOCNO>\n<DOCHDR>\nhttp://x/b\n</DOCHDR>\nthree\n</DOC>\n\
                <DOC>no number</DOC><DOC><DOCNO>C</DOCNO> torn";
    assert_eq!(
        read(text.as_bytes()),
        [
            "WTX001-B01-1|http://x/a b|19970101130950|Html|koi8-r|<html>one</html>",
            "FT911-1|||Html|-|<TEXT>Two</TEXT>",
            "-no record begins here|",
            "-record ends early|no </DOC>",
            "B|http://x/b||Text|-|three",
            "-no id|no number",
            "C|||Html|-| torn",
            "-record ends early|read as far as it goes: C",
        ]
    );
    assert_eq!(read(&gzip(text.as_bytes())).len(), 8);
}

#[test]
fn json_lines() {
    let text = "{\"id\": \"a\", \"html\": \"<p>1\"}\nbad\n\n{\"id\": \"b\", \"text\": \"2\"}";
    let expected = ["a|||Html|utf-8|<p>1", "-not a JSON object|bad", "b|||Text|utf-8|2"];
    assert_eq!(read(text.as_bytes()), expected);
    assert_eq!(read(&gzip(text.as_bytes())), expected);
}

#[test]
fn pages() {
    assert_eq!(read(b"<html>x"), ["folder/file|||Html|-|<html>x"]);
    assert_eq!(read(&gzip(b"Dear reader")), ["folder/file|||Text|-|Dear reader"]);
    assert_eq!(read(b"a\0b"), ["-binary content|folder/file"]);
    assert_eq!(read(b" \n"), ["-empty body|folder/file"]);
    assert!(read(b"").is_empty());
}

#[test]
fn unsupported_files() {
    let (_file, input) = file(b"PK\x03\x04abc");
    let error = Batches::open(&input).err().unwrap();
    assert!(matches!(&error, CorpusError::Unsupported { .. }) && error.to_string().contains("unzip"), "{error}");
    let missing = Input { path: "does/not/exist".into(), ..input };
    assert!(matches!(Batches::open(&missing), Err(CorpusError::Open { .. })));
}

/// A file that cannot be read from one byte on.
struct FailingFile {
    bytes: std::io::Cursor<Vec<u8>>,
    from: u64,
}

impl std::io::Read for FailingFile {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let left = self.from.saturating_sub(self.bytes.position()) as usize;
        if left == 0 {
            return Err(std::io::Error::other("the disk is broken"));
        }
        let most = into.len().min(left);
        self.bytes.read(&mut into[..most])
    }
}

impl std::io::Seek for FailingFile {
    fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
        self.bytes.seek(to)
    }
}

#[test]
fn a_read_error_is_an_error_at_every_byte() {
    let texts: Vec<String> = (0..6).map(|i| response(&format!("d{i}"), &format!("<p>{i}"))).collect();
    let members: Vec<u8> = texts.iter().flat_map(|text| gzip(text.as_bytes())).collect();
    let zstd = zstd::stream::encode_all(texts.concat().as_bytes(), 3).unwrap();
    for whole in [texts.concat().into_bytes(), members, gzip(texts.concat().as_bytes()), zstd, b"<p>page".to_vec()] {
        let (_file, input) = file(&whole);
        for (from, size) in (0..=whole.len() as u64).flat_map(|from| [(from, 100), (from, 1 << 20)]) {
            let disk = || {
                let bytes = std::io::Cursor::new(whole.clone());
                Ok(crate::disk::Disk::new(Box::new(FailingFile { bytes, from })))
            };
            let mut batches = match Batches::of_disk(&input, size, &disk) {
                Ok(batches) => batches,
                Err(error) => {
                    assert!(matches!(error, CorpusError::Read { .. }), "{error}");
                    continue;
                }
            };
            let error = loop {
                match batches.next() {
                    Ok(Some(_)) => {}
                    Ok(None) => panic!("read to its end, though byte {from} cannot be read"),
                    Err(error) => break error,
                }
            };
            assert!(matches!(error, CorpusError::ReadFailed { .. }), "{error}");
        }
    }
}

#[test]
fn a_document_is_found_again_at_its_offset() {
    let texts: Vec<String> = (0..20).map(|i| response(&format!("d{i}"), &format!("<p>{i}"))).collect();
    let members: Vec<Vec<u8>> = texts.iter().map(|text| gzip(text.as_bytes())).collect();
    for bytes in [texts.concat().into_bytes(), members.concat(), gzip(texts.concat().as_bytes())] {
        let (_file, input) = file(&bytes);
        let (all, ..) = drain(Batches::open(&input).unwrap());
        assert_eq!(all.len(), 20);
        for (i, seen) in all.iter().enumerate() {
            let (rest, ..) = drain(Batches::open_at(&input, seen.offset).unwrap());
            assert_eq!(rest, all[i..], "document {i}");
        }
    }
}

#[test]
fn what_is_shown_between_wiki_pages_does_not_depend_on_batches() {
    let page = "<page><title>A</title><ns>0</ns><id>1</id><revision><id>2</id><text>words</text></revision></page>";
    let text = format!("<mediawiki>{page}<pagt title=\"A\"/><revision><id>4</id></revision></mediawiki>");
    assert_eq!(
        read(text.as_bytes()).last().unwrap(),
        "-no record begins here|<pagt title=\"A\"/><revision><id>4</id></revision></mediawiki>"
    );
}

#[test]
fn the_mark_of_utf_8_between_documents_does_not_depend_on_batches() {
    let text = "<DOC>\n<DOCNO>a</DOCNO>\nb\n</DOC>\n\u{feff}stray";
    assert_eq!(read(text.as_bytes()).last().unwrap(), "-no record begins here|");
}

/// Made from nothing with gzip, zstd, xz, lz4, bzip2 and compress.
#[test]
fn compressed_files_that_hold_nothing_are_empty_files() {
    let packed: [&[u8]; 6] = [
        b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0",
        b"\x28\xb5\x2f\xfd\x24\0\x01\0\0\x99\xe9\xd8\x51",
        b"\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46\0\0\0\0\x1c\xdf\x44\x21\x1f\xb6\xf3\x7d\x01\0\0\0\0\x04YZ",
        b"\x04\x22\x4d\x18\x64\x40\xa7\0\0\0\0\x05\x5d\xcc\x02",
        b"BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0",
        b"\x1f\x9d\x90",
    ];
    for bytes in packed {
        let seen = read_in(bytes, 1 << 20);
        let texts: Vec<&str> = seen.iter().map(|seen| seen.text.as_str()).collect();
        assert_eq!(texts, ["-empty file|nothing was compressed"], "{bytes:02x?}");
        let (_file, input) = file(&bytes[..bytes.len() - 1]);
        let (cut, ..) = drain(Batches::open(&input).unwrap());
        assert!(
            cut.iter().all(|seen| !seen.text.starts_with("-empty file")) || bytes.len() < 4,
            "{bytes:02x?}: {cut:?}"
        );
    }
}

/// A line packed by `xz --lzma2=dict=1GiB` and by `zstd --long=31` from a pipe: sound, and not to be fetched again.
#[test]
fn compressed_files_that_ask_for_much_memory_are_not_called_damaged() {
    let xz: &[u8] = b"\xfd7zXZ\0\0\x04\xe6\xd6\xb4\x46\x02\0\x21\x01\x24\0\0\0\x5e\x1f\xc7\xf9\x01\0\x10x\thttp://a.org/x\n\0\0\0\0\xbf\xd0\xf1\
        \xec\xa5\x1e\x65\xfb\0\x01\x29\x11\x32\x0a\x70\x0e\x1f\xb6\xf3\x7d\x01\0\0\0\0\x04YZ";
    let zstd: &[u8] = b"\x28\xb5\x2f\xfd\x04\xa8\x55\0\0\x18abc\x01\0\x7e\xad\xdc\x10\x77\x2b\x9a\xfd";
    for (bytes, why) in [(xz, "xz: a dictionary of 1024 MiB, and 128 MiB at most are read"), (zstd, "zstd: ")] {
        let seen = read_in(bytes, 1 << 20);
        let expected = format!("-compressed data needs too much memory|{why}");
        assert!(seen.iter().any(|seen| seen.text.starts_with(&expected)), "{seen:?}");
    }
}
