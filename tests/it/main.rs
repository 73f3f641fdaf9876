//! Integration tests: one binary, a module a topic. Those on real data read the folder named by `DEJAVIEW_DATA` and say
//! so when it is unset; the slowest also want `DEJAVIEW_SLOW=1`, those on Spark a virtual environment with PySpark, named by
//! `DEJAVIEW_SPARK`.

#![allow(clippy::unwrap_used, reason = "a test may stop where it stands")]

/// A study in a folder of its own and the program run on it; small archives made on the spot. No tests.
mod support;

/// Real data and slow tests: whether they were asked for.
mod skipping;

/// Calls of the system that fail, and which are tried. No tests.
mod failing;

/// The published definitions written anew, slowly and plainly, to hold results against. Tests of these only.
mod naive;

/// Which crate may use which.
mod rows;

/// Which file of a crate may use which.
mod circles;

/// Tables of pages that the program makes. No tests.
mod tables;

/// What the README, the manual and the pages for engineers name, and how tests are skipped.
mod manual;

/// Every example of the README and the manual.
#[cfg(unix)]
mod examples;

/// The commands as a user meets them: help, exit codes, pipes, JSON, messages.
mod cli;

/// Truths that a similarity decides.
mod truths;

/// `study.toml`, right and wrong, and what is said about it.
mod study_toml;

/// The evaluation set: labels in and out, agreement, estimates, the paragraph, a pack.
mod labels;

/// The detector that learns from labels.
mod learned;

/// What holds for a pair, and that every command says the same of it.
mod standing;

/// What becomes of every row of a file of labels.
mod import;

/// What commands on samples and labels say, and that they say it everywhere alike.
mod told;

/// The methods paragraph.
mod paragraph;

/// Samples of every design, as the command line draws them.
mod samples;

/// One folder for two users of a group.
mod sharing;

/// Samples that overlap.
mod together;

/// Samples that were drawn elsewhere, and strata by a score.
mod drawn_elsewhere;

/// What a sample serves, and where its audit looks.
mod audit;

/// A study of an earlier version in this one.
mod upgrade;

/// Titles and URLs of documents.
mod titles;

/// Kept texts that are damaged or missing: said, and made again by a run.
mod kept;

/// Files that commands write.
mod outputs;

/// What was kept fits the study; names and files that processes take at the same time.
mod fitting;

/// Damage that numbers rest on.
mod damaged;

/// Results that are not those of `study.toml` and its files as they are now.
mod stale;

/// What a sample was drawn from, and what is said once that has changed.
mod provenance;

/// Samples whose pairs changed after they were drawn: kept, or drawn anew.
mod renewed;

/// Input made to break a reader or a terminal.
mod hostile;

/// What a fuzzer found, and the laws that it tried to break.
mod fuzzed;

/// What one file may cost in memory, whatever is in it.
mod limits;

/// Ids and file names that no column can hold as they are, and files of every kind.
mod ids;

/// A disk that fails in the middle of a file.
mod read_errors;

/// Calls of the system that fail, each in turn.
mod faults;

/// What is no document, records with one id, and what the dry run foresees (one test needs data).
mod unread;

/// The main content of the sample's pages, and their own lines.
mod main_content;

/// The engine on a small web crawled twice (needs data).
mod recrawl;

/// Every method in one harness: the tables, the search by keys, the combination (most need data).
mod methods;

/// Runs that are killed, run again, or run otherwise, and must end in the same bytes (needs data).
mod resume;

/// Workers that search files for a run.
mod workers;

/// Two corpora joined by sketches on disk.
mod corpora;

/// A cluster of Spark on this machine.
mod cluster;

/// Runs on a real Spark (needs `DEJAVIEW_SPARK`).
mod with_spark;

/// The judgments of eight TREC tracks (needs data).
mod qrels_data;

/// Groups of near-duplicates, and those inside the source that were judged differently (one test needs data).
mod groups;

/// Pairs of other tools in a study, and judgments carried over along them (some need data).
mod transfer;

/// Runs of systems: what a transfer does to their ranking, and near-duplicates taken out of them.
mod rankings;

/// What two crawls or lists have in common by their URLs (one test needs data).
mod urls;

/// The readers of archives and judgments on real files (needs data).
mod corpus_data;

/// The figures of a study, counted again from its pairs (one needs data).
mod figures;

/// The report of a study.
mod report;

/// The thesis and the papers by one command (one test needs data), and the list of what they hold.
mod reproduce;

/// Exports of wikis and their revisions (one needs a dump).
mod mediawiki;

/// An export of a wiki against a crawl, reproduced and counted again (one test needs data).
mod wiki;

/// A collection searched for its own documents (one test needs data).
mod itself;

/// Many documents with the same text.
mod floods;

/// Sizes of corpora that are known, and pages drawn from them.
mod sizes;
