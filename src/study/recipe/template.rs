//! A commented `study.toml` for a new study.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use strum::IntoStaticStr;

use crate::StudyError;
use crate::new_folders::NewFolders;
use crate::outputs::{Outputs, must_be_no_own_file};
use crate::recipe::files::segment_folders;
use dejaview_base::choice::{Choice, Choices};

/// What `new` knows of the study.
#[derive(Debug, Clone, Default)]
pub struct Template {
    /// Patterns of the source's files.
    pub source: Vec<String>,
    /// Patterns of the target's files, a segment each; a folder of folders makes one of each of its folders.
    pub target: Vec<String>,
    /// Patterns of files of judgments.
    pub judgments: Vec<String>,
    /// Whose study it is to repeat.
    pub kind: Option<StudyKind>,
}

/// The studies that `reproduce` repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum StudyKind {
    /// Judged pages of ClueWeb09 in ClueWeb12, SimHash.
    Thesis,
    /// A0 to A12 on one collection of web sites.
    Yandex,
    /// How large two corpora are beside each other.
    Sizes,
}

impl Choice for StudyKind {
    const CHOICES: Choices<Self> = &[
        (Self::Thesis, "Judged pages of an old crawl in a new one: SimHash of 2-, 3-, 5-, 2+3- and 3+5-grams, URLs"),
        (Self::Yandex, "A0 to A12 of Zelenkov and Segalovich on one collection against itself"),
        (Self::Sizes, "Relative sizes by overlap, strong queries, random queries and walks: all texts are kept"),
    ];
}

impl StudyKind {
    /// What stands for the source, the target and the judgments where none are named.
    fn patterns(self) -> [&'static [&'static str]; 3] {
        match self {
            Self::Thesis => [&["ClueWeb09/*/*/*.warc.gz"], &THESIS_SEGMENTS, &["judgments/*"]],
            Self::Yandex => [&["collection/*"], &["collection/*"], &[]],
            Self::Sizes => [&["old/*"], &["new/*"], &[]],
        }
    }

    /// Keys of the top, before the first table.
    fn top(self) -> &'static str {
        match self {
            Self::Thesis | Self::Yandex => "",
            Self::Sizes => "keep = \"all\"                            # strong and random queries search all texts\n",
        }
    }

    /// The configurations, with what they are for.
    fn configurations(self) -> String {
        let one = |(method, more): (&str, &str)| format!("[[configuration]]\nmethod = \"{method}\"\n{more}");
        let head = match self {
            Self::Thesis => {
                "# Chapter 5: 64 bits, k = 3, four blocks. Chapter 3 sweeps n-grams and distances by itself.\n"
            }
            Self::Yandex => {
                "# A0 to A12, in the order of the paper. Their truth: evaluate --truth edit-characters:0.8@content\n"
            }
            Self::Sizes => "# What tells that a page of one corpus stands in the other.\n",
        };
        let simhash = ["[2]", "[3]", "[5]", "[2, 3]", "[3, 5]"].map(|n| format!("ngrams = {n}\n"));
        let configurations: Vec<String> = match self {
            Self::Thesis => {
                let all = format!("{EXACT}{}", one(("exact-jaccard", "")));
                simhash.iter().map(|more| one(("simhash", more))).chain([all]).collect()
            }
            Self::Yandex => YANDEX.iter().map(|method| one((method, ""))).collect(),
            Self::Sizes => vec![one(("exact-jaccard", ""))],
        };
        format!("{head}{}", configurations.join("\n"))
    }
}

/// The segments of ClueWeb12 that the thesis reads.
const THESIS_SEGMENTS: [&str; 5] = [
    "ClueWeb12_00/*/*.warc.gz",
    "ClueWeb12_04/*/*.warc.gz",
    "ClueWeb12_08/*/*.warc.gz",
    "ClueWeb12_10/*/*.warc.gz",
    "ClueWeb12_15/*/*.warc.gz",
];

/// A0 to A12.
const YANDEX: [&str; 13] = [
    "md5",
    "tf",
    "tfidf",
    "tfridf",
    "long-sent",
    "heavy-sent",
    "megashingles",
    "lex-rand",
    "log-shingles",
    "descr-words",
    "opt-freq",
    "decomposition",
    "sentences-words",
];

/// Writes `study.toml` into a folder, which is made if need be. Refuses to write over one.
pub fn write_template(folder: &Path, template: &Template) -> Result<PathBuf, StudyError> {
    let template = &template.filled();
    let path = folder.join("study.toml");
    if path.symlink_metadata().is_ok() {
        let why = "a study exists already; name another folder, or remove the file".to_owned();
        return Err(StudyError::Refused { path, why });
    }
    must_be_no_own_file(folder)?;
    let _folders = NewFolders::make(folder)?;
    let outputs = Outputs::new(None, "new", false).without_force("name another folder");
    outputs.write(&path, template.text(folder).as_bytes())?;
    Ok(path)
}

/// What is said about tracks.
const TRACKS: &str = "\
# The track of a file is its name up to the first dot, a first `qrels` or `prels` passed over; or say it:\n\
# judgments = [{ glob = \"judgments/*.txt\", track = \"web09\" }]\n";

impl Template {
    /// The same with the patterns of its kind where none are named. A source that is named has no judgments unless they are,
    /// and where one collection is compared with itself, it is the target, too.
    fn filled(&self) -> Self {
        let mut filled = self.clone();
        if self.kind == Some(StudyKind::Yandex) && filled.target.is_empty() {
            filled.target.clone_from(&filled.source);
        }
        let [source, target, judgments] = self.kind.map(StudyKind::patterns).unwrap_or_default();
        let judgments = if self.source.is_empty() { judgments } else { &[] };
        let lists = [&mut filled.source, &mut filled.target, &mut filled.judgments];
        for (list, patterns) in lists.into_iter().zip([source, target, judgments]) {
            if list.is_empty() {
                list.extend(patterns.iter().map(|pattern| (*pattern).to_owned()));
            }
        }
        filled
    }

    /// Names of the segments: the two digits behind `_` in the first folder of each pattern, as of `ClueWeb12_04`, where
    /// they all have such and no two the same; otherwise their numbers.
    fn segment_names(&self) -> Vec<String> {
        let digits = |pattern: &String| {
            let folder = pattern.split('/').next()?;
            let (_, digits) = folder.rsplit_once('_')?;
            (digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| digits.to_owned())
        };
        let named: Option<Vec<String>> = self.target.iter().map(digits).collect();
        let are_different = |names: &Vec<String>| names.iter().collect::<BTreeSet<_>>().len() == names.len();
        named.filter(are_different).unwrap_or_else(|| (0..self.target.len()).map(|i| format!("{i:02}")).collect())
    }

    fn text(&self, folder: &Path) -> String {
        let full = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let name = full.file_name().map_or("A study".into(), |name| name.to_string_lossy());
        let judgments = if self.judgments.is_empty() {
            format!("# judgments = [\"judgments/*.qrels\"]    # with it, only judged documents are kept\n{TRACKS}")
        } else {
            format!("judgments = {}\n{TRACKS}", list(&self.judgments))
        };
        let mut text = format!(
            "# A dejaview study. Patterns are relative to this file; formats are told from the content.\n\
             name = {}\n{}\n\
             [source]                                # the documents whose near-duplicates are looked for\n\
             documents = {}\n{judgments}{}\n",
            quoted(&name),
            self.kind.map_or("", StudyKind::top),
            list(&self.source),
            if self.kind == Some(StudyKind::Thesis) { URLS } else { "" },
        );
        let names = self.segment_names();
        for (number, (pattern, name)) in self.target.iter().zip(names).enumerate() {
            let note = if number == 0 {
                "                              # the documents searched, segment by segment"
            } else {
                ""
            };
            let segment = match folder_segments(folder, pattern)[..] {
                [] => format!("segment   = \"{name}\"\n"),
                [ref only] => format!("# one segment, the folder in it: {only}\n"),
                [ref first, .., ref last] => {
                    format!("# one segment of each folder in it: {first} to {last}, in this order\n")
                }
            };
            text.push_str(&format!(
                "[[target]]{note}\n{segment}documents = {}\n\n",
                list(std::slice::from_ref(pattern))
            ));
        }
        let rest = self.kind.map_or(STANDARD.to_owned(), StudyKind::configurations);
        text.push_str(TEXT);
        text.push_str(&rest);
        text
    }
}

/// How the lists of URLs of ClueWeb are named.
const URLS: &str = "\
# Chapter 4 joins the published lists of URLs, which no document needs to be read for:\n\
# urls = [\"ClueWeb09/edocid2url.txt.bz2\"]    # and in [[target]]: urls = [\"ClueWeb12/edocid2url.txt.bz2\"]\n";

/// What is said of the configuration that the thesis does not have.
const EXACT: &str = "# Beside the thesis: all pairs that are alike, so that what SimHash misses is known. Without it, recall is of what SimHash finds.\n";

/// The table of how texts are read.
const TEXT: &str = "[text]\n\
             content = \"all\"                         # or \"main\", the main content; \"own\", without lines that recur on a host\n\
             jaccard = 1                             # n of the Jaccard that lists show: 1, 2, 3, 5 or 8\n\
             status  = \"ok\"                          # or \"all\": HTTP redirects and errors are documents, too\n\n";

/// What is said of configurations where none are spelled out.
const STANDARD: &str = "\
             # Document frequencies and lexicons come from both sides, which reads the target twice; statistics = \"source\" at the\n\
             # top takes them from the source, for a target that can be read only once.\n\
             # Without any configuration the study gets the standard set of all methods. Two of them, spelled out:\n\
             # [[configuration]]\n\
             # method   = \"simhash\"\n\
             # ngrams   = [3, 5]                     # word n-grams that vote together\n\
             # bits     = 64\n\
             # distance = 3                          # bits that may differ\n\
             # [[configuration]]\n\
             # method     = \"best\"\n\
             # vocabulary = 0.9                      # 0 finds pages in a new template too\n";

/// Names of the segments that a pattern makes where it is a folder of folders; none otherwise.
fn folder_segments(folder: &Path, pattern: &str) -> Vec<String> {
    let folders = segment_folders(&folder.join(pattern)).unwrap_or_default();
    folders.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect()
}

fn list(patterns: &[String]) -> String {
    format!("[{}]", patterns.iter().map(|p| quoted(p)).collect::<Vec<_>>().join(", "))
}

/// A TOML basic string.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Recipe;

    #[test]
    fn what_is_written_can_be_read() {
        let template = Template {
            source: vec!["old/*.warc.gz".into(), "a \"quoted\"\\name".into()],
            target: vec!["new/00/*".into(), "new/01/*".into()],
            judgments: vec!["q/*.qrels".into()],
            kind: None,
        };
        let folder = tempfile::tempdir().unwrap();
        let path = write_template(folder.path(), &template).unwrap();
        let recipe = Recipe::parse(&path, &std::fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(recipe.source.documents[1].glob, "a \"quoted\"\\name");
        assert_eq!(recipe.targets.len(), 2);
        assert_eq!(recipe.configurations.len(), crate::standard_set().len());
        assert!(write_template(folder.path(), &template).is_err(), "an existing study stays");
    }

    #[test]
    fn studies_of_the_papers() {
        for (kind, _) in StudyKind::CHOICES {
            let folder = tempfile::tempdir().unwrap();
            let path = write_template(folder.path(), &Template { kind: Some(*kind), ..Template::default() }).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            let recipe = Recipe::parse(&path, &text).unwrap();
            let (configurations, keep) = match kind {
                StudyKind::Thesis => (6, crate::Keep::Hits),
                StudyKind::Yandex => (13, crate::Keep::Hits),
                StudyKind::Sizes => (1, crate::Keep::All),
            };
            assert_eq!((recipe.configurations.len(), recipe.keep), (configurations, keep), "{text}");
            let own = Template { kind: Some(*kind), source: vec!["mine/*".into()], ..Template::default() };
            let text = own.filled().text(folder.path());
            let recipe = Recipe::parse(&path, &text).unwrap();
            assert!(recipe.source.judgments.is_empty() && text.contains("mine/*"), "{text}");
            assert_eq!(recipe.targets[0].documents[0].glob == "mine/*", *kind == StudyKind::Yandex);
        }
    }

    #[test]
    fn segments_have_the_numbers_of_their_folders() {
        let names = |target: &[&str]| {
            let target = target.iter().map(|&pattern| pattern.to_owned()).collect();
            Template { target, ..Template::default() }.segment_names()
        };
        assert_eq!(names(&THESIS_SEGMENTS), ["00", "04", "08", "10", "15"]);
        assert_eq!(names(&["a_04/*", "b_04/*"]), ["00", "01"]);
        assert_eq!(names(&["a_04/*", "b/*", "c_1/*"]), ["00", "01", "02"]);
    }

    #[test]
    fn a_folder_makes_a_segment_of_each_of_its_folders() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["00", "01", "02", "10", ".hidden"] {
            std::fs::create_dir_all(folder.path().join("ClueWeb12").join(name)).unwrap();
            std::fs::write(folder.path().join("ClueWeb12").join(name).join("a.jsonl"), "{}").unwrap();
        }
        let source = vec!["ClueWeb12/00/*".to_owned()];
        let template = Template { source, target: vec!["ClueWeb12".to_owned()], judgments: Vec::new(), kind: None };
        let path = write_template(folder.path(), &template).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("# one segment of each folder in it: 00 to 10, in this order\n"), "{text}");
        let recipe = Recipe::parse(&path, &text).unwrap();
        let corpora = crate::recipe::files::Corpora::find(folder.path(), &recipe).unwrap();
        let names: Vec<&str> = corpora.segments.iter().map(|segment| segment.name.as_str()).collect();
        assert_eq!(names, ["00", "01", "02", "10"]);
    }
}
