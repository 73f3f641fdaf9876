//! Annotators' names as names of files, and back.
//!
//! Letters and digits of any script and `- _ . @ +` stand for themselves; every other byte, and a dot at the beginning,
//! is written `%` and two hex digits. So two names never share a file, and no name leaves the folder.

use std::fs;
use std::path::Path;

use super::LabelsError;
use super::adjudication::{Lookalike, lookalike};
use dejaview_base::{hash, names};

/// Names of files have at most 255 bytes; this leaves room for an ending.
const LONGEST: usize = 200;

/// The name of an annotator's files, without an ending. A name too long for a file is cut and ends in its digest.
pub fn file_stem(annotator: &str) -> Result<String, LabelsError> {
    let name = annotator.trim();
    if name.is_empty() {
        return Err(LabelsError::NoName);
    }
    if name.contains(char::is_control) {
        return Err(LabelsError::ControlInName { name: name.to_owned() });
    }
    let mut stem = String::new();
    for (i, c) in name.char_indices() {
        if c.is_alphanumeric() || "-_@+".contains(c) || (c == '.' && i > 0) {
            stem.push(c);
        } else {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                stem.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    if stem.len() > LONGEST {
        let end = (0..=LONGEST - 33).rev().find(|&i| stem.is_char_boundary(i)).unwrap_or(0);
        stem.truncate(end);
        stem.push('-');
        stem.push_str(&hash::digest(name.as_bytes()));
    }
    Ok(stem)
}

/// An error where somebody new must not get this name: commands would take it for an option, it would be mistaken for one by
/// which disagreements are settled, or it differs from the name of another annotator of the study in case alone. Whoever has
/// a journal keeps the name.
pub fn must_be_nameable(study: &Path, annotator: &str) -> Result<(), LabelsError> {
    let stem = file_stem(annotator)?;
    let name = annotator.trim().to_owned();
    // A folder that cannot be read is said by whoever reads the journals in it.
    let files = fs::read_dir(study.join("labels")).into_iter().flatten().flatten().map(|entry| entry.path());
    let journals = files.filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    let mut known: Vec<String> = journals.filter_map(|path| path.file_stem()?.to_str().map(str::to_owned)).collect();
    known.sort();
    if known.contains(&stem) {
        return Ok(());
    }
    if names::is_like_an_option(&stem) {
        return Err(LabelsError::LikeAnOption { name });
    }
    match lookalike(&name) {
        Some(Lookalike::Case) => return Err(LabelsError::LikeAdjudication { name }),
        Some(Lookalike::Nobody) => return Err(LabelsError::NobodyAdjudicates { name }),
        None => {}
    }
    must_differ(&name, &stem, &known)
}

/// An error where a name differs from one of others in case alone, none of whom may have a journal yet.
pub fn must_differ_from<'a>(annotator: &str, others: impl Iterator<Item = &'a str>) -> Result<(), LabelsError> {
    let others = others.map(file_stem).collect::<Result<Vec<_>, _>>()?;
    must_differ(annotator.trim(), &file_stem(annotator)?, &others)
}

fn must_differ(name: &str, stem: &str, others: &[String]) -> Result<(), LabelsError> {
    match names::same_but_for_case(stem, others) {
        Some(other) => Err(LabelsError::SameButForCase { name: name.to_owned(), other: annotator_name(other) }),
        None => Ok(()),
    }
}

/// Whether a name is another one and more behind it, as programs name copies: `ann (copy)`, `ann.sync-conflict-1`.
pub(super) fn is_named_after(copy: &str, original: &str) -> bool {
    copy.strip_prefix(original).is_some_and(|rest| rest.starts_with(|c: char| !c.is_alphanumeric()))
}

/// The annotator whose files have this name; the name itself where it was not made by [`file_stem`].
pub fn annotator_name(stem: &str) -> String {
    let mut bytes = Vec::with_capacity(stem.len());
    let mut rest = stem.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        match code {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| stem.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn readable_names_stay() {
        for name in ["ann", "Zoë", "山田", "j.doe@example.org", "a+b_c-d"] {
            assert_eq!(file_stem(name).unwrap(), name);
        }
    }

    #[test]
    fn no_name_leaves_the_folder() {
        assert_eq!(file_stem("../../etc/passwd").unwrap(), "%2E.%2F..%2Fetc%2Fpasswd");
        assert_eq!(file_stem(" . ").unwrap(), "%2E");
        assert_eq!(file_stem("a\u{202e}b%").unwrap(), "a%E2%80%AEb%25");
        assert!(matches!(file_stem(" \n"), Err(LabelsError::NoName)));
        let error = file_stem("a\u{1b}[2Jb").unwrap_err().to_string();
        assert!(error.contains(r"a\u{1b}[2Jb") && !error.contains('\u{1b}'), "{error}");
    }

    #[test]
    fn new_names_are_no_options_and_differ_in_more_than_case() {
        let study = tempfile::tempdir().unwrap();
        assert!(must_be_nameable(study.path(), "eve").is_ok(), "nobody has labelled yet");
        let labels = study.path().join("labels");
        fs::create_dir(&labels).unwrap();
        for file in ["eve.jsonl", "-y.jsonl", "Bob.torn"] {
            fs::write(labels.join(file), "").unwrap();
        }
        for name in ["eve", " eve ", "bob", "-y", "evelyn"] {
            assert!(must_be_nameable(study.path(), name).is_ok(), "{name}");
        }
        let error = must_be_nameable(study.path(), "Eve").unwrap_err().to_string();
        assert!(error.contains("Eve differs from that of eve in case alone"), "{error}");
        for name in ["Adjudication", "ADJUDICATION.x", " adjudicatioN "] {
            let error = must_be_nameable(study.path(), name).unwrap_err().to_string();
            assert!(error.contains("differs in case alone from names by which disagreements are settled"), "{error}");
        }
        let error = must_be_nameable(study.path(), "adjudication.").unwrap_err().to_string();
        assert!(error.contains("does not say who settles disagreements"), "{error}");
        for name in ["adjudication", "adjudication.x", "adjudication.X", "adjudications", "Adjudicator"] {
            assert!(must_be_nameable(study.path(), name).is_ok(), "{name}");
        }
        fs::write(labels.join("Adjudication.x.jsonl"), "").unwrap();
        assert!(must_be_nameable(study.path(), "Adjudication.x").is_ok(), "whoever has a journal keeps the name");
        let error = must_be_nameable(study.path(), "-x").unwrap_err().to_string();
        assert!(error.contains("take it for an option"), "{error}");
    }

    #[test]
    fn long_names_stay_apart() {
        let (a, b) = (format!("{}a", "é".repeat(300)), format!("{}b", "é".repeat(300)));
        let (a, b) = (file_stem(&a).unwrap(), file_stem(&b).unwrap());
        assert!(a != b && a.len() <= LONGEST && b.len() <= LONGEST);
    }

    proptest! {
        #[test]
        fn names_come_back(name in "\\PC{1,20}") {
            prop_assume!(!name.trim().is_empty());
            let stem = file_stem(&name).unwrap();
            prop_assert!(!stem.contains('/') && !stem.starts_with('.'));
            prop_assert_eq!(annotator_name(&stem), name.trim());
        }
    }
}
