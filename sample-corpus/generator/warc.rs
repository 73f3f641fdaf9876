//! The two dialects of WARC in which the crawls are written.

use std::io::{self, Write};

use encoding_rs::{Encoding, UTF_8};
use flate2::{Compression, GzBuilder};

use crate::date::Date;

/// One page as it goes over the wire.
#[derive(Debug)]
pub struct Response<'a> {
    /// `WARC-TREC-ID`
    pub id: String,
    /// `WARC-Target-URI`
    pub url: &'a str,
    /// The day it was fetched.
    pub fetched: Date,
    /// The HTTP `Content-Type`.
    pub content_type: String,
    /// The page's bytes.
    pub body: Vec<u8>,
}

/// Encodes a page, with its hole for the character set filled. What `charset` cannot say becomes `&#…;`.
pub fn encode(html: &str, charset: &str, says: &str) -> Vec<u8> {
    let html = html.replace("{{charset}}", says);
    let encoding = Encoding::for_label(charset.as_bytes()).unwrap_or(UTF_8);
    encoding.encode(&html).0.into_owned()
}

/// WARC 0.18 as ClueWeb09 wrote it: one gzip member, lines ended by LF, the day of the year in dates, and a length
/// that includes the two closing line feeds.
pub fn write_old(responses: &[Response<'_>]) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let info = "software: dejaview sample generator\nformat: WARC file version 0.18\n";
    let date = Date { year: 2009, month: 3, day: 6 };
    write!(
        text,
        "WARC/0.18\nWARC-Type: warcinfo\nWARC-Date: {}\nWARC-Record-ID: <urn:uuid:{}>\n\
         Content-Type: application/warc-fields\nContent-Length: {}\n\n{info}\n",
        old_date(date, 0),
        uuid(9, 0),
        info.len()
    )?;
    for (i, response) in responses.iter().enumerate() {
        let head = format!(
            "HTTP/1.1 200 OK\nContent-Type: {}\nServer: Apache/1.3.41 (Unix)\nConnection: close\nContent-Length: {}\n\n",
            response.content_type,
            response.body.len()
        );
        write!(
            text,
            "WARC/0.18\nWARC-Type: response\nWARC-Target-URI: {}\nWARC-Warcinfo-ID: {}\nWARC-Date: {}\n\
             WARC-Record-ID: <urn:uuid:{}>\nWARC-TREC-ID: {}\nContent-Type: application/http;msgtype=response\n\
             WARC-Identified-Payload-Type: \nContent-Length: {}\n\n{head}",
            response.url,
            uuid(9, 0),
            old_date(response.fetched, i),
            uuid(9, i + 1),
            response.id,
            head.len() + response.body.len() + 2
        )?;
        text.extend_from_slice(&response.body);
        text.extend_from_slice(b"\n\n");
    }
    gzip(&text)
}

/// WARC 1.0 as ClueWeb12 wrote it: CRLF, and a gzip member for each record.
pub fn write_new(responses: &[Response<'_>], segment: usize) -> io::Result<Vec<u8>> {
    let info = "software: dejaview sample generator\r\nformat: WARC File Format 1.0\r\n";
    let mut out = gzip(
        format!(
            "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: 2012-05-31T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:{}>\r\n\
             Content-Type: application/warc-fields\r\nContent-Length: {}\r\n\r\n{info}\r\n\r\n",
            uuid(12 + segment, 0),
            info.len()
        )
        .as_bytes(),
    )?;
    for (i, response) in responses.iter().enumerate() {
        let head = format!(
            "HTTP/1.1 200 OK\r\nServer: Apache/2.2.22\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n",
            response.content_type,
            response.body.len()
        );
        let mut record = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: {}T{:02}:{:02}:{:02}Z\r\nWARC-TREC-ID: {}\r\n\
             WARC-Target-URI: {}\r\nWARC-Record-ID: <urn:uuid:{}>\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{head}",
            response.fetched.iso(),
            i / 60 % 24,
            i % 60,
            i * 7 % 60,
            response.id,
            response.url,
            uuid(12 + segment, i + 1),
            head.len() + response.body.len()
        )
        .into_bytes();
        record.extend_from_slice(&response.body);
        record.extend_from_slice(b"\r\n\r\n");
        out.extend(gzip(&record)?);
    }
    Ok(out)
}

/// `2009-03-65T08:43:19-0800`: the third number is the day of the year.
fn old_date(date: Date, second: usize) -> String {
    let clock = format!("{:02}:{:02}:{:02}", 8 + second / 3600, second / 60 % 60, second % 60);
    format!("{:04}-{:02}-{:02}T{clock}-0800", date.year, date.month, date.day_of_year())
}

fn uuid(file: usize, record: usize) -> String {
    format!("{file:08x}-0000-4000-8000-{record:012x}")
}

/// Level 9 and no time stamp, so that the same bytes come out every time.
fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}
