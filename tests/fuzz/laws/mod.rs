//! What holds for any bytes: a law for everything that reads what somebody else wrote.
//!
//! The fuzzer (`tests/fuzz`) looks for bytes that break a law. Those it found worth keeping stand in `tests/fixtures/fuzz`, and
//! `cargo test --test it fuzzed` holds the same laws against them. A law panics when it is broken.

mod archives;
mod journals;
mod kept;
mod lists;
mod scratch;
mod screen;
mod studies;
mod text;

/// A law and its name, which is that of its file of kept inputs, too.
pub struct Law {
    pub name: &'static str,
    /// Panics when the bytes break it.
    pub check: fn(&[u8]),
}

const fn law(name: &'static str, check: fn(&[u8])) -> Law {
    Law { name, check }
}

/// All of them.
pub static LAWS: &[Law] = &[
    law("warc", |bytes| archives::named("warc", bytes)),
    law("arc", |bytes| archives::named("arc", bytes)),
    law("mbox", |bytes| archives::named("mbox", bytes)),
    law("json", |bytes| archives::named("json", bytes)),
    law("trec", |bytes| archives::named("trecweb", bytes)),
    law("jsonl", |bytes| archives::named("jsonl", bytes)),
    law("mediawiki", archives::wikis),
    law("page", archives::pages),
    law("recognised", archives::recognised),
    law("qrels", lists::qrels),
    law("runs", lists::runs),
    law("topics", lists::topics),
    law("urls", lists::urls),
    law("pair-lists", lists::pairs),
    law("parquet", lists::parquet),
    law("study-toml", studies::recipe),
    law("settings", studies::settings),
    law("filter", studies::filter),
    law("workspace", studies::workspace),
    law("query", studies::query),
    law("journal", journals::journal),
    law("label-table", journals::table),
    law("sample", journals::sample),
    law("pack", journals::pack),
    law("pairs", kept::pairs),
    law("texts", kept::texts),
    law("fitted", kept::fitted),
    law("extraction", text::extraction),
    law("wikitext", text::wikitext),
    law("tokens", text::tokens),
    law("diff", text::diff),
    law("terminal", screen::terminal),
    law("keys", screen::keys),
];

/// Whether a text is one line without control characters, as messages and columns need it.
fn is_one_line(text: &str) -> bool {
    !text.contains(char::is_control)
}
