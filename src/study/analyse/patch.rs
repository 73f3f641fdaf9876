//! Changed grades as a patch of the files of judgments: a unified diff without context, which `patch` applies.

use std::fmt::Write as _;
use std::path::Path;

use crate::StudyError;
use crate::analyse::judged_groups::{GradeChange, JudgedGroups};
use crate::snapshot::Snapshot;
use dejaview_corpus::qrels::with_grade;
use dejaview_corpus::text_file;

/// The patch that makes these changes. Files are named relative to the study, without the ending of a compression:
/// what is patched is their text.
pub fn qrels_patch(study: &Snapshot, groups: &JudgedGroups, changes: &[GradeChange]) -> Result<String, StudyError> {
    let judgments = &groups.judgments;
    let mut patch = String::new();
    for changes in changes.chunk_by(|a, b| file_of(groups, a) == file_of(groups, b)) {
        let file = &judgments.files()[file_of(groups, &changes[0]) as usize];
        let path = &file.path;
        let bytes = text_file::read_lines(path)?.bytes;
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.split('\n').collect();
        let name = path.strip_prefix(study.folder()).unwrap_or(path);
        let name = plain_name(name);
        let _ = writeln!(patch, "--- {name}\n+++ {name}");
        for change in changes {
            let row = &judgments.rows()[change.judgment as usize];
            let Some(line) = lines.get(row.line as usize - 1) else { continue };
            // A file whose last line has no end says so in a patch.
            let end = if row.line as usize == lines.len() { "\n\\ No newline at end of file" } else { "" };
            let new = with_grade(line, file, &judgments.grades()[change.grade as usize]);
            let _ = writeln!(patch, "@@ -{0} +{0} @@\n-{line}{end}\n+{new}{end}", row.line);
        }
    }
    Ok(patch)
}

fn file_of(groups: &JudgedGroups, change: &GradeChange) -> u32 {
    groups.judgments.rows()[change.judgment as usize].file
}

fn plain_name(path: &Path) -> String {
    let name = path.to_string_lossy();
    let plain = [".gz", ".bz2", ".xz", ".zst", ".Z"].iter().find_map(|ending| name.strip_suffix(ending));
    plain.unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_is_of_plain_text() {
        assert_eq!(plain_name(Path::new("q/a.qrels.gz")), "q/a.qrels");
    }
}
