//! Properties of arbitrary bytes: nothing panics, and batches of any size show the same.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// Pieces that WARC, TREC and JSONL files are made of, and some that they should not hold.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let known = prop::sample::select(vec![
        "WARC/1.0\r\n",
        "WARC/0.18\n",
        "\nWARC/1.0\n",
        "WARC-Type: response\r\n",
        "WARC-Type: resource\n",
        "Content-Length: 5\r\n",
        "Content-Length: 40\n",
        "Content-Length: x\n",
        "\r\n",
        "\r\n\r\n",
        "\n\n",
        "HTTP/1.1 200 OK\r\n",
        "<p>text\n",
        "Transfer-Encoding: chunked\r\n",
        "4\r\n",
        "<DOC>\n",
        "<DOCNO> A </DOCNO>\n",
        "</DOC>\n",
        "<DOCHDR>\nhttp://x\n</DOCHDR>\n",
        "{\"id\": 1, \"text\": \"x\"}\n",
        "{",
        "WARC/",
    ]);
    prop_oneof![8 => known.prop_map(|text| text.as_bytes().to_vec()), 1 => vec(any::<u8>(), 0..20)]
}

/// A file of pieces that begins like one of the formats.
fn content() -> impl Strategy<Value = Vec<u8>> {
    let first =
        prop::sample::select(vec!["WARC/1.0\nWARC-Type: response\n", "<DOC><DOCNO>A</DOCNO>", "{\"id\": 1}\n", ""]);
    (first, vec(piece(), 0..40)).prop_map(|(first, pieces)| [first.as_bytes().to_vec(), pieces.concat()].concat())
}

/// Whole records and what may stand between them.
fn archive() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let block = prop_oneof![vec(piece(), 0..6).prop_map(|pieces| pieces.concat()), vec(any::<u8>(), 0..300)];
    let wrong = prop_oneof![6 => Just(0i64), 1 => -20..20i64];
    let record = (block, wrong).prop_map(|(block, wrong)| {
        let length = (block.len() as i64 + wrong).max(0);
        let mut record = format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {length}\r\n\r\n").into_bytes();
        record.extend_from_slice(&block);
        record.extend_from_slice(b"\r\n\r\n");
        record
    });
    vec(record, 1..12)
}

fn alike(bytes: &[u8]) -> Result<(), TestCaseError> {
    let large = read_in(bytes, 1 << 20);
    for size in [1, 3, 64, 700] {
        prop_assert_eq!(&read_in(bytes, size), &large, "batches of {}", size);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_batch_size_shows_the_same(bytes in content()) {
        alike(&bytes)?;
        alike(&gzip(&bytes))?;
    }

    #[test]
    fn any_batch_size_shows_the_same_by_name(bytes in content(), format in prop::sample::select(crate::formats::FORMATS)) {
        let large = read_as(Some(format), &bytes, 1 << 20);
        for size in [1, 3, 64, 700] {
            prop_assert_eq!(&read_as(Some(format), &bytes, size), &large, "{} in batches of {}", format.name, size);
        }
    }

    #[test]
    fn any_batch_size_shows_the_same_members(records in archive()) {
        let bytes: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
        alike(&bytes)?;
        // Records and members hold the same documents as the plain file; only offsets differ.
        let plain: Vec<String> = read_in(&records.concat(), 100).into_iter().map(|seen| seen.text.split('@').next().unwrap_or("").to_owned()).collect();
        let packed: Vec<String> = read_in(&bytes, 100).into_iter().map(|seen| seen.text.split('@').next().unwrap_or("").to_owned()).collect();
        prop_assert_eq!(packed, plain);
    }

    #[test]
    fn damaged_members_show_the_same(records in archive(), at in any::<prop::sample::Index>(), flip in 1..=255u8, cut in any::<bool>()) {
        let mut bytes: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else { bytes[at] ^= flip }
        alike(&bytes)?;
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in vec(any::<u8>(), 0..600)) {
        for bytes in [bytes.clone(), gzip(&bytes), [&b"\x1f\x8b\x08\0\0\0\0\0\0\x03"[..], &bytes].concat(), [&b"\x28\xb5\x2f\xfd"[..], &bytes].concat()] {
            let (_file, input) = file(&bytes);
            if let Ok(batches) = Batches::with_size(&input, 7) {
                let (_, batches, _) = drain(batches);
                prop_assert_eq!(batches.digest(), xxhash_rust::xxh3::xxh3_128(&bytes));
            }
        }
    }
}
